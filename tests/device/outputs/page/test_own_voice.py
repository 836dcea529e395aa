"""The owner's phone records a line; the device keeps a plain WAV, plays it, gives it back, deletes it."""

import io
import math
import struct
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device import words
from device.following.show import EVERYTHING, Happening, Show
from device.keeping import clips
from device.outputs.voice import Voice
from device.outputs.voice.lines import clip_said, lines_of
from tests.device.outputs.page.room import pair, phone, room
from tests.device.outputs.page.test_page import turufu


def sound(seconds: float = 1.0, rate: int = 44100, channels: int = 2, loud: float = 0.3) -> bytes:
    """What a recorder wrote: silence, a tone, silence."""
    out = io.BytesIO()
    quiet = [0.0] * int(rate * 0.3)
    tone = [loud * math.sin(2 * math.pi * 300 * at / rate) for at in range(int(rate * seconds))]
    frames = [struct.pack("<h", int(32767 * sample)) * channels for sample in (*quiet, *tone, *quiet)]
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(frames))
    return out.getvalue()


def test_the_owner_records_a_card_and_it_is_played(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path / "matches", turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="House").click()
        page.locator("[data-clip=card-7H]").click()
        page.get_by_text("7 of hearts").wait_for()
        page.locator("[data-test=record]").set_input_files(
            {"name": "a.wav", "mimeType": "audio/wav", "buffer": sound()}
        )
        page.get_by_role("button", name="Listen").wait_for()
        folder = table.settings.recorded_voice
        with wave.open(str(folder / "en" / "card-7H.wav")) as kept:
            assert (kept.getnchannels(), kept.getsampwidth(), kept.getframerate()) == (1, 2, clips.RATE_HZ)
            assert kept.getnframes() / clips.RATE_HZ == pytest.approx(1.06, abs=0.03), "the silence is cut"
            samples = struct.unpack(f"<{kept.getnframes()}h", kept.readframes(kept.getnframes()))
        assert max(map(abs, samples)) == pytest.approx(0.9 * 32767, rel=0.02), "as loud as all others"
        heard = page.evaluate(
            "fetch('/voice/en/card-7H.wav').then((one) => one.arrayBuffer()).then((one) => one.byteLength)"
        )
        assert heard > 40_000
        page.get_by_role("button", name="Delete this recording").click()
        page.get_by_role("button", name="Listen").wait_for(state="detached")
        assert clips.there(folder, "en") == []
        page.locator("[data-test=record]").set_input_files(
            {"name": "a.m4a", "mimeType": "audio/mp4", "buffer": b"no sound at all"}
        )
        page.get_by_text("cannot read its own recording").wait_for()


@pytest.mark.slow
def test_a_phone_that_is_not_the_owners_records_nothing(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path / "matches", turufu()) as table:
        with phone(chromium, table.at) as first, phone(chromium, table.at) as second:
            pair(first, table)
            pair(second, table)
            second.get_by_role("link", name="House").click()
            second.get_by_text("Health").wait_for()
            assert second.locator("[data-test=own-voice]").count() == 0
            post = "fetch('/voice/en/card-7H.wav', { method: 'POST', body: 'x' }).then((one) => one.status)"
            assert second.evaluate(post) == 403
            assert first.evaluate(post) == 400, "that is no recording"
            assert first.evaluate(post.replace("card-7H", "..%2f..%2fsettings")) in (400, 404)
        assert not table.settings.recorded_voice.exists()


@pytest.mark.parametrize(
    "made",
    [
        bytes,
        lambda: b"RIFF",
        sound,
        lambda: sound(rate=clips.RATE_HZ),
        lambda: sound(0.01, clips.RATE_HZ, 1)[:300],
        lambda: b"\0" * (clips.MOST_BYTES + 1),
    ],
    ids=["empty", "torn", "another rate", "two channels", "too short", "too long"],
)
def test_only_a_wav_of_the_one_kind_is_taken(tmp_path: Path, made: Callable[[], bytes]) -> None:
    data = made()
    with pytest.raises(clips.ClipError):
        clips.keep(tmp_path, "fr", "trick", data)
    assert list(tmp_path.iterdir()) == []


def test_what_stood_in_the_file_beside_the_sound_is_not_kept(tmp_path: Path) -> None:
    plain = sound(0.5, clips.RATE_HZ, 1)
    clips.keep(tmp_path, "fr", "trick", plain + b"LIST\x04\0\0\0home")
    assert b"home" not in (tmp_path / "fr" / "trick.wav").read_bytes()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_line_that_may_be_recorded_has_words_to_say(language: str) -> None:
    said = {name: clip_said(name, language, ()) for name in clips.NAMES}
    assert all(said.values())
    cards = [text for name, text in said.items() if name.startswith("card-")]
    assert len(set(cards)) == len(cards)


def test_what_is_recorded_is_what_the_voice_looks_for() -> None:
    show = Show({"game": "turufu"}, voice=EVERYTHING)
    card = Happening(1, {"event": "play", "card": "7H"}, (), 3)
    alert = Happening(2, {}, ({"notice": "illegal", "level": "alert", "rule": "out_of_turn", "seat": 0, "cards": ["7H"],
                               "expected": [1]},))  # fmt: skip
    for happening in (card, alert):
        for line in lines_of(happening, show, EVERYTHING):
            assert line.clips and set(line.clips) <= clips.NAMES
    assert Voice.name == "voice"
