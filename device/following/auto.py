"""Following a table of which nobody said what is played: cards or seeds by what lies there, which game and how many
play by the first deal. Until that is known there is no match; every look is kept, and the match begins from them all.

While the first deal lasts the other games are followed beside the one that was found, each in the shadow: should one of
them explain better what is seen, the match is judged again as that one.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Protocol

from device.following.aim import Aim, aim_of
from device.following.follow import (
    THINKS_S,
    Add,
    BoardFollower,
    CardEye,
    Follower,
    FrameSeen,
    FrameTold,
    MatchNow,
    came_of_frame,
    card_eye,
    card_table,
    which_game,
)
from device.following.keeper import InMemory
from device.following.other_game import OtherGame
from device.following.places import TablePlaces
from device.keeping.letters import LastLetters
from device.keeping.looks import FirstDeal, later
from device.keeping.settings import Settings, with_option
from engine.cards import Card
from engine.events import Deal, Event, EventError, GameEvent
from engine.games import GAMES
from engine.match import Header, Match
from engine.notices import ALERT, Notice
from engine.options import OptionValue
from engine.referee.card_game import CardJudge
from engine.sightings import TableLook
from engine.table.acts import Width
from engine.table.card_table import CardTable
from engine.table.costs import TOLD
from engine.table.which_game import Candidate, WhichGame, lead_tells, take_in
from engine.table.why import Why
from vision.frame import Frame, Image

FINDING = "finding_game"
"""The situation while nobody knows which game it is."""
GAP_S = 5.0
"""Between the last look before a power cut and the first after it, as the tables are told."""
SAME_REST = 6
"""Looks of one rest that are kept; more of them tell nothing new."""
MOST_LOOKS, MOST_EMPTY = 3000, 200
"""Looks that are kept of what is no game at all; and while no card was read."""
BOARD_SEEN = 2
"""Times that a board must be found, before it is believed."""
WORTH_ASKING = 0.03
"""The share from which a game is among those that are asked about."""
ASKED_EVENTS = 12
"""Events of a match of seeds within which its rules are asked for."""
OTHERWISE_LOOKS = 10
"""Looks in a row after which the game is another than was thought: more than one rest, since a rest that fits badly is
soon understood. The first that is sure is the one at once (counted: in 128 evenings none of them was another)."""
TRICKS_ACCUSE = 3
"""Tricks that the chosen game explains before anybody is accused by its rules: in one of 64 evenings of others, after
one trick of four players it was certain that two play, and they seemed to lay two cards each (counted)."""
INNOCENT_WITHIN = 12.0
"""Log-odds behind it within which no game that waits for an answer may be by which all is right, as long as the first
deal lasts: belote, of which nobody had said who takes, was 7 behind pille after three tricks, and an honest lead was
wrong as pille (counted)."""
PRESET, TEAMS, GAME = "preset", "teams", "game"


@dataclass(frozen=True)
class GameFound:
    """What is played."""

    game: str
    players: int
    options: Mapping[str, OptionValue]
    """What was decided for it beside the settings."""

    def settings(self, before: Settings) -> Settings:
        """The settings of its match."""
        now = before.of(self.game, self.players)
        for name, value in self.options.items():
            now = now.with_preset(str(value)) if name == PRESET else with_option(now, self.game, name, value)
        return now


@dataclass(frozen=True)
class GameAsked:
    """What no look can tell: which of these it is."""

    about: str
    """GAME, TEAMS or PRESET."""
    choices: tuple[GameFound, ...]

    @property
    def key(self) -> str:
        """Differs from question to question."""
        return " ".join(
            [self.about, *(f"{choice.game} {choice.players} {dict(choice.options)}" for choice in self.choices)]
        )


class NotYet(InMemory):
    """In place of a match while nobody knows which game is played. What it has is what may be played, for whoever must
    show something of a match; nothing can be added to it."""

    def __init__(self, settings: Settings, last: Header | None = None) -> None:
        likely = last or Header("turufu", 4, {})
        super().__init__(Match(likely.game, likely.players, likely.options, settings.names))

    def add(self, event: Event, by: str | None = None) -> list[Notice]:
        """There is nothing to add it to."""
        raise EventError("unknown_yet")


class LaterEye:
    """An eye whose looks come after those that were kept from before a power cut."""

    def __init__(self, eye: CardEye, after_s: float) -> None:
        self.eye, self._after_s = eye, after_s
        self._by_s: float | None = None

    @property
    def situation(self) -> str:
        return self.eye.situation

    @property
    def kept(self) -> bool:
        return self.eye.kept

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> Sequence[TableLook]:
        """The looks of this frame, on the clock of those before."""
        if self._by_s is None:
            self._by_s = self._after_s + GAP_S - frame.at_s
        return tuple(later(look, self._by_s) for look in self.eye.see(frame, possible))


BOARDS = frozenset(kind.grid for kind in GAMES.values() if kind.grid is not None)
"""Rows and columns of the boards that games are played on."""


class BoardFinder(Protocol):
    """Looks for a board in one picture after another."""

    def __call__(self, frame: Frame) -> tuple[int, int] | None:
        """Rows and columns of the one that lies there; None: there is none, or none is sure."""

    def asks(self, now_s: float) -> str | None:
        """The situation, once it is time to say that something like a board lies there, or two boards do."""

    def let_go(self) -> None:
        """It is hardly asked again: what it looks with need not be held."""


class BoardsPlayedOn:
    """What the board finder says of the boards that games are played on."""

    def __init__(self) -> None:
        from vision.board_table import BoardSearch

        self._search = BoardSearch()

    def __call__(self, frame: Frame) -> tuple[int, int] | None:
        """Rows and columns of the one that lies there, once that is certain."""
        from vision.board import finder

        found = self._search.take(finder.find(frame.image, None, BOARDS), frame.at_s)
        return None if found is None else found.grid

    def asks(self, now_s: float) -> str | None:
        """The situation, where something like a board lies there for long, and none is certain."""
        return self._search.asks(now_s)

    def let_go(self) -> None:
        """Its network is 12 MB, and read again in a moment."""
        from vision.board import nets

        nets.let_go()


def _makes_sides(players: int) -> bool:
    """Whether so many can play as two sides of partners."""
    return players > 2 and players % 2 == 0


class AutoFollower:
    """Follows whatever is played."""

    def __init__(
        self,
        settings: Settings,
        match: Match | None,
        looks: FirstDeal,
        last: Header | None,
        begin: Callable[[GameFound], None],
        eye: CardEye | None = None,
        finds_board: BoardFinder | None = None,
        thinks_s: float = THINKS_S,
        letters: LastLetters | None = None,
        compare: Callable[..., WhichGame] = WhichGame,
    ) -> None:
        """match: the one that goes on; None: none does. looks: what was seen of this deal, before a power cut too.
        last: what was played last; letters: of the last deck. begin: told what is played, each time that turns out
        anew. compare: what tells the games apart."""
        self.settings, self._looks, self._last, self._begin = settings, looks, last, begin
        self._finds_board, self._thinks_s = finds_board or BoardsPlayedOn(), thinks_s
        self._compare = compare
        self._sees = eye or card_eye(settings, letters)
        self._eye: CardEye = LaterEye(self._sees, looks.looks[-1].at_s) if looks.looks else self._sees
        self._which: WhichGame | None = None
        """All that may be played; None: that is known, and the first deal over."""
        self._chosen: Candidate | None = None
        """The one that the match follows."""
        self._sure: Candidate | None = None
        self._sure_looks = 0
        """The game that was sure in the last looks, and in how many of them."""
        self._copied = 0
        """Events of the shadow match that are in the real one."""
        self._table: CardTable | None = None
        """Of a match of which there is no doubt any more."""
        self._board: Follower | None = None
        self._explain_to: Callable[[Why], None] | None = None
        self._places = TablePlaces(settings)
        self._other_game = OtherGame(settings.trick_reach, partial(which_game, settings, compare=compare))
        self._boards: list[tuple[int, int]] = []
        """Those found one after the other."""
        self._asks_for_board: str | None = None
        """The situation, where something like a board lies there, and none is certain."""
        self._again = 0
        """Looks since the table was touched."""
        self._said = False
        """A person said what is played."""
        self._options_said = False
        if match is None:
            self._find()
        else:
            self._go_on(match)

    def _find(self) -> None:
        """Begins to ask what is played, from the looks that were kept."""
        self._which = which_game(self.settings, self._last, self._compare)
        self._chosen, self._copied, self._said = None, 0, False
        self._which.wait(*self._looks.looks)

    def _go_on(self, match: Match) -> None:
        """A match goes on: with all that was seen of its first deal, if that is known."""
        if not isinstance(match.judge, CardJudge):
            self._board = BoardFollower(match, self.settings)
            return
        self._table = card_table(match, self.settings)
        if not self._looks.looks:
            return
        self._find()
        assert self._which is not None
        while self._which.busy:
            self._which.work()
        if match.view.phase == "match_over":
            return  # What was kept is of the next.
        known = self._which.candidate(match.header)
        if known is not None and known.match.log[: len(match.log)] == match.log:
            self._chosen, self._copied, self._table = known, len(match.log), None
            if self._looks.said:
                self._only(known)
        else:
            self._forget()

    def _forget(self) -> None:
        """What was kept is needed no more."""
        self._which = self._chosen = None
        self._looks.clear()

    # -- what there is to know ---------------------------------------------------------------------------------------

    @property
    def situation(self) -> str:
        if self._board is not None:
            return self._board.situation
        table = self._chosen.table if self._chosen is not None else self._table
        if table is None:
            looking = self._asks_for_board or FINDING
            return self._eye.situation if self._eye.situation != "looking" else looking
        watching = table.situation == "looking"
        return self._eye.situation if watching or self._eye.situation == "camera_moved" else table.situation

    @property
    def undecided(self) -> bool:
        """Whether what was seen so far may still be judged as another game."""
        return self._which is not None and bool(self._looks.looks)

    def asked(self, match: Match) -> GameAsked | None:
        """What no look can tell, if anything is to be asked."""
        if self._which is not None and not self._said:
            games = self._games_asked()
            if games:
                return GameAsked(GAME, tuple(GameFound(game.header.game, game.header.players, {}) for game in games))
        return self._options_asked(match)

    def _games_asked(self) -> Sequence[Candidate]:
        """The games that it may be, once looks alone will hardly tell."""
        assert self._which is not None
        alike, best = self._which.alike, self._which.best
        if alike:
            return alike if best.led_on or not lead_tells(alike) else ()
        if self._which.sure is not None or not best.led_on:
            return ()
        near = [candidate for candidate, posterior in self._which.posteriors[:3] if posterior > WORTH_ASKING]
        return near if len(near) > 1 else ()

    @property
    def _knows_game(self) -> bool:
        return self._chosen is not None or self._board is not None

    def _options_asked(self, match: Match) -> GameAsked | None:
        """What of a game's rules nobody decided, and decides who wins."""
        now = match.header
        as_last = self._last is not None and self._last.game == now.game
        if self._options_said or as_last or not self._knows_game:
            return None
        game = GAMES[now.game]
        if self._board is not None and game.presets and len(match.log) < ASKED_EVENTS:
            return GameAsked(
                PRESET, tuple(GameFound(game.name, now.players, {PRESET: preset}) for preset in game.presets)
            )
        teams = next((option for option in game.options if option.name == TEAMS), None)
        decided = TEAMS in self.settings.options.get(game.name, {})
        if teams is None or decided or not _makes_sides(now.players):
            return None
        return GameAsked(TEAMS, tuple(GameFound(game.name, now.players, {TEAMS: value}) for value in teams.values))

    def judged_as(self, header_settings: Settings) -> Candidate:
        """All that was kept, judged as the game that these settings name."""
        now = header_settings
        match = Match(now.game, now.players, now.house, now.names)
        candidate = Candidate(match, card_table(match, now))
        for look in self._looks.looks:
            candidate.look(look)
        return candidate

    @property
    def deal_looks(self) -> Collection[TableLook]:
        """The looks of the deal that goes on, which may be one of another game."""
        return self._other_game.deal_looks

    @property
    def eye(self) -> CardEye:
        """What looks at the cards."""
        return self._eye

    # -- what a person says ------------------------------------------------------------------------------------------

    def say(self, found: GameFound) -> None:
        """A person said what is played."""
        if self._board is not None:
            self._options_said = True
            self._begin(found)
            return
        assert self._which is not None
        known = None if found.options else self._which.candidate(Header(found.game, found.players, {}))
        if known is None:
            known = self.judged_as(found.settings(self.settings))
        self._options_said = bool(found.options)
        self._only(known)
        if known is not self._chosen:
            self._choose(known, found)
        self._looks.answered()

    def _only(self, known: Candidate) -> None:
        """A person said so."""
        assert self._which is not None
        self._said = True
        self._which.only(known)

    def undone(self, match: Match) -> None:
        if self._board is not None:
            self._board.undone(match)
        elif self._chosen is not None:
            self._chosen.match = match
            self._chosen.table.undone(match)
        elif self._table is not None:
            self._table.undone(match)

    def answered(self, about: str, answer: str) -> None:
        table = self._chosen.table if self._chosen is not None else self._table
        if self._board is not None:
            self._board.answered(about, answer)
        elif table is not None:
            table.answered(about, answer)

    def explain_to(self, told: Callable[[Why], None]) -> None:
        """Once the game is known, it is told of each rest that is over why its likeliest accounts are that."""
        self._explain_to = told

    def explain(self) -> None:
        """Tells it of the rest that goes on too."""
        if (table := self._followed) is not None:
            table.explain()

    @property
    def _followed(self) -> CardTable | None:
        """The table that the match follows; None: not known yet, or a board."""
        return self._table if self._chosen is None else self._chosen.table

    def aim(self, image: Image) -> Aim:
        return self._board.aim(image) if self._board is not None else aim_of(self._sees, image)

    # -- looks -------------------------------------------------------------------------------------------------------

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        if self._board is not None:
            return self._board.see(frame, match, add)
        told = FrameTold()
        noted = told.adding(add)

        def adding(event: Event) -> list[Notice]:
            if isinstance(event, Deal) and self._over(match):
                raise EventError("unknown_begin")
            return noted(event)

        known = self._table is not None or self._chosen is not None
        looks = self._eye.see(frame, match().possible if known and not self.undecided else None)
        for look in looks:
            self._places.looked(look)
            self._take(look, match, adding, told)
        thinks_s = 0.0 if frame.late else self._thinks_s
        self._think(match, adding, told, thinks_s)
        if self._which is None:
            self._other_game.think(match, adding, thinks_s)
        if looks and not known and self._is_board(frame, looks[-1]):
            self._begin_board(match)
        lying = looks[-1].cards if looks else None
        table = self._chosen.table if self._chosen is not None else self._table
        return came_of_frame(lying, self._eye.kept, told, table, self._places)

    def drain(self, match: MatchNow, add: Add) -> None:
        """Takes in all that waits: the table is let go of."""
        self._think(match, add, FrameTold(), math.inf)

    def _take(self, look: TableLook, match: MatchNow, add: Add, told: FrameTold) -> None:
        """Takes a look in."""
        if self._followed is not None:
            self._followed.explain_to = self._explain_to
        if self._table is not None:
            if self._which is None:
                self._other_game.look(look, match, add)
            why = take_in(self._table, look, match, add)
            if why is not None and not self._over(match):
                told.refused.append(why)
            self._next_match(match)
        if self._which is None or not self._worth_keeping(look):
            return
        self._which.wait(self._looks.keep(look))

    def _think(self, match: MatchNow, add: Add, told: FrameTold, thinks_s: float) -> None:
        """Takes in what waits, as much as there is time for; one game takes in one look at least."""
        until_s = monotonic() + thinks_s
        while self._which is not None:
            if self._chosen is not None:
                self._lead(self._chosen, match, add)
            if not self._which.busy:
                self._copy(match, add, told)
                self._settle(match)
                return
            if self._which.work():
                self._decide()
                self._copy(match, add, told)
            if monotonic() > until_s:
                return

    def _over(self, match: MatchNow) -> bool:
        return match().view.phase == "match_over"

    def _next_match(self, match: MatchNow) -> None:
        """A match is won: what is played next is anybody's guess again."""
        if self._over(match) and self._which is None:
            self._last = match().header
            self._looks.clear()
            self._find()
        elif not self._over(match) and self._which is not None:
            self._forget()

    def _worth_keeping(self, look: TableLook) -> bool:
        """Whether a look may tell anything; what is no game at all is let go of in the end."""
        self._again = 0 if look.fresh else self._again + 1
        many = len(self._looks.looks)
        read = any(card.card for kept in self._looks.looks[-MOST_EMPTY:] for card in kept.cards)
        if self._chosen is None and (many >= MOST_LOOKS or (many >= MOST_EMPTY and not read)):
            self._looks.clear()
            self._find()
        return self._again < SAME_REST

    def _lead(self, candidate: Candidate, match: MatchNow, add: Add) -> None:
        """Once a person wrote in the match, its table follows that match, and no shadow."""
        if len(match().log) != self._copied:
            candidate.match = match()
        if candidate.match is match():
            candidate.add = add

    def _decide(self) -> None:
        """Which game it is, if that is clear by now."""
        assert self._which is not None
        sure = self._which.sure if self._chosen is None else self._which.certain
        best = self._which.best
        alike = self._which.alike
        played = all(candidate.deals_over for candidate in alike) if alike else best.deals_over > 1
        if sure is None and self._chosen is None and played:
            sure = best  # Nobody answered, and so far it makes no difference.
        self._sure_looks = self._sure_looks + 1 if sure is self._sure else 1
        self._sure = sure
        enough = 1 if self._chosen is None else OTHERWISE_LOOKS
        if sure is not None and sure is not self._chosen and self._sure_looks >= enough:
            self._choose(sure, GameFound(sure.header.game, sure.header.players, {}))

    def _choose(self, candidate: Candidate, found: GameFound) -> None:
        """The match is this one."""
        candidate.table.follow_with(Width())
        self._chosen, self._copied, self._table = candidate, 0, None
        self._begin(found)

    def _copy(self, match: MatchNow, add: Add, told: FrameTold) -> None:
        """What the chosen game tells goes into the match, as long as it is the likeliest or no other game differs.
        Nobody is accused by the rules of a game that is not certain, if they are not those of all that it may be."""
        candidate = self._chosen
        if candidate is None or self._which is None or candidate.match is match() or len(match().log) != self._copied:
            return
        if not self._which.agrees(candidate, TOLD):
            return
        rival = self._which.innocent_beside(candidate, INNOCENT_WITHIN)
        enough = candidate.deals_over or (candidate.tricks >= TRICKS_ACCUSE and not rival)
        certain = self._said or (enough and (self._which.certain is candidate or self._which.accuse_alike(candidate)))
        for event in candidate.match.log[self._copied :]:
            if not certain and _accuses(match(), event):
                return
            try:
                add(event)
            except EventError as error:
                told.refused.append(str(error))
                return
            self._copied += 1

    def _settle(self, match: MatchNow) -> None:
        """After the first deal a game that is sure is the one."""
        candidate = self._chosen
        assert self._which is not None
        if candidate is None or not candidate.deals_over or self._which.certain is not candidate:
            return
        if candidate.match is match() or len(candidate.match.log) == len(match().log):
            candidate.add = None
            self._table = candidate.table
            self._last = match().header
            self._forget()

    # -- boards ------------------------------------------------------------------------------------------------------

    def _is_board(self, frame: Frame, look: TableLook) -> bool:
        """Whether a board lies there, and no cards do."""
        if sum(card.card is not None for card in look.cards) > 1:
            self._boards, self._asks_for_board = [], None
            self._finds_board.let_go()
            return False
        grid = self._finds_board(frame)
        self._asks_for_board = self._finds_board.asks(frame.at_s)
        if grid in BOARDS and grid:  # A picture in which none is certain takes nothing back.
            self._boards = [*(board for board in self._boards if board == grid), grid]
        return len(self._boards) >= BOARD_SEEN

    def _begin_board(self, match: MatchNow) -> None:
        game = next(kind for kind in GAMES.values() if kind.grid == self._boards[-1])
        self._forget()
        self._begin(GameFound(game.name, game.players, {}))
        self._board = BoardFollower(match(), self.settings)


def _accuses(match: Match, event: Event) -> bool:
    """Whether an event would raise an alert."""
    return isinstance(event, GameEvent) and any(notice.level == ALERT for notice in match.preview(event))
