"""libcamera's virtual camera (Debian 13) under the real picamera2: imported in a tree of its own, before it is opened.

What a virtual camera has not is put in its place here: a sensor with modes (one is named), the Pi's own processor that
hands out BGR and YUV420 (its NV12 is converted), planes in one piece (its frames have two), and the word whether a
frame is good (libcamera 0.4 leaves it unset there).
"""

import inspect
import textwrap
from types import SimpleNamespace
from typing import Any

import cv2
import libcamera  # type: ignore[import-not-found]
import numpy as np
import picamera2
from picamera2 import picamera2 as inside
from picamera2.allocators import dmaallocator
from picamera2.request import CompletedRequest

make_array = CompletedRequest.make_array


def converted(request: Any, name: str) -> Any:
    """A stream's picture as a Pi's camera gives it."""
    config = request.config[name]
    if config["format"] != "NV12":
        return make_array(request, name)
    (width, height), stride = config["size"], config["stride"]
    rows = height * 3 // 2
    planes = np.frombuffer(request.make_buffer(name), np.uint8)[: stride * rows].reshape(rows, stride)
    return cv2.cvtColor(planes[:, :width], cv2.COLOR_YUV2BGR_NV12) if name == "main" else planes


def two_planes(planes: list[Any]) -> Any:
    """A frame of one piece as one of light and colours."""
    (light,) = planes
    colours = libcamera.FrameBuffer.Plane()
    colours.fd = light.fd
    light.length = light.length * 2 // 3
    colours.offset, colours.length = light.length, light.length // 2
    return libcamera.FrameBuffer([light, colours])


two_planes.Plane = libcamera.FrameBuffer.Plane  # type: ignore[attr-defined]
picamera2.Picamera2._get_raw_modes = lambda _: [{"format": "SRGGB10_CSI2P", "size": (2592, 1944)}]
CompletedRequest.make_array = converted
dmaallocator.libcamera = SimpleNamespace(FrameBuffer=two_planes)

good = ".metadata.status == libcamera.FrameMetadata.Status.Success"
source = textwrap.dedent(inspect.getsource(inside.Picamera2.process_requests))
assert good in source
found: dict[str, Any] = {}
exec(source.replace(good, ".metadata is not None"), vars(inside), found)
inside.Picamera2.process_requests = found["process_requests"]
