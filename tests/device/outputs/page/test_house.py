"""The page for the house: settings, the camera's picture, a table set up from nothing, matches that are kept."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from device import words
from device.following.live import LiveTable
from device.keeping.journal import MatchRecord, recover_file
from device.keeping.players import counts_of
from device.keeping.settings import Settings
from device.outputs.page import archive
from device.outputs.page.archive import Archive, ArchiveError, Shelf
from device.outputs.page.house import changed, house_of
from device.web.pairing import Phone
from device.web.site import Refused, Visitor
from engine.events import Deal, Play
from engine.games import GAMES
from engine.journal import read_journal
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match, plant
from tests.device.outputs.page.room import Nobody, comes, pair, phone, room, until
from vision.frame import Frame

NAMES = ("Zaina", "Ali", "Moina", "Abdou")
MOST_TAPS = 10
SCANNED_TAPS = 2
"""To take up the two codes on the display: the Wi-Fi's, and the page's."""


def turufu(*names: str) -> Match:
    return Match("turufu", 4, {}, names)


def kept_match(folder: Path, deals: int = 1, fault: bool = False, finish: bool = True) -> Match:
    match = turufu(*NAMES)
    record = MatchRecord.begin(folder, match)
    assert isinstance(match.judge, CardJudge)
    if fault:
        events: Any = plant("out_of_turn", match.judge.game, Random(8), 0)
    else:
        events = honest_match(match.judge.game, Random(deals), deals)
    for event in events:
        record.add(event)
    record.finish() if finish else record.close()
    return match


# -- settings ----------------------------------------------------------------------------------------------------------


def test_every_house_rule_has_a_line_that_says_what_it_means() -> None:
    for language in ("fr", "shi", "en"):
        for kind in GAMES.values():
            house = house_of(Settings(game=kind.name, players=kind.players, language=language))
            for option in house["options"]:
                assert option["about"] and option["title"]
                assert option["value"] in [value for value, _ in option["values"]]


def test_another_game_takes_as_many_players_as_it_can() -> None:
    settings = changed(Settings(game="turufu", players=6), {"game": "mraha"})
    assert (settings.game, settings.players) == ("mraha", 2)


@pytest.mark.parametrize(
    "changes",
    [{"camera": "/etc/passwd"}, {"matches": "/"}, {"build": "laptop"}, {"players": 7}, {"players": "4"},
     {"brightness": 9}, {"seats": ["x" * 99]}, {"seats": ["\x1b[2J"]}, {"options": {"nothing": 1}}, {"deck": "/x"},
     {"options": {"follow": "sometimes"}}, {"language": None}, {"record": "/etc"} | {"game": 3}],
)  # fmt: skip
def test_what_is_no_setting_of_the_house_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        changed(Settings(), changes)


def test_a_name_is_changed_beside_the_others() -> None:
    settings = Settings(game="turufu", players=4, language="fr")
    for names, kept in [
        ({"2": "Ali"}, ("Joueur 1", "Ali")),
        ({"1": "Zaïna"}, ("Zaïna", "Ali")),
        ({"4": "Saïd"}, ("Zaïna", "Ali", "Joueur 3", "Saïd")),
        ({"4": ""}, ("Zaïna", "Ali", "Joueur 3")),
    ]:
        settings = changed(settings, {"names": names})
        assert settings.seats == kept
    refused: list[Any] = [[], {"1": 5}, {"1": "x" * 17}]
    for odd in refused:
        with pytest.raises(ValueError):
            changed(settings, {"names": odd})


def test_a_blank_name_is_none() -> None:
    settings = Settings(language="en", players=2, seats=("Ali", "Said"))
    assert changed(settings, {"names": {"1": "  ", "2": " Zaïna "}}).seats == ("player 1", "Zaïna")


@pytest.mark.parametrize("options", [True, 1, None, "follow", [["follow", "never"]]])
def test_house_rules_that_are_no_table_of_names_are_refused_like_any_other_odd_setting(options: object) -> None:
    with pytest.raises(ValueError):
        changed(Settings(), {"options": options})


def test_recording_goes_beside_the_matches_and_nowhere_that_a_phone_names() -> None:
    settings = changed(Settings(matches="/m/matches"), {"record": "/etc"})
    assert settings.record == "/m/recordings"
    assert changed(settings, {"record": False}).record == ""


def test_a_house_rule_and_the_names_are_changed_from_a_phone(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="House").click()
        page.get_by_role("group", name="Following suit").get_by_role("button", name="never").click()
        until(
            page,
            "document.querySelector('[aria-label=\"Following suit\"] [aria-pressed=true]').textContent === 'never'",
        )
        assert table.table.settings.options["turufu"]["follow"] == "never"
        answered = table.table.settings
        page.get_by_role("textbox", name="player 2").fill("Ali")
        page.get_by_role("textbox", name="player 2").press("Tab")
        page.keyboard.type("Mou")
        comes(page, lambda: table.table.settings != answered)
        page.wait_for_timeout(200)  # The answer comes, which knows nothing of what is being typed.
        page.keyboard.type("ssa")
        other = replace(table.table.settings, seats=("Zaina", "Ali"))
        table.table.change(other)  # From another phone, which this one has not heard of.
        page.get_by_role("textbox", name="player 3").press("Tab")
        comes(page, lambda: len(table.table.settings.seats) == 3)
        page.get_by_role("button", name="New match").click()
        page.get_by_role("link", name="Table").click()
        page.get_by_role("button", name="Moussa").wait_for()
        assert table.saved[-1].seats == ("Zaina", "Ali", "Moussa")
        assert table.table.match.header.options["follow"] == "never"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", 'broker = foo bar is not possible. Allowed: mqtt://host, mqtts://host:port, or "" for none'),
        ("fr", 'broker = foo bar ne va pas. Permis : mqtt://machine, mqtts://machine:port, ou "" pour aucun'),
    ],
)
def test_a_value_that_cannot_be_is_told_with_what_one_looks_like(language: str, said: str) -> None:
    for changes in ({"broker": "foo bar"}, {"language": "xx"}, {"table": "Ä"}, {"brightness": "lots"}):
        with pytest.raises(ValueError) as wrong:
            changed(Settings(language=language), changes)
        assert next(iter(changes)) in str(wrong.value)
        if "broker" in changes:
            assert str(wrong.value) == said


def test_a_table_is_put_on_a_broker_from_a_phone(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="House").click()
        address = page.get_by_label("Address of the broker")
        address.fill("http://example.org")
        address.press("Tab")
        until(page, "document.querySelector('#broker-broker').value === ''")
        assert table.saved == [] or not table.saved[-1].broker
        address.fill("mqtt://192.168.1.10")
        address.press("Tab")
        page.get_by_label("Name of this table there").fill("table-3")
        page.get_by_label("Name of this table there").press("Tab")
        until(page, "document.querySelector('#broker-table').value === 'table-3'")
        comes(page, lambda: table.saved[-1].table == "table-3")
        assert (table.saved[-1].broker, table.saved[-1].table) == ("mqtt://192.168.1.10", "table-3")
        page.get_by_role("group", name="Connected to this broker now").get_by_role("button", name="no").click()
        comes(page, lambda: not table.saved[-1].broker_on)
        assert (table.saved[-1].broker, table.saved[-1].broker_on) == ("mqtt://192.168.1.10", False)


def test_the_doctor_tells_a_phone_how_every_part_is(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="House").click()
        page.get_by_role("button", name="Check every part").click()
        page.get_by_text("MB free").wait_for()
        assert page.get_by_role("button", name="Switch off").count() == 0, "a laptop is not switched off from here"


def test_a_phone_that_is_forgotten_may_change_nothing_more(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as first, phone(chromium, table.at) as second:
        pair(first, table)
        pair(second, table)
        first.get_by_role("link", name="House").click()
        first.locator("button[aria-label^='Forget']").nth(1).wait_for()
        second.get_by_role("link", name="House").click()
        second.get_by_text("· this phone").wait_for()
        assert second.locator("button[aria-label^='Forget']").count() == 1, "a guest forgets no other phone"
        before = second.get_by_role("button", name="Pair", exact=True).count()
        others = table.page.site.phones.all()
        mine = first.evaluate("document.body.innerText").count("· this phone")
        assert (before, len(others), mine) == (0, 2, 1)
        rows = first.locator(".row.spread:has(button[aria-label^='Forget'])")
        at = next(k for k in range(2) if "this phone" not in rows.nth(k).inner_text())
        rows.nth(at).get_by_role("button").click()
        second.get_by_role("button", name="Pair", exact=True).wait_for()
        assert len(table.page.site.phones.all()) == 1


def test_a_guests_phone_forgets_no_other_and_so_never_becomes_the_owners(tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table:
        site = table.page.site
        tokens = [site.phones.add(name) for name in ("owner", "guest", "friend")]
        owner, guest, friend = (site.phones.find(token) for token in tokens)
        assert owner and guest and friend

        async def ask(mine: Phone, facts: dict[str, Any]) -> None:
            await site.asked(Visitor(web.WebSocketResponse(), mine), "forget", facts)

        def forget(mine: Phone, id_: str | None) -> None:
            facts = {"id": id_} if id_ else {}
            with ThreadPoolExecutor(1) as other:  # Playwright has a loop of its own in this thread.
                other.submit(asyncio.run, ask(mine, facts)).result()

        for id_ in (owner.id, friend.id, "nobody", None):
            with pytest.raises(Refused, match="not_owner"):
                forget(guest, id_)
        assert len(site.phones.all()) == 3 and site.phones.owned_by(owner) and not site.phones.owned_by(guest)
        forget(friend, friend.id)
        forget(owner, guest.id)
        assert site.phones.all() == (owner,)


# -- the camera --------------------------------------------------------------------------------------------------------


def film(table: Any, count: int = 1) -> None:
    """What the camera sees."""
    picture = np.full((480, 640, 3), 120, np.uint8)
    for number in range(count):
        table.page.of(table.table)
        table.page.watch(Frame(picture, float(number)), None)


def filmed(page: Any, table: Any, what: Any) -> None:
    """The camera sees something until this is there."""
    for _ in range(100):
        film(table)
        if what.count():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{what} is not there")


def test_the_cameras_picture_is_for_paired_phones_who_look_at_it(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_role("link", name="Camera").click()
        page.get_by_text("Only paired phones can see").wait_for()
        told = page.evaluate(
            """async () => { const { Link } = await import("/w/link.js"); let pictures = 0;
               const line = await new Promise((there) => { const one = new Link({ state: () => there(one),
                 picture: () => { pictures += 1; }, message: (all) => { if (all.aim) pictures += 1; } }); });
               line.look(["camera"]); await new Promise((wait) => setTimeout(wait, 400));
               globalThis.pictures = () => pictures; return 0; }"""
        )
        film(table, 3)
        page.wait_for_timeout(300)
        assert told == 0 and page.evaluate("globalThis.pictures()") == 0
        assert not table.page.site.pictures.wanted, "nothing is packed for who may not see it"
        pair(page, table)
        page.get_by_text("Seats and zone of play").wait_for()
        assert page.locator(".handle").count() == 0, "there is nothing to aim at yet"
        filmed(page, table, page.locator(".picture img"))
        assert page.locator(".handle").count() == 6
        page.get_by_text("Enough light").wait_for()


def test_a_seat_is_dragged_to_where_its_player_sits(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu(*NAMES)) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="Camera").click()
        seat = page.get_by_label("Seat of Ali")
        filmed(page, table, seat)
        box, picture = seat.bounding_box(), page.locator(".picture").bounding_box()
        assert box and picture and box["x"] < picture["x"] + picture["width"] * 0.2, "clockwise: player 2 sits left"
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(picture["x"] + picture["width"] * 0.1, picture["y"] + picture["height"] * 0.9, steps=6)
        page.mouse.up()
        comes(page, lambda: table.table.settings.seats_deg)
        degrees = table.table.settings.seats_deg
        assert len(degrees) == 4 and 30 < degrees[1] < 60 and degrees[0] == 0
        page.get_by_label("Middle of play").press("ArrowRight")
        comes(page, lambda: table.table.settings.middle[0])
        assert table.table.settings.middle == (0.03, 0.0)


def test_the_boards_corners_are_dragged_onto_its_pits(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, Match("mraha", 2, {})) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="Camera").click()
        corner = page.get_by_label("Corner pit 1 of the board")
        filmed(page, table, corner)
        box, picture = corner.bounding_box(), page.locator(".picture").bounding_box()
        assert box and picture

        def corners() -> tuple[float, ...]:
            return table.table.settings.board_corners

        # From the top left to below the others: what was the second corner is the first now.
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(picture["x"] + picture["width"] * 0.3, picture["y"] + picture["height"] * 0.9, steps=5)
        page.mouse.up()
        comes(page, lambda: len(table.saved) == 1)
        xs, ys = corners()[::2], corners()[1::2]
        assert sorted(xs) == pytest.approx([0.2, 0.3, 0.8, 0.8], abs=0.02)
        assert sorted(ys) == pytest.approx([0.3, 0.7, 0.7, 0.9], abs=0.02)
        before = corners()
        page.get_by_label("Corner pit 2 of the board").press("ArrowLeft")
        comes(page, lambda: len(table.saved) == 2)
        assert sum(abs(a - b) for a, b in zip(before, corners(), strict=True)) == pytest.approx(0.01)
        page.get_by_role("button", name="Let the device find the board").click()
        comes(page, lambda: len(table.saved) == 3)
        assert corners() == ()


@pytest.mark.parametrize("situation", ["two_boards", "board_unsure"])
def test_why_no_board_is_followed_is_said_beside_the_picture_as_it_is_on_the_table(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, situation: str
) -> None:
    with room(tmp_path, Match("mraha", 2, {})) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("link", name="Camera").click()
        verdicts = page.locator("[data-test=verdicts]")
        filmed(page, table, verdicts.get_by_text("I cannot find the board"))
        monkeypatch.setattr(Nobody, "situation", situation)
        table.table.add()
        table.shown()
        verdicts.get_by_text(words.say("en", f"situation-{situation}")).wait_for(timeout=5000)


def test_from_the_scanned_code_to_the_first_card_takes_few_taps_and_nothing_is_kept_before_begin(
    chromium: Any, tmp_path: Path
) -> None:
    with room(tmp_path, turufu(), build="minimal", display="ssd1306") as table, phone(chromium, "about:blank") as page:
        taps = SCANNED_TAPS

        def tap(where: Any) -> None:
            nonlocal taps
            where.click()
            taps += 1

        table.page.let_in()
        until_there = time.monotonic() + 10
        while not (invite := table.table.show.invite):
            assert time.monotonic() < until_there
        assert invite.qr == f"{table.at}#/pair/{invite.code}"
        page.goto(invite.qr)
        tap(page.locator("[data-test=setup-0]").get_by_role("button", name="English"))
        tap(page.locator("[data-test=setup-1]").get_by_role("button", name="Triomphe"))
        tap(page.locator("[data-test=setup-2]").get_by_role("button", name="3", exact=True))
        tap(page.locator("[data-test=setup-next]"))
        tap(page.locator("[data-test=setup-next]"))
        page.get_by_text("Turn the lens until it says").wait_for()
        tap(page.get_by_role("button", name="Yes, go on"))
        page.locator("[data-test=setup-start]").wait_for()
        assert table.saved == [] and table.table.match.header.game == "turufu"
        tap(page.locator("[data-test=setup-start]"))
        page.locator(".felt.n3").wait_for()
        header = table.table.match.header
        assert (header.game, header.players) == ("triomphe", 3) and len(table.saved) == 1
        table.add(Deal(dealer=2, turn_up="7H"), Play("9S", 0))
        page.locator(".felt .card[aria-label*='9']").first.wait_for()
        print(f"{taps} taps")
        assert taps <= MOST_TAPS


def test_names_are_typed_once_and_offered_the_next_time(chromium: Any, tmp_path: Path) -> None:
    kept_match(tmp_path)
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("button", name="Set up this table").click()
        page.locator("[data-test=setup-0]").get_by_role("button", name="Français").click()
        page.locator("[data-test=setup-1]").get_by_role("button", name="Turufu").click()
        for name in ("Moina", "Ali"):
            page.get_by_role("button", name=name, exact=True).click()
        page.locator("#seat-2").fill("Fatima")
        page.locator("[data-test=setup-next]").click()
        page.get_by_role("button", name="Les essayer").click()
        page.get_by_text("Toutes les lampes brillent").wait_for()
        assert table.table.show.trying and table.table.show.cue
        page.locator("[data-test=setup-next]").click()
        page.get_by_role("button", name="Oui, continuer").click()
        page.locator("[data-test=setup-start]").click()
        page.locator(".felt.n4").wait_for()
        comes(page, lambda: table.saved)
        assert table.saved[-1].seats[:3] == ("Moina", "Ali", "Fatima") and table.saved[-1].language == "fr"


def test_who_leaves_the_set_up_has_changed_nothing(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        pair(page, table)
        page.get_by_role("button", name="Set up this table").click()
        page.locator("[data-test=setup-0]").get_by_role("button", name="Français").click()
        page.locator("[data-test=setup-1]").get_by_role("button", name="Mraha wa tso").click()
        page.get_by_role("button", name="Fermer").click()
        page.get_by_role("button", name="Set up this table").wait_for()
        assert table.saved == [] and table.table.settings.game == "turufu"


def test_a_deck_that_nobody_goes_on_teaching_gives_the_table_back(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    lent: list[bool] = []
    lend = LiveTable.lend

    def noted(table: LiveTable, to: Callable[[Frame], None] | None) -> None:
        lent.append(to is not None)
        lend(table, to)

    monkeypatch.setattr(LiveTable, "lend", noted)
    with room(tmp_path, turufu()) as table:
        with phone(chromium, table.at) as page:
            pair(page, table)
            page.get_by_role("link", name="House").click()
            page.get_by_role("button", name="Learn the deck").click()
            page.get_by_text("Lay these cards upright").wait_for()
            comes(page, lambda: lent == [True])
            monkeypatch.setattr("device.outputs.page.page.LEFT_ALONE_S", 0.3)
        for _ in range(200):
            if not lent[-1]:
                break
            time.sleep(0.05)
        assert not lent[-1]


# -- matches -----------------------------------------------------------------------------------------------------------


def test_kept_matches_are_listed_told_and_counted_up(tmp_path: Path) -> None:
    kept_match(tmp_path, 3)
    kept_match(tmp_path, fault=True)
    match = kept_match(tmp_path, 2, finish=False)
    shelf = Shelf(tmp_path)
    listed = shelf.answer("list", {"language": "en"})["matches"]
    assert [match["number"] for match in listed] == [3, 2, 1]
    assert listed[0]["open"] and listed[0]["seats"] == list(NAMES)
    opened = shelf.answer("open", {"language": "en", "number": 3})
    assert opened["moments"] == len(match.log) + 1
    last = shelf.answer("moment", {"language": "en", "number": 3, "at": 10**9})
    assert last["view"] == json.loads(json.dumps(match.view.to_dict()))
    assert read_journal(shelf.answer("lines", {"number": 3})).replay().view == match.view
    text = shelf.answer("text", {"language": "en", "number": 3})
    assert '[Game "turufu"]' in text and '[Seat2 "Ali"]' in text and "1. " in text
    counted = shelf.answer("statistics", {"language": "en"})
    assert counted["matches"] == [1, 2, 3]
    pairs = {line["name"]: line for line in counted["lines"] if line["kind"] == "pair"}
    assert set(pairs) == {"Zaina · Moina", "Ali · Abdou"}
    assert sum(line["faults"] for line in counted["lines"] if line["kind"] == "player") == 1


def test_points_that_win_a_match_are_counted_as_points_and_its_matches_as_games_won(tmp_path: Path) -> None:
    match = Match("pille", 2, {"target": 3}, NAMES[:2])
    assert isinstance(match.judge, CardJudge)
    record = MatchRecord.begin(tmp_path, match)
    for event in honest_match(match.judge.game, Random(1), 20):
        record.add(event)
    record.finish()
    counted = {line["name"]: line for line in Shelf(tmp_path).answer("statistics", {"language": "en"})["lines"]}
    won = [notice.facts["side"] for notice in match.notices if notice.code == "match_won"]
    brought = [notice.facts["games"] for notice in match.notices if notice.code == "deal_scored"]
    for side, name in enumerate(NAMES[:2]):
        assert counted[name]["games"] == won.count(side) > 0
        assert counted[name]["points"] == sum(deal[side] for deal in brought)


def test_only_a_match_that_ended_can_be_deleted(tmp_path: Path) -> None:
    kept_match(tmp_path)
    kept_match(tmp_path, finish=False)
    shelf = Shelf(tmp_path)
    with pytest.raises(ArchiveError, match="goes_on"):
        shelf.answer("delete", {"language": "en", "number": 2})
    assert [match["number"] for match in shelf.answer("delete", {"language": "en", "number": 1})["matches"]] == [2]
    with pytest.raises(ArchiveError, match="no_match"):
        shelf.answer("delete", {"language": "en", "number": 1})


def test_a_match_that_cannot_be_read_spoils_no_other(tmp_path: Path) -> None:
    kept_match(tmp_path)
    (tmp_path / "match-0002-2026-01-01-turufu.jsonl").write_bytes(b"\xff\x00 no journal\n")
    shelf = Shelf(tmp_path)
    listed = shelf.answer("list", {"language": "fr"})["matches"]
    assert listed[0]["unreadable"] and not listed[1].get("unreadable")
    assert shelf.answer("statistics", {"language": "fr"})["matches"] == [1]
    with pytest.raises(ArchiveError, match="unreadable"):
        shelf.answer("open", {"language": "fr", "number": 2})


def test_a_match_that_takes_too_long_to_judge_is_left_out_with_a_word_and_the_others_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []

    def endless(path: Path) -> Any:
        judged.append(int(path.name.split("-")[1]))
        while judged[-1] == 2:
            with contextlib.suppress(Exception):  # Whatever code it comes in the midst of.
                time.sleep(0.01)
        return recover_file(path)

    for _ in range(3):
        kept_match(tmp_path)
    monkeypatch.setattr(archive, "recover_file", endless)
    monkeypatch.setattr(archive, "JUDGE_S", 0.3)
    shelf = Shelf(tmp_path)
    for _ in range(2):
        listed = shelf.answer("list", {"language": "en"})["matches"]
        assert [match.get("too_long", False) for match in listed] == [False, True, False]
    assert judged == [3, 2, 1], "and it is not tried again each time"
    assert shelf.answer("statistics", {"language": "en"})["matches"] == [1, 3]
    with pytest.raises(ArchiveError, match="too_long"):
        shelf.answer("open", {"language": "en", "number": 2})
    assert shelf.answer("open", {"language": "en", "number": 1})["moments"]


def test_many_matches_are_looked_at_a_few_for_each_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that takes too long ends the process, and with it all that was looked at."""
    for _ in range(5):
        kept_match(tmp_path)
    now_s = 0.0

    def counted(match: Match) -> Any:
        nonlocal now_s
        now_s += 0.6 * archive.LOOK_S
        return counts_of(match)

    monkeypatch.setattr(archive, "time", SimpleNamespace(monotonic=lambda: now_s))
    monkeypatch.setattr(archive, "counts_of", counted)
    shelf = Shelf(tmp_path)

    def listed() -> tuple[list[int], int]:
        found = shelf.answer("list", {"language": "en"})
        return [match["number"] for match in found["matches"]], found["more"]

    assert [listed(), listed()] == [([5, 4], 3), ([5, 4, 3, 2], 1)]
    assert shelf.answer("statistics", {"language": "en"})["matches"] == [1, 2, 3, 4, 5]
    assert listed() == ([5, 4, 3, 2, 1], 0)
    with pytest.raises(ArchiveError, match="busy"):
        Shelf(tmp_path).answer("statistics", {"language": "en"})


@pytest.mark.parametrize("fault", [RecursionError("too deep"), KeyError("trump"), MemoryError()])
def test_a_match_over_which_the_program_stumbles_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    kept_match(tmp_path)
    kept_match(tmp_path, 2)

    def counted(match: Match) -> Any:
        if match.view.games == first.view.games:
            raise fault
        return counts_of(match)

    first = read_journal(Shelf(tmp_path).answer("lines", {"number": 1})).replay()
    monkeypatch.setattr(archive, "counts_of", counted)
    shelf = Shelf(tmp_path)
    listed = shelf.answer("list", {"language": "en"})["matches"]
    assert [(match["number"], match.get("unreadable", False)) for match in listed] == [(2, False), (1, True)]
    assert shelf.answer("statistics", {"language": "en"})["matches"] == [2]


def test_the_archive_is_a_process_of_its_own_that_comes_back(tmp_path: Path) -> None:
    kept_match(tmp_path)

    async def goes() -> None:
        archive = Archive()
        assert len((await archive.ask(tmp_path, "list", {"language": "en"}))["matches"]) == 1
        with pytest.raises(ArchiveError, match="no_match"):
            await archive.ask(tmp_path, "open", {"language": "en", "number": 9})
        await archive.close()
        assert len((await archive.ask(tmp_path, "list", {"language": "en"}))["matches"]) == 1
        await archive.close()

    with ThreadPoolExecutor(1) as other:  # Playwright has a loop of its own in this thread.
        other.submit(asyncio.run, goes()).result()


@pytest.mark.slow
def test_a_match_is_played_again_with_a_slider(chromium: Any, tmp_path: Path) -> None:
    match = kept_match(tmp_path, 2)
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_role("link", name="Matches").click()
        page.locator("[data-test=replay]").click()
        deals = [number for number, event in enumerate(match.log, 1) if isinstance(event, Deal)]
        page.get_by_text(f"Event {deals[-1]} of {len(match.log)}").wait_for()
        page.get_by_role("button", name="Deal 1", exact=True).click()
        page.get_by_text(f"Event {deals[0]} of {len(match.log)}").wait_for()
        slider = page.get_by_label("Moment of the match")
        slider.fill("4")
        page.get_by_text(f"Event 4 of {len(match.log)}").wait_for()
        until(page, "document.querySelectorAll('.felt .laid').length === 3")
        slider.press("ArrowRight")
        until(page, "document.querySelectorAll('.felt .laid').length === 4")
        page.get_by_role("button", name="One event back").click()
        until(page, "document.querySelectorAll('.felt .laid').length === 3")


def test_a_list_of_matches_that_is_not_whole_yet_says_that_more_follow_and_goes_on(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept_match(tmp_path, 2)
    ask, asked, looked_at = Archive.ask, [0], threading.Event()

    async def slowly(self: Archive, folder: Path, what: str, facts: Mapping[str, Any]) -> Any:
        found = await ask(self, folder, what, facts)
        if what == "list":
            asked[0] += 1
            if asked[0] == 1:
                return {"matches": [], "more": 1}
            while not looked_at.is_set():
                await asyncio.sleep(0.02)
        return found

    monkeypatch.setattr(Archive, "ask", slowly)
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_role("link", name="Matches").click()
        page.get_by_text("Still reading more matches: 1").wait_for()
        looked_at.set()
        page.locator("[data-test=replay]").wait_for()
        page.locator(".counts tbody tr").first.wait_for()
        assert page.locator("[data-test=more]").count() == 0


def test_games_points_and_faults_are_drawn_over_time(chromium: Any, tmp_path: Path) -> None:
    kept_match(tmp_path, 2)
    kept_match(tmp_path, 3)
    with room(tmp_path, turufu()) as table, phone(chromium, table.at) as page:
        page.get_by_role("link", name="Matches").click()
        page.locator(".plot canvas").first.wait_for()
        assert page.locator(".plot canvas").count() == 3
        assert page.locator(".counts tbody tr").count() == 4


def test_who_has_a_head_start_is_called_by_name() -> None:
    four = Settings(game="turufu", players=4, seats=NAMES, language="en")
    assert house_of(four)["head_start_side"] == [1, [[1, "Zaina · Moina"], [2, "Ali · Abdou"]]]
    assert house_of(replace(four, game="mraha", players=2))["head_start_side"] == [1, [[1, "Zaina"], [2, "Ali"]]]


def test_the_score_is_set_right_from_a_phone(chromium: Any, tmp_path: Path) -> None:
    with room(tmp_path, turufu(*NAMES)) as table, phone(chromium, table.at) as page:
        table.add(Deal("3S", 3))
        pair(page, table)
        page.get_by_role("link", name="House").click()
        page.get_by_role("button", name="Set the score").click()
        page.get_by_label(" · ".join(NAMES[::2])).fill("3")
        table.table.set_score([0, 2], "", "page")
        table.shown()
        until(page, "document.querySelector('#score-1').value === '2'")
        assert page.get_by_label(" · ".join(NAMES[::2])).input_value() == "3", (
            "what was typed stays; the other is as it is now"
        )
        page.get_by_label(" · ".join(NAMES[1::2])).fill("1")
        page.get_by_label("Why (as you like)").fill("we counted <b>twice</b>")
        page.locator("[data-test=score-set]").click()
        page.locator("[data-test=score-set]").wait_for(state="detached")
        assert table.table.match.view.games == (3, 1)
        page.get_by_role("link", name="Log").click()
        page.get_by_text("we counted <b>twice</b>").first.wait_for()
        page.locator("[data-test=undo]").click()
        comes(page, lambda: table.table.match.view.games == (0, 2))


def test_what_is_no_score_is_told_and_nothing_is_set(tmp_path: Path) -> None:
    with room(tmp_path, turufu()) as table, pytest.raises(ValueError):
        table.table.set_score([1, 2, 3], "", "page")
    assert table.table.match.log == []
