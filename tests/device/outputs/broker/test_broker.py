"""A table on a real broker: who may follow, who may not get in, and whose commands are taken."""

import datetime
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.following.request import Request
from device.following.show import Show
from device.hall.store import Store
from device.hall.worker import Worker
from device.keeping.journal import MatchRecord
from device.keeping.settings import Settings
from device.outputs.broker import output
from device.outputs.broker.acl import acl
from device.outputs.broker.as_set import BrokerAsSet
from device.outputs.broker.keys import TablePairing, hall_answer
from device.outputs.broker.link import Address, BrokerAway, Link
from device.outputs.broker.messages import BadMessage, Status, packed, signed, topic, unpacked
from device.outputs.broker.output import Broker, asked, told
from device.web.pairing import Pairing, PressFirst
from engine.match import Match
from tests.device.hall.brokers import Mosquitto, Wire, mosquitto, show_of, soon
from tests.engine.table import deal, play, tell


class Listener:
    """Whoever else is on the broker."""

    def __init__(self, address: Address, topics: str = "#") -> None:
        self.heard: dict[str, list[bytes]] = {}
        self.link = Link(address, f"listener-{id(self)}", self._take, [topics])
        self.link.open()
        soon(lambda: self.link.there)
        time.sleep(0.2)  # The subscription follows the connection.

    def _take(self, name: str, payload: bytes, retained: bool) -> bool:
        self.heard.setdefault(name, []).append(payload)
        return True

    def last(self, name: str) -> Any:
        return json.loads(self.heard[name][-1])


class Following:
    """A table with a broker, as the loop drives both."""

    def __init__(self, address: Address, folder: Path, name: str = "a", **more: Any) -> None:
        match = Match("turufu", 4)
        tell(match, deal(3, "3S"), play("AH", 0))
        self.live = LiveTable(InMemory(match), Settings(language="en"), lambda settings: InMemory(Match("turufu", 4)))
        self.pressed: list[Press] = []
        self.output = Broker(address, name, folder, **more).listen(self._put)
        self.show()

    def _put(self, what: Press | Request) -> None:
        if isinstance(what, Request):
            what.carry_out(self.live)
        else:
            self.pressed.append(what)

    def show(self) -> None:
        self.output.show(self.live.show)

    def loses_power(self, wire: Wire) -> None:
        """It is gone without a word. wire: between it and the broker."""
        wire.cut()
        self.output.close()

    @property
    def logged(self) -> int:
        return len(self.live.match.log)

    @property
    def code(self) -> str | None:
        return self.live.show.invite.code if self.live.show.invite else None


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def wire(broker: Mosquitto) -> Iterator[Wire]:
    """Leads to the broker."""
    wire = Wire(broker.port)
    yield wire
    wire.close()


def test_what_a_broker_keeps_is_said_again_now_and_then_and_no_alert_is(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "REMIND_S", 0.4)
    heard: Counter[str] = Counter()

    def hear(name: str, payload: bytes, retained: bool) -> bool:
        heard[name.rpartition("/")[2]] += not retained
        return True

    link = Link(broker.address, "listener", hear, ["hisabu/#"])
    link.open()
    soon(lambda: link.there)
    table = Following(broker.address, tmp_path, title="Table a")
    tell(table.live.match, play("9H", 1))
    table.show()
    soon(lambda: heard["status"] >= 4 and heard["view"] >= 4)
    assert heard["alert"] <= 1
    table.output.close()
    link.close()


def test_who_is_thrown_out_at_once_comes_back_under_another_name() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    names: list[bytes] = []

    def throw_out() -> None:
        while len(names) < 3:
            client, _ = server.accept()
            packet = client.recv(1024)
            at = packet.index(b"MQTT") + 4 + 1 + 1 + 2
            length = int.from_bytes(packet[at : at + 2], "big")
            names.append(packet[at + 2 : at + 2 + length])
            client.sendall(b"\x20\x02\x00\x00")
            client.close()

    threading.Thread(target=throw_out, daemon=True).start()
    link = Link(Address("127.0.0.1", server.getsockname()[1]), "table", lambda *_: True)
    link.open()
    soon(lambda: len(names) == 3)
    link.close()
    server.close()
    assert names == [b"table", b"table-1", b"table-2"]


def test_a_will_that_comes_late_makes_no_table_gone(broker: Mosquitto, tmp_path: Path) -> None:
    heard: list[Status] = []

    def hear(name: str, payload: bytes, retained: bool) -> bool:
        heard.append(Status.of(unpacked(payload)))
        return True

    link = Link(broker.address, "listener", hear, [topic("a", "status")])
    link.open()
    table = Following(broker.address, tmp_path)
    soon(lambda: heard and heard[-1].online)
    late = replace(heard[-1], online=False)
    link.send(topic("a", "status"), late.pack(), retain=True)
    soon(lambda: late in heard and heard[-1].online)
    table.output.close()
    soon(lambda: not heard[-1].online)
    link.close()


def test_on_a_board_the_turn_is_a_seat_and_its_name_the_players() -> None:
    north = {**Match("mraha").view.to_dict(), "turn": 1}
    assert told(Show(north))["turn_name"] == "Nord"
    assert told(Show(north, "en", seats=("Ali", "Zaina")))["turn_name"] == "Zaina"


def test_whoever_follows_hears_of_the_game_and_of_the_table_going(
    broker: Mosquitto, wire: Wire, tmp_path: Path
) -> None:
    heard = Listener(broker.address)
    table = Following(wire.address, tmp_path)
    soon(lambda: topic("a", "view") in heard.heard)
    view = heard.last(topic("a", "view"))
    assert (view["scores"], view["trump_name"], view["turn_name"]) == ([0, 0], "spades", "2")
    assert heard.last(topic("a", "status"))["online"] is True
    late = Listener(broker.address)
    soon(lambda: topic("a", "view") in late.heard)
    table.loses_power(wire)
    soon(lambda: heard.last(topic("a", "status"))["online"] is False)


def test_a_lesson_is_nothing_that_a_hall_hears_of(broker: Mosquitto, tmp_path: Path) -> None:
    heard = Listener(broker.address)
    table = Following(broker.address, tmp_path)
    soon(lambda: topic("a", "view") in heard.heard)
    before = heard.last(topic("a", "view"))
    lesson = Match("belote", 4)
    learning = replace(table.live.show, view=lesson.view.to_dict(), extra={"events": 40, "teaches": True})
    table.output.show(learning)
    late = Listener(broker.address)
    soon(lambda: topic("a", "view") in late.heard)
    assert late.last(topic("a", "view")) == before and before["trump_name"] == "spades"
    tell(table.live.match, play("9H", 1))
    table.live.trouble("hot", True)
    table.show()
    soon(lambda: topic("a", "alert") in heard.heard)
    assert {json.loads(told)["trump_name"] for told in heard.heard[topic("a", "view")]} == {"spades"}
    table.output.close()


def test_an_alert_is_told_once_and_not_again_to_who_comes_later(broker: Mosquitto, tmp_path: Path) -> None:
    heard = Listener(broker.address)
    table = Following(broker.address, tmp_path)
    tell(table.live.match, play("9H", 1))
    table.live.trouble("hot", True)
    for _ in range(3):
        table.show()
    soon(lambda: topic("a", "alert") in heard.heard)
    (told,) = heard.heard[topic("a", "alert")]
    alert = json.loads(told)
    assert (alert["event_type"], alert["rule"], alert["cards"]) == ("alert", "not_in_pack", ["9H"])
    assert "9♥" in alert["sentence"]
    late = Listener(broker.address)
    soon(lambda: topic("a", "view") in late.heard)
    assert topic("a", "alert") not in late.heard
    table.output.close()


def test_a_table_forgets_a_player_when_a_hall_says_so(tmp_path: Path) -> None:
    settings = Settings(players=2, seats=("Zaïna", "Ali"), matches=str(tmp_path))

    def begin(now: Settings) -> MatchRecord:
        return MatchRecord.begin(tmp_path, Match("turufu", 2, seats=now.names))

    table = LiveTable(begin(settings), settings, begin)
    asked({"do": "forget", "name": "ali"})(table)
    assert table.settings.seats == ("Zaïna", "#2") == table.match.header.seats
    assert "Ali" not in "".join(path.read_text(encoding="utf-8") for path in tmp_path.iterdir())
    table.close()


def test_a_table_goes_to_another_broker_as_soon_as_that_is_set(tmp_path: Path) -> None:
    now = Settings(matches=str(tmp_path), table="a")
    output = BrokerAsSet(lambda: now)
    output.listen(lambda what: None)
    show = show_of(Match("turufu", 4))
    output.show(show)  # There is none: nothing happens.
    with mosquitto(tmp_path) as first, mosquitto(tmp_path) as second:
        heard = [Listener(broker.address) for broker in (first, second)]
        now = replace(now, broker=f"mqtt://127.0.0.1:{first.port}")
        output.show(show)
        soon(lambda: topic("a", "view") in heard[0].heard)
        now = replace(now, broker=f"mqtt://127.0.0.1:{second.port}", table="b")
        output.show(show)
        soon(lambda: topic("b", "view") in heard[1].heard)
        soon(lambda: heard[0].last(topic("a", "status"))["online"] is False)
        now = replace(now, broker="")
        output.show(show)
        soon(lambda: heard[1].last(topic("b", "status"))["online"] is False)
    now = replace(now, broker="mqtt://user:secret@host")
    with pytest.raises(OSError, match="password"):
        output.show(show)


def test_a_hall_says_who_sits_at_a_table_and_a_match_that_goes_on_keeps_its_players() -> None:
    match = Match("turufu", 2)
    table = LiveTable(
        InMemory(match), Settings(players=2), lambda settings: InMemory(Match("turufu", 2, seats=settings.names))
    )
    asked({"do": "seat", "names": ["Zaïna", "Ali"]})(table)
    assert table.match.header.seats == ("Zaïna", "Ali"), "nothing was played yet: it is theirs from the start"
    asked({"do": "seat", "names": []})(table)
    assert table.match.header.seats == (), "they got up before the first card"
    asked({"do": "seat", "names": ["Zaïna", "Ali"]})(table)
    tell(table.match, deal(1, "3S"), play("AH", 0))
    asked({"do": "seat", "names": ["Fatima", "Saïd"]})(table)
    assert (table.match.header.seats, table.settings.seats) == (("Zaïna", "Ali"), ("Fatima", "Saïd"))
    asked({"do": "seat", "names": []})(table)
    assert (table.match.header.seats, table.settings.seats) == (("Zaïna", "Ali"), ())
    with pytest.raises(ValueError):
        asked({"do": "seat", "names": ["x" * 99]})(table)
    with pytest.raises(BadMessage):
        asked({"do": "seat", "names": 3})


def a_table_and_a_hall(broker: Mosquitto, folder: Path) -> tuple[Following, Worker]:
    """They have heard of each other, and are not paired."""
    table = Following(broker.address, folder)
    worker = Worker(broker.address, Store(str(folder / "hall.db")))
    worker.start()
    soon(lambda: "a" in worker.tables)
    return table, worker


def test_a_hall_is_paired_by_the_code_on_the_display_and_then_obeyed_once(broker: Mosquitto, tmp_path: Path) -> None:
    table, worker = a_table_and_a_hall(broker, tmp_path)
    assert not worker.command("a", {"do": "undo"}), "not paired yet"
    with pytest.raises(PressFirst):
        worker.begin_pairing("a")
    assert table.code is None, "nobody at the table let anybody in"
    table.output.pairing.open()
    begun = worker.begin_pairing("a")
    assert table.code and not worker.finish_pairing("a", begun, "000000" if table.code != "000000" else "111111")
    begun = worker.begin_pairing("a")
    assert table.code and worker.finish_pairing("a", begun, table.code)
    soon(lambda: table.code is None)  # The code is gone from the display.
    before, heard = table.logged, Listener(broker.address)
    assert worker.command("a", {"do": "undo", "by": "Zaïna"})
    soon(lambda: table.logged == before + 1 and topic("a", "command") in heard.heard)
    command = heard.heard[topic("a", "command")][0]
    heard.link.send(topic("a", "command"), command)  # Heard by a neighbour, and sent again.
    heard.link.send(topic("a", "command"), signed(b"x" * 32, "a", 99, {"do": "undo"}))
    heard.link.send(topic("a", "command"), packed({"do": "undo", "counter": 9, "mac": "0"}))
    assert worker.command("a", {"do": "redo"})
    soon(lambda: table.logged == before + 2)
    time.sleep(0.3)
    assert table.logged == before + 2, "neither what was sent again nor what was forged"
    worker.close()
    table.output.close()
    again = Following(broker.address, tmp_path)
    time.sleep(0.2)
    for command in heard.heard[topic("a", "command")]:
        heard.link.send(topic("a", "command"), command)
    time.sleep(0.3)
    assert again.logged == before, "a restart does not make old commands new"
    again.output.close()


def test_what_a_table_refuses_stands_in_the_halls_changes_as_refused(broker: Mosquitto, tmp_path: Path) -> None:
    table, worker = a_table_and_a_hall(broker, tmp_path)
    table.output.pairing.open()
    begun = worker.begin_pairing("a")
    assert table.code and worker.finish_pairing("a", begun, table.code)
    events, before = len(table.live.match.log), table.logged
    assert worker.command("a", {"do": "undo", "events": events, "by": "Zaïna"})
    assert worker.command("a", {"do": "undo", "events": events, "by": "Ali"})  # In the same instant.
    assert worker.command("a", {"do": "score", "points": [1, 2, 3, 4, 5], "by": "Ali"})
    assert worker.command("a", {"do": "seat", "names": ["x" * 99], "by": "hall"})
    assert worker.command("a", {"do": "dance", "by": "Ali"})  # A hall that knows more than this table.

    def noted() -> bool:
        table.show()  # As the loop does with whatever happens next, and the sender once a minute.
        return len(worker.store.notes()) == 3

    soon(noted)
    assert table.logged == before + 1
    table.show()
    time.sleep(0.2)
    assert [(who, what) for _, who, what, _ in worker.store.notes()[::-1]] == [
        ("Ali", f'a: refused: {{"do":"undo","events":{events}}}'),
        ("Ali", 'a: refused: {"do":"score","points":[1,2,3,4,5]}'),
        ("Ali", 'a: refused: {"do":"dance"}'),
    ]
    worker.close()
    table.output.close()


def test_what_the_hall_asked_before_goes_along_with_the_next_where_it_was_missed(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, worker = a_table_and_a_hall(broker, tmp_path)
    table.output.pairing.open()
    begun = worker.begin_pairing("a")
    assert table.code and worker.finish_pairing("a", begun, table.code)
    table.show()
    with monkeypatch.context() as patched:
        patched.setattr(worker._link, "send", lambda name, payload: None)
        assert worker.command("a", {"do": "undo", "by": "Zaïna"})
    before = table.logged
    assert worker.command("a", {"do": "score", "points": [3, 4], "by": "Ali"})
    soon(lambda: table.logged == before + 2)
    assert [type(event).__name__ for event in table.live.match.log[-2:]] == ["Undo", "SetScore"]
    worker.close()
    table.output.close()


def test_what_a_hall_asks_while_the_table_comes_back_is_not_lost_and_done_once(
    broker: Mosquitto, wire: Wire, tmp_path: Path
) -> None:
    table = Following(wire.address, tmp_path)
    worker = Worker(broker.address, Store(str(tmp_path / "hall.db")))
    worker.start()
    soon(lambda: "a" in worker.tables)
    table.output.pairing.open()
    begun = worker.begin_pairing("a")
    assert table.code and worker.finish_pairing("a", begun, table.code)
    wire.cut()
    soon(lambda: not worker.tables["a"].online)
    before = table.logged
    assert worker.command("a", {"do": "undo"})
    time.sleep(0.3)
    assert table.logged == before
    wire.mend()
    soon(lambda: table.logged == before + 1)
    table.show()  # Says that it took it.
    soon(lambda: worker.store.counter("a") == 1)
    wire.cut()
    soon(lambda: not worker.tables["a"].online)
    wire.mend()
    soon(lambda: worker.tables["a"].online)
    time.sleep(0.5)
    assert table.logged == before + 1
    worker.close()
    table.output.close()


@pytest.mark.parametrize("at", ["device.version.of_the_program", "device.outputs.broker.output.said"])
def test_after_its_goodbye_a_table_says_nothing_more(
    broker: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    """What another thread is about to say would make the table look as if it were still there. at: how far it is."""
    heard = Listener(broker.address, topic("a", "status"))
    table = Following(broker.address, tmp_path)
    soon(lambda: heard.heard)
    late_will = replace(Status.of(heard.last(topic("a", "status"))), online=False).pack()
    about_to, gone, told = threading.Event(), threading.Event(), list[bool]()
    module, _, name = at.rpartition(".")
    going_on, send = getattr(sys.modules[module], name), Link.send

    def held_up(*given: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            about_to.set()
            gone.wait(1.0)
        return going_on(*given)

    def noted(link: Link, name: str, payload: bytes, retain: bool = False, qos: int = 1) -> None:
        send(link, name, payload, retain, qos)
        if link is not heard.link:
            told.append(unpacked(payload)["online"])
            if not told[-1]:
                gone.set()

    monkeypatch.setattr(at, held_up)
    monkeypatch.setattr(Link, "send", noted)
    heard.link.send(topic("a", "status"), late_will)  # Whoever hears that of itself says that it is there.
    assert about_to.wait(5.0)
    table.output.close()
    time.sleep(0.3)
    assert told[-1] is False
    heard.link.close()


def guessed(pairing: TablePairing, id_: str, code: str) -> dict[str, Any] | None:
    """What comes back to a hall that says this code."""
    begun = pairing.heard({"begin": True, "id": id_})
    assert begun is not None
    if "spake" not in begun:
        return begun
    _, answer = hall_answer("a", code, bytes.fromhex(begun["spake"]))
    return pairing.heard({"id": id_, **answer})


def test_wrong_codes_keep_no_hall_out_that_begins_between_them() -> None:
    keys: list[bytes] = []
    shown = Pairing()
    pairing = TablePairing("a", shown, keys.append)
    assert guessed(pairing, "0", "000000") == {"id": "0", "press": True}
    right = shown.open()
    begun = pairing.heard({"begin": True, "id": "right"})
    assert begun is not None
    for number in range(20):
        wrong = "000000" if right != "000000" else "111111"
        assert guessed(pairing, str(number), wrong) == {"id": str(number), "wrong": True}
    _, answer = hall_answer("a", right, bytes.fromhex(begun["spake"]))
    assert "confirm" in (pairing.heard({"id": "right", **answer}) or {}) and len(keys) == 1
    assert guessed(pairing, "later", right) == {"id": "later", "press": True}, "a code lets in once"


def test_a_code_that_is_guessed_at_over_the_broker_too_often_is_shown_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.web.pairing.MOST_WRONG", 5)
    shown = Pairing()
    pairing = TablePairing("a", shown, lambda key: None)
    wrong = "000000" if shown.open() != "000000" else "111111"
    for number in range(5):
        assert guessed(pairing, str(number), wrong) == {"id": str(number), "wrong": True}
    assert shown.code is None


OFF_CURVE = ["42" + "00" * 32, "41" + "02" + "00" * 31, "41" + "00" * 32, "41" + "ff" * 32, "", "42", "zz"]


@pytest.mark.parametrize("spake", OFF_CURVE)
def test_a_point_on_no_curve_ends_no_pairing_but_its_own(spake: str) -> None:
    shown = Pairing()
    pairing = TablePairing("a", shown, lambda key: None)
    shown.open()
    for id_ in ("1", "2"):
        pairing.heard({"begin": True, "id": id_})
    with pytest.raises(BadMessage):
        pairing.heard({"id": "1", "spake": spake, "confirm": "0"})
    assert pairing.heard({"id": "2", **hall_answer("a", "000000", _point())[1]}) in (
        {"id": "2", "wrong": True}, {"id": "2", "confirm": None})  # fmt: skip
    if spake != "zz":
        with pytest.raises(BadMessage):
            hall_answer("a", "000000", bytes.fromhex(spake))


def _point() -> bytes:
    from spake2 import SPAKE2_B

    return bytes(SPAKE2_B(b"1", idA=b"hall", idB=b"a").start())


def test_buttons_are_off_unless_the_owner_turns_them_on(broker: Mosquitto, tmp_path: Path) -> None:
    heard = Listener(broker.address)
    deaf = Following(broker.address, tmp_path)
    heard.link.send(topic("a", "button"), b"undo")
    time.sleep(0.4)
    assert deaf.logged == 2
    deaf.output.close()
    table = Following(broker.address, tmp_path, buttons=True)
    time.sleep(0.2)
    heard.link.send(topic("a", "button"), b"B")  # Nothing is asked: it would take something back.
    heard.link.send(topic("a", "button"), b"undo")
    soon(lambda: table.logged == 3)
    assert not table.pressed
    table.output.close()


def test_a_broker_that_is_away_is_told_and_costs_the_table_nothing(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        address = broker.address
    away = Broker(address, "a", tmp_path)
    with pytest.raises(BrokerAway, match="No broker answers at"):
        away.show(show_of(Match("turufu", 4)))
    away.close()


def test_a_password_is_asked_for_and_a_table_writes_under_its_own_name_alone(tmp_path: Path) -> None:
    maker = shutil.which("mosquitto_passwd")
    if maker is None:
        pytest.skip("mosquitto_passwd is not installed: apt install mosquitto")
    users = tmp_path / "users"
    users.touch()
    for user in ("a", "b", "hall"):
        subprocess.run([maker, "-b", str(users), user, f"{user}-secret"], check=True)
        (tmp_path / f"{user}.txt").write_text(f"{user}-secret\n")
    (tmp_path / "acl").write_text(acl(["a", "b"]))
    config = ("allow_anonymous false", f"password_file {users}", f"acl_file {tmp_path / 'acl'}")
    with mosquitto(tmp_path, config) as broker:

        def known_as(name: str, secret: str | None = None) -> Address:
            return replace(broker.address, user=name, password_file=str(tmp_path / f"{secret or name}.txt"))

        with pytest.raises(BrokerAway, match=r"(?i)not authori[sz]ed"):
            Broker(known_as("a", "b"), "a", tmp_path).show(show_of(Match("turufu", 4)))
        hall = Listener(known_as("hall"), "hisabu/#")
        liar = Link(known_as("b"), "liar", lambda *heard: True)
        liar.open()
        soon(lambda: liar.there)
        liar.send(topic("a", "view"), b"{}")
        liar.send(topic("a", "have"), b"{}")
        table = Following(known_as("a"), tmp_path)
        soon(lambda: topic("a", "view") in hall.heard)
        assert b"{}" not in hall.heard[topic("a", "view")] and topic("a", "have") not in hall.heard
        table.output.close()
        liar.close()


def test_a_broker_with_a_wrong_certificate_is_not_spoken_to(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    certificates(tmp_path)
    keys = [f"{kind} {tmp_path / name}" for kind, name in (("certfile", "broker.pem"), ("keyfile", "broker.key"))]
    with mosquitto(tmp_path, ("allow_anonymous true", *keys)) as broker:
        right = replace(broker.address, tls=True, ca_file=str(tmp_path / "ca.pem"))
        table = Following(right, tmp_path)
        table.output.close()
        with pytest.raises(BrokerAway, match="cannot trust the broker"):
            Broker(replace(right, ca_file=str(tmp_path / "other.pem")), "a", tmp_path).show(show_of(Match("turufu", 4)))
        missing = replace(right, ca_file=str(tmp_path / "none.pem"))
        with pytest.raises(BrokerAway, match=r"none\.pem: there is no such file"):
            Broker(missing, "a", tmp_path).show(show_of(Match("turufu", 4)))


@pytest.mark.parametrize("address", ["http://host", "mqtt://", "mqtt://user:secret@host", "mqtt://host/path"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match=r"not_a_broker|password_in_address"):
        Address.of(address)


def certificates(folder: Path) -> None:
    """An authority, a broker's certificate from it, and another authority."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    def name(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    def made(subject: str, issuer: str, key: Any, signer: Any, authority: bool) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        builder = x509.CertificateBuilder(name(issuer), name(subject), key.public_key(), x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(
            now + datetime.timedelta(9)
        )
        builder = builder.add_extension(x509.BasicConstraints(authority, None), True)
        if not authority:
            import ipaddress

            here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
            builder = builder.add_extension(x509.SubjectAlternativeName([here]), False)
        return builder.sign(signer, hashes.SHA256())

    def written(certificate: x509.Certificate) -> bytes:
        return certificate.public_bytes(serialization.Encoding.PEM)

    key = ec.generate_private_key(ec.SECP256R1())
    authority = ec.generate_private_key(ec.SECP256R1())
    other = ec.generate_private_key(ec.SECP256R1())
    (folder / "ca.pem").write_bytes(written(made("ca", "ca", authority, authority, True)))
    (folder / "other.pem").write_bytes(written(made("other", "other", other, other, True)))
    (folder / "broker.pem").write_bytes(written(made("broker", "ca", key, authority, False)))
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "broker.key").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))


def test_what_keeps_a_table_from_its_broker_is_told_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:  # Takes the call and says nothing.
        address = replace(Address.of("mqtt://127.0.0.1"), port=other.getsockname()[1])
        broker = Broker(address, "a", tmp_path)
        with pytest.raises(BrokerAway) as silent:
            broker.show(show_of(Match("turufu", 4)))
        broker.close()
    nowhere = Broker(Address.of("mqtt://no-such-machine.invalid"), "a", tmp_path)
    with pytest.raises(BrokerAway) as lost:
        nowhere.show(show_of(Match("turufu", 4)))
    assert "essayez mqtts://" in silent.value.said("fr") and "try mqtts://" in silent.value.said("en")
    assert lost.value.said("fr").startswith("Aucune machine ne s'appelle no-such-machine.invalid")
    for error in (silent.value, lost.value):
        assert "Errno" not in error.said("en") and error.said("shi") == error.said("fr") != str(error)


def test_a_broker_that_goes_is_said_to_have_gone(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        table = Following(broker.address, tmp_path)
        broker.kill()

        def gone() -> bool:
            try:
                table.show()
            except BrokerAway as error:
                return error.code == "broker_went"
            return False

        soon(gone)
        table.output.close()
