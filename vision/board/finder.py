"""Finds a board with no marker and no click: a small network says where pits are, a lattice says which is which.

Two looks: one at the whole picture, small; one at the board straightened out, which places each pit exactly and checks
that the grid is not off by a row or a column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.board import nets
from vision.board.grid import SURE, FoundBoard, apply, fit_gap, fit_projective, pitch, plane, upright
from vision.board.inputs import normalise
from vision.board.lattice import Fit, Peaks, fit_grids
from vision.board.spaced import GRIDS, fits_spaced
from vision.board.stores import pits_at_ends
from vision.board.woods import alike_round, outer_rows_apart, parted, reaches_apart

Array = np.ndarray[Any, Any]

MODEL = "board_finder.onnx"
CELL = 4
"""Pixels of the network's picture to one cell of its answer."""
LONG_SIDES = (320, 448, 224)
"""Sizes of the first look, tried in turn: the usual distance, a board far away, one that fills the picture."""
GOOD = 0.9
"""A first look this good ends the search for a better size: drawn boards without a hand over them are above it."""
LEAST = 0.45
"""Below this there is no board: tables without one reach 0.35."""
WOODS_IN_LOOKS = 2
"""So many of the first looks are looked through once more, wood by wood, where there seems to be no board."""
CUT_OFF = 0.7
"""At most so sure is a board of which the middle of a pit lies beyond the picture: less than it takes to be sure."""
LEAST_PX = 64
"""No board can be read in a picture smaller than this."""
LEAST_ODDS = -80.0
"""Log-odds below which numbers of four bytes hold nothing any more."""
PEAK = 0.25
"""Score from which a cell can be a pit: low, since the lattice throws out what fits no grid."""
FULL = 0.6
"""Score that counts as certain: a pit whose middle lies between cells gives no cell more than about 0.7."""
SCALE_PX = 26
"""Pixels per pitch in the second look: the middle of what the network has learned on."""
FACE_PX = 8
"""Pixels per pitch in the picture that a board's place is known again by."""
SAME_FACE = 0.7
"""Correlation from which it is: a drawn board with other seeds in its pits comes to 0.82, an empty table far below."""
STEEPEST = 2.6
"""Most that a step between pits grows from the far end of a board to the near one: seen at 45 degrees from close by."""
MARGIN = 1.5
"""Pitches shown around the outer pits in the second look: one more row of pits, were there one, and its rim."""
NEAR = 0.33
"""How far a pit may lie from its place in the second look, in pitches: under half, or it could be the next one's."""
EDGE = 0.65
"""How far beyond the outer pits' middles strays are looked for, in pitches: further out, a cloth's pattern was taken
for seeds."""
OWN = 0.3
"""How far a pit is moved from the grid's idea of it toward its own peak. Drawn boards are exact and want 0, carved ones
are not; a third keeps a pit that is carved off its place by a tenth of a pitch well inside the counter's crop."""
ASIDE = 0.3
"""A peak further from the grid's idea of its pit than this, in pitches, is something else."""
UNEVEN, PEAK_OFF = 0.05, 0.04
"""A board whose pits lie further off the grid than the first, half of them, in pitches, is bowed or carved by eye:
there a pit's own peak counts as far as that is more than the second, by which peaks on drawn boards are off."""
FAR_ASKEW, STRAIGHT, ASKEW_COSTS = 0.5, 0.05, 2.0
"""Pitches off the grid beyond which no pit counts as more; a board that lies off it by less, and is sure, is taken at
once; and what a pitch off it takes off how well another fits."""
FAR_OUT = 3
"""Pits further out than so many times the size of the second look are on no picture."""
STRAY = 0.5
"""Score from which a seed counts as lying outside the pits: even odds."""
BESIDE = 0.3
"""How far from its place a pit of one more row or column may lie, in pitches."""
ONE_COLUMN, TWO_COLUMNS = 0.08, 0.25
"""How likely a board has one column more, or less, than the grid asked for, and how likely two, beside having just that
one: few boards have an odd number of columns."""
ODD = 0.25
"""How likely a board of which nobody said the grid has an odd number of columns, beside an even one: of the boards that
games are played on all over the world it is about every fifth, nearly all of seven."""
UNEVEN_END, SAYS_NOTHING = 0.1, 0.01
"""How much further, on average, a board's wood goes on at one end of its own grid than at the other, in pitches; and
how likely that says nothing, as where a hand lies there. (Counted on 300 drawn and carved boards, by the mean of the
lines: seven in eight came below the first, three above 0.4.) A column off, anything up to a pitch is as likely."""
LARGER = 1.5
"""A board whose pits lie so many times as far apart as another's is the one that is played on: the other is printed on
its box, or lies at the next table."""
WINDOWS = 4
"""Ways of laying a grid that are looked at closely, for each size of the first look."""


@dataclass(frozen=True)
class PitMap:
    """What the network says about a picture: peaks and stray seeds, in that picture's pixels."""

    peaks: Peaks
    strays: Array
    heat: Array
    """The score for a pit in each cell, as log-odds."""


def _local_peaks(score: Array, least: float) -> tuple[Array, Array]:
    top = cv2.dilate(score, np.ones((3, 3), np.uint8))
    ys, xs = np.nonzero((score >= top) & (score > least))
    return ys, xs


def look(image: Array) -> PitMap:
    """Runs the network on a picture whose sides are multiples of 8."""
    (out,) = nets.run(MODEL, normalise(image[None]), ("cells",))
    odds, dx, dy, size, stray = out[0]
    heat, stray = (1 / (1 + np.exp(-np.maximum(x, LEAST_ODDS))) for x in (odds, stray))
    ys, xs = _local_peaks(heat, PEAK)
    at = np.column_stack([xs + dx[ys, xs], ys + dy[ys, xs]]) * CELL + (CELL - 1) / 2
    radius = 2.0 ** size[ys, xs].clip(-2, 5) * CELL
    sy, sx = _local_peaks(stray, STRAY)
    strays = np.column_stack([sx, sy]) * float(CELL) + (CELL - 1) / 2
    return PitMap(Peaks(at.astype(float), np.minimum(heat[ys, xs] / FULL, 1.0), radius), strays, odds)


def _shrunk(image: Array, long_side: int) -> tuple[Array, Array]:
    """The picture at this size with sides that are multiples of 8, and the factors back to the picture."""
    h, w = image.shape[:2]
    scale = long_side / max(h, w)
    nw, nh = (max(64, round(s * scale / 8) * 8) for s in (w, h))
    return cv2.resize(image, (nw, nh), interpolation=cv2.INTER_AREA), np.array([w / nw, h / nh])


Grids = Collection[tuple[int, int]]


def find(image: Array, grid: tuple[int, int] | None = (4, 8), played: Grids = GRIDS) -> FoundBoard | None:
    """The board, or None where there is none. Not being sure shows in `confidence`. No grid: whichever of those played
    it has."""
    if min(image.shape[:2]) < LEAST_PX:
        return None
    grids = tuple(played) if grid is None else (grid,)
    search = _Search(image, grids)
    for side in LONG_SIDES:
        if search.look(side):
            break
    return _beside_others(search, search.board or _searched_through(search))


def _searched_through(search: _Search) -> FoundBoard | None:
    """The best of all that was laid, where no size of the first look left no doubt."""
    found = search.best()
    if found is None or found.half_out or found.confidence < GOOD:
        other = _in_one_wood(search)
        found = _fitting_best([None if found and found.half_out and other else found, other])
    return _in_its_middle(search.image, found)


def _beside_others(search: _Search, found: FoundBoard | None) -> FoundBoard | None:
    """The larger of two boards; where both are about as large, one of them, and nobody knows whether it is meant."""
    other = search.another(found) if found is not None and found.sure else None
    if found is None or other is None:
        return found
    smaller, larger = sorted((found, other), key=lambda board: board.pitch_px)
    return larger if larger.pitch_px > LARGER * smaller.pitch_px else replace(found, another=True)


class _Search:
    """Grids laid over what looks like pits, at one size of the picture after the other."""

    def __init__(self, image: Array, grids: Grids) -> None:
        self.image, self.grids = image, grids
        self.looks: list[Peaks] = []
        self.board: FoundBoard | None = None
        """What a close look left no doubt about."""
        self._even: Laid | None = None
        self._spaced: list[Laid] = []
        self._seen: dict[tuple[tuple[int, int], bytes], FoundBoard | None] = {}
        """What a close look found, by the grid and where it lies."""

    def look(self, side: int) -> bool:
        """Looks at the picture with its long side so long. Whether that is enough."""
        peaks = _peaks(self.image, side)
        self.looks.append(peaks)
        one = len(self.grids) == 1
        if one:
            self._even = _better(self._even, _evenly(peaks, *self.grids))
            if self._even is not None and self._settled_by(self._even):
                return True
        spaced = fits_spaced(peaks, self.grids, WINDOWS)
        self._spaced += spaced
        if any(fit.quality > GOOD for fit, _ in spaced):
            return True
        # Of several grids the best is known only beside the others.
        return one and bool(spaced) and self._settled_by(spaced[0])

    def _settled_by(self, laid: Laid) -> bool:
        """Whether a close look at this grid leaves no doubt."""
        board = _in_its_middle(self.image, self.closely([laid]))
        self.board = board if board is not None and _beyond_doubt(board) else None
        return self.board is not None

    def closely(self, ways: Iterable[Laid]) -> FoundBoard | None:
        """The best of grids that each are looked at closely."""
        return _fitting_best([self._refined(*laid) for laid in ways if laid[0].quality >= LEAST])

    def _refined(self, fit: Fit, grid: tuple[int, int]) -> FoundBoard | None:
        """The board of a first look, looked at again closely, but once only; None if it is none."""
        centres = upright(apply(fit.matrix, plane(*grid, *fit.gaps)).reshape(*grid, 2))
        place = grid, centres.tobytes()
        if place not in self._seen:
            better = None
            if _plausible(centres):
                board = FoundBoard(centres, np.full(grid, 0.4 * pitch(centres)), fit.quality)
                better = refine(self.image, board, one_column=_one_column(grid, self.grids))
            self._seen[place] = better if better is not None and better.confidence >= LEAST else None
        return self._seen[place]

    def best(self) -> FoundBoard | None:
        """The best of these grids, the even one also one column further on. Where none of the likeliest is one, all are
        looked at: those that take a store for a column may come first."""
        spaced = sorted(self._spaced, key=lambda laid: -laid[0].quality)
        board = self.closely([*_one_on(self._even), *spaced[:WINDOWS]])
        return self.closely(spaced[WINDOWS:]) if board is None else board

    def another(self, found: FoundBoard) -> FoundBoard | None:
        """Another board of the same grid, beyond doubt, of what looks like pits beside the one that was found, at the
        size at which that shows best."""
        rows, columns = found.grid
        to_picture = fit_projective(plane(rows, columns), found.centres.reshape(-1, 2))
        looks = []
        for peaks in self.looks:
            x, y = apply(np.linalg.inv(to_picture), peaks.at).T
            beside = (np.maximum(-x, x - columns + 1) > EDGE) | (np.maximum(-y, y - rows + 1) > EDGE)
            looks.append((float(peaks.score[~beside].sum()), peaks, beside))
        _, peaks, beside = max(looks, key=lambda look: look[0])
        if beside.sum() < SURE * rows * columns:  # A board of which less shows is not sure.
            return None
        rest = Peaks(peaks.at[beside], peaks.score[beside], peaks.radius[beside])
        even = _evenly(rest, found.grid)
        other = self.closely([even]) if even is not None else None
        if other is None or not _beyond_doubt(other):
            other = self.closely(fits_spaced(rest, (found.grid,), 1))
        other = _in_its_middle(self.image, other)
        return other if other is not None and _beyond_doubt(other) else None


def _peaks(image: Array, side: int) -> Peaks:
    """What looks like a pit in a picture whose long side is made so long."""
    small, back = _shrunk(image, side)
    seen = look(small)
    return Peaks((seen.peaks.at + 0.5) * back - 0.5, seen.peaks.score, seen.peaks.radius * float(back.mean()))


def _beyond_doubt(board: FoundBoard) -> bool:
    return board.confidence > GOOD and board.askew < STRAIGHT and not board.half_out


def _fitting_best(boards: Sequence[FoundBoard | None]) -> FoundBoard | None:
    return max((board for board in boards if board is not None), key=_fits, default=None)


def _one_on(laid: Laid | None) -> Iterator[Laid]:
    """A grid, and the same one column further on, either way: a store may have been taken for a column of pits."""
    if laid is not None:
        fit, grid = laid
        for columns in (0, -1, 1):
            yield replace(fit, matrix=fit.matrix @ np.array([[1, 0, columns], [0, 1, 0], [0, 0, 1.0]])), grid


def _in_one_wood(search: _Search) -> FoundBoard | None:
    """The board, where a printed cloth round it has more that looks like pits than it has: of pits in one wood only."""
    found: list[FoundBoard] = []
    for peaks in search.looks[:WOODS_IN_LOOKS]:
        for part in parted(search.image, peaks):
            even = list(_one_on(_evenly(part, *search.grids))) if len(search.grids) == 1 else []
            for laid in (*even, *fits_spaced(part, search.grids, 1)):
                board = search.closely([laid])
                if board is not None and board.sure:  # Else a part of the cloth may be taken for a wood.
                    found.append(board)
        if found:
            break
    return _fitting_best(found)


def _fits(board: FoundBoard) -> float:
    """How well a board that was looked at closely lies on what is there: where hollows beside its pits were taken for
    some of them, all seem to be there, but the gap between the halves is not where it should be."""
    return board.confidence - ASKEW_COSTS * board.askew


Laid = tuple[Fit, tuple[int, int]]


def _better(laid: Laid | None, other: Laid | None) -> Laid | None:
    if laid is None or other is None:
        return laid or other
    return other if other[0].quality > laid[0].quality else laid


def _evenly(peaks: Peaks, grid: tuple[int, int]) -> Laid | None:
    """The grid laid evenly over these points, lying either way."""
    best: Laid | None = None
    for fit, shape in fit_grids(peaks, tuple(dict.fromkeys([grid, grid[::-1]]))):
        if shape != grid:  # found lying on its side: rows are columns
            swap = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1.0]])
            fit = Fit(fit.index.T, fit.matrix @ swap, fit.quality)
        best = _better(best, (fit, grid))
    return best


def _in_its_middle(image: Array, board: FoundBoard | None) -> FoundBoard | None:
    """The same board, less sure where its wood goes on further beyond one end of the grid than beyond the other."""
    if board is None or not board.sure:
        return board
    apart = reaches_apart(image, board.centres)
    own = (1 - SAYS_NOTHING) * np.exp(-apart / UNEVEN_END) / UNEVEN_END + SAYS_NOTHING
    return replace(board, confidence=float(1 / (1 + (1 / board.confidence - 1) * max(1.0, 1 / own))))


def _one_column(grid: tuple[int, int], grids: Grids) -> float:
    """How likely a board has one column more, or less, than this, beside this, where it may have one of these grids."""
    rows, columns = grid
    if not {(rows, columns - 1), (rows, columns + 1)} & set(grids):
        return ONE_COLUMN
    return 1 / ODD if columns % 2 else ODD


def _plausible(centres: Array) -> bool:
    """Whether a camera could see a board so: steps along it change by no more than a tilt makes them."""
    if not np.isfinite(centres).all():
        return False
    for axis in (0, 1):
        if centres.shape[axis] > 1:
            steps = np.hypot(*np.moveaxis(np.diff(centres, axis=axis), -1, 0))
            if steps.min() < 4 or steps.max() > 3.2 * steps.min():
                return False
            if centres.shape[axis] > 2:  # but for the gap between two halves
                kept = np.delete(steps, centres.shape[axis] // 2 - 1, axis) if centres.shape[axis] % 2 == 0 else steps
                if kept.max() > STEEPEST * kept.min():
                    return False
    return True


def from_corners(image: Array, corners: Array, grid: tuple[int, int] = (4, 8)) -> FoundBoard:
    """The board whose corner pits are given by hand, clockwise from row 0, column 0; pits are still placed exactly."""
    rows, columns = grid
    where = np.array([[0, 0], [columns - 1, 0], [columns - 1, rows - 1], [0, rows - 1]], float)
    centres = apply(fit_projective(where, np.asarray(corners, float)), plane(rows, columns)).reshape(rows, columns, 2)
    found = FoundBoard(centres, np.full(grid, 0.4 * pitch(centres)), 1.0, given=True)
    better = refine(image, found)
    if better is None:
        return found
    moved = np.hypot(*(better.centres - centres).reshape(-1, 2).T).max()
    # A hand's click is a little off; what lies further off is not what was clicked on.
    return replace(better, given=True) if moved < 0.35 * found.pitch_px else found


def straighten(image: Array, found: FoundBoard) -> tuple[Array, Array]:
    """The board from above, SCALE_PX to a pitch, and the map from the picture to it."""
    rows, columns = found.grid
    h = fit_projective(plane(rows, columns), found.centres.reshape(-1, 2))
    steps = [
        np.hypot(*np.diff(found.centres, axis=a).reshape(-1, 2).T).mean() if found.centres.shape[a] > 1 else 0
        for a in (0, 1)
    ]
    down, right = (s if s > 0 else max(steps) for s in steps)
    # Pits stay round: the picture is stretched the way the board is.
    sx, sy = SCALE_PX, SCALE_PX * down / right
    m = np.array([[sx, 0, MARGIN * sx], [0, sy, MARGIN * sx], [0, 0, 1]]) @ np.linalg.inv(h)
    w = round(((columns - 1) + 2 * MARGIN) * sx / 8) * 8
    tall = round(((rows - 1) * sy + 2 * MARGIN * sx) / 8) * 8
    zoom = min(1.0, 1.6 * SCALE_PX / found.pitch_px)
    if zoom < 0.8:
        image = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        warp = m @ np.diag([1 / zoom, 1 / zoom, 1])
    else:
        warp = m
    return cv2.warpPerspective(image, warp, (w, tall), borderMode=cv2.BORDER_REPLICATE), m


def refine(image: Array, found: FoundBoard, near: float = NEAR, one_column: float = ONE_COLUMN) -> FoundBoard | None:
    """The second look: each pit placed exactly, the grid checked against what lies beside it. one_column: how likely
    the board has one column more or less than that."""
    rows, columns = found.grid
    flat, m = straighten(image, found)
    seen = look(flat)
    expected = apply(m, found.centres.reshape(-1, 2))
    step = pitch(expected.reshape(rows, columns, 2))
    if not len(seen.peaks.at):
        return None
    matched = _match(expected, seen.peaks, near * step)
    has = matched >= 0
    if has.sum() < max(4, rows * columns // 2):
        return None
    places = plane(rows, columns)
    at, score = seen.peaks.at[matched], np.where(has, seen.peaks.score[matched], 0)
    weight = score.copy()
    for _ in range(3):  # points that stand apart from the rest lose their say
        h, gap, hinge = fit_gap(places[has], at[has], found.grid, weight[has])
        model = apply(h, plane(rows, columns, gap, hinge))
        off = at - model
        far = np.hypot(*off.T)
        weight = score / (1 + (far / (0.04 * step)) ** 2)
    # A pit's own peak is trusted over the grid's idea of it, unless it is out of the way.
    good = has & (far < ASIDE * step)
    uneven = float(np.median(far[has])) / step
    own = max(OWN, uneven**2 / (uneven**2 + PEAK_OFF**2)) if uneven > UNEVEN else OWN
    centres = np.where(good[:, None], model + own * off, model)
    lying = centres.reshape(rows, columns, 2)
    if not (np.abs(centres) < FAR_OUT * max(flat.shape)).all() or not _plausible(lying):
        return None  # What was taken for pits makes up no grid.
    radius = np.where(good, seen.peaks.radius[matched], np.median(seen.peaks.radius[matched[has]]))
    radius = 0.5 * radius + 0.5 * np.median(radius)
    there = np.where(good, score, 0).reshape(rows, columns)
    apart = [outer_rows_apart(flat, lines) if min(rows, columns) > 1 else [] for lines in (lying, lying.swapaxes(0, 1))]
    if rows > 2:
        there[apart[0]] = 0.0
    more, ends_here = _beyond(flat, h, seen, there, lying, (gap, hinge), step, one_column)
    confidence = (float(there.mean()) - more) * ends_here
    # A whole edge without pits: a hand over it, or a smaller board than was asked for. Either way, not sure.
    edge = min(float(e.mean()) for e in (there[0], there[-1], there[:, 0], there[:, -1]))
    if edge < LEAST and not found.given:
        confidence = min(confidence, 0.6) * (0.6 + 0.8 * edge)
    askew = float(np.where(has, np.minimum(far / step, FAR_ASKEW), 0).mean())
    back = np.linalg.inv(m)
    places, radii = apply(back, centres).reshape(rows, columns, 2), radius * found.pitch_px / step
    board = FoundBoard(places, radii.reshape(rows, columns), max(0.0, confidence), askew=askew, half_out=any(apart))
    whole = board.in_picture(image).all()
    return board if whole else replace(board, confidence=min(board.confidence, CUT_OFF))


def face(image: Array, found: FoundBoard) -> Array:
    """How a board looks where it lies: grey, from above, FACE_PX to a pitch."""
    rows, columns = found.grid
    h = fit_projective(plane(rows, columns), found.centres.reshape(-1, 2))
    m = np.array([[FACE_PX, 0, MARGIN * FACE_PX], [0, FACE_PX, MARGIN * FACE_PX], [0, 0, 1]]) @ np.linalg.inv(h)
    w, tall = (round((side - 1 + 2 * MARGIN) * FACE_PX) for side in (columns, rows))
    zoom = min(1.0, 2 * FACE_PX / found.pitch_px)
    small = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    return cv2.warpPerspective(small, m @ np.diag([1 / zoom, 1 / zoom, 1]), (w, tall), borderMode=cv2.BORDER_REPLICATE)


def lies_as(before: Array, image: Array, found: FoundBoard) -> bool:
    """Whether a board lies where it was: its picture fits best unmoved, and well, whatever the seeds in it do."""
    now = face(image, found)
    reach = FACE_PX // 2
    inner = now[reach:-reach, reach:-reach]
    fit = cv2.matchTemplate(before, inner, cv2.TM_CCOEFF_NORMED)
    best = np.unravel_index(int(fit.argmax()), fit.shape)
    return bool(fit.max() > SAME_FACE and max(abs(best[0] - reach), abs(best[1] - reach)) <= 1)


def _match(expected: Array, peaks: Peaks, limit: float) -> Array:
    """The nearest peak to each expected place, -1 where none is near; each peak is used once."""
    gap = np.linalg.norm(expected[:, None] - peaks.at[None], axis=-1)
    best = gap.argmin(1)
    own = gap.argmin(0)[best] == np.arange(len(expected))
    return np.where(own & (gap[np.arange(len(expected)), best] < limit), best, -1)


def _beyond(
    flat: Array,
    h: Array,
    seen: PitMap,
    there: Array,
    lying: Array,
    gaps: tuple[float, float],
    step: float,
    one_column: float,
) -> tuple[float, float]:
    """How much looks like one more row of pits: the worse side's mean score; and how likely the grid ends where the
    board's own columns end. `there`: how much each place of the grid looks like a pit; `lying`: where those are."""
    rows, columns = there.shape
    gap, hinge = gaps
    c = np.arange(columns)
    x = c + hinge * (c >= columns / 2)
    above, below = (apply(h, np.column_stack([x, np.full(columns, y)])) for y in (-1.0, rows + gap))
    # As far on as the last step: over a hinge that was not seen as one, the whole grid would point elsewhere.
    ends = np.concatenate([2 * lying[:, :1] - lying[:, 1:2], 2 * lying[:, -1:] - lying[:, -2:-1]], axis=1)
    own = _match(lying.reshape(-1, 2), seen.peaks, NEAR * step)
    # What lies in other stuff than the board is none of its pits: a printed cloth may be dotted like one.
    alike = seen.peaks.score * alike_round(flat, seen.peaks, own[own >= 0])
    lines = []
    for side in (above, below, ends[:, 0], ends[:, 1]):
        hit = _match(side, seen.peaks, BESIDE * step)
        lines.append(float(np.where(hit >= 0, alike[hit], 0).mean()))
    points = np.concatenate([ends[:, :1], lying, ends[:, 1:]], axis=1)
    within, beyond = (
        pits_at_ends(flat, seen.heat, CELL, part, np.asarray(peaks))
        for part, peaks in ((lying, there[:, [0, -1]].mean(0)), (points, lines[2:]))
    )
    # The other places it may have: one column further on, or other grids, a column more or less at one end or at both.
    shifted = np.exp(beyond[::-1] - within).sum()
    at_one_end = np.exp(np.concatenate([-within, beyond])).sum()
    at_both = np.exp(-within.sum()) + np.exp(beyond.sum())
    return max(lines[:2]), float(1 / (1 + shifted + one_column * at_one_end + TWO_COLUMNS * at_both))


def strays(image: Array, found: FoundBoard) -> Array:
    """Seeds on the wood outside the pits, as points in the picture."""
    flat, m = straighten(image, found)
    points = look(flat).strays
    if not len(points):
        return np.zeros((0, 2))
    at = apply(np.linalg.inv(m), points)
    gap = np.linalg.norm(at[:, None] - found.centres.reshape(-1, 2)[None], axis=-1)
    # In a pit it is counted there; off the board it is a seed in store, or the table's pattern.
    rows, columns = found.grid
    h = fit_projective(plane(rows, columns), found.centres.reshape(-1, 2))
    x, y = apply(np.linalg.inv(h), at).T
    on_wood = (x > -EDGE) & (x < columns - 1 + EDGE) & (y > -EDGE) & (y < rows - 1 + EDGE)
    return np.asarray(at[on_wood & (gap.min(1) > found.radii.ravel()[gap.argmin(1)] * 0.95)])
