"""The settings of a running device, in a file that others change too: `hisabu setup` and `hisabu matches forget`."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from device.keeping.settings import Settings, SettingsError, fitting, load, save


class SharedSettings:
    """What changes on the device goes into the file alone; all else there stays as somebody set it meanwhile."""

    def __init__(self, path: Path, stored: Settings, held: Settings) -> None:
        """stored: what holds where there is no file; held: what the device began with."""
        self._path, self._stored, self._held = path, stored, held

    def keep(self, changed: Settings) -> None:
        """Writes what changed on the device. OSError, SettingsError: it cannot be kept."""
        fresh = fitting(_carried(self._held, changed, self._now()))
        save(self._path, fresh)
        self._stored, self._held = fresh, changed

    def renewed(self, settings: Settings) -> Settings:
        """The device's settings with the names as the file has them: a name that was forgotten there goes here too."""
        try:
            now = self._now()
        except (OSError, SettingsError):
            return settings
        seats = _carried(self._held, settings, now).seats
        self._held = replace(self._held, seats=now.seats)  # Not what was changed here and could not be written yet.
        return replace(settings, seats=seats)

    def _now(self) -> Settings:
        return load(self._path) if self._path.exists() else self._stored


def _carried(before: Settings, after: Settings, now: Settings) -> Settings:
    """`now`, with what differs between `before` and `after`."""
    found: dict[str, Any] = {}
    for name in [field.name for field in fields(Settings)]:
        old, new, there = (getattr(settings, name) for settings in (before, after, now))
        if name == "seats":
            found[name] = _seats(old, new, there)
        else:
            found[name] = _merged(old, new, there)
    return replace(now, **found)


def _seats(before: Sequence[str], after: Sequence[str], now: Sequence[str]) -> tuple[str, ...]:
    by_seat = _merged(*(dict(enumerate(names)) for names in (before, after, now)))
    return tuple(by_seat.get(seat, f"#{seat + 1}") for seat in range(max(by_seat, default=-1) + 1))


def _merged(before: Any, after: Any, now: Any) -> Any:
    """One value, or what was set of outputs and games; None: nothing is set there."""
    if before == after:
        return now
    if not isinstance(after, Mapping):
        return after
    before, now = before or {}, now or {}
    both = {name: _merged(before.get(name), after.get(name), now.get(name)) for name in {**now, **after}}
    return {name: value for name, value in both.items() if value is not None}
