"""The lamp panel, an output: what its lamps show of a Show, the device's end of the link, and the serial port.

The panel animates by itself. What each lamp does is in one picture, sent again as heartbeat; a panel that was pulled
out and put back has everything to show with the first frame that reaches it.
"""

import contextlib
import errno
import json
import math
import random
import termios
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from device.following.show import Show
from device.keeping.settings import Settings
from device.machine.wiring import USB_VENDOR, Wiring, load
from device.outputs import OutputKind
from device.words.away import Away
from engine.rules.mraha import PLAYERS
from firmware import protocol
from firmware.lamps import LOW

if TYPE_CHECKING:
    import serial

RESEND_S = 0.1
"""Until a picture is acknowledged; an answer takes about a tenth of that."""
BEAT_S = 0.5
"""Between heartbeats: six may be lost before the panel says that its host is."""
SLOW_AFTER_S = 1.0
"""Without a frame from the panel for so long, sending slows down to the heartbeat."""
SILENCE_S = 3.0
"""Without a frame from the panel for so long, it is away."""
ANSWER_S = 1.5
"""How long show() waits for the acknowledgement, opening the port included."""
GOODBYE_S = 0.5
"""How long close() waits until the lamps are off."""
RETRY_S = 0.5
"""Between two tries to open the port: with a hello's answer, back within a second."""
READ_S = 0.05
"""How long one read waits: the grain of heartbeats and of resending."""
GAMMA = 2.2
"""Of the colours in the wiring (sRGB): a WS2812 makes light in proportion to its number."""

Colour = tuple[int, int, int]
Lamp = tuple[int, int, int, int]

WHITE, RED = (255, 200, 140), (255, 0, 0)
NO_PICO = "no_pico"
NO_ANSWER = "panel_silent"
SUIT_COLOURS = {"C": WHITE, "D": RED, "H": RED, "S": WHITE}


class PanelAway(Away):
    """The panel does not answer, or not any more. The message says what to do."""

    topic = "mistake"
    trouble = "panel_away"


class PanelVersion(PanelAway):
    """A panel answers, but was flashed with another protocol or for another wiring."""

    trouble = "panel_version"


def firmware_wiring(wiring: Wiring) -> bytes:
    """What the panel must know before anybody speaks to it: the file that flashing makes from the wiring."""
    panel = wiring.panel
    about = {
        "data_pin": panel.data_pin,
        "order": panel.order,
        "pixels": panel.pixels,
        "limit_ma": panel.limit_ma,
    }
    return json.dumps(about, sort_keys=True).encode()


# -- what the lamps show -----------------------------------------------------------------------------------------------


def draw(show: Show, wiring: Wiring) -> bytes:
    """The picture of a show."""
    panel = wiring.panel
    lamps: list[Lamp] = [(protocol.DARK, 0, 0, 0)] * panel.pixels
    view = show.view
    if show.trying:
        lamps = [(protocol.STEADY, *WHITE)] * panel.pixels
        return protocol.picture(lamps, round(255 * min(1.0, max(0.0, show.brightness)) ** GAMMA))
    if (trump := view.get("trump")) is not None:
        lamps[panel.suit(trump)] = (protocol.STEADY, *SUIT_COLOURS[trump])
    for side, cards in enumerate(view.get("markers") or ()):
        for card in cards:
            lamps[panel.marker(side, card)] = (protocol.STEADY, *_side_colour(wiring, side, len(view["markers"])))
    ring = [panel.index[lamp] for seat in panel.seats[max(panel.seats)] for lamp in seat]
    if show.alert or view.get("alert"):
        lamps = _alerted(lamps, ring, show, wiring)
    elif show.prompt or view.get("question"):
        for place, pixel in enumerate(ring):
            lamps[pixel] = (protocol.CHASE | (16 * place // len(ring)) << 4, *WHITE)
    elif "players" in view:
        _seats(lamps, show, wiring)
    else:
        for pixel in ring:
            lamps[pixel] = (protocol.STEADY, *_weak(WHITE))
    return protocol.picture(lamps, round(255 * min(1.0, max(0.0, show.brightness)) ** GAMMA))


def _alerted(lamps: Sequence[Lamp], ring: Sequence[int], show: Show, wiring: Wiring) -> list[Lamp]:
    """All goes weak, and the seats of who is accused blink; where that is nobody, every seat does."""
    accused = _accused(show.view.get("alert") or {})
    blinking = [pixel for seat in accused for pixel in wiring.panel.seat(show.view["players"], _place(show, seat))]
    weak = [(does, *_weak(colour)) for does, *colour in lamps]
    for pixel in ring:
        blinks = not accused or pixel in blinking
        weak[pixel] = (protocol.ALERT, *RED) if blinks else (protocol.STEADY, *_weak(RED))
    return weak


def _place(show: Show, seat: int) -> int:
    """Where a seat sits, counted clockwise from seat 0 as the wiring has them: some games go round the other way."""
    return seat if show.extra.get("clockwise", True) else -seat % int(show.view["players"])


def _seats(lamps: list[Lamp], show: Show, wiring: Wiring) -> None:
    """Whose turn, who won the last trick, whose side won the match, all where nobody has; every other seat weakly, in
    its side's colour."""
    view = show.view
    sides: Sequence[int] = view["sides"]
    turn = view.get("turn")
    drawn = view.get("phase") == "over" and view.get("winner") is None
    for seat, side in enumerate(sides):
        colour = _side_colour(wiring, side, max(sides) + 1)
        won_trick = view.get("last_winner") == seat
        if drawn or view.get("winner") == side:
            lamp = (protocol.FLASH_THEN_BREATHE | (view.get("match", 0) & 15) << 4, *colour)
        elif won_trick:
            does = protocol.FLASH_THEN_BREATHE if seat == turn else protocol.FLASH
            lamp = (does | (_tricks_done(view) & 15) << 4, *colour)
        elif seat == turn and view.get("wanted"):
            lamp = (protocol.CHASE, *WHITE)
        elif seat == turn:
            lamp = (protocol.BREATHE, *colour)
        else:
            lamp = (protocol.STEADY, *_weak(colour))
        for pixel in wiring.panel.seat(view["players"], _place(show, seat)):
            lamps[pixel] = lamp


def _tricks_done(view: Mapping[str, Any]) -> int:
    """A number that changes when another trick is won, and not before."""
    complete = bool(len(view.get("trick", ())) == view["players"])
    return int(view.get("trick_number", 0)) + complete


def _accused(alert: Mapping[str, Any]) -> list[int]:
    """The seats an alert names; often none."""
    if alert.get("seat") is not None:
        return [int(alert["seat"])]
    if "player" in alert:
        return [PLAYERS.index(alert["player"])]
    return sorted(alert.get("guilty", ()))  # Of a revoke: nobody, where it may have been one or another.


def _side_colour(wiring: Wiring, side: int, sides: int) -> Colour:
    """The side's own colour in light; white where there are more sides than colours."""
    if sides > len(wiring.side_colours):
        return WHITE
    code = int(wiring.side_colours[side][1:], 16)
    return _light(code >> 16), _light(code >> 8 & 255), _light(code & 255)


def _light(value: int) -> int:
    return round(255 * math.pow(value / 255, GAMMA))


def _weak(colour: Sequence[int]) -> Colour:
    return colour[0] * LOW // 255, colour[1] * LOW // 255, colour[2] * LOW // 255


# -- the device's end of the link --------------------------------------------------------------------------------------


class PanelLink:
    """The device's end of the protocol, without a port or a clock of its own."""

    def __init__(self, wiring: bytes, session: int) -> None:
        self.session = session
        self.sequence = 0
        self.acknowledged = False
        """The panel said that it shows the newest picture."""
        self.here = False
        self.mismatch: PanelVersion | None = None
        """What does not fit, in words for whoever has to flash it."""
        self.heard_s = 0.0
        self._sent_s: float | None = None
        self._sent: int | None = None
        self._answered = True
        """The panel said that it shows the picture that was sent last, which may not be the newest."""
        self._picture: bytes | None = None
        self._wiring = protocol.fingerprint(wiring)
        self._receiver = protocol.Receiver()

    def restart(self, now_s: float) -> None:
        """The port was opened anew: nobody is known to be there."""
        self.acknowledged = self.here = False
        self.mismatch = None
        self.heard_s = now_s
        self._sent_s = self._sent = None
        self._answered = True
        self._receiver = protocol.Receiver()

    def want(self, picture: bytes) -> None:
        """Shows this from now on."""
        self._picture = picture
        self.sequence = (self.sequence + 1) & 0xFFFF
        self.acknowledged = False

    def receive(self, data: bytes, now_s: float) -> None:
        """Takes what came from the panel."""
        for byte in data:
            frame = self._receiver.feed(byte)
            if frame is None or frame.kind not in (protocol.HERE, protocol.SHOWN):
                continue
            self.heard_s = now_s
            if frame.version != protocol.VERSION:
                self.mismatch = PanelVersion("panel_other", found=frame.version, wanted=protocol.VERSION)
            elif frame.kind == protocol.HERE:
                fits = frame.payload == self._wiring
                self.mismatch = None if fits else PanelVersion("panel_wiring")
                if fits and not self.here:
                    self.here = True
                    self._sent_s = None
            elif frame.session == self.session and frame.sequence == self._sent:
                self._answered = True
                self.acknowledged = self._sent == self.sequence

    def due(self, now_s: float) -> bytes:
        """What is to be sent now; empty when nothing is.

        One picture is on its way at a time, and only the newest waits: in a line that hangs little piles up.
        """
        fresh = self.here and self._picture is not None and self._sent != self.sequence
        every_s = BEAT_S if self.acknowledged or now_s - self.heard_s > SLOW_AFTER_S else RESEND_S
        waited = self._sent_s is None or now_s - self._sent_s >= every_s
        if not waited and not (fresh and self._answered):
            return b""
        self._sent_s = now_s
        if not self.here or self._picture is None:
            return protocol.encode(protocol.HELLO, self.session, 0, self._wiring)
        if self._sent != self.sequence:
            self._sent = self.sequence
            self._answered = False
        return protocol.encode(protocol.PICTURE, self.session, self.sequence, self._picture)


# -- the port ----------------------------------------------------------------------------------------------------------


def find_ports() -> list[str]:
    """Every Pico on USB."""
    from serial.tools import list_ports

    return sorted(str(port.device) for port in list_ports.comports() if port.vid == USB_VENDOR)


@contextlib.contextmanager
def _terminal_errors(url: str) -> Iterator[None]:
    """What the terminal says of a port that goes away is no OSError, and pyserial lets it through: here it is one."""
    try:
        yield
    except termios.error as error:
        raise PanelAway("port_failed", place=url) from error


def open_port(url: str) -> "serial.SerialBase":
    """A serial port, ready to talk. PanelAway says what to do."""
    import serial

    try:
        with _terminal_errors(url):
            return serial.serial_for_url(url, timeout=READ_S, write_timeout=1.0, exclusive=True)
    except (OSError, ValueError) as error:
        match getattr(error, "errno", None):
            case errno.EAGAIN | errno.EBUSY:
                raise PanelAway("port_busy", place=url) from error
            case errno.EACCES | errno.EPERM:
                raise PanelAway("port_refused", place=url) from error
            case errno.ENOENT | errno.ENODEV | errno.ENXIO:
                raise PanelAway("port_empty", place=url) from error
        raise PanelAway("port_odd", what=error) from error


def greet(url: str, wiring: Wiring, leave: bool = False) -> bool | None:
    """Whether a panel answers there and fits; None: nobody answers. Then, if asked, it is sent to the REPL."""
    link = PanelLink(firmware_wiring(wiring), random.randrange(1, protocol.SESSIONS))
    with open_port(url) as port:
        try:
            until_s = time.monotonic() + ANSWER_S
            while time.monotonic() < until_s and not (link.here or link.mismatch):
                port.write(link.due(time.monotonic()))
                link.receive(port.read(64), time.monotonic())
            if not (link.here or link.mismatch):
                return None
            if leave:
                port.write(protocol.encode(protocol.LEAVE, link.session, 0))
                with _terminal_errors(url):
                    port.flush()
        except OSError as error:
            raise PanelAway("panel_went", what=error) from error
    return link.here


class PanelOutput:
    """The panel as an output. A thread keeps up the heartbeat and opens the port again after the cable was out."""

    name = "panel"

    def __init__(self, port: str | None = None, wiring: Wiring | None = None) -> None:
        self.wiring = wiring or load()
        self._given = port
        self._changed = threading.Condition()
        self._link = PanelLink(firmware_wiring(self.wiring), random.randrange(1, protocol.SESSIONS))
        self._port: serial.SerialBase | None = None
        self._trouble: OSError | None = None
        self._tries = 0
        self._try_now = False
        self._closing = False
        self._thread: threading.Thread | None = None

    def show(self, show: Show) -> None:
        """Draws it; PanelAway if the panel does not confirm it in time. It is then shown as soon as there is one."""
        self.show_picture(draw(show, self.wiring))

    def show_picture(self, picture: bytes) -> None:
        """The same with a picture that is already drawn."""
        with self._changed:
            if self._closing:
                raise PanelAway("panel_closed")
            self._link.want(picture)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
                self._thread.start()
            tries = self._tries
            self._try_now = True
            self._changed.notify_all()
        self._send()
        with self._changed:
            self._changed.wait_for(lambda: self._link.acknowledged or self._tries != tries, ANSWER_S)
            if not self._link.acknowledged:
                raise self._trouble or PanelAway(NO_ANSWER)

    def close(self) -> None:
        """Lamps off, port closed; harmless twice."""
        with self._changed:
            if self._closing:
                return
            self._link.want(
                protocol.picture([(protocol.DARK, 0, 0, 0)] * self.wiring.panel.pixels, 0, protocol.RESTING)
            )
            there = self._port is not None
        if there:
            self._send()
        with self._changed:
            self._changed.wait_for(lambda: self._link.acknowledged or self._port is None, GOODBYE_S)
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(2 * ANSWER_S)

    def _send(self) -> None:
        """Sends what is due. A port that fails is left to the thread, which reads from it and will notice."""
        with self._changed:
            if self._port is None:
                return
            try:
                if data := self._link.due(time.monotonic()):
                    self._port.write(data)
            except OSError as error:
                self._failed(error)

    def _run(self) -> None:
        while True:
            try:
                ports = [self._given] if self._given else find_ports()
                if not ports:
                    raise PanelAway(NO_PICO)
            except OSError as error:
                ports = []
                self._failed(error)
            for url in ports:
                try:
                    self._talk(url)
                except OSError as error:
                    self._failed(error)
            with self._changed:
                self._tries += 1
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._closing or self._try_now, RETRY_S)
                self._try_now = False
                if self._closing:
                    return

    def _talk(self, url: str) -> None:
        """Until it fails (OSError) or is closed."""
        port = open_port(url)
        with self._changed:
            self._port = port
            self._link.restart(time.monotonic())
        try:
            while not self._closing:
                self._send()
                data = port.read(max(1, port.in_waiting))
                with self._changed:
                    if self._port is None:
                        raise self._trouble or PanelAway("port_failed", place=url)
                    now_s = time.monotonic()
                    self._link.receive(data, now_s)
                    if self._link.mismatch:
                        raise self._link.mismatch
                    if now_s - self._link.heard_s > SILENCE_S:
                        raise PanelAway(NO_ANSWER)
                    if self._link.acknowledged:
                        self._trouble = None
                        self._changed.notify_all()
        finally:
            with self._changed:
                self._port = None
                self._link.acknowledged = False
            port.close()

    def _failed(self, error: OSError) -> None:
        with self._changed:
            self._port = None
            self._trouble = error if isinstance(error, PanelAway) else PanelAway("panel_went", what=error)


def _made(settings: Settings, wiring: Wiring) -> list[PanelOutput]:
    """The panel that belongs to what was built, or is named in the settings."""
    built = settings.build != "laptop" and wiring.builds[settings.build].panel
    if settings.panel == "none" or (settings.panel == "auto" and not built):
        return []
    return [PanelOutput(None if settings.panel == "auto" else settings.panel, wiring)]


OUTPUT = OutputKind("panel", _made, (PanelAway.trouble, PanelVersion.trouble))
