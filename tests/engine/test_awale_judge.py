"""Awalé before the referee: honest games raise nothing, planted faults are named."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

import pytest

from engine.events import Board, Choose, Confirm, DeviceTurn, EventError
from engine.match import HeadStart, Match
from engine.notices import ALERT, Notice
from engine.referee.awale import AwaleGame
from engine.referee.board import ILLEGAL, explain
from engine.rules.awale import NORTH, AwaleFlags, AwalePosition, AwaleTurn, board_rows, legal_turns
from engine.simulate_awale import PLANTABLE, blurred, board_of, honest_game, honest_turns, plant
from tests.engine.table import alarms, let_stand, only
from tests.sizes import slow

Pits = tuple[int, ...]


def boards(*sides: tuple[Pits, Pits]) -> list[Notice]:
    match = Match("awale")
    return [notice for side in sides for notice in match.add(board_of(side))]


def games_told(count: int, blur: bool, seed: int = 0) -> list[tuple[int, Notice]]:
    """What honest games raise that is more than information."""
    found = []
    for game in range(count):
        rng, match = Random(f"{seed} {game}"), Match("awale")
        moves = 0
        for board in honest_game(rng, AwaleFlags()):
            assert board.pits is not None
            shown = blurred((board.pits[1], board.pits[0][::-1]), rng) if blur else board  # type: ignore[arg-type]
            told = match.add(shown)
            moves += sum(notice.code == "move" for notice in told)
            found += [(game, notice) for notice in alarms(told)]
        assert blur or (match.view.phase == "over" and moves > 10)
    return found


def test_honest_games_raise_nothing() -> None:
    assert games_told(10, blur=False) == []


@pytest.mark.parametrize("games", [5, *slow(10)])
def test_honest_games_seen_by_a_camera_accuse_nobody(games: int) -> None:
    assert [told for told in games_told(games, blur=True) if told[1].level == ALERT] == []


def test_a_turn_that_was_misread_accuses_nobody_of_the_two_after_it() -> None:
    """Nobody had moved, the eye erred; then two turns were played between two looks."""
    game = AwaleGame(AwaleFlags())
    would_accuse = 0
    for seed in range(6):
        rng, before = Random(seed), AwalePosition()
        for turn in list(honest_turns(rng, AwaleFlags()))[:5]:
            misread = rng.choice(list(legal_turns(before, AwaleFlags()).values())).after
            second = rng.choice(list(legal_turns(turn.after, AwaleFlags()).values()))
            seen = board_of(second.after.sides)
            would_accuse += explain(misread, seen, game).verdict == ILLEGAL
            assert explain(misread, seen, game, before).verdict != ILLEGAL
            before = turn.after
    assert would_accuse


def misread_for_good(position: AwalePosition, rng: Random) -> Board:
    """What an eye sees that surely counts a large pile one too few, and another one too many or too few."""
    rows = board_rows(position.sides)
    pits = [[{count: 0.9995, max(0, count - 1): 0.0005} if count else {0: 1.0} for count in row] for row in rows]
    piles = [(row, column) for row, counts in enumerate(rows) for column, count in enumerate(counts) if count > 1]
    large = rng.choice([(row, column) for row, column in piles if rows[row][column] > 6])
    for at, off in (large, -1), (rng.choice([pile for pile in piles if pile != large]), rng.choice((-1, -1, -1, 1))):
        count = rows[at[0]][at[1]]
        pits[at[0]][at[1]] = {count + off: 0.995, count: 0.005}
    return Board(likelihood=tuple(map(tuple, pits)))


def misread_turns(seeds: Iterable[int]) -> Iterator[tuple[list[AwalePosition], AwaleTurn, Board]]:
    """Positions of honest games, the turn that follows, and how an eye sees it that counts two of its piles wrong."""
    for seed in seeds:
        rng, before = Random(seed), [AwalePosition()]
        for turn in honest_turns(rng, AwaleFlags()):
            if len(before) > 9 and max(map(max, turn.after.sides)) > 6:
                yield before, turn, misread_for_good(turn.after, rng)
                break
            before.append(turn.after)


def match_at(positions: list[AwalePosition]) -> Match:
    """A match in which these were seen."""
    match = Match("awale")
    for position in positions:
        match.add(board_of(position.sides))
    return match


@pytest.mark.parametrize(("surely", "begun"), [(0.15, True), (0.001, False)])
def test_a_game_begins_though_the_eye_counts_every_pit_a_little_wrong(surely: float, begun: bool) -> None:
    """But not if one of them surely holds another number. surely: what is left there for four."""
    pits = [{5: 0.85, 4: 0.15}] * 11 + [{5: 1 - surely, 4: surely}]
    match = Match("awale")
    for _ in range(2):
        assert match.add(Board(likelihood=(tuple(pits[:6]), tuple(pits[6:])))) == []
    assert (match.board == board_rows(AwalePosition().sides)) is begun


@pytest.mark.parametrize(("likely", "told"), [(0.05, ["A"]), (0.0005, [])])
def test_a_last_seed_that_hardly_shows_is_believed_once_nobody_goes_on(likely: float, told: list[str]) -> None:
    """One that does not show at all is still in the hand."""
    sown = legal_turns(AwalePosition(), AwaleFlags())["A"].after
    north, south = board_rows(sown.sides)
    assert south == (0, 5, 5, 5, 5, 4)
    pits = [{count: 1.0} for count in (*north, *south)]
    pits[10] = {4: 1 - likely, 5: likely}
    match, board = match_at([AwalePosition()]), Board(likelihood=(tuple(pits[:6]), tuple(pits[6:])))
    assert match.add(board) == [] and match.view.doubt == "sowing"
    assert [notice.facts["key"] for notice in match.add(replace(board, waited=True))] == told


def unfinished_to_the_eye() -> tuple[list[AwalePosition], Board]:
    """Positions of a game, and a board after them that looks for good as if seeds were still in a hand."""
    for before, _, board in misread_turns(range(80)):
        match = match_at(before)
        match.add(board)
        if match.view.doubt is not None:
            return before, board
    raise AssertionError("none looks so")


@pytest.mark.parametrize("games", [40, *slow(80)])
def test_a_turn_that_looks_unfinished_for_long_is_asked_about(games: int) -> None:
    """A pit or two are counted wrong, so it looks as if seeds were still in a hand; but nobody moves any more."""
    asked = 0
    for before, turn, board in misread_turns(range(games)):
        match = match_at(before)
        match.add(board)
        if match.view.doubt is None:
            continue
        assert match.view.doubt == "sowing" and match.view.question is None
        (told,) = match.add(replace(board, rested=True))
        assert told.facts["about"] == "which_turn" and turn.key in told.facts["choices"]
        match.add(Choose(told.facts["question"], turn.key))
        assert match.state.position == turn.after and match.view.doubt is None
        asked += 1
    assert asked > 5


def test_where_the_answer_is_another_turn_than_the_device_asked_for_that_is_told() -> None:
    told = 0
    for before, turn, board in misread_turns(range(40)):
        match = match_at(before)
        wanted = next((key for key in legal_turns(before[-1], AwaleFlags()) if key != turn.key), None)
        if wanted is None:
            continue
        match.add(DeviceTurn(wanted))
        match.add(board)
        match.add(replace(board, rested=True))
        asked = match.view.question
        if asked is None or turn.key not in asked.facts["choices"]:
            continue
        match.add(Choose(asked.facts["question"], turn.key))
        other = match.view.question
        assert other is not None and (other.facts["wanted"], other.facts["key"]) == (wanted, turn.key)
        match.add(Choose(other.facts["question"], "anew"))
        assert match.state.position == before[-1]
        told += 1
    assert told > 5


def test_nobody_is_accused_while_it_is_open_which_turn_came_before() -> None:
    spared = 0
    for before, _, board in misread_turns(range(40)):
        match = match_at(before)
        match.add(board)
        match.add(replace(board, rested=True))
        wrong = plant(before[-1], AwaleFlags(), "opponents_turn", Random(0))
        if match.view.question is None or wrong is None:
            continue
        assert [notice.level for notice in match_at(before).add(wrong)] == [ALERT]
        assert match.add(wrong) == [] and match.view.doubt == "unclear"
        spared += 1
    assert spared > 5


@pytest.mark.slow
@pytest.mark.parametrize("blur", [False, True])
def test_a_thousand_honest_games_accuse_nobody(blur: bool) -> None:
    assert [told for told in games_told(1_000, blur, seed=1) if told[1].level == ALERT or not blur] == []


def planted(games: int, seed: int) -> tuple[Counter[str], list[tuple[str, AwalePosition, Board, list[Notice]]]]:
    """How many faults of each kind were named, and those that were not, or by another name."""
    named: Counter[str] = Counter()
    wrong: list[tuple[str, AwalePosition, Board, list[Notice]]] = []
    for game in range(games):
        rng = Random(f"{seed} {game}")
        position = AwalePosition()
        for turn in honest_turns(rng, AwaleFlags()):
            match = Match("awale")
            match.judge.game.opening = position  # type: ignore[attr-defined]
            match.judge.opening = position  # type: ignore[attr-defined]
            match.add(board_of(position.sides))
            for rule in PLANTABLE if rng.random() < 0.2 or not all(map(any, position.sides)) else ():
                board = plant(position, AwaleFlags(), rule, rng)
                if board is not None:
                    told = match.add(board)
                    rules = [notice.facts["rule"] for notice in told if notice.code == "illegal"]
                    if rules == [rule]:
                        named[rule] += 1
                    else:
                        wrong.append((rule, position, board, told))
                    match.add({"event": "undo"})
            position = turn.after
    return named, wrong


@pytest.mark.parametrize("games", [1, *slow(2)])
def test_planted_faults_are_named(games: int) -> None:
    named, wrong = planted(games, seed=3)
    assert wrong == []
    assert sum(named.values()) > 30


@pytest.mark.slow
def test_every_planted_fault_is_named() -> None:
    """A few boards that a fault leaves are as well what another fault of the same player leaves, and are named so; or a
    legal turn and a fault of the other player, and are asked about."""
    named, otherwise = planted(150, seed=4)
    for rule, position, _, told in otherwise:
        accused = {notice.facts["player"] for notice in told if notice.code == "illegal"}
        asked = [notice.facts["about"] for notice in told if notice.code == "question"]
        assert accused == {("south", "north")[position.to_move]} or (not accused and asked == ["knocked"]), rule
    assert len(otherwise) < sum(named.values()) / 1000
    assert set(named) == set(PLANTABLE)


def test_a_turn_is_told_with_what_it_takes() -> None:
    match = Match("awale")
    for board in honest_game(Random(3), AwaleFlags()):
        for notice in match.add(board):
            if notice.code == "move" and notice.facts["captured"]:
                assert match.view.captured is not None
                assert sum(match.view.captured.values()) >= notice.facts["captured"]
                return
    raise AssertionError("nothing was taken")


def before_breaking(seed: int, rule: str) -> tuple[Match, AwalePosition, Board]:
    """A game before a turn that breaks this rule, and the board after it."""
    position, rng = AwalePosition(), Random(seed)
    for turn in honest_turns(Random(seed), AwaleFlags()):
        wrong = plant(position, AwaleFlags(), rule, rng)
        if wrong is not None:
            match = Match("awale")
            match.judge.opening = position  # type: ignore[attr-defined]
            match.add(board_of(position.sides))
            return match, position, wrong
        position = turn.after
    raise AssertionError("no turn of this game can break it")


def test_captures_left_lying_are_told_and_may_be_taken_after_all() -> None:
    match, position, board = before_breaking(5, "stopped_short")
    short = only(match.add(board), "illegal")
    assert short.facts["rule"] == "stopped_short"
    key = short.facts["key"]
    done = legal_turns(position, AwaleFlags())[key].after
    assert only(match.add(board_of(done.sides)), "move").facts["key"] == key


def replied(match: Match, wrong: Board, rng: Random) -> tuple[str, Board]:
    """A legal turn of the other player, where that board is let stand."""
    turn = rng.choice(list(legal_turns(let_stand(match, wrong).state.position, AwaleFlags()).values()))
    return turn.key, board_of(turn.after.sides)


@pytest.mark.parametrize("rule", ["stopped_short", "dropped_wrong", "played_twice"])
def test_what_was_told_and_played_on_is_asked_and_not_taken_for_something_else(rule: str) -> None:
    for seed in range(4):
        match, _, wrong = before_breaking(seed, rule)
        key, after = replied(match, wrong, Random(seed))
        match.add(wrong)
        asked = only(match.add(after), "question")
        assert (asked.facts["about"], asked.facts["keys"]) == ("played_on", [key])
        assert asked.facts["illegal"]["rule"] == rule
        match.add(wrong)  # What followed is taken back: the illegal turn is told again, and nothing asked.
        assert match.view.question is None and match.view.alert is not None
        match.add(Confirm(2))
        assert match.board == wrong.pits


@pytest.mark.parametrize("rule", ["stopped_short", "dropped_wrong", "played_twice"])
def test_of_two_players_who_moved_unseen_nobody_is_accused(rule: str) -> None:
    for seed in range(4):
        match, _, wrong = before_breaking(seed, rule)
        _, after = replied(match, wrong, Random(seed))
        assert [notice for notice in match.add(after) if notice.level == ALERT] == []


def test_an_illegal_turn_that_stands_counts_what_it_took() -> None:
    match = Match("awale")
    match.add(board_of(AwalePosition().sides))
    # A sown (4 seeds), and two pits of North's own emptied with them.
    wrong = Board(pits=((4, 4, 4, 4, 0, 0), (0, 5, 5, 5, 5, 4)))
    assert only(match.add(wrong), "illegal").facts["rule"] == "took_what_it_may_not"
    match.add({"event": "confirm", "number": 2})
    assert match.view.captured == {"south": 8, "north": 0}
    assert match.view.turn == 1


def test_a_pit_that_the_next_player_lifted_at_once_accuses_nobody() -> None:
    match = Match("awale")
    match.add(board_of(AwalePosition().sides))
    # A sown, and one pit of North's empty: taken by South, or lifted by North, who holds its seeds beside the board.
    lifted = ((4, 4, 4, 4, 4, 0), (0, 5, 5, 5, 5, 4))
    assert not match.add(Board(pits=lifted)) and match.view.doubt == "sowing"
    asked = only(match.preview(Board(pits=lifted, rested=True)), "question")  # Nothing moves for a quarter of a minute.
    assert asked.facts["choices"] == ["A", "took_what_it_may_not"]
    north = legal_turns(legal_turns(AwalePosition(), AwaleFlags())["A"].after, AwaleFlags())
    lifts = next(turn for turn in north.values() if board_rows(turn.after.sides)[0][5] == 0)
    assert [said.facts["key"] for said in match.add(board_of(lifts.after.sides))] == ["A", lifts.key]


def test_a_board_of_another_grid_is_no_board_of_this_game() -> None:
    with pytest.raises(EventError, match="other_board: high=4, wide=8"):
        Match("awale").add(Board(pits=((2,) * 8,) * 4))
    with pytest.raises(EventError, match="other_board: high=2, wide=6"):
        Match("mraha").add(Board(pits=board_rows(AwalePosition().sides)))


def setting_out_ahead() -> Match:
    """South has three seeds of North's, which are taken from North's last pits."""
    match = Match("awale", head_start=HeadStart(side=0, by=3))
    match.add(Board(pits=((4,) * 6, (4,) * 6)))
    return match


@pytest.mark.parametrize("north", [(4, 4, 4, 4, 4, 4), (4, 4, 4, 3, 4, 4), (4, 4, 4, 4, 3, 3), (4, 4, 4, 3, 3, 4)])
def test_seeds_of_a_head_start_are_not_missing_while_they_are_taken(north: Pits) -> None:
    match = setting_out_ahead()
    sure: list[dict[int, float] | None] = [{count: 0.999, count + 1: 0.001} for count in north[::-1]]
    for _ in range(3):
        assert match.add(board_of(((4,) * 6, north))) == []
        assert match.add(Board(likelihood=(tuple(sure), ({4: 1.0},) * 6))) == []
    assert match.add(board_of(((4,) * 6, (4, 4, 4, 3, 3, 3)))) == []
    assert (match.view.phase, match.view.to_dict()["captured"]) == ("play", {"south": 3, "north": 0})


@pytest.mark.parametrize(
    ("north", "rule", "seeds"), [((4, 4, 4, 3, 3, 2), "seeds_missing", 1), ((5, 4, 4, 4, 4, 4), "seeds_added", 1)]
)
def test_what_a_head_start_does_not_explain_is_told(north: Pits, rule: str, seeds: int) -> None:
    match = setting_out_ahead()
    told = [notice for _ in range(2) for notice in match.add(board_of(((4,) * 6, north)))]
    assert [(notice.facts["rule"], notice.facts["seeds"], len(notice.facts["pits"])) for notice in told] == [
        (rule, seeds, 1)
    ]


def test_a_draw_is_told() -> None:
    match = Match("awale")
    before = AwalePosition(((3, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 1)), (20, 24), NORTH, False, ())
    match.judge.opening = before  # type: ignore[attr-defined]
    match.add(board_of(before.sides))
    told = match.add(board_of(legal_turns(before, AwaleFlags())["f"].after.sides))
    assert [notice.code for notice in told] == ["move", "match_drawn"]
    assert (match.view.phase, match.view.winner, match.view.captured) == ("over", None, {"south": 24, "north": 24})
