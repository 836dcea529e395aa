"""A table without a camera, its page, and phones that look at it: what is said at the table is added by hand."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from device.following.aim import Aim
from device.following.follow import Add, FrameSeen, MatchNow
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.following.request import Request
from device.keeping.settings import Settings
from device.outputs.page.address import Listening
from device.outputs.page.page import PhonePage
from engine.events import Event
from engine.match import Match
from tests.device.hall.brokers import Wire
from vision.frame import Frame, Image

PHONE = {"width": 390, "height": 844}
FORGIVEN = (
    "Failed to load resource: the server responded with a status of 4",
    "Failed to load resource: net::ERR_CONNECTION_",
    "Failed to load resource: net::ERR_EMPTY_RESPONSE",
    "Failed to load resource: net::ERR_SOCKET_NOT_CONNECTED",
    "WebSocket connection to",
    "TypeError: Failed to fetch dynamically imported module",
)
"""What a browser itself notes of a refused code, and of a device that is away: no fault of the page."""


class Nobody:
    """Follows nothing."""

    situation = "looking"

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        return FrameSeen()

    def undone(self, match: Match) -> None:
        """Nothing lies there."""

    def answered(self, about: str, answer: str) -> None:
        """Nobody heard it."""

    def aim(self, image: Image) -> Aim:
        return Aim()


class Room:
    """A table and its page."""

    def __init__(self, folder: Path, match: Match, **settings: Any) -> None:
        header = match.header
        self.settings = Settings(
            game=header.game, players=header.players, seats=header.seats, matches=str(folder),
            **{"language": "en", "build": "laptop", "display": "none", **settings},
        )  # fmt: skip
        self.saved: list[Settings] = []
        self._lock = threading.RLock()
        self.table = LiveTable(
            InMemory(match), self.settings, self._begin, self.saved.append, follower=lambda match, settings: Nobody()
        )
        self.page = PhonePage(self.settings, Listening((("127.0.0.1", 0),), True), say=lambda text: None)
        self.page.listen(self.put)
        self.shown()

    @staticmethod
    def _begin(settings: Settings) -> InMemory:
        return InMemory(Match(settings.game, settings.players, settings.house, settings.names))

    @property
    def at(self) -> str:
        assert self.page.address is not None
        return self.page.address

    @property
    def code(self) -> str | None:
        """What the display shows."""
        invite = self.table.show.invite
        return invite.code if invite else None

    def put(self, message: Press | Request) -> None:
        """As the loop does it."""
        with self._lock:
            if isinstance(message, Request):
                message.carry_out(self.table)
            else:
                self.table.press(message)
            self.shown()

    def shown(self) -> None:
        self.page.show(self.table.show)

    def add(self, *events: Event) -> None:
        """What the camera would have told."""
        with self._lock:
            for event in events:
                self.table.add(event)
                self.shown()


@contextmanager
def room(folder: Path, match: Match, **settings: Any) -> Iterator[Room]:
    room = Room(folder, match, **settings)
    try:
        yield room
    finally:
        room.page.close()


@contextmanager
def wired(room: Room) -> Iterator[tuple[Wire, str]]:
    """The net between phones and a device, which can be cut; and where its page is then."""
    port = room.page.site.port
    wire = Wire(port)
    yield wire, room.at.replace(f":{port}", f":{wire.port}")
    wire.close()


_aside: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
"""The phones of each browser that nobody holds: a new one costs over a second of processor."""


def _picked_up(chromium: Any) -> Any:
    """A phone that knows nothing of what was on it before."""
    waiting = _aside.setdefault(chromium, [])
    page = waiting.pop() if waiting else chromium.new_context().new_page()
    page.context.set_default_timeout(20_000)
    page.set_default_timeout(20_000)
    page.set_viewport_size(PHONE)
    return page


def _laid_aside(chromium: Any, page: Any) -> None:
    """Everything that it keeps is forgotten."""
    page.evaluate("localStorage.clear(), sessionStorage.clear()")
    page.goto("about:blank")
    page.context.clear_cookies()
    _aside[chromium].append(page)


@contextmanager
def phone(chromium: Any, at: str, **media: str) -> Iterator[Any]:
    """A phone that looks at the page; nothing may be told on its console. media: what it is set to."""
    told: list[str] = []

    def note(message: Any) -> None:
        told.append(message.text)

    def fault(error: Any) -> None:
        told.append(str(error))

    page = _picked_up(chromium)
    page.emulate_media(**{"media": "screen", "color_scheme": "light", "reduced_motion": "no-preference", **media})
    page.on("console", note)
    page.on("pageerror", fault)
    try:
        page.goto(at)
        yield page
    except BaseException:
        page.context.close()
        raise
    page.remove_listener("console", note)
    page.remove_listener("pageerror", fault)
    _laid_aside(chromium, page)
    found = [line for line in told if not line.startswith(FORGIVEN)]
    assert found == [], found


def until(page: Any, holds: str, seconds: float = 20.0) -> None:
    """Waits until this holds in the page. (Playwright's own way would need what the page's policy forbids.)"""
    for _ in range(round(seconds / 0.02)):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"it never came to hold that {holds}")


def comes(page: Any, about: Callable[[], object]) -> None:
    """Waits until something is so at the table, while the page goes on."""
    for _ in range(200):
        if about():
            return
        page.wait_for_timeout(20)
    raise AssertionError("it did not come about")


def pair(page: Any, table: Room) -> None:
    """Types the code that the display shows."""
    page.get_by_role("button", name="Pair", exact=True).click()
    page.wait_for_selector(".keypad")
    table.page.let_in()  # As the device's menu does.
    comes(page, lambda: table.code)
    assert table.code is not None
    page.keyboard.type(table.code)
    page.wait_for_selector(".keypad", state="detached")
    page.get_by_text("This phone is paired").wait_for()
