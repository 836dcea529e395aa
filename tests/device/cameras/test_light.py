"""The camera as a light meter: what it says of its exposure, in one of three words."""

import pytest

from device.cameras.light import light_of


@pytest.mark.parametrize(
    ("about", "level"),
    [
        ({"ExposureTime": 10_000, "AnalogueGain": 1.5}, "plenty"),
        ({"ExposureTime": 10_000, "AnalogueGain": 1.5, "Lux": 400.0}, "plenty"),
        ({"ExposureTime": 50_000, "AnalogueGain": 2.0}, "fair"),
        ({"ExposureTime": 20_000, "AnalogueGain": 6.0}, "fair"),
        ({"ExposureTime": 20_000, "AnalogueGain": 2.0, "Lux": 100.0}, "fair"),
        ({"ExposureTime": 60_000, "AnalogueGain": 12.0}, "little"),
        ({"ExposureTime": 30_000, "AnalogueGain": 3.0, "Lux": 40.0}, "little"),
    ],
)
def test_the_worst_of_exposure_gain_and_lux_decides(about: dict[str, float], level: str) -> None:
    light = light_of(about)
    assert light is not None and light.level == level
    assert light.to_dict()["level"] == level


def test_a_webcam_says_nothing_of_its_exposure() -> None:
    assert light_of({}) is None
    assert light_of({"ExposureTime": 0, "AnalogueGain": 1.0}) is None


def test_lux_is_told_with_two_digits_since_no_more_is_known() -> None:
    light = light_of({"ExposureTime": 10_000, "AnalogueGain": 1.0, "Lux": 187.3})
    assert light is not None and light.to_dict()["lux"] == 190
