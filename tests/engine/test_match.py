"""The match as the fold of its log: undo, correct, confirm, replay, journal."""

import json
import zlib
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import Choose, Confirm, Deal, EventError, Play, Undo, event_to_dict, parse_event
from engine.games import card_tables
from engine.journal import JournalError, event_line, header_line, match_lines, read_journal, without_names
from engine.match import Match
from engine.options import OptionError
from engine.playing import game_of
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal, plant, plantable
from tests.engine.table import deal, only, play, rules, suspected, tell

TABLES = card_tables()
BY_CARDS = [(name, players) for name, players in TABLES if game_of(name, players).all_points and name != "belote"]
"""Where a deal is worth what its cards are, and nothing more."""


def fresh(table: tuple[str, int]) -> tuple[Match, Any]:
    match = Match(*table)
    assert isinstance(match.judge, CardJudge)
    return match, match.judge.game


def some_deal(game: Any, seed: int) -> list[Any]:
    """A deal, honest or with any fault in it."""
    rng = Random(seed)
    kind = rng.choice(["honest", *plantable(game)])
    if kind == "honest":
        return list(honest_deal(game, rng, 0, revoke_chance=0.1).events)
    return plant(kind, game, rng, 0)


@given(st.sampled_from(TABLES), st.integers(0, 10_000), st.integers(1, 30))
@settings(deadline=None, max_examples=30)
def test_undo_restores_the_view(table: tuple[str, int], seed: int, back: int) -> None:
    match, game = fresh(table)
    views = [match.view]
    for event in some_deal(game, seed):
        match.add(event)
        views.append(match.view)
    for count in range(1, min(back, len(views) - 1) + 1):
        match.add({"event": "undo"})
        assert match.view == views[-1 - count]


@given(st.sampled_from(TABLES), st.integers(0, 10_000), st.data())
@settings(deadline=None, max_examples=12)
def test_correcting_equals_playing_it_right(table: tuple[str, int], seed: int, data: st.DataObject) -> None:
    right, game = fresh(table)
    wrong, _ = fresh(table)
    events = some_deal(game, seed)
    plays = [place for place, event in enumerate(events) if isinstance(event, Play)]
    place = data.draw(st.sampled_from(plays))
    misread = data.draw(st.sampled_from(game.pack))
    for number, event in enumerate(events):
        right.add(event)
        wrong.add(Play(misread, event.seat, event.confidence, event.before_taken) if number == place else event)
    true = events[place]
    wrong.add({"event": "correct", "number": place + 1, "card": true.card})
    assert wrong.view == right.view
    assert sorted(map(repr, wrong.notices)) == sorted(map(repr, right.notices))


def test_a_card_after_a_deal_that_a_misreading_filled_counts_once_that_is_corrected() -> None:
    right, game = fresh(("triomphe", 2))
    wrong, _ = fresh(("triomphe", 2))
    events = plant("not_in_pack", game, Random(1054), 0)
    strange, laid = next(
        (n, event) for n, event in enumerate(events) if isinstance(event, Play) and event.card not in game.whole_pack
    )
    known = {event.card for event in events if isinstance(event, Play)} | {
        event.turn_up for event in events if isinstance(event, Deal)
    }
    misread = next(card for card in game.pack if card not in known)
    said = []
    for number, event in enumerate(events):
        right.add(event)
        said += wrong.add(Play(misread, laid.seat) if number == strange else event)
    assert "one_too_many" in [notice.facts.get("why") for notice in said]
    wrong.add({"event": "correct", "number": strange + 1, "card": laid.card})
    assert wrong.view == right.view
    assert sorted(map(repr, wrong.notices)) == sorted(map(repr, right.notices))


@given(st.sampled_from(TABLES), st.integers(0, 10_000), st.data())
@settings(deadline=None, max_examples=12)
def test_a_replayed_journal_gives_the_identical_view(table: tuple[str, int], seed: int, data: st.DataObject) -> None:
    match, game = fresh(table)

    def attempt(event: Any) -> None:
        with suppress(EventError):
            match.add(event)

    for event in some_deal(game, seed):
        attempt(event)
        if isinstance(event, Play) and data.draw(st.integers(0, 9)) == 0:
            attempt({"event": "undo"})
            attempt(event)
        if isinstance(event, Play) and data.draw(st.integers(0, 9)) == 0:
            number = data.draw(st.integers(1, len(match.log)))
            attempt({"event": "correct", "number": number, "card": data.draw(st.sampled_from(game.pack))})
    again = read_journal("\n".join(match_lines(match)) + "\n").replay()
    assert again.view == match.view
    assert again.notices == match.notices
    assert again.log == match.log


@given(
    st.sampled_from(BY_CARDS),
    st.integers(0, 10_000),
)
@settings(deadline=None, max_examples=30)
def test_cards_and_points_are_conserved(table: tuple[str, int], seed: int) -> None:
    match, game = fresh(table)
    for event in honest_deal(game, Random(seed), 0).events:
        match.add(event)
        points = match.view.points
        assert points is not None
        assert sum(points) <= 120  # type: ignore[arg-type]
    assert sum(match.view.points or ()) == 120  # type: ignore[arg-type]
    assert sum(match.view.tricks or ()) == game.tricks  # type: ignore[arg-type]


def four() -> Match:
    match = Match("turufu", 4)
    tell(match, deal(3, "3S"), play("AH"), play("3H"), play("4H"))
    return match


def test_undo_takes_a_correction_back_first() -> None:
    match = four()
    tell(match, {"event": "correct", "number": 2, "card": "KH"}, {"event": "undo"})
    assert [shown["card"] for shown in match.view.trick or ()] == ["AH", "3H", "4H"]
    tell(match, {"event": "undo"})
    assert [shown["card"] for shown in match.view.trick or ()] == ["AH", "3H"]


def test_nothing_left_to_undo() -> None:
    match = Match("turufu", 4)
    with pytest.raises(EventError, match="nothing_to_undo"):
        match.add({"event": "undo"})


def test_a_correction_brings_the_alert_that_was_missed() -> None:
    match = four()
    assert rules(tell(match, {"event": "correct", "number": 4, "card": "AH"})) == ["seen_before"]
    news = tell(match, {"event": "correct", "number": 4, "card": "5H"})
    assert rules(news) == []
    assert rules(match.notices) == []


def test_a_correction_that_takes_the_meaning_of_a_later_event_sets_it_aside() -> None:
    """The misread that invented a revoke is mended, though its penalty was answered; undo brings both back."""
    match = Match("triomphe", 2, {"penalty": "point"})
    tell(match, deal(1, "8S"), *(play(card, place % 2) for place, card in enumerate(("KD", "7C", "KC", "7D", "KH"))))
    tell(match, {"event": "choose", "question": 6, "answer": "yes"})
    assert match.view.games == (1, 0)
    notices = tell(match, {"event": "correct", "number": 5, "card": "8C"})
    assert only(notices, "set_aside").facts == {"number": 7}
    assert match.view.games == (0, 0)
    tell(match, {"event": "undo"})
    assert match.view.games == (1, 0)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({"event": "correct", "number": 9, "card": "AH"}, "no_event_yet: number=9"),
        ({"event": "correct", "number": 2, "card": "1H"}, "not_a_card"),
        ({"event": "correct", "number": 2, "colour": "red"}, "unknown_field"),
        ({"event": "correct", "number": 2}, "correct_nothing"),
        ({"event": "confirm", "number": 7}, "no_event_yet: number=7"),
    ],
)
def test_impossible_corrections(event: dict[str, Any], message: str) -> None:
    with pytest.raises(EventError, match=message):
        four().add(event)


def test_an_undone_event_cannot_be_corrected() -> None:
    match = four()
    tell(match, {"event": "undo"})
    with pytest.raises(EventError, match="does_not_stand"):
        match.add({"event": "correct", "number": 4, "card": "5H"})
    with pytest.raises(EventError, match="not_of_the_game"):
        match.add({"event": "correct", "number": 5, "card": "5H"})


def test_old_states_are_dropped_and_undo_and_correct_still_reach_them() -> None:
    match, game = fresh(("turufu", 6))
    rng = Random(1)
    dealer = 0
    while len(match.log) < 700:
        for event in honest_deal(game, rng, dealer).events:
            match.add(event)
        dealer = (dealer + 1) % 6
    kept = sum(entry.state is not None for entry in match._entries)
    assert kept < 256 + 700 / 16 + 2
    view = match.view
    tell(match, {"event": "correct", "number": 40, "seat": match.log[39].seat})  # type: ignore[union-attr]
    assert match.view == view
    for _ in range(400):
        match.add({"event": "undo"})
    assert match.view == read_journal("\n".join(match_lines(match)) + "\n").replay().view


def test_a_journal_that_an_editor_gave_other_line_ends_is_read() -> None:
    match = fresh(("turufu", 2))[0]
    match.add(deal(0, "3S"))
    text = "\r\n".join(match_lines(match)) + "\r\n"
    assert read_journal(text).replay().log == match.log


def test_events_read_and_write_the_same() -> None:
    game = fresh(("pille", 3))[1]
    for seed in range(20):
        for event in some_deal(game, seed):
            assert parse_event(json.loads(json.dumps(event_to_dict(event)))) == event


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("play", "not_an_event"),
        ({"event": "dance"}, "unknown_event: value='dance'"),
        ({"event": "play"}, "missing_field: name='play', field='card'"),
        ({"event": "play", "card": "11H"}, "not_a_card"),
        ({"event": "play", "card": "AH", "seat": -1}, "not_a_seat"),
        ({"event": "play", "card": "AH", "seat": True}, "not_a_seat"),
        ({"event": "play", "card": "AH", "confidence": 2}, "not_a_confidence"),
        ({"event": "play", "card": "AH", "colour": 1}, "unknown_field: name='play', value='colour'"),
        ({"event": "board", "pits": [[1, 2], [1]]}, "not_rows"),
        ({"event": "board", "pits": [[-1] * 8] * 4}, "not_a_count"),
        ({"event": "board"}, "pits_or_likelihood"),
        ({"event": "board", "likelihood": [[{"x": 1}] * 8] * 4}, "not_a_count"),
        ({"event": "board", "likelihood": [[{"1" * 5000: 1}] * 8] * 4}, "not_a_count"),
        ({"event": "board", "likelihood": [[{"1": 0}] * 8] * 4}, "no_likelihood"),
        ({"event": "taken_back", "number": 0}, "not_a_number"),
        ({"event": "choose", "question": 1, "answer": 5}, "not_an_answer"),
    ],
)
def test_what_is_not_an_event(raw: Any, message: str) -> None:
    with pytest.raises(EventError, match=message):
        parse_event(raw)


def test_unknown_games_and_options() -> None:
    for game, players, options, message in (
        ("whist", 4, {}, "unknown_game"),
        ("turufu", 5, {}, "players: game='turufu'"),
        ("turufu", 4, {"folow": "never"}, "unknown_option: name='folow'"),
        ("turufu", 4, {"follow": "sometimes"}, "option_value: name='follow', value='sometimes'"),
        ("triomphe", 7, {}, "players: game='triomphe'"),
    ):
        with pytest.raises(OptionError, match=message):
            Match(game, players, options)


# -- journals ------------------------------------------------------------------------------------------------------


def journal_of(match: Match) -> str:
    return "\n".join(match_lines(match)) + "\n"


def test_a_journal_cut_anywhere_keeps_every_whole_line() -> None:
    match = four()
    text = journal_of(match)
    first = text.index("\n") + 1
    for cut in range(first, len(text)):
        journal = read_journal(text[:cut])
        whole = text[:cut].count("\n") - 1
        complete = text[cut : cut + 1] == "\n"  # all of the line but its end
        assert len(journal.entries) == whole + complete
        assert (journal.torn is None) == (complete or text[cut - 1] == "\n")
        assert len(journal.replay().log) == len(journal.entries)


def test_a_changed_line_is_named() -> None:
    text = journal_of(four())
    with pytest.raises(JournalError, match=r"number=3.*checksum"):
        read_journal(text.replace('"AH"', '"KH"'))


def test_a_removed_line_is_named() -> None:
    lines = journal_of(four()).split("\n")
    with pytest.raises(JournalError, match=r"number=3.*line_gone: event=2, found=3"):
        read_journal("\n".join([*lines[:2], *lines[3:]]))


def test_a_line_without_its_checksum_is_named() -> None:
    lines = journal_of(four()).split("\n")
    lines[2] = lines[2][: lines[2].index(',"crc"')] + "}"
    with pytest.raises(JournalError, match=r"number=3.*no_checksum"):
        read_journal("\n".join(lines))


def test_damage_in_the_middle_is_not_dropped_in_silence() -> None:
    lines = journal_of(four()).split("\n")
    lines[2] = lines[2][:10]
    with pytest.raises(JournalError, match=r"number=3.*no_json"):
        read_journal("\n".join(lines))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        ('{"event":"play"}\n', "no_journal"),
        ('{"hisabu":99,"game":"turufu","players":4}\n', "newer"),
        ('{"hisabu":1,"game":"whist","players":4}\n', "unknown_game"),
        ('{"hisabu":1,"players":4}\n', "no_header"),
        ('{"hisabu":1,"game":"turufu","players":4,"options":[]}\n', "odd_header"),
        ("[1]\n", "not_an_object"),
        ("[" * 100_000 + "\n", "no_json"),
        ('{"hisabu":0,"game":"turufu","players":4}\n', "no_format: version=0"),
    ],
)
def test_bad_headers(text: str, message: str) -> None:
    with pytest.raises(JournalError, match=message):
        read_journal(text).open_match()


def test_an_answer_to_what_an_older_judge_asked_is_set_aside() -> None:
    match = Match("triomphe", 2)
    tell(match, deal(1, "8S"), play("KD", 0))
    lines = [*match_lines(match), event_line(3, Choose(2, "yes")), event_line(4, Confirm(2)), event_line(5, Undo())]
    again = read_journal("".join(line + "\n" for line in lines)).replay()
    assert [notice.code for notice in again.notices] == ["set_aside"]
    assert again.view.to_dict() == match.view.to_dict() and len(again.log) == 5
    again.add(Undo())
    assert again.notices == [] and again.can_undo
    with pytest.raises(EventError, match="choose_none"):
        match.add(Choose(2, "yes"))


def test_a_typed_journal_needs_no_checksum() -> None:
    typed = '{"hisabu":1,"game":"turufu","players":4}\n{"event":"deal","dealer":3,"turn_up":"3S"}\n'
    match = read_journal(typed + '{"number":2,"event":"play","card":"AH"}\n').replay()
    assert match.view.turn == 1


def test_who_played_is_never_in_a_journal() -> None:
    match = Match("turufu", 2, {"double_below": 20}, seats=("Zaïna", "Ali"))
    line = header_line(match.header, "ab12")
    assert "Ali" not in line
    journal = read_journal(line + "\n")
    assert (journal.header.seats, journal.header.options["double_below"]) == ((), 20)
    assert journal.open_match(("Zaïna", "Ali")).header.seats == ("Zaïna", "Ali")


def test_an_older_journal_had_the_names_in_its_header_and_can_lose_them() -> None:
    old = '{"hisabu":1,"game":"turufu","players":2,"options":{"double_below":20},"seats":["Zaïna","Ali"]'
    sealed = zlib.crc32((old + "}").encode())
    old += f',"crc":"{sealed:08x}"}}'
    assert read_journal(old + "\n").open_match(("other", "names")).header.seats == ("Zaïna", "Ali")
    fresh = without_names(old, "ab12")
    assert "Ali" not in fresh and '"id":"ab12"' in fresh
    assert read_journal(fresh + "\n").header.options["double_below"] == 20


def test_an_event_that_speaks_of_another_keeps_both_numbers() -> None:
    line = json.loads(event_line(9, parse_event({"event": "taken_back", "number": 4})))
    assert (line["number"], line["about"]) == (9, 4)


def test_a_play_is_confirmed_after_the_next_deal() -> None:
    """The card in doubt was as it was read: the deal that hung on it is scored, and the match with it."""
    match = Match("triomphe", 2)
    cards = ["KC", "7C", "QC", "8C", "9D", "10D", "KH", "9H", "KS", "QS"]
    seats = [0, 1, 0, 1, 0, 1, 1, 0, 1, 0]
    for event in [deal(1, "7D"), *(play(card, seat) for card, seat in zip(cards, seats, strict=True))]:
        match.add(event | ({"confidence": 0.6} if event.get("card") == "KS" else {}))
    assert match.view.games == (0, 0)
    match.add(deal(0, "8H"))
    match.add(play("KC", 1))
    assert "corrected" in [notice.code for notice in match.add({"event": "confirm", "number": 10})]
    assert match.view.games == (0, 1)
    match.add({"event": "undo"})
    assert match.view.games == (0, 0)


def test_where_a_trick_came_to_rest_is_confirmed_later() -> None:
    match = Match("turufu", 4)
    for event in (deal(3, "3S"), play("KH", 0), play("4H", 1), play("6H", 2), play("3H", 3)):
        match.add(event)
    match.add({"event": "taken", "seat": 1, "confidence": 0.5})
    match.add(play("AD", 0))
    told = match.add({"event": "confirm", "number": 6})
    assert rules(told) == [] and match.view.question is not None
    assert match.view.question["about"] == "taken"  # Or another trick went by unseen, and he won that.
    assert suspected(match.add({"event": "choose", "question": 6, "answer": "yes"})) == ["taken_by_wrong_side"]
