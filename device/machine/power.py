"""Off and on again: what a paired owner may have done to the machine. Only where the device is installed."""

import os
import subprocess

from device.machine.install import USER

LIMIT_S = 10.0
ACTIONS = {"off": "poweroff", "restart": "reboot"}


class NotAllowed(OSError):
    """The machine does not let this program switch it off."""


def may_switch() -> bool:
    """Whether this is the device itself, and no laptop that runs the program."""
    try:
        import pwd

        return pwd.getpwuid(os.geteuid()).pw_name == USER
    except KeyError:
        return False


def switch(action: str) -> None:
    """Off, or off and on again. A polkit rule of `hisabu install` lets the service's user ask for it."""
    try:
        subprocess.run(["systemctl", ACTIONS[action]], check=True, timeout=LIMIT_S, capture_output=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotAllowed(f"the machine did not do it: {error}") from error
