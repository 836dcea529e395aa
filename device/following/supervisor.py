"""Keeps the parts of the device running: each in a thread of its own, started again when it dies, up to a point."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Patience:
    """How often a part may die before it is given up."""

    times: int = 5
    """A fault in one picture or one show heals when the next one comes; five in a row do not pass by themselves."""
    within_s: float = 60.0
    pause_s: float = 0.2
    """Before it is started again: long enough not to fill the log, too short to be missed at the table."""


class Supervisor:
    """Runs parts until they return or `stopping` is set."""

    def __init__(self, patience: Patience = Patience()) -> None:
        self.stopping = threading.Event()
        self.given_up: str | None = None
        """The part that died too often."""
        self.failed: set[str] = set()
        """The parts that ever died."""
        self._patience = patience
        self._threads: dict[str, threading.Thread] = {}

    def start(self, name: str, body: Callable[[], None], at_end: Callable[[], None] = lambda: None) -> None:
        """Runs body in a thread, again if it dies of an exception; at_end when it is over for good."""
        thread = threading.Thread(target=self._keep, args=(name, body, at_end), name=name, daemon=True)
        self._threads[name] = thread
        thread.start()

    def alive(self, name: str) -> bool:
        """Whether this part still runs."""
        return self._threads[name].is_alive()

    def join(self, limit_s: float) -> list[str]:
        """Waits for all parts together, and names those that still run."""
        until = time.monotonic() + limit_s
        for thread in self._threads.values():
            thread.join(max(0.0, until - time.monotonic()))
        return [name for name, thread in self._threads.items() if thread.is_alive()]

    def _keep(self, name: str, body: Callable[[], None], at_end: Callable[[], None]) -> None:
        deaths: deque[float] = deque(maxlen=self._patience.times)
        try:
            while not self.stopping.is_set():
                try:
                    body()
                    return
                except Exception:
                    log.exception("%s failed", name)
                    self.failed.add(name)
                now = time.monotonic()
                deaths.append(now)
                if len(deaths) == self._patience.times and now - deaths[0] <= self._patience.within_s:
                    log.critical("%s failed %d times in %.0f s: giving up", name, len(deaths), now - deaths[0])
                    self.given_up = name
                    return
                self.stopping.wait(self._patience.pause_s)
        finally:
            try:
                at_end()
            except Exception:
                log.exception("%s did not end well", name)
