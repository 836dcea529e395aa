"""Codes that pair a phone, and the tokens that paired phones carry."""

import json
from pathlib import Path

import pytest

from device.web.pairing import CLOSED_S, CODE_LASTS_S, FILE, MOST_PHONES, WRONG_TRIES, Closed, Pairing, Phones


class Clock:
    """A clock that only moves when told."""

    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def pairing(shown: list[str | None], clock: Clock) -> Pairing:
    codes = iter(range(111111, 999999, 1111))
    return Pairing(shown.append, clock, lambda most: next(codes))


def test_a_code_is_shown_once_and_used_up_by_the_phone_that_types_it() -> None:
    shown: list[str | None] = []
    one = pairing(shown, Clock())
    one.begin()
    one.begin()  # A second phone asks: the same code is still shown.
    assert shown == ["111111"]
    assert one.matches("111111")
    assert not one.matches("111111")
    assert shown == ["111111", None]


def test_every_pairing_has_a_code_of_its_own() -> None:
    shown: list[str | None] = []
    one = pairing(shown, Clock())
    one.begin()
    assert one.matches("111111")
    one.begin()
    assert shown[-1] == "112222"


def test_a_code_is_not_shown_for_ever() -> None:
    clock, shown = Clock(), list[str | None]()
    one = pairing(shown, clock)
    one.begin()
    clock.now_s += CODE_LASTS_S
    assert not one.matches("111111")
    assert one.code is None and shown[-1] is None


def test_without_a_code_nothing_matches() -> None:
    one = pairing([], Clock())
    assert not one.matches("") and not one.matches("000000")


def test_five_wrong_codes_from_anywhere_close_pairing_for_a_minute() -> None:
    clock, shown = Clock(), list[str | None]()
    one = pairing(shown, clock)
    for _ in range(WRONG_TRIES - 1):
        one.begin()  # Asking for the code again between does not start the count anew.
        assert not one.matches("000000")
    with pytest.raises(Closed):
        one.matches("000000")
    for attempt in (one.begin, lambda: one.matches("111111")):
        with pytest.raises(Closed):
            attempt()
    assert shown[-1] is None
    clock.now_s += CLOSED_S
    one.begin()
    assert shown[-1] == "112222", "the code that was guessed at is not used again"
    assert one.matches("112222")


def test_a_paired_phone_is_known_by_its_token_also_after_a_restart(tmp_path: Path) -> None:
    token = Phones(tmp_path).add("iPhone · Safari")
    phones = Phones(tmp_path)
    phone = phones.find(token)
    assert phone is not None and phone.name == "iPhone · Safari"
    assert phones.find(token[:-1]) is None and phones.find("") is None and phones.find(None) is None


def test_what_lies_on_disk_lets_nobody_in(tmp_path: Path) -> None:
    token = Phones(tmp_path).add("x")
    text = (tmp_path / FILE).read_text()
    assert token not in text
    assert Phones(tmp_path).find(json.loads(text)[0]["digest"]) is None
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_a_phone_that_is_forgotten_is_known_no_more(tmp_path: Path) -> None:
    phones = Phones(tmp_path)
    first, second = phones.add("a"), phones.add("b")
    kept = phones.find(second)
    gone = phones.find(first)
    assert gone is not None and kept is not None
    assert phones.forget(gone.id) == 1
    assert phones.find(first) is None and not phones.known(gone) and phones.known(kept)
    assert Phones(tmp_path).find(first) is None
    assert phones.forget() == 1 and phones.all() == ()


def test_the_phone_not_seen_for_longest_makes_room(tmp_path: Path) -> None:
    clock = Clock()
    phones = Phones(tmp_path, clock)
    tokens = []
    for number in range(MOST_PHONES + 1):
        clock.now_s += 10
        tokens.append(phones.add(str(number)))
    assert phones.find(tokens[0]) is None and phones.find(tokens[1]) is not None


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a":1}', '[{"id":"a"}]', "null", "\x00\xff"])
def test_a_damaged_list_of_phones_pairs_nobody_and_stops_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    phones = Phones(tmp_path)
    assert phones.all() == ()
    token = phones.add("new")
    assert Phones(tmp_path).find(token) is not None
