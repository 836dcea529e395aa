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
