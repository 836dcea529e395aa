"""When the device opens a Wi-Fi of its own: no known network answers. While nobody uses it, it looks again at times."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from device.machine import network
from device.machine.network import Connected, NotJoined, Own, Wifi

log = logging.getLogger(__name__)
OPEN, CLOSE = "open", "close"


@dataclass(frozen=True)
class HotspotWaits:
    """How long what is waited for."""

    at_start_s: float = 45.0
    """NetworkManager finds a known network within half of that."""
    gone_s: float = 120.0
    """A router that starts again takes as long."""
    again_s: float = 300.0
    """Between looks for a known network, while nobody uses our own."""
    look_s: float = 40.0
    """How long such a look lasts."""
    every_s: float = 5.0


class Decider:
    """What to do next. Knows nothing of nmcli, and of time only what it is told."""

    def __init__(self, waits: HotspotWaits = HotspotWaits()) -> None:
        self._waits = waits
        self._alone_since_s: float | None = None
        self._patience_s = waits.at_start_s
        self._opened_s: float | None = None

    def next(self, now_s: float, state: Connected, used: bool) -> str | None:
        """OPEN or CLOSE the own Wi-Fi, or leave it. used: somebody is in it."""
        if state.own:
            if self._opened_s is None or used:
                self._opened_s = now_s
            if state.online or now_s - self._opened_s > self._waits.again_s:
                self._patience_s, self._alone_since_s, self._opened_s = self._waits.look_s, now_s, None
                return CLOSE
            return None
        self._opened_s = None
        if state.online:
            self._alone_since_s, self._patience_s = None, self._waits.gone_s
            return None
        if self._alone_since_s is None:
            self._alone_since_s = now_s
        alone_s = now_s - self._alone_since_s
        if state.device is None or (state.coming and alone_s < 2 * self._patience_s):
            return None
        return OPEN if alone_s >= self._patience_s else None


class Hotspot:
    """The thread that does it. Any thread may ask."""

    def __init__(
        self,
        own: Callable[[], Own],
        opened: Callable[[Own | None], None],
        used: Callable[[], bool] = lambda: False,
        waits: HotspotWaits = HotspotWaits(),
        nm: Any = network,
    ) -> None:
        """own: the device's Wi-Fi. opened: told when it opens, and with None when it closes. used: whether a phone is
        on the page."""
        self._own, self._opened, self._used, self._waits, self._nm = own, opened, used, waits, nm
        self._stop = threading.Event()
        self._busy = threading.Lock()
        self._thread: threading.Thread | None = None
        self._logged = ""
        self.state = Connected(None, False, False, False)
        self.heard: tuple[Wifi, ...] = ()
        """What was heard while our own Wi-Fi was not open: a radio that is one hears little else."""
        self.last: dict[str, str] | None = None
        """The Wi-Fi that was to be joined last, and what came of it."""

    def start(self) -> None:
        """Begins, where NetworkManager is there."""
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends; harmless twice. The own Wi-Fi stays as it is: the device comes back to it."""
        self._stop.set()

    def _run(self) -> None:
        if not self._nm.there():
            return
        decider = Decider(self._waits)
        told: bool | None = None
        while not self._stop.wait(self._waits.every_s if told is not None else 0):
            try:
                with self._busy:
                    told = self._look(decider, told)
            except Exception:  # Whatever nmcli says: the next look may be better.
                log.exception("the network could not be looked at")
                told = told or False

    def _look(self, decider: Decider, told: bool | None) -> bool:
        """One look. told: whether our own Wi-Fi was said to be open."""
        self.state = state = self._nm.connected()
        self._log(state)
        if not state.own and state.device is not None and (told is None or not state.online):
            self.heard = tuple(self._nm.nearby()) or self.heard
        action = decider.next(time.monotonic(), state, self._used())
        if action == OPEN and state.device is not None:
            log.warning("no known network answers: the device opens a Wi-Fi of its own")
            opened = self._nm.open_own(self._own(), state.device)
            log.warning("its own Wi-Fi is %s", "open" if opened else "not to be had")
            self.state = state = self._nm.connected()
        elif action == CLOSE:
            log.info("the own Wi-Fi closes: %s", "a network is there" if state.online else "a look for known networks")
            self._nm.close_own()
            self.state = state = self._nm.connected()
        if state.own != told:
            self._opened(self._own() if state.own else None)
        return bool(state.own)

    def _log(self, state: Connected) -> None:
        """Says once what the decision rests on."""
        if state.online:
            now = "the device is in a network: it opens no Wi-Fi of its own"
        elif state.device is None:
            now = "the device is in no network and has no radio: it cannot open a Wi-Fi of its own"
        else:
            now = "" if state.own else "the device is in no network"
        if now and now != self._logged:
            log.warning("%s", now)
        self._logged = now

    def nearby(self) -> tuple[Wifi, ...]:
        """What is heard now, with what was heard before."""
        if not self.state.own:
            self.heard = tuple(self._nm.nearby()) or self.heard
        return self.heard

    def listen(self) -> None:
        """Hears anew what is there. The own Wi-Fi is closed meanwhile, and stays so where a known network answers."""
        with self._busy:
            state = self._nm.connected()
            if state.own and state.device is not None:
                self._nm.close_own()
                self.heard = tuple(self._nm.nearby()) or self.heard
                found = self._nm.connected()
                if not (found.online or found.coming):
                    self._nm.open_own(self._own(), state.device)
            self.state = self._nm.connected()

    def join(self, ssid: str, password: str) -> str:
        """Joins a Wi-Fi; what came of it: joined, or one of NotJoined's codes. If it fails, the own Wi-Fi opens again
        at once where it was open."""
        with self._busy:
            state = self.state = self._nm.connected()
            code = "joined"
            if state.device is None:
                code = "failed"
            else:
                try:
                    hidden = all(ssid != wifi.ssid for wifi in self.heard)
                    self._nm.join(ssid, password, state.device, hidden)
                except NotJoined as error:
                    code = error.code
                    if state.own:
                        self._nm.open_own(self._own(), state.device)
            self.last = {"ssid": ssid, "code": code}
            self.state = self._nm.connected()
        log.warning("the Wi-Fi that a phone chose: %s", code)
        return code
