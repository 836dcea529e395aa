"""Tells the network that there is a page: hisabu.local and _http._tcp, through avahi where it runs."""

import asyncio
import contextlib
import logging
import os
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
TAKEN = b"collision"
"""What avahi's program says last, when it ends because a name is taken; it also ends with the daemon."""


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
            ended = [process for process in running if process.returncode is not None]
            if address != told or ended:
                taken = ended and address == told and await _name_is_taken(running[0])
                number = (number + 1) % len(NAMES) if taken else number
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


async def _name_is_taken(named: asyncio.subprocess.Process) -> bool:
    """Whether it ended for that. Of a title that is taken avahi says so too, and goes on with another."""
    said = await named.stderr.read() if named.returncode is not None and named.stderr else b""
    return TAKEN in b"".join(said.splitlines()[-1:])


async def _begin(*words: str) -> asyncio.subprocess.Process:
    quiet, english = asyncio.subprocess.DEVNULL, {**os.environ, "LC_ALL": "C.UTF-8"}
    return await asyncio.create_subprocess_exec(
        COMMAND, *words, stdin=quiet, stdout=quiet, stderr=asyncio.subprocess.PIPE, env=english
    )


async def _end(running: list[asyncio.subprocess.Process]) -> None:
    for process in running:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        await process.communicate()
    running.clear()
