"""Every notice is heard whole in every language, and a quick game never leaves the voice far behind."""

import shutil

import numpy as np
import pytest

from device import words
from device.outputs.voice import voice_bench
from engine.notices import CARD_RULES

pytestmark = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="sudo apt install espeak-ng")


@pytest.mark.slow
def test_every_notice_is_heard_whole() -> None:
    sounds = voice_bench.sounds(1)
    said = {sound.notice for sound in sounds}
    assert {f"illegal {rule}" for rule in CARD_RULES} <= said and {"revoke", "trick", "deal_scored", "move"} <= said
    assert {sound.language for sound in sounds} == set(words.LANGUAGES)
    for sound in sounds:
        assert 0.5 < sound.seconds < 12 and sound.loudest > 0.1 and not sound.cut, sound
    assert voice_bench.listed(sounds)["fr"]["notices"] == len(said)


def test_a_wave_that_is_cut_off_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Made:
        def __init__(self, samples: list[int]) -> None:
            header = bytearray(voice_bench.HEADER_BYTES)
            header[24:28] = (22050).to_bytes(4, "little")
            self.stdout = bytes(header) + np.array(samples, "<i2").tobytes()

    made = [Made([0, 32767, 0] * 100), Made([0, 32767, 32767, 32767, 0] * 100), Made([0] * 100)]
    monkeypatch.setattr("subprocess.run", lambda *given, **more: made.pop(0))
    sound, cut, silent = (voice_bench._heard("fr", "", "") for _ in range(3))
    assert (sound.cut, cut.cut, silent.cut, silent.loudest) == (False, True, False, 0.0)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_at_a_card_in_0_7_s_it_is_never_more_than_two_behind(language: str) -> None:
    assert voice_bench.most_behind(language) <= 2
