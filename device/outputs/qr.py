"""QR codes: the way to the page for a camera that looks at a display or a terminal."""

from functools import lru_cache

import segno

Modules = tuple[tuple[bool, ...], ...]
QUIET = 2
"""Light modules around it; the standard asks for four, every phone reads it with two."""


@lru_cache(maxsize=4)
def modules(text: str) -> Modules:
    """The dark modules of a code, row by row, with the light ones around it."""
    code = segno.make_qr(text, error="l", boost_error=True)
    return tuple(tuple(bool(cell) for cell in row) for row in code.matrix_iter(border=QUIET))


def qr_lines(text: str) -> list[str]:
    """A code in half blocks, two rows a line: drawn light on dark, as a terminal mostly is."""
    rows = list(modules(text))
    if len(rows) % 2:
        rows.append((False,) * len(rows[0]))
    # A light module is drawn; a dark one is the terminal's own ground.
    signs = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    return ["".join(signs[pair] for pair in zip(*two, strict=True)) for two in zip(rows[::2], rows[1::2], strict=True)]


def spaced(code: str) -> str:
    """A code as it is read out: in two halves."""
    half = len(code) // 2
    return f"{code[:half]} {code[half:]}"
