"""The command that makes the card reader's weights runs from nothing to its end."""

import json
from pathlib import Path

import numpy as np
import pytest

from vision.cards.reader import CardReader
from vision.synthetic.cards_tables import clean_look, draw_table
from vision.synthetic.decks import plain_deck


@pytest.mark.slow
def test_one_command_makes_weights_from_nothing_that_the_reader_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for needed in ("torch", "onnx", "PySide6"):
        pytest.importorskip(needed)
    from vision.synthetic.deck_rasters import deck_files
    from vision.training import cards

    if len(deck_files()) < 2:
        pytest.skip("no packaged decks here: gnome-cards-data, kdegames-card-data-kf5")
    out = tmp_path / "models"
    out.mkdir()
    few = {"--shards": 1, "--patches": 60, "--minutes": 0.3, "--calibration-tables": 8, "--tables": 10}
    asked = [str(part) for pair in few.items() for part in pair]
    monkeypatch.setattr("sys.argv", ["cards", "--work", str(tmp_path), "--out", str(out), *asked])
    cards.main()

    known = json.loads((out / "cards_reader.json").read_text())
    assert known["crops_seen"] > 0
    assert json.loads((out / "cards_finder.json").read_text())["patches_seen"] > 0
    assert known["figures"]["tables"] == 10 and known["figures"]["owed"] > 0
    glanced = json.loads((out / "cards_glance.json").read_text())
    assert glanced["patches_seen"] > 0 and 0 <= glanced["worth"] < 1
    table = draw_table(np.random.default_rng(1), plain_deck(), 640, 480, look=clean_look())
    sighting = CardReader(out).read(table.image)
    assert all(seen.confidence >= known["calibration"]["bar"] for seen in sighting.cards)
