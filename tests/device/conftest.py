"""What tests of the device share: gpiozero's own mock in place of a Pi's pins, and a browser."""

import threading
from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tests.device.browser import browser, chromium

__all__ = ["browser", "chromium"]


@pytest.fixture
def mock_pins() -> Iterator[MockFactory]:
    """Pins that record every change with its time; no thread may be left behind."""
    before = set(threading.enumerate())
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = None
    assert set(threading.enumerate()) <= before
