"""Whether a picture has colour at all: an infrared or night camera, or a grey scan, has none."""

import numpy as np

from vision.frame import Image

COLOURED = 10
"""Where the lightest and the darkest of blue, green and red differ by more, of 255, is colour. What a film's coding
leaves of a grey picture stays below 8; on 400 photographs an eighth of the picture and more is above."""
SAMPLES_A_SIDE = (40, 320)
"""A picture is looked at in so many places along its longer side, coarsely first: of most that says enough."""
LEAST_COLOURED = 10
"""So many coloured places of the finest look are colour: one red index from 60 cm, all else black and grey, has
more."""


def colourless(image: Image) -> bool:
    """Whether the three channels (BGR) are as good as equal everywhere."""
    return not any(_coloured(image, samples) for samples in SAMPLES_A_SIDE)


def _coloured(image: Image, samples: int) -> bool:
    step = max(1, max(image.shape[:2]) // samples)
    blue, green, red = np.moveaxis(image[::step, ::step], -1, 0)
    most, least = (of(of(blue, green), red) for of in (np.maximum, np.minimum))
    return int(np.count_nonzero(most - least > COLOURED)) >= LEAST_COLOURED
