"""Cards that came before another seat's: out of turn, or the other's was not seen. The cards that follow tell.

An honest trick of which one play went unseen looks at first like one in which somebody played too early. Where the seat
that was passed over lays a card in that trick yet, somebody was early; where it never does, its card was missed.
"""

from engine.notices import NO, YES, Notice, question
from engine.referee.deal import DealState
from engine.rules.tricks import TrickGame


def came_after_all(game: TrickGame, deal: DealState, said: int, in_order: bool) -> list[Notice]:
    """Whose card comes now had been passed over: who came before him did so out of turn. With the last card of a trick
    that is not sure before it is gathered: it may lead the next."""
    if not in_order or deal.markers or len(deal.plays) + 1 == game.players:
        return []
    return [alert for alert in deal.early if alert.facts["expected"] == [said]]


def came_early(game: TrickGame, deal: DealState, number: int, surely: bool) -> list[Notice]:
    """What is told, or asked, of cards that came before another seat's, now that the trick goes: those that were passed
    over are there. surely: it was seen to be gathered, or is the last; else its last card may have led the next."""
    there = {laid.seat for laid in deal.plays if laid.played and not laid.assumed and laid.order_sure}
    whole = len([laid for laid in deal.plays if laid.played]) == game.players and not deal.recounted
    told = [alert for alert in deal.early if whole]
    sure = [alert for alert in told if surely and set(alert.facts["expected"]) <= there]
    about = ("trick", "seat", "expected", "cards")
    return sure or [
        question(number, "turn", [YES, NO], **{name: alert.facts[name] for name in about}) for alert in told[:1]
    ]
