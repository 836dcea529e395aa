"""The guide says what the data says: tables fresh, pins those of the code, parts used and bought the same."""

import dataclasses
import json
import re

import pytest

from device.commands import pi_bench
from device.machine.wiring import load as load_wiring
from hardware import (
    boards,
    build,
    decks,
    diagrams,
    french,
    guide,
    models,
    overview,
    parts,
    pictures,
    printables,
    reaches,
    told,
)

PAGES = guide.pages()
ENGLISH = {name: text for name, text in PAGES.items() if not name.endswith(".fr")}
TEXT = "\n".join(ENGLISH.values())
HERE = guide.HERE


def section(build_name: str) -> str:
    """A build's page, without its generated tables."""
    return guide.BLOCK.sub("", PAGES[build_name])


def used(build_name: str) -> set[str]:
    """References in a chapter's steps and in its diagrams."""
    text = section(build_name)
    found = set(re.findall(r"`([A-WYZ]\d{1,2})`", text))
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


@pytest.mark.parametrize("name", ["standard", "tournament"])
def test_the_table_of_pins_has_every_wire_of_the_case(name: str) -> None:
    """A step ends when every socket sits on the pin of the table."""
    rows = [line.split("|")[1:-1] for line in guide.TABLES[f"pins {name}"]().splitlines()[2:]]
    places = {int(row[3]): row[2].strip() for row in rows}
    assert len(rows) == len(places) and places.keys() == reaches.header_pins(name)
    assert (places[4], places[17], places[39]) == ("5V", "3V3", "GND")
    drawn = re.search(r"^    pins: (.*)$", diagrams.sources()[name], re.MULTILINE)
    assert drawn and json.loads(drawn[1]) == sorted(places)


def test_the_table_of_pins_has_every_wire_from_the_header_to_the_breadboard() -> None:
    rows = [line.split("|")[1:-1] for line in guide.TABLES["pins minimal"]().splitlines()[2:]]
    _, wires = boards.breadboard()
    drawn = sorted(int(end.removeprefix("pin ")) for wire in wires for end in (wire.a, wire.b) if "pin" in end)
    assert sorted(int(row[3]) for row in rows) == drawn
    assert [row[1].strip() for row in rows if row[2].strip() == "GND"] == ["the − rail"]


def test_the_guide_shows_every_table() -> None:
    assert set(guide.tables_in(TEXT)) == set(guide.TABLES)


def test_of_every_main_part_with_a_substitute_all_that_changes_is_told() -> None:
    listed = {part.ref: part for part in parts.load()}
    told = {(build, substitute.ref) for substitute in parts.substitutes() for build in substitute.builds}
    by_name = [part for part in listed.values() if part.ref[0] in "ABDV" and part.substitute]
    # A sort of card, and a Pico of the same shape, change nothing else.
    missing = {(b, part.ref) for part in by_name if part.ref not in ("A4", "A5") for b in part.builds} - told
    assert not missing
    for substitute in parts.substitutes():
        assert set(substitute.take) <= set(listed) and not set(substitute.take) & {
            substitute.ref,
            *substitute.leave_out,
        }
        for name in substitute.builds:
            assert all(name in listed[ref].builds for ref in (substitute.ref, *substitute.leave_out)), substitute


def test_every_picture_is_shown_and_every_shown_picture_is_there() -> None:
    for pages in (ENGLISH, {name: text for name, text in PAGES.items() if name.endswith(".fr")}):
        shown = {
            path.split("pictures/")[1] for text in pages.values() for path in re.findall(r"\(([./\w]*\.png)\)", text)
        }
        there = {str(path.relative_to(HERE / "pictures")) for path in (HERE / "pictures").rglob("*.png")}
        assert shown == there


@pytest.mark.parametrize("order", [pictures.STAND_ORDER, pictures.WOOD_ORDER, pictures.PANEL_ORDER])
def test_the_numbers_in_the_pictures_are_explained(order: tuple[str, ...]) -> None:
    assert pictures.legend(order) in PAGES["README"]
    for number in range(1, len(order) + 1):
        assert PAGES["README.fr"].count(f"{number} ") >= 1


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
    assert all(part.maker_asks == "" for part in parts.load() if part.listed is None)


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
    for drawing in (name, f"{name}.fr"):
        drawn = (diagrams.WIRING / f"{drawing}.svg").read_text(encoding="utf-8")
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
    assert f"hang about {lens / 10:.0f} cm above the table" in PAGES["minimal"]
    assert f"environ {lens / 10:.0f} cm de la table" in PAGES["minimal.fr"]


def test_pieces_of_wood_come_from_two_battens() -> None:
    sizes, cut = models.parameters(), 4
    post, arm, brace, tongue, head = (sizes[f"wood_{piece}"] for piece in ("post", "arm", "brace", "tongue", "head"))
    assert post + post + sizes["wood_wide"] + arm + 3 * cut < 2000 and brace + tongue + head + 3 * cut < 2000
    assert next(part.quantity for part in parts.load() if part.ref == "N1") == 2


def test_numbers_of_the_text_are_those_of_the_computation() -> None:
    from hardware import power, strength

    assert f"about {strength.screw_gives():,.0f} N" in TEXT
    sizes = models.parameters()
    room = sizes["throat"] - 2 * sizes["pad"] - sizes["foot_height"]
    assert room >= 40 and "12 to 40 mm thick" in TEXT
    assert power.read()["fuse"]["hold_a"] == 1.1


def test_committed_pictures_stay_small() -> None:
    committed = [path for name in ("pictures", "wiring", "printables") for path in (HERE / name).rglob("*.*")]
    assert sum(path.stat().st_size for path in committed) < 3_000_000
    assert not list(HERE.rglob("*.stl"))


def test_sheets_are_listed() -> None:
    for name in printables.sheets():
        assert f"printables/{name}.svg" in PAGES["README.fr" if name.endswith(".fr") else "README"]


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


# What a maker stumbled over. Each check is shown the guide, the models or the list as they were.


def swapped(ref: str, **fields: object) -> list[parts.Part]:
    """The list of parts with one part as it was."""
    return [dataclasses.replace(part, **fields) if part.ref == ref else part for part in parts.load()]  # type: ignore[arg-type]


def test_a_display_that_falls_through_its_window_is_found() -> None:
    sizes, listed = models.parameters(), parts.load()
    assert reaches.window_faults(sizes, listed) == []
    old = sizes | {"window_x": 42.0, "window_y": 32.0}
    assert "D2: a board of 44 x 32 mm falls through a window of 42 x 32" in reaches.window_faults(old, listed)
    drawn = sizes | {"display_x": 58.0, "display_y": 36.0}
    assert "D2: a board of 44 x 32 mm is bought, 58 x 36 drawn" in reaches.window_faults(drawn, listed)
    narrow = sizes | {"wide_window_y": 25.0}
    assert any("hides some of a picture" in why for why in reaches.window_faults(narrow, listed))


def test_a_build_without_sockets_for_the_headers_pins_is_found() -> None:
    assert reaches.header_faults(parts.load()) == []
    without = [part for part in parts.load() if part.ref != "K4"]
    assert any("standard: 16 wires go to the Pi's pins, and 0 sockets" in why for why in reaches.header_faults(without))


def test_a_board_with_strips_and_a_strip_of_four_colours_are_found() -> None:
    assert reaches.board_faults(parts.load()) == reaches.strip_faults(parts.load()) == []
    strips = swapped("K3", specification="copper strips or pads")
    assert any("are joined" in why for why in reaches.board_faults(strips))
    four = swapped("P1", substitute="SK6812 of the same pitch")
    assert any("SK6812" in why and "3 bytes" in why for why in reaches.strip_faults(four))


STRAY = {
    "rpicam-hello": "`ssh -X pi@hisabu.local rpicam-hello -t 0 --qt-preview`",
    "no user pi": "`ssh -X pi@hisabu.local rpicam-hello -t 0 --qt-preview`",
    "57 lux": "A lamp of 800 lumen at 1.5 m is 200 lux.",
    "at no distance": "By rule of thumb 200 lux are enough: a lamp of 800 lumen (a 60 W bulb of old) a metre away.",
    "overlay line": "A DS3231 module does.",
    "button cells": "It has a button cell.",
    "Q1 is out of": "Everything goes on `Q1` on the floor.",
    "hisabu pins": 'python3 -c "from gpiozero import LED"',
}


@pytest.mark.parametrize("why", STRAY)
def test_words_that_mislead_are_found(why: str) -> None:
    pages = {"page": STRAY[why]}
    found = told.command_faults(pages) + told.light_faults(pages) + told.danger_faults(pages)
    assert any(why in fault for fault in found), found


def test_soldering_and_sawing_without_glasses_and_fresh_air_are_found() -> None:
    bare = {"page": "## 1. Work\n\nSolder the wire, saw the tube."}
    assert len(told.danger_faults(bare)) == 3
    assert told.danger_faults({"page": bare["page"] + " Wear safety glasses; mind the fumes."}) == []


def test_nothing_of_the_guide_misleads() -> None:
    assert told.faults(PAGES, parts.BUILDS) == []
    assert guide.page_faults(PAGES) == []


def test_a_step_without_picture_or_end_and_things_on_no_list_are_found() -> None:
    page = PAGES["minimal"]
    bare = {**PAGES, "minimal": page.replace("![The six pieces of wood](../pictures/steps/minimal_2.png)", "")}
    assert told.step_faults(bare, parts.BUILDS) == ["minimal: step '2. Saw the wood' has no picture"]
    endless = {**PAGES, "minimal.fr": PAGES["minimal.fr"].replace("**C’est bon quand** six pièces", "Six pièces")}
    assert any("does not say what is there" in why for why in told.step_faults(endless, parts.BUILDS))
    used, lent = parts.consumables(), parts.tools()
    no_glue = [thing for thing in used if thing.ref != "X5"]
    glue = [dataclasses.replace(thing, amounts={}) if thing.ref == "X5" else thing for thing in used]
    assert told.list_faults(PAGES, parts.BUILDS, no_glue, lent) == []
    assert told.list_faults(PAGES, parts.BUILDS, glue, lent) == [
        "minimal: a step uses wood glue, which is not on its list"
    ]
    no_meter = [tool for tool in lent if tool.what != "multimeter"]
    assert told.list_faults(PAGES, parts.BUILDS, used, no_meter) == []
    some = [dataclasses.replace(tool, builds=("minimal",)) if tool.what == "multimeter" else tool for tool in lent]
    assert any(
        "standard: a step uses the multimeter" in why for why in told.list_faults(PAGES, parts.BUILDS, used, some)
    )


def test_a_french_page_that_fell_behind_is_found() -> None:
    behind = {**PAGES, "standard.fr": PAGES["standard.fr"].replace("`M14`", "`M5`")}
    assert any("standard.fr: other references" in why for why in guide.page_faults(behind))


def test_a_clamp_that_creeps_without_a_word_about_it_is_found() -> None:
    silent = {**PAGES, "standard": PAGES["standard"].replace("after a week", "")}
    assert told.creep_faults(silent, 0.36) != [] and told.creep_faults(silent, 0.2) == []


def test_every_sentence_made_from_data_has_its_french() -> None:
    with pytest.raises(french.Untranslated, match="a new part"):
        french.table("| a new part | 3 |")
    assert french.table("| 3.3 V | more than 500 Ω |") == "| 3,3 V | plus de 500 Ω |"


def test_a_cart_has_every_part_of_its_build_with_a_price() -> None:
    for build_name in parts.BUILDS:
        cart = parts.cart(build_name)
        for part in parts.load():
            assert (f",{part.ref}," in cart) == (build_name in part.builds)
        for thing in parts.consumables():
            assert (f",{thing.ref}," in cart) == (build_name in thing.amounts)
        assert f"{parts.price(build_name):.0f}" in cart.splitlines()[-1]


def test_the_counted_decks_are_of_the_cameras_and_heights_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decks.faults() == []
    monkeypatch.setattr(decks, "heights", lambda: [("Camera Module 2", "2 players", 30.0)])
    assert decks.faults() != []
    assert all(int(row["cards"]) == decks.PICTURES * decks.CARDS for row in decks.rows())


def test_rows_of_real_pis_say_whether_anybody_measured_them() -> None:
    with guide.PIS.open(encoding="utf-8") as file:
        assert file.readline().strip() == ",".join(pi_bench.COLUMNS)
        for row in file:
            assert row.strip().endswith(",estimate") or ",measured 20" in row


def test_words_that_run_off_a_drawing_are_found() -> None:
    drawn = build.drawn_texts()
    assert not [why for text in drawn.values() for why in overview.wide_words(text)]
    long = '<svg width="300" height="20"><text x="200" y="9" font-size="10" text-anchor="end">'
    assert overview.wide_words(f"{long}{'m' * 60}</text></svg>") and not overview.wide_words(
        f"{long}short</text></svg>"
    )


def test_what_is_said_of_six_players_is_what_was_counted() -> None:
    assert "(12.7 mm) loses one card in five in bad light; with indices of 17.5 mm it is one or two" in PAGES["cameras"]
    six = [row for row in decks.rows() if row["table"] == "6 players" and row["camera"].startswith("Camera")]

    def lost(index_mm: str) -> list[float]:
        mine = [row for row in six if row["index_mm"] == index_mm and row["light"] == "any"]
        return [1 - int(row["read"]) / int(row["cards"]) for row in mine]

    assert all(0.15 < share < 0.25 for share in lost("12.7")) and all(0 < share < 0.03 for share in lost("17.5"))
