"""One device at a time over a folder of matches; the system gives the folder back however the program ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.keeping.files import make_folder
from device.keeping.names import locked


@contextmanager
def alone_in(folder: Path) -> Iterator[bool]:
    """Whether no other device keeps its matches there, until the block ends. A folder that cannot be had is nobody's:
    what becomes of matches then is told where they are kept."""
    try:
        make_folder(folder)
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield True
        return
    try:
        yield locked(fd)
    finally:
        os.close(fd)
