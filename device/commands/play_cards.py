"""A game of cards with the device in every other seat, in the terminal: a partner and opponents, without any camera."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from device import words
from engine.games import GAMES
from engine.playing import ACCEPT, OFFER, PAY, REFUSE, CardsPlayed
from engine.rules.tricks import PASS, TAKE, TrickGame
from engine.search.cards import LEVEL_SAMPLES, CardPlayer, SeatView

PERSON = 0
UNDO, HINT, HELP, QUIT = "undo", "hint", "help", "quit"
MUCH = 0.25
"""Games given away, or points of a match to a few, that are worth a word."""
MUCH_OF_CARDS = 5
"""The same where the points of the cards are the score: a king and what lies about in it by chance."""
SIGNS = {sign: suit for suit, sign in words.SUIT_SIGNS.items()}
SAID = (PAY, TAKE, PASS, OFFER, ACCEPT, REFUSE)
"""Moves, or what they begin with, that lay no card."""


@dataclass
class TrickScreen:
    """A match between a person, a partner or opponents."""

    game: TrickGame
    level: int
    seed: int
    language: str
    teaches: bool = False
    advice_samples: int = LEVEL_SAMPLES[max(LEVEL_SAMPLES)]
    """So many ways the hidden cards may lie are thought through for a hint."""
    table: CardsPlayed = field(init=False)
    _players: dict[int, CardPlayer] = field(init=False)
    _adviser: CardPlayer = field(init=False)
    _moves: list[tuple[int, tuple[str, ...], str]] = field(default_factory=list)
    """Who made each move, and what was told of the deal before it."""
    _tricks: tuple[str, ...] = ()
    """What is told of the tricks of this deal."""
    _better: str = ""
    """What was better than the person's card in this trick."""

    def __post_init__(self) -> None:
        self.table = CardsPlayed(self.game, Random(self.seed))
        samples = LEVEL_SAMPLES[self.level]
        seats = range(1, self.game.players)
        self._players = {seat: CardPlayer(self.seed + seat, samples) for seat in seats}
        self._adviser = CardPlayer(self.seed, self.advice_samples)

    def play(self, typed: Callable[[], str | None]) -> Iterator[str]:
        """What is to be printed, line by line; typed is asked whenever the person is to play."""
        yield self._say("cards_keys")
        while not self.table.is_over():
            seat = self.table.turn
            if seat != PERSON:
                yield from self._push(self._players[seat].move(SeatView.of(self.table, seat)))
                continue
            yield from self._lies()
            asked = typed()
            if asked is None or asked.lower() == QUIT:
                return
            yield from self._person_says(asked)
        winner = self.table.result().winner
        side = self.game.sides[PERSON]
        yield self._say("drawn" if winner is None else "cards_won" if winner == side else "cards_lost")

    def _say(self, name: str, **facts: object) -> str:
        return words.say(self.language, f"play-{name}", **facts)

    def _named(self, seat: int) -> str:
        if seat == PERSON:
            return self._say("you")
        partner = self.game.sides[seat] == self.game.sides[PERSON]
        return self._say("partner" if partner else "other", number=seat + 1)

    def _lies(self) -> Iterator[str]:
        """What the person sees: trump, the trick, the hand, what may be played."""
        table = self.table
        trump = words.SUIT_SIGNS.get(table.trump, "–")
        turn_up = self._sign(table.turn_up) if table.turn_up else "–"
        yield ""
        yield self._say("cards_lie", trump=trump, turn_up=turn_up, trick=self._signs(table.before) or "–")
        yield self._say("cards_hand", cards=self._signs(self.game.as_held(table.hands[PERSON], table.trump)))
        if table.asked and self.game.pillage:
            yield self._say("cards_pillage", card=turn_up)
        yield self._say("your_turn", turns=self._turns())

    def _sign(self, move: str) -> str:
        """A move as it is shown: a card by its sign, in the letters of this language; what is said, in its words."""
        verb, _, what = move.partition(":")
        if verb not in SAID:
            return words.card_sign(move, self.language)
        return self._say(
            f"say_{verb}", what=words.SUIT_SIGNS.get(what) or (words.card_sign(what, self.language) if what else None)
        )

    def _signs(self, moves: Iterable[str]) -> str:
        return " ".join(map(self._sign, moves))

    def _turns(self) -> str:
        """What may be done now; what is said, apart from one another."""
        said = any(move.partition(":")[0] in SAID for move in self.table.legal_moves)
        return (", " if said else " ").join(map(self._sign, self.table.legal_moves))

    def _meant(self, asked: str, moves: Iterable[str]) -> str | None:
        """Which of these was typed, as it is shown or as the engine has it."""
        typed = _plain(asked)
        return next((move for move in moves if typed in (_plain(move), _plain(self._sign(move)))), None)

    def _person_says(self, asked: str) -> Iterator[str]:
        if asked.lower() == UNDO:
            yield from self._undo()
        elif asked.lower() == HINT:
            yield self._say("hint", turn=self._sign(self._adviser.move(SeatView.of(self.table, PERSON))))
        elif asked.lower() == HELP:
            yield self._say("cards_keys")
        else:
            move = self._move(asked)
            if move is None:
                yield self._refused(asked)
                return
            if self.teaches:
                yield from self._taught(move)
            yield from self._push(move)

    def _move(self, asked: str) -> str | None:
        """The legal move that was meant."""
        return self._meant(asked, self.table.legal_moves)

    def _refused(self, asked: str) -> str:
        """Why this cannot be played: a card of the hand breaks a duty."""
        table, hand = self.table, self.table.hands[PERSON]
        turns, card = self._turns(), self._meant(asked, hand)
        duty = card and self.game.broken_duty(hand, table.before, card, table.trump, table.trick)
        if card is None or not duty or table.asked:
            return self._say("not_legal", typed=asked, turns=turns)
        why = words.say(self.language, f"notice-must_{duty}")
        return self._say("cards_forbidden", card=self._sign(card), why=why, turns=turns)

    def _undo(self) -> Iterator[str]:
        """Back to the person's last decision."""
        if not any(seat == PERSON for seat, *_ in self._moves):
            yield self._say("nothing_to_undo")
            return
        seat = None
        while seat != PERSON:
            self.table.pop()
            seat, self._tricks, self._better = self._moves.pop()

    def _taught(self, move: str) -> Iterator[str]:
        """How much a card gave away, and what was better."""
        self._better = ""
        worths = self._adviser.worths(SeatView.of(self.table, PERSON))
        if len(worths) < 2 or move not in worths:
            return
        best = max(worths, key=lambda move: worths[move])
        lost = worths[best] - worths[move]
        by_points = GAMES[self.game.name].by_points
        of_cards = by_points and self.game.all_points > 0
        if lost < (MUCH_OF_CARDS if of_cards else MUCH):
            yield self._say("best")
            return
        facts = {"unit": "points" if by_points else "games", "lost": round(lost) if of_cards else round(lost, 1)}
        self._better = self._say("cards_gave", turn=self._sign(best), **facts)
        yield self._better

    def _push(self, move: str) -> Iterator[str]:
        table, seat = self.table, self.table.turn
        laid = not table.asked and move in table.hands[seat]
        yield self._say("cards_laid", seat=self._named(seat), card=self._sign(move))
        trick = [*table.before, move] if laid else []
        leader, trump, deals = table.leader, table.trump, len(table.outcomes)
        self._moves.append((seat, self._tricks, self._better))
        table.push(move)
        if len(trick) == self.game.players:
            place = self.game.winning(trick, trump)
            winner = (leader + place) % self.game.players
            facts = {"cards": self._signs(trick), "card": self._sign(trick[place])}
            told = self._say("cards_trick", yours=winner == PERSON, seat=self._named(winner), **facts)
            yield told
            self._tricks = (*self._tricks, f"{told} {self._better}".strip())
            self._better = ""
        if len(table.outcomes) > deals:
            yield from self._deal_over()

    def _deal_over(self) -> Iterator[str]:
        """What every trick turned on, where that is asked for, and the score."""
        if self.teaches:
            yield ""
            yield from (f"{number}. {told}" for number, told in enumerate(self._tricks, 1))
        self._tricks = ()
        yield self._say("cards_deal", games=words.by_side(self.table.score.games))


def _plain(typed: str) -> str:
    """10h, 10♥ and 10H are the same."""
    return "".join(SIGNS.get(letter, letter) for letter in typed if not letter.isspace()).casefold()
