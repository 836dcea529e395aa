"""Whether two things lie at the same place, and how far out something lies."""

from engine.sightings import Point, apart

SAME, NEAR = 0.25, 0.7
"""Card lengths within which two faces are one card, where both outlines are known; and where one is not, so that its
middle is only guessed by its index."""
EDGE = 0.75
"""Part of the reach. Farther out, a card was rather turned up, dealt or carried off than laid."""
ZONE = 0.62
"""Table units from the middle within which a card is played, before anything is known of a table; farther out are
markers, piles and fans in hands."""
MIDDLE = 0.45
"""Table units from the middle within which a hand may have laid a card of the trick, and beyond which what comes to
rest lies at somebody's place."""


def near(a: Point | None, b: Point | None, length: float, sure: bool = False) -> bool:
    """Whether two things may lie at one place. sure: the middles of both are known."""
    return a is not None and b is not None and apart(a, b) < (SAME if sure else NEAR) * length
