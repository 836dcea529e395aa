"""Writes docs/evening.md and its pictures: an organiser's evening, as it was typed and seen.

    python -m docs.evening        needs chromium, playwright and mosquitto

A real Mosquitto runs with the files that `hisabu hall setup` makes, a real hall with the words of its unit, a table
with a drawn camera that joined by its code; the phone and the television are Chromium. Only the steps of the setup that
change a machine (apt, users, services) are noted and not done.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from device.following.menu import JOIN, Menu
from device.hall import setup
from device.hall.run import CODE
from device.hall.setup import Wanted, codes_of, plan_setup
from device.keeping.broker_code import joined
from device.keeping.settings import Settings, save
from device.machine.install import InstallTarget, carry_out
from device.words import say
from tests.device.browser import QUIET
from tests.device.hall.brokers import Mosquitto, free_port, soon

DOCS = Path(__file__).parent
ROOT = DOCS.parent
COLOURS = 96
"""Enough for pages of text."""
TABLES = 3
NAMES = "Zaïna, Ali\nFatima, Saïd\nMoinaécha, Abdou\nHalima, Soula\nAnli, Echati\nRoukia, Daoud"


class EveningPage:
    """The page as it grows."""

    def __init__(self) -> None:
        self._lines = [
            "# An organiser's evening, as it was typed and seen", "",
            "Six pairs, three tables, one of them with a device; a hall set up from nothing. Made by",
            "`python -m docs.evening`: what stands here was typed into the real programs, and is what they answered.",
        ]  # fmt: skip

    def title(self, text: str) -> None:
        """A part of the evening."""
        self._lines += ["", f"## {text}"]

    def say(self, text: str) -> None:
        """A sentence."""
        self._lines += ["", text]

    def terminal(self, typed: str, seen: Sequence[str]) -> None:
        """A command and its answer."""
        self._lines += ["", f"    $ {typed}", *(f"    {line}".rstrip() for line in seen)]

    def list(self, lines: Sequence[str]) -> None:
        """Lines, one below the other."""
        self._lines += ["", *(f"- {line}" for line in lines)]

    def step(self, did: str, seen: str) -> None:
        """What was touched or typed, and what could be read then."""
        if not self._lines[-1].startswith("|"):
            self._lines += ["", "| done | seen |", "|---|---|"]
        self._lines.append(f"| {did} | {' '.join(seen.split())} |")

    def picture(self, name: str, about: str, taken: bytes, width: int) -> None:
        """A screenshot."""
        image = Image.open(BytesIO(taken)).convert("RGB")
        small = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
        small.quantize(COLOURS).save(DOCS / f"evening-{name}.png", optimize=True)
        self._lines += ["", f"![{about}](evening-{name}.png)"]

    def write(self) -> None:
        """The file."""
        (DOCS / "evening.md").write_text("\n".join(self._lines) + "\n", encoding="utf-8")


def set_up(told: EveningPage, folder: Path) -> tuple[InstallTarget, setup.Codes]:
    """`hisabu hall setup`, with the commands that change the machine noted."""
    tree = folder / "tree"
    users = "".join(f"{name}:x:0:0::/:/bin/sh\n" for name in ("root", setup.USER, setup.BROKER_USER))
    for name, text in {"etc/passwd": users, "etc/group": "root:x:0:\n", "usr/lib/hisabu/bin/hisabu": ""}.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    target, wanted = InstallTarget(tree, running=True), Wanted(tables=TABLES, language="en")
    codes = codes_of(target, wanted)
    noted: list[str] = []

    def note(words: Sequence[str]) -> int:
        noted.append(" ".join(words))
        return 0

    carry_out(plan_setup(target, wanted, ROOT, codes), target, lambda line: None, dry=False, run=note)
    seen = [*noted, "…", say("en", "hall-setup-done", port=8090)]
    seen += [say("en", "hall-setup-table", table=code.table, code=code.text) for code in codes.tables]
    told.terminal(
        f"sudo hisabu hall setup --tables {TABLES}", [*seen, say("en", "hall-setup-again", folder=setup.SETTINGS)]
    )
    return target, codes


def broker_of(target: InstallTarget, folder: Path) -> Mosquitto:
    """A real Mosquitto with the files that were made."""
    made = target.at(setup.CONFIGURATION).read_text().splitlines()
    lines = [line for line in made if not line.startswith(("#", "listener"))]
    here = str(target.at(setup.RIGHTS).parent)
    return Mosquitto(folder, [line.replace("/etc/mosquitto", here) for line in lines]).start()


def hall_of(target: InstallTarget, port: int, folder: Path) -> tuple["subprocess.Popen[bytes]", str]:
    """A real hall, by the words of its unit; its page."""
    page = free_port()
    words = setup.unit_text(target, Wanted(language="en")).split("ExecStart=")[1].splitlines()[0].split()[1:]
    changed = {
        "mqtt://localhost": f"mqtt://127.0.0.1:{port}", str(setup.PASSWORD): str(target.at(setup.PASSWORD)),
        str(setup.STATE): str(folder), "0.0.0.0:8090": f"127.0.0.1:{page}",
    }  # fmt: skip
    command = [sys.executable, "-m", "device.cli", *(changed.get(word, word) for word in words)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    return process, f"http://127.0.0.1:{page}/"


def join(told: EveningPage, codes: setup.Codes, port: int, folder: Path) -> "subprocess.Popen[bytes]":
    """The menu of the first table, press by press; then that table plays."""
    menu = Menu.open(Settings(language="en"), {}).told(["mqtt://hall.local"], away=False)

    def choose(item: str, what: str) -> None:
        nonlocal menu
        items = menu._items(menu.path[-1])
        steps = (items.index(item) - menu.path[-1].chosen) % len(items)
        for _ in range(steps):
            menu = menu.press("A").menu or menu
        menu = menu.press("C").menu or menu
        told.step(f"{what}: A {steps} times, C" if steps else f"{what}: C", f"{menu.page.title}: {menu.page.lines[0]}")

    told.step("C opens the menu", menu.page.lines[-1])
    choose("broker", "*Broker*")
    choose(JOIN, "*Code of the hall*")
    code = codes.tables[0].text
    for digit in code.replace(" ", ""):
        choose(digit, digit)
    told.step("*Done*", "the menu closes, and the table is on the hall's page")
    home = folder / "table-1"
    base = Settings(language="en", broker=f"mqtt://127.0.0.1:{port}", game="turufu", matches=str(home / "matches"))
    save(home / "settings.toml", joined(base, code, home))
    command = [
        sys.executable,
        "-m",
        "device.cli",
        "run",
        "--camera",
        "simulated",
        "--settings",
        str(home / "settings.toml"),
    ]
    return subprocess.Popen([*command, "--page", "off"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def pair(told: EveningPage, phone: Any, folder: Path) -> None:
    """The organiser's phone, with the code from the terminal."""
    phone.locator(".top > button").click()
    phone.locator(".keypad").wait_for()
    told.step("Touches *Pair*", phone.locator("dialog p").first.inner_text())
    soon((folder / CODE).exists)
    waits = subprocess.run(
        [sys.executable, "-m", "device.cli", "hall", "code", "--folder", str(folder), "--lang", "en"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    told.step("On the machine: `sudo hisabu hall code`", waits.stdout)
    phone.keyboard.type(waits.stdout.split()[-1])
    phone.locator("dialog.sheet input.text").wait_for()
    told.step("Types it", phone.locator("dialog h2").inner_text())
    phone.locator("dialog.sheet input.text").fill("Moinaécha")
    phone.locator("dialog.sheet button.main").click()
    phone.locator("[data-test=told] span", has_text="Moinaécha").wait_for()
    told.step("Types *Moinaécha*, *Save*", phone.locator("[data-test=told]").inner_text())


def begin(told: EveningPage, phone: Any) -> None:
    """A tournament, its entries, the first draw."""
    phone.get_by_role("link", name="Tournaments").click()
    phone.get_by_label("Title").fill("Mwaka")
    phone.get_by_role("button", name="Swiss").click()
    phone.get_by_label("Rounds").fill("2")
    phone.get_by_role("button", name="Begin").click()
    phone.get_by_label("Names, one entry a line").wait_for()
    told.step("*Tournaments*, title *Mwaka*, *Swiss*, 2 players an entry, 2 rounds, *Begin*", "Players: nobody yet")
    phone.get_by_label("Names, one entry a line").fill(NAMES)
    phone.get_by_role("button", name="Enter", exact=True).click()
    phone.locator("[data-test=entry]").nth(5).wait_for()
    told.step("Pastes six lines, *Enter*", phone.locator("main h2", has_text="Entries").inner_text())
    phone.get_by_role("link", name="Tables", exact=True).last.click()
    for _ in range(TABLES - 1):
        phone.get_by_role("button", name="One more table").click()
    phone.get_by_role("button", name="Save").click()
    phone.wait_for_timeout(500)
    told.step("*Tables*: two more beside the device's, *Save*", " · ".join(_numbers(phone)))
    draw(told, phone, 1)


def _numbers(phone: Any) -> list[str]:
    return [f"table {number}" for number in phone.locator(".entry .num").all_inner_texts()]


def draw(told: EveningPage, phone: Any, number: int) -> None:
    """A round."""
    phone.get_by_role("button", name=f"Draw round {number}").click()
    phone.get_by_role("heading", name=f"Round {number}").wait_for()
    phone.locator("[data-test=meeting]").nth(2).wait_for()
    lines = [
        " – ".join(meeting.locator(".who-side").all_inner_texts())
        for meeting in phone.locator("[data-test=meeting]").all()
    ]
    told.step(f"*Draw round {number}*", "; ".join(lines))


def results(told: EveningPage, phone: Any, games: Sequence[tuple[int, int]]) -> None:
    """Each told by hand, as the slips come in. A first result asks for no reason."""
    for at, (first, second) in enumerate(games):
        row = phone.locator("[data-test=meeting]").nth(at)
        for side, number in enumerate((first, second)):
            row.locator("input.number").nth(side).fill(str(number))
        row.get_by_role("button", name="Enter result").click()
        row.locator("[data-test=games]").wait_for()
        told.step(f"Row {at + 1}: {first} and {second}, *Enter result*", row.locator(".by").inner_text())


def main() -> None:
    """The evening, and the file."""
    told, folder = EveningPage(), Path(tempfile.mkdtemp(prefix="hisabu-evening-"))
    running: list[Any] = []
    try:
        told.title("The machine")
        target, codes = set_up(told, folder)
        broker = broker_of(target, folder)
        state = folder / "state"
        state.mkdir()
        hall, page = hall_of(target, broker.port, state)
        running += [hall]
        told.title("A table takes its code")
        table = join(told, codes, broker.port, folder)
        running += [table]
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
            phone = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=2)
            soon(lambda: _opens(phone, page), 60.0)
            phone.locator("[data-test=tile]").first.wait_for(timeout=60_000)
            told.title("The organiser's phone")
            told.step("Opens the hall's page", phone.locator("[data-test=tile]").first.inner_text())
            pair(told, phone, state)
            told.title("The tournament")
            begin(told, phone)
            slips(told, phone)
            television(told, browser, page)
            told.title("Results, the second round, the end")
            results(told, phone, ((4, 2), (1, 4), (4, 3)))
            correct(told, phone)
            draw(told, phone, 2)
            results(told, phone, ((4, 0), (2, 4), (3, 4)))
            phone.get_by_role("button", name="End the tournament").click()
            phone.get_by_role("link", name="Standings").click()
            phone.locator("[data-test=standing]").first.wait_for()
            first = phone.locator("[data-test=standing]").first.locator("th").evaluate("e => e.firstChild.textContent")
            told.step("*End the tournament*, *Standings*", f"first: {first}")
            phone.wait_for_timeout(300)
            told.picture("standings", "The standings on a phone", phone.screenshot(), 390)
            changes(told, phone)
            browser.close()
        told.write()
    finally:
        for process in running:
            process.terminate()
            process.wait()
        broker.kill()
        shutil.rmtree(folder, ignore_errors=True)


def _opens(phone: Any, page: str) -> bool:
    try:
        phone.goto(page)
    except Exception:
        time.sleep(0.3)
        return False
    return True


def slips(told: EveningPage, phone: Any) -> None:
    """What lies on each table."""
    phone.get_by_role("link", name="Slips for the tables").click()
    phone.locator(".slip").first.wait_for()
    told.step("*Slips for the tables*, *Print*", f"slips: {phone.locator('.slip').count()}, one for each table")
    held = phone.viewport_size
    phone.emulate_media(media="print")
    phone.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 dots an inch.
    told.picture("slip", "A slip as it is printed", phone.locator(".slip").first.screenshot(), 420)
    phone.set_viewport_size(held)
    phone.emulate_media(media="screen")
    phone.get_by_role("link", name="Rounds").click()
    phone.locator("[data-test=meeting]").first.wait_for()


def television(told: EveningPage, browser: Any, page: str) -> None:
    """Nothing is touched there any more."""
    wall = browser.new_page(viewport={"width": 1920, "height": 1080})
    wall.goto(f"{page}#/screen")
    wall.locator(".big-dots i").nth(2).wait_for()
    wall.locator("[data-test=big-table]").first.wait_for()
    told.say("On the television, opened once with `#/screen` behind the page's address:")
    told.picture("television", "The television: the tables", wall.screenshot(), 760)
    wall.locator("[data-test=screen] h1", has_text="Round 1").wait_for(timeout=30_000)
    told.picture("pairings", "Twelve seconds later: who plays whom", wall.screenshot(), 760)
    wall.close()


def correct(told: EveningPage, phone: Any) -> None:
    """What overrules something does ask for a reason."""
    row = phone.locator("[data-test=meeting]").first
    row.get_by_role("button", name="Correct").click()
    for side, number in enumerate((4, 1)):
        row.locator("input.number").nth(side).fill(str(number))
    row.get_by_role("button", name="Enter result").click()
    why = phone.locator("dialog.sheet")
    why.locator("input.text").wait_for()
    told.step("Row 1 was read wrong: *Correct*, 4 and 1, *Enter result*", why.locator(".label").inner_text())
    why.locator("input.text").fill("the slip says 4 to 1")
    why.locator("button.main").click()
    why.wait_for(state="detached")
    row.locator("[data-test=games]", has_text="4 – 1").wait_for()
    told.step("*the slip says 4 to 1*, *Yes*", row.locator("[data-test=games]").inner_text())


def changes(told: EveningPage, phone: Any) -> None:
    """Who did what."""
    phone.get_by_role("link", name="Changes").click()
    phone.locator("ol.said li").first.wait_for()
    rows = [line.locator("b").inner_text() + line.inner_text().partition(line.locator("b").inner_text())[2]
            for line in phone.locator("ol.said li").all()]  # fmt: skip
    told.say("Under *Changes* everything stands with who did it, the newest first:")
    told.list(rows)


if __name__ == "__main__":
    main()
