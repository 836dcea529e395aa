"""A card table takes the thread up again where it was lost, and accuses nobody of what it told otherwise."""

from dataclasses import replace
from itertools import count
from random import Random

import pytest

from engine.events import Correct, Deal, Play
from engine.match import Match
from engine.notices import ALERT, illegal
from engine.sightings import CardLying, Glance, TableLook
from engine.simulate import honest_deal
from engine.table.accusation import Accusation
from engine.table.acts import DEAL, GATHER, LAY, LIFT, SEVERAL, SWAP, VOID, Width
from engine.table.asking import Meaning
from engine.table.beam import Answered, Beam
from engine.table.hypothesis import Hypothesis, Step
from engine.table.observation import ObservationModel, Seen
from engine.table.places import ZONE
from engine.table.reach import Reach
from engine.table.reconciler import Reconciler
from engine.table.record import LoggedStep, Record
from tests.engine.table import deal, play, tell
from tests.engine.test_cards_table import Table, dealt, judge_of

STOCK = (-0.5, -0.25)
"""Near enough for a card to be played there."""
BEFORE = {0: (0.0, 0.25), 1: (-0.25, 0.0), 2: (0.0, -0.25), 3: (0.25, 0.0)}
"""Where each player lays cards."""


def before_the_last_draw(taken: bool = True) -> tuple[Table, str, Play]:
    """A deal whose sixth trick lies there, or was just taken up, so that the turned-up card may be drawn; that card,
    and the lead that comes next."""
    table = Table()
    events = honest_deal(judge_of(table.match).game, Random(2), 0).events
    assert isinstance(events[0], Deal) and events[0].turn_up is not None
    turned_up = events[0].turn_up
    table.rest()
    table.cards = {turned_up: STOCK}
    table.rest(*(table.hand(angle) for angle in (0, 90, 180, 270)))
    coming = iter(events[1:])
    while table.match.view.trick_number != 6:
        table.match.add(next(coming))
    for laid in coming:
        if not isinstance(laid, Play):
            break
        assert laid.card is not None and laid.seat is not None
        table.put(laid.card, BEFORE[laid.seat], 90 * laid.seat)
    winner = table.match.view.last_winner
    assert len(table.trick) == 4 and winner is not None
    if taken:
        table.cards = {turned_up: STOCK}
        table.rest(table.hand(90 * winner), packets=((0.8 * BEFORE[winner][0] / 0.25, 0.8 * BEFORE[winner][1] / 0.25),))
    lead = next(coming)
    assert isinstance(lead, Play) and lead.seat == winner
    return table, turned_up, lead


@pytest.mark.parametrize("seat", range(4))
def test_an_arm_over_the_stock_hides_the_turned_up_card_that_may_be_drawn(seat: int) -> None:
    """It is not drawn, and was not laid when it is seen again."""
    table, turned_up, lead = before_the_last_draw()
    assert lead.card is not None and lead.seat is not None
    hand = table.hand(90 * seat, STOCK)
    glances = tuple(
        Glance(hand.came_s + part, (CardLying(turned_up, 0.99, STOCK),) * (part == 0.6), (hand,)) for part in (0.2, 0.6)
    )
    table.see(TableLook(table.now_s + 0.3, (CardLying(turned_up, 0.99, STOCK),), (hand,), glances=glances))
    table.now_s += 1.0
    table.cards = {}
    table.rest(table.hand(90 * seat, STOCK))
    table.put(lead.card, BEFORE[lead.seat], 90 * lead.seat)
    laid = [event for event in table.match.log if isinstance(event, Play)]
    assert (laid[-1].card, laid[-1].seat) == (lead.card, lead.seat)
    assert turned_up not in [play.card for play in laid]
    assert not [notice for notice in table.said if notice.level == ALERT]


def _steps(*told: tuple[str, int | None, str | None, int]) -> tuple[Step, ...]:
    uid = count()
    return tuple(Step(kind, seat, card, trick, uid=next(uid), period=1) for kind, seat, card, trick in told)


class Thoughts:
    """What is thought of a table, given by hand: the hypotheses, what was told, who may be accused."""

    def __init__(self, *told: Step) -> None:
        table = Table().table
        reach = Reach(table.arms, table.game.players, ZONE)
        self.beam = Beam(table.game, Width(), ObservationModel(table.game.whole_pack, reach, table.arms, None))
        self.record = Record()
        self.record.told = [LoggedStep(step, number) for number, step in enumerate(told, 1)]
        self.accusation = Accusation(table.game, self.beam, table.arms, reach)
        self.reconciler = Reconciler(table.game.players, self.beam, self.record, self.accusation)

    def rests(self, *lying: str) -> "Thoughts":
        """These cards are seen lying there, three times."""
        self.beam.new_period(TableLook(1.0, ()), 1.0, {})
        assert self.beam.period is not None
        named = {card: CardLying(card, 0.99, (0.0, 0.1 * place)) for place, card in enumerate(lying)}
        self.beam.period.looks += [Seen(1.0, named, (), 0.3, True, frozenset(), ())] * 3
        return self


def let_stand(told: tuple[Step, ...], best: tuple[Step, ...]) -> list[tuple[str, int | None, str | None]] | None:
    """What counts as told after these steps, if the likeliest account is this one. None: it cannot stand."""
    thoughts = Thoughts(*told)
    if not thoughts.reconciler.let_stand(Hypothesis(steps=best)):
        return None
    assert thoughts.accusation.accuses_nobody  # Nobody is accused any more in this deal.
    return [(told.step.kind, told.step.seat, told.step.card) for told in thoughts.record.told]


FIRST = ((LAY, 0, "KH", 1), (LAY, 1, "4H", 1), (GATHER, None, None, 1))


def test_what_was_told_otherwise_of_a_trick_that_went_stands() -> None:
    best = _steps(FIRST[0], (SWAP, None, "7S", 1), FIRST[2], (LAY, 2, "AS", 2))
    assert let_stand(_steps(*FIRST), best) == [(LAY, 0, "KH"), (SWAP, None, "7S"), (GATHER, None, None)]


def test_what_was_told_of_the_trick_that_lies_there_is_still_told() -> None:
    """It can be taken back, card by card."""
    told = _steps(*FIRST, (LAY, 2, "AS", 2), (LAY, 3, "6S", 2))
    best = _steps(FIRST[0], FIRST[2], (LAY, 2, "AS", 2), (LIFT, None, "AS", 2), (LAY, 2, "5S", 2))
    assert let_stand(told, best) == [(LAY, 0, "KH"), (GATHER, None, None), (LAY, 2, "AS"), (LAY, 3, "6S")]


def test_the_next_deal_begins_whatever_was_told_of_the_one_before() -> None:
    told = _steps(*FIRST, (LAY, 2, "AS", 2), (LAY, 3, "6S", 2), (GATHER, None, None, 2))
    best = _steps(FIRST[0], FIRST[2], (DEAL, None, "7S", 3), (LAY, 2, "AS", 3))
    assert let_stand(told, best) == [(LAY, 0, "KH"), (GATHER, None, None)]


def test_a_card_of_a_trick_that_was_taken_up_half_played_is_not_told_beside_what_was() -> None:
    """No deal and no trick before it is known; nothing changes, and the table begins again from the match."""
    assert let_stand(_steps((LAY, 2, "AS", 5)), _steps((LAY, 2, "5S", 5))) is None


def test_nothing_stands_that_is_farther_on_than_the_likeliest_account() -> None:
    told = _steps(*FIRST, (DEAL, None, "7S", 3))
    assert let_stand(told, _steps(*FIRST, (LAY, 2, "AS", 2))) is None


def test_where_nothing_can_be_put_right_any_more_the_table_begins_again() -> None:
    """A hand laid open took the log out of step; the next deal is followed all the same."""
    match = Match("turufu", 4)
    tell(match, deal(None, "7H"), play("KS", 0))
    thoughts = Thoughts(*_steps((LAY, 0, "KS", 5))).rests()
    thoughts.beam.hypotheses = [Hypothesis(steps=_steps((LAY, 0, None, 5)))]
    for _ in range(SEVERAL):
        thoughts.reconciler.looked()
        assert thoughts.reconciler.put_right(thoughts.beam.hypotheses[0], match) is None
    assert thoughts.reconciler.astray


@pytest.mark.parametrize(
    ("now", "changes"),
    [
        ((LAY, 1, "AS", 1), {"card": "AS", "seat": 1}),
        ((LAY, 0, "AS", 1), {"card": "AS"}),
        ((LAY, 1, "KS", 1), {"seat": 1}),
        ((LAY, 0, None, 1), None),
        ((LAY, 1, "AS", 2), None),
    ],
)
def test_a_card_that_was_another_and_another_players_is_corrected_whole(
    now: tuple[str, int | None, str | None, int], changes: dict[str, object] | None
) -> None:
    match = Match("turufu", 4)
    tell(match, deal(None, "7H"), play("KS", 0))
    thoughts = Thoughts(*_steps((DEAL, None, "7H", 1), (LAY, 0, "KS", 1))).rests()
    best = Hypothesis(steps=_steps((DEAL, None, "7H", 1), now))
    thoughts.beam.hypotheses = [best]
    event = thoughts.reconciler.put_right(best, match)
    corrected = event if isinstance(event, Correct) else None
    assert corrected == (changes and Correct(2, changes))


@pytest.mark.parametrize(("turned_up", "laid", "accuses"), [("7H", "AS", True), ("7D", "KS", False)])
def test_where_another_card_was_turned_up_than_was_told_nobody_is_accused(
    turned_up: str, laid: str, accuses: bool
) -> None:
    """Chains of pillages, and a card that fell open: trump is another, or it was the first after all."""
    match = Match("turufu", 4)
    tell(match, deal(None, "7H"), play("KS", 0))
    thoughts = Thoughts(*_steps((DEAL, None, "7H", 1), (LAY, 0, "KS", 1))).rests()
    thoughts.beam.hypotheses = [Hypothesis(steps=_steps((DEAL, None, turned_up, 1), (LAY, 0, laid, 1)))]
    assert isinstance(thoughts.reconciler.put_right(thoughts.beam.hypotheses[0], match), Correct)
    assert thoughts.accusation.accuses_nobody != accuses


@pytest.mark.parametrize(
    ("shown", "farther", "lay", "doubted"),
    [
        (("KS",), None, False, False),
        (("KS", "10D"), None, False, True),
        (("KS",), (0.1, -0.8), False, True),
        (("KS",), (0.1, -0.8), True, False),
        (("KS",), (0.1, 0.8), False, False),
    ],
)
def test_a_hand_that_is_laid_open_is_no_second_card(
    shown: tuple[str, ...], farther: tuple[float, float] | None, lay: bool, doubted: bool
) -> None:
    """farther: where a card lies that nobody laid, before this player or another. lay: it lay there before."""
    laid = [(LAY, 1, "KC", 1), (LAY, 2, "QC", 1), *((LAY, 2, card, 1) for card in shown), (LAY, 3, "10C", 1)]
    thoughts = Thoughts().rests(*(card for _, _, card, _ in laid), "JC")
    period = thoughts.beam.period
    assert period is not None
    period.named = {"7D": CardLying("7D", 0.99, farther)} if farther else {}
    period.shown_last_rest = tuple(period.named.values()) if lay else ()
    best = Hypothesis(steps=_steps(*laid, (LAY, 0, "JC", 1)), false_positives=frozenset(period.named))
    thoughts.beam.hypotheses = [best]
    alert = illegal("two_from_one_seat", number=3, trick=1, seat=2, cards=["QC", "KS"])
    assert thoughts.accusation.doubts(best, 2, 1.0, [alert], 3) == doubted


@pytest.mark.parametrize(("lie", "doubted"), [(("QC", "AD"), False), (("AD",), True)])
def test_a_lead_is_too_early_only_where_a_card_of_the_trick_was_seen_beside_it(
    lie: tuple[str, ...], doubted: bool
) -> None:
    """Arms rest over the table and hide where the trick lay: it may be gone."""
    trick = [(LAY, 1, "KC", 1), (LAY, 2, "QC", 1), (LAY, 3, "10C", 1), (LAY, 0, "JC", 1)]
    *steps, lead = _steps(*trick, (LAY, 1, "AD", 2))
    thoughts = Thoughts().rests(*lie)
    best = Hypothesis(steps=(*steps, lead._replace(early=True)))
    thoughts.beam.hypotheses = [best]
    alert = illegal("before_taken", number=5, trick=2, seat=1, cards=["AD"])
    assert thoughts.accusation.doubts(best, 4, 1.0, [alert], 1) == doubted


@pytest.mark.parametrize(("lie", "doubted"), [(("QC", "KS"), False), (("KC", "KS"), True)])
def test_a_card_is_the_second_of_a_seat_only_where_the_first_was_seen_beside_it(
    lie: tuple[str, ...], doubted: bool
) -> None:
    """Arms rest over the table and hide the first: it may be gone with its trick."""
    best = Hypothesis(steps=_steps((LAY, 1, "KC", 1), (LAY, 2, "QC", 1), (LAY, 2, "KS", 1)))
    thoughts = Thoughts().rests(*lie)
    thoughts.beam.hypotheses = [best]
    alert = illegal("two_from_one_seat", number=3, trick=1, seat=2, cards=["QC", "KS"])
    assert thoughts.accusation.doubts(best, 2, 1.0, [alert], 3) == doubted


def test_a_card_of_a_trick_that_is_being_swept_up_is_not_laid_again() -> None:
    """An arm draws the heap to its player, and one card shows once more on the way."""
    table, *_ = before_the_last_draw(taken=False)
    card, seat = table.trick[0][1], 2
    hand = table.hand(90 * seat, (0.0, 0.0))
    for number, at in enumerate(((0.1, 0.0), (0.05, -0.1), (0.0, -0.2))):
        lies = (CardLying(card, 0.99, at),) if number else ()
        hand = replace(hand, left_s=table.now_s + 0.3)
        glance = Glance(table.now_s + 0.2, lies, (hand,))
        table.see(TableLook(table.now_s + 0.3, lies, (hand,), (), ((*at, 0.4),), glances=(glance,)))
        table.now_s += 0.3
    table.cards = {}
    table.rest(packets=((0.0, -0.8),))
    laid = [event.card for event in table.match.log if isinstance(event, Play)]
    assert laid.count(card) == 1
    assert not [notice for notice in table.said if notice.level == ALERT]


def test_what_is_told_in_place_of_what_was_taken_back_accuses_nobody() -> None:
    """In that trick, or in the next; or that another card is turned up since."""
    for step in _steps((LAY, 2, "AS", 5), (SWAP, None, "7S", 5)):
        for taken_back, doubtful in ((None, False), (5, True), (4, True), (3, False)):
            thoughts = Thoughts().rests("AS", "7S")
            thoughts.beam.hypotheses = [Hypothesis(steps=(step,))]
            if taken_back is not None:
                thoughts.accusation.took_back(taken_back, one_trick=True)
            assert thoughts.accusation.doubtful(step, 1.0) == doubtful


def test_whoever_lost_the_thread_accuses_nobody_until_a_deal_was_followed() -> None:
    match, accusation = Table().match, Thoughts().rests().accusation
    best = Hypothesis(steps=_steps((DEAL, None, "7S", 1), (LAY, 0, "KH", 1)))
    accusation.accuses_nobody = True
    lost = [accusation.nobody_to_accuse(best, 1, match)]
    for _ in range(2):
        accusation.told(best.steps[0], 1.0, match)
        lost.append(accusation.nobody_to_accuse(best, 1, match))
    assert lost == [True, True, False]


def test_after_a_deal_that_was_given_up_nobody_is_accused_in_the_next_one_alone() -> None:
    match, accusation = Table().match, Thoughts().rests().accusation
    best = Hypothesis(steps=_steps((VOID, None, None, 1), (DEAL, None, "7S", 1), (LAY, 0, "KH", 1)))
    accusation.told(best.steps[0], 1.0, match)
    lost = []
    for _ in range(2):
        accusation.told(best.steps[1], 1.0, match)
        lost.append(accusation.nobody_to_accuse(best, 2, match))
    assert lost == [True, False]


def test_a_deal_that_was_not_played_out_counts_as_lost_for_the_next_one_alone() -> None:
    match, accusation = dealt().match, Thoughts().rests().accusation
    assert match.view.phase == "play"
    best = Hypothesis(steps=_steps((DEAL, None, "7S", 1), (LAY, 0, "KH", 1)))
    accusation.told(best.steps[0], 1.0, match)
    assert accusation.nobody_to_accuse(best, 1, match)
    accusation.told(best.steps[0], 1.0, Table().match)
    assert not accusation.nobody_to_accuse(best, 1, match)


def test_an_answer_may_contradict_all_that_was_thought_before_this_rest() -> None:
    """What lies there is looked at anew, and nothing but the answer counts."""
    thoughts = Thoughts()
    otherwise, said = _steps((LAY, 0, "QS", 1), (LAY, 0, "KS", 1))
    thoughts.beam.start([Hypothesis(steps=(otherwise,))])
    thoughts.rests("KS")
    thoughts.beam.hypotheses = [Hypothesis(steps=(said,))]
    assert thoughts.beam.answered(Answered((said.key,), Meaning(None), 0))
    if thoughts.beam.period is None:
        thoughts.beam.new_period(TableLook(2.0, ()), 2.0, {})
    thoughts.beam.take_in(Seen(2.0, {}, (), 0.3, True, frozenset(), ()), lambda hypothesis: frozenset({0}))
    assert {hypothesis.steps[0].card for hypothesis in thoughts.beam.hypotheses} == {"KS"}
