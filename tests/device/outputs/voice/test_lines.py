"""What is said of a game, for ears alone: a whole deal can be followed by it, and written down again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from device import words
from device.following.keeper import InMemory
from device.following.live import LiveTable
from device.following.press import Press
from device.following.show import ALERTS, EVERYTHING, GAME, Happening, Show
from device.keeping.settings import Settings
from device.outputs.voice import Voice
from device.outputs.voice.lines import asked, card_said, lines_of, spoken
from device.outputs.voice.queue import ALERT, Line
from engine.cards import FULL_PACK, JOKER
from engine.events import Deal, Event, Pillage, Play, Take, Taken, VoidDeal, event_to_dict
from engine.games import GAMES
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.simulate import honest_deal, plant
from tests.device.outputs.voice.test_voice import Mouth, until
from tests.sizes import pairs

NAMES = ("Zaïna", "Ali", "Mariama", "Said", "Fatima", "Ibrahim")


def table(game: str, players: int, language: str = "fr", how_much: str = EVERYTHING) -> LiveTable:
    settings = Settings(game=game, players=players, build="laptop", display="none", language=language)
    settings = Settings(**{**settings.__dict__, "outputs": {"voice": how_much}, "seats": NAMES[:players]})
    match = Match(game, players, seats=NAMES[:players])
    return LiveTable(InMemory(match), settings, lambda _: InMemory(match))


def said(live: LiveTable, events: Sequence[Event]) -> Iterator[tuple[Event, list[Line]]]:
    """What is said of each of these events."""
    heard = 0
    for event in events:
        live.add(event)
        show = replace(live.show, language=words.aloud(live.show.language))
        lines = [
            line
            for happening in show.happened
            if happening.number > heard
            for line in lines_of(happening, show, show.voice)
        ]
        heard = show.happened[-1].number
        yield event, lines


def possible(event: Event, live: LiveTable) -> Iterator[Event]:
    """Everything of its kind that could have happened instead, itself among it."""
    players = range(live.match.header.players)
    if isinstance(event, Play):
        yield from (Play(card, seat) for card in (*FULL_PACK, JOKER) for seat in players)
    elif isinstance(event, Deal):
        yield from (Deal(card, seat) for card in (*FULL_PACK, None) for seat in players)
    elif isinstance(event, Take):
        yield from (Take(seat, suit) for seat in players for suit in "CDHS")


CARD_GAMES = [name for name, kind in GAMES.items() if kind.grid is None]
ALOUD = sorted({words.aloud(language) for language in words.LANGUAGES})


@pytest.mark.parametrize(("game", "language"), pairs(CARD_GAMES, ALOUD, 2))
def test_a_deal_by_ear_alone_is_the_deal(game: str, language: str) -> None:
    players = GAMES[game].players
    live = table(game, players, language)
    judge: Any = live.match.judge
    assert isinstance(judge, CardJudge)
    events = [event for event in honest_deal(judge.game, Random(3), 0).events if not isinstance(event, Taken)]
    written: list[Event] = []
    for event, lines in said(live, events):
        texts = {line.text for line in lines} | {line.short for line in lines if line.short}
        matching = [other for other in possible(event, live) if _texts(other, live) & texts]
        if isinstance(event, Pillage):
            assert any(card_said(event.card, words.aloud(language)) in text for text in texts)
            matching = [event]
        assert len(matching) == 1, (event, texts)
        written += matching
    again = Match(game, players, seats=NAMES[:players])
    for event in written:
        again.add(event)
    assert again.view.to_dict() == live.match.view.to_dict()


def _texts(event: Event, live: LiveTable) -> set[str]:
    """How this would be said, long and short."""
    happening = Happening(1, event_to_dict(event), (), getattr(event, "seat", getattr(event, "dealer", None)))
    show = replace(live.show, language=words.aloud(live.show.language))
    lines = lines_of(happening, show, EVERYTHING)
    return {line.text for line in lines} | {line.short for line in lines if line.short}


@pytest.mark.parametrize("how_much", [ALERTS, GAME, EVERYTHING])
def test_an_alert_is_said_whatever_else_is(how_much: str) -> None:
    live = table("turufu", 4, "en", how_much)
    judge: Any = live.match.judge
    events = plant("out_of_turn", judge.game, Random(1), 0)
    lines = [line for _, lines in said(live, list(events)) for line in lines]
    alerts = [line.text for line in lines if line.kind == ALERT]
    assert alerts and "out of turn" in alerts[0]
    assert not any(sign in line.text for line in lines for sign in "♣♦♥♠★→←")
    others = len(lines) - len(alerts)
    assert (others == 0) == (how_much == ALERTS)


def test_signs_are_spoken() -> None:
    assert spoken("Trick 3 to Ali: 10♦ 9♠ A♣ J♠.", "en") == (
        "Trick 3 to Ali: 10 of diamonds, 9 of spades, ace of clubs, jack of spades."
    )
    assert spoken("7♥", "fr") == "7 de cœur"
    assert (
        spoken("Ali a joué R♠ avec D♥ : A♦.", "fr")
        == "Ali a joué le roi de pique avec la dame de cœur : as de carreau."
    )
    assert spoken("Ali played K♠ and held one of A♥ 2♣.", "en").startswith(
        "Ali played the king of spades and held one of"
    )
    assert spoken("10♠ 7♥: 137–25.", "fr") == "10 de pique, 7 de cœur: 137 à 25."
    assert spoken("7♥", "shi") == "seti kopa"


def test_the_end_of_a_deal_says_whose_each_number_is() -> None:
    live = table("turufu", 4, "en")
    judge: Any = live.match.judge
    lines = [line.text for _, some in said(live, list(honest_deal(judge.game, Random(5), 0).events)) for line in some]
    assert lines[-1] == ("Deal over. Zaïna and Mariama: 56, games 0, in all 0. Ali and Said: 64, games 1, in all 1.")


TO_NOTHING: dict[str, Any] = {"notice": "deal_scored", "points": [0, 120], "games": [0, 4], "match": [0, 4], "loser": 0}
SCORED = {
    ("fr", True): "Zaïna et Mariama : jeux 0, en tout 0. Ali et Said : jeux 4, en tout 4.",
    ("fr", False): "Zaïna et Mariama : 0, jeux 0, en tout 0. Ali et Said : 120, jeux 4, en tout 4.",
    ("en", True): "Zaïna and Mariama: games 0, in all 0. Ali and Said: games 4, in all 4.",
    ("en", False): "Zaïna and Mariama: 0, games 0, in all 0. Ali and Said: 120, games 4, in all 4.",
}


@pytest.mark.parametrize(("language", "how", "happened"), [
    ("fr", "muzinga", "Muzinga ! Un camp a pris tous les plis."),
    ("fr", "alone", "Kali wa murisi : Camp A."),
    ("fr", "murisi", "Kawala wa murisi : Camp A."),
    ("en", "muzinga", "Muzinga! One side took every trick."),
    ("en", "alone", "Kali wa murisi: side A."),
    ("en", "murisi", "Kawala wa murisi: side A."),
    ("shi", "muzinga", "Muzinga ! Kapa : Camp A."),
    ("shi", "alone", "Kali wa murisi : Camp A."),
    ("shi", "murisi", "Kawala wa murisi : Camp A."),
])  # fmt: skip
def test_who_lost_every_trick_is_named_before_each_side_has_its_own_score(
    language: str, how: str, happened: str
) -> None:
    """And what is Shimaore of it has the voice of that language."""
    show = replace(table("turufu", 4, language).show, language=words.aloud(language))
    notice = {**TO_NOTHING, "murisi": True, how: True}
    (line,) = lines_of(Happening(1, {}, (notice,)), show, GAME)
    below = words.below(language)
    assert words.unmarked(line.text) == f"{happened} {SCORED[below, how == 'muzinga']}"
    own, *others = words.voices(line.text, language)
    assert own[0] == language and {spoken_by for spoken_by, _ in others} <= {below}
    assert language != "shi" or own[1] == happened.removesuffix("Camp A.")


def test_what_stands_in_for_shimaore_has_the_french_voice() -> None:
    live = table("turufu", 4, "shi")
    (line,) = [line for _, some in said(live, [Deal("7H", 3), Play("KH", 0)]) for line in some][1:]
    assert words.voices(line.text, "shi") == [("shi", "Zaïna : laruba kopa")]
    *_, line = [line for _, some in said(live, [VoidDeal()]) for line in some]
    assert [language for language, _ in words.voices(line.text, "shi")] == ["fr"]
    assert words.voices("King & queen", "en") == [("en", "King & queen")]


def test_a_question_is_said_with_its_buttons() -> None:
    live = table("turufu", 4, "en")
    live.add(Deal("7H", 3), Play(None, 0, candidates=("7D", "7C")))
    show = live.show
    assert show.prompt is not None
    assert asked(show.prompt, show).text == (
        "Which card did Zaïna play in trick 1? A: 7 of diamonds. B: 7 of clubs. C: no card."
    )


def test_answers_are_said_once_and_what_the_buttons_lead_on_to_too() -> None:
    live = table("belote", 4, "fr", GAME)
    live.add(Deal("AD", 0))
    mouth = Mouth()
    voice = Voice(mouth)
    for _ in range(2):
        voice.show(live.show)
    until(lambda: mouth.said == ["Qui prend ? A : Ali. B : Mariama. C : autres."])
    live.press(Press("C"))
    for _ in range(2):
        voice.show(live.show)
    until(lambda: mouth.said[1:] == ["A : Said. B : Zaïna. C : autres."])
    voice.close()


def test_on_a_press_it_says_what_lies_there() -> None:
    live = table("turufu", 4, "en")
    live.add(Deal("7H", 3), Play("AH", 0), Play("3H", 1))
    live.press(Press("A"))
    show: Show = live.show
    (line,) = lines_of(show.happened[-1], show, EVERYTHING)
    assert line.text.startswith("On the table: Zaïna ace hearts, Ali 3 hearts. Trump is hearts. Mariama to play.")
    assert "Zaïna and Mariama: " in line.text and "Ali and Said: " in line.text
