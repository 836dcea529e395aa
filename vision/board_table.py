"""A bao board under the camera: found once, followed when knocked, counted when it lies still with no hand over it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.sightings import BoardSighting, Point
from vision.board.fuse import fuse
from vision.board.grid import FoundBoard
from vision.board.reader import BoardReader
from vision.frame import Frame, Image
from vision.small import SMALL_W, Mask
from vision.stillness import SETTLE_S, Motion, Stillness

LOOKS_IN_DOUBT = 5
"""Pictures of one rest that are put together while it cannot be told what was played."""
DOUBT_EVERY_S = 0.6
"""Three looks give who let a seed fall beside its pit the time to put it right; five, who looks before taking what was
won."""
SEARCH_EVERY_S = 1.0
"""A board that is not there is looked for so often: a search costs a few counts."""
SEARCH_MOVING_S = 3.0
"""And so often while something moves: hands may wait beside a board from the first, and never be quite still."""
AGAIN_EVERY_S = 5.0
"""An untouched board is looked at again after so long: light creeps."""
RIM = 0.55
"""Pitches of a board about its pits that must lie still for it to be looked at."""
PUSHED_S = 0.5
"""A hand over the board that has not moved for so long may be the board itself, pushed."""

SHADED, SEEN_IN_SHADE = 2, 0.6
"""So many pits at most may lie in the shadow of a hand that waits beside the board; and how sure their counts must be:
of a pit under a hand none is."""

ASK_AFTER_S = 10.0
"""Something like a board that lies there for so long, and is never sure, is asked about."""
GONE_S = 3.5
"""And is gone once nothing like it was seen for so long: three searches. One that is hardly seen comes and goes."""

LOOKING, HAND_OVER, BOARD_LOST, CAMERA_MOVED = "looking", "hand_over", "board_lost", "camera_moved"
BOARD_UNSURE, TWO_BOARDS = "board_unsure", "two_boards"
"""Something like a board lies there, but which hollows are its pits is not clear, or which of two boards is played on:
its corners may be shown."""


@dataclass(frozen=True)
class BoardLook:
    """A board at rest, and whether it was touched since the look before."""

    at_s: float
    sighting: BoardSighting
    south_first: bool
    """The sighting's first row is the one nearest to the side of seat 0."""
    fresh: bool
    looks: int = 1
    """How many pictures of this rest were looked at: it is put together from the last few."""


class BoardSearch:
    """What the finder says of one picture after another."""

    def __init__(self) -> None:
        self._since_s: float | None = None
        """Since when something like a board lies there, and none is sure."""
        self._seen_s = 0.0
        """When it was seen last."""
        self._two = False
        """Another board lay beside it then."""

    def take(self, found: FoundBoard | None, now_s: float) -> FoundBoard | None:
        """The board, if it is sure. Others of the same place do not make it so: one picture errs as the next does."""
        if found is None or found.sure:
            if found is not None or now_s - self._seen_s > GONE_S:
                self._since_s = None
            return found
        self._since_s = now_s if self._since_s is None else self._since_s
        self._seen_s, self._two = now_s, found.another
        return None

    def asks(self, now_s: float) -> str | None:
        """What to say, once it is time: something like a board lies there, or two boards do."""
        if self._since_s is None or now_s - self._since_s < ASK_AFTER_S:
            return None
        return TWO_BOARDS if self._two else BOARD_UNSURE


class BoardTableEye:
    """Watches one board. Not to be shared between threads."""

    def __init__(
        self,
        reader: BoardReader,
        seat_0_deg: float = 0.0,
        grid: tuple[int, int] = (4, 8),
        corners: Sequence[Point] = (),
    ) -> None:
        """grid: rows and columns of the board that is looked for. corners: the middles of its corner pits, clockwise,
        in parts of the picture, if somebody showed them; else it is found by itself."""
        self._reader, self._grid, self._corners = reader, grid, tuple(corners)
        self._stillness = Stillness()
        turn = np.radians(seat_0_deg)
        self._seat_0 = np.array([-np.sin(turn), np.cos(turn)])
        self.situation = BOARD_LOST
        self._found: FoundBoard | None = None
        self._candidates = BoardSearch()
        self._outline: tuple[FoundBoard, Mask] | None = None
        """Where that is in the small picture."""
        self._touched = True
        self._searched_s = -SEARCH_EVERY_S
        self._looked_s = -AGAIN_EVERY_S
        self.kept = False
        """The last frame was read, whether or not a look came of it."""
        self._doubted_s = -PUSHED_S
        """When what seemed a hand was last looked into."""
        self._sightings: list[BoardSighting] = []
        self._looks = 0
        """So many since something moved."""
        self._last: Frame | None = None
        """The frame that was looked at last."""

    @property
    def touched(self) -> bool:
        """Whether something moved since the last look."""
        return self._touched

    @property
    def found(self) -> FoundBoard | None:
        """Where the board lies."""
        return self._found

    @property
    def counted(self) -> BoardSighting | None:
        """What the last look counted, rows as the camera found them."""
        return self._sightings[-1] if self._sightings else None

    def remember(self, counts: Sequence[Sequence[int]]) -> None:
        """What lies in each pit of the last look is known; rows as in its sighting."""
        if self._last is None or self._found is None or not self._sightings:
            return
        shown = self._sightings[-1].pits
        known = [[n if pit else None for n, pit in zip(*rows, strict=True)] for rows in zip(counts, shown, strict=True)]
        self._reader.remember(self._last.image, self._found, known)

    def forget(self) -> None:
        """What was thought to lie there did not."""
        self._reader.forget()

    def see(self, frame: Frame, in_doubt: bool) -> BoardLook | None:
        """Takes the next frame in. in_doubt: what was seen last could not be told; another look may help."""
        self.kept = False
        motion = self._stillness.see(frame)
        if motion.resized:
            self._found, self._outline, self._sightings, self._touched = None, None, [], True
            self._reader.forget()
        if not motion.settled and not self._lies_still(frame):
            self._touched = True
            self.situation = HAND_OVER if motion.arms else self.situation
            if self._found is None and not frame.late and frame.at_s - self._searched_s >= SEARCH_MOVING_S:
                self._search(frame)
            return None
        under = self._under_a_hand(motion, frame)
        if under and not self._only_pushed(motion, frame) and not self._only_in_shade(under, frame):
            self.situation = HAND_OVER
            return None
        if not self._touched and (frame.late or not self._worth_another(frame.at_s, in_doubt)):
            return None
        if not self._at_its_place(frame):
            return None
        return self._look(frame)

    def _lies_still(self, frame: Frame) -> bool:
        """Whether nothing moves on the board: the other player's hand waits beside it, and is never quite still."""
        if self._found is None:
            return False
        if self._outline is None or self._outline[0] is not self._found:
            points = self._found.centres.reshape(-1, 2)
            reach = RIM * self._found.pitch_px * np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
            hull = cv2.convexHull((points[:, None] + reach).reshape(-1, 1, 2).astype(np.float32))
            on_it = np.zeros(self._stillness.shape, np.uint8)
            cv2.fillConvexPoly(on_it, np.round(hull * (SMALL_W / frame.image.shape[1])).astype(np.int32), 1)
            self._outline = self._found, on_it
        return self._stillness.settled_in(self._outline[1])

    def _worth_another(self, now_s: float, in_doubt: bool) -> bool:
        since = now_s - self._looked_s
        if self._found is None:
            return now_s - self._searched_s >= SEARCH_EVERY_S
        if in_doubt and self._looks < LOOKS_IN_DOUBT:
            return since >= DOUBT_EVERY_S
        return since >= AGAIN_EVERY_S

    def _under_a_hand(self, motion: Motion, frame: Frame) -> list[int]:
        """The pits over whose middle a hand lies, or its shadow."""
        if self._found is None or not motion.arms:
            return []
        points = self._found.centres.reshape(-1, 2) * (SMALL_W / frame.image.shape[1])
        return [i for i, (x, y) in enumerate(points.tolist()) if self._stillness.under_an_arm(x, y)]

    def _only_in_shade(self, under: Sequence[int], frame: Frame) -> bool:
        """Whether a hand waits beside the board and its shadow on a pit or two was taken for it: all can be counted."""
        if self._found is None or len(under) > SHADED or frame.late or frame.at_s - self._doubted_s < SETTLE_S:
            return False
        if not self._lies_still(frame):
            return False
        self._doubted_s, self.kept = frame.at_s, True
        pits = [pit for row in self._reader.count(frame.image, self._found, look_outside=False).pits for pit in row]
        return all(shown is not None and max(shown.values()) >= SEEN_IN_SHADE for shown in (pits[i] for i in under))

    def _only_pushed(self, motion: Motion, frame: Frame) -> bool:
        """Whether what seems a hand is the board, pushed a little: it lies elsewhere and shows every pit."""
        if self._found is None or frame.late or motion.still_s < PUSHED_S or frame.at_s - self._doubted_s < PUSHED_S:
            return False
        self._doubted_s, self.kept = frame.at_s, True
        there = self._reader.follow(frame.image, self._found)
        if there is None or there is self._found or not there.sure:
            return False
        if any(pit is None for row in self._reader.count(frame.image, there, look_outside=False).pits for pit in row):
            return False
        self._found = there
        self._stillness.anew()
        return True

    def _at_its_place(self, frame: Frame) -> bool:
        """Whether the board is in sight, where it was or elsewhere."""
        self.kept = True
        if self._found is not None and self._touched:
            self._found = self._reader.follow(frame.image, self._found)
        if self._found is not None:
            self.situation = LOOKING
            return True
        again = self.situation not in (BOARD_LOST, BOARD_UNSURE, TWO_BOARDS)
        self._search(frame)
        if self._found is None:
            self.situation = self._candidates.asks(frame.at_s) or BOARD_LOST
            self._stillness.rested()
            self._touched = False
            return False
        self.situation = CAMERA_MOVED if again else LOOKING
        return True

    def _search(self, frame: Frame) -> None:
        self._searched_s = frame.at_s
        self._found = self._candidates.take(self._find(frame.image), frame.at_s)

    def _find(self, image: Image) -> FoundBoard | None:
        if not self._corners:
            return self._reader.find(image, self._grid)
        height, width = image.shape[:2]
        return self._reader.find_shown(image, self._grid, [(x * width, y * height) for x, y in self._corners])

    def _look(self, frame: Frame) -> BoardLook:
        found, fresh = self._found, self._touched
        assert found is not None
        if fresh:
            self._stillness.rested()
            self._sightings = []
            self._looks = 0
        # What lies there for long is seen no better for it: one look misreads a pit as the next does.
        self._sightings = [*self._sightings[-(LOOKS_IN_DOUBT - 1) :], self._reader.count(frame.image, found, fresh)]
        self._looks += 1
        self._touched = False
        self._looked_s, self._last = frame.at_s, frame
        rows = found.centres.mean(axis=1) @ self._seat_0
        sighting = self._sightings[0] if len(self._sightings) == 1 else fuse(self._sightings)
        return BoardLook(frame.at_s, sighting, bool(rows[0] > rows[-1]), fresh, self._looks)
