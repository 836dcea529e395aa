"""Revokes: what the proof reads of a deal, and what is told of what it proves."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.cards import Card
from engine.notices import ALERT, INFO, Notice
from engine.referee.deal import PROVEN, PROVISIONAL, DealState
from engine.referee.deal_queries import drawer_of_turn_up, is_whole, may_be_pillaged, table_trick, tricks_unseen
from engine.referee.innocence import Innocence, slots_of
from engine.referee.proof import INNOCENT, Outside, Shown, Verdict, prove
from engine.referee.tricks import Laid, Trick
from engine.rules.tricks import DRAWN_LAST, NO_CARDS, TrickGame
from engine.values import changed


def tell_if_proven(game: TrickGame, deal: DealState) -> tuple[DealState, list[Notice]]:
    """What was provisional while its trick lay there is told, if it stands beyond doubt."""
    if deal.told is None or deal.told[1] != PROVISIONAL:
        return deal, []
    all_there = is_whole(deal) and not tricks_unseen(game, deal) and not deal.tricks_uncertain
    beyond_doubt = deal.verdict if all_there else prove_deal(game, deal, doubting=True)
    if gist(beyond_doubt) != gist(deal.verdict):
        return deal, []
    deal, notice = tell(deal, beyond_doubt, PROVEN)
    return deal, [notice]


def tell(deal: DealState, verdict: Verdict, level: str) -> tuple[DealState, Notice]:
    """The notice of a verdict, with what is needed to check it on the table."""
    tricks = [*((*trick.plays, *trick.extras) for trick in deal.done), (*deal.plays, *deal.extras)]
    seen_in = {laid.card: number for number, trick in enumerate(tricks, 1) for laid in trick}
    claims = [
        {
            "seat": evidence.claim[0],
            "trick": evidence.claim[1],
            "card": evidence.card,
            "shown": list(evidence.shown),
            # Nobody read a card that can only have been one: then none is said to have been seen.
            "shown_in": [seen_in[card] for card in evidence.shown] if seen_in.keys() >= {*evidence.shown} else [],
            "among": list(evidence.among),
            "elsewhere": max(len(evidence.among) - 1, 0),
            "duty": evidence.duty,
            "certain": evidence.claim in verdict.certain,
        }
        for evidence in verdict.evidence
    ]
    facts: dict[str, Any] = {
        "level_of_proof": level,
        "explanations": [[list(claim) for claim in explanation] for explanation in verdict.explanations],
        "certain": [list(claim) for claim in verdict.certain],
        "guilty": sorted(verdict.guilty),
        "guilty_sides": sorted(verdict.guilty_sides),
        "after_trick": deal.trick_number,
        "duty": claims[0]["duty"],
        "claims": claims,
    }
    if len(claims) == 1 and claims[0]["certain"] and level == PROVEN:
        facts |= {"seat": claims[0]["seat"], "trick": claims[0]["trick"]}
    told = changed(deal, told=(deal.verdict, level))
    return told, Notice("revoke", ALERT if level == PROVEN else INFO, facts)


def prove_deal(game: TrickGame, deal: DealState, doubting: bool) -> Verdict:
    """What the cards prove. doubting: without those that were not read for sure, or are perhaps another seat's, and
    whatever tricks went by unseen."""
    if deal.trump is None or deal.exchanged is not None or (doubting and deal.tricks_uncertain):
        return INNOCENT
    tricks = [*deal.done, *([table_trick(game, deal)] if deal.plays else [])]
    unseen = tricks_unseen(game, deal) if doubting else 0
    drawer = None if unseen else drawer_of_turn_up(game, deal)
    in_a_hand = game.turn_up_may_be_played(1) or may_be_pillaged(game, deal)
    turn_up = None if in_a_hand else deal.turn_up
    outside = Outside(turn_up, drawer, deal.turn_up_went_to, deal.pillaged, deal.paid, deal.paid_unseen, unseen)
    counted: set[Card] = set()
    shown = [[*as_shown(game, deal, trick, doubting, counted)] for trick in tricks]
    return prove(game, deal.trump, shown, outside)


def honest_so_far(game: TrickGame, deal: DealState, plays: Sequence[Laid]) -> Innocence | None:
    """A way in which the deal can have been played honestly, this whole trick included. None: nothing so simple can be
    said of it, because something was not read plainly, or because there is none."""
    if deal.trump is None or deal.doubted or deal.extras or deal.paid_unseen or deal.paid:
        return None
    shown = [(laid.seat, laid.card) for laid in plays if laid.seat is not None and laid.card and _plain(laid)]
    numbers = [laid.number for laid in plays]
    if len(shown) < len(plays) or numbers != sorted(numbers):
        return None
    out, fixed = _set_apart(game, deal)
    before = deal.honest if deal.done else Innocence.begun(game, out, fixed)
    return before and before.after(game, deal.trump, deal.trick_number, shown, fixed)


def _plain(laid: Laid) -> bool:
    return laid.sure and not laid.deduced


def _set_apart(game: TrickGame, deal: DealState) -> tuple[frozenset[Card], dict[Card, int]]:
    """Cards that nobody plays in this deal, and cards that can only have come one way."""
    if deal.turn_up is not None and not game.turn_up_may_be_played(1):
        if game.turn_up_goes != DRAWN_LAST:
            return frozenset({deal.turn_up}), {}
        return NO_CARDS, {deal.turn_up: _drawn_last(game, drawer_of_turn_up(game, deal))}
    if deal.turn_up_went_to is None:
        return NO_CARDS, {}
    slots = slots_of(game.players, game.hand, game.draws, 0, len(game.pack))
    return NO_CARDS, dict.fromkeys(deal.pillaged, slots.own[deal.turn_up_went_to][0])


def _drawn_last(game: TrickGame, drawer: int | None) -> int:
    """The slots that the last card of the stock can have gone to."""
    slots = slots_of(game.players, game.hand, game.draws, 0, len(game.pack))
    bits = 0
    for seat in range(game.players) if drawer is None else (drawer,):
        bits |= slots.own[seat][game.draws]
    return bits


def as_shown(game: TrickGame, deal: DealState, trick: Trick, doubting: bool, counted: set[Card]) -> Iterator[Shown]:
    """A trick as the proof reads it. A card seen twice counts once; a play before the lead proves nothing, nor
    does one in a trick of which nobody has said which of two cards counts."""
    in_order = [laid.number for laid in trick.plays] == sorted(laid.number for laid in trick.plays)
    missed = doubting and tricks_unseen(game, deal) > 0
    # Cards that nobody saw lie together may be of two tricks, and those without a seat of anybody then.
    apart = missed and not trick.together
    anybodys = doubting and _may_be_anybodys(trick, missed)
    unbound = not in_order or bool(trick.contested) or apart
    for laid in (*trick.plays, *trick.extras):
        nobodys = anybodys or (apart and laid.assumed) or laid.card in counted
        card = None if nobodys else _read_of(game, deal, laid, doubting)
        counted |= {card} if card is not None else set()
        yield Shown(laid.seat, card, free=unbound or laid in trick.extras)


def _may_be_anybodys(trick: Trick, missed: bool) -> bool:
    """Whether its cards may be any seat's. missed: a trick went by unseen, which makes all of them another seat's where
    nobody said whose any of them is."""
    return not all(laid.order_sure for laid in trick.plays) or (missed and all(laid.assumed for laid in trick.plays))


def _read_of(game: TrickGame, deal: DealState, laid: Laid, doubting: bool) -> Card | None:
    """The card, if its reading may take part in a proof."""
    doubtful = laid.deduced or laid.number in deal.doubted or (doubting and not laid.sure)
    return None if doubtful or laid.card not in game.whole_pack else laid.card


def gist(verdict: Verdict) -> tuple[Any, Any]:
    return verdict.explanations, verdict.certain


def news(verdict: Verdict) -> tuple[Any, ...]:
    """What makes a verdict worth telling again: its gist, or a stronger duty."""
    return *gist(verdict), [(evidence.claim, evidence.duty) for evidence in verdict.evidence]
