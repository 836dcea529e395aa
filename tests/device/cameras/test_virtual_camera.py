"""The Pi's camera through the real picamera2 and libcamera, on libcamera's virtual camera, in a tree of Debian 13."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.pi_trees import Tree, camera_tree

pytestmark = pytest.mark.slow
HERE = Path(__file__).resolve().parents[3] / "tools/stand_ins"
LIMIT_S = 120.0

FRAMES = """
camera = open_camera("pi")
frames = [camera.frame() for _ in range(15)]
camera.close()
camera.close()
times = [frame.at_s for frame in frames]
print(json.dumps({
    "name": camera.name, "size": frames[0].image.shape, "small": frames[0].small.shape,
    "forward": times == sorted(set(times)), "differs": bool((frames[0].image != frames[-1].image).any()),
    "light": float(frames[-1].image.mean()), "threads": threading.active_count(),
}))
"""
AGAIN = """
import os
open_files = []
for _ in range(6):
    camera = open_camera("pi")
    camera.frame()
    camera.close()
    del camera
    open_files.append(len(os.listdir("/proc/self/fd")))
print(json.dumps(open_files))
"""
IN_A_THREAD = """
def look():
    camera = open_camera("pi")
    frames.append(camera.frame())
    camera.close()

frames = []
thread = threading.Thread(target=look)
thread.start()
thread.join()
print(len(frames))
"""
REFUSALS = """
said = []
for _ in range(2):
    try:
        open_camera("pi")
    except CameraAway as error:
        said.append([type(error).__name__, error.code])
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def tree() -> Tree:
    tree = camera_tree()
    shim = tree.at / "opt/dma_heap.so"
    words = ["cc", "-O1", "-Wall", "-shared", "-fPIC", "-o", str(shim), str(HERE / "dma_heap.c"), "-ldl"]
    if subprocess.run(words, check=False).returncode:
        pytest.skip("the emulated dma heap cannot be compiled here")
    tree.copy(HERE / "virtual_camera.py")
    return tree


def ran(tree: Tree, program: str, **environment: str) -> Any:
    """What a program in the tree prints, as JSON."""
    head = "import json, threading, virtual_camera\nfrom device.cameras import CameraAway, open_camera\n"
    done = tree.run(["python3", "-c", head + program], LIMIT_S, LD_PRELOAD="/opt/dma_heap.so", **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_real_picamera2_gives_frames_and_lets_go(tree: Tree) -> None:
    found = ran(tree, FRAMES)
    assert found["name"] == "Pi camera Virtual Video Device"
    assert (found["size"], found["small"]) == ([960, 1280, 3], [240, 320])
    assert found["forward"] and found["differs"] and 20 < found["light"] < 235
    assert found["threads"] == 1


def test_it_is_opened_again_and_again_and_leaves_no_file_open(tree: Tree) -> None:
    open_files = ran(tree, AGAIN)
    assert open_files[-1] == open_files[1]


def test_a_thread_may_open_it(tree: Tree) -> None:
    assert ran(tree, IN_A_THREAD) == 1


@pytest.mark.parametrize("buffers", [0, 5])
def test_a_heap_without_room_asks_for_a_new_process_and_that_gets_the_camera(tree: Tree, buffers: int) -> None:
    left = tree.at / "opt/buffers_left"
    left.write_text(f"{buffers:<8}")
    said = ran(tree, REFUSALS, DMA_BUFFERS_LEFT="/opt/buffers_left")
    assert said[0] == ["CameraStuck", "pi_stuck_opening"] and said[1][0] == "CameraStuck"
    left.write_text(f"{100:<8}")
    assert ran(tree, FRAMES, DMA_BUFFERS_LEFT="/opt/buffers_left")["forward"]


def test_a_camera_that_is_in_use_asks_for_a_new_process(tree: Tree) -> None:
    assert ran(tree, "camera = open_camera('pi')\ncamera.frame()" + REFUSALS)[0] == ["CameraStuck", "pi_busy"]


def test_the_doctor_looks_through_it(tree: Tree) -> None:
    told = (
        "import sys\nfrom device.cli import main\nsys.argv = ['hisabu', 'doctor', '--json', '--camera', 'pi']\nmain()"
    )
    done = tree.run(["python3", "-c", "import virtual_camera\n" + told], LIMIT_S, LD_PRELOAD="/opt/dma_heap.so")
    found = {line["part"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert found["camera"]["code"] == "camera_well", done.stderr
    assert (found["camera"]["width"], found["camera"]["height"]) == (1280, 960)
