"""How much light a lamp gives on the table: the guide's table, and what every sentence about lumens is held against."""

import math

from device.cameras.light import ENOUGH_LUX, FAIR_LUX

LUMENS = (800, 1500, 2000, 3000)
FROM_M = (1.0, 1.5, 2.0)


def lux(lumen: float, from_m: float) -> float:
    """On a table so far below a lamp that throws half of its light upwards or sideways away: by a rule of thumb, a lamp
    in a shade sends its light into half of all directions."""
    return lumen / (2 * math.pi * from_m**2)


def light_table() -> str:
    """The guide's table of lamps."""
    lines = ["| lamp, lm | " + " | ".join(f"at {metres:g} m, lux" for metres in FROM_M) + " |"]
    lines.append("|---|" + "---|" * len(FROM_M))
    for lumen in LUMENS:
        cells = []
        for metres in FROM_M:
            found = lux(lumen, metres)
            word = "enough" if found >= ENOUGH_LUX else "just enough" if found >= FAIR_LUX else "too little"
            cells.append(f"{found:.0f}: {word}")
        lines.append(f"| {lumen} | {' | '.join(cells)} |")
    return "\n".join(lines)
