"""Stiffness and safety of the stand on paper: droop, sway, what the clamp must hold. From parameters.scad and
strength.toml; beams are ideal, joints a share of them, so read one digit and be careful with the second."""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.models import parameters
from hardware.optics import lens_above_mast_mm, mast_for
from hardware.optics import load as load_optics

SOURCE = Path(__file__).with_name("strength.toml")
GRAVITY = 9.81
LENS_CM = (48, 58, 68, 78)


@dataclass(frozen=True)
class Beam:
    """A cross section: square millimetres, and how it resists bending in the plane of the arm, across it, and twist."""

    area: float
    i_plane: float
    i_across: float
    twist: float
    half: float
    """Half its height in the plane of the arm."""


@dataclass(frozen=True)
class Stand:
    """Mast and arm as two beams with a head."""

    material: dict[str, Any]
    beam: Beam
    mast_m: float
    """From where it is held to the arm's axis."""
    arm_m: float
    """From the mast's axis to the lens."""
    head_kg: float
    mast_kg: float
    arm_kg: float
    jaw_m: float
    """How far the jaw reaches over the table."""
    bolt_m: float
    """The screw from the table's edge."""
    width_m: float
    mast_out_m: float
    """The mast's axis from the table's edge, outwards."""
    case_kg: float
    """What hangs on the mast near its foot."""


def _octagon(side: float, cut: float) -> tuple[float, float]:
    """Area and bending of a square with cut corners."""
    area = side**2 - 2 * cut**2
    corner = cut**4 / 36 + cut**2 / 2 * (side / 2 - cut / 3) ** 2
    return area, side**4 / 12 - 4 * corner


def tube_beam(sizes: dict[str, float]) -> Beam:
    """The printed tube."""
    outer_area, outer = _octagon(sizes["tube"], sizes["tube_chamfer"])
    inner_area, inner = _octagon(sizes["bore"], sizes["bore_chamfer"])
    wall = (sizes["tube"] - sizes["bore"]) / 2
    middle = (sizes["tube"] + sizes["bore"]) / 2
    bending = outer - inner
    return Beam(outer_area - inner_area, bending, bending, middle**3 * wall, sizes["tube"] / 2)


def wood_beam(sizes: dict[str, float]) -> Beam:
    """The batten, its wide side in the plane of the arm."""
    thick, wide = sizes["wood_thick"], sizes["wood_wide"]
    twist = wide * thick**3 * (1 / 3 - 0.21 * thick / wide)
    return Beam(thick * wide, thick * wide**3 / 12, wide * thick**3 / 12, twist, wide / 2)


def read() -> dict[str, Any]:
    """The data as it stands."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def printed(lens_cm: float, head_g: float) -> Stand:
    """The printed stand at a height."""
    sizes, data = parameters(), read()
    middles, length, lens = mast_for(10 * lens_cm, sizes)
    mast = 2 * sizes["tube_length"] + middles * length
    arm = sizes["arm_tubes"] * sizes["tube_length"]
    beam, material = tube_beam(sizes), data["printed"]
    grams = beam.area * material["density_kg_m3"] * material["fill"] * 1e-9
    free = lens - lens_above_mast_mm(sizes) + (sizes["pad"] - sizes["throat"] - sizes["jaw_bottom"])
    return Stand(
        material=material,
        beam=beam,
        mast_m=(free + sizes["tube"] / 2 - sizes["jaw_top"] - sizes["pad"]) / 1000,
        arm_m=(arm - sizes["tube"] / 2 - sizes["hole_first"] + sizes["pivot_out"]) / 1000,
        head_kg=head_g / 1000,
        mast_kg=grams * mast,
        arm_kg=grams * arm,
        jaw_m=sizes["jaw_depth"] / 1000,
        bolt_m=0.038,
        width_m=sizes["clamp_width"] / 1000,
        mast_out_m=(sizes["spine"] + (sizes["tube"] + sizes["fit"]) / 2) / 1000,
        case_kg=data["case"]["mass_g"] / 1000,
    )


def wooden(head_g: float) -> Stand:
    """The stand without printing."""
    sizes, data = parameters(), read()
    beam, material = wood_beam(sizes), data["wood"]
    grams = beam.area * material["density_kg_m3"] * 1e-9
    return Stand(
        material=material,
        beam=beam,
        mast_m=(sizes["wood_post"] - 60 - sizes["wood_thick"] + sizes["wood_wide"] / 2) / 1000,
        arm_m=(sizes["wood_arm"] - sizes["wood_wide"] / 2 - 25) / 1000,
        head_kg=head_g / 1000,
        mast_kg=grams * sizes["wood_post"],
        arm_kg=grams * sizes["wood_arm"],
        jaw_m=sizes["wood_tongue"] / 1000,
        bolt_m=0.060,
        width_m=sizes["wood_wide"] / 1000,
        mast_out_m=sizes["wood_wide"] / 2 / 1000,
        case_kg=0.0,
    )


def droop_mm(stand: Stand) -> float:
    """How far the lens hangs below where it would be without weight. It stays there: only what moves matters."""
    ei = stand.material["e_mpa"] * stand.beam.i_plane * stand.material["joint"] / 1e6
    arm, mast = stand.arm_m, stand.mast_m
    tip = stand.head_kg * GRAVITY
    spread = stand.arm_kg * GRAVITY
    moment = tip * arm + spread * arm / 2
    own = tip * arm**3 / 3 + spread * arm**3 / 8
    return float(1000 * (own + moment * mast * arm) / ei)


def sway(stand: Stand) -> tuple[float, float]:
    """Swings a second of the head sideways, and seconds until they have died down."""
    material, beam = stand.material, stand.beam
    ei = material["e_mpa"] * beam.i_across * material["joint"] / 1e6
    gj = material["g_mpa"] * beam.twist * material["joint"] / 1e6
    give = stand.mast_m**3 / (3 * ei) + stand.arm_m**3 / (3 * ei) + stand.arm_m**2 * stand.mast_m / gj
    mass = stand.head_kg + stand.arm_kg / 2 + stand.mast_kg / 4
    hertz = math.sqrt(1 / (give * mass)) / (2 * math.pi)
    hand = read()["hand"]
    return hertz, math.log(1 / hand["still_at"]) / (2 * math.pi * hertz * hand["damping"])


def tips_by_itself(stand: Stand) -> float:
    """Moment towards the table about the jaw's end, as a share of what holds against it, with the screw loose."""
    jaw = stand.jaw_m
    arm_middle = stand.arm_m / 2 - stand.mast_out_m
    over = stand.head_kg * (stand.arm_m - stand.mast_out_m - jaw) + stand.arm_kg * (arm_middle - jaw)
    back = (stand.mast_kg + stand.case_kg) * (jaw + stand.mast_out_m)
    return over / back


def screw_force(stand: Stand) -> dict[str, float]:
    """Newtons that the screw must give when somebody catches the arm, by the direction of the pull."""
    moment = read()["hand"]["knock_n"] * (stand.mast_m + 0.02)
    return {
        "towards the table": moment / (stand.jaw_m - stand.bolt_m),
        "away from it": moment / stand.bolt_m,
        "along the edge": moment / (stand.width_m / 2),
    }


def screw_gives() -> float:
    """Newtons from a firm hand on the knob of an M8 screw."""
    hand = read()["hand"]
    return float(hand["knob_nm"] / (hand["bolt_k"] * 0.008))


def stress_share(stand: Stand) -> float:
    """The stress at the foot of the mast in that catch, as a share of the strength."""
    moment = read()["hand"]["knock_n"] * stand.mast_m * 1000
    weaker = min(stand.beam.i_plane, stand.beam.i_across)
    half = stand.beam.half if stand.beam.i_plane <= stand.beam.i_across else stand.beam.half * 21 / 45
    return float(moment * half / weaker / stand.material["strength_mpa"])


def spine_share() -> float:
    """The bending in the printed clamp's spine under the screw alone, as a share of its strength."""
    sizes = parameters()
    lever = 38 + sizes["spine"] / 2
    section = sizes["clamp_width"] * sizes["spine"] ** 2 / 6
    return float(screw_gives() * lever / section / read()["printed"]["strength_mpa"])


def base_weight_kg(stand: Stand) -> float:
    """What a base board would have to weigh, were there no clamp, so that a brushing sleeve does not tip it."""
    hand = read()["hand"]
    own = (stand.head_kg * stand.arm_m + stand.arm_kg * stand.arm_m / 2) * GRAVITY
    return float((hand["push_n"] * stand.mast_m + own) / (hand["base_m"] / 2) / GRAVITY)


def stands() -> list[tuple[str, Stand]]:
    """What the guide's table shows."""
    mount = read()["head"]["mount_g"]
    mass = {camera.name: camera.mass_g + mount for camera in load_optics().cameras}
    light, heavy = mass["Camera Module 3"], mass["HQ Camera, 6 mm lens"]
    rows = [(f"printed, lens at {cm} cm", printed(cm, light)) for cm in LENS_CM]
    rows.append((f"printed, lens at {LENS_CM[1]} cm, HQ camera", printed(LENS_CM[1], heavy)))
    rows.append(("wood", wooden(light)))
    return rows


def strength_table() -> str:
    """The guide's table."""
    lines = [
        "| stand | droop, mm | sways at, Hz | still again after, s | tips with the screw loose "
        "| screw must hold (worst way), N | stress in that catch | base board without a clamp, kg |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, stand in stands():
        hertz, still = sway(stand)
        tips = tips_by_itself(stand)
        force = screw_force(stand)
        worst = max(force, key=lambda way: force[way])
        lines.append(
            f"| {name} | {droop_mm(stand):.1f} | {hertz:.1f} | {still:.1f} "
            f"| {'yes' if tips > 1 else 'no'} ({100 * tips:.0f} %) | {force[worst]:.0f}, {worst} "
            f"| {100 * stress_share(stand):.0f} % of strength | {base_weight_kg(stand):.1f} |"
        )
    return "\n".join(lines)
