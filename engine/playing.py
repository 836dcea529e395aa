"""A table to play on: a position with hands or seeds, for simulation, coaching and tests. Nobody judges here.

A whole random game of every game there is:

>>> from random import Random
>>> from engine.games import GAMES
>>> for name in GAMES:
...     rng = Random(1)
...     game = new_game(name, rng=rng)
...     while not game.is_over():
...         game.push(rng.choice(game.legal_moves))
...     print(name, game.result())
belote GameResult(winner=0, score=(1073, 809))
sueca GameResult(winner=0, score=(5, 3))
triomphe GameResult(winner=1, score=(0, 5, 3, 1))
pille GameResult(winner=3, score=(2, 2, 3, 5))
turufu GameResult(winner=1, score=(2, 5))
awale GameResult(winner=1, score=(6, 28))
mraha GameResult(winner=0, score=(1, 0))

Moves are what people would write down: a card ("10H"), a turn of a board ("C", "F3+"), and where a game has them
"pass", "take", "take:S" (belote, in the second round), "pay:7C" (what a pillager pays with), "offer", "accept" and
"refuse" (triomphe in two sides). `pop` takes the last one back, over the end of a deal too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from engine.cards import SUITS, Card, suit_of
from engine.games import game_kind
from engine.options import OptionError
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.referee.seed_game import SeedGame
from engine.rules.tricks import DRAWN_LAST, PASS, TAKE, THE_DEALERS, Outcome, Score, TrickGame
from engine.seats import order_from

PAY = "pay"
OFFER, ACCEPT, REFUSE = "offer", "accept", "refuse"


@dataclass(frozen=True)
class GameResult:
    """How a game ended: the side that won (None: nobody), and the score by side.

    >>> GameResult(winner=0, score=(4, 1)).winner
    0
    """

    winner: int | None
    score: tuple[int, ...]


class Game(Protocol):
    """A game being played, with everything in the open.

    >>> game: Game = new_game("mraha")
    >>> game.turn, game.is_over(), game.legal_moves[0]
    (0, False, 'F6+')
    """

    @property
    def turn(self) -> int:
        """The seat whose move it is."""

    @property
    def legal_moves(self) -> list[str]:
        """Every move there is now; none when the game is over."""

    def push(self, move: str) -> None:
        """Makes a move. It is not looked into: one that is not legal is played all the same, where that can be."""

    def pop(self) -> str:
        """Takes the last move back, and returns it. IndexError: there is none."""

    def is_over(self) -> bool:
        """Whether there is nothing more to play."""

    def result(self) -> GameResult:
        """The score as it stands, and who has won."""


def new_game(
    name: str, players: int | None = None, options: Mapping[str, object] | None = None, rng: Random | None = None
) -> Game:
    """A game by name, as it begins. Raises OptionError.

    >>> game = new_game("awale")
    >>> game.legal_moves
    ['A', 'B', 'C', 'D', 'E', 'F']
    >>> game.push("C")
    >>> game.legal_moves[0], game.pop()
    ('a', 'C')
    """
    kind = game_kind(name)
    judge, _ = kind.judge(kind.players if players is None else players, options or {})
    if isinstance(judge, BoardJudge):
        return SeedsPlayed(judge.game)
    if isinstance(judge, CardJudge):
        return CardsPlayed(judge.game, rng or Random())
    raise OptionError("not_played_here", name=name)


class SeedsPlayed:
    """A game of seeds being played.

    >>> table = new_game("awale")
    >>> table.push("A")
    >>> table.turn, table.position.sides[0]
    (1, (0, 5, 5, 5, 5, 4))
    """

    def __init__(self, game: SeedGame[Any], position: Any = None) -> None:
        self.game = game
        self.position = game.opening if position is None else position
        self._before: list[tuple[str, Any]] = []
        self._legal: Mapping[str, Any] | None = None

    @property
    def turn(self) -> int:
        return int(self.position.to_move)

    @property
    def legal_moves(self) -> list[str]:
        return list(self._turns())

    def push(self, move: str) -> None:
        """Plays a turn. KeyError: there is no such turn; what a board would hold then, nobody knows."""
        after = self._turns()[move].after
        self._before.append((move, self.position))
        self.position, self._legal = after, None

    def pop(self) -> str:
        move, self.position = self._before.pop()
        self._legal = None
        return move

    def is_over(self) -> bool:
        return bool(self.position.over)

    def result(self) -> GameResult:
        winner = self.position.winner
        stores = self.game.stores(self.position)
        score = stores["captured"].values() if "captured" in stores else (int(winner == 0), int(winner == 1))
        return GameResult(winner, tuple(score))

    def _turns(self) -> Mapping[str, Any]:
        if self._legal is None:
            self._legal = self.game.legal(self.position)
        return self._legal


class CardsPlayed:
    """A match of a trick game being played: deals follow one another until it is won, or so many were played.

    >>> from engine.rules.belote import belote
    >>> table = CardsPlayed(belote(4, {}), Random(4), dealer=3)
    >>> table.turn_up, table.turn, table.legal_moves
    ('KH', 0, ['take', 'pass'])
    >>> table.push("take")
    >>> table.trump, table.taker, len(table.hands[0]), "KH" in table.hands[0]
    ('H', 0, 8, True)
    """

    def __init__(self, game: TrickGame, rng: Random, dealer: int | None = None, deals: int | None = None) -> None:
        """deals: after so many there is nothing more to play, whoever has won."""
        self.game = game
        self.rng = rng
        self.deals = deals
        self.players = game.players
        self.score: Score = game.opening_score()
        self.outcomes: list[Outcome] = []
        """What each deal brought that was played out."""
        self.dealer = rng.randrange(game.players) if dealer is None else dealer
        self._stack: list[tuple[Any, ...]] = []
        self._offers = game.offers
        self._points = {trump: {card: game.card_points(card, trump) for card in game.pack} for trump in ("", *SUITS)}
        self._deal()

    # -- a deal ------------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """Shuffles, deals, turns a card up."""
        game, players = self.game, self.players
        pack = list(game.pack)
        self.rng.shuffle(pack)
        first = (self.dealer + 1) % players
        count = game.before_taking or game.hand
        self.hands: list[list[Card]] = [[] for _ in range(players)]
        for seat in order_from(first, players):
            self.hands[seat] = [pack.pop() for _ in range(count)]
        self.turn_up: Card | None = None
        if game.turn_up_goes == DRAWN_LAST:
            self.turn_up = pack[0]  # The bottom card of the stock.
        elif game.turn_up_goes == THE_DEALERS:
            self.turn_up = self.hands[self.dealer][-1]
        elif game.turns_up:
            self.turn_up = pack.pop()
        self.stock = pack
        self.trump = suit_of(self.turn_up) if self.turn_up and not game.names_trump else ""
        self.taker: int | None = None
        self.taken: list[Card] = []
        """Cards taken in a pillage."""
        self.trick = 1
        self.before: list[Card] = []
        """The trick on the table, in the order played."""
        self.turn = self.leader = first
        self.winners: list[int] = []
        self.points = [0] * game.side_count
        self.played_by: dict[Card, int] = {}
        self.asked: list[int] = list(order_from(first, players)) * 2 if game.names_trump else []
        """Whom the turned-up card is still offered to, in turn; or who answers the offer of the hand."""
        self.offered_by: int | None = None
        """The seat that offered the hand."""
        self.refused_by: int | None = None
        self._worth = self._points[self.trump]
        if game.pillage:
            self._look_for_pillager()

    def _look_for_pillager(self) -> None:
        """Who may take the card turned up now: it is a trump, and the ace of trumps is his."""
        face, ace = self.turn_up, self.game.ranks[0] + self.trump
        pillager = self.taker
        if pillager is None:
            holder = next((seat for seat in range(self.players) if ace in self.hands[seat]), None)
            pillager = self.dealer if face == ace else holder
        may = pillager is not None and face is not None and suit_of(face) == self.trump and self.stock
        self.asked = [pillager] if may and pillager is not None else []
        self.turn = self.asked[0] if self.asked else self.leader

    # -- moves -------------------------------------------------------------------------------------------------------

    @property
    def legal_moves(self) -> list[str]:
        if self.asked:
            return self._answers()
        return [*self.legal_cards, OFFER] if self._may_offer() else self.legal_cards

    @property
    def legal_cards(self) -> list[Card]:
        """The cards that may be laid by the hand whose turn it is."""
        if not self.before:
            return list(self.hands[self.turn])
        return self.game.legal(self.hands[self.turn], self.before, self.trump, self.trick)

    def _may_offer(self) -> bool:
        """Whether a side may offer the hand still: once, and before anybody plays to the last trick."""
        open_still = self._offers and self.offered_by is None and self.trick + bool(self.before) <= self.game.tricks
        return open_still and bool(self.hands[self.turn])

    def _answers(self) -> list[str]:
        """What a player may say, or pay, who is asked."""
        if self.offered_by is not None:
            return [ACCEPT, REFUSE]
        assert self.turn_up is not None
        if self.game.pillage:
            return [*(f"{PAY}:{card}" for card in (*self.hands[self.turn], self.turn_up)), PASS]
        if len(self.asked) > self.players:
            return [TAKE, PASS]
        return [*(f"{TAKE}:{suit}" for suit in SUITS if suit != suit_of(self.turn_up)), PASS]

    def push(self, move: str) -> None:
        """Makes a move. ValueError: this card is not in that hand."""
        if self.asked or move == OFFER:
            self._stack.append((move, self._kept()))
            self._say(move)
            return
        seat = self.turn
        hand = self.hands[seat]
        place = hand.index(move)
        del hand[place]
        before = self.before
        before.append(move)
        self.played_by[move] = seat
        if len(before) < self.players:
            self._stack.append((move, None, seat, place, None))
            self.turn = seat + 1 if seat + 1 < self.players else 0
            return
        self._stack.append((move, None, seat, place, (before, self.leader)))
        self._take_up(before)

    def _take_up(self, before: list[Card]) -> None:
        """The trick goes to its winner; cards are drawn; after the last the deal is counted."""
        game, worth = self.game, self._worth
        winner = (self.leader + game.winning(before, self.trump)) % self.players
        self.points[game.sides[winner]] += sum([worth[card] for card in before])
        self.winners.append(winner)
        self.before = []
        self.turn = self.leader = winner
        if self.trick <= game.draws:
            last = game.last_drawer(winner, self.dealer)
            assert last is not None
            hands, stock, players = self.hands, self.stock, self.players
            for step in range(1, players + 1):
                hands[(last + step) % players].append(stock.pop())
        self.trick += 1
        if self.trick > game.tricks:
            self._count()

    def _count(self) -> None:
        """The deal is over; the next is dealt, unless the game is."""
        top = self._stack.pop()
        self._stack.append((*top, self._kept()))
        game = self.game
        bonus = game.bonus(self.trump, self.played_by)
        outcome = game.outcome(self.points, self.winners, self.score.tie_bonus, self.taker, bonus)
        if self.refused_by is not None:
            outcome = game.refused_outcome(outcome, game.sides[self.refused_by])
        self._scored(outcome)

    def _scored(self, outcome: Outcome) -> None:
        game = self.game
        self.score = game.scored(self.score, outcome)
        self.outcomes = [*self.outcomes, outcome]
        if not self.is_over():
            self.dealer = game.next_dealer(self.dealer, match_won=False)
            self._deal()

    def _say(self, move: str) -> None:
        """What is said, or paid."""
        if move in (OFFER, ACCEPT, REFUSE):
            self._offer(move)
            return
        if self.game.pillage:
            self._pillage(move)
            return
        if move == PASS:
            self.asked = self.asked[1:]
            if not self.asked:
                self.dealer = self.game.next_dealer(self.dealer, match_won=False)
                self._deal()
            self.turn = self.asked[0]
            return
        assert self.turn_up is not None
        self.taker, self.asked = self.turn, []
        self.trump_is(move.partition(":")[2] or suit_of(self.turn_up))
        self.hands = [list(hand) for hand in self.hands]
        self.stock = list(self.stock)
        self.hands[self.taker].append(self.turn_up)
        for seat in order_from(self.leader, self.players):
            while len(self.hands[seat]) < self.game.hand:
                self.hands[seat].append(self.stock.pop())
        self.turn = self.leader

    def trump_is(self, trump: str) -> None:
        """This suit is trump from now on."""
        self.trump, self._worth = trump, self._points[trump]

    def _offer(self, move: str) -> None:
        """The hand is offered; the next player of the other side takes it as it stands, or it is played out."""
        sides = self.game.sides
        if self.offered_by is None:
            others = [seat for seat in order_from(self.turn, self.players) if sides[seat] != sides[self.turn]]
            self.offered_by, self.asked, self.turn = self.turn, others[:1], others[0]
        elif move == REFUSE:
            self.refused_by, self.asked, self.turn = self.turn, [], self.offered_by
        else:
            self.asked, self.hands = [], [[] for _ in self.hands]
            self._scored(Outcome(self.game.points_against(sides[self.offered_by], 1)))

    def _pillage(self, move: str) -> None:
        """The turned-up card is taken and paid for, and the next one turned up; or it is left."""
        if move == PASS:
            self.asked, self.turn = [], self.leader
            return
        assert self.turn_up is not None
        self.taker = self.turn
        self.hands = [list(hand) for hand in self.hands]
        self.stock, self.taken = list(self.stock), [*self.taken, self.turn_up]
        self.hands[self.taker].append(self.turn_up)
        self.hands[self.taker].remove(move.partition(":")[2])
        self.turn_up = self.stock.pop()
        self._look_for_pillager()

    # -- back --------------------------------------------------------------------------------------------------------

    _KEPT = (
        "score", "outcomes", "dealer", "hands", "turn_up", "stock", "trump", "taker", "taken", "trick", "before",
        "turn", "leader", "winners", "points", "played_by", "asked", "offered_by", "refused_by", "_worth",
    )  # fmt: skip
    """What a move that does more than lay a card may change."""

    def _kept(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._KEPT)

    def _put_back(self, kept: tuple[Any, ...]) -> None:
        for name, value in zip(self._KEPT, kept, strict=True):
            setattr(self, name, value)

    def pop(self) -> str:
        move, kept, *played = self._stack.pop()
        if kept is not None:
            self._put_back(kept)
            return str(move)
        seat, place, trick, *counted = played
        if counted:
            self._put_back(counted[0])
        if trick is not None:
            self._lay_back(*trick)
        self.before.pop()
        del self.played_by[move]
        self.hands[seat].insert(place, move)
        self.turn = seat
        return str(move)

    def forget(self) -> None:
        """What was played so far cannot be taken back any more."""
        self._stack = []

    def _lay_back(self, before: list[Card], leader: int) -> None:
        """The last trick lies on the table again."""
        game = self.game
        winner = self.winners.pop()
        self.points[game.sides[winner]] -= sum([self._worth[card] for card in before])
        self.trick -= 1
        if self.trick <= game.draws:
            last = game.last_drawer(winner, self.dealer)
            assert last is not None
            for step in range(self.players, 0, -1):
                self.stock.append(self.hands[(last + step) % self.players].pop())
        self.before, self.leader = before, leader

    # -- the end -----------------------------------------------------------------------------------------------------

    def is_over(self) -> bool:
        if self.deals is not None and len(self.outcomes) >= self.deals:
            return True
        return self.score.winner(self.game.target) is not None

    def result(self) -> GameResult:
        return GameResult(self.score.winner(self.game.target), self.score.games)


def game_of(name: str, players: int | None = None, options: Mapping[str, object] | None = None) -> TrickGame:
    """The rules of a trick game at one table, by its name. Raises OptionError.

    >>> game_of("turufu").tricks
    9
    """
    kind = game_kind(name)
    judge, _ = kind.judge(kind.players if players is None else players, options or {})
    if not isinstance(judge, CardJudge):
        raise OptionError("no_game_of_tricks", name=name)
    return judge.game
