"""Somebody who answers what `hisabu setup` asks, by the question and not by its place."""

from collections.abc import Mapping, Sequence

import pytest

from device import words
from engine.games import GAMES


def asked_as(name: str) -> set[str]:
    """How a setting, or a house option, is asked for in all languages."""
    languages = words.LANGUAGES
    asked = {words.say(lang, f"setup-{name}") for lang in languages if words.has(lang, f"setup-{name}")}
    named = {game for game, kind in GAMES.items() if any(option.name == name for option in kind.options)}
    return asked | {words.option_name(name, lang, game) for lang in languages for game in named}


def answers_by_question(monkeypatch: pytest.MonkeyPatch, answers: Mapping[str, Sequence[str]]) -> list[str]:
    """What is asked is answered, each time with the next answer; to all else what is proposed is taken. The names that
    nobody asked for yet stay in the list that is returned."""
    left = {name: list(each) for name, each in answers.items()}
    questions = {question: name for name in answers for question in asked_as(name)}
    unasked = list(answers)

    def answer(prompt: str) -> str:
        name = next((name for question, name in questions.items() if prompt.startswith(f"{question} (")), "")
        if name in unasked:
            unasked.remove(name)
        return left[name].pop(0) if left.get(name) else ""

    monkeypatch.setattr("builtins.input", answer)
    return unasked
