"""The league: everybody's rating over many evenings, from all that was played at tables and in tournaments.

A game has a rating of its own: who plays cards well need not sow well. It counts who won against whom, and with whom.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from device.hall.results import Played
from device.hall.tournament.held import Change, Held, drawn_at
from engine import rating
from engine.rating import Rating


@dataclass(frozen=True)
class Met:
    """One match of the league: sides of people, and how many games each won."""

    at: float
    game: str
    sides: tuple[tuple[int, ...], ...]
    games: tuple[int, ...]
    where: str
    """A table's name, or a tournament's title."""


@dataclass(frozen=True)
class ByHand:
    """A meeting at a table of which somebody wrote the result down: the table's own log of it is the same match."""

    device: str
    people: frozenset[int]
    game: str
    drawn_at: float

    def is_of(self, match: Played, people: Iterable[int]) -> bool:
        """Whether a match at a table may be this one."""
        here = match.table == self.device and match.begun >= self.drawn_at
        return here and self.game in ("", match.game) and self.people == {*people}


@dataclass(frozen=True)
class LeagueLine:
    """One player in one game."""

    person: int
    rating: int
    """A cautious estimate."""
    spread: int
    """How far the rating may be off, either way."""
    matches: int
    won: int
    drawn: int
    curve: tuple[tuple[float, int], ...]
    """The rating after each match, with its time."""


def met_at_tables(
    played: Iterable[Played],
    seats: Mapping[tuple[str, str], Mapping[int, int]],
    counted: set[tuple[str, str]],
    by_hand: Iterable[ByHand] = (),
) -> list[Met]:
    """Matches at tables where all players are known by name. counted: those that a tournament has already; by_hand: its
    meetings that are each one more, the first that was played since the draw."""
    found, left = [], list(by_hand)
    for match in played:
        people = seats.get((match.table, match.match), {})
        if (match.table, match.match) in counted or any(seat not in people for seat in range(len(match.sides))):
            continue
        if (of := next((meeting for meeting in left if meeting.is_of(match, people.values())), None)) is not None:
            left.remove(of)
            continue
        sides = tuple(
            tuple(people[seat] for seat, of in enumerate(match.sides) if of == side) for side in range(len(match.games))
        )
        if len({person for side in sides for person in side}) == len(match.sides):
            found.append(Met(match.begun, match.game, sides, match.games, match.table))
    return found


def met_in_tournaments(
    held: Mapping[str, Held], changes: Mapping[str, Sequence[Change]]
) -> tuple[list[Met], set[tuple[str, str]], list[ByHand]]:
    """Meetings with a result; the matches at tables that they were; and those of which no table told. A walkover
    changes no rating."""
    found, counted, by_hand = [], set(), []
    for subject, tournament in held.items():
        players = {entrant.id: tuple(map(int, entrant.players)) for entrant in tournament.entrants}
        told_at, round_at = _told_at(changes[subject]), drawn_at(changes[subject])
        for number, at, sitting in tournament.sittings:
            result = sitting.meeting.result
            if sitting.played:
                counted.add((sitting.device, sitting.played))
            if result is None or result.walkover or sitting.off:
                continue
            sides = tuple(tuple(person for id_ in ids for person in players[id_]) for ids in sitting.meeting.sides)
            found.append(Met(told_at.get((number, at), 0.0), tournament.game, sides, result.games, tournament.title))
            if sitting.device and not sitting.played:
                by_hand.append(ByHand(sitting.device, frozenset(chain(*sides)), tournament.game, round_at[number]))
    return found, counted, by_hand


def _told_at(changes: Iterable[Change]) -> dict[tuple[int, int], float]:
    """When each meeting's result was told last, by its round and place."""
    return {
        (int(change.what["round"]), int(change.what["at"])): change.at
        for change in changes
        if change.what.get("do") == "result"
    }


def rated(matches: Iterable[Met]) -> dict[str, dict[int, LeagueLine]]:
    """Everybody's rating by game, from the first match to the last."""
    ratings: dict[tuple[str, int], Rating] = {}
    tally: dict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    curves: dict[tuple[str, int], list[tuple[float, int]]] = defaultdict(list)
    for met in sorted(matches, key=lambda met: met.at):
        if len(met.sides) < 2 or not all(met.sides):
            continue
        teams = [[ratings.get((met.game, person), Rating()) for person in side] for side in met.sides]
        best = max(met.games)
        winners = met.games.count(best)
        after = rating.rated(teams, [best - games for games in met.games])
        for side, people in enumerate(met.sides):
            for person, fresh in zip(people, after[side], strict=True):
                key = (met.game, person)
                ratings[key] = fresh
                counts = tally[key]
                counts[0] += 1
                counts[1] += met.games[side] == best and winners == 1
                counts[2] += met.games[side] == best and winners > 1
                curves[key].append((met.at, fresh.points))
    found: dict[str, dict[int, LeagueLine]] = {}
    for (game, person), now in ratings.items():
        matches_, won, drawn = tally[game, person]
        found.setdefault(game, {})[person] = LeagueLine(
            person, now.points, now.doubt, matches_, won, drawn, tuple(curves[game, person])
        )
    return found
