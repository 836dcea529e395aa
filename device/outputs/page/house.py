"""What a house decides, as the page shows and changes it: every value with the choices there are, in words."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from device import words
from device.following.menu import BRIGHTNESSES, LANGUAGE_NAMES
from device.keeping.names import table_name
from device.keeping.players import BETWEEN
from device.keeping.settings import (
    AUTO,
    KEYS,
    Settings,
    SettingsError,
    check_seats_deg,
    fitting,
    head_starts,
    not_allowed,
    on_broker,
    player_numbers,
    read,
    side_names,
    with_option,
)
from device.words import in_words
from engine.errors import GameError
from engine.games import GAMES
from engine.options import Option, OptionError
from engine.referee.card_game import CardJudge
from engine.search import LEVELS
from engine.strict_json import Fields

PLAIN = ("language", "game", "players", "preset", "against", "device_begins", "device_seat", "head_start",
         "head_start_side", "seats", "brightness", "sound",
         "page_look", "record", "keep_moments", "seat_zero", "seats_deg", "middle", "trick_reach", "board_corners",
         "broker", "broker_on", "broker_user", "table")  # fmt: skip
"""Keys that the page may change. What was built, and where things are kept, is for whoever has the machine."""
AIMED = ("seats_deg", "middle", "trick_reach", "board_corners")
"""What is dragged into place over the camera's picture."""
RECORDINGS = "recordings"
"""Beside the matches, where no other folder is set."""
MOST_VALUES = 12
STANDARD = Settings()


def house_of(settings: Settings, found: tuple[str, int] | None = None, language: str = "") -> dict[str, Any]:
    """Everything to choose from. found: what is played and by how many, where the settings do not say it and it is
    known. language: in whose words; "": the table's."""
    language = language or settings.language
    played = _played(settings, found)
    return {
        "language": [settings.language, [[each, LANGUAGE_NAMES[each]] for each in words.LANGUAGES]],
        "game": [settings.game, [[game, words.game_name(game, language)] for game in (AUTO, *GAMES)]],
        "players": [settings.players, [[players, str(players)] for players in player_numbers(settings)]],
        "levels": [0, *LEVELS],
        "device_begins": settings.device_begins,
        "device_seat": [settings.device_seat, []],
        "head_start": [settings.head_start, []],
        "head_start_side": [settings.head_start_side, []],
        "seats": list(settings.seats),
        "brightness": [settings.brightness, list(BRIGHTNESSES)],
        "sound": settings.sound,
        "page_look": settings.page_look,
        "record": bool(settings.record),
        "keep_moments": settings.keep_moments,
        "broker": {
            **{name: getattr(settings, name) for name in ("broker", "broker_on", "broker_user")},
            "table": table_name(settings.table, settings.matches_folder),
        },
        "aim": {name: KEYS[name].kind.written(getattr(settings, name)) for name in ("seat_zero", *AIMED)},
        "aim_default": {name: KEYS[name].kind.written(getattr(STANDARD, name)) for name in AIMED},
        "preset": [settings.preset, []],
        "grid": None,
        "against": settings.against,
        "clockwise": True,
        "options": [],
        **({} if played is None else _game_of(played, language)),
    }


def _sides(played: Settings, judge: object, language: str) -> list[list[Any]]:
    """Every side by its number, called by all who play on it."""
    if not isinstance(judge, CardJudge):
        return [[side, name] for side, name in enumerate(side_names(played, language), 1)]
    of = judge.game.sides
    names = [words.seat_name(seat, language, played.seats) for seat in range(played.players)]
    return [
        [side + 1, BETWEEN.join(name for at, name in zip(of, names, strict=True) if at == side)]
        for side in sorted({*of})
    ]


def _game_of(played: Settings, language: str) -> dict[str, Any]:
    """What there is to choose in the game that is played."""
    kind = GAMES[played.game]
    judge, in_force = kind.judge(played.players, played.house)
    presets = [[preset, words.value_name("preset", preset, language, kind.name)] for preset in kind.presets]
    return {
        "preset": [played.preset, presets],
        "grid": list(kind.grid) if kind.grid is not None else None,
        "against": played.against if kind.grid is not None else None,
        "device_seat": [played.device_seat, [] if kind.grid is not None else _device_seats(played, language)],
        "head_start": [played.head_start, [[by, f"+{by}" if by else "0"] for by in head_starts(played)]],
        "head_start_side": [played.head_start_side, _sides(played, judge, language)],
        "clockwise": judge.game.clockwise if isinstance(judge, CardJudge) else True,
        "options": [
            {
                "name": option.name,
                "title": words.option_name(option.name, language, kind.name),
                "about": words.option_about(option.name, language, kind.name),
                "value": in_force[option.name],
                "values": [
                    [value, words.value_name(option.name, value, language, kind.name)]
                    for value in _listed(option, in_force[option.name])
                ],
            }
            for option in kind.options
        ],
    }


def _device_seats(played: Settings, language: str) -> list[list[Any]]:
    """The seats that the device may play, none first."""
    names = [words.seat_name(seat, language, played.names) for seat in range(played.players)]
    return list(map(list, enumerate((words.say(language, "page-house-against_off"), *names))))


def _played(settings: Settings, found: tuple[str, int] | None) -> Settings | None:
    """The settings of the game that is played; None: nobody knows which it is."""
    if settings.game != AUTO:
        return settings
    return None if found is None else settings.of(*found)


def changed(settings: Settings, changes: Mapping[str, Any], found: tuple[str, int] | None = None) -> Settings:
    """The settings with these changes. ValueError: they cannot be, in words. found: as in `house_of`."""
    try:
        for name, value in sorted(changes.items(), key=lambda change: change[0] != "broker"):
            if name == "options":
                settings = _with_options(settings, Fields(changes).object(name), found)
            elif name == "names":
                settings = _with_names(settings, Fields(changes).object(name))
            else:
                settings = _with(settings, name, value)
        if "seats_deg" in changes:
            check_seats_deg(settings)
        return read({}, settings)
    except SettingsError as error:
        raise ValueError("; ".join(error.said(settings.language))) from None
    except OptionError as error:
        raise ValueError(in_words(error, settings.language)) from None


def _with_options(settings: Settings, chosen: Mapping[str, Any], found: tuple[str, int] | None) -> Settings:
    """The settings with other house options of the game that is played."""
    played = _played(settings, found)
    options = {option.name: option for option in GAMES[played.game].options} if played is not None else {}
    for name, value in chosen.items():
        if name not in options or played is None:
            raise GameError("no_option", name=name)
        settings = with_option(settings, played.game, name, options[name].read(value))
    return settings


def _with_names(settings: Settings, named: Mapping[str, Any]) -> Settings:
    """The settings with other names for some players, by number from 1; the others keep theirs. A blank one is
    none."""
    number = max(settings.players, len(settings.seats))
    for at, name in named.items():
        if at not in map(str, range(1, number + 1)) or not isinstance(name, str):
            raise GameError("not_decided", name="names")
    given = {at: name.strip() for at, name in named.items()}
    names = {**{str(at): name for at, name in enumerate(settings.seats, 1)}, **given}
    seats = [names.get(str(at), "") for at in range(1, number + 1)]
    last = max((at for at, name in enumerate(seats, 1) if name), default=0)
    seats = [name or words.seat_name(at, settings.language, ()) for at, name in enumerate(seats[:last])]
    return _with(settings, "seats", seats)


def _with(settings: Settings, name: str, value: Any) -> Settings:
    """The settings with another value of a key."""
    if name not in PLAIN:
        raise GameError("not_decided", name=name)
    if name == "record":
        folder = str(Path(settings.matches).expanduser().parent / RECORDINGS) if value else ""
        return replace(settings, record=settings.record if value and settings.record else folder)
    read_value = _read(name, value, settings.language)
    now = on_broker(settings, read_value) if name == "broker" else replace(settings, **{name: read_value})
    return fitting(now, settings) if name in ("game", "players", "preset") else now


def _read(name: str, value: Any, language: str) -> Any:
    try:
        return KEYS[name].kind.read(value)
    except ValueError:
        raise SettingsError([not_allowed(name, value, KEYS[name].kind.allowed)], language) from None


def _listed(option: Option, now: Any) -> list[Any]:
    if len(option.values) <= MOST_VALUES:
        return list(option.values)
    return sorted(
        {value for value in option.values if value in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100) or value == now}
    )
