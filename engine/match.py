"""A match is its list of events. The log only ever grows; the match is its fold, and nothing else is the truth.

Undo takes back the last thing that still stands, a correction included; redo brings it back, as long as nothing else
followed. A question of the live table is nothing to take back: it goes with what it came after. A correction changes
how an earlier event reads; everything after it is judged again, and what has lost its meaning by that is set aside. One
state is kept for recent events and every sixteenth older one, so that neither grows dearer as a match goes on.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import Card
from engine.events import (
    MOST_EVENTS,
    Ask,
    Choose,
    Confirm,
    Correct,
    Event,
    EventError,
    GameEvent,
    OfTheTable,
    Play,
    Redo,
    Undo,
    event_to_dict,
    parse_event,
)
from engine.games import game_kind
from engine.notices import INFO, Notice
from engine.options import OptionValue
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.view import View

FORMAT = 1
"""Of the journal form."""
RECENT = 256
"""Newest entries that keep their state, so that undo costs nothing."""
KEEP_EVERY = 16
"""Of the older ones."""


@dataclass(frozen=True)
class Against:
    """The side that the device plays itself, at cards the seat, and how strong.

    >>> Match("awale", against=Against(side=1, level=3)).header.to_dict()["against"]
    {'side': 1, 'level': 3}
    """

    side: int
    level: int

    def to_dict(self) -> dict[str, int]:
        return {"side": self.side, "level": self.level}


@dataclass(frozen=True)
class HeadStart:
    """What a side has before play begins, so that a grandfather and a child play an even match: games or points at
    cards; at bao and awalé seeds that are the other's.

    >>> Match("sueca", head_start=HeadStart(side=1, by=2)).view.games
    (0, 2)
    """

    side: int
    by: int

    def to_dict(self) -> dict[str, int]:
        return {"side": self.side, "by": self.by}


@dataclass(frozen=True)
class Header:
    """What a match is played by.

    >>> Match("turufu", 2).header.to_dict()["players"]
    2
    """

    game: str
    players: int
    options: Mapping[str, OptionValue]
    seats: tuple[str, ...] = ()
    """Names of the players, if the table gave any."""
    against: Against | None = None
    """Where people play against the device."""
    head_start: HeadStart | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "hisabu": FORMAT,
            "game": self.game,
            "players": self.players,
            "options": dict(self.options),
            "seats": list(self.seats),
            **({"against": self.against.to_dict()} if self.against is not None else {}),
            **({"head_start": self.head_start.to_dict()} if self.head_start is not None else {}),
        }


@dataclass(frozen=True)
class StandingEvent:
    """An event that stands.

    >>> match = Match("turufu", 2)
    >>> said = match.add({"event": "deal", "turn_up": "3S"})
    >>> match.told[0].number, match.told[0].event.turn_up
    (1, '3S')
    """

    number: int
    event: GameEvent
    """As it reads now."""
    notices: tuple[Notice, ...]
    corrected: bool


@dataclass
class _Entry:
    """An event in effect: as it was logged, as it reads now, and what came of it."""

    number: int
    logged: GameEvent
    event: GameEvent
    state: Any
    notices: tuple[Notice, ...]
    answers: Notice | None = None
    """Of an answer: the question, as it was asked."""


@dataclass(frozen=True)
class _Change:
    """A thing that undo can take back: an event (target None), or a change to how event target reads."""

    target: int | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)


_ADDED = _Change()


class Match:
    """One match: add events, look at the view, write the log down.

    >>> match = Match("turufu", 2)
    >>> match.add({"event": "deal", "dealer": 1, "turn_up": "3S"})
    []
    >>> [notice.code for notice in match.add({"event": "play", "seat": 0, "card": "KH"})]
    []
    >>> match.view.turn
    1
    """

    def __init__(
        self,
        game: str,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
        seats: Sequence[str] = (),
        proves: bool = True,
        against: Against | None = None,
        head_start: HeadStart | None = None,
    ) -> None:
        """proves: revokes are proven as cards are played; else only when the judge is asked (CardJudge.verdict).
        against: the side that the device plays on a board, or its seat at cards. OptionError: this cannot be played."""
        kind = game_kind(game)
        count = kind.players if players is None else players
        self.judge, values = kind.judge(count, options or {})
        if not proves and isinstance(self.judge, CardJudge):
            self.judge = CardJudge(self.judge.game, proves=False)
        if head_start is not None:
            self.judge = self.judge.ahead(head_start.side, head_start.by)
        self.header = Header(game, count, values, tuple(seats), against, head_start)
        self.log: list[Event] = []
        self._entries: list[_Entry] = []
        self._stack: list[_Change] = []
        self._undone: list[tuple[_Change, _Entry | None]] = []
        """What undo took back, for redo, the last at the end."""
        self._viewed: tuple[Any, View] | None = None
        """The view that was asked for last, and the state it is of."""

    @classmethod
    def of(cls, header: Header, proves: bool = True) -> "Match":
        """A match by its header, before its first event. OptionError: it cannot be played."""
        return cls(header.game, header.players, header.options, header.seats, proves, header.against, header.head_start)

    # -- what there is to know ---------------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        """Everything there is to show now."""
        if self._viewed is None or self._viewed[0] is not self.state:
            self._viewed = self.state, self.judge.view(self.state)
        return self._viewed[1]

    @property
    def possible(self) -> frozenset[Card]:
        """The cards that may lie face up now, for eyes that must choose between close readings; none in mraha."""
        return self.judge.possible(self.state)

    @property
    def board(self) -> tuple[tuple[int, ...], ...] | None:
        """The seeds in each pit, rows as South sees them, while nothing about them is open; None for cards."""
        return self.judge.board(self.state)

    @property
    def to_think(self) -> Any:
        """The position that the device is to play from, or to think about; None: it is open, or there are cards."""
        return self.judge.to_think(self.state) if isinstance(self.judge, BoardJudge) else None

    @property
    def notices(self) -> list[Notice]:
        """Every notice that stands, in the order of the events it is about."""
        return [notice for entry in self._entries for notice in entry.notices]

    @property
    def told(self) -> list[StandingEvent]:
        """Every event that stands, as it reads now, and what was said of it."""
        corrected = {change.target for change in self._stack if change.target is not None}
        return [
            StandingEvent(entry.number, entry.event, entry.notices, entry.number in corrected)
            for entry in self._entries
            if not isinstance(entry.event, OfTheTable)
        ]

    @property
    def owed(self) -> tuple[GameEvent, ...]:
        """What the answer that was given last stands for and is not in the log yet."""
        since: list[Event] = []
        for event in reversed(self.log[-MOST_EVENTS - 1 :]):
            if isinstance(event, Choose):
                events = self._stands_for(event)
                return events[len(since) :] if events[: len(since)] == tuple(reversed(since)) else ()
            since.append(event)
        return ()

    @property
    def answer_hangs(self) -> bool:
        """Whether the last thing that stands is an answer, and what it stood for was taken back."""
        last = self._entries[-1].event if self._entries else None
        return isinstance(last, Choose) and bool(self._stands_for(last)) and not self.owed

    def _stands_for(self, answer: Choose) -> tuple[GameEvent, ...]:
        asked = self.log[answer.question - 1] if answer.question <= len(self.log) else None
        ways = asked.choices if isinstance(asked, Ask) else ()
        return next((way.events for way in ways if way.answer == answer.answer), ())

    @property
    def can_undo(self) -> bool:
        """Whether anything is left to take back."""
        return bool(self._stack)

    @property
    def can_redo(self) -> bool:
        """Whether anything was just taken back."""
        return bool(self._undone)

    @property
    def state(self) -> Any:
        return self._entries[-1].state if self._entries else self.judge.start()

    # -- what can happen ---------------------------------------------------------------------------------------------

    def add(self, event: Event | Mapping[str, Any]) -> list[Notice]:
        """Logs an event and judges it. EventError: it cannot be, and nothing was logged.

        >>> match = Match("turufu", 2)
        >>> said = match.add({"event": "deal", "dealer": 1, "turn_up": "3S"})
        >>> said = match.add({"event": "play", "seat": 0, "card": "KH"})
        >>> [notice.code for notice in match.add({"event": "correct", "number": 2, "card": "JH"})]
        ['corrected']
        >>> match.view.trick[0].card
        'JH'
        >>> [notice.code for notice in match.add({"event": "undo"})]
        ['undone']
        """
        if isinstance(event, Mapping):
            event = parse_event(event)
        match event:
            case Undo():
                notices = self._undo()
            case Redo():
                notices = self._redo()
            case Correct():
                notices = self._amend(event.number, event.changes)
                self._undone.clear()
            case _:
                notices = self._game_event(len(self.log) + 1, event)
                self._undone.clear()
        self.log.append(event)
        return notices

    def check_score(self, points: Sequence[int]) -> None:
        """Asked before somebody sets the score; an older journal may hold what is refused here. EventError: no score of
        this game is below 0.

        >>> Match("turufu", 2).check_score((-1, 2))
        Traceback (most recent call last):
        engine.events.EventError: points_below: least=0
        """
        if min(points, default=0) < 0 and self.header.options.get("penalty") != "negative":
            raise EventError("points_below", least=0)

    def add_again(self, event: Event | Mapping[str, Any]) -> list[Notice]:
        """Adds an event of a journal. An answer to what is not asked any more is set aside: an older judge asked it."""
        if isinstance(event, Mapping):
            event = parse_event(event)
        try:
            return self.add(event)
        except EventError:
            if not isinstance(event, Choose | Confirm):
                raise
            answers = event.number if isinstance(event, Confirm) else event.question
            if not 1 <= answers <= len(self.log):
                raise
        number = len(self.log) + 1
        notices = self._entered(number, event, self.state, (Notice("set_aside", INFO, {"number": number}),))
        self._undone.clear()
        self.log.append(event)
        return notices

    def preview(self, *events: GameEvent) -> tuple[Notice, ...]:
        """What would be said of the last of these, were they added in turn; nothing is.

        >>> from engine.events import Play
        >>> match = Match("turufu", 2)
        >>> said = match.add({"event": "deal", "dealer": 1, "turn_up": "3S"})
        >>> [notice.facts["rule"] for notice in match.preview(Play("2H", 0))]
        ['not_in_pack']
        """
        said = self.foresee(*events)
        return said[-1] if said else ()

    def foresee(self, *events: GameEvent) -> list[tuple[Notice, ...]]:
        """What would be said of each of these, were they added in turn; nothing is. Empty: they cannot all be."""
        state = self.state
        said = []
        try:
            for number, event in enumerate(events, len(self.log) + 1):
                state, notices = self.judge.apply(state, number, event)
                said.append(notices)
        except EventError:
            return []
        return said

    def _game_event(self, number: int, event: GameEvent) -> list[Notice]:
        if isinstance(event, Confirm | Choose):
            if isinstance(event, Confirm) and self._in_doubt(event.number):
                return self._amend(event.number, {"confidence": 1.0})
            amendment = self.judge.amendment(self.state, event)
            if amendment is not None:
                return self._amend(amendment.number, amendment.changes)
        state, notices = self.judge.apply(self.state, number, event)
        answers = self.judge.asked(self.state, event) if isinstance(event, Choose) else None
        return self._entered(number, event, state, notices, answers)

    def _entered(
        self, number: int, event: GameEvent, state: Any, notices: tuple[Notice, ...], answers: Notice | None = None
    ) -> list[Notice]:
        """An event with what the judge made of it."""
        self._entries.append(_Entry(number, event, event, state, notices, answers))
        if not isinstance(event, OfTheTable):
            self._stack.append(_ADDED)
        self._thin()
        return list(notices)

    def _in_doubt(self, number: int) -> bool:
        """Whether an event, of whatever deal, was read in doubt, so that a person's word settles it."""
        event = self._at(number).event
        nothing_read = isinstance(event, Play) and event.card is None
        return getattr(event, "confidence", 1.0) < 1 and not nothing_read

    def _undo(self) -> list[Notice]:
        if not self._stack:
            raise EventError("nothing_to_undo")
        last = self._stack.pop()
        if last.target is None:
            while isinstance(self._entries[-1].event, OfTheTable):
                self._entries.pop()  # What was asked after it is asked no more.
            entry = self._entries.pop()
            self._undone.append((last, entry))
            if self._entries and self._entries[-1].state is None:
                self._judge_from(len(self._entries) - 1)
            return [Notice("undone", INFO, _named(entry))]
        try:
            undone = Notice("undone", INFO, {**_named(self._at(last.target)), "correction": True})
            said = [undone, *self._rejudge(last.target)]
        except BaseException:
            self._stack.append(last)
            raise
        self._undone.append((last, None))
        return said

    def _redo(self) -> list[Notice]:
        if not self._undone:
            raise EventError("nothing_to_redo")
        change, entry = self._undone[-1]
        self._stack.append(change)
        if entry is not None:
            self._entries.append(entry)
            if entry.state is None:
                self._judge_from(len(self._entries) - 1)
            said = [Notice("redone", INFO, _named(entry)), *entry.notices]
        else:
            assert change.target is not None
            try:
                redone = Notice("redone", INFO, {**_named(self._at(change.target)), "correction": True})
                said = [redone, *self._rejudge(change.target)]
            except BaseException:
                self._stack.pop()
                raise
        self._undone.pop()
        return said

    def _amend(self, number: int, changes: Mapping[str, Any]) -> list[Notice]:
        read = self._at(number).event
        was = {"was": read.card} if isinstance(read, Play) and "card" in changes else {}
        self._stack.append(_Change(number, changes))
        try:
            return [Notice("corrected", INFO, {"number": number, **changes, **was}), *self._rejudge(number)]
        except BaseException:
            self._stack.pop()
            raise

    # -- the fold ----------------------------------------------------------------------------------------------------

    def _at(self, number: int) -> _Entry:
        return self._entries[self._entry(number)]

    def _entry(self, number: int) -> int:
        """Where an event stands among those in effect."""
        low, high = 0, len(self._entries)
        while low < high:
            middle = (low + high) // 2
            if self._entries[middle].number < number:
                low = middle + 1
            else:
                high = middle
        if low < len(self._entries) and self._entries[low].number == number:
            return low
        if not 1 <= number <= len(self.log):
            raise EventError("no_event_yet", number=number, last=len(self.log))
        if isinstance(self.log[number - 1], Undo | Redo | Correct):
            raise EventError("not_of_the_game", event=number)
        raise EventError("does_not_stand", event=number)

    def _amended(self, entry: _Entry) -> GameEvent:
        """The event as it reads under every change that stands."""
        event: Event = entry.logged
        for change in self._stack:
            if change.target != entry.number:
                continue
            raw = event_to_dict(event)
            if isinstance(event, Play) and "card" in change.changes:
                raw.pop("confidence", None)
                raw.pop("candidates", None)
            elif "pits" in change.changes or "likelihood" in change.changes:
                raw = {"event": raw["event"]}
            event = parse_event({**raw, **change.changes})
        assert not isinstance(event, Undo | Redo | Correct)
        return event

    def _rejudge(self, number: int) -> list[Notice]:
        """Judges an event and all after it again; returns what is said now and was not before."""
        changed = self._entry(number)
        event = self._amended(self._entries[changed])
        said: Counter[str] = Counter(repr(notice) for entry in self._entries[changed:] for notice in entry.notices)
        news = []
        for notice in self._judge_from(changed, event):
            if said[repr(notice)]:
                said[repr(notice)] -= 1
            else:
                news.append(notice)
        return news

    def _judge_from(self, place: int, event: GameEvent | None = None) -> list[Notice]:
        """Judges an entry, as this event if one is given, and all after it again; every notice they raise."""
        first = place
        while first > 0 and self._entries[first - 1].state is None:
            first -= 1
        state = self._entries[first - 1].state if first else self.judge.start()
        fresh: list[_Entry] = []
        for here in range(first, len(self._entries)):
            old = self._entries[here]
            reads = event if event is not None and here == place else old.event
            try:
                asking = self.judge.asking_still(state, reads, old.answers) if isinstance(reads, Choose) else state
                state, notices = self.judge.apply(asking, old.number, reads)
            except EventError:
                if here == place:
                    raise
                # An answer to another question than is asked now, a card lifted that never lay there: it stays
                # in the log and means nothing now. Should the change be taken back, it means what it did.
                notices = (Notice("set_aside", INFO, {"number": old.number}),)
            fresh.append(_Entry(old.number, old.logged, reads, state, notices, old.answers))
        self._entries[first:] = fresh
        self._thin(first)
        return [notice for entry in fresh[place - first :] for notice in entry.notices]

    def _thin(self, since: int | None = None) -> None:
        """Drops the states that lie too far back to be worth their memory."""
        edge = len(self._entries) - RECENT
        first = edge - 1 if since is None else since
        for place in range(max(first, 0), max(edge, 0)):
            if place % KEEP_EVERY:
                self._entries[place].state = None


def _named(entry: _Entry) -> dict[str, Any]:
    """An event as a notice names it: by its card, where it has one."""
    card = entry.event.card if isinstance(entry.event, Play) else None
    return {"number": entry.number, **({} if card is None else {"card": card})}
