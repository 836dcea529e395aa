"""The doctor on trees of files that look like a Pi, a laptop, and a Pi on which much is wrong."""

import json
import os
import shutil
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device import words
from device.cameras import CameraAway
from device.cameras.picture_check import check_picture
from device.cli import main
from device.keeping.deck import keep_deck
from device.keeping.settings import Settings
from device.machine import doctor, install
from device.machine.doctor import NOTE, WELL, WRONG, Doctor, Finding
from device.words.messages import messages
from vision.cards.cards_bench import bench_picture
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import network_print
from vision.frame import Frame, Image


class Sees:
    """A camera that sees one picture, again and again."""

    name = "fake"

    def __init__(self, image: Image, frames: int = 100) -> None:
        self.image, self.left, self.closed = image, frames, False

    def frame(self) -> Frame | None:
        self.left -= 1
        return Frame(self.image, 0.0) if self.left >= 0 else None

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def table() -> Image:
    return bench_picture(4)


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A Pi that has everything."""
    files = {
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
        "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
        "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
        "sys/class/thermal/thermal_zone0/temp": "48312\n",
        "sys/bus/usb/devices/1-1.2/idVendor": "2e8a\n",
        "sys/bus/usb/devices/1-1.2/idProduct": "0005\n",
        "run/systemd/timesync/synchronized": "",
        "dev/i2c-1": "",
        "dev/spidev0.0": "",
        "dev/gpiochip0": "",
        "sys/bus/usb/devices/1-1.2:1.0/tty/ttyACM3/dev": "166:0\n",
        "dev/ttyACM0": "",
        "dev/ttyACM3": "",
    }
    for name, text in files.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "root"


Make = Callable[..., Doctor]
SAID_BY_THE_COMMAND = (
    "all_well", "all_but_camera", "some_wrong", "no_picture", "picture_written", "settings_well", "settings_none",
    "settings_wrong",
)  # fmt: skip


@pytest.fixture
def make(pi: Path, table: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.setattr(doctor, "find_spec", lambda name: object())

    def made(
        commands: dict[str, str] | None = None,
        camera: object = None,
        answers: bool = True,
        year: int = 2026,
        camera_spec: str = "pi",
        of_the_service: bool = False,
        **setup: Any,
    ) -> Doctor:
        def ask(said: Sequence[str]) -> str | None:
            return (commands or {}).get(said[0])

        def open_camera() -> Sees:
            if isinstance(camera, Exception):
                raise camera
            return camera if isinstance(camera, Sees) else Sees(table)

        return Doctor(
            Settings(**{"matches": str(tmp_path / "matches"), "camera": camera_spec, **setup}),
            open_camera,
            pi,
            ask,
            lambda bus, address: answers,
            lambda: year,
            lambda root: next(
                iter(path for path in sorted(root.glob("dev/gpiochip*")) if os.access(path, os.R_OK)), None
            ),
            of_the_service,
        )

    return made


def by_part(doctor: Doctor) -> dict[str, Finding]:
    return {finding.part: finding for finding in doctor.findings()}


def codes(doctor: Doctor) -> dict[str, str]:
    return {part: finding.code for part, finding in by_part(doctor).items()}


def test_a_device_with_everything_is_well(make: Make) -> None:
    found = by_part(make(build="standard", display="st7789"))
    assert list(found) == [
        "software", "camera", "light", "sharpness", "power", "temperature", "disk", "matches", "clock", "pins",
        "display", "panel",
    ]  # fmt: skip
    assert {finding.level for finding in found.values()} == {WELL}
    assert found["camera"].facts["width"] == 1280
    assert found["temperature"].facts["celsius"] == 48


def test_an_oled_is_asked_whether_it_is_there(make: Make) -> None:
    assert codes(make())["display"] == "i2c_answers"
    silent = by_part(make(answers=False))["display"]
    assert (silent.level, silent.code, silent.facts["address"]) == (WRONG, "i2c_silent", "0x3C")


def test_only_what_was_built_is_looked_for(make: Make, pi: Path) -> None:
    assert "panel" not in codes(make(build="minimal"))
    assert codes(make(build="minimal", panel="/dev/ttyACM0"))["panel"] == "panel_well"
    assert "panel" not in codes(make(build="standard", panel="none"))
    assert {"pins", "display", "panel"}.isdisjoint(codes(make(build="laptop", display="none")))


def test_buses_that_are_off_are_said_with_the_command_that_helps(make: Make, pi: Path) -> None:
    (pi / "dev/i2c-1").unlink()
    (pi / "dev/spidev0.0").unlink()
    assert by_part(make())["display"] == Finding("display", WRONG, "bus_off", {"bus": "i2c"})
    assert by_part(make(display="st7789"))["display"] == Finding("display", WRONG, "bus_off", {"bus": "spi"})


def test_a_device_that_this_user_may_not_use_is_said_with_its_group(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: "i2c-1" not in str(path))
    found = by_part(make())["display"]
    assert (found.level, found.code, found.facts["device"]) == (WRONG, "refused", "/dev/i2c-1")
    assert found.facts["group"]


@pytest.mark.parametrize(("voice", "told"), [("game", True), ("", True), ("off", False)])
def test_a_sound_card_that_may_not_be_used(
    make: Make, pi: Path, monkeypatch: pytest.MonkeyPatch, voice: str, told: bool
) -> None:
    (pi / "dev/snd").mkdir()
    for name in ("pcmC1D0c", "pcmC1D0p", "controlC1"):
        (pi / "dev/snd" / name).touch()
    assert "sound" not in codes(make(outputs={"voice": voice}))
    monkeypatch.setattr(os, "access", lambda path, mode: "snd" not in str(path))
    found = by_part(make(outputs={"voice": voice})).get("sound")
    if not told:
        assert found is None
    else:
        assert found and (found.level, found.code) == (WRONG, "refused")
        assert found.facts["device"] == "/dev/snd/pcmC1D0p" and found.facts["group"]


def test_the_panel_is_the_pico_and_no_other_port(make: Make, pi: Path) -> None:
    assert by_part(make(build="standard"))["panel"] == Finding("panel", WELL, "panel_well", {"device": "/dev/ttyACM3"})
    (pi / "sys/bus/usb/devices/1-1.2:1.0/tty/ttyACM3/dev").unlink()
    (pi / "sys/bus/usb/devices/1-1.2:1.0/tty/ttyACM3").rmdir()
    assert codes(make(build="standard"))["panel"] == "panel_empty"
    (pi / "sys/bus/usb/devices/1-1.2/idVendor").write_text("046d\n")
    assert codes(make(build="standard"))["panel"] == "panel_absent"


def test_a_panel_that_the_settings_name_is_looked_for_where_they_say(make: Make, pi: Path) -> None:
    (pi / "sys/bus/usb/devices/1-1.2/idVendor").write_text("0403\n")
    (pi / "dev/ttyUSB0").touch()
    for place, level, code in (
        ("/dev/ttyUSB0", WELL, "panel_well"),
        ("/dev/ttyACM9", WRONG, "panel_no_port"),
        ("socket://lamp.local:4000", NOTE, "panel_elsewhere"),
    ):
        found = by_part(make(build="standard", panel=place))["panel"]
        assert (found.level, found.code) == (level, code)


def test_pins(make: Make, pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pi / "dev/gpiochip0").unlink()
    assert codes(make())["pins"] == "pins_absent"
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "lgpio" else object())
    assert by_part(make())["pins"] == Finding("pins", WRONG, "library_missing", {"missing": "python3-lgpio"})
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "spidev" else object())
    assert codes(make(build="standard", display="st7789"))["display"] == "library_missing"


@pytest.mark.parametrize(
    ("bits", "level", "code"),
    [
        ("0", WELL, "power_well"),
        ("50005", WRONG, "undervoltage"),
        ("50000", WRONG, "undervoltage_before"),
        ("20000", WELL, "power_well"),
    ],
)
def test_power_as_the_firmware_tells_it(make: Make, pi: Path, bits: str, level: str, code: str) -> None:
    file = pi / "sys/devices/platform/soc/soc:firmware/get_throttled"
    file.write_text(bits)
    power = by_part(make())["power"]
    assert (power.level, power.code) == (level, code)
    file.unlink()
    assert codes(make({"vcgencmd": f"throttled=0x{bits}"}))["power"] == code


def test_power_without_the_firmware(make: Make, pi: Path) -> None:
    (pi / "sys/devices/platform/soc/soc:firmware/get_throttled").unlink()
    (pi / "sys/class/hwmon/hwmon1/in0_lcrit_alarm").write_text("1")
    assert codes(make())["power"] == "undervoltage"
    (pi / "sys/class/hwmon/hwmon1/name").unlink()
    assert codes(make())["power"] == "power_unknown"
    (pi / "proc/device-tree/model").unlink()
    found = by_part(make())
    assert [found[part].code for part in ("power", "pins")] == ["no_pi", "no_pi"]
    assert found["power"].level == NOTE


def test_heat_disk_and_clock(make: Make, pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (pi / "sys/class/thermal/thermal_zone0/temp").write_text("81000")
    (pi / "run/systemd/timesync/synchronized").unlink()
    monkeypatch.setattr(doctor, "LEAST_DISK_MB", 10**9)
    found = codes(make())
    assert (found["temperature"], found["disk"], found["clock"]) == ("hot", "disk_low", "clock_alone")
    assert codes(make({"timedatectl": "yes"}))["clock"] == "clock_well"
    assert codes(make(year=1970))["clock"] == "clock_wrong"


def test_a_folder_that_cannot_be_written(make: Make, tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("a file where the folder should be")
    found = by_part(make())["matches"]
    assert (found.level, found.code) == (WRONG, "matches_unwritable")


def test_the_camera(make: Make, table: Image) -> None:
    away = by_part(make(camera=CameraAway("no camera: push it in")))
    assert away["camera"] == Finding("camera", WRONG, "camera_away", {"error": "no camera: push it in"})
    assert "light" not in away
    assert codes(make(camera=ZeroDivisionError("oh")))["camera"] == "camera_fails"
    busy = make({"systemctl": "active"}, camera=CameraAway("pi_busy", name="imx708"))
    assert by_part(busy)["camera"] == Finding("camera", NOTE, "camera_in_use")
    gone = make({"systemctl": "active"}, camera=CameraAway("pi_none"))
    assert codes(gone)["camera"] == "camera_away", "it is missed by the running device too"
    assert codes(make(camera_spec="simulated"))["camera"] == "camera_simulated"
    assert codes(make(camera=Sees(table, frames=0)))["camera"] == "camera_empty"
    assert codes(make(camera=Sees(table, frames=1)))["camera"] == "camera_one_frame"
    camera = Sees(table)
    looked = make(camera=camera)
    assert codes(looked)["camera"] == "camera_well"
    assert camera.closed
    assert looked.picture is table


def test_a_camera_that_hangs_is_not_waited_for(make: Make, table: Image, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "CAMERA_LIMIT_S", 0.05)

    class Hangs(Sees):
        def frame(self) -> Frame | None:
            time.sleep(0.5)
            return None

    assert codes(make(camera=Hangs(table)))["camera"] == "camera_hangs"


def test_a_picture_is_judged_in_little_memory() -> None:
    picture = np.zeros((960, 1280), np.uint8)
    tracemalloc.start()
    try:
        check_picture(picture)
        assert tracemalloc.get_traced_memory()[1] < 20e6, "all of it at once were 36 MB"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("blur_px", [1.5, 2.5, 4.0])
def test_the_blur_of_a_picture_is_measured(table: Image, blur_px: float) -> None:
    blurred = np.asarray(cv2.GaussianBlur(table, (0, 0), blur_px), np.uint8)
    measured = check_picture(blurred).blur_px
    dull = check_picture(np.asarray(blurred * 0.5, np.uint8)).blur_px
    assert measured == pytest.approx(blur_px, rel=0.3)
    assert dull == pytest.approx(measured, rel=0.1), "however much contrast there is"


def test_light_and_sharpness_of_the_picture(make: Make, table: Image) -> None:
    def light_and_sharpness(image: Image) -> tuple[str, str]:
        found = codes(make(camera=Sees(image)))
        return found["light"], found["sharpness"]

    assert light_and_sharpness(table) == ("light_well", "sharp")
    assert light_and_sharpness(np.asarray(table * 0.15, np.uint8))[0] == "dark"
    blurred = np.asarray(cv2.GaussianBlur(table, (0, 0), 4), np.uint8)
    assert light_and_sharpness(blurred) == ("light_well", "blurred")
    bright = np.clip(table.astype(np.float32) * 4, 0, 255).astype(np.uint8)
    assert light_and_sharpness(bright)[0] == "burnt"
    assert light_and_sharpness(np.full_like(table, 120)) == ("light_well", "nothing_to_see")


def test_a_picture_without_colour_is_told_where_cards_are_played(make: Make, table: Image) -> None:
    grey = np.asarray(cv2.merge([cv2.cvtColor(table, cv2.COLOR_BGR2GRAY)] * 3), np.uint8)
    assert by_part(make(camera=Sees(grey)))["colour"] == Finding("colour", WRONG, "grey")
    assert "colour" not in by_part(make(camera=Sees(grey), game="mraha"))
    assert "colour" not in by_part(make(camera=Sees(table)))


def test_a_camera_that_mirrors_its_picture_is_told(make: Make, table: Image) -> None:
    assert by_part(make(camera=Sees(np.ascontiguousarray(table[:, ::-1]))))["mirror"].code == "mirrored"
    assert "mirror" not in by_part(make(camera=Sees(table)))


def test_a_learned_deck_that_no_longer_fits_is_told(make: Make, tmp_path: Path) -> None:
    assert "deck" not in by_part(make())
    deck = tmp_path / "deck.npz"
    keep_deck(deck, EnrolledDeck.of({"8H": [np.arange(128.0)]}, "other weights"))
    found = by_part(make(deck=str(deck), language="en"))["deck"]
    assert (found.level, found.code, found.facts["why"]) == (WRONG, "deck_unfit", "an older version learned this deck")
    keep_deck(deck, EnrolledDeck.of({"8H": [np.arange(128.0)]}, network_print()))
    assert "deck" not in by_part(make(deck=str(deck)))


def test_troubles_for_the_loop(make: Make, pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make().troubles() == set()
    (pi / "sys/class/hwmon/hwmon1/in0_lcrit_alarm").write_text("1")
    (pi / "sys/class/thermal/thermal_zone0/temp").write_text("82000")
    monkeypatch.setattr(doctor, "LEAST_DISK_MB", 10**9)
    assert make().troubles() == {"undervoltage", "hot", "disk_low"}


def test_matches_that_only_the_service_may_write_are_no_fault(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    monkeypatch.setattr(Path, "owner", lambda self: "hisabu")
    found = make().matches()
    assert (found.level, found.code) == (NOTE, "matches_of_the_service")


def test_the_doctor_makes_no_folder_for_matches(make: Make, tmp_path: Path) -> None:
    assert make().matches().level == WELL
    assert not (tmp_path / "matches").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root looks as somebody else")
def test_root_looks_as_the_service_that_writes_the_matches(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "USER", "nobody")
    with tempfile.TemporaryDirectory() as state:
        Path(state).chmod(0o755)
        looks = make({"systemctl": f"/etc/hisabu {state}"}, matches=f"{state}/matches", of_the_service=True)
        assert looks.matches().code == "matches_unwritable"
        shutil.chown(state, "nobody")
        assert looks.matches() == Finding(
            "matches", WELL, "matches_well", {"folder": f"{state}/matches", "user": "nobody"}
        )


@pytest.mark.parametrize("folder", ["matches", "record"])
def test_the_service_writes_only_where_its_unit_lets_it(make: Make, tmp_path: Path, folder: str) -> None:
    places = {"matches": "/var/lib/hisabu/matches", folder: str(tmp_path)}
    assert make(of_the_service=True, **places).matches() == Finding(
        "matches", WRONG, "matches_outside", {"folder": str(tmp_path), "state": "/var/lib/hisabu"}
    )


def test_a_disk_that_does_not_answer_has_no_room(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(folder: Path) -> None:
        raise OSError(5, "Input/output error", str(folder))

    monkeypatch.setattr("shutil.disk_usage", gone)
    assert make().troubles() == {"disk_low"}


def test_every_code_has_its_words_and_they_name_facts_that_are_there(make: Make, pi: Path) -> None:
    source = Path(doctor.__file__).read_text(encoding="utf-8")
    for language in words.LANGUAGES:
        for name in messages(language, "doctor"):
            code = name.removeprefix("doctor-")
            assert f'"{code}"' in source or code.startswith("part_") or code in SAID_BY_THE_COMMAND, code
        for finding in make(build="standard").findings():
            assert words.say(language, f"doctor-{finding.code}", **finding.facts)
            assert finding.part in doctor.PARTS and words.has(language, f"doctor-part_{finding.part}")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], table: Image) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), table)
    file = tmp_path / "settings.toml"
    file.write_text(f'build = "laptop"\nlanguage = "en"\ncamera = "{pictures}"\nmatches = "{tmp_path}/matches"\n')
    seen = tmp_path / "seen.jpg"
    assert main(["doctor", "--settings", str(file), "--json", "--picture", str(seen)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"part": "settings", "level": "well", "file": str(file)}.items() <= lines[0].items()
    assert {"part": "sharpness", "level": "well", "code": "sharp"}.items() <= lines[4].items()
    assert cv2.imread(str(seen)).shape == table.shape
    assert main(["doctor", "--settings", str(file), "--camera", str(tmp_path / "none")]) == 1
    said = capsys.readouterr().out
    assert "✗ camera" in said
    assert "no such folder or film" in said
    assert said.endswith("Things to fix: 1.\n")
    assert main(["doctor", "--settings", str(file), "--picture", str(tmp_path / "seen.xyz")]) == 2


def test_the_last_line_says_that_a_camera_in_use_was_not_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: Any, **__: Any) -> Any:
        raise CameraAway("usb_busy", name="webcam", others="")

    monkeypatch.setattr("device.cameras.open_camera", opened)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "systemctl").write_text("#!/bin/sh\necho active\n")
    (tmp_path / "systemctl").chmod(0o755)
    file = tmp_path / "settings.toml"
    file.write_text(f'build = "laptop"\nlanguage = "en"\ncamera = "usb:0"\nmatches = "{tmp_path}"\n')
    assert main(["doctor", "--settings", str(file)]) == 0
    assert capsys.readouterr().out.endswith("The camera was not looked at.\n")


def test_setup_of_the_service_says_where_it_may_not_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "SETTINGS", tmp_path)
    file = tmp_path / "settings.toml"
    assert main(["setup", "--yes", "--lang", "en", "--matches", "/media/usb", "--settings", str(file)]) == 0
    assert "may not write in /media/usb" in capsys.readouterr().err


def test_settings_that_cannot_be_used_are_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('language = "klingon"\n')
    assert main(["doctor", "--settings", str(file), "--camera", str(tmp_path / "none"), "--lang", "en"]) == 1
    said = capsys.readouterr().out
    assert "✗ settings" in said
    assert "klingon" in said


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "did you mean language?"), ("fr", "vouliez-vous dire language ?")]
)
def test_a_finding_ends_as_its_error_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, asked: str
) -> None:
    (tmp_path / "settings.toml").write_text('langage = "fr"\n')
    command = ["doctor", "--settings", str(tmp_path / "settings.toml"), "--camera", str(tmp_path / "none")]
    assert main([*command, "--lang", language]) == 1
    assert f"{asked}\n" in capsys.readouterr().out
