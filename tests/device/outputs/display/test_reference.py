"""The screens beside pictures of them that somebody looked at.

python -m tests.device.outputs.display.test_reference makes the pictures again; look at every one before it is kept.
"""

from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter

from device.outputs.display.examples import GLASSES, examples
from device.outputs.display.screens import draw

FOLDER = Path(__file__).with_name("reference")
SHOWN = {
    "oled": ("fr", ("play", "full", "alert_answered", "question_long", "menu", "deal_over", "triomphe_six", "trouble",
                    "munia", "counts")),
    "square": ("shi", ("play", "full", "alert_asked", "menu", "won", "counts")),
    "wide": ("en", ("full", "alert_answered", "triomphe_six", "question_long", "teza", "untold")),
}  # fmt: skip
"""Language and examples by glass."""
BLUR_PX = {"oled": 1, "square": 2, "wide": 2}
TOLERANCE = 70
"""Of 255, after blurring: Pillow 10.1, 11, 12 and 13 (FreeType 2.13, 2.14) differ by at most 57; another digit
differs by 252 or more."""
CASES = [
    pytest.param(glass, size, colour, name, id=f"{glass}-{name}")
    for glass, size, colour in GLASSES
    for name in SHOWN[glass][1]
]


def difference(picture: Image.Image, two: Image.Image, glass: str) -> int:
    """The largest difference there is at any place, edges smoothed."""
    blur = ImageFilter.BoxBlur(BLUR_PX[glass])
    found = ImageChops.difference(picture.convert("RGB").filter(blur), two.convert("RGB").filter(blur))
    return max(int(channel[1]) for channel in found.getextrema() if isinstance(channel, tuple))


@pytest.mark.parametrize(("glass", "size", "colour", "name"), CASES)
def test_the_screen_is_as_it_was_when_somebody_looked(
    glass: str, size: tuple[int, int], colour: bool, name: str
) -> None:
    drawn = draw(examples(SHOWN[glass][0])[name], size, colour)
    with Image.open(FOLDER / f"{glass}_{name}.png") as kept:
        assert difference(drawn, kept, glass) <= TOLERANCE


@pytest.mark.parametrize("glass", SHOWN)
def test_the_comparison_sees_a_missing_digit(glass: str) -> None:
    (size, colour), language = next(known[1:] for known in GLASSES if known[0] == glass), SHOWN[glass][0]
    show = examples(language)["full"]
    other = show.__class__({**show.view, "games": [3, 3]}, language, sentences=show.sentences)
    assert difference(draw(show, size, colour), draw(other, size, colour), glass) > TOLERANCE


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for glass, size, colour in GLASSES:
        language, names = SHOWN[glass]
        for name in names:
            draw(examples(language)[name], size, colour).save(FOLDER / f"{glass}_{name}.png", optimize=True)
