"""Who may ask: by which name, from which page, how often."""

import pytest

from device.web.guard import MOST_ADDRESSES, Names, Pace, foreign, policy, same_origin, style_hashes

NAMES = Names(lambda: {"localhost", "hisabu.local", "tafel"})


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8080", "192.168.1.20", "[::1]:8080", "[fe80::1]", "localhost:8080", "HISABU.local"]
)
def test_an_address_or_a_name_of_its_own_is_answered(host: str) -> None:
    assert NAMES.answers_to(host)


@pytest.mark.parametrize(
    "host",
    [None, "", "evil.example", "hisabu.local.evil.example", "127.0.0.1.evil.example", "a@127.0.0.1", "127.0.0.1:x",
     "127.0.0.1/..", "x" * 300, "hisabu.local?", "[::1", "127.0.0.1 evil"],
)  # fmt: skip
def test_a_name_that_leads_here_from_elsewhere_is_not(host: str | None) -> None:
    assert not NAMES.answers_to(host)


def test_only_the_page_itself_is_of_the_same_origin() -> None:
    assert same_origin("http://hisabu.local:8080", "hisabu.local:8080")
    for origin in (None, "null", "http://evil.example", "https://hisabu.local:8080", "http://hisabu.local"):
        assert not same_origin(origin, "hisabu.local:8080")


def test_another_sites_page_may_lead_here_but_not_fetch_from_here() -> None:
    assert foreign("cross-site", "no-cors") and foreign("same-site", "cors")
    assert not foreign("cross-site", "navigate") and not foreign("same-origin", "cors") and not foreign(None, None)


def test_the_policy_allows_nothing_from_elsewhere_and_no_script_in_the_page() -> None:
    told = policy("hisabu.local")
    assert "default-src 'none'" in told and "unsafe" not in told and "*" not in told and "https:" not in told


def test_who_asks_too_often_waits_and_others_do_not() -> None:
    pace = Pace(burst=3, per_s=1)
    assert [pace.allows("a", 0.0) for _ in range(5)] == [True, True, True, False, False]
    assert pace.allows("b", 0.0)
    assert [pace.allows("a", 2.0) for _ in range(3)] == [True, True, False]


def test_addresses_without_number_are_not_remembered_without_number() -> None:
    """Of the newest it is known what they asked; who asked long before them is as new as anybody."""
    pace = Pace(burst=3, per_s=1)
    for number in range(10 * MOST_ADDRESSES):
        assert [pace.allows(str(number), 0.0) for _ in range(4)] == [True, True, True, False]
    assert not any(pace.allows(str(number), 0.0) for number in range(9 * MOST_ADDRESSES, 10 * MOST_ADDRESSES))
    assert all(pace.allows(str(number), 0.0) for number in range(9 * MOST_ADDRESSES))


def test_only_the_styles_that_stand_in_the_page_are_allowed_by_what_they_say() -> None:
    (digest,) = style_hashes(b"<head><style>a { color: red }</style></head>")
    assert f"style-src 'self' {digest};" in policy("hisabu.local", (digest,)) and digest.startswith("'sha256-")
    assert style_hashes(b"<style>b</style>") != (digest,) and style_hashes(b"<p>") == ()
