"""The parts table: reading parts.csv, the guide's lists, and how many bolts the stand's sizes ask for."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from hardware.models import DENSITY, PARTS, parameters

SOURCE = Path(__file__).with_name("parts.csv")
BUILDS = ("minimal", "standard", "tournament")
REFERENCE = re.compile(r"\b([A-Z]{1,2}\d{1,2})\b")
TALLEST_MIDDLES = 3
"""Middle tubes of the highest mast in the guide's table of heights."""


@dataclass(frozen=True)
class Part:
    """A line of the table."""

    ref: str
    quantity: int
    part: str
    specification: str
    builds: tuple[str, ...]
    substitute: str
    rough_price_eur: float
    purpose: str


def load(path: Path = SOURCE) -> list[Part]:
    """Every part."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Part(
                ref=row["ref"],
                quantity=int(row["quantity"]),
                part=row["part"],
                specification=row["specification"],
                builds=tuple(row["builds"].split()),
                substitute=row["substitute"],
                rough_price_eur=float(row["rough_price_eur"]),
                purpose=row["purpose"],
            )
            for row in csv.DictReader(file)
        ]


def bolts(sizes: dict[str, float], middles: int = TALLEST_MIDDLES) -> dict[str, int]:
    """How many of each M5 bolt the printed stand takes, by reference."""
    joints = middles + 1 + int(sizes["arm_tubes"]) - 1
    gusset, ears, clamp_caps, saddle_caps = 6, 2, 4, 4
    found = {"M1": 4 * joints, "M2": gusset + ears + clamp_caps, "M3": saddle_caps}
    return {**found, "M4": sum(found.values())}


def parts_table(build: str) -> str:
    """The guide's shopping list of a build."""
    lines = ["| ref | pieces | part | exactly | instead | rough price, € | for |", "|---|---|---|---|---|---|---|"]
    total = 0.0
    for part in load():
        if build in part.builds:
            total += part.quantity * part.rough_price_eur
            lines.append(
                f"| {part.ref} | {part.quantity} | {part.part} | {part.specification} | {part.substitute} "
                f"| {part.quantity * part.rough_price_eur:g} | {part.purpose} |"
            )
    lines.append(f"| | | **together, roughly** | | | **{round(total, -1):.0f}** | without postage and tools |")
    return "\n".join(lines)


def cut_list() -> str:
    """The guide's cut list of the wooden stand."""
    sizes = parameters()
    thick, wide = sizes["wood_thick"], sizes["wood_wide"]
    rows = [
        ("post", "wood_post", "square ends"),
        ("arm", "wood_arm", "square ends"),
        ("brace", "wood_brace", "long side; both ends cut at 45°"),
        ("tongue", "wood_tongue", "lies flat on the table"),
        ("head block", "wood_head", "four 2.3 mm holes for the camera, lens hole not needed"),
    ]
    lines = ["| piece | length, mm | of batten, mm | note |", "|---|---|---|---|"]
    for name, size, note in rows:
        lines.append(f"| {name} | {sizes[size]:.0f} | {thick:.0f} × {wide:.0f} | {note} |")
    total = sum(sizes[size] for _, size, _ in rows)
    lines.append(f"| together | {total:.0f} and five saw cuts | | one batten of 2 m is enough |")
    return "\n".join(lines)


PRINTED = Path(__file__).parent / "stand" / "printed.csv"


def filament_g(fill: float = 1.0) -> dict[str, float]:
    """Grams of each plastic for the parts of one stand and panel; fill is the share of each part that is plastic."""
    grams = dict.fromkeys(DENSITY, 0.0)
    with PRINTED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pieces, material, _ = PARTS[row["part"]]
            plastic = material.split(",")[0]
            grams[plastic] += pieces * float(row["solid_cm3"]) * 1000 * DENSITY[plastic] * fill
    return grams


def printed_table() -> str:
    """The guide's list of printed parts, as measured on the exported models."""
    lines = [
        "| part | pieces | material | lies | size, mm | solid, cm³ | leans over 45°, mm² | bridged ceilings, mm² |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with PRINTED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pieces, material, lies = PARTS[row["part"]]
            size = " × ".join((row["x_mm"], row["y_mm"], row["z_mm"]))
            lines.append(
                f"| `{row['part']}` | {pieces or 'instead'} | {material} | {lies} | {size} | {row['solid_cm3']} "
                f"| {row['leaning_mm2']} | {row['ceiling_mm2']} |"
            )
    solid = ", ".join(f"{plastic} {grams:.0f} g" for plastic, grams in filament_g().items())
    lines.append(f"| together, were all of it solid | | {solid} | | | | | |")
    return "\n".join(lines)
