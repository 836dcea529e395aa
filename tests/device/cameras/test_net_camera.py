"""A phone as the camera: a real server of moving pictures on this machine, that stalls, dies and comes back."""

import base64
import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import Camera, CameraAway, net, open_camera
from device.cameras.coded import decode
from device.following.loop import Timing, run
from device.following.press import Press
from device.following.show import Show
from tests.sizes import slow
from vision.frame import Frame, Image


class Phone:
    """Serves /video as phones do (multipart JPEG, picture after picture) and /shot.jpg, one at a time."""

    def __init__(self) -> None:
        self.port = 0
        self.shown = 0
        self.stalled = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        phone = self
        stopping = self._stopping = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                if self.path == "/shot.jpg":
                    picture = phone.picture()
                    self.send_header("Content-Type", "image/jpeg")
                    self.send_header("Content-Length", str(len(picture)))
                    self.end_headers()
                    self.wfile.write(picture)
                    return
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
                self.end_headers()
                while not stopping.is_set():
                    if not phone.stalled.is_set():
                        picture = phone.picture()
                        head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                        try:
                            self.wfile.write(head.encode() + picture + b"\r\n")
                        except OSError:
                            return
                    time.sleep(0.02)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._stopping.set()
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def picture(self) -> bytes:
        self.shown += 1
        image = np.full((96, 128, 3), 40 + self.shown % 200, np.uint8)
        return bytes(cv2.imencode(".jpg", image)[1])


@pytest.fixture
def phone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Phone]:
    monkeypatch.setattr(net, "ANSWER_S", 1.0)
    phone = Phone()
    phone.start()
    yield phone
    phone.stop()


@pytest.mark.parametrize("path", ["video", "shot.jpg"])
def test_a_phone_is_a_camera(phone: Phone, path: str) -> None:
    camera = open_camera(f"http://127.0.0.1:{phone.port}/{path}")
    frames = [camera.frame() for _ in range(4)]
    camera.close()
    camera.close()
    assert all(frame is not None and frame.image.shape == (96, 128, 3) for frame in frames)
    times_s = [frame.at_s for frame in frames if frame is not None]
    assert times_s == sorted(times_s) and len(set(times_s)) == 4


def test_a_phone_whose_picture_is_too_small_is_no_camera(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    strip = bytes(cv2.imencode(".jpg", np.full((15, 640, 3), 90, np.uint8))[1])
    monkeypatch.setattr(phone, "picture", lambda: strip)
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    with pytest.raises(CameraAway, match="too small: 640 x 15 pixels are not enough for a table") as error:
        camera.frame()
    assert "trop petite" in error.value.said("fr")
    camera.close()


def test_a_picture_that_the_network_cut_is_left_out(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = phone.picture

    def every_third_is_cut() -> bytes:
        picture = whole()
        return picture[: len(picture) // 3] if phone.shown % 3 == 0 else picture

    monkeypatch.setattr(phone, "picture", every_third_is_cut)
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    frames = [camera.frame() for _ in range(7)]
    camera.close()
    assert all(frame is not None for frame in frames)


def test_a_camera_whose_pictures_are_all_cut_is_said(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = phone.picture
    monkeypatch.setattr(phone, "picture", lambda: whole()[:200])
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    with pytest.raises(CameraAway) as error:
        camera.frame()
    camera.close()
    assert error.value.code == "net_odd"


def test_who_is_slow_gets_the_newest_picture(phone: Phone) -> None:
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    camera.frame()
    time.sleep(0.6)
    asked_s = time.monotonic()
    frame = camera.frame()
    camera.close()
    assert frame is not None and frame.at_s > asked_s - 0.3


# -- what the camera apps of phones answer -----------------------------------------------------------------------------

BASIC = "Basic " + base64.b64encode(b"me:secret").decode()


class App:
    """A camera app: what it answers at each path. A page at all others, or nothing."""

    def __init__(self, answers: dict[str, str], page: bool = True, password: bool = False) -> None:
        app = self
        self.asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                app.asked.append(self.path)
                if password and self.headers.get("Authorization") != BASIC:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="camera"')
                    self.end_headers()
                    return
                kind = answers.get(self.path, "page" if page else "404")
                if kind == "page":
                    self._send("text/html", b"<html>the camera's own page</html>")
                elif kind == "picture":
                    self._send("image/jpeg", JPEG)
                elif kind == "odd":
                    self._send("application/octet-stream", b"odd")
                elif kind.isdigit():
                    self.send_error(int(kind))
                else:
                    self._move(kind)

            def _send(self, kind: str, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body)

            def _move(self, said: str) -> None:
                """said: the boundary as the header has it; "no length": and parts do not say how long they are."""
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={said.split(maxsplit=1)[0]}")
                self.end_headers()
                mark = "--" + said.split(maxsplit=1)[0].strip('"').lstrip("-")
                length = "" if "length" in said else f"Content-Length: {len(JPEG)}\r\n"
                with contextlib.suppress(OSError):
                    for _ in range(200):
                        self.wfile.write(
                            f"{mark}\r\nContent-Type: image/jpeg\r\n{length}\r\n".encode() + JPEG + b"\r\n"
                        )
                        time.sleep(0.02)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self) -> "App":
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()


JPEG = bytes(cv2.imencode(".jpg", np.full((96, 128, 3), 77, np.uint8))[1])


@pytest.mark.parametrize(
    ("answers", "typed"),
    [
        ({"/video": "--Ba4oTvQMY8ew04N8dcnM"}, ""),
        ({"/video": "--dcmjpeg no length"}, "/video"),
        ({"/mjpegfeed": '"next"'}, ""),
        ({"/mjpegfeed": "next", "/video": "404"}, "/video"),
        ({"/shot.jpg": "picture"}, "/"),
        ({"/": "frame"}, ""),
    ],
)
@pytest.mark.parametrize("scheme", ["", "http://"])
def test_the_address_that_an_app_shows_is_enough(answers: dict[str, str], typed: str, scheme: str) -> None:
    with App(answers) as app:
        camera = open_camera(f"{scheme}{app.place}{typed}")
        frames = [camera.frame() for _ in range(3)]
        camera.close()
    assert all(frame is not None and frame.image.shape == (96, 128, 3) for frame in frames)
    assert camera.name.endswith(next(path for path, answer in answers.items() if answer != "404")) or "/" in answers


@pytest.mark.parametrize(
    ("answers", "page", "said"),
    [
        ({}, True, "is a web page, not a picture"),
        ({}, False, "answers, but without a picture"),
        ({"/": "503"}, False, "answers with error 503"),
        ({"/": "odd"}, False, "sends something that is not a picture"),
    ],
)
def test_what_is_no_camera_is_told_apart(answers: dict[str, str], page: bool, said: str) -> None:
    with App(answers, page) as app, pytest.raises(CameraAway, match=said):
        open_camera(f"{app.place}/")


def test_a_password_is_asked_for_and_taken() -> None:
    with App({"/video": "next"}, password=True) as app:
        with pytest.raises(CameraAway, match="needs a user and a password"):
            open_camera(f"{app.place}/video")
        with pytest.raises(CameraAway, match="needs a user and a password"):
            open_camera(f"http://me:wrong@{app.place}/video")
        camera = open_camera(f"http://me:secret@{app.place}")
        frame = camera.frame()
        camera.close()
    assert frame is not None and camera.name == f"http://{app.place}/video"


def test_a_picture_that_nobody_looks_at_is_not_decoded(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []

    def counted(packed: bytes) -> Image:
        decoded.append(packed)
        return decode(packed)

    monkeypatch.setattr(net, "decode", counted)
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    camera.frame()
    shown = phone.shown
    while phone.shown < shown + 20:
        time.sleep(0.02)
    camera.frame()
    camera.close()
    assert len(decoded) == 2


STOPPED = """
import atexit, os, signal, sys, threading
from device.cameras import open_camera
# Called last: FFmpeg in a thread that outlives the interpreter would end the program with a signal.
atexit.register(lambda: os._exit(threading.active_count() > 1 and 3))
camera = open_camera(sys.argv[1])
camera.frame()
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGTERM)).start()
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
while True:
    camera.frame()
"""


@pytest.mark.parametrize("times", [1, *slow(3)])
def test_a_program_that_is_stopped_ends_without_a_signal(phone: Phone, times: int) -> None:
    for _ in range(times):
        ended = subprocess.run([sys.executable, "-c", STOPPED, f"http://127.0.0.1:{phone.port}/video"], check=False)
        assert ended.returncode == 0


@pytest.mark.parametrize("kind", ["http", "rtsp"])
def test_where_nothing_answers_it_is_said_and_no_password_is(phone: Phone, kind: str) -> None:
    port = phone.port
    phone.stop()
    with pytest.raises(CameraAway, match=rf"Nothing answers at {kind}://127\.0\.0\.1:{port}/video") as error:
        open_camera(f"{kind}://me:secret@127.0.0.1:{port}/video")
    assert "secret" not in str(error.value) and "secret" not in error.value.said("fr")


def test_a_phone_that_falls_asleep_is_away(phone: Phone) -> None:
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    assert camera.frame() is not None
    phone.stalled.set()
    with pytest.raises(CameraAway, match="stopped sending pictures"):
        for _ in range(10):
            camera.frame()
    camera.close()


class Counting:
    """A brain that counts what it sees, and stops the run once the phone was away and came back."""

    def __init__(self, phone: "Phone | NetworkCamera") -> None:
        self.phone = phone
        self.show = Show({})
        self.told: list[tuple[str, bool]] = []
        self.seen_after = 0

    @property
    def done(self) -> bool:
        return self.seen_after > 3

    def see(self, frame: Frame) -> None:
        if not self.told:
            self.phone.stop()
        elif not self.told[-1][1]:
            self.seen_after += 1

    def press(self, press: Press) -> None:
        pass

    def trouble(self, code: str, present: bool) -> None:
        self.told.append((code, present))
        if present:
            self.phone.start()


def test_a_phone_that_goes_and_comes_back_is_followed_again(phone: Phone) -> None:
    brain = Counting(phone)

    def camera() -> Camera:
        return open_camera(f"http://127.0.0.1:{phone.port}/video")

    status = run(camera, brain, [], threading.Event(), timing=Timing(retry_first_s=0.05, join_s=0.1))
    assert (status, brain.told) == (0, [("camera_away", True), ("camera_away", False)])


class NetworkCamera:
    """A real RTSP server, in a program of its own that can be killed."""

    PYTHON = Path("/usr/bin/python3")
    SERVER = Path(__file__).parents[3] / "tools" / "stand_ins" / "rtsp_server.py"

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"rtsp://127.0.0.1:{free.getsockname()[1]}/live"
        self._server: subprocess.Popen[str] | None = None

    def start(self) -> None:
        port = self.address.rpartition(":")[2].partition("/")[0]
        assert self.SERVER.exists(), "without it every test of a film would be skipped"
        words = [str(self.PYTHON), str(self.SERVER), port]
        self._server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._server.stdout
        if self._server.stdout.readline().strip() != "serving":
            self.stop()
            pytest.skip("no RTSP server: sudo apt install gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-ugly")

    def stand_still(self) -> None:
        """It is there, and sends nothing more."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)

    def stop(self) -> None:
        if self._server is not None:
            self._server.kill()
            self._server.communicate()
            self._server = None


@pytest.fixture
def network_camera() -> Iterator[NetworkCamera]:
    camera = NetworkCamera()
    camera.start()
    yield camera
    camera.stop()


@pytest.mark.slow
def test_a_network_camera_is_a_camera(network_camera: NetworkCamera) -> None:
    camera = open_camera(network_camera.address)
    frames = [camera.frame() for _ in range(10)]
    camera.close()
    assert all(frame is not None and frame.image.shape == (240, 320, 3) for frame in frames)
    times_s = [frame.at_s for frame in frames if frame is not None]
    assert times_s == sorted(set(times_s))
    assert len({frame.image.tobytes() for frame in frames if frame is not None}) > 1


@pytest.mark.slow
def test_a_program_that_is_stopped_in_a_film_ends_without_a_signal(network_camera: NetworkCamera) -> None:
    for _ in range(6):
        ended = subprocess.run([sys.executable, "-c", STOPPED, network_camera.address], check=False)
        assert ended.returncode == 0


@pytest.mark.slow
def test_a_network_camera_that_dies_and_comes_back_is_followed_again(network_camera: NetworkCamera) -> None:
    brain = Counting(network_camera)

    def camera() -> Camera:
        return open_camera(network_camera.address)

    status = run(camera, brain, [], threading.Event(), timing=Timing(retry_first_s=0.2, join_s=0.1))
    assert (status, brain.told) == (0, [("camera_away", True), ("camera_away", False)])


@pytest.mark.slow
def test_a_network_camera_that_stands_still_is_away(network_camera: NetworkCamera) -> None:
    camera = open_camera(network_camera.address)
    assert camera.frame() is not None
    network_camera.stand_still()
    with pytest.raises(CameraAway, match="stopped sending pictures"):
        for _ in range(30):
            camera.frame()
    camera.close()


def test_an_address_is_a_setting() -> None:
    from device.keeping.settings import SettingsError, parse

    for address in ("http://192.168.1.20:8080/video", "rtsp://me:pw@phone.local:554/live", "192.168.1.20:8080"):
        assert parse(f'camera = "{address}"').camera == address
    with pytest.raises(SettingsError):
        parse('camera = "ftp://there"')


@pytest.mark.parametrize(
    "address", ["http://a..b:80/video", "http://[2a01:cb1c::1/video", "http://10.0.0.1:8O80/video"]
)
def test_an_address_that_nothing_can_have_is_a_camera_that_is_away(address: str) -> None:
    with pytest.raises(CameraAway, match="Nothing answers"):
        net.NetCamera(address, 10)
