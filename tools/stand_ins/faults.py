"""A line that loses, cuts, garbles, repeats, delays, reorders and hangs what goes over it; and a storm on two."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from device.outputs.panel import PanelLink
from firmware import protocol
from tools.stand_ins.pico import Strip

FAULTS = ("lose", "cut", "garble", "repeat", "delay", "reorder", "noise", "hang")
LONGEST_HANG_MS = 1500
PIXELS = 24

Step = Callable[[int, bytes], tuple[bytes, Strip | None]]
"""The panel's side: time and what arrived in, what it says and the strip if written out."""


class FaultyLine:
    """One direction. Whatever is sent in one piece is damaged with this share."""

    def __init__(self, rng: Random, share: float) -> None:
        self.share = share
        self.sent = 0
        """Pieces, while it was faulty."""
        self.damaged = dict.fromkeys(FAULTS, 0)
        self._rng = rng
        self._way: list[tuple[int, int, bytes]] = []
        self._hangs_until_ms = 0
        self._number = 0

    def send(self, data: bytes, now_ms: int) -> None:
        """Puts it on the line."""
        if not data:
            return
        self.sent += self.share > 0
        self._number += 1
        rng, pieces, late_ms = self._rng, [data], 0
        if rng.random() < self.share:
            fault = rng.choice(FAULTS)
            self.damaged[fault] += 1
            match fault:
                case "lose":
                    pieces = []
                case "cut":
                    at = rng.randrange(len(data))
                    pieces = [data[:at] if rng.random() < 0.5 else data[at:]]
                case "garble":
                    raw = bytearray(data)
                    for _ in range(rng.randint(1, 4)):
                        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
                    pieces = [bytes(raw)]
                case "repeat":
                    pieces = [data] * rng.randint(2, 4)
                case "delay":
                    late_ms = rng.randint(5, 400)
                case "reorder":
                    self._way.append((now_ms + rng.randint(100, 1000), self._number, data))
                case "noise":
                    at = rng.randrange(len(data))
                    pieces = [data[:at], rng.randbytes(rng.randint(1, 40)), data[at:]]
                case "hang":
                    self._hangs_until_ms = now_ms + rng.randint(100, LONGEST_HANG_MS)
        # A delay holds up what comes behind it too, as a serial line does; only "reorder" lets others pass.
        self._hangs_until_ms = max(self._hangs_until_ms, now_ms + late_ms)
        self._way += [(max(now_ms, self._hangs_until_ms), self._number, piece) for piece in pieces]

    def arrived(self, now_ms: int) -> bytes:
        """What comes out at the other end by now."""
        if now_ms < self._hangs_until_ms:
            return b""
        here = sorted((packet for packet in self._way if packet[0] <= now_ms), key=lambda packet: packet[:2])
        self._way = [packet for packet in self._way if packet[0] > now_ms]
        return b"".join(piece for *_, piece in here)

    def mend(self) -> None:
        """From now on it is good; what still hangs in it comes out."""
        self.share = 0.0
        self._hangs_until_ms = 0


@dataclass(frozen=True)
class Storm:
    """What a storm did."""

    to_panel: int
    from_panel: int
    damaged: tuple[int, int]
    calms: int
    """How often the line became good and the last picture had to come."""
    slowest_s: float
    """From the line being good to the right picture on the strip and the device knowing it."""
    wrong: int
    """Strips that were no picture sent, or an older one than shown before."""


def storm(step: Step, wiring: bytes, frames: int, share: float, seed: int, tick_ms: int) -> Storm:
    """Pictures over two faulty lines until so many frames went each way, with a calm after every few hundred."""
    rng = Random(seed)
    link = PanelLink(wiring, rng.randrange(1, protocol.SESSIONS))
    to_panel, from_panel = FaultyLine(rng, share), FaultyLine(rng, share)
    sent: dict[Strip, int] = {}
    newest: Strip = ()
    shown = -1
    now_ms = calms = wrong = 0
    slowest_s = 0.0
    strip: Strip | None = None
    link.restart(0.0)

    def picture() -> Strip:
        # Together below the current limit, so that the strip must show these very numbers.
        return tuple((rng.randrange(60), rng.randrange(60), rng.randrange(60)) for _ in range(PIXELS))

    def tick() -> None:
        nonlocal now_ms, strip, shown, wrong
        now_ms += tick_ms
        to_panel.send(link.due(now_ms / 1000), now_ms)
        said, drawn = step(now_ms, to_panel.arrived(now_ms))
        from_panel.send(said, now_ms)
        link.receive(from_panel.arrived(now_ms), now_ms / 1000)
        if drawn is not None:
            strip = drawn
            if drawn in sent:
                wrong += sent[drawn] < shown
                shown = max(shown, sent[drawn])
            elif shown >= 0:
                wrong += 1

    while min(to_panel.sent, from_panel.sent) < frames:
        to_panel.share = from_panel.share = share
        for _ in range(rng.randint(50, 150)):
            newest = picture()
            sent[newest] = len(sent)
            link.want(protocol.picture([(protocol.STEADY, *colour) for colour in newest]))
            for _ in range(rng.randint(1, 30 // tick_ms)):
                tick()
        to_panel.mend()
        from_panel.mend()
        good_ms = now_ms
        while not (strip == newest and link.acknowledged) and now_ms - good_ms < 10_000:
            tick()
        slowest_s = max(slowest_s, (now_ms - good_ms) / 1000)
        calms += 1
    damaged = (sum(to_panel.damaged.values()), sum(from_panel.damaged.values()))
    return Storm(to_panel.sent, from_panel.sent, damaged, calms, slowest_s, wrong)
