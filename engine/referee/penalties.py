"""What a proven revoke costs: the house decides how much, the players whether."""

from engine.notices import INFO, NO, YES, Notice, question
from engine.referee.deal import PROVEN, PROVISIONAL, CardState, DealState, Judged, Owed
from engine.referee.deal_queries import seats_of, tricks_made
from engine.referee.proof import INNOCENT
from engine.referee.score import score_deal
from engine.referee.score_by_hand import newly_won, score_now, with_score
from engine.rules.tricks import Outcome, Score, TrickGame
from engine.values import changed


def ask_penalties(game: TrickGame, state: CardState, number: int) -> list[Notice]:
    """A proven revoke costs what the house decided, once the players confirm: a question for each offender."""
    deal, penalty = state.deal, game.options.get("penalty", "alert")
    if deal is None or deal.if_trump or penalty == "alert":
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


def penalise(game: TrickGame, state: CardState, asked: Notice, wanted: bool) -> Judged:
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
        lost, taken = game.hand_lost(side, state.score), tricks_made(game, deal)
        after, notices = score_deal(game, changed(state, deal=ended), lost, nothing, taken, revoked=side)
        return after, tuple(notices)
    return fined(game, changed(state, deal=deal), side, game.penalty(side), begun=False)


def late_penalty(game: TrickGame, state: CardState, owed: Owed, wanted: bool) -> Judged:
    """The answer that came after the next deal had begun."""
    others = tuple(duty for duty in state.owed if duty is not owed)
    if not wanted:
        return changed(state, owed=others), ()
    cost = game.penalty(owed.question.facts["side"])
    if game.options["penalty"] == "hand":
        cost = tuple(costs - brought for costs, brought in zip(cost, owed.brought, strict=True))
        others = tuple(changed(duty, brought=(0,) * len(cost)) if duty.deal == owed.deal else duty for duty in others)
    return fined(game, changed(state, owed=others), owed.question.facts["side"], cost, begun=True)


def fined(game: TrickGame, state: CardState, side: int, cost: tuple[int, ...], begun: bool) -> Judged:
    """The match with a penalty added. begun: it comes from a deal before the one under way."""
    before = score_now(state)
    score = _with_cost(game, before, cost)
    if begun and state.deal is not None and state.deal.result is not None:
        state = changed(state, score=_with_cost(game, state.score, cost))
    told = Notice("penalty", INFO, {"side": side, "games": list(cost), "match": list(score.games)})
    return with_score(game, state, score), (told, *newly_won(game, state, before, score))


def _with_cost(game: TrickGame, before: Score, cost: tuple[int, ...]) -> Score:
    """The score with a penalty added; points that are held over stay so."""
    return changed(game.scored(before, Outcome(cost)), tie_bonus=before.tie_bonus)


def still_owed(game: TrickGame, state: CardState, number: int) -> tuple[Owed, ...]:
    """The penalties that are asked about still, when another deal of the same match begins."""
    deal = state.deal
    if deal is None:
        return state.owed
    hand_counted = deal.result is not None and not deal.hand_lost
    brought = deal.result.outcome.games if deal.result and hand_counted else (0,) * game.side_count
    return (*state.owed, *(Owed(notice, brought, number) for notice in penalties_of_this_deal(state)))


def penalties_of_this_deal(state: CardState) -> list[Notice]:
    """Those asked about and not answered."""
    earlier = [duty.question for duty in state.owed]
    return [notice for notice in state.questions if notice.facts["about"] == "penalty" and notice not in earlier]
