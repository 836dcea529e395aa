"""A tournament as it is shown, printed and taken along: JSON for the page and for programs, CSV for tables."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from device.hall.tournament.held import Change, Held, Sitting, finished, rounds_planned
from device.hall.tournament.standings import TIE_BREAKS, standings
from device.keeping.settings import LONGEST_NAME
from engine.games import GAMES
from engine.match import Match
from engine.options import OptionError

MOST_TOLD = 200
"""Changes that the page is sent; the file that is taken along has all."""
FILES = ("standings.csv", "rounds.csv", "entries.csv", "tournament.json")
Names = Mapping[int, str]
Player = TypeVar("Player", str, int)


def name_of(person: str, names: Names) -> str:
    """Of a player; a sign for one who was forgotten."""
    return names.get(int(person), "–")


def shown(held: Held, changes: Sequence[Change], names: Names) -> dict[str, Any]:
    """Everything that the page draws."""
    called = {entrant.id: [name_of(player, names) for player in entrant.players] for entrant in held.entrants}
    table = _side_of_seats(held)
    return {
        "title": held.title, "form": held.form, "side": held.side, "game": held.game, "named_each": held.named_each,
        "planned": rounds_planned(held), "over": held.over, "open": held.open, "finished": finished(held),
        "breaks": list(TIE_BREAKS[held.form]),
        "entrants": [
            {"id": entrant.id, "names": called[entrant.id], "people": [int(player) for player in entrant.players],
             "rating": entrant.rating, "club": entrant.club, "gone": entrant.id in held.gone, "joined": entrant.joined}
            for entrant in held.entrants
        ],
        "spots": [{"number": spot.number, "device": spot.device, "broken": spot.broken} for spot in held.spots],
        "free": [spot.number for spot in held.free],
        "rounds": [
            {"meetings": [_meeting(sitting, called, table) for sitting in now.sittings],
             "byes": [" & ".join(called[bye]) for bye in now.byes]}
            for now in held.rounds
        ],
        "standings": [
            {"rank": standing.rank, "id": standing.id, "name": " & ".join(called[standing.id]),
             "points": standing.points, "played": standing.played, "won": standing.won, "games": list(standing.games),
             "breaks": list(standing.breaks), "gone": standing.id in held.gone}
            for standing in standings(held.past, held.form, held.seed)
        ],
        "changes": [_told(change, held, called, names) for change in changes[: -MOST_TOLD - 1 : -1]],
        "older": max(0, len(changes) - MOST_TOLD),
    }  # fmt: skip


def _meeting(sitting: Sitting, called: Mapping[str, list[str]], table: Sequence[int]) -> dict[str, Any]:
    sides = [[player for id_ in ids for player in called[id_]] for ids in sitting.meeting.sides]
    result = sitting.meeting.result
    return {
        "table": sitting.meeting.table, "device": sitting.device, "sides": sides,
        "seats": seated_at(sides, table), "long": [name for side in sides for name in side if len(name) > LONGEST_NAME],
        "bracket": sitting.meeting.bracket, "off": sitting.off, "by": sitting.told_by,
        "from_table": bool(sitting.match), "alone": sitting.since is not None,
        "games": None if result is None else list(result.games), "walkover": bool(result and result.walkover),
    }  # fmt: skip


def people_now(held: Held, device: str) -> list[int]:
    """Who sits at a table of a tournament now, seat by seat: the people of the last meeting there without a result."""
    if held.over:
        return []
    players = {entrant.id: [int(player) for player in entrant.players] for entrant in held.entrants}
    for _, _, sitting in reversed([*held.sittings]):
        if sitting.device == device and not sitting.off and sitting.meeting.result is None:
            sides = [[player for id_ in ids for player in players[id_]] for ids in sitting.meeting.sides]
            return seated_at(sides, _side_of_seats(held))
    return []


def seated_at(sides: Sequence[Sequence[Player]], table: Sequence[int]) -> list[Player]:
    """Who sits at seat 1, 2, …: each side at its seats, in the order of its names."""
    left = [list(names) for names in sides]
    if sorted(table) != sorted(side for side, names in enumerate(sides) for _ in names):
        table = [side for pair in zip(*([0] * len(left[0]), [1] * len(left[1])), strict=False) for side in pair]
    return [left[side].pop(0) for side in table]


def _side_of_seats(held: Held) -> Sequence[int]:
    """The side of each seat in the tournament's game; by turns where that is not said."""
    plain = [0, 1] * held.side
    if held.game in GAMES and GAMES[held.game].grid is None:
        try:
            sides = Match(held.game, 2 * held.side).view.sides
        except OptionError:
            return plain
        return sides if sides is not None and set(sides) == {0, 1} else plain
    return plain


def _told(change: Change, held: Held, called: Mapping[str, list[str]], names: Names) -> dict[str, Any]:
    what = change.what
    told: dict[str, Any] = {"at": change.at, "who": change.who, "why": change.why, "do": what["do"]}
    if "entrants" in what:
        told["name"] = ", ".join(
            " & ".join(name_of(str(player), names) for player in e["players"]) for e in what["entrants"]
        )
    if "entrant" in what:
        told["name"] = " & ".join(called.get(str(what["entrant"]), ["–"]))
    if what.get("round") is not None:
        told["round"] = int(what["round"]) + 1
        place = (int(what["round"]), int(what["at"]))
        if place[0] < len(held.rounds) and place[1] < len(held.rounds[place[0]].sittings):
            sides = held.rounds[place[0]].sittings[place[1]].meeting.sides
            told["name"] = " – ".join(" & ".join(name for id_ in ids for name in called[id_]) for ids in sides)
    told |= {name: what[name] for name in ("games", "walkover", "table", "title", "planned") if name in what}
    return told


# -- to take along -----------------------------------------------------------------------------------------------------


def csv_of(held: Held, names: Names, what: str) -> str:
    """One of FILES that is a table, with a line of headings."""
    called = {entrant.id: [name_of(player, names) for player in entrant.players] for entrant in held.entrants}
    if what == "entries.csv":
        heads = [f"name {number}" for number in range(1, held.named_each + 1)]
        rows: Iterable[Sequence[Any]] = (
            [*called[entrant.id], entrant.rating or "", entrant.club] for entrant in held.entrants
        )
        return _written([[*heads, "rating", "club"], *rows])
    if what == "standings.csv":
        breaks = TIE_BREAKS[held.form]
        lines = standings(held.past, held.form, held.seed)
        rows = (
            [
                standing.rank,
                " & ".join(called[standing.id]),
                _number(standing.points),
                standing.played,
                standing.won,
                *standing.games,
                *map(_number, standing.breaks),
            ]
            for standing in lines
        )
        return _written([["rank", "name", "points", "played", "won", "games won", "games lost", *breaks], *rows])
    heads = ["round", "table", "first", "second", "games first", "games second", "walkover", "told by", "bracket"]
    return _written([heads, *_round_rows(held, called)])


def _round_rows(held: Held, called: Mapping[str, list[str]]) -> Iterable[Sequence[Any]]:
    for number, now in enumerate(held.rounds, 1):
        for sitting in now.sittings:
            if sitting.off:
                continue
            sides = [" & ".join(name for id_ in ids for name in called[id_]) for ids in sitting.meeting.sides]
            result = sitting.meeting.result
            games = ["", ""] if result is None else list(result.games)
            walkover = "yes" if result and result.walkover else ""
            yield [
                number,
                sitting.meeting.table or "",
                *sides,
                *games,
                walkover,
                sitting.told_by,
                sitting.meeting.bracket,
            ]
        for bye in now.byes:
            yield [number, "", " & ".join(called[bye]), "", "", "", "", "", "bye"]


def _number(value: float) -> str:
    return f"{value:g}"


def _written(rows: Iterable[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """A cell that no table program takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple("=+-@\t\r")) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
