"""In which order things are said, and how fast: never left out, never far behind."""

import math
import shutil
import subprocess
import wave
from pathlib import Path

import pytest

from device.outputs.voice.queue import ALERT, ASK, CARD, MENU, SCORE, Line, SpeechQueue


def card(name: str) -> Line:
    return Line(f"Ali: the {name}", name, CARD)


def test_what_waits_is_said_shorter_and_in_one_breath() -> None:
    queue = SpeechQueue()
    queue.add([card("seven")])
    alone = queue.next()
    assert alone is not None and alone.text == "Ali: the seven"
    queue.add([card("eight"), card("nine"), card("ten")])
    together = queue.next()
    assert together is not None and together.text == "eight, nine, ten"
    assert together.words_a_minute > alone.words_a_minute and queue.next() is None


def test_an_alert_comes_first_and_what_it_broke_off_is_said_again() -> None:
    queue = SpeechQueue()
    queue.add([card("seven"), card("eight")])
    now = queue.next()
    assert now is not None
    queue.add([card("nine"), Line("wrong", kind=ALERT)])
    assert queue.interrupts(now)
    queue.resume(now)
    said = [queue.next(), queue.next()]
    assert [notice.text for notice in said if notice is not None] == ["wrong", "seven, eight, nine"]


def test_no_alert_breaks_off_another() -> None:
    queue = SpeechQueue()
    queue.add([Line("first", kind=ALERT), Line("second", kind=ALERT)])
    now = queue.next()
    assert now is not None and now.text == "first" and not queue.interrupts(now)


def test_a_question_is_said_alone_and_of_the_menu_only_the_newest_line() -> None:
    queue = SpeechQueue()
    queue.add([card("seven"), Line("which?", kind=ASK), Line("score", kind=SCORE)])
    texts = [queue.next() for _ in range(3)]
    assert [utterance.text for utterance in texts if utterance is not None] == ["Ali: the seven", "which?", "score"]
    queue.add([Line("brightness", kind=MENU), Line("sound", kind=MENU)])
    shown = queue.next()
    assert shown is not None and shown.text == "sound"
    queue.add([Line("language", kind=MENU)])
    assert queue.interrupts(shown)


def spoken_s(folder: Path, text: str, words_a_minute: int, voice: str) -> float:
    """How long espeak-ng takes to say it."""
    to = folder / "said.wav"
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(words_a_minute), "-w", str(to), text], check=True)
    with wave.open(str(to)) as sound:
        return float(sound.getnframes() / sound.getframerate())


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="sudo apt install espeak-ng")
@pytest.mark.parametrize(
    ("voice", "card_said"), [("fr", "7 de carreau"), ("en", "7 of diamonds"), ("sw", "seti shipaza")]
)
def test_of_a_card_in_0_7_s_it_is_never_more_than_two_behind(tmp_path: Path, voice: str, card_said: str) -> None:
    queue, every_s, cards = SpeechQueue(), 0.7, 16
    short = card_said.replace(" de ", " ").replace(" of ", " ")
    lines = [Line(f"{name} : {card_said}", f"{name} {short}", CARD) for name in ("Zaïna", "Ali", "Mariama", "Said") * 4]
    now_s, laid, most = 0.0, 0, 0
    while laid < cards or len(queue):
        due = min(cards, math.floor(now_s / every_s) + 1)
        queue.add(lines[laid:due])
        laid = due
        utterance = queue.next()
        if utterance is None:
            now_s = laid * every_s + 1e-6
            continue
        now_s += spoken_s(tmp_path, utterance.text, utterance.words_a_minute, voice)
        unsaid = min(cards, math.floor(now_s / every_s) + 1) - laid
        most = max(most, unsaid)
    assert most <= 2
