"""Codes that pair a phone, and the tokens that paired phones carry."""

import contextlib
import json
from pathlib import Path

import pytest

from device.web.pairing import (
    CLOSED_S,
    CODE_LASTS_S,
    FILE,
    LONG_DIGITS,
    MOST_PHONES,
    MOST_WRONG,
    OWNER,
    WRONG_TRIES,
    Closed,
    Full,
    Pairing,
    Phones,
    PressFirst,
)


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
    door = pairing(shown, Clock())
    door.open()
    door.begin()  # A second phone asks: the same code is still shown.
    assert shown == ["111111"]
    assert door.matches("111111")
    with pytest.raises(PressFirst):
        door.matches("111111")
    assert shown == ["111111", None]


def test_nobody_has_a_code_shown_who_is_not_at_the_device() -> None:
    """Where there is nothing to press, who asks has one shown."""
    shown: list[str | None] = []
    door = pairing(shown, Clock())
    with pytest.raises(PressFirst):
        door.begin()
    assert shown == []
    asked = Pairing(shown.append, Clock(), lambda most: 7, digits=LONG_DIGITS, by_asking=True)
    asked.begin()
    asked.begin()
    assert shown == ["000000007"]


def test_a_code_that_was_pressed_away_is_shown_again_by_another_press() -> None:
    shown: list[str | None] = []
    door = pairing(shown, Clock())
    door.open()
    door.open()
    assert shown == ["111111", "111111"]


def test_every_pairing_has_a_code_of_its_own() -> None:
    shown: list[str | None] = []
    door = pairing(shown, Clock())
    door.open()
    assert door.matches("111111")
    door.open()
    assert shown[-1] == "112222"


def test_a_code_is_not_shown_for_ever() -> None:
    clock, shown = Clock(), list[str | None]()
    door = pairing(shown, clock)
    door.open()
    clock.now_s += CODE_LASTS_S
    with pytest.raises(PressFirst):
        door.matches("111111")
    assert door.code is None and shown[-1] is None


def test_without_a_code_nothing_matches() -> None:
    door = pairing([], Clock())
    for code in ("", "000000"):
        with pytest.raises(PressFirst):
            door.matches(code)


def test_five_wrong_codes_close_pairing_to_the_address_they_came_from_alone() -> None:
    clock, shown = Clock(), list[str | None]()
    door = pairing(shown, clock)
    door.open()
    for _ in range(WRONG_TRIES - 1):
        door.begin("a")  # Asking for the code again between does not start the count anew.
        assert not door.matches("000000", "a")
    with pytest.raises(Closed):
        door.matches("000000", "a")
    for attempt in (lambda: door.begin("a"), lambda: door.matches("111111", "a")):
        with pytest.raises(Closed):
            attempt()
    clock.now_s += CLOSED_S
    door.begin("a")
    assert shown == ["111111"] and door.matches("111111", "b")


def test_a_hundred_who_guess_keep_nobody_out_and_none_gets_in() -> None:
    door = pairing([], Clock())
    door.open()
    for number in range(100):
        for code in ("000000", "999999"):
            with contextlib.suppress(Closed):
                assert not door.matches(code, f"192.0.2.{number // 4}")
    assert door.matches("111111", "192.0.2.200")


def test_a_code_that_was_guessed_at_too_often_is_another_after_the_next_press() -> None:
    shown: list[str | None] = []
    door = pairing(shown, Clock())
    door.open()
    for number in range(MOST_WRONG):
        assert not door.matches("000000", str(number))
    with pytest.raises(PressFirst):
        door.matches("111111")
    assert door.open() == "112222" and door.matches("112222")


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


def test_the_phone_not_seen_for_longest_makes_room_and_an_owner_never_does(tmp_path: Path) -> None:
    clock = Clock()
    phones = Phones(tmp_path, clock)
    tokens = [phones.add("owner", OWNER)]
    for number in range(MOST_PHONES - 1):
        clock.now_s += 10
        tokens.append(phones.add(str(number), "arbiter"))
    clock.now_s += 10
    assert phones.find(tokens[1]) is not None, "it looks in, on the same day"
    phones.add("one more", "arbiter")
    found = [phones.find(token) is not None for token in tokens]
    assert found == [True, True, False, *[True] * (MOST_PHONES - 3)]


def test_where_there_are_no_roles_the_first_phone_stays_and_owners_alone_are_full(tmp_path: Path) -> None:
    phones = Phones(tmp_path / "table")
    first = phones.add("first")
    for number in range(2 * MOST_PHONES):
        phones.add(str(number))
    assert phones.find(first) is not None and len(phones.all()) == MOST_PHONES
    owners = Phones(tmp_path / "hall")
    for number in range(MOST_PHONES):
        owners.add(str(number), OWNER)
    with pytest.raises(Full):
        owners.add("one more")


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a":1}', '[{"id":"a"}]', "null", "\x00\xff"])
def test_a_damaged_list_of_phones_pairs_nobody_and_stops_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    phones = Phones(tmp_path)
    assert phones.all() == ()
    token = phones.add("new")
    assert Phones(tmp_path).find(token) is not None
