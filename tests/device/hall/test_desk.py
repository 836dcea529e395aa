"""The arbiters' desk: a tournament is its log, results come from the tables, and a name goes when its player wishes."""

import json
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device import cli
from device.hall.desk import PLAIN, Desk, may_be
from device.hall.league import Met, rated
from device.hall.office import OWNER, Office, may
from device.hall.register import Register
from device.hall.results import Played, ended
from device.hall.store import Store
from device.hall.tournament.entries import entrants_of
from device.hall.tournament.held import ChangeError, Held, finished, folded, rounds_planned
from device.hall.tournament.rounds import CONSOLATION, MAIN
from device.hall.tournament.sheet import csv_of, seated_at
from device.keeping.journal import MatchRecord
from device.keeping.names import forget, name_key
from device.outputs.broker.messages import Have, Logged, chained
from device.outputs.broker.outbox import Outbox
from device.web.pairing import Phones
from engine.events import Correct, Undo
from engine.journal import event_line
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match
from engine.view import View

NAMES = ("Zaïna", "Ali", "Fatima", "Saïd")


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Store]:
    """SQLite, where nothing hangs on which database it is."""
    store = Store(str(tmp_path / "plain.db"))
    yield store
    store.close()


def test_a_store_of_another_kind_is_refused() -> None:
    """It would be a folder with an odd name."""
    with pytest.raises(OSError, match=r"name a file \(SQLite\), or postgresql"):
        Store("mysql://somewhere/hall")


def desk_of(store: Store) -> Desk:
    return Desk(store, Register(store))


def begun(desk: Desk, form: str = "swiss", many: int = 6, devices: Sequence[str] = (), **more: Any) -> str:
    subject = desk.begin("Zaïna", {"title": "Mwaka", "form": form, "side": 1, **more}, list(devices))
    if many:
        desk.ask(subject, "Zaïna", {"do": "enter", "text": "\n".join(f"player {n}" for n in range(1, many + 1))})
    return subject


def draw(desk: Desk, subject: str) -> list[int]:
    """The next round; the places of its meetings."""
    held = desk.ask(subject, "Zaïna", {"do": "draw"})
    return list(range(len(held.rounds[-1].sittings)))


def result(desk: Desk, subject: str, round_: int, at: int, *games: int, why: str = "", **more: Any) -> None:
    what = {"do": "result", "round": round_, "at": at, "games": list(games) or None, **more}
    desk.ask(subject, "Ali", what, why)


def refused(desk: Desk, subject: str, why: str = "", **what: Any) -> str:
    with pytest.raises(ChangeError) as error:
        desk.ask(subject, "Zaïna", what, why)
    return error.value.code


def test_of_two_who_draw_the_same_round_one_draws_it(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk)
    draw(desk, subject)
    assert refused(desk, subject, do="draw", open_ok=True, rounds=0) == "drawn"
    assert len(desk.ask(subject, "Zaïna", {"do": "draw", "open_ok": True, "rounds": 1}).rounds) == 2


def test_a_tournament_is_its_log_and_a_hall_killed_at_any_change_loses_nothing(store: Store) -> None:
    desk = desk_of(store)
    subject = begun(desk)
    for at in draw(desk, subject):
        result(desk, subject, 0, at, 4, at)
    desk.ask(subject, "Zaïna", {"do": "leave", "entrant": "2"}, "went home")
    desk.ask(subject, "Zaïna", {"do": "enter", "text": "late;1500;Sada"})
    draw(desk, subject)
    held, changes = desk.book(subject)
    again = desk_of(store)
    assert again.refresh() == {subject}
    assert again.book(subject) == (held, changes)
    assert [change.number for change in changes] == list(range(len(changes)))
    assert {(change.who, change.why) for change in changes} >= {("Zaïna", "went home"), ("Ali", "")}
    for upto in range(1, len(changes)):
        part = folded(changes[:upto])
        assert part is not None and len(part.rounds) <= len(held.rounds)


def test_two_halls_on_one_store_decide_one_after_the_other(store: Store) -> None:
    desk, other = desk_of(store), desk_of(store)
    subject = begun(desk, many=4)
    other.refresh()
    draw(desk, subject)
    result(other, subject, 0, 0, 4, 1)
    result(desk, subject, 0, 1, 4, 2)
    other.refresh()
    assert desk.book(subject) == other.book(subject)
    assert desk.book(subject)[0].open == 0


def test_what_cannot_be_is_refused_and_leaves_no_trace(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, "knockout", 4)
    assert refused(desk, subject, do="enter", text="Player 1") == "entry_twice"
    assert refused(desk, subject, do="enter", text="") == "entry_none"
    assert refused(desk, subject, do="undrawn") == "why"
    draw(desk, subject)
    assert refused(desk, subject, do="draw") == "open_results"
    assert refused(desk, subject, do="enter", text="late") == "knockout_began"
    assert refused(desk, subject, do="result", round=0, at=0, games=[2, 2]) == "no_draw"
    assert refused(desk, subject, do="result", round=9, at=0, games=[2, 1]) == "unknown"
    assert refused(desk, subject, do="out", entrant="1") == "has_played"
    assert refused(desk, subject, do="nothing") == "unknown"
    result(desk, subject, 0, 0, 4, 1)
    with pytest.raises(ChangeError, match="why"):
        result(desk, subject, 0, 0, 1, 4)
    result(desk, subject, 0, 0, 1, 4, why="the slip was read upside down")
    assert len(desk.book(subject)[1]) == 5
    assert desk.book(subject)[1][-1].why == "the slip was read upside down"


def test_of_two_arbiters_who_take_back_a_draw_the_second_takes_none_back(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, "village", 4, side=2)
    draw(desk, subject)
    desk.ask(subject, "Zaïna", {"do": "draw", "open_ok": True})
    desk.ask(subject, "Ali", {"do": "undrawn", "rounds": 2}, "somebody came")
    with pytest.raises(ChangeError, match="undrawn"):
        desk.ask(subject, "Moina", {"do": "undrawn", "rounds": 2}, "somebody came")
    assert len(desk.all[subject].rounds) == 1


def test_a_knockouts_winner_who_is_put_right_plays_on_and_no_table_changes_who_does(
    plain: Store, tmp_path: Path
) -> None:
    """Else the final would be played by who lost the semi-final. Once that has a result, the winner stays."""
    desk, table = desk_of(plain), Table(plain, tmp_path, "a", ())
    subject = begun(desk, "knockout", 4, ["a", "b"])
    draw(desk, subject)
    record = table.play_on(5)
    assert desk.take_results({"a": True}) == {subject}
    result(desk, subject, 0, 1, 4, 0, why="told at the desk")
    final = next(
        at for at in draw(desk, subject) if desk.book(subject)[0].rounds[1].sittings[at].meeting.bracket == MAIN
    )
    before = desk.book(subject)[0].rounds[0]
    assert refused(desk, subject, why="misread", do="result", round=0, at=1, games=None) == "drawn_on"
    record.add(Undo())
    table.send()
    again = desk_of(plain)
    again.refresh()
    assert again.take_results({"a": True}) == set() and again.book(subject)[0].rounds[0] == before
    result(desk, subject, 0, 1, 4, 3, why="misread")
    assert desk.book(subject)[0].rounds[0].sittings[0] == before.sittings[0]
    result(desk, subject, 0, 1, 0, 4, why="misread")
    winner, loser = before.sittings[1].meeting.all
    finalists = desk.book(subject)[0].rounds[1].sittings[final].meeting.all
    third = desk.book(subject)[0].rounds[1].sittings[1 - final].meeting.all
    assert loser in finalists and winner in third
    result(desk, subject, 1, final, 4, 1)
    assert refused(desk, subject, why="misread", do="result", round=0, at=1, games=[4, 0]) == "drawn_on"
    result(desk, subject, 1, final, 1, 4, why="misread")
    assert folded(desk.book(subject)[1]) == desk.book(subject)[0]
    record.close()


def test_a_knockouts_winner_is_put_right_though_others_play_the_next_round_already(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, "knockout", 8)
    for at in draw(desk, subject):
        result(desk, subject, 0, at, 4, 1)
    draw(desk, subject)
    result(desk, subject, 1, 0, 4, 1)
    first, second = (drawn.sittings for drawn in desk.book(subject)[0].rounds)
    wrong = next(at for at, now in enumerate(first) if not {*now.meeting.all} & {*second[0].meeting.all})
    (winner,), (loser,) = first[wrong].meeting.sides
    result(desk, subject, 0, wrong, 1, 4, why="misread")
    after = [now.meeting for now in desk.book(subject)[0].rounds[1].sittings]
    assert {meeting.bracket for meeting in after if loser in meeting.all} == {MAIN}
    assert {meeting.bracket for meeting in after if winner in meeting.all} == {CONSOLATION}


def test_tables_that_are_broken_or_too_few_make_meetings_wait_and_a_free_one_is_given_out(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, many=6, devices=["a", "b"])
    draw(desk, subject)
    tables = [sitting.meeting.table for sitting in desk.book(subject)[0].rounds[0].sittings]
    assert sorted(tables) == [0, 1, 2]
    waits = tables.index(0)
    spots = [{"number": 1, "device": "a", "broken": True}, {"number": 2, "device": "b"}, {"number": 7}]
    desk.ask(subject, "Zaïna", {"do": "tables", "spots": spots})
    held, changes = desk.book(subject)
    assert held.rounds[0].sittings[waits].meeting.table == 7 and changes[-1].who == "hall"
    on_broken = tables.index(1)
    assert refused(desk, subject, do="move", round=0, at=on_broken, table=1) == "table_taken"
    result(desk, subject, 0, tables.index(2), 4, 0, why="told at the desk")
    desk.ask(subject, "Zaïna", {"do": "move", "round": 0, "at": on_broken, "table": 2}, "the camera fell")
    moved = desk.book(subject)[0].rounds[0].sittings[on_broken]
    assert (moved.meeting.table, moved.device, moved.since) == (2, "b", (None, -1, ""))


@pytest.mark.parametrize("form", ["round_robin", "swiss", "village", "knockout"])
def test_whole_tournaments_go_through_with_players_late_gone_and_matches_called_off(plain: Store, form: str) -> None:
    desk, rng = desk_of(plain), Random(4)
    subject = begun(desk, form, 9, side=2 if form == "village" else 1)
    for number in range(4):
        if number == 1 and form != "knockout":
            desk.ask(subject, "Zaïna", {"do": "enter", "text": "late comer"})
        if number == 2:
            desk.ask(subject, "Zaïna", {"do": "leave", "entrant": "3"})
        for at in draw(desk, subject):
            if number == 2 and at == 0 and form != "knockout":
                desk.ask(subject, "Zaïna", {"do": "off", "round": 2, "at": 0}, "both were called away")
            else:
                result(desk, subject, number, at, 4, rng.randrange(4), walkover=number == 1 and at == 0)
    held, _ = desk.book(subject)
    assert held.open == 0 and len(held.rounds) == 4
    names = desk.register.names()
    assert csv_of(held, names, "standings.csv").count("\r\n") == len(held.entrants) + 1
    entries = csv_of(held, names, "entries.csv")
    assert "player 3" in entries
    assert [entrant.players for entrant in entrants_of(entries)] == [
        (names[int(entrant.players[0])],) for entrant in held.entrants
    ], "what was taken along can be entered elsewhere"
    assert csv_of(held, names, "rounds.csv").startswith("round,table,first,second")


def pairs(held: Held) -> set[frozenset[str]]:
    """Who met whom."""
    return {frozenset(sitting.meeting.all) for now in held.rounds for sitting in now.sittings}


def test_a_round_robin_ends_when_everybody_who_is_there_met_everybody(plain: Store) -> None:
    """One comes late, one leaves before the start: as many rounds as that takes, and the page says so beforehand."""
    desk = desk_of(plain)
    subject = begun(desk, "round_robin", 5)
    desk.ask(subject, "Zaïna", {"do": "leave", "entrant": "2"})
    planned = []
    while not finished(held := desk.book(subject)[0]):
        planned.append(rounds_planned(held))
        if len(planned) == 2:
            desk.ask(subject, "Zaïna", {"do": "enter", "text": "late comer"})
        for at in draw(desk, subject):
            result(desk, subject, len(planned) - 1, at, 4, 1)
    assert pairs(held) == {frozenset(pair) for pair in combinations("13456", 2)}
    assert planned[:3] == [3, 3, 5] and len(planned) < 7, "three for the four who begin, five or so for five"


def test_who_leaves_before_a_knockout_begins_has_no_place_in_its_bracket(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, "knockout", 5)
    desk.ask(subject, "Zaïna", {"do": "leave", "entrant": "5"})
    assert rounds_planned(desk.book(subject)[0]) == 2
    assert draw(desk, subject) == [0, 1]
    for at in (0, 1):
        result(desk, subject, 0, at, 4, 1)
    final, again = desk.ask(subject, "Zaïna", {"do": "draw"}).rounds[1], desk_of(plain)
    assert [sitting.meeting.bracket for sitting in final.sittings][:1] == [MAIN]
    again.refresh()
    assert again.book(subject)[0].rounds[1] == final


def test_no_cell_of_a_table_is_a_formula(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, many=0)
    desk.ask(subject, "Zaïna", {"do": "enter", "text": "=1+1\n@evil"})
    text = csv_of(desk.book(subject)[0], desk.register.names(), "entries.csv")
    assert "'=1+1" in text and "'@evil" in text


@pytest.mark.parametrize(
    ("table", "seats"), [((0, 1, 0, 1), "a c b d"), ((0, 0, 1, 1), "a b c d"), ((0, 1), "a c b d")]
)
def test_partners_sit_where_their_game_has_them(table: Sequence[int], seats: str) -> None:
    assert seated_at([["a", "b"], ["c", "d"]], table) == seats.split()


KILLED = """
import sys
from device.hall.desk import Desk
from device.hall.register import Register
from device.hall.store import Store

store = Store(sys.argv[1])
desk = Desk(store, Register(store))
subject = desk.begin("x", {"title": "t", "form": "swiss", "side": 1}, [])
desk.ask(subject, "x", {"do": "enter", "text": "\\n".join(f"player {n}" for n in range(16))})
while True:
    held = desk.ask(subject, "x", {"do": "draw"})
    for at in range(len(held.rounds[-1].sittings)):
        desk.ask(subject, "x", {"do": "result", "round": len(held.rounds) - 1, "at": at, "games": [4, at % 4]})
        print(len(desk.book(subject)[1]), flush=True)
"""


@pytest.mark.parametrize("after", [3, 30])
def test_a_hall_that_is_killed_keeps_every_change_that_it_took(tmp_path: Path, after: int) -> None:
    address = str(tmp_path / "hall.db")
    with subprocess.Popen([sys.executable, "-c", KILLED, address], stdout=subprocess.PIPE, text=True) as hall:
        assert hall.stdout is not None
        told = [int(hall.stdout.readline()) for _ in range(after)]
        hall.kill()
    store = Store(address)
    desk = desk_of(store)
    (subject,) = desk.refresh()
    held, changes = desk.book(subject)
    assert len(changes) >= told[-1] and held == folded(changes)
    draw_on = held.open == 0
    desk.ask(subject, "x", {"do": "draw", "open_ok": not draw_on})
    store.close()


ODD: Sequence[Any] = (None, -1, 1e999, "", "x" * 5000, [], [[]], {}, {"do": []}, [None], [{}], True, "\x00", 10**400)


def test_whatever_a_phone_asks_for_a_tournament_stays_whole(tmp_path: Path) -> None:
    store, rng = Store(str(tmp_path / "hall.db")), Random(7)
    office = office_of(store, tmp_path)
    office.phones.add("first", OWNER)
    phone = office.phones.all()[0]
    subject = begun(office.desk, many=4)
    draw(office.desk, subject)
    kinds = [*PLAIN, "enter", "player", "draw", "move", "begin", "drawn"]
    names = ("round", "at", "games", "walkover", "entrant", "spots", "planned", "text", "name", "table", "open_ok")
    refused_ = 0
    for _ in range(600):
        change = {name: rng.choice([*ODD, 0, 1, [4, 1], "1"]) for name in names if rng.random() < 0.7}
        if rng.random() < 0.3:
            change["spots"] = [{"number": rng.choice([*ODD, 1, 2]), "device": rng.choice([*ODD, "a"])}]
        asked = {"id": subject, "why": rng.choice(["w", "", None]), "change": {**change, "do": rng.choice(kinds)}}
        try:
            office.asked(phone, "tournament", asked, [])
        except (ChangeError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
            refused_ += 1
    held, changes = office.desk.book(subject)
    assert 0 < refused_ < 600 and held == folded(changes)
    assert json.dumps(office.tournament(subject))
    store.close()


# -- results from tables -----------------------------------------------------------------------------------------------


class Table:
    """A table whose log reaches the store, without a broker between."""

    def __init__(self, store: Store, folder: Path, name: str, names: Sequence[str] = NAMES[:2]) -> None:
        self.store, self.folder, self.name, self.names = store, folder / name, name, names

    def play(self, seed: int) -> tuple[int, ...]:
        """A match, to its end; its games."""
        record = self.play_on(seed)
        record.finish()
        self.send()
        return tuple(record.match.view.games or ())

    def play_on(self, seed: int) -> MatchRecord:
        """A match, to its end; it is not closed yet."""
        match = Match("triomphe", 2, {}, seats=self.names)
        record = MatchRecord.begin(self.folder, match)
        assert isinstance(match.judge, CardJudge)
        for event in honest_match(match.judge.game, Random(seed), 60):
            record.add(event)
            if record.match.view.winner is not None:
                break
        assert record.match.view.winner is not None
        self.send()
        return record

    def send(self) -> None:
        while lines := list(Outbox(self.folder).after(self.store.have(self.name), 10_000)):
            self.store.take_all([(self.name, line) for line in lines])


def test_a_match_that_ends_at_a_table_is_its_meetings_result_and_an_arbiter_has_the_last_word(
    store: Store, tmp_path: Path
) -> None:
    desk, table = desk_of(store), Table(store, tmp_path, "a", ())
    before = table.play(1)
    subject = begun(desk, many=2, devices=["a"])
    draw(desk, subject)
    assert desk.take_results({"a": True}) == set(), f"the match before the round ({before}) is not of it"
    games = table.play(2)
    assert desk.take_results({"a": False}) == set(), "the table does not show that it is over"
    assert desk.take_results({"a": True}) == {subject}
    sitting = desk.book(subject)[0].rounds[0].sittings[0]
    assert sitting.meeting.result is not None and sitting.meeting.result.games == games
    assert sitting.told_by == "a" and sitting.match
    table.play(3)
    assert desk.take_results({"a": True}) == set(), "what is played after it is not of it"
    with pytest.raises(ChangeError, match="why"):
        result(desk, subject, 0, 0, 0, 9)
    result(desk, subject, 0, 0, 0, 9, why="they had changed places")
    desk.take_results({"a": True})
    sitting = desk.book(subject)[0].rounds[0].sittings[0]
    assert sitting.meeting.result is not None and sitting.meeting.result.games == (0, 9)


def test_a_table_that_is_away_when_a_round_is_drawn_tells_nothing_by_itself(plain: Store, tmp_path: Path) -> None:
    """It may have a match to send that was over before."""
    desk = Desk(plain, Register(plain), lambda device: device != "a")
    subject = begun(desk, many=2, devices=["a"])
    draw(desk, subject)
    Table(plain, tmp_path, "a").play(2)
    assert desk.take_results({"a": True}) == set()
    assert desk.book(subject)[0].rounds[0].sittings[0].since is None


class LateTable(Table):
    """Its log does not reach the hall before it is sent."""

    def send(self) -> None:
        pass


@pytest.mark.parametrize("says", [1, None])
def test_a_match_played_before_the_draw_is_never_the_new_rounds_result_though_its_log_comes_later(
    plain: Store, tmp_path: Path, says: int | None
) -> None:
    """As when the hall is new, or the table has another name or card; an older table does not say what it has."""
    desk, table = Desk(plain, Register(plain), newest=lambda device: says), LateTable(plain, tmp_path, "a", ())
    table.play(1)
    subject = begun(desk, many=2, devices=["a"])
    draw(desk, subject)
    Table.send(table)
    assert desk.take_results({"a": True}) == set()
    games = table.play(2)
    Table.send(table)
    desk.take_results({"a": True})
    told = desk.book(subject)[0].rounds[0].sittings[0].meeting.result
    assert (told and told.games) == (games if says else None)


def test_a_match_of_other_people_or_in_another_game_is_no_result(plain: Store, tmp_path: Path) -> None:
    desk = desk_of(plain)
    cards = begun(desk, many=2, devices=["a"], game="turufu")
    draw(desk, cards)
    evening = begun(desk, many=2, devices=["a"], game="triomphe")
    draw(desk, evening)
    Table(plain, tmp_path, "a", ("Moina", "Saïd")).play(5)
    assert desk.take_results({"a": True}) == set(), "friends who play on"
    Table(plain, tmp_path, "a", ("player 1", "Saïd")).play(6)
    assert desk.take_results({"a": True}) == {evening}, "one of them is known: the other name may be spelled otherwise"
    assert desk.book(cards)[0].rounds[0].sittings[0].meeting.result is None


def test_teams_entered_by_one_name_each_play_a_game_of_four(plain: Store) -> None:
    desk = desk_of(plain)
    subject = begun(desk, many=2, devices=["a"], game="turufu")
    draw(desk, subject)
    held = desk.book(subject)[0]
    (sitting,) = held.rounds[0].sittings
    played = Played("a", "m", 1, 0.0, "turufu", (0, 1, 0, 1), (5, 3), 0)
    assert may_be(sitting, held, played, {})


def test_in_a_knockout_a_draw_is_played_off_and_the_decider_is_the_result(
    plain: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, table = desk_of(plain), Table(plain, tmp_path, "a", ("player 1", "player 2"))
    subject = begun(desk, "knockout", 2, ["a"])
    draw(desk, subject)
    drawn_ones = [table.play(1)]

    def ended_level(journal: str, *more: Any) -> Any:
        found = ended(journal, *more)
        return (found and drawn_ones and (found[0], found[1], (3, 3), None)) or found

    monkeypatch.setattr("device.hall.register.ended", ended_level)
    assert desk.take_results({"a": True}) == set()
    drawn_ones.clear()
    games = table.play(2)
    assert desk.take_results({"a": True}) == {subject}
    told = desk.book(subject)[0].rounds[0].sittings[0].meeting.result
    assert told is not None and sorted(told.games) == sorted(games)


def test_after_its_end_a_tournament_is_changed_by_an_arbiter_alone(plain: Store, tmp_path: Path) -> None:
    """Somebody takes the last card back at the table, once everybody has gone home."""
    desk, table = desk_of(plain), Table(plain, tmp_path, "a", ())
    subject = begun(desk, many=2, devices=["a"])
    draw(desk, subject)
    record = table.play_on(5)
    assert desk.take_results({"a": True}) == {subject}
    desk.ask(subject, "Zaïna", {"do": "end"})
    before = desk.book(subject)
    record.add(Undo())
    table.send()
    again = desk_of(plain)  # One that did not read this log just now reads it at once.
    again.refresh()
    assert again.take_results({"a": True}) == set() and again.book(subject) == before
    desk.ask(subject, "Zaïna", {"do": "result", "round": 0, "at": 0, "games": [9, 0]}, "counted again")
    record.close()


def test_who_sits_the_other_way_round_is_known_by_name(plain: Store, tmp_path: Path) -> None:
    desk = desk_of(plain)
    subject = begun(desk, many=2, devices=["a"])
    draw(desk, subject)
    sides = desk.book(subject)[0].rounds[0].sittings[0].meeting.sides
    names = [f"player {sides[1][0]}", f"player {sides[0][0]}"]
    games = Table(plain, tmp_path, "a", names).play(5)
    desk.take_results({"a": True})
    told = desk.book(subject)[0].rounds[0].sittings[0].meeting.result
    assert told is not None and told.games == games[::-1] != games


def read(register: Register, *over: str) -> list[str]:
    """The tables of which a result was read."""
    return [played.table for played in register.read_results(dict.fromkeys(over, True))]


def test_a_log_that_cannot_be_judged_keeps_no_other_tables_result_from_the_hall_and_is_told_of_once(
    plain: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever it is that fails, and where: here it is the end of the match, once all its events were taken."""

    class Odd(Match):
        @property
        def view(self) -> View:
            if self.header.game == "turufu":
                raise IndexError("nobody foresaw it")
            return super().view

    monkeypatch.setattr("device.hall.results.Judged", Odd)
    register, odd = Register(plain), Table(plain, tmp_path, "a")
    record = MatchRecord.begin(odd.folder, Match("turufu", 4))
    assert isinstance(record.match.judge, CardJudge)
    events = honest_match(record.match.judge.game, Random(1), 1)
    record.add(events[0])
    odd.send()
    Table(plain, tmp_path, "b").play(3)
    assert read(register, "a", "b") == ["b"]
    for event in events[1:5]:
        record.add(event)
        odd.send()
        time.sleep(0.05)
        assert read(register, "a", "b") == []
    record.close()
    assert [entry.message for entry in caplog.records] == ["a table's log cannot be judged"]


def test_a_log_that_takes_too_long_to_judge_gives_no_result_and_the_others_come_first(
    plain: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.hall.results.MOST_S", 0.1, raising=False)
    slow = Table(plain, tmp_path, "a")
    slow.play(1)
    (match,) = plain.matches("a")
    seal, folder, lines = plain.have("a").hash, plain.have("a").folder, []
    for number in range(match.number + 1, match.number + 301):
        line = event_line(number, Correct(2, {"confidence": 0.5 + number % 2 / 2}))
        seal = chained(seal, line)
        lines.append(Logged(match.id, match.order, number, seal, line, (), folder))
    plain.take_all([("a", line) for line in lines])
    Table(plain, tmp_path, "b").play(3)
    register = Register(plain)
    judged: list[int] = []

    def noted(journal: str, *more: Any) -> Any:
        judged.append(journal.count("\n"))
        return ended(journal, *more)

    monkeypatch.setattr("device.hall.register.ended", noted)
    begun_s = time.thread_time()
    assert read(register, "a", "b") == ["b"]
    assert time.thread_time() - begun_s < 1.0
    assert judged == sorted(judged) and len(judged) == 2, "the short one first"


# -- the league --------------------------------------------------------------------------------------------------------


def test_who_wins_is_rated_higher_and_each_game_has_ratings_of_its_own() -> None:
    met = [Met(float(n), "turufu", ((1, 2), (3, 4)), (4, n % 3), "a") for n in range(12)]
    lines = rated([*met, Met(20.0, "mraha", ((3,), (1,)), (1, 0), "b")])
    cards, seeds = lines["turufu"], lines["mraha"]
    assert cards[1].rating > 1000 > cards[3].rating - 200 and cards[1].rating > cards[3].rating
    assert (cards[1].matches, cards[1].won, cards[3].won) == (12, 12, 0)
    assert seeds[3].rating > seeds[1].rating and set(seeds) == {1, 3}
    assert cards[1].spread < rated(met[:1])["turufu"][1].spread, "the more is played, the surer"
    assert len(cards[1].curve) == 12


def office_of(store: Store, folder: Path) -> Office:
    desk = desk_of(store)
    return Office(store, desk.register, desk, Phones(folder))


def test_a_television_shows_who_won_until_somebody_ends_the_tournament_or_another_begins(
    plain: Store, tmp_path: Path
) -> None:
    office = office_of(plain, tmp_path)
    subject = begun(office.desk, many=2, planned=1)
    draw(office.desk, subject)
    result(office.desk, subject, 0, 0, 4, 1)
    assert not office.summary()[subject]["over"], "all is played, and everybody reads the standings"
    other = begun(office.desk, many=2)
    assert not office.summary()[subject]["over"], "the next one is only prepared"
    draw(office.desk, other)
    office.desk.ask(other, "Zaïna", {"do": "undrawn"}, "somebody came")
    assert not office.summary()[subject]["over"], "nor does a draw that was taken back begin it"
    draw(office.desk, other)
    assert office.summary()[subject]["over"] and not office.summary()[other]["over"]
    result(office.desk, subject, 0, 0, 4, 2, why="counted again")
    assert office.summary()[subject]["over"]
    office.desk.ask(other, "Zaïna", {"do": "end"})
    assert office.summary()[other]["over"]


def test_the_league_counts_each_match_once_and_only_with_everybodys_name(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office = office_of(store, tmp_path)
    subject = begun(office.desk, many=2, devices=["a"], game="triomphe")
    draw(office.desk, subject)
    Table(store, tmp_path, "a", ["player 1", "player 2"]).play(2)
    Table(store, tmp_path, "b").play(3)
    Table(store, tmp_path, "c", []).play(4)
    office.desk.take_results({"a": True, "b": True, "c": True})
    told = office.looked("league", {})
    assert {line["name"]: line["matches"] for line in told["lines"]} == {
        "player 1": 1, "player 2": 1, "Zaïna": 1, "Ali": 1,
    }  # fmt: skip
    page = office.looked("player", {"id": told["lines"][0]["id"]})
    assert page["name"] == told["lines"][0]["name"] and len(page["matches"]) == 1 and page["more"] == 0
    monkeypatch.setattr("device.hall.office.MOST_SHOWN", 0)
    assert office.looked("player", {"id": page["id"]})["more"] == 1, "and says how many it does not show"
    assert json.dumps(page)


def counted(office: Office) -> dict[str, int]:
    """How many matches of everybody the league counts."""
    return {line["name"]: line["matches"] for line in office.looked("league", {})["lines"]}


def test_a_name_is_one_persons_however_its_accent_was_typed(plain: Store) -> None:
    """As one letter, as most keyboards do, or as a letter and a sign, as a list from some computers has it."""
    one, other = unicodedata.normalize("NFC", "Zaïna"), unicodedata.normalize("NFD", "ZAÏNA")
    desk = desk_of(plain)
    person = desk.register.person(other)
    assert desk.register.person(one) == person
    subject = begun(desk, many=0)
    assert refused(desk, subject, do="enter", text=f"{one}\n{other}") == "entry_twice"
    desk.ask(subject, "Zaïna", {"do": "enter", "text": other}, f"as {other} asked")
    assert refused(desk, subject, do="enter", text=one) == "entry_twice"
    assert desk.register.forget(one).found
    assert "ZAÏNA" not in unicodedata.normalize("NFC", everything(plain))


def test_a_name_that_an_older_version_kept_with_a_loose_accent_is_still_the_same_persons(tmp_path: Path) -> None:
    place, loose = str(tmp_path / "hall.db"), unicodedata.normalize("NFD", "Zaïna")
    older = Store(place)
    for person, name in ((7, loose), (8, unicodedata.normalize("NFD", "Saïd"))):
        older.do("INSERT INTO hall_people (id, name, key) VALUES (?,?,?)", person, name, name.casefold())
    older.do("INSERT INTO hall_people (id, name, key) VALUES (?,?,?)", 9, "Saïd", name_key("Saïd"))
    forgotten = Register(older).person("Ali")
    Register(older).forget("Ali")
    older.close()
    store = Store(place)
    register = Register(store)
    assert [register.person(name) for name in ("Zaïna", loose, "Saïd")] == [7, 7, 9]
    assert register.person("") != forgotten
    store.close()


def test_a_number_of_an_entry_is_never_given_again(plain: Store) -> None:
    """Else a log of changes would tell of somebody else."""
    desk = desk_of(plain)
    subject = begun(desk, many=3)
    desk.ask(subject, "Zaïna", {"do": "out", "entrant": "3"})
    held = desk.ask(subject, "Zaïna", {"do": "enter", "text": "Moina"})
    assert [entrant.id for entrant in held.entrants] == ["1", "2", "4"]


def test_the_league_counts_a_match_once_though_its_result_was_corrected(plain: Store, tmp_path: Path) -> None:
    office = office_of(plain, tmp_path)
    subject = begun(office.desk, many=2, devices=["a"], game="triomphe")
    draw(office.desk, subject)
    Table(plain, tmp_path, "a", ["player 1", "player 2"]).play(2)
    assert office.desk.take_results({"a": True}) == {subject}
    result(office.desk, subject, 0, 0, 5, 4, why="the camera missed a trick")
    assert counted(office) == {"player 1": 1, "player 2": 1}


def test_the_league_counts_a_match_once_though_its_result_was_written_down(plain: Store, tmp_path: Path) -> None:
    """The table was away at the draw; what they play there afterwards for fun counts beside it."""
    desk = Desk(plain, Register(plain), lambda device: False)
    office = Office(plain, desk.register, desk, Phones(tmp_path))
    subject = begun(desk, many=2, devices=["a"], game="triomphe")
    draw(desk, subject)
    table = Table(plain, tmp_path, "a", ["player 1", "player 2"])
    table.play(2)
    desk.take_results({"a": True})
    result(desk, subject, 0, 0, 5, 4)
    assert counted(office) == {"player 1": 1, "player 2": 1}
    table.play(3)
    desk.take_results({"a": True})
    assert counted(office) == {"player 1": 2, "player 2": 2}


# -- forgotten ---------------------------------------------------------------------------------------------------------


def everything(store: Store) -> str:
    tables = ("people", "seats", "played", "changes", "log", "lines", "early", "matches", "tables")
    return "\n".join(str(row) for name in tables for row in store.do(f"SELECT * FROM hall_{name}"))


def test_a_forgotten_player_is_in_nothing_that_is_kept_and_what_was_played_stays(store: Store, tmp_path: Path) -> None:
    office = office_of(store, tmp_path / "office")
    subject = begun(office.desk, many=0)
    office.desk.ask(subject, "Ali", {"do": "enter", "text": "Ali\nZaïna\nAlima"})
    draw(office.desk, subject)
    office.desk.ask(subject, "Zaïna", {"do": "leave", "entrant": "3"}, "ALI saw Alima go")
    Table(store, tmp_path, "b").play(3)
    office.desk.take_results({"b": True})
    gone = office.forget("Zaïna", "ali")
    assert gone.found and gone.remarks == 2
    kept = everything(store)
    assert "Ali'" not in kept and "ALI" not in kept and "Alima" in kept and "Zaïna" in kept
    shown = office.tournament(subject)
    assert [entrant["names"] for entrant in shown["entrants"]] == [["–"], ["Zaïna"], ["Alima"]]
    names = {line["name"] for line in office.looked("league", {})["lines"]}
    assert names == {"Zaïna"}
    assert not office.forget("Zaïna", "Ali").found


def test_an_older_log_with_names_in_it_loses_them_at_both_ends_and_the_seals_still_fit(
    store: Store, tmp_path: Path
) -> None:
    table = Table(store, tmp_path, "a")
    table.play(1)
    (path,) = table.folder.glob("*.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines()
    import zlib

    body = json.dumps({**{k: v for k, v in json.loads(lines[0]).items() if k != "crc"}, "seats": list(NAMES[:2])})
    path.write_text("\n".join([f'{body[:-1]},"crc":"{zlib.crc32(body.encode()):08x}"}}', *lines[1:]]) + "\n")
    path.with_name(path.name.split(".")[0] + ".names.json").unlink()
    with store.changing():
        for name in ("lines", "matches", "tables", "seats", "people"):
            store.do(f"DELETE FROM hall_{name}")
    table.send()
    assert '"Ali"' in everything(store)
    assert Register(store).forget("Ali").logs == 1
    assert "Ali" not in everything(store)
    forget("Ali", table.folder)
    assert store.journal("a", store.matches("a")[0].id) == path.read_text(encoding="utf-8")
    assert list(Outbox(table.folder).after(store.have("a"), 10_000)) == [], "both ends hold the same log again"
    assert store.have("a") != Have()


def test_a_hall_that_runs_hears_that_a_name_was_taken_out_beside_it(store: Store) -> None:
    desk = desk_of(store)
    subject = begun(desk)
    desk.ask(subject, "Ali", {"do": "leave", "entrant": "2"}, "Zaïna saw it")
    Register(store).person("Zaïna")
    Register(store).forget("Zaïna")
    assert desk.refresh() == {subject}
    assert desk.book(subject)[1][-1].why == "– saw it"


def test_who_is_entered_without_a_rating_has_the_leagues(plain: Store, tmp_path: Path) -> None:
    office = office_of(plain, tmp_path)
    Table(plain, tmp_path, "b", ["Zaïna", "Ali"]).play(3)
    office.desk.take_results({"b": True})
    subject = begun(office.desk, many=0, game="triomphe")
    office.desk.ask(subject, "x", {"do": "enter", "text": "Zaïna\nAli\nFatima\nSaïd,1234"})
    ratings = {entrant["names"][0]: entrant["rating"] for entrant in office.tournament(subject)["entrants"]}
    league = {line["name"]: line["rating"] for line in office.looked("league", {})["lines"]}
    assert ratings == {**league, "Fatima": 0, "Saïd": 1234}


def test_forgetting_at_the_hall_is_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(str(tmp_path / "hall.db"))
    Register(store).person("Ali")
    store.close()
    said = ["hall", "forget", "Ali", "--folder", str(tmp_path), "--lang", "en"]
    assert cli.main(said) == 0 and "Ali" in capsys.readouterr().out
    assert cli.main(said) != 0


# -- roles -------------------------------------------------------------------------------------------------------------


def test_the_first_phone_is_the_owners_and_others_are_what_the_owner_says(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "hall.db"))
    office = office_of(store, tmp_path)
    phones = office.phones
    for name in ("first", "second"):
        phones.add(name, office.role_of_new())
    by_name = {phone.name: phone for phone in phones.all()}
    first, second = by_name["first"], by_name["second"]
    assert may(first, "phones") and not may(second, "phones") and may(second, "tournament") and not may(None, "begin")
    assert may(None, "league") and may(None, "file")
    with pytest.raises(ChangeError, match="last_owner"):
        office.asked(first, "role", {"id": first.id, "role": "looks"}, [])
    office.asked(first, "role", {"id": second.id, "role": "looks"}, [])
    now = phones.now(second)
    assert now is not None and not may(now, "tournament") and not may(now, "command")
    office.asked(first, "me", {"name": "Zaïna"}, [])
    with pytest.raises(ChangeError, match="name_taken"):
        office.asked(second, "me", {"name": "zaïna"}, [])
    office.asked(first, "forget_phone", {"id": second.id}, [])
    assert [phone.name for phone in phones.all()] == ["Zaïna"]
    assert [what for _, _, what, _ in store.notes()][::-1] == ["second: looks", "second: –"]
    store.close()
