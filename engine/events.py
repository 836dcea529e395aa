"""Events: what happened in the game, or was said about it. Here is their one written form, read strictly."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from engine.cards import SUITS, Card, is_card
from engine.errors import GameError


class EventError(GameError):
    """An event that cannot be. The message says what is wrong, for whoever sent it."""


@dataclass(frozen=True)
class Deal:
    """A deal begins: the card turned up is seen. Without a dealer, rotation or the first lead tells.

    turn_up None: the game turns none up; or which it is could not be read yet, and a correction tells it later. Where
    all its candidates are of one suit, that is trump.
    """

    turn_up: Card | None
    dealer: int | None = None
    candidates: tuple[Card, ...] = ()
    trump: str | None = None
    """The suit that is trump, as somebody said after the deal."""
    taker: int | None = None
    """Belote: who took the card turned up, as somebody said after the deal."""
    announced: bool | None = None
    """Belote: whether king and queen of trump were announced, as somebody said after the deal."""
    bonus: int | None = None
    """Belote: who held king and queen of trump, as somebody said who laid the hands open."""


@dataclass(frozen=True)
class VoidDeal:
    """The deal is broken off; the same dealer deals again. Not sure of it: the next may."""

    confidence: float = 1.0


@dataclass(frozen=True)
class TurnUpSeen:
    """The card that lies face up under the stock, looked at again."""

    card: Card


@dataclass(frozen=True)
class Play:
    """A card put down. card None: it could not be read, and may be one of the candidates (none given: any).

    Not order_sure: its hand speaks for another seat than the one whose turn it was; the trick proves nothing.
    """

    card: Card | None
    seat: int | None = None
    confidence: float = 1.0
    before_taken: bool = False
    candidates: tuple[Card, ...] = ()
    order_sure: bool = True
    counts: bool | None = None
    """Of two cards that one seat laid in a trick, said of the second: whether it counts instead of the first."""
    trick_to: int | None = None
    """Who won the trick in which this card lay, as somebody said."""
    beside: bool = True
    """It lies beside the card of this trick before it. Not so: nobody saw that, and a trick may have ended between."""
    second: bool = False
    """Its seat laid two in the trick, as somebody said, and this is the second."""

    @property
    def is_second(self) -> bool:
        """Whether somebody said that its seat laid two, or which of them counts."""
        return self.second or self.counts is not None


@dataclass(frozen=True)
class SetScore:
    """The score is set right by hand: what each side has from now on; on a board, the seeds it has taken."""

    points: tuple[int, ...]
    reason: str = ""


@dataclass(frozen=True)
class TakenBack:
    """The card of an earlier play went back to its hand."""

    number: int


@dataclass(frozen=True)
class Taken:
    """A complete trick was gathered; it came to rest at this seat. Not sure of it: a wrong side is asked about."""

    seat: int
    confidence: float = 1.0


@dataclass(frozen=True)
class Take:
    """Belote: who takes the card turned up, and the suit that is trump by that: its own, or another in round two."""

    seat: int
    trump: str


@dataclass(frozen=True)
class Offer:
    """Triomphe: a side offers the hand."""

    seat: int


@dataclass(frozen=True)
class Answer:
    """Triomphe: the answer to an offer."""

    accept: bool


@dataclass(frozen=True)
class Claim:
    """The tricks that are left are not played out, but go to this seat. None: hands were laid open, and it is asked who
    takes the rest."""

    seat: int | None = None


@dataclass(frozen=True)
class Pillage:
    """L'As qui pille: a turned-up card is taken; one from the hand pays for it (paid, if seen); next is turned.

    seat: None where the hand was not clearly one player's.
    """

    seat: int | None
    card: Card
    paid: Card | None = None
    next: Card | None = None


Counts = tuple[tuple[int | None, ...], ...]
Likelihoods = tuple[tuple[Mapping[int, float] | None, ...], ...]


@dataclass(frozen=True)
class Board:
    """A board at rest, rows as seen by South. Exact counts, or how likely each count is; None: not countable.

    Its rows and columns are the board's own: 4 by 8 for mraha, 2 by 6 for awalé.
    """

    pits: Counts | None = None
    likelihood: Likelihoods | None = None
    missed: bool = False
    """Boards that lay there since the last one told were none that could be told: several turns may be between."""
    waited: bool = False
    """It has lain there untouched for longer than most pauses within a turn."""
    rested: bool = False
    """It has lain there untouched for so long that no hand holds seeds of it."""

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns."""
        rows = self.pits if self.pits is not None else self.likelihood or ()
        return len(rows), len(rows[0]) if rows else 0


@dataclass(frozen=True)
class Undo:
    """Takes back the last thing that still stands."""


@dataclass(frozen=True)
class Redo:
    """Brings back what was taken back last, unless anything else was said since."""


@dataclass(frozen=True)
class Correct:
    """An earlier event was not as logged: the fields that change.

    Not these of its own: as JSON, changes to them would read as another event.
    """

    number: int
    changes: Mapping[str, Any]

    def __post_init__(self) -> None:
        for own in ("event", "number"):
            if own in self.changes:
                raise EventError("unknown_field", name="correct", value=own)


@dataclass(frozen=True)
class Confirm:
    """A person says that an earlier event is as it was seen."""

    number: int


@dataclass(frozen=True)
class Choose:
    """A person answers a question; it is known by the number of the event that raised it."""

    question: int
    answer: str


StandsFor = Play | TakenBack | Deal


@dataclass(frozen=True)
class Way:
    """One answer to what a live table asks: a card, a seat, both (as "1:7H"), "yes", "no", or "none"; and the events it
    stands for, which are logged once it is chosen."""

    answer: str
    events: tuple[StandsFor, ...] = ()


@dataclass(frozen=True)
class Ask:
    """A live table asks which of these happened; `choose` answers, by this event's number. Any other event of the game
    settles it unanswered.

    what: "laid" (which card a seat laid), "whose" (who laid a card), "first" (whose card came first), "lifted" (whether
    a card was taken back), "turned_up"; "other_game" (whether another is played) stays open until somebody answers.
    """

    what: str
    choices: tuple[Way, ...]
    seat: int | None = None
    card: Card | None = None


@dataclass(frozen=True)
class DeviceTurn:
    """The device plays a side of a board, or a seat at cards, and asks for this turn: a person's hand makes it."""

    turn: str
    """Its key, as the rules name it; at cards, the card."""
    seat: int | None = None
    """At cards, the device's."""


OfTheTable = Ask | DeviceTurn
"""What the device says by itself: nothing to take back, it goes with what it came after."""
GameEvent = (
    Deal | VoidDeal | TurnUpSeen | Take | Play | TakenBack | Taken | Offer | Answer | Claim | Pillage | Board | Confirm
    | Choose | Ask | DeviceTurn | SetScore
)  # fmt: skip
"""What a judge is shown."""
Event = GameEvent | Undo | Redo | Correct

NAMES: dict[str, type[Event]] = {
    "deal": Deal,
    "void_deal": VoidDeal,
    "turn_up_seen": TurnUpSeen,
    "take": Take,
    "play": Play,
    "taken_back": TakenBack,
    "taken": Taken,
    "offer": Offer,
    "answer": Answer,
    "claim": Claim,
    "pillage": Pillage,
    "board": Board,
    "score": SetScore,
    "undo": Undo,
    "redo": Redo,
    "correct": Correct,
    "confirm": Confirm,
    "choose": Choose,
    "ask": Ask,
    "device_turn": DeviceTurn,
}
_NAME_OF = {kind: name for name, kind in NAMES.items()}
ASKED = ("laid", "whose", "first", "lifted", "turned_up")
"""What a live table asks about what happened."""
OTHER_GAME = "other_game"
"""And whether another game is played, since cards lie there that this one does not have: nothing else settles that."""
MOST_WAYS, MOST_EVENTS = 9, 4
"""Answers that an `ask` may offer, and events that one of them may stand for."""
LONGEST_KEY = 16
"""Letters of a turn's key."""
REMARKS = frozenset({"time", "by"})
"""Fields any event may carry that change nothing: when it was and who said it."""

MOST_SIDES, LEAST_POINTS, MOST_POINTS, LONGEST_REASON = 6, -999, 9999, 120
"""Of a score set by hand: sides, points of a side (penalties may bring it under 0), letters of why."""

MAX_SEEDS = 64
BOARD_ROWS, BOARD_COLUMNS = 4, 8
"""Of the board that mraha is played on."""
MOST_ROWS, MOST_COLUMNS = 4, 16
"""Of any board."""


def _seat(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise EventError("not_a_seat", value=value)
    return value


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise EventError("not_a_number", value=value)
    return value


def _card(value: object) -> Card:
    if not is_card(value):
        raise EventError("not_a_card", value=value)
    assert isinstance(value, str)
    return value


def _suit(value: object) -> str:
    if not isinstance(value, str) or value not in SUITS or len(value) != 1:
        raise EventError("not_a_suit", value=value, allowed=SUITS)
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise EventError("not_a_flag", value=value)
    return value


def _confidence(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise EventError("not_a_confidence", value=value)
    return float(value)


def _candidates(value: object) -> tuple[Card, ...]:
    if not isinstance(value, list | tuple):
        raise EventError("not_cards", value=value)
    return tuple(_card(part) for part in value)


def _answer(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        raise EventError("not_an_answer", value=value)
    return value


def _asked(value: object) -> str:
    allowed = (*ASKED, OTHER_GAME)
    if not isinstance(value, str) or value not in allowed:
        raise EventError("not_asked", value=value, allowed=allowed)
    return value


def _turn(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_KEY:
        raise EventError("not_a_turn", value=value)
    return value


def _ways(value: object) -> tuple[Way, ...]:
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= MOST_WAYS:
        raise EventError("few_answers", most=MOST_WAYS)
    ways = tuple(_way(part) for part in value)
    if len({way.answer for way in ways}) < len(ways):
        raise EventError("same_answers")
    return ways


def _way(value: object) -> Way:
    if not isinstance(value, Mapping) or not isinstance(value.get("answer"), str) or not set(value) <= _WAY:
        raise EventError("not_a_way")
    given = value.get("events", ())
    if not isinstance(given, list | tuple) or len(given) > MOST_EVENTS:
        raise EventError("way_long", most=MOST_EVENTS)
    events: list[StandsFor] = []
    for part in given:
        if not isinstance(part, Mapping) or part.get("event") not in ("play", "taken_back", "deal"):
            raise EventError("way_other")
        event = parse_event(part)
        assert isinstance(event, StandsFor)
        events.append(event)
    return Way(value["answer"], tuple(events))


_WAY = frozenset({"answer", "events"})


def _points(value: object) -> tuple[int, ...]:
    if (
        not isinstance(value, list | tuple)
        or not 2 <= len(value) <= MOST_SIDES
        or any(isinstance(points, bool) or not isinstance(points, int) for points in value)
        or not all(LEAST_POINTS <= points <= MOST_POINTS for points in value)
    ):
        raise EventError("not_points", value=value)
    return tuple(value)


def _reason(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_REASON or not value.isprintable():
        raise EventError("not_a_reason", most=LONGEST_REASON)
    return value


def _rows(value: object, what: str) -> list[list[Any]]:
    if (
        not isinstance(value, list | tuple)
        or not 1 <= len(value) <= MOST_ROWS
        or any(not isinstance(row, list | tuple) or len(row) != len(value[0]) for row in value)
        or not 1 <= len(value[0]) <= MOST_COLUMNS
    ):
        raise EventError("not_rows", what=what)
    return [list(row) for row in value]


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_SEEDS:
        raise EventError("not_a_count", value=value, most=MAX_SEEDS)
    return value


def _pits(value: object) -> Counts:
    return tuple(tuple(None if pit is None else _count(pit) for pit in row) for row in _rows(value, "pits"))


def _pit_likelihood(value: object) -> Mapping[int, float] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not value:
        raise EventError("not_likelihoods", value=value)
    out: dict[int, float] = {}
    for key, p in value.items():
        if not (str(key).isdecimal() and len(str(key)) <= len(str(MAX_SEEDS))):
            raise EventError("not_a_count_key", value=str(key)[:10])
        if isinstance(p, bool) or not isinstance(p, int | float) or not math.isfinite(p) or p < 0:
            raise EventError("not_a_likelihood", value=p)
        out[_count(int(key))] = float(p)
    if sum(out.values()) <= 0:
        raise EventError("no_likelihood")
    return out


def _likelihood(value: object) -> Likelihoods:
    return tuple(tuple(_pit_likelihood(pit) for pit in row) for row in _rows(value, "likelihood"))


_READ: dict[str, Callable[[Any], Any]] = {
    "turn_up": _card,
    "dealer": _seat,
    "seat": _seat,
    "taker": _seat,
    "card": _card,
    "trump": _suit,
    "confidence": _confidence,
    "before_taken": _flag,
    "order_sure": _flag,
    "counts": _flag,
    "announced": _flag,
    "bonus": _seat,
    "trick_to": _seat,
    "beside": _flag,
    "second": _flag,
    "candidates": _candidates,
    "number": _number,
    "accept": _flag,
    "paid": _card,
    "next": _card,
    "pits": _pits,
    "likelihood": _likelihood,
    "missed": _flag,
    "waited": _flag,
    "rested": _flag,
    "question": _number,
    "answer": _answer,
    "what": _asked,
    "turn": _turn,
    "choices": _ways,
    "points": _points,
    "reason": _reason,
}
_MAY_BE_NULL = {
    (Play, "card"), (Play, "seat"), (Play, "counts"), (Play, "trick_to"), (Deal, "turn_up"), (Deal, "dealer"),
    (Deal, "trump"), (Deal, "taker"), (Deal, "announced"), (Deal, "bonus"),
    (Pillage, "seat"), (Pillage, "paid"), (Pillage, "next"), (Board, "pits"), (Board, "likelihood"),
    (Ask, "seat"), (Ask, "card"), (Claim, "seat"), (DeviceTurn, "seat"),
}  # fmt: skip
_MUST = {
    Deal: ("turn_up",), TurnUpSeen: ("card",), Take: ("seat", "trump"), Play: ("card",), TakenBack: ("number",),
    Taken: ("seat",), Offer: ("seat",), Answer: ("accept",), Pillage: ("seat", "card"), Correct: ("number",),
    Confirm: ("number",), Choose: ("question", "answer"), Ask: ("what", "choices"),
    DeviceTurn: ("turn",), SetScore: ("points",),
}  # fmt: skip


def parse_event(raw: object) -> Event:
    """An event from its JSON form. Raises EventError, naming the field, when it is not one."""
    if not isinstance(raw, Mapping):
        raise EventError("not_an_event")
    name = raw.get("event")
    if not isinstance(name, str) or name not in NAMES:
        raise EventError("unknown_event", value=name, allowed=tuple(NAMES))
    kind = NAMES[name]
    given = {key: value for key, value in raw.items() if key != "event" and key not in REMARKS}
    _check_fields(name, kind, given)
    if kind is Correct:
        return Correct(_field(name, kind, "number", given.pop("number")), given)
    values = {key: _field(name, kind, key, value) for key, value in given.items()}
    event = kind(**values)
    if isinstance(event, Board) and (event.pits is None) == (event.likelihood is None):
        raise EventError("pits_or_likelihood")
    return event


def _check_fields(name: str, kind: type[Event], given: Mapping[str, object]) -> None:
    """Raises EventError: one that it must have is missing, or one is not known. A correction may name any."""
    for must in _MUST.get(kind, ()):
        if must not in given:
            raise EventError("missing_field", name=name, field=must)
    if kind is Correct:
        if len(given) == 1:
            raise EventError("correct_nothing")
        return
    known = {field.name for field in fields(kind)}
    for key in given:
        if key not in known:
            raise EventError("unknown_field", name=name, value=key)


def _field(name: str, kind: type, key: str, value: object) -> Any:
    if value is None and (kind, key) in _MAY_BE_NULL:
        return None
    try:
        return _READ[key](value)
    except EventError as error:
        raise EventError("in_field", name=name, field=key, error=error) from None


def event_to_dict(event: Event) -> dict[str, Any]:
    """The JSON form of an event; fields at their default are left out."""
    out: dict[str, Any] = {"event": _NAME_OF[type(event)]}
    if isinstance(event, Correct):
        return {**out, "number": event.number, **event.changes}
    must = _MUST.get(type(event), ())
    for field in fields(event):
        value = getattr(event, field.name)
        if value == field.default and field.name not in must:
            continue
        out[field.name] = _written(field.name, value)
    return out


def _written(name: str, value: Any) -> Any:
    """A field of an event as JSON can hold it."""
    if value is None:
        return None
    if name == "likelihood":
        return [[None if pit is None else {str(count): p for count, p in pit.items()} for pit in row] for row in value]
    if name == "pits":
        return [list(row) for row in value]
    if name == "choices":
        return [_way_written(way) for way in value]
    return list(value) if isinstance(value, tuple) else value


def _way_written(way: Way) -> dict[str, Any]:
    events = [event_to_dict(event) for event in way.events]
    return {"answer": way.answer, **({"events": events} if events else {})}
