"""Whoever may write to the broker: nobody's log is lost by it, no page is blank, and nobody has a code shown."""

import json
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from device.hall.desk import first_since
from device.hall.results import Played
from device.hall.run import Hall
from device.hall.site import allowed_command
from device.hall.store import TAKEN, UNSIGNED, Store, StoredMatch
from device.hall.tournament.held import Sitting
from device.hall.tournament.rounds import Meeting
from device.hall.worker import Worker
from device.keeping.journal import MatchRecord, kept
from device.outputs.broker.link import Link
from device.outputs.broker.messages import START, Have, Logged, Stamp, chained, packed, said, topic
from device.outputs.broker.output import Broker, told
from device.web.site import Refused
from engine.match import Match
from engine.strict_json import BadJson, Fields
from tests.device.hall.brokers import Mosquitto, mosquitto, show_of, soon
from tests.device.hall.test_logs import begun, held, journals
from tests.device.outputs.broker.test_broker import Following
from tests.device.outputs.page.room import phone
from tests.sizes import some

UNREADABLE = {
    "no number": b'{"view": {"game": "turufu", "points": [NaN, 1]}, "scores": [1, 2]}',
    "too large": b'{"view": {"game": "turufu"}, "scores": [1e400, 2]}',
    "deep": b'{"view": ' + b'{"a":' * 975 + b"1" + b"}" * 976,
    "half a letter": b'{"view": {"game": "turufu"}, "seats": ["\\ud800"]}',
    "zero": b'{"view": {"game": "\\u0000"}, "alert": "\\u0000"}',
    "large": b'{"view": {"game": "turufu", "trick": [' + b"7," * 20_000 + b"7]}}",
}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def stranger(broker: Mosquitto) -> Iterator[Link]:
    """Somebody on the broker."""
    link = Link(broker.address, "stranger", lambda *heard: True)
    link.open()
    soon(lambda: link.there)
    yield link
    link.close()


@pytest.fixture
def worker(broker: Mosquitto, store_address: str) -> Iterator[Worker]:
    store = Store(store_address)
    worker = Worker(broker.address, store)
    worker.start()
    soon(lambda: worker.there)
    yield worker
    worker.close()
    store.close()


class Card:
    """A card in a table: its matches, and the table that plays on with them."""

    def __init__(self, broker: Mosquitto, folder: Path, name: str = "a", seed: int = 1) -> None:
        self.folder, self.seed = folder, seed
        self.output = Broker(broker.address, name, folder)
        self.show()

    def play(self, matches: int = 1, finished: bool = True) -> None:
        for _ in range(matches):
            record, events = begun(self.folder, self.seed)
            self.seed += 1
            for event in events[:12]:
                record.add(event)
            record.finish() if finished else record.close()
            self.show(0)
            self.show(len(record.match.log))

    def show(self, events: int = 99) -> None:
        show = show_of(Match("turufu", 4))
        show.extra["events"] = events  # type: ignore[index]
        self.output.show(show)

    def take_out(self) -> None:
        self.output.close()


def has_all(store: Store, table: str, *cards: Card) -> bool:
    """Whether the hall holds the journals of all these cards and no others."""
    return sorted(held(store, table)) == sorted(text for card in cards for text in journals(card.folder))


def test_a_new_card_under_the_same_name_is_another_store_of_matches(
    broker: Mosquitto, worker: Worker, tmp_path: Path
) -> None:
    """Matches are numbered anew on it; and the old one may come back."""
    store = worker.store
    first = Card(broker, tmp_path / "first")
    first.play(3)
    soon(partial(has_all, store, "a", first))
    first.take_out()
    second = Card(broker, tmp_path / "second", seed=50)
    second.play(4)
    soon(partial(has_all, store, "a", first, second))
    second.take_out()
    again = Card(broker, tmp_path / "first", seed=90)
    again.play(2)
    soon(partial(has_all, store, "a", again, second))
    again.take_out()


def test_a_match_of_another_card_is_not_taken_for_the_meeting_that_waits_for_its_table() -> None:
    """It may have been played before; on the card that was in the table it is the first that began since."""
    meeting = Meeting(1, (("1",), ("2",)))
    played = [Played("a", match, order, 1.0, "turufu", (0, 1), (1, 0), 0) for match, order in (("new", 1), ("old", 9))]
    known = {("a", match): StoredMatch("a", match, order, 5, 1.0, card) for match, order, card in
             (("new", 1, "b" * 8), ("old", 9, "c" * 8), ("before", 8, "c" * 8))}  # fmt: skip
    for since, found in (
        (("before", 4, "c" * 8), "old"), ((None, -1, "b" * 8), "new"), (("before", 4, ""), "old"),
        ((None, -1, "d" * 8), None),
    ):  # fmt: skip
        first = first_since(Sitting(meeting, "a", since), played, known)
        assert (first and first.match) == found


PURGES = {
    "all": ("hall_tables", "hall_matches", "hall_lines", "hall_folders", "hall_early", "hall_seats"),
    "matches": ("hall_matches",),
    "lines": ("hall_lines",),
    "tables": ("hall_tables",),
    "folders": ("hall_folders",),
}


def stays_empty(store: Store, tables: Sequence[str]) -> bool:
    """Empties the store; False: lines that had been on their way came after that."""
    for table in tables:
        store.do(f"DELETE FROM {table}")
    time.sleep(0.2)
    return not held(store, "a")


@pytest.mark.parametrize("what", PURGES)
def test_what_somebody_deleted_from_the_store_comes_again_or_stays_away_and_nothing_stands_still(
    broker: Mosquitto, worker: Worker, tmp_path: Path, what: str
) -> None:
    store, card = worker.store, Card(broker, tmp_path / "card")
    card.play(2)
    soon(partial(has_all, store, "a", card))
    for table in PURGES[what]:
        store.do(f"DELETE FROM {table}")
    card.play(1)
    soon(lambda: journals(card.folder)[-1] in held(store, "a"))
    if what == "all":  # To a hall that holds nothing all is sent, as soon as the table comes again.
        card.take_out()
        soon(lambda: not worker.tables["a"].online)
        soon(partial(stays_empty, store, PURGES[what]))
        card = Card(broker, card.folder, seed=20)
        soon(partial(has_all, store, "a", card))
    card.take_out()


def test_the_last_lines_of_a_match_that_somebody_deleted_come_again(
    broker: Mosquitto, worker: Worker, tmp_path: Path
) -> None:
    store, card = worker.store, Card(broker, tmp_path / "card")
    card.play(1)
    soon(partial(has_all, store, "a", card))
    card.take_out()
    store.do("DELETE FROM hall_lines WHERE number > 5")
    card = Card(broker, card.folder, seed=9)
    soon(partial(has_all, store, "a", card))
    card.take_out()


def test_an_absurd_number_of_a_match_holds_nothing_up(
    broker: Mosquitto, worker: Worker, stranger: Link, tmp_path: Path
) -> None:
    """On the card itself, and in a line that somebody else made up."""
    folder = tmp_path / "card"
    record, events = begun(folder)
    for event in events[:5]:
        record.add(event)
    record.finish()
    (only,) = kept(folder)
    for beside in folder.glob("match-0001-*"):
        beside.rename(folder / beside.name.replace("match-0001-", "match-999999999-"))
    assert only.number == 1
    made_up = Logged("ab" * 16, 2**53 - 1, 0, chained(START, "{}"), "{}", folder="cd" * 16)
    stranger.send(topic("a", "event"), made_up.pack())
    card = Card(broker, folder, seed=7)
    card.play(2)
    soon(lambda: set(journals(folder)) <= set(held(worker.store, "a")))
    stranger.send(topic("a", "event"), made_up.pack())
    card.play(1)
    soon(lambda: set(journals(folder)) <= set(held(worker.store, "a")), 20.0)
    assert [match.number for match in kept(folder)] == [999999999, 10**9, 10**9 + 1, 10**9 + 2]
    card.take_out()


ODD_HAVES = [
    b'{"match": null, "number": -5, "hash": "x"}', b'{"number": -1000000}', b'{"match": "abcdef01", "number": -7}',
    b'{"match": 3}', b"[]", b'{"number": 1e400}', b'{"match": "ffffffff", "number": 999999999}', b"\xff",
    Have("ab" * 16, 10**6, "0" * 64, "ef" * 16).pack(), Have("ab" * 16, 3).pack(),
]  # fmt: skip


def test_what_is_said_to_be_held_ends_no_log(broker: Mosquitto, worker: Worker, stranger: Link, tmp_path: Path) -> None:
    card = Card(broker, tmp_path / "card")
    for number, odd in enumerate(ODD_HAVES):
        stranger.send(topic("a", "have"), odd, retain=number % 2 == 0)
        card.play(1)
    soon(lambda: worker.store.have("a").match is not None)
    ours = worker.store.have("a")
    stranger.send(topic("a", "have"), Have(ours.match, -(10**6), ours.hash, ours.folder).pack())
    card.play(1)
    soon(partial(has_all, worker.store, "a", card), 30.0)
    card.take_out()


@pytest.mark.parametrize("spoiled", [b"\0" * 40, b"x" * 20_000], ids=["zeros", "long"])
def test_a_spoiled_line_holds_up_no_match_after_it(
    broker: Mosquitto, worker: Worker, tmp_path: Path, spoiled: bytes
) -> None:
    """As a failing disk leaves it: no event stands there in the midst of a match that is over."""
    folder = tmp_path / "card"
    first = Card(broker, folder)
    first.output.close()
    first.play(1)
    (path,) = [match.path for match in kept(folder)]
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:4], spoiled, *lines[5:]]))
    first.take_out()
    card = Card(broker, folder, seed=5)
    card.play(1)
    soon(lambda: journals(folder)[-1] in held(worker.store, "a"))
    card.take_out()


@pytest.mark.parametrize("name", some(list(UNREADABLE), 3))
def test_one_table_blanks_no_page(chromium: Any, broker: Mosquitto, stranger: Link, tmp_path: Path, name: str) -> None:
    table = Following(broker.address, tmp_path / "b", name="b", title="Table b")
    stranger.send(topic("odd", "status"), packed({"online": True, "title": "Odd"}), retain=True)
    stranger.send(topic("odd", "view"), UNREADABLE[name], retain=True)
    hall = Hall(broker.address, str(tmp_path / "hall.db"), tmp_path / "hall", ("127.0.0.1", 0), "en")
    hall.start()
    try:
        assert hall.address
        with phone(chromium, f"{hall.address}#/") as page:
            page.get_by_text("Table b").wait_for()
            stranger.send(topic("b2", "view"), UNREADABLE[name], retain=True)
            page.get_by_text("Odd").first.click()
            page.get_by_role("link", name="All tables").click()
            page.get_by_text("Table b").wait_for()
            assert page.evaluate("fetch('/').then(answer => answer.text()).then(text => text.length)") < 60_000
    finally:
        hall.close()
        table.output.close()


def test_nobody_else_writes_the_log_of_a_table_that_was_paired(
    broker: Mosquitto, worker: Worker, stranger: Link, tmp_path: Path
) -> None:
    table = Following(broker.address, tmp_path / "a")
    soon(lambda: "a" in worker.tables)
    assert not worker.tables["a"].paired
    code = table.output.pairing.open()
    assert worker.finish_pairing("a", worker.begin_pairing("a"), code)
    assert worker.tables["a"].paired
    record, events = begun(tmp_path / "a")
    record.add(events[0])
    table.output.show(show_of(record.match))
    soon(lambda: held(worker.store, "a") == journals(tmp_path / "a"))
    soon(lambda: worker.tables["a"].signed)
    stranger.send(topic("a", "view"), packed({"sentences": ["made up"]}))
    have = worker.store.have("a")
    assert have.match is not None
    forged = Logged(have.match, 1, have.number + 1, chained(have.hash, "{}"), "{}", folder=have.folder)
    stranger.send(topic("a", "event"), forged.pack())
    stranger.send(topic("a", "event"), forged.pack(b"x" * 32, "a"))
    soon(lambda: worker.tables["a"].trouble == UNSIGNED)
    record.add(events[1])
    table.output.show(show_of(record.match))
    soon(lambda: held(worker.store, "a") == journals(tmp_path / "a"))
    soon(lambda: worker.tables["a"].trouble == "")
    assert worker.tables["a"].confirmed and worker.tables["a"].view["sentences"] != ["made up"]
    record.close()
    table.output.close()


def test_lines_are_signed_for_one_table_and_as_lines(store: Store) -> None:
    key, line = b"k" * 32, Logged("ab" * 16, 1, 0, chained(START, "{}"), "{}")
    store.set_key("t", key)
    for other in (line.pack(), line.pack(key, "other"), line.pack(b"x" * 32, "t")):
        assert store.take_all([("t", Logged.unpack(other))]) == {"t": [UNSIGNED]}
    assert store.take_all([("t", Logged.unpack(line.pack(key, "t")))]) == {"t": [TAKEN]}


def test_made_up_tables_take_no_place_of_one_that_is_paired_and_are_said_to_be_unconfirmed(
    broker: Mosquitto, stranger: Link, store_address: str, tmp_path: Path
) -> None:
    store = Store(store_address)
    store.set_key("a", b"k" * 32)
    worker = Worker(broker.address, store, most_unconfirmed=20)
    worker.start()
    soon(lambda: worker.there)
    time.sleep(0.2)  # What it asks for follows the connection.
    state = {**told(show_of(Match("turufu", 4))), "sentences": ["x" * 900] * 50}
    for number in range(200):
        stranger.send(topic(f"m{number}", "status"), packed({"online": True}))
        stranger.send(topic(f"m{number}", "view"), packed(state))
    soon(lambda: worker.left_out == 180)
    table = Following(broker.address, tmp_path / "a")
    soon(lambda: "a" in worker.tables and worker.tables["a"].online)
    assert len(worker.tables) == 21 and worker.tables["a"].paired
    stranger.send(topic("m3", "status"), packed({"online": False}))
    stranger.send(topic("m777", "status"), packed({"online": True}))
    soon(lambda: "m777" in worker.tables and "m3" not in worker.tables)
    table.output.close()
    worker.close()
    store.close()


def test_two_devices_of_one_name_are_both_told_and_lose_nothing(
    broker: Mosquitto, worker: Worker, tmp_path: Path
) -> None:
    following, two = (Following(broker.address, tmp_path / name, name="a") for name in ("one", "two"))
    soon(lambda: "table_twice" in following.live.show.troubles and "table_twice" in two.live.show.troubles)
    soon(lambda: "a" in worker.tables and worker.tables["a"].clashes)
    first, second = Card(broker, tmp_path / "three"), Card(broker, tmp_path / "four", seed=40)
    for _ in range(3):
        first.play(1)
        second.play(1)
    soon(partial(has_all, worker.store, "a", first, second), 40.0)
    for card in (first, second):
        card.take_out()
    two.output.close()
    soon(lambda: "table_twice" not in following.live.show.troubles)
    soon(lambda: not worker.tables["a"].clashes and worker.tables["a"].online)
    following.output.close()


def test_nobody_at_the_broker_has_a_code_shown(broker: Mosquitto, stranger: Link, tmp_path: Path) -> None:
    table = Following(broker.address, tmp_path / "a")
    for number in range(100):
        stranger.send(topic("a", "pair/hall"), packed({"begin": True, "id": str(number)}))
        stranger.send(topic("a", "pair/hall"), packed({"id": str(number), "spake": "42" + "00" * 32, "confirm": "0"}))
    time.sleep(0.5)
    assert table.code is None and table.output.pairing.code is None
    table.output.close()


@pytest.mark.parametrize("role", ["arbiter", "owner", "looks", ""])
def test_an_arbiter_has_a_table_do_what_is_on_the_list_and_no_more(role: str) -> None:
    asked = {"do": "undo", "by": "somebody else", "names": ["x"], "since": 3, "events": 4}
    assert allowed_command(Fields(asked), role) == {"do": "undo", "since": 3, "events": 4}
    assert allowed_command(Fields({**asked, "do": "redo"}), role) == {"do": "redo", "events": 4}
    assert allowed_command(Fields({"do": "answer", "key": "k", "answer": 1}), role)
    score = {"do": "score", "points": [3, 1], "reason": "counted", "by": "x", "number": 4}
    assert allowed_command(Fields(score), role) == {"do": "score", "points": [3, 1], "reason": "counted"}
    for do in ("correct", "new_match"):
        change: dict[str, Any] = {"do": do, "number": 1, "changes": {}}
        if role == "owner":
            assert allowed_command(Fields(change), role)["do"] == do
        else:
            with pytest.raises(Refused, match="not_allowed"):
                allowed_command(Fields(change), role)
    for odd in ({"do": "forget", "name": "Ali"}, {"do": "seat", "names": ["Ali"]}, {"do": "act"}, {"do": ["undo"]}, {},
                {"do": "score", "points": 3}, {"do": "score", "points": [1] * 99},
                {"do": "score", "points": [1, 1], "reason": "x" * 999}):  # fmt: skip
        with pytest.raises((Refused, BadJson)):
            allowed_command(Fields(odd), role)


def test_a_name_that_was_forgotten_stands_nowhere_in_the_halls_log(broker: Mosquitto, tmp_path: Path) -> None:
    hall = Hall(broker.address, str(tmp_path / "hall.db"), tmp_path / "hall", ("127.0.0.1", 0), "en")
    assert hall.site is not None
    office = hall.site.office
    hall.site.phones.add("Moina", "owner")
    office.register.person("Ali")
    office.store.note("Moina", "t: undo", "Ali was late")
    office.forget("Moina", "Ali", "asked for by ALI himself")
    assert "ali" not in json.dumps(office.store.notes()).casefold()
    hall.store.close()


def test_a_record_is_begun_with_a_second_copy_of_its_first_line(tmp_path: Path) -> None:
    record = MatchRecord.begin(tmp_path, Match("turufu", 4))
    record.close()
    assert len([*tmp_path.glob("match-0001*.header")]) == 1


def test_what_a_paired_table_shows_is_signed_and_nothing_made_up_takes_its_place(
    broker: Mosquitto, stranger: Link, store_address: str
) -> None:
    key, store = b"k" * 32, Store(store_address)
    store.set_key("a", key)
    worker = Worker(broker.address, store)
    worker.start()
    try:
        soon(lambda: worker.there)
        state = told(show_of(Match("turufu", 4)))
        made_up = {**state, "sentences": ["made up"]}
        stranger.send(topic("a", "view"), packed(made_up), retain=True)  # As views are: it may not hear them yet.
        soon(lambda: "a" in worker.tables and bool(worker.tables["a"].view))
        assert worker.tables["a"].paired and not worker.tables["a"].confirmed, "shown, and said not to be sure"
        stranger.send(topic("a", "status"), said({"online": True}, "status", "a", key, Stamp(1, 1)))
        stranger.send(topic("a", "view"), said(state, "view", "a", key, Stamp(1, 2)))
        soon(lambda: worker.tables["a"].confirmed and bool(worker.tables["a"].view))
        for lie in (
            packed(made_up), said(made_up, "view", "a", b"x" * 32, Stamp(1, 3)),
            said(made_up, "view", "b", key, Stamp(1, 3)), said(made_up, "question", "a", key, Stamp(1, 3)),
        ):  # fmt: skip
            stranger.send(topic("a", "view"), lie)
        stranger.send(topic("a", "view"), said({**state, "sentences": ["so"]}, "view", "a", key, Stamp(1, 3)))
        seen = []
        soon(lambda: seen.append(worker.tables["a"].view["sentences"]) or seen[-1] == ["so"])  # type: ignore[func-returns-value]
        assert ["made up"] not in seen and worker.tables["a"].confirmed
    finally:
        worker.close()
        store.close()
