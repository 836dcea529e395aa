"""The live table: frames and presses in, a match that follows itself, and what there is to show. The loop's brain."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from device import words
from device.follow import Follower, Seen, follower_of
from device.menu import END_MATCH, NEW_MATCH, VOID_DEAL, Menu
from device.press import Press
from device.settings import Settings
from device.show import Cue, Prompt, Show
from engine.events import Choose, Confirm, Correct, Event, EventError, Undo, VoidDeal
from engine.match import Match
from engine.notices import ALERT, ASK, Notice
from vision.frame import Frame

log = logging.getLogger(__name__)
SENTENCES = 8
"""The last ones said that are kept for whoever shows them."""
CUES = {"trick": "trick", "deal_scored": "deal", "match_won": "won", "revoke": "alert"}
BY_BUTTON, BY_EYE = "button", "camera"


class Keeper(Protocol):
    """A match and where it is kept (device/journal.py)."""

    @property
    def match(self) -> Match:
        """The match."""

    @property
    def trouble(self) -> str | None:
        """Why the last event may not be on disk."""

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        """Judges and keeps an event. EventError: it cannot be."""

    def finish(self) -> bool:
        """Closes the match for good."""

    def close(self) -> bool:
        """Lets go of it; it can be resumed."""


@dataclass(frozen=True)
class _Choice:
    """What a question's answer leads to."""

    label: str
    event: Event | None
    """None: the next answers are offered."""


class LiveTable:
    """One table being followed. Called from one thread at a time."""

    def __init__(
        self,
        keeper: Keeper,
        settings: Settings,
        begin: Callable[[Settings], Keeper],
        save: Callable[[Settings], None] = lambda settings: None,
        watch: Callable[[Frame, Seen], None] | None = None,
        remarks: Sequence[str] = (),
        stop_after_match: bool = False,
    ) -> None:
        """begin starts a new match; save keeps changed settings; watch is told of every frame and what came of it."""
        self._keeper = keeper
        self._settings = settings
        self._begin, self._save, self._watch = begin, save, watch
        self._follower: Follower = follower_of(keeper.match, settings)
        self._menu: Menu | None = None
        self._troubles: tuple[str, ...] = ()
        self._sentences: tuple[str, ...] = tuple(remarks)
        self._unread: Notice | None = None
        self._offered = 0
        """How many answers of a long question were passed over."""
        self._cue: Cue | None = None
        self._stop_after_match = stop_after_match
        self._show = self._make_show()
        self.lying: Any = ()
        """The cards last seen on the table."""

    # -- the brain's side of the loop --------------------------------------------------------------------------------

    @property
    def show(self) -> Show:
        """What there is to show now."""
        return self._show

    @property
    def done(self) -> bool:
        """The match is won, and nothing else was asked for."""
        return self._stop_after_match and self.match.view.winner is not None

    @property
    def match(self) -> Match:
        """The match that goes on."""
        return self._keeper.match

    def see(self, frame: Frame) -> None:
        """Looks at a frame."""
        seen = self._follower.see(frame, self.match, self._add)
        for why in seen.refused:
            log.info("not an event: %s", why)
        if seen.lying is not None:
            self.lying = seen.lying
        if self._watch is not None:
            self._watch(frame, seen)
        self._changed()

    def press(self, press: Press) -> None:
        """A button was pressed."""
        if self._menu is not None:
            if not press.repeat:
                self._in_menu(press)
        elif press.button == "B" and (press.long or press.repeat):
            self._undo()
        elif press.button == "C" and press.long:
            self._menu = Menu.open(self._settings, self.match.view.to_dict())
        elif not press.repeat:
            self._answer_or_act(press.button)
        self._changed(pressed=True)

    def trouble(self, code: str, present: bool) -> None:
        """Something is amiss, or well again."""
        others = tuple(one for one in self._troubles if one != code)
        self._troubles = (*others, code) if present else others
        if present:
            self._sound("trouble")
        self._changed()

    def close(self) -> None:
        """Lets go of the match; it can be resumed."""
        self._keeper.close()

    # -- events ------------------------------------------------------------------------------------------------------

    def _add(self, event: Event, by: str = BY_EYE) -> list[Notice]:
        notices = self._keeper.add(event, by)
        self._offered = 0
        for notice in notices:
            self._sentences = (*self._sentences, self._sentence(notice.to_dict()))[-SENTENCES:]
            if notice.code == "unreadable":
                self._unread = notice
        for notice in notices:
            name = CUES.get(notice.code)
            if notice.level == ALERT:
                name = "alert"
            elif notice.level == ASK:
                name = "question"
            if name:
                self._sound(name)
        return notices

    def _undo(self) -> None:
        try:
            self._add(Undo(), BY_BUTTON)
        except EventError:
            return  # Nothing is left to take back.
        self._follower.undone(self.match)

    def _answer_or_act(self, button: str) -> None:
        choices = self._choices()
        place = "ABC".index(button)
        if place < len(choices):
            chosen = choices[place]
            if chosen.event is None:
                self._offered += len(choices) - 1
                return
            try:
                self._add(chosen.event, BY_BUTTON)
            except EventError as error:
                log.info("an answer too late: %s", error)
            return
        if button == "B":
            self._undo()
        elif button == "C":
            self._menu = Menu.open(self._settings, self.match.view.to_dict())

    # -- questions ---------------------------------------------------------------------------------------------------

    def _choices(self) -> tuple[_Choice, ...]:
        """What the buttons mean now; empty: nothing is asked."""
        view = self.match.view
        if view.question is not None:
            asked = view.question
            number = int(asked["question"])
            return self._three([_Choice(self._answer(one), Choose(number, one)) for one in asked["choices"]])
        unread = self._still_unread()
        if unread is not None:
            number = int(unread.facts["number"])
            cards = [str(card) for card in unread.facts["candidates"]]
            return self._three(
                [_Choice(words.card_sign(card), Correct(number, {"card": card, "confidence": 1.0})) for card in cards]
            )
        if view.alert is not None and "number" in view.alert:
            labels = self._words["prompts"]
            return (_Choice(labels["seen"], Confirm(int(view.alert["number"]))), _Choice(labels["undo"], Undo()))
        return ()

    def _three(self, choices: list[_Choice]) -> tuple[_Choice, ...]:
        """As many as there are buttons; of more, the last leads on to the others."""
        if len(choices) <= 3:
            return tuple(choices)
        start = self._offered % len(choices)
        return (*choices[start : start + 2], _Choice(self._words["prompts"]["others"], None))

    def _still_unread(self) -> Notice | None:
        """The card that could not be read, as long as it lies there so."""
        if self._unread is None:
            return None
        number = self._unread.facts["number"]
        view = self.match.view
        for one in (*(view.trick or ()), *(view.beside or ())):
            if one["number"] == number and (one["card"] is None or one.get("sure") is False):
                return self._unread
        self._unread = None
        return None

    def _prompt(self) -> Prompt | None:
        choices = self._choices()
        if not choices:
            return None
        view = self.match.view
        answers = tuple(one.label for one in choices)
        if view.question is not None:
            return Prompt(self._sentence({"notice": "question", "level": ASK, **view.question}), answers)
        if self._unread is not None:
            return Prompt(self._sentence(self._unread.to_dict()), answers)
        return Prompt(self._sentence(view.alert or {}), answers)

    def _answer(self, choice: str) -> str:
        return words.choice_name(choice, self._settings.language, self.match.header.seats)

    # -- the menu ----------------------------------------------------------------------------------------------------

    def _in_menu(self, press: Press) -> None:
        assert self._menu is not None
        step = self._menu.press(press.button)
        if step.settings != self._settings:
            self._settings = step.settings
            self._save(step.settings)
        self._menu = step.menu
        if step.action == VOID_DEAL:
            try:
                self._add(VoidDeal(), BY_BUTTON)
            except EventError as error:
                log.info("no deal to void: %s", error)
        elif step.action in (NEW_MATCH, END_MATCH):
            self._keeper.finish()
            self._keeper = self._begin(self._settings)
            self._follower = follower_of(self._keeper.match, self._settings)
            self._sentences, self._unread = (), None

    # -- what to show ------------------------------------------------------------------------------------------------

    @property
    def _words(self) -> Mapping[str, Any]:
        return words.table(self._settings.language)

    def _sentence(self, notice: Mapping[str, Any]) -> str:
        return words.sentence(notice, self._settings.language, self.match.header.seats)

    def _sound(self, name: str) -> None:
        self._cue = Cue((self._cue.number if self._cue else 0) + 1, name)

    def _changed(self, pressed: bool = False) -> None:
        """A new show if there is anything new to show."""
        if pressed and (self._show.cue is self._cue):
            self._sound("press")
        new = self._make_show()
        if new != self._show:
            self._show = new

    def _make_show(self) -> Show:
        view = self.match.view
        alert = None
        if view.alert is not None:
            alert = self._sentence({"level": ALERT, **view.alert})
        kept = (self._keeper.trouble,) if self._keeper.trouble else ()
        situation = self._follower.situation
        if view.doubt == "sowing" and situation == "looking":
            situation = "sowing"
        return Show(
            view=view.to_dict(),
            language=self._settings.language,
            seats=tuple(self.match.header.seats),
            sentences=self._sentences,
            alert=alert,
            prompt=self._prompt(),
            situation=situation,
            troubles=(*kept, *self._troubles),
            page=self._menu.page if self._menu else None,
            cue=self._cue,
            brightness=self._settings.brightness,
            sound=self._settings.sound,
        )


class InMemory:
    """A match that is kept nowhere: for the demo and for replays."""

    trouble: str | None = None

    def __init__(self, match: Match) -> None:
        self.match = match

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        """Judges an event."""
        return self.match.add(event)

    def finish(self) -> bool:
        """Nothing to close."""
        return True

    def close(self) -> bool:
        """Nothing to close."""
        return True
