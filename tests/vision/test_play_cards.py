"""The simulated card table: it shows what the events say, knows when, and every mess leaves the truth alone."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from device.cameras.simulated import SimulatedCamera
from engine.events import Deal, Event, Play, Taken, TakenBack, VoidDeal
from engine.match import Match
from engine.notices import ALERT
from engine.rules.tricks import TrickGame
from engine.rules.triomphe import pille, triomphe
from engine.rules.turufu import turufu
from engine.simulate import honest_deal, honest_match, plant, plantable
from tests.engine.table import confirming, rules
from tests.sizes import slow
from vision.cards.reader import CardReader
from vision.frame import Frame
from vision.synthetic.decks import plain_deck, varied_deck
from vision.synthetic.play_cards import DrawnCardTable
from vision.synthetic.play_mess import CALM, HOUSE, MARKET, WIDE, Mess
from vision.synthetic.play_render import CameraView
from vision.synthetic.play_script import evening

SMALL = (160, 120)


def played(table: DrawnCardTable, events: Sequence[Event]) -> list[Frame]:
    return list(table.play(events))


def unseen(table: DrawnCardTable, events: Sequence[Event]) -> None:
    """Plays without drawing a frame: all that happens, and quickly."""
    table.skip_until_s = float("inf")
    assert not list(table.play(events))


def table_of(game: TrickGame, seed: int = 1, mess: Mess = CALM, fps: float = 2.0) -> DrawnCardTable:
    # Two frames a second are enough to see what happens, and keep these tests short.
    return DrawnCardTable(game, seed, size=SMALL, mess=mess, fps=fps)


@pytest.mark.parametrize("game", [turufu(4, {}), triomphe(4, {"teams": "sides"}), pille(3, {})], ids=lambda g: g.name)
def test_the_truth_is_what_was_given_in_the_order_of_time(game: TrickGame) -> None:
    table = table_of(game)
    events = honest_match(game, Random(2), 2)
    unseen(table, events)
    assert [told.event for told in table.truth] == events
    times = [told.at_s for told in table.truth]
    assert times == sorted(times)
    assert all(told.clear_s >= told.at_s for told in table.truth if isinstance(told.event, Play))


def test_frames_follow_each_other_by_the_step_of_the_clock() -> None:
    frames = played(table_of(turufu(4, {})), [Deal("7H", 0)])
    assert [frame.at_s for frame in frames] == pytest.approx(list(np.arange(len(frames)) / 2))


def test_between_two_plays_nothing_moves_for_long_enough() -> None:
    game = turufu(4, {})
    table = DrawnCardTable(game, 3, size=SMALL, fps=10.0)
    frames = played(table, honest_deal(game, Random(3), 0).events[:6])
    plays = [told for told in table.truth if isinstance(told.event, Play)]
    grain = float(np.abs(frames[0].image.astype(int) - frames[1].image).mean())
    for before, after in pairwise(plays):
        still = [frame.image for frame in frames if before.clear_s < frame.at_s < before.clear_s + 0.6]
        assert len(still) >= 5
        changes = [float(np.abs(a.astype(int) - b).mean()) for a, b in pairwise(still)]
        assert max(changes) < 1.5 * grain
        assert after.at_s > before.clear_s + 0.6


@pytest.mark.parametrize("rule", plantable(turufu(4, {})))
def test_every_planted_fault_can_be_played(rule: str) -> None:
    game = turufu(4, {})
    table = table_of(game)
    events = plant(rule, game, Random(4), 1)
    unseen(table, events)
    assert [told.event for told in table.truth] == events


@pytest.fixture(scope="module")
def short_play() -> list[Event]:
    """A trick of six and the next one begun, then everything is gathered."""
    return [*honest_deal(turufu(6, {}), Random(5), 2).events[:10], VoidDeal()]


@pytest.fixture(scope="module")
def calm(short_play: list[Event]) -> list[Frame]:
    return played(table_of(turufu(6, {}), seed=6, fps=1.0), short_play)


AT_EVERY_RUN = ("lingers", "scatters", "gathered_by_others")
MESSES = [field.name if field.name in AT_EVERY_RUN else slow(field.name)[0] for field in fields(Mess)]


@pytest.mark.parametrize("mess", MESSES)
def test_no_mess_alone_changes_what_happened(mess: str, short_play: list[Event], calm: list[Frame]) -> None:
    table = table_of(turufu(6, {}), seed=6, mess=Mess(**{mess: 1.0}), fps=1.0)
    frames = played(table, short_play)
    given = [told.event for told in table.truth]
    assert given == short_play or (mess == "take_backs" and [part for part in given if isinstance(part, TakenBack)])
    assert len(frames) != len(calm) or any(
        not np.array_equal(a.image, b.image) for a, b in zip(frames, calm, strict=True)
    )


@pytest.mark.parametrize("mess", [WIDE, MARKET], ids=["wide", "market"])
@pytest.mark.parametrize("game", [turufu(2, {}), turufu(6, {}), pille(3, {})], ids=lambda g: f"{g.name}{g.players}")
def test_at_no_wide_table_the_truth_is_lost(game: TrickGame, mess: Mess) -> None:
    for seed in range(4):
        table = table_of(game, seed, mess)
        events = evening(game, Random(seed), 2)
        unseen(table, events)
        given = [event.event for event in table.truth if not isinstance(event.event, TakenBack)]
        taken_back = len(table.truth) - len(given)
        assert len(given) == len(events) + taken_back
        assert [event for event in events if event in given] == list(events)
        assert [event.at_s for event in table.truth] == sorted(event.at_s for event in table.truth)


def test_wide_tables_have_other_decks_stocks_and_frame_rates() -> None:
    tables = [DrawnCardTable(turufu(4, {}), seed, SMALL, WIDE) for seed in range(12)]
    assert len({table.stage.fps for table in tables}) > 2
    assert len({table.places.stock for table in tables}) == 12
    for table in tables:
        far = np.hypot(*np.subtract(table.places.stock, table.places.trick)) / table.places.card_px
        assert 2 < far < 5


def test_a_deck_with_big_indices_has_them_where_it_says() -> None:
    deck, plain = varied_deck(1.8, True, (230, 240, 255)), plain_deck()
    assert len(deck.indices("7H")) == 4
    assert deck.index.height == pytest.approx(1.8 * plain.index.height)
    for x, y, height, _ in deck.indices("7H"):
        box = deck.pictures["7H"][int(y - height / 2) : int(y + height / 2), int(x - 30) : int(x + 30)]
        red = (box[..., 2].astype(int) - box[..., 1] > 80).mean()
        assert red > 0.15


def test_cards_close_to_the_stock_cover_neither_it_nor_the_card_turned_up() -> None:
    game = turufu(4, {})
    near = replace(CALM, stock_anywhere=1.0, beside_stock=1.0)
    for seed in range(6):
        table = table_of(game, seed, near)
        unseen(table, honest_deal(game, Random(seed), 0).events[:4])
        stage = table.stage
        stock = [stage[thing].at for thing in stage.all("stock", "turn_up")]
        for number in stage.all("trick"):
            apart = min(float(np.hypot(*np.subtract(stage[number].at, at))) for at in stock)
            assert apart > 1.2 * table.places.card_px


def test_a_card_taken_back_by_itself_is_in_the_truth_and_alerts_nobody() -> None:
    game = turufu(4, {})
    table = table_of(game, mess=Mess(take_backs=0.4))
    unseen(table, honest_match(game, Random(8), 2))
    assert any(isinstance(told.event, TakenBack) for told in table.truth)
    match = Match("turufu", 4)
    for told in table.truth:
        assert not [notice for notice in match.add(told.event) if notice.level == ALERT]


def test_the_same_seed_draws_the_same_frames_and_another_seed_does_not() -> None:
    game = turufu(2, {})
    events = honest_deal(game, Random(1), 0).events[:5]
    first, same, other = (played(table_of(game, seed, HOUSE), events) for seed in (1, 1, 2))
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, same, strict=True))
    assert not np.array_equal(first[0].image, other[0].image)


def test_markers_for_lost_games_come_to_lie_in_front_of_the_side_that_lost() -> None:
    game = turufu(4, {})
    table = table_of(game, mess=Mess(markers=1.0))
    events = honest_match(game, Random(9), 3)
    third = max(number for number, event in enumerate(events) if isinstance(event, Deal))
    match = Match("turufu", 4)
    for event in events[:third]:
        match.add(event)
    unseen(table, events[: third + 1])
    lost = [len(markers) for markers in match.view.to_dict()["markers"]]
    assert sum(lost) > 0
    assert len(table.stage.all("marker")) == sum(lost)


def test_a_camera_that_is_knocked_sees_everything_shifted() -> None:
    game = turufu(4, {})
    table = table_of(game)
    still = played(table, honest_deal(game, Random(1), 0).events[:2])[-1].image
    table.stage.look_from(CameraView((12.0, 0.0)))
    moved = next(table.stage.frames(table.stage.now_s + 1)).image
    apart = np.abs(moved[:, 12:].astype(int) - still[:, :-12])
    assert float(apart.mean()) < 4 < float(np.abs(moved.astype(int) - still).mean()) + 4


def test_the_camera_gives_every_frame_when_time_does_not_matter_and_then_no_more() -> None:
    game = turufu(4, {})
    events = honest_deal(game, Random(1), 0).events[:2]
    camera = SimulatedCamera(table_of(game), events, real_time=False)
    frames = []
    while (frame := camera.frame()) is not None:
        frames.append(frame)
    assert len(frames) == len(played(table_of(game), events))
    camera.close()
    camera.close()
    assert camera.frame() is None


def test_in_real_time_frames_that_nobody_had_time_for_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    ours = SimpleNamespace(monotonic=lambda: clock[0], sleep=lambda s: clock.__setitem__(0, clock[0] + s))
    monkeypatch.setattr("device.cameras.simulated.time", ours)  # A thread of another test may sleep meanwhile.
    game = turufu(4, {})
    camera = SimulatedCamera(table_of(game), honest_deal(game, Random(1), 0).events[:2])
    first = camera.frame()
    clock[0] += 1.7
    late = camera.frame()
    assert first is not None and late is not None
    assert first.at_s == 100.0
    assert late.at_s == 102.0
    assert clock[0] == 102.0


def readable(table: DrawnCardTable, frames: list[Frame], reader: CardReader) -> tuple[int, int, int]:
    """Cards that show a whole index on a complete trick, those of them read, and wrong names."""
    shown = read = wrong = 0
    for told in table.truth:
        if isinstance(told.event, Taken):
            before = [event for event in table.truth if event.at_s < told.at_s and isinstance(event.event, Play | Deal)]
            trick = {event.event.card for event in before[-table.game.players :] if isinstance(event.event, Play)}
            frame = next(frame for frame in frames if frame.at_s > before[-1].clear_s)
            names = {seen.card for seen in reader.read(frame.image).cards}
            turn_up = next(event.event.turn_up for event in table.truth if isinstance(event.event, Deal))
            shown, read, wrong = shown + len(trick), read + len(trick & names), wrong + len(names - trick - {turn_up})
    return shown, read, wrong


@pytest.mark.slow
def test_the_real_reader_reads_the_drawn_tricks(reader: CardReader) -> None:
    game = triomphe(4, {})
    table = DrawnCardTable(game, 5, size=(960, 720), deck=plain_deck(), fps=5.0)
    frames = played(table, honest_deal(game, Random(5), 0).events[:11])
    shown, read, wrong = readable(table, frames, reader)
    assert shown == 8
    assert read == 8
    assert not wrong


@pytest.mark.slow
def test_the_real_reader_reads_nearly_every_card_of_many_tables(reader: CardReader) -> None:
    total = np.zeros(3, int)
    for seed in range(12):
        game = turufu((2, 4, 6)[seed % 3], {})
        table = DrawnCardTable(game, seed, size=(960, 720), fps=5.0)
        frames = played(table, honest_deal(game, Random(seed), 0).events)
        total += readable(table, frames, reader)
    assert total[1] >= 0.98 * total[0]
    assert not total[2]


@pytest.mark.parametrize("rule", ["two_from_one_seat", "wrong_leader", "cards_missing"])
def test_an_evening_with_one_fault_is_one_log_that_says_so(rule: str) -> None:
    match = Match("turufu", 4)
    events = evening(turufu(4, {}), Random(3), 3, rule)
    assert rule in rules(confirming(match, events))
    table = table_of(turufu(4, {}))
    unseen(table, events)
    assert [told.event for told in table.truth] == list(events)
