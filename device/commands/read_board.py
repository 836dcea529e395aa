"""`hisabu seeds`: reads boards from pictures, for people or as JSON Lines."""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device import words
from device.commands.console import add_language, language_of
from device.commands.parsing import Slip
from engine.referee.whole import with_the_others
from engine.sightings import BoardSighting, best_count

if TYPE_CHECKING:  # OpenCV takes a while to load: only when a picture is read
    from vision.board.grid import FoundBoard
    from vision.board.reader import BoardReader

OK, BAD_INPUT, NO_BOARD = 0, 2, 3
LEAST_TURN_PX = 100.0
"""Square pixels that the parallelogram at each corner of a board covers at least."""
DOUBT = 0.9
"""For people, a count less likely than this is marked with a question mark."""


def add_parser(subparsers: Any) -> None:
    """Adds `seeds` to the command line."""
    p = subparsers.add_parser(
        "seeds",
        help="seeds",
        description="seeds_about",
    )
    p.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="board_picture")
    p.add_argument("--grid", type=_grid, default=(4, 8), metavar="ROWSxCOLUMNS", help="grid")
    p.add_argument(
        "--corners",
        nargs=4,
        type=_point,
        metavar="X,Y",
        help="corners",
    )
    p.add_argument("--json", action="store_true", help="json_picture")
    p.add_argument("--draw", type=Path, metavar="OUT", help="draw_board")
    add_language(p)
    p.set_defaults(run=run)


def _grid(text: str) -> tuple[int, int] | None:
    if text.lower() == "auto":
        return None
    try:
        rows, columns = (int(x) for x in text.lower().split("x"))
    except ValueError:
        raise Slip("no_grid", value=text) from None
    if not (2 <= rows <= 12 and 2 <= columns <= 16):
        raise Slip("grid_size", value=text)
    return rows, columns


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(v) for v in text.split(","))
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError
    except ValueError:
        raise Slip("no_point", value=text) from None
    return x, y


def _is_board(corners: Sequence[tuple[float, float]]) -> bool:
    """Whether these four go round clockwise, as the corners of a board in a picture do."""
    around = [*corners, *corners[:2]]
    turns = [
        (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        for (ax, ay), (bx, by), (cx, cy) in zip(around, around[1:], around[2:], strict=False)
    ]
    return min(turns) > LEAST_TURN_PX


def run(args: argparse.Namespace) -> int:
    """Reads every picture. 0 when each showed a board, 3 when one did not, 2 when no picture could be opened."""
    from device.cameras.coded import NotAPicture
    from device.cameras.picture_files import Drawings, open_picture, pictures_in, write_picture
    from vision.board.reader import BoardReader

    language = language_of(args)
    said = partial(words.say, language)
    if args.corners and not _is_board(args.corners):
        print(said("seeds-no_round"), file=sys.stderr)
        return BAD_INPUT
    if args.corners and args.grid is None:
        print(said("seeds-say_grid"), file=sys.stderr)
        return BAD_INPUT
    reader = BoardReader()
    opened = boards = 0
    drawn = True
    pictures = list(pictures_in(args.images, language))
    try:
        drawings = Drawings(args.draw, pictures) if args.draw else None
    except NotAPicture as problem:
        print(f"{args.draw}: {problem.said(language)}", file=sys.stderr)
        return BAD_INPUT
    for path in pictures:
        try:
            image = open_picture(path)
        except NotAPicture as problem:
            print(f"{path}: {problem.said(language)}", file=sys.stderr)
            continue
        opened += 1
        board, picture = _read(reader, path, image, args, language)
        boards += board
        if picture is not None and drawings is not None:
            drawn = write_picture(drawings.place_of(path), picture, language) and drawn
    if not opened or not drawn:
        return BAD_INPUT
    return OK if boards == opened else NO_BOARD


def _read(reader: BoardReader, path: Path, image: Any, args: argparse.Namespace, language: str) -> tuple[bool, Any]:
    """Prints what a picture shows: whether that is a board, and a drawing of it, if one was asked for."""
    from vision.board import finder
    from vision.board.draw import draw

    _warm_up(args.grid or (4, 8))
    begun = time.perf_counter()
    found = reader.find(image, args.grid, args.corners)
    sighting = with_the_others(reader.count(image, found)) if found else None
    ms = (time.perf_counter() - begun) * 1000
    picture = None
    if args.draw:
        stray = finder.strays(image, found) if found and sighting and sighting.outside else None
        picture = draw(image, found, sighting, stray)
    if found is None or sighting is None:
        if args.json:
            print(json.dumps({"image": str(path), "error": "no_board", "ms": round(ms, 1)}))
        print(f"{path}: {words.say(language, 'seeds-no_board')}", file=sys.stderr)
        return False, picture
    if args.json:
        print(json.dumps(as_json(path, found, sighting, ms)))
    else:
        print("\n".join(_for_people(path, found, sighting, language)))
    return True, picture


_warm: set[tuple[int, int]] = set()


def _warm_up(grid: tuple[int, int]) -> None:
    """Opens the networks before the clock starts: loading is done once, reading all day."""
    import numpy as np

    from vision.board import finder
    from vision.board.reader import BoardReader

    if grid not in _warm:
        _warm.add(grid)
        blank = np.full((960, 1280, 3), 128, np.uint8)
        corners = np.array([[200, 200], [1000, 200], [1000, 700], [200, 700]], float)
        BoardReader().count(blank, finder.from_corners(blank, corners, grid))


def as_json(path: Path, found: FoundBoard, sighting: BoardSighting, ms: float) -> dict[str, Any]:
    """The command's promise: corners, counts, confidence, total; a hidden pit's count is -1 with confidence 0."""
    best = [[best_count(pit) if pit else -1 for pit in row] for row in sighting.pits]
    sure = [
        [round(pit[count], 4) if pit else 0.0 for pit, count in zip(row, counts, strict=True)]
        for row, counts in zip(sighting.pits, best, strict=True)
    ]
    return {
        "image": str(path),
        "corners": [[round(x, 1), round(y, 1)] for x, y in found.corners_px],
        "grid": list(found.grid),
        "counts": best,
        "confidence": sure,
        "total": sum(n for row in best for n in row if n > 0),
        "outside": sighting.outside,
        "found": round(found.confidence, 3),
        "sure": found.sure,
        "two_boards": found.another,
        "ms": round(ms, 1),
    }


def _for_people(path: Path, found: FoundBoard, sighting: BoardSighting, language: str) -> list[str]:
    said = partial(words.say, language)
    lines, total, doubts, hidden = [], 0, 0, 0
    for row in sighting.pits:
        cells = []
        for pit in row:
            if pit is None:
                cells.append("  – ")
                hidden += 1
                continue
            n = best_count(pit)
            total += n
            doubt = pit[n] < DOUBT
            doubts += doubt
            cells.append(f"{n:3d}{'?' if doubt else ' '}")
        lines.append("  " + " ".join(cells))
    head = said("seeds-found", path=path, grid=f"{found.grid[0]}x{found.grid[1]}", total=total)
    if sighting.outside:
        head += said("seeds-outside", outside=sighting.outside)
    notes = []
    if not found.sure:
        notes.append(said("seeds-two_boards" if found.another else "seeds-not_sure"))
    if hidden:
        notes.append(said("seeds-hidden", hidden=hidden))
    if doubts:
        notes.append(said("seeds-doubts", doubts=doubts))
    return [head, *lines, *(f"  {note}" for note in notes)]
