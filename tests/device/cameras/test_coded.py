"""What reaches a decoder: pictures and films of the kinds promised, on every way in."""

import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow

from device.cameras import CameraAway, net, open_camera
from device.cameras.coded import NotAPicture, decode, kind_of
from device.cameras.files import FileCamera
from device.cli import main
from device.following.follow import FrameSeen
from device.following.recording import FRAMES, RecordedCamera, Recorder, Recording
from engine.match import Match
from vision.frame import Frame

PICTURE = np.full((64, 96, 3), 120, np.uint8)
PROMISED = (".jpg", ".png", ".webp")
REFUSED = (".jp2", ".tif", ".bmp", ".pgm", ".ras", ".hdr")


def coded_as(ending: str) -> bytes:
    image = PICTURE.astype(np.float32) if ending == ".hdr" else PICTURE[..., 0] if ending == ".pgm" else PICTURE
    done, data = cv2.imencode(ending, image)
    assert done
    return bytes(data)


@pytest.fixture
def decoders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every call that hands bytes to a decoder."""
    called: list[str] = []
    for owner, name in ((cv2, "imdecode"), (Pillow, "open"), (cv2, "VideoCapture")):
        kept: Callable[..., object] = getattr(owner, name)

        def noted(*args: object, kept: Callable[..., object] = kept, name: str = name, **more: object) -> object:
            called.append(name)
            return kept(*args, **more)

        monkeypatch.setattr(owner, name, noted)
    return called


@pytest.mark.parametrize("ending", PROMISED)
def test_what_is_promised_is_decoded(ending: str) -> None:
    assert decode(coded_as(ending)).shape == PICTURE.shape


@pytest.mark.parametrize("ending", REFUSED)
def test_no_other_kind_reaches_a_decoder(decoders: list[str], ending: str) -> None:
    with pytest.raises(NotAPicture, match="odd"):
        decode(coded_as(ending))
    assert decoders == []


@pytest.mark.parametrize(
    "head",
    [
        b"\x00\x00\x00\x0cjP  \r\n\x87\n",  # JPEG 2000 in its box
        b"\xff\x4f\xff\x51\x00\x2f",  # and without one
        b"\x00\x00\x00\x1cftypavif",
        b"\xff\xd8\xff\xe0ftypavif",  # AVIF that begins like JPEG: OpenCV would take it for AVIF
        b"GIF89a",
        b"v/1\x01",  # OpenEXR
        b"RIFF\x10\x00\x00\x00AVI ",
        b"%PDF-1.7",
        b"",
        b"\xff",
    ],
)
def test_beginnings_that_are_none_of_the_promised(head: bytes) -> None:
    assert kind_of(head + bytes(64) if head else b"") == ""


def test_a_hole_in_a_promised_kind_is_told_as_damage() -> None:
    for ending in PROMISED:
        data = coded_as(ending)
        for cut in range(1, len(data), 7):
            try:
                assert decode(data[:cut]).ndim == 3
            except NotAPicture as error:
                assert error.code == ("damaged" if kind_of(data[:cut]) else "odd")


@pytest.mark.parametrize("command", ["cards", "seeds"])
def test_the_commands_refuse_jpeg_2000_by_any_name(
    command: str, decoders: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    disguised = tmp_path / "table.jpg"
    disguised.write_bytes(coded_as(".jp2"))
    assert main([command, str(disguised)]) == 2
    assert "table.jpg: not a picture" in capsys.readouterr().err
    assert decoders == []


def test_enrolling_refuses_it_too(decoders: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    disguised = tmp_path / "hearts.png"
    disguised.write_bytes(coded_as(".jp2"))
    assert main(["enrol", "--cards", "AH 2H", str(disguised)]) == 2
    assert "not a picture" in capsys.readouterr().err
    assert decoders == []


def test_a_recording_whose_pictures_were_exchanged_is_damaged(tmp_path: Path, decoders: list[str]) -> None:
    recorder = Recorder(tmp_path / "0001", Match("turufu", players=2), {})
    recorder.watch(Frame(PICTURE, 0.0), FrameSeen(looked=True))
    recorder.close()
    recording = Recording(tmp_path / "0001")
    frames = tmp_path / "0001" / FRAMES
    evil = coded_as(".jp2")
    frames.write_bytes(evil + bytes(max(0, frames.stat().st_size - len(evil))))
    decoders.clear()
    with pytest.raises(CameraAway, match="the recording is damaged"):
        RecordedCamera(recording).frame()
    assert decoders == []


@pytest.mark.parametrize("name", ["film.avi", "film.mp4", "film"])
def test_what_is_no_film_reaches_no_decoder(name: str, decoders: list[str], tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(coded_as(".jp2"))
    with pytest.raises(CameraAway, match="not a film that opens"):
        FileCamera(tmp_path / name)
    assert decoders == []


def film(path: Path, codec: str) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), 5, (96, 64))
    if not writer.isOpened():
        pytest.skip(f"this OpenCV writes no {codec}")
    for _ in range(3):
        writer.write(PICTURE)
    writer.release()
    return path


@pytest.mark.parametrize(
    ("name", "codec"), [("a.avi", "MJPG"), ("a.mp4", "mp4v"), ("a.avi", "XVID"), ("a.mkv", "MJPG")]
)
def test_films_that_are_promised_are_played(name: str, codec: str, tmp_path: Path) -> None:
    camera = FileCamera(film(tmp_path / name, codec))
    frames = list(iter(camera.frame, None))
    assert len(frames) == 3 and frames[0].image.shape == PICTURE.shape


@pytest.mark.parametrize("codec", ["MJ2C", "FFV1", "HFYU"])
def test_a_film_of_another_codec_is_refused(codec: str, tmp_path: Path) -> None:
    with pytest.raises(CameraAway, match="not a film that opens"):
        FileCamera(film(tmp_path / "a.avi", codec))


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[[bytes], str]]:
    """An address that answers with these bytes, called a JPEG."""
    body = b""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "image/jpeg")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()

    def serve(data: bytes) -> str:
        nonlocal body
        body = data
        return f"http://127.0.0.1:{server.server_port}/shot.jpg"

    yield serve
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("ending", [".jp2", ".tif", ".bmp"])
def test_a_camera_at_an_address_that_sends_another_kind_is_away(
    ending: str, served: Callable[[bytes], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net, "ANSWER_S", 1.0)
    camera = open_camera(served(coded_as(ending)))
    with pytest.raises(CameraAway, match="sends something that is not a picture"):
        camera.frame()
    camera.close()
    camera = open_camera(served(coded_as(".jpg")))
    assert camera.frame() is not None
    camera.close()
