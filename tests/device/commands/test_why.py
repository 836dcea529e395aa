"""`hisabu replay FOLDER --why`: what may have happened at each rest of a recorded table."""

import json
import math
from pathlib import Path

import pytest

from device.cli import main
from device.commands.why import print_why
from device.following.recording import Recording
from engine.table.hypothesis import PLAYING, TRICK, Hypothesis, Step, Thing
from engine.table.observation import ObservationModel, Seen, StillPeriod
from engine.table.places import ZONE
from engine.table.reach import Reach
from engine.table.why import ACTS, BEFORE, ScoredHypothesis, Why, why
from tests.engine.test_cards_table import dealt

RECORDING = Path(__file__).parents[1] / "data" / "one_trick"


@pytest.mark.slow
def test_a_recording_tells_what_may_have_happened_at_each_rest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RECORDING), "--why", "--lang", "en"]) == 0
    told = capsys.readouterr().out.splitlines()
    rests = [number for number, line in enumerate(told) if "  still period " in line]
    assert len(rests) > 5
    assert any("100.0%  deal 4♠" in line or "%  deal 4♠" in line for line in told)
    laid = next(number for number, line in enumerate(told) if "%  lay player 2 Q♣" in line)
    otherwise = next(line for line in told[laid:] if "%  nothing   " in line and "[" in line)
    assert "Q♣ unexplained -" in otherwise, "why it was laid: nothing else explains what is seen"
    assert told[-1] == "The same as when it was recorded. Events: 4."


@pytest.mark.slow
def test_the_recording_that_is_kept_still_tells_the_same_and_why_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(RECORDING), "--why", "--json"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len([told for told in said if "view" in told]) == len(Recording(RECORDING).events) == 4
    rests = [told["why"] for told in said if "why" in told]
    assert [rest["rest"] for rest in rests] == list(range(1, len(rests) + 1)), "the last one too"
    acts = [act for rest in rests for act in rest["histories"][0]["acts"]]
    assert {"act": "lay", "seat": 1, "card": "QC"} in acts
    for rest in rests:
        shares = [history["share"] for history in rest["histories"]]
        assert shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 1.0001
        assert rest["histories"][0]["terms"] == {}, "against itself nothing speaks"


def test_a_journal_has_no_looks_to_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "match.jsonl"), "--why", "--lang", "en"]) == 2
    assert "--why needs a recording" in capsys.readouterr().err


def test_what_decides_is_told_by_name() -> None:
    table = dealt()
    told: list[Why] = []
    table.table.explain_to = told.append
    table.put("KS", (0.0, 0.2), 0)
    table.rest()
    table.table.explain()
    laid = next(why for why in told if any(step.card == "KS" for step in why.hypotheses[0].steps))
    best, second = laid.hypotheses[:2]
    assert best.posterior > 0.9 > second.posterior
    beside = dict(second.beside(best))
    assert sum(beside.values()) == pytest.approx(math.log(second.posterior / best.posterior), abs=0.5)
    assert abs(second.beside(best)[0][1]) == max(map(abs, beside.values())), "the weightiest first"


def test_what_a_hypothesis_is_worth_is_told_whole() -> None:
    """Before, acts and looks together are all that it weighs."""
    table = dealt().table
    observation = ObservationModel(table.game.whole_pack, Reach(table.arms, 4, ZONE), table.arms, None)
    step = Step("lay", 0, "KS", 1, period=3)
    before = Hypothesis(-1.0, (), PLAYING, things=(Thing(1, "7H", (-0.65, -0.2), True, TRICK),))
    future = before._replace(logp=-3.0, steps=(step,))
    period = StillPeriod(3)
    period.looks += [Seen(1.0, {}, (), 0.3, True, frozenset(), ())] * 2
    weighed = future.logp + observation.period(future, period)
    scored = why([future._replace(logp=0.0)], [before], [future], period, observation, 3).hypotheses[0]
    assert (scored.terms[BEFORE], scored.terms[ACTS]) == (-1.0, -2.0)
    assert sum(scored.terms.values()) == pytest.approx(weighed)
    assert scored.steps == (step,)


def test_what_differs_earlier_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = Step("lay", 1, "6C", 1), Step("lay", 2, "6H", 1)
    hypotheses = (
        ScoredHypothesis(0.7, (), (first,), {BEFORE: 0.0}),
        ScoredHypothesis(0.3, (), (second,), {BEFORE: -0.8}),
    )
    print_why(Why(4, 12.5, 2, False, hypotheses), False, "en", ["Ali", "Zaïna", "Fatima"])
    assert capsys.readouterr().out.splitlines()[-1].split("   ")[-2:] == [
        "(before: lay Fatima 6♥, not lay Zaïna 6♣)", "[before -0.8]"
    ]  # fmt: skip
