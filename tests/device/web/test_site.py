"""A page as browsers, strangers and slow phones meet it."""

import asyncio
import errno
import socket
import time
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from device.web import server
from device.web.server import VisitorLimits, WebServer
from device.web.site import changes
from tests.device.web.served import QUICK, Browser, Small, get, heard, raw, served, status, upgrade


def test_only_what_changed_is_told() -> None:
    old = {"view": {"turn": 1, "trick": [1], "alert": {"a": 1}}, "language": "fr", "alert": "x"}
    new = {"view": {"turn": 2, "trick": [1]}, "language": "fr", "alert": None, "more": 1}
    assert changes(old, new) == {"view": {"turn": 2, "alert": None}, "alert": None, "more": 1}
    assert changes(old, old) == {}


def test_every_answer_says_what_a_browser_may_do_with_it(tmp_path: Path) -> None:
    with served(Small(tmp_path)) as port:
        for path in ("/", "/app.js", "/nothing"):
            head = get(port, path).split(b"\r\n\r\n")[0]
            assert b"X-Content-Type-Options: nosniff" in head and b"Server: hisabu" in head
        assert b"default-src 'none'" in get(port, "/")
        assert b"&lt;script&gt;" in get(port, "/"), "what stands in the page is no markup"


@pytest.mark.parametrize(
    "path",
    ["/../index.html", "//app.js", "/%2e%2e/app.js", "/app.js%00", "/./app.js", "/app.js/", "/..%2fapp.js", "/APP.JS",
     "/w/../../../../etc/passwd", "/etc/passwd", "/app%2ejs", "/\\app.js", "/phones.json"],
)  # fmt: skip
def test_there_are_no_other_paths_to_a_file(tmp_path: Path, path: str) -> None:
    with served(Small(tmp_path)) as port:
        assert status(get(port, "/app.js")) == 200
        assert status(get(port, path)) in (400, 404)


def test_a_file_that_was_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    with served(Small(tmp_path)) as port:
        first = get(port, "/app.js", "Accept-Encoding: gzip")
        assert b"Content-Encoding: gzip" in first and len(first) < 700
        tag = next(line for line in first.split(b"\r\n") if line.startswith(b"ETag")).decode()[6:]
        assert status(get(port, "/app.js", f"If-None-Match: {tag}")) == 304


def test_a_name_that_is_not_its_own_is_not_answered(tmp_path: Path) -> None:
    with served(Small(tmp_path)) as port:
        for host in ("evil.example", "127.0.0.1.evil.example:80", ""):
            answer = raw(port, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            assert status(answer) in (400, 421)


def test_a_foreign_page_can_do_nothing(tmp_path: Path) -> None:
    site = Small(tmp_path)

    async def tries(port: int) -> None:
        async with Browser(port) as phone:
            await phone.pair(site)  # Its cookie goes along with all that follows.
            for origin in ("http://evil.example", "null", "", phone.at.replace("http:", "https:")):
                assert (await phone.post("/pair/begin", {}, Origin=origin))[0] == 403
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await phone.live(Origin=origin)
                assert refused.value.status == 403
            async with phone.session.get(phone.at + "/app.js", headers={"Sec-Fetch-Site": "cross-site"}) as answer:
                assert answer.status == 403

    with served(site) as port:
        asyncio.run(tries(port))


def test_a_phone_is_paired_by_the_code_and_may_then_ask(tmp_path: Path) -> None:
    site = Small(tmp_path)

    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            line = await phone.live()
            assert (await heard(line, "hello"))["paired"] is False
            await line.send_json({"id": 1, "ask": "say", "facts": {"word": "a"}})
            assert await heard(line, "done") == {"done": 1, "refused": "not_paired"}
            await phone.pair(site)
            cookie = next(iter(phone.session.cookie_jar))
            assert cookie["httponly"] and cookie["samesite"] == "Strict"
            line = await phone.live()
            assert (await heard(line, "hello"))["paired"] is True
            await line.send_json({"id": 2, "ask": "say", "facts": {"word": "a"}})
            assert await heard(line, "done") == {"done": 2, "value": {"said": "a"}}
            await line.send_json({"id": 3, "ask": "refuse"})
            assert await heard(line, "done") == {"done": 3, "refused": "no"}
            await line.send_json({"id": 4, "ask": "say"})
            assert await heard(line, "done") == {"done": 4, "refused": "unknown"}
            await phone.post("/leave", {})
            assert (await line.receive()).type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)

    with served(site) as port:
        asyncio.run(goes(port))


def test_who_is_told_nothing_hears_that_the_device_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.web.site.TICK_S", 0.05)

    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            line = await phone.live()
            assert [await heard(line, "tick") for _ in range(2)] == [True, True]

    with served(Small(tmp_path)) as port:
        asyncio.run(goes(port))


def test_nobody_writes_a_line_of_the_log_with_what_he_asks_for(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    site = Small(tmp_path)

    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            await phone.pair(site)
            line = await phone.live()
            await line.send_json({"id": 1, "ask": "say\n\x1b[2Jhisabu: all is well"})
            assert await heard(line, "done") == {"done": 1, "refused": "unknown"}

    with served(site) as port:
        asyncio.run(goes(port))
    said = [record.getMessage() for record in caplog.records if "cannot be" in record.getMessage()]
    assert said and all(text.isprintable() for text in said)


def test_a_stolen_cookie_is_worth_nothing_once_its_phone_is_forgotten(tmp_path: Path) -> None:
    site = Small(tmp_path)

    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            await phone.pair(site)
            stolen = f"{site.cookie}={next(iter(phone.session.cookie_jar)).value}"
            async with Browser(port) as thief:
                line = await thief.live(Cookie=stolen)
                assert (await heard(line, "hello"))["paired"] is True
                site.phones.forget()
                await line.send_json({"id": 1, "ask": "say", "facts": {"word": "a"}})
                assert await heard(line, "done") == {"done": 1, "refused": "not_paired"}
                assert (await heard(await thief.live(Cookie=stolen), "hello"))["paired"] is False

    with served(site) as port:
        asyncio.run(goes(port))


def test_wrong_codes_close_pairing_while_paired_phones_notice_nothing(tmp_path: Path) -> None:
    site = Small(tmp_path)

    async def goes(port: int) -> None:
        async with Browser(port) as friend, Browser(port) as guesser:
            await friend.pair(site)
            line = await friend.live()
            site.pairing.open()
            told = [(await guesser.post("/pair", {"code": "no"}))[0] for _ in range(6)]
            assert told == [403] * 4 + [429] * 2
            assert (await guesser.post("/pair/begin", {}))[0] == 429
            await line.send_json({"id": 1, "ask": "say", "facts": {"word": "b"}})
            assert (await heard(line, "done"))["value"] == {"said": "b"}

    with served(site) as port:
        asyncio.run(goes(port))


def test_visitors_get_the_state_and_then_its_changes(tmp_path: Path) -> None:
    site = Small(tmp_path)
    server = WebServer([("127.0.0.1", 0)], site.app)
    server.start()
    assert server.place is not None
    port = site.port = server.place[1]

    async def goes() -> None:
        async with Browser(port) as phone:
            server.soon(site.set_state, {"view": {"turn": 1}, "word": "a"})
            line = await phone.live()
            assert await heard(line, "state") == {"view": {"turn": 1}, "word": "a"}
            server.soon(site.set_state, {"view": {"turn": 2}, "word": "a"})
            assert await heard(line, "change") == {"view": {"turn": 2}}
            site.opened = False
            closed = await phone.live()
            assert (await heard(closed, "hello")) == {"paired": False, "open": False}
            await phone.pair(site)
            assert await heard(await phone.live(), "state") == {"view": {"turn": 2}, "word": "a"}

    asyncio.run(goes())
    server.close()
    with pytest.raises(ConnectionError):
        socket.create_connection(("127.0.0.1", port), 1)


def test_a_visitor_that_reads_nothing_is_dropped_and_costs_one_state(tmp_path: Path) -> None:
    site = Small(tmp_path, QUICK)
    server = WebServer([("127.0.0.1", 0)], site.app, QUICK)
    server.start()
    assert server.place is not None
    port = server.place[1]
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(upgrade(port))
    until_s = time.monotonic() + 8
    number = 0
    while (number < 5 or site.visitors) and time.monotonic() < until_s:
        number += 1
        server.soon(site.set_state, {"word": str(number) * 400_000})
        time.sleep(0.05)
    assert number > 4 and not site.visitors
    connection.close()
    server.close()


@pytest.mark.parametrize("start", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "])
def test_a_request_that_does_not_arrive_is_not_waited_for(tmp_path: Path, start: bytes) -> None:
    with served(Small(tmp_path, QUICK)) as port:
        began_s = time.monotonic()
        assert status(raw(port, start, 5)) in (0, 400)
        assert time.monotonic() - began_s < 3


def test_a_body_that_does_not_arrive_is_not_waited_for(tmp_path: Path) -> None:
    with served(Small(tmp_path, QUICK)) as port:
        head = (
            f"POST /pair HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
            "Content-Type: application/json\r\nContent-Length: 20\r\nConnection: close\r\n\r\n"
        )
        assert status(raw(port, head.encode() + b'{"co', 5)) == 400


@pytest.mark.parametrize(
    "text",
    ["x", "[]", "{}", '{"look":1}', '{"look":["' + '","'.join("abcdefghijk") + '"]}', '{"id":"1","ask":"a"}',
     '{"id":1,"ask":1}', '{"id":1,"ask":"a","facts":[]}', "[" * 5000, '{"id":true,"ask":"a"}', "x" * 20_000],
)  # fmt: skip
def test_a_message_that_is_none_ends_the_visit(tmp_path: Path, text: str) -> None:
    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            line = await phone.live()
            await heard(line, "hello")
            await line.send_str(text)
            async with asyncio.timeout(5):
                while not line.closed:
                    await line.receive()

    with served(Small(tmp_path)) as port:
        asyncio.run(goes(port))


def test_more_than_there_is_room_for_are_turned_away_and_the_others_stay(tmp_path: Path) -> None:
    async def goes(port: int) -> None:
        async with Browser(port) as phone:
            lines = [await phone.live() for _ in range(QUICK.visitors)]
            with pytest.raises(aiohttp.WSServerHandshakeError) as full:
                await phone.live()
            assert full.value.status == 503
            crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(30)]
            await lines[0].send_json({"id": 1, "ask": "say", "facts": {}})
            assert (await heard(lines[0], "done"))["refused"] == "not_paired"
            for connection in crowd:
                connection.close()

    with served(Small(tmp_path, QUICK)) as port:
        asyncio.run(goes(port))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"code": 1}', b'{"code": "' + b"1" * 9000 + b'"}', b"\xff\xfe"])
def test_a_body_that_is_none_is_refused(tmp_path: Path, body: bytes) -> None:
    site = Small(tmp_path)

    async def goes(port: int) -> int:
        async with Browser(port) as phone:
            told = {"Origin": phone.at, "Content-Type": "application/json"}
            async with phone.session.post(phone.at + "/pair", data=body, headers=told) as answer:
                return answer.status

    with served(site) as port:
        assert asyncio.run(goes(port)) in (400, 413)


def test_a_port_that_is_taken_is_told_and_the_next_one_tried(tmp_path: Path) -> None:
    site = Small(tmp_path)
    with served(site) as port:
        with pytest.raises(OSError, match=str(port)):
            WebServer([("127.0.0.1", port)], site.app).start()
        second = WebServer([("127.0.0.1", port), ("127.0.0.1", 0)], site.app, VisitorLimits())
        second.start()
        assert second.place is not None and second.place[1] != port
        second.close()
        second.close()


@pytest.mark.parametrize(
    ("errors", "code", "said"),
    [
        ([errno.EADDRINUSE, errno.EADDRINUSE], "page_taken", "utiliser 127.0.0.1:1, 127.0.0.1:2 : un autre programme"),
        ([errno.EACCES, errno.EADDRINUSE], "page_taken", "utiliser 127.0.0.1:2 : un autre programme"),
        ([errno.EACCES], "page_refused", "sont pour root"),
        ([errno.EADDRNOTAVAIL], "page_nowhere", "n'a pas cette adresse"),
        ([errno.ENOSPC], "page_odd", "le disque est plein"),
    ],
)
def test_a_page_without_a_place_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, errors: list[int], code: str, said: str
) -> None:
    left = list(errors)

    def refused(connection: socket.socket, address: object) -> None:
        raise OSError(left.pop(0), "raw")

    monkeypatch.setattr(socket.socket, "bind", refused)
    places = [("127.0.0.1", port) for port in range(1, len(errors) + 1)]
    with pytest.raises(server.PageAway) as away:
        server.WebServer(places, web.Application).start()
    assert away.value.code == code and said in away.value.said("fr")
    assert "raw" not in str(away.value) and "Errno" not in str(away.value)


def test_a_port_that_another_program_has_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        place = other.getsockname()[:2]
        with pytest.raises(server.PageAway, match="another program does"):
            server.WebServer([place], web.Application).start()
