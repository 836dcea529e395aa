"""Notices as sentences: which message a notice has, and how its facts are named. words.js does so on phones.

A game that says something of its own has it in its own file: `belote-deal_scored` goes before `notice-deal_scored`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from device.words.messages import LANGUAGES, filled, messages, pattern_of
from device.words.say import figure, say
from engine.cards import JOKER, Card, is_card, rank_of, suit_of
from engine.games import GAMES
from engine.match import Match
from engine.notices import BOARD_RULES
from engine.referee.board import BACK
from engine.referee.seed_game import PLAYERS

_FORGOTTEN = re.compile(r"#\d+")
_MOVE = re.compile(r"([FB])([1-8])([+-])(?::(stop|use))?")
_PIT = re.compile(r"[A-Fa-f]")
_LAID = re.compile(r"(\d+):(\w+)")
"""Who laid which card."""
MOST_NAMED = 2
"""So many cards of a sentence are called by their names; more do not fit on a small display."""
MOST_LISTED = 6
"""So many missing cards are listed; of more it is only said how many."""
MOST_CLAIMS = 2
"""So many revokes of one deal are told in one sentence: nobody hears out ten."""
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SIDES = "ABCDEF"
_SEATS = ("seat", "winner", "taker", "dealer")
_SIDES = ("side", "loser", "revoked")
_BY_SIDE = ("points", "games", "match", "tricks", "parties")
_SIGNS = ("shown", "among")


def card_sign(card: Card | None, language: str = "en") -> str:
    """A card as short as can be: card_sign("10H") is "10♥", and card_sign("KH", "fr") is "R♥"."""
    if card is None:
        return "?"
    return "★" if card == JOKER else rank_sign(rank_of(card), language) + SUIT_SIGNS[suit_of(card)]


def rank_sign(rank: str, language: str) -> str:
    """The letter or number in a card's corner: rank_sign("K", "fr") is "R"."""
    name = f"card-letter_{rank}"
    return say(language, name) if name in messages(language, "card") else rank


def card_name(card: Card | None, language: str) -> str:
    """A card as a sentence names it: card_name("7H", "shi") is "seti ♥"; its sign, where a language has no name."""
    if card == JOKER:
        return say(language, "card-joker")
    name = "" if card is None else f"card-rank_{rank_of(card)}"
    if card is None or name not in messages(language, "card"):
        return card_sign(card, language)
    return f"{say(language, name)} {SUIT_SIGNS[suit_of(card)]}"


def suit_name(suit: str, language: str) -> str:
    """A suit by its name: suit_name("H", "en") is "hearts"."""
    return say(language, f"card-suit_{suit}")


def name_at(seats: Sequence[str], seat: int) -> str:
    """A player's name; nothing where there is none: a seat whose player was forgotten is kept as "#2", and one that was
    left empty beside others by its number in words."""
    if seat >= len(seats) or _FORGOTTEN.fullmatch(seats[seat]) or seats[seat].casefold() in _numbered(seat):
        return ""
    return seats[seat]


@cache
def _numbered(seat: int) -> frozenset[str]:
    """What a seat without a name is called, in any language."""
    return frozenset(say(language, "table-player", number=seat + 1).casefold() for language in LANGUAGES)


def given_names(seats: Sequence[str]) -> list[str]:
    """The names of the seats; "#2" where there is none."""
    return [name_at(seats, seat) or f"#{seat + 1}" for seat in range(len(seats))]


def player_name(player: str, language: str, seats: Sequence[str] = ()) -> str:
    """Who plays a side of a board, "south" or "north": the name, else South or North."""
    return name_at(seats, PLAYERS.index(player)) or say(language, f"table-{player}")


def seat_name(seat: int | None, language: str, seats: Sequence[str] = (), game: str = "") -> str:
    """Who sits there: the name, else the number of the seat, or at a game of seeds South or North."""
    if seat is None:
        return say(language, "table-nobody")
    if game and GAMES[game].grid:
        return player_name(PLAYERS[seat], language, seats)
    return name_at(seats, seat) or say(language, "table-player", number=seat + 1)


def side_name(side: int, sides: Sequence[int], language: str, seats: Sequence[str] = (), game: str = "") -> str:
    """A side by its name. sides: of each seat. Who plays alone is no side but a player."""
    if list(sides).count(side) == 1:
        return seat_name(list(sides).index(side), language, seats, game)
    return say(language, "table-side", letter=SIDES[side])


def side_names(game: str, sides: Sequence[int], language: str, seats: Sequence[str] = ()) -> tuple[str, ...]:
    """What each side of a game is called, in its order. sides: of each seat."""
    if GAMES[game].grid:
        return tuple(player_name(player, language, seats) for player in PLAYERS)
    return tuple(side_name(side, sides, language, seats) for side in sorted(set(sides)))


def move_name(key: str | None, language: str) -> str:
    """A turn by its key: move_name("F6+", "en") is "front 6 →", move_name("c", "en") is "pit C", move_name("7H", "en")
    is "7♥". None: no turn of the rules comes near what was played."""
    if key is None:
        return say(language, "table-move_unnamed")
    if is_card(key):
        return card_sign(key, language)
    found = _MOVE.fullmatch(key)
    if not found:
        return say(language, "table-move_pit", pit=key.upper()) if _PIT.fullmatch(key) else key
    row, column, way, choice = found.groups()
    name = say(language, f"table-move_{row}", column=column) + (" →" if way == "+" else " ←")
    return f"{name} {say(language, f'table-move_{choice}')}" if choice else name


def pit_name(pit: tuple[int, int], game: str, language: str) -> str:
    """A pit (row and column as seen by South) by the name that turns have for it."""
    (row, column), (rows, columns) = pit, _grid(game)
    if rows == 2:
        return say(language, "table-move_pit", pit="ABCDEFGH"[column if row else columns - 1 - column])
    return say(language, f"table-move_{'F' if row in (1, 2) else 'B'}", column=column + 1)


def _grid(game: str) -> tuple[int, int]:
    return GAMES[game].grid or (4, 8) if game else (4, 8)


def choice_name(choice: str, language: str, seats: Sequence[str] = ()) -> str:
    """An answer to a question, as short as a button's label can be."""
    if is_card(choice):
        return card_sign(choice, language)
    if choice in SUIT_SIGNS:
        return SUIT_SIGNS[choice]
    if choice.isdecimal():
        return seat_name(int(choice), language, seats)
    if laid := _LAID.fullmatch(choice):
        return " ".join(choice_name(part, language, seats) for part in laid.groups())
    name = f"answer-{'illegal' if choice in BOARD_RULES else choice}"
    if name in messages(language, "answer"):
        return say(language, name)
    keys = choice.split()
    turns = ", ".join(move_name(key, language) for key in keys if key != BACK)
    return say(language, "answer-instead", turn=turns) if BACK in keys else turns


def by_side(values: Sequence[Any]) -> str:
    """Numbers by side; a range that is still open with its two ends."""
    return "–".join(f"({value[0]}…{value[1]})" if isinstance(value, list | tuple) else str(value) for value in values)


def score_line(view: Mapping[str, Any], language: str) -> str:
    """The score in one line."""
    named = (("points", "table-points"), ("games", "table-score"))
    return " · ".join(say(language, name, **{fact: by_side(view[fact])}) for fact, name in named if fact in view)


def counted(game: str, language: str) -> str:
    """What a match is won by: "games" or "points"."""
    return say(language, "screen-points" if GAMES[game].by_points else "screen-games")


def of_game(game: str, name: str, language: str) -> str:
    """The name of a message, or of the one that a game has in its place."""
    own = f"{game}-{name.split('-', 1)[1]}"
    return own if game and own in messages(language, game) else name


def sentence(
    notice: Mapping[str, Any], language: str, seats: Sequence[str] = (), sides: Sequence[int] = (), game: str = ""
) -> str:
    """A notice (in its JSON form) as one sentence.

    seats: names of the players. sides: the side of each. game: whose notice it is.
    """
    facts = _NoticeFacts(notice, language, seats, sides, game)
    said = filled(pattern_of(of_game(game, _message_of(notice, language), language), language), facts, language)
    said = said[:1].upper() + said[1:]
    return say(language, "question-late", question=said) if notice.get("late") else said


def sentence_of(notice: Mapping[str, Any], language: str, match: Match) -> str:
    """A notice of a match as one sentence, with the names that its table has."""
    return sentence(notice, language, match.header.seats, match.view.sides or (), match.header.game)


def _message_of(notice: Mapping[str, Any], language: str) -> str:
    match notice["notice"]:
        case "illegal":
            return f"illegal-{notice['rule']}"
        case "question":
            name = f"question-{notice['about']}"
            return name if name in messages(language, "question") else "question-other"
    return f"notice-{notice['notice']}"


def _listed(cards: Sequence[Card], missing: int) -> str:
    """Whether a sentence lists the cards that are missing: all of them; some, of which so many are; too many to."""
    return "many" if not 0 < len(cards) <= MOST_LISTED else "all" if len(cards) == missing else "some"


@dataclass(frozen=True)
class _NoticeFacts:
    """The facts of a notice in the words of a language, made when a sentence asks for them."""

    notice: Mapping[str, Any]
    language: str
    seats: Sequence[str]
    sides: Sequence[int]
    game: str

    def raw(self, name: str) -> object:
        if name in ("sure_claims", "open_claims"):
            return self._claims(name == "sure_claims")
        if name == "checked":
            return self.notice.get("tricks") or sorted({claim["trick"] for claim in self.notice["claims"]})
        if name == "listed":
            return _listed(self.notice["cards"], self.notice["missing"])
        return self.notice.get(name, True if name in self.notice.get("remarks", ()) else None)

    def said(self, name: str) -> str:
        value = self.raw(name)
        if name in ("sure_claims", "open_claims"):
            assert isinstance(value, list)
            return self._said_claims(value)
        return self._named(name, value)

    def _named(self, name: str, value: Any) -> str:
        """A fact by its name."""
        if name in ("key", "wanted", "best", "reply"):
            return move_name(value, self.language)
        if name == "expected":
            return self._either(self._seat(seat) for seat in value)
        if name in ("candidates", "choices"):
            return self._either(choice_name(str(choice), self.language, self.seats) for choice in value)
        if name in _SEATS:
            return self._seat(value)
        if value is None:
            return "?"
        if name in _SIDES:
            return side_name(value, self.sides, self.language, self.seats)
        if name in _BY_SIDE:
            return by_side(value)
        return self._special(name, value)

    def _special(self, name: str, value: Any) -> str:
        match name:
            case "player":
                return player_name(value, self.language, self.seats)
            case "card" | "was" | "turn_up":
                return card_sign(value, self.language)
            case "cards":
                return self._cards(value)
            case "shown" | "among":
                return " ".join(card_sign(card, self.language) for card in value)
            case "pits":
                return ", ".join(map(self._pit, value))
            case "first_seen":
                return self._first_seen(value)
            case "suit":
                return suit_name(value, self.language)
            case "duty":
                return say(self.language, f"notice-duty_{value}")
            case "must":
                return say(self.language, f"notice-must_{value}")
            case "illegal":
                return sentence(value, self.language, self.seats, self.sides, self.game)
            case "checked" | "shown_in":
                return ", ".join(map(str, value))
        return figure(value, self.language) if isinstance(value, float) else str(value)

    def _seat(self, seat: int | None) -> str:
        if seat is None and (self.notice["notice"] == "illegal" or self.notice.get("about") in ("two", "twice")):
            return say(self.language, "table-somebody")
        return seat_name(seat, self.language, self.seats)

    def _either(self, names: Iterable[str]) -> str:
        return say(self.language, "table-either").join(names)

    def _cards(self, cards: Sequence[Card | None]) -> str:
        """A few cards by their names, more as signs; of an illegal move it is said which could not be read."""
        if self.notice["notice"] != "illegal":
            return self._read(cards)
        read = [card for card in cards if card is not None]
        unread = len(cards) - len(read)
        if read and not unread:
            return self._read(read)
        unknown = say(self.language, "table-unread_cards", count=max(1, unread))
        return say(self.language, "table-and", one=self._read(read), other=unknown) if read else unknown

    def _read(self, cards: Sequence[Card | None]) -> str:
        signs = [card_sign(card, self.language) for card in cards]
        names = [card_name(card, self.language) for card in cards]
        return " ".join(signs) if names == signs or len(cards) > MOST_NAMED else ", ".join(names)

    def _first_seen(self, seen: Mapping[str, Any]) -> str:
        """Where a card was before it was seen a second time."""
        how = next((name for name in ("turn_up", "paid", "pillaged", "taken_up") if name in seen), "played")
        return say(self.language, f"notice-seen_{how}", seat=self._seat(seen.get("seat")), trick=seen.get("trick"))

    def _pit(self, pit: Sequence[int]) -> str:
        """A pit (row and column as seen by South) by the name that turns have for it."""
        row, column = pit
        rows, _ = _grid(self.game)
        named = pit_name((row, column), self.game, self.language)
        if rows == 2:
            return named
        player = "north" if row < rows // 2 else "south"
        if player == self.notice.get("player", player):
            return named
        return f"{named} ({player_name(player, self.language, self.seats)})"

    def _claims(self, certain: bool) -> list[Mapping[str, Any]]:
        return [claim for claim in self.notice.get("claims", ()) if claim["certain"] is certain]

    def _said_claims(self, claims: list[Mapping[str, Any]]) -> str:
        """Each; of many those that were shown last, and how many more there are."""
        if len(claims) <= MOST_CLAIMS:
            return "; ".join(map(self._claim, claims))
        newest = sorted(claims, key=lambda claim: -max(claim.get("shown_in") or (0,)))[:MOST_CLAIMS]
        more = say(self.language, "notice-more_claims", more=len(claims) - MOST_CLAIMS)
        return "; ".join([*map(self._claim, newest), more])

    def _claim(self, claim: Mapping[str, Any]) -> str:
        facts = _NoticeFacts({"notice": "claim", **claim}, self.language, self.seats, self.sides, self.game)
        return filled(pattern_of("notice-claim", self.language), facts, self.language)
