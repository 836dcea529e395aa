"""The commands that follow a table: run, the device itself, and demo."""

import argparse
import logging
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from device import words
from device.commands.console import BAD_INPUT, add_language, complain, language_of
from device.commands.house import on_a_pi
from device.commands.parsing import Help, Slip
from device.keeping.camera_names import is_file
from device.keeping.settings import (
    AUTO,
    Settings,
    SettingsError,
    check_seat_of_device,
    fitting,
    load,
    read,
    settings_path,
)
from device.keeping.shared_settings import SharedSettings
from device.words import in_words
from engine.games import GAMES
from engine.options import OptionError
from engine.search import LEVELS


def add_parsers(commands: Any) -> None:
    """Adds these commands to the command line."""
    run = commands.add_parser("run", help="run")
    run.add_argument("--settings", type=Path, metavar="FILE", help="settings")
    run.add_argument(
        "--camera",
        metavar="CAMERA",
        help="run_camera",
    )
    run.add_argument("--game", choices=(AUTO, *GAMES), metavar="GAME", help="run_game")
    run.add_argument("--auto", dest="game", action="store_const", const=AUTO, help="run_auto")
    run.add_argument("--players", type=int, metavar="N", help="run_players")
    levels = f"{min(LEVELS)}-{max(LEVELS)}"
    run.add_argument("--against", type=int, choices=(0, *LEVELS), metavar="N", help=Help("run_against", allowed=levels))
    run.add_argument("--device-begins", action="store_const", const=True, help="run_begins")
    run.add_argument("--device-seat", type=int, metavar="N", help="run_seat")
    run.add_argument("--record", type=Path, metavar="FOLDER", help="record")
    run.add_argument("--new", action="store_true", help="new")
    run.add_argument("--terminal", action="store_true", help="terminal")
    run.add_argument("--page", metavar="PLACE", help="page")
    run.add_argument("--verbose", action="store_true", help="verbose")
    add_language(run)
    run.set_defaults(run=run_device, preset=None, options=None)

    demo = commands.add_parser("demo", help="demo")
    games = Help("demo_game", allowed=", ".join(GAMES))
    demo.add_argument("game", nargs="?", default="turufu", choices=tuple(GAMES), metavar="GAME", help=games)
    demo.add_argument("--players", type=int, metavar="N", help="run_players")
    demo.add_argument("--seed", type=_seed, default=1, metavar="N", help="seed")
    demo.add_argument("--fast", action="store_true", help="fast")
    add_language(demo)
    demo.set_defaults(run=run_demo)


def _seed(text: str) -> int:
    if not text.isdecimal():
        raise Slip("no_seed", value=text)
    return int(text)


def run_demo(args: argparse.Namespace) -> int:
    """Shows a table that plays by itself."""
    from device.commands import demo

    language = language_of(args)
    try:
        return demo.play(args.game, args.players, args.seed, args.fast, language)
    except OptionError as error:
        return complain(in_words(error, language))


def _prepare(table: Any, args: argparse.Namespace, folder: Path) -> None:
    """What somebody asked for as the device was started, and how the table joins a hall."""
    from device.keeping.broker_code import joined

    table.joined = lambda settings, code: joined(settings, code, folder)
    if getattr(args, "lessons", False):
        table.teach()


def _check_film(camera: str | None) -> None:
    """CameraAway: a film or a folder is named that is not there. It does not come by itself, as a camera may."""
    from device.cameras import open_camera

    if camera is not None and is_file(camera):
        open_camera(camera).close()


def _refuse(problems: Iterable[str]) -> int:
    for problem in problems:
        complain(problem)
    return BAD_INPUT


def _with(said: dict[str, Any], settings: Settings) -> Settings:
    """The settings with what was said on the command line. SettingsError: they do not go together."""
    settings = read(said, settings if "players" in said else fitting(replace(settings, **said), settings))
    if "device_seat" in said:
        check_seat_of_device(settings)
    return settings


def run_device(args: argparse.Namespace) -> int:
    """Follows the table until it is stopped."""
    from device.appliance import Appliance
    from device.cameras import CameraAway
    from device.keeping.alone import alone_in
    from device.keeping.deck import deck_in_use

    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING, format="hisabu: %(message)s", stream=sys.stderr
    )
    path = settings_path(args.settings)
    if args.settings is not None and not path.exists():
        complain(words.say(language_of(args), "setup-no_file", path=path))
    try:
        settings = load(path)
    except SettingsError as error:
        _refuse(f"{path}: {problem}" for problem in error.said())
        return complain(words.say(error.language, "setup-mend", path=path))
    if not path.exists() and not on_a_pi():
        settings = replace(settings, build="laptop", display="none")  # Nobody has said what was built.
    asked = {
        "game": args.game, "players": args.players, "language": args.lang, "against": args.against,
        "device_begins": args.device_begins, "device_seat": args.device_seat, "preset": args.preset,
        "options": args.options,
    }  # fmt: skip
    said = {name: value for name, value in asked.items() if value is not None}
    stored = settings
    try:
        settings = _with(said, settings)
    except SettingsError as error:
        return _refuse(error.said(language_of(args)))
    settings = replace(settings, deck=str(deck_in_use(settings, args.settings) or ""))
    shared = SharedSettings(path, stored, settings)

    def keep(changed: Settings) -> None:
        try:
            shared.keep(changed)
        except (OSError, SettingsError) as error:
            language = changed.language
            why = words.what_helps(error, language) if isinstance(error, OSError) else "; ".join(error.said(language))
            told = words.say(language, "setup-not_kept", path=path, why=why)
            logging.getLogger(__name__).warning("%s", told)

    with alone_in(settings.matches_folder) as alone:
        if not alone:
            return complain(words.say(settings.language, "live-in_use", folder=settings.matches_folder))
        try:
            _check_film(args.camera)
            appliance = Appliance(settings, keep, camera=args.camera, record=args.record, new=args.new, page=args.page)
        except (OptionError, ValueError, CameraAway) as error:
            return complain(in_words(error, settings.language))
        _prepare(appliance.table, args, path.parent)
        appliance.table.renewed = shared.renewed
        return appliance.run(terminal=args.terminal)
