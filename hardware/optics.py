"""How high a camera must hang, and how large cards and seeds are in its picture. Pinhole geometry from optics.toml."""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

from hardware.models import parameters

SOURCE = Path(__file__).with_name("optics.toml")


@dataclass(frozen=True)
class CameraOptics:
    """A camera module with its lens."""

    name: str
    fov_deg: tuple[float, float]
    capture_px: tuple[int, int]
    nearest_focus_cm: float
    focus: str
    mass_g: float

    def footprint_cm(self, height_cm: float) -> tuple[float, float]:
        """Width and depth of the table in the picture, looking straight down."""
        across, deep = (2 * height_cm * math.tan(math.radians(angle) / 2) for angle in self.fov_deg)
        shape = self.capture_px[0] / self.capture_px[1]
        return min(across, deep * shape), min(deep, across / shape)

    def px_per_cm(self, height_cm: float) -> float:
        """On the table, in the coarser direction."""
        across, deep = self.footprint_cm(height_cm)
        return min(self.capture_px[0] / across, self.capture_px[1] / deep)


@dataclass(frozen=True)
class TableOptics:
    """What must be seen."""

    name: str
    area_cm: tuple[float, float]


@dataclass(frozen=True)
class Optics:
    """Everything optics.toml says."""

    cameras: tuple[CameraOptics, ...]
    tables: tuple[TableOptics, ...]
    nearest_cm: float
    farthest_cm: float
    margin: float
    index_mm: float
    seed_mm: float
    least_px_per_cm: float
    """The coarsest picture that the readers are built for."""

    def least_height_cm(self, camera: CameraOptics, table: TableOptics) -> int:
        """The lowest whole centimetre from which the table fits, margin and focus included."""
        needs = [
            side / (1 - 2 * self.margin) / seen_cm
            for side, seen_cm in zip(table.area_cm, camera.footprint_cm(1), strict=True)
        ]
        return math.ceil(max(*needs, self.nearest_cm, camera.nearest_focus_cm))

    def verdict(self, camera: CameraOptics, table: TableOptics) -> str:
        """Whether the pair works, and if not, why."""
        height = self.least_height_cm(camera, table)
        if height > self.farthest_cm:
            return "hangs too high"
        return "yes" if camera.px_per_cm(height) >= self.least_px_per_cm else "too coarse"


def load(path: Path = SOURCE) -> Optics:
    """Reads the data."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    working = data["working"]
    width = 2 * working["farthest_cm"] * math.tan(math.radians(working["least_fov_deg"]) / 2)
    cameras = tuple(
        CameraOptics(
            c["name"], tuple(c["fov_deg"]), tuple(c["capture_px"]), c["nearest_focus_cm"], c["focus"], c["mass_g"]
        )
        for c in data["cameras"]
    )
    return Optics(
        cameras=cameras,
        tables=tuple(TableOptics(t["name"], tuple(t["area_cm"])) for t in data["tables"]),
        nearest_cm=working["nearest_cm"],
        farthest_cm=working["farthest_cm"],
        margin=working["margin"],
        index_mm=data["things"]["index_mm"],
        seed_mm=data["things"]["seed_mm"],
        least_px_per_cm=working["least_width_px"] / width,
    )


def camera_table(optics: Optics) -> str:
    """One line for each camera over each table."""
    lines = [
        "| camera | table | must see, cm | lowest height, cm | sees there, cm | pixels per cm | rank of a card, px "
        "| seed, px | works |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for camera in optics.cameras:
        for table in optics.tables:
            height = optics.least_height_cm(camera, table)
            across, deep = camera.footprint_cm(height)
            density = camera.px_per_cm(height)
            lines.append(
                f"| {camera.name} | {table.name} | {table.area_cm[0]:g} × {table.area_cm[1]:g} | {height} "
                f"| {across:.0f} × {deep:.0f} | {density:.1f} | {density * optics.index_mm / 10:.0f} "
                f"| {density * optics.seed_mm / 10:.0f} | {optics.verdict(camera, table)} |"
            )
    return "\n".join(lines)


def lens_above_mast_mm(sizes: dict[str, float]) -> float:
    """How far the lens hangs under what the mast's length alone would give."""
    low = sizes["pad"] - sizes["throat"] - sizes["jaw_bottom"]
    down = sizes["pivot_drop"] + sizes["pivot_height"] + sizes["spacer"] + sizes["lens_drop"]
    return low + sizes["tube"] / 2 - down


def mast_mm(lens_mm: float, sizes: dict[str, float]) -> float:
    """How long the mast is to be sawn for a height of the lens."""
    return math.ceil(lens_mm - lens_above_mast_mm(sizes))


def mast_for(lens_mm: float, sizes: dict[str, float]) -> tuple[int, float, float]:
    """A printed mast: middle tubes, the length of each, and the lens height that gives: the lowest not too low."""
    full, shortest = sizes["tube_length"], 125.0
    mast = lens_mm - lens_above_mast_mm(sizes)
    rest = max(mast - 2 * full, shortest)
    middles = math.ceil(rest / full)
    length = max(math.ceil(rest / middles), shortest)
    return middles, length, 2 * full + middles * length + lens_above_mast_mm(sizes)


def height_table(optics: Optics) -> str:
    """For each table the cameras that work, and the mast to saw or print for them."""
    sizes, printed = parameters(), parameters(variant="printed_tubes")
    lines = [
        "| table | camera | lens above the table, cm | saw the mast to, mm | or print: middle tubes "
        "| rank of a card, px |",
        "|---|---|---|---|---|---|",
    ]
    for table in optics.tables:
        for name in ("Camera Module 3", "Camera Module 2", "Camera Module 3 Wide"):
            camera = next(c for c in optics.cameras if c.name == name)
            if optics.verdict(camera, table) == "yes":
                height = optics.least_height_cm(camera, table)
                middles, length, _ = mast_for(10 * height, printed)
                index = camera.px_per_cm(height) * optics.index_mm / 10
                lines.append(
                    f"| {table.name} | {camera.name} | {height} | {mast_mm(10 * height, sizes):.0f} "
                    f"| {middles} × {length:.0f} mm | {index:.0f} |"
                )
    return "\n".join(lines)


ARMS = (
    ("gooseneck of 75 cm, 8 mm", 40, "carries a webcam of up to 60 g; shakes long after a touch"),
    (
        "gooseneck of 90 cm, 16 mm, with a clamp",
        55,
        "A webcam like the C920 (162 g) pulls it down. Hang it where the neck curves highest.",
    ),
    ("boom arm for microphones, two springs", 70, "the usual choice: 1/4 inch thread or an adapter from 3/8 inch"),
    ("overhead arm for phones and cameras, locking joints", 80, "stands stillest"),
)
"""Sold arms: the height over the table that they reach with the lens 35 cm in from the edge (rough), and a remark."""


def arm_table(optics: Optics) -> str:
    """For build 0: how high the webcam must hang over each table, and which arms reach that."""
    camera = next(camera for camera in optics.cameras if camera.name.startswith("USB"))
    tables = {table.name: optics.least_height_cm(camera, table) for table in optics.tables}
    lines = [
        "| arm | highest lens above the table, cm | "
        + " | ".join(f"{name}: {height} cm" for name, height in tables.items())
        + " | remark |",
        "|---|---|" + "---|" * (len(tables) + 1),
    ]
    for name, reach, remark in ARMS:
        cells = []
        for table in optics.tables:
            height = tables[table.name]
            coarse = optics.verdict(camera, table) != "yes"
            cells.append("too low" if reach < height else "reaches, but the picture is too coarse" if coarse else "yes")
        lines.append(f"| {name} | {reach} | {' | '.join(cells)} | {remark} |")
    return "\n".join(lines)


def focus_table(optics: Optics) -> str:
    """What each camera wants done."""
    lines = ["| camera | focus | focuses from, cm | weighs, g |", "|---|---|---|---|"]
    for camera in optics.cameras:
        lines.append(f"| {camera.name} | {camera.focus} | {camera.nearest_focus_cm:g} | {camera.mass_g:g} |")
    return "\n".join(lines)


if __name__ == "__main__":
    import argparse

    from hardware import decks

    line = argparse.ArgumentParser(
        description="The guide's tables of cameras; --measure counts anew which decks are read."
    )
    line.add_argument("--measure", action="store_true", help="draws tables and reads them: some minutes")
    if line.parse_args().measure:
        decks.measure()
    print(camera_table(load()), decks.deck_table(), sep="\n\n")
