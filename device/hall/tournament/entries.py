"""Who plays in a tournament, as entered by hand or pasted as CSV."""

import csv
import io
from dataclasses import dataclass

MOST_ENTRANTS = 1000
LONGEST_NAME = 60


class EntryError(ValueError):
    """An entry that cannot be taken, and what to do about it: in English, and as a code for the page's words."""

    def __init__(self, code: str, sentence: str, **facts: object) -> None:
        super().__init__(sentence)
        self.code, self.facts = code, facts


@dataclass(frozen=True)
class Entrant:
    """A player, or partners who stay together through the whole tournament."""

    id: str
    players: tuple[str, ...]
    rating: float = 0.0
    """Who is thought stronger; only seeds the first round and the knockout."""
    club: str = ""
    joined: int = 0
    """Rounds that had begun when this one came."""

    @property
    def name(self) -> str:
        """As it is shown."""
        return " & ".join(self.players)


def entrants_of(text: str, side: int = 1, joined: int = 0, taken: tuple[Entrant, ...] = ()) -> tuple[Entrant, ...]:
    """Entrants from CSV or plain lines: `side` names a line, then a rating and a club if there are any.

    A first line of headings is known by its word for a name. Commas, semicolons and tabs all separate.

    >>> [entrant.name for entrant in entrants_of("Fatima;Ali\\nZaïna;Omar", side=2)]
    ['Fatima & Ali', 'Zaïna & Omar']
    """
    found: list[Entrant] = []
    names = {_key(player): player for pair in taken for player in pair.players}
    number = max((int(pair.id) for pair in taken), default=0)
    for line, row in enumerate(_rows(text), 1):
        if line == 1 and row and _key(row[0]) in HEADINGS:
            continue
        players = tuple(_name(cell, line) for cell in row[:side])
        if len(players) < side or not all(players):
            told = f"Line {line}: {side} names are wanted, separated by a comma."
            raise EntryError("entry_names", told, line=line, side=side)
        for player in players:
            if _key(player) in names:
                told = f"Line {line}: {player} is entered twice. Add a letter to tell the two apart."
                raise EntryError("entry_twice", told, line=line, player=player)
            names[_key(player)] = player
        number += 1
        rating = _rating(row[side], line) if len(row) > side and row[side] else 0.0
        club = row[side + 1] if len(row) > side + 1 else ""
        found.append(Entrant(str(number), players, rating, club[:LONGEST_NAME], joined))
    if len(found) + len(taken) > MOST_ENTRANTS:
        raise EntryError("too_many", f"A tournament takes {MOST_ENTRANTS} entries at most.")
    return tuple(found)


HEADINGS = frozenset({"name", "nom", "player", "joueur", "players", "joueurs", "dzina", "mtsezadji"})


def _rows(text: str) -> list[list[str]]:
    text = text.removeprefix("\ufeff")
    first = next((line for line in text.splitlines() if line.strip()), "")
    mark = next((separator for separator in ("\t", ";", ",") if separator in first), ",")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        return [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise EntryError("entry_list", f"This is no list of names: {error}.") from None


def _name(cell: str, line: int) -> str:
    name = " ".join(cell.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        told = f"Line {line}: a name has at most {LONGEST_NAME} letters, and no control characters."
        raise EntryError("entry_name", told, line=line, most=LONGEST_NAME)
    return name


def _rating(cell: str, line: int) -> float:
    try:
        rating = float(cell.replace(",", "."))
    except ValueError:
        told = f"Line {line}: {cell!r} is no rating; a number is wanted, or nothing."
        raise EntryError("entry_rating", told, line=line, rating=cell[:20]) from None
    if not -1e6 < rating < 1e6:
        told = f"Line {line}: the rating {cell} is out of reach."
        raise EntryError("entry_rating", told, line=line, rating=cell[:20])
    return rating


def _key(name: str) -> str:
    return name.casefold()
