"""The commands `hisabu moves` and `hisabu perft`: the rules of mraha wa tso and of awalé, driven without a camera."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from device import words
from device.commands.console import add_house, add_language, complain, house_options, language_of, working
from device.commands.parsing import Help, Slip
from device.keeping.files import read_plain
from device.words import in_words
from engine.errors import GameError
from engine.games import GAMES, game_kind
from engine.options import OptionError
from engine.referee.board_judge import BoardJudge
from engine.referee.seed_game import PLAYERS, SeedGame
from engine.rules import awale, mraha
from engine.rules.written import PositionError

MOST_BYTES = 64_000_000
"""Of positions that are read at once: a hundred thousand of them."""
MOST_DEPTH = 100
"""Of turns; nobody waits for a tenth of it."""
BOARDS = [name for name, kind in GAMES.items() if kind.grid]


class _InputError(GameError):
    """Input that cannot be used; the message names the line."""


class _Asked(NamedTuple):
    """A position that was asked about."""

    id: object
    position: Any


class _Written(NamedTuple):
    """How the positions of a game are written."""

    read: Callable[[Mapping[str, Any]], Any]
    write: Callable[[Any], dict[str, Any]]
    phase: Callable[[Any], int | None]
    """Of a position, where its game has phases."""
    rows: Callable[[Any, str], Iterable[str]]
    """It as a board for people, in a language."""


def add_parsers(subparsers: Any) -> None:
    """Adds both commands to the console script's parser."""
    moves = subparsers.add_parser(
        "moves",
        help="moves",
        description="moves_about",
    )
    moves.add_argument(
        "given",
        nargs="*",
        metavar="[GAME] [FILE]",
        help=Help("given", allowed=BOARDS),
    )
    add_language(moves)
    moves.set_defaults(run=run_moves)
    count = subparsers.add_parser("perft", help="perft", description="perft_about")
    count.add_argument("depth", type=_depth, metavar="DEPTH", help="depth")
    count.add_argument("game", nargs="?", default="mraha", choices=BOARDS, metavar="GAME", help=", ".join(BOARDS))
    count.set_defaults(run=run_perft)
    for parser in (moves, count):
        add_house(parser)
        parser.add_argument("--json", action="store_true", help="json_text")


def run_moves(args: argparse.Namespace) -> int:
    """`hisabu moves`: positions in, legal turns out."""
    language = language_of(args)
    try:
        name, file = _game_and_file(args.given)
        game, written = _game(name, args), WRITTEN[name]
        asked = list(_read(file, written, language))
    except (_InputError, OptionError) as error:
        return complain(in_words(error, language))
    for task in asked:
        turns = game.legal(task.position)
        if args.json:
            moves = {key: written.write(turn.after) for key, turn in turns.items()}
            print(json.dumps({"id": task.id, "moves": moves}, ensure_ascii=False))
        else:
            print("\n".join(_table(task, turns, written, language)))
    return 0


def run_perft(args: argparse.Namespace) -> int:
    """`hisabu perft`: how many sequences of turns there are."""
    try:
        game = _game(args.game, args)
    except OptionError as error:
        return complain(in_words(error, language_of(args)))
    with working(f"perft {args.depth}"):
        turns = _perft(game, game.opening, args.depth)
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
        raise Slip("no_depth", value=text)
    if len(text) > len(str(MOST_DEPTH)) or int(text) > MOST_DEPTH:
        raise Slip("too_deep", most=MOST_DEPTH)
    return int(text)


def _game_and_file(given: list[str]) -> tuple[str, str]:
    """Which game, and where its positions are; a file that is called like a game is written ./mraha."""
    name, *files = given if given and given[0] in BOARDS else ["mraha", *given]
    if len(files) > 1:
        raise _InputError("no_board_game", what=files[0], allowed=BOARDS)
    return name, files[0] if files else "-"


def _game(name: str, args: argparse.Namespace) -> SeedGame[Any]:
    """A game with the options of the house. Raises OptionError."""
    kind = game_kind(name)
    judge, _ = kind.judge(kind.players, house_options(args))
    assert isinstance(judge, BoardJudge)
    return judge.game


def _read(file: str, written: _Written, language: str) -> Iterator[_Asked]:
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1) if file == "-" else read_plain(Path(file), MOST_BYTES)
    except OSError as error:
        raise _InputError("at_file", path=file, error=words.what_helps(error, language)) from None
    if len(data) > MOST_BYTES:
        raise _InputError("too_much_input", most=MOST_BYTES // 1_000_000)
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            what = line[:60].decode(errors="replace")
            raise _InputError("in_line", number=number, error=GameError("no_object", what=what)) from None
        if not isinstance(raw, dict):
            raise _InputError(
                "in_line",
                number=number,
                error=GameError("no_object_but", what=json.dumps(raw, ensure_ascii=False)[:60]),
            )
        try:
            yield _Asked(raw.get("id", number), written.read(raw))
        except PositionError as error:
            raise _InputError("in_line", number=number, error=error) from None


def _table(task: _Asked, turns: Mapping[str, Any], written: _Written, language: str) -> Iterator[str]:
    said = partial(words.say, language)
    names = _names(language)
    phase = written.phase(task.position)
    more = "" if phase is None else said("positions-phase", phase=phase)
    yield said("positions-to_move", id=task.id, player=names[task.position.to_move]) + more
    yield from written.rows(task.position, language)
    if not turns:
        yield f"  {said('positions-no_turn')}"
    for key, turn in turns.items():
        took = said("positions-captures", captured=turn.captured) if turn.captured else ""
        yield f"  {key}{took}{_end(turn.after, language)}"
        yield from written.rows(turn.after, language)
    yield ""


def _names(language: str) -> tuple[str, ...]:
    """Of both players."""
    return tuple(words.say(language, f"table-{name}") for name in PLAYERS)


def _end(position: Any, language: str) -> str:
    if not position.over:
        return ""
    said = partial(words.say, language)
    winner = position.winner
    if winner is None:
        return said("positions-nobody_wins")
    return said("positions-wins", player=_names(language)[winner])


def _mraha_rows(position: mraha.MrahaPosition, language: str) -> Iterator[str]:
    said = partial(words.say, language)
    written = mraha.position_to_dict(position._replace(winner=None))
    wide = max(len(said("positions-front")), len(said("positions-back")))
    for player, row in (("north", "back"), ("north", "front"), ("south", "front"), ("south", "back")):
        counts = " ".join(f"{count:2}" for count in written[player][row])
        hand = f"   {said('positions-in_hand', seeds=written[player]['reserve'])}" if row == "back" else ""
        yield f"    {said(f'table-{player}'):5} {said(f'positions-{row}'):{wide}} {counts}{hand}"


def _awale_rows(position: awale.AwalePosition, language: str) -> Iterator[str]:
    said, names = partial(words.say, language), _names(language)
    for player, row in zip((1, 0), awale.board_rows(position.sides), strict=True):
        counts = " ".join(f"{count:2}" for count in row)
        yield f"    {names[player]:5} {counts}   {said('positions-taken', seeds=position.captured[player])}"


WRITTEN = {
    "mraha": _Written(
        mraha.position_from_dict, mraha.position_to_dict, lambda position: 1 if position.in_phase_1 else 2, _mraha_rows
    ),
    "awale": _Written(awale.position_from_dict, awale.position_to_dict, lambda position: None, _awale_rows),
}
"""How the positions of each game on a board are written."""
