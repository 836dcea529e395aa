"""What `hisabu cards` (read pictures of cards) and `hisabu enrol` (learn a house's own deck) do."""

import argparse
import json
import sys
import time
from functools import partial

import cv2

from device import words
from device.cameras.coded import NotAPicture
from device.commands.console import language_of
from device.commands.pictures import Drawings, open_picture, pictures_in, write_picture
from device.keeping.deck import deck_in_use, deck_path, house_deck, keep_deck
from device.keeping.settings import Settings, SettingsError, load, settings_path
from device.words import in_words
from engine.cards import SUITS, is_card
from engine.sightings import CardsSighting
from vision.cards.drawing import draw_sighting
from vision.cards.enrol import ROW, enrol_picture, proposed_order
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import CardReader


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
            **({"crowded": True} if sighting.crowded else {}),
            "ms": round(ms, 2),
        }
    )


def as_text(name: str, sighting: CardsSighting, ms: float, language: str) -> str:
    """One picture's line for people."""
    said = partial(words.say, language)
    named = "  ".join(f"{c.card} {100 * c.confidence:.1f}%" for c in sighting.cards) or said("pictures-no_card")
    either = [said("table-either").join(u.candidates) for u in sighting.unsure]
    doubts = "".join(f"  {said('pictures-unsure', candidates=candidates)}" for candidates in either)
    crowded = f"  {said('pictures-crowded')}" if sighting.crowded else ""
    return f"{name}: {named}{doubts}{crowded}  ({ms:.0f} ms)"


def run_cards(args: argparse.Namespace) -> int:
    """hisabu cards IMAGE…: a line for each picture."""
    cv2.setNumThreads(1)
    language = language_of(args)
    deck = deck_in_use(settings_or_not(language))
    reader, opened, written = CardReader(deck=house_deck(deck, language) if deck else None, one_deck=True), 0, True
    pictures = list(pictures_in(args.images, language))
    try:
        drawings = Drawings(args.draw, pictures) if args.draw else None
    except NotAPicture as problem:
        print(f"{args.draw}: {problem.said(language)}", file=sys.stderr)
        return 2
    for path in pictures:
        try:
            image = open_picture(path)
        except NotAPicture as problem:
            print(f"{path}: {problem.said(language)}", file=sys.stderr)
            continue
        if opened == 0:
            reader.read(image)  # the first picture of a size makes the networks plan their buffers: that is loading
        opened += 1
        started = time.perf_counter()
        sighting, found = reader.explain(image)
        ms = 1000 * (time.perf_counter() - started)
        line = as_json(str(path), sighting, ms) if args.json else as_text(str(path), sighting, ms, language)
        print(line, flush=True)
        if drawings is not None:
            drawn = draw_sighting(image, sighting, found, ms)
            written = write_picture(drawings.place_of(path), drawn, language) and written
    return 0 if opened and written else 2


def settings_or_not(language: str) -> Settings:
    """The settings, or the defaults where they cannot be read: pictures are read all the same."""
    try:
        return load(settings_path())
    except (SettingsError, OSError) as error:
        why = words.why(error, language) if isinstance(error, OSError) else "; ".join(error.said(language))
        print(words.say(language, "pictures-without_settings", path=settings_path(), why=why), file=sys.stderr)
        return Settings()


def run_enrol(args: argparse.Namespace) -> int:
    """hisabu enrol PICTURE…: one picture a suit, or --cards with one picture."""
    language = language_of(args)
    said = partial(words.say, language)
    path = deck_path()
    if args.forget:
        path.unlink(missing_ok=True)
        print(said("enrol-forgotten"))
        return 0
    if args.cards:
        orders = [tuple(args.cards.replace(",", " ").split())]
        if bad := [c for c in orders[0] if not is_card(c)]:
            print(said("enrol-no_cards", cards=", ".join(bad)), file=sys.stderr)
            return 2
        if twice := sorted({c for c in orders[0] if orders[0].count(c) > 1}):
            print(said("enrol-twice", cards=", ".join(twice)), file=sys.stderr)
            return 2
    else:
        orders = [proposed_order(suit) for suit in SUITS]
    if not args.images:
        print(said("enrol-how"))
        for order in orders:
            rows = [" ".join(order[k : k + ROW]) for k in range(0, len(order), ROW)]
            print("  " + "  /  ".join(rows))
        print(said("enrol-then"))
        return 0
    if len(args.images) != len(orders):
        print(said("enrol-wanted", wanted=len(orders)), file=sys.stderr)
        return 2
    reader = CardReader()
    deck: EnrolledDeck | None = None
    for picture, order in zip(args.images, orders, strict=True):
        try:
            result = enrol_picture(reader, open_picture(picture), order)
        except NotAPicture as problem:
            print(f"{picture}: {problem.said(language)}", file=sys.stderr)
            return 2
        if result.deck is None:
            print(f"{picture}: {in_words(result.problem, language)}", file=sys.stderr)
            return 1
        deck = result.deck if deck is None else deck.merged(result.deck)
        print(said("enrol-learned", picture=picture, seen=result.seen))
    assert deck is not None
    before = None if args.anew or not path.exists() else house_deck(path, language)
    if before is not None:
        deck = before.merged(deck)
    keep_deck(path, deck)
    print(said("enrol-known", known=len(deck.cards), path=path))
    return 0
