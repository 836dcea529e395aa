"""A browser for the tests of the page: Debian's chromium. Without one they are skipped; in CI never."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"))), None
)
"""The shell has no windows to draw: the tests of the page take two thirds of the processor's time in it."""
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
]  # fmt: skip
"""Of its own accord it would look for updates and for its makers."""


@pytest.fixture(scope="session")
def browser() -> Iterator[tuple[Any, asyncio.AbstractEventLoop]]:
    """The browser, and the loop that drives it. One for all tests of a worker: a start costs a second of processor,
    and a phone that was used before draws sooner."""
    try:
        if CHROMIUM is None:
            raise ImportError("no chromium is installed (sudo apt install chromium-headless-shell)")
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        if os.environ.get("HISABU_MUST_RUN_BROWSER"):
            raise
        pytest.skip(str(error))
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield chromium, loop
        asyncio._set_running_loop(loop)
        chromium.close()


@pytest.fixture(scope="module")
def chromium(browser: tuple[Any, asyncio.AbstractEventLoop]) -> Iterator[Any]:
    """The browser, for the tests of one file. Only there its loop counts as the running one: tests elsewhere run their
    own in the same thread."""
    chromium, loop = browser
    asyncio._set_running_loop(loop)
    yield chromium
    asyncio._set_running_loop(None)
