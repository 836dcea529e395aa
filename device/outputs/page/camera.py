"""The camera's picture for paired phones: only while somebody looks, five a second at most, packed beside the loop."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import cv2

from device.cameras.light import light_of
from device.cameras.picture_check import check_picture
from device.following.aim import Aim
from vision.frame import Frame, Image

EVERY_S = 0.2
WIDTH_PX = 800
"""Enough to see a card's index on a phone; a fifth of what the whole picture would cost the WLAN."""
QUALITY = 62
CHECK_EVERY_S = 2.0
AFTER_S = 0.015
"""After a frame came: what it shows goes to the lamps first."""


class Pictures:
    """Takes frames in the loop's thread, packs them in another, and posts them in the server's."""

    def __init__(self, soon: Callable[..., None], post: Callable[[dict[str, Any], bytes], None]) -> None:
        """soon: has something done in the server's thread. post: to all who look."""
        self._soon, self._post = soon, post
        self.wanted = False
        """Whether anybody looks."""
        self._taken_s = 0.0
        self._packing = False
        self._judged_s = 0.0
        self._judged: dict[str, Any] = {}

    def watch(self, frame: Frame, aim: Callable[[Image], Aim]) -> None:
        """A frame came. Costs nothing while nobody looks, or the last one is still being packed."""
        now_s = time.monotonic()
        if not self.wanted or self._packing or now_s - self._taken_s < EVERY_S:
            return
        self._taken_s, self._packing = now_s, True
        light = light_of(frame.about)
        meter = None if light is None else light.to_dict()
        self._soon(self._begin, frame.image, {**aim(frame.image).to_dict(), "meter": meter})

    def _begin(self, image: Image, about: dict[str, Any]) -> None:
        asyncio.get_running_loop().create_task(self._pack(image, about))

    async def _pack(self, image: Image, about: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(AFTER_S)
            data, judged = await asyncio.to_thread(self._packed, image)
            self._post({**about, **judged, "size": [image.shape[1], image.shape[0]]}, data)
        finally:
            self._packing = False

    def _packed(self, image: Image) -> tuple[bytes, dict[str, Any]]:
        now_s = time.monotonic()
        if now_s - self._judged_s >= CHECK_EVERY_S:
            check = check_picture(image)
            self._judged_s = now_s
            self._judged = {
                "light": round(check.light), "dark": check.dark, "glaring": check.glaring, "blurred": check.blurred,
                "blur_px": None if check.blur_px is None else round(check.blur_px, 1),
            }  # fmt: skip
        height, width = image.shape[:2]
        if width > WIDTH_PX:
            size = (WIDTH_PX, round(WIDTH_PX * height / width))
            image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return coded.tobytes(), self._judged
