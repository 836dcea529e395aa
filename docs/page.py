"""Takes the pictures of the page: python -m docs.page (needs chromium and playwright, as the tests do)."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from device.cameras.simulated import SimulatedCamera
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.loop import run_through
from device.following.show import Show
from device.keeping.settings import Settings
from engine.events import Board
from engine.match import Match
from engine.simulate import honest_deal, plant
from engine.simulate_mraha import honest_turns
from tests.device.browser import CHROMIUM, QUIET
from tests.device.outputs.page.room import Room, room
from tests.device.outputs.page.test_page import NAMES, turufu
from vision.synthetic.play_cards import DrawnCardTable

TALL, GAP = 720, 24
PAPER = (232, 228, 218)
CAMERA = (960, 720)
EVENTS = 20
"""Of a deal that the camera watches: it ends with a trick on the table."""
SIZES = ((320, 640), (768, 1024), (1920, 1080))


def shot(browser: Any, table: Room, size: tuple[int, int], scheme: str, scale: float = 1.0) -> Image.Image:
    held = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, device_scale_factor=scale
    )
    page = held.new_page()
    page.goto(table.at)
    page.locator("nav a[aria-current]").first.wait_for(state="attached")
    page.locator(".felt .seat, .bao .seed, dialog.alarm").first.wait_for(state="attached")
    page.wait_for_timeout(900)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    held.close()
    return picture


def watched() -> Show:
    """What there is to show of a deal that the camera saw: cards lie there as they were laid."""
    match = turufu()
    game: Any = match.judge
    events = honest_deal(game.game, Random(5), 0).events[:EVENTS]
    camera = SimulatedCamera(DrawnCardTable(game.game, 1, CAMERA), events, real_time=False)
    settings = Settings(game="turufu", players=4, seats=NAMES, build="laptop", display="none", language="en")
    live = LiveTable(InMemory(match), settings, lambda _: InMemory(match))
    last: list[Show] = [live.show]

    class Last:
        name = "last"

        def show(self, show: Show) -> None:
            if len(show.view.get("trick") or ()) >= 3:
                last[0] = show

        def close(self) -> None:
            """Nothing to let go of."""

    run_through(camera, live, [Last()])
    return last[0]


@contextmanager
def shown(match: Match, show: Show | None = None, **settings: Any) -> Iterator[Room]:
    with tempfile.TemporaryDirectory() as folder, room(Path(folder), match, **settings) as table:
        if show is not None:
            table.page.show(show)
        yield table


def illegal(table: Room, match: Match) -> None:
    game: Any = match.judge
    for event in plant("out_of_turn", game.game, Random(8), 0):
        table.add(event)
        if table.table.show.alert:
            break


def sown(table: Room, match: Match) -> None:
    game: Any = match.judge
    for turn in [None, *list(honest_turns(Random(5), game.game.flags))[:14]]:
        sides = game.game.opening.sides if turn is None else turn.after.sides
        table.add(Board(game.game.board_rows(sides)))


def side_by_side(pictures: list[Image.Image], tall: int, gap: int) -> Image.Image:
    """All of them, as high as each other."""
    fitted = [
        picture.resize((round(picture.width * tall / picture.height), tall), Image.Resampling.LANCZOS)
        for picture in pictures
    ]
    sheet = Image.new(
        "RGB", (sum(picture.width for picture in fitted) + gap * (len(fitted) + 1), tall + 2 * gap), PAPER
    )
    x = gap
    for picture in fitted:
        sheet.paste(picture, (x, gap))
        x += picture.width + gap
    return sheet


def first_screen(browser: Any, deal: Show) -> Image.Image:
    """For the README: a deal on a wall, an illegal move on one phone, a turn of mraha on another."""
    with shown(turufu(), deal) as table:
        pictures = [shot(browser, table, (1440, 900), "light")]
    match = Match("turufu", 4, {}, NAMES)
    with shown(match) as table:
        illegal(table, match)
        pictures.append(shot(browser, table, (390, 844), "light", 2))
    match = Match("mraha", 2, {"show_counts": True})
    with shown(match) as table:
        sown(table, match)
        pictures.append(shot(browser, table, (390, 844), "dark", 2))
    return side_by_side(pictures, TALL, GAP)


def sizes(browser: Any, deal: Show) -> Image.Image:
    """The same in three sizes and languages."""
    rows = []
    for language, scheme in (("fr", "light"), ("shi", "dark"), ("en", "light")):
        match = Match("mraha", 2, {"show_counts": True})
        pictures = []
        with shown(match, language=language) as bao, shown(turufu(), language=language) as cards:
            sown(bao, match)
            cards.page.show(replace(deal, language=language, sentences=()))
            for number, size in enumerate(SIZES):
                pictures.append(shot(browser, bao if number == 1 else cards, size, scheme, 2 if number == 0 else 1))
        rows.append(side_by_side(pictures, TALL, GAP))
    sheet = Image.new("RGB", (rows[0].width, sum(picture.height for picture in rows)), PAPER)
    for number, picture in enumerate(rows):
        sheet.paste(picture, (0, number * picture.height))
    return sheet


def main() -> None:
    deal = watched()
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for name, wide, sheet in (
            ("page", 1400, first_screen(browser, deal)),
            ("page-sizes", 1000, sizes(browser, deal)),
        ):
            small = sheet.resize((wide, round(wide * sheet.height / sheet.width)), Image.Resampling.LANCZOS)
            small.save(Path(__file__).with_name(f"{name}.jpg"), quality=80)
        browser.close()


if __name__ == "__main__":
    main()
