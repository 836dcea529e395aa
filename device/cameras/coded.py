"""Coded pictures and films: the one place where bytes from outside reach a decoder, and only the kinds promised.

OpenCV, Pillow and FFmpeg decode far more kinds than anybody here needs (JPEG 2000, TIFF, OpenEXR …), and it is in those
that holes are found. What begins like none of the promised kinds is refused before a decoder sees it.
"""

import io
import os
import struct
import warnings

import cv2
import numpy as np

from device import words
from engine.errors import GameError
from vision.frame import Image

# Both are read whenever a film is opened. A film or stream that breaks off is told by us in one line; the decoder's own
# ones would fill the screen.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
_STREAMS = "mpjpeg,mjpeg,jpeg_pipe,png_pipe,webp_pipe,rtsp,rtp,sdp,mpegts,mov,avi,matroska"
# Over TCP: of what UDP loses on a phone's wireless network whole rows of the picture would be grey.
os.environ.setdefault("OPENCV_FFMPEG_CAPTURE_OPTIONS", f"rtsp_transport;tcp|format_whitelist;{_STREAMS}")

MOST_PIXELS = 80_000_000
"""Pictures larger than this are refused: no camera here makes them, and reading one would fill the memory of a Pi."""
LEAST_SIDE = 16
"""Strips thinner than so many pixels are no pictures of a table."""
PICTURES = ("JPEG", "PNG", "WEBP")
"""As Pillow names them. Their endings: JPEG's two, PNG's, WebP's."""
ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
FILM_CODECS = {
    "mjpg", "jpeg", "mpng", "png ", "webp",
    "avc1", "avc3", "h264", "x264", "hev1", "hvc1", "hevc", "h265",
    "mp4v", "fmp4", "xvid", "divx", "dx50", "vp80", "vp90", "vp8\0", "av01",
}  # fmt: skip
"""What phones, cameras and OpenCV itself write. A container may hold any other codec, so it is asked for its own."""
_ISO_BOX = b"ftyp"
"""At the fifth byte: MP4, QuickTime; and pictures as AVIF and HEIC, which OpenCV looks for first of all."""


class NotAPicture(GameError):
    """Bytes that cannot be read as a picture, and why."""

    topic = "pictures"

    def said(self, language: str) -> str:
        """It in words."""
        return words.in_words(self, language)


def kind_of(data: bytes) -> str:
    """Which of PICTURES these bytes begin like; "": none of them."""
    if data[4:8] == _ISO_BOX:
        return ""
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    return "WEBP" if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else ""


def decode(data: bytes) -> Image:
    """A picture as BGR. NotAPicture: it is none of PICTURES, too large, or damaged."""
    if not data:
        raise NotAPicture("empty")
    kind = kind_of(data)
    if not kind:
        raise NotAPicture("odd")
    too_large = NotAPicture("large", most=MOST_PIXELS // 1_000_000)
    if _pixels_said(data, kind) > MOST_PIXELS:
        raise too_large
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise NotAPicture("damaged", kind=kind) from error
    if image is None:
        raise NotAPicture("damaged", kind=kind)
    if image.shape[0] * image.shape[1] > MOST_PIXELS:
        raise too_large
    return np.asarray(image, np.uint8)


def of_a_table(image: Image) -> Image:
    """The picture. NotAPicture: it is too small for one of a table."""
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        raise NotAPicture("small", width=width, height=height)
    return image


def _pixels_said(data: bytes, kind: str) -> int:
    """How many pixels a file says it has, before any of them is read; 0: it does not say so in a way we know."""
    from PIL import Image as Pillow  # 2 MB, which a camera of its own and a film do without.

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            with Pillow.open(io.BytesIO(data), formats=(kind,)) as picture:
                return picture.width * picture.height
    except Pillow.DecompressionBombError:
        return MOST_PIXELS + 1
    except (OSError, ValueError, SyntaxError, struct.error):
        return 0


def is_film(head: bytes) -> bool:
    """Whether a file begins like a film that is promised: MP4 or QuickTime, AVI, Matroska or WebM."""
    container = head[4:8] == _ISO_BOX or (head.startswith(b"RIFF") and head[8:12] == b"AVI ")
    return container or head.startswith(b"\x1a\x45\xdf\xa3")


def open_film(address: str, limits: dict[int, int] | None = None) -> cv2.VideoCapture | None:
    """A film's file, or a stream at an address, through FFmpeg and nothing else; limits: OpenCV's properties for it.

    None: it does not open, or is of a kind that is not promised.
    """
    flat = [number for pair in (limits or {}).items() for number in pair]
    film = cv2.VideoCapture(address, cv2.CAP_FFMPEG, flat)
    if film.isOpened():
        codec = int(film.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=False).decode("latin-1").lower()
        if codec in FILM_CODECS:
            return film
    film.release()
    return None
