"""The menu on three buttons: every page can be reached and left, and what was chosen takes effect when it should."""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from device import words
from device.following.menu import (
    CORRECT,
    COUNT,
    END_MATCH,
    NEW_MATCH,
    PITS,
    ROWS,
    SCORE,
    TRY_OUT,
    VOID_DEAL,
    CorrectableBoard,
    CorrectableCard,
    Menu,
    MenuStep,
)
from device.keeping.settings import KEYS, Settings, playable, read
from engine.games import GAMES
from engine.match import Match
from engine.rules.awale import AwaleFlags
from engine.simulate_awale import honest_game
from tests.sizes import pairs

NOTHING: Mapping[str, Any] = {}
ENGLISH = Settings(language="en", game="turufu")
WIDEST = 26
"""Letters of a line; a smaller display cuts or wraps."""


def playing(match: Match | None = None) -> Mapping[str, Any]:
    match = match or Match("turufu", 4)
    match.add({"event": "deal", "turn_up": "7H", "dealer": 0})
    return match.view.to_dict()


def go(step: MenuStep | Menu, *lines: str) -> MenuStep:
    """Moves down to each line that begins so, and chooses it."""
    if isinstance(step, Menu):
        step = MenuStep(step, step.settings)
    for line in lines:
        assert step.menu is not None
        menu = step.menu
        assert any(shown.startswith(line) for shown in menu.page.lines), (line, menu.page.lines)
        while not menu.page.lines[menu.page.chosen or 0].startswith(line):
            moved = menu.press("A").menu
            assert moved is not None
            menu = moved
        step = menu.press("C")
    return step


def press(step: MenuStep, buttons: str) -> MenuStep:
    for button in buttons:
        assert step.menu is not None
        step = step.menu.press(button)
    return step


def test_the_first_page() -> None:
    page = Menu.open(ENGLISH, playing()).page
    assert page.title == "Menu"
    assert page.lines == (
        "New match", "Misdeal", "End the match", "Set the score", "Game: Turufu", "Players: 4", "House rules",
            "Head start: no",
        "Language: English", "Brightness: 80 %", "Sound: yes", "Voice: off",
        "Try lamps and sound", "Device's seat: no",
    )  # fmt: skip
    assert (page.chosen, page.buttons) == (0, ("next", "back", "choose"))


def test_without_a_match_there_is_nothing_to_end_or_deal_again() -> None:
    assert Menu.open(ENGLISH, NOTHING).page.lines[:2] == ("New match", "Game: Turufu")


def test_back_leaves_and_changes_nothing() -> None:
    assert Menu.open(ENGLISH, playing()).press("B") == MenuStep(None, ENGLISH)


def test_the_list_begins_again_after_its_end() -> None:
    menu = Menu.open(ENGLISH, NOTHING)
    step = press(MenuStep(menu, ENGLISH), "A" * len(menu.page.lines))
    assert step.menu == menu


def test_a_new_match_begins_at_once_where_none_goes_on() -> None:
    assert go(Menu.open(ENGLISH, NOTHING), "New match") == MenuStep(None, ENGLISH, NEW_MATCH)
    assert go(Menu.open(ENGLISH, Match("turufu", 4).view.to_dict()), "New match").action == NEW_MATCH


@pytest.mark.parametrize(
    ("line", "action"), [("New match", NEW_MATCH), ("Misdeal", VOID_DEAL), ("End the match", END_MATCH)]
)
def test_what_ends_something_asks_first(line: str, action: str) -> None:
    asked = go(Menu.open(ENGLISH, playing()), line)
    assert asked.menu is not None and asked.action is None
    assert asked.menu.page.title.endswith("?")
    assert asked.menu.page.buttons == ("yes", "no", "")
    assert press(asked, "A") == MenuStep(None, ENGLISH, action)
    assert press(asked, "C") == asked
    back = press(asked, "B")
    assert back.menu is not None and back.action is None and back.menu.page.title == "Menu"


def test_what_lies_on_a_board_is_no_deal_but_its_match_can_be_ended() -> None:
    match = Match("awale", 2)
    for board in islice(honest_game(Random(1), AwaleFlags()), 3):
        match.add(board)
    assert match.view.phase == "play"
    lines = " ".join(Menu.open(ENGLISH, match.view.to_dict()).page.lines)
    assert "Misdeal" not in lines and "End the match" in lines


def test_sound_language_and_brightness_change_at_once_and_end_no_match() -> None:
    step = go(Menu.open(ENGLISH, playing()), "Sound", "no")
    assert step.settings.sound is False
    step = go(step, "Brightness", "20 %")
    assert step.settings.brightness == 0.2
    step = go(step, "Language", "Français")
    assert step.menu is not None and "Langue : Français" in step.menu.page.lines
    left = press(step, "B")
    assert left == MenuStep(None, replace(ENGLISH, sound=False, brightness=0.2, language="fr"))


def test_a_table_is_put_on_a_broker_and_taken_off_it_with_its_address_kept() -> None:
    menu = Menu.open(ENGLISH, playing())
    assert not any(line.startswith("Broker") for line in menu.page.lines), "there is none to choose"
    menu = menu.told(["mqtt://hall.local", "mqtts://home.local:8884"], away=True)
    assert menu.page.lines[-1] == "Broker: no"
    listed = go(menu, "Broker")
    assert listed.menu is not None and listed.menu.page.lines == (
        "✓ none", "hall.local", "mqtts://home.local:8884", "Code of the hall",
    )  # fmt: skip
    on = go(listed, "hall.local")
    assert (on.settings.broker, on.settings.broker_on, on.action) == ("mqtt://hall.local", True, None)
    assert on.menu is not None and on.menu.page.lines[-1] == "Broker: not connected"
    assert on.menu.told([], away=False).page.lines[-1] == "Broker: connected", "and no line moved"
    off = go(on, "Broker", "none")
    assert (off.settings.broker, off.settings.broker_on) == ("mqtt://hall.local", False)
    assert press(off, "B") == MenuStep(None, off.settings), "no match ends by it"
    later = Menu.open(off.settings, NOTHING)
    assert later.page.lines[-1] == "Broker: no"
    assert go(later, "Broker", "hall.local").settings.broker_on


def test_another_broker_is_not_told_the_password_of_the_one_before() -> None:
    known = replace(ENGLISH, broker="mqtts://hall.local", broker_user="t1", broker_password="/p", broker_ca="/ca")
    menu = Menu.open(known, NOTHING).told(["mqtt://other.local"], away=False)
    assert go(menu, "Broker", "✓ mqtts://hall.local").settings == known
    other = go(menu, "Broker", "other.local").settings
    assert other == replace(ENGLISH, broker="mqtt://other.local")


def test_the_value_in_force_is_marked_and_where_a_list_begins() -> None:
    step = go(Menu.open(ENGLISH, NOTHING), "Players")
    assert step.menu is not None
    assert (step.menu.page.lines, step.menu.page.chosen) == (("2", "✓ 4", "6"), 1)


def test_a_change_of_the_game_asks_whether_to_begin_anew() -> None:
    changed = go(Menu.open(ENGLISH, playing()), "Game", "Triomphe")
    assert changed.settings.game == "triomphe" and changed.action is None
    asked = press(changed, "B")
    assert asked.menu is not None and asked.menu.page.title == "Start a new match now?"
    assert press(asked, "A").action == NEW_MATCH
    kept = press(asked, "B")
    assert (kept.menu, kept.settings.game, kept.action) == (None, "triomphe", None)


def test_a_change_taken_back_asks_nothing() -> None:
    changed = go(Menu.open(ENGLISH, playing()), "Players", "2", "Players", "4")
    assert press(changed, "B") == MenuStep(None, ENGLISH)
    spelled_out = go(Menu.open(ENGLISH, playing()), "House rules", "Following suit", "✓ always")
    assert press(spelled_out, "BB").action is None


def test_a_change_of_the_game_begins_it_where_no_match_goes_on() -> None:
    left = press(go(Menu.open(ENGLISH, NOTHING), "Game", "Mraha"), "B")
    assert (left.menu, left.settings.game, left.settings.players, left.action) == (None, "mraha", 2, NEW_MATCH)


def test_the_rules_of_mraha_start_from_a_preset() -> None:
    mraha = Settings(language="en", game="mraha", players=2)
    step = go(Menu.open(mraha, NOTHING), "Rule set", "Kiswahili", "House rules")
    assert step.menu is not None
    assert "Kutakatia: yes" in step.menu.page.lines
    assert "1 seed in munia: if nyumba" in step.menu.page.lines


def test_house_rules_are_those_of_the_match_that_begins() -> None:
    step = go(Menu.open(ENGLISH, playing()), "House rules", "Following suit", "stock gone", "Show points", "no")
    end = press(step, "BBA")
    assert end.action == NEW_MATCH
    options = Match(end.settings.game, end.settings.players, end.settings.house).header.options
    assert (options["follow"], options["show_points"], options["draw_first"]) == ("after_stock", False, "winner")


def test_what_cannot_be_played_is_not_offered() -> None:
    step = go(Menu.open(Settings(language="en", game="triomphe", players=3), NOTHING), "House rules", "Sides")
    assert step.menu is not None and step.menu.page.lines == ("✓ each alone",)
    step = go(Menu.open(Settings(language="en", game="triomphe"), NOTHING), "House rules", "Sides", "two sides")
    step = go(press(step, "B"), "Players")
    assert step.menu is not None and step.menu.page.lines == ("2", "✓ 4", "6")


def test_another_game_is_for_as_many_as_it_can_be() -> None:
    step = go(Menu.open(Settings(language="en", game="pille", players=5), NOTHING), "Game", "Turufu")
    assert step.settings.players in (4, 6)


def test_a_game_that_is_found_by_itself_has_its_rules_in_the_menu() -> None:
    auto = replace(ENGLISH, game="auto")
    unknown = Menu.open(auto, NOTHING)
    assert unknown.page.lines[:4] == ("New match", "Game: auto", "Play the device: no", "Language: English")
    found = Menu.open(auto, playing(Match("turufu", 6)))
    assert "House rules" in found.page.lines
    step = go(found, "House rules", "Following suit", "never")
    assert step.settings.options == {"turufu": {"follow": "never"}}
    named = press(go(unknown, "Game", "Turufu"), "B")
    assert (named.settings.game, named.action) == ("turufu", NEW_MATCH)


def test_a_board_is_played_against_the_device() -> None:
    seeds = replace(ENGLISH, game="awale", players=2)
    step = go(Menu.open(seeds, NOTHING), "Play the device", "level 3")
    assert step.settings.against == 3 and step.menu is not None and "Device begins: no" in step.menu.page.lines
    assert press(step, "B").action == NEW_MATCH
    begins = go(step, "Device begins", "yes")
    assert begins.settings.match().header.to_dict()["against"] == {"side": 0, "level": 3}


def test_of_many_values_a_list_shows_round_ones_and_the_one_in_force() -> None:
    settings = Settings(language="en", game="pille", options={"pille": {"target": 13}})
    step = go(Menu.open(settings, NOTHING), "House rules", "Points to win")
    assert step.menu is not None
    assert step.menu.page.lines == ("1", "2", "3", "5", "7", "10", "✓ 13", "15", "20", "30", "50", "100")


@pytest.mark.parametrize(
    ("match", "lines"),
    [
        (Match("mraha"), ["New match", "Game: Turufu"]),
        (Match("turufu", 2), ["New match", "Misdeal"]),
        (Match("pille", 3), ["New match", "Misdeal"]),
    ],
)
def test_which_matches_go_on(match: Match, lines: list[str]) -> None:
    view = match.view.to_dict() if match.header.game == "mraha" else playing(match)
    assert list(Menu.open(ENGLISH, view).page.lines[:2]) == lines


def _too_long(menu: Menu) -> bool:
    """A number of more than one digit is a page like any other, and so is another pit, and one more seed in it."""
    here = menu.path[-1]
    pits = (here.kind == ROWS and here.chosen > 0) or (here.kind == COUNT and here.name not in ("1", "2", "3"))
    return pits or (here.kind == SCORE and len(here.name) > 1)


def can_be_kept(settings: Settings) -> bool:
    """Whether they can be played with, and read again from the file they are written to."""
    return playable(settings) and bool(read({name: KEYS[name].kind.written(getattr(settings, name)) for name in KEYS}))


@pytest.mark.parametrize(("game", "language"), pairs(list(GAMES), words.LANGUAGES, 2))
def test_every_page_has_its_words_and_a_way_out(game: str, language: str) -> None:
    """Every button on every page there is, without the lists' values being chosen twice over."""
    settings = Settings(language=language, game=game, players=GAMES[game].players)
    rows, columns = GAMES[game].grid or (0, 0)
    board = CorrectableBoard(1, ((2,) * columns,) * rows) if rows else None
    laid = () if rows else (CorrectableCard(2, "AH", "Ali"), CorrectableCard(1, "7H", "", "turn_up"))
    start = Menu.open(settings, playing(), laid=laid, pack=("AH", "7H", "7C"), board=board)
    assert can_be_kept(settings)
    seen: set[tuple[object, ...]] = set()
    left = set()
    waiting = deque([start])
    while waiting:
        menu = waiting.popleft()
        mended = (menu.really, menu.mends) if CORRECT in (here.kind for here in menu.path) else ()
        place = (menu.path, menu.settings == menu.opened_with, len(menu.typed), mended)
        if place in seen or menu.settings.game != game or _too_long(menu):
            continue
        seen.add(place)
        page = menu.page
        assert page.title and all(page.lines) and "{" not in "".join((page.title, *page.lines))
        assert page.chosen is None or 0 <= page.chosen < len(page.lines)
        assert menu.path[-1].kind == "ask" or max(map(len, page.lines)) <= WIDEST, page.lines
        for button, label in zip("ABC", page.buttons, strict=True):
            step = menu.press(button)
            assert label or step.menu == menu
            assert step.settings == menu.settings or can_be_kept(step.settings)
            if step.menu is None:
                left.add(step.action)
            elif menu.settings.language == language:
                waiting.append(step.menu)
    assert left == {None, NEW_MATCH, VOID_DEAL, END_MATCH, SCORE, TRY_OUT, PITS if rows else CORRECT}
    assert len(seen) > 40 or not GAMES[game].options


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_house_option_and_value_has_its_words(language: str) -> None:
    for kind in GAMES.values():
        assert words.has(language, f"{kind.name}-name")
        for option in kind.options:
            name = words.option_name(option.name, language, kind.name)
            assert name != option.name or name == "target", name
            assert words.option_about(option.name, language, kind.name)
            for value in option.values:
                named = words.value_name(option.name, value, language, kind.name)
                own = words.of_game(kind.name, f"option-{option.name}", language)
                assert not isinstance(value, str) or words.has(language, f"{own}.{value}"), (option.name, value)
                assert len(words.say(language, "menu-line", name=name, value=named)) <= WIDEST, (name, named)


def test_about_tells_what_the_device_knows_of_itself() -> None:
    facts = {"version": "1.2", "free_mb": 900, "celsius": None, "used_mb": 100, "memory_mb": 460}

    def press(menu: Menu, button: str) -> Menu:
        pressed = menu.press(button).menu
        assert pressed is not None
        return pressed

    def line(menu: Menu) -> str:
        return menu.page.lines[menu.page.chosen or 0]

    menu = Menu.open(Settings(language="en"), {}, about=facts)
    while line(menu) != "About":
        menu = press(menu, "A")
    about = press(menu, "C")
    assert about.page.lines == ("1.2", "Free: 900 MB", "Memory: 460 MB")
    assert line(press(about, "B")) == "About"


# -- the score set right by hand ---------------------------------------------------------------------------------------


def typed(step: MenuStep, number: str) -> MenuStep:
    """A number, digit by digit, and that it is done."""
    for line in (*number, "Done"):
        step = go(step, line)
    return step


def scoring() -> MenuStep:
    return go(Menu.open(ENGLISH, playing(), sides=("side A", "side B")), "Set the score")


def test_the_score_is_typed_side_by_side() -> None:
    step = scoring()
    assert step.menu is not None and step.menu.page.title == "side A has 0. Correct score:"
    step = typed(step, "3")
    assert step.menu is not None and step.menu.page.title == "side B has 0. Correct score:"
    step = typed(step, "12")
    assert step.menu is not None and (step.menu.page.title, step.menu.page.lines) == ("Set the score?", ("3–12",))
    assert press(step, "A") == MenuStep(None, ENGLISH, SCORE, points=(3, 12))
    back = press(step, "B")
    assert back.menu is not None and back.menu.page.title == "Menu" and back.action is None


def test_a_side_of_which_nothing_is_typed_keeps_what_it_has() -> None:
    step = press(typed(typed(scoring(), "2"), ""), "A")
    assert (step.action, step.points) == (SCORE, (2, 0))


def test_a_wrong_digit_and_a_wrong_side_are_taken_back() -> None:
    step = go(scoring(), "7")
    step = press(step, "B")
    assert step.menu is not None and step.menu.page.lines[0] == "0"
    step = press(typed(step, "4"), "B")
    assert step.menu is not None and step.menu.page.title == "side A has 0. Correct score:"
    step = press(step, "B")
    assert step.menu is not None and step.menu.page.title == "Menu"


def test_without_a_match_there_is_no_score_to_set() -> None:
    assert "Set the score" not in Menu.open(ENGLISH, NOTHING).page.lines
    assert "Set the score" not in Menu.open(ENGLISH, Match("turufu", 4).view.to_dict()).page.lines


def test_lamps_and_sound_can_be_tried() -> None:
    step = go(Menu.open(ENGLISH, playing()), "Try lamps and sound")
    assert (step.menu, step.action, step.settings) == (None, "try_out", ENGLISH)


def test_a_head_start_and_whom_it_goes_to() -> None:
    step = go(Menu.open(replace(ENGLISH, language="fr"), playing()), "Avance : non")
    assert step.menu is not None and step.menu.page.lines[:3] == ("✓ non", "+1", "+2")
    step = go(step, "+2")
    assert step.menu is not None and "Avance : +2" in step.menu.page.lines
    step = go(step, "Avance à", "Camp B")
    assert (step.settings.head_start, step.settings.head_start_side) == (2, 2)
