"""Looks at every part of the device, and at the machine it runs on: there or not, well or not. Says codes and facts."""

import datetime
import errno
import fcntl
import getpass
import grp
import os
import platform
import pwd
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from device.cameras import Camera, CameraAway
from device.keeping.settings import Settings
from device.machine import wiring
from device.machine.install import STATE, USER, outside_the_service
from device.machine.pins import header_chip
from device.machine.wiring import USB_VENDOR
from device.words import why
from engine.games import GAMES
from vision.frame import Frame, Image

WELL, NOTE, WRONG = "well", "note", "wrong"
"""Levels: as it should be; worth knowing; something is missing or must be done."""

CAMERA_LIMIT_S = 20.0
"""Opening and looking through the camera; picamera2 gives up after 10 s, a driver that hangs never."""
FRAMES_LOOKED_AT = 15
"""Enough for the rate, and for the light to have been metered."""
HOT_C = 80.0
"""A Pi slows itself down from 80 degrees on (Raspberry Pi documentation, "Frequency management")."""
LEAST_DISK_MB = 100
"""A match takes well below 1 MB: room for a hundred, and for the system's own logs."""
OLDEST_YEAR = 2024
"""A Pi without network and battery starts in its system image's year or in 1970; this program is younger."""
COMMAND_LIMIT_S = 5.0
BUSY = ("pi_busy", "usb_busy", "net_page")
"""What is said of a camera that another program uses: some apps show their second guest a page, and no picture."""
LACKS = {
    "light": "camera_lacks_light",
    "colours": "camera_lacks_colours",
    "focus": "camera_lacks_focus",
    "flicker": "camera_lacks_flicker",
}
"""What is said of what a webcam cannot hold steady."""
MORE_IN_A_MIRROR = 3
"""So many more cards are named in a mirrored picture once it is turned round: in 7 of 8 photographs and drawn tables of
four cards and more; of 36 that were not mirrored, none gained as many."""
I2C_SLAVE = 0x0703
"""The ioctl of Linux' i2c-dev that chooses whom to talk to."""
UNDERVOLTAGE_NOW, UNDERVOLTAGE_SINCE_BOOT = 1 << 0, 1 << 16
"""Bits of the firmware's get_throttled (Raspberry Pi documentation, "vcgencmd")."""


@dataclass(frozen=True)
class Finding:
    """One part: its name, how it is (WELL, NOTE, WRONG), and a sentence's code and facts."""

    part: str
    level: str
    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"part": self.part, "level": self.level, "code": self.code, **self.facts}


PARTS = (
    "settings", "software", "camera", "light", "colour", "mirror", "sharpness", "deck", "power", "temperature",
    "disk", "matches", "clock", "pins", "display", "panel", "sound",
)  # fmt: skip
"""What is looked at."""


def _mirrored(image: Image) -> bool:
    """Whether a picture's cards can be read in a mirror only: a phone's front camera may show itself so."""
    from vision import read_cards

    seen = read_cards(image)
    if len(seen.cards) >= len(seen.unsure):
        return False
    return len(read_cards(image[:, ::-1]).cards) >= len(seen.cards) + MORE_IN_A_MIRROR


def ask_command(words: Sequence[str]) -> str | None:
    """What a command prints; None if there is no such command, or it fails."""
    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=COMMAND_LIMIT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return ran.stdout.strip()


def i2c_answers(bus: Path, address: int) -> bool:
    """Whether anything answers at an address."""
    handle = os.open(bus, os.O_RDWR)
    try:
        fcntl.ioctl(handle, I2C_SLAVE, address)
        os.read(handle, 1)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


class Doctor:
    """Looks; root is where the system's files begin, and everything else that it asks can be given too."""

    def __init__(
        self,
        settings: Settings,
        open_camera: Callable[[], Camera],
        root: Path = Path("/"),
        ask: Callable[[Sequence[str]], str | None] = ask_command,
        answers: Callable[[Path, int], bool] = i2c_answers,
        year: Callable[[], int] = lambda: datetime.datetime.now().year,
        chip_of: Callable[[Path], Path | None] = header_chip,
        of_the_service: bool = False,
    ) -> None:
        """of_the_service: the settings are those of the installed service."""
        self.settings = settings
        self.picture: Image | None = None
        """The last one that the camera gave."""
        self._open_camera = open_camera
        self._root = root
        self._ask = ask
        self._answers = answers
        self._year = year
        self._header_chip = chip_of
        self._of_the_service = of_the_service
        self._wiring = wiring.load()

    def findings(self) -> Iterator[Finding]:
        """Every part, one after the other."""
        yield self.software()
        yield from self.camera()
        yield from self.deck()
        yield self.power()
        yield self.temperature()
        yield self.disk()
        yield self.matches()
        yield self.clock()
        yield from self.parts()

    @property
    def on_a_pi(self) -> bool:
        """Whether this machine is a Raspberry Pi."""
        return "Raspberry Pi" in (_text(self._root / "proc/device-tree/model") or "")

    def software(self) -> Finding:
        """Python and OpenCV."""
        import cv2

        return Finding("software", WELL, "versions", {"python": platform.python_version(), "opencv": cv2.__version__})

    # -- the camera --------------------------------------------------------------------------------------------------

    def camera(self) -> Iterator[Finding]:
        """The camera, and light and sharpness of what it sees."""
        if self.settings.camera == "simulated":
            yield Finding("camera", NOTE, "camera_simulated")
            return
        looked: list[tuple[list[Frame], list[float], str, tuple[str, ...]] | Exception] = []

        def look() -> None:
            try:
                looked.append(self._look())
            except Exception as error:
                looked.append(error)

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        thread.join(CAMERA_LIMIT_S)
        if not looked:
            yield Finding("camera", WRONG, "camera_hangs", {"seconds": round(CAMERA_LIMIT_S)})
            return
        result = looked[0]
        if isinstance(result, Exception):
            busy = isinstance(result, CameraAway) and result.code in BUSY
            if busy and self._ask(["systemctl", "is-active", "hisabu"]) == "active":
                yield Finding("camera", NOTE, "camera_in_use")
            elif isinstance(result, CameraAway):
                why = result.said(self.settings.language, by_the_doctor=True)
                yield Finding("camera", WRONG, "camera_away", {"error": why})
            else:
                yield Finding("camera", WRONG, "camera_fails", {"error": f"{type(result).__name__}: {result}"})
            return
        frames, times_s, name, lacks = result
        if not frames:
            yield Finding("camera", WRONG, "camera_empty", {"name": name})
            return
        self.picture = frames[-1].image
        height, width = self.picture.shape[:2]
        fps = (len(times_s) - 1) / (times_s[-1] - times_s[0]) if times_s[-1] > times_s[0] else None
        facts = {"name": name, "width": width, "height": height, "fps": round(fps, 1) if fps else None}
        yield Finding("camera", WELL, "camera_well" if fps else "camera_one_frame", facts)
        yield from (Finding("camera", NOTE, LACKS[part], {"name": name}) for part in lacks)
        yield from self._picture(self.picture)

    def _look(self) -> tuple[list[Frame], list[float], str, tuple[str, ...]]:
        camera = self._open_camera()
        try:
            frames: list[Frame] = []
            times_s: list[float] = []
            while len(times_s) < FRAMES_LOOKED_AT and (frame := camera.frame()) is not None:
                frames = [frame]
                times_s.append(time.monotonic())
            return frames, times_s, camera.name, getattr(camera, "lacks", ())
        finally:
            camera.close()

    def _picture(self, image: Image) -> Iterator[Finding]:
        from device.cameras.picture_check import check_picture

        check = check_picture(image)
        board = self.settings.game in GAMES and GAMES[self.settings.game].grid is not None
        light = {"light": round(check.light), "burnt": round(check.burnt, 3)}
        if check.dark:
            yield Finding("light", WRONG, "dark", light)
        elif check.glaring:
            yield Finding("light", WRONG, "burnt", light)
        else:
            yield Finding("light", WELL, "light_well", light)
        if check.grey and check.blur_px is not None and not board:
            yield Finding("colour", WRONG, "grey")
        elif not board and _mirrored(image):
            yield Finding("mirror", WRONG, "mirrored")
        if check.blur_px is None:
            yield Finding("sharpness", NOTE, "nothing_to_see")
        else:
            level, code = (WRONG, "blurred") if check.blurred else (WELL, "sharp")
            yield Finding("sharpness", level, code, {"blur_px": round(check.blur_px, 1)})

    def deck(self) -> Iterator[Finding]:
        """The house's own deck, where it was learned and cannot be used."""
        from device.keeping.deck import opened

        if self.settings.deck_file is not None:
            deck, why = opened(self.settings.deck_file, self.settings.language)
            if deck is None:
                yield Finding("deck", WRONG, "deck_unfit", {"file": str(self.settings.deck_file), "why": why})

    # -- the machine -------------------------------------------------------------------------------------------------

    def power(self) -> Finding:
        """Whether the supply is strong enough."""
        bits = self._throttled()
        if bits is None:
            alarm = self._undervoltage_alarm()
            if alarm is not None:
                return Finding("power", WRONG if alarm else WELL, "undervoltage" if alarm else "power_well")
            return Finding("power", NOTE, "power_unknown" if self.on_a_pi else "no_pi")
        if bits & UNDERVOLTAGE_NOW:
            return Finding("power", WRONG, "undervoltage")
        if bits & UNDERVOLTAGE_SINCE_BOOT:
            return Finding("power", WRONG, "undervoltage_before")
        return Finding("power", WELL, "power_well")

    def _throttled(self) -> int | None:
        for path in sorted(self._root.glob("sys/devices/platform/soc*/soc*firmware/get_throttled")):
            if text := _text(path):
                return int(text, 16)
        said = self._ask(["vcgencmd", "get_throttled"]) if self.on_a_pi else None
        return int(said.partition("=")[2], 16) if said and said.startswith("throttled=0x") else None

    def _undervoltage_alarm(self) -> bool | None:
        for folder in sorted(self._root.glob("sys/class/hwmon/hwmon*")):
            if _text(folder / "name") == "rpi_volt" and (alarm := _text(folder / "in0_lcrit_alarm")):
                return alarm == "1"
        return None

    def temperature(self) -> Finding:
        """Of the processor."""
        celsius = self._celsius()
        if celsius is None:
            return Finding("temperature", NOTE, "no_thermometer")
        hot = celsius >= HOT_C
        return Finding("temperature", WRONG if hot else WELL, "hot" if hot else "cool", {"celsius": round(celsius)})

    def _celsius(self) -> float | None:
        found = [_text(path) for path in self._root.glob("sys/class/thermal/thermal_zone*/temp")]
        values = [int(text) / 1000 for text in found if text and text.lstrip("-").isdecimal()]
        return max(values) if values else None

    def disk(self) -> Finding:
        """Room for matches."""
        free_mb = self._free_mb()
        low = free_mb < LEAST_DISK_MB
        facts = {"free_mb": free_mb, "folder": str(self.settings.matches_folder)}
        return Finding("disk", WRONG if low else WELL, "disk_low" if low else "disk_well", facts)

    def _free_mb(self) -> int:
        """On the disk the matches are on; none on one that does not answer."""
        try:
            return shutil.disk_usage(_nearest(self.settings.matches_folder)).free // 1_000_000
        except OSError:
            return 0

    def matches(self) -> Finding:
        """Whether matches can be written, as this user; asked by root, as the one who writes them. Nothing is made."""
        folder = self.settings.matches_folder
        if self._of_the_service and (outside := outside_the_service(self.settings, self._ask)):
            return Finding("matches", WRONG, "matches_outside", {"folder": str(outside), "state": str(STATE)})
        facts = {"folder": str(folder), "user": _user()}
        try:
            there = _nearest(folder)
            with tempfile.TemporaryFile(dir=there) as file:
                file.write(b"?")
                file.flush()
                os.fsync(file.fileno())
            if os.geteuid() == 0:
                facts["user"] = USER if self._of_the_service else there.owner()
                _check_writes(facts["user"], there)
        except KeyError:  # A user whom this system does not know.
            if self._of_the_service:
                error = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                return Finding(
                    "matches", WRONG, "matches_unwritable", {**facts, "error": why(error, self.settings.language)}
                )
            return Finding("matches", WELL, "matches_well", facts)
        except OSError as error:
            if isinstance(error, PermissionError) and _owner(folder) == USER != _user():
                return Finding("matches", NOTE, "matches_of_the_service", {**facts, "owner": USER})
            told = why(error, self.settings.language)
            return Finding("matches", WRONG, "matches_unwritable", {**facts, "error": told})
        return Finding("matches", WELL, "matches_well", facts)

    def clock(self) -> Finding:
        """Whether the time can be right: matches are named after it."""
        year = self._year()
        if year < OLDEST_YEAR:
            return Finding("clock", WRONG, "clock_wrong", {"year": year})
        if (self._root / "run/systemd/timesync/synchronized").exists():
            return Finding("clock", WELL, "clock_well")
        said = self._ask(["timedatectl", "show", "--property=NTPSynchronized", "--value"])
        return Finding("clock", WELL, "clock_well") if said == "yes" else Finding("clock", NOTE, "clock_alone")

    # -- what is wired up --------------------------------------------------------------------------------------------

    def pins(self) -> Finding | None:
        """Lamps, buttons and buzzer hang on the Pi's own pins; None where the build has none."""
        if self.settings.build not in self._wiring.builds:
            return None
        if not self.on_a_pi:
            return Finding("pins", NOTE, "no_pi")
        if lacking := _lacking("pins", "gpiozero", "lgpio"):
            return lacking
        chips = sorted(self._root.glob("dev/gpiochip*"))
        if not chips:
            return Finding("pins", WRONG, "pins_absent")
        header = self._header_chip(self._root)
        if header is not None:
            return Finding("pins", WELL, "pins_well", {"device": _shown(header)})
        refused = next((found for chip in chips if (found := self._refused("pins", chip))), None)
        return refused or Finding("pins", WRONG, "pins_absent")

    def display(self) -> Finding | None:
        """The display: one on I2C can be asked whether it is there, one on SPI cannot."""
        if self.settings.display == "none":
            return None
        if self.settings.display == "st7789":
            device = self._root / f"dev/spidev{self._wiring.spi_port}.{self._wiring.spi_device}"
            if not device.exists():
                return Finding("display", WRONG if self.on_a_pi else NOTE, *self._bus_off("spi"))
            found = Finding("display", WELL, "spi_there")
            return self._refused("display", device) or _lacking("display", "spidev") or found
        device = self._root / f"dev/i2c-{self._wiring.oled_port}"
        if not device.exists():
            return Finding("display", WRONG if self.on_a_pi else NOTE, *self._bus_off("i2c"))
        address = {"address": f"0x{self._wiring.oled_address:02X}"}
        refused = self._refused("display", device)
        if refused:
            return refused
        there = self._answers(device, self._wiring.oled_address)
        return Finding("display", WELL if there else WRONG, "i2c_answers" if there else "i2c_silent", address)

    def _bus_off(self, bus: str) -> tuple[str, dict[str, str]]:
        return ("bus_off", {"bus": bus}) if self.on_a_pi else ("no_pi", {})

    def panel(self) -> Finding | None:
        """The lamp panel: a Pico on USB."""
        build, place = self._wiring.builds.get(self.settings.build), self.settings.panel
        if place == "none" or (place == "auto" and not (build and build.panel)):
            return None
        if place != "auto":
            return self._named_panel(place)
        devices = self._root / "sys/bus/usb/devices"
        picos = [path for path in sorted(devices.glob("*")) if _text(path / "idVendor") == f"{USB_VENDOR:04x}"]
        if not picos:
            return Finding("panel", WRONG, "panel_absent")
        # One that waits for a program, or runs one of another kind, has no serial port.
        names = [port.name for pico in picos for port in sorted(devices.glob(f"{pico.name}:*/tty/*"))]
        ports = [self._root / "dev" / name for name in names]
        if not ports:
            return Finding("panel", WRONG, "panel_empty")
        return self._refused("panel", ports[0]) or Finding("panel", WELL, "panel_well", {"device": _shown(ports[0])})

    def _named_panel(self, place: str) -> Finding:
        """A panel at a port, or at an address elsewhere, that the settings name."""
        if "://" in place:
            return Finding("panel", NOTE, "panel_elsewhere", {"place": place})
        port = self._root / place.lstrip("/")
        if not port.exists():
            return Finding("panel", WRONG, "panel_no_port", {"place": place})
        return self._refused("panel", port) or Finding("panel", WELL, "panel_well", {"device": place})

    def parts(self) -> Iterator[Finding]:
        """What is connected, where there is something to say of it."""
        yield from (found for found in (self.pins(), self.display(), self.panel(), self.sound()) if found)

    def sound(self) -> Finding | None:
        """A sound card that this user may not use; None where there is none, or the device is not to speak."""
        if self.settings.outputs.get("voice") == "off":
            return None
        cards = sorted(self._root.glob("dev/snd/pcmC*p"))
        return next((found for card in cards if (found := self._refused("sound", card))), None)

    def _refused(self, part: str, device: Path) -> Finding | None:
        """A device file that this user may not use, with the group that may."""
        if os.access(device, os.R_OK | os.W_OK):
            return None
        try:
            group = grp.getgrgid(device.stat().st_gid).gr_name
        except KeyError:
            group = str(device.stat().st_gid)
        return Finding(part, WRONG, "refused", {"device": _shown(device), "user": _user(), "group": group})

    # -- while it runs -----------------------------------------------------------------------------------------------

    def troubles(self) -> set[str]:
        """The machine's troubles at the moment, by the codes of show.py: for the loop, so quick and quiet."""
        celsius = self._celsius()
        found = {
            "undervoltage": self._undervoltage(),
            "hot": celsius is not None and celsius >= HOT_C,
            "disk_low": self._free_mb() < LEAST_DISK_MB,
        }
        return {code for code, present in found.items() if present}

    def _undervoltage(self) -> bool:
        alarm = self._undervoltage_alarm()
        return alarm if alarm is not None else bool((self._throttled() or 0) & UNDERVOLTAGE_NOW)


def _lacking(part: str, *libraries: str) -> Finding | None:
    """What of a part's libraries apt has to bring."""
    missing = [f"python3-{name}" for name in libraries if find_spec(name) is None]
    return Finding(part, WRONG, "library_missing", {"missing": " ".join(missing)}) if missing else None


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip().strip("\0")
    except OSError:
        return None


def _shown(path: Path) -> str:
    return f"/dev/{path.name}" if path.parent.name == "dev" else f"/dev/{path.parent.name}/{path.name}"


def _nearest(folder: Path) -> Path:
    """A folder, or that in which it would be made. OSError: nobody may look there."""
    while not folder.exists():
        folder = folder.parent
    return folder


def _check_writes(user: str, folder: Path) -> None:
    """PermissionError: a user may not write in a folder. KeyError: there is no such user. Only root may ask."""
    about = pwd.getpwnam(user)
    groups = os.getgrouplist(user, about.pw_gid)
    words = ["test", "-w", str(folder), "-a", "-x", str(folder)]
    if subprocess.run(words, check=False, user=about.pw_uid, group=about.pw_gid, extra_groups=groups).returncode:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def _owner(folder: Path) -> str | None:
    """Whose a folder is, or that in which it would be made."""
    try:
        return _nearest(folder).owner()
    except (KeyError, OSError):
        return None


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())
