"""The rules of a game as the page shows them: short, in the words of one phone, with what this house plays by."""

from collections.abc import Mapping
from typing import Any

from device import words
from device.following.live import LiveTable
from device.words.messages import messages
from engine.cards import rank_of, suit_of
from engine.errors import GameError
from engine.games import GAMES
from engine.options import OptionValue
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.rules.tricks import TrickGame

PARTS = ("cards", "deal", "play", "score", "usual")
SHOWN_SUIT, OTHER_SUIT = "H", "S"
OF_RULES: Mapping[str, tuple[str, ...]] = {
    "revoke": ("follow", "overtake", "undertrump", "partner", "over_partner", "penalty"),
    "out_of_turn": ("turns",),
    "wrong_leader": ("turns",),
    "single_seed_start": ("singleton_capture", "singleton_trakatra_phase1"),
    "nyumba_start": ("owned_nyumba", "tax"),
    "back_row_start": ("corner_not_backward",),
    "blocked_pit": ("kutakatia",),
    "stopped_short": ("owned_nyumba", "nyumba_in_phase2"),
    "took_what_it_may_not": ("grand_slam",),
    "must_feed": ("must_feed",),
}
"""The options of a house that decide what a rule wants."""


def rules_of(game: str, table: LiveTable, language: str) -> dict[str, Any]:
    """The rules of a game, and what each of them wants. GameError: there is no such game."""
    if game not in GAMES:
        raise GameError("unknown_game", value=game, allowed=tuple(GAMES))
    kind, header = GAMES[game], table.match.header
    if game == header.game:
        judge, in_force = kind.judge(header.players, header.options)
    else:
        judge, in_force = kind.judge(kind.players, table.settings.of(game, kind.players).house)
    told = messages(language, "rule")
    return {
        "game": game,
        "aim": words.say(language, f"{game}-rules"),
        "parts": [[part, words.say(language, f"{game}-rules.{part}")] for part in PARTS],
        "orders": _orders(judge.game) if isinstance(judge, CardJudge) else [],
        "pits": _pits(judge) if isinstance(judge, BoardJudge) else None,
        "house": [_option(game, name, value, language) for name, value in in_force.items()],
        "rules": {
            name.removeprefix("rule-"): {
                "text": words.say(language, name),
                "usual": words.say(language, f"{name}.usual"),
                "options": list(OF_RULES.get(name.removeprefix("rule-"), ())),
            }
            for name in told
            if "." not in name
        },
    }


def _option(game: str, name: str, value: OptionValue, language: str) -> dict[str, Any]:
    return {
        "name": name,
        "title": words.option_name(name, language, game),
        "value": words.value_name(name, value, language, game),
        "about": words.option_about(name, language, game),
    }


def _orders(game: TrickGame) -> list[dict[str, Any]]:
    """The cards of a suit, the highest first, with their points; of trump apart, where that is another order."""
    plain = _order(game, game.higher, OTHER_SUIT)
    trump = _order(game, game.higher_trumps, SHOWN_SUIT)
    same = [rank_of(card) for card, _ in plain] == [rank_of(card) for card, _ in trump]
    return [
        {"trump": kind, "cards": [card for card, _ in order], "points": [points for _, points in order]}
        for kind, order in ([(None, trump)] if same else [(True, trump), (False, plain)])
    ]


def _order(game: TrickGame, higher: Mapping[str, frozenset[str]], trump: str) -> list[tuple[str, int]]:
    cards = sorted((card for card in game.pack if suit_of(card) == SHOWN_SUIT), key=lambda card: len(higher[card]))
    return [(card, game.card_points(card, trump)) for card in cards]


def _pits(judge: BoardJudge) -> list[list[int]]:
    """The board before the first turn, as seen by South."""
    return [list(row) for row in judge.game.board_rows(judge.opening.sides)]
