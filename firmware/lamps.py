"""A picture and the time make the colour of every lamp: animation, brightness and the current limit. No I/O.

Whole numbers only: a float is an allocation on the Pico. Times are ticks_ms, which goes round at TICKS.
"""

from firmware import protocol
from firmware.protocol import ALERT, BREATHE, CHASE, DARK, FLASH, FLASH_THEN_BREATHE

TICKS = 1 << 30
"""Where MicroPython's ticks_ms goes round."""

DARK_MA = 1
CHANNEL_MA = 20
"""Of a pixel that is off, and of one colour at full: as the power budget in hardware/power.toml has them."""

BREATH_MS = 2400
"""About the breath of somebody who waits."""
FLASH_MS = 250
FLASHES_MS = 8 * FLASH_MS
"""Four flashes; less than the time to gather a trick."""
ALERT_MS = 250
"""Half a blink: twice a second draws the eye and is below the three a second that photosensitivity guidance allows."""
CHASE_MS = 1600
"""Once round the table."""
LOW = 36
"""Of 255: a lamp at rest, plainly weaker than one that means now and still seen in a lit room."""
TAIL = 7
"""How fast the light of the chase falls off."""
WALK_MS = 90
"""From lamp to lamp, of the dot that looks for its host."""
MISMATCH_MS = 600
VIOLET = (60, 0, 80)
"""The colour of what is wrong with the panel itself; nothing in a game has it."""


def since(now_ms: int, then_ms: int) -> int:
    """Milliseconds from then to now, over the place where ticks go round."""
    return (now_ms - then_ms) & (TICKS - 1)


class PanelLamps:
    """The last picture, when each lamp's animation began, and the colours of this moment."""

    def __init__(self, pixels: int, limit_ma: int) -> None:
        self.pixels = pixels
        self.rgb = bytearray(3 * pixels)
        """What the strip is to show, red, green, blue for each pixel."""
        self._most = max(0, limit_ma - DARK_MA * pixels) * 255 // CHANNEL_MA
        self._picture = bytearray(protocol.LAMP_BYTES * pixels)
        self._began = [0] * pixels
        self._brightness = 0
        self.resting = False

    def take(self, picture: bytes, now_ms: int) -> bool:
        """Takes a picture over; False if it is none for this strip."""
        head = protocol.PICTURE_HEADER_BYTES
        if len(picture) != head + len(self._picture) or picture[2] != self.pixels:
            return False
        self.resting = bool(picture[0] & protocol.RESTING)
        self._brightness = picture[1]
        for pixel in range(self.pixels):
            at = protocol.LAMP_BYTES * pixel
            # A flash begins with its number, not with each picture it is in, nor when it goes on to breathe.
            if _occasion(picture[head + at]) != _occasion(self._picture[at]):
                self._began[pixel] = now_ms
        self._picture[:] = picture[head:]
        return True

    def draw(self, now_ms: int) -> None:
        """The picture at this moment."""
        for pixel in range(self.pixels):
            at = protocol.LAMP_BYTES * pixel
            level = self._level(self._picture[at], pixel, now_ms) * self._brightness // 255
            for channel in range(3):
                self.rgb[3 * pixel + channel] = self._picture[at + 1 + channel] * level // 255
        self._dim()

    def draw_host_lost(self, now_ms: int) -> None:
        """A dot that walks the strip to and fro and looks for its host; nobody can take it for a game."""
        there = now_ms // WALK_MS % (2 * self.pixels - 2)
        dot = min(there, 2 * self.pixels - 2 - there)
        for pixel in range(self.pixels):
            share = (4, 1, 0)[min(2, abs(pixel - dot))]
            for channel in range(3):
                self.rgb[3 * pixel + channel] = VIOLET[channel] * share // 4
        self._dim()

    def draw_mismatch(self, now_ms: int) -> None:
        """Every other lamp, then the others: two halves that do not fit each other."""
        lit = now_ms // MISMATCH_MS % 2
        for pixel in range(self.pixels):
            for channel in range(3):
                self.rgb[3 * pixel + channel] = VIOLET[channel] if pixel % 2 == lit else 0
        self._dim()

    def _level(self, does: int, pixel: int, now_ms: int) -> int:
        """How bright a lamp is now, of 255."""
        parameter = does >> 4
        does &= 15
        if does == DARK:
            return 0
        if does in (FLASH, FLASH_THEN_BREATHE):
            flashing_ms = since(now_ms, self._began[pixel])
            if flashing_ms < FLASHES_MS:
                return 0 if flashing_ms // FLASH_MS % 2 else 255
            # Long past, so that ticks going round (12 days) does not flash again.
            self._began[pixel] = (now_ms - FLASHES_MS) & (TICKS - 1)
            if does == FLASH:
                return LOW
            does = BREATHE
        if does == BREATHE:
            wave = now_ms % BREATH_MS * 510 // BREATH_MS
            wave = min(wave, 510 - wave)
            return LOW + wave * wave // 255 * (255 - LOW) // 255
        if does == ALERT:
            return 255 if now_ms // ALERT_MS % 2 == parameter % 2 else 0
        if does == CHASE:
            behind = (now_ms % CHASE_MS * 256 // CHASE_MS - 16 * parameter) & 255
            return max(LOW, 255 - TAIL * min(behind, 256 - behind))
        return 255

    def _dim(self) -> None:
        """All lamps together, so that the strip never asks for more than its limit."""
        asked = sum(self.rgb)
        if asked > self._most:
            for at in range(len(self.rgb)):
                self.rgb[at] = self.rgb[at] * self._most // asked


def _occasion(does: int) -> int:
    """What must change for an animation to begin anew."""
    if does & 15 in (FLASH, FLASH_THEN_BREATHE):
        return 16 + (does >> 4)
    return 0
