"""The checks of the models catch what they should; OpenSCAD itself is asked only for what is quick. The whole of it
runs in hardware/build.py."""

import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from hardware import models, parts, pictures
from hardware.render import Eye, draw
from hardware.stl import Mesh, bodies, open_edges, overhang, read_stl, turn

needs_openscad = pytest.mark.skipif(models.openscad() is None, reason="openscad is missing: sudo apt install openscad")


def box(size: tuple[float, float, float] = (10, 10, 10), at: tuple[float, float, float] = (0, 0, 0)) -> Mesh:
    corners = np.array(list(product((0, 1), repeat=3)), dtype=float) * size + at
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return Mesh(corners[np.array(faces)])


def test_a_box_is_closed_whole_and_has_its_volume():
    assert open_edges(box()) == 0
    assert bodies(box()) == 1
    assert box().volume() == pytest.approx(1000)


def test_a_missing_triangle_is_found():
    assert open_edges(Mesh(box().triangles[1:])) > 0


def test_a_triangle_turned_over_is_found():
    triangles = box().triangles.copy()
    triangles[0] = triangles[0][::-1]
    assert open_edges(Mesh(triangles)) > 0


def test_a_part_in_two_pieces_is_found():
    two = Mesh(np.concatenate([box().triangles, box(at=(20, 0, 0)).triangles]))
    assert bodies(two) == 2
    assert models.check("two", two, 45).faults(220)


def test_a_part_larger_than_the_bed_is_found():
    assert "bed" in models.check("long", box((230, 10, 10)), 45).faults(220)[0]


def test_what_leans_too_far_and_what_is_a_ceiling_are_told_apart():
    table = Mesh(np.concatenate([box().triangles, box((30, 10, 5), (0, 0, 20)).triangles]))
    slanting, ceiling = overhang(table, 45)
    assert slanting == 0 and ceiling == pytest.approx(300)
    assert overhang(box(), 45) == (0, 0)
    tilted = box((10, 10, 40)).moved(turn((60, 0, 0)), np.array([0, 0, 40.0]))
    assert overhang(tilted, 45)[0] > 100
    leaning = box((10, 10, 40)).moved(turn((40, 0, 0)), np.array([0, 0, 40.0]))
    assert overhang(leaning, 45)[0] == pytest.approx(100)  # its end only, not its long side


def test_turning_is_openscads():
    assert turn((90, 0, 0)) @ [0, 1, 0] == pytest.approx([0, 0, 1])
    assert turn((0, -90, 0)) @ [1, 0, 0] == pytest.approx([0, 0, 1])
    assert turn((90, 0, 90)) @ [0, 0, 1] == pytest.approx([1, 0, 0])


def test_parts_in_each_others_way_and_parts_that_float_are_found():
    pytest.importorskip("manifold3d")
    meeting = [("a", "a", box()), ("b", "b", box(at=(9, 0, 0)))]
    assert list(models.intersections(meeting)) == [("a", "b", pytest.approx(100))]
    touching = [("a", "a", box()), ("b", "b", box(at=(10, 0, 0)))]
    assert not list(models.intersections(touching))
    assert not models.floating(touching)
    assert models.floating([("a", "a", box()), ("b", "b", box(at=(12, 0, 0)))]) == ["a", "b"]


def test_a_picture_shows_near_things_before_far_ones_and_numbers_what_is_seen():
    pytest.importorskip("PIL")
    front, hidden = box((10, 1, 10), (0, -20, 0)), box((4, 1, 4), (3, 0, 3))
    eye = Eye(-90, 0)
    plain = np.asarray(draw([("front", "tube", front), ("hidden", "shown_button", hidden)], eye, (120, 120)))
    assert not (np.abs(plain.astype(int) - [196, 60, 52]).sum(-1) < 90).any()
    numbered = np.asarray(draw([("front", "tube", front)], eye, (200, 200), ("front", "hidden")))
    assert (numbered[:, :45] < 100).any() or (numbered[:, -45:] < 100).any()


def test_every_numbered_piece_stands_in_an_assembly():
    text = (models.STAND / "placements.scad").read_text(encoding="utf-8")
    for name in {*pictures.STAND_ORDER, *pictures.PANEL_ORDER, *pictures.WOOD_ORDER}:
        assert f'["{name}", ' in text


@needs_openscad
def test_a_part_comes_out_of_openscad_ready_to_print(tmp_path: Path):
    sizes = models.parameters()
    for name, mesh in models.export(tmp_path, models.COARSE, ["clip", "splice", "ear"]).items():
        assert models.check(name, mesh, sizes["overhang_max"]).faults(sizes["bed"]) == []
        assert read_stl(tmp_path / f"{name}.stl").lowest() == pytest.approx(0, abs=1e-4)


@needs_openscad
def test_the_assembly_holds_as_many_pieces_as_the_guide_counts(tmp_path: Path):
    assemblies = models.placements(tmp_path)
    pieces = [row[1] for name in ("stand", "panel") for row in assemblies[name]]
    for part, (quantity, _, _) in models.PARTS.items():
        assert pieces.count(part) == quantity, part


@needs_openscad
def test_the_bolts_of_the_assembly_are_the_bolts_that_are_bought(tmp_path: Path):
    sizes = models.parameters()
    shown = [row[1] for row in models.placements(tmp_path)["stand"]]
    wanted = parts.bolts(sizes, int(sizes["mast_middles"]))
    assert shown.count("shown_m5x40") == wanted["M1"]
    assert sum(part.startswith("shown_m5x50") for part in shown) == wanted["M2"]
    assert shown.count("shown_m5x45") == wanted["M3"]
    quantity = {part.ref: part.quantity for part in parts.load()}
    assert shown.count("shown_m4x45") == quantity["M7"]
    assert shown.count("shown_m4x12") == quantity["M8"]


@needs_openscad
def test_the_optics_know_where_the_lens_hangs(tmp_path: Path):
    from hardware.optics import lens_above_mast_mm

    (_, _, lens), (mast,) = models.placements(tmp_path)["lens"]
    assert lens == pytest.approx(mast + lens_above_mast_mm(models.parameters()))


def test_without_tools_the_build_says_what_it_skips(tmp_path: Path):
    command = [sys.executable, "hardware/build.py", "--check", "--coarse", "--out", str(tmp_path)]
    root = models.HERE.parent
    done = subprocess.run(command, cwd=root, env={"PATH": "/nowhere"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped: STL, model checks and pictures, for openscad (sudo apt install openscad) is missing" in done.stdout
    strict = subprocess.run(
        [*command, "--strict"], cwd=root, env={"PATH": "/nowhere"}, capture_output=True, check=False
    )
    assert strict.returncode == 1
