"""A hall put together: its store, its ear on the broker, its page."""

import contextlib
import subprocess
from pathlib import Path

from device import words
from device.hall.site import LIMITS, HallSite
from device.hall.store import Store
from device.hall.worker import MOST_UNCONFIRMED, Worker
from device.keeping.files import write_whole
from device.outputs.broker.link import Address
from device.outputs.broker.nearby import published
from device.outputs.page.address import url
from device.web import guard
from device.web.server import WebServer

CODE = "pair-code"
"""The code for a phone, while one is asked for."""


class Hall:
    """One hall. OSError: its store cannot be had."""

    def __init__(
        self,
        address: Address,
        store: str,
        folder: Path,
        place: tuple[str, int] | None,
        language: str,
        most_unconfirmed: int = MOST_UNCONFIRMED,
        share: bool = True,
    ) -> None:
        """place: where its page is; None: there is none, as for a worker beside others. most_unconfirmed: tables that
        are shown though they were not paired. share: as of the worker."""
        self.store = Store(store)
        self.worker = Worker(
            address, self.store, self._changed, language=language, most_unconfirmed=most_unconfirmed, share=share
        )
        self._language = language
        self._folder = folder
        self.site = HallSite(self.store, self.worker, folder, language, self._show_code) if place else None
        self._server = WebServer([place], self.site.app, LIMITS, self.site.known) if place and self.site else None
        self.code: str | None = None
        """What a phone has to type to be an arbiter's."""
        self._broker = address
        self._published: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begins. OSError: there is no broker, or no place for the page."""
        self.worker.start()
        self._published = published(self._broker)
        if self._server is None or self.site is None:
            return
        self._server.start()
        assert self._server.place is not None
        self.site.port = self._server.place[1]
        self.site.names = guard.own_names()
        print(words.say(self._language, "live-page", address=self.address), flush=True)

    @property
    def address(self) -> str | None:
        """Of its page."""
        return url(self._server.place) if self._server is not None and self._server.place else None

    def close(self) -> None:
        """Ends it; harmless twice."""
        if self._published is not None:
            self._published.terminate()
            self._published.wait()
            self._published = None
        if self._server is not None:
            self._server.close()
        self.worker.close()
        self.store.close()

    def _changed(self, table: str) -> None:
        if self.site is not None:
            self.site.table_changed(table)

    def _show_code(self, code: str | None) -> None:
        """The hall has no display: whoever started it sees the code."""
        self.code = code
        with contextlib.suppress(OSError):  # A hall that is a service has no terminal: `hisabu hall code` reads it.
            if code:
                write_whole(self._folder / CODE, f"{code}\n".encode(), mode=0o600)
            else:
                (self._folder / CODE).unlink(missing_ok=True)
        if code:
            print(words.say(self._language, "hall-code", code=code), flush=True)
