"""The words of the table, a file a language: every notice as a sentence, every suit by its name."""

import errno
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from engine.cards import JOKER, Card, is_card, rank_of, suit_of
from engine.games import GAMES
from engine.match import Match
from engine.notices import BOARD_RULES

LANGUAGES = ("fr", "shi", "en")
_FORGOTTEN = re.compile(r"#\d+")
_MOVE = re.compile(r"([FB])([1-8])([+-])(?::(stop|use))?")
_PIT = re.compile(r"[A-Fa-f]")
_LAID = re.compile(r"\d+:\w+")
"""Who laid which card."""
_CONTRACTED = {
    "fr": ((re.compile(r"\b([àÀ]) le (?=joueur|camp)"), "au "), (re.compile(r"\bde le (?=joueur|camp)"), "du ")),
}
_CONTRACTED["shi"] = _CONTRACTED["fr"]
"""What an article becomes after another word."""
MOST_NAMED = 2
"""So many cards of a sentence are called by their names; more, and those of a revoke, do not fit on a small display."""
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@cache
def table(language: str) -> dict[str, Any]:
    """The table of words of one language."""
    return tomllib.loads(files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8"))


def card_sign(card: Card | None) -> str:
    """A card as short as can be: card_sign("10H") is "10♥"."""
    if card is None:
        return "?"
    return "★" if card == JOKER else rank_of(card) + SUIT_SIGNS[suit_of(card)]


def card_name(card: Card | None, language: str) -> str:
    """A card as a sentence names it: card_name("7H", "shi") is "seti ♥"; its sign, where a language has no name."""
    name = None if card is None or card == JOKER else table(language).get("ranks", {}).get(rank_of(card))
    return card_sign(card) if card is None or name is None else f"{name} {SUIT_SIGNS[suit_of(card)]}"


def _named(cards: Sequence[Card | None], language: str) -> str:
    """Cards in a sentence: a few by their names; more are signs, as they lie on the table."""
    signs = [card_sign(card) for card in cards]
    names = [card_name(card, language) for card in cards]
    return " ".join(signs) if names == signs or len(cards) > MOST_NAMED else ", ".join(names)


def why(error: OSError, language: str) -> str:
    """What went wrong with a file, in words; the system's own, which are English, where we have none."""
    known: Mapping[str, str] = table(language)["os_errors"]
    said = error.strerror or str(error)
    return known.get(_code_of(error), said)


def _code_of(error: OSError) -> str:
    """What our words know it by: the system's name of it, or one of our own."""
    return getattr(error, "code", "") or errno.errorcode.get(error.errno or 0, "")


def what_helps(error: OSError, language: str) -> str:
    """What went wrong with a file, and what to do about it."""
    said, code = why(error, language), _code_of(error)
    helps: Mapping[str, str] = table(language)["os_help"]
    return f"{said}. {helps[code]}" if code in helps else f"{said}."


def suit_name(suit: str, language: str) -> str:
    """A suit by the name the table has for it."""
    return str(table(language)["suits"][suit])


def system_language() -> str:
    """The language the machine is set to, where we have it; else French, the language of the rules."""
    said = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    return "en" if said.lower().startswith("en") else "fr"


def sentence(
    notice: Mapping[str, Any],
    language: str,
    seats: Sequence[str] = (),
    sides: Sequence[int] = (),
    grid: tuple[int, int] | None = None,
) -> str:
    """A notice (in its JSON form) as one sentence.

    seats: names of the players. sides: the side of each, where it is known who plays alone. grid: rows and columns of
    the board.
    """
    said = _said(notice, language, seats, sides, grid)
    for plain, contracted in _CONTRACTED.get(language, ()):
        said = plain.sub(contracted, said)
    return said[:1].upper() + said[1:]


def sentence_of(notice: Mapping[str, Any], language: str, match: Match) -> str:
    """A notice of a match as one sentence, with the names that its table has."""
    sides = match.view.sides or () if "side" in notice else ()
    return sentence(notice, language, match.header.seats, sides, GAMES[match.header.game].grid)


def _said(
    notice: Mapping[str, Any], language: str, seats: Sequence[str], sides: Sequence[int], grid: tuple[int, int] | None
) -> str:
    words = table(language)
    code = str(notice["notice"])
    if code == "illegal":
        template = words["illegal"][_variant(notice)]
    elif code == "question":
        template = words["questions"].get(_variant(notice), words["questions"]["other"])
    else:
        template = words["notices"][_variant(notice)]
    return str(template).format_map(_Facts(notice, language, seats, sides, grid))


def score_line(view: Mapping[str, Any], language: str) -> str:
    """The score in one line."""
    words = table(language)
    parts = []
    if "points" in view:
        parts.append(words["points"].format(points=_dashes(view["points"])))
    if "games" in view:
        parts.append(words["score"].format(games=_dashes(view["games"])))
    return " · ".join(parts)


def counted(game: str, language: str) -> str:
    """What a match of a card game is won by: "games" or "points"."""
    words = table(language)
    return str(words["screen"]["points" if GAMES[game].by_points else "games"])


def move_name(key: str | None, language: str) -> str:
    """A turn by its key: move_name("F6+:stop", "en") is "front 6 → stopping at the nyumba", move_name("c", "en") is
    "pit C". None: no turn of the rules comes near what was played."""
    words = table(language)["moves"]
    if key is None:
        return str(words["unnamed"])
    found = _MOVE.fullmatch(key)
    if not found:
        return str(words["pit"]).format(pit=key.upper()) if _PIT.fullmatch(key) else key
    row, column, way, choice = found.groups()
    name = words[row].format(column=column) + (" →" if way == "+" else " ←")
    return f"{name} {words[choice]}" if choice else name


def choice_name(choice: str, language: str, seats: Sequence[str] = ()) -> str:
    """An answer to a question, as short as a button's label can be."""
    return _Facts({"notice": "question"}, language, seats).choice(choice)


def name_at(seats: Sequence[str], seat: int) -> str:
    """A player's name; nothing where there is none: a seat whose player was forgotten is kept as "#2"."""
    return "" if seat >= len(seats) or _FORGOTTEN.fullmatch(seats[seat]) else seats[seat]


def side_name(side: int, sides: Sequence[int], language: str, seats: Sequence[str] = ()) -> str:
    """A side by its name. sides: of each seat. Who plays alone is no side but a player."""
    if list(sides).count(side) == 1:
        seat = list(sides).index(side)
        return name_at(seats, seat) or str(table(language)["player"]).format(number=seat + 1)
    return str(table(language)["side"]).format(letter="ABCDEF"[side])


def _variant(notice: Mapping[str, Any]) -> str:
    """Which of the sentences a notice has is the one for its facts."""
    code = str(notice["notice"])
    if code == "illegal":
        return _illegal_variant(notice)
    if code == "question":
        about = str(notice["about"])
        return "taken_open" if about == "taken" and notice.get("winner") is None else about
    if code in ("undone", "redone") and notice.get("correction"):
        return f"{code}_correction"
    if code == "trick" and notice["seat"] is None:
        return "trick_open"
    if code == "unreadable" and not notice["candidates"]:
        return "unreadable_any"
    if code == "match_won" and "player" in notice:
        return "match_won_kamu" if notice.get("emptied") else "match_won_player"
    if code == "parties" and notice["over"]:
        return "parties_drawn" if notice["side"] is None else "parties_over"
    if code == "move" and notice.get("captured"):
        return "move_captured"
    if code == "move" and "uladza" in notice.get("remarks", ()):
        return "move_corner"
    if code == "revoke":
        if notice["level_of_proof"] != "proven":
            return "revoke_provisional"
        certain = [claim["certain"] for claim in notice["claims"]]
        if any(certain) and not all(certain):
            return "revoke_certain_and_one_of"
        return "revoke_proven" if all(certain) else "revoke_one_of"
    if code == "claim" and not notice["shown"]:
        return "claim_by_count" if notice["elsewhere"] else "claim_nowhere_else"
    if code == "deal_scored":
        if "capot" in notice:
            return _belote_deal(notice)
        if "how" in notice:
            return f"deal_scored_{notice['how']}" if notice["how"] else code
        if "muzinga" not in notice:
            return "deal_scored_vole" if notice["vole"] else "deal_scored_hand"
        if notice["muzinga"]:
            return "deal_scored_muzinga"
        if "murisi" in notice:
            return "deal_scored_kali" if notice["alone"] else "deal_scored_kawala"
        return "deal_scored" if any(notice["games"]) else "deal_scored_tie"
    return code


def _illegal_variant(notice: Mapping[str, Any]) -> str:
    if not notice.get("taken"):
        unnamed = notice["rule"] == "cards_missing" and not notice.get("cards")
        return "cards_missing_unnamed" if unnamed else str(notice["rule"])
    if not notice.get("without_ace"):
        return "turn_up_taken"
    return "turn_up_taken_ace_elsewhere" if notice["first_seen"] else "turn_up_taken_without_ace"


def _belote_deal(notice: Mapping[str, Any]) -> str:
    """Which sentence a deal of belote has."""
    if notice["capot"]:
        return "deal_scored_capot"
    if notice["inside"]:
        return "deal_scored_inside"
    return "deal_scored_litige" if notice["tie_bonus"] else "deal_scored_made"


class _Facts(dict[str, str]):
    """The facts of a notice in the words of a language, made when a sentence asks for them."""

    def __init__(
        self,
        notice: Mapping[str, Any],
        language: str,
        seats: Sequence[str] = (),
        sides: Sequence[int] = (),
        grid: tuple[int, int] | None = None,
    ) -> None:
        super().__init__()
        self.sides = sides
        self.grid = grid
        self.notice = notice
        self.language = language
        self.words = table(language)
        self.seats = seats

    def __missing__(self, name: str) -> str:
        value = self.notice.get(name)
        if name == "tricks" and self.notice["notice"] == "revoke":
            # The notice has its claims; in a view only the tricks are left of those that are not proven.
            tricks = value or {claim["trick"] for claim in self.notice["claims"]}
            return ", ".join(str(trick) for trick in sorted(tricks))
        if name == "key":
            return move_name(value, self.language)
        if value is None:
            return str(self.words["unknown"])
        match name:
            case "seat" | "winner" | "taker":
                return self._seat(value)
            case "expected":
                return self._either([self._seat(one) for one in value])
            case "player":
                return str(self.words["players"].get(value, value))
            case "side" | "loser":
                return self._side(value)
            case "cards" if self.notice["notice"] == "illegal":
                return self._accused(value)
            case "cards":
                return _named(value, self.language)
            case "shown" | "among":
                return " ".join(card_sign(card) for card in value)
            case "card":
                return card_sign(value)
            case "candidates" | "choices":
                return self._either([self.choice(str(one)) for one in value])
            case "points" | "games" | "match" | "tricks" | "parties":
                return _dashes(value)
            case "first_seen":
                return self._first_seen(value)
            case "pits":
                return ", ".join(self._pit(pit) for pit in value)
            case "illegal":
                return sentence(value, self.language, self.seats, self.sides, self.grid)
            case "claims":
                some = [one for one in value if not one["certain"]] or value
                return "; ".join(self._claim(one) for one in some)
            case "certain":
                return "; ".join(self._claim(one) for one in self.notice["claims"] if one["certain"])
        return str(value)

    def _seat(self, seat: int | None) -> str:
        if seat is None:
            return str(self.words["nobody"])
        return name_at(self.seats, seat) or str(self.words["the_player"]).format(number=seat + 1)

    def _accused(self, cards: Sequence[Card | None]) -> str:
        """The cards of an illegal move: of one that could not be read it is said so."""
        read = [card for card in cards if card is not None]
        named, unread = _named(read, self.language), len(cards) - len(read)
        if read and not unread:
            return named
        open_ones = str(self.words["unread_card" if unread < 2 else "unread_cards"]).format(count=unread)
        return str(self.words["and"]).join([named, open_ones]) if read else open_ones

    def _first_seen(self, seen: Mapping[str, Any]) -> str:
        """Where a card was before it was seen a second time."""
        how = next((one for one in ("turn_up", "paid", "pillaged", "taken_up") if one in seen), "played")
        where = {"seat": self._seat(seen.get("seat")), "trick": seen.get("trick")}
        return str(self.words["first_seen"][how]).format_map(where)

    def _side(self, side: int) -> str:
        if self.sides:
            alone = [seat for seat, one in enumerate(self.sides) if one == side]
            if len(alone) == 1:
                return self._seat(alone[0])
        return str(self.words["the_side"]).format(letter="ABCDEF"[side])

    def choice(self, choice: str) -> str:
        """An answer to a question."""
        if is_card(choice):
            return card_sign(choice)
        if choice in SUIT_SIGNS:
            return SUIT_SIGNS[choice]
        if choice.isdecimal():
            seat = int(choice)
            return name_at(self.seats, seat) or str(self.words["player"]).format(number=seat + 1)
        if _LAID.fullmatch(choice):
            seat_said, card = choice.split(":")
            return f"{self.choice(seat_said)} {self.choice(card)}"
        if choice in BOARD_RULES:
            choice = "illegal"
        named = self.words["answers"].get(choice)
        return named or ", ".join(move_name(key, self.language) for key in choice.split())

    def _either(self, these: list[str]) -> str:
        return str(self.words["either"]).join(these)

    def _pit(self, pit: Sequence[int]) -> str:
        """A pit (row and column as seen by South) by the name that turns have for it."""
        row, column = pit
        rows, columns = self.grid or (4, 8)
        moves = self.words["moves"]
        if rows == 2:
            return str(moves["pit"]).format(pit="ABCDEFGH"[column if row else columns - 1 - column])
        named = str(moves["F" if row in (1, 2) else "B"]).format(column=column + 1)
        side = "north" if row < rows // 2 else "south"
        return named if side == self.notice.get("player", side) else f"{named} ({self.words['players'][side]})"

    def _claim(self, claim: Mapping[str, Any]) -> str:
        notice = {"notice": "claim", **claim}
        told = self.words["notices"][_variant(notice)].format_map(
            _Facts(notice, self.language, self.seats, self.sides, self.grid)
        )
        return f"{told} ({self.words['duties'][claim['duty']]})"


def _dashes(values: Sequence[Any]) -> str:
    """Numbers by side; a range that is still open with its two ends."""
    return "–".join(f"({one[0]}…{one[1]})" if isinstance(one, list | tuple) else str(one) for one in values)
