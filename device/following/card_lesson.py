"""A lesson at cards: the learner's hand lies face up before himself. He is told which cards he may play, and why the
others not.

It takes the place of a match and of who follows it, and keeps nothing: a lesson is no match. Nobody is accused in it of
a revoke: an illegal card out of the open hand is told at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from device.following.aim import Aim
from device.following.follow import Add, Follower, FrameSeen, MatchNow
from device.following.keeper import InMemory
from device.following.lessons import Say
from device.following.menu import NEXT_LEARNER, STOP_LESSONS
from device.following.opponent import OpenSeat
from device.keeping.settings import Settings
from engine.cards import Card
from engine.events import Deal, Event, Play
from engine.match import Header, Match
from engine.notices import INFO, Notice
from engine.referee.card_game import CardJudge
from engine.referee.deal_queries import duties_of
from vision.frame import Frame, Image

LEARNS, MAY_PLAY, ILLEGAL, OVER = "learner", "learner_may", "learner_illegal", "learner_over"


class CardLesson(InMemory):
    """The match of the lesson, and who follows it."""

    actions = (NEXT_LEARNER, STOP_LESSONS)
    """What the learner may ask for."""
    takes_back = True
    """A button takes back what was misread."""

    def __init__(
        self, waiting: Match, settings: Settings, say: Say, follower: Callable[[Match, Settings], Follower]
    ) -> None:
        """waiting: the match that goes on afterwards. follower makes who follows a match."""
        header = waiting.header
        self._header = Header(header.game, header.players, header.options, header.seats)
        self._say, self._make_follower = say, follower
        super().__init__(self._new_match())
        self._settings = replace(settings, game=header.game, players=header.players)
        self._seat = OpenSeat(-1)
        self._follower: Follower
        self._hand: list[tuple[Card, str | None]] = []
        """The open hand, and the duty that each card would break."""
        self._lit = False
        """It is his turn, and what he may play is known."""
        self._owed: tuple[Match, int, Mapping[Card, str | None]] = self.match, -1, {}
        """What was known when his whole hand lay there last: of which match, how long it was, and the duties."""
        self._said: object = None
        """What was said last of what he may play, and of which place."""
        self.over = False
        """The match that waits goes on."""

    def _new_match(self) -> Match:
        return Match.of(self._header, proves=False)

    # -- a lesson ----------------------------------------------------------------------------------------------------

    def skip(self) -> None:
        """The next player learns, from a new deal on; the first is the one after none."""
        seat = (self._seat.seat + 1) % self._header.players
        self.match, self._seat = self._new_match(), OpenSeat(seat)
        self._hand, self._lit = [], False
        self._follower = self._make_follower(self.match, replace(self._settings, device_seat=seat + 1))
        self._say({"notice": LEARNS, "seat": seat})

    def stop(self) -> None:
        """No more lessons."""
        self._say({"notice": OVER})
        self.over = True

    def hint(self) -> None:
        """What may be played is shown; what is best is for the learner to find."""

    @property
    def short(self) -> bool:
        """Only part of the hand is in sight."""
        return self._seat.short

    @property
    def learner(self) -> Mapping[str, Any]:
        """His seat, his open hand with the duty that each card would break, and whether it is surely his turn."""
        return {"seat": self._seat.seat, "hand": [list(card) for card in self._hand], "lit": self._lit}

    # -- the match of it ---------------------------------------------------------------------------------------------

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        """Judges an event. After a won match the next deal begins another."""
        if isinstance(event, Deal) and self.match.view.phase == "match_over":
            self.match = self._new_match()
        match, events, duties = self._owed
        current = match is self.match and events == len(match.log)
        notices = super().add(event, by)
        card = event.card if current and isinstance(event, Play) else None
        duty = duties.get(card or "")
        if duty is not None:
            notices = [*notices, Notice(ILLEGAL, INFO, {"seat": self._seat.seat, "card": card, "must": duty})]
        return notices

    # -- who follows it ----------------------------------------------------------------------------------------------

    @property
    def situation(self) -> str:
        return self._follower.situation

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        """Looks at the table; nothing of it goes into a match that is kept."""
        seen = self._follower.see(frame, match, add)
        if self._seat.keep_up(self.match, seen.hand):
            self._look_into(seen.hand)
        return replace(seen, events=(), notices=())

    def _look_into(self, hand: frozenset[Card]) -> None:
        """What may be played out of this hand now."""
        assert isinstance(self.match.judge, CardJudge)
        game, deal = self.match.judge.game, self.match.state.deal
        trump = "" if deal is None else deal.trump or ""
        duties = duties_of(game, deal, hand) if self._seat.whole else None
        self._hand = [(card, (duties or {}).get(card)) for card in game.as_held(hand, trump)]
        turn = self.match.view.turn
        self._lit = duties is not None and turn is not None
        if duties is None:
            return
        self._owed = self.match, len(self.match.log), duties
        legal = [card for card, duty in self._hand if duty is None]
        which = "lead" if turn is None else "any" if len(legal) == len(self._hand) else "some"
        said = deal.number, deal.next_place(game.players), which, legal
        if said != self._said:
            self._said = said
            self._say({"notice": MAY_PLAY, "seat": self._seat.seat, "cards": legal, "which": which})

    def undone(self, match: Match) -> None:
        self._follower.undone(match)

    def answered(self, about: str, answer: str) -> None:
        self._follower.answered(about, answer)

    def aim(self, image: Image) -> Aim:
        return self._follower.aim(image)
