"""Files written whole and read with care: through no link that somebody else laid, and never more than fits.

As root (`sudo hisabu setup`, `hisabu install`) this program writes into folders that belong to the service's user. A
link laid there must not make root write, or give away, a file of its own.
"""

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

MOST_LINKS = 40
"""Links followed on the way to a file before it is called a ring; as many as Linux follows."""


class NotPlain(OSError):
    """It is not an ordinary file: a pipe or a device would be waited for, or read, without end."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "is not an ordinary file", str(path))


class ForeignLink(PermissionError):
    """On the way to a file lies a link that another user laid: root follows none of those."""

    topic, code = "system", "FOREIGN_LINK"


class TooLarge(OSError):
    """More than anything of its kind holds."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        super().__init__(errno.EFBIG, f"is too large: more than {_amount(most_bytes)}", str(path))


def open_plain(path: Path) -> BinaryIO:
    """An ordinary file, to be read. OSError: it cannot be read, or is not one."""
    # Not waiting: a pipe that nobody writes to opens at once, and is then seen to be one.
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    about = os.fstat(fd)
    if not stat.S_ISREG(about.st_mode):
        os.close(fd)
        if stat.S_ISDIR(about.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise NotPlain(path)
    return os.fdopen(fd, "rb")


def read_plain(path: Path, most_bytes: int) -> bytes:
    """All of an ordinary file. OSError: it cannot be read, is not one, or holds more than most_bytes."""
    with open_plain(path) as file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise TooLarge(path, most_bytes)
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:  # One that says it is empty (in /proc), or grows.
        raise TooLarge(path, most_bytes)
    return data


def write_whole(path: Path, data: bytes, mode: int | None = None, owner: tuple[int, int] | None = None) -> None:
    """Writes a file so that a power cut leaves the old one or the new one. OSError: it cannot be written.

    Unless said, its mode and its owner (user and group) stay as they were; a new file can be read by all, and one that
    root makes belongs to whom its folder belongs.
    """
    with _folder_of(path) as (folder, name):
        there = _about(name, folder)
        if there is not None and not stat.S_ISREG(there.st_mode):
            raise NotPlain(path)
        fresh = f".{name}.{threading.get_native_id()}.new"  # Two may write it at once.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(fresh, dir_fd=folder)
        fd = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                _own(fd, folder, there, mode, owner)
                os.fsync(fd)
            os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(fresh, dir_fd=folder)
            raise
        _sync(folder)


def drop_unfinished(folder: Path, names: str) -> None:
    """Removes what a power cut left of files that were being written: those whose names fit this pattern."""
    for left in folder.glob(f".{names}.*.new"):
        if left.is_file() and not left.is_symlink():
            left.unlink(missing_ok=True)


def put_aside(path: Path, ending: str) -> None:
    """Renames an ordinary file, with this ending to its name; whatever else stands there stays. OSError: it cannot."""
    with _folder_of(path) as (folder, name):
        there = _about(name, folder)
        if there is not None and stat.S_ISREG(there.st_mode):
            os.replace(name, name + ending, src_dir_fd=folder, dst_dir_fd=folder)


def _own(fd: int, folder: int, there: os.stat_result | None, mode: int | None, owner: tuple[int, int] | None) -> None:
    """Gives a new file the mode and the owner it is to have, as far as this user may say so."""
    if mode is None:
        mode = 0o644 if there is None else there.st_mode & 0o777
    if owner is None and there is not None:
        owner = there.st_uid, there.st_gid
    elif owner is None and os.geteuid() == 0:
        owner = os.fstat(folder).st_uid, os.fstat(folder).st_gid
    os.fchmod(fd, mode)
    if owner is not None:
        with contextlib.suppress(PermissionError):
            os.fchown(fd, *owner)


@contextmanager
def _folder_of(path: Path) -> Iterator[tuple[int, str]]:
    """The folder that a file lies in, opened, made if need be; and the file's name in it.

    It goes there step by step, each from a folder already open, so that nobody can lay a link behind its back.
    """
    steps = list(path.expanduser().absolute().parts[:0:-1])
    at = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    links = 0
    try:
        while steps:
            name = steps.pop()
            about = None if name == ".." else _about(name, at)
            if name == "..":
                at = _into(at, "..")
            elif about is not None and stat.S_ISLNK(about.st_mode):
                links += 1
                to = _followed(name, at, about, links)
                if to.is_absolute():
                    at = _into(at, "/")
                steps += [part for part in to.parts[::-1] if part != "/"]
            elif not steps:
                yield at, name
                return
            elif about is None:
                os.mkdir(name, 0o755, dir_fd=at)
                at = _into(at, name, like=at)
            else:
                at = _into(at, name)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    except OSError as error:
        error.filename = str(path)  # Not only the last step of the way to it.
        raise
    finally:
        os.close(at)


def _followed(name: str, at: int, about: os.stat_result, links: int) -> Path:
    """Where a link leads. links: how many there were on the way, this one too."""
    if os.geteuid() == 0 and about.st_uid != 0:
        raise ForeignLink(errno.EACCES, f"{name} is a link that another user laid")
    if links > MOST_LINKS:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return Path(os.readlink(name, dir_fd=at))


def _about(name: str, folder: int) -> os.stat_result | None:
    """What lies in a folder under a name, a link as a link; None: nothing."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _into(at: int, name: str, like: int | None = None) -> int:
    """Opens a folder in another and closes that one. like: it was just made, and belongs to whom this one does."""
    how = os.O_PATH if like is None else os.O_RDONLY
    inner = os.open(name, how | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
    try:
        if like is not None:
            _sync(at)
            if os.geteuid() == 0:
                about = os.fstat(like)
                os.fchown(inner, about.st_uid, about.st_gid)
    except BaseException:
        os.close(inner)
        raise
    os.close(at)
    return inner


def _sync(folder: int) -> None:
    """Has the names in a folder put on disk, where it may be opened for that."""
    with contextlib.suppress(PermissionError):
        fd = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _amount(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count // 1_000} kB"


def make_folder(folder: Path) -> None:
    """Makes a folder so that a power cut does not unmake it; one that root makes belongs to whom that belongs which it
    lies in."""
    if folder.exists():
        return
    with _folder_of(folder) as (above, name), contextlib.suppress(FileExistsError):  # Somebody made it meanwhile.
        os.mkdir(name, 0o755, dir_fd=above)
        os.close(_into(os.dup(above), name, like=above))


def sync_folder(folder: Path) -> None:
    """Gets the names in a folder on disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
