"""A USB cable: a pty that pyserial opens at one end, a Pico's TCP port at the other. Can be pulled, can be faulty."""

import os
import select
import socket
import threading
import time
import tty
from pathlib import Path
from random import Random

from tools.stand_ins.faults import FaultyLine


class Cable:
    """path is what the device opens. Pulled out, the port goes away as on USB; put back, it has the same name."""

    def __init__(self, path: Path, port: int, share: float = 0.0, seed: int = 1) -> None:
        self.path = path
        self.to_panel, self.from_panel = (FaultyLine(Random(seed + n), share) for n in range(2))
        self._tcp_port = port
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.put_back()

    def put_back(self) -> None:
        """The panel is plugged in."""
        master, slave = os.openpty()
        tty.setraw(slave)
        self.path.unlink(missing_ok=True)
        self.path.symlink_to(os.ttyname(slave))
        os.close(slave)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._carry, args=(master, self._stop), daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """The cable is out; harmless twice."""
        self.path.unlink(missing_ok=True)
        self._stop.set()
        assert self._thread
        self._thread.join()

    def __enter__(self) -> "Cable":
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    def mend(self) -> None:
        """No more faults."""
        self.to_panel.mend()
        self.from_panel.mend()

    def _carry(self, master: int, stop: threading.Event) -> None:
        with socket.create_connection(("127.0.0.1", self._tcp_port)) as pico:
            while not stop.is_set():
                ends: list[int | socket.socket] = [master, pico]
                readable, _, _ = select.select(ends, [], [], 0.002)
                now_ms = round(time.monotonic() * 1000)
                if master in readable:
                    try:
                        self.to_panel.send(os.read(master, 4096), now_ms)
                    except OSError:  # Nobody has the port open.
                        time.sleep(0.01)
                if pico in readable:
                    self.from_panel.send(pico.recv(4096), now_ms)
                pico.sendall(self.to_panel.arrived(now_ms))
                if data := self.from_panel.arrived(now_ms):
                    os.write(master, data)
        os.close(master)
