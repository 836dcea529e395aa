"""The device speaks: through real programs, interrupted by an alert, and without harm where nothing can be heard."""

import shutil
import sys
import threading
import time
import wave
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from device.following.show import EVERYTHING, GAME, Happening, Invite, Join, Page, Prompt, Show
from device.outputs.voice import Voice
from device.outputs.voice.speaker import Programs, VoiceAway, joined

LATER = Show({}, language="en", voice=EVERYTHING, seats=("Zaïna", "Ali"))


def card(number: int, name: str, seat: int = 0) -> Happening:
    return Happening(number, {"event": "play", "card": name}, (), seat)


def alert(number: int) -> Happening:
    return Happening(number, {"event": "play", "card": "8C"}, (NOTICE,), 0)


NOTICE = {"notice": "illegal", "level": "alert", "rule": "not_in_pack", "cards": ["8C"], "seat": 0, "number": 3}


class Speech:
    def __init__(self) -> None:
        self.over = threading.Event()
        self.stopped = False

    def wait(self) -> None:
        assert self.over.wait(20)

    def stop(self) -> None:
        self.stopped = True
        self.over.set()


class Mouth:
    """Speaks as long as a test wants."""

    def __init__(self, at_once: bool = True) -> None:
        self.said: list[str] = []
        self.played: list[list[str]] = []
        self.speeches: list[Speech] = []
        self.at_once = at_once

    def say(self, text: str, language: str, words_a_minute: int) -> Speech:
        self.said.append(text)
        return self._speech()

    def play(self, clips: Sequence[Path]) -> Speech:
        self.played.append([clip.name for clip in clips])
        return self._speech()

    def _speech(self) -> Speech:
        speech = Speech()
        if self.at_once:
            speech.over.set()
        self.speeches.append(speech)
        return speech


def until(true: Callable[[], bool]) -> None:
    for _ in range(1000):
        if true():
            return
        time.sleep(0.02)
    raise AssertionError("it never came")


@pytest.fixture
def mouth() -> Mouth:
    return Mouth()


@pytest.fixture
def voice(mouth: Mouth) -> Iterator[Voice]:
    voice = begun(mouth)
    yield voice
    for speech in mouth.speeches:
        speech.over.set()
    voice.close()


def begun(mouth: Mouth, recordings: Callable[[str], Path | None] = lambda language: None) -> Voice:
    """A voice that has said that it is there."""
    voice = Voice(mouth, recordings)
    voice.show(LATER)
    until(lambda: mouth.said == ["I am on."])
    until(lambda: voice._now is None)
    mouth.said.clear()
    mouth.speeches.clear()
    return voice


def shows(*happened: Happening, **more: object) -> Show:
    return Show(**{**LATER.__dict__, "happened": happened, **more})


def test_each_card_is_said_once(voice: Voice, mouth: Mouth) -> None:
    voice.show(shows(card(1, "7H")))
    until(lambda: len(mouth.said) == 1)
    voice.show(shows(card(1, "7H"), card(2, "AS", 1)))
    until(lambda: len(mouth.said) == 2)
    assert "Zaïna" in mouth.said[0] and "7 of hearts" in mouth.said[0]
    assert "Ali" in mouth.said[1] and "ace" in mouth.said[1]


def test_an_alert_breaks_off_what_is_said(voice: Voice, mouth: Mouth) -> None:
    mouth.at_once = False
    voice.show(shows(card(1, "7H")))
    until(lambda: len(mouth.said) == 1)
    voice.show(shows(card(1, "7H"), alert(2)))
    until(lambda: len(mouth.said) == 2)
    assert mouth.speeches[0].stopped and "does not use that card" in mouth.said[1]
    mouth.at_once = True
    mouth.speeches[1].over.set()
    until(lambda: len(mouth.said) == 3)
    assert "7" in mouth.said[2], "what was broken off is said again"


def test_what_happened_before_it_was_switched_on_is_past(mouth: Mouth) -> None:
    voice = Voice(mouth)
    voice.show(shows(card(1, "7H"), voice=""))
    voice.show(shows(card(1, "7H"), card(2, "AS", 1)))
    until(lambda: "ace" in " ".join(mouth.said))
    assert "7 of hearts" not in " ".join(mouth.said)
    voice.close()


def _said(mouth: Mouth, count: int) -> bool:
    return len(mouth.said) == count


def test_at_its_first_start_it_says_how_to_make_it_speak(mouth: Mouth) -> None:
    for buttons, chosen, said in ((True, "", 2), (False, "", 0), (True, "off", 0)):
        mouth.said.clear()
        voice = Voice(mouth, buttons=buttons)
        voice.show(shows(voice=chosen))
        voice.show(shows(card(1, "7H"), voice=chosen))
        until(partial(_said, mouth, said))
        voice.close()
        if said:
            assert "hold down button A" in mouth.said[0] and "bouton A" in mouth.said[1]


def test_a_device_without_a_loudspeaker_has_no_trouble_before_somebody_wants_it_to_speak() -> None:
    def until_away() -> bool:
        try:
            silent.show(shows(card(1, "7H")))
        except VoiceAway:
            return True
        return False

    silent = Voice(Programs(player=["/no/such/player"]), buttons=True)
    silent.show(shows(voice=""))
    time.sleep(0.2)
    silent.show(shows(voice=""))
    until(until_away)
    silent.close()


def test_whoever_switches_it_off_hears_that() -> None:
    mouth = Mouth()
    voice = begun(mouth)
    voice.show(shows(voice="off"))
    until(lambda: mouth.said == ["I am silent."])
    voice.close()


def test_what_others_read_on_a_display_is_said(voice: Voice, mouth: Mouth) -> None:
    voice.show(shows(troubles=("camera_dark",), invite=Invite("http://hisabu.local", "123456")))
    until(lambda: "Too dark" in " ".join(mouth.said) and "1, 2, 3, 4, 5, 6" in " ".join(mouth.said))
    voice.show(shows(troubles=("camera_dark",), invite=Invite("http://hisabu.local", "123456")))
    voice.show(shows(invite=Invite("http://hisabu.local", None, Join("hisabu-7", "abc", "WIFI:"))))
    until(lambda: "Wi-Fi hisabu-7, password: a, b, c" in " ".join(mouth.said))
    assert " ".join(mouth.said).count("Too dark") == 1


def test_no_sound_no_voice(voice: Voice, mouth: Mouth) -> None:
    voice.show(shows(card(1, "7H"), sound=False))
    voice.show(shows(card(1, "7H"), card(2, "AS", 1)))
    until(lambda: "ace" in " ".join(mouth.said))
    assert "7 of hearts" not in " ".join(mouth.said)


def test_a_question_and_the_menu_are_said_with_their_buttons(voice: Voice, mouth: Mouth) -> None:
    voice.show(shows(prompt=Prompt("7♥ or 7♦?", ("7♥", "7♦"), "q1")))
    until(lambda: len(mouth.said) == 1)
    assert mouth.said[0] == "7 of hearts or the 7 of diamonds? A: 7 of hearts. B: 7 of diamonds."
    voice.show(shows(page=Page("Menu", ("New match", "Sound: yes"), 0, ("next", "back", "choose"))))
    until(lambda: len(mouth.said) == 2)
    voice.show(shows(page=Page("Menu", ("New match", "Sound: yes"), 1, ("next", "back", "choose"))))
    until(lambda: len(mouth.said) == 3)
    assert mouth.said[1:] == ["Menu. New match. A: next. B: back. C: choose.", "Sound: yes"]


def test_after_a_pause_it_says_whose_turn_it_is(mouth: Mouth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.outputs.voice.PAUSE_S", 0.1)
    voice = Voice(mouth)
    voice.show(LATER)
    voice.show(shows(card(1, "7H"), view={"turn": 1}, voice=GAME))
    voice.show(shows(card(1, "7H"), alert(2), view={"turn": 1}, voice=GAME))
    until(lambda: "Ali to play." in mouth.said)
    voice.close()


def clip(path: Path, value: int, rate: int = 8000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, rate, 0, "NONE", ""))
        sound.writeframes(bytes([value, 0]) * 400)
    return path


def test_a_familys_own_recordings_take_the_place_of_the_machines_voice(tmp_path: Path, mouth: Mouth) -> None:
    for name in ("seat-1", "card-7H"):
        clip(tmp_path / f"{name}.wav", 1)
    voice = begun(mouth, lambda language: tmp_path)
    voice.show(shows(card(1, "7H")))
    until(lambda: bool(mouth.played))
    assert mouth.played == [["seat-1.wav", "card-7H.wav"]]
    voice.show(shows(card(1, "7H"), card(2, "AS", 1)))
    until(lambda: bool(mouth.said))
    voice.close()


def test_recordings_are_joined(tmp_path: Path) -> None:
    path, two = clip(tmp_path / "one.wav", 1), clip(tmp_path / "two.wav", 2)
    (tmp_path / "both.wav").write_bytes(joined([path, two]))
    with wave.open(str(tmp_path / "both.wav")) as both:
        assert both.getnframes() == 800
    with pytest.raises(VoiceAway, match=r"odd\.wav cannot be played"):
        joined([path, clip(tmp_path / "odd.wav", 3, rate=16000)])


KEEP = "import sys, time; d = sys.stdin.buffer.read(); open(sys.argv[1], 'wb').write(d)"


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="sudo apt install espeak-ng")
@pytest.mark.parametrize("language", ["fr", "en", "shi"])
def test_espeak_makes_sound_of_words(language: str, tmp_path: Path) -> None:
    heard = tmp_path / "heard.wav"
    programs = Programs(player=[sys.executable, "-c", KEEP, str(heard)])
    programs.say("Ali a joué hors de son tour", language, 190).wait()
    data = heard.read_bytes()
    assert data.startswith(b"RIFF") and len(data) > 20_000
    loudest = max(abs(int.from_bytes(data[n : n + 2], "little", signed=True)) for n in range(44, len(data) - 1, 2))
    assert 2_000 < loudest < 32_767, "heard, and not clipped"


def test_a_missing_program_and_a_dead_loudspeaker_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(VoiceAway, match="no-such-program is missing: sudo apt install espeak-ng"):
        Programs("no-such-program", player=["true"]).say("hello", "en", 190)
    with pytest.raises(VoiceAway, match="loudspeaker"):
        Programs("cat", player=["false"]).say("hello", "en", 190).wait()
    with pytest.raises(VoiceAway, match="made no sound"):
        Programs("false", player=["true"]).say("hello", "en", 190).wait()


def test_a_dead_loudspeaker_is_a_trouble_and_no_more(tmp_path: Path) -> None:
    voice = Voice(Programs("cat", player=["false"]))
    voice.show(LATER)

    def told() -> bool:
        try:
            voice.show(shows(card(1, "7H")))
        except OSError:
            return True
        return False

    until(told)
    voice.close()
