"""The firmware under MicroPython: what the strip shows through faults, silence, foreign versions and restarts."""

import os
from collections.abc import Iterator
from random import Random

import pytest

from device.machine.wiring import load
from device.outputs.panel import firmware_wiring
from firmware import protocol
from firmware.lamps import VIOLET, PanelLamps
from firmware.panel import BEAT_MS, SILENCE_MS, PanelFirmware
from firmware.protocol import encode
from tests.sizes import slow
from tools.stand_ins.faults import Storm, storm
from tools.stand_ins.pico import Pico, Strip, looks_for_its_host

WIRING = firmware_wiring(load())
PIXELS = load().panel.pixels
GREEN = (0, 40, 0)
BLUE = (0, 0, 40)


def picture(colour: tuple[int, int, int], flags: int = 0) -> bytes:
    return protocol.picture([(protocol.STEADY, *colour)] * PIXELS, flags=flags)


def plain(colour: tuple[int, int, int]) -> Strip:
    return (colour,) * PIXELS


class Table:
    """A Pico with its clock."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.now_ms = 0
        self.strip: Strip = ()
        self.said: list[tuple[int, int, int]] = []
        self._receiver = protocol.Receiver()

    def hear(self, data: bytes) -> None:
        """Bytes from the device, and time until they can be seen."""
        self.wait(30, data)

    def wait(self, ms: int, data: bytes = b"") -> None:
        for _ in range(max(1, ms // 60)):
            self.now_ms += min(ms, 60)
            said, strip = self.pico.step(self.now_ms, data)
            data = b""
            self.strip = strip or self.strip
            frames = [frame for byte in said if (frame := self._receiver.feed(byte))]
            self.said += [(frame.kind, frame.session, frame.sequence) for frame in frames]

    @property
    def host_lost(self) -> bool:
        return looks_for_its_host(self.strip)

    @property
    def mismatch(self) -> bool:
        return set(self.strip) == {VIOLET, (0, 0, 0)} and self.strip.count(VIOLET) == PIXELS // 2


@pytest.fixture(scope="module")
def pico() -> Iterator[Pico]:
    with Pico() as pico:
        yield pico


@pytest.fixture
def table(pico: Pico) -> Table:
    pico.boot()
    return Table(pico)


def test_without_a_host_it_looks_for_one(table: Table) -> None:
    table.hear(b"")
    assert table.host_lost
    first = table.strip
    table.wait(600)
    assert table.host_lost
    assert table.strip != first


def test_one_picture_is_enough(table: Table) -> None:
    table.hear(encode(protocol.PICTURE, 7, 1, picture(GREEN)))
    assert table.strip == plain(GREEN)
    assert table.said == [(protocol.SHOWN, 7, 1)]


def test_it_says_that_it_lives(table: Table) -> None:
    table.hear(encode(protocol.PICTURE, 7, 1, picture(GREEN)))
    table.wait(4 * BEAT_MS)
    assert table.said[1:].count((protocol.SHOWN, 7, 1)) in (3, 4)


def test_silence_is_shown_and_the_first_frame_ends_it(table: Table) -> None:
    frame = encode(protocol.PICTURE, 7, 1, picture(GREEN))
    table.hear(frame)
    table.wait(SILENCE_MS - 200)
    assert table.strip == plain(GREEN)
    table.wait(400)
    assert table.host_lost
    table.hear(frame)
    assert table.strip == plain(GREEN)


def test_noise_is_silence(table: Table) -> None:
    rng = Random(3)
    table.hear(encode(protocol.PICTURE, 7, 1, picture(GREEN)))
    for _ in range(SILENCE_MS // 30 + 10):
        table.hear(rng.randbytes(60) + b"\x03\x04")
    assert table.host_lost
    table.hear(rng.randbytes(60) + encode(protocol.PICTURE, 7, 1, picture(GREEN)))
    assert table.strip == plain(GREEN)


def test_a_device_that_stops_on_purpose_is_not_lost(table: Table) -> None:
    table.hear(encode(protocol.PICTURE, 7, 1, picture((0, 0, 0), protocol.RESTING)))
    table.wait(2 * SILENCE_MS)
    assert table.strip == plain((0, 0, 0))
    table.hear(encode(protocol.PICTURE, 8, 1, picture(GREEN)))
    table.wait(2 * SILENCE_MS)
    assert table.host_lost


def test_late_and_repeated_frames_change_nothing(table: Table) -> None:
    frames = [encode(protocol.PICTURE, 7, n, picture((n, 0, 0))) for n in range(10)]
    for n in (3, 1, 3, 2, 5, 4, 0, 5):
        table.hear(frames[n])
    assert table.strip == plain((5, 0, 0))
    assert table.said[-1] == (protocol.SHOWN, 7, 5)


def test_a_device_that_starts_again_is_believed(table: Table) -> None:
    table.hear(encode(protocol.PICTURE, 7, 500, picture(GREEN)))
    table.hear(encode(protocol.PICTURE, 8, 1, picture(BLUE)))
    assert table.strip == plain(BLUE)


def test_half_a_frame_then_a_whole_one(table: Table) -> None:
    first, second = (encode(protocol.PICTURE, 7, n, picture(c)) for n, c in ((1, GREEN), (2, BLUE)))
    table.hear(first[: len(first) // 2] + second[:40])
    assert table.said == []
    table.hear(second)
    assert table.strip == plain(BLUE)


def test_another_version_is_said_to_both_ends(table: Table) -> None:
    table.hear(encode(protocol.PICTURE, 7, 1, picture(GREEN), version=protocol.VERSION + 1))
    assert table.said == [(protocol.HERE, 0, 0)]
    assert table.mismatch
    table.hear(encode(protocol.PICTURE, 7, 1, picture(GREEN)))
    assert table.strip == plain(GREEN)


def test_another_wiring_is_said_to_both_ends(table: Table) -> None:
    table.hear(encode(protocol.HELLO, 7, 0, protocol.fingerprint(WIRING + b" ")))
    assert table.said == [(protocol.HERE, 0, 0)]
    assert table.mismatch
    table.hear(encode(protocol.HELLO, 7, 0, protocol.fingerprint(WIRING)))
    assert not table.mismatch


def test_the_watchdog_is_fed_by_pictures_on_the_strip_only(pico: Pico) -> None:
    assert pico.run() == ["ctrl-c off", "watchdog 4000", "fed", "Stopped"]
    pico.boot()
    pico.ask("call", name="break_strip")
    with pytest.raises(RuntimeError, match="OSError"):
        for now_ms in range(0, 200, 30):
            pico.step(now_ms)


def test_after_the_watchdog_there_is_a_way_in(pico: Pico) -> None:
    assert pico.run(cause=3)[:2] == ["slept 2000", "ctrl-c off"], "Ctrl-C must work while it sleeps"


def test_it_leaves_for_new_firmware_and_only_once(pico: Pico) -> None:
    leave = encode(protocol.LEAVE, 1, 0, version=protocol.VERSION + 1).hex()
    assert pico.run(arrived=leave)[-2:] == ["reset", "Restart"]
    assert pico.run() == ["repl"]
    assert pico.run()[-1] == "Stopped"


def test_without_its_wiring_it_stays_at_the_repl(pico: Pico) -> None:
    told = pico.ask("run", cause=1)["told"]
    assert told == ["OSError"]


def test_its_memory_does_not_grow(pico: Pico) -> None:
    rng = Random(4)
    count = "import gc\ngc.collect()\nprint(gc.mem_alloc())"
    pico.boot()
    sizes = []
    for n in range(1, 121):
        data = rng.randbytes(300) if n % 2 else encode(protocol.PICTURE, 7, n, picture((n & 63, 0, 0)))
        pico.step(30 * n, data)
        if n in (40, 120):
            sizes.append(int(pico.python(count)))
    print(f"heap in use: {sizes[-1]} bytes")
    assert sizes[1] - sizes[0] < 1000


def check(done: Storm, frames: int, share: float) -> None:
    print(done)
    assert min(done.to_panel, done.from_panel) >= frames
    for sent, damaged in zip((done.to_panel, done.from_panel), done.damaged, strict=True):
        assert damaged / sent == pytest.approx(share, abs=0.06)
    assert done.wrong == 0
    assert done.slowest_s <= 1.0


def in_cpython(frames: int, share: float, seed: int) -> Storm:
    lamps = PanelLamps(PIXELS, load().panel.limit_ma)
    panel = PanelFirmware(lamps, protocol.fingerprint(WIRING), 0)
    receiver = protocol.Receiver()

    def step(now_ms: int, arrived: bytes) -> tuple[bytes, Strip | None]:
        frames = [frame for byte in arrived if (frame := receiver.feed(byte))]
        said = [*(panel.take(frame, now_ms) for frame in frames), panel.beat(now_ms)]
        strip = None
        if now_ms % 25 == 0:
            panel.draw(now_ms)
            rgb = bytes(lamps.rgb)
            strip = tuple((rgb[at], rgb[at + 1], rgb[at + 2]) for at in range(0, len(rgb), 3))
        return b"".join(reply for reply in said if reply), strip

    return storm(step, WIRING, frames, share, seed, tick_ms=5)


def in_micropython(frames: int, share: float, seed: int) -> Storm:
    with Pico() as pico:
        pico.boot()
        return storm(pico.step, WIRING, frames, share, seed, tick_ms=15)


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_right_picture_after_a_storm(share: float) -> None:
    check(in_cpython(400, share, 5), 400, share)


@pytest.mark.parametrize("frames", [50, *slow(150)])
def test_the_right_picture_after_a_storm_in_micropython(frames: int) -> None:
    check(in_micropython(frames, 0.1, 6), frames, 0.1)


@pytest.mark.slow
def test_the_right_picture_after_100_000_frames() -> None:
    check(in_cpython(100_000, 0.1, 7), 100_000, 0.1)


@pytest.mark.slow
def test_the_right_picture_after_many_frames_in_micropython() -> None:
    frames = int(os.environ.get("HISABU_STORM_FRAMES", "20000"))
    check(in_micropython(frames, 0.1, 8), frames, 0.1)
