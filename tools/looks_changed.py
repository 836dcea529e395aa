"""Recorded looks as a coarser eye would have told them: the same evening, other readings.

python -m tools.looks_changed --to FOLDER unread,misread evening.jsonl
python -m tools.looks_file run FOLDER/*.jsonl

Quick beside tools/films_changed, which reads every picture again: a film in seconds. What an evening was scored as may
fall; a false alert is a bug wherever it comes from.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from engine.cards import Card, suit_of
from engine.sightings import CardLying, Glance, TableLook
from tools.looks_file import Recorded, read_looks, write_looks

HARD = 0.15
"""The share of a pack that the eye seldom reads."""
JITTER = 0.012
"""By how much a place is off, in table units: a twenty-fifth of a card's length."""
ARM_OFF_DEG = 12.0
"""By how much an arm's direction is."""
Look = TypeVar("Look", TableLook, Glance)
Shown = TypeVar("Shown")


class CoarserEye:
    """Tells what another eye told, in a look or at a glance, less well; seeded."""

    def __init__(self, pack: Sequence[Card], rng: Random) -> None:
        self._pack, self._rng = pack, rng
        self._hard = {card for card in pack if rng.random() < HARD}

    def unread(self, look: Look) -> Look:
        """Some cards now and then, and some nearly always, are known by a few candidates only."""
        return replace(look, cards=tuple([self._unread(lying) for lying in look.cards]))

    def _unread(self, lying: CardLying) -> CardLying:
        if lying.card is None or not self._fails(lying.card, 0.08, 0.6):
            return lying
        alike = [card for card in self._pack if card != lying.card and suit_of(card) == suit_of(lying.card)]
        names = [lying.card, *self._rng.sample(alike, min(2, len(alike)))]
        self._rng.shuffle(names)
        likely = (round(1 / (len(names) + 1), 3),) * len(names)
        return replace(lying, card=None, candidates=tuple(names), likely=likely, confidence=0.7)

    def missed(self, look: Look) -> Look:
        """The same cards are not seen at all."""
        return replace(look, cards=tuple([lying for lying in look.cards if not self._fails(lying.card, 0.06, 0.4)]))

    def misread(self, look: Look) -> Look:
        """One name in seventy is another card's that lies nowhere."""
        cards = list(look.cards)
        for place, lying in enumerate(look.cards):
            if lying.card and self._rng.random() < 1 / 70:
                lie = {other.card for other in cards}
                cards[place] = replace(lying, card=self._rng.choice([card for card in self._pack if card not in lie]))
        return replace(look, cards=tuple(cards))

    def jitter(self, look: Look) -> Look:
        """Places are a little off."""
        return replace(look, cards=tuple([replace(lying, at=self._beside(*lying.at)) for lying in look.cards]))

    def _beside(self, x: float, y: float) -> tuple[float, float]:
        return x + self._rng.gauss(0, JITTER), y + self._rng.gauss(0, JITTER)

    def arms(self, look: Look) -> Look:
        """One hand in twenty is missed, and the others come from a little beside."""
        seen = [hand for hand in look.hands if self._rng.random() > 1 / 20]
        turned = [replace(hand, angle_deg=(hand.angle_deg + self._rng.gauss(0, ARM_OFF_DEG)) % 360) for hand in seen]
        return replace(look, hands=tuple(turned))

    def blink(self, look: Look) -> Look:
        """Of glances, places that changed, and tricks that came to rest, many are lost."""
        if isinstance(look, Glance):
            return look
        return replace(
            look,
            glances=self._kept(look.glances, 0.6),
            changed=self._kept(look.changed, 0.7),
            packets=self._kept(look.packets, 0.5),
        )

    def _kept(self, shown: Sequence[Shown], share: float) -> tuple[Shown, ...]:
        return tuple([part for part in shown if self._rng.random() > 1 - share])

    def _fails(self, card: Card | None, now_and_then: float, hard: float) -> bool:
        return card is not None and self._rng.random() < (hard if card in self._hard else now_and_then)


CHANGES: dict[str, Callable[[CoarserEye, Any], Any]] = {
    "unread": CoarserEye.unread, "missed": CoarserEye.missed, "misread": CoarserEye.misread,
    "jitter": CoarserEye.jitter, "arms": CoarserEye.arms, "blink": CoarserEye.blink,
}  # fmt: skip


def changed(recorded: Recorded, change: str, seed: int) -> Recorded:
    """An evening's looks after one of these changes."""
    pack = sorted({lying.card for look in recorded.looks for lying in look.cards if lying.card})
    eye, see = CoarserEye(pack, Random(f"{change} {seed} {recorded.name}")), CHANGES[change]
    looks: list[TableLook] = []
    for look in recorded.looks:
        glances = tuple([see(eye, glance) for glance in look.glances])
        looks.append(see(eye, replace(look, glances=glances)))
    return replace(recorded, name=f"{recorded.name}+{change}{seed}", looks=tuple(looks))


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
            told = changed(read_looks(path), change, args.seed)
            into = args.to / f"{told.name}.jsonl"
            print(f"{into}: {write_looks(told, into)} looks", flush=True)


if __name__ == "__main__":
    main()
