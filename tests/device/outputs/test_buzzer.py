"""The buzzer: what tones the wire carries for a cue."""

import time
from functools import partial
from typing import Any

import pytest
from gpiozero import TonalBuzzer
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.tones import Tone

from device.following.show import CUES, Cue, Show
from device.machine.pins import PinsAway
from device.machine.wiring import load
from device.outputs import buzzer
from device.outputs.buzzer import TUNES, Buzzer

PIN = load().pins("minimal")["buzzer", "tone"]


@pytest.fixture
def tones(mock_pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Every frequency the wire is given, None for silence; tunes are played ten times as fast."""
    sounded: list[float | None] = []
    real = MockPWMPin._set_frequency

    def set_frequency(pin: MockPWMPin, value: float | None) -> None:
        # 100 Hz is what gpiozero opens a pin with, before it is told to be silent.
        if value != 100 and sounded[-1:] != [value]:
            sounded.append(value)
        real(pin, value)

    monkeypatch.setattr(MockPWMPin, "_set_frequency", set_frequency)
    fast = {name: tuple((note, seconds / 10) for note, seconds in tune) for name, tune in TUNES.items()}
    monkeypatch.setattr(buzzer, "TUNES", fast)
    return sounded


def wait_for(condition: Any, limit_s: float = 5.0) -> bool:
    until = time.monotonic() + limit_s
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return bool(condition())


def expected(name: str) -> list[float | None]:
    return [Tone(note).frequency if note else None for note, _ in TUNES[name]]


def notes(tones: list[float | None]) -> list[float | None]:
    return tones[next(n for n, tone in enumerate(tones) if tone is not None) :]


@pytest.mark.parametrize("name", CUES)
def test_every_cue_sounds_and_then_is_silent(tones: list[float | None], name: str) -> None:
    output = Buzzer()
    output.show(Show({}, cue=Cue(1, name)))
    assert wait_for(lambda: any(tones) and tones[-1] is None and notes(tones)[:-1] == expected(name))
    output.close()


def test_every_tune_can_be_told_from_every_other() -> None:
    assert set(TUNES) == set(CUES)
    assert len({tuple(note for note, _ in tune) for tune in TUNES.values()}) == len(CUES)


def test_no_other_tune_jumps_like_an_alert() -> None:
    def widest(tune: buzzer.Tune) -> float:
        tones: list[float] = [Tone(note).frequency for note, _ in tune if note]
        return max(max(a, b) / min(a, b) for a, b in zip(tones, tones[1:] or tones, strict=False))

    widths = {name: widest(tune) for name, tune in TUNES.items()}
    assert widths.pop("alert") > 2 * max(widths.values())


def test_a_cue_sounds_once_however_often_it_is_shown(tones: list[float | None]) -> None:
    output = Buzzer()
    for _ in range(3):
        output.show(Show({}, cue=Cue(1, "question")))
    assert wait_for(lambda: notes([*tones, 1.0])[: len(expected("question"))] == expected("question"))
    time.sleep(0.1)
    output.show(Show({}, cue=Cue(1, "question")))
    time.sleep(0.1)
    assert tones.count(Tone("A6").frequency) == 1
    output.show(Show({}, cue=Cue(2, "question")))
    assert wait_for(lambda: tones.count(Tone("A6").frequency) == 2)
    output.close()


def test_a_newer_cue_takes_the_place_of_one_that_sounds(
    tones: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(buzzer.TUNES, "won", (("C6", 60.0), ("E6", 60.0)))
    output = Buzzer()
    output.show(Show({}, cue=Cue(1, "won")))
    assert wait_for(lambda: Tone("C6").frequency in tones)
    output.show(Show({}, cue=Cue(2, "trick")))
    assert wait_for(lambda: tones[-1] is None and Tone("G6").frequency in tones)
    assert Tone("E6").frequency not in tones
    output.close()


def test_without_sound_nothing_is_heard_and_nothing_later(tones: list[float | None]) -> None:
    output = Buzzer()
    output.show(Show({}, cue=Cue(1, "alert"), sound=False))
    output.show(Show({}, cue=Cue(1, "alert"), sound=True))
    time.sleep(0.1)
    assert not any(tones)
    output.show(Show({}, cue=Cue(2, "trick"), sound=True))
    assert wait_for(lambda: Tone("G6").frequency in tones)
    output.close()


def test_sound_off_stops_a_tune(tones: list[float | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(buzzer.TUNES, "won", (("C6", 60.0),))
    output = Buzzer()
    output.show(Show({}, cue=Cue(1, "won")))
    assert wait_for(lambda: Tone("C6").frequency in tones)
    output.show(Show({}, sound=False))
    assert wait_for(lambda: tones[-1] is None)
    output.close()
    output.close()


def test_showing_never_waits_for_a_tune(tones: list[float | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(buzzer.TUNES, "won", (("C6", 60.0),))
    output = Buzzer()
    before_s = time.monotonic()
    for number in range(1, 50):
        output.show(Show({}, cue=Cue(number, "won")))
    output.close()
    assert time.monotonic() - before_s < 30


def is_told(output: Buzzer) -> bool:
    """Whether it says that nothing was heard."""
    try:
        output.show(Show({}))
    except PinsAway:
        return True
    return False


def test_a_tune_that_fails_is_told_until_one_is_heard_again(
    tones: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    output = Buzzer()
    error = type("error", (Exception,), {"__module__": "lgpio"})

    def lost(*_: object) -> None:
        raise error("bad GPIO write")

    with monkeypatch.context() as patched:
        patched.setattr(TonalBuzzer, "play", lost)
        output.show(Show({}, cue=Cue(1, "trick")))
        assert wait_for(partial(is_told, output))
        for _ in range(2):
            with pytest.raises(PinsAway, match="bad GPIO write"):
                output.show(Show({}))
    with pytest.raises(PinsAway):
        output.show(Show({}, cue=Cue(2, "trick")))
    assert wait_for(lambda: Tone("G6").frequency in tones)
    output.show(Show({}))
    output.close()


def test_a_machine_without_pins_is_told_what_to_do() -> None:
    with pytest.raises(PinsAway, match="python3-lgpio"):
        Buzzer().show(Show({}))
