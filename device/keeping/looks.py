"""Looks at a card table in their written form: a line of JSON each, so that they can be gone through again later.

Until the game is known, the looks of its first deal are kept on disk, beside the journals of the matches.
"""

import contextlib
import json
import logging
import os
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from device import words
from device.keeping.files import make_folder, read_plain, sync_folder
from engine.sightings import CardLying, Glance, Hand, TableLook

log = logging.getLogger(__name__)
FORMAT = 1
FIRST_DEAL = "first_deal.looks"
"""The file of it, in the folder of the matches."""
SAID = {"said": True}
"""In that file: a person answered which game it is."""
MOST_BYTES = 32_000_000
"""Of such a file: ten times what the looks of the longest first deal take."""
SLOW_S = 0.5
"""A disk that takes longer is not waited for, as with a journal."""

PLACES = 4
"""Decimals kept of a place or an angle: finer than any eye sees."""
SURE_PLACES = 6
"""Of how sure a card is."""
TIME_PLACES = 3
HAND_TIMES = "drew_back_s", "reached_s"
"""Further times of a hand, where they are known."""


def look_to_dict(look: TableLook) -> dict[str, Any]:
    """A look as JSON can hold it; what is as it mostly is, is left out."""
    told: dict[str, Any] = {"at_s": round(look.at_s, TIME_PLACES), "cards": _cards(look.cards)}
    if look.hands:
        told["hands"] = _hands(look.hands)
    if look.packets:
        told["packets"] = [_rounded(at) for at in look.packets]
    if look.changed:
        told["changed"] = [_rounded(spot) for spot in look.changed]
    told["card_length"] = round(look.card_length, PLACES)
    if not look.fresh:
        told["fresh"] = False
    if look.hidden:
        told["hidden"] = list(look.hidden)
    if look.behind_a_hand:
        told["behind_a_hand"] = True
    if look.glances:
        told["glances"] = [
            {"at_s": round(glance.at_s, TIME_PLACES), "cards": _cards(glance.cards), "hands": _hands(glance.hands)}
            for glance in look.glances
        ]
    return told


def look_from_dict(told: Mapping[str, Any]) -> TableLook:
    """The look that was written so. KeyError, TypeError, ValueError: it is none."""
    return TableLook(
        at_s=float(told["at_s"]),
        cards=_read_cards(told["cards"]),
        hands=_read_hands(told.get("hands", ())),
        packets=tuple((float(x), float(y)) for x, y in told.get("packets", ())),
        changed=tuple((float(x), float(y), float(r)) for x, y, r in told.get("changed", ())),
        card_length=float(told["card_length"]),
        fresh=bool(told.get("fresh", True)),
        hidden=tuple(told.get("hidden", ())),
        behind_a_hand=bool(told.get("behind_a_hand", False)),
        glances=tuple(
            Glance(float(glance["at_s"]), _read_cards(glance["cards"]), _read_hands(glance["hands"]))
            for glance in told.get("glances", ())
        ),
    )


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, PLACES) for number in numbers]


def _cards(cards: Sequence[CardLying]) -> list[dict[str, Any]]:
    told = []
    for lying in cards:
        about: dict[str, Any] = {"card": lying.card, "at": _rounded(lying.at)}
        if lying.confidence:
            about["confidence"] = round(lying.confidence, SURE_PLACES)
        if lying.candidates:
            about["candidates"] = list(lying.candidates)
        if lying.likely:
            about["likely"] = _rounded(lying.likely)
        if not lying.outlined:
            about["outlined"] = False
        if lying.turned_deg is not None:
            about["turned_deg"] = round(lying.turned_deg, 1)
        told.append(about)
    return told


def _read_cards(told: Sequence[Mapping[str, Any]]) -> tuple[CardLying, ...]:
    return tuple(
        CardLying(
            card["card"],
            float(card.get("confidence", 0.0)),
            (float(card["at"][0]), float(card["at"][1])),
            tuple(card.get("candidates", ())),
            bool(card.get("outlined", True)),
            tuple(float(part) for part in card.get("likely", ())),
            None if card.get("turned_deg") is None else float(card["turned_deg"]),
        )
        for card in told
    )


def _hands(hands: Sequence[Hand]) -> list[dict[str, Any]]:
    return [
        {
            "angle_deg": round(hand.angle_deg, PLACES),
            "reach": _rounded(hand.reach),
            "came_s": round(hand.came_s, TIME_PLACES),
            "left_s": round(hand.left_s, TIME_PLACES),
            **{name: round(at_s, TIME_PLACES) for name, at_s in _times(hand).items()},
        }
        for hand in hands
    ]


def _times(hand: Hand) -> dict[str, Any]:
    """When a hand did what, as far as somebody told."""
    told = {name: getattr(hand, name) for name in HAND_TIMES}
    return {name: at_s for name, at_s in told.items() if at_s is not None}


def _read_hands(told: Sequence[Mapping[str, Any]]) -> tuple[Hand, ...]:
    return tuple(
        Hand(
            float(hand["angle_deg"]),
            (float(hand["reach"][0]), float(hand["reach"][1])),
            float(hand["came_s"]),
            float(hand["left_s"]),
            **{name: float(hand[name]) for name in HAND_TIMES if name in hand},
        )
        for hand in told
    )


def later(look: TableLook, by_s: float) -> TableLook:
    """The same look so many seconds later, and everything in it."""
    glances = tuple(
        replace(glance, at_s=glance.at_s + by_s, hands=_later(glance.hands, by_s)) for glance in look.glances
    )
    return replace(look, at_s=look.at_s + by_s, hands=_later(look.hands, by_s), glances=glances)


def _later(hands: Sequence[Hand], by_s: float) -> tuple[Hand, ...]:
    return tuple(
        replace(
            hand,
            came_s=hand.came_s + by_s,
            left_s=hand.left_s + by_s,
            **{name: at_s + by_s for name, at_s in _times(hand).items()},
        )
        for hand in hands
    )


class FirstDeal:
    """The looks of a first deal, each on disk before anything is made of it."""

    def __init__(self, folder: Path | None = None) -> None:
        """folder: that of the matches; None: they are kept in memory only."""
        self._path = None if folder is None else folder / FIRST_DEAL
        self.looks: list[TableLook]
        self.said: bool
        """A person said what is played."""
        self.looks, self.said = ([], False) if self._path is None else _read(self._path)
        self._jobs: queue.SimpleQueue[tuple[Callable[[], None] | None, threading.Event]] = queue.SimpleQueue()
        """What is to be done on disk; None: nothing more."""
        self._broken = False
        """A write failed: nothing is written until the next first deal."""
        self._thread: threading.Thread | None = None

    def keep(self, *looks: TableLook) -> TableLook:
        """Keeps more of them, one at least; the last comes back as it is kept, a little rounded."""
        told = [look_to_dict(look) for look in looks]
        self.looks += map(look_from_dict, told)
        self._on_disk(partial(self._append, "\n".join(map(json.dumps, told))))
        return self.looks[-1]

    def answered(self) -> None:
        """A person said what is played: the match that goes on is of that game."""
        self.said = True
        self._on_disk(partial(self._append, json.dumps(SAID)))

    def clear(self) -> None:
        """What they are of is known for good, or never will be."""
        if self.looks or self.said:
            self.looks.clear()
            self.said = False
            self._on_disk(self._unlink)

    def close(self) -> None:
        """Lets go of the file, which stays."""
        if self._thread is not None:
            self._jobs.put((None, threading.Event()))
            self._thread.join(SLOW_S)
            self._thread = None

    def _on_disk(self, job: Callable[[], None]) -> None:
        """Has it done on a thread of its own, so that a hanging disk holds up nobody for long."""
        if self._path is None:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="looks", daemon=True)
            self._thread.start()
        done = threading.Event()
        self._jobs.put((job, done))
        done.wait(SLOW_S)

    def _write(self) -> None:
        while True:
            job, done = self._jobs.get()
            if job is None:
                return
            try:
                job()
            except OSError as error:
                self._broken = True
                log.warning("%s: the looks of this deal are not kept: %s", self._path, words.what_helps(error, "en"))
            done.set()

    def _unlink(self) -> None:
        assert self._path is not None
        self._broken = False
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()

    def _append(self, line: str) -> None:
        assert self._path is not None
        if self._broken:
            return
        make_folder(self._path.parent)
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        try:
            size = os.fstat(fd).st_size
            if size == 0:
                line = json.dumps({"first_deal": FORMAT}) + "\n" + line
            elif os.pread(fd, 1, size - 1) != b"\n":
                line = "\n" + line  # The last one was cut short by a power cut.
            data = memoryview(line.encode() + b"\n")
            while data:
                data = data[os.write(fd, data) :]
            os.fsync(fd)
        finally:
            os.close(fd)
        if size == 0:
            sync_folder(self._path.parent)


def _read(path: Path) -> tuple[list[TableLook], bool]:
    """What a power cut left, and whether a person had said what is played; none: there is nothing, or nothing that can
    be read."""
    looks: list[TableLook] = []
    said = False
    try:
        head, *lines = read_plain(path, MOST_BYTES).decode(errors="replace").splitlines()
        if json.loads(head).get("first_deal") != FORMAT:
            return [], False
    except FileNotFoundError:
        return [], False
    except (OSError, ValueError, AttributeError) as error:
        log.warning("%s: the looks of the last deal cannot be read: %s", path, error)
        return [], False
    for line in lines:
        with contextlib.suppress(KeyError, TypeError, ValueError):  # A line cut short says nothing.
            told = json.loads(line)
            if told == SAID:
                said = True
            else:
                looks.append(look_from_dict(told))
    return looks, said
