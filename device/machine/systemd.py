"""Tells systemd how it goes: ready, alive, stopping. Does nothing where systemd did not start the program."""

import os
import socket
from collections.abc import Mapping

FEEDS_PER_LIMIT = 3
"""How often the watchdog is fed within its limit: systemd advises two; three bears one that is late."""


class Notifier:
    """Datagrams to the socket that systemd names in the environment (sd_notify(3))."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        at = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + at[1:] if at.startswith("@") else at
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) if at else None
        meant_for = environment.get("WATCHDOG_PID", "")
        limit_us = environment.get("WATCHDOG_USEC", "")
        mine = not meant_for or meant_for == str(os.getpid())
        self.feed_every_s = int(limit_us) / 1e6 / FEEDS_PER_LIMIT if self._socket and mine and limit_us else None
        """None: nobody watches."""

    @property
    def there(self) -> bool:
        """Whether systemd started the program, and starts it again."""
        return self._socket is not None

    def ready(self) -> None:
        """The start is over."""
        self._send("READY=1")

    def alive(self) -> None:
        """Feeds the watchdog."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The end has begun."""
        self._send("STOPPING=1")

    def status(self, text: str) -> None:
        """The line that `systemctl status` shows."""
        self._send("STATUS=" + text.replace("\n", " "))

    def close(self) -> None:
        """Lets go of the socket; harmless twice."""
        if self._socket:
            self._socket.close()
        self._socket = None

    def _send(self, message: str) -> None:
        if not self._socket:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError:
            return  # systemd will notice by itself; the table must not.
