"""The console script: one parser, one module for each group of commands, imported when used."""

import argparse
import os
import sys
from collections.abc import Sequence

from device import game_commands, read_board

PARTS = (game_commands, read_board)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(prog="hisabu", description="Watches a real card or bao game and keeps the score.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for part in PARTS:
        part.add_parsers(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command; the exit status says how it went: 0 well, 2 bad input."""
    args = parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
