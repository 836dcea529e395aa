"""Recorded looks as a coarser eye would have told them: the same evening, other readings.

python -m tools.looks_changed --to FOLDER unread,misread evening.jsonl
python -m tools.looks_file run FOLDER/*.jsonl

Quick beside tools/films_changed, which reads every picture again: a film in seconds. What an evening was scored as may
fall; a false alert is a bug wherever it comes from.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

HARD = 0.15
"""The share of a pack that the eye seldom reads."""
JITTER = 0.012
"""By how much a place is off, in table units: a twenty-fifth of a card's length."""
ARM_OFF_DEG = 12.0
"""By how much an arm's direction is."""

Told = dict[str, Any]


class CoarserEye:
    """Tells what another eye told, less well; seeded."""

    def __init__(self, pack: Sequence[str], rng: Random) -> None:
        self._pack, self._rng = pack, rng
        self._hard = {card for card in pack if rng.random() < HARD}

    def unread(self, look: Told) -> None:
        """Some cards now and then, and some nearly always, are known by a few candidates only."""
        for lying in look["cards"]:
            if lying["card"] and self._fails(lying["card"], 0.08, 0.6):
                alike = [card for card in self._pack if card != lying["card"] and card[-1] == lying["card"][-1]]
                names = [lying["card"], *self._rng.sample(alike, min(2, len(alike)))]
                self._rng.shuffle(names)
                likely = [round(1 / (len(names) + 1), 3)] * len(names)
                lying |= {"card": None, "candidates": names, "likely": likely, "confidence": 0.7}

    def missed(self, look: Told) -> None:
        """The same cards are not seen at all."""
        look["cards"] = [lying for lying in look["cards"] if not self._fails(lying["card"], 0.06, 0.4)]

    def misread(self, look: Told) -> None:
        """One name in seventy is another card's that lies nowhere."""
        for lying in look["cards"]:
            if lying["card"] and self._rng.random() < 1 / 70:
                lie = {other["card"] for other in look["cards"]}
                lying["card"] = self._rng.choice([card for card in self._pack if card not in lie])

    def jitter(self, look: Told) -> None:
        """Places are a little off."""
        for lying in look["cards"]:
            lying["at"] = [part + self._rng.gauss(0, JITTER) for part in lying["at"]]

    def arms(self, look: Told) -> None:
        """One hand in twenty is missed, and the others come from a little beside."""
        look["hands"] = [hand for hand in look.get("hands", ()) if self._rng.random() > 1 / 20]
        for hand in look["hands"]:
            hand["angle_deg"] = (hand["angle_deg"] + self._rng.gauss(0, ARM_OFF_DEG)) % 360

    def blink(self, look: Told) -> None:
        """Of glances, places that changed, and tricks that came to rest, many are lost."""
        for name, lost in (("glances", 0.4), ("changed", 0.3), ("packets", 0.5)):
            if name in look:
                look[name] = [one for one in look[name] if self._rng.random() > lost]

    def _fails(self, card: str | None, now_and_then: float, hard: float) -> bool:
        return card is not None and self._rng.random() < (hard if card in self._hard else now_and_then)


CHANGES: dict[str, Callable[[CoarserEye, Told], None]] = {
    "unread": CoarserEye.unread, "missed": CoarserEye.missed, "misread": CoarserEye.misread,
    "jitter": CoarserEye.jitter, "arms": CoarserEye.arms, "blink": CoarserEye.blink,
}  # fmt: skip


def changed(lines: Sequence[Told], change: str, seed: int) -> Iterator[Told]:
    """An evening's lines after one of these changes."""
    looks = [line["look"] for line in lines if "look" in line]
    named = {lying["card"] for look in looks for lying in look["cards"]} - {None}
    name = next(line["name"] for line in lines if "name" in line)
    eye = CoarserEye(sorted(named), Random(f"{change} {seed} {name}"))
    for line in lines:
        if "look" in line:
            for look in (*line["look"].get("glances", ()), line["look"]):
                CHANGES[change](eye, look)
        yield line | ({"name": f"{name}+{change}{seed}"} if "name" in line else {})


def changed_looks(path: Path, change: str, seed: int, to: Path) -> Path:
    """Writes an evening's looks after one of these changes, and says where."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    into = to / f"{path.stem}+{change}{seed}.jsonl"
    into.write_text("".join(json.dumps(line) + "\n" for line in changed(lines, change, seed)))
    return into


def main() -> None:
    """Writes changed looks beside each other."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--to", type=Path, required=True)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("changes", help=",".join(CHANGES))
    ask.add_argument("looks", nargs="+", type=Path)
    args = ask.parse_args()
    args.to.mkdir(parents=True, exist_ok=True)
    for change in args.changes.split(","):
        for path in args.looks:
            print(changed_looks(path, change, args.seed, args.to))


if __name__ == "__main__":
    main()
