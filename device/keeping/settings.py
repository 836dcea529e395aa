"""The settings: one TOML file, every key with its default and a comment, read strictly and written whole."""

import contextlib
import difflib
import json
import os
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

from device import words
from device.keeping.camera_names import is_address, is_usb
from device.keeping.files import read_plain, write_whole
from device.words import LANGUAGES, in_words
from engine.games import FEWEST_PLAYERS, GAMES, MOST_PLAYERS, game_kind
from engine.match import Against, HeadStart, Match
from engine.options import Option, OptionError, OptionValue
from engine.referee.card_game import CardJudge
from engine.referee.seed_game import NORTH, SOUTH
from engine.rules.mraha import DEFAULT_PRESET, PRESETS
from engine.search import DEFAULT, LEVELS
from engine.table.places import ZONE

FILE = "settings.toml"
BEFORE = ".before"
"""Ending of what stood in the place of what a backup brought."""
AUTO = "auto"
"""In place of a game: which one it is, the table finds out by itself."""
MOST_BYTES = 1_000_000
"""Of a settings file: a hundred times what setup writes."""
MOST_HEAD_START = 5000
"""Points of the longest match."""
MOST_HEAD_STARTS, HEAD_START_STEPS = 13, (1, 2, 5, 10, 20, 50, 100, 200, 500)
"""Of a list that people choose from, and the steps between them."""
LONGEST_NAME = 16
"""Letters of a player's name; more does not fit the smallest display."""
NEAREST_REACH = 0.3
"""Nearer than this no trick of four fits."""
DARKEST = 0.05
"""Below it nobody would find the menu again."""
SMALLEST_SIDE, LARGEST_SIDE = 240, 4656
"""Of a captured picture, in pixels: what a camera for a Pi gives."""
DISPLAYS = {
    "minimal": ("ssd1306", "sh1106", "none"),
    "standard": ("st7789", "none"),
    "tournament": ("st7789", "none"),
    "laptop": ("none",),
}
"""What can be wired to each build, the usual one first; "laptop" is a computer without wires."""
LEAST_APART_DEG = 5
"""Between two players; those of six sit 60 apart."""
CORNERS = 4
LEAST_TURN = 0.003
"""Of the picture: four corners that go round less, or the other way, hold no board."""
LONGEST_SHOWN = 80
LONGEST_COMMAND = 300
"""Characters of a wrong value that are shown."""
SEATING = ("seat_zero", "seats_deg", "middle", "trick_reach", "board_corners")
_PATH_START = ("/", "~")
_YES, _NO = ("yes", "true", "on"), ("no", "false", "off")

Houses = Mapping[str, Mapping[str, OptionValue]]


@dataclass(frozen=True)
class Problem:
    """Something that is wrong: a code, and its facts."""

    topic: ClassVar[str] = "settings"

    code: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def said(self, language: str) -> str:
        """It in words."""
        return in_words(self, language)


class SettingsError(ValueError):
    """Settings that cannot be used: everything that is wrong with them, each with its key and what is allowed."""

    def __init__(self, problems: Sequence[Problem], language: str | None = None) -> None:
        """language: of the settings, where it is known."""
        self.language = language or words.system_language()
        self.problems = tuple(problems)
        super().__init__(in_words(self, "en"))

    def said(self, language: str | None = None) -> tuple[str, ...]:
        """Each problem in words; if no language is asked for, in that of the settings."""
        return tuple(problem.said(language or self.language) for problem in self.problems)


@dataclass(frozen=True)
class ValueKind:
    """What values a key takes: a code of settings-allowed_… and its facts. read raises ValueError for
    any other."""

    what: str
    read: Callable[[Any], Any]
    typed: Callable[[str], Any] = str.strip
    """The value that was meant on the command line, before it is read."""
    written: Callable[[Any], Any] = lambda value: value
    """The value as TOML has it."""
    facts: Mapping[str, object] = field(default_factory=dict)

    def allowed(self, language: str) -> str:
        """The values in words."""
        return words.say(language, f"settings-allowed_{self.what}", **self.facts)


@dataclass(frozen=True)
class Key:
    """What there is to know of a key beside its default."""

    kind: ValueKind


def _key(default: Any, kind: ValueKind) -> Any:
    return field(default=default, metadata={"key": Key(kind)})


def _must(right: bool) -> None:
    if not right:
        raise ValueError


def _toml(value: object) -> str:
    """A value as TOML writes it (JSON writes the same for all we have)."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _shown(value: object) -> str:
    """A value in a complaint: of a very long one the beginning."""
    try:
        text = _toml(value)
    except (ValueError, RecursionError):  # Python writes no number of more than 4,300 digits.
        return "…"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def one_of(*values: str) -> ValueKind:
    def read(value: object) -> str:
        _must(isinstance(value, str) and value in values)
        return str(value)

    return ValueKind("values", read, facts={"values": ", ".join(_toml(value) for value in values)})


def _whole(low: int, high: int) -> ValueKind:
    def read(value: object) -> int:
        _must(isinstance(value, int) and not isinstance(value, bool) and low <= value <= high)
        assert isinstance(value, int)
        return value

    return ValueKind("whole", read, _number, facts={"low": low, "high": high})


def _fraction(low: float) -> ValueKind:
    def read(value: object) -> float:
        _must(isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= 1)
        assert isinstance(value, int | float)
        return float(value)

    return ValueKind("fraction", read, _number, facts={"low": _toml(low)})


def _number(text: str) -> object:
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return text


def _flag() -> ValueKind:
    def read(value: object) -> bool:
        _must(isinstance(value, bool))
        return bool(value)

    def typed(text: str) -> object:
        said = text.strip().lower()
        return True if said in _YES else False if said in _NO else text

    return ValueKind("values", read, typed, facts={"values": "true, false"})


def _names() -> ValueKind:
    def read(value: object) -> tuple[str, ...]:
        _must(isinstance(value, list | tuple) and len(value) <= MOST_PLAYERS)
        assert isinstance(value, list | tuple)
        _must(all(isinstance(part, str) and part.isprintable() and 0 < len(part) <= LONGEST_NAME for part in value))
        return tuple(value)

    def typed(text: str) -> list[str]:
        return [name.strip() for name in text.split(",")] if text.strip() else []

    return ValueKind("names", read, typed, list, {"most": MOST_PLAYERS, "letters": LONGEST_NAME})


def _numbers(most: int, low: float, high: float, fewest: int = 0) -> ValueKind:
    def read(value: object) -> tuple[float, ...]:
        _must(isinstance(value, list | tuple) and (fewest <= len(value) <= most))
        assert isinstance(value, list | tuple)
        _must(
            all(isinstance(part, int | float) and not isinstance(part, bool) and low <= part <= high for part in value)
        )
        return tuple(float(part) for part in value)

    def typed(text: str) -> list[object]:
        return [_number(part.strip()) for part in text.split(",")] if text.strip() else []

    what = "numbers" if fewest == most else "numbers_at_most"
    return ValueKind(what, read, typed, list, {"most": most, "low": _toml(low), "high": _toml(high)})


def _corners() -> ValueKind:
    """Four places in the picture that go round a board clockwise, or none."""
    numbers = _numbers(2 * CORNERS, 0, 1, fewest=2 * CORNERS)

    def read(value: object) -> tuple[float, ...]:
        if value in ([], ()):
            return ()
        found: tuple[float, ...] = numbers.read(value)
        corners = list(zip(found[::2], found[1::2], strict=True))
        around = [*corners, *corners[:2]]
        turns = [
            (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
            for (ax, ay), (bx, by), (cx, cy) in zip(around, around[1:], around[2:], strict=False)
        ]
        _must(min(turns) > LEAST_TURN)
        return found

    return ValueKind("corners", read, numbers.typed, list)


def _mains() -> ValueKind:
    def read(value: object) -> int | None:
        _must(value in (50, 60, "off") and not isinstance(value, bool | float))
        return None if value == "off" else int(str(value))

    return ValueKind(
        "values", read, _number, lambda value: "off" if value is None else value, {"values": '50, 60, "off"'}
    )


def _size() -> ValueKind:
    def read(value: object) -> tuple[int, int]:
        found = re.fullmatch(r"(\d{3,4})x(\d{3,4})", value) if isinstance(value, str) else None
        _must(found is not None)
        assert found is not None
        width, height = int(found[1]), int(found[2])
        _must(all(SMALLEST_SIDE <= side <= LARGEST_SIDE and side % 2 == 0 for side in (width, height)))
        return width, height

    facts = {"low": SMALLEST_SIDE, "high": LARGEST_SIDE}
    return ValueKind("size", read, written=lambda value: f"{value[0]}x{value[1]}", facts=facts)


def _is_path(text: str) -> bool:
    """Whether it is a full path, and its ~ one of a user that there is."""
    if not text.startswith(_PATH_START):
        return False
    try:
        Path(text).expanduser()
    except RuntimeError:
        return False
    return True


def _place(*named: str, fits: Callable[[str], bool] = lambda text: False, what: str) -> ValueKind:
    """A full path, one of some words, or what else fits."""

    def read(value: object) -> str:
        _must(isinstance(value, str) and value.isprintable())
        text = str(value)
        _must(text in named or _is_path(text) or fits(text))
        return text

    def typed(text: str) -> str:
        text = text.strip()
        return str(Path(text).absolute()) if text.startswith(".") else text

    return ValueKind(what, read, typed)


def _line(longest: int) -> ValueKind:
    """A short text without spaces or control characters."""

    def read(value: object) -> str:
        _must(isinstance(value, str) and len(value) <= longest and value.isprintable() and " " not in value)
        return str(value)

    return ValueKind("line", read, facts={"longest": longest})


def command_or_none() -> ValueKind:
    """A command line, or nothing."""

    def read(value: object) -> str:
        _must(isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_COMMAND)
        try:
            shlex.split(str(value))
        except ValueError:
            _must(False)
        return str(value)

    return ValueKind("command_or_none", read)


def _table_name() -> ValueKind:
    """What a table is called in topics."""

    def read(value: object) -> str:
        _must(isinstance(value, str) and re.fullmatch(r"|[a-z0-9][a-z0-9_-]{0,31}", value) is not None)
        return str(value)

    return ValueKind("table", read)


@dataclass(frozen=True)
class Settings:
    """Everything a table and its device may decide."""

    language: str = _key("fr", one_of(*LANGUAGES))
    game: str = _key(AUTO, one_of(AUTO, *GAMES))
    players: int = _key(
        4,
        _whole(FEWEST_PLAYERS, MOST_PLAYERS),
    )
    preset: str = _key(DEFAULT_PRESET, one_of(*PRESETS))
    against: int = _key(0, _whole(0, max(LEVELS)))
    device_begins: bool = _key(False, _flag())
    device_seat: int = _key(0, _whole(0, MOST_PLAYERS))
    head_start: int = _key(0, _whole(0, MOST_HEAD_START))
    head_start_side: int = _key(1, _whole(1, MOST_PLAYERS))
    seats: tuple[str, ...] = _key((), _names())
    seat_zero: str = _key("bottom", one_of("bottom", "left", "top", "right"))
    seats_deg: tuple[float, ...] = _key(
        (),
        _numbers(MOST_PLAYERS, -360, 360),
    )
    middle: tuple[float, ...] = _key(
        (0.0, 0.0),
        _numbers(2, -1, 1, fewest=2),
    )
    trick_reach: float = _key(ZONE, _fraction(NEAREST_REACH))
    board_corners: tuple[float, ...] = _key(
        (),
        _corners(),
    )
    build: str = _key("minimal", one_of(*DISPLAYS))
    display: str = _key(
        "ssd1306",
        one_of("ssd1306", "sh1106", "st7789", "none"),
    )
    panel: str = _key(
        "auto",
        _place("auto", "none", fits=lambda text: re.fullmatch(r"\w+://.+", text) is not None, what="panel"),
    )
    brightness: float = _key(0.8, _fraction(DARKEST))
    sound: bool = _key(True, _flag())
    camera: str = _key(
        "pi",
        _place(
            "pi",
            "simulated",
            fits=lambda text: is_usb(text) or is_address(text),
            what="camera",
        ),
    )
    mains_hz: int | None = _key(50, _mains())
    capture: tuple[int, int] = _key((1280, 960), _size())
    matches: str = _key("~/.local/share/hisabu/matches", _place(what="path"))
    record: str = _key(
        "",
        _place("", what="path_or_none"),
    )
    keep_moments: bool = _key(False, _flag())
    page: str = _key(
        "auto",
        one_of("auto", "off", "here", "network"),
    )
    page_look: str = _key(
        "everybody",
        one_of("everybody", "paired"),
    )
    broker: str = _key(
        "",
        _place("", fits=lambda text: re.fullmatch(r"mqtts?://\S{1,200}", text) is not None, what="broker"),
    )
    broker_on: bool = _key(True, _flag())
    broker_user: str = _key("", _line(64))
    broker_password: str = _key("", _place("", what="path_or_none"))
    broker_ca: str = _key("", _place("", what="path_or_none"))
    broker_buttons: bool = _key(False, _flag())
    table: str = _key("", _table_name())
    deck: str = _key(
        "",
        _place("", what="path_or_none"),
    )
    outputs: Mapping[str, Any] = field(default_factory=dict)
    """What is set of outputs that declare a setting of their own (device/outputs), by output."""
    options: Houses = field(default_factory=dict)
    """What the house decides otherwise than each game's default, by game."""

    @property
    def house(self) -> dict[str, object]:
        """The options of the game, as `Match` takes them; none as long as nobody knows which it is."""
        if self.game == AUTO:
            return {}
        preset: dict[str, object] = {"preset": self.preset} if GAMES[self.game].presets else {}
        return preset | dict(self.options.get(self.game, {}))

    def of(self, game: str, players: int) -> "Settings":
        """The same for this game."""
        return replace(self, game=game, players=players)

    def match(self) -> Match:
        """A match of the game that is named, as the house plays it. OptionError: it cannot be."""
        seeds = GAMES[self.game].grid is not None
        side = (SOUTH if self.device_begins else NORTH) if self.against else None
        if not seeds:
            side = self.seat_of_device(self.players)
        against = None if side is None else Against(side, self.against or DEFAULT)
        return Match(self.game, self.players, self.house, self.names, against=against, head_start=self.head_start_here)

    def seat_of_device(self, players: int) -> int | None:
        """The seat that the device plays itself at a table of cards for so many; None: none."""
        return self.device_seat - 1 if 1 <= self.device_seat <= players else None

    @property
    def head_start_here(self) -> HeadStart | None:
        """The head start in the game that is named: what is too much for it is as much as it can be."""
        if not self.head_start:
            return None
        judge, _ = GAMES[self.game].judge(self.players, self.house)
        side, by = self.head_start_side - 1, min(self.head_start, judge.most_ahead)
        return HeadStart(side, by) if side < judge.side_count and by else None

    def with_preset(self, preset: str) -> "Settings":
        """The same with the rules of mraha that have this name."""
        return replace(self, preset=preset)

    @property
    def seating(self) -> dict[str, Any]:
        """Where people sit and where they play, as `read` takes it: what a recording must know."""
        return {name: KEYS[name].kind.written(getattr(self, name)) for name in SEATING}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of those who play."""
        return self.seats[: self.players]

    @property
    def matches_folder(self) -> Path:
        return Path(self.matches).expanduser()

    @property
    def record_folder(self) -> Path | None:
        return Path(self.record).expanduser() if self.record else None

    @property
    def recorded_voice(self) -> Path:
        """Where a house keeps its own recordings, a folder a language."""
        return self.matches_folder.parent / "voice"

    @property
    def deck_file(self) -> Path | None:
        return Path(self.deck).expanduser() if self.deck else None


PATH_OR_NONE = _place("", what="path_or_none")
KEYS: dict[str, Key] = {field.name: field.metadata["key"] for field in fields(Settings) if "key" in field.metadata}


def output_keys() -> dict[str, Key]:
    """What may stand in [outputs]."""
    from device.outputs import output_kinds

    return {name: key for kind in output_kinds() for name, key in kind.settings.items()}


def playable(settings: Settings) -> bool:
    """Whether the game can be played by so many with these house options."""
    if settings.game == AUTO:
        return True
    try:
        game_kind(settings.game).judge(settings.players, settings.house)
    except OptionError:
        return False
    return True


def player_numbers(settings: Settings) -> tuple[int, ...]:
    """By how many the game can be played with these house options."""
    numbers = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
    return tuple(number for number in numbers if playable(replace(settings, players=number)))


def side_names(settings: Settings, language: str) -> tuple[str, ...]:
    """What the sides of the game that is named are called."""
    judge, _ = GAMES[settings.game].judge(settings.players, settings.house)
    sides = judge.game.sides if isinstance(judge, CardJudge) else ()
    return words.side_names(settings.game, sides, language, settings.names)


def head_starts(settings: Settings) -> tuple[int, ...]:
    """Head starts to choose from in the game that is named, none first."""
    most = GAMES[settings.game].judge(settings.players, settings.house)[0].most_ahead
    step = next(step for step in HEAD_START_STEPS if most <= step * MOST_HEAD_STARTS)
    return tuple(sorted({*range(0, most + 1, step), min(settings.head_start, most)}))


def fitting(settings: Settings, before: Settings | None = None) -> Settings:
    """The settings with as many players as the game is for: as near as can be to how many there were. before: the ones
    that were changed; after a game of seeds, which two play, as many play cards as have names, or as usually do."""
    wanted = settings.players
    if before is not None and _of_seeds(before) and not _of_seeds(settings) and wanted == before.players:
        wanted = len(settings.seats) or (Settings.players if settings.game == AUTO else GAMES[settings.game].players)
    elif playable(settings):
        return settings
    return replace(settings, players=min(player_numbers(settings), key=lambda number: abs(number - wanted)))


def _of_seeds(settings: Settings) -> bool:
    return settings.game != AUTO and GAMES[settings.game].grid is not None


def with_option(settings: Settings, game: str, name: str, value: OptionValue) -> Settings:
    """The settings with one house option changed."""
    return replace(settings, options={**settings.options, game: {**settings.options.get(game, {}), name: value}})


def on_broker(settings: Settings, broker: str) -> Settings:
    """The settings with the table on this broker. What the one before was told is for that one alone: another host or
    port, and one that is spoken to in clear, is told no user and no password."""
    if broker == settings.broker:
        return settings
    return replace(settings, broker=broker, broker_user="", broker_password="", broker_ca="")


# -- where the file is -------------------------------------------------------------------------------------------------


def settings_path(given: Path | None = None) -> Path:
    """The file: as given, else in $HISABU_HOME (an installed Pi has /etc/hisabu there), else the user's own."""
    if given is not None:
        return given
    home = os.environ.get("HISABU_HOME")
    return Path(home) / FILE if home else Path("~/.config/hisabu").expanduser() / FILE


# -- reading -----------------------------------------------------------------------------------------------------------


def load(path: Path) -> Settings:
    """The settings of a file; the defaults where there is none. SettingsError, OSError: it cannot be used."""
    try:
        return parse(read_plain(path, MOST_BYTES).decode("utf-8-sig"))
    except FileNotFoundError:
        return Settings()
    except UnicodeDecodeError as error:
        raise SettingsError([Problem("no_text", {"byte": error.start + 1})]) from None


def parse(text: str) -> Settings:
    """The settings a text holds. SettingsError names every wrong key."""
    try:
        raw = tomllib.loads(text)
    except RecursionError:
        raise SettingsError([Problem("nested")]) from None
    except ValueError as error:  # Not TOML, or a number that Python reads not.
        place = re.search(r"line (\d+), column (\d+)", str(error))
        facts = {"error": error, "line": place[1], "column": place[2]} if place else {"error": error}
        raise SettingsError([Problem("no_toml_at" if place else "no_toml", facts)]) from None
    return read(raw)


def read(raw: Mapping[str, Any], base: Settings | None = None) -> Settings:
    """Settings from values by key, over others. SettingsError names every wrong key."""
    wrong: dict[str, Problem] = {}
    language, base = base.language if base else None, base or Settings()
    values: dict[str, Any] = {}
    for name, value in raw.items():
        if name == "options":
            values["options"] = {**base.options, **_houses(value, wrong)}
        elif name == "outputs":
            both = {**base.outputs, **_outputs(value, wrong)}
            values["outputs"] = {output: set_to for output, set_to in both.items() if set_to != ""}
        elif name not in KEYS:
            wrong[name] = Problem("no_key", {"key": name, "hint": _meant(name, (*KEYS, "outputs", "options"))})
        else:
            try:
                values[name] = KEYS[name].kind.read(value)
            except ValueError:
                wrong[name] = not_allowed(name, _shown(value), KEYS[name].kind.allowed)
    settings = replace(base, **values)
    if "display" not in raw and settings.display not in DISPLAYS[settings.build]:
        settings = replace(settings, display=DISPLAYS[settings.build][0])
    _check_display(settings, wrong)
    _check_players(settings, wrong)
    if wrong:
        raise SettingsError(list(wrong.values()), values.get("language", language))
    return settings


def _check_display(settings: Settings, wrong: dict[str, Problem]) -> None:
    """Whether the build has this display, where both could be read."""
    if wrong.keys() & {"build", "display"} or settings.display in DISPLAYS[settings.build]:
        return
    allowed = ", ".join(_toml(display) for display in DISPLAYS[settings.build])
    facts = {"value": _shown(settings.display), "build": _shown(settings.build), "allowed": allowed}
    wrong["display"] = Problem("display", facts)


def _check_players(settings: Settings, wrong: dict[str, Problem]) -> None:
    """Whether so many can play the game, where game, players and house rules could be read."""
    unknown = any(name in ("game", "players", "preset") or name.startswith("options") for name in wrong)
    if unknown or playable(settings):
        return
    numbers = ", ".join(map(str, player_numbers(settings)))
    facts = {"value": str(settings.players), "game": _toml(settings.game), "allowed": numbers}
    wrong["players"] = Problem("players", facts)


def check_seat_of_device(settings: Settings) -> None:
    """SettingsError: there is no such seat for the device in the game that is named, or none is named."""
    if not settings.device_seat:
        return
    if settings.game == AUTO:
        code = "seat_of_game"
    elif GAMES[settings.game].grid is not None:
        code = "no_seat"
    elif settings.seat_of_device(settings.players) is None:
        code = "seats"
    else:
        return
    facts = {"value": settings.device_seat, "game": _toml(settings.game), "most": settings.players}
    raise SettingsError([Problem(code, facts)], settings.language)


def check_seats_deg(settings: Settings) -> None:
    """SettingsError: people cannot sit so. Asked where somebody says where they sit; of a file that says so already
    the device makes what it can."""
    degrees, cards = settings.seats_deg, settings.game != AUTO and GAMES[settings.game].grid is None
    around = sorted(degree % 360 for degree in degrees)
    apart = [after - before for before, after in pairwise([*around, *(degree + 360 for degree in around[:1])])]
    if degrees and cards and len(degrees) != settings.players:
        code = "angles"
    elif apart and min(apart) < LEAST_APART_DEG:
        code = "angles_apart"
    else:
        return
    value = ", ".join(f"{degree:g}" for degree in degrees)
    facts = {"value": value, "players": settings.players, "least": LEAST_APART_DEG}
    raise SettingsError([Problem(code, facts)], settings.language)


def _outputs(raw: object, wrong: dict[str, Problem]) -> dict[str, Any]:
    """What is set of outputs."""
    if not isinstance(raw, Mapping):
        wrong["outputs"] = Problem("house", {"key": "outputs", "value": _shown(raw)})
        return {}
    known, values = output_keys(), {}
    for name, value in raw.items():
        where = f"outputs.{name}"
        if name not in known:
            wrong[where] = Problem("no_key", {"key": where, "hint": _meant(name, tuple(known))})
            continue
        try:
            values[name] = known[name].kind.read(value)
        except ValueError:
            wrong[where] = not_allowed(where, _shown(value), known[name].kind.allowed)
    return values


def _houses(raw: object, wrong: dict[str, Problem]) -> Houses:
    """The house options of each game."""
    if not isinstance(raw, Mapping):
        wrong["options"] = Problem("options", {"value": _shown(raw)})
        return {}
    houses: dict[str, dict[str, OptionValue]] = {}
    for game, given in raw.items():
        where = f"options.{game}"
        if game not in GAMES:
            homes = [name for name, kind in GAMES.items() if game in {option.name for option in kind.options}]
            below = Problem("hint_below", {"game": homes[0]}).said if homes else _meant(game, GAMES)
            wrong[where] = Problem("no_game", {"key": where, "hint": below})
        elif not isinstance(given, Mapping):
            wrong[where] = Problem("house", {"key": where, "value": _shown(given)})
        elif house := _house(where, {option.name: option for option in GAMES[game].options}, given, wrong):
            houses[game] = house
    return houses


def _house(
    where: str, known: Mapping[str, Option], given: Mapping[str, object], wrong: dict[str, Problem]
) -> dict[str, OptionValue]:
    values: dict[str, OptionValue] = {}
    for name, value in given.items():
        if name not in known:
            wrong[f"{where}.{name}"] = Problem("no_option", {"key": f"{where}.{name}", "hint": _meant(name, known)})
            continue
        try:
            values[name] = known[name].read(value)
        except OptionError:
            allowed = partial(allowed_values, known[name])
            wrong[f"{where}.{name}"] = not_allowed(f"{where}.{name}", _shown(value), allowed)
    return values


def not_allowed(key: str, value: object, allowed: Callable[[str], str]) -> Problem:
    """A value that its key does not take."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    if isinstance(value, str):
        seen = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in value[: LONGEST_SHOWN + 1])
        value = seen if len(value) <= LONGEST_SHOWN else seen[:LONGEST_SHOWN] + "…"
    return Problem("value", {"key": key, "value": value, "allowed": allowed})


def _meant(name: str, known: Mapping[str, object] | tuple[str, ...]) -> Callable[[str], str]:
    near = difflib.get_close_matches(name, list(known), n=1)
    return (
        Problem("hint_near", {"near": near[0]}).said
        if near
        else Problem("hint_known", {"known": ", ".join(known)}).said
    )


# -- writing -----------------------------------------------------------------------------------------------------------


def text_of(settings: Settings) -> str:
    """The whole file."""
    language, standard = settings.language, Settings()
    said = partial(words.say, language)
    lines = [f"# {said('settings-file_head')}", f"# {said('settings-file_anew')}\n"]
    for name, key in KEYS.items():
        default = _toml(key.kind.written(getattr(standard, name)))
        lines.append(f"# {about_key(name, language)}")
        lines.append(f"# {said('settings-file_allowed', allowed=key.kind.allowed(language), default=default)}")
        lines.append(f"{name} = {_toml(key.kind.written(getattr(settings, name)))}\n")
    lines.append("[outputs]")
    for name, key in output_keys().items():
        lines.append(f"# {about_key(name, language)}")
        lines.append(f"# {said('settings-file_allowed', allowed=key.kind.allowed(language), default=_toml(''))}")
        lines.append(f"{name} = {_toml(key.kind.written(settings.outputs.get(name, '')))}\n")
    for game, kind in GAMES.items():
        _, defaults = kind.judge(kind.players, {"preset": settings.preset} if kind.presets else {})
        chosen = settings.options.get(game, {})
        lines.append(f"[options.{game}]")
        for option in kind.options:
            lines.append(f"# {words.option_about(option.name, language, game)}")
            allowed, default = allowed_values(option, language), _toml(defaults[option.name])
            lines.append(f"# {said('settings-file_allowed', allowed=allowed, default=default)}")
            set_here = option.name in chosen
            value = chosen[option.name] if set_here else defaults[option.name]
            lines.append(f"{'' if set_here else '# '}{option.name} = {_toml(value)}\n")
    return "\n".join(lines)


def about_key(name: str, language: str) -> str:
    """What a key is for; of an output to which nobody has given its line yet, the key's name."""
    message = f"help-key_{name}"
    return words.say(language, message) if words.has(language, message) else name


def save(path: Path, settings: Settings) -> None:
    """Writes the file so that a power cut leaves the old one or the new one.

    SettingsError: what is there now cannot be read, and is not written over. OSError: the disk does not take it.
    """
    load(path)
    write_whole(path, text_of(settings).encode())


def allowed_values(option: Option, language: str) -> str:
    """The values of a house option, in order."""
    if len(option.values) > 10 and all(type(value) is int for value in option.values):
        numbers = sorted(int(value) for value in option.values)
        return words.say(language, "settings-allowed_from_to", low=numbers[0], high=numbers[-1])
    return ", ".join(_toml(value) for value in option.values)
