"""From frames to a match: an eye that looks and a referee that says what happened, for cards and for the board."""

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from device.following.aim import Aim, aim_of
from device.following.facts import best_counts
from device.following.other_game import OtherGame
from device.following.places import SEAT_0_DEG, TablePlaces
from device.following.press import Press
from device.following.show import Lying, Untold
from device.keeping.letters import LastLetters, usual_letters
from device.keeping.settings import Settings
from engine.cards import Card
from engine.events import Board, Event, EventError
from engine.match import Header, Match
from engine.notices import ALERT, ASK, Notice
from engine.referee.board_judge import PLAYED_ON, BoardJudge
from engine.referee.card_game import CardJudge
from engine.sightings import CardLying, TableLook
from engine.table.acts import Width
from engine.table.card_table import CardTable
from engine.table.which_game import WhichGame, take_in
from engine.table.why import Why
from vision.board_table import BoardLook, BoardTableEye
from vision.frame import Frame, Image

if TYPE_CHECKING:
    from vision.cards.reader import CardReader

THINKS_S = 0.03
"""So long at a time games are followed beside each other, that no frame is missed over it: a hand comes and goes within
a second."""
OTHER_PITS = 3
"""Where so many pits differ, seeds were moved; fewer may be a miscount."""
LOOKS_BEFORE_A_WORD = 3
"""At a board before anybody is accused or asked: over a second, and most doubts are gone by then."""
LOOKS_WHILE_A_TURN_MAY_GO_ON = 5
"""The same where all may be well as soon as a hand goes on, with a turn or with setting the board out: as many as the
eye takes of a doubt, in some 3 s."""
LOOKS_WAITED = 4
"""So many take longer than most pauses within a turn do."""
LOOKS_AT_REST = 8
"""After so many, a quarter of a minute in which nothing moved, nobody is still sowing."""
LEAST_LIKELY = 1e-5
"""Counts less likely than this are left out of the log: the rules see no difference."""

Add = Callable[[Event], list[Notice]]
MatchNow = Callable[[], Match]
"""Gives the match that goes on: adding the deal after a won match begins another."""


@dataclass(frozen=True)
class FrameSeen:
    """What came of one frame."""

    looked: bool = False
    """The frame was read, or kept to be read; not only looked at for motion."""
    events: tuple[Event, ...] = ()
    notices: tuple[Notice, ...] = ()
    lying: tuple[CardLying, ...] | None = None
    """The cards that lie there, when looked at: for a plan of the table."""
    refused: tuple[str, ...] = ()
    """What the match would not take, for the log."""
    pressed: tuple[Press, ...] = ()
    """The buttons pressed since the frame before."""
    untold: tuple[Untold, ...] = ()
    """Cards that most likely lie in the trick and are not in the log yet."""
    places: tuple[Lying, ...] = ()
    """Where the cards of the game lie."""
    hand: frozenset[Card] = frozenset()
    """The cards that lie open before the device, where it plays a seat itself."""


@dataclass
class FrameTold:
    """What one frame led to, while it is looked into."""

    events: list[Event] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def adding(self, add: Add) -> Add:
        """The same `add`, noted down."""

        def noted(event: Event) -> list[Notice]:
            notices = add(event)
            self.events.append(event)
            self.notices += notices
            return notices

        return noted

    def add(self, event: Event, add: Add) -> bool:
        try:
            self.notices += add(event)
        except EventError as error:
            self.refused.append(str(error))
            return False
        self.events.append(event)
        return True


class Follower(Protocol):
    """Follows one match."""

    @property
    def situation(self) -> str:
        """One of SITUATIONS (device/following/show.py)."""

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        """Takes a frame in; events go to `add`, which may refuse them with EventError."""

    def undone(self, match: Match) -> None:
        """A person took something back: what lies there is not told again before it moves."""

    def answered(self, about: str, answer: str) -> None:
        """A person answered what the match had asked."""

    def aim(self, image: Image) -> Aim:
        """What was seen last, to be drawn over a picture."""


class CardEye(Protocol):
    """Looks at a card table: vision/table.py, or looks that were recorded."""

    @property
    def situation(self) -> str:
        """One of SITUATIONS (device/following/show.py)."""

    @property
    def kept(self) -> bool:
        """The last frame may be read later."""

    def see(self, frame: Frame, possible: Collection[Card] | None = None) -> Sequence[TableLook]:
        """Takes the next frame in; what there is to tell of it, mostly nothing."""


class CardFollower:
    """Follows a card game."""

    def __init__(
        self,
        match: Match,
        settings: Settings,
        eye: CardEye | None = None,
        table: CardTable | None = None,
        thinks_s: float = THINKS_S,
    ) -> None:
        """table: one that has followed this match so far. thinks_s: how long at a time other games are weighed."""
        self._thinks_s = thinks_s
        self._eye = eye or card_eye(settings)
        self._table = table or card_table(match, settings)
        self._places = TablePlaces(settings)
        self._other_game = OtherGame(settings.trick_reach, partial(which_game, settings))

    @property
    def situation(self) -> str:
        watching = self._table.situation == "looking"
        return self._eye.situation if watching or self._eye.situation == "camera_moved" else self._table.situation

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        told = FrameTold()
        lying: tuple[CardLying, ...] | None = None
        for look in self._eye.see(frame, match().possible):
            lying = look.cards
            self._places.looked(look)
            self._other_game.look(look, match, told.adding(add))
            why = take_in(self._table, look, match, told.adding(add))
            if why is not None:
                told.refused.append(why)
        self._other_game.think(match, told.adding(add), 0.0 if frame.late else self._thinks_s)
        return came_of_frame(lying, self._eye.kept, told, self._table, self._places)

    @property
    def hypotheses(self) -> int:
        """How many hypotheses of the table are kept."""
        return len(self._table.beam)

    def aim(self, image: Image) -> Aim:
        return aim_of(self._eye, image)

    def undone(self, match: Match) -> None:
        self._table.undone(match)

    def answered(self, about: str, answer: str) -> None:
        self._table.answered(about, answer)

    @property
    def deal_looks(self) -> Collection[TableLook]:
        """The looks of the deal that goes on, which may be one of another game."""
        return self._other_game.deal_looks

    def explain_to(self, told: Callable[[Why], None]) -> None:
        """From now on told gets, after each still period, why its likeliest hypotheses are the likeliest."""
        self._table.explain_to = told

    def explain(self) -> None:
        """Tells it of the still period that goes on too."""
        self._table.explain()


def card_table(match: Match, settings: Settings, width: Width | None = None) -> CardTable:
    """The table that a match of cards is followed on."""
    assert isinstance(match.judge, CardJudge)
    game = match.judge.game
    seats = settings.seats_deg if len(settings.seats_deg) == game.players else ()
    against = match.header.against
    open_seat = settings.seat_of_device(game.players) if against is None else against.side
    return CardTable(
        game, game.clockwise, SEAT_0_DEG[settings.seat_zero], seats, settings.trick_reach, width, open_seat
    )


def which_game(settings: Settings, last: Header | None, compare: Callable[..., WhichGame] = WhichGame) -> WhichGame:
    """What tells apart the card games that may be played in this house. last: what was played last."""

    def table_of(match: Match, width: Width) -> CardTable:
        return card_table(match, settings, width)

    def house(game: str, players: int) -> Mapping[str, object]:
        return settings.of(game, players).house

    return compare(table_of, house, settings.players, last)


def untold_of(table: CardTable) -> tuple[Untold, ...]:
    """What most likely lies there and was not told yet."""
    return tuple(Untold(untold.seat, untold.card) for untold in table.untold)


def came_of_frame(
    lying: tuple[CardLying, ...] | None, kept: bool, told: FrameTold, table: CardTable | None, places: TablePlaces
) -> FrameSeen:
    """What came of a frame of cards. kept: it is kept to be read; table: whose hypotheses count, once there is one."""
    return FrameSeen(
        lying is not None or kept,
        tuple(told.events),
        tuple(told.notices),
        lying,
        tuple(told.refused),
        untold=() if table is None else untold_of(table),
        places=() if table is None else places.of(table),
        hand=frozenset() if table is None or table.open_hand is None else table.open_hand.cards,
    )


def card_reader(settings: Settings, letters: LastLetters | None = None) -> "CardReader":
    """Reads cards for the device: it knows the house's own deck where there is one, and the last deck's letters."""
    from device.keeping.deck import house_deck
    from vision.cards.reader import CardReader

    deck = house_deck(settings.deck_file, settings.language) if settings.deck_file else None
    if letters is None:
        return CardReader(deck=deck, one_deck=True, french=usual_letters(settings.language))
    french = letters.french(settings.language)
    return CardReader(deck=deck, one_deck=True, french=french, told_french=letters.told)


def card_eye(settings: Settings, letters: LastLetters | None = None) -> CardEye:
    """The eye of the device."""
    from vision.table import CardTableEye

    return CardTableEye(card_reader(settings, letters), (settings.middle[0], settings.middle[1]))


class BoardEye(Protocol):
    """Looks at a board, frame by frame."""

    @property
    def situation(self) -> str:
        """One of SITUATIONS (device/following/show.py)."""

    @property
    def kept(self) -> bool:
        """The last frame may be read later."""

    @property
    def touched(self) -> bool:
        """Something moved over the board since the last look."""

    def see(self, frame: Frame, in_doubt: bool) -> BoardLook | None:
        """Takes the next frame in. in_doubt: what lies there is looked at again."""

    def remember(self, counts: Sequence[Sequence[int]]) -> None:
        """The pits are known to hold these."""

    def forget(self) -> None:
        """What the pits hold is not known any more."""


def board_eye(match: Match, settings: Settings) -> BoardTableEye:
    """The eye of the device for the board of a match."""
    from vision.board.reader import BoardReader

    assert isinstance(match.judge, BoardJudge)
    game = match.judge.game
    corners = list(zip(settings.board_corners[::2], settings.board_corners[1::2], strict=True))
    return BoardTableEye(BoardReader(), SEAT_0_DEG[settings.seat_zero], (game.rows, game.columns), corners)


class BoardFollower:
    """Follows a game of seeds."""

    def __init__(self, match: Match, settings: Settings, eye: BoardEye | None = None) -> None:
        assert isinstance(match.judge, BoardJudge)
        self._unfinished = match.judge.game.unfinished
        self._eye = eye or board_eye(match, settings)
        self._turned = False
        """South sits across from seat 0: the first turn told, or what lies there when a match goes on."""
        self._south_known = False
        """That is settled."""
        self._look_on = False
        """What lies there is looked at again and again."""
        self._held: Board | None = None
        """A board that something would be said of; it is looked at again first."""
        self._left: Board | None = None
        """What lay there when a hand came, if it seemed wrong: it may be put right, or the other has come."""
        self._last: list[list[int | None]] | None = None
        """The likeliest counts of the last board that was told."""
        self._untold: list[list[int | None]] | None = None
        """Those of one that lies there and was not told."""
        self._missed = False
        """An earlier board was not told either: there may be more than one turn since the last that was, and nobody is
        accused by this board alone."""
        self._undone: list[list[int | None]] | None = None
        """Those of a board that was told and taken back by a button: not told again before it lies otherwise."""

    @property
    def situation(self) -> str:
        return self._eye.situation

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        now = match()
        clear = _nothing_asked(now)
        look = self._eye.see(frame, self._held is not None or not clear or self._look_on)
        if look is None:
            return self._left_before(now)
        board = self._board(look, look.south_first != self._turned)
        counts = best_counts(board)
        if counts == self._last and clear:
            self._none_missed()
            self._left = None
        if counts == self._undone or (counts == self._last and not ((self._held or not clear) and now.preview(board))):
            return FrameSeen(looked=True)
        self._undone = None
        board, says = self._from_south(look, board, now)
        self._lies_untold(best_counts(board))
        if self._missed:
            board = replace(board, missed=True)
            says = now.preview(board)
        setting_out = now.view.phase == "setup"
        self._held = board if look.looks < _looks_before(says, self._unfinished, setting_out) else None
        if self._held is not None:
            return FrameSeen(looked=True)
        return self._told_of(look, board, self._left_and_played_on(now, board, says), match, add)

    def _from_south(self, look: BoardLook, board: Board, now: Match) -> tuple[Board, Sequence[Notice]]:
        """The board with south at the right side, and what the judge says of it: south is who plays first. After a
        restart it is the way round in which the board lies as it was, or shows a legal turn."""
        says = now.preview(board)
        first = now.view.last_turn is None or now.view.phase == "over"
        if not first and self._south_known:
            return board, says
        other = self._board(look, look.south_first == self._turned)
        otherwise = now.preview(other)
        fits = _moves(says) or (not first and _lies_still(board, now))
        other_fits = _moves(otherwise) or (not first and _lies_still(other, now))
        if other_fits and not fits:
            self._turned, self._south_known = not self._turned, True
            return other, otherwise
        self._south_known = fits and (first or not other_fits)
        return board, says

    def _told_of(self, look: BoardLook, board: Board, left: Board | None, match: MatchNow, add: Add) -> FrameSeen:
        """Tells the match of a board, and before it of one that was left on the way to it."""
        told = FrameTold()
        if left is not None:
            told.add(left, add)
        if told.add(board, add):
            self._last = best_counts(board)
            known = match().board
            if known is not None:
                self._eye.remember(_turned_round(known) if look.south_first != self._turned else known)
        if told.notices:
            self._left = None
        if _nothing_asked(match()):
            self._none_missed()
        return FrameSeen(True, tuple(told.events), tuple(told.notices), refused=tuple(told.refused))

    def _lies_untold(self, counts: list[list[int | None]]) -> None:
        """This board lies there and is not told yet; what lay there before was not either, if much is otherwise."""
        if self._untold is not None:
            pits = zip(chain(*self._untold), chain(*counts), strict=True)
            self._missed = self._missed or sum(count != other for count, other in pits) >= OTHER_PITS
        self._untold = counts

    def _none_missed(self) -> None:
        self._untold, self._missed = None, False

    def _left_before(self, match: Match) -> FrameSeen:
        """A hand came before there was time for another look at what seemed wrong: it may put it right, or go on with
        the turn, or be the other player's. What is left then tells."""
        if self._held is not None and self._eye.touched:
            held, self._held = self._held, None
            if self._left is None or not _asks(match.preview(self._left, held), PLAYED_ON):
                self._left = held
        return FrameSeen(looked=self._eye.kept)

    def aim(self, image: Image) -> Aim:
        return aim_of(self._eye, image)

    def undone(self, match: Match) -> None:
        """The board still lies as it was told; it is told again once it lies otherwise."""
        self._held = self._left = None
        self._undone = self._last
        self._eye.forget()

    def answered(self, about: str, answer: str) -> None:
        """The match knows all there is to know of it."""

    def begin_anew(self) -> None:
        """Nothing that lay there was told: what lies there now is told as soon as it lies still."""
        self._held = self._left = self._last = self._undone = None
        self._none_missed()
        self._eye.forget()

    def look_on(self, on: bool) -> None:
        """Whether what lies there is looked at, and told, again and again: a board that is being set up."""
        self._look_on = on
        if on:
            self._last = None

    def turn_round(self) -> None:
        """South sits on the other side."""
        self._turned = not self._turned

    def _left_and_played_on(self, match: Match, board: Board, says: Sequence[Notice]) -> Board | None:
        """What lay there when the last hand came, if that was an illegal turn and this one is the other player's, from
        there: no legal turns lead to it."""
        if self._left is None or _moves(says):
            return None
        return self._left if _asks(match.preview(self._left, board), PLAYED_ON) else None

    @staticmethod
    def _board(look: BoardLook, turned: bool) -> Board:
        rows = _turned_round(look.sighting.pits) if turned else look.sighting.pits
        pits = tuple(tuple(_short(pit) for pit in row) for row in rows)
        return Board(likelihood=pits, waited=look.looks >= LOOKS_WAITED, rested=look.looks >= LOOKS_AT_REST)


def _looks_before(says: Sequence[Notice], unfinished: Container[object], setting_out: bool) -> int:
    """How often a board is looked at before anybody is asked about it or accused. setting_out: no turn was made yet,
    and seeds may still be put there."""
    loud = [notice for notice in says if notice.level in (ASK, ALERT)]
    if not loud:
        return 0
    waits = setting_out or _may_go_on(loud, unfinished)
    return LOOKS_WHILE_A_TURN_MAY_GO_ON if waits else LOOKS_BEFORE_A_WORD


def _nothing_asked(match: Match) -> bool:
    """Whether nothing that lies there is in doubt or asked about."""
    return match.view.doubt is None and match.view.question is None


def _moves(says: Sequence[Notice]) -> bool:
    """Whether a turn was played."""
    return any(notice.code == "move" for notice in says)


def _lies_still(board: Board, now: Match) -> bool:
    """Whether the board holds what the match left there."""
    return now.board is not None and best_counts(board) == [list(row) for row in now.board]


def _may_go_on(notices: list[Notice], unfinished: Container[object]) -> bool:
    """Whether what is told of a board would be wrong if somebody only rested in the middle of a turn."""
    told = chain(*((notice.facts.get("rule"), *notice.facts.get("choices", ())) for notice in notices))
    return any(rule in unfinished for rule in told)


def _asks(notices: Sequence[Notice], *about: str) -> bool:
    """Whether one of these asks about this."""
    return any(notice.facts.get("about") in about for notice in notices)


def _turned_round(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """A board as seen from across the table."""
    return tuple(row[::-1] for row in rows[::-1])


def _short(pit: dict[int, float] | None) -> dict[int, float] | None:
    return None if pit is None else {count: round(p, 6) for count, p in pit.items() if p >= LEAST_LIKELY}


def follower_of(match: Match, settings: Settings, letters: LastLetters | None = None) -> Follower:
    """Who follows this match. letters: of the last deck that lay here."""
    if isinstance(match.judge, BoardJudge):
        return BoardFollower(match, settings)
    return CardFollower(match, settings, card_eye(settings, letters))
