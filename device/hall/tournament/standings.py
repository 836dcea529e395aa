"""Who stands where, and by what: points first, then the tie-breaks of the form in the order stated here."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from device.hall.tournament.rounds import MAIN, THIRD, Past, worth

TIE_BREAKS = {
    "round_robin": ("direct", "games_apart", "games_won", "lot"),
    "swiss": ("buchholz", "direct", "games_apart", "games_won", "lot"),
    "village": ("games_apart", "games_won", "lot"),
    "knockout": ("reached", "third", "games_apart", "lot"),
}
"""What decides between those with as many points, in this order.

buchholz: the points of all whom one met together; who sat out met, so to speak, an equal.
direct: the points from the meetings among just those who are level so far.
games_apart: games won less games lost.
reached: how many rounds of the main line one got past, by winning or by sitting out.
third: who won the match for the third place.
lot: drawn once for a tournament, from its seed.
"""


@dataclass(frozen=True)
class Standing:
    """One line of the table."""

    rank: int
    id: str
    name: str
    points: float
    played: int
    won: int
    games: tuple[int, int]
    """Won and lost."""
    breaks: tuple[float, ...]
    """The values of the form's tie-breaks; higher is better."""


def standings(past: Past, form: str, seed: int = 0) -> tuple[Standing, ...]:
    """Everybody who is or was in it, the first first."""
    tally = _tally(past)
    points = dict.fromkeys(past.points, 0.0) if form == "knockout" else past.points
    values: dict[str, list[float]] = {entrant.id: [] for entrant in past.entrants}
    break_tie: dict[str, Callable[[], Mapping[str, float]]] = {
        "direct": lambda: _direct(past, points, values),
        "buchholz": lambda: _buchholz(past),
        "reached": lambda: {id_: float(tally[id_].main_won + past.byes[id_]) for id_ in values},
        "third": lambda: _third(past),
        "lot": lambda: _lots(past, seed),
        "games_apart": lambda: {id_: tally[id_].apart for id_ in values},
        "games_won": lambda: {id_: float(tally[id_].games[0]) for id_ in values},
    }
    for name in TIE_BREAKS[form]:
        for entrant, value in break_tie[name]().items():
            values[entrant].append(value)
    order = sorted(values, key=lambda entrant: (-points[entrant], [-value for value in values[entrant]]))
    names = {entrant.id: entrant.name for entrant in past.entrants}
    return tuple(
        Standing(rank, entrant, names[entrant], past.points[entrant], tally[entrant].played, tally[entrant].won,
                 (tally[entrant].games[0], tally[entrant].games[1]), tuple(values[entrant]))
        for rank, entrant in enumerate(order, 1)
    )  # fmt: skip


def _third(past: Past) -> dict[str, float]:
    found = dict.fromkeys((entrant.id for entrant in past.entrants), 0.0)
    for meeting in past.meetings:
        if meeting.bracket == THIRD and meeting.result is not None and meeting.result.winner is not None:
            found |= dict.fromkeys(meeting.sides[meeting.result.winner], 1.0)
    return found


def _lots(past: Past, seed: int) -> dict[str, float]:
    """What the lot says, where nothing else tells two apart."""
    lots = list(range(len(past.entrants)))
    Random(seed).shuffle(lots)
    return {entrant.id: -float(lot) for entrant, lot in zip(past.entrants, lots, strict=True)}


@dataclass
class _Tally:
    played: int = 0
    won: int = 0
    main_won: int = 0
    games: tuple[int, int] = (0, 0)

    @property
    def apart(self) -> float:
        return float(self.games[0] - self.games[1])


def _tally(past: Past) -> dict[str, _Tally]:
    found: dict[str, _Tally] = defaultdict(_Tally)
    for meeting in past.meetings:
        if meeting.result is None:
            continue
        for side, ids in enumerate(meeting.sides):
            for player in ids:
                mine = found[player]
                mine.played += 1
                mine.won += meeting.result.winner == side
                mine.main_won += meeting.result.winner == side and meeting.bracket == MAIN
                if not meeting.result.walkover:
                    won, lost = meeting.result.games[side], meeting.result.games[1 - side]
                    mine.games = (mine.games[0] + won, mine.games[1] + lost)
    return found


def _buchholz(past: Past) -> dict[str, float]:
    points = past.points
    found = dict.fromkeys(points, 0.0)
    for meeting in past.meetings:
        for side, ids in enumerate(meeting.sides):
            for player in ids:
                found[player] += sum(points[other] for other in meeting.sides[1 - side])
    for now in past.rounds:
        for bye in now.byes:
            found[bye] += points[bye]
    return found


def _direct(past: Past, points: dict[str, float], values: dict[str, list[float]]) -> dict[str, float]:
    level: dict[tuple[float, ...], set[str]] = defaultdict(set)
    for score in points:
        level[(points[score], *values[score])].add(score)
    found = dict.fromkeys(points, 0.0)
    for meeting in past.meetings:
        for side, ids in enumerate(meeting.sides):
            for player in ids:
                if level[(points[player], *values[player])] & set(meeting.sides[1 - side]):
                    found[player] += worth(meeting.result, side)
    return found
