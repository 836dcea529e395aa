"""How long a cheap phone waits for the table, and for an alert once it is there:
python -m tools.first_picture [RUNS]

Chromium on a processor made 6 times slower, over 1.6 Mbit/s with 150 ms. Each run is a phone that was never here.
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

from engine.events import Event
from engine.simulate import plant
from tests.device.browser import CHROMIUM, QUIET
from tests.device.outputs.page.room import PHONE, Room, room
from tests.device.outputs.page.test_page import turufu

SLOWER = 6
LINE = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 1.6e6 / 8}
WAIT_MS, BETWEEN_MS = 2500, 250
BEFORE = 4
"""Events that happened before the phone came: a trick lies there."""
WATCH = """globalThis.found = {};
const painted = (then) => requestAnimationFrame(() => { const after = new MessageChannel(); after.port2.postMessage(0);
  after.port1.onmessage = then; });
new MutationObserver(() => {
  if (!found.live_ms && document.querySelector(".felt .laid .card")) {
    found.live_ms = performance.now();
    painted(() => { found.live_painted_ms = performance.now(); });
  }
  if (!found.alert_at_ms && document.querySelector("dialog.alarm[open]")) {
    found.alert_at_ms = -1;
    painted(() => { found.alert_at_ms = Date.now(); });
  }
}).observe(document, { childList: true, subtree: true, attributes: true });
new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint").forEach((one) => {
  found.first_picture_ms = one.startTime; })).observe({ type: "paint", buffered: true });"""
"""first_picture: the table as the device drew it; live: as the page's own modules draw it, and on the glass; alert:
from the table's view, which the lamps show too, to the glass."""


def one_run(browser: Any, table: Room, events: Iterable[Event]) -> dict[str, float]:
    """One phone that comes for the first time, and sees an illegal move."""
    held = browser.new_context(viewport=PHONE, device_scale_factor=2)
    page = held.new_page()
    page.add_init_script(WATCH)
    line = held.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(table.at)
    page.wait_for_timeout(WAIT_MS)
    for event in events:
        before_ms = 1e3 * time.time()
        table.add(event)
        if table.table.show.alert:
            break
        page.wait_for_timeout(BETWEEN_MS)
    page.wait_for_timeout(WAIT_MS)
    found: dict[str, float] = page.evaluate("found")
    held.close()
    found["alert_ms"] = found.pop("alert_at_ms") - before_ms
    return found


def main(runs: int) -> None:
    found = []
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for _ in range(runs):
            match = turufu()
            game: Any = match.judge
            events = list(plant("out_of_turn", game.game, Random(8), 0))
            with tempfile.TemporaryDirectory() as folder, room(Path(folder), match) as table:
                table.add(*events[:BEFORE])
                found.append(one_run(browser, table, events[BEFORE:]))
        browser.close()
    for name in ("first_picture_ms", "live_ms", "live_painted_ms", "alert_ms"):
        all_of_them = sorted(round(times[name]) for times in found)
        print(json.dumps({"what": name, "median": statistics.median(all_of_them), "all": all_of_them}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
