"""What must reach, hold and be seen: every cable, the camera's height and view, the clamp, the displays behind their
windows, the fuse, and what the guide tells to start or to use. Each fault is a line that says what to change."""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from device.machine.wiring import load as load_wiring
from hardware import boards, diagrams, models, optics, parts, strength
from hardware.stl import Mesh

ROOT = Path(__file__).resolve().parent.parent
RIBBON_MOST_MM = 300
"""Longer ribbons lose pictures: at 1 m the cameras of a Pi time out (picamera2's issue 962)."""
FOLDS_MM = 60
"""What a ribbon spends on two folds and on the tilting head."""
LOOPS_MM = 150
"""What every other cable spends on its loops: at its two plugs, and where it turns."""
JUMPER_MM = 40
"""What a jumper wire spends on its two sockets and on not being taut."""
TABLE_MM = 740
WALL_MM = 1500
"""A table's height, and how far its leg stands from the wall's socket: rules of thumb."""
LAPTOP_MM = 600
"""From the boom arm's foot to the laptop."""
SOLDERED_MM = 60
"""A wire from one row of the strip to the next: 32 mm, and what bends."""
FOUR = "4 players"
FRUSTUM_FROM_MM = 12
"""Nearer under the lens than this nothing is looked for: the camera's own board."""
OVERLAP_MM = 1.5
"""A display's board lies on the lid by at least so much on each side of its window, and under its bars."""


def length_mm(part: parts.Part) -> float:
    """The length that a cable or ribbon is sold in, from its name; not a number where it names none."""
    found = re.search(r"([\d.]+) (m|cm)\b", part.part + " " + part.specification)
    return math.nan if found is None else float(found[1]) * (1000 if found[2] == "m" else 10)


def is_cable(part: parts.Part) -> bool:
    """Whether the part must reach from one thing to another."""
    return part.ref[0] in "WV" or re.search(r"\b(cable|wires|lead)\b(?! clips)", part.part) is not None


def runs(assemblies: dict[str, Any]) -> dict[tuple[str, str], float]:
    """How far each cable has to go in each build, loops and folds included: (build, reference) to millimetres."""
    ribbon, wood_ribbon = (models.run_mm(points) + FOLDS_MM for points in assemblies["ribbons"])
    supply, wood_supply = (models.run_mm(points) + LOOPS_MM for points in assemblies["supplies"])
    lead = TABLE_MM - models.parameters()["plug_room"] + WALL_MM
    found = {
        ("minimal", "W1"): wood_ribbon,
        ("minimal", "V1"): wood_supply,
        ("minimal", "K2"): jumper_mm(assemblies),
        ("laptop", "E4"): boom_mm() + LAPTOP_MM + LOOPS_MM,
        ("standard", "W2"): ribbon,
        ("standard", "V2"): supply,
        ("tournament", "W3"): ribbon,
        ("tournament", "V3"): supply,
        **{(build, "Q1"): lead for build in parts.BUILDS},
    }
    sizes = models.parameters()
    for build in ("standard", "tournament"):
        found |= {(build, ref): models.run_mm(points) + LOOPS_MM for ref, points in assemblies["to_the_panel"]}
        # From the Pi's header to the farthest corner, the lid laid beside the case.
        found[build, "K4"] = sizes["case_length"] + sizes["case_height"] + JUMPER_MM
        found[build, "W6"] = panel_wire_mm()
    return found


def boom_mm() -> float:
    """Along the boom arm of build 0, at its highest: up, and over to the middle of the table."""
    arm = next(part for part in parts.load() if part.ref == "E3")
    return 10 * sum(float(cm) for cm in re.findall(r"(\d+) cm", arm.specification))


def jumper_mm(assemblies: dict[str, Any]) -> float:
    """The longest wire from a pin of the Pi Zero to its hole on the breadboard, in a straight line and a bit."""
    zero, board = (np.array(assemblies[name]) for name in ("zero", "breadboard"))
    longest = 0.0
    for wire in boards.breadboard()[1]:
        for pin, hole in ((wire.a, wire.b), (wire.b, wire.a)):
            if pin.startswith("pin ") and not hole.startswith("pin "):
                number = int(pin.removeprefix("pin "))
                # Pin 1 lies at the end away from the camera; the header runs along the board, the rows across.
                there = zero + np.array([2.54 * ((number - 1) // 2 - 9.5), 0, 11])
                column = int(re.sub(r"^[-+]?[a-z]", "", hole))
                at = board + np.array([2.54 * (column - 32), 0, 25 if hole[0] in "-+" else -20])
                longest = max(longest, float(np.linalg.norm(there - at)))
    return longest + JUMPER_MM


def panel_wire_mm() -> float:
    """All the soldered wire in the panel: between the strip's rows, on the board, to the Pico and to the strip."""
    sizes = models.parameters()
    rows = 3 * (len(load_wiring().panel.rows) - 1) * SOLDERED_MM
    board = sum(2.54 * (len(boards.pads(wire)) - 1) for wire in boards.k3()[1])
    to_pico = 2 * (sizes["k3_x"] - sizes["pico_x"] + SOLDERED_MM)
    to_strip = 3 * (sizes["panel_rows"] * sizes["panel_row_pitch"] / 2 + sizes["k3_x"] + SOLDERED_MM)
    return float(rows + board + to_pico + to_strip)


def cables(assemblies: dict[str, Any]) -> list[tuple[str, str, float, float]]:
    """Each cable of each build: build, reference, how far it runs, how long it is sold (a webcam's own added)."""
    far = runs(assemblies)
    own = length_mm(next(part for part in parts.load() if part.ref == "E2"))
    return [
        (build, part.ref, far[build, part.ref], length_mm(part) + (own if part.ref == "E4" else 0))
        for part in parts.load()
        for build in part.builds
        if (build, part.ref) in far
    ]


def cable_faults(assemblies: dict[str, Any], listed: Sequence[parts.Part]) -> list[str]:
    """Cables that are too short, ribbons that are too long, and cables of which nothing says how far they run."""
    far, found = runs(assemblies), []
    own = length_mm(next(part for part in listed if part.ref == "E2"))
    for part in listed:
        for build in part.builds if is_cable(part) else ():
            if (build, part.ref) not in far:
                found.append(f"{build}: nothing says how far {part.ref} runs")
                continue
            sold = length_mm(part) + (own if part.ref == "E4" else 0)
            if math.isnan(sold):
                found.append(f"{build}: {part.ref}, {part.part}, names no length")
            if far[build, part.ref] > sold:
                found.append(f"{build}: {part.ref} is {sold:.0f} mm long and has {far[build, part.ref]:.0f} mm to go")
            if part.part.startswith("camera ribbon") and sold > RIBBON_MOST_MM:
                found.append(f"{build}: a ribbon of {sold:.0f} mm is longer than the {RIBBON_MOST_MM} mm that are safe")
    return found


def faults(assemblies: dict[str, Any], variant: str) -> list[str]:
    """What is too short, too low, too weak or too shaky on a stand."""
    found = cable_faults(assemblies, parts.load())
    found += height_faults(assemblies["lens"][0][2], assemblies["wood_lens"][2])
    if variant == models.FIRST:
        found += hold_faults(models.parameters(variant=variant))
        found += wood_faults(strength.wooden(strength.read()["head"]["mount_g"]))
    return found


def wood_faults(stand: strength.Stand) -> list[str]:
    """Whether the wooden stand keeps to the bounds of the printed one."""
    return [f"wood: {why}" for why in stand_faults(stand)]


def stand_faults(stand: strength.Stand) -> list[str]:
    """Whether a stand stands still, breaks when it is caught, or tips."""
    data, found = strength.read(), []
    _, still = strength.sway(stand)
    if strength.touched_mm(stand) > data["sway"]["touch_most_mm"]:
        found.append(f"a sleeve's touch moves the lens by {strength.touched_mm(stand):.0f} mm")
    if still > data["sway"]["still_most_s"]:
        found.append(f"the lens swings for {still:.1f} s")
    if strength.weakest(stand).share > data["clamp"]["share_most"]:
        found.append(f"{strength.weakest(stand).name} breaks when somebody catches the arm")
    if strength.tips_by_itself(stand) > 1:
        found.append("the stand tips over the table as soon as its screw is loose")
    return found


def sizes_mm(words: str, text: str) -> tuple[float, float]:
    """A size such as "board 44 x 32 mm" in a part's specification."""
    found = re.search(rf"{words} ([\d.]+) x ([\d.]+) mm", text)
    if found is None:
        raise ValueError(f"no {words} size in {text!r}")
    return float(found[1]), float(found[2])


WINDOWS = {"D2": "", "D3": "wide_"}
"""Each display with what its sizes in parameters.scad begin with."""


def window_faults(sizes: Mapping[str, float], listed: Sequence[parts.Part]) -> list[str]:
    """Displays whose board falls through the lid's window, slips from its bars, or is not the one that is drawn; and
    windows that hide some of the picture."""
    found = []
    for part in listed:
        if part.ref not in WINDOWS:
            continue
        prefix = WINDOWS[part.ref]
        board, picture = (sizes_mm(words, part.specification) for words in ("board", "picture"))
        window = (sizes[f"{prefix}window_x"], sizes[f"{prefix}window_y"])
        drawn = (sizes[f"{prefix}display_x"], sizes[f"{prefix}display_y"])
        if board != drawn:
            found.append(
                f"{part.ref}: a board of {board[0]:g} x {board[1]:g} mm is bought, {drawn[0]:g} x {drawn[1]:g} drawn"
            )
        if any(side < hole + 2 * OVERLAP_MM for side, hole in zip(board, window, strict=True)):
            found.append(
                f"{part.ref}: a board of {board[0]:g} x {board[1]:g} mm falls through a window of "
                f"{window[0]:g} x {window[1]:g}"
            )
        if any(hole < seen for hole, seen in zip(window, picture, strict=True)):
            found.append(f"{part.ref}: the window hides some of a picture of {picture[0]:g} x {picture[1]:g} mm")
        if board[0] / 2 < sizes["display_bar_in"] + OVERLAP_MM:
            found.append(f"{part.ref}: the bars do not reach a board {board[0]:g} mm wide")
    return found


def header_faults(listed: Sequence[parts.Part]) -> list[str]:
    """Builds without a socket for each pin of the Pi's header that a wire goes to."""
    found = []
    for build in parts.WITH_PI:
        wanted = len(header_pins(build))
        sockets = sum(
            int(count)
            for part in listed
            if build in part.builds and part.part.startswith("jumper wires")
            for count in re.findall(r"(\d+) (?:male-)?female", part.specification)
        )
        if sockets < wanted:
            found.append(f"{build}: {wanted} wires go to the Pi's pins, and {sockets} sockets are bought")
    return found


def header_pins(build: str) -> set[int]:
    """The places on the Pi's header that a build's wires go to."""
    return {wire.place for wire in diagrams.header_wires(build, load_wiring())}


def board_faults(listed: Sequence[parts.Part]) -> list[str]:
    """Whether the perforated board that is bought leaves apart what must be apart."""
    board = next(part for part in listed if part.ref == "K3")
    offered = f"{board.specification}; {board.substitute}".split(";")
    strips = any("strip" in words and "short" not in words for words in offered)
    return [f"K3 on a board with strips: {why}" for why in boards.k3_on_strips()[:1]] if strips else []


def strip_faults(listed: Sequence[parts.Part]) -> list[str]:
    """Strips whose lamps want more bytes than the firmware writes."""
    bytes_a_lamp = len(load_wiring().panel.order)
    strip = next(part for part in listed if part.ref == "P1")
    return [
        f"P1: {words.strip()!r} may have four colours a lamp; the firmware writes {bytes_a_lamp} bytes: say RGB"
        for words in (f"{strip.part} {strip.specification}", strip.substitute)
        if words and not re.search(r"\bRGB\b", words)
    ]


def height_faults(lens_mm: float, wood_mm: float) -> list[str]:
    """Whether the drawn stands see four players with the camera that is bought for them."""
    data, found = optics.load(), []
    four = next(table for table in data.tables if table.name == FOUR)
    for build, height in (("minimal", wood_mm), ("standard", lens_mm)):
        bought = next(part.part for part in parts.load() if part.ref[0] == "B" and build in part.builds)
        camera = next(camera for camera in data.cameras if camera.name == bought)
        least = data.least_height_cm(camera, four)
        if height < 10 * least - 0.5:
            found.append(f"{build}: the lens hangs at {height / 10:.0f} cm; {bought} needs {least} cm for {FOUR}")
    return found


def hold_faults(sizes: dict[str, float]) -> list[str]:
    """Whether the recommended stand stands still, does not tip, and its clamp bears a firm hand."""
    data, found = strength.read(), []
    weak = strength.weakest_of_clamp(sizes)
    if weak.share > data["clamp"]["share_most"]:
        found.append(f"the clamp's {weak.name} bears {100 * weak.share:.0f} % of its strength as it is sliced")
    height = sizes["mast_length"] + optics.lens_above_mast_mm(sizes)
    return found + stand_faults(strength.on_a_clamp(models.FIRST, height / 10, data["head"]["mount_g"]))


def in_the_picture(pieces: Sequence[tuple[str, str, Mesh]], lens: Sequence[float]) -> list[str]:
    """Pieces of a stand that hide some of what four players need; the picture's long side runs along the table's edge.
    A corner of the clamp in the margin beyond that does no harm."""
    area = next(table.area_cm for table in optics.load().tables if table.name == FOUR)
    across, deep = (10 * side / lens[2] for side in area)
    found = []
    for label, part, mesh in pieces:
        corners = mesh.triangles - np.array(lens)
        middles = corners.mean(axis=1, keepdims=True)
        points = np.concatenate([corners, middles], axis=1).reshape(-1, 3)
        under = -points[:, 2]
        seen = (
            (under > FRUSTUM_FROM_MM)
            & (np.abs(points[:, 1]) < across / 2 * under)
            & (np.abs(points[:, 0]) < deep / 2 * under)
        )
        if part != "shown_table" and seen.any():
            found.append(f"{label} hides some of the table from the camera")
    return found


def fuse_faults(connections: Sequence[Sequence[dict[str, Any]]], listed: Sequence[parts.Part]) -> list[str]:
    """The fuse is the first thing behind the Pi's 5 V, and the board behind it does not carry it too."""
    found = []
    live = [chain for chain in connections if "PI" in chain[0] and 4 in chain[0]["PI"]]
    if any("F1" not in chain[-1] for chain in live) or not live:
        found.append("the drawing has something before the fuse F1")
    board = next(part for part in listed if part.ref == "K3")
    if "F1" in board.purpose:
        found.append("K3 carries the fuse F1: then the wire to K3 is not protected")
    return found


PROGRAMS = {
    "apt": {"i2cdetect": "i2c-tools", "rpicam-hello": "rpicam-apps-lite", "rpicam-still": "rpicam-apps-lite"},
    "pip": {"mpremote": "mpremote"},
}
"""Programs that the guide starts and that nothing has by itself, with the package that brings each."""


def list_faults() -> list[str]:
    """What is wrong in the list of parts by itself: windows, sockets, boards, strips."""
    listed = parts.load()
    return [
        *window_faults(models.parameters(), listed),
        *header_faults(listed),
        *board_faults(listed),
        *strip_faults(listed),
    ]


def program_faults(text: str) -> list[str]:
    """Programs in the guide's commands that nothing installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = " ".join(project["dependencies"])
    asked = " ".join(re.findall(r"apt(?:-get)? install ([^\n`]*)", text))
    found = []
    for name, package in PROGRAMS["apt"].items():
        if re.search(rf"\b{name}\b", text) and package not in asked:
            found.append(f"the guide starts {name}; nothing installs {package}")
    for name, package in PROGRAMS["pip"].items():
        used = re.search(rf"\b{name} \w|hisabu panel flash", text)
        if used and not re.search(rf"\b{package}\b", brought):
            found.append(f"the guide starts {name}; {package} is no dependency of the project")
    return found


def order_faults(text: str) -> list[str]:
    """The panel's Pico is flashed before the panel is closed round it."""
    flash, close = text.find("hisabu panel flash"), text.find("`M12`")
    return [] if 0 <= flash < close else ["the guide closes the panel before its Pico is flashed"]


def text_faults(text: str) -> list[str]:
    """What is wrong in drawing, parts and guide, without any model."""
    connections = diagrams.panel_connections()
    return fuse_faults(connections, parts.load()) + program_faults(text) + order_faults(text)
