"""Which decks teach, which calibrate and which only measure, and how the packaged ones become `Deck`s."""

import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.synthetic.deck_glyphs import find_fonts, glyph_deck
from vision.synthetic.deck_rasters import HELD_OUT, deck_files, load_rasters
from vision.synthetic.decks import Deck, Image, locate_index, plain_deck

UNUSABLE = frozenset(
    {
        "gn-anglo_poker",
        "gn-simplistic",  # links that no rasteriser here follows: pips are missing
        "gn-slavic_costumes",
        "gn-Атласные",  # Cyrillic letters
        "gn-swiss-xvii",
        "kde-german",  # other suits
        "gn-tango",
        "gn-tango_nuevo",
        "gn-ornamental",
        "kde-ornamental",
        "kde-white",  # no index of rank over suit
        "kde-future",
        "kde-oxygen",
        "kde-oxygen-air",
        "kde-oxygen-white",
        "kde-konqi",
        "gn-anglo_modern_4_color",  # anglo_modern, which is held out, in other colours
    }
)
CALIBRATION = frozenset({"gn-lattmann", "gn-plastic", "kde-dondorf", "gn-dondorf"})
"""Decks that teach no weights: temperature and bar are set on them."""
_NO_COURT_INDEX = frozenset({"gn-guyenne-classic", "gn-paris"})
_NO_BASE = frozenset({"gn-neoclassical_4_color", "kde-jolly-royal", "gn-atlasnye_skat"})
"""Decks that lend no faces to invented ones: four colours, or letters for courts."""
_GERMAN = {"Q": "D", "J": "B"}
LETTERS_OF = {
    "gn-ancient_french": {"A": "1", "K": "R", "Q": "D", "J": "V"},
    "gn-atlasnye_skat": _GERMAN,
    "gn-berlin": _GERMAN,
    "gn-lattmann": _GERMAN,
    "gn-rheinland": _GERMAN,
    "kde-french": _GERMAN,
    "gn-tarocco": {"K": "R", "Q": "D", "J": "F"},
}
"""Letters of the packaged decks that have other than English ones."""
_FOUR_INDICES = frozenset({"kde-french", "gn-dondorf", "kde-dondorf"})


def as_deck(name: str, pictures: dict[str, Image]) -> Deck:
    """A packaged deck, its index found; cards that carry none and jokers (whose corners all differ) are left out."""
    kept = {c: p for c, p in pictures.items() if not c.startswith("JOKER")}
    if name in _NO_COURT_INDEX:
        kept = {c: p for c, p in kept.items() if c == "back" or c[0] not in "JQK"}
    box = locate_index(pictures)
    return Deck(name, kept, box, name in _FOUR_INDICES, letters=LETTERS_OF.get(name, {}))


def packaged(cache: Path, which: str) -> list[Deck]:
    """The decks of "training", "calibration" or "held_out"."""
    names = {
        "held_out": HELD_OUT,
        "calibration": CALIBRATION,
        "training": frozenset(deck_files()) - UNUSABLE - HELD_OUT - CALIBRATION,
    }[which]
    return [as_deck(name, pictures) for name, pictures in load_rasters(cache, names).items()]


@functools.cache
def _fonts() -> tuple[list[Path], list[Path]]:
    return find_fonts()


def invented_decks(rng: np.random.Generator, decks: Sequence[Deck], count: int) -> list[Deck]:
    """So many decks nobody printed, on the faces of those of these decks that lend theirs."""
    bases = [
        d for d in decks if d.name.startswith(("gn-", "kde-")) and len(d.pictures) >= 53 and d.name not in _NO_BASE
    ]
    fonts, suit_fonts = _fonts()
    made: list[Deck] = []
    while len(made) < count:
        try:
            made.append(glyph_deck(rng, f"glyph-{len(made)}", bases, fonts, suit_fonts))
        except (ValueError, OSError):
            continue
    return made


def training_decks(cache: Path, rng: np.random.Generator, invented: int) -> list[Deck]:
    """Packaged decks, our own, and so many invented ones."""
    decks = packaged(cache, "training")
    return [*decks, plain_deck(), plain_deck(True), *invented_decks(rng, decks, invented)]
