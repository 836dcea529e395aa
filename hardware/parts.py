"""The parts table: reading parts.csv, the guide's lists, and how many bolts the stand's sizes ask for."""

import csv
import io
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware.models import DENSITY, PARTS, STAND, TOOLS, TUBES, parameters

SOURCE = Path(__file__).with_name("parts.csv")
WITH_PI = ("minimal", "standard", "tournament")
BUILDS = ("laptop", *WITH_PI)
PRICED = "2026-11-23"
"""When the estimates were put down: what such parts had cost lately; no shop was asked."""
PRICED_LATER = dict.fromkeys(("K4", "M14", "N10", "Q1", "U2", "W4", "W5"), "2026-11-27")
"""And of those that were added or changed since."""
REFERENCE = re.compile(r"\b([A-Z]{1,2}\d{1,2})\b")


@dataclass(frozen=True)
class Part:
    """A line of the table."""

    ref: str
    quantity: int
    part: str
    specification: str
    builds: tuple[str, ...]
    substitute: str
    estimate_eur: float
    listed: "Listed | None"
    purpose: str

    @property
    def maker_asks(self) -> str:
        """The maker's list price, for the guide; empty where none was found in writing."""
        if self.listed is None:
            return ""
        return f"list price [{self.listed.price}]({self.listed.address}) in {self.listed.month}"

    @property
    def priced(self) -> str:
        """The day of the estimate."""
        return PRICED_LATER.get(self.ref, PRICED)


@dataclass(frozen=True)
class Listed:
    """What the maker asked, without tax, when this was written of it."""

    price: str
    month: str
    address: str


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
                estimate_eur=float(row["estimate_eur"]),
                listed=Listed(row["list_price"], row["list_price_of"], row["list_price_from"])
                if row["list_price"]
                else None,
                purpose=row["purpose"],
            )
            for row in csv.DictReader(file)
        ]


CONSUMABLES, TOOLS_LENT = SOURCE.with_name("consumables.csv"), SOURCE.with_name("tools.csv")
PRICED_CONSUMABLES = "2026-11-27"


@dataclass(frozen=True)
class Consumable:
    """Something that is used up: how much of it each build takes."""

    ref: str
    what: str
    amounts: Mapping[str, str]
    estimate_eur: float
    words: str
    """What a step says that uses it."""
    purpose: str


@dataclass(frozen=True)
class Tool:
    """Something that is lent or owned."""

    what: str
    builds: tuple[str, ...]
    words: str


def consumables() -> list[Consumable]:
    """Every one."""
    with (CONSUMABLES).open(encoding="utf-8", newline="") as file:
        return [
            Consumable(
                row["ref"],
                row["what"],
                {build: row[build] for build in BUILDS if row[build]},
                float(row["estimate_eur"]),
                row["words"],
                row["purpose"],
            )
            for row in csv.DictReader(file)
        ]


def tools() -> list[Tool]:
    """Every one."""
    with (TOOLS_LENT).open(encoding="utf-8", newline="") as file:
        return [Tool(row["what"], tuple(row["builds"].split()), row["words"]) for row in csv.DictReader(file)]


def consumables_table(build: str) -> str:
    """The guide's list of what a build uses up."""
    lines = ["| ref | used up | amount | price, € | for |", "|---|---|---|---|---|"]
    lines += [
        f"| {thing.ref} | {thing.what} | {thing.amounts[build]} | {thing.estimate_eur:g} | {thing.purpose} |"
        for thing in consumables()
        if build in thing.amounts
    ]
    return "\n".join(lines)


def tools_table(build: str) -> str:
    """The guide's list of what a build is made with."""
    return "\n".join(["| tools |", "|---|", *(f"| {tool.what} |" for tool in tools() if build in tool.builds)])


def bolts(sizes: dict[str, float]) -> dict[str, int]:
    """How many M5 bolts of 50 mm, nuts for them, and, with printed tubes, bolts of 40 mm the stand takes."""
    gussets, ears, clamp_caps, saddle = 6, 2, 4, 2
    long = gussets + ears + clamp_caps + saddle
    joints = sizes["printed_tubes"] * (sizes["mast_middles"] + 1 + sizes["arm_tubes"] - 1)
    return {"M2": long, "M4": long, "40": int(4 * joints)}


def parts_table(build: str) -> str:
    """The guide's shopping list of a build."""
    lines = ["| ref | pieces | what, and exactly | instead | price, € | for |", "|---|---|---|---|---|---|"]
    for part in load():
        if build in part.builds:
            what = "<br>".join(filter(None, (f"**{part.part}**", part.specification)))
            star = " *" if part.ref in PRICED_LATER else ""
            cost = "<br>".join(filter(None, (f"{part.quantity * part.estimate_eur:g}{star}", part.maker_asks)))
            lines.append(f"| {part.ref} | {part.quantity} | {what} | {part.substitute} | {cost} | {part.purpose} |")
    later = max(PRICED_LATER.values())
    lines.append(
        f"| | | **together, roughly**<br>with what is used up; without postage and tools "
        f"| | **{round(price(build), -1):.0f}** | estimates of {PRICED}<br>* of {later} |"
    )
    return "\n".join(lines)


BUILD_ROWS = {
    "laptop": (
        "0: laptop", "a laptop or mini-PC, a webcam, a boom arm", "a screwdriver and a ruler", "ten minutes", "—",
    ),
    "minimal": (
        "minimal", "Pi Zero 2 W on a breadboard, OLED, six lamps, three buttons, a wooden stand",
        "saw and screwdriver; no soldering, no printer", "a day", "—",
    ),
    "standard": (
        "standard", "Pi 4, colour display in a case, lamp panel, aluminium stand with printed parts",
        "soldering iron, 3D printer, metal saw", "a weekend of building", "",
    ),
    "tournament": (
        "tournament", "the standard build with a Pi 5, a wide display and everything closed",
        "the same", "the same", "",
    ),
}  # fmt: skip
GRAMS_AN_HOUR = 22.0
"""What a printer lays down at 0.2 mm and a usual pace: a rule of thumb between 15 and 40."""


def printing() -> tuple[float, float]:
    """Grams of plastic for stand and panel as they are sliced, and hours of printing, both rough."""
    fill = tomllib.loads((STAND.parent / "strength.toml").read_text(encoding="utf-8"))["printed"]["fill"]
    grams = sum(filament_g(fill).values())
    return grams, grams / GRAMS_AN_HOUR


def price(build: str) -> float:
    """What a build costs, roughly, in euros."""
    bought = sum(part.quantity * part.estimate_eur for part in load() if build in part.builds)
    return bought + sum(thing.estimate_eur for thing in consumables() if build in thing.amounts)


def builds_table() -> str:
    """The guide's first table."""
    lines = [
        "| build | what it is | tools | time, by rule of thumb | plastic and printing "
        f"| estimated price, €, {PRICED} |",
        "|---|---|---|---|---|---|",
    ]
    grams, hours = printing()
    for build, (name, what, hands, spent, printed) in BUILD_ROWS.items():
        plastic = printed or f"{round(grams, -1):.0f} g, {round(hours / 24):.0f} days of printing"
        cost = f"{round(price(build), -1):.0f}" + (" and the computer you have" if build == "laptop" else "")
        lines.append(f"| [{name}](guide/{build}.md) | {what} | {hands} | {spent} | {plastic} | {cost} |")
    return "\n".join(lines)


SHOPS = {
    "raspberry_pi": ("A", "B", "V", "W1", "W2", "W3"),
    "electronics": ("D", "L", "R", "S", "Z", "K", "P", "U", "C", "F", "W4", "W5", "W6"),
    "hardware_store": ("T", "M", "N", "Q"),
    "printing": ("G",),
    "computer_shop": ("E",),
}
"""Who sells what: by letter of the reference, or by the whole reference where a letter is split."""
ORDERS = Path(__file__).with_name("orders")


def shop_of(ref: str) -> str:
    """The kind of shop that has a part."""
    for shop, refs in SHOPS.items():
        if ref in refs or ref[0] in refs:
            return shop
    raise KeyError(ref)


def orders() -> dict[Path, str]:
    """An order list for each kind of shop: how many of each part every build takes."""
    found = {}
    for shop in SHOPS:
        out = io.StringIO()
        pen = csv.writer(out, lineterminator="\n")
        pen.writerow([
            "ref", "part", "exactly", "instead", *BUILDS, "estimate_each_eur", "estimated",
            "list_price", "list_price_of", "list_price_from",
        ])  # fmt: skip
        for part in load():
            if shop_of(part.ref) == shop:
                counts = [part.quantity if build in part.builds else 0 for build in BUILDS]
                row = [part.ref, part.part, part.specification, part.substitute, *counts]
                listed = part.listed or Listed("", "", "")
                pen.writerow([*row, f"{part.estimate_eur:g}", part.priced, listed.price, listed.month, listed.address])
        found[ORDERS / f"{shop}.csv"] = out.getvalue()
    return found | {ORDERS / f"cart_{build}.csv": cart(build) for build in BUILDS}


def cart(build: str) -> str:
    """All that a build takes, shop by shop, with amounts and prices; what is used up at the end."""
    out = io.StringIO()
    pen = csv.writer(out, lineterminator="\n")
    pen.writerow(
        ["shop", "ref", "amount", "part", "exactly", "estimate_eur", "estimated", "list_price", "list_price_of"]
    )
    for shop in SHOPS:
        for part in load():
            if build in part.builds and shop_of(part.ref) == shop:
                listed = part.listed or Listed("", "", "")
                cost = f"{part.quantity * part.estimate_eur:g}"
                pen.writerow([
                    shop, part.ref, part.quantity, part.part, part.specification, cost, part.priced, listed.price,
                    listed.month,
                ])  # fmt: skip
    for thing in consumables():
        if build in thing.amounts:
            pen.writerow([
                "any", thing.ref, thing.amounts[build], thing.what, thing.purpose, f"{thing.estimate_eur:g}",
                PRICED_CONSUMABLES, "", "",
            ])  # fmt: skip
    pen.writerow(["", "", "", "together, roughly", "", f"{price(build):.0f}", "", "", ""])
    return out.getvalue()


SUBSTITUTES = SOURCE.with_name("substitutes.csv")


@dataclass(frozen=True)
class Substitute:
    """What is bought, left out and set instead of a main part, and what else that changes."""

    builds: tuple[str, ...]
    ref: str
    take: tuple[str, ...]
    leave_out: tuple[str, ...]
    setting: str
    changes: str

    def dearer_eur(self) -> float:
        """How much more the build costs with it, roughly."""
        each = {part.ref: part.quantity * part.estimate_eur for part in load()}
        return sum(each[ref] for ref in self.take) - sum(each[ref] for ref in (self.ref, *self.leave_out))


def substitutes() -> list[Substitute]:
    """Every main part that another of the list may stand in for."""
    with SUBSTITUTES.open(encoding="utf-8", newline="") as file:
        return [
            Substitute(
                builds=tuple(row["builds"].split()),
                ref=row["ref"],
                take=tuple(row["take"].split()),
                leave_out=tuple(row["leave_out"].split()),
                setting=row["setting"],
                changes=row["changes"],
            )
            for row in csv.DictReader(file)
        ]


def substitutes_table() -> str:
    """The guide's table of what a substitute changes."""
    names = {part.ref: part.part for part in load()}
    lines = [
        f"| build | instead of | buy | and leave out | dearer by, €, {PRICED} | `hisabu setup` | what else changes |",
        "|---|---|---|---|---|---|---|",
    ]
    for substitute in substitutes():
        buy, out = (
            ", ".join(f"`{ref}` {names[ref]}" for ref in refs) or "—"
            for refs in (substitute.take, substitute.leave_out)
        )
        setting = f"`{substitute.setting}`" if substitute.setting else "—"
        lines.append(
            f"| {', '.join(substitute.builds)} | `{substitute.ref}` {names[substitute.ref]} | {buy} | {out} "
            f"| {substitute.dearer_eur():+.0f} | {setting} | {substitute.changes} |"
        )
    return "\n".join(lines)


RUNS = STAND / "runs.csv"


def runs_table() -> str:
    """The guide's table of the camera's ribbons and the supplies' cables, as measured on the assembled models."""
    lines = ["| build | cable | has to reach, cm | sold, cm |", "|---|---|---|---|"]
    with RUNS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cells = (row["build"], f"`{row['ref']}`", *(f"{float(row[x]) / 10:.0f}" for x in ("runs_mm", "sold_mm")))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def cut_list() -> str:
    """The guide's cut list of the wooden stand."""
    sizes = parameters()
    thick, wide = sizes["wood_thick"], sizes["wood_wide"]
    rows = [
        ("post", sizes["wood_post"], "square ends"),
        ("second batten", sizes["wood_post"] + wide, "square ends; glued beside the post"),
        ("arm", sizes["wood_arm"], "square ends"),
        ("brace", sizes["wood_brace"], "long side; both ends cut at 45°"),
        ("tongue", sizes["wood_tongue"], "lies flat on the table"),
        ("head block", sizes["wood_head"], "four 2.3 mm holes for the camera, in the half beyond the arm"),
    ]
    lines = ["| piece | length, mm | of batten, mm | note |", "|---|---|---|---|"]
    for name, length, note in rows:
        lines.append(f"| {name} | {length:.0f} | {thick:.0f} × {wide:.0f} | {note} |")
    total = sum(length for _, length, _ in rows)
    lines.append(f"| together | {total:.0f} and six saw cuts | | two battens of 2 m |")
    return "\n".join(lines)


PRINTED = Path(__file__).parent / "stand" / "printed.csv"


SOLID = ("clamp",)
"""Sliced without infill, whatever the rest is."""


def filament_g(fill: float = 1.0) -> dict[str, float]:
    """Grams of each plastic for the parts of one stand and panel; fill is the share of each part that is plastic."""
    grams = dict.fromkeys(DENSITY, 0.0)
    with PRINTED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["part"] in TUBES:
                continue
            pieces, material, _ = PARTS[row["part"]]
            plastic = material.split(",")[0]
            grams[plastic] += (
                pieces * float(row["solid_cm3"]) * 1000 * DENSITY[plastic] * (1.0 if row["part"] in SOLID else fill)
            )
    return grams


def printed_table() -> str:
    """The guide's list of printed parts, as measured on the exported models."""
    lines = [
        "| part | pieces | material | lies | size, mm | solid, cm³ | leans over 45°, mm² | bridged ceilings, mm² |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with PRINTED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pieces, material, lies = PARTS.get(row["part"], ("by height", "PETG", "lying down"))
            size = " × ".join((row["x_mm"], row["y_mm"], row["z_mm"]))
            lines.append(
                f"| `{row['part']}` | {pieces or TOOLS[row['part']]} | {material} | {lies} | {size} "
                f"| {row['solid_cm3']} "
                f"| {row['leaning_mm2']} | {row['ceiling_mm2']} |"
            )
    solid = ", ".join(f"{plastic} {grams:.0f} g" for plastic, grams in filament_g().items())
    lines.append(f"| together, were all of it solid | | {solid} | | | | | |")
    return "\n".join(lines)
