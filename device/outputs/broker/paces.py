"""How much of what others send is dealt with: nobody fills a queue, a processor or a log for everybody."""

from collections import Counter
from collections.abc import Callable

COMPLAINTS = (0.1, 3.0)
"""Lines in the program's log about what one topic brings: a second, and at once."""


class Paces:
    """How much each may send: so many at once, and so many a second in the long run."""

    def __init__(self, a_second: float, burst: float, clock: Callable[[], float]) -> None:
        self._a_second, self.burst, self._clock = a_second, burst, clock
        self._used: Counter[str] = Counter()
        self._filled_s = clock()

    def allows(self, name: str) -> bool:
        """Whether one more may be dealt with."""
        now_s = self._clock()
        if now_s - self._filled_s > 1.0 or now_s < self._filled_s:
            gain = max(0.0, now_s - self._filled_s) * self._a_second
            self._used = Counter({who: used - gain for who, used in self._used.items() if used > gain})
            self._filled_s = now_s
        if self._used[name] >= self.burst:
            return False
        self._used[name] += 1
        return True

    def rests(self, name: str) -> bool:
        """Whether nothing that it sent weighs any more."""
        return name not in self._used
