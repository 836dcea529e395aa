"""Takes the picture for docs/hall.md: python -m docs.hall (needs chromium, playwright and mosquitto)."""

import shutil
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from device.hall.run import Hall
from tests.device.browser import QUIET
from tests.device.hall.brokers import mosquitto
from tests.device.hall.test_tournament_page import filled

OUT = Path(__file__).with_name("hall.png")
COLOURS = 128
"""Enough for a page of text."""


def main() -> None:
    """A round, and the standings beside it."""
    folder = Path(tempfile.mkdtemp())
    with mosquitto(folder) as broker, sync_playwright() as player:
        hall = Hall(broker.address, str(folder / "hall.db"), folder, ("127.0.0.1", 0), "en")
        hall.start()
        subject = filled(hall)
        browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        pictures = []
        for view, wait in (("round", "[data-test=meeting]"), ("standings", "[data-test=standing]")):
            page = browser.new_page(viewport={"width": 680, "height": 720})
            page.goto(f"{hall.address}#/tournament/{subject}/{view}")
            page.locator(wait).first.wait_for()
            page.wait_for_timeout(300)
            pictures.append(Image.open(BytesIO(page.screenshot())).convert("RGB"))
        browser.close()
        hall.close()
    whole = Image.new("RGB", (sum(picture.width for picture in pictures) + 16, pictures[0].height), "#e8e4da")
    for at, picture in enumerate(pictures):
        whole.paste(picture, (at * (picture.width + 16), 0))
    small = whole.resize((1000, round(whole.height * 1000 / whole.width)), Image.Resampling.LANCZOS)
    small.quantize(COLOURS).save(OUT, optimize=True)


if __name__ == "__main__":
    main()
