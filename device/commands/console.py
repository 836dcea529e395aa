"""What the commands share: house options on the command line, and how a mistake is told."""

import argparse
import contextlib
import sys

from device import words
from device.keeping.settings import SettingsError, load, settings_path
from engine.options import OptionError

BAD_INPUT = 2
LONGEST_LINE = 300
"""Characters of a complaint; what was typed may be far longer."""


def complain(message: object) -> int:
    """One line on standard error, and the status of bad input."""
    sys.stdout.flush()
    text = str(message)
    print(f"hisabu: {text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + '…'}", file=sys.stderr)
    return BAD_INPUT


def add_language(parser: argparse.ArgumentParser, default: object = None) -> None:
    """Adds --lang; language_of says which it is."""
    parser.add_argument(
        "--lang", choices=words.LANGUAGES, default=default, help="of the sentences (default: that of the settings)"
    )


def language_of(args: argparse.Namespace) -> str:
    """The language asked for, else that of the settings, else the machine's."""
    if args.lang is not None:
        return str(args.lang)
    path = settings_path(getattr(args, "settings", None))
    if path.exists():
        with contextlib.suppress(SettingsError, OSError):
            return load(path).language
    return words.system_language()


def add_house(parser: argparse.ArgumentParser) -> None:
    """Adds --preset and --set."""
    parser.add_argument("--preset", metavar="PRESET", help="mraha only: mraha (default) or kiswahili")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", dest="house", help="a house rule")


def house_options(args: argparse.Namespace) -> dict[str, object]:
    """The options given with --preset and --set. OptionError if one has no value."""
    given: dict[str, object] = {}
    if args.preset is not None:
        given["preset"] = args.preset
    for one in args.house:
        name, equals, value = one.partition("=")
        if not equals:
            raise OptionError(f"--set {one}: write it as option=value")
        given[name.strip()] = value.strip()
    return given
