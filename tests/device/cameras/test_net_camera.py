"""A phone as the camera: a real server of moving pictures on this machine, that stalls, dies and comes back."""

import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import Camera, CameraAway, net, open_camera
from device.following.loop import Timing, run
from device.following.press import Press
from device.following.show import Show
from vision.frame import Frame


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


def test_who_is_slow_gets_the_newest_picture(phone: Phone) -> None:
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    camera.frame()
    time.sleep(0.6)
    asked_s = time.monotonic()
    frame = camera.frame()
    camera.close()
    assert frame is not None and frame.at_s > asked_s - 0.3


def test_where_nothing_answers_it_is_said_and_no_password_is(phone: Phone) -> None:
    port = phone.port
    phone.stop()
    with pytest.raises(CameraAway, match=rf"Nothing answers at http://127\.0\.0\.1:{port}/video") as error:
        open_camera(f"http://me:secret@127.0.0.1:{port}/video")
    assert "secret" not in str(error.value) and "secret" not in error.value.said("fr")


def test_a_phone_that_falls_asleep_is_away(phone: Phone) -> None:
    camera = open_camera(f"http://127.0.0.1:{phone.port}/video")
    assert camera.frame() is not None
    phone.stalled.set()
    with pytest.raises(CameraAway, match="gives no more pictures"):
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

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"rtsp://127.0.0.1:{free.getsockname()[1]}/live"
        self._server: subprocess.Popen[str] | None = None

    def start(self) -> None:
        port = self.address.rpartition(":")[2].partition("/")[0]
        words = [str(self.PYTHON), str(Path(__file__).with_name("rtsp_server.py")), port]
        self._server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._server.stdout
        if self._server.stdout.readline().strip() != "serving":
            self.stop()
            pytest.skip("no RTSP server: sudo apt install gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-ugly")

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
    assert network_camera._server is not None
    network_camera._server.send_signal(signal.SIGSTOP)
    with pytest.raises(CameraAway, match="gives no more pictures"):
        for _ in range(30):
            camera.frame()
    camera.close()


def test_an_address_is_a_setting() -> None:
    from device.keeping.settings import SettingsError, parse

    for address in ("http://192.168.1.20:8080/video", "rtsp://me:pw@phone.local:554/live"):
        assert parse(f'camera = "{address}"').camera == address
    with pytest.raises(SettingsError):
        parse('camera = "ftp://there"')
