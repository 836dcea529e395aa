"""The console script: one parser, one module for each group of commands, imported when used."""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from device import (
    bao_commands,
    eye_commands,
    game_commands,
    house_commands,
    machine_commands,
    panel_commands,
    table_commands,
)

PARTS = (
    game_commands,
    table_commands,
    bao_commands,
    eye_commands,
    house_commands,
    machine_commands,
    panel_commands,
)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(prog="hisabu", description="Watches a real card or bao game and keeps the score.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for part in PARTS:
        part.add_parsers(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; the exit status says how it went: 0 well, 2 bad input."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # A terminal without ♥ shows a "?", not a traceback.
            stream.reconfigure(errors="replace")
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        return 2  # A closed stream: there is nobody to tell.
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"hisabu: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
