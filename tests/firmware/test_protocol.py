"""Frames: whole ones come through whatever is around them, damaged ones never, and both interpreters write the same."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import protocol
from firmware.protocol import MOST_PAYLOAD, PanelFrame, Receiver, encode, is_newer
from tools.stand_ins.pico import Pico

VECTORS = [
    ((protocol.HELLO, 1, 0, b"", 1), "7e7d21217d207d207d207d217d207d20c18087e87e"),
    ((protocol.PICTURE, 0x3FFFFFFF, 0xFFFF, bytes(range(0x70, 0x84)), 1), None),
    ((protocol.SHOWN, 0x7E7D7E7D & 0x3FFFFFFF, 0x7D7E, b"~}\x00\x03\x11\x13\x20^]", 1), None),
    ((protocol.LEAVE, 123456789, 513, bytes(MOST_PAYLOAD), 255), None),
]
"""Kind, session, sequence, payload, version; and one of them written out, as the wire must have it for ever."""

Given = tuple[int, int, int, bytes, int]
frames = st.tuples(
    st.integers(0, 255),
    st.integers(0, protocol.SESSIONS - 1),
    st.integers(0, 0xFFFF),
    st.binary(max_size=MOST_PAYLOAD),
    st.integers(0, 255),
)


def fed(data: bytes, receiver: Receiver | None = None) -> list[Given]:
    receiver = receiver or Receiver()
    found = [frame for byte in data if (frame := receiver.feed(byte))]
    return [fields(frame) for frame in found]


def fields(frame: PanelFrame) -> Given:
    return frame.kind, frame.session, frame.sequence, frame.payload, frame.version


def test_a_frame_is_written_as_it_was_from_the_first_version_on() -> None:
    for given_fields, written in VECTORS:
        if written:
            assert encode(*given_fields).hex() == written


def test_micropython_writes_and_reads_the_same_frames() -> None:
    code = f"""
from firmware import protocol
for fields in {[vector for vector, _ in VECTORS]!r}:
    written = protocol.encode(*fields)
    receiver = protocol.Receiver()
    found = [f for f in [receiver.feed(byte) for byte in written] if f]
    assert [(f.kind, f.session, f.sequence, f.payload, f.version) for f in found] == [fields]
    print(written.hex())
print(protocol.fingerprint(b"wiring").hex())
"""
    with Pico() as pico:
        said = pico.python(code).split()
    assert said == [encode(*vector).hex() for vector, _ in VECTORS] + [protocol.fingerprint(b"wiring").hex()]


@given(frames)
def test_what_goes_in_comes_out(frame: Given) -> None:
    assert fed(encode(*frame)) == [frame]


@given(frames)
def test_no_control_character_is_ever_sent(frame: Given) -> None:
    assert min(encode(*frame)) >= 0x20


@given(st.lists(st.one_of(frames, st.binary(max_size=600)), max_size=6))
def test_frames_come_through_whatever_lies_between_them(pieces: list[Given | bytes]) -> None:
    """Garbage may not pass for a frame, nor may it cost one: each frame brings its own beginning and end."""
    sent = [piece for piece in pieces if isinstance(piece, tuple)]
    data = b"".join(encode(*piece) if isinstance(piece, tuple) else piece for piece in pieces)
    assert fed(data) == sent


@given(frames, st.data())
def test_a_damaged_frame_is_none(frame: Given, data: st.DataObject) -> None:
    whole = bytearray(encode(*frame))
    at = data.draw(st.integers(1, len(whole) - 2))
    whole[at] ^= data.draw(st.integers(1, 255))
    assert fed(bytes(whole)) == []


@given(frames, frames, st.data())
def test_half_a_frame_does_not_spoil_the_next(half: Given, whole: Given, data: st.DataObject) -> None:
    written = encode(*half)
    cut = written[: data.draw(st.integers(0, len(written) - 2))]
    assert fed(cut + encode(*whole)) == [whole]


def test_a_flood_of_noise_leaves_the_buffer_as_it_was() -> None:
    receiver = Receiver()
    rng = Random(1)
    sizes = set()
    for _ in range(200):
        assert fed(rng.randbytes(500), receiver) == []
        fed(bytes(rng.randrange(0x21, 0x7D) for _ in range(500)), receiver)
        sizes.add(len(receiver._body))
    assert sizes == {protocol.MOST_BODY}
    assert fed(encode(protocol.HELLO, 5, 6), receiver) == [(protocol.HELLO, 5, 6, b"", 1)]


def test_too_long_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValueError, match="too long"):
        encode(protocol.PICTURE, 1, 1, bytes(MOST_PAYLOAD + 1))


@given(st.integers(0, 0xFFFF), st.integers(1, 0x7FFF))
def test_sequences_go_round(sequence: int, steps: int) -> None:
    after = (sequence + steps) & 0xFFFF
    assert is_newer(after, sequence)
    assert not is_newer(sequence, after)
    assert not is_newer(sequence, sequence)
