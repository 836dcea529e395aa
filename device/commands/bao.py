"""The commands `hisabu moves` and `hisabu perft`: the rules of mraha wa tso, driven without a camera."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from device.commands.console import add_house, complain, house_options, working
from device.keeping.files import read_plain
from engine.games import GAMES, game_kind
from engine.options import OptionError
from engine.referee.board_judge import BoardJudge
from engine.referee.seed_game import SeedGame
from engine.rules.mraha import (
    DEFAULT_PRESET,
    PLAYERS,
    Flags,
    Position,
    PositionError,
    Turn,
    flags_from,
    legal_turns,
    options_for,
    position_from_dict,
    position_to_dict,
)

MOST_BYTES = 64_000_000
"""Of positions that are read at once: a hundred thousand of them."""


class _InputError(ValueError):
    """Input that cannot be used; the message names the line."""


class _Asked(NamedTuple):
    """A position that was asked about."""

    id: object
    position: Position


def add_parsers(subparsers: Any) -> None:
    """Adds both commands to the console script's parser."""
    moves = subparsers.add_parser(
        "moves",
        help="every legal turn of bao positions",
        description="Reads positions, one JSON object a line, and shows every legal turn with the position it leads "
        "to. A line without an id is known by its number.",
    )
    moves.add_argument("file", nargs="?", default="-", metavar="FILE", help="positions; without it, standard input")
    moves.set_defaults(run=run_moves)
    count = subparsers.add_parser(
        "perft", help="number of turns from the start", description="Counts the sequences of DEPTH legal turns."
    )
    count.add_argument("depth", type=_depth, metavar="DEPTH", help="how many turns deep")
    boards = [name for name, kind in GAMES.items() if kind.grid]
    count.add_argument("game", nargs="?", default="mraha", choices=boards, metavar="GAME", help=", ".join(boards))
    count.set_defaults(run=run_perft)
    for parser in (moves, count):
        add_house(parser)
        parser.add_argument("--json", action="store_true", help="JSON Lines instead of text")


def run_moves(args: argparse.Namespace) -> int:
    """`hisabu moves`: positions in, legal turns out."""
    try:
        flags = _flags(args)
        asked = list(_read(args.file))
    except (_InputError, OptionError) as error:
        return complain(error)
    for one in asked:
        turns = legal_turns(one.position, flags)
        if args.json:
            moves = {key: position_to_dict(turn.after) for key, turn in turns.items()}
            print(json.dumps({"id": one.id, "moves": moves}, ensure_ascii=False))
        else:
            print("\n".join(_table(one, turns)))
    return 0


def run_perft(args: argparse.Namespace) -> int:
    """`hisabu perft`: how many sequences of turns there are."""
    try:
        kind = game_kind(args.game)
        judge, _ = kind.judge(kind.players, house_options(args))
    except OptionError as error:
        return complain(error)
    assert isinstance(judge, BoardJudge)
    with working(f"perft {args.depth}"):
        turns = _perft(judge.game, judge.game.opening, args.depth)
    print(json.dumps({"depth": args.depth, "turns": turns}) if args.json else turns)
    return 0


def _perft(game: SeedGame[Any], position: Any, depth: int) -> int:
    """How many sequences of so many turns there are."""
    if depth == 0:
        return 1
    legal = game.legal(position)
    return len(legal) if depth == 1 else sum(_perft(game, turn.after, depth - 1) for turn in legal.values())


def _depth(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a number of turns")
    return int(text)


def _flags(args: argparse.Namespace) -> Flags:
    given = house_options(args)
    return flags_from(options_for(str(given.pop("preset", DEFAULT_PRESET)), given))


def _read(file: str) -> Iterator[_Asked]:
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if file == "-" else read_plain(Path(file), MOST_BYTES)
    except OSError as error:
        raise _InputError(f"{file}: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise _InputError(f"standard input: more than {MOST_BYTES // 1_000_000} MB")
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            raise _InputError(f"line {number}: not a JSON object: {line[:60].decode(errors='replace')}") from None
        if not isinstance(raw, dict):
            raise _InputError(f"line {number}: not a JSON object but {str(raw)[:60]}")
        try:
            yield _Asked(raw.get("id", number), position_from_dict(raw))
        except PositionError as error:
            raise _InputError(f"line {number}: {error}") from None


def _table(one: _Asked, turns: dict[str, Turn]) -> Iterator[str]:
    position = one.position
    yield f"{one.id}: {PLAYERS[position.to_move]} to move, phase {1 if position.in_phase_1 else 2}"
    yield from _board(position)
    if not turns:
        yield "  no legal turn"
    for key, turn in turns.items():
        took = f", captures {turn.captured}" if turn.captured else ""
        won = f", {PLAYERS[turn.after.winner]} wins" if turn.after.winner is not None else ""
        yield f"  {key}{took}{won}"
        yield from _board(turn.after)
    yield ""


def _board(position: Position) -> Iterator[str]:
    written = position_to_dict(position._replace(winner=None))
    for player, row in (("north", "back"), ("north", "front"), ("south", "front"), ("south", "back")):
        counts = " ".join(f"{count:2}" for count in written[player][row])
        hand = f"   {written[player]['reserve']} in hand" if row == "back" else ""
        yield f"    {player:5} {row:5} {counts}{hand}"
