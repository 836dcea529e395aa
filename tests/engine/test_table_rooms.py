"""The rooms of the table one at a time: what each makes of a small scene, and what that costs an account."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from engine.events import Correct, TakenBack
from engine.match import Match
from engine.sightings import CardLying, Hand, Point
from engine.table.acts import DEAL, GATHER, LAY, PILLAGE, SWAP, VOID, Priors
from engine.table.came import Came, Item
from engine.table.dealing import Dealing
from engine.table.evidence import Rest, Seen
from engine.table.hands import Hands
from engine.table.history import PLAYING, TRICK, TURN_UP, WAITING, History, Laid, Step, Thing
from engine.table.propose import Proposer
from tests.engine.test_table_guards import ACE, LED, account, begun, laid, telling, weigher

P = Priors()
TALON, MIDDLE, FAR = (-0.65, -0.2), (0.0, 0.2), (0.6, 0.3)
"""Where the turned-up card lies; where cards are played; and somewhere else far out."""


def face(card: str | None, at: Point) -> CardLying:
    return CardLying(card, 0.99 if card else 0.0, at)


def rest(*cards: CardLying, hands: Sequence[Hand] = (), changed: Sequence[Point] = (), hidden: str = "") -> Rest:
    """One look at these cards, after these hands came and the table changed there."""
    came = dict(enumerate(hands, 1))
    named = {one.card: one for one in cards if one.card}
    seen = Seen(10.0, named, tuple(one for one in cards if not one.card), 0.3, True, frozenset(hidden.split()), ())
    where = tuple((*at, 0.1) for at in changed)
    return Rest(1, looks=[seen], hands=came, recent=came, new=tuple(came), changed=where)


def hand(angle_deg: float, reach: Point = MIDDLE, came_s: float = 9.0) -> Hand:
    return Hand(angle_deg, reach, came_s, came_s + 0.3)


def dealing(game: str, players: int) -> tuple[Dealing, Hands]:
    rules, weighs = weigher(Match(game, players))
    hands = Hands(P, weighs)
    return Dealing(rules, P, weighs, hands, Came(rules, P, weighs)), hands


def in_play(turn_up: str = "7H", **more: Any) -> History:
    """A deal under way whose turned-up card lies there."""
    there = Thing(90, turn_up, TALON, True, TURN_UP)
    begins = History(phase=PLAYING, turn_up=turn_up, trump=turn_up[-1], things=(there,), hands_since=0)
    return begins._replace(talon=TALON, uid=91, **more)


TRICK_BEGUN = (Laid(0, "KS", (), 1),)

# -- the turned-up card ------------------------------------------------------------------------------------------------


def test_a_deal_begun_early_is_likelier_where_a_hand_put_its_card() -> None:
    """By half of what speaks for the hand: the other half is that it need not have been idle."""
    deals, hands = dealing("turufu", 4)
    came = rest(hands=[hand(angle, TALON) for angle in (0, 90, 180, 270)])
    items = (Item("6H", TALON, True), Item("6D", FAR, True))
    found = {after.turn_up: after for after, _ in deals.given_up(in_play(trick=TRICK_BEGUN), items, came, frozenset())}
    assert [one.kind for one in found["6H"].steps] == [VOID, DEAL]
    reached, far = hands.any_put(TALON, came), hands.any_put(FAR, came)
    assert reached > far
    assert found["6H"].logp - found["6D"].logp == pytest.approx((reached - far) / 2)


def test_a_turned_up_card_that_was_bought_costs_its_account_once() -> None:
    """It is seen to go, and then the next comes; or both are seen together."""
    deals, _ = dealing("pille", 3)
    next_card = face("8H", TALON)
    items, named = (Item("8H", TALON, True),), {"8H": next_card}

    def bought(before: History) -> History:
        found = [after for after, _ in deals.otherwise(before, items, named, rest(next_card), frozenset())]
        (one,) = [after for after in found if after.steps and after.steps[-1].kind == PILLAGE]
        return one

    both = bought(in_play())
    assert (both.steps[-1].card, both.steps[-1].more, both.turn_up) == ("7H", (None, "8H"), "8H")
    assert both.logp == pytest.approx(math.log(P.pillage))
    assert bought(in_play(things=())).logp == 0.0


@pytest.mark.parametrize("card, at, bought", [(None, TALON, True), (None, FAR, False), ("JOKER", TALON, False)])
def test_the_next_card_that_is_shown_may_be_unread(card: str | None, at: Point, bought: bool) -> None:
    deals, _ = dealing("pille", 3)
    came = rest(face(card, at))
    found = [after for after, _ in deals.otherwise(in_play(things=()), (Item(card, at, True),), {}, came, frozenset())]
    assert [(one.steps[-1].kind, one.turn_up) for one in found] == [(PILLAGE, None)] * bought


def test_a_turned_up_card_that_a_hand_lies_over_is_not_bought() -> None:
    deals, _ = dealing("pille", 3)
    for hidden, many in (("", 1), ("7H", 0)):
        found = [*deals.otherwise(in_play(), (), {}, rest(hidden=hidden), frozenset())]
        assert [after.things for after, _ in found] == [()] * many


def test_a_turned_up_card_that_is_seen_elsewhere_was_not_exchanged() -> None:
    deals, _ = dealing("turufu", 4)
    other, pushed = face("6D", TALON), face("7H", FAR)
    before, items = in_play(trick=TRICK_BEGUN), (Item("6D", TALON, True),)
    for lying, kinds in (([other], [SWAP]), ([other, pushed], [])):
        named = {one.card: one for one in lying if one.card}
        found = [*deals.swaps(before, items, named, rest(*lying))]
        assert [after.steps[-1].kind for after, _ in found] == kinds


def test_an_exchange_where_the_table_looks_as_before_is_unlikely() -> None:
    deals, _ = dealing("turufu", 4)
    other, items = face("6D", TALON), (Item("6D", TALON, True),)
    worth = []
    for changed in ([TALON], [FAR]):
        ((after, _),) = deals.swaps(in_play(trick=TRICK_BEGUN), items, {"6D": other}, rest(other, changed=changed))
        worth.append(after.logp)
    assert worth[1] - worth[0] == pytest.approx(math.log(P.unchanged))


@pytest.mark.parametrize("at, begun_early", [(TALON, True), (FAR, True), (MIDDLE, False)])
def test_a_face_far_out_after_as_many_hands_as_a_deal_takes_may_be_the_next_deal(at: Point, begun_early: bool) -> None:
    """Where a trick was taken up already, and none lies there."""
    deals, _ = dealing("turufu", 4)
    before, items = in_play(done=2, things=(), hands_since=5), (Item("6H", at, True),)
    found = [after for after, _ in deals.otherwise(before, items, {}, rest(face("6H", at)), frozenset())]
    assert [[step.kind for step in one.steps] for one in found] == [[VOID, DEAL]] * begun_early


@pytest.mark.parametrize("put, new", [("7H", []), ("6D", ["6D"])])
def test_the_turned_up_card_pushed_aside_between_deals_is_nothing_that_came(put: str, new: list[str]) -> None:
    """But another card that lay in its place, and lies elsewhere now, may be."""
    game, weighs = weigher(Match("turufu", 4))
    before = in_play(phase=WAITING, things=(Thing(90, put, TALON, True, TURN_UP),))
    pushed = face(put, MIDDLE)
    items = Came(game, P, weighs).items(before, {put: pushed}, (), rest(pushed))
    assert [one.card for one in items] == new


# -- what is seen ------------------------------------------------------------------------------------------------------


def test_what_cannot_be_read_beside_a_card_is_of_that_card() -> None:
    _, weighs = weigher(Match("turufu", 4))
    lies = History(phase=PLAYING, things=(Thing(1, "KS", MIDDLE, True, TRICK),))
    for at, odd in (((0.2, 0.2), False), ((0.5, 0.0), True)):
        named = dict(weighs.terms(lies, rest(face("KS", MIDDLE), face(None, at)).looks[0]))
        assert ("unread, unexplained" in named) == odd
        assert named.get("unread, unexplained", math.log(P.doubt)) == pytest.approx(math.log(P.doubt))


def test_each_thing_that_came_is_weighed_as_if_it_were_the_only_one() -> None:
    game, weighs = weigher(Match("turufu", 4))
    lying = [face("KS", FAR), face("7H", TALON)]
    named = {one.card: one for one in lying if one.card}
    items = Came(game, P, weighs).items(History(phase=WAITING), named, (), rest(*lying))
    assert [one.unexplained for one in items] == pytest.approx([math.log(P.face_between_deals)] * 2)


# -- what may have happened --------------------------------------------------------------------------------------------


def test_a_whole_trick_may_have_gone_unseen_where_everybodys_hand_was_there() -> None:
    """Two players lay a card each, one takes the trick up, and only the next lead is seen."""
    game, weighs = weigher(Match("triomphe", 2))
    before = in_play(done=1, serial=2, leads=frozenset({0}), things=())
    angles = [seat.angle_deg for seat in weighs.arms._seats]
    came = [hand(angles[seat], MIDDLE, 6.0 + number) for number, seat in enumerate((0, 1, 0, 0))]
    lead = face("KC", MIDDLE)
    futures = Proposer(game, P, weighs).futures(before, rest(lead, hands=came, changed=[MIDDLE]), frozenset())
    told = [[(step.kind, step.seat, step.card) for step in one.steps] for one in futures]
    assert [(LAY, 0, None), (LAY, 1, None), (GATHER, None, None), (LAY, 0, "KC")] in told


# -- what is told ------------------------------------------------------------------------------------------------------


def test_cards_that_are_not_told_yet_are_shown_as_long_as_what_was_told_stands() -> None:
    tells, beam = telling(begun(), *LED)
    beam.histories = [account(0.6, ACE)]
    assert tells.untold == (Laid(3, "AS", (), 3),)
    beam.histories = [account(0.6, ACE)._replace(steps=(*LED[:3], laid("5S", 2), ACE))]
    assert tells.untold == ()


def put_right(now: Step) -> object:
    """What is said where the card of seat 2 was told as the 4S, and this is what was laid after all."""
    match = begun()
    tells, beam = telling(match, *LED)
    beam.histories = [History(0.0, (*LED[:3], now), PLAYING, serial=1)]
    return tells.next(match, {})


def test_a_card_that_was_told_wrong_is_corrected() -> None:
    assert put_right(laid("5S", 2, uid=2)) == Correct(4, {"card": "5S"})


def test_a_card_that_turns_out_unread_is_taken_back() -> None:
    """No correction says that a card cannot be read."""
    assert put_right(laid(None, 2, uid=2)) == TakenBack(4)


def test_what_would_accuse_somebody_when_it_is_corrected_is_taken_back() -> None:
    """Seat 1 laid one already."""
    assert put_right(laid("4S", 1, uid=2)) == TakenBack(4)
