"""What `hisabu cards` (read pictures of cards) and `hisabu enrol` (learn a house's own deck) do."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import SUITS, is_card
from engine.sightings import CardsSighting
from vision.cards.drawing import draw_sighting
from vision.cards.enrol import ROW, enrol_picture, proposed_order
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import CardReader

DECK_FILE = "deck.npz"
MOST_PIXELS = 80_000_000
"""Pictures larger than this are refused: no camera here makes them, and reading one would fill the memory of a Pi."""


def deck_path() -> Path:
    """Where the enrolled deck lies: beside the settings."""
    base = os.environ.get("HISABU_HOME") or os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    folder = Path(base)
    return folder / DECK_FILE if os.environ.get("HISABU_HOME") else folder / "hisabu" / DECK_FILE


class NotAPicture(Exception):
    """A file that cannot be read as a picture, and why."""


def open_picture(path: Path) -> NDArray[np.uint8]:
    """A picture file as BGR; NotAPicture says what is wrong with it."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise NotAPicture("no such file") from error
    except OSError as error:
        raise NotAPicture(error.strerror or "cannot be read") from error
    if not data:
        raise NotAPicture("the file is empty")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise NotAPicture("not a picture that can be opened") from error
    if image is None:
        raise NotAPicture("not a picture that can be opened (JPEG, PNG, WebP, BMP and TIFF can)")
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise NotAPicture(f"too large: {image.shape[1]} x {image.shape[0]} pixels")
    return np.asarray(image, np.uint8)


def _pictures(paths: list[Path]) -> Iterator[Path]:
    """The files named; a folder stands for the pictures in it."""
    for path in paths:
        if path.is_dir():
            inside = sorted(
                p
                for p in path.iterdir()
                if p.suffix.lower() in {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}
            )
            if not inside:
                print(f"{path}: a folder without pictures", file=sys.stderr)
            yield from inside
        else:
            yield path


def as_json(name: str, sighting: CardsSighting, ms: float) -> str:
    """One picture's line of JSON."""
    return json.dumps(
        {
            "image": name,
            "cards": [
                {
                    "card": c.card,
                    "confidence": round(c.confidence, 5),
                    "at": [round(v, 1) for v in c.at_px],
                    "quad": None if c.quad_px is None else [[round(v, 1) for v in p] for p in c.quad_px],
                }
                for c in sighting.cards
            ],
            "unsure": [
                {"candidates": list(u.candidates), "at": [round(v, 1) for v in u.at_px]} for u in sighting.unsure
            ],
            "ms": round(ms, 2),
        }
    )


def as_text(name: str, sighting: CardsSighting, ms: float) -> str:
    """One picture's line for people."""
    named = "  ".join(f"{c.card} {100 * c.confidence:.1f}%" for c in sighting.cards) or "no card"
    doubts = "".join(f"  unsure: {' or '.join(u.candidates)}" for u in sighting.unsure)
    return f"{name}: {named}{doubts}  ({ms:.0f} ms)"


def _load_reader() -> CardReader:
    path = deck_path()
    deck = None
    if path.exists():
        try:
            deck = EnrolledDeck.load(path)
        except ValueError as error:
            print(f"{error}: reading without it. `hisabu enrol --forget` removes it.", file=sys.stderr)
    return CardReader(deck=deck)


def run_cards(args: argparse.Namespace) -> int:
    """hisabu cards IMAGE…: a line for each picture."""
    cv2.setNumThreads(1)
    reader, opened, asked = _load_reader(), 0, 0
    pictures = list(_pictures(args.images))
    draw: Path | None = args.draw
    draw_folder = draw is not None and (len(pictures) > 1 or draw.is_dir())
    if draw is not None and draw_folder:
        draw.mkdir(parents=True, exist_ok=True)
    for path in pictures:
        asked += 1
        try:
            image = open_picture(path)
        except NotAPicture as problem:
            print(f"{path}: {problem}", file=sys.stderr)
            continue
        if opened == 0:
            reader.read(image)  # the first picture of a size makes the networks plan their buffers: that is loading
        opened += 1
        started = time.perf_counter()
        sighting, found = reader.explain(image)
        ms = 1000 * (time.perf_counter() - started)
        print(as_json(str(path), sighting, ms) if args.json else as_text(str(path), sighting, ms), flush=True)
        if draw is not None:
            out = draw / f"{path.stem}.png" if draw_folder else draw
            if not cv2.imwrite(str(out), draw_sighting(image, sighting, found, ms)):
                print(f"{out}: cannot be written", file=sys.stderr)
    return 2 if opened == 0 else 0


def run_enrol(args: argparse.Namespace) -> int:
    """hisabu enrol PICTURE…: one picture a suit, or --cards with one picture."""
    path = deck_path()
    if args.forget:
        path.unlink(missing_ok=True)
        print("The enrolled deck is forgotten.")
        return 0
    if args.cards:
        orders = [tuple(args.cards.replace(",", " ").split())]
        if bad := [c for c in orders[0] if not is_card(c)]:
            print(f"not a card: {', '.join(bad)} (cards are written 10H, AS, JOKER)", file=sys.stderr)
            return 2
    else:
        orders = [proposed_order(suit) for suit in SUITS]
    if not args.images:
        print("Lay the cards upright and apart, in rows, each picture in this order (or name your own with --cards):")
        for order in orders:
            rows = [" ".join(order[k : k + ROW]) for k in range(0, len(order), ROW)]
            print("  " + "  /  ".join(rows))
        print("Then: hisabu enrol PICTURE… in the same order.")
        return 0
    if len(args.images) != len(orders):
        print(
            f"{len(orders)} pictures are needed, in the order that `hisabu enrol` proposes; or one with --cards.",
            file=sys.stderr,
        )
        return 2
    reader = CardReader()
    deck: EnrolledDeck | None = None
    for picture, order in zip(args.images, orders, strict=True):
        try:
            result = enrol_picture(reader, open_picture(picture), order)
        except NotAPicture as problem:
            print(f"{picture}: {problem}", file=sys.stderr)
            return 2
        if result.deck is None:
            print(f"{picture}: {result.problem}", file=sys.stderr)
            return 1
        deck = result.deck if deck is None else deck.merged(result.deck)
        print(f"{picture}: {result.seen} cards learned")
    assert deck is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not args.anew:
        try:
            deck = EnrolledDeck.load(path).merged(deck)
        except ValueError as error:
            print(f"{error}: starting anew", file=sys.stderr)
    deck.save(path)
    print(f"{len(deck.cards)} cards of this deck are known now ({path}).")
    return 0
