"""Printed sheets have their true size and nothing outside the paper."""

import re
from xml.etree import ElementTree

import pytest

from hardware import models, optics, printables

NS = "{http://www.w3.org/2000/svg}"


def sheet(name: str) -> ElementTree.Element:
    return ElementTree.fromstring(printables.sheets()[name])


@pytest.mark.parametrize("name", list(printables.sheets()))
def test_a_unit_is_a_millimetre(name: str) -> None:
    root = sheet(name)
    width, height = (float(root.attrib[side].removesuffix("mm")) for side in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}"


@pytest.mark.parametrize("name", list(printables.sheets()))
def test_nothing_lies_outside_the_paper(name: str) -> None:
    root = sheet(name)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for element in root.iter():
        x, y = (float(element.attrib.get(axis, element.attrib.get("c" + axis, 1))) for axis in "xy")
        right, low = x + float(element.attrib.get("width", "0").removesuffix("mm")), y
        if element.tag == NS + "svg":
            continue
        low = y + float(element.attrib.get("height", "0"))
        assert min(x, y) >= 0 and right <= width and low <= height, ElementTree.tostring(element)


@pytest.mark.parametrize("name", ["calibration_card", "seat_tokens"])
def test_home_printed_sheets_are_a4_with_a_ruler_of_100_mm(name: str) -> None:
    root = sheet(name)
    assert (root.attrib["width"], root.attrib["height"]) == ("210mm", "297mm")
    ruler = next(line for line in root.iter(NS + "line") if line.get("id") == "ruler")
    assert float(ruler.attrib["x2"]) - float(ruler.attrib["x1"]) == 100


def test_squares_of_the_card_are_20_mm_and_cards_have_their_size() -> None:
    root = sheet("calibration_card")
    squares = [rectangle for rectangle in root.iter(NS + "rect") if rectangle.get("class") == "square"]
    assert len(squares) == 23
    assert {(element.attrib["width"], element.attrib["height"]) for element in squares} == {("20", "20")}
    poker = next(rectangle for rectangle in root.iter(NS + "rect") if rectangle.get("id") == "poker")
    assert (poker.attrib["width"], poker.attrib["height"]) == ("88.9", "63.5")


@pytest.mark.parametrize("table", [table.name for table in optics.load().tables])
def test_mats_show_what_the_camera_must_see(table: str) -> None:
    root = sheet("mat_" + table.replace(" ", "_"))
    area = next(known for known in optics.load().tables if known.name == table).area_cm
    assert (root.attrib["width"], root.attrib["height"]) == tuple(f"{10 * side:g}mm" for side in area)


def test_seats_on_mats_count_clockwise_from_the_lower_edge() -> None:
    for players in (2, 4, 6):
        places = printables.seat_places(players, 600, 400)
        assert len(set(places)) == players
        assert places[0] == max(places, key=lambda at: at[1])
        # On paper y grows downwards: clockwise seen from above is a positive turn about the middle.
        turns = 0.0
        for (ax, ay), (bx, by) in zip(places, places[1:] + places[:1], strict=True):
            turns += (ax - 300) * (by - 200) - (bx - 300) * (ay - 200)
        assert turns > 0 or players == 2


def test_the_legend_has_the_panels_size_and_a_digit_for_each_marker() -> None:
    root, sizes = sheet("panel_legend"), models.parameters()
    width = sizes["panel_columns"] * sizes["panel_pitch"] + 2 * sizes["panel_margin"]
    assert float(root.attrib["width"].removesuffix("mm")) == pytest.approx(width, abs=0.01)
    words = [text.text or "" for text in root.iter(NS + "text")]
    assert sorted(words) == sorted(2 * ["8", "9", "10", "2", "★"])


def test_side_signs_are_the_sides_shapes() -> None:
    text = printables.seat_tokens()
    assert len(re.findall(r"<circle", text)) == len(re.findall(r"<polygon", text)) == 3


@pytest.mark.parametrize("name", list(printables.sheets()))
def test_words_end_before_the_paper_does(name: str) -> None:
    root = sheet(name)
    width = float(root.attrib["width"].removesuffix("mm"))
    for text in root.iter(NS + "text"):
        long = 0.52 * float(text.attrib["font-size"]) * len(text.text or "")
        x = float(text.attrib["x"]) - (long / 2 if text.attrib["text-anchor"] == "middle" else 0)
        assert x >= 0 and x + long <= width, text.text


def test_the_frames_of_cards_have_the_sizes_written_above_them() -> None:
    frames = {
        rectangle.get("id"): rectangle
        for rectangle in sheet("calibration_card").iter(NS + "rect")
        if rectangle.get("id")
    }
    for kind, size in (("poker", "63.5"), ("bridge", "57.2")):
        assert (frames[kind].attrib["height"], frames[kind].attrib["width"]) == (size, "88.9")
