"""The command line: one parser, one module for each group of commands, imported when used."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from device import version, words
from device.commands import backup, bao, eyes, games, hall, house, machine, panel, pins, play, table
from device.commands.console import language_of
from device.commands.parsing import Parser, language_asked
from device.outputs.plain import PlainStream

PARTS = (games, table, hall, bao, play, eyes, house, backup, machine, panel, pins)


def parser(language: str = "en") -> Parser:
    """The whole command line, in a language."""
    top = Parser(prog="hisabu", description="top")
    top.add_argument(
        "--version",
        action="version",
        version=f"%(prog)s {version.of_the_program()}",
        help="version",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for part in PARTS:
        part.add_parsers(commands)
    top.speak(language)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; the exit status says how it went: 0 well, 2 bad input."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is getattr(sys, f"__{name}__") and isinstance(stream, io.TextIOWrapper):
            setattr(sys, name, PlainStream.over(stream))
        elif isinstance(stream, io.TextIOWrapper):  # A terminal without ♥ shows a "?", not a traceback.
            stream.reconfigure(errors="replace")
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        return 2  # A closed stream: there is nobody to tell.
    if sys.maxsize < 2**32:
        print(f"hisabu: {words.say(words.system_language(), 'machine-small')}", file=sys.stderr)
        return 2
    args = _parsed(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"hisabu: {error.filename or 'output'}: {words.what_helps(error, language_of(args))}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 130


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line. argparse takes no file after an option where one before it may be left out; people do."""
    language = language_asked(sys.argv[1:] if argv is None else argv)
    top = parser(language)
    args, late = top.parse_known_args(argv)
    if late and (any(argument.startswith("-") for argument in late) or not _files_taken(args, late)):
        top.error(words.say(language, "slip-unrecognized", names=" ".join(late)))
    return args


def _files_taken(args: argparse.Namespace, late: Sequence[str]) -> bool:
    """Whether the command has room for the files that were named after its options."""
    if hasattr(args, "images"):
        args.images = [*args.images, *map(Path, late)]
    elif getattr(args, "file", "") in (None, "-") and len(late) == 1:
        args.file = late[0]
    else:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
