"""Who is not paired: looks, takes nothing along, holds nothing up; and the broker's password is told to no other."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.following.menu import Menu
from device.keeping.settings import Settings, on_broker
from device.outputs.page.archive import Archive, ArchiveError
from device.outputs.page.house import changed
from engine.match import Match
from tests.device.outputs.page.room import room
from tests.device.outputs.page.test_house import kept_match
from tests.device.web.served import Browser, heard

SET = Settings(
    broker="mqtts://hall.local", broker_user="table-1", broker_password="/etc/hisabu/secret", broker_ca="/etc/ca.pem"
)
OTHERS = ["mqtt://hall.local", "mqtts://hall.local:9999", "mqtts://evil.example", "mqtt://evil.example", ""]


@pytest.mark.parametrize("broker", OTHERS)
@pytest.mark.parametrize("way", ["page", "page_with_user", "settings"])
def test_the_password_of_a_broker_is_told_to_no_other_and_not_in_clear(broker: str, way: str) -> None:
    if way == "settings":
        now = on_broker(SET, broker)
    else:
        more = {"broker_user": "somebody"} if way == "page_with_user" else {}
        now = changed(SET, {**more, "broker": broker, "broker_on": True})
        assert now.broker_user == more.get("broker_user", "")
    assert (now.broker, now.broker_password, now.broker_ca) == (broker, "", "")
    assert changed(SET, {"broker": SET.broker}).broker_password == SET.broker_password
    assert changed(SET, {"broker_on": False}).broker_password == SET.broker_password


def test_the_menu_lets_a_hall_in_where_there_is_no_page() -> None:
    lines = Menu.open(replace(SET, language="en"), {}).page.lines
    assert "Pair a phone or hall" in lines and "Forget all phones" not in lines
    assert "Pair a phone or hall" not in Menu.open(Settings(language="en"), {}).page.lines


ODD: list[dict[str, Any]] = [
    {"number": 1, "at": "1e999"}, {"number": True, "at": 0}, {"number": [], "at": 1}, {"number": 1.5, "at": 0},
    {"number": -1, "at": 0}, {"number": 10**15, "at": 0}, {"at": {}}, {"number": None}, {"number": 1, "at": -5},
    {"number": "1", "at": 0}, {"number": 1, "at": 2**53 - 1},
]  # fmt: skip


def test_who_is_not_paired_looks_at_old_matches_and_takes_none_along(tmp_path: Path) -> None:
    kept_match(tmp_path, 1)

    async def goes(port: int) -> None:
        async with Browser(port) as guest:
            line = await guest.live()
            number = 0

            async def asked(what: str, facts: dict[str, Any]) -> dict[str, Any]:
                nonlocal number
                number += 1
                await line.send_json({"id": number, "ask": "matches", "facts": {"what": what, **facts}})
                found: dict[str, Any] = await heard(line, "done")
                return found

            (match,) = (await asked("list", {}))["value"]["matches"]
            for what in ("open", "moment", "statistics"):
                assert "value" in await asked(what, {"number": match["number"], "at": 0})
            for what in ("lines", "text", "delete"):
                assert (await asked(what, {"number": match["number"]}))["refused"] == "not_paired"
            for odd in ODD:
                assert (await asked("moment", odd)).keys() & {"refused", "value"}
            assert (await asked("list", {}))["value"]["matches"] == [match]
            await line.send_str('{"id": 99, "ask": "matches", "facts": {"what": "moment", "number": 1, "at": 1e999}}')
            assert (await line.receive()).type.name in ("CLOSE", "CLOSED", "CLOSING")

    with room(tmp_path, Match("turufu", 4)) as table:
        asyncio.run(goes(table.page.site.port))


def children() -> set[str]:
    """The processes that this one started and that run."""
    return {pid for told in Path("/proc/self/task").glob("*/children") for pid in told.read_text().split()}


def test_a_process_that_reads_old_matches_outlives_what_it_is_asked(tmp_path: Path) -> None:
    kept_match(tmp_path, 1)

    async def goes() -> None:
        archive, before = Archive(), children()
        number = (await archive.ask(tmp_path, "list", {"language": "en"}))["matches"][0]["number"]
        process = children() - before
        assert len(process) == 1
        for odd in (
            {"number": 1e300},
            {"number": "x"},
            {"number": None},
            {"number": number, "at": []},
            {"language": 3},
        ):
            with pytest.raises(ArchiveError):
                await archive.ask(tmp_path, "moment", {"language": "en", **odd})
        assert children() - before == process
        with pytest.raises(ValueError):
            await archive.ask(tmp_path, "moment", {"language": "en", "number": float("inf")})
        assert (await archive.ask(tmp_path, "list", {"language": "en"}))["matches"]
        await archive.close()

    asyncio.run(goes())
