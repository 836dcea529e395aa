"""Tournaments: nobody meets twice while that can be avoided, sitting out is shared, and ties break as stated."""

import os
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import networkx
import pytest

from device.hall.tournament.entries import Entrant, EntryError, entrants_of
from device.hall.tournament.knockout import bracket, knockout
from device.hall.tournament.pairing import PairingError, round_robin, swiss, village
from device.hall.tournament.rounds import CONSOLATION, THIRD, MeetingResult, Past, Round
from device.hall.tournament.standings import standings
from tests.sizes import slow

TOURNAMENTS = int(os.environ.get("HISABU_TOURNAMENTS", "500"))


def field(many: int, rng: Random | None = None) -> tuple[Entrant, ...]:
    return tuple(
        Entrant(str(n), (f"player {n}",), float(rng.randrange(2000)) if rng else float(many - n))
        for n in range(1, many + 1)
    )


def played(now: Round, rng: Random, draws: bool = True) -> Round:
    """A round with results as they fall."""
    meetings = []
    for meeting in now.meetings:
        games = (rng.randrange(5), rng.randrange(5))
        if games[0] == games[1] and not draws:
            games = (games[0] + 1, games[1])
        meetings.append(replace(meeting, result=MeetingResult(games)))
    return replace(now, meetings=tuple(meetings))


def could_avoid(past: Past, there: list[str]) -> bool:
    """Whether any fair round without a pair that met before is possible: asked of a second, plain graph."""
    met = {frozenset((a, b)) for m in past.meetings for a in m.sides[0] for b in m.sides[1]}
    least = min(past.byes[player] for player in there)
    graph = networkx.Graph()
    graph.add_nodes_from(there)
    graph.add_edges_from(pair for pair in combinations(there, 2) if frozenset(pair) not in met)
    if len(there) % 2 == 0:
        return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(there)
    return any(
        2 * len(networkx.max_weight_matching(graph.subgraph(set(there) - {player}), maxcardinality=True))
        == len(there) - 1
        for player in there
        if past.byes[player] == least
    )


def could_part(past: Past, playing: list[str]) -> bool:
    """Whether these could sit in twos of whom none were partners before."""
    graph = networkx.Graph()
    graph.add_nodes_from(playing)
    graph.add_edges_from(pair for pair in combinations(playing, 2) if not past.partnered[frozenset(pair)])
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(playing)


class Counted:
    """Everything that decides an order, counted anew in the plainest way."""

    def __init__(self, past: Past, form: str) -> None:
        self.form = form
        self.results = [
            (player, other, meeting.result.games[side], meeting.result.games[1 - side], len(meeting.sides[1 - side]))
            for meeting in past.meetings
            if meeting.result is not None
            for side in (0, 1)
            for player in meeting.sides[side]
            for other in meeting.sides[1 - side]
        ]  # Each as often as there are opponents.
        ids = [entrant.id for entrant in past.entrants]
        self.rests = {player: float(sum(player in now.byes for now in past.rounds)) for player in ids}
        self.points = {player: self.rests[player] + self._sum(player, _won) for player in ids}
        self.first = {player: self._first(player) for player in ids}

    def _sum(self, player: str, of: Callable[[int, int], float]) -> float:
        return sum(of(a, b) / k for me, _, a, b, k in self.results if me == player)

    def _first(self, player: str) -> list[float]:
        """What comes before all else: the points, and in a Swiss tournament those of the opponents."""
        if self.form != "swiss":
            return [self.points[player]]
        met = sum(self.points[other] for me, other, *_ in self.results if me == player)
        return [self.points[player], self.rests[player] * self.points[player] + met]

    def _direct(self, player: str) -> list[float]:
        """Points of the meetings with those who are level; in a village nobody plays alone, so none count."""
        if self.form == "village":
            return []
        level = [(a, b) for me, other, a, b, _ in self.results if me == player and self.first[me] == self.first[other]]
        return [sum(_won(a, b) for a, b in level)]

    def order(self, player: str) -> list[float]:
        """What a place hangs on, but for the lot."""
        games = (self._sum(player, lambda a, b: a - b), self._sum(player, lambda a, _: a))
        return [round(value, 6) for value in (*self.first[player], *self._direct(player), *games)]


def _won(mine: int, theirs: int) -> float:
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def stated_order(past: Past, form: str) -> list[str]:
    """The final order; it agrees with what is counted anew."""
    counted = Counted(past, form)
    ranked = [standing.id for standing in standings(past, form)]
    for player, other in pairwise(ranked):
        assert counted.order(player) >= counted.order(other), f"{form}: {player} before {other}"
    return ranked


def come_and_gone(past: Past, there: list[str], rng: Random, number: int, leaving: float) -> tuple[Past, list[str]]:
    """Now and then somebody leaves, and somebody comes late."""
    there = [*there]
    if number and rng.random() < leaving and len(there) > 4:
        there.remove(rng.choice(there))
    if number and rng.random() < leaving:
        late = Entrant(str(len(past.entrants) + 1), (f"late {number}",), 0.0, "", number)
        past = Past((*past.entrants, late), past.rounds)
        there.append(late.id)
    return past, there


def nobody_again(past: Past, drawn: Round, there: list[str], in_village: bool, where: str) -> None:
    """Nobody meets, or in a village is partnered with, somebody of before while that can be avoided."""
    if in_village:
        at_tables = [player for meeting in drawn.meetings for player in meeting.all]
        again = [ids for m in drawn.meetings for ids in m.sides if past.partnered[frozenset(ids)]]
        assert not again or not could_part(past, at_tables), f"{where}: partners again"
    else:
        met = [m for m in drawn.meetings if past.met[frozenset((m.sides[0][0], m.sides[1][0]))]]
        assert not met or not could_avoid(past, there), f"{where}: met again"


def only_with_nobody_left(past: Past, drawn: Round, there: list[str], idle: set[str]) -> None:
    """Who is neither drawn nor sits out has met all others who are neither, and nobody meets again meanwhile."""
    least = min(past.met[frozenset(pair)] for pair in combinations(there, 2))
    assert all(past.met[frozenset(pair)] > least for pair in combinations(idle, 2))
    if idle:
        assert not drawn.byes and all(past.met[frozenset(meeting.all)] == least for meeting in drawn.meetings)


def hold_one(form: Callable[..., Round], seed: int, many: int, rounds: int, leaving: float) -> None:
    """One tournament with players who leave and others who come late; each round is checked, and the end."""
    rng = Random(seed)
    past = Past(field(many, rng))
    there = [entrant.id for entrant in past.entrants]
    for number in range(rounds):
        past, there = come_and_gone(past, there, rng, number, leaving)
        drawn = form(past, there, seed=seed + number)
        at_tables = [player for meeting in drawn.meetings for player in meeting.all]
        idle = {*there} - {*at_tables, *drawn.byes}
        assert sorted([*at_tables, *drawn.byes, *idle]) == sorted(there), "everybody who is there, once"
        assert not idle or form is round_robin
        only_with_nobody_left(past, drawn, there, idle)
        nobody_again(past, drawn, there, form is village, f"seed {seed}, round {number}")
        past = Past(past.entrants, (*past.rounds, played(drawn, rng)))
        byes = [past.byes[player] for player in there]
        assert max(byes) - min(byes) <= 1, f"seed {seed}: sitting out is not shared"
    assert len(stated_order(past, form.__name__)) == len(past.entrants)


def knocked_out(seed: int, many: int, leaving: float) -> tuple[Past, str | None]:
    """A knockout that players leave, to its end: what was played, and its champion."""
    rng = Random(seed)
    past = Past(field(many, rng))
    there = [entrant.id for entrant in past.entrants]
    for number in range(many):
        now = bracket(past, there)
        if now.champion and len(now.consoled) < 2:
            return past, now.champion
        if number and rng.random() < leaving and len(there) > 4:
            there.remove(rng.choice(there))
        drawn = knockout(past, there)
        at_tables = [player for meeting in drawn.meetings for player in meeting.all]
        assert len({*at_tables, *drawn.byes}) == len(at_tables) + len(drawn.byes), "nobody twice"
        assert {*at_tables} <= {*there}
        past = Past(past.entrants, (*past.rounds, played(drawn, rng, draws=False)))
    return past, None


def hold_knockout(seed: int, many: int, leaving: float) -> None:
    """A knockout that players leave: who wins goes on, and one is left."""
    past, champion = knocked_out(seed, many, leaving)
    assert champion is not None and standings(past, "knockout")[0].id == champion
    losses = Counter(
        side
        for m in past.meetings
        if m.bracket == "main" and m.result is not None
        for side in m.sides[1 - (m.result.winner or 0)]
    )
    assert champion not in losses and max(losses.values()) == 1, "who loses is out"


@pytest.mark.parametrize("tournaments", [10, *slow(40)])
@pytest.mark.parametrize("form", [round_robin, swiss])
def test_nobody_meets_twice_while_it_can_be_avoided_and_sitting_out_is_shared(
    form: Callable[..., Round], tournaments: int
) -> None:
    for seed in range(tournaments):
        many = Random(seed).randrange(4, 21)
        hold_one(form, seed, many, Random(seed).randrange(3, many + 2), leaving=0.3)


@pytest.mark.slow
def test_five_hundred_tournaments_of_four_to_two_hundred() -> None:
    """Every form in turn; of small ones more rounds than can be without meeting again."""
    sizes = []
    for seed in range(TOURNAMENTS):
        rng = Random(seed)
        many = rng.randrange(4, 201)
        sizes.append(many)
        if seed % 4 == 3:
            hold_knockout(seed, many, leaving=0.25)
        else:
            hold_one((round_robin, swiss, village)[seed % 4], seed, many, min(many + 1, 9), leaving=0.25)
    print(f"{len(sizes)} tournaments of {min(sizes)} to {max(sizes)}, {sum(sizes) / len(sizes):.0f} on average")


@pytest.mark.parametrize("many", [4, 5, 8, 9])
def test_in_a_round_robin_everybody_meets_everybody_once(many: int) -> None:
    past, rng = Past(field(many)), Random(1)
    for _ in range(many - 1 + many % 2):
        past = Past(past.entrants, (*past.rounds, played(round_robin(past, [e.id for e in past.entrants]), rng)))
    assert {frozenset(pair) for pair in combinations([e.id for e in past.entrants], 2)} == set(past.met)
    assert set(past.met.values()) == {1}


@pytest.mark.parametrize("many", [4, 5, 8])
def test_who_comes_late_to_a_round_robin_meets_everybody_and_lets_nobody_meet_again(many: int) -> None:
    past, rng = Past(field(many)), Random(1)
    for _ in range(2):
        past = Past(past.entrants, (*past.rounds, played(round_robin(past, [e.id for e in past.entrants]), rng)))
    past = Past((*past.entrants, Entrant("late", ("late",), 0.0, "", 2)), past.rounds)
    there, rounds = [entrant.id for entrant in past.entrants], 0
    while not all(past.met[frozenset(pair)] for pair in combinations(there, 2)):
        past = Past(past.entrants, (*past.rounds, played(round_robin(past, there), rng)))
        rounds += 1
    assert set(past.met.values()) == {1} and rounds <= many + 2
    assert max(past.byes.values()) - min(past.byes.values()) <= 1, "who has nobody left to meet gets no point for it"


def test_in_a_swiss_those_with_as_many_points_meet() -> None:
    past, rng = Past(field(16)), Random(2)
    for number in range(4):
        drawn = swiss(past, [e.id for e in past.entrants])
        apart = [abs(past.points[m.sides[0][0]] - past.points[m.sides[1][0]]) for m in drawn.meetings]
        assert max(apart) <= 1, f"round {number}"
        past = Past(past.entrants, (*past.rounds, played(drawn, rng, draws=False)))
    assert standings(past, "swiss")[0].points >= 3


@pytest.mark.parametrize(("side", "many"), [(1, 9), (2, 8), (2, 11), (2, 16), (3, 18)])
def test_in_the_village_form_partners_are_new_each_round(side: int, many: int) -> None:
    past, rng = Past(field(many)), Random(3)
    there = [entrant.id for entrant in past.entrants]
    for number in range(5):
        drawn = village(past, there, side, seed=number)
        for meeting in drawn.meetings:
            assert [len(ids) for ids in meeting.sides] == [side, side]
            if side == 2:
                assert not any(past.partnered[frozenset(ids)] for ids in meeting.sides), f"round {number}"
        past = Past(past.entrants, (*past.rounds, played(drawn, rng)))
        byes = [past.byes[player] for player in there]
        assert max(byes) - min(byes) <= 1
    assert len(standings(past, "village")) == many


@pytest.mark.parametrize("many", [2, 3, 4, 5, 6, 8, 13, 16, 31])
def test_a_knockout_has_one_champion_a_third_and_a_consolation(many: int) -> None:
    for seed in range(6):
        rng = Random(seed)
        past = Past(field(many, rng))
        there = [entrant.id for entrant in past.entrants]
        kinds = set()
        for _ in range(20):
            if bracket(past, there).champion and len(bracket(past, there).consoled) < 2:
                break
            now = played(knockout(past, there), rng, draws=False)
            kinds |= {meeting.bracket for meeting in now.meetings}
            past = Past(past.entrants, (*past.rounds, now))
        champion = bracket(past, there).champion
        assert champion is not None
        lost = [
            m
            for m in past.meetings
            if m.bracket == "main" and m.result and champion in m.sides[1 - (m.result.winner or 0)]
        ]
        assert not lost and standings(past, "knockout")[0].id == champion
        assert sum(m.bracket == "main" for m in past.meetings) == many - 1, "each but the champion loses once"
        if many >= 8:
            assert kinds == {"main", CONSOLATION, THIRD}


@pytest.mark.parametrize("many", [4, 8])
def test_who_wins_the_match_for_the_third_place_is_third(many: int) -> None:
    """However many games the semi-final was lost by."""
    past = Past(field(many))
    for _ in range(many.bit_length() - 1):
        now = knockout(past, [entrant.id for entrant in past.entrants])
        meetings = []
        for meeting in now.meetings:
            best = min(meeting.sides, key=lambda side: int(side[0]))
            games = (4, 0) if {*meeting.all} == {"1", "4"} else (4, 3)
            if meeting.bracket == THIRD:
                assert {*meeting.all} == {"3", "4"}
                best, games = ("4",), (4, 3)
            result = MeetingResult(games if meeting.sides[0] == best else games[::-1])
            meetings.append(replace(meeting, result=result))
        past = Past(past.entrants, (*past.rounds, replace(now, meetings=tuple(meetings))))
    assert [standing.id for standing in standings(past, "knockout")][:4] == ["1", "2", "4", "3"]


def test_who_leaves_a_knockout_gives_the_match_away() -> None:
    past, rng = Past(field(8)), Random(1)
    past = Past(past.entrants, (played(knockout(past, [e.id for e in past.entrants]), rng, draws=False),))
    in_it = [entrant for entrant in bracket(past, [e.id for e in past.entrants]).line if entrant]
    there = [e.id for e in past.entrants if e.id != in_it[0]]
    drawn = knockout(past, there)
    assert in_it[1] in drawn.byes
    past = Past(past.entrants, (*past.rounds, played(drawn, rng, draws=False)))
    assert in_it[1] in bracket(past, there).line


def test_a_knockout_waits_for_its_results() -> None:
    past = Past(field(4))
    past = Past(past.entrants, (knockout(past, [e.id for e in past.entrants]),))
    with pytest.raises(PairingError, match="open_results"):
        knockout(past, [e.id for e in past.entrants])


def test_ties_are_broken_as_stated() -> None:
    """Three won twice, each against another of them: level directly, so the games decide."""
    past = Past(field(4))
    scores = {
        ("1", "2"): (4, 0),
        ("2", "3"): (4, 2),
        ("3", "1"): (4, 3),
        ("1", "4"): (4, 0),
        ("2", "4"): (4, 0),
        ("3", "4"): (4, 0),
    }
    rounds: list[Round] = []
    for _ in range(3):
        now = round_robin(Past(past.entrants, tuple(rounds)), list("1234"))
        meetings = []
        for meeting in now.meetings:
            (a,), (b,) = meeting.sides
            games = scores.get((a, b)) or scores[b, a][::-1]
            meetings.append(replace(meeting, result=MeetingResult((games[0], games[1]))))
        rounds.append(replace(now, meetings=tuple(meetings)))
    table = standings(Past(past.entrants, tuple(rounds)), "round_robin")
    assert [standing.points for standing in table] == [2, 2, 2, 0]
    assert [standing.id for standing in table] == ["1", "3", "2", "4"], "games apart: +7, +5, +4"
    assert [standing.breaks[0] for standing in table[:3]] == [1, 1, 1]


def test_entries_are_pasted_with_any_separator_and_mistakes_are_told_by_line() -> None:
    assert [e.players for e in entrants_of("Nom;Partenaire\nFatima;Ali\nZaïna;Omar", side=2)] == [
        ("Fatima", "Ali"),
        ("Zaïna", "Omar"),
    ]
    assert entrants_of("\ufeffAli\t1500\tMamoudzou")[0] == Entrant("1", ("Ali",), 1500.0, "Mamoudzou")
    with pytest.raises(EntryError, match="entry_twice: line=2, player='ALI'"):
        entrants_of("Ali\nALI")
    with pytest.raises(EntryError, match="entry_names: line=1, side=2"):
        entrants_of("Ali", side=2)
    with pytest.raises(EntryError, match="entry_rating: line=4"):
        entrants_of("Nom\n\nZaïna\nAli,strong")
    with pytest.raises(EntryError, match="entry_twice: line=2"):  # The same name, its accent written in two ways.
        entrants_of(f"Zaïna\n{unicodedata.normalize('NFD', 'Zaïna')}")
