"""The score of a match, changed other than by a deal that is counted: set right by hand, or by a penalty."""

from engine.events import EventError, SetScore
from engine.notices import INFO, Notice
from engine.referee.deal import CardState, DealState, Judged, Result, is_late
from engine.referee.deal_queries import is_played_out, tricks_made, without_question
from engine.referee.score import ANNOUNCED, BONUS, count_nothing, match_won, with_result
from engine.rules.tricks import Outcome, Score, TrickGame
from engine.values import changed

SCORE_WAITS_FOR = ("card", "winner", "leader", "counts", "suit", ANNOUNCED, BONUS, "taker", "trump", "rest")
"""What is asked before a deal that is over can be scored."""


def score_now(state: CardState) -> Score:
    """Where the match stands."""
    deal = state.deal
    return state.score if deal is None or deal.result is None else deal.result.score


def with_score(game: TrickGame, state: CardState, score: Score) -> CardState:
    """The match at another score: of a deal that was scored it is the score after it, of one under way that before
    it."""
    deal, won = state.deal, score.winner(game.target) is not None
    if deal is not None and deal.result is not None:
        stopped = deal.result.stopped
        if stopped is None or won:
            return with_result(game, state, deal, changed(deal.result, score=score))
        deal = changed(stopped, settled=(*stopped.settled, *deal.result.settled))
        return changed(state, deal=deal, score=score, dealer=None, dealers=frozenset())
    if deal is None and won:  # Another match begins, whoever dealt.
        return changed(state, score=score, dealer=None, dealers=frozenset())
    if deal is None or not won:
        return changed(state, score=score)
    # The match is won, and with it the hand is over.
    brought = tuple(now - before for now, before in zip(score.games, state.score.games, strict=True))
    taken = tricks_made(game, deal)
    result = Result(Outcome(brought), score, ((0, 0),) * game.side_count, taken, stopped=deal)
    return with_result(game, changed(state, score=score), changed(deal, ended_early=True), result)


def laid_since(state: CardState) -> CardState:
    """The state when a card is laid or lifted in a deal that a score ended. If the deal goes on, nobody is accused by
    what lay there."""
    deal = state.deal
    if deal is None or deal.result is None or deal.result.stopped is None:
        return state
    stopped = changed(deal.result.stopped, tricks_uncertain=True, adrift=True)
    return changed(state, deal=changed(deal, result=changed(deal.result, stopped=stopped)))


def newly_won(game: TrickGame, state: CardState, before: Score, score: Score) -> list[Notice]:
    """Who has won the match, if nobody, or another, had before."""
    return match_won(game, state, score) if score.winner(game.target) != before.winner(game.target) else []


def set_score(game: TrickGame, state: CardState, number: int, event: SetScore) -> Judged:
    """Somebody sets the score right. It stands for every deal that is over: what their scores waited for is not asked
    any more."""
    if len(event.points) != game.side_count:
        raise EventError("points_of_sides", count=game.side_count)
    before = score_now(state)
    score = game.score_set(before, event.points)
    deal = state.deal
    if deal is not None and deal.result is not None:
        state = _set_before_it(game, without_question(state, ANNOUNCED), deal, before, score)
    elif deal is not None:
        state, score = _set_after_it(game, state, deal, score)
    state = changed(state, questions=tuple(asked for asked in state.questions if not is_late(asked)))
    reason = {"reason": event.reason} if event.reason else {}
    facts = {"number": number, "match": list(score.games), "before": list(before.games), **reason}
    told = Notice("score_set", INFO, facts)
    return with_score(game, state, score), (told, *newly_won(game, state, before, score))


def _set_before_it(game: TrickGame, state: CardState, deal: DealState, before: Score, score: Score) -> CardState:
    """The score before a deal that was scored, as far off as the one after it, which stands: the last card may be
    lifted yet, and laid again."""
    off = [now - then for now, then in zip(score.games, before.games, strict=True)]
    games = [max(0, had + more) for had, more in zip(state.score.games, off, strict=True)]
    return changed(state, score=game.score_set(state.score, games), deal=changed(deal, counted=score))


def _set_after_it(game: TrickGame, state: CardState, deal: DealState, score: Score) -> tuple[CardState, Score]:
    """The score after a deal that waited for an answer, if it is over: it brings nothing more, and what was held over
    was counted with it if somebody won it."""
    if not (deal.gathered or is_played_out(game, deal)):
        return changed(state, deal=changed(deal, counted=None)), score
    if game.is_decisive([now - then for now, then in zip(score.games, state.score.games, strict=True)]):
        score = changed(score, tie_bonus=0)
    left = tuple(asked for asked in state.questions if asked.facts["about"] not in SCORE_WAITS_FOR)
    state = changed(state, score=score, deal=changed(deal, counted=score), questions=left)
    return count_nothing(game, state, score), score
