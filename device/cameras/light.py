"""The camera as a light meter: from what it says of its own exposure with each frame, how light the table is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ENOUGH_LUX, FAIR_LUX = 150.0, 80.0
"""By rule of thumb: an evening's living room has 50 to 150 lux on the table, an office 500."""
FAIR_GAIN, MOST_GAIN = 4.0, 8.0
"""Amplification of the sensor: from the first on grain shows, beyond the second cards are read worse."""
LONGEST_MS = 33.0
"""A card that is still moving smears over a card's index in a longer exposure."""


@dataclass(frozen=True)
class Light:
    """How long the camera keeps its eye open and how much it amplifies; lux where it measures that."""

    exposure_ms: float
    gain: float
    lux: float | None

    @property
    def level(self) -> str:
        """plenty, fair or little: the worse of what exposure, gain and lux say."""
        if self.gain > MOST_GAIN or (self.lux is not None and self.lux < FAIR_LUX):
            return "little"
        if self.gain > FAIR_GAIN or self.exposure_ms > LONGEST_MS or (self.lux is not None and self.lux < ENOUGH_LUX):
            return "fair"
        return "plenty"

    def to_dict(self) -> dict[str, Any]:
        """For the page."""
        return {
            "level": self.level,
            "exposure_ms": round(self.exposure_ms),
            "gain": round(self.gain, 1),
            "lux": None if self.lux is None else float(f"{self.lux:.2g}"),
        }


def light_of(about: Mapping[str, Any]) -> Light | None:
    """From a frame's own facts; None: this camera says nothing of its exposure (a webcam, a film)."""
    exposure_us, gain = about.get("ExposureTime"), about.get("AnalogueGain")
    if not exposure_us or not gain:
        return None
    lux = about.get("Lux")
    return Light(exposure_us / 1000, float(gain), None if not lux else float(lux))
