"""The matches that are kept: listed, played again, written out, counted up. In a process of its own, which is niced and
goes when nobody asks: judging a whole evening again must cost the table that is followed nothing.

Requests come as lines of JSON on standard input, answers go out the same way.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device import words
from device.following import kept_moments
from device.following.facts import facts_of
from device.following.show import Show
from device.keeping.journal import Kept, Recovered, delete, kept, recover_file
from device.keeping.names import read_names
from device.keeping.players import counts_of, standings
from device.outputs.page.evening import remembered
from device.outputs.page.state import state_of
from engine.events import Deal, EventError, Pillage, Play
from engine.games import GAMES
from engine.journal import JournalError
from engine.match import Match
from engine.notices import Notice
from engine.referee.card_game import CardJudge
from engine.strict_json import DEEPEST, read_object, write_json

log = logging.getLogger(__name__)
MAY_LOOK = ("list", "open", "moment", "statistics", "remembered")
"""What is looking; to take a match along or to delete it takes a paired phone."""
NICENESS = 15
IDLE_S = 60.0
ANSWER_S = 30.0
LOOK_S = 5.0
"""So long matches are looked at for one answer. The next answer goes on from there: a process that is ended at ANSWER_S
would begin from nothing, and with many matches never come to an end."""
JUDGE_S, AGAIN_S = 15.0, 1.0
"""So long one match may be judged: with LOOK_S, and the time to start, less than ANSWER_S, so that a longer one ends no
process. Where Python swallows the alarm, it comes again so much later."""
OF_ALL = ("list", "delete", "statistics")
"""What is asked of all matches; anything else is asked of one."""
LINE_BYTES = 8_000_000
HELD = 2
"""Matches that are held open, each with every moment of it."""


class ArchiveError(ValueError):
    """What was asked for is not there, or cannot be done. The message is a code of the page's words."""


# -- in the process of its own ---------------------------------------------------------------------------------------


class _TooLong(BaseException):
    """The time for one match is over. No `except Exception` may take it for a fault of the match."""


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    """ArchiveError: one match takes longer than JUDGE_S."""

    def end(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, JUDGE_S, AGAIN_S)
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _TooLong:
        raise ArchiveError("too_long") from None
    finally:
        signal.signal(signal.SIGALRM, before)


@dataclass
class _Opened:
    """A match, and what there was to show after each of its events."""

    found: Recovered
    moments: list[dict[str, Any]]

    @property
    def deals(self) -> list[int]:
        """After which of its events a deal begins."""
        numbers = enumerate(self.found.entries, 1)
        return [
            number for number, entry in numbers if entry.event.get("event") == "deal" and number < len(self.moments)
        ]


@dataclass
class Shelf:
    """The matches of one folder."""

    folder: Path
    _summaries: dict[Hashable, dict[str, Any]] = field(default_factory=dict)
    _opened: dict[Hashable, _Opened] = field(default_factory=dict)

    def answer(self, what: str, facts: Mapping[str, Any]) -> Any:
        """What was asked for. ArchiveError: it cannot be."""
        with contextlib.nullcontext() if what in OF_ALL else _in_time():
            return self._answered(what, facts)

    def _answered(self, what: str, facts: Mapping[str, Any]) -> Any:
        match what:
            case "list":
                return self._begun()
            case "open":
                opened = self._open(facts)
                deals = opened.deals
                at = deals[-1] if deals else 0
                return {"moments": len(opened.moments), "deals": deals, "at": at, "first": opened.moments[at]}
            case "moment":
                moments = self._open(facts).moments
                return moments[max(0, min(int(facts["at"]), len(moments) - 1))]
            case "remembered":
                return {**remembered(self._recovered(self._kept(facts)).match), "day": self._day(facts)}
            case "pictures":
                return kept_moments.read(self._kept(facts).path, int(facts["at"]))
            case "lines":
                return self._recovered(self._kept(facts)).text.decode()
            case "text":
                return "\n".join(told(self._recovered(self._kept(facts)), str(facts["language"]), self._day(facts)))
            case "delete":
                one = self._kept(facts)
                if one.open:
                    raise ArchiveError("goes_on")
                delete(one.path)
                return self._begun()
            case "statistics":
                return self._statistics()
        raise ArchiveError("unknown")

    def _kept(self, facts: Mapping[str, Any]) -> Kept:
        number = int(facts["number"])
        found = [match for match in kept(self.folder) if match.number == number]
        if not found:
            raise ArchiveError("no_match")
        return found[-1]

    def _day(self, facts: Mapping[str, Any]) -> str:
        return "-".join(self._kept(facts).path.name.split("-")[2:5])

    def _recovered(self, match: Kept) -> Recovered:
        try:
            found = recover_file(match.path)
        except (OSError, JournalError):
            found = None
        if found is None:
            raise ArchiveError("unreadable")
        return found

    def _open(self, facts: Mapping[str, Any]) -> _Opened:
        match, language = self._kept(facts), str(facts["language"])
        key = (match.path.name, match.path.stat().st_size, read_names(match.path), language)
        if key not in self._opened:
            found = self._recovered(match)
            while len(self._opened) >= HELD:
                del self._opened[next(iter(self._opened))]
            self._opened[key] = _Opened(found, list(_moments(found, language)))
        return self._opened[key]

    def _summary(self, match: Kept, known_only: bool) -> dict[str, Any] | None:
        """What a list says of a match, and what statistics count of it. None: it was not looked at before."""
        out: dict[str, Any] = {
            "number": match.number, "day": "-".join(match.path.name.split("-")[2:5]), "open": match.open,
        }  # fmt: skip
        try:
            key = _key(match)
        except OSError:  # It went meanwhile, or its disk cannot be read.
            return {**out, "unreadable": True}
        if key not in self._summaries:
            if known_only:
                return None
            try:
                with _in_time():
                    self._summaries[key] = {**out, **_told_of(self._recovered(match))}
            except Exception as error:  # Whatever is odd about one match: the others are told of.
                if not isinstance(error, ArchiveError):
                    log.exception("%s cannot be told of", match.path)
                self._summaries[key] = {**out, "unreadable": True, "too_long": str(error) == "too_long"}
        return self._summaries[key]

    def _looked_at(self, matches: Iterable[Kept]) -> Iterator[dict[str, Any] | None]:
        """Their summaries. None: not looked at yet, since the time for looking is over."""
        began_s = time.monotonic()
        for match in matches:
            yield self._summary(match, known_only=time.monotonic() - began_s > LOOK_S)

    def _begun(self) -> dict[str, Any]:
        """The matches in which anything was played, or of which nobody can tell, the newest first. Of many matches the
        first answer may have the newest alone; the next ones have more, until all are there. more: how many are not
        looked at yet."""
        looked_at = list(self._looked_at(reversed(kept(self.folder))))
        summaries = [summary for summary in looked_at if summary is not None]
        begun = [summary for summary in summaries if summary.get("events") != 0 or summary["damaged"]]
        return {
            "matches": [{name: value for name, value in summary.items() if name != "counts"} for summary in begun],
            "more": len(looked_at) - len(summaries),
        }

    def _statistics(self) -> dict[str, Any]:
        """Per player and pair, match by match, added up. ArchiveError: not all matches are looked at yet."""
        matches: list[dict[str, Any]] = []
        for summary in self._looked_at(kept(self.folder)):
            if summary is None:
                raise ArchiveError("busy")
            if "counts" in summary:
                matches.append(summary)
        lines = [standing.to_dict() for standing in standings([summary["counts"] for summary in matches])]
        return {"matches": [summary["number"] for summary in matches], "lines": lines}


def _told_of(found: Recovered) -> dict[str, Any]:
    """What a list says of a match that can be read, and what statistics count of it."""
    header, view = found.match.header, found.match.view
    return {
        "game": header.game, "players": header.players, "seats": words.given_names(header.seats),
        "events": len(found.entries), "games": view.games and list(view.games), "winner": view.winner,
        "captured": dict(view.captured) if view.captured else None,
        "damaged": found.damaged is not None, "counts": counts_of(found.match),
    }  # fmt: skip


def _key(match: Kept) -> Hashable:
    """Changes with a match, and with the names beside it."""
    about = match.path.stat()
    return match.path.name, about.st_size, about.st_mtime_ns, read_names(match.path)


def _moments(found: Recovered, language: str) -> Iterator[dict[str, Any]]:
    """What a table would have shown before the first event and after each."""
    header = found.match.header
    match = Match.of(header)
    yield _state(match, (), language)
    for entry in found.entries:
        try:
            notices = match.add(entry.event)
        except EventError:
            return
        yield {**_state(match, notices, language), "time": entry.event.get("time"), "by": entry.event.get("by")}


def _state(match: Match, notices: Sequence[Notice], language: str) -> dict[str, Any]:
    view, told = match.view, tuple(notice.to_dict() for notice in notices)
    said = tuple(words.sentence_of(notice, language, match) for notice in told)
    alert = None if view.alert is None else words.sentence_of(view.alert.to_dict(), language, match)
    show = Show(view.to_dict(), language, tuple(match.header.seats), said, told, alert=alert, extra=facts_of(match))
    return state_of(show)


def told(found: Recovered, language: str, day: str) -> Iterator[str]:
    """A match as text that people and programs read, in the manner of chess's PGN: tags, then what was played."""
    match = found.match
    header, view = match.header, match.view
    result = "*" if view.winner is None else "-".join(map(str, view.games)) if view.games else "01"[view.winner]
    tags = {"Game": header.game, "Date": day.replace("-", "."), "Players": str(header.players), "Result": result}
    tags |= {f"Seat{seat + 1}": words.name_at(header.seats, seat) or "?" for seat in range(len(header.seats))}
    tags |= {f"Option.{name}": str(value) for name, value in header.options.items()}
    for name, value in tags.items():
        text = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{text}"]'
    yield ""
    yield from _cards_told(match) if isinstance(match.judge, CardJudge) else _turns_told(match)
    yield ""


def _cards_told(match: Match) -> Iterator[str]:
    deal = 0
    cards: list[str] = []
    for told in match.told:
        event = told.event
        if isinstance(event, Deal):
            deal += 1
            dealer = "" if event.dealer is None else f" dealer {event.dealer + 1}"
            yield f"; deal {deal}: {event.turn_up}{dealer}"
            cards = []
        elif isinstance(event, Play):
            cards.append(event.card or "?")
        elif isinstance(event, Pillage):
            yield f"; pillage {event.card}" + (f" pays {event.paid}" if event.paid else "")
        for notice in told.notices:
            yield from _notice_told(notice, cards, match)
            if notice.code == "trick":
                cards = []
    if cards:
        yield " ".join(cards)


def _notice_told(notice: Notice, cards: Sequence[str], match: Match) -> Iterator[str]:
    """A line about a trick, a score or a fault. cards: those of the trick."""
    facts = notice.facts
    if notice.code == "trick":
        winner = "?" if facts["seat"] is None else facts["seat"] + 1
        worth = f" +{facts['points']}" if "points" in facts else ""
        yield f"{facts['trick']}. {' '.join(cards)} {{{winner}{worth}}}"
    elif notice.code == "deal_scored":
        brought = "points" if GAMES[match.header.game].by_points else "games"
        yield f"; {brought} {'-'.join(map(str, facts['games']))}, match {'-'.join(map(str, facts['match']))}"
    elif notice.code == "illegal":
        yield f"; illegal: {facts['rule']}"


def _turns_told(match: Match) -> Iterator[str]:
    line: list[str] = []
    number = 0
    for notice in match.notices:
        facts = notice.facts
        if notice.code == "move":
            number += 1
            captured = f"x{facts['captured']}" if facts.get("captured") else ""
            line.append(f"{(number + 1) // 2}{'.' if number % 2 else '...'} {facts['key']}{captured}")
        elif notice.code == "illegal":
            line.append(f"{{illegal: {facts['rule']}}}")
        if len(line) == 8:
            yield " ".join(line)
            line = []
    if line:
        yield " ".join(line)


def main() -> None:
    """Answers until standard input ends."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    shelves: dict[str, Shelf] = {}
    for line in sys.stdin:
        try:
            raw = read_object(line)
            shelf = shelves.setdefault(raw["folder"], Shelf(Path(raw["folder"])))
            told = write_json({"value": shelf.answer(raw["what"], raw["facts"])})
        except ArchiveError as error:
            told = write_json({"refused": str(error)})
        except Exception as error:  # Whatever was asked for or lies on the disk: what others ask is answered.
            if not isinstance(error, OSError | ValueError | KeyError | TypeError):
                log.exception("a match that is kept could not be told of")
            told = write_json({"refused": "cannot_be", "why": str(error).encode(errors="replace").decode()})
        print(told, flush=True)


# -- in the server -----------------------------------------------------------------------------------------------------


class Archive:
    """Asks that process, and starts and ends it."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, folder: Path, what: str, facts: Mapping[str, Any]) -> Any:
        """An answer. ArchiveError, OSError, TimeoutError: there is none."""
        async with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            try:
                async with asyncio.timeout(ANSWER_S):
                    answer = await self._asked({"folder": str(folder), "what": what, "facts": facts})
            except BaseException:
                await self.close()
                raise
            running = asyncio.get_running_loop()
            self._idle = running.call_later(IDLE_S, lambda: running.create_task(self._close_idle()))
        if "refused" in answer:
            raise ArchiveError(answer["refused"])
        return answer["value"]

    async def _asked(self, request: Mapping[str, Any]) -> Any:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES,
            )  # fmt: skip
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(write_json(request).encode() + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise OSError("the process that reads matches ended")
        return read_object(line, LINE_BYTES, DEEPEST)

    async def _close_idle(self) -> None:
        async with self._lock:
            await self.close()

    async def close(self) -> None:
        """Ends it; it begins again when something is asked."""
        process, self._process = self._process, None
        if self._idle is not None:
            self._idle.cancel()
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


if __name__ == "__main__":
    main()
