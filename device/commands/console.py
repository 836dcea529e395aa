"""What the commands share: house options on the command line, and how a mistake is told."""

import argparse
import contextlib
import sys
import threading
import time
from collections.abc import Iterator

from device import words
from device.keeping.settings import SettingsError, load, settings_path
from device.outputs.plain import PlainStream, shown
from engine.options import OptionError

BAD_INPUT = 2
QUIET_S = 1.5
"""Nothing is said of what takes no longer: people wait two seconds before they wonder."""
LONGEST_LINE = 600
"""Characters of a complaint; what was typed may be far longer. A path said three times fits."""


class _Ticker:
    """Says on a terminal that something goes on, once it takes longer than a moment."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tick, daemon=True)
        self._told = False
        self._thread.start()

    def _tick(self) -> None:
        began_s = time.monotonic()
        wait_s = QUIET_S
        while not self._over.wait(wait_s):
            self._told, wait_s = True, 1.0
            _draw(f"\r\x1b[Khisabu: {self._what} … {time.monotonic() - began_s:.0f} s")

    def stop(self) -> None:
        """Wipes the line away."""
        self._over.set()
        self._thread.join()
        if self._told:
            _draw("\r\x1b[K")


def _draw(text: str) -> None:
    stream = sys.stderr
    if isinstance(stream, PlainStream):
        stream.draw(text)
    else:
        print(text, end="", file=stream, flush=True)


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Says on standard error what goes on meanwhile, if that is a terminal and it takes more than a moment."""
    if not sys.stderr.isatty():
        yield
        return
    ticker = _Ticker(shown(what))
    try:
        yield
    finally:
        ticker.stop()


def complain(message: object) -> int:
    """One line on standard error, and the status of bad input."""
    sys.stdout.flush()
    text = str(message)
    if len(text) > LONGEST_LINE:  # What is to be done stands at the end.
        text = f"{text[: LONGEST_LINE // 2]} … {text[-LONGEST_LINE // 2 :]}"
    print(f"hisabu: {text}", file=sys.stderr)
    return BAD_INPUT


def add_language(parser: argparse.ArgumentParser, default: object = None) -> None:
    """Adds --lang; language_of says which it is."""
    parser.add_argument("--lang", choices=words.LANGUAGES, default=default, help="lang")


def language_of(args: argparse.Namespace) -> str:
    """The language asked for, else that of the settings, else the machine's."""
    if getattr(args, "lang", None) is not None:
        return str(args.lang)
    path = settings_path(getattr(args, "settings", None))
    if path.exists():
        try:
            return load(path).language
        except SettingsError as error:
            return error.language
        except OSError:
            pass
    return words.system_language()


def add_house(parser: argparse.ArgumentParser) -> None:
    """Adds --preset and --set."""
    parser.add_argument("--preset", metavar="PRESET", help="preset")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", dest="house", help="house")


def house_options(args: argparse.Namespace) -> dict[str, object]:
    """The options given with --preset and --set. OptionError if one has no value."""
    given: dict[str, object] = {}
    if args.preset is not None:
        given["preset"] = args.preset
    for rule in args.house:
        name, equals, value = rule.partition("=")
        if not equals:
            raise OptionError("no_equals", what=rule)
        given[name.strip()] = value.strip()
    return given
