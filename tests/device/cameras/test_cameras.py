"""Every kind of camera: what comes out of it, what it says when it is not there or stops."""

import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras import CameraAway, CameraStuck, metering, open_camera, pi
from device.cameras.files import FileCamera
from device.cameras.usb import UsbCamera

WIDTH, HEIGHT = 96, 64


def picture(number: int) -> Any:
    """Recognisable by its grey level, also after a film was compressed."""
    return np.full((HEIGHT, WIDTH, 3), 20 + 5 * number, np.uint8)


def number_of(image: Any) -> int:
    return round((float(image.mean()) - 20) / 5)


def film(path: Path, frames: int = 6, fps: float = 5.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (WIDTH, HEIGHT))
    assert writer.isOpened()
    for number in range(frames):
        writer.write(picture(number))
    writer.release()
    return path


# -- a folder or a film ------------------------------------------------------------------------------------------------


def test_a_folder_gives_its_pictures_in_the_order_of_names(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    for number in (2, 0, 3):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), picture(number))
    (tmp_path / "001.png").write_bytes(b"half a picture")
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = FileCamera(tmp_path)
    frames = list(iter(camera.frame, None))
    assert [number_of(frame.image) for frame in frames] == [0, 2, 3]
    assert [frame.at_s for frame in frames] == [0.0, 0.2, 0.3]
    assert frames[1].about["file"] == "002.png"
    assert "001.png: not a picture" in caplog.text
    camera.close()
    assert camera.frame() is None


def test_a_film_gives_its_frames_at_its_own_times(tmp_path: Path) -> None:
    camera = FileCamera(film(tmp_path / "match.avi"))
    frames = list(iter(camera.frame, None))
    assert [number_of(frame.image) for frame in frames] == list(range(6))
    assert [frame.at_s for frame in frames] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    camera.close()
    camera.close()


def test_a_film_holds_no_picture_that_it_gave(tmp_path: Path) -> None:
    camera = FileCamera(film(tmp_path / "match.avi"))
    given = camera.frame()
    assert given is not None
    image = weakref.ref(given.image)
    del given
    assert image() is None


def test_a_film_can_be_played_at_another_rate(tmp_path: Path) -> None:
    camera = FileCamera(film(tmp_path / "match.avi"), fps=10)
    assert [frame.at_s for frame in iter(camera.frame, None)] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])


def test_a_live_table_gets_a_film_in_real_time(tmp_path: Path) -> None:
    began_s = time.monotonic()
    camera = open_camera(str(film(tmp_path / "match.avi", frames=4, fps=20)))
    times = [frame.at_s for frame in iter(camera.frame, None)]
    assert np.diff(times) == pytest.approx([0.05, 0.05, 0.05])
    assert began_s <= times[0] <= times[-1] <= time.monotonic()


def test_a_film_that_was_cut_off_ends_where_it_ends(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = film(tmp_path / "match.avi", frames=40)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    frames = list(iter(FileCamera(path).frame, None))
    assert 1 <= len(frames) < 40
    assert f"ends after {len(frames)} of 40" in caplog.text


def test_what_is_no_film_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.avi").write_text("not a film")
    with pytest.raises(CameraAway, match="not a folder of pictures, and not a film"):
        open_camera(str(tmp_path / "text.avi"))
    with pytest.raises(CameraAway, match="no such folder or film"):
        open_camera(str(tmp_path / "nothing"))


# -- USB ---------------------------------------------------------------------------------------------------------------


def test_a_usb_camera_gives_frames_until_it_is_unplugged(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    film(tmp_path / "film.avi").rename(tmp_path / "dev" / "video1")
    camera = UsbCamera("usb:1", (WIDTH, HEIGHT), 10, root=tmp_path)
    frames = [camera.frame() for _ in range(6)]
    assert [number_of(frame.image) for frame in frames if frame] == list(range(6))
    times = [frame.at_s for frame in frames if frame]
    assert times == sorted(times)
    with pytest.raises(CameraAway, match=r"USB camera 1 stopped sending pictures\. Is it plugged in\?"):
        camera.frame()
    camera.close()
    camera.close()


def test_a_usb_camera_that_is_not_there_is_said_with_those_that_are(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "video0").touch()
    with pytest.raises(CameraAway, match=r"The USB camera 2 does not answer\. There is usb:0\. Is it plugged in\?"):
        UsbCamera("usb:2", (WIDTH, HEIGHT), 10, root=tmp_path)
    with pytest.raises(CameraAway, match="Cannot open the USB camera 0"):
        UsbCamera("usb:0", (WIDTH, HEIGHT), 10, root=tmp_path)


# -- the Pi's ribbon, with a picamera2 that answers as the real one does (0.3.38) --------------------------------------


class Request:
    """picamera2.request.CompletedRequest."""

    def __init__(self, camera: "FakePicamera2") -> None:
        self.camera = camera
        self.released = False

    def get_metadata(self) -> dict[str, Any]:
        return dict(self.camera.metadata)

    def make_array(self, name: str) -> Any:
        config = self.camera.config[name]
        (width, height), stride = config["size"], config["stride"]
        if config["format"] == "RGB888":
            return np.full((height, width, 3), (1, 2, 3), np.uint8)
        planes = np.full((height * 3 // 2, stride), 128, np.uint8)
        planes[:height, :width] = self.camera.level
        return planes

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.held -= 1


class FakePicamera2:
    """picamera2.Picamera2, as far as it is used here."""

    ribbons: list[str]
    controls: tuple[str, ...]
    made: "list[FakePicamera2]"
    close_hangs: threading.Event | None
    open: bool
    sensor_resolution = (4608, 2592)

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        found = [{"Model": name, "Id": f"/base/soc/i2c0mux/i2c@1/{name}@1a"} for name in FakePicamera2.ribbons]
        return [*found, {"Model": "C920", "Id": "/base/scb/pcie/usb/1.1"}]

    def __init__(self, camera_num: int = 0) -> None:
        if any(camera.open for camera in FakePicamera2.made):
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.open, self.started, self.flushed, self.held, self.level = True, False, False, 0, 100
        self.set: list[dict[str, Any]] = []
        self.config: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {
            "SensorTimestamp": 5_000_000_000, "ExposureTime": 10_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8),
            "AfState": 2, "LensPosition": 1.7,
        }  # fmt: skip
        FakePicamera2.made.append(self)

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        return dict.fromkeys(FakePicamera2.controls, (0, 1, 0))

    def create_video_configuration(self, **wishes: Any) -> dict[str, Any]:
        for stream in ("main", "lores"):
            assert all(side % 2 == 0 for side in wishes[stream]["size"]), "width and height should be even"
        assert wishes["lores"]["format"] == "YUV420", "lores stream must be YUV"
        half = tuple(side // 2 for side in FakePicamera2.sensor_resolution)
        assert wishes["raw"]["size"] == half, "another mode sees less of the table"
        return wishes

    def configure(self, config: dict[str, Any]) -> None:
        self.set_controls(config["controls"])
        self.config = {name: dict(config[name]) for name in ("main", "lores")}
        for stream in self.config.values():  # Rows are padded to 64 bytes.
            stream["stride"] = -(-stream["size"][0] // 64) * 64

    def camera_configuration(self) -> dict[str, Any]:
        return self.config

    def start(self) -> None:
        self.started = True

    def capture_request(self, wait: float) -> Request:
        if not FakePicamera2.ribbons:
            raise TimeoutError
        assert self.started
        assert self.held == 0, "the frame before was not given back"
        self.held += 1
        self.metadata["SensorTimestamp"] += 100_000_000
        return Request(self)

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in FakePicamera2.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.set.append(controls)

    def cancel_all_and_flush(self) -> None:
        self.flushed = True

    def close(self) -> None:
        if FakePicamera2.close_hangs:
            FakePicamera2.close_hangs.wait()
        self.open = False


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakePicamera2]]:
    module = ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    FakePicamera2.ribbons, FakePicamera2.made, FakePicamera2.close_hangs = ["imx708"], [], None
    FakePicamera2.controls = (
        "FrameDurationLimits", "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains",
        "AeFlickerMode", "AeFlickerPeriod", "AfMode", "LensPosition",
    )  # fmt: skip
    yield FakePicamera2
    if FakePicamera2.close_hangs:
        FakePicamera2.close_hangs.set()


def test_the_pi_camera_gives_picture_grey_time_and_metadata_of_one_frame(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", size=(1280, 960))
    frame = camera.frame()
    assert frame
    assert frame.image.shape == (960, 1280, 3)
    assert frame.image[0, 0].tolist() == [1, 2, 3]
    assert frame.small is not None
    assert frame.small.shape == (240, 320)
    assert (frame.small == 100).all()
    assert frame.at_s == pytest.approx(5.1)
    assert frame.about["ExposureTime"] == 10_000
    assert camera.name == "Pi camera imx708"
    assert picamera2.made[0].held == 0
    camera.close()
    camera.close()
    assert not picamera2.made[0].open


def test_padding_is_cut_off_the_grey_picture(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", size=(2304, 1296))
    picamera2.made[0].config["lores"]["stride"] = 384
    frame = camera.frame()
    assert frame
    assert frame.small is not None
    assert frame.small.shape == (180, 320)
    assert (frame.small == 100).all()


@pytest.mark.parametrize(("mains_hz", "mode", "period_us"), [(50, 1, 10_000), (60, 1, 8333), (None, 0, None)])
def test_lamps_on_the_mains_do_not_flicker(
    picamera2: type[FakePicamera2], mains_hz: int | None, mode: int, period_us: int | None
) -> None:
    open_camera("pi", mains_hz=mains_hz, fps=10)
    asked = picamera2.made[0].set[0]
    assert (asked["AeFlickerMode"], asked.get("AeFlickerPeriod")) == (mode, period_us)
    assert asked["FrameDurationLimits"] == (100_000, 100_000)


def test_light_colours_and_focus_are_locked_once_they_have_settled(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", size=(320, 240))
    fake = picamera2.made[0]
    for exposure_us in range(5_000, 10_000, 1_000):
        fake.metadata["ExposureTime"] = exposure_us
        camera.frame()
    fake.metadata |= {"ExposureTime": 10_000, "AfState": 1}  # Still focusing.
    for _ in range(metering.SETTLED_FRAMES + 1):
        camera.frame()
    assert len(fake.set) == 1
    fake.metadata["AfState"] = 2
    frame = camera.frame()
    assert frame
    assert frame.about["Locked"]
    assert fake.set[1] == {
        "AeEnable": False, "ExposureTime": 10_000, "AnalogueGain": 2.0, "AwbEnable": False, "ColourGains": (1.5, 1.8),
        "AfMode": 0, "LensPosition": 1.7,
    }  # fmt: skip
    for _ in range(100):
        camera.frame()
    assert len(fake.set) == 2


def test_a_scene_that_never_settles_is_locked_all_the_same(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", size=(320, 240))
    fake = picamera2.made[0]
    frames = 0
    while len(fake.set) == 1:
        frames += 1
        fake.metadata["ExposureTime"] = 10_000 + 5_000 * (frames % 2)
        camera.frame()
    assert frames / 10 == pytest.approx(metering.SETTLE_LATEST_S, abs=0.2)


def test_a_lamp_that_is_switched_makes_it_meter_again_and_a_hand_does_not(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", size=(320, 240))
    fake = picamera2.made[0]
    for _ in range(20):
        camera.frame()
    assert len(fake.set) == 2
    fake.level = 30
    for _ in range(10):  # A hand, for a second.
        camera.frame()
    fake.level = 100
    camera.frame()
    fake.level = 30
    for _ in range(29):
        camera.frame()
    assert len(fake.set) == 2
    for _ in range(3):
        frame = camera.frame()
    assert frame
    assert not frame.about["Locked"]
    assert fake.set[2] == {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True, "AfMode": 2}
    for _ in range(20):
        camera.frame()
    assert fake.set[3]["AeEnable"] is False


def test_a_camera_without_autofocus_or_flicker_control_is_not_asked_for_them(picamera2: type[FakePicamera2]) -> None:
    picamera2.controls = ("FrameDurationLimits", "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains")
    camera = open_camera("pi", size=(320, 240))
    del picamera2.made[0].metadata["AfState"], picamera2.made[0].metadata["LensPosition"]
    for _ in range(20):
        frame = camera.frame()
    assert frame
    assert frame.about["Locked"]


def test_a_pulled_ribbon_is_said_and_a_new_start_works(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi")
    camera.frame()
    picamera2.ribbons = []
    with pytest.raises(CameraAway, match=r"stopped sending pictures\. Check both ends of the ribbon cable"):
        camera.frame()
    camera.close()
    assert picamera2.made[0].flushed
    with pytest.raises(CameraAway, match=r"No camera answers\. Check both ends of the ribbon cable"):
        open_camera("pi")
    picamera2.ribbons = ["imx219"]
    assert open_camera("pi").name == "Pi camera imx219"


def test_a_driver_that_hangs_is_said_and_not_waited_for(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi, "CLOSE_S", 0.05)
    camera = open_camera("pi")
    picamera2.close_hangs = threading.Event()
    with pytest.raises(CameraStuck, match="driver hangs"):
        camera.close()
    camera.close()


def test_a_camera_in_use_is_said(picamera2: type[FakePicamera2]) -> None:
    open_camera("pi")
    with pytest.raises(CameraAway, match="Is another program using it"):
        open_camera("pi")


def test_without_picamera2_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraAway, match="sudo apt install python3-picamera2"):
        open_camera("pi")


# -- what a Pi's own libraries did over emulated devices ---------------------------------------------------------------


@pytest.mark.parametrize("error", [OSError(12, "Cannot allocate memory"), RuntimeError("did not complete")])
def test_a_camera_that_fails_while_it_is_opened_needs_a_new_process(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """It leaves a half-open camera behind, which refuses every later try."""

    def fails(self: FakePicamera2, *_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(picamera2, "__init__", fails)
    with pytest.raises(CameraStuck):
        open_camera("pi", size=(320, 240))


def test_a_lock_that_was_lost_between_two_requests_is_set_again(picamera2: type[FakePicamera2]) -> None:
    camera = open_camera("pi", size=(320, 240))
    fake = picamera2.made[0]
    for _ in range(20):
        camera.frame()
    wanted = fake.set[1]["ExposureTime"]
    fake.metadata["ExposureTime"] = 2 * wanted
    for _ in range(20):
        camera.frame()
    assert fake.set[2] == fake.set[1]
    fake.metadata["ExposureTime"] = wanted
    told = len(fake.set)
    for _ in range(20):
        camera.frame()
    assert len(fake.set) == told


def test_a_picamera2_that_waits_for_ever_is_refused(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi, "version", lambda name: "0.3.12-1")
    with pytest.raises(CameraAway, match=r"picamera2 0\.3\.12 hangs.* 0\.3\.20"):
        open_camera("pi", size=(320, 240))


def test_a_strip_of_pixels_is_no_picture_of_a_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((1, 5000, 3), np.uint8))
    cv2.imwrite(str(tmp_path / "b.png"), np.zeros((48, 64, 3), np.uint8))
    camera = FileCamera(tmp_path)
    frame = camera.frame()
    assert frame is not None and frame.image.shape == (48, 64, 3) and camera.frame() is None
    assert "a.png: too small: 5000 x 1 pixels are not enough for a table" in caplog.text
