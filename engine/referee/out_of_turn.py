"""Cards that came before another seat's: out of turn, or the other's was not seen. The cards that follow tell.

An honest trick of which one play went unseen looks at first like one in which somebody played too early. Where the seat
that was passed over lays a card in that trick yet, somebody was early; where it never does, its card was missed.
"""

from engine.notices import NO, YES, Notice, question
from engine.referee.deal import DealState
from engine.referee.tricks import lay_together
from engine.rules.tricks import TrickGame
from engine.values import changed


def came_after_all(game: TrickGame, deal: DealState, said: int, surely: bool) -> tuple[DealState, list[Notice]]:
    """Whose card comes now had been passed over: who came before him did so out of turn. surely: it lies beside
    them, in that order. Else the trick's end tells, since it may lead the next, as a trick's last card always may."""
    may_lead = bool(deal.markers) or len(deal.plays) + 1 == game.players
    if not deal.early or not surely or may_lead or not lay_together(deal.plays):
        return deal, []
    told = [alert for alert in deal.early if alert.facts["expected"] == [said]]
    return changed(deal, early=tuple(alert for alert in deal.early if alert not in told)), told


def early_but(deal: DealState, number: int) -> tuple[Notice, ...]:
    """The same when a card is lifted: it may have been the early one."""
    return tuple(alert for alert in deal.early if alert.facts["number"] != number)


def came_early(game: TrickGame, deal: DealState, number: int, surely: bool) -> list[Notice]:
    """What is told, or asked, of cards that came before another seat's, now that the trick goes: those that were passed
    over are there. surely: it was seen to be gathered, or is the last; else its last card may have led the next. Nor is
    it sure where its cards were not seen to lie there together."""
    seen = [laid for laid in deal.plays if laid.played]
    if not deal.early or len(seen) < game.players or deal.tricks_uncertain:
        return []
    there = {laid.seat for laid in seen if not laid.assumed and laid.order_sure}
    surely = surely and lay_together(deal.plays)
    sure = [alert for alert in deal.early if surely and set(alert.facts["expected"]) <= there]
    facts = deal.early[0].facts
    asked = {name: facts[name] for name in ("trick", "seat", "expected", "cards")}
    return sure or [question(number, "turn", [YES, NO], **asked)]
