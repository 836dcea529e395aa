"""Tells the network that there is a page: hisabu.local and _http._tcp, through avahi where it runs."""

import asyncio
import contextlib
import logging
import shutil

from device.outputs.page.address import own_address

log = logging.getLogger(__name__)
COMMAND = "avahi-publish"
NAMES = ("hisabu.local", *(f"hisabu-{number}.local" for number in range(2, 10)))
"""Of several devices in one network each takes the first that is free."""
SERVICE = "_http._tcp"
LOOK_EVERY_S = 15.0
"""Between looks whether the address is still ours."""
SETTLED_S = 3.0
"""avahi answers that a name is taken within a second."""


async def announce(port: int, title: str = "Hisabu", every_s: float = LOOK_EVERY_S) -> None:
    """Announces until it is cancelled. Without avahi nothing is done: the displays show the address and its code."""
    if shutil.which(COMMAND) is None:
        log.info("no %s: the page is not announced (sudo apt install avahi-utils)", COMMAND)
        return
    running: list[asyncio.subprocess.Process] = []
    told: str | None = None
    number = 0
    try:
        while True:
            address = own_address()
            ended = any(process.returncode is not None for process in running)
            if address != told or ended:
                number = (number + 1) % len(NAMES) if ended and address == told else number
                await _end(running)
                running = [
                    await _begin("-a", "-R", NAMES[number], address),
                    await _begin("-s", title if number == 0 else f"{title} {number + 1}", SERVICE, str(port)),
                ]
                told = address
                await asyncio.sleep(min(SETTLED_S, every_s))
            else:
                await asyncio.sleep(every_s)
    finally:
        await _end(running)


async def _begin(*words: str) -> asyncio.subprocess.Process:
    quiet = asyncio.subprocess.DEVNULL
    return await asyncio.create_subprocess_exec(COMMAND, *words, stdin=quiet, stdout=quiet, stderr=quiet)


async def _end(running: list[asyncio.subprocess.Process]) -> None:
    for process in running:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        await process.wait()
    running.clear()
