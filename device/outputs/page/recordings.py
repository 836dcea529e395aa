"""The recordings that are kept: what each is, how large, and away with it."""

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.following.recording import FRAMES, INDEX
from engine.errors import GameError
from engine.strict_json import Fields, read_json


def recordings(folder: Path | None) -> list[dict[str, Any]]:
    """Every recording of a folder, the newest first. One that cannot be read is left out."""
    if folder is None or not folder.is_dir():
        return []
    found = []
    recordings = [path for path in folder.iterdir() if path.name.isdecimal()]
    for path in sorted(recordings, key=lambda path: -int(path.name)):
        try:
            with (path / INDEX).open(encoding="utf-8") as file:
                game = Fields(read_json(file.readline(65536), 65536)).text("game", 40, "?")
            about = (path / FRAMES).stat()
            began = datetime.fromtimestamp((path / INDEX).stat().st_mtime, UTC)
        except (OSError, ValueError):
            continue
        found.append(
            {"name": path.name, "game": game, "mb": round(about.st_size / 1e6, 1),
             "ended": began.strftime("%Y-%m-%dT%H:%M:%SZ")}
        )  # fmt: skip
    return found


def delete(folder: Path | None, name: str) -> None:
    """Deletes one. ValueError: there is none of that name. OSError: it cannot be."""
    if folder is None or not name.isdecimal() or not (folder / name / INDEX).is_file():
        raise GameError("no_recording", value=name[:20])
    shutil.rmtree(folder / name)
