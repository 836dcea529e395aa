"""Sheets to print at true size: calibration card, seat tokens, placement mats, panel legend. SVG in millimetres."""

from collections.abc import Sequence
from pathlib import Path

from device.machine.wiring import Wiring
from device.machine.wiring import load as load_wiring
from hardware.models import parameters
from hardware.optics import load as load_optics

HERE = Path(__file__).parent / "printables"
A4 = (210.0, 297.0)
SQUARE_MM = 20.0
SQUARES = (9, 5)
RULER_MM = 100.0
LINE = 'fill="none" stroke="#222" stroke-width="0.3"'


def sheet(width: float, height: float, content: Sequence[str], title: str) -> str:
    """A sheet whose units are millimetres."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="DejaVu Sans, Arial, sans-serif">'
    )
    paper = rect(0, 0, width, height, 'id="paper" fill="#fff"')
    return "\n".join([head, f"<title>{title}</title>", paper, *content, "</svg>", ""])


def text(x: float, y: float, size: float, words: str, anchor: str = "start") -> str:
    """Words, their base line at y."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}">{words}</text>'


def rect(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {style}/>'


def line(x1: float, y1: float, x2: float, y2: float, name: str = "") -> str:
    """A thin line; named ones are measured by the tests."""
    given = f'id="{name}" ' if name else ""
    return f'<line {given}x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#222" stroke-width="0.3"/>'


def side_sign(wiring: Wiring, side: int, x: float, y: float, size: float) -> str:
    """A side's shape in its colour, with a dark rim for grey printers."""
    colour = wiring.side_colours[side]
    rim = f'fill="{colour}" stroke="#222" stroke-width="0.5"'
    if wiring.side_shapes[side] == "circle":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size / 2:g}" {rim}/>'
    return (
        f'<polygon points="{x:g},{y - size / 2:g} {x + size / 2:g},{y + size / 2:g} {x - size / 2:g},{y + size / 2:g}" '
        f"{rim}/>"
    )


def ruler(x: float, y: float) -> list[str]:
    """100 mm with a mark each 10: says whether the printer kept the size."""
    marks = [line(x, y, x + RULER_MM, y, "ruler")]
    marks += [line(x + 10 * n, y - (3 if n % 5 else 5), x + 10 * n, y) for n in range(11)]
    marks.append(text(x + RULER_MM + 3, y - 3, 3.6, "100 mm. If it is not, print again"))
    marks.append(text(x + RULER_MM + 3, y + 2, 3.6, "at 100 %, not “fit to page”."))
    return marks


def calibration_card() -> str:
    """Chessboard for the camera's geometry, greys for its exposure, and type as small as the corner of a card."""
    left = (A4[0] - SQUARES[0] * SQUARE_MM) / 2
    top = 30.0
    content = [text(left, 16, 6, "Hisabu calibration card"), text(left, 23, 4, "Lay it flat where cards are played.")]
    for row in range(SQUARES[1]):
        for column in range(SQUARES[0]):
            if (row + column) % 2 == 0:
                at = (left + column * SQUARE_MM, top + row * SQUARE_MM)
                content.append(rect(*at, SQUARE_MM, SQUARE_MM, 'class="square" fill="#000"'))
    y = top + SQUARES[1] * SQUARE_MM + 14
    content += ruler(left, y)
    y += 12
    content.append(text(left, y, 4, "Greys: each of the ten must look different from its neighbours in the picture."))
    for n in range(10):
        level = round(n * 255 / 9)
        style = f'fill="rgb({level},{level},{level})" stroke="#222" stroke-width="0.2"'
        content.append(rect(left + n * 18, y + 3, 18, 14, style))
    y += 32
    index = load_optics().index_mm
    content.append(
        text(
            left,
            y,
            4,
            f"Sharpness: the letters on the left have a card's size, {index:g} mm; they must be easy to read.",
        )
    )
    capital = 0.73  # height of a capital in the type's size
    for n, size in enumerate((index, 6.0, 4.0, 3.0)):
        x = left + (0, 56, 102, 138)[n]
        content.append(text(x, y + 13, size / capital, "A K 7 10"))
        content.append(text(x, y + 19, 3.4, f"{size:g} mm"))
    y += 30
    content.append(
        text(left, y, 4, "Cards lie inside these frames at true size: poker 63.5 × 88.9 mm, bridge 57.2 × 88.9 mm.")
    )
    content.append(rect(left, y + 4, 88.9, 63.5, f'id="poker" {LINE}'))
    content.append(rect(left + 91, y + 4, 88.9, 57.2, f'id="bridge" {LINE} stroke-dasharray="2 1"'))
    return sheet(*A4, content, "Calibration card")


def player_number(seat: int) -> str:
    """What people call a seat: the first in the order of play is player 1, as in every sentence the device says."""
    return str(seat + 1)


def seat_tokens() -> str:
    """Six tokens to cut out, each with its seat and its side."""
    wiring = load_wiring()
    content = [text(15, 16, 6, "Seat tokens")]
    content.append(text(15, 23, 4, "One before each player, in the order of play, the arrow towards the player."))
    width, height = 86.0, 72.0
    for seat in range(6):
        x, y = 15 + (seat % 2) * (width + 8), 30 + (seat // 2) * (height + 6)
        content.append(rect(x, y, width, height, f'class="token" {LINE} stroke-dasharray="2 1"'))
        content.append(side_sign(wiring, seat % 2, x + 22, y + 30, 26))
        content.append(text(x + 58, y + 44, 40, player_number(seat), "middle"))
        middle, low = x + width / 2, y + height
        content.append(f'<path d="M{middle:g},{low - 4:g} l-7,-9 h4 v-6 h6 v6 h4 z" fill="#222"/>')
    content += ruler(15, 275)
    return sheet(*A4, content, "Seat tokens")


def mat(name: str) -> str:
    """What the camera must see, at true size, for a print shop or to copy on cloth: tricks, stock, seats, corners."""
    wiring = load_wiring()
    table = next(table for table in load_optics().tables if table.name == name)
    width, height = (10 * side for side in table.area_cm)
    content = [rect(0, 0, width, height, 'fill="#f4f1e8"'), rect(5, 5, width - 10, height - 10, f'id="seen" {LINE}')]
    for x in (5, width - 5):
        for y in (5, height - 5):
            content.append(line(x - 4 if x > 5 else x, y, x if x > 5 else x + 4, y))
            content.append(f'<circle class="corner" cx="{x:g}" cy="{y:g}" r="4" {LINE}/>')
    if name == "bao board":
        content.append(text(width / 2, height / 2, 14, "board", "middle"))
        content.append(rect(width / 2 - 300, height / 2 - 140, 600, 280, f'id="board" {LINE} stroke-dasharray="6 3"'))
        content.append(text(width / 2, height - 14, 10, "South", "middle"))
        content.append(text(width / 2, 22, 10, "North", "middle"))
        return sheet(width, height, content, f"Placement mat, {name}")
    players = int(name.split(maxsplit=1)[0])
    content.append(
        f'<ellipse cx="{width / 2:g}" cy="{height / 2:g}" rx="{width * 0.2:g}" ry="{height * 0.22:g}" {LINE}/>'
    )
    content.append(text(width / 2, height / 2 + 4, 11, "trick", "middle"))
    stock_x = width * 0.78
    content.append(rect(stock_x - 32, height / 2 - 45, 64, 90, f'{LINE} stroke-dasharray="4 2"'))
    content.append(text(stock_x, height / 2 + 3, 8, "stock", "middle"))
    for seat, (x, y) in enumerate(seat_places(players, width, height)):
        content.append(side_sign(wiring, seat % 2, x - 9, y, 14))
        content.append(text(x + 9, y + 5, 14, player_number(seat), "middle"))
    if players > 2:
        note = f"where turns go anticlockwise, 2 sits where {players} is written"
        content.append(text(width / 2 + 40, height - 14, 7, note))
    return sheet(width, height, content, f"Placement mat, {name}")


def seat_places(players: int, width: float, height: float) -> list[tuple[float, float]]:
    """Where seats are marked, clockwise seen from above, seat 0 in the middle of the lower edge."""
    edge = 26.0
    bottom, top = (width / 2, height - edge), (width / 2, edge)
    left, right = edge + 6, width - edge - 6
    if players == 2:
        return [bottom, top]
    if players == 4:
        return [bottom, (left, height / 2), top, (right, height / 2)]
    low, high = height * 0.7, height * 0.3
    return [bottom, (left, low), (left, high), top, (right, high), (right, low)]


def panel_legend() -> str:
    """Lies between the panel's face and its wells: digits and side signs, on paper that spreads the light."""
    wiring, sizes = load_wiring(), parameters()
    width = sizes["panel_columns"] * sizes["panel_pitch"] + 2 * sizes["panel_margin"]
    height = sizes["panel_rows"] * sizes["panel_row_pitch"] + 2 * sizes["panel_margin"]
    content = [rect(0.15, 0.15, width - 0.3, height - 0.3, f'id="outline" rx="4" {LINE}')]
    for number, row in enumerate(wiring.panel.rows):
        y = height / 2 - (number - (len(wiring.panel.rows) - 1) / 2) * wiring.panel.row_pitch_mm
        for column, lamp in enumerate(row):
            x = width / 2 + (column - (len(row) - 1) / 2) * wiring.panel.pitch_mm
            if ":" in lamp:
                side, card = lamp.split(":")
                content.append(side_sign(wiring, int(side), x, y - 7.5, 5))
                content.append(
                    text(x, y + 8, 12 if card != "JOKER" else 14, "★" if card == "JOKER" else card, "middle")
                )
    for x in (4.0, width - 4):
        for y in (height / 2 - 40, height / 2 + 40):  # the face's screws
            content.append(f'<circle cx="{x:g}" cy="{y:g}" r="1.6" {LINE}/>')
    return sheet(width, height, content, "Panel legend: print on plain paper, cut along the outline")


def sheets() -> dict[str, str]:
    """Every sheet, by file name."""
    from hardware import checklists

    found = {"calibration_card": calibration_card(), "seat_tokens": seat_tokens(), "panel_legend": panel_legend()}
    for table in load_optics().tables:
        found["mat_" + table.name.replace(" ", "_")] = mat(table.name)
    return found | checklists.sheets()
