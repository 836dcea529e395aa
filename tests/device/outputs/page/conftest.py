"""A browser for the tests of the page: Debian's chromium. Without one they are skipped; in CI never."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
]  # fmt: skip
"""Of its own accord it would look for updates and for its makers."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser."""
    try:
        if CHROMIUM is None:
            raise ImportError("no chromium is installed (sudo apt install chromium)")
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        if os.environ.get("HISABU_MUST_RUN_BROWSER"):
            raise
        pytest.skip(str(error))
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()
