"""Stiffness and safety of the stand on paper: droop, sway, what the clamp must hold. From parameters.scad and
strength.toml; beams are ideal, joints a share of them, so read one digit and be careful with the second."""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.models import FIRST, parameters
from hardware.optics import lens_above_mast_mm, mast_for, mast_mm
from hardware.optics import load as load_optics

SOURCE = Path(__file__).with_name("strength.toml")
GRAVITY = 9.81
LENS_CM = (48, 60, 73, 79)
"""The Wide camera over any table, Camera Module 2 and 3 over four players, and the highest of the table of heights."""


@dataclass(frozen=True)
class LoadedBeam:
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
    beam: LoadedBeam
    """Of the mast."""
    arm_beam: LoadedBeam
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
    case_m: float
    """The case on the arm, from the mast's axis."""
    clamp_kg: float = 0.0
    clamp_in_m: float = 0.0
    """The clamp's middle from the table's edge, over the table."""
    weak: tuple["Section", ...] = ()
    """Where a catch at the camera bends it most."""


@dataclass(frozen=True)
class Section:
    """A place that bends: what bends it, and what it has against that."""

    name: str
    moment_nmm: float
    modulus_mm3: float
    strength_mpa: float
    pull_mpa: float = 0.0
    """What pulls it apart besides."""

    @property
    def share(self) -> float:
        """Of its strength."""
        return (self.moment_nmm / self.modulus_mm3 + self.pull_mpa) / self.strength_mpa


def _octagon(side: float, cut: float) -> tuple[float, float]:
    """Area and bending of a square with cut corners."""
    area = side**2 - 2 * cut**2
    corner = cut**4 / 36 + cut**2 / 2 * (side / 2 - cut / 3) ** 2
    return area, side**4 / 12 - 4 * corner


def tube_beam(sizes: dict[str, float]) -> LoadedBeam:
    """The printed tube."""
    outer_area, outer = _octagon(sizes["tube"], sizes["tube_chamfer"])
    inner_area, inner = _octagon(sizes["bore"], sizes["bore_chamfer"])
    wall = (sizes["tube"] - sizes["bore"]) / 2
    middle = (sizes["tube"] + sizes["bore"]) / 2
    bending = outer - inner
    return LoadedBeam(outer_area - inner_area, bending, bending, middle**3 * wall, sizes["tube"] / 2)


def wood_beam(sizes: dict[str, float], battens: int = 1) -> LoadedBeam:
    """So many battens side by side, glued, the wide sides in the plane of the arm."""
    thick, wide = battens * sizes["wood_thick"], sizes["wood_wide"]
    twist = wide * thick**3 * (1 / 3 - 0.21 * thick / wide * (1 - thick**4 / (12 * wide**4)))
    return LoadedBeam(thick * wide, thick * wide**3 / 12, wide * thick**3 / 12, twist, wide / 2)


def read() -> dict[str, Any]:
    """The data as it stands."""
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))


def bought_beam(sizes: dict[str, float]) -> LoadedBeam:
    """The aluminium tube."""
    side, bore = sizes["tube"], sizes["bore"]
    bending = (side**4 - bore**4) / 12
    return LoadedBeam(side**2 - bore**2, bending, bending, ((side + bore) / 2) ** 3 * (side - bore) / 2, side / 2)


def bored(beam: LoadedBeam, sizes: dict[str, float]) -> float:
    """What is left of a tube's modulus at a bolt hole through its middle, bent across the hole's axis."""
    wall = (sizes["tube"] - sizes["bore"]) / 2
    lost = 2 * wall * sizes["m5"] * ((sizes["tube"] - wall) / 2) ** 2
    return (beam.i_across - lost) / beam.half


def on_a_clamp(variant: str, lens_cm: float, head_g: float) -> Stand:
    """The stand on the printed clamp at a height: mast and arm bought, or printed too."""
    sizes, data = parameters(variant=variant), read()
    bought = not sizes["printed_tubes"]
    if bought:
        mast, arm = mast_mm(10 * lens_cm, sizes), sizes["arm_length"]
        lens = mast + lens_above_mast_mm(sizes)
        beam, material = bought_beam(sizes), data["aluminium"]
    else:
        middles, length, lens = mast_for(10 * lens_cm, sizes)
        mast, arm = 2 * sizes["tube_length"] + middles * length, sizes["arm_tubes"] * sizes["tube_length"]
        beam, material = tube_beam(sizes), data["printed"]
    grams = beam.area * material["density_kg_m3"] * material["fill"] * 1e-9
    free = lens - lens_above_mast_mm(sizes) + (sizes["pad"] - sizes["throat"] - sizes["jaw_bottom"])
    mast_m = (free + sizes["tube"] / 2 - sizes["jaw_top"] - sizes["pad"]) / 1000
    reach = arm - sizes["tube"] / 2 - sizes["hole_first"] + sizes["pivot_out"]
    case = arm - sizes["tube"] / 2 - sizes["hole_third"] + sizes["saddle_reach"] + sizes["case_depth"] / 2
    knock, plastic = data["hand"]["knock_n"], data["printed"]["strength_mpa"]
    ears = 2 * sizes["ear"] * (22**3 - sizes["m5"] ** 3) / (6 * 22)
    gussets = 2 * sizes["gusset"] * (sizes["tube"] ** 3 - sizes["m5"] ** 3) / (6 * sizes["tube"])
    return Stand(
        material=material,
        beam=beam,
        arm_beam=beam,
        mast_m=mast_m,
        arm_m=reach / 1000,
        head_kg=head_g / 1000,
        mast_kg=grams * mast,
        arm_kg=grams * arm,
        jaw_m=sizes["jaw_depth"] / 1000,
        bolt_m=sizes["clamp_bolt_x"] / 1000,
        width_m=sizes["clamp_width"] / 1000,
        mast_out_m=(sizes["spine"] + (sizes["tube"] + sizes["fit"]) / 2) / 1000,
        case_kg=data["case"]["mass_g"] / 1000,
        case_m=case / 1000,
        clamp_kg=data["clamp"]["mass_g"] / 1000,
        clamp_in_m=data["clamp"]["middle_mm"] / 1000,
        weak=(
            Section("mast above the clamp", knock * mast_m * 1000, beam.i_plane / beam.half, material["strength_mpa"]),
            Section("arm at a bolt", knock * reach, bored(beam, sizes), material["strength_mpa"]),
            Section("gussets at a bolt", knock * reach, gussets, plastic),
            Section("ears", knock * (sizes["pivot_out"] + sizes["hole_first"]), ears, plastic),
        ),
    )


def wooden(head_g: float, battens: int = 2) -> Stand:
    """The stand without printing; its post is of so many battens."""
    sizes, data = parameters(), read()
    beam, arm, material = wood_beam(sizes, battens), wood_beam(sizes), data["wood"]
    a_mm3 = material["density_kg_m3"] * 1e-9
    mast_m = (sizes["wood_post"] - sizes["wood_foot"] - sizes["wood_thick"] + sizes["wood_wide"] / 2) / 1000
    weaker = beam.i_across / (battens * sizes["wood_thick"] / 2)
    foot = read()["hand"]["knock_n"] * mast_m * 1000
    return Stand(
        material=material,
        beam=beam,
        arm_beam=arm,
        mast_m=mast_m,
        arm_m=(sizes["wood_arm"] - sizes["wood_wide"] / 2 + sizes["wood_head_out"] / 2) / 1000,
        head_kg=head_g / 1000,
        mast_kg=beam.area * a_mm3 * sizes["wood_post"],
        arm_kg=arm.area * a_mm3 * sizes["wood_arm"],
        jaw_m=sizes["wood_tongue"] / 1000,
        bolt_m=0.060,
        width_m=sizes["wood_wide"] / 1000,
        mast_out_m=sizes["wood_wide"] / 2 / 1000,
        case_kg=data["case"]["breadboard_g"] / 1000,
        case_m=(sizes["wood_arm"] - sizes["wood_wide"] / 2 - 200) / 1000,
        weak=(Section("foot of the post", foot, weaker, material["strength_mpa"]),),
    )


def droop_mm(stand: Stand) -> float:
    """How far the lens hangs below where it would be without weight. It stays there: only what moves matters."""
    each = stand.material["e_mpa"] * stand.material["joint"] / 1e6
    arm, mast = stand.arm_m, stand.mast_m
    tip = stand.head_kg * GRAVITY
    case = stand.case_kg * GRAVITY
    spread = stand.arm_kg * GRAVITY
    moment = tip * arm + case * stand.case_m + spread * arm / 2
    own = tip * arm**3 / 3 + case * stand.case_m**2 * (3 * arm - stand.case_m) / 6 + spread * arm**3 / 8
    return float(1000 * (own / stand.arm_beam.i_plane + moment * mast * arm / stand.beam.i_plane) / each)


def give_mm_per_n(stand: Stand) -> float:
    """How far the lens moves along the table's edge for each newton that pushes it there."""
    e, g = (stand.material[name] * stand.material["joint"] / 1e6 for name in ("e_mpa", "g_mpa"))
    bends = stand.mast_m**3 / stand.beam.i_across + stand.arm_m**3 / stand.arm_beam.i_across
    return float(1000 * (bends / (3 * e) + stand.arm_m**2 * stand.mast_m / (g * stand.beam.twist)))


def touched_mm(stand: Stand) -> float:
    """How far a sleeve that brushes the camera swings it."""
    return float(read()["hand"]["push_n"] * give_mm_per_n(stand))


def sway(stand: Stand) -> tuple[float, float]:
    """Swings a second of the head sideways, and seconds until they have died down."""
    mass = stand.head_kg + stand.case_kg * (stand.case_m / stand.arm_m) + stand.arm_kg / 2 + stand.mast_kg / 4
    hertz = math.sqrt(1000 / (give_mm_per_n(stand) * mass)) / (2 * math.pi)
    hand = read()["hand"]
    return hertz, math.log(1 / hand["still_at"]) / (2 * math.pi * hertz * hand["damping"])


def tips_by_itself(stand: Stand) -> float:
    """Moment towards the table about the jaw's end, as a share of what holds against it, with the screw loose."""
    jaw = stand.jaw_m
    arm_middle = stand.arm_m / 2 - stand.mast_out_m
    over = stand.head_kg * (stand.arm_m - stand.mast_out_m - jaw) + stand.arm_kg * (arm_middle - jaw)
    over += stand.case_kg * (stand.case_m - stand.mast_out_m - jaw)
    back = stand.mast_kg * (jaw + stand.mast_out_m) + stand.clamp_kg * (jaw - stand.clamp_in_m)
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


def weakest(stand: Stand) -> Section:
    """Where a catch at the camera comes nearest to breaking it."""
    return max(stand.weak, key=lambda section: section.share)


def as_sliced(width: float, height: float, wall: float, infill: float) -> float:
    """The modulus of a rectangle that is printed with walls round an infill: cellular filling is worth its square."""
    core = (width - 2 * wall) * max(height - 2 * wall, 0.0) ** 3
    return (width * height**3 - (1 - infill**2) * core) / (6 * height)


def clamp_sections(sizes: dict[str, float]) -> list[Section]:
    """The printed clamp under a firm hand on its screw, wherever it bends, as it is sliced."""
    data = read()
    plastic, wall, infill = data["printed"]["strength_mpa"], data["clamp"]["wall_mm"], data["clamp"]["infill"]
    force, lever, width = screw_gives(), sizes["clamp_bolt_x"], sizes["clamp_width"]
    slot = width / 2 + sizes["m8_nut"] / 2 / math.cos(math.radians(30))
    nut = as_sliced(width, sizes["jaw_bottom"], wall, infill) - slot * 7.2**3 / (6 * sizes["jaw_bottom"])
    filled = 1.0 if infill == 1 else 2 * wall * (width + sizes["spine"]) / (width * sizes["spine"]) + infill**2
    pull = force / (width * sizes["spine"] * filled)

    def section(name: str, arm_mm: float, height: float, modulus: float | None = None, pulled: float = 0.0) -> Section:
        own = as_sliced(width, height, wall, infill) if modulus is None else modulus
        return Section(name, force * arm_mm, own, plastic, pulled)

    return [
        section("upper jaw at the spine", lever, sizes["jaw_top"]),
        section("lower jaw at the spine", lever, sizes["jaw_bottom"]),
        section("lower jaw at the nut", sizes["m8_nut"] / 2, sizes["jaw_bottom"], nut),
        section("spine", lever + sizes["spine"] / 2, sizes["spine"], pulled=pull),
    ]


def weakest_of_clamp(sizes: dict[str, float]) -> Section:
    """Where the clamp breaks first."""
    return max(clamp_sections(sizes), key=lambda section: section.share)


def base_weight_kg(stand: Stand) -> float:
    """What a base board would have to weigh, were there no clamp, so that a brushing sleeve does not tip it."""
    hand = read()["hand"]
    own = (stand.head_kg * stand.arm_m + stand.case_kg * stand.case_m + stand.arm_kg * stand.arm_m / 2) * GRAVITY
    return float((hand["push_n"] * stand.mast_m + own) / (hand["base_m"] / 2) / GRAVITY)


def stands() -> list[tuple[str, Stand]]:
    """What the guide's table shows."""
    mount = read()["head"]["mount_g"]
    mass = {camera.name: camera.mass_g + mount for camera in load_optics().cameras}
    light, heavy = mass["Camera Module 3"], mass["HQ Camera, 6 mm lens"]
    rows = [(f"aluminium, lens at {cm} cm", on_a_clamp(FIRST, cm, light)) for cm in LENS_CM]
    rows.append((f"aluminium, lens at {LENS_CM[1]} cm, HQ camera", on_a_clamp(FIRST, LENS_CM[1], heavy)))
    rows += [(f"printed tubes, lens at {cm} cm", on_a_clamp("printed_tubes", cm, light)) for cm in LENS_CM[:3]]
    rows.append(("wood", wooden(light)))
    return rows


def strength_table() -> str:
    """The guide's table."""
    lines = [
        "| stand | droop, mm | a sleeve's touch moves the lens, mm | sways at, Hz | still again after, s "
        "| tips with the screw loose | screw must hold (worst way), N | weakest when caught "
        "| base board without a clamp, kg |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, stand in stands():
        hertz, still = sway(stand)
        tips = tips_by_itself(stand)
        force = screw_force(stand)
        worst = max(force, key=lambda way: force[way])
        weak = weakest(stand)
        lines.append(
            f"| {name} | {droop_mm(stand):.1f} | {touched_mm(stand):.0f} | {hertz:.1f} | {still:.1f} "
            f"| {'yes' if tips > 1 else 'no'} ({100 * tips:.0f} %) | {force[worst]:.0f}, {worst} "
            f"| {weak.name}: {100 * weak.share:.0f} % | {base_weight_kg(stand):.1f} |"
        )
    return "\n".join(lines)


def clamp_table() -> str:
    """The guide's table of the clamp."""
    lines = ["| where the clamp bends | of its strength, as it is to be sliced |", "|---|---|"]
    lines += [f"| {section.name} | {100 * section.share:.0f} % |" for section in clamp_sections(parameters())]
    return "\n".join(lines)
