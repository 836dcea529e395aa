"""The attacks of attack.py, small: nothing is lost, nobody gets in and nobody is kept out."""

from pathlib import Path

import pytest

from tools.hall_attack import ATTACKS


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_takes_nothing_from_anybody(name: str, tmp_path: Path, store_address: str) -> None:
    rows = [*ATTACKS[name](0.01, tmp_path / name, store_address)]
    assert rows and all(row.fine for row in rows), "\n".join(map(str, rows))
