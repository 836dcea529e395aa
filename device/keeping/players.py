"""What everybody who played here won, lost and did, from the matches that are kept: each player, and each pair.

Who asked to be forgotten is a seat with a number here, as everywhere, and has no rating.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from device.words import name_at
from engine.games import GAMES
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.rating import Rating, rated
from engine.referee.seed_game import PLAYERS

PLAYER, PAIR = "player", "pair"
ADDED = ("games", "points", "faults", "muzinga", "revokes")
"""What is added up over matches. muzinga: deals with every trick, whatever their game calls that."""
BETWEEN = " · "
"""Between the names of a pair."""
Meeting = tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]
"""Names by side, and the place of each side."""
OVER = ("match_over", "over")
"""Phases in which a match is over."""


@dataclass(frozen=True)
class PlayerCounts:
    """What a player or a pair did in one match."""

    kind: str
    name: str
    counts: Mapping[str, int]
    outcome: str | None
    """won, lost or drawn; None: the match was broken off, or goes on."""


@dataclass(frozen=True)
class MatchCounts:
    """What one match counts for."""

    game: str
    counts: tuple[PlayerCounts, ...]
    meeting: Meeting | None
    """For ratings. None: it is not over, somebody has no name, or a side had a head start."""
    scores: tuple[int, ...]
    """Of each side: games or points, or seeds taken; zeros in bao, where nobody counts any."""
    most_ahead: int
    seeds: bool
    """It is no game of cards."""


@dataclass
class PlayerTotals:
    """A player or a pair over all matches."""

    kind: str
    name: str
    matches: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    run: int = 0
    """Most matches won one after the other."""
    totals: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ADDED, 0))
    series: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in ADDED})
    """The totals after each match."""
    ratings: dict[str, Rating] = field(default_factory=dict)
    """By game: who plays cards well need not sow well."""
    _wins: int = 0

    def add(self, told: Iterable[PlayerCounts]) -> None:
        """One match more; nothing: without them."""
        for played in told:
            self.matches += 1
            self.won += played.outcome == "won"
            self.lost += played.outcome == "lost"
            self.drawn += played.outcome == "drawn"
            if played.outcome is not None:
                self._wins = self._wins + 1 if played.outcome == "won" else 0
            self.run = max(self.run, self._wins)
            for name in ADDED:
                self.totals[name] += played.counts[name]
        for name in ADDED:
            self.series[name].append(self.totals[name])

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        ratings = {game: {"points": rating.points, "doubt": rating.doubt} for game, rating in self.ratings.items()}
        return {
            "kind": self.kind, "name": self.name, "matches": self.matches, "won": self.won, "lost": self.lost,
            "drawn": self.drawn, "run": self.run, **self.totals, "ratings": ratings, "series": self.series,
        }  # fmt: skip


def standings(matches: Sequence[MatchCounts]) -> list[PlayerTotals]:
    """Every player and pair, who played most first. matches: the oldest first."""
    found: dict[tuple[str, str], PlayerTotals] = {}
    for match in matches:
        for counts in match.counts:
            found.setdefault((counts.kind, counts.name), PlayerTotals(counts.kind, counts.name))
    for match in matches:
        by_name: dict[tuple[str, str], list[PlayerCounts]] = {key: [] for key in found}
        for counts in match.counts:
            by_name[counts.kind, counts.name].append(counts)
        for key, standing in found.items():
            standing.add(by_name[key])
        if match.meeting is not None:
            _rate(found, match.game, *match.meeting)
    return sorted(found.values(), key=lambda standing: (-standing.matches, standing.name))


def _rate(
    found: Mapping[tuple[str, str], PlayerTotals], game: str, sides: Sequence[Sequence[str]], places: Sequence[int]
) -> None:
    players = [[found[PLAYER, name] for name in side] for side in sides]
    after = rated([[player.ratings.get(game, Rating()) for player in side] for side in players], places)
    for side, ratings in zip(players, after, strict=True):
        for player, rating in zip(side, ratings, strict=True):
            player.ratings[game] = rating


# -- one match ---------------------------------------------------------------------------------------------------------


def counts_of(match: Match) -> MatchCounts:
    """What each player and each pair did in a match."""
    header, view = match.header, match.view
    names = [_name(match, seat) for seat in range(header.players)]
    sides = view.sides or tuple(range(header.players))
    parties = [[seat for seat, of in enumerate(sides) if of == side] for side in range(max(sides) + 1)]
    over = view.winner is not None or view.phase in OVER
    tally = _tallied(match, len(parties))

    def counts(kind: str, side: int, party: Sequence[int]) -> PlayerCounts:
        outcome = _outcome(view.winner, side) if over else None
        return PlayerCounts(kind, BETWEEN.join(names[seat] for seat in party), tally.of(side, party), outcome)

    players = [counts(PLAYER, side, [seat]) for seat, side in enumerate(sides)]
    pairs = [counts(PAIR, side, party) for side, party in enumerate(parties) if len(party) > 1]
    meeting = _meeting(match, [[names[seat] for seat in party] for party in parties]) if over else None
    return MatchCounts(
        header.game, (*players, *pairs), meeting, _scores(match, len(parties)), match.judge.most_ahead,
        seeds=GAMES[header.game].grid is not None,
    )  # fmt: skip


def _scores(match: Match, sides: int) -> tuple[int, ...]:
    view = match.view
    return tuple(view.games or ()) or tuple((view.captured or {}).values()) or (0,) * sides


def _meeting(match: Match, sides: Sequence[Sequence[str]]) -> Meeting | None:
    """Who met, if that rates them: everybody is known, and nobody had a head start."""
    names = [name for side in sides for name in side]
    known = len({*names}) == len(names) and not any(name.startswith("#") for name in names)
    if not known or match.header.head_start is not None or len(sides) < 2:
        return None
    places = tuple(int(match.view.winner not in (None, side)) for side in range(len(sides)))
    return tuple(map(tuple, sides)), places


def _tallied(match: Match, sides: int) -> "_MatchTally":
    header, view = match.header, match.view
    tally = _MatchTally(header.players, sides, GAMES[header.game].by_points)
    for notice in match.notices:
        tally.add(notice)
    if view.winner is not None and view.games is None:
        tally.games[view.winner] += 1
    if view.captured:
        tally.points = [view.captured[player] for player in PLAYERS]
    return tally


def _outcome(winner: int | None, side: int) -> str:
    return "drawn" if winner is None else "won" if winner == side else "lost"


def _name(match: Match, seat: int) -> str:
    """Who sat there; the device is a player as others are, each level another."""
    header = match.header
    if header.against is not None and seat == header.against.side:
        return f"Hisabu {header.against.level}"
    return name_at(header.seats, seat) or f"#{seat + 1}"


class _MatchTally:
    """Games and points of each side, and faults of each seat. by_points: what a deal brings is points, and no games."""

    def __init__(self, seats: int, sides: int, by_points: bool) -> None:
        self.games, self.points, self.muzinga = [0] * sides, [0] * sides, [0] * sides
        self.faults, self.revokes = [0] * seats, [0] * seats
        self._by_points = by_points

    def add(self, notice: Notice) -> None:
        if notice.code == "deal_scored":
            self._add_deal(notice.facts)
        elif notice.code == "match_won" and self._by_points:
            self.games[notice.facts["side"]] += 1
        elif notice.level == ALERT:
            for seat in _blamed(notice):
                if seat < len(self.faults):
                    self.faults[seat] += 1
                    self.revokes[seat] += notice.code == "revoke"

    def _add_deal(self, facts: Mapping[str, Any]) -> None:
        for side, number in enumerate(facts.get("games" if self._by_points else "points", ())):
            self.points[side] += number[0] if isinstance(number, list | tuple) else int(number)
        if not self._by_points:
            for side, number in enumerate(facts.get("games", ())):
                self.games[side] += int(number)
        if every_trick(facts):
            self.muzinga[most_tricks(facts)] += 1

    def of(self, side: int, seats: Sequence[int]) -> dict[str, int]:
        """What these seats of a side did."""
        faults, revokes = (sum(by_seat[seat] for seat in seats) for by_seat in (self.faults, self.revokes))
        of_side = {"games": self.games[side], "points": self.points[side], "muzinga": self.muzinga[side]}
        return {**of_side, "faults": faults, "revokes": revokes}


def every_trick(facts: Mapping[str, Any]) -> bool:
    """Whether a side took every trick of a deal that was scored so, whatever its game calls that."""
    return any(facts.get(name) for name in ("muzinga", "capot", "vole")) or facts.get("how") == "every"


def most_tricks(facts: Mapping[str, Any]) -> int:
    """The side that took most tricks of a deal."""
    tricks = list(facts["tricks"])
    return tricks.index(max(tricks))


def _blamed(notice: Notice) -> set[int]:
    facts = notice.facts
    if notice.code == "revoke":
        return {seat for seat, _ in facts.get("certain", ())}
    if isinstance(facts.get("seat"), int):
        return {facts["seat"]}
    player = facts.get("player")
    return {PLAYERS.index(player)} if player in PLAYERS else set()


# -- a head start that evens them --------------------------------------------------------------------------------------

LEAST_MET = 3
"""Matches before anything is said of how unequal two sides are."""
LOG_ODDS_PER_SEED = 0.4
"""What a seed more in the hand is worth in bao: with four of them one of two equals won 84 games of 100."""


@dataclass(frozen=True)
class Unequal:
    """Two sides that met often enough, and what would make their next match an even one."""

    weaker: str
    stronger: str
    game: str
    share: float
    """Of their matches, what the weaker side won; a drawn one is half."""
    by: int
    """The head start: in games or points, or in seeds."""


def evened(matches: Sequence[MatchCounts]) -> list[Unequal]:
    """Who met often enough and is unequal; handicapped matches do not count."""
    met: dict[tuple[str, tuple[str, ...]], list[tuple[MatchCounts, tuple[int, ...]]]] = defaultdict(list)
    for match in matches:
        if match.meeting is not None and len(match.meeting[0]) == 2:
            names = tuple(BETWEEN.join(side) for side in match.meeting[0])
            order = (0, 1) if names[0] <= names[1] else (1, 0)
            met[match.game, tuple(sorted(names))].append((match, order))
    found = []
    for (game, names), played in met.items():
        won = [sum(_share(match, order[side]) for match, order in played) for side in (0, 1)]
        weak = 0 if won[0] <= won[1] else 1
        scores = [sum(match.scores[order[side]] for match, order in played) for side in (weak, 1 - weak)]
        by = _head_start(played[-1][0], len(played), scores, won[weak])
        if len(played) >= LEAST_MET and by > 0:
            found.append(Unequal(names[weak], names[1 - weak], game, won[weak] / len(played), by))
    return found


def _share(match: MatchCounts, side: int) -> float:
    assert match.meeting is not None
    places = match.meeting[1]
    return 0.5 if places[0] == places[1] else float(places[side] == 0)


def _head_start(match: MatchCounts, many: int, scores: Sequence[int], won: float) -> int:
    """What evens two sides, from what the weaker and the stronger scored in so many matches.

    Cards: both come to the end of the match at about the same time if each scores as before. Awalé: a seed that changes
    sides is two between them. Bao counts no seeds, only who won.
    """
    low, high = scores
    if match.seeds and not high:
        by = math.log((many - won + 1) / (won + 1)) / LOG_ODDS_PER_SEED
    elif match.seeds:
        by = (high - low) / many / 2
    else:
        by = (match.most_ahead + 1) * (1 - (low + 1) / (high + 1))
    return max(0, min(round(by), match.most_ahead))
