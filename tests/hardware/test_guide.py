"""The guide says what the data says: tables fresh, pins those of the code, parts used and bought the same."""

import dataclasses
import json
import re

import pytest

from device.machine.wiring import load as load_wiring
from hardware import boards, build, diagrams, guide, models, parts, pictures, printables, reaches

TEXT = guide.README.read_text(encoding="utf-8")
HERE = guide.README.parent


def section(build_name: str) -> str:
    """A build's chapter, without its generated tables."""
    heading = "Build 0" if build_name == "laptop" else f"{build_name.capitalize()} build"
    chapter = re.search(rf"^## {heading}$(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL)
    assert chapter is not None
    return guide.BLOCK.sub("", chapter[1])


def used(build_name: str) -> set[str]:
    """References in a chapter's steps and in its diagrams."""
    text = section(build_name)
    found = set(re.findall(r"`([A-Z]\d{1,2})`", text))
    if build_name == "laptop":
        return found
    sources = diagrams.sources()
    drawn = sources[build_name] + (sources["panel"] if load_wiring().builds[build_name].panel else "")
    surge = {"Q1"}  # told once for all builds
    return (
        found
        | surge
        | set(re.findall(r"^  ([A-Z]\d{1,2}):$", drawn, re.MULTILINE))
        | set(re.findall(r"\b(R4|R5|C1|C2)\b", drawn))
    )


def test_everything_made_from_data_is_fresh() -> None:
    stale = [path.name for path, text in build.texts().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, "run python hardware/build.py"


def test_the_guide_shows_every_table() -> None:
    assert set(guide.tables_in(TEXT)) == set(guide.TABLES)


def test_of_every_main_part_with_a_substitute_all_that_changes_is_told() -> None:
    listed = {part.ref: part for part in parts.load()}
    told = {(build, one.ref) for one in parts.substitutes() for build in one.builds}
    by_name = [part for part in listed.values() if part.ref[0] in "ABDV" and part.substitute]
    # A sort of card, and a Pico of the same shape, change nothing else.
    missing = {(b, part.ref) for part in by_name if part.ref not in ("A4", "A5") for b in part.builds} - told
    assert not missing
    for one in parts.substitutes():
        assert set(one.take) <= set(listed) and not set(one.take) & {one.ref, *one.leave_out}
        for name in one.builds:
            assert all(name in listed[ref].builds for ref in (one.ref, *one.leave_out)), one


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert "://" in target or (HERE / target).exists(), target
    headings = {
        re.sub(r"[^\w -]", "", h).strip().lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", TEXT, re.M)
    }
    for anchor in re.findall(r"\]\(#([^)]+)\)", TEXT):
        assert anchor in headings, anchor


def test_every_picture_is_shown_and_every_shown_picture_is_there() -> None:
    shown = set(re.findall(r"\((pictures/\w+\.png)\)", TEXT))
    there = {f"pictures/{path.name}" for path in (HERE / "pictures").glob("*.png")}
    assert shown == there


@pytest.mark.parametrize(
    "order", [pictures.STAND_ORDER, pictures.CASE_ORDER, pictures.WOOD_ORDER, pictures.PANEL_ORDER]
)
def test_the_numbers_in_the_pictures_are_explained(order: tuple[str, ...]) -> None:
    assert pictures.legend(order) in TEXT


@pytest.mark.parametrize("name", parts.BUILDS)
def test_parts_in_the_table_are_used_and_used_parts_are_in_the_table(name: str) -> None:
    bought = {part.ref for part in parts.load() if name in part.builds}
    mine = used(name)
    if name == "tournament":  # its chapter tells only what differs
        mine |= used("standard") & bought
    assert mine == bought


def test_a_reference_names_one_part() -> None:
    refs = [part.ref for part in parts.load()]
    assert len(refs) == len(set(refs))
    for part in parts.load():
        assert set(part.builds) <= set(parts.BUILDS) and part.builds
        assert part.quantity > 0 and part.purpose and (part.estimate_eur > 0 or part.ref == "E1")


def test_a_list_price_says_when_and_where_and_the_estimate_is_near_it() -> None:
    listed = [part for part in parts.load() if part.listed is not None]
    assert {"A1", "A2", "B2"} <= {part.ref for part in listed}
    for part in listed:
        assert part.listed is not None
        asked = re.match(r"\$(\d+)\b", part.listed.price)
        assert asked and 0.9 <= part.estimate_eur / float(asked[1]) <= 1.5, part.ref
        assert re.fullmatch(r"20\d\d-[01]\d", part.listed.month) and part.listed.month <= parts.PRICED
        assert part.listed.address.startswith("https://") and part.listed.address in section_of_orders(part.ref)
    assert all(part.price_is == "estimate" for part in parts.load() if part.listed is None)


def section_of_orders(ref: str) -> str:
    """The line of an order list that a part is on."""
    lines = "".join(parts.orders().values()).splitlines()
    return next(line for line in lines if line.startswith(f"{ref},"))


def test_bolts_are_as_many_as_the_stand_takes() -> None:
    quantity = {part.ref: part.quantity for part in parts.load()}
    wanted = parts.bolts(models.parameters())
    assert {ref: quantity[ref] for ref in ("M2", "M4")} == {ref: wanted[ref] for ref in ("M2", "M4")}
    assert wanted["40"] == 0 and parts.bolts(models.parameters(variant="printed_tubes"))["40"] == 20


def test_resistors_bought_are_the_resistors_computed() -> None:
    ohms = sorted(
        int(part.part.split()[1])
        for part in parts.load()
        if part.ref in ("R1", "R2", "R3")
        for _ in range(part.quantity)
    )
    assert ohms == sorted(diagrams.series_ohms().values())


def test_displays_bought_are_the_displays_wired() -> None:
    displays = {part.ref: part.part for part in parts.load() if part.ref in ("D2", "D3")}
    for name, ref in (("standard", "D2"), ("tournament", "D3")):
        size = load_wiring().builds[name].display
        assert size is not None and f"{size[0]}x{size[1]}" in displays[ref]


@pytest.mark.parametrize("name", ["minimal", "standard"])
def test_pins_in_the_tests_are_the_pins_of_the_code(name: str) -> None:
    wiring, text = load_wiring(), section(name)
    pins = wiring.pins(name)
    lamps = [pin for (group, _), pin in pins.items() if group in ("suit_lamps", "side_lamps")]
    buttons = [pin for (group, _), pin in pins.items() if group == "buttons"]

    def numbers(call: str) -> list[list[int]]:
        return [[int(n) for n in found.split(",")] for found in re.findall(rf"\b{call}\(([\d, ]+)\)", text)]

    assert numbers("ButtonBoard") == [buttons]
    assert numbers("TonalBuzzer") == [[pins["buzzer", "tone"]]]
    assert numbers("LEDBoard") == ([lamps] if lamps else [])
    assert numbers("LED") == ([[pins["colour_display", "backlight"]]] if wiring.builds[name].display else [])


def test_parts_soldered_or_plugged_on_the_boards_are_bought() -> None:
    pieces, _ = boards.breadboard()
    quantity = {part.ref: part.quantity for part in parts.load()}
    for ref in {piece.ref for piece in pieces}:
        drawn = sum(piece.ref == ref for piece in pieces)
        assert drawn == quantity[ref], ref


def test_both_boards_join_what_the_wiring_joins_and_nothing_else() -> None:
    assert boards.faults() == []


def test_a_wire_in_the_next_hole_and_a_lamp_the_wrong_way_round_are_found() -> None:
    pieces, wires = boards.breadboard()
    astray = [boards.Wire(w.a, "j46", w.colour) if w.b == "j47" else w for w in wires]
    assert any("does not reach" in why for why in boards.breadboard_faults(pieces, astray))
    turned = [
        boards.Piece(p.ref, p.text, {"long": p.legs["short"], "short": p.legs["long"]}, shape="lamp")
        if p.shape == "lamp" and p.text == "heart"
        else p
        for p in pieces
    ]
    assert boards.breadboard_faults(turned, wires)
    chips, tracks = boards.k3()
    bridged = [*tracks, boards.Wire("4,4", "4,5", "GN")]
    assert "K3" not in "".join(boards.k3_faults(chips, tracks))
    assert "data in and data out are joined" in boards.k3_faults(chips, bridged)
    assert boards.k3_faults(chips, tracks[:-1])


def test_the_fuse_comes_before_everything_and_not_on_the_board_it_protects() -> None:
    chains, listed = diagrams.panel_connections(), parts.load()
    assert reaches.fuse_faults(chains, listed) == []
    old = [dataclasses.replace(p, purpose="carries U1 C1 C2 F1 R4 R5") if p.ref == "K3" else p for p in listed]
    assert reaches.fuse_faults(chains, old)
    late = [[{"PI": [4]}, {"W_pair": [1]}, {"P1": [2]}], *chains[1:]]
    assert reaches.fuse_faults(late, listed)


def test_every_program_of_the_guide_is_brought_by_something() -> None:
    assert reaches.program_faults(TEXT) == []
    assert reaches.program_faults(TEXT.replace("i2c-tools", "")) == [
        "the guide starts i2cdetect; nothing installs i2c-tools"
    ]


def test_the_pico_is_flashed_before_the_panel_is_closed() -> None:
    assert reaches.order_faults(TEXT) == []
    assert reaches.order_faults("Close with `M12`. Then `hisabu panel flash`.")


def test_every_part_is_on_one_order_list() -> None:
    listed = "".join(parts.orders().values())
    for part in parts.load():
        assert listed.count(f"\n{part.ref},") == 1


def test_no_other_place_types_a_pin() -> None:
    prose = guide.BLOCK.sub("", TEXT)
    assert not re.search(r"\bGPIO ?\d+|\bGP\d+", prose)


@pytest.mark.parametrize("name", ["minimal", "standard", "tournament"])
def test_pins_in_the_drawn_diagrams_are_the_pins_of_the_code(name: str) -> None:
    drawn = (diagrams.WIRING / f"{name}.svg").read_text(encoding="utf-8")
    assert set(map(int, re.findall(r">GPIO(\d+)<", drawn))) == set(load_wiring().pins(name).values())


def test_the_panels_model_fits_the_strip() -> None:
    sizes, panel = models.parameters(), load_wiring().panel
    assert sizes["panel_pitch"] == panel.pitch_mm
    assert sizes["panel_row_pitch"] == panel.row_pitch_mm
    assert sizes["panel_rows"] == len(panel.rows)
    assert [len(row) for row in panel.rows] == [5, 5, int(sizes["panel_suits"]), 5, 5]
    assert sizes["panel_columns"] == max(len(row) for row in panel.rows)
    source = (models.STAND / "panel.scad").read_text(encoding="utf-8")
    assert "for (row = [0, 4]) for (column = [0, 2, 4])" in source
    seats = [[column for column, lamp in enumerate(panel.rows[row]) if lamp] for row in (0, 4)]
    assert seats == [[0, 2, 4], [0, 2, 4]]


def test_suits_stand_on_the_panel_as_on_the_strip() -> None:
    assert load_wiring().panel.rows[2] == ("C", "D", "H", "S")
    source = (models.STAND / "panel.scad").read_text(encoding="utf-8")
    assert (
        source.index("// club") < source.index("n == 1") < source.index("heart(s);\n    if") < source.index("// spade")
    )


def test_every_printed_part_has_a_model_and_every_model_a_part() -> None:
    source = (models.STAND / "part.scad").read_text(encoding="utf-8")
    assert set(re.findall(r'part == "(\w+)"', source)) == {*models.PARTS, *models.TUBES, *models.SHOWN}


def test_wooden_stand_height_in_the_text() -> None:
    sizes = models.parameters()
    lens = sizes["wood_post"] - sizes["wood_foot"] - sizes["wood_thick"] - sizes["spacer"] - sizes["lens_drop"]
    assert f"a lens about {lens / 10:.0f} cm above the table" in TEXT


def test_pieces_of_wood_come_from_one_batten() -> None:
    sizes = models.parameters()
    lengths = sum(sizes[f"wood_{piece}"] for piece in ("post", "arm", "brace", "tongue", "head"))
    assert lengths + 5 * 4 < 2000


def test_numbers_of_the_text_are_those_of_the_computation() -> None:
    from hardware import power, strength

    assert f"about {strength.screw_gives():,.0f} N" in TEXT
    sizes = models.parameters()
    room = sizes["throat"] - 2 * sizes["pad"] - sizes["foot_height"]
    assert room >= 40 and "12 to 40 mm thick" in TEXT
    assert power.read()["fuse"]["hold_a"] == 1.1


def test_committed_pictures_stay_small() -> None:
    committed = [*HERE.glob("pictures/*"), *HERE.glob("wiring/*"), *HERE.glob("printables/*")]
    assert sum(path.stat().st_size for path in committed) < 3_000_000
    assert not list(HERE.rglob("*.stl"))


def test_sheets_are_listed() -> None:
    for name in printables.sheets():
        assert f"printables/{name}.svg" in TEXT


def test_the_reach_in_the_text_is_the_models() -> None:
    from hardware import strength

    stand = strength.on_a_clamp(models.FIRST, 60, 50)
    assert f"hangs {100 * (stand.arm_m - stand.mast_out_m):.0f} cm in from that edge" in TEXT


def test_enough_filament_is_bought() -> None:
    from hardware import strength

    fill = strength.read()["printed"]["fill"]
    bought = {}
    for part in parts.load():
        found = re.fullmatch(r"filament (\w+).* ([\d.]+) (k?g)", part.part)
        if found:
            bought[found[1]] = part.quantity * float(found[2]) * (1000 if found[3] == "kg" else 1)
    for plastic, grams in parts.filament_g(fill).items():
        assert bought[plastic] >= grams, plastic


@pytest.mark.parametrize("what", ["pictures", "wiring"])
def test_pictures_and_diagrams_are_drawn_from_what_is_there_now(what: str) -> None:
    known = json.loads(build.RENDERED.read_text(encoding="utf-8"))
    assert known[what] == build.fingerprints()[what], "run python hardware/build.py"
