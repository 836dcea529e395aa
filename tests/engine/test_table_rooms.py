"""The rooms of the table one at a time: what each makes of a small scene, and what that costs an account."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.events import Correct, Deal, Play, Taken, TakenBack, VoidDeal
from engine.games import GAMES
from engine.match import Match
from engine.sightings import CardLying, Hand, Point, TableLook
from engine.table.acts import DEAL, GATHER, LAY, LIFT, PILLAGE, SWAP, VOID, ZONE, Priors
from engine.table.arms import Arms, seats_round
from engine.table.beam import Beam
from engine.table.came import Came, Item
from engine.table.card_table import CardTable
from engine.table.changes import changes
from engine.table.dealing import Dealing
from engine.table.evidence import Rest, Seen
from engine.table.hands import Hands
from engine.table.history import BESIDE, LEFT, PLAYING, TRICK, TURN_UP, WAITING, History, Laid, Step, Thing
from engine.table.piles import ASKED, Piles
from engine.table.propose import Proposer
from engine.table.record import Told
from engine.table.surroundings import Surroundings
from engine.table.taken_back import TakenBackByHand
from engine.table.taking_up import taken_up
from engine.table.which_game import ODD_ARM, Candidate, _matches
from engine.table.why import ACTS, BEFORE, why
from tests.engine.table import deal, play
from tests.engine.test_table_guards import ACE, DEALT, LED, account, all_told, begun, laid, reading, telling, weigher

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
    return Rest(1, looks=[seen], hands=came, recent=came, new=tuple(came), since=frozenset(came), changed=where)


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


def test_where_somebody_takes_the_turned_up_card_it_is_gone_once_it_is_missed_and_comes_back_as_nothing() -> None:
    """It does not wait in the stock, under arms: a game in which it lies there all the time explains that better."""
    deals, _ = dealing("belote", 4)
    missed, shown = rest(hidden="7H"), rest(CardLying("7H", 0.99, TALON))
    gone = deals.drawn(in_play(trick=TRICK_BEGUN), missed.looks[0].named, missed)
    assert gone.turned_up is None
    assert deals.drawn(gone, shown.looks[0].named, shown) == gone


@pytest.mark.parametrize("read, lies", [(None, True), ("", False)])
def test_the_turned_up_card_is_not_drawn_while_something_unread_lies_there(read: str | None, lies: bool) -> None:
    deals, _ = dealing("turufu", 4)
    shown = rest(*[face(None, TALON)] * (read is None))
    last_draw = in_play(done=deals.game.draws)
    assert (deals.drawn(last_draw, shown.looks[0].named, shown).turned_up is not None) == lies


@pytest.mark.parametrize("since, lies", [(frozenset({1}), False), (frozenset(), True)])
def test_between_deals_the_card_turned_up_is_gathered_by_hands_that_a_glance_told_of(
    since: frozenset[int], lies: bool
) -> None:
    deals, _ = dealing("turufu", 4)
    bare = rest(hands=[hand(0)])
    bare.new, bare.since = (), since
    assert (deals.drawn(in_play()._replace(phase=WAITING), {}, bare).turned_up is not None) == lies


@pytest.mark.parametrize("bare, deals", [(3, True), (2, False)])
def test_the_card_turned_up_last_may_be_turned_up_again_after_its_place_was_bare(bare: int, deals: bool) -> None:
    """Glances told of the hands that came."""
    dealing_here, _ = dealing("pille", 3)
    lies = face("8H", TALON)
    again = rest(lies, hands=[hand(angle, TALON) for angle in (0, 120, 240)], changed=[TALON])
    again.new, again.since = (), frozenset(again.hands)
    again.lately = (*[rest(lies).looks[0]] * 3, *[rest().looks[0]] * bare)
    over = in_play("8H")._replace(phase=WAITING)
    found = [after for after, _ in dealing_here.begins(over, (), again, frozenset())]
    assert [one.turn_up for one in found] == ["8H"] * deals


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


@pytest.mark.parametrize("card, ends", [("KS", [DEAL]), (None, [VOID, DEAL])])
def test_a_deal_of_whose_last_trick_nobody_saw_a_card_was_given_up(card: str | None, ends: list[str]) -> None:
    """Rather a whole trick went by unseen than that cards are missing."""
    deals, _ = dealing("turufu", 4)
    before = in_play(trick=(Laid(0, card, (), 1),), done=deals.game.tricks - 1)
    came = rest(hands=[hand(angle, TALON) for angle in (0, 90, 180, 270)])
    ((after, _),) = deals.given_up(before, (Item("6H", TALON, True),), came, frozenset())
    assert [one.kind for one in after.steps] == ends


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


@pytest.mark.parametrize("dealt_in, lay_there, costs", [(1, True, True), (1, False, False), (0, True, False)])
def test_what_lay_there_before_the_card_that_was_turned_up_hardly_follows_it(
    dealt_in: int, lay_there: bool, costs: bool
) -> None:
    """A mark of a king that could not be read was taken for a nine, turned up below it and bought at once."""
    deals, _ = dealing("pille", 3)
    came = rest(face("8H", TALON))
    came.faces_before = frozenset({"8H"} if lay_there else ())
    before = in_play(steps=(Step(DEAL, None, "7H", 1, rest=dealt_in),))
    found = [one for one, _ in deals.otherwise(before, (Item("8H", TALON, True),), {}, came, frozenset())]
    (bought,) = [one for one in found if one.steps[-1].kind == PILLAGE]
    assert bought.logp == pytest.approx(math.log(P.pillage) + (math.log(P.unchanged) if costs else 0.0))


def test_what_is_left_of_a_trick_goes_with_the_arm_of_who_won_it() -> None:
    """Its next lead lies there already."""
    game, weighs = weigher(Match("turufu", 4))
    last = tuple(Laid(seat, card, (), 10 + seat) for seat, card in enumerate(("KS", "4S", "5S", "6S")))
    left = tuple(Thing(one.uid, one.card, MIDDLE, True, LEFT) for one in last)
    before = in_play(trick=(Laid(0, "AD", (), 1),), last=last, done=1, things=left)

    def gone(angle_deg: float) -> float:
        came = rest(hands=[hand(angle_deg)], changed=[MIDDLE])
        return Proposer(game, P, weighs)._tidied(before, {}, came).logp

    assert gone(0) > gone(180) + 0.5


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


def test_what_nobody_read_was_not_put_in_the_place_of_the_turned_up_card() -> None:
    """It may be that card, and the names on its list be wrong: to be exchanged is to be accused."""
    deals, _ = dealing("turufu", 4)
    items = (Item("6D", TALON, True, unread=True),)
    assert [*deals.swaps(in_play(trick=TRICK_BEGUN), items, {}, rest(changed=[TALON]))] == []


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


@pytest.mark.parametrize("seen_before", [False, True])
def test_a_card_shown_between_deals_was_brought_by_a_hand(seen_before: bool) -> None:
    """Unless it lay there already."""
    game, weighs = weigher(Match("turufu", 4))
    shows = rest(face("6H", FAR), hands=[hand(0, FAR)], changed=[FAR])
    shows.faces_before = frozenset({"6H"} if seen_before else ())
    shown, *_ = Proposer(game, P, weighs).futures(History(phase=WAITING), shows, frozenset())
    brought = Hands(P, weighs).any_put(FAR, shows)
    assert brought > 0.0
    assert shown.logp == pytest.approx(weighs.idle(shows.hands[1]) + (0.0 if seen_before else brought))


def acts(futures: Sequence[History]) -> list[list[str]]:
    return [[step.kind for step in one.steps] for one in futures]


@pytest.mark.parametrize("spot, there", [((0.0, 0.22), True), ((0.0, 0.5), False), (None, False)])
def test_a_card_that_is_gone_was_taken_back_by_its_players_hand(spot: Point | None, there: bool) -> None:
    """Rather where the table looks otherwise."""
    game, weighs = weigher(Match("turufu", 4))
    lies = Thing(1, "KS", MIDDLE, True, TRICK)
    before = in_play(trick=TRICK_BEGUN, leads=frozenset({0}), things=(lies,))
    gone = rest(hands=[hand(0)])
    gone.changes = changes([(*spot, 0.15)] if spot else [], [face("KS", MIDDLE)], [], 0.3)
    futures = Proposer(game, P, weighs).futures(before, gone, frozenset())
    (lifted,) = [one for one in futures if acts([one]) == [[LIFT]]]
    assert (lifted.trick, lifted.things) == ((), ())
    _, fit = Hands(P, weighs).took(before, 0, gone, lone=True)
    unchanged = 0.0 if there else math.log(P.went_unchanged)
    assert lifted.logp == pytest.approx(weighs.idle(gone.hands[1]) + math.log(P.lift) + fit + unchanged)


@pytest.mark.parametrize("shown, lifts", [("JH", True), (None, False)])
def test_what_lies_where_another_lay_shows_at_a_glance_that_it_was_taken_back(shown: str | None, lifts: bool) -> None:
    """An arm over that place does not hide it: else it may."""
    game, weighs = weigher(Match("turufu", 4))
    before = in_play(trick=TRICK_BEGUN, leads=frozenset({0}), things=(Thing(1, "KS", MIDDLE, True, TRICK),))
    over = hand(0, (0.0, 0.1))
    elsewhere = face("3S", (-0.3, 0.0))
    glanced = rest(*([face(shown, MIDDLE)] if shown else []), elsewhere, hands=[over])
    glanced.looks = [replace(one, glance=True, over=(over,)) for one in glanced.looks]
    proposer = Proposer(game, P, weighs)
    futures = proposer.futures(before, glanced, frozenset())
    assert any(LIFT in one for one in acts(futures)) == lifts


@pytest.mark.parametrize("lone", [True, False])
def test_a_trick_may_go_long_after_the_hand_came_that_takes_it(lone: bool) -> None:
    """A lone card goes before the table rests again: of the hands that came before it did, those that did nothing yet
    took none."""
    _, weighs = weigher(Match("turufu", 4))
    came_before = rest(hands=[hand(0)])
    came_before.new = ()
    took = 1, -weighs.idle(hand(0))
    assert Hands(P, weighs).took(in_play(), None, came_before, lone) == took, "at a glance since"
    came_before.since = frozenset()
    number, fit = Hands(P, weighs).took(in_play(), None, came_before, lone)
    assert (number, fit) == ((None, math.log(P.gathered_unseen)) if lone else took)


def test_hands_that_glances_told_of_since_the_table_rested_count_as_come_since() -> None:
    game, weighs = weigher(Match("turufu", 4))
    beam = Beam(game, P, weighs)
    beam.start([in_play()])
    hands = {1: hand(90, came_s=0.9), 2: hand(180, came_s=1.5), 3: hand(270, came_s=2.5)}
    told: tuple[tuple[float, bool, set[int], set[int]], ...] = (
        (1.0, False, {1}, {1}), (1.6, True, {2}, {2}), (2.6, True, {3}, {2, 3}), (3.0, False, set(), {2, 3}),
        (4.0, False, set(), set()),
    )  # fmt: skip
    for at_s, glance, new, since in told:
        beam.new_rest(TableLook(at_s, (), card_length=0.3), at_s, {n: h for n, h in hands.items() if h.came_s < at_s})
        beam.take_in(Seen(at_s, {}, (), 0.3, True, frozenset(), (), glance), lambda _: frozenset())
        assert beam.rest is not None
        assert (set(beam.rest.new), beam.rest.since) == (new, since)
        if not glance:
            beam.rested(at_s)


def test_what_is_put_down_may_be_seen_long_after_the_hand_came_that_puts_it() -> None:
    _, weighs = weigher(Match("turufu", 4))
    came_before = rest(hands=[hand(0, TALON)])
    came_before.new = ()
    assert Hands(P, weighs).put(in_play(), TALON, came_before)[0] == 1


def test_what_was_seen_under_a_card_is_not_hidden_by_it() -> None:
    """It is seen or missed from then on as if it lay alone, but for what is laid later."""
    _, weighs = weigher(Match("turufu", 4))
    below, above = Thing(1, "KS", MIDDLE, True, TRICK), Thing(2, "3S", (0.03, 0.2), True, TRICK)
    both, one = (rest(*(face(card, MIDDLE) for card in cards)).looks[0] for cards in (("KS", "3S"), ("3S",)))

    def terms(open_to: int, seen: Seen) -> float:
        told = dict(weighs.terms(in_play()._replace(things=(below._replace(open_to=open_to), above)), seen))
        return told.get("KS seen", told.get("KS missed", math.nan))

    assert terms(1, both) < math.log(0.1) < -0.1 < terms(2, both)
    assert terms(2, one) == pytest.approx(math.log(P.missed)) and terms(1, one) > -0.1


def test_a_card_that_went_unseen_may_hide_what_was_seen_before() -> None:
    """Nobody knew where it lay: what was seen since was seen beside it, not under it."""
    game, weighs = weigher(Match("turufu", 4))
    above = Thing(2, "3S", (0.03, 0.2), True, TRICK, open_to=2)
    step = Step(LAY, 0, None, uid=1, rest=1)
    before = in_play(trick=(Laid(0, None, (), 1), Laid(1, "3S", (), 2)), things=(above,), steps=(step,))
    shows = rest(face("3S", (0.03, 0.2)), face("KS", MIDDLE))
    found = reading(game, weighs).read(before, shows.looks[0].named, (), shows)
    (after,) = [one for one in found if one.trick[0].card == "KS"]
    assert [(one.card, one.open_to) for one in after.things] == [("3S", 0), ("KS", -1)]


def test_a_card_that_went_unseen_may_be_what_cannot_be_read_now() -> None:
    game, weighs = weigher(Match("turufu", 4))
    step = Step(LAY, 0, None, uid=1, rest=1)
    before = in_play(trick=(Laid(0, None, (), 1), Laid(1, "3S", (), 2)), steps=(step,))
    unread = CardLying(None, 0.0, MIDDLE, ("KS", "QS"))
    shows = rest(face("3S", (0.3, 0.2)), unread, changed=[MIDDLE])
    found = reading(game, weighs).read(before, shows.looks[0].named, (unread,), shows)
    (after,) = [one for one in found if any(thing.uid == 1 for thing in one.things)]
    assert [(one.card, one.maybe, one.at) for one in after.things if one.uid == 1] == [(None, ("KS", "QS"), MIDDLE)]
    assert after.trick[0].maybe == after.steps[0].maybe == ("KS", "QS")
    only = before._replace(played=frozenset({"QS"}))
    found = reading(game, weighs).read(only, shows.looks[0].named, (unread,), shows)
    assert {one.trick[0].card for one in found} == {None, "KS"}


def test_a_face_that_is_new_is_the_last_card_rather_than_one_that_is_only_shown() -> None:
    """Where an account says that nobody saw the last card of a deal, and the trick went already."""
    game, weighs = weigher(Match("turufu", 2))
    lies = Thing(1, "KS", MIDDLE, True, TRICK)
    before = in_play(trick=TRICK_BEGUN, leads=frozenset({0}), things=(lies,), done=game.tricks - 1)
    shows = rest(face("3S", (0.0, -0.2)), hands=[hand(180, (0.0, -0.2))])
    shows.changed = ((0.0, -0.2, 0.15),)
    futures = Proposer(game, P, weighs).futures(before, shows, frozenset())
    unseen = max((one for one in futures if acts([one]) == [[LAY, GATHER]] and one.last[-1].card is None), key=logp)
    seen = max((one for one in futures if one.steps and one.steps[0].card == "3S"), key=logp)
    assert seen.logp - unseen.logp > -math.log(P.clutter) / 2


def logp(one: History) -> float:
    return one.logp


def test_what_counts_for_nothing_and_is_gone_was_taken_back() -> None:
    game, weighs = weigher(Match("turufu", 4))
    lies = (Thing(1, "KS", MIDDLE, True, TRICK), Thing(2, "4D", (0.2, 0.0), True, BESIDE))
    before = in_play(trick=TRICK_BEGUN, leads=frozenset({0}), things=lies)
    futures = Proposer(game, P, weighs).futures(before, rest(face("KS", MIDDLE)), frozenset())
    (lifted,) = [one for one in futures if acts([one]) == [[LIFT]]]
    assert lifted.things == lies[:1]
    likely = P.lift_beside * P.gathered_unseen * P.went_unchanged
    assert lifted.logp == pytest.approx(math.log(likely))


def test_no_two_cards_are_taken_back_at_once() -> None:
    """All of a trick that went were swept up."""
    game, weighs = weigher(Match("turufu", 4))
    lies = (Thing(1, "KS", MIDDLE, True, TRICK), Thing(2, "3S", (0.2, 0.0), True, TRICK))
    before = in_play(trick=(*TRICK_BEGUN, Laid(1, "3S", (), 2)), leads=frozenset({0}), things=lies)
    found = acts(Proposer(game, P, weighs).futures(before, rest(), frozenset()))
    assert [LIFT] in found
    assert max(one.count(LIFT) for one in found) == 1


def test_a_trick_that_went_is_one_more() -> None:
    game, weighs = weigher(Match("triomphe", 2))
    lies = (Thing(1, "KS", MIDDLE, True, TRICK), Thing(2, "7S", (0.2, 0.0), True, TRICK))
    trick = (*TRICK_BEGUN, Laid(1, "7S", (), 2))
    before = in_play(trick=trick, leads=frozenset({0}), things=lies, done=2, serial=3)
    futures = Proposer(game, P, weighs).futures(before, rest(), frozenset())
    (after,) = [one for one in futures if acts([one]) == [[GATHER]]]
    assert (after.done, after.serial, after.trick, after.last, after.phase) == (3, 4, (), trick, PLAYING)


@pytest.mark.parametrize("at, costs", [((0.9, 0.0), True), (MIDDLE, False)])
def test_what_comes_to_rest_at_somebodys_place_is_rather_a_trick_that_went(at: Point, costs: bool) -> None:
    """Even one of which nobody saw a card."""
    game, weighs = weigher(Match("triomphe", 2))
    before = in_play(done=1, serial=2, leads=frozenset({0}))
    found = []
    for packets in ((), (at,)):
        came = rest(face("7H", TALON), hands=[hand(0), hand(180), hand(0)])
        came.packets = packets
        found.append(
            {str(acts([one])[0]): one.logp for one in Proposer(game, P, weighs).futures(before, came, frozenset())}
        )
    without, put_aside = found
    assert put_aside["[]"] - without["[]"] == pytest.approx(math.log(P.put_aside) if costs else 0.0)
    went = str([LAY, LAY, GATHER])
    assert went not in without and (went in put_aside) == costs


def test_a_card_that_came_and_went_between_two_rests_changed_nothing_that_they_show() -> None:
    game, weighs = weigher(Match("turufu", 4))
    before = in_play(trick=TRICK_BEGUN, leads=frozenset({0}))
    worth = {}
    for glance in (True, False):
        came = rest(face("7H", TALON), face("3S", MIDDLE), hands=[hand(90)])
        came.looks = [replace(came.looks[0], glance=glance)]
        futures = Proposer(game, P, weighs).futures(before, came, frozenset())
        worth[glance] = max(one.logp for one in futures if one.steps and one.steps[-1].card == "3S")
    assert worth[False] - worth[True] == pytest.approx(math.log(P.unchanged))


def test_a_card_beside_one_of_its_trick_is_not_far_out() -> None:
    game, weighs = weigher(Match("turufu", 4))
    worth = []
    for beside in ((0.7, 0.2), (0.7, -0.6)):
        lies = (Thing(1, "KS", beside, True, TRICK),)
        before = in_play(trick=TRICK_BEGUN, leads=frozenset({0}), things=lies)
        came = rest(face("KS", beside), face("3S", (0.7, 0.0)), hands=[hand(90)], changed=[(0.7, 0.0)])
        futures = Proposer(game, P, weighs).futures(before, came, frozenset())
        worth.append(max(one.logp for one in futures if one.steps and one.steps[-1].card == "3S"))
    assert worth[1] - worth[0] == pytest.approx(math.log(P.far_out))


@pytest.mark.parametrize(
    ("name", "done", "away", "odd"),
    [
        ("triomphe", 1, 0.55, True),
        ("triomphe", 1, 0.45, False),
        ("triomphe", 0, 0.55, False),
        ("turufu", 1, 0.55, False),
    ],
)
def test_nobody_plays_a_card_where_the_stock_stands(name: str, done: int, away: float, odd: bool) -> None:
    """Where a deal that was decided is thrown in, the next turned-up card would be a lead; turufu deals all cards. A
    stock that stands in the middle is played round."""
    game, weighs = weigher(Match(name, 2))
    worth = []
    for stock in ((-away, 0.1), (away, 0.1)):
        came = rest(face("QS", (-away, 0.1)), hands=[hand(90)], changed=[(-away, 0.1)])
        before = in_play()._replace(done=done, talon=stock)
        futures = Proposer(game, P, weighs).futures(before, came, frozenset())
        worth.append(max(one.logp for one in futures if one.steps and one.steps[-1].kind == LAY))
    assert worth[0] - worth[1] == pytest.approx(math.log(P.far_out) if odd else 0.0)


def test_an_account_that_is_behind_is_kept_as_long_as_what_came_may_bring_it_back() -> None:
    """Two cards at once are no reason to drop it: by it they were laid as well."""
    game, weighs = weigher(Match("turufu", 4))
    proposer, where = Proposer(game, P, weighs), ((-0.25, 0.0), (0.0, -0.25))
    came = rest(
        face("3S", where[0]), face("4S", where[1]),
        hands=[hand(90, where[0]), hand(180, where[1]), hand(270, (0.2, 0.0))], changed=where,
    )  # fmt: skip
    likely = in_play(trick=TRICK_BEGUN, leads=frozenset({0}))
    proposer.begin()
    for behind in (0.0, 12.0):
        before = likely._replace(logp=-behind)
        laid = [[one.card for one in after.trick] for after in proposer.futures(before, came, frozenset())]
        assert ["KS", "3S", "4S"] in laid


@pytest.mark.parametrize(
    ("likely", "odds"), [((), 1.0), ((0.8, 0.1), 8.0), ((0.98, 0.001), 0.98 * P.listed / P.not_listed)]
)
def test_what_could_not_be_read_is_rather_the_card_that_it_looked_like(likely: tuple[float, ...], odds: float) -> None:
    """No name on the list is less likely than one that is not on it."""
    game, weighs = weigher(Match("turufu", 4))
    unread = Thing(1, None, MIDDLE, True, TRICK, ("KS", "KC"), likely=likely)
    before = in_play(trick=(Laid(0, None, ("KS", "KC"), 1),), things=(unread,))
    worth = {}
    for card in ("KS", "KC"):
        seen = {card: face(card, MIDDLE)}
        named = reading(game, weighs).read(before, seen, (), rest(face(card, MIDDLE)))
        worth[card] = max(one.logp for one in named if one.trick[0].card == card)
    assert worth["KS"] - worth["KC"] == pytest.approx(math.log(odds))


def test_a_hand_that_reached_the_middle_only_later_may_have_laid_what_nobody_saw() -> None:
    """A frame showed it at the edge first; a card of its player went unseen, since the next arm hid it."""
    game, weighs = weigher(Match("turufu", 4))
    beam = Beam(game, P, weighs)
    beam.start([in_play()])
    for at_s, reach in ((1.0, (-1.0, 0.0)), (1.2, (-0.1, 0.0)), (1.4, (-0.1, 0.0))):
        came = {1: replace(hand(90), reach=reach, came_s=0.9, left_s=1.3)}
        beam.new_rest(TableLook(at_s, (), card_length=0.3), at_s, came)
        beam.take_in(Seen(at_s, {}, (), 0.3, True, frozenset(), (), True), lambda _: frozenset())
        beam.looked_s = at_s
        assert beam.rest is not None and beam.rest.farther == ((1,) if at_s == 1.2 else ())
        assert beam.histories[0].idle == (() if at_s == 1.0 else (1,))


def test_what_the_match_holds_is_what_an_account_begins_with() -> None:
    game, _ = weigher(Match("turufu", 4))
    waiting, _ = taken_up(Match("turufu", 4), game, [], ())
    assert [one.phase for one in waiting] == [WAITING]
    ((playing,), numbers) = taken_up(begun(), game, [], ())
    assert (playing.phase, [one.card for one in playing.trick]) == (PLAYING, ["KS", "3S", "4S"])
    assert numbers == {0: 2, 1: 3, 2: 4}


# -- whose hand it was -------------------------------------------------------------------------------------------------


def test_a_hand_that_did_something_was_not_idle() -> None:
    """What it would cost that it did nothing speaks for whatever it did; a hand that was there before has paid."""
    _, weighs = weigher(Match("turufu", 4))
    hands, came = Hands(P, weighs), rest(hands=[hand(0)])
    arm, idle, start = came.hands[1], weighs.idle(came.hands[1]), in_play()
    assert hands.any_put(MIDDLE, came) == pytest.approx(weighs.arms.log_reach(arm, MIDDLE) - idle)
    item = Item("KS", MIDDLE, True)
    assert hands.laid(start, 0, item, came, None) == (1, pytest.approx(weighs.fit(0, 1, MIDDLE, came) - idle))
    unseen = math.log(P.unseen) + weighs.arms.log_angle(0, 0) - idle
    assert hands.laid_unseen(start, 0, came) == (1, pytest.approx(unseen))
    came.new = ()
    assert hands.laid(start, 0, item, came, None) == (1, pytest.approx(weighs.fit(0, 1, MIDDLE, came)))


@pytest.mark.parametrize(
    "drew_back_s, shown, glance, missed",
    [
        (9.0, "", True, P.missed_at_a_glance),
        (9.0, "", False, P.laid_and_unseen),
        (9.0, "KS", True, 1.0),  # It showed it after all.
        (9.0, "?", True, 1.0),  # Or something there that it could not read.
        (9.4, "", True, 1.0),  # The hand was about it still.
        (None, "", True, 1.0),  # Until it left, for all that is known.
    ],
)
def test_a_hand_that_had_drawn_back_when_a_look_did_not_show_the_card_hardly_laid_it(
    drew_back_s: float | None, shown: str, glance: bool, missed: float
) -> None:
    _, weighs = weigher(Match("turufu", 4))
    arm = replace(hand(0, came_s=8.5), left_s=9.9, drew_back_s=drew_back_s)
    came, start = rest(hands=[arm]), in_play()
    lies = [face("KS" if shown == "KS" else None, MIDDLE)] if shown else []
    before = replace(rest(*lies).looks[0], at_s=9.5, glance=glance)
    worth = {}
    for lately in ((), (before,)):
        came.lately = lately
        worth[bool(lately)] = Hands(P, weighs).laid(start, 0, Item("KS", MIDDLE, True), came, None)[1]
    assert worth[True] - worth[False] == pytest.approx(math.log(missed))


@pytest.mark.parametrize(
    "reached_s, shown, early",
    [
        (9.6, "KS", P.not_there_yet),
        (9.4, "KS", 1.0),  # It was far enough in.
        (None, "KS", 1.0),  # It had come, for all that is known.
        (9.6, "", 1.0),  # It did not lie there before.
    ],
)
def test_a_hand_that_was_hardly_in_when_the_card_was_seen_to_lie_there_hardly_laid_it(
    reached_s: float | None, shown: str, early: float
) -> None:
    _, weighs = weigher(Match("turufu", 4))
    arm = replace(hand(0, came_s=9.2), left_s=9.9, reached_s=reached_s)
    came, start = rest(face("KS", MIDDLE), hands=[arm]), in_play()
    before = replace(rest(*([face(shown, MIDDLE)] if shown else [])).looks[0], at_s=9.5, glance=True)
    worth = {}
    for lately in ((), (before,)):
        came.lately = lately
        worth[bool(lately)] = Hands(P, weighs).laid(start, 0, Item("KS", MIDDLE, True), came, None)[1]
    assert worth[True] - worth[False] == pytest.approx(math.log(early))


@pytest.mark.parametrize("drew_back_s, over", [(9.6, P.still_over_it), (9.5, P.still_over_it), (9.4, 1.0), (None, 1.0)])
def test_a_card_that_was_seen_before_a_hand_drew_back_may_be_anothers(drew_back_s: float | None, over: float) -> None:
    _, weighs = weigher(Match("turufu", 4))
    arm = replace(hand(0, came_s=9.0), left_s=9.9, reached_s=9.1, drew_back_s=drew_back_s)
    came, start = rest(face("KS", MIDDLE), hands=[arm]), in_play()
    before = replace(rest(face("KS", MIDDLE)).looks[0], at_s=9.5, glance=True)
    worth = {}
    for lately in ((), (before,)):
        came.lately = lately
        worth[bool(lately)] = Hands(P, weighs).laid(start, 0, Item("KS", MIDDLE, True), came, None)[1]
    assert worth[True] - worth[False] == pytest.approx(math.log(over))


def test_a_hand_takes_no_card_back_that_it_never_reached() -> None:
    _, weighs = weigher(Match("turufu", 4))
    hands = Hands(P, weighs)
    worth = {}
    for reach in (MIDDLE, (0.0, 0.45)):
        came = rest(hands=[hand(0, reach)])
        worth[reach] = [hands.took(in_play(), 0, came, True, at)[1] for at in (None, MIDDLE)]
    assert worth[MIDDLE][0] == worth[MIDDLE][1]
    assert worth[(0.0, 0.45)][0] > worth[(0.0, 0.45)][1] + 1


@pytest.mark.parametrize("gathered, worth", [(1, P.idle_while_swept), (0, P.idle_in_the_middle)])
def test_while_a_trick_is_swept_up_hands_come_and_go(gathered: int, worth: float) -> None:
    """gathered: the rest in which the trick went."""
    _, weighs = weigher(Match("turufu", 4))
    came = rest(hands=[hand(0)])
    came.main_before = 1
    swept = in_play(steps=(Step(GATHER, None, None, 0, rest=gathered),))
    assert Hands(P, weighs).idle(swept, came.hands[1], came) == pytest.approx(math.log(worth))


@pytest.mark.parametrize("maybe, new", [(("KS", "QS"), False), (("5H",), True), ((), True)])
def test_what_cannot_be_read_while_a_trick_is_swept_up_may_be_of_it(maybe: tuple[str, ...], new: bool) -> None:
    rules, weighs = weigher(Match("turufu", 4))
    came = rest(hands=[hand(0)], changed=[MIDDLE])
    doubt = CardLying(None, 1.0, MIDDLE, maybe)
    swept = in_play(steps=(Step(GATHER, None, None, 0, hand=1, rest=1),), last=(Laid(0, "KS", (), 1),))
    assert bool(Came(rules, P, weighs).unread(swept, {}, (doubt,), came)) == new


def test_a_card_may_be_read_late_that_a_hand_laid_which_did_nothing_so_far() -> None:
    _, weighs = weigher(Match("turufu", 4))
    came = rest(face("KS", MIDDLE))
    came.recent = {7: hand(0)}
    item = Item("KS", MIDDLE, True)
    (nobody, worth), (number, more) = (
        Hands(P, weighs).laid(in_play(idle=idle), 0, item, came, None) for idle in ((), (7,))
    )
    assert (nobody, number) == (None, 7) and more > worth


@pytest.mark.parametrize("before, late", [((MIDDLE,), True), ((), False)])
def test_a_card_that_is_read_late_changed_the_table_at_the_rest_before(before: Sequence[Point], late: bool) -> None:
    came = rest(face("KS", MIDDLE))
    came.changed_before = tuple((*at, 0.1) for at in before)
    assert came.put_there(MIDDLE) == late


def test_a_hand_fits_a_card_that_it_reached() -> None:
    _, weighs = weigher(Match("turufu", 4))
    here, elsewhere = (weighs.arms.log_fit(hand(0, reach), MIDDLE, 0) for reach in (MIDDLE, (0.3, -0.4)))
    assert here > elsewhere


def test_two_hands_that_came_the_same_way_one_after_the_other_are_two() -> None:
    around = Surroundings()
    around.keep_hands(TableLook(10.0, (), (hand(0, came_s=9.0), hand(0, came_s=9.5))))
    assert [one.came_s for one in around.hands.values()] == [9.0, 9.5]


# -- what a person took back -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fresh", [True, False])
def test_what_was_taken_back_and_lies_there_counts_when_it_is_swept_up_with_its_trick(fresh: bool) -> None:
    """Somebody touched the table: a look that only misses it all swept nothing."""
    lay = face("KS", MIDDLE)
    best = History(trick=TRICK_BEGUN, things=(Thing(1, "KS", MIDDLE, True, TRICK),))
    taken_back = TakenBackByHand(frozenset({"KS"}), ZONE)
    taken_back.undone([lay], frozenset(), best)
    assert taken_back.played_over(TableLook(1.0, (), fresh=fresh), best) == ([lay] if fresh else [])


def followed(best: History) -> CardTable:
    game, _ = weigher(Match("turufu", 4))
    table = CardTable(game, True)
    table._beam.histories = [best]
    return table


def test_what_was_undone_comes_again_in_the_order_it_was_laid_in() -> None:
    best = History(trick=(Laid(0, "KS", (), 1), Laid(1, "3S", (), 2)))
    table = followed(best)
    king, three = face("KS", MIDDLE), face("3S", FAR)
    table._faces = (three, king)
    table.undone(Match("turufu", 4))
    assert table._taken_back.cards == [king, three]


def test_undoing_before_anything_was_followed_takes_nothing_back() -> None:
    table = followed(History())
    table._beam.histories = []
    table.undone(Match("turufu", 4))
    assert table._taken_back.cards == []


def test_the_cards_that_lie_there_are_those_of_the_trick_and_the_one_turned_up() -> None:
    """What is left of the trick before is none of them, nor what nobody saw."""
    king, up = Thing(1, "KS", MIDDLE, True, TRICK), Thing(90, "7H", TALON, True, TURN_UP)
    things = (up, king, Thing(2, None, None, False, TRICK), Thing(80, "4D", FAR, True, LEFT))
    table = followed(in_play(trick=(*TRICK_BEGUN, Laid(1, None, (), 2)), things=things))
    assert table.lying == ((None, up), (0, king))


# -- which game it is --------------------------------------------------------------------------------------------------


def test_every_card_game_is_followed_for_as_many_as_can_play_it() -> None:
    found = {(one.header.game, one.header.players) for one in _matches(lambda game, players: {})}
    cards = {kind.name for kind in GAMES.values() if kind.grid is None}
    assert {game for game, _ in found} == cards
    assert {players for game, players in found if game == "turufu"} == {2, 4, 6}


def test_hands_that_come_from_where_the_players_sit_do_not_say_how_many_play() -> None:
    """Only one that comes from nobody at all speaks against so many."""
    match = Match("turufu", 2)
    game, _ = weigher(match)
    table = CardTable(game, True, seats_deg=(0.0, 30.0))
    for _ in range(30):  # Where they sit is well known by then.
        table.arms.learn(0, hand(0), MIDDLE)
        table.arms.learn(1, hand(30), MIDDLE)
    candidate = Candidate(match, table)
    candidate._count_arms(TableLook(10.0, (), (hand(0), hand(28, came_s=9.5))))
    assert candidate._arms == pytest.approx(0.0)
    candidate._count_arms(TableLook(11.0, (), (hand(195, came_s=10.5),)))
    assert candidate._arms == pytest.approx(math.log(ODD_ARM), abs=0.1)


# -- why ---------------------------------------------------------------------------------------------------------------


def test_why_weighs_each_account_by_its_own_acts() -> None:
    """Two lay the same card there, and only the seat differs."""
    _, weighs = weigher(Match("turufu", 4))
    lies = (Thing(1, "KS", MIDDLE, True, TRICK),)
    base = History(-1.0, phase=PLAYING)
    futures = [
        History(worth, (Step(LAY, seat, "KS", 1, rest=1),), PLAYING, things=lies)
        for seat, worth in ((0, -2.0), (1, -3.0))
    ]
    told = why(futures, [base], futures, rest(face("KS", MIDDLE)), weighs, 2)
    assert [one.terms[BEFORE] for one in told.accounts] == [-1.0, -1.0]
    assert [one.terms[ACTS] for one in told.accounts] == [-1.0, -2.0]


def test_what_the_looks_of_a_rest_say_is_together_what_they_weigh() -> None:
    _, weighs = weigher(Match("turufu", 4))
    there = History(phase=PLAYING, things=(Thing(1, "KS", MIDDLE, True, TRICK),))
    missed = rest()
    missed.looks *= 3
    (told,) = why([there], [there], [there], missed, weighs, 1).accounts
    assert told.terms["KS missed"] == pytest.approx(weighs.rest(there, missed))


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


@pytest.mark.parametrize("tricks_ago, proves", [(None, True), (0, False), (1, False), (2, True)])
def test_what_is_told_in_place_of_what_was_taken_back_proves_nothing(tricks_ago: int | None, proves: bool) -> None:
    """Nor does the trick after it: it was told wrong once, so no revoke is proven by it."""
    match = begun()
    tells, beam = telling(match, *LED)
    if tricks_ago is not None:
        tells.blame._taken_back = 1 - tricks_ago
    beam.histories = [account(1.0, laid("5S")._replace(at=MIDDLE, hand=1, rest=1))]
    assert all_told(tells, match) == [Play("5S", 3, order_sure=proves)]


def test_what_would_accuse_somebody_when_it_is_corrected_is_taken_back() -> None:
    """Seat 1 laid one already."""
    assert put_right(laid("4S", 1, uid=2)) == TakenBack(4)


@pytest.mark.parametrize("still, taken_back", [(0.01, True), (0.2, False)])
def test_a_deal_that_was_told_and_hardly_any_account_has_is_taken_back(still: float, taken_back: bool) -> None:
    """Though they do not agree on what happened instead. still: how many say so still."""
    match = begun()
    anew = (Step(VOID, None, None, 1), Step(DEAL, None, "3S", 1, uid=7))
    tells, beam = telling(match, *LED, *anew)
    for event in (VoidDeal(0.5), Deal("3S", None)):
        match.add(event)
    tells.record.told = [Told(one.step, number) for number, one in enumerate(tells.record.told, 1)]
    either = (1 - still) / 2
    other = [account(either, laid("5S")), account(either, laid("6S"))]
    beam.histories = [*other, account(still, *anew)]
    assert (tells.next(match, {}) is not None) == taken_back


def test_what_lies_two_tricks_back_stays_as_it_was_told() -> None:
    tells, beam = telling(begun(), *LED, laid("5S"), laid("AD", 0)._replace(trick=2))
    begins = account(1.0, laid("5S"), laid("AD", 0)._replace(trick=2), serial=3)
    beam.histories = [begins]
    tells.mending.trim()
    assert [one.step.card for one in tells.record.told] == [step.card for step in beam.histories[0].steps] == ["AD"]


@pytest.mark.parametrize(
    ("angle_deg", "players", "whose"), [(60.0, 6, 1), (74.0, 6, 1), (84.0, 6, None), (84.0, 4, 1), (45.0, 4, None)]
)
def test_whose_arm_it_surely_is(angle_deg: float, players: int, whose: int | None) -> None:
    """Between two of six players it is rather nobody's; of four as far from the nearer it is plain."""
    arms = Arms(seats_round(players, True))
    for seat in range(players):
        for _ in range(4):
            arms.learn(seat, hand(360 / players * seat), MIDDLE)
    assert arms.surely(angle_deg, P.sure) == whose


def test_where_a_trick_was_told_that_no_account_has_play_goes_on_from_the_next_deal() -> None:
    tells, _ = telling(begun(), DEALT, laid("AD", 0)._replace(trick=3))
    first, again = laid("KS", 0), Step(DEAL, None, "6D", 2)
    assert tells.mending.let_stand(History(steps=(DEALT, first, again, laid("QD", 1)._replace(trick=2))))
    assert [one.step for one in tells.record.told] == [DEALT, first]


def test_a_trick_at_the_wrong_place_makes_no_pile_of_it() -> None:
    piles = Piles((0, 1, 0, 1))
    assert piles.taken([((0.9, 0.0), 1)], 0) == Taken(1, ASKED)
    assert piles.taken([((0.9, 0.1), None)], 0) == Taken(0), "what lies before nobody is the winner's"
    assert piles.taken([((0.9, 0.1), 1)], None) == Taken(1, ASKED), "who won is not known"
    assert piles.taken([((0.9, 0.2), None)], 0) == Taken(1, ASKED), "but there it lies where the other side's did"


BEFORE_3 = (0.3, 0.0)
"""Where seat 3 lays cards."""


def out_of_turn(
    dropped: float = 0.0,
    taken_back: int | None = None,
    went: float | None = None,
    left_open: Sequence[float] = (),
    at: Point = BEFORE_3,
    next_to_lay: int | None = None,
    talon: Point | None = None,
    swept: bool = False,
    unseen: bool = False,
) -> list[object]:
    """What is told where seat 3 lays before seat 2, surely, and so much of what may have happened was dropped, or what
    was told of a trick so many before was taken back, or the card went again, so surely, or the likeliest account left
    so much open at the rests before, or it lies here, or somebody laid the next card since, or the turned-up card lay
    here, or all four were laid and swept up since, the last of them unseen."""
    match = Match("turufu", 4)
    for event in (deal(3, "7H"), play("KS", 0), play("3S", 1)):
        match.add(event)
    tells, beam = telling(match, *LED[:3])
    early = laid("4S", 3)._replace(at=at, hand=1, rest=1)
    beam.histories = [History(0.0, (*LED[:3], early), PLAYING, serial=1)]
    if went is not None:
        lifted = Step(LIFT, None, "4S", 1, uid=early.uid, rest=1)
        stays, goes = (*LED[:3], early), (*LED[:3], early, lifted)
        shares = ((stays, 1 - went), (goes, went))
        beam.histories = [History(math.log(share), steps, PLAYING, serial=1) for steps, share in shares if share][::-1]
    beam.dropped = dropped
    if taken_back is not None:
        tells.blame._taken_back = 1 - taken_back
    if next_to_lay is not None:
        more = laid("5S", next_to_lay, uid=9)._replace(at=MIDDLE, hand=2, rest=1)
        beam.histories = [History(0.0, (*LED[:3], early, more), PLAYING, serial=1)]
    if swept:
        last = laid(None if unseen else "5S", 2, uid=9)._replace(at=None if unseen else MIDDLE, rest=1)
        goes = (last, Step(GATHER, trick=1, rest=1))
        beam.histories = [History(0.0, (*LED[:3], early, *goes), PLAYING, serial=2)]
    now = beam.histories = [one._replace(talon=talon) for one in beam.histories]
    for left in left_open:
        beam.histories = [History(math.log(1 - left))]
        tells.looked(fresh=True)
        tells.looked(fresh=False)
    beam.histories = now
    return [*all_told(tells, match)]


@pytest.mark.parametrize("unseen", [False, True])
def test_nobody_laid_before_a_card_that_was_never_seen(unseen: bool) -> None:
    """Nobody knows when that was laid."""
    assert (out_of_turn(swept=True, unseen=unseen)[:1] == [Play("4S", 3)]) != unseen


@pytest.mark.parametrize("at", [(0.0, 0.0), (0.0, -0.25)])
def test_nobody_is_accused_of_a_card_that_a_neighbour_may_have_laid_for_whose_turn_it_was(at: Point) -> None:
    """Where it lies before him, or no nearer to one than to the other; until the next card tells."""
    assert out_of_turn(at=at) == []
    assert out_of_turn(at=at, next_to_lay=2) == [Play("4S", 3), Play("5S", 2)]


@pytest.mark.parametrize("away, accused", [(0.1, False), (0.2, True)])
def test_nobody_is_accused_of_a_card_that_lies_where_the_turned_up_one_lay(away: float, accused: bool) -> None:
    """Until it goes with its trick."""
    there = (BEFORE_3[0] + away, 0.0)
    assert out_of_turn(talon=there) == [Play("4S", 3)] * accused
    assert out_of_turn(talon=there, swept=True)[0] == Play("4S", 3)


def test_nobody_is_accused_while_much_of_what_may_have_happened_was_dropped() -> None:
    assert out_of_turn() == [Play("4S", 3)]
    assert out_of_turn(dropped=0.1) == []


@pytest.mark.parametrize(
    "left_open, accused",
    [
        ([0.0] * 30, True),
        ([0.01] * 30, True),
        ([0.05] * 30, False),
        ([0.4], True),
        ([0.4, 0.0] * 15, False),
        ([0.4] * 30 + [0.0] * 50, False),
        ([0.4] * 30 + [0.0] * 300, True),
    ],
)
def test_nobody_is_accused_at_a_table_that_cannot_be_followed(left_open: list[float], accused: bool) -> None:
    """Until it long can."""
    assert out_of_turn(left_open=left_open) == [Play("4S", 3)] * accused


def test_nobody_is_accused_of_a_card_that_went_before_it_was_told_and_may_as_well_have_been_swept_up() -> None:
    assert out_of_turn(went=0.9) == []
    assert out_of_turn(went=1.0) == [Play("4S", 3), TakenBack(4)]


@pytest.mark.parametrize("tricks_ago, accused", [(0, False), (1, False), (2, True)])
def test_nobody_is_accused_of_what_is_told_in_place_of_what_was_taken_back(tricks_ago: int, accused: bool) -> None:
    """Nor in the trick after it."""
    assert out_of_turn(taken_back=tricks_ago) == [Play("4S", 3)] * accused


def test_the_last_look_tells_how_long_ago_an_act_was_first_seen() -> None:
    _, beam = telling(begun())
    assert beam.rest is not None
    beam.rest.looks = [Seen(6.5, {}, (), 0.3, True, frozenset(), ())]
    assert beam.age_s(laid("AS")._replace(rest=1)) == 5.5, "the rest began at 1.0"


@pytest.mark.parametrize("looks, behind_a_hand, told", [(2, False, False), (3, False, True), (5, True, False)])
def test_a_trick_is_told_as_taken_once_it_may_have_come_to_rest(looks: int, behind_a_hand: bool, told: bool) -> None:
    match = begun()
    match.add(play("5S", 3))
    tells, beam = telling(match, *LED, laid("5S"))
    assert beam.rest is not None
    beam.rest.looks, beam.rest.behind_a_hand = beam.rest.looks[:looks], behind_a_hand
    beam.histories = [account(1.0, laid("5S"), Step(GATHER, trick=1, rest=1))]
    assert all_told(tells, match) == [Taken(0)] * told


ONE = 0.15
"""The radius of the spot that one card changes."""


@pytest.mark.parametrize(
    "shown, spots, went",
    [
        ([], [((0.0, 0.2), ONE)], True),
        ([], [((0.0, 0.2), 0.1)], False),  # A speck.
        ([], [((0.0, 0.32), ONE)], False),
        ([], [((0.0, 0.32), 0.2)], True),  # More than one card.
        ([("3S", (0.0, 0.3))], [((0.0, 0.3), ONE)], False),  # What lies over it explains that.
        ([("3S", (0.0, 0.3))], [((0.0, 0.3), ONE), ((0.0, 0.2), ONE)], True),
        ([("3S", (0.0, 0.3))], [((0.0, 0.25), 0.18)], True),
        ([("3S", (0.0, 0.25))], [((0.0, 0.25), ONE)], True),  # Just over it: nobody can tell.
        ([("KS", (0.0, 0.21))], [((0.0, 0.2), ONE)], True),  # It lay there before.
        ([("KS", (0.0, 0.4))], [((0.0, 0.4), ONE)], False),  # It was moved.
    ],
)
def test_what_went_changed_the_table(
    shown: list[tuple[str, Point]], spots: list[tuple[Point, float]], went: bool
) -> None:
    found = changes([(*at, r) for at, r in spots], [face("KS", MIDDLE)], [face(*one) for one in shown], 0.3)
    assert found.went(MIDDLE, True, P.just_there) is went


@pytest.mark.parametrize(
    "spots, unseen",
    [
        ([((0.0, -0.2), ONE)], False),
        ([((0.0, -0.2), ONE), ((0.05, -0.05), ONE)], True),
        ([((0.0, -0.2), ONE), ((0.05, 0.1), ONE)], False),  # There another lay.
        ([((0.0, -0.2), ONE), ((0.7, 0.0), ONE)], False),  # Nobody plays so far out.
        ([((0.0, -0.2), ONE), ((0.05, -0.05), 0.3)], None),  # Somebody pushed the cloth.
    ],
)
def test_where_the_table_changed_beside_what_came_something_may_have_come_unseen(
    spots: list[tuple[Point, float]], unseen: bool | None
) -> None:
    lay, shown = [face("KS", MIDDLE), face(None, (0.3, 0.0))], [face("3S", (0.0, -0.2)), face(None, (0.3, 0.02))]
    found = changes([(*at, r) for at, r in spots], lay, shown, 0.3)
    assert found.unseen(ZONE) is unseen
    assert changes([(*at, r) for at, r in spots], lay, [], 0.3).unseen(ZONE) is None


def test_the_cards_of_the_last_trick_are_looked_through_together_as_those_of_an_earlier_one_are() -> None:
    """Else a trick that is looked through while the next is played would rather seem to be no longer the last."""
    _, weighs = weigher(Match("turufu", 4))
    taken = [Laid(seat, card, (), seat) for seat, card in enumerate(("KS", "3S", "4S", "5S"))]
    earlier = in_play(played=frozenset(laid.card or "" for laid in taken))
    last = earlier._replace(last=tuple(taken), done=1)
    shown = [face(laid.card, (0.15 * laid.seat, -0.8)) for laid in taken]
    costs = [sum(weighs.stray(h, one.card or "", one, many) for many, one in enumerate(shown)) for h in (last, earlier)]
    assert costs[0] - costs[1] == pytest.approx(0.0)
    inside = face("KS", MIDDLE)
    assert weighs.stray(last, "KS", inside, 0) == pytest.approx(math.log(P.known_again))
    assert weighs.stray(last, "KS", inside, 1) == pytest.approx(math.log(P.more_again))


AGAIN = (Step(LAY, 0, "KS", 1, uid=1), Step(LIFT, None, "KS", 1, uid=1), Step(LAY, 0, "KS", 1, uid=2))
ANOTHERS = AGAIN[2]._replace(seat=1)


@pytest.mark.parametrize(
    "steps, told, left",
    [
        (AGAIN, 0, [2]), (AGAIN, 1, [2]), (AGAIN, 2, [1, 1, 2]),  # That it was taken back was told.
        ((*AGAIN[:2], ANOTHERS), 1, [1, 1, 2]), ((AGAIN[0], Step(LAY, 1, "3S", 1, uid=3), *AGAIN[1:]), 1, [1, 3, 1, 2]),
        ((*AGAIN, Step(LIFT, None, "KS", 1, uid=2), AGAIN[2]._replace(uid=4)), 1, [4]),
    ],
)  # fmt: skip
def test_a_card_that_was_laid_anew_lay_there_all_the_time(steps: tuple[Step, ...], told: int, left: list[int]) -> None:
    assert [one.uid for one in in_play(steps=steps).laid_again(told).steps] == left


def test_whether_a_card_was_taken_back_and_laid_anew_is_no_doubt() -> None:
    """Else nobody could be accused of what its trick proves."""
    game, weighs = weigher(Match("turufu", 4))
    beam = Beam(game, P, weighs)
    stayed, another = in_play(steps=AGAIN[:1]), in_play(steps=(AGAIN[0], *AGAIN[:2], ANOTHERS))
    beam.histories = [one._replace(logp=math.log(0.3)) for one in (stayed, in_play(steps=AGAIN), another)]
    beam.laid_again(AGAIN[:1])
    assert [round(math.exp(one.logp), 3) for one in beam.histories] == [0.667, 0.333]
    assert [len(one.steps) for one in beam.histories] == [1, 4]


@pytest.mark.parametrize(
    "seen_s, came_from, kinds", [(8.0, (90,), [SWAP]), (3.0, (90,), []), (8.0, (90, 180), []), (None, (90,), [])]
)
def test_whether_a_deal_was_given_since_is_told_by_the_time_and_by_whose_hands_came(
    seen_s: float | None, came_from: Sequence[float], kinds: list[str]
) -> None:
    """After as many hands as a deal takes."""
    deals, _ = dealing("turufu", 4)
    other, items = face("6D", TALON), (Item("6D", TALON, True),)
    before = in_play(done=1, hands_since=5)
    now = rest(other, hands=[hand(angle, TALON) for angle in came_from])
    if seen_s is not None:
        now.lately = (replace(rest(face("7H", TALON)).looks[-1], at_s=seen_s),)
    assert [after.steps[-1].kind for after, _ in deals.swaps(before, items, {"6D": other}, now)] == kinds
