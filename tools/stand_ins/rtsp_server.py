"""A network camera: GStreamer's own RTSP server, live H.264 as such cameras send it. For Debian's python3, with its gi.

/usr/bin/python3 rtsp_server.py PORT
"""

import sys

import gi  # type: ignore[import-not-found]

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # type: ignore[import-not-found]  # noqa: E402

LAUNCH = (
    "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=15/1 "
    "! x264enc tune=zerolatency key-int-max=15 ! rtph264pay name=pay0 pt=96 config-interval=1 )"
)

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(sys.argv[1])
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(LAUNCH)
factory.set_shared(True)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
print("serving", flush=True)
GLib.MainLoop().run()
