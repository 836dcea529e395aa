"""The chip behind the header: found by its label whatever its number, and a pin that is busy is one part away."""

import sys
import types
import warnings
from pathlib import Path
from typing import Any

import gpiozero
import pytest

from device.machine import pins
from device.machine.pins import PinsAway, header_chip

PI_5 = {
    "gpiochip0": "brcmvirt-gpio", "gpiochip1": "gpio-brcmstb@7d508500", "gpiochip11": "pinctrl-rp1", "gpiochip4": "x",
}  # fmt: skip


@pytest.fixture
def pi_5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Pi 5 with a kernel of mid-2026: its header is on gpiochip11, and there is a chip 0 that is not it."""
    (tmp_path / "dev").mkdir()
    for name in PI_5:
        (tmp_path / "dev" / name).touch()
    monkeypatch.setattr(pins, "label_of", lambda chip: PI_5[chip.name])
    return tmp_path


def test_the_headers_chip_is_found_by_its_label(pi_5: Path) -> None:
    found = header_chip(pi_5)
    assert found is not None and found.name == "gpiochip11"


def test_a_file_that_is_no_chip_has_no_label(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()
    assert pins.label_of(tmp_path / "dev/gpiochip0") is None
    assert pins.label_of(tmp_path / "dev/gone") is None
    assert header_chip(tmp_path) is None


def test_gpiozero_opens_the_headers_chip(pi_5: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    lgpio: Any = types.ModuleType("lgpio")
    lgpio.gpiochip_open = opened.append
    factories: Any = types.ModuleType("gpiozero.pins.lgpio")

    class LGPIOFactory:
        """As gpiozero up to 2.0.1: it opens 4 or 0 whatever it is told."""

        def __init__(self, chip: int | None = None) -> None:
            lgpio.gpiochip_open(0)

    factories.LGPIOFactory = LGPIOFactory
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", factories)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(pins, "header_chip", lambda: header_chip(pi_5))
    pins._use_header_chip()
    assert opened == [11]
    assert isinstance(gpiozero.Device.pin_factory, LGPIOFactory)
    assert lgpio.gpiochip_open == opened.append


@pytest.mark.parametrize("chip", [None, Path("/dev/gpiochip0")])
def test_without_pins_or_their_library_no_other_library_is_tried(
    chip: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(pins, "header_chip", lambda: chip)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    for _ in range(2):
        with warnings.catch_warnings(record=True) as warned, pytest.raises(PinsAway, match="python3-lgpio"):
            warnings.simplefilter("always")
            pins.lamp(17, 100.0)
        assert not warned


def test_a_busy_pin_is_a_part_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    error = type("error", (Exception,), {"__module__": "lgpio"})

    def busy(*_: object, **__: object) -> None:
        raise error("'GPIO busy'")

    monkeypatch.setattr(gpiozero.Device, "pin_factory", object())
    monkeypatch.setattr(gpiozero, "PWMLED", busy)
    with pytest.raises(PinsAway, match=r"GPIO busy.*Is another program using it"):
        pins.lamp(17, 100.0)
