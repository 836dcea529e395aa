"""A page is found in its network through a real avahi, which tests/device/outputs/page/test_announce.py only plays."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.stand_ins.avahi_net import ADDRESS

pytestmark = pytest.mark.slow
NEEDED = ("avahi-daemon", "avahi-browse", "avahi-resolve", "avahi-publish", "dbus-daemon", "ip", "unshare")
ROOT = Path(__file__).parents[4]


def why_not() -> str:
    """Why it cannot be tried here; empty: it can."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    missing = [program for program in NEEDED if shutil.which(program, path=path) is None]
    if missing:
        return f"{', '.join(missing)}: not installed (apt install avahi-daemon avahi-utils dbus iproute2)"
    alone = ["unshare", "-n", "sh", "-c", "ip link set lo up"]
    tried = subprocess.run(alone, capture_output=True, text=True, check=False)
    return f"no network of its own: {tried.stderr.strip()}" if tried.returncode else ""


def test_a_page_is_found_by_name_and_as_a_service_and_a_second_table_takes_the_next_name(tmp_path: Path) -> None:
    if why := why_not():
        pytest.skip(why)
    words = ["unshare", "-n", sys.executable, "-m", "tools.stand_ins.avahi_net", str(tmp_path)]
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    told = subprocess.run(
        words, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PATH": path}, check=False
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    assert found["address"] == found["second"] == ADDRESS
    assert found["services"] == [["Hisabu", str(found["port"])]]
    assert found["status"] == 200, "and it answers to that name"
    assert found["gone"], "a page that is closed is announced no more"
