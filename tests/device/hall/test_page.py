"""The hall's page in a browser: what needs an arbiter is first, and an arbiter can act where the table allows it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.hall.run import Hall
from engine.events import Play
from tests.device.hall.brokers import Mosquitto, mosquitto, soon
from tests.device.outputs.broker.test_broker import Following
from tests.device.outputs.page.room import phone
from tests.sizes import slow


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def hall(broker: Mosquitto, tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(broker.address, str(tmp_path / "hall.db"), tmp_path / "hall", ("127.0.0.1", 0), "en")
    hall.start()
    yield hall
    hall.close()


def cheat(table: Following) -> None:
    """An illegal card, and the table says so."""
    table.live.add(Play("9H", 1))
    table.show()


def is_calm(page: Any, table: Following) -> bool:
    """No table needs an arbiter. Shown again as a table's loop does it: it may just have been taken back."""
    table.show()
    return not page.get_by_role("heading", name="Needs an arbiter").count()


def test_what_needs_an_arbiter_is_first_and_can_be_put_right(
    chromium: Any, broker: Mosquitto, hall: Hall, tmp_path: Path
) -> None:
    quiet = Following(broker.address, tmp_path / "b", name="b", title="Table b")
    loud = Following(broker.address, tmp_path / "a", title="Table a")
    assert hall.address
    with phone(chromium, hall.address) as page:
        page.get_by_text("Tables here: 2").wait_for()
        cheat(loud)
        page.get_by_role("heading", name="Needs an arbiter").wait_for()
        assert "9♥" in page.locator(".urgent [data-test=tile]").inner_text()
        assert page.locator("[data-test=tile]").first.inner_text().startswith("Table a")
        page.locator(".urgent [data-test=tile]").click()
        page.get_by_role("alert").first.wait_for()
        page.get_by_role("button", name="Pair").last.click()
        soon(lambda: hall.code)
        page.locator(".keypad").wait_for()
        page.keyboard.type(str(hall.code))
        page.get_by_role("textbox", name="Your name", exact=True).fill("Moinaécha")
        page.get_by_role("button", name="Save").click()
        page.locator("dialog.sheet").wait_for(state="detached")  # Behind it nothing can be typed.
        why = page.get_by_label("Why?")
        why.fill("the nine was a marker")
        page.get_by_role("button", name="Take back the last event").click()
        page.get_by_text("Pair this table first").wait_for()
        page.get_by_role("button", name="Allow this hall to act").click()
        page.get_by_text("At the table press C").wait_for()
        loud.output.pairing.open()
        soon(lambda: loud.code)
        page.get_by_role("button", name="Allow this hall to act").click()
        page.get_by_label("Code of the table").wait_for()
        page.get_by_label("Code of the table").fill(str(loud.code))
        page.get_by_role("button", name="yes").click()
        page.get_by_text("can now act at this table").wait_for()
        page.get_by_text("This table is not paired.").wait_for(state="detached")  # It comes anew, signed.
        page.get_by_role("alert").first.wait_for()
        before = loud.logged
        page.get_by_role("button", name="Take back the last event").click()
        soon(lambda: loud.logged > before)
        page.get_by_role("link", name="All tables").click()
        page.get_by_text("Tables here: 2").wait_for()
        soon(lambda: is_calm(page, loud))
    (_, _, what, reason) = hall.store.notes()[0]
    assert "undo" in what and reason == "the nine was a marker"
    quiet.output.close()
    loud.output.close()


@pytest.mark.parametrize("width", [320, *slow(1920)])
def test_the_wall_fits_a_phone_and_a_projector(
    chromium: Any, broker: Mosquitto, hall: Hall, tmp_path: Path, width: int
) -> None:
    tables = [Following(broker.address, tmp_path / f"t{n}", name=f"t{n}") for n in range(5)]
    cheat(tables[3])
    assert hall.address
    with phone(chromium, hall.address) as page:
        page.set_viewport_size({"width": width, "height": 900})
        page.get_by_text("Tables here: 5").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=str(tmp_path / "wall.png"))
    for table in tables:
        table.output.close()
