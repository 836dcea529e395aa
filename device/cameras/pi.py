"""The camera on the Pi's ribbon, through picamera2: the one file that imports it, and only when it is used."""

import contextlib
import gc
import logging
import re
import threading
import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from device.cameras import CameraAway, CameraStuck
from device.cameras.metering import LOCK, METER, Metering
from vision.frame import Frame, Image

log = logging.getLogger(__name__)
OLDEST_PICAMERA2 = (0, 3, 20)
"""Those before wait for ever once the ribbon was pulled."""
TAKEN_OVER_S, EXPOSURE_BY = 1.0, 0.05
"""A lock is in force so long after it was set, and the exposure then what was set but for this share (the sensor counts
in lines). libcamera takes one set of controls between two requests and loses the other."""
ANSWER_S = 2.0
"""Longest wait for a frame. libcamera calls its own front end dead after 1 s without one."""
CLOSE_S = 1.0
"""Longest wait for the driver to let go: it takes 0.2 s, or for ever once the ribbon was pulled."""
SMALL_WIDTH_PX = 320
"""Of the grey stream: a hand over the table is still 30 pixels wide in it."""
AF_STATES_OVER = (2, 3)
"""libcamera's AfState: focused, failed."""
AF_CONTINUOUS, AF_MANUAL = 2, 0
FLICKER_OFF, FLICKER_MANUAL = 0, 1
"""libcamera's AfMode and AeFlickerMode."""


class PiCamera:
    """Metered and focused until the scene has settled, then locked, so that only the table changes from frame to frame.

    Metered again when the light changes for good.
    """

    def __init__(self, size: tuple[int, int], fps: float, mains_hz: int | None) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraAway("no_picamera2") from error
        except ValueError as error:  # What NumPy says when picamera2 was compiled against another one.
            raise CameraAway("picamera2_misfit", error=error) from error
        if (found := _version()) is not None and found < OLDEST_PICAMERA2:
            wanted = ".".join(map(str, OLDEST_PICAMERA2))
            raise CameraAway("picamera2_old", version=".".join(map(str, found)), wanted=wanted)
        gc.collect()  # One that was closed keeps three files open until then: a cable that stays out would use them up.
        info = [camera for camera in Picamera2.global_camera_info() if "/usb" not in camera["Id"]]
        if not info:
            raise CameraAway("pi_none")
        self._name = str(info[0].get("Model", "camera"))
        try:
            self._camera = Picamera2(0)  # It counts those on the ribbon first.
        except IndexError as error:
            raise CameraAway("pi_busy", name=self._name) from error
        except (RuntimeError, OSError) as error:
            # It leaves a half-open camera behind, which refuses every later try in this process.
            raise CameraStuck("pi_busy", name=self._name) from error
        try:
            self._start(size, fps, mains_hz)
        except RuntimeError as error:
            self.close()
            raise CameraAway("pi_no_start", name=self._name, error=error) from error
        except OSError as error:  # No room in the dma heap, on a Zero 2 W: what it took is not given back.
            with contextlib.suppress(CameraStuck):
                self.close()
            raise CameraStuck("pi_stuck_opening", name=self._name, error=error.strerror or error) from error

    def _start(self, size: tuple[int, int], fps: float, mains_hz: int | None) -> None:
        has = self._camera.camera_controls
        frame_us = int(1e6 / fps)
        wishes: dict[str, Any] = {
            "FrameDurationLimits": (frame_us, frame_us),
            "AeFlickerMode": FLICKER_MANUAL if mains_hz else FLICKER_OFF,
            "AfMode": AF_CONTINUOUS,
        }
        if mains_hz:
            wishes["AeFlickerPeriod"] = round(1e6 / (2 * mains_hz))  # A lamp flickers with each half wave.
        across, down = self._camera.sensor_resolution
        small = (SMALL_WIDTH_PX, 2 * round(SMALL_WIDTH_PX * size[1] / size[0] / 2))
        self._camera.configure(
            self._camera.create_video_configuration(
                main={"size": size, "format": "RGB888"},  # libcamera names it backwards: in memory it is BGR.
                lores={"size": small, "format": "YUV420"},
                # Left to itself, libcamera takes the mode nearest in size: on a Camera Module 3 one that sees only the
                # middle two thirds. Half the sensor's pixels is, on every module, a mode that sees all of it.
                raw={"size": (across // 2, down // 2)},
                controls={name: value for name, value in wishes.items() if name in has},
                buffer_count=4,
                queue=False,  # Never a frame from before it was asked for.
            )
        )
        self._small = self._camera.camera_configuration()["lores"]["size"]
        self._camera.start()
        self._meter = _Meter(set(has))

    @property
    def name(self) -> str:
        return f"Pi camera {self._name}"

    def frame(self) -> Frame | None:
        """The next frame. CameraAway when none comes."""
        try:
            request = self._camera.capture_request(wait=ANSWER_S)
        except TimeoutError as error:
            raise CameraAway("pi_silent") from error
        try:
            about: Mapping[str, Any] = request.get_metadata()
            image = request.make_array("main")
            width, height = self._small
            grey: Image = np.ascontiguousarray(request.make_array("lores")[:height, :width])
        except RuntimeError as error:
            raise CameraAway("pi_broken", error=error) from error
        finally:
            request.release()
        taken_ns = about.get("SensorTimestamp")
        at_s = taken_ns / 1e9 if taken_ns else time.monotonic()
        if controls := self._meter.look(about, float(grey.mean()), at_s):
            self._camera.set_controls(controls)
        return Frame(image, at_s, grey, {**about, "Locked": self._meter.locked})

    def close(self) -> None:
        """Lets go of the camera. CameraStuck if its driver does not come back: it hangs in there for ever."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        closed = threading.Event()

        def let_go() -> None:
            if hasattr(camera, "cancel_all_and_flush"):  # Since 0.3.20; without it a pulled ribbon always hangs.
                camera.cancel_all_and_flush()
            camera.close()
            closed.set()

        threading.Thread(target=let_go, name="closing the camera", daemon=True).start()
        if not closed.wait(CLOSE_S):
            raise CameraStuck("pi_hangs")


def _version() -> tuple[int, ...] | None:
    """Of picamera2; None: it does not say."""
    try:
        return tuple(int(part) for part in re.findall(r"\d+", version("picamera2"))[:3])
    except PackageNotFoundError:
        return None


class _Meter:
    """What is set with each frame, from what comes with it."""

    def __init__(self, has: set[str]) -> None:
        self._has = has
        self._metering = Metering()
        self._set: dict[str, Any] = {}
        self._set_s = 0.0

    @property
    def locked(self) -> bool:
        return self._metering.locked

    def look(self, about: Mapping[str, Any], level: float, at_s: float) -> dict[str, Any] | None:
        """The controls to set now, if any. level is the mean of the grey picture."""
        if self.locked and (controls := self._lost(about, at_s)):
            return controls
        exposure_us, gain = about.get("ExposureTime", 0), about.get("AnalogueGain", 1.0)
        colours = tuple(about.get("ColourGains", ()))
        focused = about.get("AfState") in (None, *AF_STATES_OVER)
        wish = self._metering.look((exposure_us * gain, *colours), focused, level, at_s)
        if wish == METER:
            # Zero hands exposure and gain back to the metering.
            return self._known(
                {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True, "AfMode": AF_CONTINUOUS}
            )
        if wish != LOCK:
            return None
        controls = {"AeEnable": False, "ExposureTime": exposure_us, "AnalogueGain": gain, "AwbEnable": False}
        if colours:
            controls["ColourGains"] = colours
        if "LensPosition" in about:
            controls |= {"AfMode": AF_MANUAL, "LensPosition": about["LensPosition"]}
        log.info("camera locked: exposure %s us, gain %.2f", exposure_us, gain)
        self._set, self._set_s = controls, at_s
        return self._known(controls)

    def _lost(self, about: Mapping[str, Any], at_s: float) -> dict[str, Any] | None:
        """The lock once more, where the frames show that it was never taken over."""
        wanted_us, now_us = self._set.get("ExposureTime"), about.get("ExposureTime")
        if not wanted_us or not now_us or at_s - self._set_s < TAKEN_OVER_S:
            return None
        if abs(now_us - wanted_us) <= EXPOSURE_BY * wanted_us:
            return None
        self._set_s = at_s
        log.warning("the camera's lock was lost (exposure %s us, not %s): set again", now_us, wanted_us)
        return self._known(self._set)

    def _known(self, controls: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in controls.items() if name in self._has}
