"""A phone asleep in a pocket, out of reach, and back; and a whole match of mraha watched on it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.events import Board
from engine.match import Match
from engine.referee.board_judge import BoardJudge
from engine.rules.mraha import board_rows
from engine.simulate_mraha import honest_turns
from tests.device.hall.brokers import soon
from tests.device.outputs.page.room import Room, pair, phone, room, until, wired
from tests.device.outputs.page.test_page import some_deals, turufu

LAID = "document.querySelectorAll('.felt .laid').length"
OUTSIDE = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


def drawn(table: Room) -> int:
    """Cards that lie in the trick."""
    return len(table.table.match.view.trick or ())


def test_a_phone_that_was_asleep_catches_up_by_itself(chromium: Any, tmp_path: Path) -> None:
    events = some_deals(turufu(), 24)
    with room(tmp_path, turufu()) as table, wired(table) as (wire, at), phone(chromium, at) as page:
        table.add(*events[:3])
        until(page, f"{LAID} === 2")
        before = set(table.page.site.visitors)
        line = page.context.new_cdp_session(page)
        line.send("Page.setWebLifecycleState", {"state": "frozen"})
        table.add(*events[3:12])
        wire.cut()  # As the device itself lets go of lines that nobody answers on.
        soon(lambda: not table.page.site.visitors)
        wire.mend()
        table.add(*events[12:])
        line.send("Page.setWebLifecycleState", {"state": "active"})
        view = table.table.match.view
        assert view.turn is not None
        page.get_by_text(f"{table.table.match.header.seats[view.turn]} to play").first.wait_for()
        until(page, f"{LAID} === {drawn(table)}")
        page.get_by_text("No connection to the table").wait_for(state="detached")
        for _ in range(200):
            now = set(table.page.site.visitors)
            if len(now) == 1 and not before & now:
                break
            page.wait_for_timeout(20)
        assert len(now) == 1 and not before & now, "the line it had is gone, and it has another"


@pytest.mark.slow
def test_a_phone_without_a_network_says_so_and_catches_up_when_there_is_one(chromium: Any, tmp_path: Path) -> None:
    events = some_deals(turufu(), 24)
    with room(tmp_path, turufu()) as table, wired(table) as (wire, at), phone(chromium, at) as page:
        table.add(*events[:3])
        until(page, f"{LAID} === 2")
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.send("Network.emulateNetworkConditions", {"offline": True, **OUTSIDE})
        wire.cut()  # As the device itself lets go of lines that nobody answers on.
        soon(lambda: not table.page.site.visitors)
        wire.mend()
        table.add(*events[3:])
        page.get_by_text("No connection to the table").wait_for()
        assert page.evaluate(LAID) == 2, "what was seen last stays"
        line.send("Network.emulateNetworkConditions", {"offline": False, **OUTSIDE})
        page.get_by_text("No connection to the table").wait_for(state="detached")
        until(page, f"{LAID} === {drawn(table)}")


def test_a_line_that_died_without_a_word_is_noticed(chromium: Any, tmp_path: Path) -> None:
    events = some_deals(turufu(), 24)
    with room(tmp_path, turufu()) as table, wired(table) as (wire, at):
        page = chromium.new_context().new_page()
        page.clock.install()
        page.goto(at)
        page.get_by_text("Deal the cards").first.wait_for()
        page.clock.run_for(1000)
        pair(page, table)
        page.get_by_role("link", name="House").click()
        page.get_by_role("button", name="Check every part").wait_for()
        wire.hold()
        table.add(*events)
        page.get_by_role("button", name="Check every part").click()
        page.clock.run_for(18_000)
        page.locator("[data-test=told]", has_text="No connection").wait_for()
        page.clock.run_for(1500)
        page.locator(".away").wait_for()
        wire.mend()
        page.get_by_role("link", name="Table").click()
        until(page, f"{LAID} === {drawn(table)}")
        page.context.close()


@pytest.mark.slow
def test_a_whole_match_of_mraha_is_followed_to_its_end(chromium: Any, tmp_path: Path) -> None:
    match = Match("mraha", 2, {"show_counts": True})
    assert isinstance(match.judge, BoardJudge)
    game: Any = match.judge.game
    with room(tmp_path, match) as table, phone(chromium, table.at) as page:
        table.add(Board(board_rows(game.opening)))
        turns = 0
        for turn in honest_turns(Random(5), game.flags):
            table.add(Board(board_rows(turn.after)))
            turns += 1
            pits = table.table.match.view.pits
            assert pits is not None
            numbers = [count for row in pits for count in row if count]
            until(page, "JSON.stringify([...document.querySelectorAll('.bao text.number')].map("
                        f"one => Number(one.textContent))) === JSON.stringify({numbers})")  # fmt: skip
        assert turns > 20
        view = table.table.match.view
        assert view.winner is not None and view.alert is None
        page.get_by_text("The match is over").wait_for()
