"""A frame: an image and the time it was taken."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
LATE_S = 0.15
"""A frame behind which newer ones wait for longer is late: more than one that came while this one was waited for."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table."""

    image: Image
    """BGR."""
    at_s: float
    """When it was taken, on a clock that only goes forward."""
    small: Image | None = None
    """The same, small, grey or in colour, if the camera gives it for nothing."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """Exposure, gain and the like, as the camera tells them."""
    behind_s: float = 0.0
    """How much newer the newest is that was taken already."""

    @property
    def late(self) -> bool:
        """What can be seen in a later frame as well is left for that one."""
        return self.behind_s > LATE_S


def picture(image: object) -> Image:
    """A picture as the readers take it, whoever made it. ValueError: it is none; how to make one of it."""
    if image is None:
        raise ValueError("there is no picture: cv2.imread gives None where it cannot read the file")
    if not isinstance(image, np.ndarray):
        raise ValueError(f"a picture is a NumPy array, as cv2.imread gives it, not {type(image).__name__}")
    if image.dtype != np.uint8:
        made = "(image * 255).astype(np.uint8), if they go from 0 to 1" if image.dtype.kind == "f" else "cv2.imread"
        raise ValueError(f"a picture has values from 0 to 255 as uint8, not {image.dtype}: {made}")
    if image.ndim != 3 or image.shape[2] != 3:
        made = "cv2.COLOR_BGRA2BGR" if image.ndim == 3 and image.shape[2] == 4 else "cv2.COLOR_GRAY2BGR"
        raise ValueError(f"a picture is height x width x 3 (BGR), not {image.shape}: cv2.cvtColor(image, {made})")
    if not image.size:
        raise ValueError(f"the picture is empty: {image.shape}")
    return np.ascontiguousarray(image)
