"""Rasterises the decks of Debian's card packages, for training and measuring only; needs PySide6."""

import gzip
import os
from pathlib import Path

import cv2
import numpy as np

from vision.synthetic.decks import CARD_H_PX, CARD_W_PX, Image

GNOME_FOLDER = Path("/usr/share/aisleriot/cards")
KDE_FOLDER = Path("/usr/share/carddecks")
HELD_OUT = frozenset({"gn-ancient_french", "gn-bellot", "gn-tarocco", "gn-anglo_modern", "kde-standard"})
"""Decks that are never trained on: the figures are measured on them."""

_SUIT_NAMES = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
_COURTS = {"J": "jack", "Q": "queen", "K": "king"}


def deck_files() -> dict[str, Path]:
    """Every installed deck by name ("gn-paris", "kde-oxygen")."""
    found = {f"gn-{p.stem}": p for p in sorted(GNOME_FOLDER.glob("*.svgz"))}
    found.update({f"kde-{p.stem}": p for p in sorted(KDE_FOLDER.glob("*/*.svgz"))})
    return found


def _element(code: str, gnome: bool) -> str:
    rank, suit = code[:-1], _SUIT_NAMES[code[-1]]
    rank = _COURTS.get(rank, "1" if rank == "A" else rank)
    return f"{suit}_{rank}" if gnome else f"{rank}_{suit}"


def rasterise(name: str, path: Path) -> dict[str, Image]:
    """The cards of one deck by code ("back" and "JOKER" where it has them), BGRA, CARD_W_PX by CARD_H_PX."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QByteArray, QRectF
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    app = QGuiApplication.instance() or QGuiApplication([])
    assert app is not None
    renderer = QSvgRenderer(QByteArray(gzip.decompress(path.read_bytes())))
    gnome = name.startswith("gn-")
    wanted = {r + s: _element(r + s, gnome) for s in "CDHS" for r in ("A", *map(str, range(2, 11)), "J", "Q", "K")}
    wanted |= {"back": "back", "JOKER": "joker_red" if gnome else "joker", "JOKER2": "joker_black"}
    cards: dict[str, Image] = {}
    for code, element in wanted.items():
        if not renderer.elementExists(element):
            continue
        image = QImage(CARD_W_PX, CARD_H_PX, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter, element, QRectF(0, 0, CARD_W_PX, CARD_H_PX))
        painter.end()
        raw = np.frombuffer(image.constBits(), np.uint8).reshape(CARD_H_PX, image.bytesPerLine() // 4, 4)
        cards[code] = raw[:, :CARD_W_PX].copy()
    return cards


def load_rasters(cache: Path, names: frozenset[str] | None = None) -> dict[str, dict[str, Image]]:
    """Every deck (or those named), rasterised once and kept as PNG under cache."""
    decks: dict[str, dict[str, Image]] = {}
    for name, path in deck_files().items():
        if names is not None and name not in names:
            continue
        folder = cache / name
        if not (folder / "done").exists():
            folder.mkdir(parents=True, exist_ok=True)
            for code, picture in rasterise(name, path).items():
                cv2.imwrite(str(folder / f"{code}.png"), picture)
            (folder / "done").touch()
        decks[name] = {p.stem: cv2.imread(str(p), cv2.IMREAD_UNCHANGED) for p in sorted(folder.glob("*.png"))}
    return decks
