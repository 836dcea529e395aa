"""What a view does not tell of a match and a page draws: made when the match changes, not at each frame."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.cards import Card
from engine.events import Board, Deal, Pillage, Play, TurnUpSeen
from engine.match import Match, StandingEvent
from engine.referee.card_game import CardJudge
from engine.sightings import best_count


def facts_of(match: Match) -> dict[str, Any]:
    """The facts, for Show.extra.

    events: how many were logged. undo, redo: whether there is anything for them. against: the side that the device
    plays itself, if it does. Of cards also clockwise: the way
    turns go, seen from above; pack: every card; last_trick: its cards, and who won.
    """
    facts: dict[str, Any] = {"events": len(match.log), "undo": match.can_undo, "redo": match.can_redo}
    if match.header.against is not None:
        facts["against"] = match.header.against.side
    if isinstance(match.judge, CardJudge):
        game = match.judge.game
        facts |= {"clockwise": game.clockwise, "pack": sorted(set(game.whole_pack)), "last_trick": _last_trick(match)}
    return facts


def with_seats(told: Sequence[StandingEvent], players: int) -> Iterator[tuple[StandingEvent, int | None]]:
    """Events, and with each card who laid it: where nobody said so, whoever was to play."""
    lead = place = 0
    for entry in told:
        seat = None
        if isinstance(entry.event, Play):
            if place == 0 and entry.event.seat is not None:
                lead = entry.event.seat
            seat = (lead + place) % players if entry.event.seat is None else entry.event.seat
            place += 1
        trick = next((notice for notice in entry.notices if notice.code == "trick"), None)
        if trick is not None:
            winner = trick.facts["seat"]
            place, lead = 0, lead if winner is None else winner
        yield entry, seat


def laid_in_this_deal(match: Match) -> list[tuple[StandingEvent, int]]:
    """Its cards and who laid them, the newest first."""
    found: list[tuple[StandingEvent, int]] = []
    for entry, seat in with_seats(match.told, match.header.players):
        if isinstance(entry.event, Deal):
            found = []
        elif seat is not None:
            found.append((entry, seat))
    return found[::-1]


def turned_up_in_this_deal(match: Match) -> list[tuple[StandingEvent, str, Card]]:
    """The cards turned up, the newest first: the event of each, its field that says which it was, and the card."""
    found: list[tuple[StandingEvent, str, Card]] = []
    for entry in reversed(match.told):
        event = entry.event
        if isinstance(event, TurnUpSeen):
            found.append((entry, "card", event.card))
        if isinstance(event, Pillage) and event.next is not None:
            found.append((entry, "next", event.next))
        if isinstance(event, Deal):
            return found if event.turn_up is None else [*found, (entry, "turn_up", event.turn_up)]
    return found


def best_counts(board: Board) -> list[list[int | None]]:
    """What each pit holds, in one number; None: it could not be counted."""
    if board.pits is not None:
        return [list(row) for row in board.pits]
    assert board.likelihood is not None
    return [[best_count(pit) if pit else None for pit in row] for row in board.likelihood]


def _last_trick(match: Match) -> dict[str, Any] | None:
    on_table = match.view.trick_number if match.view.phase == "trick_complete" else None
    for told in reversed(match.told):
        for notice in told.notices:
            if notice.code == "deal_scored" and on_table is None and match.view.phase != "deal_over":
                return None
            if notice.code == "trick" and notice.facts["trick"] != on_table:
                return {name: notice.facts[name] for name in ("trick", "seat", "cards")}
    return None
