"""What somebody asks of the table from afar: done in the brain's own thread, between two frames."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request:
    """Something to do with the table, and who is told what came of it."""

    do: Callable[[Any], object]
    """Given the brain. What it raises is told too."""
    done: Callable[[object, Exception | None], None]
    """Called in the brain's thread: it must not wait."""

    def carry_out(self, brain: object) -> None:
        """Does it."""
        try:
            value = self.do(brain)
        except ValueError as error:  # An event, a setting or an option that cannot be.
            self.done(None, error)
        except Exception as error:
            log.exception("what was asked from afar failed")
            self.done(None, error)
        else:
            self.done(value, None)
