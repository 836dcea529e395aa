"""What the device and the lamp panel say to each other: the one file both ends import, under CPython and MicroPython.

A frame on the wire is FLAG, stuffed(header + payload + CRC-32), FLAG, as in RFC 1662: no byte below 0x20 is ever
sent, so that neither Ctrl-C at a REPL nor a terminal's flow control finds itself in a picture. The header is version,
kind, session, sequence. The layout of the header, HELLO, HERE and LEAVE never changes; all else may with VERSION.

    device to panel   HELLO    the fingerprint of the wiring: who is there?
                      PICTURE  everything to show, numbered by the sequence; the heartbeat is the same picture again
                      LEAVE    restart into the REPL, so that new firmware can be copied
    panel to device   HERE     the fingerprint it was flashed with; the answer to HELLO and to a foreign version
                      SHOWN    session and sequence of the picture that is shown; acknowledgement and heartbeat

A session is a number the device draws when it starts; in a session only a picture with a newer sequence replaces one.
No I/O, and nothing that MicroPython lacks: no typing, enum or dataclasses.
"""

import binascii
import struct

VERSION = 1
HELLO, PICTURE, LEAVE = 0x21, 0x22, 0x23
HERE, SHOWN = 0x31, 0x32

FLAG, ESCAPE, FLIP = 0x7E, 0x7D, 0x20
HEADER = ">BBIH"
HEADER_BYTES = 8
CRC_BYTES = 4
MOST_PAYLOAD = 244
"""Bytes; a picture of 60 lamps."""
MOST_BODY = HEADER_BYTES + MOST_PAYLOAD + CRC_BYTES
SESSIONS = 1 << 30
"""A session is below this: what MicroPython holds without allocating."""

PICTURE_HEADER = ">BBB"
PICTURE_HEADER_BYTES = 3
LAMP_BYTES = 4
RESTING = 1
"""A flag of a picture: the device stops on purpose, silence after it is no loss."""

DARK, STEADY, BREATHE, FLASH, FLASH_THEN_BREATHE, ALERT, CHASE = range(7)
"""What a lamp does; in a picture in the low half of a byte, its parameter in the high half."""


class PanelFrame:
    """One undamaged frame."""

    def __init__(self, version: int, kind: int, session: int, sequence: int, payload: bytes) -> None:
        self.version = version
        self.kind = kind
        self.session = session
        self.sequence = sequence
        self.payload = payload


def encode(kind: int, session: int, sequence: int, payload: bytes = b"", version: int = VERSION) -> bytes:
    """A frame as it goes over the wire."""
    if len(payload) > MOST_PAYLOAD:
        raise ValueError("payload too long")
    body = struct.pack(HEADER, version, kind, session, sequence) + payload
    body += struct.pack(">I", binascii.crc32(body))
    stuffed = bytearray(2 * len(body) + 2)
    stuffed[0] = FLAG
    at = 1
    for byte in body:
        if byte < FLIP or byte in (FLAG, ESCAPE):
            stuffed[at] = ESCAPE
            at += 1
            byte ^= FLIP
        stuffed[at] = byte
        at += 1
    stuffed[at] = FLAG
    return bytes(stuffed[: at + 1])


class Receiver:
    """Finds the frames in a stream of bytes. Its memory is one buffer, whatever comes."""

    def __init__(self) -> None:
        self._body = bytearray(MOST_BODY)
        self._view = memoryview(self._body)
        self._length = 0
        self._escaped = False
        self._lost = True

    def feed(self, byte: int) -> PanelFrame | None:
        """Takes one byte; the frame that it completes, if any."""
        if byte == FLAG:
            frame = None if self._lost or self._escaped else self._whole()
            self._length = 0
            self._lost = self._escaped = False
            return frame
        if self._lost:
            return None
        if byte < FLIP or self._length == MOST_BODY:
            self._lost = True
            return None
        if byte == ESCAPE:
            self._lost = self._escaped
            self._escaped = True
            return None
        if self._escaped:
            byte ^= FLIP
            self._escaped = False
        self._body[self._length] = byte
        self._length += 1
        return None

    def _whole(self) -> PanelFrame | None:
        end = self._length - CRC_BYTES
        if end < HEADER_BYTES:
            return None
        crc: int = struct.unpack_from(">I", self._body, end)[0]
        if crc != binascii.crc32(self._view[:end]):
            return None
        version, kind, session, sequence = struct.unpack_from(HEADER, self._body, 0)
        return PanelFrame(version, kind, session, sequence, bytes(self._view[HEADER_BYTES:end]))


def is_newer(sequence: int, than: int) -> bool:
    """Whether one sequence comes after another; they are 16 bits wide and go round."""
    return 0 < ((sequence - than) & 0xFFFF) < 0x8000


def fingerprint(wiring: bytes) -> bytes:
    """What a hello says about the wiring that the panel was flashed with."""
    return struct.pack(">I", binascii.crc32(wiring))


def picture(lamps: list[tuple[int, int, int, int]], brightness: int = 255, flags: int = 0) -> bytes:
    """The payload of PICTURE: for each pixel what it does (with its parameter) and red, green, blue at full."""
    drawn = bytearray(struct.pack(PICTURE_HEADER, flags, brightness, len(lamps)))
    for does, red, green, blue in lamps:
        drawn += bytes((does, red, green, blue))
    return bytes(drawn)
