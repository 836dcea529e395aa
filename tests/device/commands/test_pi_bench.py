"""hisabu bench pi: a row ready for the guide's table of real Pis, and what that table is."""

import csv
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from device.commands import pi_bench


@pytest.fixture
def pi_4(tmp_path: Path) -> Path:
    """A tree of a Pi 4, as the kernel says it: with a byte 0 at the end."""
    model = tmp_path / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\0")
    return tmp_path


def test_a_pi_is_known_by_its_own_name(pi_4: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert pi_bench.computer_name(pi_4) == "Raspberry Pi 4 Model B Rev 1.4"
    assert pi_bench.is_pi(pi_4) and not pi_bench.is_pi(tmp_path_factory.mktemp("bare"))


@pytest.mark.slow
def test_the_row_has_the_columns_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi_bench, "computer_name", lambda *_: 'A board, "new"')
    run = subprocess.run

    def started(command: Sequence[str], **more: Any) -> Any:
        if pi_bench.__name__ not in command:
            return run(command, **more)
        time.sleep(0.1)
        return subprocess.CompletedProcess(command, 0, '{"memory_mb": 210}')

    monkeypatch.setattr(subprocess, "run", started)
    monkeypatch.setattr(pi_bench, "STILL_FRAMES", 6)
    figures = pi_bench.measure(quick=True)
    cells = next(csv.reader([pi_bench.row(figures)]))
    assert len(cells) == len(pi_bench.COLUMNS) and cells[0] == 'A board, "new"'
    assert all(float(cell) > 0 for cell in cells[1:-1]) and cells[-1].startswith("measured 20")
