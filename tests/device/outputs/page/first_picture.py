"""How long a cheap phone waits for the table: python -m tests.device.outputs.page.first_picture [RUNS]

Chromium on a processor made 6 times slower, over 1.6 Mbit/s with 150 ms. Each run is a phone that was never here.
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.device.outputs.page.conftest import CHROMIUM, QUIET
from tests.device.outputs.page.room import PHONE, room
from tests.device.outputs.page.test_page import some_deals, turufu

SLOWER = 6
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}
WAIT_MS = 2500
WATCH = """globalThis.found = {};
new MutationObserver(() => {
  if (found.live_ms || !document.querySelector(".felt .laid .card")) return;
  found.live_ms = performance.now();
  requestAnimationFrame(() => { const after = new MessageChannel(); after.port2.postMessage(0);
    after.port1.onmessage = () => { found.live_painted_ms = performance.now(); }; });
}).observe(document, { childList: true, subtree: true });
new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint").forEach((one) => {
  found.first_picture_ms = one.startTime; })).observe({ type: "paint", buffered: true });"""
"""first_picture: the table as the device drew it; live: as the page's own modules draw it, and on the glass."""


def one_run(browser: Any, at: str) -> dict[str, float]:
    """One phone that comes for the first time."""
    held = browser.new_context(viewport=PHONE, device_scale_factor=2)
    page = held.new_page()
    page.add_init_script(WATCH)
    line = held.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(at)
    page.wait_for_timeout(WAIT_MS)
    found: dict[str, float] = page.evaluate("found")
    held.close()
    return found


def main(runs: int) -> None:
    with sync_playwright() as player, tempfile.TemporaryDirectory() as folder, room(Path(folder), turufu()) as table:
        table.add(*some_deals(table.table.match, 24))
        browser = player.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        found = [one_run(browser, table.at) for _ in range(runs)]
        browser.close()
    for name in ("first_picture_ms", "live_ms", "live_painted_ms"):
        all_of_them = sorted(round(one[name]) for one in found)
        print(json.dumps({"what": name, "median": statistics.median(all_of_them), "all": all_of_them}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
