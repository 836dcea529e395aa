"""The programs that speak: one that makes sound of words, one that plays it. The one file that starts them."""

import contextlib
import html
import io
import shlex
import shutil
import subprocess
import wave
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from device import words

VOICES = {"fr": "fr", "en": "en", "shi": "sw"}
"""espeak-ng's. Shimaore is spoken by its voice for Swahili, the nearest that it has: nobody has heard it yet. What
stands in for it is French and has the French voice."""
PLAYERS = (("pw-play", "-"), ("paplay",), ("aplay", "-q", "-"))
"""Whichever is there first: PipeWire's, PulseAudio's, ALSA's."""
ENDING_S = 0.5
"""How long a program that was told to stop gets."""


class VoiceAway(OSError):
    """Nothing can be heard; code: of the messages "away-…"."""

    topic = "away"

    def __init__(self, code: str, **facts: object) -> None:
        self.code, self.facts = code, facts
        super().__init__(words.in_words(self, "en"))


class Speech(Protocol):
    """Something that is being said."""

    def wait(self) -> None:
        """Until it was said. OSError: it could not be heard."""

    def stop(self) -> None:
        """At once; harmless twice."""


@dataclass
class Programs:
    """Speaks through programs of the system. synthesis: a command that reads words and writes a WAV, in place of
    espeak-ng; player: a command that reads a WAV and plays it."""

    synthesis: str = ""
    player: Sequence[str] = field(default_factory=lambda: ())

    def say(self, text: str, language: str, words_a_minute: int) -> Speech:
        """Begins to say it. OSError: there is no such program."""
        if self.synthesis:
            return _Piped(shlex.split(self.synthesis), self._player(), words.unmarked(text))
        command, marked = espeak(text, language, words_a_minute)
        return _Piped(command, self._player(), marked)

    def play(self, clips: Sequence[Path]) -> Speech:
        """Begins to play recordings, one after the other. OSError: there is no player."""
        return _Played(self._player(), clips)

    def _player(self) -> list[str]:
        if self.player:
            return list(self.player)
        for command in PLAYERS:
            if shutil.which(command[0]):
                return list(command)
        raise VoiceAway("voice_no_player")


def sound_of(text: str, language: str, words_a_minute: int) -> bytes:
    """A sentence as espeak-ng says it, a WAV."""
    command, marked = espeak(text, language, words_a_minute)
    return subprocess.run(command, input=marked.encode(), capture_output=True, check=True).stdout


def espeak(text: str, language: str, words_a_minute: int) -> tuple[list[str], str]:
    """The command that says it, and what that reads: each part of a sentence by the voice of its language."""
    voice = VOICES.get(language, language)
    parts = [(VOICES.get(of, of), html.escape(said, quote=False)) for of, said in words.voices(text, language)]
    marked = "".join(said if of == voice else f'<voice xml:lang="{of}">{said}</voice>' for of, said in parts)
    return ["espeak-ng", "-m", "-v", voice, "-s", str(words_a_minute), "--stdin", "--stdout"], marked


def _started(command: Sequence[str], **pipes: object) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(command, stderr=subprocess.DEVNULL, **pipes)  # type: ignore[call-overload,no-any-return]
    except FileNotFoundError as error:
        raise VoiceAway("voice_no_program", program=command[0]) from error


class _Piped:
    """Words through one program into the other. The sound begins while the rest is still being made."""

    def __init__(self, synthesis: Sequence[str], player: Sequence[str], text: str) -> None:
        self._maker = _started(synthesis, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self._player = _started(player, stdin=self._maker.stdout, stdout=subprocess.DEVNULL)
        except OSError:
            _end(self._maker)
            raise
        assert self._maker.stdin is not None and self._maker.stdout is not None
        self._maker.stdout.close()
        self._stopped = False
        with contextlib.suppress(BrokenPipeError):  # Its exit tells why.
            self._maker.stdin.write(text.encode())
            self._maker.stdin.close()

    def wait(self) -> None:
        made, played = self._maker.wait(), self._player.wait()
        if self._stopped:
            return
        if played:
            raise VoiceAway("voice_silent", program=_name(self._player))
        if made:
            raise VoiceAway("voice_broken", program=_name(self._maker))

    def stop(self) -> None:
        self._stopped = True
        for program in (self._player, self._maker):
            _end(program)


class _Played:
    """Recordings into a player."""

    def __init__(self, player: Sequence[str], clips: Sequence[Path]) -> None:
        self._sound = joined(clips)
        self._player = _started(player, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        self._stopped = False

    def wait(self) -> None:
        with contextlib.suppress(OSError):  # Its exit tells why.
            self._player.communicate(self._sound)
        if self._player.wait() and not self._stopped:
            raise VoiceAway("voice_silent", program=_name(self._player))

    def stop(self) -> None:
        self._stopped = True
        _end(self._player)


def joined(clips: Sequence[Path]) -> bytes:
    """WAV files as one. VoiceAway: one of them is none, or of another kind than the first."""
    sound = io.BytesIO()
    try:
        with wave.open(sound, "wb") as whole:
            for number, clip in enumerate(clips):
                with wave.open(str(clip), "rb") as part:
                    if not number:
                        whole.setparams(part.getparams())
                    elif part.getparams()[:3] != whole.getparams()[:3]:
                        raise wave.Error("another rate or width")
                    whole.writeframes(part.readframes(part.getnframes()))
    except (OSError, EOFError, wave.Error) as error:
        raise VoiceAway("voice_clip", clip=clip.name) from error
    return sound.getvalue()


def _close(program: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        if program.stdin is not None:
            program.stdin.close()


def _name(program: "subprocess.Popen[bytes]") -> str:
    args: Any = program.args
    return Path(args[0]).name


def _end(program: "subprocess.Popen[bytes]") -> None:
    if program.poll() is None:
        program.terminate()
        try:
            program.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
    _close(program)
