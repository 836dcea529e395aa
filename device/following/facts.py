"""What a view does not tell of a match and a page draws: made when the match changes, not at each frame."""

from typing import Any

from engine.match import Match
from engine.referee.card_game import CardJudge


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


def _last_trick(match: Match) -> dict[str, Any] | None:
    on_table = match.view.trick_number if match.view.phase == "trick_complete" else None
    for told in reversed(match.told):
        for notice in told.notices:
            if notice.code == "deal_scored" and on_table is None and match.view.phase != "deal_over":
                return None
            if notice.code == "trick" and notice.facts["trick"] != on_table:
                return {name: notice.facts[name] for name in ("trick", "seat", "cards")}
    return None
