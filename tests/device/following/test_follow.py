"""What a follower tells of a board, and when: at once what was played, a little later whatever accuses or asks."""

from collections.abc import Sequence
from copy import deepcopy
from random import Random

import pytest

from device.following.follow import (
    LOOKS_AT_REST,
    LOOKS_BEFORE_A_WORD,
    LOOKS_WHILE_A_TURN_MAY_GO_ON,
    BoardFollower,
    FrameSeen,
)
from device.keeping.settings import Settings
from device.words import sentence
from engine.events import Board, Choose, Event
from engine.match import Match
from engine.notices import ALERT, ASK, Notice
from engine.referee.board_judge import BoardJudge
from engine.referee.mraha import COUNTING
from engine.rules import awale
from engine.rules.mraha import board_rows, flags_from, legal_turns, options_for, start
from engine.sightings import BoardSighting, CountLikelihood
from engine.simulate_mraha import board_of, honest_turns, plant
from tests.engine.table import let_stand
from tests.engine.test_awale_judge import unfinished_to_the_eye
from vision.board_table import BoardLook
from vision.frame import Frame

MRAHA = flags_from(options_for("mraha", {}))
OPENING = start(MRAHA)
CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
Rows = tuple[tuple[int, ...], ...]
SeenPits = tuple[tuple[CountLikelihood | None, ...], ...]


class Eye:
    """Sees what it is told to."""

    situation = "looking"

    def __init__(self, south_first: bool = False) -> None:
        self.south_first = south_first
        self.shown: BoardLook | None = None
        self.asked_again: bool = False
        self.touched = False
        self.kept = False
        self.known: Sequence[Sequence[int]] | None = None

    def show(self, rows: Rows, looks: int = 1) -> None:
        rows = tuple(row[::-1] for row in rows[::-1]) if self.south_first else rows
        self.show_likely(tuple(tuple({count: 1.0} for count in row) for row in rows), looks)

    def show_likely(self, pits: SeenPits, looks: int) -> None:
        self.shown = BoardLook(0.0, BoardSighting(CORNERS, pits), self.south_first, looks == 1, looks)

    def see(self, frame: Frame, in_doubt: bool) -> BoardLook | None:
        self.asked_again = in_doubt
        return self.shown

    def remember(self, counts: Sequence[Sequence[int]]) -> None:
        self.known = counts

    def forget(self) -> None:
        self.known = None


class Table:
    """A match, its follower, and an eye."""

    def __init__(self, south_first: bool = False, game: str = "mraha") -> None:
        self.match = Match(game)
        self.settings = Settings(language="en", game=game, players=2, build="laptop", display="none")
        self.eye = Eye(south_first)
        self.follower = BoardFollower(self.match, self.settings, self.eye)

    def add(self, event: Event) -> list[Notice]:
        return self.match.add(event)

    def look(self, rows: Rows, looks: int = 1) -> FrameSeen:
        self.eye.show(rows, looks)
        return self.follower.see(None, lambda: self.match, self.add)  # type: ignore[arg-type]

    def look_likely(self, pits: SeenPits, looks: int) -> FrameSeen:
        self.eye.show_likely(pits, looks)
        return self.follower.see(None, lambda: self.match, self.add)  # type: ignore[arg-type]

    def nothing(self) -> FrameSeen:
        self.eye.shown = None
        return self.follower.see(None, lambda: self.match, self.add)  # type: ignore[arg-type]


def rows_of(board: Board) -> Rows:
    assert board.pits is not None
    return tuple(tuple(pit or 0 for pit in row) for row in board.pits)


@pytest.fixture
def begun() -> Table:
    table = Table()
    table.look(rows_of(board_of(COUNTING)))
    table.look(board_rows(OPENING))
    assert table.match.view.phase == "munia"
    return table


def illegal() -> Rows:
    board = plant(OPENING, MRAHA, "nyumba_start", Random(3))
    assert board is not None
    return rows_of(board)


def lifted() -> Rows:
    """Two pits are empty: their seeds are in a hand."""
    rows = [list(row) for row in board_rows(OPENING)]
    rows[2][4] = rows[2][5] = 0
    return tuple(map(tuple, rows))


def test_a_turn_is_told_at_the_first_look(begun: Table) -> None:
    after = legal_turns(OPENING, MRAHA)["F7+"].after
    seen = begun.look(board_rows(after))
    assert [notice.code for notice in seen.notices] == ["move"]


@pytest.mark.parametrize("game", ["awale", "mraha"])
@pytest.mark.parametrize("far", [False, True])
def test_a_match_that_goes_on_after_a_power_cut_is_read_the_right_way_round(game: str, far: bool) -> None:
    """Though nobody says on which side sits who played first."""
    table = Table(game=game)
    assert isinstance(table.match.judge, BoardJudge)
    seeds, rng = table.match.judge.game, Random(3)
    position = seeds.opening

    def show(looks: int = 1) -> list[Notice]:
        rows = seeds.board_rows(position.sides)
        rows = tuple(tuple(row)[::-1] for row in rows[::-1]) if far else rows
        return [notice for look in range(1, looks + 1) for notice in table.look(rows, look).notices]

    show()
    for turn in range(8):
        if turn == 5:  # The device starts again over the same board.
            table.follower = BoardFollower(table.match, table.settings, table.eye)
            assert show(LOOKS_WHILE_A_TURN_MAY_GO_ON) == []
        legal = seeds.legal(position)
        position = legal[rng.choice(sorted(legal))].after
        assert [notice.code for notice in show(LOOKS_BEFORE_A_WORD)] == ["move"]


def test_a_board_that_is_being_set_out_is_not_asked_about_at_once() -> None:
    table, half_full = Table(game="awale"), ((4,) * 6, (4, 0, 0, 0, 0, 0))
    for looks in range(1, LOOKS_WHILE_A_TURN_MAY_GO_ON):
        assert table.look(half_full, looks).notices == ()
    (asked,) = table.look(half_full, LOOKS_WHILE_A_TURN_MAY_GO_ON).notices
    assert asked.facts["about"] == "adopt"


def test_an_illegal_turn_after_a_power_cut_turns_the_board_round_for_nobody(begun: Table) -> None:
    begun.follower = BoardFollower(begun.match, begun.settings, begun.eye)
    for looks in range(1, LOOKS_WHILE_A_TURN_MAY_GO_ON + 1):
        seen = begun.look(illegal(), looks)
    begun.look(board_rows(OPENING))
    assert begun.match.view.question is None
    after = legal_turns(OPENING, MRAHA)["F7+"].after
    seen = begun.look(board_rows(after))
    assert [notice.code for notice in seen.notices] == ["move"]


def test_an_accusation_waits_for_further_looks(begun: Table) -> None:
    for looks in range(1, LOOKS_BEFORE_A_WORD):
        assert begun.look(illegal(), looks) == FrameSeen(looked=True)
    (told,) = begun.look(illegal(), LOOKS_BEFORE_A_WORD).notices
    assert told.facts["rule"] == "nyumba_start"
    assert begun.eye.asked_again


def test_nobody_is_accused_by_a_board_before_which_another_could_not_be_told(begun: Table) -> None:
    """More turns than one may lie between."""
    before = plant(OPENING, MRAHA, "moved_opponents_seeds", Random(5))
    assert before is not None
    begun.look(rows_of(before))
    for looks in range(1, LOOKS_BEFORE_A_WORD):
        begun.look(illegal(), looks)
    (told,) = begun.look(illegal(), LOOKS_BEFORE_A_WORD).notices
    assert told.facts["about"] == "knocked"
    assert not begun.look(illegal(), LOOKS_BEFORE_A_WORD + 1).notices


def replied(match: Match) -> Rows:
    """What lies there after the next player's turn."""
    return board_rows(next(iter(legal_turns(match.state.position, MRAHA).values())).after)


def a_hand_comes(table: Table) -> None:
    table.eye.touched = True
    assert table.nothing() == FrameSeen()


def test_an_accusation_is_not_lost_when_the_other_player_comes_first(begun: Table) -> None:
    reply = replied(let_stand(begun.match, Board(pits=illegal())))
    begun.look(illegal())
    a_hand_comes(begun)
    for looks in range(1, LOOKS_BEFORE_A_WORD):
        assert begun.look(reply, looks) == FrameSeen(looked=True)
    alert, asked = begun.look(reply, LOOKS_BEFORE_A_WORD).notices
    assert (alert.facts["rule"], asked.facts["about"]) == ("nyumba_start", "played_on")


def test_an_accusation_is_not_lost_when_two_hands_come_one_after_the_other(begun: Table) -> None:
    standing = let_stand(begun.match, Board(pits=illegal()))
    first = replied(standing)
    standing.add(Board(pits=first))
    second = replied(standing)
    for rows in (illegal(), first):
        begun.look(rows)
        a_hand_comes(begun)
    said = [notice for looks in range(1, 9) for notice in begun.look(second, looks).notices]
    assert [notice.facts["rule"] for notice in said if notice.level == ALERT] == ["nyumba_start"]
    assert [len(notice.facts["keys"]) for notice in said if notice.level == ASK] == [2]


def test_what_is_put_right_at_once_accuses_nobody(begun: Table) -> None:
    for right in (board_rows(OPENING), board_rows(legal_turns(OPENING, MRAHA)["F7+"].after)):
        begun.look(illegal())
        a_hand_comes(begun)
        said = [notice for looks in range(1, 9) for notice in begun.look(right, looks).notices]
        assert [notice.code for notice in said if notice.level == ALERT] == []
    assert [notice.code for notice in said] == ["move"]


def test_a_rest_in_the_middle_of_a_turn_is_no_accusation_when_the_hand_goes_on(begun: Table) -> None:
    position = OPENING
    for turn in honest_turns(Random(3), MRAHA):
        board = plant(position, MRAHA, "stopped_short", Random(1))
        if board is not None:
            break
        begun.look(board_rows(turn.after))
        position = turn.after
    assert board is not None
    assert begun.look(rows_of(board)) == FrameSeen(looked=True)
    begun.eye.touched = True
    assert begun.nothing() == FrameSeen()
    for looks in range(1, LOOKS_WHILE_A_TURN_MAY_GO_ON):
        assert begun.look(rows_of(board), looks) == FrameSeen(looked=True)
    (told,) = begun.look(rows_of(board), LOOKS_WHILE_A_TURN_MAY_GO_ON).notices
    assert told.facts["rule"] == "stopped_short"


def broken_off(table: Table) -> tuple[Rows, Rows]:
    """Plays on to a turn that stops short: what lies there then, and after the other player's turn from there."""
    position = OPENING
    for turn in honest_turns(Random(3), MRAHA):
        board = plant(position, MRAHA, "stopped_short", Random(1))
        if board is not None:
            return rows_of(board), replied(let_stand(table.match, board))
        table.look(board_rows(turn.after))
        position = turn.after
    raise AssertionError("no turn of this game can stop short")


def test_a_turn_broken_off_is_named_once_the_other_plays_on_from_there(begun: Table) -> None:
    stopped, reply = broken_off(begun)
    begun.look(stopped)
    a_hand_comes(begun)
    for looks in range(1, LOOKS_BEFORE_A_WORD):
        assert begun.look(reply, looks) == FrameSeen(looked=True)
    alert, asked = begun.look(reply, LOOKS_BEFORE_A_WORD).notices
    assert (alert.facts["rule"], asked.facts["about"]) == ("stopped_short", "played_on")
    said = sentence(alert.to_dict(), "en")
    assert sentence(asked.to_dict(), "en") == f"{said} Play went on. Let it stand?"
    begun.match.add(Choose(asked.facts["question"], "stands"))
    assert begun.match.board == reply


def test_a_turn_that_went_on_from_where_a_hand_rested_is_never_named(begun: Table) -> None:
    stopped, _ = broken_off(begun)
    begun.look(stopped)
    begun.eye.touched = True
    begun.nothing()
    position = begun.match.state.position
    for turn in legal_turns(position, MRAHA).values():
        table = deepcopy(begun)
        for looks in range(1, LOOKS_WHILE_A_TURN_MAY_GO_ON + 1):
            seen = table.look(board_rows(turn.after), looks)
            assert not [notice for notice in seen.notices if notice.level == ALERT]


def test_what_a_button_took_back_is_not_told_again_before_it_lies_otherwise(begun: Table) -> None:
    begun.look(lifted())  # A doubt, in which every look counts.
    after = board_rows(legal_turns(OPENING, MRAHA)["F7+"].after)
    begun.look(after)
    begun.match.add({"event": "undo"})
    begun.follower.undone(begun.match)
    assert begun.match.view.doubt == "sowing"
    assert begun.look(after, 2) == FrameSeen(looked=True)
    begun.look(board_rows(OPENING))
    assert [notice.code for notice in begun.look(after).notices] == ["move"]


def test_a_doubt_that_lasts_is_written_down_once(begun: Table) -> None:
    for looks in range(1, 9):
        begun.look(lifted(), looks)
    assert begun.match.view.doubt == "sowing"
    assert len(begun.match.log) == 3


def test_a_board_that_looks_unfinished_is_asked_about_once_it_rests() -> None:
    before, board = unfinished_to_the_eye()
    table = Table(game="awale")
    for position in before:
        table.look(awale.board_rows(position.sides))
    assert board.likelihood is not None
    pits = tuple(tuple(dict(pit) if pit else None for pit in row) for row in board.likelihood)
    for looks in range(1, LOOKS_AT_REST):
        assert not table.look_likely(pits, looks).notices
    assert table.match.view.doubt == "sowing"
    (told,) = table.look_likely(pits, LOOKS_AT_REST).notices
    assert told.facts["about"] == "which_turn"
    assert not table.look_likely(pits, LOOKS_AT_REST + 1).notices


def test_what_only_one_look_showed_is_not_told(begun: Table) -> None:
    begun.look(illegal())
    seen = begun.look(board_rows(legal_turns(OPENING, MRAHA)["F7+"].after), 2)
    assert [notice.code for notice in seen.notices] == ["move"]


@pytest.mark.parametrize("south_first", [False, True])
def test_the_eye_is_told_what_lies_there_the_way_it_sees_it(south_first: bool) -> None:
    table = Table(south_first)
    table.look(board_rows(OPENING))
    after = legal_turns(OPENING, MRAHA)["F7+"].after
    table.look(board_rows(after))
    shown = board_rows(after)
    assert table.match.board == shown
    assert table.eye.known is not None
    assert tuple(map(tuple, table.eye.known)) == (tuple(row[::-1] for row in shown[::-1]) if south_first else shown)


def test_while_something_is_open_nothing_is_known(begun: Table) -> None:
    before = begun.eye.known
    begun.look(illegal(), LOOKS_BEFORE_A_WORD)
    assert begun.match.board is None
    assert begun.eye.known == before
    begun.follower.undone(begun.match)
    assert begun.eye.known is None
