"""Every screen in every language and size: whole, inside the glass, and what matters legible from two metres."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from PIL import ImageChops, ImageStat

from device import words
from device.following.show import SITUATIONS, Invite, Join, Page, Prompt, Show
from device.machine.network import Own
from device.outputs.display import glyphs
from device.outputs.display.examples import GLASSES, examples
from device.outputs.display.paint import LEGIBLE_MM, Box, Painter, Placed, mm_per_px, side_ink, side_shape
from device.outputs.display.screens import compose, draw
from device.words.messages import messages
from engine.games import GAMES
from tests.device.outputs.test_outputs import EVERY_TROUBLE
from tests.device.test_words import every_board_notice, every_card_notice

SIZES = [pytest.param(size, colour, id=name) for name, size, colour in GLASSES]
FROM_TWO_METRES = ("trump", "turn", "score", "winner")
CROWDED = {
    "named": "a name of eight letters is longer than the smallest glass at that height",
    "hand_over": "a line about the table takes part of the room",
    "looking_through": "a line about the table takes part of the room",
    "trouble": "a line about a trouble takes part of the room",
    "triomphe_over": "a long sentence takes part of the room, and six sides share the rest",
    "won_six": "six sides share the lower half",
    "counts": "the counts take half of the room",
    "sowing": "a line about the table takes part of the room",
}
"""Screens on which something has to give way."""


def overlaps(box: Box, two: Box) -> bool:
    return box.x < two.x + two.w and two.x < box.x + box.w and box.y < two.y + two.h and two.y < box.y + box.h


def texts(painter: Painter) -> list[Placed]:
    return [
        placed for placed in painter.placed if placed.text not in (*"CDHS", *glyphs.SIDES, "turn", "took", "warning")
    ]


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_a_code_for_a_phone_hides_no_question_and_no_alert(size: tuple[int, int], colour: bool) -> None:
    shows = examples("en")
    for name in ("question", "alert"):
        beside = replace(shows[name], invite=Invite("http://192.168.178.23/", "482915"))
        assert draw(beside, size, colour).tobytes() == draw(shows[name], size, colour).tobytes(), name


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_a_player_whose_name_the_font_lacks_is_called_by_number(size: tuple[int, int], colour: bool) -> None:
    shows = examples("fr")
    for name in ("named", "alert", "question", "won"):
        written = replace(shows[name], seats=("", "Zaïna", "", ""), alert=shows[name].alert and "Joueur 1 : le 9♥ ?")
        odd = replace(written, seats=("李明", "Zai\u0308na", "🌴", "李"), alert=written.alert and "李明 : le 9♥ ?")
        assert draw(odd, size, colour).tobytes() == draw(written, size, colour).tobytes(), name


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_every_screen_is_whole(size: tuple[int, int], colour: bool, language: str) -> None:
    for name, show in examples(language).items():
        painter = compose(show, size, colour)
        assert painter.image.size == size
        assert painter.image.getbbox(), name
        for placed in painter.placed:
            box = placed.box
            assert box.x >= 0 and box.y >= 0 and box.x + box.w <= size[0] and box.y + box.h <= size[1], (name, placed)
        for placed in texts(painter):
            assert not placed.shortened or placed.role == "name", (name, placed)
        for placed, two in combinations(painter.placed, 2):
            assert not overlaps(placed.box, two.box) or "!" in (placed.text, two.text), (name, placed, two)


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_a_match_that_nobody_won_is_seen_to_be_over(size: tuple[int, int], colour: bool, language: str) -> None:
    drawn = examples(language)["awale_drawn"]
    for show in (drawn, replace(drawn, view={name: drawn.view[name] for name in drawn.view if name != "captured"})):
        placed = compose(show, size, colour).placed
        assert words.say(language, "display-drawn").upper() in [text.text for text in placed if text.role == "won"]
        assert not [text for text in placed if text.role == "turn"]
        scores = [text.text for text in placed if text.role == "score"]
        assert scores == (["24", "24"] if "captured" in show.view else [])


@pytest.mark.parametrize("size", [(240, 240), (320, 240)])
def test_two_long_names_that_won_are_written_whole(size: tuple[int, int]) -> None:
    seats = ("Moinaécha Abdoul", "Mohamed-Soilihi", "Fatima Bacar Mze", "Wardati MADI Mmm")
    for winner in (0, 1):
        show = replace(examples("fr")["won"], seats=seats)
        placed = compose(replace(show, view={**show.view, "winner": winner}), size, True).placed
        (names,) = (text for text in placed if text.role == "name")
        assert not names.shortened and names.text == " · ".join(seats[winner::2])


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_what_matters_is_legible_from_two_metres(size: tuple[int, int], colour: bool) -> None:
    seen = set()
    for name, show in examples("fr").items():
        if name in CROWDED:
            continue
        for placed in compose(show, size, colour).placed:
            if placed.role in FROM_TWO_METRES:
                # To the pixel: half a pixel is nothing an eye can tell.
                assert (placed.cap_px + 0.5) * mm_per_px(size) >= LEGIBLE_MM, (name, placed)
                seen.add(placed.role)
    assert seen == set(FROM_TWO_METRES)


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_who_played_out_of_turn_is_told_in_no_smaller_letters_than_in_french(
    size: tuple[int, int], colour: bool
) -> None:
    caps_px = {}
    for language in words.LANGUAGES:
        placed = compose(examples(language)["alert"], size, colour).placed
        (caps_px[language],) = (text.cap_px for text in placed if text.role == "alert")
    assert min(caps_px.values()) == caps_px["fr"]


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_the_trump_is_twice_as_large_as_it_must_be(size: tuple[int, int], colour: bool) -> None:
    for trump in "CDHS":
        show = examples("fr")["play"]
        placed = compose(replace(show, view={**show.view, "trump": trump}), size, colour).placed
        (sign,) = (text for text in placed if text.role == "trump")
        assert sign.cap_px * mm_per_px(size) >= 2 * LEGIBLE_MM


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_suits_differ_without_colour(size: tuple[int, int], colour: bool) -> None:
    """By their outlines alone, at the trump's size; and as small as they are written."""
    show = examples("fr")["play"]
    whole = {}
    for suit in "CDHS":
        painter = compose(replace(show, view={**show.view, "trump": suit}), size, colour)
        (box,) = (placed.box for placed in painter.placed if placed.role == "trump")
        sign = painter.image.convert("L").crop((box.x, box.y, box.x + box.w, box.y + box.h))
        whole[suit] = sign.point([255 if value > 60 else 0 for value in range(256)])
    for combination, two in combinations("CDHS", 2):
        different = ImageStat.Stat(ImageChops.difference(whole[combination], whole[two])).mean[0] / 255
        # Clubs with round leaves close together differed from spades by 0.08, and were mixed up on the contact sheets.
        assert different > 0.1, (combination, two, different)
    small = {suit: glyphs.dotted(dots) for suit, dots in glyphs.SMALL_SUITS.items()}
    for combination, two in combinations("CDHS", 2):
        assert ImageStat.Stat(ImageChops.difference(small[combination], small[two])).sum[0] / 255 >= 8, (
            combination,
            two,
        )


def test_sides_are_those_of_the_tokens_and_all_differ() -> None:
    assert [side_shape(side) for side in range(6)] == list(glyphs.SIDES)
    assert side_ink(0) == (0x1F, 0x6F, 0xFF)
    assert len({side_ink(side) for side in range(6)}) == 6


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_every_sentence_fits(size: tuple[int, int], colour: bool, language: str) -> None:
    """As an alert and as a question with two answers, with the facts that come up in simulated games."""
    answers = (words.say(language, "answer-yes"), words.say(language, "answer-no"))
    for notice in (*every_card_notice(), *every_board_notice()):
        if len(notice.get("claims", ())) > 1 + colour:
            continue  # Three revokes in one sentence are more than a small glass holds: it ends with an ellipsis.
        said = words.sentence(notice, language)
        asks = notice["level"] == "ask"
        show = Show({}, language, prompt=Prompt(said, answers)) if asks else Show({}, language, alert=said)
        for placed in texts(compose(show, size, colour)):
            assert not placed.shortened, (placed, notice)


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_every_state_and_trouble_fits(size: tuple[int, int], colour: bool, language: str) -> None:
    playing = examples(language)["play"]
    shows = [Show({}, language, situation=code) for code in SITUATIONS]
    shows += [replace(playing, situation=code) for code in SITUATIONS]
    shows += [Show({}, language, troubles=(code,)) for code in EVERY_TROUBLE]
    shows += [replace(playing, troubles=(code, "hot")) for code in EVERY_TROUBLE]
    for show in shows:
        for placed in texts(compose(show, size, colour)):
            assert not placed.shortened, placed


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_state_and_trouble_has_its_words(language: str) -> None:
    assert set(messages(language, "situation")) == {f"situation-{code}" for code in SITUATIONS}
    assert set(messages(language, "trouble")) == {f"trouble-{code}" for code in EVERY_TROUBLE}


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_every_line_of_the_menu_fits(size: tuple[int, int], colour: bool, language: str) -> None:
    buttons = (words.say(language, "menu-next"), words.say(language, "menu-back"), words.say(language, "menu-choose"))
    about = {
        "version": "0.12.3~rc1",
        "free_mb": 118_000,
        "celsius": 85,
        "used_mb": 310,
        "memory_mb": 15_900,
        "level": 5,
        "side": "A",
        "now": 12,
        "score": "12 – 7",
        "card": "10♥",
        "number": 12,
        "seeds": 64,
    }
    lines = [
        words.say(language, name, **about)
        for name in messages(language, "menu")
        if name != "menu-line" and not name.startswith(("menu-ask", "menu-tell"))
    ]
    for kind in GAMES.values():
        lines += [
            words.game_name(kind.name, language),
            *(words.option_name(option.name, language) for option in kind.options),
        ]
        lines += [
            words.say(
                language,
                "menu-line",
                name=words.option_name(option.name, language, kind.name),
                value=words.value_name(option.name, value, language, kind.name),
            )
            for option in kind.options
            for value in option.values[:12]
        ]
    for number in range(1, len(lines), 3):
        for placed in texts(
            compose(Show({}, language, page=Page("Menu", tuple(lines), number, buttons)), size, colour)
        ):
            assert not placed.shortened, placed


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_how_to_join_the_devices_own_wifi_is_shown_whole(size: tuple[int, int], colour: bool, language: str) -> None:
    own = Own("Hisabu-1a2b", "mmwwmmwwmm")
    invite = Invite("http://10.42.0.1/", wifi=Join(own.ssid, own.password, own.code))
    drawn = compose(replace(examples(language)["play"], invite=invite), size, colour)
    assert not [placed for placed in texts(drawn) if placed.shortened]
    said = " ".join(placed.text for placed in texts(drawn))
    assert own.ssid in said and own.password in said


def test_an_alert_comes_before_a_page_and_a_page_before_a_question() -> None:
    show = replace(
        examples("en")["play"], alert="Stop.", page=Page("Menu", ("one",), 0), prompt=Prompt("Which?", ("yes", "no"))
    )

    def roles(show: Show) -> set[str]:
        return {placed.role for placed in compose(show, (128, 64), False).placed}

    assert roles(show) == {"alert", "question", "button", ""}
    assert roles(replace(show, alert=None)) == {"title", "line"}
    assert roles(replace(show, alert=None, page=None)) == {"question", "button", ""}


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_an_alert_that_is_asked_about_is_written_once(size: tuple[int, int], colour: bool) -> None:
    show = examples("en")["alert_answered"]
    placed = compose(show, size, colour).placed
    assert [text.role for text in placed if text.text.lower() == str(show.alert).lower()] == ["alert"]
    assert [text.text for text in placed if text.role == "button"] == list(show.prompt.answers if show.prompt else ())


def test_an_alert_lights_most_of_a_small_display() -> None:
    lit = ImageStat.Stat(draw(Show({}, "en", alert="Out of turn."), (128, 64), False).convert("L")).mean[0] / 255
    assert lit > 0.75


def test_the_chosen_line_is_always_seen() -> None:
    lines = tuple(f"line {number}" for number in range(20))
    for size, colour in ((size, colour) for _, size, colour in GLASSES):
        for chosen in range(20):
            placed = compose(Show({}, page=Page("Menu", lines, chosen)), size, colour).placed
            assert f"line {chosen}" in {text.text for text in placed}


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_seeds_are_counted_only_where_the_table_asked(size: tuple[int, int], colour: bool) -> None:
    def counts(show: Show) -> int:
        return sum(placed.role == "count" for placed in compose(show, size, colour).placed)

    shows = examples("en")
    assert counts(shows["munia"]) == 0
    assert counts(shows["counts"]) == 32


@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_a_turn_without_a_name_is_drawn(size: tuple[int, int], colour: bool) -> None:
    show = examples("en")["munia"]
    last = {"player": "south", "captured": 0, "confirmed": True}
    (told,) = [
        placed.text
        for placed in compose(replace(show, view={**show.view, "last_turn": last}), size, colour).placed
        if placed.role == "last_turn"
    ]
    assert told.startswith("as it lies")


@pytest.mark.parametrize(("size", "colour"), SIZES)
@pytest.mark.parametrize("change", [
    {"trump": "C"}, {"turn": 3}, {"turn": None}, {"last_winner": 1}, {"games": [1, 0]}, {"points": [60, 35]},
    {"markers": [["8"], []]},
])  # fmt: skip
def test_what_changes_is_seen(size: tuple[int, int], colour: bool, change: dict[str, Any]) -> None:
    show = examples("fr")["play"]
    assert ImageChops.difference(
        draw(show, size, colour), draw(replace(show, view={**show.view, **change}), size, colour)
    ).getbbox()


@pytest.mark.parametrize("score", [-10, -99, 888])
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_a_score_of_three_signs_is_shown_whole(size: tuple[int, int], colour: bool, score: int) -> None:
    """A score set by hand may be below zero, in turufu by ten and more."""
    for name, show in examples("en").items():
        games = show.view.get("games")
        if games is None:
            continue
        shown = [placed for placed in compose(show, size, colour).placed if placed.role == "score"]
        long = compose(replace(show, view={**show.view, "games": [score] * len(games)}), size, colour)
        scores = [placed for placed in long.placed if placed.role == "score"]
        assert [placed.text for placed in scores] == [str(score)] * len(shown), name
        for placed in scores:
            box = placed.box
            assert not placed.shortened and box.x + box.w <= size[0] and box.y + box.h <= size[1], (name, placed)
            least = 0.9 * LEGIBLE_MM if len(games) == 2 and name not in CROWDED else LEGIBLE_MM / 3
            assert (placed.cap_px + 0.5) * mm_per_px(size) >= least, (name, placed)


def test_what_a_text_cannot_say_whole_ends_with_an_ellipsis() -> None:
    painter = compose(Show({}, "en", alert="word " * 200), (128, 64), False)
    (alert,) = (placed for placed in painter.placed if placed.role == "alert")
    assert alert.shortened
    assert alert.box.y + alert.box.h <= 64


@pytest.mark.parametrize(("language", "short"), [("fr", "J"), ("en", "P")])
@pytest.mark.parametrize(("size", "colour"), SIZES)
def test_a_player_without_a_name_is_called_by_number(
    size: tuple[int, int], colour: bool, language: str, short: str
) -> None:
    """A name that was forgotten is kept as "#2"; nobody is shown that."""
    named = examples(language)["named"]
    for gone in ((1,), (0, 2), range(4)):
        seats = tuple(f"#{seat + 1}" if seat in gone else name for seat, name in enumerate(named.seats))
        for view in (named.view, {**named.view, "turn": None}, {**named.view, "winner": 1}):
            drawn = texts(compose(replace(named, seats=seats, view=view), size, colour))
            assert not any("#" in line.text for line in drawn)
            assert not any(line.shortened for line in drawn if line.role != "name")
    whole = replace(named, seats=("Zaïna", "#2", "Moinaécha", "Abdou"), view={**named.view, "winner": 1, "turn": None})
    said = " ".join(placed.text for placed in texts(compose(whole, (240, 240), True)))
    assert f"{short}2 · Abdou" in said
