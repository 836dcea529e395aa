"""The table's page: shows every show to all who follow, and puts what paired phones ask for to the table."""

import asyncio
import contextlib
import hashlib
import logging
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import IO, Any

from aiohttp import web

from device import version, words
from device.cameras import Camera, CameraAway
from device.following.follow import FrameSeen
from device.following.live import LiveTable, TooLate
from device.following.menu import FORGET_PHONES, LANGUAGE_NAMES, SHOW_PAGE
from device.following.moments import Picture
from device.following.press import Press
from device.following.request import Request
from device.following.show import Invite, Join, Show
from device.keeping import clips
from device.keeping.backup import Backup, BackupError, packed, take_in
from device.keeping.deck import learned_path
from device.keeping.files import make_folder, read_plain
from device.keeping.journal import kept
from device.keeping.names import names_played
from device.keeping.settings import Settings, settings_path
from device.machine import network, update, updater
from device.machine.about import about
from device.machine.doctor import Doctor
from device.machine.hotspot import Hotspot
from device.machine.power import may_switch, switch
from device.outputs.page.address import HTTP, Listening, url
from device.outputs.page.announce import NAMES, announce
from device.outputs.page.archive import MAY_LOOK, Archive, ArchiveError
from device.outputs.page.camera import Pictures
from device.outputs.page.enrol import PageEnrolment
from device.outputs.page.first import first_picture
from device.outputs.page.house import changed, house_of
from device.outputs.page.recordings import delete, recordings
from device.outputs.page.rules import rules_of
from device.outputs.page.state import Spoken, log_of, state_of
from device.outputs.voice.lines import clip_said
from device.web import guard
from device.web.files import File, file_of, module_of, read_folder
from device.web.pairing import CODE_LASTS_S, Pairing, Phone, Phones
from device.web.server import WebServer
from device.web.site import Markup, Refused, Site, Visitor, own_language
from device.words import in_words
from device.words.messages import messages_for
from engine.events import LONGEST_REASON, MOST_POINTS, MOST_SIDES
from engine.games import GAMES
from engine.strict_json import Fields, write_json
from vision.frame import Frame

log = logging.getLogger(__name__)
ANSWER_S = 5.0
"""For the table to do what was asked: it looks at a frame between, the first of which loads the networks."""
LEFT_ALONE_S = 60.0
"""A phone that was put into a pocket while it taught a deck is waited for so long; then the game goes on."""
FIRST_LINE_BYTES = 4000
"""Of a match that was begun and not played: its first line takes no more."""
LAMPS_FIRST_S = 0.01
"""Nothing is made for phones so soon after a show: they would take the processor from the lamps and the display."""
ANSWERED_FIRST_S = 0.5
"""Before the device changes its network: the phone that asked has its answer by then."""
MOST_NUMBER = 10**12
"""Of matches and moments."""
TOPICS = (
    "page", "table", "notice", "illegal", "question", "answer", "card", "situation", "trouble", *GAMES,
)  # fmt: skip
"""What a phone says by itself."""
CHUNK_BYTES = 65_536
MOST_SENT_BYTES = 500_000_000
"""Of a backup as it comes in, packed."""
Put = Callable[[Press | Request], None]


@cache
def page_files() -> Mapping[str, File]:
    """Every file of the page, its style sheets within it, and the words of each language as a module."""
    found = {**read_folder("device.web", "/w/"), **read_folder("device.outputs.page")}
    style = b"\n".join([found.pop(name).plain for name in ("/w/base.css", "/w/table.css", "/app.css")])
    found["/index.html"] = file_of("index.html", found["/index.html"].plain.replace(b"{style}", style))
    for language in words.LANGUAGES:
        name = f"/words/{language}.js"
        found[name] = file_of(name, _as_module(language))
    return found


def _as_module(language: str) -> bytes:
    """The messages of a language; those of the language below come from there."""
    said, below = of_phones(language), words.below(language)
    if below == language:
        return module_of(said)
    others = of_phones(below)
    return module_of({name: pattern for name, pattern in said.items() if pattern != others.get(name)}, f"{below}.js")


def of_phones(language: str, *topics: str) -> Mapping[str, Any]:
    """The messages that a phone says by itself, what wins a match of each game, and the languages there are. The rules
    of the games are sent to who asks for them."""
    won_by = {f"{kind.name}-won_by": words.counted(kind.name, language) for kind in GAMES.values() if not kind.grid}
    spoken = {f"language-{code}": name for code, name in LANGUAGE_NAMES.items()}
    said = messages_for(language, (*TOPICS, *topics))
    shown = {name: pattern for name, pattern in said.items() if "-rules" not in name or name.startswith("page-")}
    return {**shown, **won_by, **spoken}


@cache
def packed_words(language: str) -> str:
    """All messages as they stand in the page: one request less before the table is drawn."""
    return write_json(of_phones(language))


@cache
def page_version() -> str:
    """Changes with any of its files: a page that was loaded before an update loads itself again."""
    return hashlib.sha256("".join(file.tag for _, file in sorted(page_files().items())).encode()).hexdigest()[:16]


def _change(table: LiveTable, changes: Mapping[str, Any]) -> Settings:
    changes = dict(changes)
    code = changes.pop("broker_code", None)
    if code is not None:
        table.join(str(code)[:40])
    table.change(changed(table.settings, changes, table.played))
    return table.settings


def _update_said(language: str) -> dict[str, Any]:
    """Whether an update can be, and what came of the last one, in words."""
    state = update.state()
    last = state["last"]
    return {**state, "last": words.say(language, f"update-{last['code']}", **last) if last else None}


def _changed_to(table: LiveTable, settings: Settings) -> Settings:
    table.change(settings)
    return table.settings


async def _received(request: web.Request, file: IO[bytes]) -> None:
    """What a phone sends, into a file. BackupError: it is more than any backup holds."""
    size = 0
    async for piece in request.content.iter_chunked(CHUNK_BYTES):
        size += len(piece)
        if size > MOST_SENT_BYTES:
            raise BackupError("backup_large")
        await asyncio.to_thread(file.write, piece)
    file.seek(0)


def _no_camera() -> Camera:
    raise CameraAway("the loop has it")


class TablePage(Site):
    """What the table's page answers."""

    def __init__(self, settings: Settings, phones: Phones, pairing: Pairing) -> None:
        super().__init__(page_files(), phones, pairing)
        self.settings = settings
        self._put: Put | None = None
        self._show: Show | None = None
        self._spoken = Spoken()
        self._log: list[dict[str, Any]] = []
        self._logged = -1
        """How many events there were when the log was last asked for."""
        self._enrolment: PageEnrolment | None = None
        self._taking_back: asyncio.Task[Any] | None = None
        self._archive = Archive()
        self._announcing: asyncio.Task[None] | None = None
        self._taking_in = asyncio.Lock()
        self.hotspot: Hotspot | None = None
        """Where the network is this program's to choose: on a device, not on a laptop."""
        self._joining: asyncio.Task[None] | None = None
        self._updating = asyncio.Lock()
        self.pictures = Pictures(self._soon, self.pictured)
        self.moments: Callable[[], Sequence[Picture]] = lambda: ()
        """The pictures of the newest alert."""
        self.greeted: Callable[[], None] = lambda: None
        """Told when a phone that is not paired asks for the page."""
        self.invited: Callable[[], None] = lambda: None
        """Has the displays show the way to the page."""

    def _soon(self, action: Callable[..., object], *args: Any) -> None:
        """Has something done in the server's thread."""
        if self.running is not None:
            with contextlib.suppress(RuntimeError):
                self.running.call_soon_threadsafe(action, *args)

    @property
    def _language(self) -> str:
        return str(self.state.get("language", self.settings.language))

    # -- what a page says for itself ---------------------------------------------------------------------------------

    def page(self, request: web.Request, phone: Phone | None) -> Mapping[str, str]:
        if phone is None:
            self.greeted()
        language = own_language(request) or self._language
        open_now = phone is not None or self.open_to_look
        return {
            "language": language,
            "title": words.say(language, "page-title"),
            "words": packed_words(language),
            "paired": "yes" if phone is not None else "no",
            "state": write_json(self.state) if open_now and self.state else "",
            "version": page_version(),
            "picture": Markup(first_picture(self.state if open_now else {}, language)),
        }

    def greeting(self, visitor: Visitor) -> Mapping[str, Any]:
        return {**super().greeting(visitor), "version": page_version()}

    @property
    def open_to_look(self) -> bool:
        return self.settings.page_look == "everybody"

    def listen(self, put: Put) -> None:
        """Where requests go."""
        self._put = put

    def follow(self, show: Show, state: Mapping[str, Any]) -> None:
        """There is something new to follow, and to be said aloud."""
        self._show = show
        self.set_state(state)
        for visitor in self.visitors:
            self._post_speech(visitor)

    def _post_speech(self, visitor: Visitor) -> None:
        show = self._show
        if show is not None and "speech" in visitor.wants and self.may_look(visitor):
            visitor.tell("speech", {"speech": self._spoken.of(show, visitor.language or show.language)})

    def set_state(self, state: Mapping[str, Any]) -> None:
        super().set_state(state)
        if any("log" in visitor.wants for visitor in self.visitors):
            asyncio.get_running_loop().create_task(self._post_log())

    def only_looks(self, what: str, facts: Mapping[str, Any]) -> bool:
        return what == "rules" or (what == "matches" and facts.get("what") in MAY_LOOK)

    def looks(self, visitor: Visitor) -> None:
        self.pictures.wanted = any("camera" in visitor.wants and visitor.phone is not None for visitor in self.visitors)
        if self._enrolment is not None and not self._paired_there:
            asyncio.get_running_loop().call_later(LEFT_ALONE_S, self._take_back)
        if "log" in visitor.wants and self.may_look(visitor):
            asyncio.get_running_loop().create_task(self._post_log(visitor))
        self._post_speech(visitor)

    @property
    def _paired_there(self) -> bool:
        """Whether any paired phone looks at the page."""
        return any(visitor.phone is not None for visitor in self.visitors)

    def _take_back(self) -> None:
        """Whoever taught a deck went away with the phone: the frames go into the game again."""
        if self._enrolment is not None and not self._paired_there:
            self._taking_back = asyncio.get_running_loop().create_task(self._enrol("end"))

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
        except ValueError as error:  # An event, a setting or an option that cannot be.
            raise Refused("cannot_be", why=in_words(error, self._language)) from None
        except (OSError, TimeoutError):
            raise Refused("busy") from None

    async def _post_log(self, only: Visitor | None = None) -> None:
        """The log to those who look at it, made once for all of them."""
        if self._logged != self.state.get("events"):
            self._logged = self.state.get("events", -1)
            with contextlib.suppress(Refused):
                told, players, language, seats, logged = await self.table(
                    lambda table: (table.match.told, table.match.header.players, table.settings.language,
                                   table.match.header.seats, tuple(table.match.log)))  # fmt: skip
                self._log = log_of(told, players, language, seats, logged)
        for visitor in [only] if only is not None else self.visitors:
            if "log" in visitor.wants and self.may_look(visitor):
                visitor.tell("log", {"log": self._log})

    async def asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any]) -> Any:
        by = f"page {visitor.phone.id}" if visitor.phone is not None else "page"
        fields = Fields(facts)
        match what:
            case "answer":
                key, answer = fields.text("key"), fields.whole("answer")
                await self.table(lambda table: table.answer(key, answer, by))
            case "correct":
                number, changes = fields.whole("number"), fields.object("changes")
                await self.table(lambda table: table.correct(number, changes, by))
            case "score":
                points = fields.wholes("points", MOST_SIDES, MOST_POINTS)
                reason = fields.text("reason", LONGEST_REASON, default="")
                await self.table(lambda table: table.set_score(points, reason, by))
            case "undo":
                since, events = fields.whole("since", default=None), fields.whole("events", default=None)
                await self.table(lambda table: table.undo(since, by, events))
            case "redo":
                there_were = fields.whole("events", default=None)
                await self.table(lambda table: table.redo(by, there_were))
            case "rules":
                game, language = fields.text("game"), visitor.language or self._language
                return await self.table(lambda table: rules_of(game, table, language))
            case "moment":
                return [_shown(picture) for picture in await asyncio.to_thread(self.moments)]
            case _:
                return await self._house_asked(visitor, what, facts, by)
        return None

    # -- the house ---------------------------------------------------------------------------------------------------

    async def _house_asked(self, visitor: Visitor, what: str, facts: Mapping[str, Any], by: str) -> Any:
        fields = Fields(facts)
        match what:
            case "house" | "change":
                return await self._house_changed(visitor, what, fields, facts)
            case "act":
                action = fields.text("action")
                await self.table(lambda table: table.act(action, by))
            case "forget":
                id_ = fields.text("id", default=None)
                if visitor.phone is None or id_ != visitor.phone.id:
                    self._only_for_owners(visitor)  # Else a guest forgets the owner, and owns the table then.
                self.phones.forget(id_)
                await self.drop_unknown()
            case "recordings" | "delete_recording":
                return await asyncio.to_thread(_recordings_asked, self.settings.record_folder, what, fields)
            case "clips" | "delete_clip" | "matches":
                return await self._kept_asked(visitor, what, fields)
            case "invite":
                self.invited()
            case "enrol":
                return await self._enrol(fields.text("step"))
            case _:
                return await self._machine_asked(visitor, what, fields)
        return None

    async def _machine_asked(self, visitor: Visitor, what: str, fields: Fields) -> Any:
        """What concerns the device and not the game."""
        match what:
            case "doctor":
                return await asyncio.to_thread(self._findings, visitor.language or self.settings.language)
            case "power":
                return await asyncio.to_thread(_switch, fields.text("action"))
            case "wifi":
                return await self._wifi()
            case "wifi_join":
                ssid, password = fields.text("ssid", 64), fields.text("password", 64, "")
                return self._change_network(visitor, lambda hotspot: hotspot.join(ssid, password))
            case "wifi_listen":
                return self._change_network(visitor, Hotspot.listen)
            case "update":
                return await self._update(visitor, fields.text("from"))
        raise Refused("unknown")

    async def _kept_asked(self, visitor: Visitor, what: str, fields: Fields) -> Any:
        """The matches that are kept; the family's own voices, which are the owner's alone."""
        if what == "matches":
            return await self._archived(visitor.language or self._language, fields.text("what"), fields)
        self._only_for_owners(visitor)
        language = fields.text("language")
        if what == "delete_clip":
            await asyncio.to_thread(clips.forget, self.settings.recorded_voice, language, fields.text("name"))
        seats = await self.table(lambda table: tuple(table.match.header.seats))
        return await asyncio.to_thread(self._clips, language, seats)

    async def _house_changed(self, visitor: Visitor, what: str, fields: Fields, facts: Mapping[str, Any]) -> Any:
        """What the house decides: as it is, with a draft that is not kept, or with changes that are."""
        if what == "house":
            return await self._house(visitor, fields.object("draft", {}))
        if changes := dict(facts):
            self.settings = await self.table(lambda table: _change(table, changes))
            for unwelcome in [visitor for visitor in self.visitors if not self.may_look(visitor)]:
                await unwelcome.close()
        return await self._house(visitor)

    async def _house(self, visitor: Visitor, draft: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Everything to choose from. draft: what is chosen and not decided yet; nothing of it is kept."""
        settings, found = await self.table(lambda table: (table.settings, table.played))
        self.settings = settings
        language = visitor.language or settings.language
        if draft:
            try:
                settings = changed(settings, draft, found)
            except ValueError as error:
                raise Refused("cannot_be", why=in_words(error, language)) from None
            language = settings.language if "language" in draft else language
        phones = [
            {"id": phone.id, "name": phone.name, "seen": phone.seen, "mine": phone == visitor.phone}
            for phone in self.phones.all()
        ]
        return {
            **house_of(settings, found, language),
            "known_names": await asyncio.to_thread(names_played, self.settings.matches_folder),
            "about": about(settings).to_dict(),
            "update": _update_said(language),
            "wifi": self.hotspot is not None,
            "phones": phones,
            "owner": self.phones.owned_by(visitor.phone),
            "power": may_switch(),
            "enrol": self._enrolment.state if self._enrolment else None,
        }

    def _only_for_owners(self, visitor: Visitor) -> None:
        """Refused: this is the owner's alone."""
        if not self.phones.owned_by(visitor.phone):
            raise Refused("not_owner")

    async def _wifi(self) -> dict[str, Any]:
        """What the device is connected to, and what it hears. Refused: here it is not ours to say."""
        hotspot = self.hotspot
        if hotspot is None:
            raise Refused("not_here")
        heard = await asyncio.to_thread(hotspot.nearby)
        state = hotspot.state
        return {
            "online": state.online, "own": state.own, "name": state.name, "last": hotspot.last,
            "heard": [asdict(wifi) for wifi in heard], "radio": state.device is not None,
        }  # fmt: skip

    def _change_network(self, visitor: Visitor, do: Callable[[Hotspot], object]) -> bool:
        """Has the device join a Wi-Fi, or hear what there is. Answered before it does: the phone may lose the device on
        the way."""
        self._only_for_owners(visitor)
        hotspot = self.hotspot
        if hotspot is None:
            raise Refused("not_here")
        if self._joining is not None and not self._joining.done():
            raise Refused("busy")
        running = asyncio.get_running_loop()

        async def change() -> None:
            await asyncio.sleep(ANSWERED_FIRST_S)
            await asyncio.to_thread(do, hotspot)
            self._tell_all("wifi", {"wifi": hotspot.last or {}})

        self._joining = running.create_task(change())
        return True

    async def _update(self, visitor: Visitor, where: str) -> dict[str, Any]:
        """Asks for the newest package; a match that goes on goes on after it."""
        self._only_for_owners(visitor)
        if where not in (updater.STICK, updater.FETCHED) or not update.can_update():
            raise Refused("not_here")
        if self._updating.locked():
            raise Refused("busy")
        language = visitor.language or self._language
        try:
            async with self._updating:
                if where == updater.FETCHED:
                    await update.fetch()
                await asyncio.to_thread(update.ask, where)
        except update.NoUpdate as error:
            raise Refused("wrong", why=words.say(language, f"update-{error}")) from None
        except OSError as error:
            raise Refused("wrong", why=words.what_helps(error, language)) from None
        return await self._house(visitor)

    async def _archived(self, language: str, what: str, fields: Fields) -> Any:
        """Something of the matches that are kept."""
        asked: dict[str, Any] = {"language": language}
        asked |= {name: fields.whole(name, most=MOST_NUMBER) for name in ("number", "at") if name in fields}
        try:
            return await self._archive.ask(self.settings.matches_folder, what, asked)
        except ArchiveError as error:
            raise Refused(str(error)) from None
        except (OSError, TimeoutError):
            raise Refused("busy") from None

    async def stop(self, app: web.Application) -> None:
        """The server ends."""
        if self._announcing is not None:
            self._announcing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._announcing
        await self._archive.close()

    def announced(self, port: int) -> None:
        """Tells the network where the page is; in the server's thread."""
        if self._announcing is None:
            self._announcing = asyncio.get_running_loop().create_task(announce(port))

    def more_routes(self, app: web.Application) -> None:
        app.on_shutdown.append(self.stop)
        app.router.add_get("/backup", self._give_backup)
        app.router.add_post("/backup", self._take_backup)
        app.router.add_get("/voice/{language}/{name}.wav", self._give_clip)
        app.router.add_post("/voice/{language}/{name}.wav", self._take_clip)

    # -- the family's own voices ---------------------------------------------------------------------------------------

    async def _give_clip(self, request: web.Request) -> web.StreamResponse:
        """A recording, to be listened to."""
        if not self.phones.owned_by(self.phone_of(request)):
            raise web.HTTPForbidden
        try:
            path = clips.clip_path(self.settings.recorded_voice, **request.match_info)
            data = await asyncio.to_thread(read_plain, path, clips.MOST_BYTES)
        except (OSError, clips.ClipError):
            raise web.HTTPNotFound from None
        return web.Response(body=data, content_type="audio/wav")

    async def _take_clip(self, request: web.Request) -> web.Response:
        """A recording comes in; the owner's phone alone may send one."""
        if not self.phones.owned_by(self.phone_of(request)):
            raise web.HTTPForbidden
        language, data = own_language(request) or self._language, bytearray()
        try:
            async for piece in request.content.iter_chunked(CHUNK_BYTES):
                data += piece
                if len(data) > clips.MOST_BYTES:
                    raise clips.ClipError("clip_long")
            folder = self.settings.recorded_voice
            await asyncio.to_thread(partial(clips.keep, folder, data=bytes(data), **request.match_info))
        except clips.ClipError as error:
            return web.json_response({"refused": "wrong", "why": in_words(error, language)}, status=400)
        except OSError as error:
            return web.json_response({"refused": "wrong", "why": words.what_helps(error, language)}, status=507)
        return web.json_response({})

    def _clips(self, language: str, seats: Sequence[str]) -> list[dict[str, Any]]:
        """Every line that may be recorded: what to say, and whether somebody has."""
        known = set(clips.there(self.settings.recorded_voice, language))
        return [{"name": name, "say": clip_said(name, language, seats), "there": name in known}
                for name in (*clips.SEATS, *clips.CARDS, "trick", *clips.ALERTS)]  # fmt: skip

    # -- a backup ------------------------------------------------------------------------------------------------------

    async def _give_backup(self, request: web.Request) -> web.StreamResponse:
        """Everything that is kept, as one file."""
        if not self.phones.owned_by(self.phone_of(request)):
            raise web.HTTPForbidden
        name = f"hisabu-{time.strftime('%Y-%m-%d')}.zip"
        answer = web.StreamResponse(headers={"Content-Disposition": f'attachment; filename="{name}"'})
        answer.content_type = "application/zip"
        answer.headers.update({**guard.HEADERS, "Cache-Control": "no-store"})
        await answer.prepare(request)
        pieces = packed(self.settings, settings_path(), version.of_the_program())
        while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
            await answer.write(piece)
        await answer.write_eof()
        return answer

    async def _take_backup(self, request: web.Request) -> web.Response:
        """Another device's backup comes in, or one of this device's own."""
        if not self.phones.owned_by(self.phone_of(request)):
            raise web.HTTPForbidden
        if self._taking_in.locked():
            return web.json_response({"refused": "busy"}, status=409)
        language = own_language(request) or self._language
        async with self._taking_in:
            try:
                with tempfile.TemporaryFile(dir=await self._room_for_backup()) as file:
                    await _received(request, file)
                    backup = await asyncio.to_thread(Backup, file)
                    mine = (await self.table(lambda table: table.settings), settings_path())
                    taken = await asyncio.to_thread(take_in, backup, *mine)
            except BackupError as error:
                return web.json_response({"refused": "wrong", "why": in_words(error, language)}, status=400)
            except OSError as error:
                why = words.what_helps(error, language)
                return web.json_response({"refused": "wrong", "why": why}, status=507)
            except Refused as error:
                return web.json_response({"refused": error.code, **error.facts}, status=409)
            self.settings = await self.table(lambda table: _changed_to(table, taken.settings))
        found = {"matches": taken.matches, "there": taken.there, "deck": taken.deck_fits}
        return web.json_response({**found, "left": ", ".join(taken.left)})

    async def _room_for_backup(self) -> Path:
        """A folder on the disk that the matches are on."""
        folder = self.settings.matches_folder
        await asyncio.to_thread(make_folder, folder)
        return folder

    def _findings(self, language: str) -> list[dict[str, str]]:
        """The doctor's report, in words; of the camera only what the loop knows, which has it."""
        doctor = Doctor(self.settings, _no_camera)
        parts = [
            doctor.software(),
            *doctor.deck(),
            doctor.power(),
            doctor.temperature(),
            doctor.disk(),
            doctor.matches(),
            doctor.clock(),
        ]
        parts += doctor.parts()
        said = partial(words.say, language)
        return [
            {"part": said(f"doctor-part_{finding.part}"), "level": finding.level,
             "text": said(f"doctor-{finding.code}", **dict(finding.facts))}
            for finding in parts
        ]  # fmt: skip

    async def _enrol(self, step: str) -> dict[str, Any] | None:
        """Begins to learn a deck, or ends it; the table waits meanwhile."""
        if step in ("begin", "anew"):
            running = asyncio.get_running_loop()

            def told(state: dict[str, Any]) -> None:
                running.call_soon_threadsafe(self._tell_all, "enrol", {"enrol": state})

            path = learned_path(self.settings)
            enrolment = await asyncio.to_thread(PageEnrolment, path, told, self._language, step == "anew")
            self._enrolment = enrolment
            await self.table(lambda table: table.lend(enrolment.see))
            return enrolment.state
        ended, self._enrolment = self._enrolment, None
        if ended is not None:
            path = ended.path

            def use(table: LiveTable) -> Settings:
                table.lend(None)
                if path.exists():
                    table.change(replace(table.settings, deck=str(path.absolute())))
                return table.settings

            self.settings = await self.table(use)
        self._tell_all("enrol", {"enrol": None})
        return None

    def _tell_all(self, kind: str, message: Mapping[str, Any]) -> None:
        """A message to all paired phones."""
        for visitor in self.visitors:
            if visitor.phone is not None:
                visitor.tell(kind, message)

    # -- the camera --------------------------------------------------------------------------------------------------

    def pictured(self, aim: Mapping[str, Any], picture: bytes) -> None:
        """A picture for all who look at the camera; only paired phones may."""
        for visitor in self.visitors:
            if "camera" in visitor.wants and visitor.phone is not None and self.phones.known(visitor.phone):
                visitor.tell("aim", {"aim": aim})
                visitor.post("picture", lambda: picture)


def _shown(picture: Picture) -> dict[str, Any]:
    """A picture of a moment, as a phone gets it."""
    return {"what": picture.what, "card": picture.card, "jpeg": b64encode(picture.jpeg).decode()}


class PhonePage:
    """The page as the loop knows it: an output, and an input."""

    name = "page"
    trouble = "page_away"

    def __init__(
        self,
        settings: Settings,
        where: Listening,
        say: Callable[[str], None] | None = None,
        by_asking: bool = False,
    ) -> None:
        """say: tells whoever started the program where the page is. by_asking: who asks for it is shown a code, since
        there is nothing to press."""
        self._say = say or partial(print, flush=True)
        self._where = where
        self._put: Put | None = None
        phones = Phones(settings.matches_folder)
        self.site = TablePage(settings, phones, Pairing(self._show_code, by_asking=by_asking))
        self.site.invited = self.let_in
        self.site.pairing.fresh = self._is_fresh
        self.site.greeted = self._greet
        self._server = WebServer(where.places, self.site.app, known=self.site.known)
        self._table: LiveTable | None = None

    def of(self, table: LiveTable) -> None:
        """The table whose frames it watches."""
        self._table = table
        table.page_asked = self.menu_asked

    def own_wifi(self, own: network.Own | None) -> None:
        """The device's own Wi-Fi is open, or closed again: displays show how to join it."""
        self.site.captive.page = lambda: self._own_address if own is not None else None
        if self._put is None:
            return
        invite = None
        if own is not None:
            invite = Invite(self._own_address, wifi=Join(own.ssid, own.password, own.code))
        self._put(Request(lambda table: table.invite(invite), lambda value, error: None))

    @property
    def _own_address(self) -> str:
        return url((network.ADDRESS, self._server.place[1] if self._server.place else HTTP))

    def _greet(self) -> None:
        """Somebody looks at the page of a device that nobody has used yet: its display shows the code."""
        if self.site.pairing.fresh() and self.site.pairing.code is None:
            self.let_in()

    def _is_fresh(self) -> bool:
        """Nobody has used this device yet: no phone is paired, and no match was played. A laptop is nobody's device."""
        if self.site.settings.build == "laptop":
            return False
        try:
            played = any(
                match.path.stat().st_size > FIRST_LINE_BYTES for match in kept(self.site.settings.matches_folder)
            )
        except OSError:
            return False
        return not played and not self.site.phones.all()

    def menu_asked(self, what: str) -> None:
        """The device's own menu: show the way here, or take every phone's right away."""
        if what == SHOW_PAGE:
            self.let_in()
        elif what == FORGET_PHONES:
            self.site.phones.forget()
            self._server.soon(self.site.drop_soon)

    def let_in(self) -> None:
        """Somebody at the device opens pairing: the displays show how to get here, and the code."""
        self.site.pairing.open()
        timer = threading.Timer(CODE_LASTS_S + 0.1, lambda: self.site.pairing.code)  # What is over is no more shown.
        timer.daemon = True
        timer.start()

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
            self.site.names = guard.own_names(NAMES)
            if not self._where.near:
                self._server.soon(self.site.announced, self._server.place[1])
            self._say(words.say(show.language, "live-page", address=self.address))
        time.sleep(LAMPS_FIRST_S)
        lie = {"untold": [asdict(untold) for untold in show.untold], "lying": [asdict(lying) for lying in show.lying]}
        self._server.soon(self.site.follow, show, {**state_of(show), **lie})

    def watch(self, frame: Frame, seen: FrameSeen) -> None:
        """What the camera sees; called in the loop's thread for every frame."""
        if self._table is not None:
            self.site.pictures.watch(frame, self._table.aim)

    def close(self) -> None:
        """Nobody is served any more; harmless twice."""
        self._server.close()

    # -- an input ----------------------------------------------------------------------------------------------------

    def listen(self, put: Put) -> "PhonePage":
        """Puts what phones ask for to the table."""
        self._put = put
        self.site.listen(put)
        return self

    def _show_code(self, code: str | None) -> None:
        """The displays show the code, or no code any more."""
        if self._put is not None:
            # A phone that scans it is paired by that (static/app.js); who types the address types the code.
            invite = Invite(self.address or "", code) if code else None
            self._put(Request(lambda table: table.invite(invite), lambda value, error: None))


def _recordings_asked(folder: Path | None, what: str, fields: Fields) -> list[dict[str, Any]]:
    """The recordings that there are, one of them deleted first if that is asked."""
    if what == "delete_recording":
        delete(folder, fields.text("name"))
    return recordings(folder)


def _switch(action: str) -> None:
    """Switches the device off, or starts it anew."""
    if not may_switch():
        raise Refused("not_here")
    switch(action)
