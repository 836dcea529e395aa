"""What players of other houses do at a card table, through the front door: looks in, events out, nobody accused."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from engine.events import Deal, Event, TurnUpSeen
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.referee.card_game import CardJudge
from engine.sightings import CardLying, Hand
from engine.simulate import honest_deal
from engine.simulate_looks import GUEST_LOOKS, HOUSE_LOOKS, LookMess, LookTable
from engine.table.arms import Arms, seats_round
from engine.table.card_table import CardTable
from engine.table.places import ZONE
from engine.table.reach import Reach
from engine.table.which_game import take_in
from tests.engine.table import deal, play, taken, tell
from tests.sizes import slow

CARDS_FAR_OUT = replace(HOUSE_LOOKS, far=(0.68, 0.75), spread=0.05, across=8)
SLOW_AT_THE_EDGE = replace(HOUSE_LOOKS, glances=1.0, slow_beyond=0.55)
OPEN_AND_COUNTED = replace(HOUSE_LOOKS, glances=0.5, open_piles=1.0, counted=1.0)
OPEN_FAR_OUT = replace(CARDS_FAR_OUT, glances=0.7, open_piles=1.0, slow_beyond=0.68)
JACK_OR_QUEEN = replace(HOUSE_LOOKS, alike=1.0)


def game_of(match: Match) -> CardJudge:
    assert isinstance(match.judge, CardJudge)
    return match.judge


def followed(name: str, players: int, mess: LookMess, seed: int) -> tuple[Match, Match, list[Notice]]:
    """A deal as it was told, as it was, and all that was said of it."""
    true, told = Match(name, players), Match(name, players)
    game = game_of(true).game
    events = honest_deal(game, Random(seed), seed % players).events
    said: list[Notice] = []
    table = CardTable(game, game.clockwise)

    def add(event: Event) -> list[Notice]:
        notices = told.add(event)
        said.extend(notices)
        return notices

    for look, _ in LookTable(game, seed, game.clockwise, mess).looks(events):
        take_in(table, look, lambda: told, add)
    tell(true, *events)
    return told, true, said


def cards(match: Match) -> dict[object, object]:
    """The cards of each trick: the last word on it counts."""
    return {notice.facts["trick"]: notice.facts["cards"] for notice in match.notices if notice.code == "trick"}


HABITS = {
    "far_out": CARDS_FAR_OUT, "slow_at_the_edge": SLOW_AT_THE_EDGE, "open_and_counted": OPEN_AND_COUNTED,
    "jack_or_queen": JACK_OR_QUEEN,
}  # fmt: skip
OTHERS = [("turufu", 4), ("pille", 4)]


@pytest.mark.parametrize(
    ("name", "players", "habit"),
    [*(("triomphe", 3, habit) for habit in ("far_out", "jack_or_queen")),
     *slow(*(("triomphe", 3, habit) for habit in ("slow_at_the_edge", "open_and_counted")),
           *((*table, habit) for table in OTHERS for habit in HABITS))],
)  # fmt: skip
def test_what_other_houses_do_is_followed_and_accuses_nobody(name: str, players: int, habit: str) -> None:
    """Cards laid before each player, a turned-up card that shows late, tricks that lie open and are counted, and a jack
    that may be a queen."""
    told, true, said = followed(name, players, HABITS[habit], 1)
    assert cards(told) == cards(true)
    assert not [notice for notice in said if notice.level == ALERT]


@pytest.mark.parametrize("seed", [6, *slow(7)])
def test_a_hand_that_lays_a_card_did_not_take_what_a_glance_does_not_show(seed: int) -> None:
    """Tricks lie open far out, where only a longer look shows them."""
    told, true, _ = followed("triomphe", 3, OPEN_FAR_OUT, seed)
    assert cards(told) == cards(true)


@pytest.mark.slow
def test_cards_of_no_pack_that_lie_within_reach_of_who_plays_far_out_are_none_of_the_game() -> None:
    """Markers that nobody moves do not speak against a deal anew in every look."""
    told, true, _ = followed("turufu", 4, OPEN_FAR_OUT, 0)
    assert cards(told) == cards(true)


@pytest.mark.parametrize("seed", slow(0, 1))
def test_all_of_it_at_once_accuses_nobody(seed: int) -> None:
    *_, said = followed("turufu", 4, GUEST_LOOKS, seed)
    assert not [notice for notice in said if notice.level == ALERT]


def test_a_turned_up_card_that_may_be_one_of_a_suit_gives_trump() -> None:
    match = Match("pille", 3)
    tell(match, Deal(None, candidates=("JC", "QC")))
    assert (match.view.turn_up, match.view.trump) == (None, "C")
    tell(match, TurnUpSeen("9D"))  # The first was bought, and this one lies there now: trump stays.
    assert (match.view.turn_up, match.view.trump) == ("9D", "C")


@pytest.mark.parametrize("candidates", [("JC", "QH"), ()])
def test_of_several_suits_it_gives_none(candidates: tuple[str, ...]) -> None:
    match = Match("pille", 3)
    tell(match, Deal(None, candidates=candidates))
    assert match.view.trump is None


def test_the_card_that_gave_trump_may_be_read_later() -> None:
    match = Match("pille", 3)
    tell(match, Deal(None, candidates=("JC", "QC")))
    assert tell(match, Deal("JC")) == []
    tell(match, deal(None, "JC"))
    assert (match.view.turn_up, match.view.trump) == ("JC", "C")


def test_trump_by_what_a_card_may_be_accuses_nobody() -> None:
    """A heart is trump by the look of the card; what was not trumped with it proves nothing."""
    for turn_up, accused in ((None, False), ("JH", True)):
        match = Match("triomphe", 2)
        said = tell(match, Deal(turn_up, 1, candidates=() if turn_up else ("JH", "QH")))
        for lead, answer, taker in (
            ("9S", "7C", 0), ("8S", "9H", 1), ("AD", "KD", 0), ("QD", "JD", 0), ("KC", "AC", 0),
        ):  # fmt: skip
            first = 1 if lead == "AD" else 0
            said += tell(match, play(lead, first), play(answer, 1 - first), taken(taker))
        assert any(notice.code == "revoke" and notice.level == ALERT for notice in said) == accused


def test_how_far_out_cards_are_laid_is_learned_from_where_hands_put_them() -> None:
    arms = Arms(seats_round(4, True))
    reach = Reach(arms, 4, ZONE)
    at = (0.0, 0.7)  # Before seat 0.
    assert reach.out(at) > 1
    hand = Hand(0.0, (0.0, 0.55), 1.0, 2.0)
    for card in ("KS", "3S", "4S"):
        reach.learn([CardLying(card, 0.99, at)], [hand])
    assert reach.out(at) < 1


@pytest.mark.parametrize("hands", [[], [Hand(180.0, (0.0, 0.55), 1.0, 2.0)], [Hand(0.0, (0.0, -0.3), 1.0, 2.0)]])
def test_what_no_hand_of_his_put_there_tells_nothing(hands: Sequence[Hand]) -> None:
    reach = Reach(Arms(seats_round(4, True)), 4, ZONE)
    for card in ("KS", "3S", "4S"):
        reach.learn([CardLying(card, 0.99, (0.0, 0.7))], hands)
    assert reach.out((0.0, 0.7)) > 1


def test_what_the_house_says_of_the_reach_holds() -> None:
    reach = Reach(Arms(seats_round(4, True)), 4, 0.5)
    for _ in range(5):
        reach.learn([CardLying("KS", 0.99, (0.0, 0.7))], [Hand(0.0, (0.0, 0.55), 1.0, 2.0)])
    assert reach.out((0.0, 0.7)) > 1
