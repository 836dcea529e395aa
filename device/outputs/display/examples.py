"""A show of every kind, from matches the simulator played: for reference pictures, the bench and the README.

python -m device.outputs.display.examples FOLDER draws them all in every language and size, on a sheet for each size.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from device import words
from device.following.show import Invite, Page, Prompt, Show, Untold
from device.outputs.display.screens import draw
from engine.events import Board
from engine.match import Match
from engine.notices import ALERT, Notice
from engine.referee.card_game import CardJudge
from engine.referee.mraha import MrahaJudge
from engine.rules.awale import AwaleFlags
from engine.rules.mraha import board_rows, start
from engine.simulate import honest_match, plant
from engine.simulate_awale import honest_game
from engine.simulate_mraha import honest_turns

GLASSES: tuple[tuple[str, tuple[int, int], bool], ...] = (
    ("oled", (128, 64), False),
    ("square", (240, 240), True),
    ("wide", (320, 240), True),
)
"""Every display that can be wired: name, pixels, colour."""
SHEET_COLUMNS = 5
SHEET_GAP_PX = 8
View = Mapping[str, Any]
Until = Callable[[View], bool]


@cache
def examples(language: str) -> dict[str, Show]:
    """Shows by name, in one language."""
    table = partial(words.say, language)
    names = ("Zaïna", "Ali", "Moinaécha", "Abdou")
    start_of = _cards("turufu", 4, language, 3)
    play = _cards("turufu", 4, language, 24)
    full = replace(play, view={**play.view, "games": [3, 2], "points": [[88, 109], 11],
                               "markers": [["8", "9", "10", "2", "JOKER"], ["8", "10"]]})  # fmt: skip
    first, *others = play.view["trick"]
    unread = [{**first, "sure": False}, *others[:2], {"seat": 2, "card": None}]
    six = _cards("triomphe", 6, language, 12)
    pause = Page(
        table("menu-top"),
        tuple(table(f"menu-{item}") for item in ("new_match", "void_deal", "end_match", "game", "players", "options")),
        3,
        (table("menu-next"), table("menu-back"), table("menu-choose")),
    )
    mraha = _board(language, 9)
    return {
        "start": start_of,
        "play": play,
        "untold": replace(play, view={**play.view, "trick": play.view["trick"][:2]}, untold=(
            Untold(play.view["trick"][2]["seat"], play.view["trick"][2]["card"]), Untold(1, None))),
        "lesson": replace(play, extra={"learner": {"seat": 0, "lit": True, "hand": [
            *([card, None] for card in ("JS", "9S", "AS", "10S", "KS", "QS", "8S")), ["KH", "follow"]]}}),
        "full": full,
        "hearts": replace(play, view={**play.view, "trump": "H"}),
        "diamonds": replace(play, view={**play.view, "trump": "D"}),
        "clubs": replace(play, view={**play.view, "trump": "C"}),
        "named": replace(play, seats=names),
        "last_card": _cards("turufu", 4, language, _trick_of_four),
        "two": _cards("turufu", 2, language, 17),
        "turufu_six": _cards("turufu", 6, language, 21),
        "triomphe_six": replace(six, view={**six.view, "games": [4, 0, 2, 1, 3, 0]}),
        "pille_three": _cards("pille", 3, language, 9),
        "unread": replace(play, view={**play.view, "trick": unread}),
        "deal_over": _cards("turufu", 4, language, _deal_over),
        "triomphe_over": _cards("triomphe", 6, language, _deal_over),
        "won": _cards("turufu", 4, language, _won, deals=60),
        "won_six": _cards("triomphe", 6, language, _won, deals=60),
        "alert": _planted("out_of_turn", language),
        "alert_long": replace(play, alert=_longest_alert(language)),
        "alert_asked": replace(
            play, alert=_longest_alert(language),
            prompt=Prompt(words.sentence({"notice": "question", "about": "penalty", "side": 0}, language),
                          (table("answer-yes"), table("answer-no")))),
        "alert_answered": _answered(_planted("out_of_turn", language)),
        "question": replace(play, prompt=Prompt(
            words.sentence({"notice": "question", "about": "card", "choices": ["7H", "7D"]}, language), ("7♥", "7♦"))),
        "question_long": replace(mraha, prompt=Prompt(
            words.sentence({"notice": "question", "about": "adopt", "choices": ["restore"]}, language),
            (table("answer-yes"), table("answer-restore"), table("answer-taken_back")))),
        "question_longest": replace(mraha, prompt=Prompt(
            _longest_question(language), (table("answer-stands"), table("answer-taken_back")))),
        "menu": replace(play, page=pause),
        "tell": replace(play, page=Page(
            table("menu-ask_changed"), (table("menu-tell_changed"),), None, (table("menu-yes"), table("menu-no"), ""))),
        "hand_over": replace(play, situation="hand_over"),
        "looking_through": replace(full, situation="looking_through"),
        "trouble": replace(full, troubles=("camera_away", "hot")),
        "invite": replace(play, invite=Invite("http://192.168.178.23/")),
        "invite_code": replace(play, invite=Invite("http://192.168.178.23:8080/", "482915")),
        "waiting": Show({}, language, situation="waiting_for_deal"),
        "waiting_trouble": Show({}, language, troubles=("undervoltage",)),
        "munia": mraha,
        "teza": _board(language, 30),
        "counts": _board(language, 9, True),
        "sowing": replace(mraha, situation="sowing"),
        "mraha_won": _board(language, 10_000),
        "awale_drawn": _show(*_drawn_told(), language),
    }  # fmt: skip


def _cards(game: str, players: int, language: str, until: int | Until, deals: int = 1) -> Show:
    """A card game after so many events, or as soon as its view is of that kind, within so many deals."""
    return _show(*_cards_told(game, players, until, deals), language)


@cache
def _cards_told(game: str, players: int, until: int | Until, deals: int) -> tuple[Match, list[Notice]]:
    """Its match at that moment, and all that was told until then: the same in every language."""
    match = Match(game, players)
    assert isinstance(match.judge, CardJudge)
    told: list[Notice] = []
    for number, event in enumerate(honest_match(match.judge.game, Random(5), deals), 1):
        told += match.add(event)
        if until(match.view.to_dict()) if callable(until) else number == until:
            return match, told
    raise ValueError(f"{game} never came to that")


def _trick_of_four(view: View) -> bool:
    return len(view["trick"]) == 4


def _deal_over(view: View) -> bool:
    return bool(view["phase"] == "deal_over")


def _won(view: View) -> bool:
    return view.get("winner") is not None


def _board(language: str, turns: int, show_counts: bool = False) -> Show:
    """Mraha after so many turns, or at its end."""
    return _show(*_board_told(turns, show_counts), language)


@cache
def _board_told(turns: int, show_counts: bool) -> tuple[Match, list[Notice]]:
    match = Match("mraha", 2, {"show_counts": show_counts})
    assert isinstance(match.judge, MrahaJudge)
    flags = match.judge.flags
    match.add(Board(board_rows(start(flags))))
    told: list[Notice] = []
    for number, turn in enumerate(honest_turns(Random(5), flags), 1):
        told += match.add(Board(board_rows(turn.after)))
        if number == turns:
            break
    return match, told


@cache
def _drawn_told() -> tuple[Match, list[Notice]]:
    """Awalé at its end: both took as much."""
    match = Match("awale")
    return match, [notice for board in honest_game(Random(0), AwaleFlags()) for notice in match.add(board)]


def _show(match: Match, told: Sequence[Notice], language: str) -> Show:
    said = tuple(words.sentence_of(notice.to_dict(), language, match) for notice in told)
    return Show(match.view.to_dict(), language, sentences=said)


def _planted(rule: str, language: str) -> Show:
    """The moment an illegal move is caught."""
    match, caught = _planted_told(rule)
    return Show(match.view.to_dict(), language, alert=words.sentence_of(caught.to_dict(), language, match))


@cache
def _planted_told(rule: str) -> tuple[Match, Notice]:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    for event in plant(rule, match.judge.game, Random(8), 0):
        for notice in match.add(event):
            if notice.level == ALERT:
                return match, notice
    raise ValueError(f"{rule} was not caught")


def _answered(show: Show) -> Show:
    """An alert that is itself asked about: seen, or to be taken back."""
    prompts = partial(words.say, show.language)
    return replace(show, prompt=Prompt(str(show.alert), (prompts("answer-seen"), prompts("answer-misread"))))


def _longest_alert(language: str) -> str:
    """A revoke proven against two players: the longest there is to say."""
    shown = {"shown": ["QS"], "shown_in": [9]}
    claim = {"seat": 1, "trick": 8, "card": "10H", **shown, "duty": "over_trump", "certain": True}
    notice = {"notice": "revoke", "level_of_proof": "proven", "claims": [claim]}
    return words.sentence(notice, language)


def _longest_question(language: str) -> str:
    """An illegal turn of mraha, named, that was played on."""
    facts = {"rule": "stopped_short", "player": "south", "key": "F6+:stop"}
    illegal = {"notice": "illegal", **facts}
    return words.sentence({"notice": "question", "about": "played_on", "illegal": illegal}, language)


def sheet(size: tuple[int, int], colour: bool, language: str, zoom: int = 1) -> Image.Image:
    """Every example side by side."""
    shows = list(examples(language).values())
    width, height = size[0] * zoom + SHEET_GAP_PX, size[1] * zoom + SHEET_GAP_PX
    rows = -(-len(shows) // SHEET_COLUMNS)
    picture = Image.new("RGB", (SHEET_COLUMNS * width + SHEET_GAP_PX, rows * height + SHEET_GAP_PX), (90, 90, 100))
    for number, show in enumerate(shows):
        drawn = (
            draw(show, size, colour).convert("RGB").resize((size[0] * zoom, size[1] * zoom), Image.Resampling.NEAREST)
        )
        at = SHEET_GAP_PX + number % SHEET_COLUMNS * width, SHEET_GAP_PX + number // SHEET_COLUMNS * height
        picture.paste(drawn, at)
    return picture


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, colour in GLASSES:
        for language in words.LANGUAGES:
            sheet(size, colour, language, 1 if colour else 2).save(folder / f"{name}_{language}.png", optimize=True)
