"""Triomphe and L'As qui pille: the ladder of duties, giving up, the vole, penalties, pillage."""

import pytest

from engine.events import EventError, Offer
from engine.match import Match
from engine.notices import Notice
from engine.options import OptionError
from engine.rules.triomphe import Triomphe, pille, triomphe
from engine.view import CardView
from tests.engine.table import alarms, deal, only, play, rules, taken, tell


def legal(game: Triomphe, hand: str, before: str, trump: str = "S") -> list[str]:
    return sorted(game.legal(hand.split(), before.split(), trump, 1))


def test_order_of_cards() -> None:
    assert triomphe(2, {}).winning(["AH", "JH"], "S") == 1
    assert pille(2, {}).winning(["AH", "KH"], "S") == 0


@pytest.mark.parametrize(
    ("hand", "before", "may"),
    [
        ("KH 7H QS", "10H", "KH"),  # follow, and beat it
        ("8H 7H QS", "10H", "7H 8H"),  # follow, cannot beat
        ("KH 7H QS", "10H 7S", "7H KH"),  # ruffed already: no height owed
        ("QS 7S KD", "10H", "7S QS"),  # void: trump
        ("QS 7S KD", "10H 10S", "QS"),  # void: go over the trump
        ("8S 7S KD", "10H 10S", "7S 8S"),  # cannot go over: a trump still
        ("KD 8C", "10H 10S", "8C KD"),  # nothing owed
        ("KS 7S KD", "10S", "KS"),  # trump led: beat it
        ("KD 7C", "10S", "7C KD"),
    ],
)
def test_duties(hand: str, before: str, may: str) -> None:
    assert legal(triomphe(4, {}), hand, before) == may.split()


def test_undertrump_may() -> None:
    game = triomphe(4, {"undertrump": "may"})
    assert legal(game, "8S 7S KD", "10H 10S") == ["7S", "8S", "KD"]
    assert legal(game, "QS 7S KD", "10H 10S") == ["QS"]
    assert legal(game, "QS 7S KD", "10H") == ["7S", "QS"]


def test_overtake_last_and_none() -> None:
    last = triomphe(4, {"overtake": "last"})
    assert legal(last, "QH 7H", "KH 8H") == ["QH"]
    assert legal(triomphe(4, {}), "QH 7H", "KH 8H") == ["7H", "QH"]
    free = triomphe(4, {"overtake": "none"})
    assert legal(free, "KH 7H", "10H") == ["7H", "KH"]
    assert legal(free, "QS 7S KD", "10H 10S") == ["QS"]


def test_sides_sit_together() -> None:
    assert triomphe(6, {"teams": "sides"}).sides == (0, 0, 0, 1, 1, 1)
    with pytest.raises(OptionError, match="no_sides"):
        triomphe(5, {"teams": "sides"})
    with pytest.raises(OptionError, match="unknown_option: name='teams'"):
        pille(4, {"teams": "sides"})


@pytest.mark.parametrize(
    ("winners", "games"),
    [((0, 0, 0, 1, 1), (1, 0)), ((1, 1, 1, 1, 0), (0, 1)), ((0,) * 5, (2, 0))],
)
def test_two_sides(winners: tuple[int, ...], games: tuple[int, int]) -> None:
    assert triomphe(2, {}).outcome((0, 0), winners, 0).games == games


@pytest.mark.parametrize(
    ("winners", "games"),
    [
        ((0, 1, 1, 2, 0), (0, 1, 0)),  # two each: seat 1 had its two first
        ((0, 1, 2, 2, 2), (0, 0, 1)),
        ((2,) * 5, (0, 0, 2)),
    ],
)
def test_singly(winners: tuple[int, ...], games: tuple[int, ...]) -> None:
    assert triomphe(3, {}).outcome((0,) * 3, winners, 0).games == games


def test_six_alone_the_first_trick_wins() -> None:
    assert triomphe(6, {}).outcome((0,) * 6, (4, 3, 2, 1, 0), 0).games == (0, 0, 0, 0, 1, 0)


VOLE = ["KC", "7C", "QC", "8C", "JC", "9C", "AC", "10C", "KD", "7D"]


def test_offer_taken() -> None:
    match = Match("triomphe", 2)
    notices = tell(match, deal(1, "7H"), {"event": "offer", "seat": 1})
    assert only(notices, "question").facts["choices"] == ["yes", "no"]
    scored = only(tell(match, {"event": "answer", "accept": True}), "deal_scored").facts
    assert scored["games"] == [1, 0]
    assert match.view.question is None


def test_the_whole_trick_on_the_table_is_among_the_tricks_of_a_hand_that_ends_early() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), *(play(card) for card in VOLE[:6]), {"event": "offer", "seat": 1})
    assert match.view.tricks == (3, 0)
    scored = only(tell(match, {"event": "answer", "accept": True}), "deal_scored").facts
    assert scored["tricks"] == [3, 0] and match.view.tricks == (3, 0)
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), *(play(card) for card in VOLE[:6]), {"event": "score", "points": [7, 0]})
    assert match.view.phase == "match_over" and match.view.tricks == (3, 0)


@pytest.mark.parametrize(("plays", "games"), [(VOLE, [2, 0]), (["7C", "KC", *VOLE[2:6], "KD", "7D", "8D", "9D"], None)])
def test_offer_refused(plays: list[str], games: list[int] | None) -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), {"event": "offer", "seat": 1}, {"event": "answer", "accept": False})
    notices = tell(match, *(play(card) for card in plays))
    assert only(notices, "deal_scored").facts["games"] == (games or [0, 2])


def test_an_offer_comes_before_the_fifth_trick_and_between_two_sides() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), *(play(card) for card in VOLE[:8]))
    assert match.preview(Offer(0))
    tell(match, play(VOLE[8]))
    with pytest.raises(EventError, match="offer_late"):
        match.add({"event": "offer", "seat": 0})
    three = Match("triomphe", 3)
    tell(three, deal(1, "7H"))
    with pytest.raises(EventError, match="offer_none"):
        three.add({"event": "offer", "seat": 0})


REVOKED = ["KC", "7D", "QC", "8C", "JC", "9C", "AC", "10C", "KH", "8H"]
"""Seat 1 refuses clubs in the first trick and has three of them later. Hearts are trump."""


def test_a_proven_revoke_names_trick_and_cards() -> None:
    match = Match("triomphe", 2)
    notices = tell(match, deal(1, "7H"), *(play(card) for card in REVOKED))
    last = [notice for notice in notices if notice.code == "revoke"][-1].facts
    assert (last["level_of_proof"], last["explanations"], last["seat"]) == ("proven", [[[1, 1]]], 1)
    assert last["claims"][0]["card"] == "7D"
    assert set(last["claims"][0]["shown"]) <= {"8C", "9C", "10C", "8H"}
    assert last["duty"] == "follow"


@pytest.mark.parametrize(("penalty", "answer", "points"), [("point", "yes", 3), ("hand", "yes", 1), ("point", "no", 2)])
def test_penalties_wait_for_the_players(penalty: str, answer: str, points: int) -> None:
    match = Match("triomphe", 2, {"penalty": penalty})
    notices = tell(match, deal(1, "7H"), *(play(card) for card in REVOKED))
    asked = [notice for notice in notices if notice.code == "question"][-1].facts
    assert (asked["about"], asked["side"]) == ("penalty", 1)
    tell(match, {"event": "choose", "question": asked["question"], "answer": answer})
    assert match.view.games == (points, 0)
    assert match.view.question is None


def test_the_target_wins_the_match() -> None:
    match = Match("triomphe", 2, {"target": "2"})
    notices = tell(match, deal(1, "7H"), *(play(card) for card in VOLE))
    assert only(notices, "match_won").facts["side"] == 0


def test_two_packs_one_per_side() -> None:
    match = Match("triomphe", 2, {"packs": "2"})
    tell(match, deal(1, "7H"))
    assert match.view.pack == 1


def pillage(seat: int | None, card: str, **more: str) -> dict[str, object]:
    return {"event": "pillage", "seat": seat, "card": card, **more}


def test_the_dealer_takes_an_ace() -> None:
    match = Match("pille", 3)
    notices = tell(match, deal(2, "AH"), pillage(2, "AH", next="9H"), pillage(2, "9H", next="8C"))
    assert alarms(notices) == []
    assert (match.view.trump, match.view.turn_up) == ("H", "8C")


@pytest.mark.parametrize(
    "events",
    [
        [deal(2, "AH"), pillage(0, "AH", next="9H")],  # the ace is the dealer's
        [deal(2, "9H"), pillage(0, "9H", next="8C"), pillage(0, "8C")],  # not a trump
        [deal(2, "9H"), pillage(0, "9H", next="8H"), pillage(1, "8H")],  # one holder of the ace
        [deal(2, "9H"), pillage(0, "9H", next="8C"), pillage(0, "10H")],  # not what lies there
    ],
)
def test_pillage_against_the_rules(events: list[dict[str, object]]) -> None:
    assert rules(tell(Match("pille", 3), *events)) == ["turn_up_changed"]


@pytest.mark.parametrize(("taker", "said"), [(2, ["revoke"]), (0, []), (None, [])])
def test_who_pillaged_unseen_proves_nothing(taker: int | None, said: list[str]) -> None:
    match = Match("pille", 3)
    notices = tell(
        match, deal(2, "QC"), pillage(taker, "QC", paid="AC", next="KC"), pillage(taker, "KC", next="9C"),
        play("QD", 0), play("KD", 1), play("7S", 2), taken(1),
    )  # fmt: skip
    assert [notice.code for notice in notices if notice.code in ("revoke", "illegal")] == said
    assert match.view.turn_up == "9C"


def test_a_card_turned_up_unseen_may_be_pillaged_too() -> None:
    for between in ((), ({"event": "turn_up_seen", "card": "KH"},)):
        match = Match("pille", 3)
        first = {"event": "pillage", "seat": 1, "card": "9H"}
        second = {"event": "pillage", "seat": 1, "card": "KH"}
        assert rules(tell(match, deal(0, "9H"), first, *between, second)) == []
    assert rules(tell(match, second)) == ["turn_up_changed"]


def test_no_pillage_in_triomphe() -> None:
    match = Match("triomphe", 3)
    tell(match, deal(2, "9H"))
    with pytest.raises(EventError, match="pillage_none: game='triomphe'"):
        match.add(pillage(0, "9H"))


def test_a_paid_card_cannot_be_played() -> None:
    match = Match("pille", 3)
    notices = tell(match, deal(2, "9H"), pillage(0, "9H", paid="7C", next="8D"), play("7C", 0))
    assert rules(notices) == ["seen_before"]


def test_what_was_paid_comes_up_again_once_the_talon_is_through() -> None:
    """Six players: under the card turned up lies one more, then what was paid. It may be taken again and played."""
    match = Match("pille", 6)
    first = [deal(5, "8H"), pillage(0, "8H", paid="7H", next="9H")]
    again = [pillage(0, "9H", paid="7D", next="7H"), pillage(0, "7H", paid="8C", next="7D"), play("7H", 0)]
    assert rules(tell(match, *first, *again)) == []
    roomy = Match("pille", 5)
    assert rules(tell(roomy, deal(4, "8H"), pillage(0, "8H", paid="7H", next="9H"), again[0])) == ["seen_before"]
    at_once = Match("pille", 6)
    assert rules(tell(at_once, deal(5, "8H"), pillage(0, "8H", paid="7H", next="7H"))) == ["seen_before"]


def test_the_ace_of_trumps_that_was_paid_comes_up_again() -> None:
    """Who pillaged with it held it, though it lies on the talon now."""
    match = Match("pille", 6)
    tell(match, deal(5, "8H"), pillage(0, "8H", paid="AH", next="9H"))
    assert rules(tell(match, pillage(0, "9H", paid="7D", next="AH"))) == []


# -- told as it is -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unread", [4, 9])
def test_trick_counts_are_certain_only_where_the_cards_say_so(unread: int) -> None:
    match = Match("triomphe", 2)
    cards = ["KC", "7C", "QC", "8C", "KD", "7D", "9S", "10S", "JD", "QD"]
    seats = [0, 1, 0, 1, 0, 1, 0, 1, 1, 0]
    events = [play(card, seat) for card, seat in zip(cards, seats, strict=True)]
    events[unread] = play(None, seats[unread])
    notices = tell(match, deal(1, "7H"), *events)
    scored = only(notices, "deal_scored").facts
    assert scored["games"] == [1, 0]
    assert scored["tricks"] == ([4, 1] if unread == 4 else [(3, 4), (1, 2)])
    assert match.view.tricks == tuple(scored["tricks"])


@pytest.mark.parametrize("value", ["winning", "winner"])
def test_the_winning_card_is_to_be_beaten_by_either_name(value: str) -> None:
    """The documents say winning; settings and matches of before say winner."""
    assert Match("triomphe", 4, {"overtake": value}).header.options["overtake"] == "winning"
    assert Match("triomphe", 4).header.options["overtake"] == "winning"


def test_cards_laid_after_an_accepted_offer_are_hands_laid_open() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), play("KC", 0), {"event": "offer", "seat": 1}, {"event": "answer", "accept": True})
    before = match.view
    turned = {"event": "turn_up_seen", "card": "8H"}
    assert tell(match, play("7C", 1), play("QD", 0), turned, taken(0)) == []
    assert match.view == before
    tell(match, deal(0, "8H"), play("KC", 1))
    assert match.view.phase == "play"


def won_by(match: Match, winner: int, dealer: int) -> list[Notice]:
    """A hand given up, which wins the match."""
    offer = {"event": "offer", "seat": 1 - winner}
    return tell(match, deal(dealer, "7H"), play("KC"), offer, {"event": "answer", "accept": True})


def test_an_evening_may_be_a_number_of_matches() -> None:
    """The house plays three: two to one; the next deal begins another evening."""
    match = Match("triomphe", 2, {"target": "1", "matches": "3"})
    told = [only(won_by(match, winner, 1), "parties").facts for winner in (0, 1, 0)]
    assert [(facts["parties"], facts["over"]) for facts in told] == [([1, 0], False), ([1, 1], False), ([2, 1], True)]
    assert [facts["side"] for facts in told] == [0, None, 0]
    assert isinstance(match.view, CardView) and match.view.parties == (2, 1)
    tell(match, deal(1, "8H"))
    assert isinstance(match.view, CardView) and match.view.parties == (0, 0)


def test_without_a_number_matches_go_on() -> None:
    match = Match("triomphe", 2, {"target": "1"})
    assert "parties" not in [notice.code for notice in won_by(match, 0, 1)]
    assert "parties" not in match.view.to_dict()
