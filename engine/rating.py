"""How well people play, from who won against whom: a number with its doubt, by the method of Weng and Lin (2011) for
the order of Plackett and Luce. It knows sides of several players, and draws.

    J. Mach. Learn. Res. 12, 267-300, algorithm 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

MIDDLE, SPREAD = 25.0, 25.0 / 3
"""Of somebody who has not played yet."""
OF_A_GAME = 25.0 / 6
"""How much luck one match has in it."""
DRIFT = 25.0 / 300
"""How far anybody's strength may have moved between two matches."""
LEAST = 1e-4
"""Of its variance, what one match leaves of a rating."""
PER_POINT, START = 20.0, 1000
"""People read 1000 for a beginner more easily than 25."""


@dataclass(frozen=True)
class Rating:
    """How strong somebody is: the likeliest value, and how far it may be off.

    >>> winner, loser = rated([[Rating()], [Rating()]], places=[0, 1])
    >>> winner[0].middle > 25 > loser[0].middle, winner[0].spread < Rating().spread
    (True, True)
    """

    middle: float = MIDDLE
    spread: float = SPREAD

    @property
    def points(self) -> int:
        """What is sure of it: three spreads below the middle, so that nobody is passed by one lucky evening."""
        return round(START + PER_POINT * (self.middle - 3 * self.spread))

    @property
    def doubt(self) -> int:
        """How many points the middle may be off, either way, 19 times of 20."""
        return round(PER_POINT * 2 * self.spread)


def rated(sides: Sequence[Sequence[Rating]], places: Sequence[int]) -> list[list[Rating]]:
    """Everybody's rating after a match. places: of each side, the best the lowest; equal ones have drawn."""
    moved = [[Rating(player.middle, sqrt(player.spread**2 + DRIFT**2)) for player in side] for side in sides]
    middles = [sum(player.middle for player in side) for side in moved]
    variances = [sum(player.spread**2 for player in side) for side in moved]
    all_in_all = sqrt(sum(variance + OF_A_GAME**2 for variance in variances))
    strength = [exp(middle / all_in_all) for middle in middles]
    left = [sum(strength[other] for other, place in enumerate(places) if place >= mine) for mine in places]
    found = []
    for number, side in enumerate(moved):
        shift = shrink = 0.0
        for other, place in enumerate(places):
            if place > places[number]:
                continue
            share, equals = strength[number] / left[other], places.count(place)
            shift += ((other == number) - share) / equals
            shrink += share * (1 - share) / equals
        shift /= all_in_all
        shrink *= sqrt(variances[number]) / all_in_all**3
        found.append([_moved(player, shift, shrink) for player in side])
    return found


def _moved(player: Rating, shift: float, shrink: float) -> Rating:
    variance = player.spread**2
    return Rating(player.middle + variance * shift, player.spread * sqrt(max(1 - variance * shrink, LEAST)))
