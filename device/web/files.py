"""The files of a page, read once and kept packed. What is not on the list is not there, whatever path is asked for."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain; charset=utf-8",
}
_COMMENT = re.compile(rb"^\s*//.*\n", re.MULTILINE)
PACKED = (".html", ".js", ".css", ".json", ".svg", ".txt", ".webmanifest")


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes | None
    """With gzip, where that makes it smaller."""
    tag: str
    """Changes with what is in it."""


def file_of(name: str, data: bytes) -> File:
    """A file by the ending of its name."""
    ending = name[name.rindex(".") :]
    packed = gzip.compress(data, 9, mtime=0) if ending in PACKED else None
    tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
    return File(TYPES[ending], data, packed if packed and len(packed) < len(data) else None, tag)


def module_of(value: Mapping[str, Any], below: str = "") -> bytes:
    """Values as a module that exports them. below: the module beside it that has all the others."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if below:
        return f'import below from "./{below}";export default {{...below,...{written}}};\n'.encode()
    return f"export default {written};\n".encode()


def read_folder(package: str, under: str = "/") -> dict[str, File]:
    """The files of a package's folder `static`, by the path they are asked for."""
    found = _walk(files(package) / "static")
    return {under + path: file_of(path, _as_sent(path, file.read_bytes())) for path, file in found}


def _as_sent(path: str, data: bytes) -> bytes:
    """A script of ours without its comments. What others made stays whole, with the names of those who did."""
    ours = path.endswith(".js") and "vendor/" not in path
    return _COMMENT.sub(b"", data) if ours else data


def _walk(folder: Traversable, before: str = "") -> Iterable[tuple[str, Traversable]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _walk(file, f"{before}{file.name}/")
        elif any(file.name.endswith(ending) for ending in TYPES):
            yield before + file.name, file


def wire_size(found: Mapping[str, File]) -> int:
    """Bytes of all of them as they go over the wire."""
    return sum(len(file.packed or file.plain) for file in found.values())
