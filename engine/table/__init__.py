"""Looks at a card table become events: hypotheses of what people did compete on evidence.

A look goes this way:

| step | where |
|---|---|
| the look, less background, with the hands that came | `surroundings.py`, `beam.py` |
| what people may have done since | `propose.py`; `dealing.py`; `late_identification.py`: cards read late |
| how well each of these explains the look, and whose hand it was | `observation.py`, `hands.py`, `arms.py` |
| the likeliest are kept | `beam.py` |
| what they agree on becomes an event | `publisher.py`; `reconciler.py` corrects what was published wrongly |
| whether it may accuse somebody | `accusation.py` |
| a question, where it stays open | `asking.py` |

To add:

- **An act**: its name in `acts.py`; where it is proposed (`propose.py`, or `dealing.py`), with its prior; its event in
  `Publisher._event`. If it ends a deal or a trick also `record.py` and `reconciler.py`.
  These list acts, too: `asking._to_come`, `reconciler._of_one_trick` and `_correctable`,
  `Accusation._perhaps_for_another`, `Hypothesis.forgetting`.
- **A kind of thing that lies there**: its name in `hypothesis.py`; where it is made (`propose.py`, `dealing.py`); how
  often it is missed, in `observation.py`: `SELDOM_MISSED`.
  Who takes it away: `_tidied` and `_gathered` in `propose.py`, `_on_top` and `_dealt` in `dealing.py`.
- **A cost**: `costs.py`. It sets the thresholds that the publisher, the questions and the accusations use. What an act
  costs is its prior, where it is proposed. What a look costs is a term of `ObservationModel.terms`; `hisabu replay
  --why` shows these by name.
"""
