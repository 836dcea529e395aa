"""What comes in can go out again; what cannot is refused, and nothing else happens."""

import json
import math
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.strict_json import DEEPEST, LARGEST, BadJson, Fields, read_json, read_object, write_json

REFUSED = {
    "no number": "[NaN]", "infinite": "[Infinity]", "less": "-Infinity", "too large": "1e400", "a little less": "1e17",
    "whole and too large": "9007199254740993", "long": "1" * 5000, "deep": "[" * 18 + "]" * 18,
    "deeper": "[" * 975 + "]" * 975, "deepest": "[" * 30_000 + "]" * 30_000, "objects": '{"a":' * 500 + "1" + "}" * 500,
    "half a letter": '"\\ud800"',
    "half a name": '{"\\udfff": 1}', "zero": '"\\u0000"', "long text": '"' + "x" * 70_000 + '"', "open": '{"a": 1',
    "nothing": "", "two": "1 2", "comment": "[1] // x",
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_could_not_go_out_again_does_not_come_in(name: str) -> None:
    with pytest.raises(BadJson):
        read_json(REFUSED[name])
    with pytest.raises(BadJson):
        read_json(REFUSED[name].encode())


@pytest.mark.parametrize("data", [b"\xff", b"\xfe\xff\x00{", '{"a":1}'.encode("utf-16"), b'\xef\xbb\xbf{"a":1}'])
def test_bytes_are_utf_8_and_no_other_code(data: bytes) -> None:
    with pytest.raises(BadJson):
        read_json(data)


LETTERS = st.characters(exclude_categories=["Cs"])
"""All that UTF-8 can write, as Hypothesis takes it anyway: but asked for so, no codec is asked of every letter."""
values = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.floats(-1e15, 1e15)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(string.ascii_letters), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(values)
def test_all_else_comes_in_as_it_went_out(value: Any) -> None:
    assert read_json(write_json(value)) == value


@given(st.text(LETTERS, max_size=200) | st.binary(max_size=200))
def test_whatever_comes_is_taken_or_refused_and_what_is_taken_goes_out(data: str | bytes) -> None:
    try:
        value = read_json(data)
    except BadJson:
        return
    write_json(value).encode()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_goes_out_to_nobody(number: float) -> None:
    with pytest.raises(ValueError):
        write_json({"a": number})


def test_as_deep_as_is_allowed_is_allowed() -> None:
    assert json.dumps(read_json("[" * DEEPEST + "]" * DEEPEST)) == "[" * DEEPEST + "]" * DEEPEST


def test_fields_are_what_they_are_asked_for_as_or_refused() -> None:
    fields = Fields(
        read_object('{"a": "x", "n": 3, "f": 3.0, "h": 2.5, "b": true, "l": ["x", null], "o": {}, "i": [1]}')
    )
    assert (fields.text("a"), fields.whole("n"), fields.whole("f"), fields.flag("b")) == ("x", 3, 3, True)
    assert (fields.texts("l", 2), fields.wholes("i", 1), fields.object("o")) == (("x", None), (1,), {})
    assert (fields.text("no", default=None), fields.whole("no", default=7), fields.flag("no")) == (None, 7, False)
    for wrong in (
        lambda: fields.text("n"), lambda: fields.text("a", 0), lambda: fields.text("a", like="[0-9]"),
        lambda: fields.whole("h"), lambda: fields.whole("b"), lambda: fields.whole("n", most=2),
        lambda: fields.whole("a"), lambda: fields.flag("n"), lambda: fields.texts("l", 1), lambda: fields.texts("i", 5),
        lambda: fields.object("l"), lambda: fields.wholes("l", 5), lambda: fields.text("no"), lambda: Fields([]),
        lambda: read_object("[]"),
    ):  # fmt: skip
        with pytest.raises(BadJson):
            wrong()
