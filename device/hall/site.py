"""The hall's page: all tables at a glance, what needs an arbiter first, the evidence, and what an arbiter may do."""

import asyncio
import contextlib
import hashlib
import json
import logging
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from aiohttp import web

from device import words
from device.hall.store import Store
from device.hall.worker import TableNow, Worker
from device.outputs.broker.messages import BadMessage
from device.outputs.page.page import page_words
from device.web.files import File, file_of, module_of, read_folder
from device.web.pairing import Pairing, Phone, Phones
from device.web.site import Refused, Site, Visitor

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
)
"""What the wall shows of a table's view; the whole of it goes to who looks at that table."""
FIRST = ("alert", "fault", "question", "silent", "gone")
"""What needs an arbiter, the most urgent first."""


@cache
def hall_files() -> Mapping[str, File]:
    """Every file of the page, and the words of each language as a module."""
    found = {**read_folder("device.web", "/w/"), **read_folder("device.hall")}
    found["/follow.js"] = read_folder("device.outputs.page")["/follow.js"]
    for language in words.LANGUAGES:
        table = words.table(language)
        shared = {name: table[name] for name in ("player", "side", "suits", "players", "situations", "prompts")}
        name = f"/words/{language}.js"
        found[name] = file_of(name, module_of({**shared, **page_words(language), "hall": hall_words(language)}))
    return found


@cache
def hall_words(language: str) -> Mapping[str, Any]:
    """The words that only the hall has; French where there are none of ours."""
    import tomllib

    folder = package_files(__package__) / "words"
    found: dict[str, Any] = tomllib.loads((folder / "fr.toml").read_text(encoding="utf-8"))
    own = folder / f"{language}.toml"
    return found | (tomllib.loads(own.read_text(encoding="utf-8")) if own.is_file() else {})


def needs(now: TableNow, at_s: float) -> str | None:
    """Why an arbiter should look at a table, one of FIRST."""
    if now.online and now.alert is not None:
        return "alert"
    if now.trouble:
        return "fault"
    if now.online and now.view.get("prompt"):
        return "question"
    if now.online and at_s - now.changed_s > SILENT_S and _playing(now):
        return "silent"
    return None if now.online else "gone"


def _playing(now: TableNow) -> bool:
    return now.view.get("view", {}).get("phase") not in (None, "waiting_for_deal", "match_over", "over", "setup")


def row(now: TableNow, at_s: float) -> dict[str, Any]:
    """A table on the wall."""
    view = now.view.get("view") if isinstance(now.view.get("view"), dict) else {}
    assert isinstance(view, dict)
    prompt = now.view.get("prompt") or {}
    return {
        "name": now.name,
        "title": now.title or now.name,
        "online": now.online,
        "needs": needs(now, at_s),
        "trouble": now.trouble,
        "alert": str(now.view.get("alert") or "")[:300] if now.alert is not None else "",
        "question": str(prompt.get("text", ""))[:300],
        "seats": list(now.view.get("seats") or [])[:6],
        "scores": list(now.view.get("scores") or [])[:6],
        "view": {name: view[name] for name in KEPT if name in view},
    }


class HallSite(Site):
    """What the hall's page answers."""

    def __init__(self, store: Store, worker: Worker, folder: Path, language: str, show_code: Any) -> None:
        super().__init__(hall_files(), Phones(folder), Pairing(show_code))
        self._store, self._worker, self._language = store, worker, language
        self._dirty: set[str] = set()
        self._rows: dict[str, dict[str, Any]] = {}
        self._begun: dict[tuple[str, str], str] = {}
        """Pairings under way, by phone and table."""

    def page(self, request: web.Request, phone: Phone | None) -> Mapping[str, str]:
        return {
            "language": self._language,
            "title": str(hall_words(self._language)["title"]),
            "paired": "yes" if phone is not None else "no",
            "state": json.dumps(self.state, ensure_ascii=False) if self.state else "",
            "version": version(),
        }

    def greeting(self, visitor: Visitor) -> Mapping[str, Any]:
        return {**super().greeting(visitor), "version": version()}

    # -- the wall ----------------------------------------------------------------------------------------------------

    def table_changed(self, table: str) -> None:
        """Something is new at a table; sent with the next state."""
        self._dirty.add(table)

    async def keep_up(self) -> None:
        """Sends what is new, now and then, as long as the page is served."""
        while True:
            await asyncio.sleep(EVERY_S)
            self.refresh()

    def refresh(self) -> None:
        """Makes the state new where it changed."""
        at_s = self._worker.now_s
        dirty, self._dirty = self._dirty, set()
        fresh = dict(self._rows)
        for name, now in list(self._worker.tables.items()):
            if name in dirty or name not in fresh or fresh[name]["needs"] != needs(now, at_s):
                fresh[name] = row(now, at_s)
        if fresh != self._rows or self.state.get("there") != self._worker.there:
            self._rows = fresh
            self.set_state({"tables": fresh, "there": self._worker.there, "language": self._language})
        for visitor in self.visitors:
            for wanted in visitor.wants:
                if wanted.startswith("table:") and (wanted[6:] in dirty or visitor.known is None):
                    self._tell_table(visitor, wanted[6:])

    def looks(self, visitor: Visitor) -> None:
        for wanted in visitor.wants:
            if wanted.startswith("table:") and self.may_look(visitor):
                self._tell_table(visitor, wanted[6:])

    def _tell_table(self, visitor: Visitor, table: str) -> None:
        now = self._worker.tables.get(table)
        if now is not None:
            visitor.tell(f"table {table}", {"table": {**now.view, "name": table, "online": now.online}})

    # -- what an arbiter asks ----------------------------------------------------------------------------------------

    async def asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> Any:
        assert visitor.phone is not None
        who, table = visitor.phone.name or visitor.phone.id, str(facts.get("table", ""))
        if table not in self._worker.tables:
            raise Refused("unknown")
        try:
            match what:
                case "pair_begin":
                    begun = await asyncio.to_thread(self._worker.begin_pairing, table)
                    self._begun[visitor.phone.id, table] = begun
                    return None
                case "pair_finish":
                    begun = self._begun.pop((visitor.phone.id, table), "")
                    if not begun:
                        raise Refused("too_late")
                    code = str(facts.get("code", ""))[:16]
                    if not await asyncio.to_thread(self._worker.finish_pairing, table, begun, code):
                        raise Refused("wrong_code")
                    self._store.note(who, f"paired {table}", "")
                    return None
                case "command":
                    return await self._command(who, table, facts)
        except BadMessage as error:
            raise Refused("cannot_be", why=str(error)) from None
        except (TimeoutError, OSError):
            raise Refused("busy") from None
        raise Refused("unknown")

    async def _command(self, who: str, table: str, facts: Mapping[str, Any]) -> None:
        command = facts.get("command")
        why = " ".join(str(facts.get("why", "")).split())[:200]
        if not isinstance(command, dict):
            raise Refused("unknown")
        if command.get("do") not in ("answer",) and not why:
            raise Refused("why")
        send = partial(self._worker.command, table, {**command, "by": who})
        if not await asyncio.to_thread(send):
            raise Refused("table_not_paired")
        self._store.note(who, f"{table}: {json.dumps(command, ensure_ascii=False)[:300]}", why)

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
    return hashlib.sha256("".join(one.tag for _, one in sorted(hall_files().items())).encode()).hexdigest()[:16]
