"""How well people play, from who won against whom: a number with its doubt, by the method of Weng and Lin (2011) for
the order of Plackett and Luce. It knows sides of several players, and draws.

    J. Mach. Learn. Res. 12, 267-300, algorithm 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    moved = [[replace(player, spread=sqrt(player.spread**2 + DRIFT**2)) for player in side] for side in sides]
    variances = [sum(player.spread**2 for player in side) for side in moved]
    all_in_all = sqrt(sum(variances) + len(sides) * OF_A_GAME**2)
    strength = [exp(sum(player.middle for player in side) / all_in_all) for side in moved]
    left = [sum(strength[other] for other, place in enumerate(places) if place >= mine) for mine in places]
    return [
        [_moved(player, *_told(number, places, strength, left, sqrt(variances[number]), all_in_all)) for player in side]
        for number, side in enumerate(moved)
    ]


def _told(
    number: int, places: Sequence[int], strength: Sequence[float], left: Sequence[float], spread: float, of_all: float
) -> tuple[float, float]:
    """What a match tells of a side: how far it is from what it was taken for, and how much surer that is now. Each
    place up to its own tells a share of who was left for it."""
    told = [
        (float(other == number), strength[number] / left[other], places.count(place))
        for other, place in enumerate(places)
        if place <= places[number]
    ]
    shift = sum((own - share) / equals for own, share, equals in told) / of_all
    shrink = sum(share * (1 - share) / equals for _, share, equals in told)
    return shift, shrink * spread / of_all**3


def _moved(player: Rating, shift: float, shrink: float) -> Rating:
    variance = player.spread**2
    return Rating(player.middle + variance * shift, player.spread * sqrt(max(1 - variance * shrink, LEAST)))
