"""The broker as the loop knows it: an output that sends what there is to follow, and an input that takes commands."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from device import version, words
from device.following.live import LiveTable
from device.following.press import Press
from device.following.request import Request
from device.following.show import Invite, Show
from device.keeping.names import forget, table_name, without
from device.keeping.settings import Settings, read
from device.outputs.broker import homeassistant
from device.outputs.broker.keys import TableKey, TablePairing
from device.outputs.broker.link import Address, BrokerAway, Link, Will
from device.outputs.broker.messages import (
    BUTTON,
    LAST_WORD,
    MOST_REFUSED,
    BadMessage,
    Have,
    Stamp,
    Status,
    packed,
    said,
    topic,
    unpacked,
    verified,
)
from device.outputs.broker.outbox import Outbox, newest_begun
from device.outputs.broker.paces import COMPLAINTS, Paces
from device.outputs.page.house import RECORDINGS
from device.outputs.page.state import state_of
from device.web.pairing import Pairing
from engine.events import LONGEST_REASON
from engine.games import GAMES
from engine.strict_json import Fields

log = logging.getLogger(__name__)
RESEND_S = 5.0
"""Without the hall moving on, what it does not hold is sent again."""
AHEAD = 400
"""Lines sent before the hall says that it holds them."""
REMIND_S = 60.0
"""Between two times that a table says again what a broker keeps of it: one in a cluster may have kept it on a machine
that died, or tell it only to who asks for exactly that."""
PAUSE_S = 0.05
"""Between looks whether the broker took what it was given."""
WAITING = 100
"""Messages that the broker has not confirmed, before no more lines are given to it."""
TWICE = "table_twice"
"""Another device on the broker has this table's name."""
SAY_AGAIN_S = 5.0
"""Between answers to who has the same name."""
MOST_TWINS = 8
"""Programs remembered that say they are this table."""
HALL_GONE_S = 3 * REMIND_S
"""Without a word signed by the hall that is paired here, until one is believed that is not: a hall says what it holds
each time that the table says again what it is."""
ANEW_S = 600.0
"""Between two times that all is sent again since somebody says, unsigned, that nothing is held: a new hall, whose store
is empty, has no key."""
Put = Callable[[Press | Request], None]


class Sender(threading.Thread):
    """Sends the log: what the hall does not hold yet, in order, again if it does not arrive."""

    def __init__(
        self,
        outbox: Outbox,
        link: Link,
        table: str,
        clock: Callable[[], float] = time.monotonic,
        key: Callable[[], bytes | None] = lambda: None,
        remind: Callable[[], None] = lambda: None,
    ) -> None:
        """key: the table's, once it was paired: the log is then signed with it. remind: says again what the broker
        keeps, every REMIND_S."""
        super().__init__(name="broker log", daemon=True)
        self._remind, self._reminded_s = remind, clock()
        self._outbox, self._link, self._clock, self._table, self._key = outbox, link, clock, table, key
        self._topic = topic(table, "event")
        self._changed = threading.Condition()
        self._told: Have | None = None
        """What the hall said last, as it came."""
        self._have: Have | None = None
        self._sent: tuple[int, int] | None = None
        """The newest line sent: order and number."""
        self._moved_s = clock()
        self._settled = -1
        self._due = False
        """There may be something to send."""
        self._on_its_way = False
        """Something that the hall does not say it holds."""
        self._stopping = False

    def settled(self, events: int) -> None:
        """So many events of the match that goes on are on disk for good. Nothing else makes it look at the disk."""
        with self._changed:
            if events != self._settled:
                self._settled = events
                self._wake()

    def _wake(self) -> None:
        self._due = True
        self._changed.notify_all()

    def connected(self) -> None:
        """All begins again from what the hall holds."""
        with self._changed:
            self._told = self._have = self._sent = None
            self._wake()

    def have(self, have: Have) -> None:
        """The hall tells what it holds."""
        with self._changed:
            self._told = have
            self._wake()

    def stop(self) -> None:
        """Ends it."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        self.join(2.0)

    def run(self) -> None:
        while True:
            with self._changed:
                # Asleep until the journal grew or the hall spoke; what is on its way is looked after by the clock.
                self._changed.wait_for(lambda: self._due or self._stopping, RESEND_S if self._on_its_way else REMIND_S)
                if self._stopping:
                    return
                told, settled, now_s = self._told, self._settled, self._clock()
                if not self._on_its_way:
                    self._moved_s = now_s
                elif now_s - self._moved_s > RESEND_S:
                    self._sent, self._moved_s = None, now_s
                due, self._due = self._due or self._on_its_way, False
            if now_s - self._reminded_s >= REMIND_S:
                self._reminded_s = now_s
                self._remind()
            if not due:
                continue
            try:
                if told is not None:
                    self._believe(told, now_s)
                if self._have is not None and self._link.there:  # Else there is no hall that would keep it.
                    self._on_its_way = self._send(self._have, settled)
            except OSError as error:
                self._on_its_way = True
                log.warning("the log cannot be read for the broker: %s", error)
            except Exception:  # Whatever a file or a hall holds: what comes after it is sent.
                self._on_its_way = True
                log.exception("the log cannot be sent")

    def _believe(self, told: Have, now_s: float) -> None:
        """Takes in what the hall said, as far as it is of this store of matches: of another card's, or of a match that
        is none of ours, it tells nothing, but that the hall begins anew."""
        ours = told.folder in ("", self._outbox.id) and (told.match is None or self._outbox.knows(told.match))
        have = told if ours else self._have or Have()
        with self._changed:
            if have != self._have:
                self._have, self._moved_s = have, now_s
            if self._told is told:
                self._told = None

    def _send(self, have: Have, settled: int) -> bool:
        """Sends what was not sent yet. Whether there is anything that the hall does not hold."""
        ahead = 0
        order = None
        for line in self._outbox.after(have, settled):
            if order is not None and line.order != order:
                break  # The next match is sent once the hall holds all of this one.
            order = line.order
            ahead += 1
            if self._sent is not None and (line.order, line.number) <= self._sent:
                continue
            if ahead > AHEAD:
                break
            while self._link.waiting > WAITING and self._link.there and not self._stopping:
                time.sleep(PAUSE_S)
            if self._stopping or not self._link.there:
                break
            self._link.send(self._topic, line.pack(self._key(), self._table))
            self._sent = (line.order, line.number)
        return ahead > 0


class Broker:
    """One table on a broker."""

    name = "broker"
    trouble = "broker_away"

    def __init__(
        self,
        address: Address,
        table: str,
        folder: Path,
        title: str = "",
        buttons: bool = False,
        language: str = "en",
        pairing: Pairing | None = None,
        by_asking: bool = False,
    ) -> None:
        """table: its name in topics. title: its name for people. buttons: unsigned undo and answers are taken.
        language: of what is logged. pairing: the code by which the page lets phones in, if there is a page.
        by_asking: as in `Pairing`."""
        self._language = language
        self._address, self._table, self._title, self._buttons = address, table, title or table, buttons
        self._folder = folder
        self._put: Put | None = None
        self._link: Link | None = None
        self._sender: Sender | None = None
        self._complaints = Paces(*COMPLAINTS, time.monotonic)
        self._instance, self._folder_id = secrets.token_hex(8), ""
        self._in_session = 0
        """Which one it is of those that are signed."""
        self._comes_again = False
        """The next session has begun, but the connection is still that of the one before."""
        self._said_s = float("-inf")
        self._twice: set[str] = set()
        """Other programs that say they are this table."""
        self._key = TableKey(folder)
        self._refused: tuple[int, ...] = ()
        """Commands of the hall that could not be done."""
        self.pairing = Pairing(self._show_code, by_asking=by_asking) if pairing is None else pairing
        self._halls = TablePairing(table, self.pairing, self._paired)
        self._newest: Show | None = None
        self._events: int | None = None
        self._begun: int | None = None
        """The newest match that has begun, as it was when a match last had its first event."""
        self._last: dict[str, bytes] = {}
        """What was sent last under each topic that is kept by the broker, before it was signed."""
        self._hall_s = float("-inf")
        """When the hall that is paired here was heard last."""
        self._renewed_s = self._anew_s = float("-inf")
        self._alert: Any = None
        self._prompts: tuple[str, ...] = ()
        self._sending, self._saying = threading.Lock(), threading.Lock()

    # -- an output ---------------------------------------------------------------------------------------------------

    def show(self, show: Show) -> None:
        """Has it sent. BrokerAway: nobody takes it now; nothing of the log is lost by that."""
        if not show.of_a_lesson:
            self._newest = show
        match = self._newest
        if match is not None:
            self._look_what_has_begun(int(match.extra.get("events", 0)))
        self._prompts = tuple(show.prompt.every or show.prompt.answers) if show.prompt else ()
        if self._link is None:
            self._open()
        assert self._link is not None and self._sender is not None
        if match is None:
            return
        if not any(code.startswith("journal_") for code in match.troubles):
            self._sender.settled(int(match.extra.get("events", 0)))
        if not self._link.there:
            self._wait_until_there()
        self._send_all(match)

    def _look_what_has_begun(self, events: int) -> None:
        """events: how many the match has that is shown. Only a first one, or another match, changes anything."""
        before, self._events = self._events, events
        if before is not None and (before > 0) == (events > 0) and before <= events:
            return
        try:
            self._begun = newest_begun(self._folder)
        except OSError as error:
            self._begun = self._events = None  # It is looked again with the next event.
            log.warning("the matches cannot be listed for the broker: %s", error)

    def _open(self) -> None:
        table = self._table
        outbox = Outbox(self._folder)
        self._folder_id = outbox.id
        topics = [topic(table, what) for what in ("have", "command", "pair/hall", "status")]
        if self._buttons:
            topics.append(topic(table, BUTTON))
        link = Link(
            self._address, f"hisabu-{self._instance}", self._heard, topics, self._will, self._connected,
            language=self._language,
        )  # fmt: skip
        self._sender = Sender(outbox, link, table, key=lambda: self._key.key, remind=self._say_again)
        link.open()
        self._link = link
        self._sender.start()

    def _wait_until_there(self) -> None:
        link = self._link
        assert link is not None
        until_s = time.monotonic() + 2.0
        while not link.there and self._link is link:  # It may be closed meanwhile.
            if time.monotonic() > until_s:
                raise link.why or BrokerAway("broker_silent", place=self._address.shown)
            time.sleep(PAUSE_S)

    def close(self) -> None:
        """Says goodbye; harmless twice."""
        if self._twice:
            self._twice.clear()
            self._ask(lambda table: table.trouble(TWICE, False))
        sender, self._sender = self._sender, None
        if sender is not None and sender.is_alive():
            sender.stop()
        with self._saying:  # Whatever another thread is about to say, this is the last word.
            link, self._link = self._link, None
            if link is not None and link.there:
                self._send(link, "status", Status(False, instance=self._instance).body(), retain=True)
        if link is not None:
            link.close()

    def _will(self) -> Will:
        """Before each connection: what the broker says once the table is gone without a word."""
        if self._key.key is not None and (self._key.stamp.number or not self._in_session):
            self._in_session = self._key.begin_session()
        body = Status(False, instance=self._instance).body()
        stamp = Stamp(self._in_session, LAST_WORD)
        return Will(topic(self._table, "status"), said(body, "status", self._table, self._key.key, stamp))

    def _paired(self, key: bytes) -> None:
        self._key.set(key)
        self._refused = ()  # The new hall counts its commands anew.
        self._in_session, self._hall_s = 0, float("-inf")

    def _come_again(self, after: int = 0) -> None:
        """Connects anew, in another session: the will too has to be signed in it."""
        link = self._link
        self._in_session = self._key.begin_session(after)
        if link is not None:  # In a thread of its own: this may be the link's.
            self._comes_again = link.there
            threading.Thread(target=link.again, name="broker again", daemon=True).start()

    def _connected(self) -> None:
        """In the link's thread: what the broker keeps of this table is told anew."""
        self._last.clear()
        self._comes_again = False
        if self._sender is not None:
            self._sender.connected()
        link = self._link
        if link is not None and self._newest is not None:
            self._send_all(self._newest)

    def _say_again(self) -> None:
        """In the sender's thread: everything that the broker keeps of this table."""
        if self._newest is not None and self._link is not None and self._link.there:
            with self._sending:
                self._last.clear()
                self._send_each(self._newest)

    def _send_all(self, show: Show) -> None:
        """Whoever shows something and the link, that is there again, may both come: an alert is told once."""
        with self._sending:
            self._send_each(show)

    def _send_each(self, show: Show) -> None:
        state = told(show)
        self._keep("status", self._status())
        self._keep("view", state)
        prompt = state["prompt"]
        self._keep("question", {name: prompt[name] for name in ("key", "text", "answers")} if prompt else {})
        self._announce(show)
        alert = show.view.get("alert")
        if alert != self._alert:
            self._alert = alert
            if alert is not None and self._link is not None:
                self._say(self._link, "alert", homeassistant.alert_event(show.alert or "", alert))

    def _status(self) -> dict[str, Any]:
        now = Status(True, self._title, self._instance, self._folder_id, self._key.counter, self._begun, self._refused)
        return now.body(version=version.of_the_program())

    def _announce(self, show: Show) -> None:
        sides = len(set(show.view.get("sides") or (0, 1)))
        found = homeassistant.discovery(self._table, self._title, sides, version.of_the_program(), self._buttons)
        name, payload = homeassistant.discovery_topic(self._table), packed(found)
        with self._saying:
            if self._link is not None and self._changes(name, payload):
                self._link.send(name, payload, retain=True)

    def _keep(self, what: str, body: Mapping[str, Any]) -> None:
        """Says what the broker keeps for whoever comes later, if it is another than before."""
        if self._link is not None and self._changes(topic(self._table, what), packed(body)):
            self._say(self._link, what, body, retain=True)

    def _changes(self, name: str, payload: bytes) -> bool:
        if self._link is None or not self._link.there or self._comes_again or self._last.get(name) == payload:
            return False
        self._last[name] = payload
        return True

    def _say(self, link: Link, what: str, body: Mapping[str, Any], retain: bool = False) -> None:
        """All that a table says of itself goes this way: signed, and newer than what it said before."""
        with self._saying:  # What is newer also leaves later.
            if self._link is not None and link is self._link:
                self._send(link, what, body, retain)

    def _send(self, link: Link, what: str, body: Mapping[str, Any], retain: bool) -> None:
        """The same, for who holds the lock."""
        key = self._key.key
        stamp = Stamp() if key is None else self._key.next_stamp()
        link.send(topic(self._table, what), said(body, what, self._table, key, stamp), retain=retain)

    # -- an input ----------------------------------------------------------------------------------------------------

    def listen(self, put: Put) -> "Broker":
        """Puts what a hall asks for to the table."""
        self._put = put
        return self

    def _heard(self, name: str, payload: bytes, retained: bool) -> bool:
        what = name.split("/", 2)[2]
        try:
            if what == "have" and self._sender is not None:
                self._sender.have(self._held(Have.unpack(payload), retained))
            elif what == "status":
                self._same_name(Status.of(unpacked(payload)), retained)
            elif what == "pair/hall" and not retained:
                answer = self._halls.heard(unpacked(payload))
                if answer is not None and self._link is not None:
                    self._link.send(topic(self._table, "pair/table"), packed(answer))
            elif what == "command" and not retained:
                self._command(payload)
            elif what == BUTTON and self._buttons and not retained:
                self._pressed(payload)
        except (BadMessage, OSError) as error:
            if self._complaints.allows(what):
                log.warning("broker: %s is refused: %s", what, words.in_words(error, "en"))
        return True

    def _held(self, have: Have, retained: bool) -> Have:
        """What a hall says it holds. BadMessage: the one that is paired here is there, and did not say so. Whoever says
        in its place that nothing is held costs a sending, and no line."""
        key, now_s = self._key.key, time.monotonic()
        if key is None:
            return have
        if not have.is_signed(key, self._table):
            if now_s - self._hall_s < HALL_GONE_S:
                if have.match is not None or now_s - self._anew_s < ANEW_S:
                    raise BadMessage("unsigned")
                self._anew_s, self._hall_s = now_s, float("-inf")
            return have
        if not retained:
            self._hall_s = now_s
        if have.counter > self._key.counter:  # The card is an older copy: commands since are not taken again.
            self._key.took(have.counter)
        if not self._in_session:  # They were paired just now.
            self._come_again()
        elif not retained and have.seen > self._key.stamp and now_s - self._renewed_s > REMIND_S:
            # What it says now is older to the hall than what the card said before it was copied. What the broker kept
            # may be from before the last command: heard with that alone, the table would be asked for it again.
            self._renewed_s = now_s
            self._come_again(have.seen.session)
        return have

    def _same_name(self, status: Status, retained: bool) -> None:
        """Somebody says to be this table: it itself, a start of it before that the broker only now misses, or another
        device. What is kept of the table is made true again, and the other hears of this one by that."""
        if status.instance == self._instance and self._instance:
            if not status.online and not retained and self._link is not None:
                # The will of a connection before this one, that the broker only now misses.
                self._say(self._link, "status", self._status(), retain=True)
            return
        alone_before = not self._twice
        if status.online and not retained and status.instance and len(self._twice) < MOST_TWINS:
            self._twice.add(status.instance)
        elif not status.online:
            self._twice.discard(status.instance)
        if alone_before != (not self._twice):
            twice = bool(self._twice)
            self._ask(lambda table: table.trouble(TWICE, twice))
        now_s = time.monotonic()
        if self._link is not None and (not status.online or now_s - self._said_s > SAY_AGAIN_S):
            self._said_s = now_s
            self._say(self._link, "status", self._status(), retain=True)

    def _command(self, payload: bytes) -> None:
        if self._key.key is None:
            raise BadMessage("no_hall")
        for counter, command in verified(self._key.key, self._table, payload, self._key.counter):
            self._key.took(counter)  # On disk first: it is not taken twice, whatever comes of it.
            self._ask(partial(_carry_out, command), counter)

    def _pressed(self, payload: bytes) -> None:
        press = payload.decode(errors="replace")
        if press == "undo":
            self._ask(lambda table: table.undo(None, "button"))
        elif press in ("A", "B", "C") and self._prompts:
            # Only what is asked can be answered so: B alone would take something back, C open the menu.
            if "ABC".index(press) < len(self._prompts) and self._put is not None:
                self._put(Press(press))
        else:
            raise BadMessage("button", button=press[:20])

    def _ask(self, do: Callable[[LiveTable], object], counter: int | None = None) -> None:
        """counter: of the hall's command. If it cannot be done, the next status says so."""

        def done(value: object, error: Exception | None) -> None:
            if error is not None:
                log.info("what the hall asked for cannot be: %s", error)
                if counter is not None:
                    self._refused = (*self._refused, counter)[-MOST_REFUSED:]

        if self._put is not None:
            self._put(Request(do, done))

    def _show_code(self, code: str | None) -> None:
        invite = Invite(self._address.shown, code) if code else None
        self._ask(lambda table: table.invite(invite))


def broker_of(settings: Settings, pairing: Pairing | None = None, by_asking: bool = False) -> Broker:
    """The broker of the settings. ValueError: its address is none."""
    address = Address.of(settings.broker, settings.broker_user, settings.broker_password, settings.broker_ca)
    return Broker(
        address,
        table_name(settings.table, settings.matches_folder),
        settings.matches_folder,
        buttons=settings.broker_buttons,
        language=settings.language,
        pairing=pairing,
        by_asking=by_asking,
    )


def _carry_out(command: Mapping[str, Any], table: LiveTable) -> object:
    return asked(command)(table)


def asked(command: Mapping[str, Any]) -> Callable[[LiveTable], object]:
    """What a command does to a table. BadMessage: there is no such command."""
    by = f"hall {str(command.get('by', ''))[:40]}".strip()
    try:
        match command.get("do"):
            case "answer":
                key, answer = str(command["key"]), int(command["answer"])
                return lambda table: table.answer(key, answer, by)
            case "undo":
                fields = Fields(command)
                since, events = fields.whole("since", default=None), fields.whole("events", default=None)
                return lambda table: table.undo(since, by, events)
            case "redo":
                there_were = Fields(command).whole("events", default=None)
                return lambda table: table.redo(by, there_were)
            case "correct":
                number, changes = int(command["number"]), dict(command["changes"])
                return lambda table: table.correct(number, changes, by)
            case "score":
                points = [int(side) for side in command["points"]]
                reason = str(command.get("reason", ""))[:LONGEST_REASON]
                return lambda table: table.set_score(points, reason, by)
            case "seat":
                names = [str(name) for name in command["names"]]
                return lambda table: _seat(table, names, by)
            case "forget":
                name = str(command["name"])
                return lambda table: _forget(table, name)
            case "new_match":
                from device.following.menu import NEW_MATCH

                return lambda table: table.act(NEW_MATCH, by)
    except (KeyError, TypeError, ValueError):
        pass
    raise BadMessage("command", command=str(command)[:80])


def _seat(table: LiveTable, names: list[str], by: str) -> None:
    """Others sit down, or nobody that is known. What goes on ends as it is, and what is over is shown until others sit
    down; what has not begun is theirs from the start."""
    from device.following.menu import NEW_MATCH

    table.change(read({"seats": names}, table.settings))
    over = table.match.view.phase in ("match_over", "over")
    if not table.match.log or (names and over):
        table.act(NEW_MATCH, by)


def _forget(table: LiveTable, name: str) -> None:
    """A player's wish, said at the hall: out of what is kept, out of the settings, out of the match that goes on."""
    settings, header = table.settings, table.match.header
    table.match.header = replace(header, seats=tuple(without(header.seats, name)))
    forget(name, settings.matches_folder, settings.record_folder or settings.matches_folder.parent / RECORDINGS)
    table.change(replace(settings, seats=tuple(without(settings.seats, name))))


def told(show: Show) -> dict[str, Any]:
    """What everybody may follow: what the page is sent, and in words what a home's automation shows."""
    state = state_of(show)
    view = show.view
    turn = view.get("turn")
    last = state.get("last_trick") or {}
    scores = view.get("games") or list((view.get("captured") or {}).values()) or [0, 0]
    return {
        **state,
        "scores": list(scores),
        "turn_name": _player(turn, show),
        "trump_name": words.suit_name(view["trump"], show.language) if view.get("trump") else None,
        "last_trick_name": " ".join(words.card_sign(card) if card else "?" for card in last.get("cards", ())) or None,
    }


def _player(turn: int | None, show: Show) -> str | None:
    if turn is None:
        return None
    game = show.view["game"]
    if GAMES[game].grid is None and not words.name_at(show.seats, turn):
        return str(turn + 1)
    return words.seat_name(turn, show.language, show.seats, game)
