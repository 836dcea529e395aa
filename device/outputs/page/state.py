"""What every phone is sent of the table: the show as JSON has it, and what the page draws beside it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from device import words
from device.following.facts import best_counts, with_seats
from device.following.show import EVERYTHING, Happening, Show
from device.outputs.voice.lines import asked, lines_of
from engine.events import Board, Event, GameEvent, Play, event_to_dict
from engine.match import StandingEvent
from engine.notices import ALERT

SPOKEN = 8
"""Things that happened whose lines a phone gets: more than happen while it is asleep for a moment."""


def state_of(show: Show) -> dict[str, Any]:
    """The state that visitors follow."""
    said = partial(words.say, show.language)
    prompt = show.prompt
    return {
        "view": dict(show.view),
        "language": show.language,
        "seats": words.given_names(show.seats),
        "sentences": list(show.sentences),
        "notices": list(show.notices),
        "alert": show.alert,
        "prompt": prompt
        and {
            "text": prompt.text,
            "key": prompt.key,
            "answers": list(prompt.every or prompt.answers),
            "asked": prompt.asked and dict(prompt.asked),
            "codes": list(prompt.codes),
        },
        "situation": show.situation,
        "waiting": said(f"situation-{show.situation}"),
        "troubles": [said(f"trouble-{code}") for code in show.troubles],
        "trouble_codes": list(show.troubles),
        **_last_turn(show),
        **show.extra,
    }


class Spoken:
    """What phones may say aloud of what happened last, each line with its weight: in the language of each phone, and
    made once for all that speak it."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, list[dict[str, Any]]]] = {}
        """By language and the number of what happened."""

    def of(self, show: Show, language: str) -> dict[str, Any]:
        """The last lines, and what is asked now."""
        show = replace(show, language=words.aloud(language))
        happened, known = show.happened[-SPOKEN:], self._lines.get(language, {})
        lines = {happening.number: known.get(happening.number) or _lines_of(happening, show) for happening in happened}
        self._lines[language] = lines
        question = "" if show.prompt is None else asked(show.prompt, show).text
        told = [line for some in lines.values() for line in some]
        return {"lines": told, "asked": _parts(question, language), "language": language}


def _parts(text: str, language: str) -> list[tuple[str, str]]:
    """A sentence as a phone says it: each part in its language."""
    return words.voices(text, language) if text else []


def _lines_of(happening: Happening, show: Show) -> list[dict[str, Any]]:
    lines = lines_of(happening, show, EVERYTHING)
    return [{"number": happening.number, "kind": line.kind, "said": _parts(line.text, show.language)} for line in lines]


def _last_turn(show: Show) -> dict[str, str]:
    """The last turn on a board, in words."""
    last = show.view.get("last_turn")
    return {"turn_words": words.move_name(last.get("key"), show.language)} if last else {}


# -- the log -----------------------------------------------------------------------------------------------------------


def log_of(
    told: Sequence[StandingEvent], players: int, language: str, seats: Sequence[str], logged: Sequence[Event] = ()
) -> list[dict[str, Any]]:
    """The events that stand, each with what was said of it, for whoever mends them. logged: all as they came, the
    first with number 1."""
    rows = []
    for entry, seat in with_seats(told, players):
        row = {"number": entry.number, **_of_event(entry.event), **_correction(entry, logged)}
        if seat is not None:
            row["seat"] = seat
        trick = next((notice for notice in entry.notices if notice.code == "trick"), None)
        if trick is not None:
            row |= {"trick": trick.facts["trick"], "won": trick.facts["seat"]}
        if entry.notices:
            row["said"] = [
                [notice.level, words.sentence(notice.to_dict(), language, seats), notice.to_dict()]
                for notice in entry.notices
            ]
        if any(notice.level == ALERT for notice in entry.notices):
            row["alert"] = True
        rows.append(row)
    return rows


def _correction(entry: StandingEvent, logged: Sequence[Event]) -> dict[str, Any]:
    """Whether an event was corrected, and the card that it was before."""
    if not entry.corrected:
        return {}
    first = logged[entry.number - 1] if entry.number <= len(logged) else None
    other_card = isinstance(first, Play) and isinstance(entry.event, Play) and first.card != entry.event.card
    return {"corrected": True, **({"was": first.card} if other_card and isinstance(first, Play) else {})}


LOGGED = ("event", "card", "seat", "turn_up", "dealer", "candidates", "question", "answer", "accept", "paid", "next",
          "trump")  # fmt: skip
"""What a log shows of an event; the number of another event that it speaks of is called `about`."""


def _of_event(event: GameEvent) -> dict[str, Any]:
    """An event without what only the referee needs: how likely each count of a pit was."""
    if isinstance(event, Board):
        return {"event": "board", "pits": best_counts(event)}
    raw = event_to_dict(event)
    shown = {name: value for name, value in raw.items() if name in LOGGED}
    return {**shown, "about": raw["number"]} if "number" in raw else shown
