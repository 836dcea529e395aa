"""Short pieces of evenings that once went wrong (tests/corpus): looks, what truly happened, and a line on why."""

import json
from pathlib import Path

import pytest

from tools.looks_file import read_looks, run

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.jsonl"))
MOST_BYTES = 20 * 1024


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_what_once_went_wrong_is_followed(path: Path) -> None:
    with path.open(encoding="utf-8") as file:
        assert json.loads(next(file))["why"]
    assert path.stat().st_size < MOST_BYTES
    score = run(read_looks(path))
    assert score.right
    assert sorted(score.named) == sorted(score.due)
