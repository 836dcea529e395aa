"""Nobody innocent is accused: not by an unread card's candidates, not as one of several, not by a second card."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.events import Event, Play, Taken
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame
from engine.simulate import honest_deal, honest_match, plant, plantable
from tests.engine.table import alarms, deal, only, play, rules, suspected, taken, tell
from tests.sizes import slow, some

TABLES = [
    ("turufu", 2, {}), ("turufu", 4, {}), ("turufu", 6, {}), ("turufu", 4, {"draw_first": "dealer_left"}),
    ("triomphe", 2, {}), ("triomphe", 3, {}), ("triomphe", 4, {"teams": "sides"}), ("triomphe", 6, {}),
    ("pille", 2, {}), ("pille", 4, {}), ("pille", 6, {}),
]  # fmt: skip


def opened(game: str, players: int, options: dict[str, Any]) -> tuple[Match, TrickGame]:
    match = Match(game, players, options)
    assert isinstance(match.judge, CardJudge)
    return match, match.judge.game


def plays_of(text: str) -> list[dict[str, Any]]:
    """ "4C(3) null(4) null(1)[5S,JS]" as events."""
    events = []
    for word in text.replace("/", " ").split():
        face, rest = word.split("(")
        seat, _, candidates = rest.partition(")")
        listed = {"candidates": candidates.strip("[]").split(",")} if candidates else {}
        events.append(play(None if face == "null" else face, int(seat), **listed))
    return events


def accusations(notices: list[Notice]) -> list[str]:
    return [str(notice.facts.get("rule", notice.code)) for notice in notices if notice.level == ALERT]


# -- a list of candidates is a guess -----------------------------------------------------------------------------------


def test_a_lead_is_not_wrong_because_a_list_left_the_true_card_out() -> None:
    """It was the 7 of hearts, which beats the king."""
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *plays_of("KH(0) null(1)[KH,4H] 6H(2) 3H(3)"))
    assert alarms(tell(match, play("AD", 1))) == []
    assert (match.view.turn, match.view.tricks, match.view.points) == (2, (0, 1), (0, (4, 15)))


def test_a_trick_is_not_taken_wrongly_because_a_list_left_the_true_card_out() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *plays_of("KH(0) null(1)[KH,4H] 6H(2) 3H(3)"))
    assert alarms(tell(match, taken(1))) == []
    assert match.view.tricks == (0, 1)


def test_a_last_drawer_known_from_a_list_proves_no_revoke() -> None:
    match = Match("turufu", 6)
    notices = tell(
        match,
        deal(2, "JD"),
        *plays_of(
            "4C(3) null(4) JS(5) 6C(0) QC(1) AS(2) / KS(4) 7D(5) 5D(0) QS(1) 3S(2) QD(3) /"
            "5H(5) JH(0) null(1)[5S,JS] QH(2) null(3)[7H,QH] 3H(4) / 3D(1) 4H(2) 5C(3) null(4) 5S(5) AD(0) / JD(0)"
        ),
    )
    assert accusations(notices) == []
    assert [notice for notice in notices if notice.code == "revoke"] == []


def test_whoever_cannot_have_won_by_any_card_is_named_still() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *plays_of("KH(0) null(1)[KH,4H] 6H(2) 3H(3)"))
    assert suspected(tell(match, play("AD", 2))) == ["wrong_leader"]
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *plays_of("AS(0) null(1)[KH,4H] 6H(2) 3H(3)"))
    assert suspected(tell(match, taken(1))) == ["taken_by_wrong_side"]


def test_a_lead_whose_seat_nobody_said_accuses_no_later_seat() -> None:
    """The list made seat 0 the winner; seat 1 was, and led."""
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *plays_of("KH(0) null(1)[KH,4H] 6H(2) 3H(3)"), play("AD"))
    assert alarms(tell(match, *plays_of("4D(2) 5D(3) 6D(0)"))) == []
    assert match.view.turn == 1 and match.view.tricks == (0, 2)


def doubted(events: list[Event], game: TrickGame, rng: Random, spare: frozenset[int] = frozenset()) -> Iterator[Event]:
    """A third of the cards unread, with two candidates; in half of the lists the true card is missing."""
    for place, event in enumerate(events):
        if isinstance(event, Play) and event.card in game.whole_pack and place not in spare and rng.random() < 1 / 3:
            others = rng.sample([card for card in game.pack if card != event.card], 2)
            listed = others if rng.random() < 0.5 else [event.card, others[0]]
            event = replace(event, card=None, candidates=tuple(rng.sample(listed, 2)))
        yield event


def honest_with_lists(game: str, players: int, options: dict[str, Any], deals: int) -> None:
    for seed in range(0, deals, 5):
        match, table = opened(game, players, options)
        rng = Random(f"{game} {players} {seed}")
        for event in doubted(honest_match(table, rng, min(5, deals - seed)), table, rng):
            said = match.add(event)
            assert accusations(said) == [], (seed, event)
            assert [notice for notice in said if notice.code == "revoke"] == [], (seed, event)


@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_candidates_accuse_nobody(game: str, players: int, options: dict[str, Any]) -> None:
    honest_with_lists(game, players, options, 5)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_candidates_accuse_nobody_in_1000_deals(game: str, players: int, options: dict[str, Any]) -> None:
    honest_with_lists(game, players, options, 1_000)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_3000_honest_deals_raise_no_alert(game: str, players: int, options: dict[str, Any]) -> None:
    for seed in range(0, 3_000, 10):
        match, table = opened(game, players, options)
        notices = [notice for event in honest_match(table, Random(seed), 10) for notice in match.add(event)]
        assert alarms(notices) == [], seed


def planted_with_lists(game: str, players: int, options: dict[str, Any], seeds: range) -> None:
    """The cards a fault rests on are read: those of its own trick, of the one before, and their doubles."""
    for rule in plantable(opened(game, players, options)[1]):
        if rule == "points_do_not_add_up":
            continue  # It rests on every card of the deal.
        for seed in seeds:
            match, table = opened(game, players, options)
            rng = Random(f"{rule} {seed}")
            events = plant(rule, table, rng, seed % players)
            whole, _ = opened(game, players, options)
            place = next(i for i, event in enumerate(events) if rule in suspected(whole.add(event)))
            faulty = events[place]
            near = set(range(place - 2 * players - 3, place + players + 3))
            doubles = {i for i, event in enumerate(events) if isinstance(event, Play) and isinstance(faulty, Play)
                       and event.card == faulty.card}  # fmt: skip
            notices = [
                notice
                for event in doubted(events, table, rng, frozenset(near | doubles))
                for notice in match.add(event)
            ]
            assert rule in suspected(notices), (rule, seed)


@pytest.mark.parametrize(("game", "players", "options"), some(TABLES, 2))
def test_faults_that_rest_on_read_cards_are_named_among_lists(game: str, players: int, options: dict[str, Any]) -> None:
    planted_with_lists(game, players, options, range(1))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_many_faults_that_rest_on_read_cards_are_named(game: str, players: int, options: dict[str, Any]) -> None:
    planted_with_lists(game, players, options, range(100))


def revokes_with_lists(seeds: range) -> tuple[int, int]:
    """Deals in which the seat that revoked has all its cards read, and the leads it refused: (proven whole, named)."""
    proven = named = 0
    for seed in seeds:
        whole, table = opened("triomphe", 4, {})
        rng = Random(seed)
        made = honest_deal(table, rng, 3, revoke_chance=0.08)
        if len(made.revokes) != 1:
            continue
        told = [notice.facts for event in made.events for notice in whole.add(event) if notice.level == ALERT]
        ((seat, _),) = made.revokes
        mine = {place for place, event in enumerate(made.events) if isinstance(event, Play) and event.seat == seat}
        leads = {1 + trick * 5 for trick in range(5)}
        match, _ = opened("triomphe", 4, {})
        notices = [
            notice
            for event in doubted(list(made.events), table, rng, frozenset(mine | leads))
            for notice in match.add(event)
        ]
        accused = [notice.facts for notice in notices if notice.level == ALERT]
        assert all(facts.get("seat") in (None, seat) for facts in accused), seed
        proven += any("seat" in notice for notice in told)
        named += any(notice.get("seat") == seat for notice in accused)
    return proven, named


@pytest.mark.parametrize("deals", [25, *slow(50, 200)])
def test_a_revoke_that_read_cards_show_is_named_among_lists(deals: int) -> None:
    proven, named = revokes_with_lists(range(deals))
    assert proven >= deals / 10
    assert named >= proven / 4


# -- one of several ----------------------------------------------------------------------------------------------------


def test_the_one_smallest_explanation_is_not_the_only_one() -> None:
    """Two revokes in a deal: a single set of plays would explain it with the fewest, and others would as well."""
    match = Match("turufu", 6)
    notices = tell(
        match,
        deal(0, "6S"),
        *plays_of(
            "5D(1) AD(2) QC(3) JC(4) JD(5) 4D(0) / 7H(2) QS(3) 6D(4) 3S(5) 3H(0) AH(1) /"
            "JS(3) KH(4) 5C(5) 4S(0) QD(1) 7S(2) / 5S(2) KC(3) 3D(4) AS(5) KS(0) 6S(1) /"
            "6H(5) 3C(0) AC(1) JH(2) 6C(3) 4H(4) / 5H(2)"
        ),
    )
    told = [notice.facts for notice in notices if notice.code == "revoke"]
    assert told
    for facts in told:
        named = {(claim["seat"], claim["trick"]) for claim in facts["claims"]}
        assert "seat" not in facts or facts["certain"] == [[facts["seat"], facts["trick"]]]
        certain = {tuple(fact) for fact in facts["certain"]}
        assert len(named) > 1 or named == certain
        assert {(claim["seat"], claim["trick"]) for claim in facts["claims"] if claim["certain"]} == certain
    assert "seat" not in told[-1] and told[-1]["certain"] == []


# -- two cards ---------------------------------------------------------------------------------------------------------

TWO_LAID = "9C(0) 9D(1) JC(1) 10C(2) QC(3)"


def test_two_cards_laid_together_are_two_cards_and_no_revoke() -> None:
    match = Match("triomphe", 4)
    notices = tell(match, deal(3, "8H"), *plays_of(TWO_LAID), taken(3))
    assert rules(notices) == ["two_from_one_seat"]
    assert [notice for notice in notices if notice.code == "revoke"] == []
    assert only(notices, "question").facts["choices"] == ["9D", "JC"]


@pytest.mark.parametrize(("answer", "revokes"), [("9D", 1), ("JC", 0)])
def test_whoever_says_which_of_two_cards_counts_settles_it(answer: str, revokes: int) -> None:
    """The diamond was played and the jack of clubs shown after it: a revoke. Or the jack was played."""
    match = Match("triomphe", 4)
    notices = tell(match, deal(3, "8H"), *plays_of(TWO_LAID), taken(3))
    asked = only(notices, "question").facts
    settled = tell(match, {"event": "choose", "question": asked["question"], "answer": answer})
    assert accusations(settled) == ["revoke"] * revokes
    assert match.view.question is None
    assert rules(match.notices) == ["two_from_one_seat"]


def test_a_trick_with_two_cards_of_one_seat_may_be_won_by_either() -> None:
    """The king of clubs beats the queen, were it the one that counts: neither the winner's lead nor the other's is
    wrong before somebody says which does."""
    for leader in (1, 3):
        match = Match("triomphe", 4)
        tell(match, deal(3, "8H"), *plays_of("9C(0) 9D(1) KC(1) 10C(2) QC(3)"))
        assert accusations(tell(match, play("7S", leader))) == []
    match = Match("triomphe", 4)
    tell(match, deal(3, "8H"), *plays_of("9C(0) 9D(1) KC(1) 10C(2) QC(3)"))
    assert suspected(tell(match, play("7S", 2))) == ["wrong_leader"]


# -- a marker read in doubt --------------------------------------------------------------------------------------------


def with_marker(*after: dict[str, Any], seat: int | None = 1) -> tuple[Match, list[Notice]]:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0), play("8H", seat, confidence=0.6))
    return match, tell(match, *after)


def test_a_marker_read_in_doubt_is_no_play() -> None:
    match, _ = with_marker()
    assert [shown["card"] for shown in match.view.trick or ()] == ["AH"]
    assert [shown["card"] for shown in match.view.beside or ()] == ["8H"]
    assert match.view.turn == 1
    assert alarms(tell(match, *plays_of("3H(1) 4H(2) 5H(3) AD(0)"))) == []
    assert match.view.tricks == (1, 0)


def test_a_doubted_marker_was_a_play_where_the_next_seat_plays_on() -> None:
    """It was the 6 of hearts, misread: nobody is out of turn."""
    match, notices = with_marker(*plays_of("4H(2) 5H(3) AD(0)"))
    assert alarms(notices) == []
    assert match.view.trick_number == 2 and match.view.tricks == (1, 0)


def test_a_doubted_marker_may_be_the_lead() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), *plays_of("AH(0) 3H(1) 4H(2) 5H(3)"), play("8D", 0, confidence=0.6))
    assert alarms(tell(match, *plays_of("3D(1) 4D(2) 5D(3)"))) == []
    assert match.view.trick_number == 2 and len(match.view.trick or ()) == 4


def test_a_trick_gathered_with_a_doubted_marker_held_it() -> None:
    match, notices = with_marker(*plays_of("4H(2)"), play("5H", 3), taken(0))
    assert alarms(notices) == []
    assert match.view.trick_number == 2


def test_out_of_turn_is_asked_about_though_a_doubted_marker_lies_there() -> None:
    """Once every seat has laid a card, and the marker is none of them."""
    _, notices = with_marker(play("5H", 3), play("4H", 1), play("6H", 2))
    assert rules(notices) == []
    _, notices = with_marker(play("5H", 3), play("4H", 1), play("6H", 2), taken(0))
    assert (rules(notices), suspected(notices)) == ([], ["out_of_turn"])


def test_a_doubted_marker_that_is_one_is_named_when_somebody_says_so() -> None:
    match, _ = with_marker()
    assert rules(tell(match, {"event": "confirm", "number": 3})) == ["not_in_pack"]
    match, _ = with_marker()
    tell(match, {"event": "correct", "number": 3, "card": "6H"})
    assert [shown["card"] for shown in match.view.trick or ()] == ["AH", "6H"]


def test_a_card_that_can_only_be_a_marker_is_no_play_either() -> None:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH", 0), play(None, 1, candidates=["8H", "9H"]))
    assert match.view.turn == 1


@pytest.mark.parametrize("deals", [2, *slow(12)])
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_doubted_markers_and_misread_plays_accuse_nobody(
    game: str, players: int, options: dict[str, Any], deals: int
) -> None:
    """Now and then a card reads in doubt as one of another pack, and now and then such a card really lies there."""
    for seed in range(deals):
        match, table = opened(game, players, options)
        rng = Random(f"marker {game} {players} {seed}")
        others = sorted({"2H", "3D", "8C", "8D", "9S", "10H", "JOKER", "5C"} - table.whole_pack)
        for event in honest_match(table, rng, 3):
            said = []
            if isinstance(event, Play) and rng.random() < 0.05:
                seat = event.seat if rng.random() < 0.8 else None
                said = match.add(Play(rng.choice(others), seat, confidence=0.5))
            if isinstance(event, Play) and rng.random() < 0.05:
                event = Play(rng.choice(others), event.seat, confidence=0.5)
            assert accusations([*said, *match.add(event)]) == [], (seed, event)


MARKER_AND_TWO = (play("10D", confidence=0.5), *plays_of("7S(0) JC(0)"))
"""A card read in doubt, and two that one seat lays: the first of them might be the second of its trick."""


def test_a_marker_that_a_lifted_card_made_a_play_is_a_marker_again() -> None:
    match = Match("turufu", 2)
    tell(match, deal(1, "3S"), *MARKER_AND_TWO)
    assert match.view.trick_number == 2
    assert alarms(tell(match, {"event": "taken_back", "number": 4})) == []
    assert (match.view.trick_number, match.view.turn, match.view.tricks) == (1, 1, (0, 0))
    assert [shown["card"] for shown in match.view.beside or ()] == ["10D"]
    assert alarms(tell(match, *plays_of("5S(1)"), taken(0), *plays_of("AH(0)"))) == []
    assert (match.view.trick_number, match.view.tricks) == (2, (1, 0))


def test_a_second_card_that_somebody_calls_so_makes_no_marker_a_play() -> None:
    match = Match("turufu", 2)
    tell(match, deal(1, "3S"), *MARKER_AND_TWO)
    tell(match, {"event": "correct", "number": 4, "counts": False})
    assert (match.view.trick_number, match.view.turn, match.view.tricks) == (1, 1, (0, 0))


def test_the_last_card_of_a_deal_is_played_though_a_marker_lies_there() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "7H"), *plays_of("KC(0) QC(1) / KD(0) QD(1) / KS(0) QS(1) / JC(0) AC(1) / JD(0)"))
    told = tell(match, play("3D", confidence=0.5), play("AD"))
    assert only(told, "trick").facts["cards"] == ["JD", "AD"]
    assert match.view.games == (2, 0)


@pytest.mark.parametrize("deals", [6, *slow(12)])
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_a_marker_and_a_second_card_accuse_nobody_of_more(
    game: str, players: int, options: dict[str, Any], deals: int
) -> None:
    """The tricks may be told apart wrongly then: nothing is proven, nobody is out of turn."""
    for seed in range(deals):
        match, table = opened(game, players, options)
        rng = Random(f"second {game} {players} {seed}")
        other = rng.choice(sorted({"2H", "3D", "8C", "9S", "10H"} - table.whole_pack))
        said, laid = list[Notice](), 0
        for event in honest_deal(table, rng, seed % players).events:
            said += match.add(event) if not isinstance(event, Taken) or rng.random() < 0.5 else []
            laid += isinstance(event, Play)
            if isinstance(event, Play) and laid % players and rng.random() < 0.1:
                said += match.add(Play(other, None, confidence=0.5))
                said += match.add(Play(None, event.seat))
        assert set(accusations(said)) <= {"two_from_one_seat", "cards_missing"}, seed


# -- a pillage without the ace -----------------------------------------------------------------------------------------


def pillaged(paid: str | None = None, following: str | None = "8C") -> tuple[Match, list[Notice]]:
    match = Match("pille", 3)
    taking = {"event": "pillage", "seat": 1, "card": "9H"}
    given = {"paid": paid} if paid else {}
    return match, tell(match, deal(2, "9H"), taking | given | ({"next": following} if following else {}))


def test_a_pillage_without_the_ace_is_named_when_another_leads_it() -> None:
    match, notices = pillaged()
    assert alarms(notices) == []
    (told,) = alarms(tell(match, play("AH", 0)))
    assert (told.facts["rule"], told.facts["seat"], told.facts["cards"]) == ("turn_up_changed", 1, ["9H"])
    assert told.facts["first_seen"] == {"seat": 0, "trick": 1}


def test_the_pillagers_own_ace_is_no_fault() -> None:
    match, _ = pillaged()
    assert alarms(tell(match, play("7C", 0), play("AH", 1))) == []


def test_an_ace_in_doubt_or_from_a_list_accuses_no_pillager() -> None:
    for ace in (play("AH", 0, confidence=0.6), play(None, 0, candidates=["AH", "9H"]), play("AH")):
        match, _ = pillaged()
        assert accusations(tell(match, ace)) == []


def test_a_pillage_with_the_ace_still_in_the_talon_is_named() -> None:
    _, notices = pillaged(following="AH")
    assert [notice.facts.get("first_seen") for notice in alarms(notices)] == [{"turn_up": True}]


def test_a_dealer_may_take_the_ace_that_was_turned_up() -> None:
    match = Match("pille", 3)
    taking = {"event": "pillage", "seat": 2, "card": "AH", "next": "9H"}
    again = {"event": "pillage", "seat": 2, "card": "9H", "next": "8C"}
    assert alarms(tell(match, deal(2, "AH"), taking, again, play("7C", 0))) == []


@pytest.mark.parametrize("paid", ["7S", None])
def test_a_hand_that_lay_open_to_its_last_card_held_no_ace(paid: str | None) -> None:
    """With its payment seen too; one that nobody saw may have been the ace."""
    match, _ = pillaged(paid=paid)
    notices = tell(
        match,
        *plays_of(
            "7C(0) KC(1) 9C(2) / KD(1) 7D(2) 8D(0) / QD(1) 9D(2) 10D(0) / AS(1) 8S(2) 9S(0) / 9H(1) KH(2) 10H(0)"
        ),
    )
    assert rules(notices) == (["turn_up_changed"] if paid else [])
