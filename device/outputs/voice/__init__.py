"""The device speaks: alerts, the game, or everything that a player needs who cannot see the table.

lines.py: what is said. queue.py: in which order, how fast. speaker.py: the programs that make sound.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from device import words
from device.following.show import EVERYTHING, GAME, HOW_MUCH, OFF, Invite, Page, Show
from device.keeping.settings import Key, Settings, command_or_none, one_of
from device.machine.wiring import Wiring
from device.outputs import OutputKind
from device.outputs.voice.lines import (
    asked,
    begun,
    invited,
    lines_of,
    menu_closed,
    of_page,
    silenced,
    trouble_said,
    waited_for,
    welcome,
)
from device.outputs.voice.queue import SCORE, Line, SpeechQueue, Utterance
from device.outputs.voice.speaker import Programs, Speech

log = logging.getLogger(__name__)
PAUSE_S = 8.0
"""Nothing was said for so long, and somebody's turn is still open: it is said whose."""


class Speaker(Protocol):
    """What makes words heard."""

    def say(self, text: str, language: str, words_a_minute: int) -> Speech: ...
    def play(self, clips: Sequence[Path]) -> Speech: ...


class Voice:
    """An output: says what the shows tell. Speaking never waits for the game, nor the game for it."""

    name = "voice"
    trouble = "voice_away"

    def __init__(
        self,
        speaker: Speaker,
        recordings: Callable[[str], Path | None] = lambda language: None,
        buttons: bool = False,
    ) -> None:
        """recordings: the folder of a language's own recordings (device/outputs/voice/speaker.py joins them). buttons:
        the device has some; as long as nobody has chosen how much is said, it says at its start which one to hold."""
        self._speaker, self._recordings, self._buttons = speaker, recordings, buttons
        self._wake = threading.Condition()
        self._queue = SpeechQueue()
        self._thread: threading.Thread | None = None
        self._now: tuple[Utterance, Speech] | None = None
        self._broken_off = self._closed = False
        self._lost: OSError | None = None
        self._language = "fr"
        self._heard: int | None = None
        """The number of what was told last; None: nothing was shown yet."""
        self._turn = self._voice = ""
        self._asked: tuple[str, tuple[str, ...]] = "", ()
        """The key of what was asked last, and the answers that the buttons had."""
        self._page: Page | None = None
        self._invite: Invite | None = None
        self._troubles: tuple[str, ...] = ()

    def show(self, show: Show) -> None:
        """OSError: what was to be said could not be heard."""
        language, show = show.language, replace(show, language=words.aloud(show.language))
        speaks = show.sound and show.voice not in ("", OFF)
        lines = self._new_lines(show) if speaks else self._greeting(show)
        gone = not speaks and self._voice not in ("", OFF)
        self._follow(show)
        with self._wake:
            self._language = language
            if gone:
                self._silence()
            if lines:
                self._start()
                self._queue.add(lines)
                if self._now is not None and self._queue.interrupts(self._now[0]):
                    self._broken_off = True
                    self._now[1].stop()
            self._turn = waited_for(show) if speaks and show.voice in (GAME, EVERYTHING) else ""
            self._wake.notify()
            lost, self._lost = self._lost, None
        if lost is not None and speaks:
            raise lost
        if lost is not None:
            log.info("nobody heard how to switch the voice on: %s", lost)

    def close(self) -> None:
        """Silence; harmless twice."""
        with self._wake:
            self._closed = True
            self._silence()
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
        self._thread = None

    def _new_lines(self, show: Show) -> "list[Line]":
        """What this show tells that no show before did. What happened before the first one is past."""
        lines: list[Line] = []
        if show.voice == EVERYTHING != self._voice:
            # Whoever just began to listen knows nothing yet.
            lines = [begun(show, at_start=self._heard is None)]
            self._asked, self._page, self._invite = ("", ()), None, None
        if self._heard is not None:
            new = [happening for happening in show.happened if happening.number > self._heard]
            lines += [line for happening in new for line in lines_of(happening, show, show.voice)]
        return [*lines, *self._new_question(show), *(self._new_around(show) if show.voice == EVERYTHING else ())]

    def _greeting(self, show: Show) -> "list[Line]":
        """Nothing is said, and why: it was switched off just now, or nobody knows yet that it can speak."""
        if self._voice not in ("", OFF):
            return [silenced(show)] if show.sound else []
        first = self._heard is None and show.sound and not show.voice
        return welcome(words.below(show.language)) if first and self._buttons else []

    def _new_around(self, show: Show) -> "list[Line]":
        """What others see on a display: the menu, how a phone is paired, what is amiss."""
        lines = [trouble_said(code, show) for code in show.troubles if code not in (*self._troubles, self.trouble)]
        if show.invite is not None and show.invite != self._invite:
            lines.append(invited(show.invite, show))
        return [*lines, *self._new_page(show)]

    def _new_question(self, show: Show) -> "list[Line]":
        if show.prompt is None or (show.prompt.key, show.prompt.answers) == self._asked:
            return []
        question = asked(show.prompt, show)
        if show.prompt.key == self._asked[0]:  # Its other answers.
            return [replace(question, text=question.short)]
        if show.alert is None:
            return [question]
        # What the alert says is said already: only what the buttons answer.
        return [replace(question, text=question.short)] if show.voice == EVERYTHING else []

    def _new_page(self, show: Show) -> "list[Line]":
        """What the menu shows now, or that it is gone."""
        if show.page is None:
            return [menu_closed(show)] if self._page is not None else []
        return [of_page(show.page, self._page, show)] if show.page != self._page else []

    def _follow(self, show: Show) -> None:
        self._heard = max((happening.number for happening in show.happened), default=self._heard or 0)
        self._asked = ("", ()) if show.prompt is None else (show.prompt.key, show.prompt.answers)
        self._page, self._invite, self._troubles = show.page, show.invite, show.troubles
        self._voice = show.voice if show.sound else OFF

    def _silence(self) -> None:
        self._queue = SpeechQueue()
        if self._now is not None:
            self._now[1].stop()

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._closed = False
            self._thread = threading.Thread(target=self._speak, name="voice", daemon=True)
            self._thread.start()

    def _speak(self) -> None:
        """Says one utterance after the other."""
        while (utterance := self._next()) is not None:
            try:
                with self._wake:
                    speech = self._speech(utterance)
                    self._now, self._broken_off = (utterance, speech), False
                speech.wait()
            except OSError as error:
                with self._wake:
                    self._lost, self._queue = error, SpeechQueue()
            finally:
                with self._wake:
                    if self._broken_off:
                        self._queue.resume(utterance)
                    self._now, self._broken_off = None, False

    def _next(self) -> Utterance | None:
        """What to say now, once there is anything. None: it is over."""
        with self._wake:
            while not self._closed:
                if (utterance := self._queue.next()) is not None:
                    return utterance
                if not self._wake.wait(PAUSE_S) and self._turn:
                    said, self._turn = self._turn, ""
                    self._queue.add([Line(said, kind=SCORE)])
            return None

    def _speech(self, utterance: Utterance) -> Speech:
        clips = self._clips(utterance)
        if clips:
            return self._speaker.play(clips)
        language = utterance.lines[0].language or self._language
        return self._speaker.say(utterance.text, language, utterance.words_a_minute)

    def _clips(self, utterance: Utterance) -> list[Path]:
        """The family's own recordings of it; empty where one is missing."""
        folder = self._recordings(self._language)
        names = [name for line in utterance.lines for name in line.clips]
        if folder is None or not all(line.clips for line in utterance.lines):
            return []
        clips = [folder / f"{name}.wav" for name in names]
        return clips if all(clip.is_file() for clip in clips) else []


def _made(settings: Settings, wiring: Wiring) -> list[Voice]:
    folder = settings.recorded_voice
    program = settings.outputs.get("voice_program", "")
    return [Voice(Programs(program), lambda language: folder / language, buttons=settings.build != "laptop")]


OUTPUT = OutputKind(
    Voice.name,
    _made,
    (Voice.trouble,),
    settings={
        "voice": Key(one_of("", *HOW_MUCH)),
        "voice_program": Key(command_or_none()),
    },
    at_the_table=False,
)
