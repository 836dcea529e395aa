"""The commands that begin from a log of events: referee, replay, and bench."""

import argparse
import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from device import words
from device.commands.console import add_house, add_language, complain, house_options, language_of
from device.keeping.files import NotPlain, read_plain
from device.keeping.journal import MOST_BYTES
from device.keeping.names import read_names
from device.words import in_words
from engine.errors import GameError
from engine.events import EventError
from engine.games import GAMES
from engine.journal import (
    LONGEST_LINE,
    JournalError,
    add_entry,
    event_line,
    header_line,
    not_json,
    read_journal,
)
from engine.match import Match
from engine.notices import Notice
from engine.options import OptionError
from engine.strict_json import BadJson, read_json

GAME_NAMES = tuple(GAMES)


def add_parsers(commands: Any) -> None:
    """Adds these commands to the command line."""
    referee = commands.add_parser("referee", help="referee")
    referee.add_argument("game", choices=GAME_NAMES, metavar="GAME", help=", ".join(GAME_NAMES))
    referee.add_argument("file", nargs="?", metavar="FILE", help="events")
    referee.add_argument("--players", type=int, metavar="N", help="run_players")
    add_house(referee)
    referee.add_argument("--journal", metavar="OUT", type=Path, help="journal")
    _add_output(referee)
    referee.set_defaults(run=run_referee)

    replay = commands.add_parser("replay", help="replay")
    replay.add_argument("journal", metavar="JOURNAL|FOLDER", type=Path, help="replay_from")
    replay.add_argument("--to", metavar="NUMBER", type=int, help="to")
    replay.add_argument("--why", action="store_true", help="why")
    _add_output(replay)
    replay.set_defaults(run=run_replay)

    bench = commands.add_parser("bench", help="bench")
    bench.add_argument("parts", nargs="*", metavar="PART", help="bench_parts")
    bench.add_argument("--quick", action="store_true", help="quick")
    bench.add_argument("--stages", action="store_true", help="bench_stages")
    add_language(bench)
    bench.set_defaults(run=run_bench)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="json_sentences")
    add_language(parser)


class _Printer:
    """Prints what a match says, as sentences or as JSON Lines."""

    def __init__(self, as_json: bool, language: str) -> None:
        self.as_json = as_json
        self.language = language

    def show(self, number: int, notices: Iterable[Notice], match: Match) -> None:
        if not self.as_json:
            for notice in notices:
                print(f"{number:4}  {words.sentence_of(notice.to_dict(), self.language, match)}")
        else:
            for notice in notices:
                print(json.dumps(notice.to_dict(), ensure_ascii=False))
            print(json.dumps({"view": match.view.to_dict()}, ensure_ascii=False))
        sys.stdout.flush()


@contextmanager
def _lines(name: str | None) -> Iterator[Iterable[str]]:
    """The lines of a file, or of standard input."""
    if name is None or name == "-":
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")  # type: ignore[union-attr]
        assert sys.stdin is not None
        yield _cut(sys.stdin)
    else:
        if not Path(name).is_file() and Path(name).exists() and not Path(name).is_dir():
            raise NotPlain(Path(name))
        with Path(name).open(encoding="utf-8-sig", errors="replace") as file:
            yield _cut(file)


def _cut(file: IO[str]) -> Iterator[str]:
    """Its lines; of one without an end no more than is judged anyway."""
    while line := file.readline(LONGEST_LINE):
        yield line


def run_referee(args: argparse.Namespace) -> int:
    """Judges events as they come."""
    language = language_of(args)
    try:
        match = Match(args.game, args.players, house_options(args))
    except OptionError as error:
        return complain(in_words(error, language))
    printer = _Printer(args.json, language)
    by_hand = args.file in (None, "-") and sys.stdin is not None and sys.stdin.isatty()
    try:
        with _lines(args.file) as lines, _journal(args.journal, match) as write:
            for line_number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    notices = match.add(_event(line))
                except GameError as error:
                    status = complain(words.say(language, "mistake-in_line", number=line_number, error=error))
                    if by_hand:
                        continue  # A slip of the finger: what was typed before still stands.
                    return status
                write(event_line(len(match.log), match.log[-1]))
                printer.show(len(match.log), notices, match)
    except FileNotFoundError as error:
        return complain(f"{error.filename}: {words.what_helps(error, language)}")
    return 0


def _event(line: str) -> Mapping[str, Any]:
    try:
        raw = read_json(line, LONGEST_LINE)
    except BadJson as error:
        raise not_json(error) from None
    if not isinstance(raw, dict):
        raise EventError("not_an_event")
    return raw


@contextmanager
def _journal(path: Path | None, match: Match) -> Iterator[Any]:
    """Something that writes journal lines, or does nothing where no journal was asked for."""
    if path is None:
        yield lambda line: None
        return
    if path.exists():
        raise FileExistsError(errno.EEXIST, "there is a file of that name already; name another", str(path))
    with path.open("x", encoding="utf-8") as file:

        def write(line: str, out: IO[str] = file) -> None:
            out.write(line + "\n")
            out.flush()
            os.fsync(out.fileno())

        write(header_line(match.header))
        yield write


def run_replay(args: argparse.Namespace) -> int:
    """Plays a journal again."""
    said = partial(words.say, language_of(args))
    if args.to is not None and args.to < 0:
        return complain(said("replay-number_from", number=args.to))
    if args.journal.is_dir():
        from device.commands.replay import replay_recording

        if args.to is not None:
            return complain(said("replay-to_for_journals"))
        printer = _Printer(args.json, language_of(args))
        return replay_recording(args.journal, args.json, language_of(args), printer.show, args.why)
    if args.why:
        return complain(said("replay-why_for_recordings"))
    try:
        journal = read_journal(read_plain(args.journal, MOST_BYTES).decode(errors="replace"))
        match = journal.open_match(read_names(args.journal))
        printer = _Printer(args.json, language_of(args))
        for number, entry in enumerate(journal.entries[: args.to], 1):
            printer.show(number, add_entry(match, entry), match)
    except JournalError as error:
        return complain(f"{args.journal}: {in_words(error, language_of(args))}")
    except FileNotFoundError as error:
        return complain(f"{args.journal}: {words.what_helps(error, language_of(args))}")
    if journal.torn is not None:
        print(f"hisabu: {said('replay-torn', file=args.journal)}", file=sys.stderr)
    if not args.json:
        print(words.score_line(match.view.to_dict(), language_of(args)))
    return 0


def run_bench(args: argparse.Namespace) -> int:
    """Measures and prints."""
    from device.commands import bench

    said = partial(words.say, language_of(args))
    if args.parts == ["pi"]:
        from device.commands import pi_bench

        figures = pi_bench.measure(args.quick)
        if not figures["is_pi"]:
            print(said("machine-no_pi"))
        columns = ",".join(pi_bench.COLUMNS)
        print(said("machine-pi_row"), columns, pi_bench.row(figures), said("machine-pi_send"), sep="\n")
        return 0
    if "pi" in args.parts:
        return complain(said("machine-pi_alone"))
    if unknown := [part for part in args.parts if part not in bench.PARTS]:
        return complain(said("machine-no_bench", part=unknown[0], parts=[*bench.PARTS, "pi"]))
    figures = bench.measure(args.parts, args.quick)
    if args.stages:
        from vision.cards import cards_bench

        figures["stages"] = cards_bench.stages(3 if args.quick else 20)
    print(json.dumps(figures, indent=1))
    return 0
