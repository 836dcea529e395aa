"""The program on a Pi's processor: arm64's Python, NumPy and OpenCV as Debian 12 and 13 have them, run instruction by
instruction under QEMU."""

import json
import subprocess
import sys

import pytest

from tools.pi_trees import ARMS, ROOT, ArmTree, arm_python

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("arm", ARMS, ids=lambda arm: arm.suite)]
DEMO = ["-m", "device.cli", "demo", "triomphe", "--players", "2", "--fast", "--lang", "en"]
LIMIT_S = 3600.0
"""QEMU takes eighty times the processor that the demo takes here: eleven minutes."""


def test_the_doctor_names_the_software(arm: ArmTree) -> None:
    ran = arm_python(arm).run(["-m", "device.cli", "doctor", "--json", "--camera", "simulated"], LIMIT_S)
    found = {line["part"]: line for line in map(json.loads, ran.stdout.splitlines())}
    assert found["software"]["python"].startswith(f"{arm.python}."), ran.stderr


def test_the_tests_of_pictures_and_cameras_pass(arm: ArmTree) -> None:
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/device/cameras/test_cameras.py"]
    ran = arm_python(arm).run([*words, "tests/vision/test_stillness.py", "tests/engine/test_sightings.py"], LIMIT_S)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_demo_is_followed_as_it_is_here(arm: ArmTree) -> None:
    there = arm_python(arm).run(DEMO, LIMIT_S)
    here = subprocess.run([sys.executable, *DEMO], cwd=ROOT, capture_output=True, text=True, check=True)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout
