"""One card was read as another that lies elsewhere: nobody is accused once that shows, and the score allows for it."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from engine.events import Choose, Event, Play
from engine.match import Match
from engine.notices import NO, Notice
from engine.referee.card_game import CardJudge
from engine.referee.deal import PROVISIONAL
from engine.simulate import honest_deal
from tests.sizes import slow

TABLES = [("turufu", 2), ("turufu", 4), ("triomphe", 2), ("triomphe", 3), ("pille", 3), ("belote", 4)]


def misread(events: Sequence[Event], rng: Random) -> tuple[list[Event], int]:
    """The deal with one card read as another that is laid too, which is told in doubt where it is seen again; and the
    place of that."""
    plays = [(place, event) for place, event in enumerate(events) if isinstance(event, Play)]
    (wrong, one), (right, other) = rng.sample(plays, 2)
    seen = [*events]
    seen[wrong] = replace(one, card=other.card, order_sure=wrong < right)
    seen[right] = replace(other, order_sure=right < wrong)
    return seen, max(wrong, right)


def scored(notices: list[Notice]) -> list[tuple[object, object]]:
    """What each scored deal brought."""
    return [(notice.facts["games"], notice.facts["match"]) for notice in notices if notice.code == "deal_scored"]


@pytest.mark.parametrize("seeds", [range(60), *slow((range(60, 600),))])
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_who_laid_a_card_that_was_read_twice_is_not_accused_and_the_score_is_right_or_waits(
    game: str, players: int, seeds: range
) -> None:
    for seed in seeds:
        truth, match, rng = Match(game, players), Match(game, players), Random(seed)
        assert isinstance(match.judge, CardJudge)
        events = list(honest_deal(match.judge.game, rng, seed % players).events)
        seen, again = misread(events, rng)
        true = [notice for event in events for notice in truth.add(event)]
        told: list[Notice] = []
        for place, event in enumerate(seen):
            told += match.add(event)
            if place == again and match.view.question is not None and match.view.question["about"] == "twice":
                alert = match.view.alert
                assert alert is None or alert.facts["level_of_proof"] == PROVISIONAL, seed
                told += match.add(Choose(match.view.question["question"], NO))
        assert scored(told) in ([], scored(true)), seed
