"""How people name a camera: a place in the network, or something on USB. Nothing is opened here."""

import re
from pathlib import Path
from urllib.parse import urlsplit

_URL = r"(?:https?|rtsp)://\S+"
_IPV4, _NAME, _REST = r"\d{1,3}(?:\.\d{1,3}){3}", r"[\w-]+(?:\.[\w-]+)*", r"(?::\d{1,5})?(?:/\S*)?"
_LOCAL = rf"(?:{_IPV4}{_REST}|{_NAME}\.local{_REST}|{_NAME}:\d{{2,5}}(?:/\S*)?)"
ADDRESS = rf"{_URL}|(?:[^\s/:@]+:[^\s/@]*@)?{_LOCAL}"
"""With http:// or rtsp:// before it, or as people type it: an IPv4 address, a name that ends in .local, or one with a
port."""
USB = r"usb(?::[\w .()&+,-]+)?|/dev/v4l/by-(?:id|path)/\S+"
"""The first (usb or usb:0), the second (usb:1), by name or a part of it (usb:C920), or by the link that udev makes for
each."""


def is_address(spec: str) -> bool:
    """Whether this names a place in the network.

    >>> [is_address(spec) for spec in ("192.168.1.20:8080", "phone.local/video", "http://phone/video")]
    [True, True, True]
    >>> [is_address(spec) for spec in ("film.mp4", "/films/a.mp4", "usb:0", "pi", "films/a:b.mp4")]
    [False, False, False, False, False]
    """
    if spec.startswith("usb:") or not re.fullmatch(ADDRESS, spec):
        return False
    try:
        urlsplit(spec)
    except ValueError:  # Brackets around what is no address.
        return False
    return True


def is_usb(spec: str) -> bool:
    """Whether this names a camera on USB.

    >>> [is_usb(spec) for spec in ("usb:1", "usb:HD Webcam C920", "/dev/v4l/by-id/usb-046d-index0", "usb", "/dev/sda")]
    [True, True, True, True, False]
    """
    return re.fullmatch(USB, spec) is not None


def is_file(spec: str) -> bool:
    """Whether this names a folder of pictures or a film.

    >>> [is_file(spec) for spec in ("film.mp4", "/films", "pi", "simulated", "usb:0", "192.168.1.20:8080")]
    [True, True, False, False, False, False]
    """
    return spec not in ("pi", "simulated") and not is_usb(spec) and not is_address(spec)


def usb_cameras(root: Path = Path("/")) -> dict[int, str]:
    """Number of its device file and name of every camera, in the order in which usb:0, usb:1 … count them: those on
    USB, then those that a program makes. What only tells of another (its metadata) is none, nor is a Pi's ribbon."""
    found: dict[str, dict[int, str]] = {"usb": {}, "": {}}
    for node in sorted((root / "dev").glob("video*"), key=lambda node: (len(node.name), node.name)):
        about = root / "sys/class/video4linux" / node.name
        index, name = (_text(about / part) for part in ("index", "name"))
        bus = about / "device/subsystem"
        on = bus.resolve().name if bus.exists() else ""
        if index in ("", "0") and on in found:
            found[on][int(node.name.removeprefix("video"))] = name
    return found["usb"] | found[""]


def usb_number(spec: str, root: Path = Path("/")) -> int | None:
    """The number of the device file of a camera that was named in any of these ways; None: there is none by that name.
    Where there are not so many cameras, usb:2 is /dev/video2, as older settings have it."""
    if spec.startswith("/dev/"):
        node = (root / spec.removeprefix("/")).resolve().name
        number = node.removeprefix("video")
        return int(number) if node.startswith("video") and number.isdecimal() else None
    name, cameras = spec.partition(":")[2], usb_cameras(root)
    if not name or name.isdecimal():
        numbers, nth = list(cameras), int(name or 0)
        return numbers[nth] if nth < len(numbers) else nth if nth in cameras else None
    named = [number for number, its in cameras.items() if name.casefold() in its.casefold()]
    return named[0] if named else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
