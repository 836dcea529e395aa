"""What `hisabu cards` (read pictures of cards) and `hisabu enrol` (learn a house's own deck) do."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path

import cv2

from device import words
from device.cameras.coded import NotAPicture
from device.cameras.picture_files import Drawings, open_picture, pictures_in, write_picture
from device.commands.console import language_of
from device.keeping.deck import GrowingDeck, deck_in_use, house_deck, learned_path
from device.keeping.settings import Settings, SettingsError, load, save, settings_path
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
            **({"grey": True} if sighting.grey else {}),
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
    grey = f"  {said('pictures-grey')}" if sighting.grey and sighting.unsure else ""
    return f"{name}: {named}{doubts}{crowded}{grey}  ({ms:.0f} ms)"


def run_cards(args: argparse.Namespace) -> int:
    """hisabu cards IMAGE…: a line for each picture."""
    cv2.setNumThreads(1)
    language = language_of(args)
    deck = deck_in_use(settings_or_not(language, args.settings), args.settings)
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


def settings_or_not(language: str, file: Path | None = None) -> Settings:
    """The settings, or the defaults where they cannot be read: pictures are read all the same."""
    path = settings_path(file)
    try:
        return load(path)
    except (SettingsError, OSError) as error:
        why = words.why(error, language) if isinstance(error, OSError) else "; ".join(error.said(language))
        print(words.say(language, "pictures-without_settings", path=path, why=why), file=sys.stderr)
        return Settings()


def rows_of(cards: Sequence[str]) -> str:
    """How to lay these cards, for people."""
    return "  /  ".join(" ".join(cards[k : k + ROW]) for k in range(0, len(cards), ROW))


def run_enrol(args: argparse.Namespace) -> int:
    """hisabu enrol PICTURE…: one picture a suit, or --cards with one picture."""
    language = language_of(args)
    said = partial(words.say, language)
    settings = settings_or_not(language, args.settings)
    if args.forget:
        _forget(settings, args.settings)
        print(said("enrol-forgotten"))
        return 0
    try:
        orders = [_order_named(args.cards, said)] if args.cards else [proposed_order(suit) for suit in SUITS]
        if not args.images:
            _tell_how(orders, said)
            return 0
        if len(args.images) != len(orders):
            raise _Unlearned(said("enrol-wanted", wanted=len(orders)))
        deck = _learned(args.images, orders, language)
    except _Unlearned as why:
        print(why, file=sys.stderr)
        return why.status
    file = GrowingDeck(learned_path(settings, args.settings), args.anew, language)
    print(said("enrol-known", known=len(file.keep(deck).cards), path=file.path))
    return 0


def _forget(settings: Settings, settings_file: Path | None) -> None:
    """Removes the deck that the device uses, and one beside the settings, which it would use then."""
    while (deck := deck_in_use(settings, settings_file)) is not None:
        if settings.deck:
            settings = replace(settings, deck="")
            save(settings_path(settings_file), settings)
        deck.unlink(missing_ok=True)


class _Unlearned(Exception):
    """Nothing is learned; why, in words."""

    def __init__(self, why: str, status: int = 2) -> None:
        super().__init__(why)
        self.status = status


def _order_named(cards: str, said: Callable[..., str]) -> tuple[str, ...]:
    """The cards of a picture as somebody names them."""
    order = tuple(cards.replace(",", " ").split())
    if bad := [card for card in order if not is_card(card)]:
        raise _Unlearned(said("enrol-no_cards", cards=", ".join(bad)))
    if twice := sorted({card for card in order if order.count(card) > 1}):
        raise _Unlearned(said("enrol-twice", cards=", ".join(twice)))
    return order


def _tell_how(orders: Sequence[Sequence[str]], said: Callable[..., str]) -> None:
    print(said("enrol-how"))
    for order in orders:
        print(f"  {rows_of(order)}")
    print(said("enrol-then"))


def _learned(pictures: Sequence[Path], orders: Sequence[Sequence[str]], language: str) -> EnrolledDeck:
    """The deck that these pictures show."""
    reader = CardReader()
    decks: list[EnrolledDeck] = []
    for picture, order in zip(pictures, orders, strict=True):
        try:
            result = enrol_picture(reader, open_picture(picture), order)
        except NotAPicture as problem:
            raise _Unlearned(f"{picture}: {problem.said(language)}") from None
        if result.deck is None:
            raise _Unlearned(f"{picture}: {in_words(result.problem, language)}", status=1)
        decks.append(result.deck)
        print(words.say(language, "enrol-learned", picture=picture, seen=len(result.deck.cards)))
        for card, name in result.left_out:
            print(words.say(language, "enrol-left_out", card=card, name=name), file=sys.stderr)
    return reduce(EnrolledDeck.merged, decks)
