"""What tests share: the evidence beside the checkout, where it is there."""

import gc
import os
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

# Where Python is told to keep nothing compiled (images of containers do), each program that the tests start would
# compile everything again: so `./hisabu test` does too.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# What is said in the machine's language is looked for in English.
os.environ.pop("LC_ALL", None)
os.environ["LC_MESSAGES"] = "en"
if "PYTEST_XDIST_WORKER" in os.environ:
    # Beside other workers OpenCV's own threads would only wait for each other; what the tests start takes it over.
    os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")


# Tests leave little behind in circles: looked for as often as Python does by itself, it costs a fiftieth of all time.
gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of tests stay until the end: the garbage collector need not look through them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5000)
    gc.enable()


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("../shared is not here")
    return SHARED
