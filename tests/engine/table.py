"""Short ways to say what happens at a table, for tests that read like sentences about the game."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from engine.events import Board, Confirm, Event
from engine.match import Match
from engine.notices import Notice


def deal(dealer: int | None, turn_up: str) -> dict[str, Any]:
    return {"event": "deal", "turn_up": turn_up} | ({} if dealer is None else {"dealer": dealer})


def play(card: str | None, seat: int | None = None, **more: Any) -> dict[str, Any]:
    return {"event": "play", "card": card} | ({} if seat is None else {"seat": seat}) | more


def apart(card: str | None, seat: int | None = None, **more: Any) -> dict[str, Any]:
    """A card of which nobody saw that the ones before it lay there still."""
    return play(card, seat, beside=False, **more)


def taken(seat: int) -> dict[str, Any]:
    return {"event": "taken", "seat": seat}


def tell(match: Match, *events: Event | dict[str, Any]) -> list[Notice]:
    """Adds events; every notice they raised."""
    return [notice for event in events for notice in match.add(event)]


def two_each() -> Match:
    """Two tricks for both, and the last card of the last trick could not be read."""
    match = Match("triomphe", 2)
    cards = ["KH", "7H", "KD", "7D", "7C", "8C", "KC", "9C"]
    laid = [play(card, seat) for card, seat in zip(cards, [0, 1, 0, 1, 0, 1, 1, 0], strict=True)]
    tell(match, deal(1, "7S"), *laid, play("9D", 1), play(None, 0))
    return match


def confirming(match: Match, events: Iterable[Event | dict[str, Any]]) -> list[Notice]:
    """The same, where somebody confirms trump, and that cards are missing, as soon as it is asked."""
    told: list[Notice] = []
    for event in events:
        said = match.add(event)
        told += said
        for asked in said:
            if asked.facts.get("about") in ("trump_right", "missing"):
                told += match.add({"event": "choose", "question": asked.facts["question"], "answer": "yes"})
    return told


def rules(notices: Iterable[Notice]) -> list[str]:
    """The rules broken, in order."""
    return [notice.facts["rule"] for notice in notices if notice.code == "illegal"]


SUSPECTED = {
    "lead": "wrong_leader",
    "two": "two_from_one_seat",
    "turn": "out_of_turn",
    "taken": "taken_by_wrong_side",
    "pillaged": "turn_up_changed",
    "missing": "cards_missing",
    "twice": "seen_before",
}
"""What is asked before a rule is said to be broken, and the rule."""


def suspected(notices: Iterable[Notice]) -> list[str]:
    """The rules broken, or asked about as perhaps broken, in order."""
    asked = [
        SUSPECTED.get(str(notice.facts.get("about"))) for notice in notices if notice.code in ("illegal", "question")
    ]
    broken = [notice.facts.get("rule") for notice in notices if notice.code in ("illegal", "question")]
    return [str(rule or perhaps) for rule, perhaps in zip(broken, asked, strict=True) if rule or perhaps]


def alarms(notices: Iterable[Notice]) -> list[Notice]:
    """Whatever is more than information."""
    return [notice for notice in notices if notice.level != "info"]


def only(notices: Iterable[Notice], code: str) -> Notice:
    """The one notice with this code."""
    (found,) = [notice for notice in notices if notice.code == code]
    return found


def let_stand(match: Match, wrong: Board) -> Match:
    """The same match in which an illegal turn was told and let stand."""
    standing = deepcopy(match)
    only(standing.add(wrong), "illegal")
    standing.add(Confirm(len(standing.log)))
    return standing
