"""What House → About shows: which version runs, and how the machine is."""

import os
from dataclasses import dataclass
from pathlib import Path

from device import version
from device.cameras import Camera, CameraAway
from device.keeping.settings import Settings
from device.machine.doctor import Doctor

KILO = 1024


@dataclass(frozen=True)
class About:
    """The machine at one moment. None: it does not say."""

    version: str
    free_mb: int
    celsius: int | None
    used_mb: int | None
    """Memory that this program holds."""
    memory_mb: int | None
    """Memory that the machine has."""

    def to_dict(self) -> dict[str, object]:
        """As JSON has it."""
        return dict(self.__dict__)


def about(settings: Settings, root: Path = Path("/")) -> About:
    """The machine now."""
    doctor = Doctor(settings, _no_camera, root=root)
    return About(
        version.of_the_program(),
        int(str(doctor.disk().facts["free_mb"])),
        _whole(doctor.temperature().facts.get("celsius")),
        _kilobytes(root / f"proc/{os.getpid()}/status", "VmRSS:"),
        _kilobytes(root / "proc/meminfo", "MemTotal:"),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _kilobytes(file: Path, name: str) -> int | None:
    """A line of /proc that counts kilobytes, in megabytes."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(name)]
    return int(found[0]) // KILO if found else None


def _no_camera() -> Camera:
    raise CameraAway("the loop has it")
