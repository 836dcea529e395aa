"""Whether a picture has colour at all: an infrared or night camera, or a grey scan, has none."""

import numpy as np

from vision.frame import Image

COLOURED = 8
"""Where the lightest and the darkest of blue, green and red differ by more, of 255, is colour. What a film's coding
leaves of a grey picture stays below; of each of 411 photographs more than a hundredth is above."""
DARK, BURNT = 40, 250
"""Between these a place shows the picture's tint, which an infrared camera or a wrong white balance gives all of it."""
LEAST_OF_A_TINT = 0.3
"""A tint is taken out up to here: a channel that is brightened more shows its noise as colour."""
SAMPLES_A_SIDE = (40, 320)
"""A picture is looked at in so many places along its longer side, coarsely first: of most that says enough."""
LEAST_COLOURED = 10
"""So many coloured places of the finest look are colour: one red index from 60 cm, all else black and grey, has
more."""


def colourless(image: Image) -> bool:
    """Whether the three channels (BGR) are as good as equal everywhere, but for a tint that the whole picture has."""
    return not any(_coloured(image, samples) for samples in SAMPLES_A_SIDE)


def _coloured(image: Image, samples: int) -> bool:
    step = max(1, max(image.shape[:2]) // samples)
    places = image[::step, ::step].reshape(-1, 3).astype(np.float32)
    places = places[(places.max(axis=1) > DARK) & (places.max(axis=1) < BURNT)]
    if not len(places):
        return False
    tint = np.median(places, axis=0)
    places /= np.maximum(tint / tint.max(), LEAST_OF_A_TINT)
    return int(np.count_nonzero(np.ptp(places, axis=1) > COLOURED)) >= LEAST_COLOURED
