"""The hall's page: all tables at a glance, what needs an arbiter first, the evidence, and what an arbiter may do."""

import asyncio
import contextlib
import hashlib
import logging
import re
import threading
from collections.abc import Collection, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from aiohttp import web

from device import words
from device.hall.desk import HALL, Desk
from device.hall.office import MAY_LOOK, OWNER, Office, may, role_of
from device.hall.register import Register
from device.hall.store import Store
from device.hall.tournament.held import ChangeError, Held
from device.hall.tournament.sheet import name_of, people_now
from device.hall.worker import TableNow, Worker
from device.keeping.settings import LONGEST_NAME as LONGEST_SEAT
from device.outputs.broker.messages import TABLE_NAME, BadMessage
from device.outputs.page.page import of_phones
from device.web.files import File, file_of, module_of, read_folder
from device.web.pairing import LONG_DIGITS, Pairing, Phone, Phones, PressFirst
from device.web.server import VisitorLimits
from device.web.site import Refused, Site, Visitor
from engine.events import LONGEST_REASON, MOST_POINTS, MOST_SIDES
from engine.games import GAMES
from engine.strict_json import Fields, write_json

log = logging.getLogger(__name__)
SILENT_S = 120.0
"""A table that says it is there and sends nothing for so long is looked after: a trick takes a minute at the most."""
EVERY_S = 0.25
"""Between two states sent: a wall needs no more, and a thousand tables would send thousands a second."""
KEPT = (
    "game",
    "phase",
    "players",
    "sides",
    "games",
    "target",
    "trump",
    "turn",
    "winner",
    "points",
    "captured",
    "trick",
    "alert",
)
"""What the wall shows of a table's view; the whole of it goes to who looks at that table."""
LONGEST = 300
"""Letters of a sentence on the wall."""
MOST_OF_A_FIELD = 800
"""Letters of a part of a view on the wall; a whole trick has 400."""
RESULTS_EVERY_S = 1.0
"""Between looks for results that tables told."""
AT_A_TABLE = ("pair_begin", "pair_finish", "command")
LIMITS = VisitorLimits(
    message_bytes=128_000, connections=1_000, visitors=500, visitors_each=40, kept=100, visitors_kept=50
)
"""A list of a thousand players is pasted in one message; a hall is looked at by many, and on a larger machine."""
FIRST = ("alert", "fault", "question", "silent", "gone")
"""What needs an arbiter, the most urgent first."""


@cache
def hall_files() -> Mapping[str, File]:
    """Every file of the page, and the words of each language as a module."""
    found = {**read_folder("device.web", "/w/"), **read_folder("device.hall")}
    of_the_table = read_folder("device.outputs.page")
    found |= {name: of_the_table[name] for name in ("/follow.js", "/speak.js")}
    for language in words.LANGUAGES:
        name = f"/words/{language}.js"
        found[name] = file_of(name, module_of(of_phones(language, "hall")))
    return found


def needs(now: TableNow, at_s: float) -> str | None:
    """Why an arbiter should look at a table, one of FIRST."""
    if now.online and now.alert is not None:
        return "alert"
    if now.trouble or now.clashes:
        return "fault"
    if now.online and now.view.get("prompt"):
        return "question"
    if now.online and at_s - now.changed_s > SILENT_S and _playing(now):
        return "silent"
    return None if now.online else "gone"


def _playing(now: TableNow) -> bool:
    return (now.view.get("view") or {}).get("phase") not in (None, "waiting_for_deal", "match_over", "over", "setup")


def _over(now: TableNow) -> bool:
    view = now.view.get("view") or {}
    return view.get("winner") is not None or view.get("phase") in ("match_over", "over")


def _by_number(name: str) -> list[tuple[int, str]]:
    """Orders table-2 before table-10.

    >>> sorted(["table-10", "table-2", "b"], key=_by_number)
    ['b', 'table-2', 'table-10']
    """
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)]


def _short(text: str | None) -> str:
    """A sentence as far as a tile has room."""
    text = text or ""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def row(now: TableNow, at_s: float) -> dict[str, Any]:
    """A table on the wall."""
    view = now.view.get("view") or {}
    prompt = now.view.get("prompt") or {}
    return {
        "name": now.name,
        "title": now.title or now.name,
        "online": now.online,
        "paired": now.paired,
        "confirmed": now.confirmed,
        "needs": needs(now, at_s),
        "trouble": "twice" if now.clashes else now.trouble,
        "alert": _short(now.view.get("alert")) if now.alert is not None else "",
        "question": _short(prompt.get("text")),
        "seats": [(name or "")[:LONGEST_SEAT] for name in now.view.get("seats") or []][:6],
        "scores": list(now.view.get("scores") or [])[:6],
        "view": {name: view[name] for name in KEPT if name in view and len(write_json(view[name])) <= MOST_OF_A_FIELD},
    }


def row_of_any(now: TableNow, at_s: float) -> dict[str, Any]:
    """A table on the wall, whatever it says: what cannot be shown is a fault of that table alone, told once."""
    try:
        made = row(now, at_s)
        write_json(made)
    except Exception:
        log.exception("%s cannot be shown", now.name)
        now.view, now.alert, now.trouble = {}, None, "odd"
        return row(now, at_s)
    return made


def allowed_command(asked: Fields, role: str) -> dict[str, Any]:
    """What a phone may have a table do: what it asked for, and nothing that rides along. Refused: it may not.

    Names are seated by the hall itself, and forgotten where the owner says so for all tables at once.
    """
    do = asked.text("do")
    match do:
        case "answer":
            return {"do": do, "key": asked.text("key"), "answer": asked.whole("answer", most=100)}
        case "undo":
            return {"do": do, **{name: asked.whole(name) for name in ("since", "events") if name in asked}}
        case "redo":
            return {"do": do, **({"events": asked.whole("events")} if "events" in asked else {})}
        case "score":
            points = list(asked.wholes("points", MOST_SIDES, MOST_POINTS))
            return {"do": do, "points": points, "reason": asked.text("reason", LONGEST_REASON, "")}
        case "correct" if role == OWNER:
            return {"do": do, "number": asked.whole("number"), "changes": asked.object("changes")}
        case "new_match" if role == OWNER:
            return {"do": do}
        case "correct" | "new_match" | "seat" | "forget":
            raise Refused("not_allowed")
    raise Refused("unknown")


class HallSite(Site):
    """What the hall's page answers."""

    def __init__(self, store: Store, worker: Worker, folder: Path, language: str, show_code: Any) -> None:
        phones = Phones(folder)
        pairing = Pairing(show_code, digits=LONG_DIGITS, by_asking=True)  # There is nothing to press here.
        super().__init__(hall_files(), phones, pairing, LIMITS)
        self._store, self._worker, self._language = store, worker, language
        register = Register(store)
        self.office = Office(store, register, Desk(store, register, self._online, self._newest), phones)
        self._tournaments: dict[str, Any] = {}
        self._seating = threading.Lock()
        self._seated_by: tuple[set[tuple[str, bool]], dict[str, Held]] | None = None
        """The tables and tournaments by which players were seated last."""
        self._unshown: set[str] = set()
        """Tournaments that others changed."""
        self._dirty: set[str] = set()
        self._rows: dict[str, dict[str, Any]] = {}
        self._begun: dict[tuple[str, str], str] = {}
        """Pairings under way, by phone and table."""

    def _online(self, table: str) -> bool:
        now = self._worker.tables.get(table)
        return now is not None and now.online

    def _newest(self, table: str) -> int | None:
        now = self._worker.tables.get(table)
        return None if now is None else now.newest

    def page(self, request: web.Request, phone: Phone | None) -> Mapping[str, str]:
        return {
            "language": self._language,
            "title": words.say(self._language, "hall-title"),
            "role": role_of(phone) if phone is not None else "",
            "state": write_json(self.state) if self.state else "",
            "version": version(),
        }

    def greeting(self, visitor: Visitor) -> Mapping[str, Any]:
        phone = None if visitor.phone is None else self.phones.now(visitor.phone)
        me = {"role": role_of(phone), "name": phone.name} if phone is not None else {}
        return {**super().greeting(visitor), "version": version(), **me}

    def role_of_new(self) -> str:
        return self.office.role_of_new()

    def only_looks(self, what: str, facts: Mapping[str, Any]) -> bool:
        return what in MAY_LOOK

    # -- the wall ----------------------------------------------------------------------------------------------------

    def table_changed(self, table: str) -> None:
        """Something is new at a table; sent with the next state."""
        self._dirty.add(table)

    async def keep_up(self) -> None:
        """Sends what is new, now and then, as long as the page is served. Results are read beside it: the wall does not
        wait for that, however long a log takes."""
        reading = asyncio.create_task(self._keep_reading())
        try:
            while True:
                await asyncio.sleep(EVERY_S)
                try:
                    self.refresh()
                except Exception:  # What one table says must not end the page for everybody.
                    log.exception("the tables could not be shown")
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    async def _keep_reading(self) -> None:
        """Shows what tables told of tournaments, and other halls changed, now and then."""
        await asyncio.sleep(EVERY_S)
        while True:
            try:
                self._show_tournaments(await asyncio.to_thread(self._read_on))
            except (OSError, ChangeError) as error:
                log.error("tournaments: %s", error)
            except Exception:  # What one log holds must not end the page for everybody.
                log.exception("tournaments could not be read")
            await asyncio.sleep(RESULTS_EVERY_S)

    def refresh(self) -> None:
        """Makes the state new where it changed."""
        at_s = self._worker.now_s
        dirty, self._dirty = self._dirty, set()
        tables = dict(self._worker.tables)
        fresh = {name: shown for name, shown in self._rows.items() if name in tables}
        for name, now in tables.items():
            if name in dirty or name not in fresh or fresh[name]["needs"] != needs(now, at_s):
                fresh[name] = row_of_any(now, at_s)
        more = (self._worker.there, self._worker.left_out)
        if fresh != self._rows or (self.state.get("there"), self.state.get("left_out")) != more:
            self._rows = fresh
            self._set()
        for visitor in self.visitors:
            for wanted in visitor.wants:
                if wanted.startswith("table:") and (wanted[6:] in dirty or visitor.known is None):
                    self._tell_table(visitor, wanted[6:])

    def _set(self) -> None:
        self.set_state(
            {
                "tables": self._rows, "there": self._worker.there, "left_out": self._worker.left_out,
                "language": self._language, "tournaments": self._tournaments, "games": list(GAMES),
            }
        )  # fmt: skip

    def looks(self, visitor: Visitor) -> None:
        for wanted in visitor.wants:
            if wanted.startswith("table:") and self.may_look(visitor):
                self._tell_table(visitor, wanted[6:])
            if wanted.startswith("tournament:") and self.may_look(visitor):
                self._tell_tournament(visitor, wanted[11:])

    # -- tournaments -------------------------------------------------------------------------------------------------

    def _read_on(self) -> set[str]:
        """In a thread: results that tables told, and what other halls on the same store changed."""
        over = {name: _over(now) for name, now in list(self._worker.tables.items())}
        told = self.office.desk.take_results(over)
        self._seat_players()
        with self._seating:
            others, self._unshown = self._unshown, set()
        return told | others

    def _show_tournaments(self, changed: Collection[str]) -> None:
        summary = self.office.summary()
        if summary != self._tournaments:
            self._tournaments = summary
            self._set()
        for visitor in self.visitors:
            for wanted in visitor.wants:
                if wanted.startswith("tournament:") and wanted[11:] in changed:
                    self._tell_tournament(visitor, wanted[11:])

    def _seat_players(self) -> None:
        """Tells paired tables who sits there now, where all names fit a display; and when they got up again, so that
        what is played there meanwhile is not theirs."""
        with self._seating:
            self._unshown |= self.office.desk.refresh()  # Else who sits by another's draw would be told to get up.
            tables = [now for now in list(self._worker.tables.values()) if now.online]
            drawn = self.office.desk.by_table()
            by = ({(now.name, now.paired) for now in tables}, drawn)
            if by == self._seated_by:
                return
            names, seated = self.office.register.names(), self._store.seated()
            for now in tables:
                people = people_now(drawn[now.name], now.name) if now.name in drawn else []
                seats = [name_of(str(person), names) for person in people]
                if any(len(name) > LONGEST_SEAT for name in seats):
                    people, seats = [], []
                if people != seated.get(now.name, []):
                    command = {"do": "seat", "names": tuple(seats), "by": HALL}
                    if self._worker.command(now.name, command):
                        self._store.note_seated(now.name, people)
            self._seated_by = by

    def _forget_at_tables(self, name: str) -> None:
        """Paired tables that are there forget too; others have to be told when they are."""
        for table, now in list(self._worker.tables.items()):
            if now.online:
                self._worker.command(table, {"do": "forget", "name": name, "by": HALL})

    def _tell_tournament(self, visitor: Visitor, subject: str) -> None:
        with contextlib.suppress(ChangeError):
            visitor.tell(f"tournament {subject}", {"tournament": self.office.tournament(subject)})

    def _tell_table(self, visitor: Visitor, table: str) -> None:
        now = self._worker.tables.get(table)
        if now is not None:
            shown = {**now.view, "name": table, "online": now.online, "paired": now.paired}
            visitor.tell(f"table {table}", {"table": shown})

    def _devices(self) -> list[str]:
        """The tables that a tournament may be played on."""
        tables = [now for now in list(self._worker.tables.values()) if now.online or now.paired]
        return sorted((now.name for now in tables), key=_by_number)

    # -- what an arbiter asks ----------------------------------------------------------------------------------------

    async def asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> Any:
        phone = None if visitor.phone is None else self.phones.now(visitor.phone)
        if not may(phone, what):
            raise Refused("not_allowed")
        try:
            if what in MAY_LOOK:
                return await asyncio.to_thread(self.office.looked, what, facts)
            assert phone is not None
            if what not in AT_A_TABLE:
                value = await asyncio.to_thread(self.office.asked, phone, what, facts, self._devices())
                if what in ("begin", "tournament", "forget_player"):
                    every = self.office.desk.all
                    self._show_tournaments({str(facts["id"])} if what == "tournament" else set(every))
                if what == "tournament":
                    await asyncio.to_thread(self._seat_players)
                if what == "forget_player":
                    await asyncio.to_thread(self._forget_at_tables, str(facts["name"]))
                if what in ("forget_phone", "role", "rename", "me"):
                    await self._greet_again()
                return value
        except ChangeError as error:
            raise Refused(error.code, **error.facts) from None
        except OSError as error:
            log.error("%s", error)
            raise Refused("busy") from None
        except (AttributeError, IndexError, OverflowError):  # The page asks for nothing of that shape.
            raise Refused("unknown") from None
        return await self._asked_of_a_table(phone, what, Fields(facts))

    async def _greet_again(self) -> None:
        await self.drop_unknown()
        for visitor in self.visitors:
            visitor.tell("hello", {"hello": self.greeting(visitor)})

    async def _asked_of_a_table(self, phone: Phone, what: str, facts: Fields) -> Any:
        who, table = self.office.who(phone), facts.text("table", like=TABLE_NAME.pattern)
        if what == "command" and table not in self._worker.tables:  # One that is left out on the wall may be paired.
            raise Refused("unknown")
        try:
            match what:
                case "pair_begin":
                    begun = await asyncio.to_thread(self._worker.begin_pairing, table)
                    self._begun[phone.id, table] = begun
                    return None
                case "pair_finish":
                    begun = self._begun.pop((phone.id, table), "")
                    if not begun:
                        raise Refused("too_late")
                    code = facts.text("code", 16)
                    if not await asyncio.to_thread(self._worker.finish_pairing, table, begun, code):
                        raise Refused("wrong_code")
                    self._seated_by = None  # On a new card nobody is seated yet.
                    self._store.note(who, f"paired {table}", "")
                    return None
                case "command":
                    return await self._command(who, role_of(phone), table, facts)
        except PressFirst:
            raise Refused("press_table") from None
        except BadMessage as error:
            raise Refused("cannot_be", why=words.in_words(error, self._language)) from None
        except (TimeoutError, OSError):
            raise Refused("busy") from None
        raise Refused("unknown")

    async def _command(self, who: str, role: str, table: str, facts: Fields) -> None:
        command = allowed_command(Fields(facts.object("command")), role)
        why = " ".join(facts.text("why", 2000, "").split())[:200]
        if command["do"] != "answer" and not why:
            raise Refused("why")
        told = self._worker.tables[table].view.get("events")
        if told is not None and command.get("events", told) != told:
            raise Refused("moved_on")  # Taken back already, by another arbiter or at the table; or more was played.
        send = partial(self._worker.command, table, {**command, "by": who})
        if not await asyncio.to_thread(send):
            raise Refused("table_not_paired")
        self._store.note(who, f"{table}: {write_json(command)[:300]}", why)

    def more_routes(self, app: web.Application) -> None:
        app.cleanup_ctx.append(self._background)

    async def _background(self, app: web.Application) -> Any:
        task = asyncio.create_task(self.keep_up())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@cache
def version() -> str:
    """Changes with any file of the page."""
    return hashlib.sha256("".join(file.tag for _, file in sorted(hall_files().items())).encode()).hexdigest()[:16]
