"""Conditions that hold back an accusation, or a score, each at its very edge: a small change to one is noticed here."""

import math
from dataclasses import replace

import pytest

from engine.events import MAX_SEEDS, Board, EventError, parse_event
from engine.match import Match
from engine.referee.awale import AwaleGame
from engine.referee.board import CLOSE, ILLEGAL, Explanation, explain
from engine.referee.board_evidence import NEARBY, BoardEvidence
from engine.referee.card_game import CardJudge
from engine.referee.mraha import MrahaGame
from engine.referee.reasons import Reasons
from engine.referee.revokes import honest_so_far
from engine.referee.seed_game import Basis, Fault
from engine.referee.slips import DROPPED, TOOK
from engine.referee.tricks import Laid
from engine.rules import awale
from engine.rules.belote import belote
from engine.rules.mraha import board_rows, flags_from, legal_turns, options_for, start
from engine.rules.sowing import NYUMBA
from engine.rules.tricks import Score
from engine.rules.written import PositionError, read_seeds
from engine.simulate_mraha import board_of
from tests.engine.table import deal, play, rules, suspected, taken, tell

OWED = awale.AwalePosition(((2, 2, 1, 1, 3, 1), (1, 1, 4, 0, 0, 4)), (20, 8))
"""E is sown to North's second pit, and takes that and the first."""


def left_lying(first: float, second: float) -> Explanation:
    """What is told after E, where the eye sees with this probability that two seeds still lie in North's pits."""
    game = AwaleGame(awale.AwaleFlags())
    pits: list[list[dict[int, float] | None]] = [[{}] * game.columns for _ in range(game.rows)]
    left = {(1, 0): first, (1, 1): second}
    for row, column, player, pit in game.layout:
        count = game.legal(OWED)["E"].after.sides[player][pit]
        lies = left.get((player, pit), 0.0)
        pits[row][column] = {count: 1 - lies, count + 2: lies}
    return explain(OWED, Board(likelihood=tuple(map(tuple, pits))), game)


def test_a_board_is_an_illegal_turn_only_if_hardly_anything_else_is_left() -> None:
    """One innocent account in two hundred is the most that an accusation leaves out."""
    told = [left_lying(0.0, 1 - 10 ** (-step / 100)) for step in range(200, 600, 4)]
    accused = [account.share for account in told if account.verdict == ILLEGAL]
    spared = [
        sum(choice.share for choice in close.choices if choice.verdict == ILLEGAL) for close in told if close.choices
    ]
    assert 0.994 < max(spared) < 0.995 < min(accused) < 0.996


def test_two_illegal_turns_that_leave_nothing_else_are_one_accusation() -> None:
    """One pit was left, or both: whichever it was, no rule was kept."""
    both = left_lying(0.7, 1 - 1e-6)
    assert both.verdict == ILLEGAL and both.share < 0.9
    assert left_lying(0.7, 0.99).verdict == CLOSE


@pytest.mark.parametrize(("laid", "expected"), [(8, ["not_scored"]), (7, [])])
def test_a_deal_in_the_middle_of_one_is_the_next_once_only_the_last_trick_is_left(
    laid: int, expected: list[str]
) -> None:
    """Nobody said who dealt; two players hold one card each, or one of them has two."""
    match = Match("triomphe", 2)
    tell(match, deal(None, "7S"), *(play(None, place % 2) for place in range(laid)))
    assert [notice.code for notice in match.add(deal(None, "7S"))] == expected


@pytest.mark.parametrize(("turn_up", "expected"), [("8S", ["not_scored"]), ("7S", [])])
def test_a_deal_that_turns_up_another_card_is_another_deal(turn_up: str, expected: list[str]) -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7S"), play("KH", 0))
    assert [notice.code for notice in match.add(deal(1, turn_up))] == expected
    assert (match.view.turn_up, len(match.view.trick or ())) == (turn_up, turn_up == "7S")


def test_a_deal_read_anew_before_a_card_is_laid_keeps_who_leads() -> None:
    match = Match("turufu", 4)
    tell(match, deal(2, "3S"), deal(None, "4S"))
    assert match.view.turn == 3
    assert suspected(tell(match, play("AH", 1))) == ["wrong_leader"]


def test_a_deal_after_a_void_one_is_dealt_by_the_same_player() -> None:
    match = Match("turufu", 4)
    tell(
        match,
        deal(2, "3S"),
        *(play(card) for card in ("AH", "3H", "4H", "5H")),
        {"event": "void_deal"},
        deal(None, "4S"),
    )
    assert match.view.turn == 3


def counting(short: int, empty: int = 0) -> Board:
    """Two seeds in every pit, but one in some, and none in others."""
    pits = [2] * 32
    pits[:short] = [1] * short
    pits[31 - empty : 31] = [0] * empty
    return Board(pits=tuple(tuple(pits[start : start + 8]) for start in range(0, 32, 8)))


@pytest.mark.parametrize(
    ("short", "empty", "told"), [(4, 0, ["seeds_missing"]), (5, 0, []), (0, 1, ["seeds_missing"]), (0, 2, [])]
)
def test_seeds_are_missing_only_while_nearly_every_pit_is_filled(short: int, empty: int, told: list[str]) -> None:
    """More pits that hold another number, or two that hold none: the seeds are being laid out still."""
    match = Match("mraha", 2)
    match.add(counting(short, empty))
    assert rules(match.add(counting(short, empty))) == told


def test_four_pits_are_few_enough_to_be_counted_again() -> None:
    rows: list[list[dict[int, float] | None]] = [[{2: 0.99, 3: 0.01} for _ in range(8)] for _ in range(4)]
    for column in range(4):
        rows[1][column] = {1: 0.9974, 2: 0.0026}
    short = Board(likelihood=tuple(map(tuple, rows)))
    match = Match("mraha", 2)
    match.add(short)
    assert [notice.code for notice in match.add(short)] == ["count_again"]


def test_belote_counts_without_cards_held_together() -> None:
    game = belote(4, {})
    assert game.outcome((100, 52), (0, 2) * 4, 0, 0).points == (110, 52)


def test_an_offer_that_was_refused_is_no_more_to_be_answered() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), {"event": "offer", "seat": 0}, {"event": "answer", "accept": False})
    with pytest.raises(EventError, match="answer_none"):
        match.add({"event": "answer", "accept": True})


def test_only_the_pillagers_own_cards_have_to_be_read_to_miss_the_ace_among_them() -> None:
    match = Match("pille", 3)
    taking = {"event": "pillage", "seat": 1, "card": "9H", "paid": "7S", "next": "8C"}
    hands = [("7C", 0), ("KC", 1), ("9C", 2), ("KD", 1), ("7D", 2), ("8D", 0), ("QD", 1), ("9D", 2), ("10D", 0)]
    hands += [("AS", 1), ("8S", 2), ("9S", 0), ("9H", 1), ("KH", 2)]
    last = play(None, 0)
    assert rules(tell(match, deal(2, "9H"), taking, *(play(*hand) for hand in hands), last)) == ["turn_up_changed"]


def test_a_card_that_was_not_read_itself_shows_no_honest_way() -> None:
    """What shortens the proof is sure of every card; where one was only told by those beside it, the proof decides."""
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"))
    judge, trick = match.judge, [Laid(2, 0, "KC"), Laid(3, 1, "7C")]
    assert isinstance(judge, CardJudge)
    assert honest_so_far(judge.game, match.state.deal, trick) is not None
    assert honest_so_far(judge.game, match.state.deal, [trick[0], replace(trick[1], deduced=True)]) is None


def test_a_single_seed_in_the_back_row_is_named_by_its_row() -> None:
    flags = flags_from(options_for("mraha", {}))
    position = start(flags)
    own = list(position.sides[0])
    own[8] = 1
    position = position._replace(sides=(tuple(own), position.sides[1]))
    found = [*Reasons(position, flags, legal_turns(position, flags)).common()]
    begun = {fault.rule for fault in found if fault.pits == ((0, 8),) and fault.key in ("B8+", "B8-")}
    assert begun == {"back_row_start", "hand_not_used"}
    assert position.in_phase_1


def test_which_turn_it_was_is_asked_though_another_question_is_open() -> None:
    match = Match("mraha", 2)
    opening = start(flags_from(options_for("mraha", {})))
    match.add(board_of(opening.sides))
    likely: list[list[dict[int, float] | None]] = [
        [{count: 0.999, count + 1: 0.001} for count in row] for row in board_rows(opening)
    ]
    rows = [list(row) for row in board_rows(opening)]
    rows[2][5], rows[3][4] = rows[2][5] - 1, rows[3][4] + 1
    (asked,) = match.add(Board(pits=tuple(map(tuple, rows))))
    assert asked.facts["about"] == "knocked"
    rows[2][5], rows[3][3] = rows[2][5] - 1, rows[3][3] + 1
    assert match.add(Board(pits=tuple(map(tuple, rows)))) == [], "which board to go on from is asked about once"
    likely[2][4] = {4: 0.9996, 5: 0.0004}
    (asked,) = match.add(Board(likelihood=tuple(map(tuple, likely))))
    assert asked.facts["about"] == "which_turn"


def test_taking_what_nobody_may_is_rarer_than_dropping_a_seed_wrong() -> None:
    """One seed too many lies in South's F4 after his turn; it is missing from his own F5, or from North's."""
    game = MrahaGame(flags_from(options_for("mraha", {})))
    after = game.legal(game.opening)["F7+"].after.sides
    rarity: dict[str, float] = {}
    for player in (0, 1):
        sides = [[*after[0]], [*after[1]]]
        sides[0][3] += 1
        sides[player][4] -= 1
        seen = (tuple(sides[0]), tuple(sides[1]))
        evidence = BoardEvidence(board_of(seen), game.layout)
        rarity |= {fault.rule: fault.rarity for fault in game.slips(game.opening, evidence, seen, Basis(after, "F7+"))}
    assert rarity[TOOK] < rarity[DROPPED]


def test_a_nyumba_that_a_fault_emptied_is_nobodys() -> None:
    flags = flags_from(options_for("kiswahili", {}))
    before = start(flags)
    south, north = before.sides
    taken = tuple(0 if pit == NYUMBA else seeds for pit, seeds in enumerate(north))
    fault = Fault("seeds_missing", (south, taken), 0, None, ((1, NYUMBA),), 6, moved=False)
    assert MrahaGame(flags).stands(before, fault).owned == (True, False)


@pytest.mark.parametrize(("blocked", "told"), [(-1, False), (0, True), (1, True)])
def test_the_first_pit_may_be_the_blocked_one(blocked: int, told: bool) -> None:
    flags = flags_from(options_for("kiswahili", {}))
    position = start(flags)._replace(blocked=blocked)
    faults = Reasons(position, flags, legal_turns(position, flags)).common()
    assert ("blocked_pit" in {fault.rule for fault in faults}) == told


def wrong_sowings(seeds: int) -> set[tuple[int, ...]]:
    """What South's and North's pits may hold after so many seeds of D were sown wrong; four lay in each of North's."""
    position = awale.AwalePosition(((0, 0, 0, seeds, 0, 0), (4,) * 6))
    game = AwaleGame(awale.AwaleFlags())
    found = game.faults(position, game.legal(position))
    return {(*fault.sides[0], *fault.sides[1]) for fault in found if fault.rule == "dropped_wrong"}


def test_only_a_dozen_seeds_come_round_to_the_pit_they_were_taken_from() -> None:
    """Fewer fall in other pits, whichever of them is skipped."""
    eight, thirteen = wrong_sowings(8), wrong_sowings(13)
    assert (1, 0, 0, 0, 0, 1, *(5,) * 6) in eight, "E is skipped"
    assert (0, 0, 0, 0, 1, 1, *(5,) * 6) not in eight, "sown right"
    assert (1, 1, 1, 1, 2, 1, *(5,) * 6) in thirteen, "D is sown into"


def test_what_a_count_leaves_open_adds_up_to_one() -> None:
    """The counts it names, those beside the likeliest, and all others, each in proportion."""
    game = AwaleGame(awale.AwaleFlags())
    board = Board(likelihood=(({4: 0.5, 6: 0.5},) * game.columns,) * game.rows)
    (table, *_), _ = BoardEvidence(board, game.layout, 0.2).tables
    elsewhere = 0.2 * (1 - 2 * NEARBY) / MAX_SEEDS
    likeliest = 0.5 * 0.8 + elsewhere
    assert sum(map(math.exp, table)) == pytest.approx((1 + elsewhere) / likeliest)
    assert table[20] == pytest.approx(math.log(elsewhere / likeliest))


def test_one_seed_in_the_reserve_is_still_the_first_phase() -> None:
    begun = start(flags_from(options_for("mraha", {})))
    assert begun._replace(reserve=(1, 0)).in_phase_1
    assert not begun._replace(reserve=(0, 5)).in_phase_1


def test_true_is_no_number_of_an_event() -> None:
    with pytest.raises(EventError, match="not_a_number: value=True"):
        parse_event({"event": "taken_back", "number": True})


def test_a_card_whose_trick_was_taken_up_does_not_lie_there() -> None:
    match = Match("turufu", 2)
    tell(match, deal(1, "7H"), play("4D", 0), play("5D", 1), taken(1))
    with pytest.raises(EventError, match="back_gone"):
        match.add({"event": "taken_back", "number": 2})


def test_cards_of_tricks_that_were_taken_up_lie_there_no_more() -> None:
    match = Match("turufu", 2)
    assert "4D" in match.possible
    tell(match, deal(1, "7H"), play("4D", 0), play("5D", 1), taken(1), play("6D", 1))
    assert {"4D", "5D"}.isdisjoint(match.possible) and {"6D", "7H"} <= match.possible


def test_seeds_that_a_slip_lost_are_not_taken_from_the_reserve() -> None:
    """Nobody made a turn: whoever is to move has every seed in reserve still."""
    flags = flags_from(options_for("mraha", {}))
    before = start(flags)
    south, north = before.sides
    fewer = (south[0] - 1, *south[1:]) if south[0] else (*south[:-1], south[-1] - 1)
    for moved, left in ((False, 22), (True, 21)):
        fault = Fault("seeds_missing", (fewer, north), 0, None, ((0, 0),), 1, moved=moved)
        assert MrahaGame(flags).stands(before, fault).reserve[0] == left


def test_equal_points_that_are_held_over_are_not_inside() -> None:
    for equal, inside in (("litige", False), ("inside", True)):
        game = belote(4, {"equal": equal})
        outcome = game.outcome((71, 81), (0, 1, 2, 3, 0, 1, 2, 0), 0, 0, (0, 0))
        assert game.deal_facts(outcome, Score((0, 0), ((), ())), 0)["inside"] == inside


def test_who_won_a_game_of_awale_is_written() -> None:
    for captured, winner in (((25, 23), "south"), ((23, 25), "north"), ((24, 24), None)):
        assert awale.position_to_dict(awale.AwalePosition(captured=captured, over=True))["winner"] == winner


def test_a_card_of_the_last_trick_is_taken_back_no_more_once_it_was_taken_up() -> None:
    match = Match("triomphe", 2)
    tricks = zip(("KC", "KS", "KD", "QC", "QS"), ("7C", "7S", "7D", "8C", "8S"), strict=True)
    tell(match, deal(1, "7H"), *(event for mine, his in tricks for event in (play(mine, 0), play(his, 1))), taken(0))
    with pytest.raises(EventError, match="back_gone"):
        match.add({"event": "taken_back", "number": 11})


def test_whose_a_wrong_card_is_stays_open_where_the_lead_was_only_guessed() -> None:
    """An unread card may have won: the seat of the lead is told by the next card, and that is no proof."""
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("KH", 0), play(None, 1), play("6H", 2), play("3H", 3))
    tell(match, play("AD"), play("4D", 2))
    assert match.view.turn == 3
    (told,) = tell(match, play("8D"))
    assert (told.facts["rule"], told.facts["seat"]) == ("not_in_pack", None)


CAPTURE_OWED = (
    (2, 0, 1, 0, 3, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0),
    (0, 0, 0, 1, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0),
)
"""Two seeds sown from the first pit end where one lies, before three of the other's."""
NONE_OWED = (CAPTURE_OWED[0], (3, 0, 0, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0))


def faults_of(sides: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[list[Fault], list[Fault]]:
    """The common faults of a position of the second phase, and the rare ones."""
    flags = flags_from(options_for("mraha", {}))
    position = start(flags)._replace(sides=sides, reserve=(0, 0))
    reasons = Reasons(position, flags, legal_turns(position, flags))
    return [*reasons.common()], [*reasons.rare()]


def test_a_start_that_breaks_two_rules_is_rarer_than_one_that_breaks_one() -> None:
    """From the back row no turn begins; where a capture is owed, it is passed over besides."""
    alone = {fault.rarity for fault in faults_of(NONE_OWED)[0] if (fault.rule, fault.key) == ("back_row_start", "B7+")}
    owed = {
        fault.key: fault.rarity for fault in faults_of(CAPTURE_OWED)[0] if fault.rule == "capture_owed" and fault.pits
    }
    assert alone == {0.0}
    assert owed["F5+"] == 0.0 and owed["B7+"] < 0.0


SIX_HANDS = (
    (1, "9D QD AD JC JD KC"), (0, "10H QC KH JH 8H 9H"), (1, "10S KD QS AS JS 9S"), (3, "8C 10C 8D 9C KS 7D"),
    (4, "7H QH AH 7S 10D 8S"),
)  # fmt: skip
"""Triomphe of six, clubs trump: who leads each trick, and its cards. One card of the pack was not dealt."""


def test_an_unread_card_is_no_other_because_by_that_everybody_played_honestly() -> None:
    """Where a card of the pack was not dealt, the trick it lies in is not told once more at the end."""
    match = Match("triomphe", 6)
    tell(match, deal(0, "7C"))
    for lead, cards in SIX_HANDS:
        for step, card in enumerate(cards.split()):
            said = match.add(play(None if card == "8C" else card, (lead + step) % 6))
    assert [notice.facts["trick"] for notice in said if notice.code == "trick"] == [5]


FULL_NYUMBA = ((0, 0, 0, 0, 8, 0, 0, 0, *(0,) * 8), (0, 0, 0, 0, 6, 2, 2, 0, *(0,) * 8))
"""In the first phase: a nyumba that may only be taxed holds all there is in front."""
PHASE_1_OWED = ((0, 0, 0, 0, 6, 2, 2, 0, *(0,) * 8), (0, 2, 0, 0, 6, 0, 2, 0, *(0,) * 8))
"""A capture is owed there."""


def test_a_nyumba_is_begun_wrong_with_more_seeds_than_it_is_taxed_by() -> None:
    flags = flags_from(options_for("mraha", {}))
    position = start(flags)._replace(sides=FULL_NYUMBA, reserve=(18, 20))
    three = ((0, 0, 0, 0, 6, 1, 1, 1, *(0,) * 8), FULL_NYUMBA[1])
    told = explain(position, board_of(three), MrahaGame(flags))
    assert told.fault is not None and (told.fault.rule, told.fault.key) == ("nyumba_start", "F5+")


def test_in_the_first_phase_only_a_start_of_the_nyumba_breaks_a_second_rule() -> None:
    flags = flags_from(options_for("mraha", {}))
    position = start(flags)._replace(sides=PHASE_1_OWED, reserve=(18, 20))
    faults = Reasons(position, flags, legal_turns(position, flags)).common()
    owed = {fault.key: fault.rarity for fault in faults if fault.rule == "capture_owed" and fault.pits}
    assert owed["F6+"] == owed["F7+"] == 0.0
    assert owed["F5+"] < 0.0


def test_an_illegal_turn_is_named_though_nobody_saw_the_seeds_at_rest_before_it() -> None:
    """A seed in a wrong pit then is one that is being laid out still."""
    flags = flags_from(options_for("mraha", {}))
    opening = start(flags)
    faults = [*Reasons(opening, flags, legal_turns(opening, flags)).common()]
    wrong = next(fault.sides for fault in faults if fault.rule == "opponents_turn")
    south, north = opening.sides
    beside = ((*south[:3], 1, south[4] - 1, *south[5:]), north)
    for sides, told in ((wrong, ["opponents_turn"]), (beside, [])):
        match = Match("mraha", 2)
        assert rules(tell(match, *[board_of(sides)] * 3)) == told


@pytest.mark.parametrize("seeds", [0, 64])
def test_a_pit_may_hold_every_seed_there_is(seeds: int) -> None:
    assert read_seeds(seeds, "south: front pit 1", 64) == seeds
    with pytest.raises(PositionError, match=r"seeds_in.*most=64"):
        read_seeds(seeds + 65 if seeds else -1, "south: front pit 1", 64)


def test_captured_seeds_are_sown_wrong_from_the_other_corner_or_the_other_way() -> None:
    left = (0, 0, 0, 1, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0)
    found = [fault for fault in faults_of(CAPTURE_OWED)[1] if fault.rule == "dropped_wrong" and fault.sides[1] == left]
    boards = [fault.sides[0] for fault in found]
    assert (0, 1, 2, 0, 3, 1, 1, 1, 0, 2, 0, 0, 1, 0, 0, 0) in boards, "from the right corner to the left"
    assert (1, 1, 2, 0, 3, 0, 0, 0, 0, 2, 0, 0, 1, 0, 1, 1) in boards, "from the left corner into the back row"
    flags = flags_from(options_for("mraha", {}))
    legal = legal_turns(start(flags)._replace(sides=CAPTURE_OWED, reserve=(0, 0)), flags)["F1+"]
    assert legal.after.sides not in [fault.sides for fault in found]
