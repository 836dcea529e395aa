"""Watches whether the camera's pictures can be read at all, and names what is wrong with them."""

import zlib
from collections.abc import Callable, Iterator

from device.cameras.picture_check import DARKEST_LIGHT, check_picture
from device.following.aim import Aim
from vision.frame import Frame, Image

CHECK_EVERY_S = 5.0
"""Between judgements of the picture: light and lens change slowly, and one costs as much as reading a table."""
FROZEN_S = 60.0
"""The same picture for so long, to the last bit, comes from a camera that hangs: each new one has other grain. A film
that is packed hard repeats itself for some 10 s."""
ROWS_APART = 16
"""Of a picture every so many rows tell whether it is the same."""


class PictureWatch:
    """Judges one camera's pictures now and then."""

    def __init__(self) -> None:
        self._judged_s: float | None = None
        self._compared_s: float | None = None
        self._sum: int | None = None
        self._same_since_s = 0.0

    def troubles(
        self, frame: Frame, readable: bool, aim: Callable[[Image], Aim], cards: bool
    ) -> Iterator[tuple[str, bool]]:
        """Troubles, and whether they are there; those alone that it is time to look at. readable: nothing is in the way
        of the table; aim: what the eye saw in such a picture; cards: some lie there."""
        if _due(self._compared_s, frame):
            self._compared_s = frame.at_s
            yield "camera_frozen", self._frozen(frame)
        if readable and _due(self._judged_s, frame):
            self._judged_s = frame.at_s
            yield from _judged(frame.image, aim(frame.image), cards)

    def _frozen(self, frame: Frame) -> bool:
        rows = frame.image[::ROWS_APART]
        before, self._sum = self._sum, zlib.crc32(rows.tobytes())
        if self._sum != before or rows.max() < DARKEST_LIGHT or rows.min() == 255:  # Black and white have no grain.
            self._same_since_s = frame.at_s
        return frame.at_s - self._same_since_s >= FROZEN_S


def _due(last_s: float | None, frame: Frame) -> bool:
    return last_s is None or not 0 <= frame.at_s - last_s < CHECK_EVERY_S


def _judged(image: Image, aim: Aim, cards: bool) -> Iterator[tuple[str, bool]]:
    picture = check_picture(image)
    yield "camera_dark", picture.dark
    yield "camera_glaring", picture.glaring
    yield "camera_blurred", picture.blurred and not picture.dark
    if cards or not picture.grey:
        yield "camera_grey", picture.grey and picture.blur_px is not None and not picture.dark
    yield "camera_far", aim.too_small
