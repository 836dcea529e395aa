"""The table's page on a phone: followed, answered, corrected, taken back; beside it a second phone."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device import words
from device.outputs.page.page import page_files
from device.outputs.page.state import log_of
from device.web.files import wire_size
from engine.events import Board, Correct, Deal, Play
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.rules.mraha import board_rows
from engine.simulate import honest_match, plant
from engine.simulate_mraha import honest_turns
from tests.device.outputs.page.room import Room, pair, phone, room, until, wired
from tests.engine.table import tell
from tests.sizes import slow

NAMES = ("Zaina", "Ali", "Moina", "Abdou")


def turufu() -> Match:
    return Match("turufu", 4, {}, NAMES)


def some_deals(match: Match, events: int) -> list[Any]:
    assert isinstance(match.judge, CardJudge)
    return list(honest_match(match.judge.game, Random(5), 60))[:events]


# -- without a browser -------------------------------------------------------------------------------------------------


def test_the_page_stays_small_on_the_wire() -> None:
    files = page_files()
    first = {name: file for name, file in files.items() if "uplot" not in name and not name.endswith(".txt")}
    assert wire_size(first) < 100_000
    assert wire_size({name: file for name, file in files.items() if not name.endswith(".txt")}) < 150_000


def test_the_page_brings_the_licences_of_what_it_is_made_with() -> None:
    text = page_files()["/w/vendor/LICENSES.txt"].plain.decode()
    assert all(name in text for name in ("preact", "htm", "uplot", "MIT License", "Apache License"))


def test_the_log_names_who_played_each_card_and_who_took_the_trick() -> None:
    match = turufu()
    for event in some_deals(match, 10):
        match.add(event)
    rows = log_of(match.told, 4, "en", NAMES)
    plays = [row for row in rows if row["event"] == "play"][:4]
    led = [event.seat for event in match.log if isinstance(event, Play)][:4]
    assert [row["seat"] for row in plays] == led
    # As a camera tells it: only the lead's hand was clear.
    unclear = turufu()
    for event in some_deals(match, 10):
        bare = replace(event, seat=None) if isinstance(event, Play) and event.seat != led[0] else event
        unclear.add(bare)
    seats = [row["seat"] for row in log_of(unclear.told, 4, "en", NAMES) if row["event"] == "play"]
    assert seats[:4] == led
    assert plays[-1]["trick"] == 1 and "won" in plays[-1]
    assert json.dumps(rows)


def test_no_file_of_the_page_names_another_place() -> None:
    for name, file in page_files().items():
        if name.endswith((".js", ".css", ".html")) and "/vendor/" not in name:
            text = file.plain.decode()
            assert "https://" not in text and "//cdn" not in text, name
            assert "innerHTML" not in text and "eval(" not in text, name


AT_ONCE = 6
"""Files that a browser fetches at a time from one place over HTTP/1.1."""


# -- with one ----------------------------------------------------------------------------------------------------------


def test_a_deal_is_followed_as_it_is_played(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_text("Deal the cards").first.wait_for()
        for event in some_deals(table.table.match, 24):
            table.add(event)
        view = table.table.match.view
        page.locator("[data-test=whose]").get_by_text(f"{NAMES[view.turn]} to play").wait_for()  # type: ignore[index]
        assert page.locator(".felt .laid").count() == len(view.trick or ())
        shown = page.locator(".felt .laid svg").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        assert shown == ["4 of diamonds", "5 of hearts", "queen of clubs"]
        assert page.locator(".score tbody tr").count() == 2
        until(page, "document.querySelector('[data-test=turn-said]').textContent.includes('to play')")


def test_the_table_is_drawn_after_two_ways_to_the_device_and_back(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table:
        table.add(*some_deals(table.table.match, 24))
        held = chromium.new_context()
        page = held.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.removeprefix(table.at)))
        page.route("**/w/link.js", lambda route: route.abort())  # All that comes later comes with it.
        page.goto(table.at)
        page.locator(".felt .laid").first.wait_for()
        html = page_files()["/index.html"].plain.decode()
        held.close()
    drawn_at_once = page_files()["/index.html"].plain
    assert b"{picture}" in drawn_at_once and b"stylesheet" not in drawn_at_once
    named = [url for url in asked if url not in ("", "w/link.js", "icon.svg") and not url.endswith(".webmanifest")]
    assert all(f'"/{url}"' in html for url in named), "the page itself names all of them: none waits for another"
    assert 0 < len(named) <= AT_ONCE, named
    assert asked.index("w/link.js") > max(asked.index(url) for url in named)


def out_of_turn(table: Room) -> None:
    """A card that was not its player's turn."""
    judge = table.table.match.judge
    assert isinstance(judge, CardJudge)
    for event in plant("out_of_turn", judge.game, Random(8), 0):
        table.add(event)
        if table.table.show.alert:
            break


def test_an_alert_fills_the_page_and_goes_when_it_is_answered(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        out_of_turn(table)
        page.locator("[data-test=alarm]").wait_for()
        assert page.locator("dialog.alarm").bounding_box() == {"x": 0, "y": 0, **{"width": 390, "height": 844}}
        assert "out of turn" in page.locator("[data-test=alarm]").inner_text()
        assert page.locator("dialog.alarm .card").count() == 1
        for heard in ("[data-test=alert-said]", "#alarm-said"):
            said = page.locator(heard).text_content()
            assert "played ace of spades out of turn" in said and "♠" not in said
        page.get_by_role("button", name="misread").click()
        page.locator("[data-test=alarm]").wait_for(state="detached")
        assert table.table.match.view.alert is None


def test_an_alert_is_read_from_its_beginning_and_once_hidden_stays_so(chromium: Any, tmp_path: Path) -> None:
    match = Match("turufu", 4, {}, ("Abdoul-Karim", "Zainaba", "Soilihi", "Moina"))
    with room(tmp_path, match) as table, phone(chromium, table.at) as page:
        page.set_viewport_size({"width": 360, "height": 640})
        page.evaluate("document.documentElement.style.fontSize = '150%'")  # As who sees badly sets it.
        out_of_turn(table)
        alarm = page.locator("dialog.alarm")
        alarm.wait_for()
        assert page.evaluate("document.querySelector('dialog.alarm').scrollTop") == 0
        assert alarm.evaluate("(one) => one.scrollHeight > one.clientHeight")
        page.get_by_role("button", name="Hide on this phone").click()
        alarm.wait_for(state="detached")
        inside = "document.querySelector('.score').getBoundingClientRect().right <= innerWidth"
        assert page.evaluate(inside), "all of the score"
        page.get_by_role("link", name="Log").click()
        page.get_by_role("link", name="Table").click()
        page.locator("button.alarm-line").wait_for()
        page.reload()
        page.locator("button.alarm-line").wait_for()
        assert alarm.count() == 0
        table.table.undo(None, "page")
        table.shown()
        page.locator("button.alarm-line").wait_for(state="detached")
        until(page, "sessionStorage.getItem('hisabu-hidden') === ''")


def test_what_is_told_stands_above_an_alert_and_not_behind_it(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, wired(table) as (wire, at), phone(chromium, at) as page:
        pair(page, table)
        out_of_turn(table)
        page.locator("dialog [data-test=alarm]").wait_for()
        wire.cut()
        told = page.locator("dialog.alarm [data-test=told]")
        told.get_by_text("No connection to the table").wait_for()
        page.get_by_role("button", name="misread").click()
        told.get_by_text("No connection to the table.", exact=True).wait_for()
        page.get_by_role("button", name="Hide on this phone").click()
        page.locator("body > [data-test=told]").wait_for()
        wire.mend()


def unread(table: Any) -> None:
    """A card that may be either of two."""
    table.add(Deal("7H", 3), Play(None, 0, candidates=("KD", "KH")))


def test_a_second_tap_answers_no_question_that_nobody_has_read(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        unread(table)
        table.add(Play(None, 1, candidates=("QD", "QH")))
        page.evaluate(
            """new MutationObserver((_, watch) => {
                const second = document.querySelector(".answers button");
                if (second?.textContent !== "K♦") return;
                watch.disconnect();
                setTimeout(() => second.click(), 100);
            }).observe(document.body, { childList: true, characterData: true, subtree: true })"""
        )
        page.get_by_role("button", name="Q♦", exact=True).click()
        other = page.get_by_role("button", name="K♥", exact=True)
        other.click()
        other.wait_for(state="detached")
        assert [play["card"] for play in table.table.match.view.trick or ()] == ["KH", "QD"]


@pytest.mark.slow
def test_of_two_phones_the_first_answer_counts_and_the_other_is_told(chromium: Any, tmp_path: Path) -> None:
    with (
        room(tmp_path, turufu()) as table,
        phone(chromium, table.at) as first,
        phone(chromium, table.at) as second,
    ):
        pair(first, table)
        pair(second, table)
        unread(table)
        first.get_by_role("button", name="K♦", exact=True).wait_for()
        second.get_by_role("button", name="K♥", exact=True).wait_for()
        key = table.table.show.prompt.key  # type: ignore[union-attr]
        first.get_by_role("button", name="K♦", exact=True).click()
        second.get_by_role("button", name="K♥", exact=True).wait_for(state="detached")
        assert table.table.match.view.trick[0]["card"] == "KD"  # type: ignore[index]
        # One that was on its way already: it names the question it is for.
        told = second.evaluate(
            """async (key) => { const { Link } = await import("/w/link.js");
               const line = await new Promise((there) => { const one = new Link({ state: () => there(one) }); });
               return line.ask("answer", { key, answer: 1 }).catch((error) => error.refused); }""",
            key,
        )
        assert told == "too_late"
        assert table.table.match.view.trick[0]["card"] == "KD"  # type: ignore[index]


def test_a_misread_card_is_corrected_and_what_was_taken_back_comes_back(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        for event in some_deals(table.table.match, 8):
            table.add(event)
        pair(page, table)
        page.get_by_role("link", name="Log").click()
        cards = page.locator("[data-test=log-card]")
        cards.first.wait_for()
        plays = sum(isinstance(told.event, Play) for told in table.table.match.told)
        assert cards.count() == plays
        newest = table.table.match.told[-1].number
        cards.first.click()
        free = next(card for card in ("3C", "3D", "3H") if card not in str(table.table.match.log))
        page.locator(f"[data-card='{free}']").click()
        page.locator(".was", has_text="was ").wait_for()
        assert any(told.number == 2 or told.corrected for told in table.table.match.told)
        page.locator("[data-test=undo]").click()
        page.locator(".was").wait_for(state="detached")
        page.locator("[data-test=undo]").click()
        until(page, "document.querySelectorAll('[data-test=log-card]').length === " + str(plays - 1))
        page.locator("[data-test=redo]").click()
        until(page, "document.querySelectorAll('[data-test=log-card]').length === " + str(plays))
        assert table.table.match.told[-1].number == newest
        assert not page.locator("[data-test=redo]").is_disabled(), "the correction can still be brought back"
        page.locator("[data-test=redo]").click()
        page.locator(".was", has_text="was ").wait_for()
        until(page, "document.querySelector('[data-test=redo]').disabled")
        page.get_by_role("button", name="Correct the card").click()
        unseen = next(card for card in ("4C", "4D", "4H") if card not in str(table.table.match.log))
        page.locator(f"[data-card='{unseen}']").click()
        until(page, "document.querySelector('.log').innerText.includes('Turned up: 4 of')")
        assert table.table.match.view.turn_up == unseen


@pytest.mark.slow
def test_the_log_goes_by_deals_and_four_cards_stand_in_one_line_on_a_phone(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.set_viewport_size({"width": 360, "height": 740})
        table.add(*some_deals(table.table.match, 80))
        page.get_by_role("link", name="Log").click()
        page.locator("[data-test=log-card]").first.wait_for()
        deals = sum(isinstance(told.event, Deal) for told in table.table.match.told)
        assert page.locator(".deal").count() == deals >= 2 and page.locator(".deal[open]").count() == 1
        page.locator(".deal").last.locator("[data-test=log-card]").first.wait_for(state="detached")
        page.get_by_role("button", name="Deal 1", exact=True).click()
        page.locator("#deal-1 [data-test=log-card]").first.wait_for()
        lines = page.evaluate(
            "[...document.querySelectorAll('.trick .cards')].map((one) => new Set([...one.children].map("
            "(card) => Math.round(card.getBoundingClientRect().top))).size)"
        )
        assert set(lines) == {1}
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_correction_says_which_card_was_read_before() -> None:
    match = Match("turufu", 4)
    tell(match, Deal("7H", 3), Play("5D", 0))
    said = match.add(Correct(2, {"card": "5H"}))
    assert words.sentence(said[0].to_dict(), "en", NAMES) == "Corrected: 5♥, was 5♦."
    row = log_of(match.told, 4, "en", NAMES, tuple(match.log))[-1]
    assert (row["card"], row["was"]) == ("5H", "5D")
    number = len(match.log) + 1
    tell(match, Play("6H", 1))
    assert words.sentence(match.add(Correct(number, {"seat": 2}))[0].to_dict(), "fr", NAMES).startswith(
        "Corrigé : Moina"
    )


def test_everything_since_a_trick_is_taken_back_at_once(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        for event in some_deals(table.table.match, 12):
            table.add(event)
        pair(page, table)
        page.get_by_role("link", name="Log").click()
        page.locator("[data-test=log-card]").last.click()
        page.locator("dialog").get_by_role("button", name="Take back to here").click()
        until(page, "document.querySelectorAll('[data-test=log-card]').length < 5")
        assert len(table.table.match.told) < 6


def test_who_is_not_paired_looks_and_changes_nothing(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        unread(table)
        page.get_by_role("button", name="Pair this phone to answer").wait_for()
        told = page.evaluate(
            """async () => { const { Link } = await import("/w/link.js");
               const line = await new Promise((there) => { const one = new Link({ state: () => there(one) }); });
               return line.ask("undo", {}).catch((error) => error.refused); }"""
        )
        assert told == "not_paired"
        assert len(table.table.match.log) == 2
        assert page.evaluate("document.cookie") == ""


def test_a_game_of_mraha_is_drawn_with_its_seeds_and_the_last_turns_path(chromium: Any, tmp_path: Path) -> None:
    match = Match("mraha", 2, {"show_counts": True})
    assert isinstance(match.judge, BoardJudge)
    game: Any = match.judge.game
    with room(tmp_path, match) as table, phone(chromium, table.at) as page:
        table.add(Board(board_rows(game.opening)))
        for turn in list(honest_turns(Random(5), game.flags))[:6]:
            table.add(Board(board_rows(turn.after)))
        page.locator(".bao .path polyline").first.wait_for(state="attached")
        pits, turn_of = table.table.match.view.pits, table.table.match.view.turn
        assert pits is not None and turn_of is not None
        page.locator("[data-test=whose]").get_by_text(f"{('South', 'North')[turn_of]} to play").wait_for()
        numbers = page.locator(".bao text.number").evaluate_all("all => all.map(one => Number(one.textContent))")
        assert numbers == [count for row in pits for count in row if count]
        assert page.locator(".bao ellipse.seed").count() == sum(map(sum, pits))


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_page_speaks_the_tables_language(chromium: Any, tmp_path: Path, language: str) -> None:
    with room(tmp_path, turufu(), language=language) as table, phone(chromium, table.at) as page:
        page.get_by_text(words.say(language, "page-phases-waiting_for_deal")).first.wait_for()
        assert page.evaluate("document.documentElement.lang") == language


def test_a_device_that_was_away_is_followed_again_by_itself(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, wired(table) as (wire, at), phone(chromium, at) as page:
        page.get_by_text("Deal the cards").first.wait_for()
        wire.cut()
        page.get_by_text("No connection to the table").wait_for()
        wire.mend()
        table.add(*some_deals(table.table.match, 3))
        page.get_by_text("No connection to the table").wait_for(state="detached")
        until(page, "document.querySelectorAll('.felt .laid').length === 2")


@pytest.mark.slow
def test_a_tab_shows_what_it_is_called_however_late_that_comes(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, wired(table) as (wire, at), phone(chromium, at) as page:
        page.get_by_text("Deal the cards").first.wait_for()
        waiting: list[Any] = []

        def holds(route: Any) -> None:
            waiting.append(route)

        page.route("**/mend.js", holds)
        page.get_by_role("link", name="Log").click()
        until(page, "document.body.innerText.includes('One moment')")
        page.get_by_role("link", name="House").click()
        page.get_by_role("heading", name="House").wait_for()
        waiting[0].continue_()
        page.unroute("**/mend.js")
        wire.cut()
        page.get_by_role("link", name="Matches").click()
        page.get_by_text("No connection to the table").wait_for()
        wire.mend()
        page.get_by_text("No match is kept yet").wait_for()
        page.get_by_role("link", name="House").click()
        page.get_by_role("heading", name="House").wait_for()
        wire.cut()  # So shortly that nobody is told of it.
        page.get_by_role("link", name="Matches").click()
        wire.mend()
        page.get_by_text("No match is kept yet").wait_for()


@pytest.mark.parametrize("sign", slow(".keypad", "dialog.sheet"))
def test_no_digit_is_lost_on_a_slow_phone(chromium: Any, tmp_path: Path, sign: str) -> None:
    """Typed as soon as there is a keypad, or even before the device has said how many digits there are."""
    with room(tmp_path, Match("turufu", 4)) as table, phone(chromium, table.at) as page:
        table.page.let_in()
        code = table.page.site.pairing.code
        page.get_by_role("button", name="Pair", exact=True).wait_for()
        page.evaluate(
            """([code, sign]) => new MutationObserver((_, watch) => {
                if (!document.querySelector(sign)) return;
                watch.disconnect();
                for (const key of code) dispatchEvent(new KeyboardEvent("keydown", { key }));
            }).observe(document.body, { childList: true, subtree: true })""",
            [code, sign],
        )
        browser = page.context.new_cdp_session(page)
        browser.send("Emulation.setCPUThrottlingRate", {"rate": 6})
        page.get_by_role("button", name="Pair", exact=True).click()
        page.get_by_text("This phone is paired").wait_for()
        browser.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def test_a_code_is_scanned_by_a_phone_that_has_the_page_already_and_keeps_nothing(
    chromium: Any, tmp_path: Path
) -> None:
    with room(tmp_path, turufu()) as table:
        page = chromium.new_context().new_page()
        page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
        page.goto(f"{table.at}#/pair/123456")
        page.get_by_text("press C and choose").wait_for()  # It was over, or another device's.
        page.locator(".waits, .felt").first.wait_for()
        table.page.let_in()
        page.goto(f"{table.at}#/pair/{table.page.site.pairing.code}")
        page.locator("[data-test=setup-0]").wait_for()
        assert len(table.page.site.phones.all()) == 1
        page.context.close()


def test_wrong_codes_are_told_and_close_pairing(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_role("button", name="Pair", exact=True).click()
        page.locator(".keypad").wait_for()
        page.get_by_text("press C and choose").wait_for()
        assert table.code is None, "nobody has a code shown who is not at the device"
        table.page.let_in()
        for number in range(5):
            until(page, "document.querySelector('.digits .next') !== null")
            page.keyboard.type("000000" if table.code != "000000" else "111111")
            text = "Wrong code" if number < 4 else "Too many wrong codes"
            page.get_by_text(text).wait_for()
            page.wait_for_timeout(50)
        page.wait_for_timeout(100)
        assert table.page.site.pairing.code, "others may pair meanwhile"
        assert page.locator(".keypad button").first.is_disabled()
