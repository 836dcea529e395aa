"""A whole small tournament by hand in the browser; every view of the hall is for everybody."""

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from device import words
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.hall.office import OWNER
from device.hall.run import Hall
from device.hall.site import SILENT_S
from device.hall.store import FORKED
from device.keeping.settings import Settings
from device.outputs.broker.messages import packed, topic
from device.outputs.broker.output import told
from device.web.site import Visitor
from engine.events import Event, Play
from engine.match import Match
from tests.device.hall.brokers import Mosquitto, mosquitto, soon
from tests.device.hall.test_desk import Table
from tests.device.outputs.page.room import phone, until
from tests.device.outputs.page.test_access import axe, findings
from tests.engine.table import deal, play, tell

__all__ = ["axe"]
VIEWS = ("players", "round", "slips", "standings", "tables", "log")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def language() -> str:
    """The hall's."""
    return "en"


@pytest.fixture
def hall(broker: Mosquitto, tmp_path: Path, language: str) -> Iterator[Hall]:
    hall = Hall(broker.address, str(tmp_path / "hall.db"), tmp_path / "hall", ("127.0.0.1", 0), language)
    hall.start()
    yield hall
    hall.close()


def pair(page: Any, hall: Hall) -> None:
    assert hall.site is not None
    before = len(hall.site.phones.all())
    page.locator(".top > button").click()
    soon(lambda: hall.code)
    page.locator(".keypad").wait_for()
    page.keyboard.type(str(hall.code))
    soon(lambda: len((hall.site is not None and hall.site.phones.all()) or ()) > before)
    page.locator(".keypad").wait_for(state="detached")
    page.locator("dialog.sheet input.text").fill(f"Arbiter {before + 1}")
    page.locator("dialog.sheet button.main").click()
    page.locator("dialog.sheet").wait_for(state="detached")
    page.locator(".top > button").wait_for(state="detached")


@pytest.mark.slow
def test_a_whole_small_tournament_by_hand(chromium: Any, hall: Hall, tmp_path: Path) -> None:
    assert hall.address
    with phone(chromium, hall.address) as page, phone(chromium, hall.address) as other:
        pair(page, hall)
        page.get_by_role("link", name="Tournaments").click()
        page.get_by_label("Title").fill("Mwaka")
        page.get_by_role("button", name="Swiss").click()
        page.get_by_role("button", name="1", exact=True).click()
        page.get_by_label("Rounds").fill("2")
        page.get_by_role("button", name="Begin").click()
        page.get_by_label("Names, one entry a line").fill("Nom;Cote\nZaïna;1500\nAli;1400\nFatima;1300\nAli;1200")
        page.get_by_role("button", name="Enter", exact=True).click()
        page.get_by_text("Line 5: Ali is entered twice").wait_for()
        page.get_by_label("Names, one entry a line").fill("Nom;Cote\nZaïna;1500\nAli;1400\nFatima;1300\nSaïd;1200")
        page.get_by_role("button", name="Enter", exact=True).click()
        page.get_by_text("Entries: 4").first.wait_for()
        page.get_by_role("button", name="Rename: Saïd").click()
        page.get_by_label("Name", exact=True).fill("Saïd M.")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("link", name="Saïd M.").wait_for()
        page.get_by_role("button", name="Draw round 1").click()
        rows = page.locator("[data-test=meeting]")
        until(page, "document.querySelectorAll('[data-test=meeting]').length === 2")
        other.goto(page.url)
        other.locator("[data-test=meeting]").first.wait_for()
        assert other.locator("input").count() == 0, "who only looks changes nothing"
        for at, (first, second) in enumerate([("4", "1"), ("2", "4")]):
            rows.nth(at).get_by_role("spinbutton").first.fill(first)
            rows.nth(at).get_by_role("spinbutton").last.fill(second)
            rows.nth(at).get_by_role("button", name="Enter result").click()
            rows.nth(at).locator("[data-test=games]").wait_for()
        other.get_by_text("4 – 1").wait_for()
        rows.first.get_by_role("button", name="Correct").click()
        rows.first.get_by_role("spinbutton").first.fill("3")
        rows.first.get_by_role("spinbutton").last.fill("4")
        rows.first.get_by_role("button", name="Enter result").click()
        page.get_by_label("Why?").fill("the slip was misread")
        page.get_by_role("button", name="yes").click()
        page.get_by_text("3 – 4").wait_for()
        page.get_by_role("link", name="Players").click()
        for name, code in (("Saïd", "utf-16"), ("Moïna", "windows-1252")):  # Excel's "Unicode text", and its CSV.
            by_excel = {"name": "joueurs.txt", "mimeType": "text/plain", "buffer": f"{name}\t1000\r\n".encode(code)}
            page.locator("input[type=file]").set_input_files(by_excel)
            until(page, f"document.querySelector('textarea').value.startsWith('{name}\\t1000')")
        page.get_by_role("button", name="Enter", exact=True).click()
        page.get_by_role("link", name="Moïna").wait_for()
        page.get_by_role("button", name="Leaves: Fatima").click()
        page.get_by_role("button", name="Is back: Fatima").wait_for()
        page.get_by_role("button", name="Draw round 2").click()
        page.get_by_role("heading", name="Round 2").wait_for()
        rows.nth(1).get_by_text("Other…").click()
        rows.nth(1).get_by_role("button", name="walkover").first.click()
        rows.nth(1).get_by_text("walkover", exact=True).wait_for()
        rows.first.get_by_role("spinbutton").first.fill("4")
        rows.first.get_by_role("spinbutton").last.fill("0")
        rows.first.get_by_role("button", name="Enter result").click()
        page.get_by_role("button", name="End the tournament").click()
        page.get_by_role("button", name="Reopen").wait_for()
        page.get_by_role("link", name="Standings").click()
        page.locator("[data-test=standing]").first.wait_for()
        assert page.locator("[data-test=standing]").count() == 5
        assert "Opponents" in page.locator(".standings").inner_text()
        page.get_by_text("Download…").click()
        with page.expect_download() as saved:
            page.get_by_role("button", name="standings.csv").click()
        assert "Zaïna" in Path(saved.value.path()).read_text(encoding="utf-8-sig")
        page.get_by_role("link", name="Changes").click()
        page.locator("q", has_text="the slip was misread").wait_for()
        page.get_by_role("link", name="League").click()
        page.locator("[data-test=line]").first.wait_for()
        assert page.locator("[data-test=line]").count() == 4, "a walkover counts for nobody's rating"
        page.locator("[data-test=line] a").first.click()
        page.get_by_role("heading", name="Matches").wait_for()
        page.get_by_role("button", name="Forget this player").click()
        page.get_by_role("button", name="for good").click()
        page.get_by_text("The name is gone").wait_for()
        until(page, "document.querySelectorAll('[data-test=line]').length === 3")
    site = hall.site
    assert site is not None
    again = site.office.desk.register
    (subject,) = site.office.desk.all
    told = [(change.who, change.what["do"]) for change in again.changes(subject)]
    assert len(told) == 13 and {who for who, _ in told} == {site.phones.all()[0].name}


def says(hall: Hall, table: str, what: str, message: Mapping[str, Any]) -> None:
    """A message of a table, as the broker brings it."""
    hall.worker.hear(topic(table, what), packed(message), False)


def test_a_result_comes_from_its_table_by_itself(chromium: Any, hall: Hall, tmp_path: Path) -> None:
    assert hall.site is not None and hall.address
    desk = hall.site.office.desk
    says(hall, "a", "status", {"online": True, "newest": 0})
    subject = desk.begin("x", {"title": "Mwaka", "form": "swiss", "side": 1}, ["a"])
    desk.ask(subject, "x", {"do": "enter", "text": "Zaïna\nAli"})
    desk.ask(subject, "x", {"do": "draw"})
    with phone(chromium, f"{hall.address}#/tournament/{subject}") as page:
        page.locator("[data-test=meeting]").wait_for()
        games = Table(hall.store, tmp_path, "a").play(3)
        says(hall, "a", "view", {"view": {"winner": 0, "phase": "match_over"}})
        page.get_by_text("from a").wait_for()
        assert sorted(page.locator("[data-test=games]").inner_text().split(" – ")) == sorted(map(str, games))


def names_told(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    """Two tables are there; which of them is told which names, from now on, sorted."""
    told: list[tuple[str, tuple[str, ...]]] = []

    def command(table: str, command: Mapping[str, Any]) -> bool:
        told.append((table, tuple(sorted(command["names"]))))
        return True

    monkeypatch.setattr(hall.worker, "command", command)
    for table in "ab":
        says(hall, table, "status", {"online": True})
    return told


def test_a_table_is_told_who_sits_there_once_and_that_they_got_up(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else what is played there afterwards would be theirs."""
    assert hall.site is not None
    told = names_told(hall, monkeypatch)
    desk = hall.site.office.desk
    subject = desk.begin("x", {"title": "Mwaka", "form": "swiss", "side": 1}, ["a", "b"])
    desk.ask(subject, "x", {"do": "enter", "text": f"Zaïna\nAli\nFatima\n{'y' * 40}"})
    hall.site.phones.add("Moina", OWNER)
    owner = Visitor(web.WebSocketResponse(), hall.site.phones.all()[0])

    def ask(**change: object) -> None:
        assert hall.site is not None
        asked = hall.site.asked(owner, "tournament", {"id": subject, "why": "seen", "change": change})
        with ThreadPoolExecutor(1) as other:  # The browser's loop runs in this thread.
            other.submit(asyncio.run, asked).result()

    ask(do="draw")
    (first, second) = desk.book(subject)[0].rounds[0].sittings
    short = next(at for at, sitting in enumerate((first, second)) if "4" not in sitting.meeting.all)
    device = (first, second)[short].device
    assert [(table, len(names)) for table, names in told] == [(device, 2)], "a name that does not fit is not cut"
    ask(do="result", round=0, at=1 - short, games=[4, 1])
    assert len(told) == 1
    ask(do="result", round=0, at=short, games=[4, 1])
    assert told[1:] == [(device, ())]


def test_who_is_moved_to_a_table_sits_there_though_a_tournament_that_drew_later_used_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hall.site is not None
    told = names_told(hall, monkeypatch)
    desk = hall.site.office.desk
    first = desk.begin("x", {"title": "Mwaka", "form": "swiss", "side": 1}, ["a", "b"])
    desk.ask(first, "x", {"do": "enter", "text": "Zaïna\nAli"})
    desk.ask(first, "x", {"do": "draw"})
    later = desk.begin("x", {"title": "Sada", "form": "swiss", "side": 1}, ["b"])
    desk.ask(later, "x", {"do": "enter", "text": "Fatima\nSaïd"})
    desk.ask(later, "x", {"do": "draw"})
    soon(lambda: sorted(told) == [("a", ("Ali", "Zaïna")), ("b", ("Fatima", "Saïd"))])
    desk.ask(later, "x", {"do": "end"})
    soon(lambda: told[2:] == [("b", ())])
    desk.ask(first, "x", {"do": "move", "round": 0, "at": 0, "table": 2}, "the camera fell")
    soon(lambda: ("b", ("Ali", "Zaïna")) in told[3:])


def test_what_is_asked_before_the_line_is_up_waits_for_it(
    chromium: Any, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert hall.address
    prepare = web.WebSocketResponse.prepare

    async def late(socket: web.WebSocketResponse, request: web.Request) -> Any:
        await asyncio.sleep(0.4)
        return await prepare(socket, request)

    with phone(chromium, hall.address) as page:
        pair(page, hall)
        monkeypatch.setattr(web.WebSocketResponse, "prepare", late)
        for where, comes in (("league", "No match counts yet"), ("phones", "This phone")):
            page.goto(f"{hall.address}#/{where}")
            page.reload()
            page.get_by_text(comes).first.wait_for()
            assert page.locator("[data-test=told]").inner_text() == ""


@pytest.mark.slow
def test_the_owner_says_what_a_phone_may(chromium: Any, hall: Hall) -> None:
    assert hall.address and hall.site is not None
    with phone(chromium, hall.address) as first, phone(chromium, hall.address) as second:
        pair(first, hall)
        pair(second, hall)
        first.get_by_role("link", name="Phones").click()
        first.get_by_label("Your name").fill("Zaïna")
        first.get_by_role("button", name="Save").click()
        rows = first.locator("[data-test=phone]")
        until(first, "document.querySelectorAll('[data-test=phone]').length === 2")
        second.get_by_role("link", name="Tournaments").click()
        second.get_by_label("Title").wait_for()
        other = rows.filter(has_not_text="this phone")
        other.get_by_role("button", name="Watcher").click()
        second.get_by_label("Title").wait_for(state="detached")
        other.get_by_role("button", name="Forget").click()
        second.get_by_role("button", name="Pair").wait_for()
        assert [phone.role for phone in hall.site.phones.all()] == [OWNER]


def full_wall(hall: Hall, language: str) -> None:
    """Tables of every kind: one that plays, an illegal card, a question, a log that forked, one silent, one gone."""

    def shown(name: str, table: LiveTable, title: str = "") -> None:
        says(hall, name, "status", {"online": True, "title": title or f"Table {name}"})
        says(hall, name, "view", told(replace(table.show, seats=("Zaïna", "Ali", "Moinaécha Abdou", "Saïd"))))

    assert hall.site is not None

    def played(*more: Event) -> LiveTable:
        match = Match("turufu", 4)
        tell(match, deal(3, "3S"), play("AH", 0), *more)
        return LiveTable(InMemory(match), Settings(language=language), lambda now: InMemory(Match("turufu", 4)))

    shown("playing", played())
    shown("illegal", played(Play("9H", 1)), "Table de la grande place, à l'ombre")
    shown("asks", played(Play(None, 1, candidates=("KD", "KH"))))
    for name in ("forked", "silent", "away"):
        shown(name, played())
    hall.worker.tables["forked"].trouble = FORKED
    hall.worker.tables["silent"].changed_s -= 2 * SILENT_S
    says(hall, "away", "status", {"online": False})
    for name in ("forked", "silent"):
        hall.site.table_changed(name)


@pytest.mark.parametrize("language", ["fr"])
def test_a_table_of_another_language_is_told_in_the_halls(chromium: Any, hall: Hall) -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0), play("9H", 1))
    table = LiveTable(InMemory(match), Settings(language="en"), lambda now: InMemory(Match("turufu", 4)))
    says(hall, "x", "status", {"online": True, "title": "Table x"})
    says(hall, "x", "view", told(table.show))
    assert table.show.alert and "marks the games lost" in table.show.alert
    assert hall.address
    with phone(chromium, hall.address) as page:
        tile = page.locator(".urgent [data-test=tile]")
        tile.get_by_text("Cette carte marque les jeux perdus").wait_for()
        page.evaluate("location.hash = '#/screen'")
        page.locator("[data-test=big-table]").get_by_text("Cette carte marque les jeux perdus").wait_for()


def filled(hall: Hall, language: str = "en") -> str:
    """A hall in the middle of a tournament, with tables of every kind; the tournament's name."""
    assert hall.site is not None
    full_wall(hall, language)
    desk = hall.site.office.desk
    subject = desk.begin("Moinaécha", {"title": "Tournoi de l'Aïd", "form": "swiss", "side": 2, "game": "turufu"}, [])
    text = "Zaïna;Ali\nFatima;Saïd\nMoinaécha Abdou;Abdallah Houmadi\nHalima;Soulaïmana;1500;Sada\nAnli;Echati"
    desk.ask(subject, "Moinaécha", {"do": "enter", "text": text})
    spots = [{"number": 1, "device": "table-1"}, {"number": 2}, {"number": 3, "broken": True}]
    desk.ask(subject, "Moinaécha", {"do": "tables", "spots": spots})
    for number in range(2):
        held = desk.ask(subject, "Moinaécha", {"do": "draw"})
        for at, _ in enumerate(held.rounds[-1].sittings[: 2 - number]):
            what = {"do": "result", "round": number, "at": at, "games": [4, 1 + at]}
            desk.ask(subject, "Moinaécha", what, "noté à la main")
    return subject


def to_view(page: Any, hash_: str, wait: str) -> None:
    page.evaluate(f"location.hash = '{hash_}'")
    page.locator(wait).first.wait_for()
    page.wait_for_timeout(60)


def test_the_arbiters_name_is_asked_when_pairing_and_stands_beside_his_changes(chromium: Any, hall: Hall) -> None:
    assert hall.address and hall.site is not None
    with phone(chromium, hall.address) as page:
        page.locator(".top > button").click()
        page.get_by_text("sudo hisabu hall code").wait_for()
        soon(lambda: hall.code)
        page.locator(".keypad").wait_for()
        page.keyboard.type(str(hall.code))
        page.get_by_role("textbox", name="Your name").fill("  Moinaécha ")
        page.get_by_role("button", name="Save").click()
        page.get_by_text("Moinaécha: this name is shown with everything you change.").wait_for()
        assert [phone.name for phone in hall.site.phones.all()] == ["Moinaécha"]
        page.goto(f"{hall.address}#/tournaments")
        page.get_by_label("Title").fill("Mwaka")
        page.get_by_role("button", name="Begin").click()
        page.get_by_role("link", name="Changes").click()
        page.locator("ol.said li", has_text="Moinaécha").first.wait_for()


def test_a_log_of_changes_says_how_many_older_ones_it_does_not_show(
    chromium: Any, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.hall.tournament.sheet.MOST_TOLD", 2)
    monkeypatch.setattr("device.hall.office.MOST_TOLD", 2)
    assert hall.address and hall.site is not None
    desk = hall.site.office.desk
    subject = desk.begin("x", {"title": "Mwaka", "form": "swiss", "side": 1}, [])
    for names in ("Zaïna", "Ali", "Fatima"):
        desk.ask(subject, "x", {"do": "enter", "text": names})
    for _ in range(5):
        hall.store.note("x", "a: undo", "seen")
    with phone(chromium, hall.address) as page:
        pair(page, hall)
        for where, older in ((f"tournament/{subject}/log", 2), ("phones", 3)):
            page.goto(f"{hall.address}#/{where}")
            page.get_by_text(f"Older changes, not shown: {older}").wait_for(timeout=5000)
            assert page.locator("ol.said li").count() == 2


def test_a_television_shows_tables_then_pairings_then_standings(chromium: Any, hall: Hall) -> None:
    subject = filled(hall)
    assert hall.address and hall.site is not None
    with phone(chromium, hall.address) as page:
        page.set_viewport_size({"width": 1920, "height": 1080})
        page.clock.install()
        page.goto(f"{hall.address}#/screen")
        table = page.locator("[data-test=big-table]", has_text="Table playing")
        table.wait_for()
        assert "Ali & Saïd" in table.inner_text() and "Ali to play" in table.inner_text()
        assert table.get_by_role("img", name="Trump").count() == 1
        assert page.locator(".top").count() == 0, "nothing to touch"
        size_px = float(table.locator(".big-side b").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))
        assert size_px >= 48, "read from the other end of a hall"
        page.locator(".big-dots i").nth(2).wait_for()
        seen = []
        for _ in range(3):
            page.clock.run_for(12_100)
            seen.append(page.locator("[data-test=screen] h1").inner_text())
        assert seen == ["Tournoi de l'Aïd · Round 2", "Tournoi de l'Aïd · Standings", "Hall"]
        assert page.evaluate("document.documentElement.scrollHeight") <= 1080
        hall.site.office.desk.ask(subject, "Moinaécha", {"do": "end"})
        page.clock.run_for(12_100)
        soon(lambda: page.locator(".big-dots i").count() == 1)


PAGES = (("#/", ".needs-silent"), ("#/table/illegal", "[role=alert]"), ("#/table/asks", ".close .row button"),
         ("#/tournaments", "[data-test=tournament]"), ("#/league", "[data-test=line]"),
         ("#/phones", "[data-test=phone]"))  # fmt: skip


def every_view(page: Any, hall: Hall, subject: str) -> Iterator[str]:
    for hash_, wait in PAGES:
        to_view(page, hash_, wait)
        yield hash_
    for view in VIEWS:
        to_view(page, f"#/tournament/{subject}/{view}", f".tabs-row, [aria-current=page][href$='/{view}']")
        yield view
    person = min(hall.site.office.desk.register.names()) if hall.site else 0
    to_view(page, f"#/player/{person}", "h2.big")
    yield "player"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view(chromium: Any, hall: Hall, axe: str, scheme: str) -> None:
    subject = filled(hall)
    assert hall.address
    with phone(chromium, hall.address, color_scheme=scheme) as page:
        pair(page, hall)
        for view in every_view(page, hall, subject):
            assert findings(page, axe) == [], view


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 768, 1920])
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_view_is_wider_than_the_screen_in_any_language(
    chromium: Any, hall: Hall, tmp_path: Path, width: int, language: str
) -> None:
    subject = filled(hall, language)
    assert hall.address
    with phone(chromium, hall.address) as page:
        pair(page, hall)
        page.set_viewport_size({"width": width, "height": 900})
        for view in every_view(page, hall, subject):
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view
            name = view.replace("#/", "").replace("/", "-") or "wall"
            page.screenshot(path=str(tmp_path / f"{name}-{width}.png"), full_page=True)


def test_a_slip_and_a_sheet_fit_on_paper(chromium: Any, hall: Hall, tmp_path: Path) -> None:
    subject = filled(hall)
    with phone(chromium, f"{hall.address}#/tournament/{subject}/slips") as page:
        page.locator(".slip").first.wait_for()
        page.emulate_media(media="print")
        assert page.locator(".top").is_hidden() and page.locator(".slip").count() == 1
        page.pdf(path=str(tmp_path / "slips.pdf"), format="A4")
        assert (tmp_path / "slips.pdf").read_bytes().startswith(b"%PDF")
        page.screenshot(path=str(tmp_path / "slips.png"))
