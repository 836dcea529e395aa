"""Every sentence of the device, in every language: the messages (en/, fr/, shi/), and how they are said."""

from device.words.house import game_name, option_about, option_name, value_name
from device.words.messages import LANGUAGES, aloud, below, said_below, said_by, unmarked, voices
from device.words.notices import (
    SUIT_SIGNS,
    by_side,
    card_name,
    card_sign,
    choice_name,
    counted,
    given_names,
    move_name,
    name_at,
    of_game,
    pit_name,
    player_name,
    rank_sign,
    score_line,
    seat_name,
    sentence,
    sentence_of,
    side_name,
    side_names,
    suit_name,
)
from device.words.say import has, in_words, say, system_language, what_helps, why

__all__ = [
    "LANGUAGES", "SUIT_SIGNS", "aloud", "below", "by_side", "card_name", "card_sign", "choice_name", "counted",
    "game_name", "given_names", "has", "in_words", "move_name", "name_at", "of_game", "option_about", "option_name",
    "pit_name", "player_name", "rank_sign", "said_below", "said_by", "say", "score_line", "seat_name", "sentence",
    "sentence_of", "side_name", "side_names", "suit_name", "system_language", "unmarked", "value_name", "voices",
    "what_helps", "why",
]  # fmt: skip
