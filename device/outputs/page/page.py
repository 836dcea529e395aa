"""The table's page: shows every show to all who follow, and puts what paired phones ask for to the table."""

import asyncio
import contextlib
import hashlib
import json
import logging
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

from aiohttp import web

from device import words
from device.following.live import LiveTable, TooLate
from device.following.press import Press
from device.following.request import Request
from device.following.show import Invite, Show
from device.keeping.settings import Settings
from device.outputs.page.address import Listening, url
from device.outputs.page.state import log_of, state_of
from device.web import guard
from device.web.files import File, file_of, module_of, read_folder
from device.web.pairing import Pairing, Phone, Phones
from device.web.server import WebServer
from device.web.site import Refused, Site, Visitor
from engine.events import EventError

log = logging.getLogger(__name__)
ANSWER_S = 5.0
"""For the table to do what was asked: it looks at a frame between, the first of which loads the networks."""
INVITE_S = 30.0
"""How long the way to the page is shown on request."""
Put = Callable[[Press | Request], None]


@cache
def page_words(language: str) -> Mapping[str, Any]:
    """The page's own words; where Shimaore has none of ours, the French ones."""
    found: dict[str, Any] = {}
    for name in ("fr", language):
        text = files(__package__).joinpath(f"words/{name}.toml").read_text(encoding="utf-8")
        found = _over(found, tomllib.loads(text))
    return found


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """One table laid over another, entry by entry."""
    out = dict(below)
    for name, value in above.items():
        out[name] = _over(out.get(name, {}), value) if isinstance(value, dict) else value
    return out


@cache
def page_files() -> Mapping[str, File]:
    """Every file of the page, and the words of each language as a module."""
    found = {**read_folder("device.web", "/w/"), **read_folder("device.outputs.page")}
    for language in words.LANGUAGES:
        table = words.table(language)
        shared = {name: table[name] for name in ("player", "side", "suits", "players", "situations", "prompts")}
        name = f"/words/{language}.js"
        found[name] = file_of(name, module_of({**shared, **page_words(language)}))
    return found


@cache
def page_version() -> str:
    """Changes with any of its files: a page that was loaded before an update loads itself again."""
    return hashlib.sha256("".join(one.tag for _, one in sorted(page_files().items())).encode()).hexdigest()[:16]


class TablePage(Site):
    """What the table's page answers."""

    def __init__(self, settings: Settings, phones: Phones, pairing: Pairing) -> None:
        super().__init__(page_files(), phones, pairing)
        self.settings = settings
        self._put: Put | None = None
        self._log: list[dict[str, Any]] = []
        self._logged = -1
        """How many events there were when the log was last asked for."""

    # -- what a page says for itself ---------------------------------------------------------------------------------

    def page(self, request: web.Request, phone: Phone | None) -> Mapping[str, str]:
        language = self.state.get("language", self.settings.language)
        open_now = phone is not None or self.open_to_look
        return {
            "language": language,
            "title": page_words(language)["title"],
            "paired": "yes" if phone is not None else "no",
            "state": json.dumps(self.state, ensure_ascii=False) if open_now and self.state else "",
            "version": page_version(),
        }

    def greeting(self, visitor: Visitor) -> Mapping[str, Any]:
        return {**super().greeting(visitor), "version": page_version()}

    @property
    def open_to_look(self) -> bool:
        return self.settings.page_look == "everybody"

    def listen(self, put: Put) -> None:
        """Where requests go."""
        self._put = put

    def set_state(self, state: Mapping[str, Any]) -> None:
        super().set_state(state)
        if any("log" in one.wants for one in self.visitors):
            asyncio.get_running_loop().create_task(self._post_log())

    def looks(self, visitor: Visitor) -> None:
        if "log" in visitor.wants and self.may_look(visitor):
            asyncio.get_running_loop().create_task(self._post_log(visitor))

    # -- the table ---------------------------------------------------------------------------------------------------

    async def table(self, do: Callable[[LiveTable], Any]) -> Any:
        """Has something done by the table; what came of it. Refused: it could not be."""
        if self._put is None:
            raise Refused("busy")
        running = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = running.create_future()

        def tell(value: object, error: Exception | None) -> None:
            def resolve() -> None:
                if not answer.done():
                    answer.set_result(value) if error is None else answer.set_exception(error)

            with contextlib.suppress(RuntimeError):  # The page was closed meanwhile.
                running.call_soon_threadsafe(resolve)

        self._put(Request(do, tell))
        try:
            async with asyncio.timeout(ANSWER_S):
                return await answer
        except TooLate:
            raise Refused("too_late") from None
        except EventError as error:
            raise Refused("cannot_be", why=str(error)) from None
        except (OSError, TimeoutError):
            raise Refused("busy") from None

    async def _post_log(self, only: Visitor | None = None) -> None:
        """The log to those who look at it, made once for all of them."""
        if self._logged != self.state.get("events"):
            self._logged = self.state.get("events", -1)
            with contextlib.suppress(Refused):
                told, players, language, seats = await self.table(
                    lambda table: (table.match.told, table.match.header.players, table.settings.language,
                                   table.match.header.seats))  # fmt: skip
                self._log = log_of(told, players, language, seats)
        for visitor in [only] if only is not None else self.visitors:
            if "log" in visitor.wants and self.may_look(visitor):
                visitor.tell("log", {"log": self._log})

    async def asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> Any:
        assert visitor.phone is not None
        by = f"page {visitor.phone.id}"
        match what:
            case "answer":
                key, answer = str(facts["key"]), int(facts["answer"])
                await self.table(lambda table: table.answer(key, answer, by))
            case "correct":
                number, changes = int(facts["number"]), dict(facts["changes"])
                await self.table(lambda table: table.correct(number, changes, by))
            case "undo":
                since = None if facts.get("since") is None else int(facts["since"])
                await self.table(lambda table: table.undo(since, by))
            case "redo":
                await self.table(lambda table: table.redo(by))
            case _:
                raise Refused("unknown")
        return None


class Page:
    """The page as the loop knows it: an output, and an input."""

    name = "page"
    trouble = "page_away"

    def __init__(self, settings: Settings, where: Listening, say: Callable[[str], None] | None = None) -> None:
        """say: tells whoever started the program where the page is."""
        self._say = say or partial(print, flush=True)
        self._where = where
        self._put: Put | None = None
        self._hides: asyncio.TimerHandle | None = None
        phones = Phones(settings.matches_folder)
        self.site = TablePage(settings, phones, Pairing(self._show_code))
        self._server = WebServer(where.places, self.site.app)

    @property
    def address(self) -> str | None:
        """Where it is; None: nowhere yet."""
        return url(self._server.place) if self._server.place is not None else None

    # -- an output ---------------------------------------------------------------------------------------------------

    def show(self, show: Show) -> None:
        """Has it sent to all who follow; waits for none of them. OSError: its port cannot be had."""
        if not self._server.running:
            self._server.start()
            assert self._server.place is not None and self.address is not None
            self.site.port = self._server.place[1]
            self.site.names = guard.own_names(("hisabu.local",))
            self._say(words.table(show.language)["live"]["page"].format(address=self.address))
        self._server.soon(self.site.set_state, state_of(show))

    def close(self) -> None:
        """Nobody is served any more; harmless twice."""
        self._server.close()

    # -- an input ----------------------------------------------------------------------------------------------------

    def listen(self, put: Put) -> "Page":
        """Puts what phones ask for to the table."""
        self._put = put
        self.site.listen(put)
        return self

    def _show_code(self, code: str | None) -> None:
        """The displays show the code, or no code any more."""
        if self._put is not None:
            invite = Invite(self.address or "", code) if code else None
            self._put(Request(lambda table: table.invite(invite), lambda value, error: None))
