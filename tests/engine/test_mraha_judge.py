"""The judge of mraha: a game followed from boards, what is told of illegal turns, and how answers settle them."""

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from engine.events import Board, Choose, Confirm, Event, EventError, Play, Undo
from engine.match import HeadStart, Match
from engine.notices import Notice
from engine.referee.board import TURN
from engine.referee.board_judge import BoardState
from engine.referee.mraha import COUNTING, MrahaGame, explain
from engine.referee.seed_game import PLAYERS
from engine.rules.mraha import MrahaFlags, MrahaPosition, board_rows, flags_from, legal_turns, options_for, start
from engine.simulate_mraha import board_of, honest_game, honest_turns, plant
from tests.sizes import slow

PRESETS = ("mraha", "kiswahili")


def rules(preset: str = "mraha") -> MrahaFlags:
    return flags_from(options_for(preset, {}))


MRAHA = rules()
OPENING = start(MRAHA)


def game(*events: Event, preset: str = "mraha", **options: object) -> Match:
    match = Match("mraha", 2, {"preset": preset, **options})
    for event in events:
        match.add(event)
    return match


def position_of(match: Match) -> MrahaPosition:
    state = match.state
    assert isinstance(state, BoardState)
    position: MrahaPosition = state.position
    return position


def codes(notices: list[Notice]) -> list[str]:
    return [notice.facts.get("rule") or notice.facts.get("about") or notice.code for notice in notices]


def begun(show_counts: str = "no") -> Match:
    """The seeds were counted, the start set out, and one turn played."""
    turn = legal_turns(OPENING, MRAHA)["F7+"]
    return game(board_of(COUNTING), board_of(OPENING.sides), board_of(turn.after.sides), show_counts=show_counts)


def illegal_board(match: Match, rule: str = "nyumba_start", seed: int = 3) -> Board:
    board = plant(position_of(match), MRAHA, rule, Random(seed))
    assert board is not None
    return board


def surely(rows: Sequence[Sequence[int]]) -> tuple[tuple[dict[int, float], ...], ...]:
    """As a reader without any doubt of its own tells it."""
    return tuple(tuple({count: 0.999, count + 1: 0.001} for count in row) for row in rows)


def some_turn(position: MrahaPosition) -> MrahaPosition:
    return next(iter(legal_turns(position, MRAHA).values())).after


# -- honest games ------------------------------------------------------------------------------------------------------


def play_honestly(preset: str, games: int) -> None:
    for seed in range(games):
        match, said = game(preset=preset), []
        for board in honest_game(Random(seed), preset):
            said += match.add(board)
        turns = len(list(honest_turns(Random(seed), rules(preset))))
        assert codes(said) == ["move"] * turns + ["match_won"]
        assert match.view.phase == "over"


@pytest.mark.parametrize("games", [2, *slow(8)])
@pytest.mark.parametrize("preset", PRESETS)
def test_an_honest_game_is_followed_without_an_alert(preset: str, games: int) -> None:
    play_honestly(preset, games)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a_thousand_honest_games_bring_no_alert(preset: str) -> None:
    play_honestly(preset, 1_000)


def test_the_counting_and_the_start_are_seen_before_the_game() -> None:
    match = game(board_of(COUNTING))
    assert match.view.phase == "setup"
    assert match.add(board_of(OPENING.sides)) == []
    view = match.view
    assert (view.phase, view.turn, view.in_hand, view.pits) == ("munia", 0, {"south": 22, "north": 22}, None)


@pytest.mark.parametrize("hand_over", [False, True])
def test_pits_not_filled_yet_are_no_missing_seeds(hand_over: bool) -> None:
    rows: list[list[int | None]] = [[*row] for row in board_rows(MrahaPosition(COUNTING, (0, 0), (False, False)))]
    rows[3][:3] = [0, 0, 0] if not hand_over else [1, 2, None]
    match = game()
    for _ in range(3):
        assert match.add(Board(pits=tuple(map(tuple, rows)))) == []
    assert match.view.alert is None


def test_a_seed_missing_when_they_are_counted_is_told_once_it_stays() -> None:
    short = ((1, *COUNTING[0][1:]), COUNTING[1])
    match = game(board_of(short))
    assert match.view.alert is None
    (told,) = match.add(board_of(short))
    assert told.facts == {"rule": "seeds_missing", "missing": 1, "number": 2, "pits": [[2, 0]], "seeds": 1}
    assert match.add(board_of(COUNTING)) == [] and match.view.alert is None


@pytest.mark.parametrize(("two", "told"), [(0.001, ["count_again"]), (0.05, [])])
def test_a_pit_that_clearly_shows_another_number_is_to_be_counted_again(two: float, told: list[str]) -> None:
    rows: list[list[dict[int, float] | None]] = [[{2: 0.99, 3: 0.01} for _ in range(8)] for _ in range(4)]
    rows[1][3] = {1: 1 - two, 2: two}
    short = Board(likelihood=tuple(map(tuple, rows)))
    match = game(short)
    notices = [*match.add(short), *match.add(short)]
    assert [notice.code for notice in notices] == told
    assert all(notice.facts == {"number": 2, "pits": [[1, 3]], "seeds": 63, "all": 64} for notice in notices)
    assert match.add(board_of(COUNTING)) == []
    assert match.add(board_of(OPENING.sides)) == [] and match.view.phase == "munia"


@pytest.mark.parametrize("rule", ["seeds_missing", "hand_not_used"])
def test_what_a_hand_over_the_board_may_still_hold_accuses_nobody(rule: str) -> None:
    match = begun()
    rows = [list(row) for row in illegal_board(match, rule).pits or ()]
    good = board_rows(position_of(match))
    same = [(r, c) for r in range(4) for c in range(8) if rows[r][c] == good[r][c]]
    row, column = same[0]
    rows[row][column] = None
    assert match.add(Board(pits=tuple(map(tuple, rows)))) == []
    assert match.view.alert is None


def test_an_eye_that_errs_at_this_table_is_believed_less() -> None:
    """What one that erred in the game before is sure of is asked about, where another's word would accuse."""
    told = []
    for errs in (False, True):
        match, mistaken = game(board_of(COUNTING), board_of(OPENING.sides)), 0
        for turn in list(honest_turns(Random(3), MRAHA))[:16]:
            rows, before = [list(row) for row in board_rows(turn.after)], board_rows(position_of(match))
            fullest = max((rows[r][c], r, c) for r in range(4) for c in range(8) if rows[r][c] != before[r][c])
            right = Board(likelihood=surely(rows))
            count, row, column = fullest
            misread = [list(pits) for pits in surely(rows)]
            misread[row][column] = {count: 0.03, count + 1: 0.97}
            wrong = Board(likelihood=tuple(map(tuple, misread)))
            taken = errs and [notice.facts.get("key") for notice in match.preview(wrong)] == [turn.key]
            match.add(wrong if taken else right)
            assert position_of(match) == turn.after
            mistaken += taken
        match.add(board_of(COUNTING))
        match.add(Choose(len(match.log), "yes"))
        assert match.view.phase == "setup" and (mistaken > 8) == errs
        match.add(board_of(OPENING.sides))
        faulty = illegal_board(match, "moved_opponents_seeds").pits
        assert faulty is not None
        told.append(codes(match.add(Board(likelihood=surely(faulty)))))  # type: ignore[arg-type]
    assert told == [["moved_opponents_seeds"], ["which_turn"]]


@pytest.mark.parametrize("misread_before", [False, True])
def test_a_pit_that_the_eye_counted_wrong_before_accuses_nobody(misread_before: bool) -> None:
    match = begun()
    rows = board_rows(position_of(match))
    faulty = illegal_board(match, "moved_opponents_seeds")
    if misread_before:
        table = [[{count: 1.0} for count in pits] for pits in rows]
        assert (rows[2][4], faulty.pits and faulty.pits[2][4]) == (6, 5)
        table[2][4] = {6: 0.3, 5: 0.7}
        assert match.add(Board(likelihood=tuple(tuple(row) for row in table))) == []
    assert codes(match.add(faulty)) == ([] if misread_before else ["moved_opponents_seeds"])


def test_a_fault_beside_a_hand_is_not_told_before_the_hand_is_gone() -> None:
    match = game(board_of(COUNTING), board_of(OPENING.sides))
    wrong = illegal_board(match)
    (told,) = game(board_of(COUNTING), board_of(OPENING.sides)).add(wrong)
    row, column = told.facts["pits"][0]
    assert wrong.pits is not None
    rows = [list(pit) for pit in wrong.pits]
    rows[row][column + (1 if column < 7 else -1)] = None
    assert match.add(Board(pits=tuple(map(tuple, rows)))) == []
    assert match.view.alert is None
    assert [notice.facts["rule"] for notice in match.add(wrong)] == [told.facts["rule"]]


def test_a_turn_whose_seeds_all_lie_under_a_hand_is_not_told_before_the_hand_is_gone() -> None:
    for key, turn in legal_turns(OPENING, MRAHA).items():
        match = game(board_of(COUNTING), board_of(OPENING.sides))
        rows = zip(board_rows(OPENING), board_rows(turn.after), strict=True)
        hidden = [[None if new > old else new for old, new in zip(*pair, strict=True)] for pair in rows]
        assert match.add(Board(pits=tuple(map(tuple, hidden)))) == [], key
        assert match.view.doubt == "sowing"
        assert codes(match.add(board_of(turn.after.sides)))[:1] == ["move"], key


@pytest.mark.parametrize(("gone_from", "lies_in"), [((2, 5), (3, 4)), ((1, 2), (1, 1))])
def test_a_seed_in_another_pit_where_nobody_made_a_turn_was_knocked_there(
    gone_from: tuple[int, int], lies_in: tuple[int, int]
) -> None:
    match = game(board_of(COUNTING), board_of(OPENING.sides))
    rows = [list(row) for row in board_rows(OPENING)]
    rows[gone_from[0]][gone_from[1]] -= 1
    rows[lies_in[0]][lies_in[1]] += 1
    asked = match.add(Board(pits=tuple(map(tuple, rows))))
    assert codes(asked) == ["knocked"] and match.view.alert is None
    assert match.add(board_of(OPENING.sides)) == [] and match.view.question is None


@pytest.mark.parametrize("hand_over", [False, True])
def test_seeds_that_seem_to_be_gone_are_asked_about_once(hand_over: bool) -> None:
    match = game(board_of(COUNTING), board_of(OPENING.sides))
    rows: list[list[dict[int, float] | None]] = [list(row) for row in surely(board_rows(OPENING))]
    rows[2][4] = {4: 0.9996, 5: 0.0004}  # 6 lay there.
    if hand_over:
        rows[0][0] = None
    board = Board(likelihood=tuple(map(tuple, rows)))
    asked = match.add(board)
    if hand_over:
        assert asked == [] and match.view.doubt == "unclear"
        return
    assert codes(asked) == ["which_turn"]
    assert asked[0].facts["choices"] == ["seeds_missing", "still"]
    assert match.add(board) == []
    answered = match.add(Choose(asked[0].facts["question"], "still"))
    assert answered == [] and match.view.question is None
    assert match.add(board) == []
    assert position_of(match).sides == OPENING.sides


def test_setting_out_the_seeds_raises_nothing() -> None:
    rng, sides = Random(1), [list(COUNTING[0]), list(COUNTING[1])]
    match = game()
    for _ in range(30):
        side = sides[rng.randrange(2)]
        pit = max(range(16), key=side.__getitem__)
        side[pit] = 0
        assert match.add(board_of((tuple(sides[0]), tuple(sides[1])))) == []


def test_a_turn_is_told_with_what_it_captured() -> None:
    match = begun()
    assert match.view.last_turn == {"key": "F7+", "player": "south", "captured": 0}
    assert match.view.turn == 1 and match.view.in_hand == {"south": 21, "north": 22}


def test_counts_are_shown_only_when_asked_for() -> None:
    assert begun().view.pits is None
    assert begun(show_counts="yes").view.pits == board_rows(legal_turns(OPENING, MRAHA)["F7+"].after)


# -- illegal turns -----------------------------------------------------------------------------------------------------


def test_an_illegal_turn_is_told_and_waits() -> None:
    match = begun()
    (told,) = match.add(illegal_board(match))
    assert told.to_dict()["rule"] == "nyumba_start" and told.facts["player"] == "north"
    assert match.view.alert is not None and match.view.turn == 1


def test_the_same_board_again_says_nothing_more() -> None:
    match = begun()
    board = illegal_board(match)
    match.add(board)
    assert match.add(board) == [] and match.view.alert is not None


def test_taken_back_it_is_forgotten() -> None:
    match = begun()
    good = position_of(match)
    match.add(illegal_board(match))
    assert match.add(board_of(good.sides)) == []
    assert match.view.alert is None and position_of(match) == good


def test_done_again_rightly_it_is_played() -> None:
    match = begun()
    after = some_turn(position_of(match))
    match.add(illegal_board(match))
    assert codes(match.add(board_of(after.sides))) == ["move"]
    assert match.view.alert is None and position_of(match) == after


def test_confirmed_it_stands_and_the_turn_passes() -> None:
    match = begun()
    board = illegal_board(match)
    match.add(board)
    (told,) = match.add(Confirm(4))
    assert told.facts["confirmed"] and told.facts["player"] == "north"
    assert board_rows(position_of(match)) == board.pits
    assert match.view.turn == 0 and match.view.in_hand == {"south": 21, "north": 21}
    assert codes(match.add(board_of(some_turn(position_of(match)).sides))) == ["move"]


def test_a_turn_that_no_rule_knows_has_no_name_when_it_stands() -> None:
    match = game(board_of(COUNTING), board_of(OPENING.sides))
    south, north = OPENING.sides
    dropped = board_of(((*south[:4], south[4] + 1, *south[5:]), north))
    (told,) = match.add(dropped)
    assert told.facts["rule"] == "dropped_wrong"
    (move,) = match.add(Confirm(3))
    assert move.code == "move" and "key" not in move.facts
    assert match.view.last_turn is not None and "key" not in match.view.last_turn


def test_only_a_board_that_waits_can_be_confirmed() -> None:
    match = begun()
    with pytest.raises(EventError, match="confirm_none: event=3"):
        match.add(Confirm(3))


def test_undo_takes_the_alert_away() -> None:
    match = begun()
    before = match.view
    match.add(illegal_board(match))
    match.add(Undo())
    assert match.view == before


@pytest.mark.parametrize("answer", ["stands", "taken_back"])
def test_played_on_is_asked_about(answer: str) -> None:
    match = begun()
    good = position_of(match)
    match.add(illegal_board(match))
    stands = match.state.waiting.stands
    reply = some_turn(stands)
    (asked,) = match.add(board_of(reply.sides))
    assert asked.facts["about"] == "played_on" and asked.facts["board"] == 4
    assert match.add(board_of(reply.sides)) == []
    said = match.add(Choose(5, answer))
    if answer == "stands":
        assert codes(said) == ["move", "move"] and position_of(match) == reply
    else:
        assert said == [] and position_of(match) == good
        assert match.view.pits is not None, "the last good board is shown until it lies there again"
        match.add(board_of(good.sides))
        assert match.view.pits is None


def test_missing_seeds_stay_missing_once_confirmed() -> None:
    match = begun()
    match.add(illegal_board(match, "seeds_missing"))
    match.add(Confirm(4))
    view, position = match.view, position_of(match)
    assert view.in_hand == {"south": 21, "north": 21}
    assert position.on_board + sum(position.reserve) < 64


def test_a_hand_that_sows_is_waited_for() -> None:
    match = begun()
    sides = position_of(match).sides
    lifted = (sides[0], (*sides[1][:6], 0, *sides[1][7:]))
    assert match.add(board_of(lifted)) == []
    assert match.view.doubt == "sowing" and match.view.alert is None


def test_a_reading_open_between_two_turns_is_asked_about() -> None:
    match = begun()
    position, other = (turn.after for turn in list(legal_turns(position_of(match), MRAHA).values())[:2])
    both = tuple(
        tuple({a: 0.5, b: 0.5} if a != b else {a: 1.0} for a, b in zip(*rows, strict=True))
        for rows in zip(board_rows(position), board_rows(other), strict=True)
    )
    (asked,) = match.add(Board(likelihood=both))
    assert asked.facts["about"] == "which_turn"
    assert match.add(Board(likelihood=both)) == []
    assert codes(match.add(Choose(4, asked.facts["choices"][0]))) == ["move"]
    assert position_of(match) in (position, other)


def test_a_board_nobody_can_see_says_nothing() -> None:
    match = begun()
    assert match.add(Board(pits=((None,) * 8,) * 4)) == []
    assert match.view.doubt is not None and match.view.alert is None


# -- turns taken back --------------------------------------------------------------------------------------------------


def test_the_last_turn_taken_back_is_forgotten() -> None:
    match = begun()
    before, last = position_of(match), match.view.last_turn
    match.add(board_of(some_turn(before).sides))
    assert match.add(board_of(before.sides)) == []
    assert (position_of(match), match.view.last_turn) == (before, last)
    assert match.view.turn == 1


def test_another_turn_played_instead_takes_its_place() -> None:
    match = begun()
    before = position_of(match)
    first, other = list(legal_turns(before, MRAHA).values())[:2]
    match.add(board_of(first.after.sides))
    (told,) = match.add(board_of(other.after.sides))
    assert (told.code, told.facts["key"]) == ("move", other.key)
    assert position_of(match) == other.after


def test_only_one_turn_can_be_taken_back_unasked() -> None:
    match = begun()
    before = position_of(match)
    first = some_turn(before)
    match.add(board_of(first.sides))
    match.add(board_of(before.sides))
    assert codes(match.add(board_of(OPENING.sides))) == ["new_game"]


# -- other boards ------------------------------------------------------------------------------------------------------


def far_away() -> MrahaPosition:
    return list(honest_turns(Random(3), MRAHA))[40].after


def test_a_position_set_up_by_hand_is_adopted_when_told_who_moves() -> None:
    match = begun()
    (asked,) = match.add(board_of(far_away().sides))
    assert (asked.facts["about"], asked.facts["choices"]) == ("adopt", ["south", "north", "no"])
    assert match.add(Choose(4, "north")) == []
    position = position_of(match)
    assert position.sides == far_away().sides and position.to_move == 1
    assert position.on_board + sum(position.reserve) == 64


def test_a_board_with_far_more_seeds_than_there_are_is_not_played_on_from() -> None:
    match = begun()
    assert match.add(Board(pits=((9,) * 8,) * 4)) == [] and match.view.question is None
    (asked,) = match.add(board_of(far_away().sides))
    assert asked.facts["about"] == "adopt"


def test_a_position_not_adopted_changes_nothing() -> None:
    match = begun()
    good = position_of(match)
    match.add(board_of(far_away().sides))
    match.add(Choose(4, "no"))
    assert position_of(match) == good and match.view.question is None


def test_what_to_go_on_from_is_asked_once_and_means_what_lies_there_when_it_is_answered() -> None:
    match = begun()
    later = list(honest_turns(Random(3), MRAHA))[48].after
    (asked,) = match.add(board_of(far_away().sides))
    assert match.add(board_of(later.sides)) == []
    assert match.view.question is not None and match.view.question["question"] == asked.facts["question"] == 4
    match.add(Choose(4, "south"))
    assert position_of(match).sides == later.sides


def test_a_knocked_board_offers_the_last_good_one_back() -> None:
    match = game()
    position = list(honest_turns(Random(3), MRAHA))[40].after
    match.add(board_of(position.sides))
    match.add(board_of(position.sides))
    match.add(Choose(2, "south" if position.to_move == 0 else "north"))
    scattered = tuple(tuple(seeds // 2 for seeds in side) for side in position.sides)
    (asked,) = match.add(board_of((scattered[0], scattered[1])))
    assert asked.facts["about"] == "knocked"
    match.add(Choose(4, "restore"))
    assert match.view.pits == board_rows(position)
    assert match.add(board_of((scattered[1], scattered[0]))) == []
    assert [notice.facts["about"] for notice in match.preview(board_of(COUNTING))] == ["new_game"]
    match.add(board_of(position.sides))
    assert match.view.pits is None


def rolled_about(position: MrahaPosition, gone: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A sleeve went through both back rows: three full pits of each lost a seed, which lie elsewhere or are gone."""
    sides = [list(side) for side in position.sides]
    for side, lie_again in zip(sides, (3, 3 - gone), strict=True):
        full = [pit for pit in range(8, 16) if side[pit] >= 2][:3]
        for pit in full:
            side[pit] -= 1
        for pit in [pit for pit in range(8, 16) if pit not in full][:lie_again]:
            side[pit] += 1
    return tuple(sides[0]), tuple(sides[1])


def test_seeds_that_fell_off_the_board_come_back_to_no_hand() -> None:
    match, turns = game(board_of(OPENING.sides)), honest_turns(Random(1), MRAHA)
    while any(position_of(match).reserve):
        match.add(board_of(next(turns).after.sides))
    knocked = rolled_about(position_of(match), gone=2)
    match.add(board_of(knocked))
    assert match.view.question is not None and match.view.question["about"] == "knocked"
    match.add(Choose(match.view.question["question"], PLAYERS[position_of(match).to_move]))
    assert (match.view.phase, match.view.in_hand) == ("teza", {"south": 0, "north": 0})
    assert codes(match.add(board_of(some_turn(position_of(match)).sides))) == ["move"]


def test_seeds_that_were_moved_about_leave_the_hands_as_they_were() -> None:
    match = Match("mraha", 2, head_start=HeadStart(side=0, by=10))
    match.add(board_of(OPENING.sides))
    south, north = OPENING.sides
    for _ in range(2):
        match.add(board_of((south[::-1], north[::-1])))
    assert match.view.question is not None and match.view.question["about"] == "adopt"
    match.add(Choose(match.view.question["question"], "north"))
    assert match.view.in_hand == {"south": 32, "north": 12}


@pytest.mark.parametrize(
    ("laid", "to_move", "hands"), [(1, "north", (21, 22)), (1, "south", (22, 21)), (2, "south", (21, 21))]
)
def test_seeds_that_came_onto_the_board_unseen_came_from_both_hands_in_turn(
    laid: int, to_move: str, hands: tuple[int, int]
) -> None:
    match = game(board_of(OPENING.sides))
    south, north = OPENING.sides
    match.add(board_of(((laid, *south[:0:-1]), north[::-1])))
    assert match.view.question is not None and match.view.question["about"] == "adopt"
    match.add(Choose(match.view.question["question"], to_move))
    assert tuple((match.view.in_hand or {}).values()) == hands


def test_the_start_set_out_again_asks_for_a_new_game() -> None:
    turns = list(honest_turns(Random(3), MRAHA))[:20]
    match = game(board_of(OPENING.sides), *(board_of(turn.after.sides) for turn in turns))
    (asked,) = match.add(board_of(OPENING.sides))
    assert asked.facts["about"] == "new_game"
    match.add(Choose(len(match.log), "yes"))
    assert position_of(match) == OPENING


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("quick", [1, 2])
def test_a_new_game_is_followed_though_its_first_turns_were_played_before_anybody_looked(
    preset: str, quick: int
) -> None:
    match = game(*honest_game(Random(1), preset), preset=preset)
    assert match.view.phase == "over"
    *_, last = (turn.after for turn in islice(honest_turns(Random(2), rules(preset)), quick))
    said = match.add(Board(likelihood=surely(board_rows(last))))
    assert codes(said) == ["move"] * quick
    assert position_of(match) == last


@pytest.mark.parametrize("preset", PRESETS)
def test_three_quick_turns_are_no_fault(preset: str) -> None:
    flags = rules(preset)
    for seed in (502, 503):
        positions = [start(flags), *(turn.after for turn in honest_turns(Random(seed), flags))]
        for before, after in zip(positions[::7], positions[3::7], strict=False):
            told = explain(before, Board(likelihood=surely(board_rows(after))), flags)
            assert (told.verdict, told.turns[-1].after.sides) == (TURN, after.sides)


def test_the_seeds_counted_out_again_are_the_counting_though_a_pit_is_misread() -> None:
    turns = list(honest_turns(Random(3), MRAHA))[:20]
    match = game(board_of(OPENING.sides), *(board_of(turn.after.sides) for turn in turns))
    rows = [[{2: 1.0} for _ in range(8)] for _ in range(4)]
    rows[2][3] = {2: 0.1, 3: 0.9}
    (asked,) = match.add(Board(likelihood=tuple(map(tuple, rows))))
    assert asked.facts["about"] == "new_game"
    match.add(Choose(len(match.log), "yes"))
    assert match.view.phase == "setup"
    assert match.add(board_of(COUNTING)) == []


def test_after_the_end_a_new_game_begins_with_its_board() -> None:
    match = game(*honest_game(Random(1)))
    assert match.view.turn is None and match.view.winner in (0, 1)
    match.add(board_of(OPENING.sides))
    assert match.view.phase == "munia"


def test_an_unknown_answer_is_refused() -> None:
    match = begun()
    match.add(board_of(far_away().sides))
    with pytest.raises(EventError, match=r"choose_other: value='maybe', allowed=.*'south', 'north', 'no'"):
        match.add(Choose(4, "maybe"))
    with pytest.raises(EventError, match="choose_none: question=2"):
        match.add(Choose(2, "no"))


def test_a_card_is_refused() -> None:
    with pytest.raises(EventError, match="cards_on_board"):
        begun().add(Play("AS"))


def test_states_never_change_once_made() -> None:
    match = begun()
    judge, state = match.judge, match.state
    before = repr(state)
    for rule in ("nyumba_start", "seeds_added", "opponents_turn"):
        judge.apply(state, 4, illegal_board(match, rule))
    assert repr(state) == before


def test_a_seed_laid_in_a_corner_and_an_emptied_front_row_have_their_words() -> None:
    flags = flags_from(options_for("mraha", {}))
    game, rng, corner, emptied = MrahaGame(flags), Random(4), 0, 0
    for _ in range(8):
        position = start(flags)
        for turn in honest_turns(rng, flags):
            said = game.remarks(position, turn)
            assert ("uladza" in said) == (position.in_phase_1 and not turn.captured and turn.key[:2] in ("F1", "F8"))
            assert ("kamu" in said) == (not any(turn.after.sides[1 - position.to_move][:8]))
            corner, emptied = corner + ("uladza" in said), emptied + ("kamu" in said)
            position = turn.after
    assert corner and emptied
