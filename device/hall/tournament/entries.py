"""Who plays in a tournament, as entered by hand or pasted as CSV."""

import csv
import io
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from device.keeping.names import name_key
from engine.errors import GameError

MOST_ENTRANTS = 1000
LONGEST_NAME = 60


class EntryError(GameError):
    """An entry that cannot be taken, and what to do about it."""

    topic = "hall-refused"


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
    names = {name_key(player) for pair in taken for player in pair.players}
    number = max((int(pair.id) for pair in taken), default=0)
    rows = _rows(text)
    if rows and name_key(rows[0][1][0]) in HEADINGS:
        rows = rows[1:]
    for line, row in rows:
        players = _players(row[:side], line, side, names)
        names |= set(map(name_key, players))
        number += 1
        rating, club = (*row[side : side + 2], "", "")[:2]
        rated = _rating(rating, line) if rating else 0.0
        found.append(Entrant(str(number), players, rated, club[:LONGEST_NAME], joined))
    if len(found) + len(taken) > MOST_ENTRANTS:
        raise EntryError("entry_many", most=MOST_ENTRANTS)
    return tuple(found)


def _players(cells: Sequence[str], line: int, side: int, taken: Collection[str]) -> tuple[str, ...]:
    """The names in a line: as many as a side has, nobody twice."""
    players = tuple(_name(cell, line) for cell in cells)
    if len(players) < side or not all(players):
        raise EntryError("entry_names", line=line, side=side)
    keys = list(map(name_key, players))
    for player, key in zip(players, keys, strict=True):
        if key in taken or keys.count(key) > 1:
            raise EntryError("entry_twice", line=line, player=player)
    return players


HEADINGS = frozenset({"name", "name 1", "nom", "player", "joueur", "players", "joueurs", "dzina", "mtsezadji"})


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """What stands in each line that is not blank, with the line's number. An accent may be a letter's or its own."""
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    first = next((line for line in text.splitlines() if line.strip()), "")
    mark = next((separator for separator in ("\t", ";", ",") if separator in first), ",")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        return [(rows.line_num, [cell.strip() for cell in row]) for row in rows if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise EntryError("entry_list", why=error) from None


def _name(cell: str, line: int) -> str:
    name = " ".join(cell.split())
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise EntryError("entry_name", line=line, most=LONGEST_NAME)
    return name


def _rating(cell: str, line: int) -> float:
    try:
        rating = float(cell.replace(",", "."))
    except ValueError:
        raise EntryError("entry_rating", line=line, rating=cell[:20]) from None
    if not -1e6 < rating < 1e6:
        raise EntryError("entry_rating", line=line, rating=cell[:20])
    return rating
