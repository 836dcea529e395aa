"""Where the command `hisabu` begins: a Ctrl-C ends it without a word from its first moment on, while all is fetched."""

import os
import signal
from types import FrameType

STOPPED = 130
"""What a shell calls the end by a Ctrl-C: 128 and the number of the signal."""


def main() -> int:
    """Runs the command line; the exit status."""
    asked = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # nohup and the like have it ignored.
    if asked:
        signal.signal(signal.SIGINT, _end)
    from device import cli

    try:
        if asked:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return cli.main()
    except KeyboardInterrupt:
        return STOPPED
    finally:
        if asked:
            signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(STOPPED)
