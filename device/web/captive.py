"""What phones and computers ask of a network they just joined. In the device's own Wi-Fi every name leads here
(install.py); a phone is shown the page by its own doing, and once it saw it, it is told that all is well and stays."""

import ipaddress
from collections.abc import Callable

from aiohttp import web

_APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n"
_FIREFOX = '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>\n'
EXPECTED: dict[str, tuple[int, str, str]] = {
    "/generate_204": (204, "", "text/plain"),  # Android, ChromeOS, Chromium
    "/gen_204": (204, "", "text/plain"),
    "/hotspot-detect.html": (200, _APPLE, "text/html"),  # iOS, macOS
    "/library/test/success.html": (200, _APPLE, "text/html"),
    "/connecttest.txt": (200, "Microsoft Connect Test", "text/plain"),  # Windows 10 and 11
    "/ncsi.txt": (200, "Microsoft NCSI", "text/plain"),  # Windows 7 and 8
    "/success.txt": (200, "success\n", "text/plain"),  # Firefox
    "/canonical.html": (200, _FIREFOX, "text/html"),
    "/check_network_status.txt": (200, "NetworkManager is online\n", "text/plain"),  # GNOME, Fedora, Debian
    "/nm-check.txt": (200, "NetworkManager is online\n", "text/plain"),
}
"""Each question by its path, and the answer where there is an internet."""
MOST = 64
"""Phones that are remembered to have seen the page."""


class Captive:
    """Answers under names that are not ours, while our own Wi-Fi is open."""

    def __init__(self) -> None:
        self.page: Callable[[], str | None] = lambda: None
        """The page's address in our own Wi-Fi; None: that is not open."""
        self.net = ipaddress.ip_network("10.42.0.0/24")
        self._saw: dict[str, None] = {}

    def saw(self, address: str) -> None:
        """This phone has the page before it."""
        if self.page() is not None and self._inside(address):
            self._saw.pop(address, None)
            self._saw[address] = None
            while len(self._saw) > MOST:
                del self._saw[next(iter(self._saw))]

    def answer(self, request: web.Request) -> web.Response | None:
        """The answer to a request for another place; None: it is not from our own Wi-Fi."""
        page, address = self.page(), request.remote or ""
        if page is None or request.method not in ("GET", "HEAD") or not self._inside(address):
            return None
        expected = EXPECTED.get(request.path)
        if expected is not None and address in self._saw:
            status, text, kind = expected
            return web.Response(status=status, text=text or None, content_type=kind if text else None)
        return web.Response(status=302, headers={"Location": page})

    def _inside(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        mapped = getattr(found, "ipv4_mapped", None)
        return (mapped or found) in self.net
