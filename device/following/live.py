"""The live table: frames and presses in, a match that follows itself, and what there is to show. The loop's brain."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from device import words
from device.following.aim import Aim
from device.following.auto import GAME, AutoFollower, GameAsked, GameFound, NotYet
from device.following.card_lesson import CardLesson
from device.following.facts import best_counts, facts_of, laid_in_this_deal, turned_up_in_this_deal
from device.following.follow import CardFollower, Follower, FrameSeen, follower_of
from device.following.keeper import Keeper
from device.following.lessons import LessonTable, teaches
from device.following.menu import (
    ASIDES,
    CORRECT,
    END_MATCH,
    FORGET_PHONES,
    HINT,
    JOIN,
    NEW_MATCH,
    NEXT_LEARNER,
    PITS,
    SCORE,
    SHOW_PAGE,
    SKIP_LESSON,
    STOP_LESSONS,
    TEACH,
    TRY_OUT,
    VOICE,
    VOID_DEAL,
    CorrectableBoard,
    CorrectableCard,
    Menu,
    MenuStep,
)
from device.following.opponent import DevicePlayer, opponent_of
from device.following.picture_watch import PictureWatch
from device.following.press import Press
from device.following.show import EVERYTHING, OFF, Cue, Happening, Invite, Lying, Prompt, Show, Untold
from device.keeping.looks import FirstDeal
from device.keeping.settings import AUTO, SEATING, Settings
from engine.cards import Card
from engine.errors import GameError
from engine.events import (
    OTHER_GAME,
    Board,
    Choose,
    Confirm,
    Correct,
    Deal,
    Event,
    EventError,
    Play,
    Redo,
    SetScore,
    TakenBack,
    Undo,
    VoidDeal,
    event_to_dict,
    parse_event,
)
from engine.games import GAMES
from engine.match import Header, Match
from engine.notices import ALERT, ASK, INFO, YES, Notice
from engine.referee.card_game import CardJudge
from engine.sightings import TableLook
from engine.view import View
from vision.frame import Frame, Image

log = logging.getLogger(__name__)
UNFOUND = ("board_lost", "board_unsure", "two_boards")
"""Situations in which no board is followed."""
SENTENCES = 8
"""The last ones said that are kept for whoever shows them."""
HAPPENED = 32
"""So many things that happened are kept for who says them on: more than a deal brings while one sentence is spoken."""
LOOK, REFUSED = {"event": "look"}, "refused"
"""Somebody asks what lies there; what was asked for cannot be."""
CUES = {"trick": "trick", "deal_scored": "deal", "match_won": "won", "revoke": "alert"}
TRY_S = 4.0
"""Long enough to look at every lamp."""
FIRST_HEARD = ("alert", "question", "won", "deal", "trouble", "trick", "press")
"""Of several sounds at once only the first of these is made."""
ASIDE = "aside"
"""In place of an event: what was said belongs to no match."""
BY_BUTTON, BY_EYE, BY_DEVICE = "button", "camera", "device"
MISREAD = "misread"
"""The answer to an alert: what it tells of never happened."""
THINKER = "thinker_away"
"""The trouble of a device that plays itself and cannot think."""
HAND_SHORT = "hand_short"
"""The trouble where not all the cards of an open hand are seen."""


class TooLate(ValueError):
    """What was answered is not asked any more; or what was to be taken back is not the last any more."""


@dataclass(frozen=True)
class _Choice:
    """What a question's answer leads to."""

    label: str
    event: Event | None
    """None, and no game either: the next answers are offered."""
    game: GameFound | None = None
    """What is played, where that is asked."""
    code: str | Mapping[str, Any] = ""
    """The answer as the question has it, for whoever says it in another language."""


def _played_as(header: Header) -> tuple[object, ...]:
    """What a follower needs to know of a match."""
    return header.game, header.players, dict(header.options), header.against


def _lying_open(view: View) -> tuple[Any, ...]:
    """The cards of the trick, and those beside it."""
    return *(view.trick or ()), *(view.beside or ())


class LiveTable:
    """One table being followed. Called from one thread at a time."""

    def __init__(
        self,
        keeper: Keeper,
        settings: Settings,
        begin: Callable[[Settings], Keeper],
        save: Callable[[Settings], None] = lambda settings: None,
        watch: Callable[[Frame, FrameSeen], None] | None = None,
        remarks: Sequence[str] = (),
        stop_after_match: bool = False,
        follower: Callable[[Match, Settings], Follower] = follower_of,
        looks: FirstDeal | None = None,
        last: Header | None = None,
        auto: Callable[..., AutoFollower] = AutoFollower,
        opponent: Callable[[Match], DevicePlayer | None] = opponent_of,
    ) -> None:
        """begin starts a new match; save keeps changed settings; watch is told of every frame and what came of it.

        follower makes who follows a match, and auto who follows one of which nobody said what it is; looks keeps what
        that one sees; last: what was played last; opponent: who plays against the people of a match.
        """
        self._keeper = keeper
        self._settings = settings
        self._begin, self._save, self._watch = begin, save, watch
        self._follower_of, self._auto = follower, auto
        self._looks, self._last = looks or FirstDeal(), last
        self._lessons: LessonTable | CardLesson | None = None
        self._aside: tuple[Keeper, Follower] | None = None
        """The match that waits while there are lessons, and who follows it."""
        self._follower = self._make_follower()
        self._opponent_of = opponent
        self._opponent = None if self.finding else opponent(keeper.match)
        self._open_hand: frozenset[Card] = frozenset()
        """The cards that lie open before the device."""
        self._menu: Menu | None = None
        self._hint_asked: int | None = None
        """How long the match was when somebody asked what to play."""
        self._untold: tuple[Untold, ...] = ()
        self._lying: tuple[Lying, ...] = ()
        self._troubles: tuple[str, ...] = ()
        self._pictures = PictureWatch()
        self._sentences: tuple[str, ...] = tuple(remarks)
        self._happened: tuple[Happening, ...] = ()
        self._notices: tuple[Mapping[str, Any] | None, ...] = (None,) * len(self._sentences)
        self._unread = self._find_unread()
        self._offered = 0
        """How many answers of a long question were passed over."""
        self._invite: Invite | None = None
        self._cue: Cue | None = None
        self._pressed: list[Press] = []
        """Since the last frame."""
        self._sounds: list[str] = []
        """What was heard since the last show."""
        self.page_asked: Callable[[str], None] | None = None
        """What the menu asks of the page (SHOW_PAGE, FORGET_PHONES), where there is one; it must not wait."""
        self.hall_asked: Callable[[], None] | None = None
        """The menu lets a hall in where there is no page; it must not wait."""
        self.brokers_nearby: Callable[[], Sequence[str]] = lambda: ()
        """Asked for the menu's list; it must not wait."""
        self.about: Callable[[], Mapping[str, object]] = dict
        """What the menu tells of the device; it must not wait."""
        self.joined: Callable[[Settings, str], Settings] | None = None
        """The settings of a table that joins its broker by a code. ValueError: it is none."""
        self.renewed: Callable[[Settings], Settings] = lambda settings: settings
        """The settings with the names that are kept now: `hisabu matches forget` may have taken one out."""
        self._borrower: Callable[[Frame], None] | None = None
        self._trying_until_s: float | None = None
        """Lamps and sound are tried: as long as that, by the clock of the frames; 0: from the next frame on."""
        self._stop_after_match = stop_after_match
        self._facts = facts_of(keeper.match)
        self._log_owed(BY_BUTTON)
        self._show = self._make_show()

    # -- the brain's side of the loop --------------------------------------------------------------------------------

    @property
    def show(self) -> Show:
        """What there is to show now."""
        return self._show

    @property
    def done(self) -> bool:
        """The match is won, and nothing else was asked for."""
        return self._stop_after_match and self._lessons is None and self.match.view.winner is not None

    @property
    def match(self) -> Match:
        """The match that goes on."""
        return self._keeper.match

    def see(self, frame: Frame) -> None:
        """Looks at a frame."""
        if self._trying_until_s is not None:
            self._trying_until_s = self._trying_until_s or frame.at_s + TRY_S
            if frame.at_s > self._trying_until_s:
                self._trying_until_s = None
        if self._borrower is not None:
            if not frame.late:
                self._borrower(frame)
            if self._watch is not None:
                self._watch(frame, FrameSeen(pressed=tuple(self._pressed)))
            self._pressed.clear()
            self._changed()
            return
        self._follow_the_named()
        asked = self._asked_game()
        seen = self._follower.see(frame, lambda: self.match, self._add)
        if self._asked_game() not in (None, asked):
            self._sound("question")
        for why in seen.refused:
            log.info("not an event: %s", why)
        self._open_hand = seen.hand
        self._device_plays()
        if self._lessons is not None:
            self._hand_is_short(self._lessons.short)
            if self._lessons.over:
                self._end_lessons()
        self._untold, self._lying = seen.untold, seen.places
        readable = not frame.late and (seen.looked or self._follower.situation in UNFOUND)
        for code, present in self._pictures.troubles(frame, readable, self.aim, cards=bool(seen.lying)):
            self.trouble(code, present)
        if self._watch is not None:
            self._watch(frame, replace(seen, pressed=tuple(self._pressed)))
        self._pressed.clear()
        self._changed()

    def _follow_the_named(self) -> None:
        """The match is over and the house has named a card game since: that one is followed, no other looked for."""
        named = self._settings.game
        looked_for = isinstance(self._follower, AutoFollower) and not self.finding
        if looked_for and named != AUTO and not GAMES[named].grid and self.match.view.phase == "match_over":
            self._follower = self._make_follower()

    def add(self, *events: Event) -> None:
        """Takes in what happened at the table without a camera that saw it. EventError: that cannot have happened."""
        for event in events:
            self._add(event)
        self._changed()

    def press(self, press: Press) -> None:
        """A button was pressed."""
        self._pressed.append(press)
        self._trying_until_s = None
        if press.button == "A" and press.long:
            if not press.repeat:
                self._speak_or_not()
        else:
            self._pressed_now(press)
        self._changed(pressed=True)

    def _pressed_now(self, press: Press) -> None:
        """What a button means now."""
        if self._menu is not None:
            if not press.repeat:
                self._in_menu(press)
        elif self._invite is not None and self._asked() is None:
            if not press.repeat:  # It makes way for what comes after it: the page's address, then the game again.
                self._invite = replace(self._invite, wifi=None) if self._invite.wifi else None
        elif press.button == "B" and (press.long or press.repeat):
            self._undo()
        elif press.button == "C" and press.long:
            self._open_menu()
        elif not press.repeat:
            self._answer_or_act(press.button)

    def _speak_or_not(self) -> None:
        """Everything is said aloud from now on, or nothing: for who cannot read the menu."""
        spoke = self._settings.sound and self._settings.outputs.get(VOICE) == EVERYTHING
        outputs = {**self._settings.outputs, VOICE: OFF if spoke else EVERYTHING}
        self._keep_settings(replace(self._settings, outputs=outputs, sound=True))

    def _keep_settings(self, settings: Settings) -> None:
        """These hold from now on, in a menu that is open too."""
        self._settings = settings
        self._save(settings)
        self._renew()

    def _renew(self) -> None:
        """Names that were changed where the settings are kept are changed here too."""
        self._settings = self.renewed(self._settings)
        if self._menu is not None:
            self._menu = replace(self._menu, settings=self._settings)

    def trouble(self, code: str, present: bool) -> None:
        """Something is amiss, or well again."""
        if present != (code in self._troubles):
            others = tuple(trouble for trouble in self._troubles if trouble != code)
            self._troubles = (*others, code) if present else others
            if present:
                self._sound("trouble")
        self._changed()

    def _device_plays(self) -> None:
        """Where the device plays a side itself: it asks for its turn, once it has thought."""
        if self._opponent is None:
            return
        if self._hint_asked is not None and self._hint_asked != len(self.match.log):
            self._hint_asked = None  # It came too late.
        if self._hint_asked is not None:
            self._give_hint(self._opponent.hint(self.match))
            return
        turn = self._opponent.turn(self.match, self._open_hand)
        if turn is not None:
            self._add(turn, BY_DEVICE)
            self._sound("question")
        if self._opponent.away != (THINKER in self._troubles):
            log.warning("the device's thinking %s", "broke off" if self._opponent.away else "goes on")
            self.trouble(THINKER, self._opponent.away)
        self._hand_is_short(self._opponent.short)

    def _hand_is_short(self, short: bool) -> None:
        if short != (HAND_SHORT in self._troubles):
            self.trouble(HAND_SHORT, short)

    def _give_hint(self, key: str | None) -> None:
        """Says what to play, once it is known. It is no part of the match."""
        if key is not None:
            self._hint_asked = None
            self._say_aside({"notice": "hint", "key": key})

    def _say_aside(self, told: Mapping[str, Any]) -> None:
        """Says what is no part of the match."""
        notice = {"level": INFO, **told}
        self._tell({"event": ASIDE}, (notice,))
        self._sound("question")
        self._sentences = (*self._sentences, self._sentence(notice))[-SENTENCES:]
        self._notices = (*self._notices, notice)[-SENTENCES:]

    def close(self) -> None:
        """Lets go of the match; it can be resumed."""
        if isinstance(self._follower, AutoFollower):
            self._follower.drain(lambda: self.match, self._add)
        self._end_lessons()
        self._seat(None)
        self._keeper.close()
        self._looks.close()

    # -- which game --------------------------------------------------------------------------------------------------

    @property
    def finding(self) -> bool:
        """Nobody knows yet which game is played."""
        return isinstance(self._keeper, NotYet)

    @property
    def played(self) -> tuple[str, int] | None:
        """The game that goes on, and by how many; None: nobody knows yet."""
        return None if self.finding else (self.match.header.game, self.match.header.players)

    def _make_follower(self) -> Follower:
        """Who follows what is played now."""
        if self._settings.game != AUTO:
            return self._follower_of(self.match, self._settings)
        match = None if self.finding else self.match
        return self._auto(self._settings, match, self._looks, self._last, self._game_found)

    def _begin_match(self) -> Keeper:
        """A match as the settings have it; under auto there is none before it is known which."""
        self._renew()
        if self._settings.game == AUTO:
            return NotYet(self._settings, self._last)
        return self._begin(self._settings)

    def _game_found(self, found: GameFound) -> None:
        """It turned out what is played: that match begins. One that was thought to be another game is none."""
        self._put_away()
        self._renew()
        self._keeper = self._begin(found.settings(self._settings))
        self._show_anew()
        players = None if GAMES[found.game].grid else found.players
        notice = {"notice": "game_found", "game": found.game, "players": players}
        self._sentences, self._notices = (self._sentence(notice),), (notice,)

    def _put_away(self) -> None:
        """The match that went on is over, or was none."""
        if self.match.view.phase == "match_over":
            self._keeper.finish()
        else:
            self._keeper.mistaken()

    def _game_said(self, found: GameFound) -> None:
        """A person said what is played."""
        assert isinstance(self._follower, AutoFollower)
        before = self.match
        if found.options:
            said = replace(found.settings(self._settings), game=AUTO, players=self._settings.players)
            self._keep_settings(said)
            self._follower.settings = self._settings
        self._follower.say(found)
        if GAMES[found.game].grid is not None:
            for event in before.log:  # A board is what it is, whatever its rules.
                try:
                    self._add(event)
                except EventError as error:
                    log.info("not under these rules: %s", error)

    def _named_by_hand(self, follower: AutoFollower) -> None:
        """A game was named while the first deal went on: all that was seen of it is judged again."""
        seen = follower.judged_as(self._settings)
        self._put_away()
        self._renew()
        self._keeper = self._begin(self._settings)
        self._show_anew()
        for event in seen.match.log:
            self._add(event)
        self._follower = CardFollower(self.match, self._settings, follower.eye, seen.table)
        self._looks.clear()

    def _side_names(self) -> tuple[str, ...]:
        """What each side is called, in its order."""
        header, sides = self.match.header, self.match.view.sides or ()
        return words.side_names(header.game, sides, self._settings.language, header.seats)

    def _told_of(self, error: GameError) -> None:
        """Why what was asked for cannot be."""
        said = words.in_words(error, self._settings.language)
        self._sentences, self._notices = (*self._sentences, said)[-SENTENCES:], (*self._notices, None)[-SENTENCES:]
        self._tell({"event": REFUSED, "error": error})

    def _open_menu(self) -> None:
        view = {} if self.finding else self.match.view.to_dict()
        sides = self._side_names() if view else ()
        language, seats = self._settings.language, self.match.header.seats
        laid = [
            CorrectableCard(told.number, told.event.card, words.seat_name(seat, language, seats))
            for told, seat in laid_in_this_deal(self.match)
            if isinstance(told.event, Play)
        ]
        laid += [
            CorrectableCard(told.number, card, words.say(language, "menu-turned_up"), field)
            for told, field, card in turned_up_in_this_deal(self.match)
        ]
        hints = self._opponent is not None and self._opponent.hints
        menu = Menu.open(
            self._settings, view, self.page_asked is not None, self.about(), sides, hints,
            laid if view else (), self._facts.get("pack", ()), self._last_board(),
        )  # fmt: skip
        learning = () if self._lessons is None else self._lessons.actions
        self._menu = replace(menu, teaches=self.teaches, learning=learning)

    def _last_board(self) -> CorrectableBoard | None:
        """The last board that was seen."""
        for told in reversed(() if self.finding else self.match.told):
            if isinstance(told.event, Board):
                pits = tuple(tuple(count or 0 for count in row) for row in best_counts(told.event))
                return CorrectableBoard(told.number, pits, tuple(self.match.header.seats))
        return None

    # -- events ------------------------------------------------------------------------------------------------------

    def _add(self, event: Event, by: str = BY_EYE) -> list[Notice]:
        if isinstance(event, Deal) and self._lessons is None and self.match.view.phase == "match_over":
            self._deal_anew()
        notices = self._keeper.add(event, by)
        self._offered, self._untold = 0, ()
        told = tuple(notice.to_dict() for notice in notices)
        self._tell(event_to_dict(event), told, seat_of(event, self.match))
        for said in told:
            self._sentences = (*self._sentences, self._sentence(said))[-SENTENCES:]
            self._notices = (*self._notices, said)[-SENTENCES:]
        self._unread = self._find_unread()
        self._facts = facts_of(self.match)
        for notice in notices:
            name = CUES.get(notice.code)
            if notice.level == ALERT:
                name = "alert"
            elif notice.level == ASK:
                name = "question"
            if name:
                self._sound(name)
        return notices

    def _tell(
        self, event: Mapping[str, Any], notices: tuple[Mapping[str, Any], ...] = (), seat: int | None = None
    ) -> None:
        """It happened, for who says it on."""
        number = self._happened[-1].number + 1 if self._happened else 1
        self._happened = (*self._happened, Happening(number, event, notices, seat))[-HAPPENED:]

    def _deal_anew(self) -> None:
        """The deal after a won match is the first of another. EventError: of one that is to be played otherwise."""
        before = self.match.header
        self._new_match(keep_follower=True)
        if isinstance(self._follower, AutoFollower) and self.finding:
            return
        if self.finding or _played_as(self.match.header) != _played_as(before):
            # What the old follower took for a deal, the new one looks at with its own eyes.
            self._follower = self._make_follower()
            raise EventError("other_game")

    def _new_match(self, keep_follower: bool = False, looks: Collection[TableLook] = ()) -> None:
        """looks: those of its first deal so far."""
        self._end_lessons()
        follower, named = self._follower, self._settings.game
        if isinstance(follower, AutoFollower) and follower.undecided and named != AUTO and not GAMES[named].grid:
            self._named_by_hand(follower)
            return
        if not self.finding:
            self._last = self.match.header
        self._keeper.finish()
        self._looks.clear()
        if looks:
            self._looks.keep(*looks)
        self._keeper = self._begin_match()
        if not keep_follower:
            self._follower = self._make_follower()
        self._show_anew()

    def _seat(self, opponent: DevicePlayer | None) -> None:
        """This one plays from now on, and no other."""
        if self._opponent is not None:
            self._opponent.close()
        self._opponent = opponent
        self._troubles = tuple(trouble for trouble in self._troubles if trouble not in (THINKER, HAND_SHORT))

    def _show_anew(self) -> None:
        """Another match is shown, of which nothing was said yet: a menu that is open tells of the one before."""
        self._menu = None
        self._seat(None if self.finding else self._opponent_of(self.match))
        self._sentences, self._notices = (), ()
        self._read_anew()

    def _read_anew(self) -> None:
        """What there is to ask and to show of the match is found anew: it may be another."""
        self._unread, self._offered = self._find_unread(), 0
        self._untold, self._lying = (), ()
        self._facts = facts_of(self.match)

    def _undo(self, by: str = BY_BUTTON) -> bool:
        """Takes back the last thing that is shown. False: nothing is left to take back, or in a lesson nothing is."""
        if self._lessons is not None and not self._lessons.takes_back:
            return False
        shown = () if self.finding else self._not_told(self.match.view)
        if shown and not self._log_shown(shown):
            self._untold = ()
            self._follower.undone(self.match)
            return True
        try:
            self._add(Undo(), by)
            if self.match.answer_hangs:
                self._add(Undo(), by)  # With what an answer stood for goes the answer: it is asked again.
        except EventError:
            return False
        self._follower.undone(self.match)
        return True

    def _log_shown(self, shown: Sequence[Untold]) -> bool:
        """What was shown paler is logged, so that the last of it can be taken back. False: it would accuse somebody, or
        cannot be; nothing is logged."""
        plays = [Play(untold.card, untold.seat, order_sure=False) for untold in shown]
        said = self.match.foresee(*plays)
        if not said or any(notice.level == ALERT for notices in said for notice in notices):
            return False
        for play in plays:
            self._add(play)
        return True

    def _log_owed(self, by: str) -> None:
        """What the last answer stands for and is not in the log yet: it was just given, or the power went after it."""
        for event in self.match.owed:
            try:
                self._add(event, by)
            except EventError as error:
                log.info("an answer that cannot be: %s", error)
                return

    # -- from afar ---------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """As they are now."""
        return self._settings

    @property
    def path(self) -> Path | None:
        """Where the match that goes on is kept; None: nowhere."""
        return getattr(self._keeper, "path", None)

    def answer(self, key: str, answer: int, by: str) -> None:
        """An answer to what is asked, one of Prompt.every. TooLate: it is not asked any more."""
        asked = self._asked()
        if asked is None or asked[0] != key:
            raise TooLate(key)
        if not 0 <= answer < len(asked[2]):
            raise GameError("no_answer", answer=answer)
        self._take(asked[2][answer], by)
        self._changed(pressed=True)

    def correct(self, number: int, changes: Mapping[str, Any], by: str) -> None:
        """An event was not as it was read. EventError: it cannot be so."""
        self._add(Correct(number, changes), by)
        self._follower.undone(self.match)
        self._changed(pressed=True)

    def set_score(self, points: Sequence[int | None], reason: str, by: str) -> None:
        """The score is set right by hand, side by side. EventError: it cannot be that."""
        event = parse_event({"event": "score", "points": list(points), "reason": reason})
        assert isinstance(event, SetScore)
        self.match.check_score(event.points)
        self._add(event, by)
        self._changed(pressed=True)

    def undo(self, since: int | None, by: str, events: int | None = None) -> None:
        """Takes the last thing back, or with since that event and all after it. events: how many there were when
        somebody decided so. EventError: there is no such event. TooLate: something else was the last by then."""
        self._be_in_time(events)
        if since is not None and all(told.number != since for told in self.match.told):
            raise EventError("gone_event", event=since)
        taken = self._undo(by)
        while taken and since is not None and any(told.number >= since for told in self.match.told):
            taken = self._undo(by)
        self._changed(pressed=True)

    def _be_in_time(self, events: int | None) -> None:
        """events: how many there were when somebody decided; None: nobody said. TooLate: it is another number now."""
        if events is not None and events != len(self.match.log):
            raise TooLate(events)

    def redo(self, by: str, events: int | None = None) -> None:
        """Brings back what was taken back last. events: as of `undo`. EventError, TooLate: something else followed."""
        self._be_in_time(events)
        self._add(Redo(), by)
        if self.match.answer_hangs and self.match.can_redo:
            self._add(Redo(), by)
        self._follower.undone(self.match)
        self._changed(pressed=True)

    def change(self, settings: Settings) -> None:
        """The house decided otherwise. What decides a match holds from the next on; where people sit, at once."""
        before = self._settings
        self._keep_settings(settings)
        if any(getattr(before, name) != getattr(settings, name) for name in (*SEATING, "deck")):
            self._end_lessons()
            self._follower = self._make_follower()
        if before.game != settings.game and self.finding:
            self._new_match()
        self._changed(pressed=True)

    def act(self, action: str, by: str) -> None:
        """One of the menu's actions. EventError: there is no deal that could be void."""
        if action == VOID_DEAL:
            self._add(VoidDeal(), by)
            self._follower.undone(self.match)  # What lies there is no part of the next one.
        elif action in (NEW_MATCH, END_MATCH):
            self._new_match()
        elif action == TRY_OUT:
            self.try_out()
            return
        elif action in ASIDES:
            self._do_aside(action)
        self._changed(pressed=True)

    def _do_aside(self, action: str) -> None:
        """What is no part of the match: a hint, and lessons."""
        if action == HINT:
            self.hint()
        elif action == TEACH:
            self.teach()
        elif self._lessons is not None:
            lessons = self._lessons
            {SKIP_LESSON: lessons.skip, NEXT_LEARNER: lessons.skip, STOP_LESSONS: lessons.stop}[action]()
            self._read_anew()
            if lessons.over:
                self._end_lessons()

    @property
    def teaches(self) -> bool:
        """Whether there are lessons in what is played."""
        return not self.finding and teaches(self.match)

    def teach(self) -> None:
        """Lessons begin; the match waits. Nothing happens where there are none."""
        if self._lessons is not None or not self.teaches:
            return
        self._aside = self._keeper, self._follower
        if isinstance(self.match.judge, CardJudge):
            self._lessons = CardLesson(self.match, self._settings, self._say_aside, self._follower_of)
        else:
            self._lessons = LessonTable(self.match, self._settings, self._say_aside)
        self._keeper = self._follower = self._lessons
        self._show_anew()
        self._lessons.skip()

    def _end_lessons(self) -> None:
        """The match goes on that waited, if there are lessons."""
        if self._lessons is None or self._aside is None:
            return
        said, lessons = (self._sentences, self._notices), self._lessons
        lessons.close()
        (self._keeper, self._follower), self._lessons, self._aside = self._aside, None, None
        if isinstance(lessons, CardLesson):  # What its eyes saw last lies there no more.
            self._follower = self._make_follower()
        self._show_anew()
        self._sentences, self._notices = said

    def hint(self) -> None:
        """Somebody who plays against the device, or learns, asks what to play: it is said once it is known."""
        if self._lessons is not None:
            self._lessons.hint()
            return
        position, against = self.match.to_think, self.match.header.against
        own = against is not None and position is not None and position.to_move == against.side
        asks = self._opponent is not None and self._opponent.hints and not own
        self._hint_asked = len(self.match.log) if asks else None

    def aim(self, image: Image) -> Aim:
        """What was seen last, to be drawn over a picture."""
        return self._follower.aim(image)

    def lend(self, to: Callable[[Frame], None] | None) -> None:
        """The frames go there and not into the game; None: into the game again, whatever lies there now."""
        self._borrower = to
        if to is None:
            self._end_lessons()
            self._follower = self._make_follower()

    def invite(self, invite: Invite | None) -> None:
        """How to get at the page, for the displays; None: not any more."""
        self._invite = invite
        self._changed()

    def try_out(self) -> None:
        """Every lamp shines and a tune sounds, until a press or for a few seconds."""
        self._trying_until_s = 0.0
        self._sound("won")
        self._changed()

    def _answer_or_act(self, button: str) -> None:
        choices = self._choices()
        place = "ABC".index(button)
        if place < len(choices):
            chosen = choices[place]
            if chosen.event is None and chosen.game is None:
                self._offered += len(choices) - 1
                return
            try:
                self._take(chosen, BY_BUTTON)
            except EventError as error:
                log.info("an answer too late: %s", error)
            return
        if button == "A":
            self._tell(LOOK)
        elif button == "B":
            self._undo()
        elif button == "C":
            self._open_menu()

    def _take(self, chosen: _Choice, by: str) -> None:
        """Does what an answer leads to."""
        if chosen.game is not None:
            self._game_said(chosen.game)
            return
        assert chosen.event is not None
        if isinstance(chosen.event, Undo):
            self._undo(by)
            return
        asked = self.match.view.question
        self._add(chosen.event, by)
        self._log_owed(by)
        if chosen.code == MISREAD:
            self._follower.undone(self.match)
        if asked is not None and isinstance(chosen.event, Choose):
            self._follower.answered(asked["about"], chosen.event.answer)
            if (asked["about"], chosen.event.answer) == (OTHER_GAME, YES):
                self._find_other_game()

    def _find_other_game(self) -> None:
        """Somebody said that another game is played by now: the device finds out which."""
        follower = self._follower
        looks = follower.deal_looks if isinstance(follower, (AutoFollower, CardFollower)) else ()
        if self._settings.game != AUTO:
            self._keep_settings(replace(self._settings, game=AUTO))
        self._new_match(looks=looks)

    # -- questions ---------------------------------------------------------------------------------------------------

    def _choices(self) -> tuple[_Choice, ...]:
        """What the buttons mean now; empty: nothing is asked."""
        asked = self._asked()
        return self._three(asked[2]) if asked else ()

    def _asked(self) -> tuple[str, str, list[_Choice]] | None:
        """What is asked, by a key and in words, and every answer."""
        asked = self._asked_game()
        if asked is not None:
            return self._game_choices(asked)
        view = self.match.view
        if view.question is not None and not (view.question.facts.get("late") and self._asked_of_this_deal(view)):
            text = self._sentence({"notice": "question", "level": ASK, **view.question})
            number = int(view.question["question"])
            choices = [
                _Choice(self._answer(choice), Choose(number, choice), code=choice)
                for choice in view.question["choices"]
            ]
            return f"question {number} {view.question['about']}", text, choices
        if self._unread is not None:
            number = int(self._unread.facts["number"])
            readings = [
                (card, {"card": card, "confidence": 1.0}) for card in map(str, self._unread.facts["candidates"])
            ]
            choices = [
                _Choice(words.card_sign(card, self.settings.language), Correct(number, changes), code=card)
                for card, changes in readings
            ]
            if view.trick and view.trick[-1]["number"] == number:
                choices.append(_Choice(self._answer("none"), TakenBack(number), code="none"))
            return f"unread {number}", self._sentence(self._unread.to_dict()), choices
        if view.alert is not None and "number" in view.alert:
            number = int(view.alert["number"])
            events: dict[str, Event] = {"seen": Confirm(number)}
            never_so = self._never_so(number)
            if never_so is not None:
                events[MISREAD] = never_so
            choices = [_Choice(self._answer(answer), event, code=answer) for answer, event in events.items()]
            return f"alert {number}", self._sentence(view.alert), choices
        return None

    def _never_so(self, number: int) -> Event | None:
        """What takes back an event that was misread, and no other; None: what came after it stands on it. A card whose
        trick is gone was another one."""
        view, told = self.match.view, self.match.told
        if told[-1].number == number and not self._not_told(view):
            return Undo()
        event = next((entry.event for entry in told if entry.number == number), None)
        if not isinstance(event, Play):
            return None
        lie = {shown["number"] for shown in _lying_open(view)}
        return TakenBack(number) if number in lie else Correct(number, {"card": None, "seat": None})

    def _asked_of_this_deal(self, view: View) -> bool:
        """A card that lies there, or an alert about one, is asked about before what an earlier deal waits for."""
        return self._unread is not None or (view.alert is not None and "number" in view.alert)

    def _asked_game(self) -> GameAsked | None:
        return self._follower.asked(self.match) if isinstance(self._follower, AutoFollower) else None

    def _game_choices(self, asked: GameAsked) -> tuple[str, str, list[_Choice]]:
        """Which game it is, or by which of its rules."""
        language = self._settings.language
        choices = []
        for found in asked.choices:
            label = words.game_name(found.game, language)
            code: dict[str, Any] = {"game": found.game}
            if asked.about != GAME:
                label = words.value_name(asked.about, found.options[asked.about], language, found.game)
                code |= {"option": asked.about, "value": found.options[asked.about]}
            elif len({other.players for other in asked.choices}) > 1:
                label = words.say(language, "table-game_of", game=label, players=found.players)
                code["players"] = found.players
            choices.append(_Choice(label, None, found, code))
        return asked.key, words.say(language, f"question-{asked.about}"), choices

    def _three(self, choices: list[_Choice]) -> tuple[_Choice, ...]:
        """As many as there are buttons; of more, the last leads on to the others."""
        if len(choices) <= 3:
            return tuple(choices)
        start = self._offered % len(choices)
        return (*choices[start : start + 2], _Choice(self._answer("others"), None))

    def _find_unread(self) -> Notice | None:
        """The newest card on the table that could not be read, if there is anything it may be."""
        view = self.match.view
        unread = {shown["number"] for shown in _lying_open(view) if shown["card"] is None or shown.get("sure") is False}
        if not unread:
            return None
        told = [
            notice
            for notice in self.match.notices
            if notice.code == "unreadable" and notice.facts["number"] in unread and notice.facts["candidates"]
        ]
        # Of cards that came together, in either order, the first: its answer tells the others.
        return next((asked for asked in told if asked.facts["candidates"] == told[-1].facts["candidates"]), None)

    def _prompt(self) -> Prompt | None:
        asked = self._asked()
        if asked is None:
            return None
        key, text, choices = asked
        codes = tuple(choice.code for choice in choices)
        return Prompt(text, _labels(self._three(choices)), key, _labels(choices), self._asking(), codes)

    def _asking(self) -> Mapping[str, Any] | None:
        """The notice that asks now."""
        if (asked := self._asked_game()) is not None:
            return {"notice": "question", "about": asked.about}
        view = self.match.view
        if view.question is not None and not (view.question.facts.get("late") and self._asked_of_this_deal(view)):
            return {"notice": "question", **view.question}
        return view.alert if self._unread is None else self._unread.to_dict()

    def _answer(self, choice: str) -> str:
        return words.choice_name(choice, self._settings.language, self.match.header.seats)

    # -- the menu ----------------------------------------------------------------------------------------------------

    def join(self, code: str) -> None:
        """Joins the broker that is set by the code that the hall gave this table. ValueError: it is no code. OSError:
        it cannot be kept."""
        if self.joined is None:
            raise GameError("no_code_here")
        self.change(self.joined(self._settings, code))

    def _join_by(self, code: str) -> None:
        try:
            self.join(code)
        except (ValueError, OSError) as error:
            log.warning("%s", words.in_words(error, self._settings.language))
        else:
            self._menu = None

    def _in_menu(self, press: Press) -> None:
        assert self._menu is not None
        step = self._menu.press(press.button)
        self._menu = step.menu
        if step.settings != self._settings:
            self._keep_settings(step.settings)
        if step.action == JOIN:
            self._join_by(step.code)
        elif step.action == VOID_DEAL:
            try:
                self._add(VoidDeal(), BY_BUTTON)
            except EventError as error:
                log.info("no deal to void: %s", error)
            else:
                self._follower.undone(self.match)  # What lies there is no part of the next one.
        elif step.action in (SCORE, CORRECT, PITS):
            self._set_right(step)
        elif step.action == TRY_OUT:
            self.try_out()
        elif step.action in ASIDES:
            self._do_aside(step.action)
        elif step.action in (SHOW_PAGE, FORGET_PHONES) and self.page_asked is not None:
            self.page_asked(step.action)
        elif step.action == SHOW_PAGE and self.hall_asked is not None:
            self.hall_asked()
        elif step.action in (NEW_MATCH, END_MATCH):
            self._new_match()

    def _set_right(self, step: MenuStep) -> None:
        """The score or a card is put right; what cannot be is said."""
        try:
            if step.laid is not None:
                sure = {"confidence": 1.0} if isinstance(self.match.log[step.laid.number - 1], Play) else {}
                self.correct(step.laid.number, {step.laid.field: step.laid.card, **sure}, BY_BUTTON)
            elif step.board is not None:
                self.correct(step.board.number, {"pits": step.board.pits}, BY_BUTTON)
            else:
                self.set_score(step.points, "", BY_BUTTON)
        except EventError as error:
            self._told_of(error)

    # -- what to show ------------------------------------------------------------------------------------------------

    def _sentence(self, notice: Mapping[str, Any]) -> str:
        return words.sentence_of(notice, self._settings.language, self.match)

    def _sound(self, name: str) -> None:
        self._sounds.append(name)

    def _changed(self, pressed: bool = False) -> None:
        """A new show if there is anything new to show."""
        if self._menu is not None:
            self._menu = self._menu.told(self.brokers_nearby(), "broker_away" in self._troubles)
        if pressed:
            self._sound("press")
        if self._sounds:
            name = min(self._sounds, key=FIRST_HEARD.index)
            self._cue = Cue((self._cue.number if self._cue else 0) + 1, name)
            self._sounds = []
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
        untold = self._not_told(view)
        return Show(
            view={} if self.finding else view.to_dict(),
            language=self._settings.language,
            seats=tuple(self.match.header.seats),
            sentences=self._sentences,
            happened=self._happened,
            notices=self._notices,
            alert=alert,
            prompt=self._prompt(),
            untold=untold,
            lying=self._lying_of(view, untold),
            situation=situation,
            troubles=(*kept, *self._troubles),
            page=self._menu.page if self._menu else None,
            invite=self._invite,
            trying=self._trying_until_s is not None,
            cue=self._cue,
            brightness=self._settings.brightness,
            sound=self._settings.sound,
            voice=str(self._settings.outputs.get("voice", "")),
            extra={**self._facts, **self._learning()},
        )

    def _learning(self) -> dict[str, Any]:
        """Whether there are lessons, and the learner's hand, for Show.extra."""
        if not self.teaches:
            return {}
        learner = None if self._lessons is None else self._lessons.learner
        return {"teaches": self._lessons is not None, **({} if learner is None else {"learner": learner})}

    def _not_told(self, view: View) -> tuple[Untold, ...]:
        """What goes on with the trick that the view shows."""
        trick = view.trick or ()
        free = (view.players or 0) - len(trick)
        laid = {card["seat"] for card in trick}
        return tuple(untold for untold in self._untold if untold.seat not in laid)[:free] if free > 0 else ()

    def _lying_of(self, view: View, untold: Sequence[Untold]) -> tuple[Lying, ...]:
        """Where the cards lie that are shown anyway, and no others."""
        laid = {(shown["seat"], shown["card"]) for shown in view.trick or ()} | {
            (card.seat, card.card) for card in untold
        }
        aside = {view.turn_up, *(shown["card"] for shown in view.beside or ())} - {None}
        return tuple(
            lying
            for lying in self._lying
            if (lying.seat, lying.card) in laid or (lying.seat is None and lying.card in aside)
        )


def seat_of(event: Event, match: Match) -> int | None:
    """Whose card or turn an event was, or who deals, as far as that is known once it is in the match."""
    view = match.view
    if isinstance(event, Deal):
        return event.dealer if event.dealer is not None else view.dealer
    number = len(match.log)
    if isinstance(event, TakenBack | Correct):
        number = event.number
        event = match.log[number - 1]
    laid = next((card["seat"] for card in view.trick or () if card["number"] == number), None)
    seat: int | None = getattr(event, "seat", None)
    return seat if laid is None else laid


def _labels(choices: Sequence[_Choice]) -> tuple[str, ...]:
    return tuple(choice.label for choice in choices)
