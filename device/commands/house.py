"""The commands of the house that owns the device: setup writes its settings, matches shows what was played."""

import argparse
import contextlib
import json
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from device import words
from device.commands.console import BAD_INPUT, add_house, add_language, complain, house_options, language_of
from device.commands.parsing import Help
from device.keeping.alone import alone_in
from device.keeping.files import drop_unfinished
from device.keeping.journal import Kept, Recovered, kept, recover_file, resume
from device.keeping.names import alike, forget, without
from device.keeping.players import BETWEEN, PlayerTotals, counts_of, evened, standings
from device.keeping.settings import (
    AUTO,
    BEFORE,
    DISPLAYS,
    KEYS,
    Settings,
    SettingsError,
    about_key,
    check_seat_of_device,
    check_seats_deg,
    fitting,
    load,
    not_allowed,
    output_keys,
    player_numbers,
    read,
    save,
    settings_path,
    with_option,
)
from device.words import in_words
from engine.events import EventError
from engine.games import GAMES
from engine.journal import JournalError, add_entry
from engine.match import Match
from engine.options import Option, OptionError
from engine.rules.mraha import PLAYERS

ASKED = ("language", "game", "players", "seats", "preset", "build", "display", "camera", "mains_hz", "sound")
"""What setup asks; every other key is an option or stays as it is."""
SPELLED = {"language": "lang", "mains_hz": "mains"}
"""Options whose name is not that of the key."""
LAPTOP_CAMERA = "usb:0"
MOST_LISTED = 10
"""Values of an option that are named one by one; of more (points to win) the first and the last."""
DATE_WIDTH = len("2026-07-06 12:00")
MODEL = Path("/proc/device-tree/model")


def add_parsers(commands: Any) -> None:
    """Adds these commands to the command line."""
    setup = commands.add_parser("setup", help="setup", description="setup_about")
    _add_settings(setup)
    setup.add_argument("--yes", action="store_true", help="yes")
    for name, key in KEYS.items():
        if name != "preset":
            option = "--" + SPELLED.get(name, name).replace("_", "-")
            about = Help("setting", setting=partial(about_key, name), values=key.kind.allowed)
            setup.add_argument(option, dest=f"key_{name}", metavar="X", help=about)
    for name, key in output_keys().items():
        about = Help("setting", setting=partial(about_key, name), values=key.kind.allowed)
        setup.add_argument(f"--{name.replace('_', '-')}", dest=f"output_{name}", metavar="X", help=about)
    add_house(setup)
    setup.set_defaults(run=run_setup)

    matches = commands.add_parser("matches", help="matches")
    _add_matches(matches)
    matches.add_argument("--json", action="store_true", help="json_list")
    matches.set_defaults(run=run_matches)
    actions = matches.add_subparsers(metavar="export | forget | score", title="matches_more")
    score = actions.add_parser("score", help="matches_score")
    score.add_argument("points", nargs="+", type=int, metavar="POINTS", help="matches_points")
    score.add_argument("--reason", default="", metavar="WHY", help="matches_reason")
    _add_matches(score, default=argparse.SUPPRESS)
    score.set_defaults(run=run_score)
    export = actions.add_parser("export", help="export")
    export.add_argument("number", type=int, metavar="N", help="export_number")
    export.add_argument("file", type=Path, metavar="FILE", help="export_file")
    export.add_argument("--text", action="store_true", help="export_text")
    _add_matches(export, default=argparse.SUPPRESS)
    export.set_defaults(run=run_export)
    players = commands.add_parser("players", help="players", description="players_about")
    _add_matches(players)
    players.add_argument("--json", action="store_true", help="json_list")
    players.set_defaults(run=run_players)
    gone = actions.add_parser("forget", help="matches_forget")
    gone.add_argument("name", metavar="NAME", help="name")
    _add_matches(gone, default=argparse.SUPPRESS)
    gone.set_defaults(run=run_forget)


def _add_settings(parser: argparse.ArgumentParser, default: Any = None) -> None:
    parser.add_argument("--settings", type=Path, metavar="FILE", default=default, help="settings")


def _add_matches(parser: argparse.ArgumentParser, default: Any = None) -> None:
    _add_settings(parser, default)
    parser.add_argument("--folder", type=Path, metavar="DIR", default=default, help="matches_folder")
    add_language(parser, default)


def _complain_of(path: Path, error: SettingsError, language: str | None = None) -> int:
    for problem in error.said(language):
        complain(f"{path}: {problem}")
    return BAD_INPUT


# -- setup -------------------------------------------------------------------------------------------------------------


class _NobodyAnswers(Exception):
    """Standard input ended before the last question."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language


def run_setup(args: argparse.Namespace) -> int:
    """Asks and writes."""
    from device.machine import install
    from device.machine.doctor import ask_command

    path = settings_path(args.settings)
    try:
        settings = load(path)
    except SettingsError as error:
        _complain_of(path, error)
        return complain(words.say(error.language, "setup-left", path=path))
    if not path.exists():
        settings = _suggested(asks=not args.yes)
    try:
        given = {name: KEYS[name].kind.typed(text) for name, text in _given(args).items()}
        settings = read({"outputs": _given_outputs(args)}, settings)
        settings = _answered(settings, given, house_options(args), ask=not args.yes)
    except SettingsError as error:
        for problem in error.said():
            complain(problem)
        return BAD_INPUT
    except OptionError as error:
        asked_for = args.key_language
        return complain(in_words(error, asked_for if asked_for in words.LANGUAGES else settings.language))
    except _NobodyAnswers as error:
        print()
        return complain(words.say(error.language, "setup-nobody"))
    save(path, settings)
    print(words.say(settings.language, "setup-written", path=path))
    if install.is_of_the_service(path) and (outside := install.outside_the_service(settings, ask_command)):
        complain(words.say(settings.language, "doctor-matches_outside", folder=outside, state=install.STATE))
    return 0


def _given_outputs(args: argparse.Namespace) -> dict[str, Any]:
    """The settings of outputs on the command line."""
    typed = {name: getattr(args, f"output_{name}", None) for name in output_keys()}
    return {name: output_keys()[name].kind.typed(text) for name, text in typed.items() if text is not None}


def _given(args: argparse.Namespace) -> dict[str, str]:
    """The answers on the command line, by key."""
    found = {name: getattr(args, f"key_{name}", None) for name in KEYS} | {"preset": args.preset}
    return {name: text for name, text in found.items() if text is not None}


def on_a_pi() -> bool:
    """Whether this machine is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _suggested(asks: bool) -> Settings:
    """For a first time: a Pi is taken for a device, any other machine for a laptop with a webcam. A device that nobody
    asked speaks French where the machine is set to no language."""
    settings = Settings(language=words.system_language("en" if asks else "fr"))
    return settings if on_a_pi() else replace(settings, build="laptop", display="none", camera=LAPTOP_CAMERA)


def _answered(settings: Settings, given: Mapping[str, Any], house: Mapping[str, object], ask: bool) -> Settings:
    """The settings with every answer in them: given, asked for, or what is suggested."""
    rules = {name: value for name, value in house.items() if name != "preset"}
    values, before = _read_each(given, settings.language), settings
    settings = replace(settings, **{name: value for name, value in values.items() if name not in ASKED})
    for name in ASKED:
        if name in values:
            settings = replace(settings, **{name: values[name]})
            continue
        settings = _fitting(settings, name, before)
        if ask and _worth_asking(settings, name):
            settings = _asked(settings, name)
    if rules and settings.game == AUTO:
        raise OptionError("game_first")
    if rules:
        settings = read({"options": {settings.game: {**settings.options.get(settings.game, {}), **rules}}}, settings)
    elif ask and settings.game != AUTO:
        settings = _asked_house(settings)
    _check_seats(settings, given)
    return read({}, settings)


def _check_seats(settings: Settings, given: Collection[str]) -> None:
    """SettingsError: nobody can sit as was just said."""
    if "device_seat" in given:
        check_seat_of_device(settings)
    if "seats_deg" in given:
        check_seats_deg(settings)


def _has_presets(settings: Settings) -> bool:
    return settings.game != AUTO and bool(GAMES[settings.game].presets)


def _read_each(given: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The values given; whether they fit each other is looked at when everything is known."""
    values, problems = {}, []
    for name, value in given.items():
        try:
            values[name] = KEYS[name].kind.read(value)
        except ValueError:
            problems.append(not_allowed(name, value, KEYS[name].kind.allowed))
    if problems:
        raise SettingsError(problems, values.get("language", language))
    return values


def _fitting(settings: Settings, name: str, before: Settings) -> Settings:
    """What is suggested fits what was answered so far."""
    if name == "players":
        return fitting(settings, before)
    if name == "display" and settings.build != before.build:
        return replace(settings, display=DISPLAYS[settings.build][0])
    if name == "camera" and settings.build != before.build:
        return replace(settings, camera=LAPTOP_CAMERA if settings.build == "laptop" else Settings.camera)
    return settings


def _choices(settings: Settings, name: str) -> tuple[object, ...]:
    """The answers a question has now; () where they cannot be listed."""
    if name == "players":
        return player_numbers(settings)
    return DISPLAYS[settings.build] if name == "display" else ()


def _worth_asking(settings: Settings, name: str) -> bool:
    """Whether there is a choice."""
    return len(_choices(settings, name)) != 1 and (name != "preset" or _has_presets(settings))


def _asked(settings: Settings, name: str) -> Settings:
    """One key as a person answers."""
    kind = KEYS[name].kind
    choices = _choices(settings, name) or _listed(kind.allowed(settings.language))
    said = {value: _called(settings.language, name, value) for value in choices}
    allowed = ", ".join(said.values()) or kind.allowed(settings.language).replace('"', "")
    suggestion = kind.written(getattr(settings, name))
    if isinstance(suggestion, list):
        suggestion = ", ".join(map(str, suggestion))
    if name != "players" or settings.game == AUTO:
        _explain(settings.language, name)
    while True:
        text = _answer(settings.language, name, allowed, said.get(suggestion, suggestion))
        if not text:
            return settings
        with contextlib.suppress(ValueError):
            value = kind.read(_meant(text, said, kind.typed))
            if not _choices(settings, name) or value in choices:
                return replace(settings, **{name: value})
        print(words.say(settings.language, "setup-wrong", value=text, allowed=allowed))


def _asked_house(settings: Settings) -> Settings:
    """The house options, for those who want to look through them."""
    said = {answer: _called(settings.language, "", answer) for answer in (True, False)}
    answer = _answer(settings.language, "house", ", ".join(said.values()), said[False])
    if _meant(answer, said, lambda text: text) is not True:
        return settings
    kind = GAMES[settings.game]
    for option in kind.options:
        settings = _asked_option(settings, option)
    return settings


def _asked_option(settings: Settings, option: Option) -> Settings:
    """One house option as a person answers, in the words that the menu has."""
    language, kind = settings.language, GAMES[settings.game]
    now = kind.judge(settings.players, settings.house)[1][option.name]
    said: dict[object, str] = {
        value: words.value_name(option.name, value, language, settings.game) for value in option.values
    }
    numbers = sorted(value for value in option.values if type(value) is int)
    many = len(numbers) > MOST_LISTED
    ends = {"low": numbers[0], "high": numbers[-1]} if many else {}
    allowed = words.say(language, "setup-from_to", **ends) if many else ", ".join(said.values())
    name = words.option_name(option.name, language, settings.game)
    print(f"\n{words.option_about(option.name, language, settings.game)}")
    while True:
        text = _answer(language, name, allowed, said[now])
        if not text:
            return settings
        try:
            return read({}, with_option(settings, settings.game, option.name, option.read(_meant(text, said, str))))
        except OptionError:
            print(words.say(language, "setup-wrong", value=text, allowed=allowed))
        except SettingsError as error:
            print("; ".join(error.said(language)))


def _listed(allowed: str) -> tuple[object, ...]:
    """The values of a key that are a plain list."""
    values = [part.strip() for part in allowed.split(",")]
    if not all(re.fullmatch(r'"\w+"|\d+|true|false', value) for value in values):
        return ()
    return tuple(json.loads(value) for value in values)


def _called(language: str, name: str, value: object) -> str:
    """What a value is called in a language: as the menu has it."""
    if isinstance(value, bool):
        return words.say(language, "menu-yes" if value else "menu-no")
    if name == "game":
        return words.game_name(str(value), language)
    own = f"setup-value_{name}_{value}"
    return words.say(language, own) if words.has(language, own) else words.value_name(name, value, language)


def _meant(text: str, said: Mapping[Any, str], typed: Callable[[str], Any]) -> Any:
    """The value a person means: by what it is called, or as the file has it."""
    wanted = text.strip().lower()
    found = [value for value, name in said.items() if wanted == name.lower()]
    return found[0] if found else typed(text)


def _explain(language: str, name: str) -> None:
    """A line that says what the next question is about, where it needs one."""
    if words.has(language, f"setup-about_{name}"):
        print(f"\n{words.say(language, f'setup-about_{name}')}")


def _answer(language: str, name: str, allowed: str, suggestion: object) -> str:
    """What a person types; empty takes the suggestion. name: of a key, or what is asked in words."""
    asked = words.say(language, f"setup-{name}") if words.has(language, f"setup-{name}") else name
    try:
        return input(f"{asked} ({allowed}) [{suggestion}] ").strip()
    except EOFError:
        raise _NobodyAnswers(language) from None


# -- matches -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Story:
    """A kept match and what can be told of it."""

    kept: Kept
    language: str
    newest: bool
    """Only the newest match can go on."""

    @cached_property
    def found(self) -> Recovered | str:
        """What its journal holds, or why it cannot be read."""
        try:
            found = recover_file(self.kept.path)
        except JournalError as error:
            return in_words(error, self.language)
        except OSError as error:
            return words.why(error, self.language)
        return found or words.say(self.language, "matches-empty")

    @property
    def begun(self) -> bool:
        """Whether anything was played in it, or nobody can tell."""
        return isinstance(self.found, str) or bool(self.found.entries) or self.found.damaged is not None

    @property
    def date(self) -> str:
        """When its first event was, in the time of this place; else the day its file was named by."""
        if not isinstance(self.found, str) and self.found.entries:
            when = _local(self.found.entries[0].event.get("time"))
            if when is not None:
                return f"{when:%Y-%m-%d %H:%M}"
        return "-".join(self.kept.path.name.split("-")[2:5])

    @property
    def table(self) -> str:
        """Which game it is and how many play, in words."""
        if isinstance(self.found, str):
            return ""
        header = self.found.match.header
        game = words.game_name(header.game, self.language)
        table = words.say(self.language, "table-game_of", game=game, players=header.players)
        start = header.head_start
        if start is None:
            return table
        sides = words.side_names(header.game, self.found.match.view.sides or (), self.language, header.seats)
        return f"{table}, {words.say(self.language, 'matches-head_start', side=sides[start.side], by=start.by)}"

    @property
    def score(self) -> str:
        """Of the match, by side."""
        return "–".join(map(str, self.view.get("games", ())))

    @property
    def view(self) -> dict[str, Any]:
        return {} if isinstance(self.found, str) else self.found.match.view.to_dict()

    @property
    def state(self) -> str:
        """Whether it goes on and who won it, in words."""
        said = partial(words.say, self.language)
        if isinstance(self.found, str):
            return said("matches-unreadable", what=self.found)
        if self.found.damaged is not None:
            return said("matches-damaged", event=len(self.found.entries))
        winner = self.view.get("winner")
        if winner is None:
            return said("matches-goes_on" if self.kept.open and self.newest else "matches-ended")
        won: dict[str, Any] = {"notice": "match_won", "side": winner}
        if GAMES[self.view["game"]].grid:
            won["player"] = PLAYERS[winner]
        return words.sentence_of(won, self.language, self.found.match)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        out: dict[str, Any] = {"number": self.kept.number, "file": str(self.kept.path), "date": self.date}
        if isinstance(self.found, str):
            return {**out, "unreadable": self.found}
        header, view = self.found.match.header, self.view
        return {
            **out,
            "game": header.game,
            "players": header.players,
            "seats": list(header.seats),
            "head_start": header.head_start.to_dict() if header.head_start is not None else None,
            "events": len(self.found.entries),
            "closed": not self.kept.open,
            "games": view.get("games"),
            "winner": view.get("winner"),
            "damaged": str(self.found.damaged) if self.found.damaged else None,
        }


def _local(time: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(time)).astimezone()
    except ValueError:
        return None


def _stories(args: argparse.Namespace) -> tuple[Path, list[_Story]]:
    """Where the matches are, and those that were begun. SettingsError: the settings do not tell."""
    folder = args.folder or load(settings_path(args.settings)).matches_folder
    found = kept(folder)
    stories = [_Story(match, language_of(args), match is found[-1]) for match in found]
    return folder, [story for story in stories if story.begun]


def run_matches(args: argparse.Namespace) -> int:
    """Lists them."""
    try:
        folder, stories = _stories(args)
    except SettingsError as error:
        return _complain_of(settings_path(args.settings), error, args.lang)
    if args.json:
        for story in stories:
            print(json.dumps(story.to_dict(), ensure_ascii=False))
        return 0
    said = partial(words.say, language_of(args))
    if not stories:
        print(said("matches-none", folder=folder))
    tables = max((len(story.table) for story in stories), default=0)
    scores = max((len(story.score) for story in stories), default=0)
    for story in stories:
        columns = f"{story.table:{tables}}  {story.score:{scores}}"
        print(f"{story.kept.number:>4}  {story.date:{DATE_WIDTH}}  {columns}  {story.state}")
    return 0


def run_players(args: argparse.Namespace) -> int:
    """What everybody who played here won and lost, and how strong they are."""
    language = language_of(args)
    said = partial(words.say, language)
    try:
        folder, stories = _stories(args)
    except SettingsError as error:
        return _complain_of(settings_path(args.settings), error, args.lang)
    counted = [counts_of(story.found.match) for story in stories if not isinstance(story.found, str)]
    found = standings(counted)
    if args.json:
        for standing in found:
            print(json.dumps(standing.to_dict(), ensure_ascii=False))
        return 0
    if not found:
        print(said("matches-none", folder=folder))
        return 0
    heads = ("matches", "won", "lost", "run", "muzinga", "revokes")
    rows = [["", *(said(f"players-{head}") for head in heads), said("players-rating")]]
    for standing in found:
        numbers = [standing.matches, standing.won, standing.lost, standing.run]
        numbers += [standing.totals["muzinga"], standing.totals["revokes"]]
        rows.append([_player(standing.name, language), *map(str, numbers), _rating(standing, language)])
    for line in _in_columns(rows):
        print(line)
    print()
    print(said("players-rating_how"))
    for pair in evened(counted):
        facts = {"weaker": pair.weaker, "stronger": pair.stronger, "by": pair.by, "percent": round(100 * pair.share)}
        print(said("players-even", game=words.game_name(pair.game, language), **facts))
    return 0


def _in_columns(rows: list[list[str]]) -> Iterator[str]:
    """Lines of a table: names to the left, numbers to the right, the last column as it is."""
    wide = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for first, *numbers, last in rows:
        middle = "  ".join(f"{number:>{wide[place]}}" for place, number in enumerate(numbers, 1))
        yield f"{first:{wide[0]}}  {middle}  {last}".rstrip()


def _player(name: str, language: str) -> str:
    """A player or a pair; a seat that has no name by its number."""
    return BETWEEN.join(
        words.seat_name(int(part[1:]) - 1, language) if part.startswith("#") else part for part in name.split(BETWEEN)
    )


def _rating(standing: PlayerTotals, language: str) -> str:
    ratings = standing.ratings.items()
    return ", ".join(f"{words.game_name(game, language)} {rating.points} ± {rating.doubt}" for game, rating in ratings)


def run_export(args: argparse.Namespace) -> int:
    """Writes one of them down."""
    said = partial(words.say, language_of(args))
    try:
        stories = {story.kept.number: story for story in _stories(args)[1]}
    except SettingsError as error:
        return _complain_of(settings_path(args.settings), error, args.lang)
    story = stories.get(args.number)
    if story is None:
        return complain(said("matches-unknown", number=args.number))
    if isinstance(story.found, str):
        return complain(f"{story.kept.path}: {story.state}")
    as_text = args.text or args.file.suffix == ".txt"
    text = "".join(line + "\n" for line in _told(story, story.found)) if as_text else story.found.text.decode()
    if str(args.file) == "-":
        print(text, end="")
        return 0
    try:
        with args.file.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return complain(said("matches-there", path=args.file))
    except OSError as error:
        return complain(f"{args.file}: {words.what_helps(error, language_of(args))}")
    if story.found.damaged is not None:
        print(f"hisabu: {story.kept.path}: {story.state}", file=sys.stderr)
    return 0


def run_forget(args: argparse.Namespace) -> int:
    """Takes a name out of everything that is kept."""
    from device.outputs.page.house import RECORDINGS

    said = partial(words.say, language_of(args))
    path = settings_path(args.settings)
    try:
        settings = load(path)
    except SettingsError as error:
        return _complain_of(path, error)
    matches = args.folder or settings.matches_folder
    found = forget(args.name, matches, settings.record_folder or matches.parent / RECORDINGS)
    status, stood = _forgotten_in_settings(path, args.name, language_of(args))
    if not (stood or status or found.files or found.failed):
        near = ", ".join(alike(args.name, matches, settings.seats))
        return complain(said("matches-nobody_but" if near else "matches-nobody", name=args.name, near=near))
    stories = {story.kept.path.name.split(".")[0]: story for story in _stories(args)[1]}
    for file in found.files:
        story = stories.get(file.name.split(".")[0])
        print(file if story is None else f"{story.kept.number:>4}  {story.date}  {story.table}")
    print(said("matches-forgotten", number=len(found.files), name=args.name))
    for unkept in found.failed:
        complain(said("matches-not_forgotten", path=unkept))
    return status or (1 if found.failed else 0)


def _forgotten_in_settings(path: Path, name: str, language: str) -> tuple[int, bool]:
    """Takes a name out of the settings, and of those before a backup: the exit status, and whether it stood there."""
    status, stood = 0, False
    drop_unfinished(path.parent, path.name)
    for file in (path, path.with_name(path.name + BEFORE)):
        try:
            if _forgotten_in(file, name):
                stood = True
                print(words.say(language, "matches-forgotten_settings", path=file))
        except SettingsError as error:
            status = _complain_of(file, error)
        except OSError as error:
            status = complain(f"{file}: {words.what_helps(error, language)}")
    return status, stood


def _forgotten_in(path: Path, name: str) -> bool:
    """Takes a name out of settings; whether it stood there."""
    settings = load(path)
    left = tuple(without(settings.seats, name))
    if left == settings.seats:
        return False
    save(path, replace(settings, seats=left))
    return True


def run_score(args: argparse.Namespace) -> int:
    """Sets the score of the match that goes on right by hand."""
    said = partial(words.say, language_of(args))
    try:
        folder = args.folder or load(settings_path(args.settings)).matches_folder
    except SettingsError as error:
        return _complain_of(settings_path(args.settings), error, args.lang)
    with alone_in(folder) as alone:
        if not alone:
            return complain(said("matches-followed"))
        record = resume(folder).record
        if record is None:
            return complain(said("matches-none_goes_on"))
        try:
            record.match.check_score(args.points)
            notices = record.add({"event": "score", "points": args.points, "reason": args.reason}, "command")
        except EventError as error:
            return complain(in_words(error, language_of(args)))
        finally:
            kept_whole = record.close()
    for notice in notices:
        print(words.sentence_of(notice.to_dict(), language_of(args), record.match))
    return 0 if kept_whole else complain(said("matches-not_kept", folder=folder))


def _told(story: _Story, found: Recovered) -> Iterator[str]:
    """A match as it was said at the table."""
    header = found.match.header
    yield f"{story.table}, {story.date}"
    if header.seats:
        yield ", ".join(
            words.seat_name(seat, story.language, header.seats, header.game) for seat in range(header.players)
        )
    yield ""
    match = Match.of(header)
    for number, entry in enumerate(found.entries, 1):
        when = _local(entry.event.get("time"))
        for notice in add_entry(match, entry):
            said = words.sentence_of(notice.to_dict(), story.language, match)
            yield f"{number:4}  {when:%H:%M:%S}  {said}" if when else f"{number:4}  {said}"
    yield ""
    yield words.score_line(match.view.to_dict(), story.language) or story.state
