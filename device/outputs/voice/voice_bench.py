"""How long it takes from a show to the first sound that a loudspeaker gets; and every notice as a sound: how long, how
loud, whether its waves are cut off; and how far behind a quick game the voice falls."""

import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from device import words
from device.following.show import EVERYTHING, Happening, Show
from device.outputs.voice import Voice
from device.outputs.voice.lines import lines_of, spoken
from device.outputs.voice.queue import CALM, SpeechQueue, Utterance
from device.outputs.voice.speaker import Programs, sound_of
from engine.cards import FULL_PACK
from engine.games import GAMES, card_tables
from engine.match import Match
from engine.notices import Notice
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal, plant, plantable
from engine.simulate_boards import FAULTS, board_of, honest_turns
from engine.simulate_boards import plant as plant_board

HEADER_BYTES = 44
"""Of a WAV, before its first sample."""
WAIT_S = 10.0
LISTEN = f"""
import sys, time
sys.stdin.buffer.read({HEADER_BYTES} + 2)
heard = time.monotonic()
sys.stdin.buffer.read()
with open(sys.argv[1], "a") as to:
    print(heard, file=to)
"""


def bench(rounds: int) -> dict[str, float]:
    """Milliseconds from a card's show to the first sample in the player's pipe, espeak-ng in French."""
    with tempfile.TemporaryDirectory() as folder:
        heard = Path(folder) / "heard"
        voice = Voice(Programs(player=[sys.executable, "-S", "-c", LISTEN, os.fspath(heard)]))
        voice.show(Show({}, voice=EVERYTHING))  # It says that it is there.
        _until_heard(heard, 1)
        waits_ms = [_one(voice, heard, number) for number in range(1, rounds + 1)]
        voice.close()
    ranked = sorted(waits_ms)
    return {
        "first_sample_median_ms": round(statistics.median(ranked), 1),
        "first_sample_p95_ms": round(ranked[min(len(ranked) - 1, int(0.95 * len(ranked)))], 1),
    }


def _one(voice: Voice, heard: Path, number: int) -> float:
    card = Happening(number, {"event": "play", "card": "7H"}, (), 0)
    shown_s = time.monotonic()
    voice.show(Show({}, voice=EVERYTHING, happened=(card,)))
    return 1e3 * (_until_heard(heard, number + 1) - shown_s)


def _until_heard(heard: Path, count: int) -> float:
    """When the last of so many utterances was first heard."""
    until_s = time.monotonic() + WAIT_S
    while time.monotonic() < until_s:
        lines = heard.read_text().split() if heard.exists() else []
        if len(lines) == count:
            return float(lines[-1])
        time.sleep(0.02)
    raise TimeoutError("nothing was heard")


# -- every notice as a sound -------------------------------------------------------------------------------------------

FULL_SCALE, CUT = 32767, 3
"""Of a sample; and so many in a row that are as loud as can be are a wave that was cut off."""
SEEDS = 3
NAMES = ("Zaïna", "Ali", "Mariama", "Said", "Fatima", "Ibrahim")


@dataclass(frozen=True)
class Sound:
    """What a sentence became."""

    language: str
    notice: str
    text: str
    seconds: float
    loudest: float
    """Of full scale."""
    cut: bool


def sounds(seeds: int = SEEDS) -> list[Sound]:
    """Every notice that a card game or a board brings up, in each language, as espeak-ng says it."""
    notices = {**_of_cards(seeds), **_of_boards(seeds)}
    found = []
    for language in words.LANGUAGES:
        for name, (notice, game) in sorted(notices.items()):
            sides = (0, 1, 0, 1, 0, 1)
            aloud = words.aloud(language)
            text = spoken(words.sentence(notice, aloud, NAMES, sides, game), aloud)
            found.append(_heard(language, name, text))
    return found


def listed(sounds: Sequence[Sound]) -> dict[str, Any]:
    """What came of them, by language, and the longest by name."""
    table: dict[str, Any] = {}
    for language in words.LANGUAGES:
        some = [sound for sound in sounds if sound.language == language]
        longest = max(some, key=lambda sound: sound.seconds)
        table[language] = {
            "notices": len(some),
            "silent": sum(sound.loudest < 0.05 for sound in some),
            "cut_off": sum(sound.cut for sound in some),
            "loudest_share": round(max(sound.loudest for sound in some), 3),
            "seconds_median": round(statistics.median(sound.seconds for sound in some), 1),
            "seconds_longest": round(longest.seconds, 1),
            "longest": longest.notice,
        }
    return table


def _of_cards(seeds: int) -> dict[str, tuple[Mapping[str, Any], str]]:
    found: dict[str, tuple[Mapping[str, Any], str]] = {}
    for game, players in card_tables():
        judge = Match(game, players).judge
        assert isinstance(judge, CardJudge)
        for seed in range(seeds):
            deals = [plant(rule, judge.game, Random(seed), 0) for rule in plantable(judge.game)]
            deals.append(list(honest_deal(judge.game, Random(seed), 0, revoke_chance=0.3).events))
            for events in deals:
                match = Match(game, players)
                for notice in (notice for event in events for notice in match.add(event)):
                    found[_name(notice)] = (notice.to_dict(), game)
    return found


def _of_boards(seeds: int) -> dict[str, tuple[Mapping[str, Any], str]]:
    found: dict[str, tuple[Mapping[str, Any], str]] = {}
    for kind in (kind for kind in GAMES.values() if kind.grid):
        for seed in range(seeds):
            rng, match = Random(seed), Match(kind.name)
            judge = match.judge
            assert isinstance(judge, BoardJudge)
            position, faults = judge.game.opening, FAULTS[kind.name].plantable
            for number, turn in enumerate(honest_turns(rng, judge.game)):
                wrong = plant_board(judge, position, faults[number % len(faults)], rng)
                position = turn.after
                for board in (*((wrong,) if wrong is not None else ()), board_of(judge.game, position)):
                    for notice in match.add(board):
                        found[_name(notice)] = (notice.to_dict(), kind.name)
    return found


def _name(notice: Notice) -> str:
    facts = notice.facts
    return " ".join(str(part) for part in (notice.code, facts.get("rule"), facts.get("about")) if part)


def _heard(language: str, notice: str, text: str) -> Sound:
    made = sound_of(text, language, CALM)
    rate = int.from_bytes(made[24:28], "little")
    samples = np.abs(np.frombuffer(made[HEADER_BYTES : len(made) // 2 * 2], "<i2").astype(np.int32))
    loud = samples >= FULL_SCALE
    runs = np.convolve(loud, np.ones(CUT, np.int64), "valid") if len(samples) >= CUT else np.zeros(1)
    loudest = float(samples.max(initial=0)) / FULL_SCALE
    return Sound(language, notice, text, len(samples) / rate, loudest, bool((runs >= CUT).any()))


def most_behind(language: str, every_s: float = 0.7, cards: int = 24) -> int:
    """So many cards, at most, lie there that are neither said nor being said, at one card in so many seconds."""
    show = Show({"game": "turufu"}, language=words.aloud(language), seats=NAMES, voice=EVERYTHING)
    events = [Happening(at, {"event": "play", "card": card}, (), at % 4) for at, card in enumerate(FULL_PACK[:cards])]
    queue, now_s, laid, most = SpeechQueue(), 0.0, 0, 0
    while laid < cards or len(queue):
        due = min(cards, math.floor(now_s / every_s) + 1)
        queue.add([line for event in events[laid:due] for line in lines_of(event, show, EVERYTHING)])
        laid = due
        utterance = queue.next()
        if utterance is None:
            now_s = laid * every_s + 1e-6
            continue
        now_s += _seconds(language, utterance)
        most = max(most, min(cards, math.floor(now_s / every_s) + 1) - laid)
    return most


def _seconds(language: str, utterance: Utterance) -> float:
    made = sound_of(utterance.text, language, utterance.words_a_minute)
    return (len(made) - HEADER_BYTES) / 2 / int.from_bytes(made[24:28], "little")
