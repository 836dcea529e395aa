"""Plays one side of a board, or a seat at cards: it asks for its turn, and a person's hand makes it."""

import time
from collections.abc import Callable, Collection
from random import Random
from typing import Any, Protocol

from device.following.thinker import Begin, Thinker
from engine.cards import Card
from engine.events import ASKED, DeviceTurn
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.referee.deal import is_late
from engine.referee.naming_trump import TAKER
from engine.rules.tricks import PASS
from engine.search import LEVELS
from engine.search.cards import SeatView
from engine.search.seats import bidding_view, cards_held, is_bidding, seat_view
from engine.search.tree import MOST_PLIES

SHORT_S, PLAYS_ON_S = 3.0, 10.0
"""From when on it says that it does not see its whole hand, when it is its turn; and plays what it sees."""


class DevicePlayer(Protocol):
    """The device as a player of one match."""

    hints: bool
    """It can say what a person might play."""

    @property
    def away(self) -> bool:
        """It cannot think at the moment."""

    @property
    def short(self) -> bool:
        """It does not see its whole hand."""

    def turn(self, match: Match, hand: Collection[Card] = ()) -> DeviceTurn | None:
        """The turn that it asks for, once it has thought. Asked at every frame; it waits for nothing. hand: the cards
        that lie open before it."""

    def hint(self, match: Match) -> str | None:
        """The best turn for the person whose turn it is; None: that is not known yet, or nobody's."""

    def close(self) -> None:
        """Lets go of its process."""


class Opponent:
    """The device as a player of seeds."""

    hints = True
    short = False

    def __init__(self, side: int, thinker: Thinker) -> None:
        self.thinker = thinker
        self._side = side
        self._ponders = LEVELS[thinker.begin.level].limits.plies == MOST_PLIES
        """A level that looks only so far ahead would look farther with time on its hands."""
        self._known: tuple[Match, int] | None = None
        self._plays: Any = None
        """The position that a turn is wanted from."""
        self._waits: Any = None
        """What the other side is to play from, or soon will be."""

    @property
    def away(self) -> bool:
        """It cannot think at the moment."""
        return self.thinker.away

    def turn(self, match: Match, hand: Collection[Card] = ()) -> DeviceTurn | None:
        """The turn that it asks for, once it has thought."""
        if self._known is None or self._known[0] is not match or self._known[1] != len(match.log):
            self._known = match, len(match.log)
            self._plays, self._waits = self._now(match)
        if self._plays is not None:
            key = self.thinker.turn(self._plays)
            return None if key is None else DeviceTurn(key)
        if self._waits is not None and self._ponders:
            self.thinker.ponder(self._waits)
        return None

    def hint(self, match: Match) -> str | None:
        """The best turn for the person whose turn it is; None: that is not known yet, or nobody's."""
        position = match.to_think
        if position is None or position.to_move == self._side:
            return None
        return self.thinker.hint(position)

    def _now(self, match: Match) -> tuple[Any, Any]:
        """What there is to play from, and what to think about meanwhile."""
        position, judge = match.to_think, match.judge
        if position is None or not isinstance(judge, BoardJudge):
            return None, None
        if position.to_move != self._side:
            return None, position
        wanted = match.view.wanted
        if wanted is None:
            return position, None
        after = judge.game.legal(position)[wanted].after
        return None, None if after.over else after

    def close(self) -> None:
        """Lets go of its process."""
        self.thinker.close()


class OpenSeat:
    """A seat at cards whose hand lies open before it: whether a card is wanted from it, and all of its hand is seen."""

    def __init__(self, seat: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.seat, self._clock = seat, clock
        self._known: tuple[Match, int, frozenset[Card]] | None = None
        self._since_s = 0.0
        """When that came to be so."""
        self._wanted = False
        """It is to play."""
        self._lacks = False
        """It is to play, and not as many cards are seen as it holds."""

    @property
    def short(self) -> bool:
        """The rest of its hand is waited for."""
        return self._lacks and self._clock() - self._since_s > SHORT_S

    @property
    def whole(self) -> bool:
        """It is to play, and all of its hand is seen."""
        return self._wanted and not self._lacks

    def keep_up(self, match: Match, hand: Collection[Card]) -> bool:
        """Whether anything is otherwise than the last time. hand: the cards that lie open before it."""
        known = match, len(match.log), frozenset(hand)
        if self._known == known:
            return False
        self._known, self._since_s = known, self._clock()
        self._wanted, self._lacks = self._is_to_play(match, known[2]), False
        if self._wanted and isinstance(match.judge, CardJudge):
            self._lacks = cards_held(match.judge.game, match.state, self.seat) != len(hand)
        return True

    def _is_to_play(self, match: Match, hand: frozenset[Card]) -> bool:
        """Whether a card is wanted from it that the device did not ask for yet: when it is its turn, or may be before
        the first lead."""
        view, deal = match.view, match.state.deal
        if view.phase != "play" or not hand or deal.trump is None:
            return False
        if view.question is not None and view.question.facts["about"] in ASKED:
            return False
        may_lead = view.turn is None and not view.trick and self.seat in deal.may_lead
        asked = deal.asked_now(match.header.players)
        return (view.turn == self.seat or may_lead) and (asked is None or asked.card not in hand)


class CardOpponent(OpenSeat):
    """The device as a player of cards, whose hand lies open before its seat. It knows no other hand."""

    hints = False

    def __init__(self, seat: int, thinker: Thinker, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(seat, clock)
        self.thinker = thinker
        self._plays: Any = None
        """What it knows, where a card is wanted from it, or it is asked whether it takes."""
        self._bids = False

    @property
    def away(self) -> bool:
        """It cannot think at the moment."""
        return self.thinker.away

    def turn(self, match: Match, hand: Collection[Card] = ()) -> DeviceTurn | None:
        """The card that it asks for, or whether it takes, once it has thought."""
        if self.keep_up(match, hand):
            self._bids = self._wanted and self._is_to_bid(match)
            self._plays = self._knows(match, hand) if self._wanted else None
        waits = self._lacks and (self._bids or self._clock() - self._since_s < PLAYS_ON_S)
        if self._plays is None or waits:
            return None
        said = self.thinker.turn(self._plays)
        if said == PASS and len(self._plays.table.asked) > match.header.players:
            self._plays = self._knows(match, hand, again=True)
            said = self.thinker.turn(self._plays)
        return None if said is None else DeviceTurn(said, self.seat)

    def _is_to_play(self, match: Match, hand: frozenset[Card]) -> bool:
        return (bool(hand) and self._is_to_bid(match)) or super()._is_to_play(match, hand)

    def _is_to_bid(self, match: Match) -> bool:
        """Whether it has not said yet if it takes, and nobody has said who does."""
        deal, judge = match.state.deal, match.judge
        asked = [question.facts["about"] for question in match.state.questions if not is_late(question)]
        if deal is None or not isinstance(judge, CardJudge) or TAKER not in asked or not {*asked}.isdisjoint(ASKED):
            return False
        return deal.bid is None and deal.turn_up is not None and is_bidding(judge.game, deal)

    def _knows(self, match: Match, hand: Collection[Card], again: bool = False) -> SeatView | None:
        """What it knows of the deal. again: it is asked in the second round whether it takes."""
        assert isinstance(match.judge, CardJudge)
        known = match.judge.game, match.state, self.seat, sorted(hand)
        return bidding_view(*known, again) if self._bids else seat_view(*known)

    def hint(self, match: Match) -> None:
        """It knows no hand but its own."""

    def close(self) -> None:
        """Lets go of its process."""
        self.thinker.close()


def opponent_of(match: Match) -> DevicePlayer | None:
    """Who plays against the people of this match; None: they play among themselves."""
    header = match.header
    if header.against is None:
        return None
    seed = Random().randrange(1_000_000)
    level = min(max(header.against.level, min(LEVELS)), max(LEVELS))
    thinker = Thinker(Begin(header.game, header.options, level, seed))
    kind = CardOpponent if isinstance(match.judge, CardJudge) else Opponent
    return kind(header.against.side, thinker)
