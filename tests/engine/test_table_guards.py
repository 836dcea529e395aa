"""The guards of the table's rooms one by one: when a question is asked and when not, and what an answer leaves."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine.events import Ask, Correct, Deal, Event, Pillage, Play, Taken, TakenBack, TurnUpSeen, Undo, VoidDeal
from engine.match import Match
from engine.notices import ALERT
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Glance, Hand, TableLook
from engine.table.acts import DEAL, GATHER, LAY, LIFT, PILLAGE, SWAP, VOID, ZONE, Priors
from engine.table.arms import Arms, seats_round
from engine.table.asking import NONE, UNREAD, Asked, Asking
from engine.table.beam import Answered, Beam, _shows_otherwise
from engine.table.came import Came, Item
from engine.table.changes import changes
from engine.table.evidence import Rest, Seen, Weigher, merged
from engine.table.history import BESIDE, LEFT, PLAYING, TRICK, TURN_UP, History, Laid, Step, Thing
from engine.table.piles import ASKED
from engine.table.propose import Proposer
from engine.table.reading import Reading
from engine.table.record import Told
from engine.table.standing import winners
from engine.table.surroundings import Surroundings
from engine.table.taken_back import TakenBackByHand
from engine.table.telling import Telling
from tests.engine.table import play, taken, tell

DEALT = Step(DEAL, None, "7H", 1)
LED = (DEALT, *(Step(LAY, seat, card, 1, uid=seat) for seat, card in ((0, "KS"), (1, "3S"), (2, "4S"))))
"""What was told: three cards of the first trick."""
TOLD = tuple(step.key for step in LED)


def laid(card: str | None, seat: int = 3, maybe: tuple[str, ...] = (), uid: int = 3) -> Step:
    return Step(LAY, seat, card, 1, uid=uid, maybe=maybe)


def account(share: float, *more: Step, serial: int = 1, cards: int = 4) -> History:
    """An account that goes on so, with so many cards in its trick."""
    trick = tuple(Laid(seat, None, (), seat) for seat in range(cards))
    return History(math.log(share), (*LED, *more), PLAYING, serial=serial, trick=trick)


def begun() -> Match:
    match = Match("turufu", 4)
    match.add({"event": "deal", "turn_up": "7H", "dealer": 3})
    for seat, card in enumerate(("KS", "3S", "4S")):
        match.add({"event": "play", "card": card, "seat": seat})
    return match


def number_of(uid: int, best: History, place: int) -> int | None:
    return uid + 2 if uid < 3 else None


def reading(game: TrickGame, weighs: Weigher) -> Reading:
    return Reading(game, weighs.p, weighs, Came(game, weighs.p, weighs))


def question(histories: Sequence[History], asking: Asking | None = None, match: Match | None = None) -> Ask | None:
    return (asking or Asking(Priors(), 4)).ask(histories, TOLD, match or begun(), number_of)


def answers(asked: Ask | None) -> list[str]:
    return [] if asked is None else [way.answer for way in asked.choices]


ACE, FIVE = laid("AS"), laid("5S")
"""One wins the trick, the other does not."""


SELDOM = [account(0.02, laid(card)) for card in ("3D", "4D", "5D", "6D", "7D")]


MANY = ("AS", "QS", "JS", "7S", "6S", "5S", "KD", "QD", "JD")
AGAIN = (Step(LIFT, card="4S", trick=1, uid=2), laid("4S", 2, uid=9))
NEXT = [Step(LAY, seat, card, 2, uid=4 + seat) for seat, card in enumerate(("3D", "4D", "5D", "6D"))]


def later(histories: Sequence[History], tricks: int) -> list[History]:
    """The same so many tricks on."""
    return [
        one._replace(
            steps=(*one.steps[:4], *(step._replace(trick=1 + tricks) for step in one.steps[4:])), serial=1 + tricks
        )
        for one in histories
    ]


# -- when it is asked ------------------------------------------------------------------------------------------------


def test_what_decides_a_trick_is_asked() -> None:
    asked = question([account(0.6, ACE), account(0.4, FIVE)])
    assert asked is not None
    assert (asked.what, asked.seat, answers(asked)) == ("laid", 3, ["AS", "5S"])
    assert [way.events for way in asked.choices] == [(Play("AS", 3),), (Play("5S", 3),)]


@pytest.mark.parametrize(
    "why, histories",
    [
        ("nothing else is likely", [account(0.99, ACE), account(0.01, FIVE)]),
        ("too much is not among the answers", [account(0.5, ACE), account(0.4, FIVE), *SELDOM]),
        ("the trick is not whole", [account(0.6, ACE, cards=3), account(0.4, FIVE)]),
        ("there are too many answers", [account(0.7, laid(None, maybe=MANY)), account(0.3, cards=3)]),
        ("taken back and laid again", [account(0.6, *AGAIN, ACE), account(0.4, ACE)]),
        ("taken back, or one of two", [account(0.4, *AGAIN, ACE), account(0.3, ACE), account(0.3, FIVE)]),
        ("the same follows", [account(0.6, laid("5S")), account(0.4, laid("6S"))]),
        ("only the trick after differs", [account(0.6, laid("5S"), *NEXT, serial=2), account(0.4, laid("6S"))]),
        ("nothing most likely came next", [account(0.6), account(0.4, ACE)]),
        ("nobody could say which, and nothing is named", [account(0.6, laid(None)), account(0.4)]),
        ("whose an unread card is", [account(0.6, laid(None, 3, ("AS",))), account(0.4, laid(None, 1, ("5S",)))]),
    ],
)  # fmt: skip
def test_what_is_not_asked(why: str, histories: list[History]) -> None:
    assert question(histories) is None, why


def test_the_same_is_asked_once_and_the_next_question_is_tricks_later() -> None:
    asking, histories = Asking(Priors(), 4), [account(0.6, ACE), account(0.4, FIVE)]
    assert question(histories, asking) is not None
    assert question(histories, asking) is None
    every = Priors().ask_every_tricks
    assert question(later(histories, every - 1), asking) is None, "too soon"
    assert question(later(histories, every), asking) is not None


def test_an_answer_may_be_that_no_card_was_laid() -> None:
    asked = question([account(0.6, ACE), account(0.4, cards=3)])
    assert answers(asked) == ["AS", NONE]
    assert asked is not None and asked.choices[1].events == ()


def test_of_a_card_that_was_not_read_each_that_it_may_be_is_an_answer() -> None:
    """But none that is known to be elsewhere; and it may be another, or none."""
    asked = question([account(0.7, laid(None, maybe=("AS", "KS", "5S"))), account(0.3, laid("5S"))])
    assert answers(asked) == ["5S", "AS", UNREAD, NONE]


def test_whose_a_card_is_and_which_came_first() -> None:
    seats = question([account(0.6, laid("AS", 3)), account(0.4, laid("AS", 1))])
    assert seats is not None and (seats.what, seats.card, seats.seat) == ("whose", "AS", None)
    assert answers(seats) == ["3", "1"]


@pytest.mark.parametrize(
    ("laid_before", "cards", "asked"),
    [
        (1, ((1, "3S"), (2, "AS")), ["1:3S", "2:AS"]),
        (1, ((1, "3S"), (0, "AS")), None),  # He laid one before, and nobody asks about that.
        (0, ((0, "KS"), (1, "AS")), ["0:KS", "1:AS"]),
        (0, ((2, "KS"), (1, "AS")), None),  # Neither leads: rather one was laid that nobody saw.
    ],
)
def test_which_card_came_first_is_asked_where_the_answer_can_settle_it(
    laid_before: int, cards: tuple[tuple[int, str], ...], asked: list[str] | None
) -> None:
    match = Match("turufu", 4)
    match.add({"event": "deal", "turn_up": "7H", "dealer": 3})
    for seat, card in ((0, "KS"), (1, "3S"))[:laid_before]:
        match.add(Play(card, seat))
    told = LED[: 1 + laid_before]
    trick = tuple(Laid(seat, None, (), seat) for seat in range(4))
    histories = [
        History(math.log(share), (*told, laid(card, seat)), PLAYING, serial=1, trick=trick)
        for share, (seat, card) in zip((0.6, 0.4), cards, strict=True)
    ]
    first = Asking(Priors(), 4).ask(histories, tuple(step.key for step in told), match, number_of)
    assert (None if first is None else answers(first)) == asked
    assert first is None or (first.what, first.card, first.seat) == ("first", None, None)


def test_whether_a_card_was_taken_back() -> None:
    lift = Step(LIFT, card="KS", trick=1, uid=0)
    asked = question([account(0.6, lift, laid("AS", 0)), account(0.4, FIVE)])
    assert asked is not None and (asked.what, asked.card) == ("lifted", "KS")
    assert [(way.answer, way.events) for way in asked.choices] == [("yes", (TakenBack(2),)), ("no", ())]
    unknown = lift._replace(uid=9)
    assert question([account(0.6, unknown, laid("AS", 0)), account(0.4, FIVE)]) is None


def test_which_card_is_turned_up() -> None:
    match = Match("turufu", 4)
    cards = ("7H", "7D")
    lead = (("KS", 0), ("3H", 1), ("4D", 2), ("5S", 3))
    tricks = [tuple(Step(LAY, seat, card, 1, uid=seat) for card, seat in lead)] * 2
    beam = [
        History(math.log(share), (Step(DEAL, None, card, 1), *steps), PLAYING, serial=1)
        for share, card, steps in zip((0.6, 0.4), cards, tricks, strict=True)
    ]
    asked = Asking(Priors(), 4).ask(beam, (), match, number_of)
    assert asked is not None and (asked.what, answers(asked)) == ("turned_up", ["7H", "7D"])


# -- what an answer leaves -------------------------------------------------------------------------------------------


def test_an_answer_holds_for_accounts_that_say_so() -> None:
    truth = Answered(TOLD, ACE.key)
    assert truth.holds(account(0.5, ACE)) and not truth.holds(account(0.5, FIVE)) and not truth.holds(account(0.5))
    assert truth.may_hold(account(0.5)), "it ends before"
    assert truth.may_hold(History(steps=LED[:2])) and not truth.may_hold(account(0.5, FIVE))
    assert not truth.may_hold(History(steps=(DEALT._replace(card="8H"),)))


def test_what_never_happened_may_happen_later() -> None:
    truth = Answered(TOLD, None, frozenset({ACE.key}), rest=4)
    assert truth.holds(account(0.5)) and truth.holds(account(0.5, FIVE))
    assert not truth.holds(account(0.5, ACE._replace(rest=4)))
    assert truth.holds(account(0.5, ACE._replace(rest=5)))


def test_an_answer_is_kept_when_the_beginning_is_cut_off() -> None:
    truth = Answered(TOLD, ACE.key).without(2)
    assert truth.before == TOLD[2:]
    assert truth.holds(History(steps=(*LED[2:], ACE)))


def test_only_which_card_was_laid_denies_the_others() -> None:
    asking = Asking(Priors(), 4)
    question([account(0.6, ACE), account(0.4, FIVE)], asking)
    asked = asking.open
    assert asked is not None
    assert asked.denied(asked.meaning["AS"]) == (FIVE,)
    assert Asked(replace(asked.event, what="first"), asked.meaning, asked.before).denied(asked.meaning["AS"]) == ()
    asking.start()
    assert asking.open is None


def test_what_an_answer_denies_besides() -> None:
    asking, unread = Asking(Priors(), 4), laid(None, maybe=("AS",))
    question([account(0.6, ACE), account(0.4, cards=3)], asking)
    assert asking.open is not None
    assert asking.open.denied(asking.open.meaning["AS"]) == ()
    assert asking.open.denied(asking.open.meaning[NONE]) == (ACE,)
    asking = Asking(Priors(), 4)
    question([account(0.7, unread), account(0.3, FIVE)], asking)
    assert asking.open is not None
    assert asking.open.denied(asking.open.meaning[UNREAD]) == (FIVE,), "it lies there"


def test_an_unread_card_is_read_where_an_answer_names_it() -> None:
    step = laid(None)
    thing = Thing(3, None, (0.3, 0.0), True, TRICK)
    before = account(0.5, step)._replace(things=(thing, thing._replace(uid=4)))
    after = before.reads(3, "AS")
    assert after.steps[-1].card == "AS" and after.steps[:-1] == before.steps[:-1]
    assert [one.card for one in after.trick] == [None, None, None, "AS"]
    assert [one.card for one in after.things] == ["AS", None]


# -- what lies there and counts for nothing --------------------------------------------------------------------------


def test_what_a_person_denied_counts_once_somebody_plays_on_over_it() -> None:
    pack = frozenset({"AS", "5S", "6S"})
    denied = TakenBackByHand(pack, 0.62)
    ace, five = CardLying("AS", 0.9, (0.1, 0.0)), CardLying("5S", 0.9, (0.3, 0.0))
    denied.nothing("AS", [ace, five])
    denied.nothing("AS", [ace, five])
    denied.nothing(None, [CardLying(None, 0.0, (0.0, 0.0))])
    assert denied.cards == [ace]
    still = TableLook(1.0, (ace, five))
    best = History(things=(Thing(1, "5S", (0.3, 0.0), True, TRICK),))
    assert denied.played_over(still, best) == [] and denied.cards == [ace]
    more = TableLook(2.0, (ace, five, CardLying("6S", 0.9, (0.0, 0.3))))
    assert denied.played_over(more, best) == [ace] and denied.cards == []
    denied.nothing("AS", [ace])
    denied.told({"AS"})
    assert denied.cards == [], "the match holds it all the same"


def test_hands_are_known_again_and_forgotten() -> None:
    around = Surroundings()
    around.keep_hands(TableLook(10.0, (), (Hand(10.0, (0.0, 0.0), 9.0, 9.5),)))
    around.keep_hands(TableLook(11.0, (), (Hand(20.0, (0.0, 0.0), 9.0, 10.5), Hand(90.0, (0.0, 0.0), 9.0, 10.5))))
    assert sorted(one.angle_deg for one in around.hands.values()) == [20.0, 90.0]
    assert [one.angle_deg for one in around.over(10.0)] == [20.0, 90.0] and around.over(10.6) == ()
    around.keep_hands(TableLook(40.0, ()))
    assert around.hands == {}


def test_what_nobody_put_there_is_the_tables_own() -> None:
    around = Surroundings()
    print_ = CardLying(None, 0.0, (0.3, 0.0))
    put = TableLook(1.0, (print_,), changed=((0.3, 0.0, 0.2),), card_length=0.3, fresh=True)
    around.find_furniture(put, ())
    around.find_furniture(replace(put, changed=()), (Thing(1, "AS", (0.4, 0.0), True, TRICK),))
    around.find_furniture(replace(put, changed=(), fresh=False), ())
    assert around.furniture == []
    around.find_furniture(replace(put, changed=()), ())
    around.find_furniture(replace(put, changed=()), ())
    assert around.furniture == [(0.3, 0.0)]


def test_where_a_card_was_put_no_print_lies_any_more() -> None:
    around = Surroundings()
    there = TableLook(1.0, (CardLying(None, 0.0, (0.3, 0.0)), CardLying("KS", 0.9, (-0.3, 0.0))), card_length=0.3)
    around.find_furniture(replace(there, fresh=True), ())
    assert around.before == ((0.3, 0.0),)
    put = replace(there, fresh=True, changed=((0.32, 0.0, 0.15), (-0.3, 0.0, 0.15)))
    around.find_furniture(put, ())
    assert around.before == ()
    for radius in (0.05, 0.4):
        around.find_furniture(replace(put, changed=((0.32, 0.0, radius),)), ())
        assert set(around.before) == {(0.3, 0.0)}, "a speck is no card, nor is all that changed under arms"


@pytest.mark.parametrize("stays", [True, False])
def test_beside_a_card_that_stays_what_changed_is_something_that_was_put_there(stays: bool) -> None:
    """Where a card went, the change may be that alone."""
    around, there = Surroundings(), CardLying("8H", 0.99, (0.25, 0.0))
    around.find_furniture(TableLook(1.0, (CardLying(None, 0.0, (0.12, 0.0)), there), card_length=0.3), ())
    left = (there,) if stays else ()
    around.find_furniture(TableLook(2.0, left, changed=((0.12, 0.0, 0.15),), card_length=0.3, fresh=True), ())
    assert ((0.12, 0.0) in around.before) != stays


def test_print_under_a_card_shows_again_once_that_is_gone() -> None:
    around = Surroundings()
    lies = TableLook(1.0, (CardLying("KS", 0.9, (0.3, 0.0)),), card_length=0.3, fresh=True)
    around.stood = ((0.3, 0.0),)
    around.find_furniture(lies, ())
    around.stood = ((0.3, 0.0),)
    around.find_furniture(TableLook(2.0, (), changed=((0.3, 0.0, 0.15),), card_length=0.3, fresh=True), ())
    assert (0.3, 0.0) in around.before


def printed(around: Surroundings, many: int) -> Seen:
    """A look at a table on which so many other letters could not be read each time."""
    for number in range(60):
        letters = [CardLying(None, 0.0, (0.05 * (number % 20) - 0.5, 0.1 * one - 0.4)) for one in range(many)]
        around.find_furniture(TableLook(float(number), tuple(letters), card_length=0.1, fresh=False), ())
    doubts = (CardLying(None, 0.0, (0.0, 0.2)),)
    return replace(at_rest().looks[0], doubts=doubts, print_chance=around.print_chance(0.3))


def test_where_print_shows_anew_in_each_look_what_cannot_be_read_is_hardly_a_card() -> None:
    game, weighs = weigher(Match("turufu", 4))
    quiet, newspaper = (printed(Surroundings(), many) for many in (0, 8))
    (plain,), (print_,) = (weighs.terms(History(phase=PLAYING), one) for one in (quiet, newspaper))
    assert plain[1] == pytest.approx(math.log(weighs.p.doubt)) and print_[1] > plain[1] + 2
    before = History(phase=PLAYING, turn_up="7H", trump="H", leads=frozenset({0}))
    likely = []
    for seen in (quiet, newspaper):
        rest = Rest(1, looks=[seen], changed=((0.0, 0.2, 0.15),))
        laid = [one for one in Proposer(game, weighs.p, weighs).futures(before, rest, frozenset()) if one.trick]
        likely.append(max(one.logp + weighs.rest(one, rest) for one in laid) - weighs.rest(before, rest))
    assert likely[0] > likely[1] + 2


@pytest.mark.parametrize(("index_like", "card"), [(0.6, False), (0.94, True), (1.0, True), (0.0, True)])
def test_what_cannot_be_read_is_a_card_where_it_looks_like_an_index(index_like: float, card: bool) -> None:
    """0.0: nobody told. A hand came over the middle, and the table changed there."""
    game, weighs = weigher(Match("turufu", 4))
    doubt = CardLying(None, index_like, (0.0, 0.2))
    seen = replace(at_rest().looks[0], doubts=(doubt,), print_chance=0.15)
    before = History(phase=PLAYING, turn_up="7H", trump="H", leads=frozenset({0}))
    came = Hand(0.0, (0.0, 0.2), 0.2, 0.7)
    rest = Rest(1, looks=[seen], hands={1: came}, new=(1,), recent={1: came}, changed=((0.0, 0.2, 0.15),))
    futures = Proposer(game, weighs.p, weighs).futures(before, rest, frozenset())
    likeliest = max(futures, key=lambda one: one.logp + weighs.rest(one, rest))
    assert bool(likeliest.trick) == card


@pytest.mark.parametrize(
    "maybe, away, like, new",
    [
        ((), 0.1, 1.0, False),
        (("5S", "6S"), 0.1, 1.0, False),
        (("JC", "QC"), 0.1, 0.6, True),
        (("JC", "QC"), 0.05, 0.6, False),
        (("JC", "QC"), 0.0, 1.0, True),
    ],
)
def test_what_cannot_be_read_near_a_face_is_another_card_if_it_is_none_of_its_name(
    maybe: tuple[str, ...], away: float, like: float, new: bool
) -> None:
    looks = at_rest(CardLying("5S", 0.99, (0.0, 0.2))).looks
    doubt = CardLying(None, like, (away, 0.2), maybe)
    _, doubts = merged([replace(looks[0], doubts=(doubt,))], 0.3)
    assert doubts == ((doubt,) if new else ())


@pytest.mark.parametrize(
    "there, said, costs",
    [
        (CardLying("9S", 0.99, (0.0, 0.22)), {"9S"}, Priors.clutter_again),
        (CardLying("9S", 0.99, (0.0, 0.4)), {"9S"}, Priors.clutter),
        (CardLying("8S", 0.99, (0.0, 0.2)), {"8S"}, Priors.clutter),
        (CardLying("9S", 0.99, (0.0, 0.2)), set[str](), Priors.clutter),
    ],
)
def test_a_mirage_is_seen_again_where_it_was(there: CardLying, said: set[str], costs: float) -> None:
    """But what an account says was a card is not seen there once it says that it went."""
    _, weighs = weigher(Match("turufu", 4))
    now = replace(at_rest(CardLying("9S", 0.99, (0.0, 0.2))), lately=tuple(at_rest(there).looks))
    account = History(phase=PLAYING, turn_up="7H", trump="H", strays=frozenset(said))
    assert weighs.rest(account, now) == pytest.approx(math.log(costs))


@pytest.mark.parametrize("card, read_as", [(None, None), ("KS", "?"), ("KS", None)])
def test_how_something_unread_looks_counts_once(card: str | None, read_as: str | None) -> None:
    """Else a card that cannot be read for long would be nothing at all by and by."""
    _, weighs = weigher(Match("turufu", 4))
    doubt = CardLying(None, 0.95, (0.0, 0.2))
    seen = replace(at_rest().looks[0], doubts=(doubt,))
    thing = Thing(1, card, (0.0, 0.2), True, TRICK, read_as=read_as)
    lies, nothing = (History(phase=PLAYING, things=things) for things in ((thing,), ()))
    ((_, worth),) = weighs.terms(lies, seen)
    first = weighs.p.unread * weighs.card_like(doubt)
    assert worth == pytest.approx(math.log(1.0 if card is None else weighs.p.unread_again if read_as else first))
    ((_, new),) = weighs.terms(nothing, seen)
    ((_, again),) = weighs.terms(nothing, replace(seen, stood=(doubt.at,)))
    assert new < -5 < -0.5 < again


def test_a_corner_beside_a_card_that_is_none_of_its_name_counts_once() -> None:
    _, weighs = weigher(Match("turufu", 4))
    doubt = CardLying(None, 0.6, (0.1, 0.2), ("7H", "7D"))
    seen = replace(at_rest(CardLying("KS", 0.99, (0.0, 0.2))).looks[0], doubts=(doubt,))
    lies = History(phase=PLAYING, things=(Thing(1, "KS", (0.0, 0.2), True, TRICK),))
    beside = [dict(weighs.terms(lies, one))["unread, of another"] for one in (seen, replace(seen, stood=(doubt.at,)))]
    assert beside == pytest.approx([math.log(weighs.p.doubt_beside), math.log(weighs.p.doubt_again)])


def test_two_unread_things_that_may_not_be_one_are_two() -> None:
    """What cannot be read is no corner of another such card if it may have none of its names."""
    _, weighs = weigher(Match("turufu", 4))
    three, ace = (CardLying(None, 1.0, (x, 0.2), names) for x, names in ((0.0, ("3S", "3C")), (0.1, ("AS", "AC"))))
    seen = replace(at_rest().looks[0], doubts=(three, ace))
    lies = History(phase=PLAYING, things=(Thing(1, None, (0.0, 0.2), True, TRICK, ("3S", "3C")),))
    assert "unread, of another" in dict(weighs.terms(lies, seen))


@pytest.mark.parametrize("like, twice, counts", [(1.0, True, True), (1.0, False, False), (0.85, True, False)])
def test_at_a_glance_what_cannot_be_read_counts_if_it_looks_like_an_index_and_stays(
    like: float, twice: bool, counts: bool
) -> None:
    around, doubt = Surroundings(), CardLying(None, like, (0.0, 0.2), ("AS", "AC"))
    first = Glance(1.0, (doubt,) if twice else ())
    seen = [around.glanced(glance, 0.3) for glance in (first, Glance(1.2, (doubt,)), Glance(1.4, (doubt,)))]
    assert not seen[0].doubts and bool(seen[1].doubts) == counts and bool(seen[2].doubts) == (like == 1.0)
    assert not seen[1].stood_there(doubt.at) and seen[2].stood_there(doubt.at) == counts


def test_what_an_account_says_nothing_of_is_kept() -> None:
    game, weighs = weigher(Match("turufu", 4))
    beam = Beam(game, weighs.p, weighs)
    there = Thing(1, "KS", (0.0, 0.2), True, TRICK)
    beam.start([History(phase=PLAYING, turn_up="7H", trump="H", things=(there,), trick=(Laid(0, "KS", (), 1),))])
    look = TableLook(1.0, (), card_length=0.3)
    beam.new_rest(look, 1.0, {})
    beam.take_in(
        at_rest(CardLying("KS", 0.99, (0.0, 0.2)), CardLying("9S", 0.99, (0.3, 0.0))).looks[0], lambda _: frozenset()
    )
    beam.new_rest(look, 2.0, {})
    assert beam.histories[0].strays == {"9S"}


def test_beside_a_face_that_explains_the_change_what_cannot_be_read_is_no_card() -> None:
    face, beside = CardLying("KS", 0.9, (0.0, 0.2)), CardLying(None, 0.0, (0.2, 0.2))
    for radius, laid in ((0.15, False), (0.25, True)):  # So much changes where two cards lie.
        spots = ((0.0, 0.2, radius),)
        rest = Rest(1, looks=[replace(at_rest(face).looks[0], doubts=(beside,))], changed=spots)
        rest.changes = changes(spots, (), (face, beside), 0.3)
        assert rest.put_there(beside.at) and rest.put_unread(beside.at) == laid


def test_what_would_accuse_whichever_card_it_was_is_not_asked() -> None:
    match = Match("turufu", 4)
    match.add({"event": "deal", "turn_up": "7H", "dealer": 2})
    match.add({"event": "play", "card": "4S", "seat": 3})
    assert question([account(0.6, ACE), account(0.4, FIVE)], match=match) is None


# -- what accuses nobody ---------------------------------------------------------------------------------------------


def telling(match: Match, *told: Step) -> tuple[Telling, Beam]:
    """What is told of a table at rest, where these steps were told."""
    game, weighs = weigher(match)
    beam = Beam(game, weighs.p, weighs)
    beam.new_rest(TableLook(1.0, (), card_length=0.3), 1.0, {})
    assert beam.rest is not None
    beam.rest.looks = [Seen(1.0, {}, (), 0.3, True, frozenset(), ())] * 5
    tells = Telling(game, weighs.p, beam, weighs.arms)
    tells.record.told = [Told(step, number) for number, step in enumerate(told, 1)]
    return tells, beam


def all_told(tells: Telling, match: Match) -> list[Event]:
    """What there is to tell, put in the log."""
    events: list[Event] = []
    while (event := tells.next(match, {})) is not None:
        match.add(event)
        events.append(event)
    return events


def test_what_waits_behind_a_question_shows_where_arms_come_from_too() -> None:
    """Else a game that asks which card was turned up would explain what people do worse than one that does not."""
    match = Match("turufu", 4)
    tells, beam = telling(match)
    lead = Step(LAY, 0, "KS", 1, uid=0, at=(0.0, 0.2), hand=1)
    doubtful = Step(LAY, 1, "3S", 1, uid=1, at=(0.1, 0.0), hand=2)
    arms = {1: Hand(20.0, (0.0, 0.1), 0.2, 0.5), 2: Hand(110.0, (0.0, 0.0), 0.6, 0.9)}
    beam.histories = [
        History(math.log(share), (DEALT._replace(card=card), lead, *more), PLAYING, serial=1)
        for card, share, more in (("7H", 0.4, (doubtful,)), ("7D", 0.35, (doubtful,)), ("7D", 0.25, ()))
    ]
    before = [tells._arms.log_angle(hand.angle_deg, seat) for seat, hand in enumerate(arms.values())]
    assert isinstance(tells.next(match, arms), Ask)
    assert tells.next(match, arms) is None
    lead_now, doubtful_now = (tells._arms.log_angle(hand.angle_deg, seat) for seat, hand in enumerate(arms.values()))
    assert lead_now > before[0], "all accounts say so"
    assert tells.next(match, arms) is None
    assert tells._arms.log_angle(20.0, 0) == lead_now, "once"
    assert [seat.plays for seat in tells._arms._seats] == [1, 0, 0, 0]
    assert doubtful_now == pytest.approx(before[1], abs=0.1), "not all say so"


LEAD = Step(LAY, 0, "KS", 1, uid=0, at=(0.0, 0.2), hand=1)
OTHERS = tuple(
    Step(LAY, seat, card, 1, uid=seat, at=(0.1 * seat, 0.0), hand=seat + 1)
    for seat, card in ((1, "3S"), (2, "4S"), (3, "AS"))
)
GONE = Step(GATHER, trick=1, rest=1)


@pytest.mark.parametrize(
    ("then", "since", "surer"),
    [(0.95, 1.0, True), (0.95, 0.97, False), (1.0, 1.0, False)],
)
def test_what_was_told_with_its_doubt_is_told_for_sure_once_its_trick_is_whole_and_nothing_else_is_likely(
    then: float, since: float, surer: bool
) -> None:
    """Who leads a deal is seldom plain before the others laid: else the whole deal proved nothing."""
    match = Match("turufu", 4)
    match.add(Deal("7H", 3))
    tells, beam = telling(match, DEALT)
    other, trump = LEAD._replace(seat=1), DEALT._replace(card="7D")

    def accounts(share: float, *more: Step) -> list[History]:
        likely = [(0.9 * share, (DEALT, LEAD)), (0.1 * share, (trump, LEAD)), (1.001 - share, (DEALT, other))]
        return [History(math.log(many), (*steps, *more), PLAYING, serial=1) for many, steps in likely]

    beam.histories = accounts(then)
    (lead,) = all_told(tells, match)
    assert lead == Play("KS", 0, order_sure=then == 1.0)
    beam.histories = accounts(since, *OTHERS)
    assert not any(isinstance(one, Correct) for one in all_told(tells, match)), "not before it is whole"
    beam.histories = accounts(since, *OTHERS, GONE)
    told = [one for one in all_told(tells, match) if isinstance(one, Correct)]
    assert told == ([Correct(2, {"order_sure": True})] if surer else [])


def test_what_accuses_somebody_once_it_is_sure_stays_in_doubt() -> None:
    match = Match("turufu", 4)
    match.add(Deal("7H", 3))
    wrong = [one._replace(seat=(one.seat or 0) + 1 if one.seat != 3 else 0) for one in (LEAD, *OTHERS)]
    tells, beam = telling(match, DEALT)
    for number, step in enumerate(wrong, 2):
        match.add(Play(step.card, step.seat, order_sure=number > 2))
        tells.record.add(step, number, unsure=number == 2)
    beam.histories = [History(0.0, (DEALT, *wrong, GONE), PLAYING, serial=1)]
    assert not any(isinstance(one, Correct) for one in all_told(tells, match))
    assert not any(one.level == ALERT for one in match.notices)


@pytest.mark.parametrize("share", [0.9, 1.0])
def test_a_deal_in_the_middle_of_one_accuses_nobody(share: float) -> None:
    """It would say that the turned-up card was exchanged: it is told as a new deal, and nobody leads wrongly in it."""
    match, deal = begun(), Step(DEAL, None, "6D", 2)
    tells, beam = telling(match, *LED)
    lead = Step(LAY, 2, "KD", 2, uid=9, at=(0.0, -0.2), hand=1, rest=1)
    beam.histories = [account(share, deal, serial=4), account(1.001 - share, serial=4)]
    assert all_told(tells, match) == [VoidDeal(0.5), Deal("6D")]
    assert any(one.level == ALERT for one in match.preview(Play("KD", 2)))
    beam.histories = [account(1.0, deal, lead, serial=4)]
    (told,) = all_told(tells, match)
    assert isinstance(told, Play) and told.card == "KD"
    assert not any(one.level == ALERT for one in match.notices)


@pytest.mark.parametrize("share, told", [(0.9, Pillage(None, "7H")), (1.0, Pillage(None, "7H", None, "7H"))])
def test_a_pillage_that_is_told_with_its_doubt_accuses_nobody(share: float, told: Pillage) -> None:
    """The next card turned up would be one that was seen before: it is told as one that nobody saw."""
    match = Match("pille", 4)
    match.add(Deal("7H", 3))
    tells, beam = telling(match, DEALT)
    bought = History(math.log(share), (DEALT, Step(PILLAGE, None, "7H", 1, (None, "7H"), rest=1)), PLAYING, serial=3)
    other = History(math.log(1.001 - share), (DEALT,), PLAYING, serial=3)
    beam.histories = [bought, other]
    assert all_told(tells, match) == [told]
    assert any(one.level == ALERT for one in match.notices) == (share == 1.0)


@pytest.mark.parametrize(("card", "clear", "told"), [("6D", True, [TurnUpSeen("6D")]), (None, False, [])])
def test_that_a_card_was_bought_may_stay_open_at_a_table_that_accuses(
    card: str | None, clear: bool, told: list[Event]
) -> None:
    """The next card was turned up, whether the one before was bought or only shown: what was done then is the same."""
    match = Match("pille", 4)
    match.add(Deal("7H", 3))
    match.add(Pillage(None, "7H", None, "8S"))
    match.add(Play("KD", 0))
    bought, shown = (DEALT, Step(PILLAGE, None, "7H", 1, (None, "8S"), rest=1)), (Step(DEAL, None, "8S", 1, rest=1),)
    lead = Step(LAY, 0, "KD", 1, uid=1, at=(0.0, 0.3), hand=1, rest=1)
    tells, beam = telling(match, *bought, lead)
    since = () if card is None else (Step(SWAP, None, card, 1, rest=1),)
    nobody = Step(LAY, 1, "QD", 1, uid=2, rest=1)
    other = (lead, *since) if card else (nobody,)
    beam.histories = [
        History(math.log(0.9), (*bought, lead, *since), PLAYING, serial=1),
        History(math.log(0.1), (*shown, *other), PLAYING, serial=1),
    ]
    for _ in range(20):
        tells.blame.rest_over()
    assert tells.blame.clear == clear
    assert all_told(tells, match) == told


@pytest.mark.parametrize(("more", "clear"), [(Step(SWAP, None, "6D", 1, rest=1), True), (laid("5S"), False)])
def test_that_the_turned_up_card_may_have_been_exchanged_says_nothing_of_how_well_the_table_is_followed(
    more: Step, clear: bool
) -> None:
    """Else nobody could ever be accused of it: it stays open for a while, whether it was that or a misread card."""
    tells, beam = telling(begun(), *LED)
    beam.histories = [account(0.7, more), account(0.3)]
    for _ in range(20):
        tells.blame.rest_over()
    assert tells.blame.clear == clear


@pytest.mark.parametrize("card", ["6D", "KS"])
def test_a_turned_up_card_is_no_card_that_was_played(card: str) -> None:
    """That would say that somebody laid a card that was seen before."""
    match = begun()
    tells, beam = telling(match, *LED)
    beam.histories = [account(1.0)._replace(steps=(Step(DEAL, None, card, 1), *LED[1:]))]
    event = tells.next(match, {})
    assert event == (Correct(1, {"turn_up": card}) if card == "6D" else Undo())
    assert event is not None and not any(one.level == ALERT for one in match.add(event))


@pytest.mark.parametrize("seats, innocent", [((0,), False), ((0, 1), True)])
def test_where_several_laid_two_cards_in_one_trick_it_was_rather_two_tricks(
    seats: tuple[int, ...], innocent: bool
) -> None:
    match = Match("turufu", 6)
    for event in (Deal("7H", 5), Play("KS", 0), Play("3S", 1)):
        match.add(event)
    tells, beam = telling(match, *LED[:3])
    again = [
        laid(card, seat, uid=9 + seat)._replace(at=(0.0, 0.5), hand=1, rest=1)
        for seat, card in zip(seats, ("5S", "6S"), strict=False)
    ]
    beam.histories = [History(0.0, (*LED[:3], *again), PLAYING, serial=1)]
    all_told(tells, match)
    assert any(one.level == ALERT for one in match.notices) != innocent


def told_unread(*told: Step) -> tuple[Match, Telling, Beam]:
    """A table where the fourth card of a trick was told as one that nobody could read, and these."""
    match = begun()
    match.add(Play(None, 3))
    tells, beam = telling(match, *LED, laid(None), *told)
    return match, tells, beam


def test_a_card_that_was_told_as_unread_and_has_one_name_or_another_now_was_told_right() -> None:
    """The accounts do not begin again from the match, as they would if no account agreed with it."""
    for other, astray in ((FIVE, False), (FIVE._replace(seat=2), True)):
        _, tells, beam = told_unread()
        beam.histories = [account(0.7, ACE._replace(seat=other.seat)), account(0.3, other)]
        for _ in range(4):
            tells.looked(True)
        assert tells.mending.astray == astray


@pytest.mark.parametrize(
    ("serial", "share", "named", "guessed"),
    [
        (1, 0.7, False, False),
        (2, 0.7, True, True),
        (2, 0.9, True, True),
        (2, 0.98, True, False),
        (2, 0.4, False, False),
    ],
)
def test_a_card_that_was_told_as_unread_is_named_once_its_trick_is_over(
    serial: int, share: float, named: bool, guessed: bool
) -> None:
    """Play went on, and nothing more would be told."""
    match, tells, beam = told_unread()
    rest = [account((1 - share) / 2, laid(card), serial=serial) for card in ("5S", "6S")]
    beam.histories = sorted([account(share, ACE, serial=serial), *rest], key=lambda one: -one.logp)
    assert all_told(tells, match) == ([Correct(5, {"card": "AS"})] if named else [])
    assert tells.blame.lost == guessed, "by a guess nobody is accused in this deal any more"


def given_up(share: float, told: Sequence[Step] = ()) -> list[Event]:
    """What there is to tell where a deal was so surely given up after a card that nobody saw; else that card was the
    five. told: what was told of it."""
    match, tells_of = begun(), (laid(None), Step(VOID, trick=2), Step(DEAL, None, "6D", 2))
    for event in (Play(None, 3), VoidDeal(0.5), Deal("6D"))[: len(told)]:
        match.add(event)
    tells, beam = telling(match, *LED, *told)
    histories = [account(share, *tells_of, serial=2, cards=0), account(1 - share, FIVE)]
    beam.histories = sorted(histories, key=lambda one: -one.logp)
    return all_told(tells, match)


def test_a_deal_is_not_given_up_while_it_is_but_the_likeliest_that_may_have_happened() -> None:
    (asked,) = given_up(0.6)
    assert isinstance(asked, Ask)
    unread, *rest = given_up(0.95)
    assert isinstance(unread, Play) and unread.card is None
    assert rest == [VoidDeal(0.5), Deal("6D")]


def test_a_deal_that_was_told_and_did_not_begin_is_taken_back_before_what_was_told_before_it_is_put_right() -> None:
    """Once that is corrected, the deal is not the last thing that was told."""
    told = (laid(None), Step(VOID, trick=2), Step(DEAL, None, "6D", 2))
    assert given_up(0.001, told) == [Undo(), Undo(), Correct(5, {"card": "5S"})]


@pytest.mark.parametrize("share, given", [(0.01, False), (0.2, True)])
def test_what_of_deals_hardly_any_account_has_is_not_told_to_be_taken_back_at_once(share: float, given: bool) -> None:
    """Where most accounts say that something else was told wrong, and do not agree on what."""
    match, given_up = begun(), Step(VOID, trick=2, rest=1)
    match.add(Play("5S", 3))
    match.add(Taken(3))
    gone = Step(GATHER, trick=1, rest=1)
    tells, beam = telling(match, *LED, laid("5S"), gone)
    others = [account((1 - share) / 2, laid(card), gone) for card in ("6S", "AS")]
    beam.histories = [*others, account(share, laid("5S"), gone, given_up)]
    assert any(isinstance(one, VoidDeal) for one in all_told(tells, match)) == given


def test_where_tricks_lay_in_the_deal_before_says_nothing_of_this_one() -> None:
    match, deal = begun(), Step(DEAL, None, "6D", 2)
    tells, beam = telling(match, *LED)
    assert tells.piles.taken([((0.9, 0.0), 1)], 1) == Taken(1)
    assert tells.piles.taken([((0.9, 0.1), 0)], 0) == Taken(1, ASKED), "there lie the other side's"
    beam.histories = [account(1.0, deal, serial=4)]
    all_told(tells, match)
    assert tells.piles.taken([((0.9, 0.1), 0)], 0) == Taken(0)


# -- what may have happened ------------------------------------------------------------------------------------------


def weigher(match: Match) -> tuple[TrickGame, Weigher]:
    assert isinstance(match.judge, CardJudge)
    game = match.judge.game
    return game, Weigher(Priors(), game.whole_pack, ZONE, Arms(seats_round(game.players, True)))


def at_rest(*lying: CardLying) -> Rest:
    seen = Seen(1.0, {one.card: one for one in lying if one.card}, (), 0.3, True, frozenset(), ())
    return Rest(1, looks=[seen])


def test_who_won_hangs_on_the_suit_that_was_led_wherever_the_leader_sits() -> None:
    game, _ = weigher(Match("turufu", 4))
    trick = tuple(Laid(seat, card, (), seat) for seat, card in ((2, "KS"), (3, "QS"), (0, "AD"), (1, "4S")))
    assert winners(game, History(trump="H", trick=trick)) == {2}
    unread = tuple(one._replace(card=None) if one.seat == 3 else one for one in trick)
    assert winners(game, History(trump="H", trick=unread)) == {2, 3}


@pytest.mark.parametrize("maybe, likely", [((), True), (("5S", "6S"), True), (("6S", "7S"), False)])
def test_what_could_not_be_read_is_hardly_a_card_it_was_not_taken_for(maybe: tuple[str, ...], likely: bool) -> None:
    game, weighs = weigher(Match("turufu", 4))
    thing = Thing(0, None, (0.0, 0.2), False, TRICK, maybe)
    before = History(phase=PLAYING, turn_up="7H", trump="H", trick=(Laid(0, None, maybe, 0),), things=(thing,))
    seen = CardLying("5S", 0.99, (0.0, 0.2))
    _, after = reading(game, weighs).read(before, {"5S": seen}, (), at_rest(seen))
    assert [one.card for one in after.trick] == [one.card for one in after.things] == ["5S"]
    assert after.logp == pytest.approx(math.log(weighs.p.listed if likely else weighs.p.not_listed))


@pytest.mark.parametrize(
    "among, played, card",
    [
        (("AS", "AC"), ("AC",), "AS"),
        (("AS", "AC"), (), None),
        (("AS",), (), None),
        (("AS", "AC", "AD", "AH"), ("AC", "AD", "AH"), None),
    ],
)
def test_a_turned_up_card_is_known_once_all_else_it_may_be_was_seen(
    among: tuple[str, ...], played: tuple[str, ...], card: str | None
) -> None:
    game, weighs = weigher(Match("turufu", 4))
    before = History(
        phase=PLAYING, among=among, played=frozenset(played), things=(Thing(0, None, None, False, TURN_UP),)
    )
    (after,) = reading(game, weighs).read(before, {}, (), at_rest())
    assert after.turn_up == card and after.trump == (card or "")[1:]
    assert after.logp == pytest.approx(math.log(weighs.p.listed) if card else 0)


@pytest.mark.parametrize("share, found", [(0.98, True), (0.9, False)])
def test_a_turned_up_card_that_is_known_late_is_told_and_nobody_is_accused_in_that_deal(
    share: float, found: bool
) -> None:
    match = Match("turufu", 4)
    match.add({"event": "deal", "turn_up": None, "dealer": 3})
    tell(match, *(play(card, seat) for seat, card in enumerate(("KS", "3S", "4S", "5S"))), taken(0))
    tells, beam = telling(match)
    known = History(math.log(share), phase=PLAYING, turn_up="AH", trump="H", serial=3)
    beam.histories = [known, known._replace(logp=math.log(1 - share), turn_up=None, trump="")]
    assert all_told(tells, match) == ([Correct(1, {"turn_up": "AH"})] if found else [])
    assert match.view.trump == ("H" if found else None)
    assert tells.blame.loses_track(account(1.0, laid("6S")), 4, match) == found


def test_a_turned_up_card_that_was_told_is_not_told_again_while_trump_is_open() -> None:
    match = Match("belote", 4)
    match.add({"event": "deal", "turn_up": "7H", "dealer": 3})
    tells, beam = telling(match)
    beam.histories = [History(0.0, phase=PLAYING, turn_up="7H", trump="H", serial=3)]
    assert match.view.trump is None and all_told(tells, match) == []


def test_a_last_trick_may_hold_the_turned_up_card_though_it_cannot_be_read() -> None:
    game, weighs = weigher(Match("turufu", 4))
    seen = replace(at_rest().looks[0], doubts=(CardLying(None, 0.0, (0.0, 0.2), ("AS", "2S", "AC", "2C")),))
    rest = Rest(1, looks=[seen], changed=((0.0, 0.2, 0.15),))
    before = History(phase=PLAYING, turn_up="AS", trump="S", done=8, played=frozenset({"AC"}))
    (item,) = Came(game, weighs.p, weighs).items(before, {}, seen.doubts, rest)
    assert item.card == "AS" and item.unread


def test_what_is_left_of_a_trick_goes_too_by_a_hand_that_nobody_need_have_seen() -> None:
    game, weighs = weigher(Match("turufu", 4))
    left = Thing(0, "KS", (0.0, 0.2), True, LEFT)
    before = History(phase=PLAYING, turn_up="7H", trump="H", done=1, leads=frozenset({0}), things=(left,))
    after = Proposer(game, weighs.p, weighs).futures(before, at_rest(), frozenset({0}))[0]
    assert after.things == ()
    assert after.logp == pytest.approx(math.log(weighs.p.gathered_unseen))


@pytest.mark.parametrize(
    "kind, lost, glance, likely",
    [
        (TRICK, 0, False, lambda p: p.missed),
        (TRICK, 0, True, lambda p: p.missed_at_a_glance),
        (TURN_UP, 0, False, lambda p: p.turn_up_missed),
        (LEFT, 0, False, lambda p: p.missed_beside),
        (BESIDE, 0, False, lambda p: p.missed),
        (BESIDE, 0, True, lambda p: p.missed_at_a_glance),
        (TRICK, 1, False, lambda p: 1 - p.seen_again),
        (TRICK, 2, False, lambda p: 1 - p.seen_again / 2),
    ],
)
def test_how_likely_a_card_that_lies_there_is_not_seen(
    kind: str, lost: int, glance: bool, likely: Callable[[Priors], float]
) -> None:
    _, weighs = weigher(Match("turufu", 4))
    thing = Thing(0, "KS", (0.0, 0.2), True, kind, lost=lost)
    seen = replace(at_rest().looks[0], glance=glance)
    terms = weighs.terms(History(phase=PLAYING, things=(thing,)), seen)
    assert terms == [("KS missed", pytest.approx(math.log(likely(weighs.p))))]


@pytest.mark.parametrize(("there", "odd"), [((0.02, 0.2), True), ((0.3, 0.2), False), (None, False)])
def test_a_card_is_hardly_laid_just_where_the_table_showed_it_before(
    there: tuple[float, float] | None, odd: bool
) -> None:
    """By an account that took it for nothing then: it was a lead before the trick was taken up, say."""
    game, weighs = weigher(Match("turufu", 4))
    rest = at_rest()
    rest.lay = () if there is None else (CardLying("KS", 0.99, there), CardLying("3S", 0.99, (0.0, 0.2)))
    proposer, item = Proposer(game, weighs.p, weighs), Item("KS", (0.0, 0.2), True)
    laid_here = proposer._laid_here(History(phase=PLAYING), item, rest)
    rest.lay = ()
    before = proposer._laid_here(History(phase=PLAYING), item, rest)
    assert sum(laid_here) - sum(before) == pytest.approx(math.log(weighs.p.lay_there) if odd else 0.0)


@pytest.mark.parametrize(
    ("shown", "lost", "since"),
    [(True, 0, 0), (False, 0, 2), (False, 1, 5)],
)
def test_hands_are_counted_since_a_card_of_the_trick_was_seen(shown: bool, lost: int, since: int) -> None:
    """Whoever gives cards after an unfinished trick was swept up comes over an empty table, trick or not."""
    game, weighs = weigher(Match("turufu", 4))
    there = Thing(0, "KS", (0.0, 0.2), True, TRICK, lost=lost)
    before = History(
        phase=PLAYING, turn_up="7H", trump="H", trick=(Laid(0, "KS", (), 0),), things=(there,), hands_since=3
    )
    rest = at_rest(*((CardLying("KS", 0.99, (0.0, 0.2)),) if shown else ()))
    rest.hands = {n: Hand(90.0 * n, (0.9, 0.0), 0.1 * n, 0.2 + 0.1 * n) for n in (1, 2)}
    rest.new = (1, 2)
    futures = Proposer(game, weighs.p, weighs).futures(before, rest, frozenset({0}))
    assert {one.hands_since for one in futures if one.phase == PLAYING and one.trick} == {since}


@pytest.mark.parametrize(
    ("shown", "otherwise"),
    [
        (("KS", "KS"), False),
        (("KS", ""), True),
        (("KS", "", "KS"), True),  # What was missed once lies there all the same.
        (("KS", "", ""), False),
    ],
)
def test_a_look_is_explained_anew_where_it_shows_other_faces(shown: tuple[str, ...], otherwise: bool) -> None:
    looks = [at_rest(*((CardLying(one, 0.99, (0.0, 0.2)),) if one else ())).looks[0] for one in shown]
    assert _shows_otherwise(looks) == otherwise


@pytest.mark.parametrize(("kind", "rather"), [(LEFT, False), (None, True)])
def test_what_was_left_of_a_trick_may_come_to_rest_at_somebodys_place(kind: str | None, rather: bool) -> None:
    game, weighs = weigher(Match("turufu", 4))
    left = () if kind is None else (Thing(0, "KS", (0.0, 0.2), True, kind),)
    before = History(phase=PLAYING, turn_up="7H", trump="H", done=1, leads=frozenset({0}), things=left)
    costs = []
    for packets in ((), ((0.0, 0.8),)):
        rest = at_rest()
        rest.packets = packets
        costs.append(max(one.logp for one in Proposer(game, weighs.p, weighs).futures(before, rest, frozenset({0}))))
    assert costs[1] - costs[0] == pytest.approx(math.log(weighs.p.put_aside) if rather else 0.0)


@pytest.mark.parametrize(("changed", "costs"), [(True, False), (False, True)])
def test_a_trick_is_hardly_taken_up_in_parts_where_nothing_changed(changed: bool, costs: bool) -> None:
    """What is gone of it was only hidden."""
    game, weighs = weigher(Match("turufu", 4))
    rest = at_rest()
    rest.lay = (CardLying("KS", 0.99, (0.0, 0.2)),)
    rest.changes = changes(((0.0, 0.2, 0.15),) if changed else (), rest.lay, (), 0.3)
    gone, lie = [Thing(0, "KS", (0.0, 0.2), True, TRICK)], [Thing(1, "3S", (0.2, 0.0), True, TRICK)]
    worth = Proposer(game, weighs.p, weighs)._in_parts(gone, lie, rest)
    usual = math.log(weighs.p.gather_in_parts) + math.log(weighs.p.left_lying)
    assert worth - usual == pytest.approx(math.log(weighs.p.went_unchanged) if costs else 0.0)


@pytest.mark.parametrize(
    ("told", "lost"),
    [
        ((LEAD, GONE), False),
        ((LEAD, *OTHERS, GONE), False),
        ((LEAD, GONE, Step(LAY, 1, "3D", 2, uid=8)), True),
        ((LEAD, Step(DEAL, None, "6D", 1)), True),
    ],
)
def test_what_was_told_of_more_than_a_trick_and_taken_back_loses_the_deal(told: tuple[Step, ...], lost: bool) -> None:
    match = Match("turufu", 4)
    match.add(Deal("7H", 3))
    tells, beam = telling(match, DEALT)
    for step in told:
        match.add(Play(step.card, step.seat) if step.kind == LAY else Taken(0) if step.kind == GATHER else Deal("6D"))
        tells.record.add(step, len(match.log))
    beam.histories = [History(0.0, (DEALT, LEAD._replace(seat=1)), PLAYING, serial=1)]
    assert isinstance(tells.mending._take_back(1, match), TakenBack | Undo)
    assert tells.blame.lost == lost


@pytest.mark.parametrize(("then", "rather"), [((GONE,), False), ((Step(LIFT, card="5S", trick=1, uid=3), GONE), True)])
def test_what_lay_on_the_talon_and_was_taken_back_was_rather_exchanged(then: tuple[Step, ...], rather: bool) -> None:
    tells, _ = telling(begun(), *LED)
    second = Step(LAY, 0, "5S", 1, uid=3, at=(-0.6, -0.1), hand=1, rest=1)
    best = account(1.0, second, *then)._replace(talon=(-0.6, -0.12))
    assert tells.blame._on_the_talon(best, second) == rather


def test_a_hand_that_did_something_is_no_idle_one() -> None:
    before = History(idle=(1, 2), used=(7,))
    assert (before.by(1).idle, before.by(1).used) == ((2,), (7, 1))
    assert before.by(None) is before


@pytest.mark.parametrize("reads, once", [(1, True), (2, False)])
def test_what_one_look_read_is_soon_another_card(reads: int, once: bool) -> None:
    game, weighs = weigher(Match("turufu", 4))
    thing = Thing(0, "KS", (0.0, 0.2), True, TRICK, reads=reads)
    before = History(phase=PLAYING, turn_up="7H", trump="H", trick=(Laid(0, "KS", (), 0),), things=(thing,))
    seen = CardLying("5S", 0.99, (0.0, 0.2))
    _, after = reading(game, weighs).read(before, {"5S": seen}, (), at_rest(seen))
    assert after.trick[0].card == "5S"
    p = weighs.p
    assert after.logp == pytest.approx(math.log(p.misread_once) if once else (1 + p.again_read) * math.log(p.misread))


def test_a_face_that_lies_elsewhere_is_no_misread_card() -> None:
    _, weighs = weigher(Match("turufu", 4))
    thing = Thing(0, "KS", (0.0, 0.2), True, TRICK)
    before = History(phase=PLAYING, turn_up="7H", trump="H", things=(thing,))
    for at, named in (((0.0, 0.2), "KS misread 5S"), ((0.0, -0.2), "KS missed")):
        terms = weighs.terms(before, at_rest(CardLying("5S", 0.99, at)).looks[0])
        assert named in dict(terms)


def test_a_turned_up_card_that_may_have_been_exchanged_is_not_told_with_a_doubt() -> None:
    match, swap = begun(), Step(SWAP, None, "6D", 1)
    tells, beam = telling(match, *LED)
    beam.histories = [account(0.9, swap, serial=4), account(0.1, serial=4)]
    assert all_told(tells, match) == []


@pytest.mark.parametrize("at_rest", [True, False])
def test_a_card_that_only_a_glance_showed_accuses_nobody_when_it_is_seen_again(at_rest: bool) -> None:
    """It may have been taken back at once, and another laid that nobody saw."""
    match = begun()
    tells, beam = telling(match, *LED)
    fourth = laid("5S")._replace(at=(0.3, 0.0), hand=1, rest=1)
    shown = {"5S": CardLying("5S", 1.0, (0.3, 0.0))} if at_rest else {}
    assert beam.rest is not None
    beam.rest.looks = [Seen(1.0, shown, (), 0.3, True, frozenset(), ())] * 5
    beam.histories = [History(0.0, (*LED, fourth), PLAYING, serial=1)]
    assert all_told(tells, match) == [Play("5S", 3)]
    match.add(Taken(3))
    again = Step(LAY, 0, "5S", 2, uid=9, at=(0.0, 0.3), hand=2, rest=1)
    tells.record.told = [*tells.record.told, Told(Step(GATHER, trick=1, rest=1), 6)]
    beam.histories = [History(0.0, (*LED, fourth, Step(GATHER, trick=1, rest=1), again), PLAYING, serial=2)]
    all_told(tells, match)
    assert any(one.facts.get("rule") == "seen_before" for one in match.notices) == at_rest


@pytest.mark.parametrize(("lead", "unsure"), [(None, True), ("KS", False)])
def test_where_a_lead_may_have_gone_unread_nobody_leads_the_next_deal_wrong(lead: str | None, unsure: bool) -> None:
    """Who deals next follows from who led; once a deal is led as the match expects, that is known again."""
    match = Match("turufu", 4)
    match.add(Deal("7H", 3))
    tells, beam = telling(match, DEALT)
    first = Step(LAY, 0, lead, 1, uid=1, at=(0.0, 0.2), hand=1, rest=1)
    beam.histories = [History(0.0, (DEALT, first), PLAYING, serial=1)]
    assert len(all_told(tells, match)) == 1
    for card, expected, accused in (("KD", 2, not unsure), ("QD", 0, False), ("JD", 2, True)):
        match = Match("turufu", 4)
        match.add(Deal("7H", 3))
        tells.record.told = [Told(DEALT, 1)]
        led = Step(LAY, expected, card, 1, uid=2, at=(0.0, -0.3), hand=1, rest=1)
        after = Step(LAY, (expected + 1) % 4, "3D", 1, uid=3, at=(0.3, 0.0), hand=1, rest=1)
        beam.histories = [History(0.0, (DEALT, led, after), PLAYING, serial=1)]
        all_told(tells, match)
        assert any(one.facts.get("rule") == "wrong_leader" for one in match.notices) == accused


@pytest.mark.parametrize(("card", "accused"), [("KD", True), (None, False)])
def test_a_card_that_could_not_be_read_accuses_nobody_of_laying_it(card: str | None, accused: bool) -> None:
    """It may be print, or the end of a card that lies there."""
    match = Match("turufu", 4)
    match.add(Deal("7H", 3))
    tells, beam = telling(match, DEALT)
    led = Step(LAY, 2, card, 1, uid=2, at=(0.0, -0.3), hand=1, rest=1)
    after = Step(LAY, 3, "3D", 1, uid=3, at=(0.3, 0.0), hand=1, rest=1)
    beam.histories = [History(0.0, (DEALT, led, after), PLAYING, serial=1)]
    assert any(one.level == ALERT for one in match.preview(Play(card, 2)))
    all_told(tells, match)
    assert any(one.level == ALERT for one in match.notices) == accused


@pytest.mark.parametrize(("kind", "card", "missed"), [
    (TURN_UP, None, 1.0), (TURN_UP, "KD", Priors().missed_at_a_glance), (TRICK, None, Priors().missed_at_a_glance),
])  # fmt: skip
def test_a_glance_tells_nothing_of_a_turned_up_card_that_nobody_read(
    kind: str, card: str | None, missed: float
) -> None:
    _, weighs = weigher(Match("turufu", 4))
    lies = History(0.0, (DEALT,), PLAYING, things=(Thing(1, card, (0.2, 0.0), True, kind),))
    glance = Seen(1.0, {}, (), 0.3, True, frozenset(), (), True)
    assert sum(worth for _, worth in weighs.terms(lies, glance)) == pytest.approx(math.log(missed))
