"""Who may ask a page for what: names it answers to, where requests come from, what a browser may do with an answer."""

import ipaddress
import re
import socket
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

LONGEST_HOST = 255
"""Of a name, as DNS has it."""
MOST_ADDRESSES = 256
"""Addresses whose pace is remembered at a time."""

HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Server": "hisabu",
}
"""On every answer."""


SELF = "'self'"
STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)


def style_hashes(page: bytes) -> tuple[str, ...]:
    """The styles that stand in a page, as its policy names them: these and no others count."""
    return tuple(f"'sha256-{b64encode(sha256(style).digest()).decode()}'" for style in STYLE.findall(page))


def policy(host: str, styles: Collection[str] = ()) -> str:
    """The Content-Security-Policy of a page that was asked for under this name. styles: those that stand in it."""
    # Older Safaris do not count a WebSocket of the same origin among 'self'.
    return (
        f"default-src 'none'; script-src 'self'; style-src {' '.join((SELF, *styles))}; img-src 'self' blob:; "
        f"connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def own_names(more: Collection[str] = ()) -> frozenset[str]:
    """The names of this machine, and more."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    return frozenset({"localhost", host, short, f"{short}.local", *(header.lower() for header in more)})


@dataclass(frozen=True)
class Names:
    """The names a server answers to. A foreign page may have its own name lead here (DNS rebinding): it is refused."""

    known: Callable[[], Collection[str]]

    def answers_to(self, host: str | None) -> bool:
        """Whether a Host header names this machine: by an address, which no foreign page can take, or by its name."""
        name = _name_of(host)
        if name is None:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self.known()
        return True


def _name_of(host: str | None) -> str | None:
    """The name in a Host header, without its port; None: it is none."""
    if not host or len(host) > LONGEST_HOST or any(sign in host for sign in "/\\@?#, \t"):
        return None
    try:
        split = urlsplit(f"//{host}")
        _ = split.port  # ValueError, where that is no number.
        return split.hostname
    except ValueError:
        return None


def same_origin(origin: str | None, host: str) -> bool:
    """Whether an Origin header is that of the page which this host serves."""
    return origin is not None and origin.lower() == f"http://{host.lower()}"


def foreign(fetch_site: str | None, fetch_mode: str | None) -> bool:
    """Whether a browser says that another site's page asks, and not a person who followed a link."""
    return fetch_site in ("cross-site", "same-site") and fetch_mode != "navigate"


def net_of(address: str) -> str:
    """Whose an address is taken to be. Who has one IPv6 address has all of its /64 to take others from; within one link
    each is its own.

    >>> net_of("2001:db8:1:2:3::4"), net_of("::ffff:192.0.2.7"), net_of("fe80::1%eth0")
    ('2001:db8:1:2::/64', '192.0.2.7', 'fe80::1%eth0')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_link_local and not found.is_loopback:
            return str(ipaddress.ip_network((int(found), 64), strict=False))
    return address


class Pace:
    """So many requests at once from one address, and so many a second after that."""

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, address: str, now_s: float) -> bool:
        """Whether one more request may be answered."""
        left, since_s = self._left.pop(address, (self._burst, now_s))
        left = min(self._burst, left + (now_s - since_s) * self._per_s)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now_s)
        while len(self._left) > MOST_ADDRESSES:
            del self._left[next(iter(self._left))]
        return allowed
