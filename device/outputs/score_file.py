"""The score as a text file: for OBS (a text source that reads from a file), or anything else that reads files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from device import words
from device.following.show import Show
from device.keeping.settings import PATH_OR_NONE, Key, Settings
from device.machine.wiring import Wiring
from device.outputs import OutputKind


def text_of(show: Show) -> str:
    """What the file holds: a line for each side with its score, a line for the deal, and what was said last."""
    view = show.view
    said = show.alert or (show.sentences[-1] if show.sentences else "")
    lines = [*_sides(view, show), words.score_line(view, show.language), said]
    return "".join(f"{line}\n" for line in lines if line)


def _sides(view: Mapping[str, Any], show: Show) -> Iterator[str]:
    """Each side, with its games or the seeds that it took."""
    of = view.get("sides", ())
    counts = view.get("games") or list(view.get("captured", {}).values())
    for side in range(max(of, default=-1) + 1):
        names = [words.name_at(show.seats, seat) for seat, where in enumerate(of) if where == side]
        called = " & ".join(filter(None, names)) or words.side_name(side, of, show.language, game=view["game"])
        yield f"{called}  {counts[side]}" if side < len(counts) else called


class ScoreFile:
    """An output: the file is written anew whenever its text changes, and never seen half written."""

    name = "score_file"
    trouble = "score_file_away"

    def __init__(self, path: Path) -> None:
        self._path, self._text = path, ""

    def show(self, show: Show) -> None:
        """OSError: the file cannot be written."""
        if show.of_a_lesson:
            return
        text = text_of(show)
        if text == self._text and self._path.exists():
            return
        beside = self._path.with_name(f".{self._path.name}.new")
        beside.write_text(text, encoding="utf-8")
        beside.replace(self._path)
        self._text = text

    def close(self) -> None:
        """The last score stays."""


def _made(settings: Settings, wiring: Wiring) -> list[ScoreFile]:
    path = settings.outputs.get(ScoreFile.name)
    return [ScoreFile(Path(path).expanduser())] if path else []


SETTINGS = {ScoreFile.name: Key(PATH_OR_NONE)}
OUTPUT = OutputKind(ScoreFile.name, _made, (ScoreFile.trouble,), SETTINGS, at_the_table=False)
