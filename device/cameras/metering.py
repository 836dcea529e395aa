"""When to lock light, colours and focus, and when to meter anew: the same for every camera that meters by itself."""

import logging
from collections import deque
from collections.abc import Sequence

log = logging.getLogger(__name__)
SETTLED_FRAMES = 8
SETTLED_BY = 0.03
"""So many frames whose light and colours differ by no more than this share have settled: metering hunts by 1 to 2 %
for ever, and 3 % of light is under one grey level of 25 that the readers bear."""
SETTLE_LATEST_S = 6.0
"""Lock then whatever there is: a scene in which something always moves never settles. Autofocus takes up to 4 s."""
RELIGHT_FACTOR = 1.6
RELIGHT_S = 3.0
"""Meter anew when the picture is so much brighter or darker for so long: a lamp was switched, the sun went. Hands and
a full table of white cards change the mean by a third at most, and hands do not stay."""
LOCK, METER = "lock", "meter"
"""What is to be done now."""


class Metering:
    """Meters until the scene has settled, then locks, so that only the table changes from frame to frame."""

    def __init__(self) -> None:
        self.locked = False
        self._began_s: float | None = None
        self._lately: deque[Sequence[float]] = deque(maxlen=SETTLED_FRAMES)
        self._level = 0.0
        self._other_since_s: float | None = None

    def look(self, values: Sequence[float], focused: bool, level: float, at_s: float) -> str | None:
        """LOCK, METER, or nothing to do. values: the camera's own of light and colours, larger than 0; level: the mean
        of the grey picture."""
        if self.locked:
            return self._check(level, at_s)
        if self._began_s is None:
            self._began_s = at_s
        self._lately.append(values)
        if not (focused and self._settled()) and at_s - self._began_s < SETTLE_LATEST_S:
            return None
        self.locked, self._level, self._other_since_s = True, level, None
        return LOCK

    def _settled(self) -> bool:
        if len(self._lately) < SETTLED_FRAMES:
            return False
        return all(max(lately) - min(lately) <= SETTLED_BY * max(lately) for lately in zip(*self._lately, strict=False))

    def _check(self, level: float, at_s: float) -> str | None:
        low, high = self._level / RELIGHT_FACTOR, self._level * RELIGHT_FACTOR
        if low <= level <= high:
            self._other_since_s = None
        elif self._other_since_s is None:
            self._other_since_s = at_s
        elif at_s - self._other_since_s >= RELIGHT_S:
            self.locked, self._began_s = False, None
            self._lately.clear()
            log.info("the light changed: the camera meters anew")
            return METER
        return None
