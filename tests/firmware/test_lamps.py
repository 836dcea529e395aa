"""What the lamps do with a picture as time goes by, and that the strip never asks for more than its limit."""

import tomllib
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from random import Random

from firmware import lamps, protocol
from firmware.lamps import ALERT_MS, BREATH_MS, CHASE_MS, FLASH_MS, FLASHES_MS, LOW, TICKS, PanelLamps
from firmware.protocol import ALERT, BREATHE, CHASE, DARK, FLASH, FLASH_THEN_BREATHE, STEADY

PIXELS, LIMIT_MA = 24, 600
RED = (255, 0, 0)
NOBODY = (DARK, 0, 0, 0)


def one(does: int, colour: tuple[int, int, int] = RED) -> list[tuple[int, int, int, int]]:
    return [(does, *colour), *[NOBODY] * (PIXELS - 1)]


def strip(picture: list[tuple[int, int, int, int]], at_ms: int = 0, brightness: int = 255) -> PanelLamps:
    made = PanelLamps(PIXELS, LIMIT_MA)
    assert made.take(protocol.picture(picture, brightness), at_ms)
    return made


def red_over(made: PanelLamps, times_ms: Iterable[int]) -> list[int]:
    seen = []
    for now_ms in times_ms:
        made.draw(now_ms)
        seen.append(made.rgb[0])
    return seen


def milliamperes(rgb: bytes | bytearray) -> float:
    return len(rgb) // 3 * lamps.DARK_MA + sum(rgb) * lamps.CHANNEL_MA / 255


def test_the_power_figures_are_those_of_the_budget() -> None:
    budget = Path(__file__).resolve().parents[2] / "hardware" / "power.toml"
    strip = tomllib.loads(budget.read_text(encoding="utf-8"))["strip"]
    assert (strip["dark_ma"], strip["channel_ma"]) == (lamps.DARK_MA, lamps.CHANNEL_MA)


def test_no_picture_asks_for_more_than_the_limit() -> None:
    rng = Random(1)
    made = PanelLamps(PIXELS, LIMIT_MA)
    pictures = [[(STEADY, 255, 255, 255)] * PIXELS]

    def light() -> tuple[int, int, int, int]:
        return rng.randrange(256), rng.randrange(256), rng.randrange(256), rng.randrange(256)

    pictures += [[light() for _ in range(PIXELS)] for _ in range(200)]
    for picture in pictures:
        now_ms = rng.randrange(TICKS)
        assert made.take(protocol.picture(picture), now_ms)
        for draw in (made.draw, made.draw_host_lost, made.draw_mismatch):
            draw(now_ms)
            assert milliamperes(made.rgb) <= LIMIT_MA
    full = strip(pictures[0])
    full.draw(0)
    assert milliamperes(full.rgb) > 0.97 * LIMIT_MA, "dimmed more than it must be"


def test_dimming_keeps_the_colours() -> None:
    made = strip([(STEADY, 200, 100, 50)] * PIXELS)
    made.draw(0)
    red, green, blue = made.rgb[:3]
    assert red < 200
    assert abs(red - 2 * green) <= 2
    assert abs(green - 2 * blue) <= 2


def test_a_turn_breathes_and_never_goes_out() -> None:
    seen = red_over(strip(one(BREATHE)), range(0, BREATH_MS, 10))
    assert min(seen) == LOW
    assert max(seen) >= 250
    assert max(abs(a - b) for a, b in pairwise(seen)) < 10, "it jumps"


def test_a_winner_flashes_four_times_and_then_rests() -> None:
    seen = red_over(strip(one(FLASH | 3 << 4)), range(0, 2 * FLASHES_MS, 10))
    flashes = sum(before == 0 and after == 255 for before, after in zip([0, *seen], seen, strict=False))
    assert flashes == FLASHES_MS // FLASH_MS // 2
    assert set(seen[FLASHES_MS // 10 :]) == {LOW}


def test_the_same_winner_told_again_does_not_flash_again() -> None:
    made = strip(one(FLASH_THEN_BREATHE | 3 << 4))
    made.draw(FLASHES_MS)
    assert made.take(protocol.picture(one(FLASH | 3 << 4)), FLASHES_MS + 100)
    assert set(red_over(made, range(FLASHES_MS + 100, 3 * FLASHES_MS, 50))) == {LOW}
    assert made.take(protocol.picture(one(FLASH | 4 << 4)), 4 * FLASHES_MS)
    assert 255 in red_over(made, range(4 * FLASHES_MS, 5 * FLASHES_MS, 50))


def test_a_flash_over_the_place_where_ticks_go_round() -> None:
    made = strip(one(FLASH | 1 << 4), TICKS - 300)
    seen = red_over(made, [now % TICKS for now in range(TICKS - 300, TICKS + 2 * FLASHES_MS, 10)])
    assert seen[:20] == [255] * 20
    assert set(seen[-50:]) == {LOW}


def test_an_alert_blinks_below_three_a_second() -> None:
    seen = red_over(strip(one(ALERT)), range(0, 1000, 10))
    assert set(seen) == {0, 255}
    assert 1000 / (2 * ALERT_MS) <= 3


def test_a_question_goes_round() -> None:
    picture = [(CHASE | (16 * place // 6) << 4, 60, 60, 60) if place < 6 else NOBODY for place in range(PIXELS)]
    made = strip(picture)
    order: list[int] = []
    for now_ms in range(0, CHASE_MS, 10):
        made.draw(now_ms)
        brightest = max(range(6), key=lambda at: made.rgb[3 * at])
        if not order or order[-1] != brightest:
            order.append(brightest)
    assert order in ([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 0])


def test_brightness_is_of_everything() -> None:
    made = strip(one(STEADY), brightness=100)
    made.draw(0)
    assert made.rgb[0] == 100


def test_what_is_no_picture_for_this_strip_changes_nothing() -> None:
    made = strip(one(STEADY))
    whole = protocol.picture(one(DARK))
    for wrong in (b"", whole[:-1], whole + b"x", protocol.picture([NOBODY] * 23), bytes((0, 255, 23)) + whole[3:]):
        assert not made.take(wrong, 0)
    made.draw(0)
    assert made.rgb[0] == 255
