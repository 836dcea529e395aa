"""Real photographs and photo-like renders, where they are at hand: they measure, they never teach."""

import json
from pathlib import Path

import cv2
import pytest

from vision.cards.reader import CardReader

SHARED = Path(__file__).resolve().parents[3] / "shared"

pytestmark = pytest.mark.skipif(not (SHARED / "photos").is_dir(), reason="no measuring pictures beside this checkout")


def _figures(reader: CardReader, folder: Path, every: int = 1) -> tuple[int, int, int]:
    """Cards owed, found and named wrong."""
    owed = found = wrong = 0
    for line in (folder / "truth.jsonl").read_text().splitlines()[::every]:
        row = json.loads(line)
        said = {c.card for c in reader.read(cv2.imread(str(folder / row["image"]))).cards}
        owed += len(set(row["cards"]))
        found += len(said & set(row["cards"]))
        wrong += len(said - set(row["cards"]))
    return owed, found, wrong


def test_overlapped_pairs_on_real_tables(reader: CardReader) -> None:
    owed, found, wrong = _figures(reader, SHARED / "photos" / "overhead", every=3)
    assert wrong == 0
    assert found >= 0.8 * owed


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["single", "webcam"])
def test_single_cards_before_a_camera(reader: CardReader, folder: str) -> None:
    owed, found, wrong = _figures(reader, SHARED / "photos" / folder)
    assert wrong <= 0.01 * owed
    assert found >= 0.9 * owed
