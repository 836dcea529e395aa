"""Who has a place when there are too few: the house, then whoever took no more than a share."""

import asyncio
import contextlib
import socket
from pathlib import Path

import pytest

from device.web.server import VisitorLimits, VisitorPlaces
from tests.device.web.served import Browser, Small, get, heard, served, status, upgrade


def filled(places: VisitorPlaces[int], addresses: list[str], first: int = 0) -> list[bool]:
    return [places.enters(first + at, address, False)[0] for at, address in enumerate(addresses)]


def test_four_addresses_do_not_take_all_places() -> None:
    places: VisitorPlaces[int] = VisitorPlaces(64, 16, 16)
    filled(places, [f"192.0.2.{at % 4}" for at in range(64)])
    assert len(places) == 48
    may, gone = places.enters(100, "192.0.2.9", False)
    assert may and gone is not None, "who has the most makes room"
    assert places.enters(102, "192.0.2.10", True) == (True, None), "and the house has places of its own"


def test_a_guest_with_an_ipv6_network_takes_no_more_than_its_share_of_it() -> None:
    places: VisitorPlaces[int] = VisitorPlaces(64, 16, 16)
    assert sum(filled(places, [f"2001:db8::{at:x}" for at in range(100)])) == 36
    assert all(filled(places, [f"192.0.2.{at}" for at in range(12)], 200))
    may, gone = places.enters(300, "192.0.2.77", False)
    assert may and gone is not None and gone < 100, "of the network that has the most"


def test_where_all_have_one_nobody_is_put_out_for_a_newcomer_but_for_the_house() -> None:
    places: VisitorPlaces[int] = VisitorPlaces(8, 4, 2)
    assert filled(places, [f"192.0.2.{at}" for at in range(7)]) == [True] * 6 + [False]
    assert [places.enters(20 + at, f"198.51.100.{at}", True)[0] for at in range(4)] == [True] * 4
    assert len(places) == 8
    for at in range(8):
        places.leaves(at)
        places.leaves(at)
    assert len(places) == 4


def test_this_machine_has_as_many_as_there_are() -> None:
    places: VisitorPlaces[int] = VisitorPlaces(8, 2, 4)
    assert [places.enters(at, "127.0.0.1", True, without_limit=True)[0] for at in range(8)] == [True] * 8


FEW = VisitorLimits(connections=40, connections_each=10, kept=10, visitors=12, visitors_each=4, visitors_kept=4)


def line_from(port: int, address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 3, source_address=(address, 0))


def test_who_opens_many_lines_keeps_no_honest_visitor_and_no_paired_phone_out(tmp_path: Path) -> None:
    site = Small(tmp_path, FEW)
    lines: list[socket.socket] = []

    async def goes(port: int) -> None:
        async with Browser(port) as friend:
            await friend.pair(site)
            for number in range(100):
                with contextlib.suppress(OSError):
                    connection = await asyncio.to_thread(line_from, port, f"127.0.2.{number % 5}")
                    connection.sendall(upgrade(port))
                    lines.append(connection)
            await asyncio.sleep(0.5)
            assert len(site.visitors) <= 8
            line = await friend.live()
            await line.send_json({"id": 1, "ask": "say", "facts": {"word": "b"}})
            assert (await heard(line, "done"))["value"] == {"said": "b"}
            with await asyncio.to_thread(line_from, port, "127.0.3.9") as honest:
                honest.sendall(upgrade(port))
                honest.settimeout(3)
                assert status(await asyncio.to_thread(honest.recv, 4096)) == 101
            assert status(await asyncio.to_thread(get, port, "/")) == 200

    with served(site) as port:
        asyncio.run(goes(port))
    for connection in lines:
        connection.close()


BAD = [
    b'{"code": NaN}',
    b'{"code": "\\ud800"}',
    b'{"code": 1e400}',
    b"[" * 5000,
    b'"x"',
    b"\xff",
    b'{"code": {"a": []}}',
]


@pytest.mark.parametrize("body", BAD)
def test_what_is_posted_is_read_strictly_and_guessed_at_nothing(tmp_path: Path, body: bytes) -> None:
    site = Small(tmp_path)
    code = site.pairing.open()

    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            headers = {"Origin": phone.at, "Content-Type": "application/json"}
            async with phone.session.post(f"{phone.at}/pair", data=body, headers=headers) as answer:
                assert answer.status == 400
            line = await phone.live()
            await line.send_bytes(body)
            text = await phone.live()
            await text.send_str(body.decode(errors="replace"))
            await text.receive()
            assert (await phone.post("/pair", {"code": code}))[0] == 200

    with served(site) as port:
        asyncio.run(goes(port))
