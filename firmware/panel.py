"""The panel's end of the protocol: which picture it shows, what it answers, when it has lost its host. No I/O."""

from firmware import protocol
from firmware.lamps import PanelLamps, since

BEAT_MS = 500
"""Between two heartbeats; the device counts the panel as away after six."""
SILENCE_MS = 3000
"""Without a whole frame for so long, the host is lost."""


class PanelFirmware:
    """Takes frames, keeps the newest picture, draws it or what is wrong."""

    def __init__(self, lamps: PanelLamps, wiring: bytes, now_ms: int) -> None:
        self.lamps = lamps
        self.leave = False
        """The device asked for the REPL."""
        self._wiring = wiring
        self._session = 0
        self._sequence = 0
        self._has_picture = False
        self._lost = True
        self._foreign = False
        self._heard_ms = now_ms
        self._said_ms = now_ms

    def take(self, frame: protocol.PanelFrame, now_ms: int) -> bytes | None:
        """Takes a frame from the device; what to answer, if anything."""
        if frame.kind not in (protocol.HELLO, protocol.PICTURE, protocol.LEAVE):
            return None
        self._heard_ms = now_ms
        self._lost = False
        if frame.kind == protocol.LEAVE:
            self.leave = True
            return None
        self._foreign = frame.version != protocol.VERSION or (
            frame.kind == protocol.HELLO and frame.payload != self._wiring
        )
        if self._foreign or frame.kind == protocol.HELLO:
            return self._here()
        other = frame.session != self._session or not self._has_picture
        if other or protocol.is_newer(frame.sequence, self._sequence):
            if not self.lamps.take(frame.payload, now_ms):
                self._foreign = True
                return self._here()
            self._session = frame.session
            self._sequence = frame.sequence
            self._has_picture = True
        return self._shown()

    def beat(self, now_ms: int) -> bytes | None:
        """What to say unasked, now and then."""
        if since(now_ms, self._heard_ms) >= SILENCE_MS:
            self._lost = True
        if since(now_ms, self._said_ms) < BEAT_MS:
            return None
        self._said_ms = now_ms
        return self._here() if self._foreign else self._shown()

    def draw(self, now_ms: int) -> None:
        """The colours of this moment into lamps.rgb."""
        if self._foreign and not self._lost:
            self.lamps.draw_mismatch(now_ms)
        elif self._has_picture and (self.lamps.resting or not self._lost):
            self.lamps.draw(now_ms)
        else:
            self.lamps.draw_host_lost(now_ms)

    def _here(self) -> bytes:
        return protocol.encode(protocol.HERE, self._session, self._sequence, self._wiring)

    def _shown(self) -> bytes:
        return protocol.encode(protocol.SHOWN, self._session, self._sequence)
