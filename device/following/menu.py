"""The device's own menu, on three buttons: pages to show and what a press leads to. No I/O.

On a list A goes to the next line, C chooses it and B goes back; a question is answered with A (yes) and B (no).
What decides a match (game, players, house options) changes the settings at once and takes effect with a new match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from device.following.show import HOW_MUCH, OFF, Page
from device.keeping.broker_code import SHORTEST
from device.keeping.settings import (
    AUTO,
    Settings,
    fitting,
    head_starts,
    on_broker,
    playable,
    player_numbers,
    side_names,
    with_option,
)
from device.words import (
    LANGUAGES,
    by_side,
    card_sign,
    game_name,
    has,
    option_name,
    pit_name,
    player_name,
    say,
    seat_name,
    suit_name,
    value_name,
)
from engine.cards import FULL_PACK, JOKER, SUITS, Card, is_card, suit_of
from engine.games import GAMES
from engine.options import Option, OptionValue
from engine.referee.judge import GameKind
from engine.referee.seed_game import PLAYERS
from engine.rules.mraha import PRESETS
from engine.search import LEVELS

NEW_MATCH, VOID_DEAL, END_MATCH = "new_match", "void_deal", "end_match"
SCORE, CORRECT, PITS, HINT = "score", "correct", "pits", "hint"
"""What a menu may ask for beside other settings."""
TEACH, SKIP_LESSON, NEXT_LEARNER, STOP_LESSONS = "teach", "skip_lesson", "next_learner", "stop_lessons"
ASIDES = (HINT, TEACH, SKIP_LESSON, NEXT_LEARNER, STOP_LESSONS)
"""What is no part of a match."""
SHOW_PAGE, FORGET_PHONES = "show_page", "forget_phones"
"""The same, where there is a page for phones; the first lets a phone or a hall in, and shows the way and the code."""
ABOUT = "about"
TRY_OUT = "try_out"
"""Lamps and sound are tried."""
NAMED_ALONE = (
    *ASIDES, NEW_MATCH, VOID_DEAL, CORRECT, PITS, END_MATCH, SCORE, SHOW_PAGE, FORGET_PHONES, ABOUT, TRY_OUT, "options",
)  # fmt: skip
"""Lines of the first page that have no value beside them."""
BRIGHTNESSES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
MOST_VALUES = 10
"""Of an option that stand in a list as they are; of more (points to win) only round ones and the one in force."""
ROUND = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100)
LANGUAGE_NAMES = {"fr": "Français", "shi": "Shimaore", "en": "English"}
HERE = "✓ "
"""Before the value in force."""
BROKER, NO_BROKER = "broker", ""
VOICE = "voice"
JOIN = "join"
"""What a menu may ask for with the code that was typed; also the line of the brokers' list that leads to its digits."""
DIGITS = tuple("0123456789")
DONE, WRONG_CODE = "done", "wrong_code"
SUIT, RANK = "suit", "rank"
"""Pages of a card that is corrected."""
ROWS, COUNT = "rows", "count"
"""Pages of a pit that is counted again: its side's pits, and its seeds."""
MORE, LESS = "more", "less"
MOST_DIGITS = 4
"""Of the score of a side."""
PLAIN_BROKER = "mqtt://"
"""Not said of an address."""


ABOUT_LINES = (("version", "version"), ("disk", "free_mb"), ("temperature", "celsius"), ("memory", "memory_mb"))
"""Lines about the device, each with the fact without which it is not shown."""


Pits = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class MenuStep:
    """What a press led to."""

    menu: "Menu | None"
    """None: the menu is left."""
    settings: Settings
    action: str | None = None
    code: str = ""
    """With JOIN: what was typed."""
    points: tuple[int, ...] = ()
    """With SCORE: of each side, as typed."""
    laid: "CorrectableCard | None" = None
    """With CORRECT: the card as it really is."""
    board: "CorrectableBoard | None" = None
    """With PITS: the board as it really is."""


@dataclass(frozen=True)
class CorrectableCard:
    """A card of this deal that can be corrected."""

    number: int
    """Of its event."""
    card: Card | None
    """None: it was not read."""
    by: str
    """What its player is called; of a card turned up, that it was."""
    field: str = "card"
    """Of its event."""


@dataclass(frozen=True)
class CorrectableBoard:
    """The last board that was seen, whose pits can be counted again."""

    number: int
    """Of its event."""
    pits: Pits
    """In each pit, rows as seen by South; nothing where it could not be counted."""
    seats: tuple[str, ...] = ()
    """Who plays on it."""


@dataclass(frozen=True)
class _Place:
    """A page of the menu: a list of it, a setting, a house option, a question, or the digits of a code (name)."""

    kind: str
    name: str = ""
    chosen: int = 0


@dataclass(frozen=True)
class Menu:
    """The menu at one moment."""

    settings: Settings
    opened_with: Settings
    running: bool
    """A match goes on that a new one would end."""
    dealt: bool
    """A deal goes on that can be void."""
    with_page: bool = False
    """There is a page for phones."""
    found: tuple[str, int] | None = None
    """What is played and by how many, as far as that is known."""
    brokers: tuple[str, ...] = ()
    """Addresses of brokers that say in the network that they are there."""
    broker_away: bool = False
    wrong_code: bool = False
    about: Mapping[str, object] = field(default_factory=dict)
    """Of the device: version, free_mb, celsius, used_mb, memory_mb; what is None is not shown."""
    score: tuple[int, ...] = ()
    """Of each side, where a score is kept that can be set right by hand."""
    sides: tuple[str, ...] = ()
    """What each side is called."""
    typed: tuple[int, ...] = ()
    """The score as far as it was typed."""
    hints: bool = False
    """People play against the device, which can say what to play."""
    laid: tuple[CorrectableCard, ...] = ()
    """The deal's cards, the newest first."""
    pack: tuple[Card, ...] = ()
    """Every card of the game, by suits."""
    mends: CorrectableCard | None = None
    """The one that is being corrected, and the card as far as it was chosen: a suit, then all of it."""
    really: str = ""
    board: CorrectableBoard | None = None
    counted: Pits = ()
    """The board as far as it was counted again."""
    pit: tuple[int, int] = (0, 0)
    """The one that is being counted."""
    teaches: bool = False
    """There are lessons in the game that is played."""
    learning: tuple[str, ...] = ()
    """What whoever takes them may ask for."""
    path: tuple[_Place, ...] = (_Place("top"),)

    @classmethod
    def open(
        cls,
        settings: Settings,
        view: Mapping[str, Any],
        with_page: bool = False,
        about: Mapping[str, object] | None = None,
        sides: Sequence[str] = (),
        hints: bool = False,
        laid: Sequence[CorrectableCard] = (),
        pack: Sequence[Card] = (),
        board: CorrectableBoard | None = None,
    ) -> "Menu":
        """The menu over a match. view: View.to_dict(), empty where there is none. sides: what each side is called.
        laid: the deal's cards, the newest first; pack: every card of the game. board: the last that was seen."""
        phase = view.get("phase")
        playing = phase in ("play", "trick_complete")
        dealt = playing and not GAMES[view["game"]].grid  # What lies on a board is no deal.
        scored = phase == "deal_over" or (phase == "waiting_for_deal" and any(view.get("games", ())))
        found = (str(view["game"]), int(view.get("players") or GAMES[view["game"]].players)) if view else None
        running = playing or scored or phase in ("munia", "teza")
        score = tuple(view.get("games") or view.get("captured", {}).values()) if view else ()
        named = tuple(sides) if len(sides) == len(score) else tuple(map(str, range(1, len(score) + 1)))
        menu = cls(settings, settings, running, dealt, with_page, found, about=about or {}, score=score, sides=named)
        by_suits = sorted(pack, key=(*FULL_PACK, JOKER).index)
        return replace(menu, hints=hints, laid=tuple(laid), pack=tuple(by_suits), board=board)

    def told(self, brokers: Sequence[str], away: bool) -> "Menu":
        """The same, knowing this of brokers. What was in a list stays in it: a line must not move under a finger."""
        found = tuple(dict.fromkeys((*self.brokers, *brokers)))
        same = found == self.brokers and away == self.broker_away
        return self if same else replace(self, brokers=found, broker_away=away)

    # -- what is shown -----------------------------------------------------------------------------------------------

    @property
    def page(self) -> Page:
        """What every display shows now."""
        here = self.path[-1]
        if here.kind == "ask":
            facts = {"score": by_side(self.typed), **self._mended}
            asked, told = self._say(f"ask_{here.name}", **facts), self._say(f"tell_{here.name}", **facts)
            return Page(asked, (told,), buttons=(self._say("yes"), self._say("no"), ""))
        lines = tuple(self._line(item) for item in self._items(here))
        buttons = (self._say("next"), self._say("back"), self._say("choose"))
        if here.kind == JOIN:
            told = self._say(WRONG_CODE if self.wrong_code else JOIN)
            return Page(told, (here.name or "–", *lines), here.chosen + 1, buttons)
        if here.kind == SCORE:
            side = len(self.typed)
            told = self._say("score_of", side=self.sides[side], now=self.score[side])
            return Page(told, (here.name or str(self.score[side]), *lines), here.chosen + 1, buttons)
        if here.kind == COUNT:
            return Page(self._pit(self.pit), (here.name, *lines), here.chosen + 1, buttons)
        named = here.name and here.kind != ROWS
        title = self._name(here.name) if named else self._say(here.kind, **self._mended)
        return Page(title, lines, here.chosen, buttons)

    @property
    def _played(self) -> Settings | None:
        """The settings of the game that is played, found or named; None: nobody knows which it is."""
        if self.settings.game != AUTO:
            return self.settings
        return None if self.found is None else self.settings.of(*self.found)

    @property
    def _mended(self) -> Mapping[str, object]:
        """Of the card that is being corrected: whose it is, what it was taken for, and what it is."""
        if self.mends is None:
            return {}
        language = self.settings.language
        really = card_sign(self.really, language) if is_card(self.really) else ""
        by = self.mends.by if self.mends.field == "card" else None
        return {"by": by, "card": card_sign(self.mends.card, language), "really": really}

    def _say(self, name: str, /, **facts: object) -> str:
        return say(self.settings.language, f"menu-{name}", **facts)

    def _name(self, name: str) -> str:
        """What a setting or a house option is called."""
        language = self.settings.language
        played = self._played.game if self._played else ""
        return self._say(name) if has(language, f"menu-{name}") else option_name(name, language, played)

    def _line(self, item: object) -> str:
        here = self.path[-1]
        if here.kind == "top":
            name = str(item)
            if name in NAMED_ALONE:
                return self._say(name)
            value = self._broker_state if name == BROKER else self._value(name, self._current(_Place("setting", name)))
            return self._say("line", name=self._name(name), value=value)
        if here.kind == "options":
            name = str(item)
            return self._say("line", name=self._name(name), value=self._value(name, self._options[name]))
        if here.kind == ABOUT:
            return self._say(f"about_{item}", **self.about)
        if here.kind == CORRECT:
            assert isinstance(item, CorrectableCard)
            return self._say("line", name=item.by, value=card_sign(item.card, self.settings.language))
        if here.kind == SUIT:
            return suit_name(str(item), self.settings.language) if str(item) in SUITS else self._card(item)
        if here.kind == RANK:
            return self._card(item)
        if here.kind in (PITS, ROWS, COUNT):
            return self._pits_line(item)
        if here.kind in (JOIN, SCORE):
            return self._say(DONE) if item == DONE else str(item)
        mark = HERE if item == self._current(here) else ""
        return mark + self._value(here.name, item)

    def _card(self, card: object) -> str:
        return card_sign(str(card), self.settings.language)

    def _pits_line(self, item: object) -> str:
        """A side of the board, a pit of it, what becomes of its seeds, or that all is counted."""
        if isinstance(item, tuple):
            return self._say("line", name=self._pit(item), value=self.counted[item[0]][item[1]])
        if item == DONE and self.path[-1].kind == PITS:
            return self._say("counted", seeds=sum(map(sum, self.counted)))
        if item not in PLAYERS:
            return self._say(str(item))
        return player_name(str(item), self.settings.language, self.board.seats if self.board is not None else ())

    def _pit(self, pit: tuple[int, int]) -> str:
        """What a pit is called."""
        assert self._played is not None
        return pit_name(pit, self._played.game, self.settings.language)

    def _value(self, name: str, value: object) -> str:
        """A value as people say it."""
        if name == BROKER and value == JOIN:
            return self._say(JOIN)
        if name == BROKER:
            return str(value).removeprefix(PLAIN_BROKER) or self._say("no_broker")
        if name == VOICE:
            return self._say(f"voice_{value}")
        if name == "against":
            return self._say("against_level", level=value) if value else self._say("against_off")
        if name == "device_seat":
            return self._seat_name(int(str(value)) - 1) if value else self._say("against_off")
        if name.startswith("head_start"):
            return self._head_start(name, int(str(value)))
        if name == "language":
            return LANGUAGE_NAMES[str(value)]
        if name == "brightness":
            return f"{round(100 * float(str(value)))} %"
        if name == "game":
            return game_name(str(value), self.settings.language)
        return value_name(name, value, self.settings.language, self._played.game if self._played else "")

    def _seat_name(self, seat: int) -> str:
        return seat_name(seat, self.settings.language, self.settings.names)

    def _head_start(self, name: str, value: int) -> str:
        if name == "head_start":
            return self._say("head_start_by", number=value) if value else self._say("no")
        assert self._played is not None
        sides = side_names(self._played, self.settings.language)
        return sides[value - 1] if value <= len(sides) else str(value)

    @property
    def _broker_state(self) -> str:
        """Whether the table is on its broker."""
        if not self._current(_Place("setting", BROKER)):
            return self._say("no")
        return self._say("broker_away" if self.broker_away else "broker_there")

    # -- what is pressed ---------------------------------------------------------------------------------------------

    def press(self, button: str) -> MenuStep:
        """What a button does: "A", "B" or "C"."""
        here = self.path[-1]
        if here.kind == "ask":
            return self._answer(here.name, button)
        items = self._items(here)
        if button == "A":
            return self._at(replace(here, chosen=(here.chosen + 1) % len(items)))
        if here.kind == JOIN:
            return self._typed(here, button, items[here.chosen])
        if here.kind == SCORE:
            return self._score_typed(here, button, items[here.chosen])
        if button == "B" or here.kind == ABOUT:
            return self._back()
        item = items[here.chosen]
        if item == JOIN:
            return self._into(_Place(JOIN))
        if here.kind == "top":
            return self._choose(str(item))
        if here.kind == "options":
            return self._into(_Place("option", str(item)))
        if here.kind in (CORRECT, SUIT, RANK):
            return self._mend(here.kind, item)
        if here.kind in (PITS, ROWS, COUNT):
            return self._count(here, item)
        return replace(self, settings=self._with(here, item))._back()

    def _typed(self, here: _Place, button: str, item: str) -> MenuStep:
        """A digit more, one less, or all are typed."""
        menu = replace(self, wrong_code=False)
        if button == "B":
            return menu._at(replace(here, name=here.name[:-1], chosen=0)) if here.name else menu._back()
        if item != DONE:
            return menu._at(replace(here, name=here.name + item, chosen=0))
        again = replace(menu, wrong_code=True, path=(*self.path[:-1], _Place(JOIN)))
        broker = self.settings.broker or (self.brokers[0] if self.brokers else "")
        settings = _on_broker(self.settings, broker) if broker else self.settings
        # Whoever keeps the settings looks at the code; if it is right, the menu is told so and closes.
        return MenuStep(again, settings, JOIN, here.name)

    def _score_typed(self, here: _Place, button: str, item: str) -> MenuStep:
        """A digit more, one less, or the number of a side is typed: the next side, and in the end whether it is so.
        Nothing typed: what it has stays."""
        if button == "B":
            if here.name or not self.typed:
                return self._at(replace(here, name=here.name[:-1], chosen=0)) if here.name else self._back()
            return replace(self, typed=self.typed[:-1])._at(_Place(SCORE))
        if item != DONE:
            return self._at(replace(here, name=(here.name + item)[:MOST_DIGITS], chosen=0))
        points = int(here.name) if here.name else self.score[len(self.typed)]
        menu = replace(self, typed=(*self.typed, points))
        if len(menu.typed) < len(self.score):
            return menu._at(_Place(SCORE))
        return replace(menu, path=self.path[:-1])._into(_Place("ask", SCORE))

    def _mend(self, kind: str, item: object) -> MenuStep:
        """The next page of a card that is corrected."""
        if isinstance(item, CorrectableCard):
            return replace(self, mends=item, really="")._into(_Place(SUIT))
        menu = replace(self, really=str(item))
        return menu._into(_Place(RANK) if str(item) in SUITS else _Place("ask", CORRECT))

    def _count(self, here: _Place, item: Any) -> MenuStep:
        """The next page of a pit that is counted again; in the end the board as it really is."""
        if here.kind == PITS and item == DONE:
            assert self.board is not None
            return MenuStep(None, self.settings, PITS, board=replace(self.board, pits=self.counted))
        if here.kind == PITS:
            return self._into(_Place(ROWS, item))
        if here.kind == ROWS:
            row, column = item
            return replace(self, pit=item)._into(_Place(COUNT, str(self.counted[row][column])))
        if item != DONE:
            return self._at(replace(here, name=str(max(0, int(here.name) + (1 if item == MORE else -1)))))
        row, column = self.pit
        rows = [list(line) for line in self.counted]
        rows[row][column] = int(here.name)
        menu = replace(self, counted=tuple(map(tuple, rows)), path=self.path[:-2])
        return menu._at(_Place(PITS, chosen=len(menu._items(_Place(PITS))) - 1))

    def _choose(self, name: str) -> MenuStep:
        if name == NEW_MATCH and not self.running:
            return MenuStep(None, self.settings, NEW_MATCH)
        if name in (*ASIDES, SHOW_PAGE, TRY_OUT):
            return MenuStep(None, self.settings, name)
        if name in (NEW_MATCH, VOID_DEAL, END_MATCH, FORGET_PHONES):
            return self._into(_Place("ask", name))
        if name == SCORE:
            return replace(self, typed=())._into(_Place(SCORE))
        if name == PITS and self.board is not None:
            return replace(self, counted=self.board.pits)._into(_Place(PITS))
        return self._into(_Place(name) if name in ("options", ABOUT, CORRECT) else _Place("setting", name))

    def _answer(self, name: str, button: str) -> MenuStep:
        if button == "A" and name == CORRECT:
            assert self.mends is not None
            return MenuStep(None, self.settings, CORRECT, laid=replace(self.mends, card=self.really))
        if button == "A":
            return MenuStep(None, self.settings, NEW_MATCH if name == "changed" else name, points=self.typed)
        if button == "B":
            return MenuStep(None, self.settings) if name == "changed" else self._back()
        return MenuStep(self, self.settings)

    def _back(self) -> MenuStep:
        if len(self.path) > 1:
            menu = replace(self, path=self.path[:-1])
            # A page may have grown shorter: another game has other options.
            here = menu.path[-1]
            last = len(menu._items(here)) - 1
            return menu._at(replace(here, chosen=min(here.chosen, last)))
        if self._decides(self.settings) == self._decides(self.opened_with):
            return MenuStep(None, self.settings)
        if self.running:
            return self._into(_Place("ask", "changed"))
        return MenuStep(None, self.settings, NEW_MATCH)

    def _decides(self, settings: Settings) -> tuple[object, ...]:
        """What of the settings makes a match another match."""
        against = settings.against, settings.device_begins and settings.against > 0, settings.device_seat
        head_start = settings.head_start, settings.head_start_side if settings.head_start else 0
        if settings.game != AUTO:
            return settings.game, settings.players, _house(settings), against, head_start
        return AUTO, None if self.found is None else _house(settings.of(*self.found)), against, head_start

    def _at(self, place: _Place) -> MenuStep:
        menu = replace(self, path=(*self.path[:-1], place))
        return MenuStep(menu, self.settings)

    def _into(self, place: _Place) -> MenuStep:
        """Goes a page further, to the line of the value in force."""
        if place.kind in ("setting", "option", SUIT, RANK):
            items = self._items(place)
            current = self._current(place)
            place = replace(place, chosen=items.index(current) if current in items else 0)
        return MenuStep(replace(self, path=(*self.path, place)), self.settings)

    # -- what there is to choose -------------------------------------------------------------------------------------

    def _items(self, place: _Place) -> tuple[Any, ...]:
        match place.kind:
            case "top":
                return self._top_items
            case "about":
                return tuple(line for line, fact in ABOUT_LINES if self.about.get(fact) is not None)
            case "options":
                return tuple(option.name for option in self._kind_options)
            case "option":
                return self._option_values(place)
            case "score":
                return (*DIGITS, DONE)
            case "correct" | "suit" | "rank":
                return self._mend_items(place.kind)
            case "pits" | "rows" | "count":
                return self._pits_items(place)
            case "join":
                return (*DIGITS, DONE) if len(place.name) >= SHORTEST else DIGITS
        return self._values(place.name)

    def _option_values(self, place: _Place) -> tuple[Any, ...]:
        """What a house option can be."""
        option = next(option for option in self._kind_options if option.name == place.name)
        values = _listed(option, self._options[place.name])
        return tuple(value for value in values if self._can_be(place, value))

    def _mend_items(self, kind: str) -> tuple[Any, ...]:
        """The cards that can be corrected, the suits, or the cards of the suit that was chosen."""
        if kind == CORRECT:
            return self.laid
        if kind == SUIT:
            return tuple(dict.fromkeys(card if card == JOKER else suit_of(card) for card in self.pack))
        suit = suit_of(self.really) if is_card(self.really) else self.really
        return tuple(card for card in self.pack if card != JOKER and suit_of(card) == suit)

    def _pits_items(self, place: _Place) -> tuple[Any, ...]:
        """The sides, and that all is counted; the pits of a side; what becomes of a pit's seeds."""
        if place.kind == PITS:
            assert self.board is not None
            return (*PLAYERS, DONE) if self.counted != self.board.pits else PLAYERS
        if place.kind == COUNT:
            return MORE, LESS, DONE
        half = len(self.counted) // 2
        rows = range(half, 2 * half) if place.name == PLAYERS[0] else range(half - 1, -1, -1)
        return tuple((row, column) for row in rows for column in range(len(self.counted[row])))

    @property
    def _top_items(self) -> tuple[str, ...]:
        """The lines of the first page: what there is to do, the game and its rules, the device."""
        kind = self._kind
        seeds = kind is None or kind.grid is not None
        learns = (
            (HINT, self.hints),
            *((action, True) for action in self.learning),
        )
        plays = (
            (TEACH, self.teaches),
            (NEW_MATCH, True),
            (VOID_DEAL, self.dealt),
            (CORRECT, self.laid),
            (PITS, self.board is not None),
            (END_MATCH, self.running),
            (SCORE, self.score and self.running),
            ("game", True),
            ("against", seeds),
            ("device_begins", seeds and self.settings.against > 0),
            ("players", self.settings.game != AUTO),
            ("preset", kind is not None and bool(kind.presets)),
            ("options", bool(self._kind_options)),
            ("head_start", kind is not None),
            ("head_start_side", kind is not None and self.settings.head_start > 0),
        )
        there = (
            *learns,
            *(() if self.learning else plays),
            ("language", True),
            ("brightness", True),
            ("sound", True),
            (VOICE, True),
            (SHOW_PAGE, self.with_page or self.settings.broker),
            (FORGET_PHONES, self.with_page),
            (TRY_OUT, True),
            ("device_seat", kind is not None and kind.grid is None and not self.learning),
            (ABOUT, self.about),
            # Last, since it may come while the menu is open.
            (BROKER, self.settings.broker or self.brokers),
        )
        return tuple(name for name, shown in there if shown)

    def _values(self, name: str) -> tuple[Any, ...]:
        """What a setting can be."""
        match name:
            case "game":
                return AUTO, *GAMES
            case "against":
                return (0, *LEVELS)
            case "device_seat":
                return tuple(range(self._played.players + 1 if self._played is not None else 1))
            case "players":
                return player_numbers(self.settings)
            case "head_start" | "head_start_side" if self._played is not None:
                if name == "head_start":
                    return head_starts(self._played)
                return tuple(range(1, len(side_names(self._played, self.settings.language)) + 1))
            case "preset":
                return tuple(PRESETS)
            case "language":
                return LANGUAGES
            case "brightness":
                return tuple(sorted({*BRIGHTNESSES, self.settings.brightness}))
            case "voice":
                return HOW_MUCH
            case "broker":
                ours = [self.settings.broker] if self.settings.broker else []
                known = tuple(dict.fromkeys((*ours, *self.brokers)))
                return (NO_BROKER, *known, *([JOIN] if known else []))
        return (True, False)

    @property
    def _kind(self) -> GameKind | None:
        """The game that is played; None: nobody knows which it is."""
        return GAMES[self._played.game] if self._played is not None else None

    @property
    def _kind_options(self) -> tuple[Option, ...]:
        """The house options that the game has."""
        return self._kind.options if self._kind is not None else ()

    @property
    def _options(self) -> Mapping[str, OptionValue]:
        """Every house option of the game with the value in force."""
        assert self._played is not None
        return _house(self._played)

    def _can_be(self, place: _Place, value: Any) -> bool:
        """Whether the game that is played can be played with this option."""
        with_it = replace(self, settings=self._with(place, value))._played
        return with_it is not None and playable(with_it)

    def _current(self, place: _Place) -> object:
        if place.kind in (SUIT, RANK):
            assert self.mends is not None
            card = self.mends.card
            return card if place.kind == RANK or card is None or card == JOKER else suit_of(card)
        if place.name == BROKER:
            return self.settings.broker if self.settings.broker_on else NO_BROKER
        if place.name == VOICE:
            return self.settings.outputs.get(VOICE, OFF)
        return self._options[place.name] if place.kind == "option" else getattr(self.settings, place.name)

    def _with(self, place: _Place, value: Any) -> Settings:
        """The settings with what a page chose."""
        if place.kind == "option":
            assert self._played is not None
            return with_option(self.settings, self._played.game, place.name, value)
        if place.name == BROKER:
            return _on_broker(self.settings, str(value))
        if place.name == VOICE:
            return replace(self.settings, outputs={**self.settings.outputs, VOICE: value})
        return fitting(replace(self.settings, **{place.name: value}), self.settings)


def _on_broker(settings: Settings, broker: str) -> Settings:
    """The settings with the table on this broker, or on none. Another one than before is not told the password."""
    if broker == NO_BROKER:
        return replace(settings, broker_on=False)
    return replace(on_broker(settings, broker), broker_on=True)


def _house(settings: Settings) -> Mapping[str, OptionValue]:
    """Every house option of a game that is named, with the value in force."""
    return GAMES[settings.game].judge(settings.players, settings.house)[1]


def _listed(option: Option, current: OptionValue) -> tuple[OptionValue, ...]:
    """The values a list shows."""
    if len(option.values) <= MOST_VALUES:
        return option.values
    return tuple(sorted((value for value in option.values if value in ROUND or value == current), key=int))
