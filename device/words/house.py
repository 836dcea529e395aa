"""What games, house rules and their values are called."""

from device.words.notices import of_game
from device.words.say import has, say


def game_name(game: str, language: str) -> str:
    """A game by its name, or as it is written; "auto" is the one that the device finds by itself."""
    name = "menu-game_auto" if game == "auto" else f"{game}-name"
    return say(language, name) if has(language, name) else game


def option_name(option: str, language: str, game: str = "") -> str:
    """A house rule as a menu has it, or as it is written."""
    name = of_game(game, f"option-{option}", language)
    return say(language, name) if has(language, name) else option


def option_about(option: str, language: str, game: str = "") -> str:
    """What a house rule decides, in one sentence."""
    name = f"{of_game(game, f'option-{option}', language)}.about"
    return say(language, name) if has(language, name) else ""


def value_name(option: str, value: object, language: str, game: str = "") -> str:
    """What a value of a house rule, or the game's preset, is called; as it is written where it has no name."""
    if isinstance(value, bool):
        return say(language, "menu-yes" if value else "menu-no")
    if option == "preset":
        name = next(
            (f"{name}-preset_{value}" for name in (game, "mraha") if has(language, f"{name}-preset_{value}")), ""
        )
    else:
        written = f"n{value}" if isinstance(value, int) else str(value)
        name = f"{of_game(game, f'option-{option}', language)}.{written}"
    return say(language, name) if name and has(language, name) else str(value)
