"""The wiring: what the file says holds together, and a file that does not is refused."""

from pathlib import Path

import pytest

from device.machine import wiring
from device.machine.wiring import SOURCE, WiringError, load
from device.outputs.terminal import SIDE_SIGNS


def changed(tmp_path: Path, old: str, new: str) -> Path:
    text = SOURCE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "wiring.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_no_pin_carries_two_wires_in_a_build() -> None:
    for build in load().builds:
        pins = list(load().pins(build).values())
        assert len(pins) == len(set(pins))


def test_the_header_has_each_place_once() -> None:
    places = [*wiring.HEADER.values(), *(place for group in wiring.HEADER_POWER.values() for place in group)]
    assert sorted(places) == list(range(1, 41))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("D = 27", "D = 17", "pin_twice.*suit_lamps C"),
        ("tone = 16", "tone = 18", "left_alone.*PWM audio"),
        ("tone = 16", "tone = 9", "SPI0 MISO"),
        ("tone = 16", "tone = 28", "no_pin.*28"),
        ("A = 5", "A = 19", "PWM audio"),
        ("A = 5", "A = 22", "pin_twice.*suit_lamps H"),
        ("D = 27", "D = 7", "SPI0 CE1"),
        ("sda = 2", "sda = 4", "bus: .*right=2"),
        ("pixels = 24", "pixels = 23", "pixels: .*held=24"),
        ('"1:8"', '"0:8"', "lamp_twice"),
        ('2 = [["bottom"], ["top"]]', '2 = [["bottom"], ["bottom"]]', "seats: players=2"),
        ("data_pin = 2", "data_pin = 24", "no_pico_pin: pin=24"),
    ],
)
def test_a_wrong_file_is_refused_with_its_reason(tmp_path: Path, old: str, new: str, why: str) -> None:
    with pytest.raises(WiringError, match=why):
        load(changed(tmp_path, old, new))


def test_outputs_are_dark_and_buttons_open_at_power_up(tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8").replace("A = 5", "A = 26").replace("S = 26", "S = 5")
    path = tmp_path / "wiring.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WiringError, match="pulled"):
        load(path)


def test_every_lamp_the_games_need_has_a_pixel() -> None:
    panel = load().panel
    lamps = [panel.suit(suit) for suit in "CDHS"]
    lamps += [panel.marker(side, card) for side in (0, 1) for card in ("8", "9", "10", "2", "JOKER")]
    lamps += [pixel for seat in range(6) for pixel in panel.seat(6, seat)]
    assert len(lamps) == len(set(lamps)) == 20
    assert all(0 <= lamp < panel.pixels for lamp in lamps)


def test_the_strip_is_a_snake() -> None:
    panel = load().panel
    assert panel.seat(2, 0) == (2,)
    assert panel.marker(0, "JOKER") == 5
    assert panel.marker(0, "8") == 9
    assert [panel.suit(suit) for suit in "CDHS"] == [10, 11, 12, 13]
    assert panel.seat(2, 1) == (21,)


def test_sides_have_the_signs_of_the_terminal() -> None:
    assert "".join(load().side_signs) == SIDE_SIGNS[: len(load().side_signs)]
    assert len(load().side_shapes) == len(load().side_colours) == len(load().side_signs)


def test_every_number_of_players_has_its_seats() -> None:
    panel = load().panel
    for players in range(2, 7):
        seats = [panel.seat(players, seat) for seat in range(players)]
        assert len({pixel for seat in seats for pixel in seat}) == sum(map(len, seats))
