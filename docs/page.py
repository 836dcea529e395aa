"""Takes the README's picture of the page: python docs/page.py (needs chromium and playwright, as the tests do)."""

import shutil
import tempfile
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from engine.events import Board
from engine.match import Match
from engine.simulate import plant
from engine.simulate_mraha import honest_turns
from tests.device.outputs.page.conftest import QUIET
from tests.device.outputs.page.room import Room, room
from tests.device.outputs.page.test_page import NAMES, some_deals, turufu

OUT = Path(__file__).with_name("page.jpg")
TALL, GAP = 720, 24
PAPER = (232, 228, 218)


def shot(browser: Any, table: Room, size: tuple[int, int], scheme: str, scale: float = 1.0) -> Image.Image:
    held = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, device_scale_factor=scale
    )
    page = held.new_page()
    page.goto(table.at)
    page.locator(".felt, .bao svg, dialog.alarm").first.wait_for()
    page.wait_for_timeout(900)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    held.close()
    return picture.resize((round(picture.width * TALL / picture.height), TALL), Image.Resampling.LANCZOS)


def draw() -> list[Image.Image]:
    chromium = shutil.which("chromium")
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium, args=QUIET)
        pictures = []
        with room(Path(tempfile.mkdtemp()), turufu()) as table:
            table.add(*some_deals(table.table.match, 24))
            pictures.append(shot(browser, table, (1440, 900), "light"))
        match = Match("turufu", 4, {}, NAMES)
        game: Any = match.judge
        with room(Path(tempfile.mkdtemp()), match) as table:
            for event in plant("wrong_leader", game.game, Random(8), 0):
                table.add(event)
                if table.table.show.alert:
                    break
            pictures.append(shot(browser, table, (390, 844), "light", 2))
        match = Match("mraha", 2, {"show_counts": True})
        game = match.judge
        with room(Path(tempfile.mkdtemp()), match) as table:
            for turn in [None, *list(honest_turns(Random(5), game.game.flags))[:14]]:
                sides = game.game.opening.sides if turn is None else turn.after.sides
                table.add(Board(game.game.board_rows(sides)))
            pictures.append(shot(browser, table, (390, 844), "dark", 2))
        browser.close()
    return pictures


def main() -> None:
    pictures = draw()
    wide = sum(one.width for one in pictures) + GAP * (len(pictures) + 1)
    sheet = Image.new("RGB", (wide, TALL + 2 * GAP), PAPER)
    x = GAP
    for one in pictures:
        sheet.paste(one, (x, GAP))
        x += one.width + GAP
    sheet.resize((1400, round(1400 * sheet.height / sheet.width)), Image.Resampling.LANCZOS).save(OUT, quality=84)


if __name__ == "__main__":
    main()
