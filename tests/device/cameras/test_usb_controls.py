"""A webcam is metered, then held still: against a driver that answers V4L2's ioctls as webcams do."""

import errno
import math
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import CameraAway, open_camera
from device.cameras import controls as v4l2
from device.cameras.controls import Controls
from device.cameras.metering import SETTLE_LATEST_S
from device.cameras.usb import UsbCamera
from device.keeping.settings import SettingsError, parse
from vision.frame import Frame

FPS, SIZE = 10, (64, 48)
FULL = {
    v4l2.POWER_LINE_FREQUENCY: 2,
    v4l2.AUTO_WHITE_BALANCE: 1,
    v4l2.WHITE_BALANCE_K: 4000,
    v4l2.AUTO_GAIN: 1,
    v4l2.GAIN: 8,
    v4l2.EXPOSURE_MODE: 3,
    v4l2.EXPOSURE_TIME: 250,
    v4l2.EXPOSURE_FOLLOWS_RATE: 1,
    v4l2.AUTO_FOCUS: 1,
    v4l2.FOCUS: 30,
}


class Webcam:
    """The driver's side of the ioctls, over a lamp. tells: whether it says what its own metering has set."""

    def __init__(self, has: dict[int, int], lamp: float = 100.0, tells: bool = True) -> None:
        self.values, self.lamp, self.tells = dict(has), lamp, tells
        self.there = True

    def ioctl(self, file: int, request: int, asked: bytearray) -> int:
        if not self.there:
            raise OSError(errno.ENODEV, "No such device")
        control = struct.unpack_from("=I", asked)[0]
        if control not in self.values:
            raise OSError(errno.EINVAL, "Invalid argument")
        if request == v4l2.VIDIOC_S_CTRL:
            value = struct.unpack_from("=i", asked, 4)[0]
            if control == v4l2.EXPOSURE_MODE and value not in (1, 3):
                raise OSError(errno.EINVAL, "Invalid argument")
            self.values[control] = value
        elif request == v4l2.VIDIOC_G_CTRL:
            struct.pack_into("=i", asked, 4, self.values[control])
        else:
            assert request == v4l2.VIDIOC_QUERYCTRL and len(asked) == 68
        return 0

    def controls(self, path: Path) -> Controls:
        return Controls(path, self.ioctl)

    @property
    def level(self) -> float:
        """Of the picture that it gives now: metered to 110, or as its exposure has it."""
        right = 250 * 100.0 / self.lamp
        if self.values.get(v4l2.EXPOSURE_MODE, 3) == 3:
            if self.tells and v4l2.EXPOSURE_TIME in self.values:
                self.values[v4l2.EXPOSURE_TIME] = round(right)
            return 110.0
        return float(np.clip(110.0 * (self.values[v4l2.EXPOSURE_TIME] / right) ** (1 / 2.2), 0, 255))


class Rig:
    """A camera on a driver, with a clock of its own."""

    def __init__(
        self, webcam: Webcam, folder: Path, monkeypatch: pytest.MonkeyPatch, mains_hz: int | None = 50
    ) -> None:
        self.webcam = webcam
        self._now_s = 100.0
        (folder / "dev").mkdir(exist_ok=True)
        (folder / "dev/video0").touch()
        monkeypatch.setattr(cv2, "VideoCapture", lambda *opened: self)
        monkeypatch.setattr("device.cameras.usb.time.monotonic", lambda: self._now_s)
        self.camera = UsbCamera("usb:0", SIZE, FPS, mains_hz, root=folder, controls=webcam.controls)

    def isOpened(self) -> bool:
        return True

    def set(self, name: int, value: float) -> bool:
        return True

    def read(self) -> tuple[bool, object]:
        return True, np.full((SIZE[1], SIZE[0], 3), round(self.webcam.level), np.uint8)

    def release(self) -> None:
        """Nothing to let go of."""

    def run(self, seconds: float) -> Frame:
        """Frames for so long; the last one."""
        frame = None
        for _ in range(math.ceil(seconds * FPS)):
            self._now_s += 1 / FPS
            frame = self.camera.frame()
        assert frame is not None
        return frame


def test_a_webcam_settles_and_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    webcam = Webcam(FULL)
    rig = Rig(webcam, tmp_path, monkeypatch)
    assert webcam.values[v4l2.POWER_LINE_FREQUENCY] == 1, "50 Hz"
    assert webcam.values[v4l2.EXPOSURE_FOLLOWS_RATE] == 0
    assert rig.run(0.5).about == {"Locked": False}
    assert rig.run(SETTLE_LATEST_S).about == {"Locked": True}
    automatic = (v4l2.AUTO_WHITE_BALANCE, v4l2.AUTO_GAIN, v4l2.AUTO_FOCUS)
    assert [webcam.values[control] for control in (v4l2.EXPOSURE_MODE, *automatic)] == [1, 0, 0, 0]
    assert webcam.values[v4l2.EXPOSURE_TIME] == 250 and webcam.values[v4l2.FOCUS] == 30
    assert rig.camera.lacks == ()
    rig.camera.close()


def test_a_webcam_that_hides_its_exposure_stays_as_light(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    webcam = Webcam(FULL, lamp=50.0, tells=False)  # It says 250 and has 500.
    rig = Rig(webcam, tmp_path, monkeypatch)
    rig.run(SETTLE_LATEST_S + 4)
    assert webcam.values[v4l2.EXPOSURE_MODE] == 1
    assert webcam.level == pytest.approx(110, abs=11)


def test_a_lamp_that_is_switched_on_is_metered_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    webcam = Webcam(FULL)
    rig = Rig(webcam, tmp_path, monkeypatch)
    rig.run(SETTLE_LATEST_S)
    webcam.lamp = 400.0
    assert webcam.level > 200
    rig.run(3.5 + SETTLE_LATEST_S)
    assert webcam.values[v4l2.EXPOSURE_MODE] == 1 and webcam.level == pytest.approx(110, abs=11)


def test_a_plain_webcam_is_a_camera_and_says_what_it_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(Webcam({v4l2.FOCUS: 1}), tmp_path, monkeypatch)
    rig.run(SETTLE_LATEST_S + 1)
    assert rig.camera.lacks == ("light", "colours", "focus", "flicker")
    assert Rig(Webcam({}), tmp_path, monkeypatch, mains_hz=None).camera.lacks == ("light", "colours")


def test_a_webcam_that_is_pulled_out_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    webcam = Webcam(FULL)
    rig = Rig(webcam, tmp_path, monkeypatch)
    webcam.there = False
    with pytest.raises(CameraAway, match="Is it plugged in"):
        rig.run(1)


C920, TINY, RIBBON, PHONE = "HD Pro Webcam C920", "Tiny", "unicam-image", "DroidCam"
BUSES = {C920: "usb", TINY: "usb", RIBBON: "platform"}


def nodes(root: Path, *names: str, first: int = 0) -> None:
    """The device files of these cameras. Each webcam has another one that tells of it; what a program makes is on no
    bus."""
    made = [(name, index) for name in names for index in ((0, 1) if BUSES.get(name) == "usb" else (0,))]
    for number, (name, index) in enumerate(made, first):
        about = root / f"sys/class/video4linux/video{number}"
        about.mkdir(parents=True)
        (about / "index").write_text(f"{index}\n")
        (about / "name").write_text(f"{name}\n")
        if bus := BUSES.get(name):
            (root / "sys/bus" / bus).mkdir(parents=True, exist_ok=True)
            (about / "device").mkdir()
            (about / "device/subsystem").symlink_to(root / "sys/bus" / bus)
        (root / "dev").mkdir(exist_ok=True)
        (root / f"dev/video{number}").touch()


def opened(root: Path, spec: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which device file is opened, and what the camera is called then."""
    files: list[str] = []

    class Refuses:
        def __init__(self, path: str, *how: object) -> None:
            files.append(Path(path).name)

        def isOpened(self) -> bool:
            return False

    monkeypatch.setattr(cv2, "VideoCapture", Refuses)
    with pytest.raises(CameraAway) as away:
        UsbCamera(spec, SIZE, FPS, root=root)
    return f"{''.join(files)}: {away.value}"


@pytest.mark.parametrize("spec", ["usb:1", "usb:tiny", "usb:Tiny", "/dev/v4l/by-id/usb-Tiny-video-index0"])
def test_a_webcam_is_named_by_number_name_or_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    nodes(tmp_path, C920, TINY)
    links = tmp_path / "dev/v4l/by-id"
    links.mkdir(parents=True)
    (links / "usb-Tiny-video-index0").symlink_to("../../video2")
    said = "Cannot open the USB camera 1. Is another program using it? There is usb:0 (HD Pro Webcam C920)."
    assert opened(tmp_path, spec, monkeypatch) == f"video2: {said}"
    assert parse(f'camera = "{spec}"').camera == spec


@pytest.mark.parametrize(
    ("there", "first", "spec", "file"),
    [
        ((C920,), 2, "usb", "video2"),  # Pulled out and put back.
        ((C920,), 2, "usb:0", "video2"),
        ((RIBBON, C920), 0, "usb", "video1"),
        ((PHONE, C920), 0, "usb", "video1"),
        ((PHONE, C920), 0, "usb:1", "video0"),
        ((PHONE,), 0, "usb", "video0"),
        ((C920, TINY), 0, "usb:2", "video2"),  # Of settings that meant /dev/video2.
        ((C920,), 2, "usb:2", "video2"),
    ],
)
def test_the_first_webcam_that_is_there_is_taken_whatever_its_file_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], first: int, spec: str, file: str
) -> None:
    nodes(tmp_path, *there, first=first)
    assert opened(tmp_path, spec, monkeypatch).startswith(f"{file}: Cannot open the USB camera ")


@pytest.mark.parametrize(("there", "spec"), [((RIBBON,), "usb"), ((C920,), "usb:1"), ((), "usb")])
def test_what_is_no_webcam_is_not_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], spec: str
) -> None:
    nodes(tmp_path, *there)
    number = spec.partition(":")[2] or "0"
    assert opened(tmp_path, spec, monkeypatch).startswith(f": The USB camera {number} does not answer.")


def test_of_a_webcam_that_is_not_there_the_others_are_named(tmp_path: Path) -> None:
    nodes(tmp_path, C920, TINY)
    with pytest.raises(CameraAway, match=r"There is usb:0 \(HD Pro Webcam C920\), usb:1 \(Tiny\)"):
        UsbCamera("usb:Logitech", SIZE, FPS, root=tmp_path)


def test_what_is_no_camera_is_no_setting() -> None:
    for spec in ("usb:", "/dev/sda/../x y\n", "video0", "ftp://there"):
        with pytest.raises(SettingsError):
            parse(f'camera = "{spec}"')
    with pytest.raises(CameraAway):
        open_camera("usb:77")
