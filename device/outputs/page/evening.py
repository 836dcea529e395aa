"""What a match is remembered by: its sides and score, its best trick, deals with every trick to one side, the longest
run.
"""

from collections.abc import Sequence
from typing import Any

from device.keeping.players import every_trick, most_tricks
from device.words import given_names
from engine.match import Match
from engine.notices import Notice


def remembered(match: Match) -> dict[str, Any]:
    """For a picture to share. best: the trick, or the capture, that brought most. every_trick: the sides that took all
    of a deal, in order. run: most tricks one after the other to one side, over the ends of deals too."""
    view, header = match.view, match.header
    tricks = [notice for notice in match.notices if notice.code == "trick" and notice.facts["seat"] is not None]
    return {
        "game": header.game,
        "seats": given_names(header.seats),
        "players": header.players,
        "sides": list(view.sides or range(header.players)),
        "games": list(view.games) if view.games else None,
        "captured": dict(view.captured) if view.captured else None,
        "winner": view.winner,
        "deals": sum(notice.code == "deal_scored" for notice in match.notices),
        "best": _best(tricks),
        "capture": _capture(match.notices),
        "every_trick": [
            most_tricks(notice.facts)
            for notice in match.notices
            if notice.code == "deal_scored" and every_trick(notice.facts)
        ],
        "run": _run(tricks, view.sides or ()),
    }


def _best(tricks: Sequence[Notice]) -> dict[str, Any] | None:
    worth = [notice for notice in tricks if isinstance(notice.facts.get("points"), int) and notice.facts["points"] > 0]
    if not worth:
        return None
    best = max(worth, key=lambda notice: int(notice.facts["points"]))
    return {name: best.facts[name] for name in ("seat", "cards", "points")}


def _capture(notices: Sequence[Notice]) -> dict[str, Any] | None:
    """The turn that took most seeds."""
    moves = [notice for notice in notices if notice.code == "move" and notice.facts.get("captured")]
    if not moves:
        return None
    best = max(moves, key=lambda notice: int(notice.facts["captured"]))
    return {"player": best.facts["player"], "captured": best.facts["captured"]}


def _run(tricks: Sequence[Notice], sides: Sequence[int]) -> dict[str, int] | None:
    longest: tuple[int, int] = (0, 0)
    side, length = -1, 0
    for notice in tricks:
        won = sides[notice.facts["seat"]]
        side, length = won, length + 1 if won == side else 1
        longest = max(longest, (length, side))
    return {"tricks": longest[0], "side": longest[1]} if longest[0] else None
