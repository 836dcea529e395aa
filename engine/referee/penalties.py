"""What a proven revoke costs: the house decides how much, the players whether."""

from engine.notices import INFO, NO, YES, Notice, question
from engine.referee.deal import PROVEN, PROVISIONAL, CardState, DealState, Judged, Owed, is_late
from engine.referee.deal_queries import seats_of, tricks_made, without_question
from engine.referee.proof import INNOCENT
from engine.referee.score import ANNOUNCED, ask_if_announced, bonus_seen, holder_seen, score_deal, was_announced
from engine.referee.score_by_hand import newly_won, score_now, with_score
from engine.rules.tricks import Outcome, Score, TrickGame
from engine.values import changed


def ask_penalties(game: TrickGame, state: CardState, number: int) -> list[Notice]:
    """A proven revoke costs what the house decided, once the players confirm: a question for each offender."""
    deal, penalty = state.deal, game.options.get("penalty", "alert")
    if deal is None or deal.held_back_for_trump or penalty == "alert":
        return []
    known = [
        *deal.settled,
        *(deal.result.settled if deal.result else ()),
        *(notice.facts["side"] for notice in penalties_of_this_deal(state)),
    ]
    asked = []
    for side in offenders(game, deal):
        if side in known:
            known.remove(side)
        else:
            facts = {"side": side, "seats": seats_of(game, side), "penalty": penalty}
            asked.append(question(number, "penalty", [YES, NO], **facts))
    return asked


def offenders(game: TrickGame, deal: DealState) -> list[int]:
    """The sides that revoked for certain, each as often as it has seats that did. A hand is lost once only."""
    verdict, level = deal.told or (INNOCENT, PROVISIONAL)
    if level != PROVEN:
        return []
    sides = [game.sides[seat] for seat in verdict.guilty]
    sides += [side for side in verdict.guilty_sides if side not in sides]
    return sorted(set(sides)) if game.options["penalty"] == "hand" else sorted(sides)


def penalise(game: TrickGame, state: CardState, number: int, asked: Notice, wanted: bool) -> Judged:
    """The players' answer to whether a revoke shall cost."""
    side = asked.facts["side"]
    owed = next((duty for duty in state.owed if duty.question is asked), None)
    if owed is not None:
        return late_penalty(game, state, owed, wanted)
    deal = state.deal
    assert deal is not None
    if deal.result is None or game.options["penalty"] == "hand":
        deal = changed(deal, settled=(*deal.settled, side))
    else:
        deal = changed(deal, result=changed(deal.result, settled=(*deal.result.settled, side)))
    if not wanted:
        return changed(state, deal=deal), ()
    if game.options["penalty"] == "hand" and not deal.hand_lost:
        ended = changed(deal, ended_early=True, hand_lost=True)
        nothing = ((0, 0),) * game.side_count
        lost, taken = _hand_lost(game, state, deal, side), tricks_made(game, deal)
        after, notices = score_deal(game, changed(state, deal=ended), lost, nothing, taken, revoked=side)
        after, more = _asking_what_is_kept(game, after, number, side)
        return after, (*notices, *more)
    return fined(game, changed(state, deal=deal), side, game.penalty(side))


def _asking_what_is_kept(
    game: TrickGame, state: CardState, number: int, revoked: int
) -> tuple[CardState, list[Notice]]:
    """Whether cards held together were announced is asked of the side that did not revoke: it keeps what they count."""
    deal = state.deal
    assert deal is not None
    asked = next((asked for asked in state.questions if asked.facts["about"] == ANNOUNCED and not is_late(asked)), None)
    holder = asked.facts["seat"] if asked is not None else holder_seen(game, deal)
    if holder is None or game.sides[holder] == revoked:
        return without_question(state, ANNOUNCED), []
    told = asked is not None or was_announced(game, deal, holder) is not None
    return state, [] if told else [ask_if_announced(deal, holder, number)]


def late_penalty(game: TrickGame, state: CardState, owed: Owed, wanted: bool) -> Judged:
    """The answer that came after the next deal had begun."""
    others = tuple(duty for duty in state.owed if duty is not owed)
    if not wanted:
        return changed(state, owed=others), ()
    side = owed.question.facts["side"]
    if game.options["penalty"] != "hand":
        cost = game.penalty(side)
        return fined(game, _fined_before(game, changed(state, owed=others), cost), side, cost)
    others = tuple(_once_lost(game, duty) if duty.deal == owed.deal else duty for duty in others)
    state, now = _fined_before(game, changed(state, owed=others), _cost(owed), owed.held), _since_paid(state, owed)
    return fined(game, state, side, _cost(now), now.held)


def _cost(owed: Owed) -> tuple[int, ...]:
    return tuple(lost - brought for lost, brought in zip(owed.lost, owed.brought, strict=True))


def _since_paid(state: CardState, owed: Owed) -> Owed:
    """A penalty owed still, after the deal under way: if that paid what was held over, it is taken back from its
    winner."""
    result = None if state.deal is None else state.deal.result
    if result is None or result.score.tie_bonus >= owed.held:
        return owed
    most = max(result.outcome.games)  # None: the players counted it by hand.
    paid = tuple(owed.held if most and won == most else 0 for won in result.outcome.games)
    brought = tuple(map(sum, zip(owed.brought, paid, strict=True)))
    return changed(owed, brought=brought, held=0)


def _hand_lost(game: TrickGame, state: CardState, deal: DealState, side: int) -> Outcome:
    """What the deal under way brings, or the one just counted, if a side loses it by a revoke."""
    if deal.result is not None:
        every_trick = deal.result.outcome.every_trick
    else:
        takes_all = [number for number, (least, _) in enumerate(tricks_made(game, deal)) if least == game.tricks]
        every_trick = takes_all[0] if takes_all else None
    lost = game.hand_lost(side, state.score, every_trick, bonus_seen(game, deal))
    return game.refused_outcome(lost, side) if deal.refused_by == side else lost  # It owed every trick.


def _once_lost(game: TrickGame, duty: Owed) -> Owed:
    """Another penalty of a deal that is lost already."""
    nothing = (0,) * game.side_count
    return changed(duty, brought=nothing, held=0, lost=game.penalty(duty.question.facts["side"]))


def _fined_before(game: TrickGame, state: CardState, cost: tuple[int, ...], held: int = 0) -> CardState:
    """The state with a penalty of an earlier deal in the score before the one that was scored since."""
    if state.deal is None or state.deal.result is None:
        return state
    return changed(state, score=_with_cost(game, state.score, cost, held))


def fined(game: TrickGame, state: CardState, side: int, cost: tuple[int, ...], held: int = 0) -> Judged:
    """The match with a penalty added. held: held-over points that this takes back."""
    before = score_now(state)
    score = _with_cost(game, before, cost, held)
    told = Notice("penalty", INFO, {"side": side, "games": list(cost), "match": list(score.games)})
    return with_score(game, state, score), (told, *newly_won(game, state, before, score))


def _with_cost(game: TrickGame, before: Score, cost: tuple[int, ...], held: int) -> Score:
    """The score with a penalty added; other points that are held over stay so."""
    return changed(game.scored(before, Outcome(cost)), tie_bonus=max(0, before.tie_bonus - held))


def still_owed(game: TrickGame, state: CardState, number: int) -> tuple[Owed, ...]:
    """The penalties that are asked about still, when another deal of the same match begins."""
    deal = state.deal
    if deal is None:
        return state.owed
    owed = [_since_paid(state, duty) for duty in state.owed]
    return (*owed, *(_owed(game, state, deal, notice, number) for notice in penalties_of_this_deal(state)))


def _owed(game: TrickGame, state: CardState, deal: DealState, asked: Notice, number: int) -> Owed:
    side = asked.facts["side"]
    if deal.hand_lost:
        return Owed(asked, (0,) * game.side_count, 0, game.penalty(side), number)
    outcome = deal.result.outcome if deal.result is not None else Outcome((0,) * game.side_count)
    return Owed(asked, outcome.games, outcome.tie_bonus, _hand_lost(game, state, deal, side).games, number)


def penalties_of_this_deal(state: CardState) -> list[Notice]:
    """Those asked about and not answered."""
    earlier = [duty.question for duty in state.owed]
    return [notice for notice in state.questions if notice.facts["about"] == "penalty" and notice not in earlier]
