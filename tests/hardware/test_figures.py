"""Optics, current and strength: the sums checked by hand on cases with a known answer."""

import math

import pytest

from device.machine.wiring import load as load_wiring
from hardware import models, optics, power, strength
from hardware.optics import CameraOptics


def test_a_right_angle_sees_twice_its_height() -> None:
    camera = CameraOptics("right angle", (90.0, 90.0), (1000, 1000), 0, "", 0)
    assert camera.footprint_cm(50) == pytest.approx((100, 100))
    assert camera.px_per_cm(50) == pytest.approx(10)


def test_from_the_lowest_height_the_table_fits_and_a_centimetre_lower_it_does_not() -> None:
    data = optics.load()
    for camera in data.cameras:
        for table in data.tables:
            height = data.least_height_cm(camera, table)
            room = [side * (1 - 2 * data.margin) for side in camera.footprint_cm(height)]
            assert all(have >= need for have, need in zip(room, table.area_cm, strict=True))
            if height > max(data.nearest_cm, camera.nearest_focus_cm):
                room = [side * (1 - 2 * data.margin) for side in camera.footprint_cm(height - 1)]
                assert any(have < need for have, need in zip(room, table.area_cm, strict=True))


def test_every_table_has_a_camera_that_works() -> None:
    data = optics.load()
    for table in data.tables:
        assert any(data.verdict(camera, table) == "yes" for camera in data.cameras)
        wide = next(camera for camera in data.cameras if camera.name == "Camera Module 3 Wide")
        assert data.verdict(wide, table) == "yes"


def test_masts_reach_the_height_with_tubes_that_can_be_printed() -> None:
    sizes = models.parameters(variant="printed_tubes")
    for lens in range(450, 801, 5):
        middles, length, reached = optics.mast_for(lens, sizes)
        assert reached >= lens
        assert 125 <= length <= sizes["tube_length"] and middles >= 1
        assert length >= sizes["splice_length"]  # two half splices meet in a middle tube


def test_resistors_are_sold_values_and_keep_the_pi_whole() -> None:
    data = power.read()
    lamps = power.lamps(data)
    assert all(lamp.ohm in {v * d for v in power.E12 for d in power.DECADES} for lamp in lamps)
    assert max(lamp.ma[2] for lamp in lamps) < data["leds"]["pin_most_ma"]
    assert sum(lamp.ma[2] * len(lamp.lamps) for lamp in lamps) < data["leds"]["all_most_ma"]
    assert min(lamp.ma[0] for lamp in lamps) > 1.5
    wired = {f"{group} {name}" for (group, name) in load_wiring().pins("minimal") if group.endswith("lamps")}
    assert {name for lamp in lamps for name in lamp.lamps} == wired


def test_ohms_law_by_hand() -> None:
    red = next(lamp for lamp in power.lamps(power.read()) if lamp.kind == "red")
    assert red.ohm == 330
    assert red.ma[1] == pytest.approx(1300 / 330)


@pytest.mark.parametrize("build", ["minimal", "standard", "tournament"])
def test_the_supply_is_enough_with_a_fifth_to_spare(build: str) -> None:
    data, wiring = power.read(), load_wiring()
    budget = power.budget(data, wiring, build)
    states = list(budget.values())
    assert states[:3] == sorted(states[:3])
    assert budget["all lamps white"] * data["fuse"]["margin"] <= 1000 * data["builds"][build]["supply_a"]


def test_the_fuse_lets_the_limit_pass_and_holds_more_than_the_limit_in_a_warm_room() -> None:
    fuse, panel = power.read()["fuse"], load_wiring().panel
    assert panel.limit_ma < 1000 * fuse["hold_a"] * fuse["hold_at_40_deg"]


def square(side: float, cut: float) -> tuple[float, float]:
    """Area and bending of a bar with cut corners: a tube without a bore."""
    beam = strength.tube_beam({"tube": side, "tube_chamfer": cut, "bore": 0.0, "bore_chamfer": 0.0})
    return beam.area, beam.i_plane


def test_bending_of_a_plain_square_is_the_textbooks() -> None:
    assert square(30, 0) == pytest.approx((900, 30**4 / 12))


def test_a_cut_corner_takes_what_integration_says() -> None:
    side, cut, step = 30.0, 6.0, 0.05
    area = bending = 0.0
    y = -side / 2 + step / 2
    while y < side / 2:
        width = side - 2 * max(0.0, abs(y) - (side / 2 - cut))
        area += width * step
        bending += width * y * y * step
        y += step
    assert square(side, cut) == pytest.approx((area, bending), rel=1e-3)


def test_taller_stands_sway_slower_and_ask_more_of_the_screw() -> None:
    low, high = (strength.on_a_clamp(models.FIRST, height, 50) for height in (48, 78))
    assert strength.sway(high)[0] < strength.sway(low)[0]
    assert strength.screw_force(high)["along the edge"] > strength.screw_force(low)["along the edge"]


def test_a_hand_on_the_knob_holds_every_stand_and_nothing_breaks() -> None:
    for _, stand in strength.stands():
        assert max(strength.screw_force(stand).values()) < strength.screw_gives()
        assert strength.weakest(stand).share < 0.5
        assert strength.tips_by_itself(stand) < 1


def test_a_clamp_printed_with_infill_would_not_bear_its_screw() -> None:
    sizes = models.parameters()
    assert strength.weakest_of_clamp(sizes).share < 0.5
    old = {**sizes, "clamp_width": 42, "spine": 22, "jaw_top": 18, "jaw_bottom": 25}
    data = strength.read()
    hollow = strength.as_sliced(42, 22, 1.8, 0.3)
    moment = strength.screw_gives() * (38 + 11)
    assert moment / hollow / data["printed"]["strength_mpa"] > 1.1, "as it was sliced once"
    assert strength.weakest_of_clamp(old).share > 0.5


def test_a_section_printed_solid_is_the_textbooks_and_hollow_is_between_shell_and_solid() -> None:
    assert strength.as_sliced(40, 20, 2, 1.0) == pytest.approx(40 * 20**2 / 6)
    shell = (40 * 20**3 - 36 * 16**3) / (6 * 20)
    assert strength.as_sliced(40, 20, 2, 0.0) == pytest.approx(shell)
    assert shell < strength.as_sliced(40, 20, 2, 0.3) < 40 * 20**2 / 6


def test_the_bought_tube_moves_little_and_the_printed_one_as_much_as_it_did() -> None:
    metal, plastic = (strength.on_a_clamp(variant, 73, 50) for variant in models.variants())
    assert strength.touched_mm(metal) < 10 and strength.sway(metal)[1] < 1.5
    assert strength.touched_mm(plastic) > 40


def test_bending_of_a_bought_tube_is_the_textbooks() -> None:
    beam = strength.bought_beam({"tube": 25, "bore": 21})
    assert beam.area == 25**2 - 21**2 and beam.i_plane == pytest.approx((25**4 - 21**4) / 12)


@pytest.mark.parametrize("variant", models.variants())
def test_strength_knows_the_same_stand_as_the_optics(variant: str) -> None:
    stand = strength.on_a_clamp(variant, 60, 50)
    sizes = models.parameters(variant=variant)
    axis = 600 + sizes["pivot_drop"] + sizes["pivot_height"] + sizes["spacer"] + sizes["lens_drop"]
    assert stand.mast_m == pytest.approx((axis - sizes["jaw_top"] - sizes["pad"]) / 1000, abs=0.002)
    assert math.isclose(stand.arm_m, (400 - sizes["tube"] / 2 - 15 + 42) / 1000)
