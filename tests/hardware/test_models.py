"""The checks of the models catch what they should; OpenSCAD itself is asked only for what is quick. The whole of it
runs in hardware/build.py."""

import dataclasses
import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware import models, parts, pictures, reaches, strength
from hardware.render import Eye, draw
from hardware.stl import Mesh, bodies, indexed, open_edges, overhang, read_stl, turn
from tests.sizes import slow

needs_openscad = pytest.mark.skipif(models.openscad() is None, reason="openscad is missing: sudo apt install openscad")


def box(size: tuple[float, float, float] = (10, 10, 10), at: tuple[float, float, float] = (0, 0, 0)) -> Mesh:
    corners = np.array(list(product((0, 1), repeat=3)), dtype=float) * size + at
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return Mesh(corners[np.array(faces)])


def test_a_box_is_closed_whole_and_has_its_volume() -> None:
    assert open_edges(box()) == 0
    assert bodies(box()) == 1
    assert box().volume() == pytest.approx(1000)


def test_a_missing_triangle_is_found() -> None:
    assert open_edges(Mesh(box().triangles[1:])) > 0


def test_a_triangle_turned_over_is_found() -> None:
    triangles = box().triangles.copy()
    triangles[0] = triangles[0][::-1]
    assert open_edges(Mesh(triangles)) > 0


def test_a_part_in_two_pieces_is_found() -> None:
    two = Mesh(np.concatenate([box().triangles, box(at=(20, 0, 0)).triangles]))
    assert bodies(two) == 2
    assert models.check("two", two, 45).faults(220)


def test_a_part_larger_than_the_bed_is_found() -> None:
    assert "bed" in models.check("long", box((230, 10, 10)), 45).faults(220)[0]


def test_what_leans_too_far_and_what_is_a_ceiling_are_told_apart() -> None:
    table = Mesh(np.concatenate([box().triangles, box((30, 10, 5), (0, 0, 20)).triangles]))
    slanting, ceiling = overhang(table, 45)
    assert slanting == 0 and ceiling == pytest.approx(300)
    assert overhang(box(), 45) == (0, 0)
    tilted = box((10, 10, 40)).moved(turn((60, 0, 0)), np.array([0, 0, 40.0]))
    assert overhang(tilted, 45)[0] > 100
    leaning = box((10, 10, 40)).moved(turn((40, 0, 0)), np.array([0, 0, 40.0]))
    assert overhang(leaning, 45)[0] == pytest.approx(100)  # its end only, not its long side


def test_turning_is_openscads() -> None:
    assert turn((90, 0, 0)) @ [0, 1, 0] == pytest.approx([0, 0, 1])
    assert turn((0, -90, 0)) @ [1, 0, 0] == pytest.approx([0, 0, 1])
    assert turn((90, 0, 90)) @ [0, 0, 1] == pytest.approx([1, 0, 0])


def test_parts_in_each_others_way_and_parts_that_float_are_found() -> None:
    pytest.importorskip("manifold3d")
    meeting = [("a", "a", box()), ("b", "b", box(at=(9, 0, 0)))]
    assert list(models.intersections(meeting)) == [("a", "b", pytest.approx(100))]
    touching = [("a", "a", box()), ("b", "b", box(at=(10, 0, 0)))]
    assert not list(models.intersections(touching))
    assert not models.floating(touching)
    assert models.floating([("a", "a", box()), ("b", "b", box(at=(12, 0, 0)))]) == ["a", "b"]


def test_a_picture_shows_near_things_before_far_ones_and_numbers_what_is_seen() -> None:
    pytest.importorskip("PIL")
    front, hidden = box((10, 1, 10), (0, -20, 0)), box((4, 1, 4), (3, 0, 3))
    eye = Eye(-90, 0)
    plain = np.asarray(draw([("front", "tube", front), ("hidden", "shown_button", hidden)], eye, (120, 120)))
    assert not (np.abs(plain.astype(int) - [196, 60, 52]).sum(-1) < 90).any()
    numbered = np.asarray(draw([("front", "tube", front)], eye, (200, 200), ("front", "hidden")))
    assert (numbered[:, :45] < 100).any() or (numbered[:, -45:] < 100).any()


def test_every_numbered_piece_stands_in_an_assembly() -> None:
    text = (models.STAND / "placements.scad").read_text(encoding="utf-8")
    for name in {*pictures.STAND_ORDER, *pictures.PANEL_ORDER, *pictures.WOOD_ORDER}:
        assert f'["{name}", ' in text


@needs_openscad
def test_a_part_comes_out_of_openscad_ready_to_print(tmp_path: Path) -> None:
    sizes = models.parameters()
    for name, mesh in models.export(tmp_path, models.COARSE, ["clip", "plug", "ear"]).items():
        assert models.check(name, mesh, sizes["overhang_max"]).faults(sizes["bed"]) == []
        assert read_stl(tmp_path / f"{name}.stl").lowest() == pytest.approx(0, abs=1e-4)


@pytest.fixture(scope="module")
def assemblies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Where everything stands, for each stand."""
    folder = tmp_path_factory.mktemp("placements")
    return {variant: models.placements(folder, variant) for variant in models.variants()}


@needs_openscad
def test_the_assembly_holds_as_many_pieces_as_the_guide_counts(assemblies: dict[str, dict[str, Any]]) -> None:
    first = assemblies[models.FIRST]
    pieces = [row[1] for name in ("stand", "panel") for row in first[name]]
    for part, (quantity, _, _) in models.PARTS.items():
        assert pieces.count(part) == quantity, part


@needs_openscad
def test_the_bolts_and_screws_of_the_assembly_are_those_that_are_bought(assemblies: dict[str, dict[str, Any]]) -> None:
    shown = [row[1] for row in assemblies[models.FIRST]["stand"]]
    wood = [row[1] for row in assemblies[models.FIRST]["wood"]]
    quantity = {part.ref: part.quantity for part in parts.load()}
    assert sum(part.startswith("shown_m5x50") for part in shown) == quantity["M2"]
    drawn = {"M7": "shown_m4x50", "M8": "shown_m4x16", "M11": "shown_m2x16"}
    assert {ref: shown.count(part) for ref, part in drawn.items()} == {ref: quantity[ref] for ref in drawn}
    drawn = {
        "N3": "shown_wood_4x16",
        "N5": "shown_m2x30",
        "N7": "shown_wood_4x40",
        "N8": "shown_wood_4x60",
        "N10": "shown_wood_4x35",
    }
    assert {ref: wood.count(part) for ref, part in drawn.items()} == {ref: quantity[ref] for ref in drawn}
    printed = [row[1] for row in assemblies["printed_tubes"]["stand"]]
    assert printed.count("shown_m5x40") == parts.bolts(models.parameters(variant="printed_tubes"))["40"]


@needs_openscad
@pytest.mark.parametrize("variant", models.variants())
def test_the_optics_know_where_the_lens_hangs(variant: str, assemblies: dict[str, dict[str, Any]]) -> None:
    from hardware.optics import lens_above_mast_mm

    (_, _, lens), (mast,) = assemblies[variant]["lens"]
    assert lens == pytest.approx(mast + lens_above_mast_mm(models.parameters(variant=variant)))


@needs_openscad
def test_a_long_ribbon_a_low_camera_and_a_short_supply_are_found(assemblies: dict[str, dict[str, Any]]) -> None:
    first = assemblies[models.FIRST]
    assert reaches.faults(first, models.FIRST) == []
    far = {**first, "ribbons": [[[0, 0, 0], [900, 0, 0]], first["ribbons"][1]]}
    for ref in ("W4", "W5", "Q1", "K2", "K4", "E4"):
        short = [
            dataclasses.replace(part, part=re.sub(r"\d+ (m|cm)$", "20 cm", part.part)) if part.ref == ref else part
            for part in parts.load()
        ]
        assert any(f"{ref} is 200 mm long" in why for why in reaches.cable_faults(first, short)) or ref == "E4", ref
    two = [
        dataclasses.replace(part, part=part.part.replace("3 m", "2 m")) if part.ref in ("W4", "W5") else part
        for part in parts.load()
    ]
    assert len(reaches.cable_faults(first, two)) == 4, "2 m, as they were bought before"
    new = dataclasses.replace(parts.load()[0], ref="W9", part="cable 1 m", builds=("minimal",))
    assert reaches.cable_faults(first, [*parts.load(), new]) == ["minimal: nothing says how far W9 runs"]
    assert any("has 960 mm to go" in why for why in reaches.faults(far, models.FIRST))
    low = {**first, "lens": [[374, -9, 580], [700]]}
    assert any("needs 73 cm for 4 players" in why for why in reaches.faults(low, models.FIRST))
    below = {**first, "supplies": [[[0, 0, 0], [0, 0, 1400]], first["supplies"][1]]}
    assert any("V2" in why for why in reaches.faults(below, models.FIRST))


def test_a_weak_clamp_and_a_shaky_mast_are_found() -> None:
    sizes = models.parameters()
    assert reaches.hold_faults(sizes) == []
    assert any("clamp" in why for why in reaches.hold_faults({**sizes, "spine": 18, "jaw_top": 16}))
    assert any("swings" in why for why in reaches.hold_faults({**sizes, "mast_length": 1100}))


def test_a_post_of_one_batten_sways_too_far_and_too_long() -> None:
    head_g = strength.read()["head"]["mount_g"]
    assert reaches.wood_faults(strength.wooden(head_g)) == []
    found = reaches.wood_faults(strength.wooden(head_g, battens=1))
    assert len(found) == 2 and "by 22 mm" in found[0] and "for 2.1 s" in found[1]


@needs_openscad
def test_the_foot_stays_on_the_nut_of_the_open_clamp(tmp_path: Path) -> None:
    manifold3d = pytest.importorskip("manifold3d")
    foot = models.export(tmp_path, models.COARSE, ["foot"])["foot"]
    sizes = models.parameters()
    points, faces = indexed(foot)
    solid = manifold3d.Manifold(manifold3d.Mesh(points.astype(np.float32), faces.astype(np.uint32)))

    def nut(turned: float, moved: tuple[float, float, float]) -> float:
        made = manifold3d.Manifold.cylinder(sizes["lock_nut"], 13 / 2 / np.cos(np.pi / 6), circular_segments=6)
        return float((solid ^ made.rotate((0, 0, turned)).translate(moved)).volume())

    seat = sizes["foot_floor"] + 0.2
    assert nut(0, (0, 0, seat)) < 1 and nut(30, (0, 0, seat)) < 1, "it turns freely"
    assert nut(0, (0, 0, seat + 4)) > 50, "the foot cannot fall off the nut"
    assert min(nut(0, (9, 0, seat)), nut(30, (9, 0, seat))) < 1 < max(nut(0, (9, 0, seat)), nut(30, (9, 0, seat)))


def test_a_case_under_the_camera_hides_the_table() -> None:
    case = box((40, 150, 90), (360, -75, 500))
    assert reaches.in_the_picture([("case", "case_base", case)], (374, -9, 730)) != []
    beside = box((40, 150, 90), (0, -75, 500))
    assert reaches.in_the_picture([("case", "case_base", beside)], (374, -9, 730)) == []


@needs_openscad
def test_a_pico_too_low_for_its_slot_and_nuts_in_the_arm_are_found(
    tmp_path: Path, assemblies: dict[str, dict[str, Any]]
) -> None:
    pytest.importorskip("manifold3d")
    names = [
        "panel_back",
        "shown_pico",
        "shown_micro_usb",
        "shown_wood_arm",
        "shown_head",
        "shown_m2x30",
        "shown_camera",
    ]
    meshes = models.export(tmp_path, models.COARSE, names)
    first = assemblies[models.FIRST]

    def meeting(
        assembly: str, only: tuple[str, ...], move: tuple[float, float, float], moved: tuple[str, ...]
    ) -> set[str]:
        rows = [row for row in first[assembly] if row[1] in only]
        rows = [(a, p, [x + d for x, d in zip(m, move, strict=True)] if p in moved else m, *r) for a, p, m, *r in rows]
        found = models.intersections(models.placed(meshes, rows))
        return {name for a, b, _ in found for name in (a, b)}

    panel = ("panel_back", "shown_pico", "shown_micro_usb")
    assert meeting("panel", panel, (0, 0, 0), panel[1:]) == set()
    assert "Pico's USB plug" in meeting("panel", panel, (-4.7, 0, -1.7), panel[1:]), "five millimetres lower"
    wood = ("shown_wood_arm", "shown_head", "shown_m2x30", "shown_camera")
    assert meeting("wood", wood, (0, 0, 0), wood) == set()
    assert "arm" in meeting("wood", wood, (-45, 0, 0), wood[1:]), "the camera under the arm itself"


@needs_openscad
def test_screws_that_do_not_reach_or_come_out_are_found(tmp_path: Path, assemblies: dict[str, dict[str, Any]]) -> None:
    pytest.importorskip("manifold3d")
    meshes = models.export(tmp_path, models.COARSE, models.WOODEN)
    kept = ("shown_wood_4x", *models.WOODEN)
    wood = [row for row in assemblies[models.FIRST]["wood"] if row[1].startswith(kept)]
    assert models.bad_screws(wood, meshes) == []
    short = [(a, "shown_wood_4x16" if p == "shown_wood_4x60" else p, *r) for a, p, *r in wood]
    assert len(models.bad_screws(short, meshes)) == 4
    long = [(a, "shown_wood_4x60" if p == "shown_wood_4x16" else p, *r) for a, p, *r in wood]
    assert any("comes out" in why or "ends in no wood" in why for why in models.bad_screws(long, meshes))


@needs_openscad
def test_a_bolt_too_short_for_its_nut_is_found(tmp_path: Path) -> None:
    meshes = models.export(tmp_path, models.COARSE, ["shown_m5x50_44", "shown_m4x16"])
    assert models.short_bolts(meshes) == []
    assert models.short_bolts({"shown_m5x45_44": meshes["shown_m5x50_44"]}) == [
        "M5 x 45 (shown_m5x45_44) is 5.0 mm too short for its nut"
    ]


@pytest.mark.parametrize("strict", [False, *slow(True)])
def test_without_tools_the_build_says_what_it_skips(tmp_path: Path, strict: bool) -> None:
    command = [sys.executable, "hardware/build.py", "--check", "--coarse", "--out", str(tmp_path)]
    root = models.HERE.parent
    if strict:
        command.append("--strict")
    done = subprocess.run(command, cwd=root, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False)
    assert done.returncode == int(strict), done.stdout + done.stderr
    assert "skipped: STL, model checks and pictures, for openscad (sudo apt install openscad) is missing" in done.stdout
