"""What is said of what happens: lines from what a show tells, for ears alone. No sound is made here."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from device import words
from device.following.show import ALERTS, EVERYTHING, Happening, Invite, Page, Prompt, Show
from device.outputs.voice.queue import ALERT, ASK, CARD, MENU, SCORE, Line
from engine.cards import JOKER, RANKS, Card, rank_of, suit_of
from engine.referee.seed_game import PLAYERS

_CARD = re.compile(r"★|(?:10|[2-9A-Z])[♣♦♥♠]")
_SUIT = re.compile("[♣♦♥♠]")
_NEXT_CARD = re.compile(r"(★|(?:10|[2-9A-Z])[♣♦♥♠]) (?=★|(?:10|[2-9A-Z])[♣♦♥♠])")
"""A card before another one."""
_TOLD = re.compile(r"(?<=[a-zà-ÿ]{2} )(?:★|(?:10|[2-9A-Z])[♣♦♥♠])")
"""A card after a word: it has its article."""
_BETWEEN_NUMBERS = re.compile(r"(?<=[\d)])–(?=[\d(-])")
"""Of a score."""
_OPEN_NUMBER = re.compile(r"\((-?\d+)…(-?\d+)\)")
_OF_SIDES = re.compile(r"(?:^|(?<=[.:,!;] ))([^.:,!;\d()]*?)((?:-?\d+|\([^)]*\))(?:–(?:-?\d+|\([^)]*\)))+)[.,]?\s*")
"""A number of each side, and what they are called."""
_CHOICES = re.compile(r"[:?]?\s*\ue010\s*\?")
_HERE = "\ue010"
"""Where a question names its answers, which its buttons name again."""
_SUIT_OF = {sign: suit for suit, sign in words.SUIT_SIGNS.items()}


def card_said(card: Card | None, language: str, short: bool = False) -> str:
    """A card as it is spoken: card_said("7H", "fr") is "sept de cœur", and short "sept cœur"."""
    if card is None:
        return words.say(language, "voice-unread")
    if card == JOKER:
        return words.say(language, "voice-joker")
    rank, suit = words.say(language, "voice-rank", rank=rank_of(card)), words.suit_name(suit_of(card), language)
    return words.say(language, "voice-card.short" if short else "voice-card", rank=rank, suit=suit)


def clip_said(name: str, language: str, seats: Sequence[str]) -> str:
    """What somebody says who records a line: clip_said("card-7H", "fr", ()) is "sept de cœur"."""
    kind, _, what = name.partition("-")
    match kind:
        case "seat":
            return words.seat_name(int(what) - 1, language, seats)
        case "card":
            return card_said(what, language)
        case "trick":
            return words.say(language, "voice-trick.short", seat="…")
    return words.say(language, f"rule-{what}")


def spoken(sentence: str, language: str) -> str:
    """A sentence of the displays for the ear: signs by their names."""
    ranks = {words.rank_sign(rank, language): rank for rank in RANKS}

    def read(sign: str) -> Card:
        return JOKER if sign == "★" else ranks[sign[:-1]] + _SUIT_OF[sign[-1]]

    def card(found: re.Match[str]) -> str:
        return card_said(read(found[0]), language)

    def the_card(found: re.Match[str]) -> str:
        rank = None if found[0] == "★" else rank_of(read(found[0]))
        return words.say(language, "voice-the", rank=rank, card=card(found))

    sentence = _NEXT_CARD.sub(r"\1, ", sentence)
    sentence = _TOLD.sub(the_card, sentence)
    sentence = _OPEN_NUMBER.sub(rf"\1 {words.say(language, 'voice-to')} \2", sentence)
    said = _BETWEEN_NUMBERS.sub(f" {words.say(language, 'voice-to')} ", _CARD.sub(card, sentence))
    said = _SUIT.sub(lambda found: words.suit_name(_SUIT_OF[found[0]], language), said)
    arrows = {"→": words.say(language, "voice-right"), "←": words.say(language, "voice-left"), "·": ",", "–": ", "}
    for sign, said_instead in arrows.items():
        said = said.replace(sign, said_instead)
    return said


def lines_of(happening: Happening, show: Show, how_much: str) -> list[Line]:
    """What is said of one thing that happened."""
    lines = list(_of_event(happening, show)) if how_much == EVERYTHING else []
    for notice in happening.notices:
        line = _of_notice(notice, show, how_much)
        if line is not None:
            lines.append(line)
    return lines


def _of_notice(notice: Mapping[str, Any], show: Show, how_much: str) -> Line | None:
    code, level, language = str(notice["notice"]), notice.get("level"), show.language
    if level == "ask":
        return None  # Asked with its answers, once they are known.
    if level == "alert":
        return Line(spoken(_sentence(notice, show), language), kind=ALERT, clips=(f"alert-{notice.get('rule', code)}",))
    if how_much == ALERTS or (code in _SAID_AS_EVENTS and how_much == EVERYTHING):
        return None
    if code == "trick" and notice.get("seat") is not None:
        seat = _seat(notice["seat"], show)
        text = words.say(language, "voice-trick", seat=seat, points=notice.get("points") or None)
        short = words.say(language, "voice-trick.short", seat=seat)
        return Line(text, short, SCORE, ("trick", f"seat-{notice['seat'] + 1}"))
    if code in _SAID or how_much == EVERYTHING:
        by_sides = code in _BY_SIDES
        said = _by_sides(_sentence(notice, show), show) if by_sides else spoken(_sentence(notice, show), language)
        return Line(said, kind=SCORE)
    return None


_SAID = frozenset({
    "trick", "deal_scored", "match_won", "match_drawn", "parties", "move", "device_turn", "device_turn_again", "hint",
    "device_card", "device_card_other", "device_bid",
    "lesson", "lesson_set", "lesson_differs", "lesson_right", "lesson_wrong", "lesson_illegal", "lessons_over",
    "lessons_back", "lessons_left", "learner", "learner_may", "learner_illegal", "learner_over", "not_scored",
    "score_set",
})  # fmt: skip
"""Notices that tell how the game goes; others are said to who cannot see alone."""
_BY_SIDES = frozenset({"deal_scored", "score_set"})
"""Notices with numbers of each side, which eyes tell apart by their places."""
_SAID_AS_EVENTS = frozenset({"corrected", "reminder"})


def _sentence(notice: Mapping[str, Any], show: Show) -> str:
    view = show.view
    return words.sentence(notice, show.language, show.seats, view.get("sides") or (), str(view.get("game", "")))


def _by_sides(sentence: str, show: Show) -> str:
    """A sentence with numbers of each side for the ear: what happened, then each side with its own."""
    below, sides = words.below(show.language), show.view.get("sides") or ()
    unmarked = words.unmarked(sentence)
    found = list(_OF_SIDES.finditer(unmarked))
    told = [(_lowered(numbered[1].strip()), numbered[2].split("–")) for numbered in found]
    if not told or any(len(numbers) != len(set(sides)) for _, numbers in told):
        return spoken(sentence, show.language)
    happened = _without(sentence, [numbered.span() for numbered in found], show.language)
    scores = []
    for side in sorted(set(sides)):
        own = ", ".join(f"{label} {numbers[side]}".strip() for label, numbers in told)
        scores.append(words.say(below, "voice-score", players=_players(side, show), score=own))
    said = words.said_below(words.unmarked(spoken(" ".join(scores), below)), show.language)
    return f"{spoken(happened, show.language)}. {said}"


def _without(sentence: str, spans: Sequence[tuple[int, int]], language: str) -> str:
    """A sentence without some parts of what is said, and without the stop at its end; each part keeps its voice."""
    unmarked = words.unmarked(sentence)
    left = [place for place in range(len(unmarked)) if not any(start <= place < end for start, end in spans)]
    while left and unmarked[left[-1]] in " :.":
        left.pop()
    kept, parts, at = set(left), [], 0
    for own, said in words.voices(sentence, language):
        parts.append((own, "".join(sign for place, sign in enumerate(said, at) if place in kept)))
        at += len(said)
    return words.said_by(parts, language)


def _lowered(label: str) -> str:
    return label[:1].lower() + label[1:]


def _players(side: int, show: Show) -> str:
    """Who is on a side."""
    names = [_seat(seat, show) for seat, other in enumerate(show.view.get("sides") or ()) if other == side]
    return words.say(show.language, "table-and", one=", ".join(names[:-1]), other=names[-1]) if names[1:] else names[0]


def _seat(seat: int | None, show: Show) -> str:
    return words.seat_name(seat, show.language, show.seats, str(show.view.get("game", "")))


# -- what happened, for who cannot see it --------------------------------------------------------------------------


def _of_event(happening: Happening, show: Show) -> Iterator[Line]:
    said = _EVENTS.get(str(happening.event.get("event")))
    line = said(happening, show) if said is not None else None
    if line is not None:
        yield line


def _play(happening: Happening, show: Show) -> Line:
    card, language = happening.event.get("card"), show.language
    seat = _seat(happening.seat, show)
    text = words.say(language, "voice-play", seat=seat, card=card_said(card, language))
    short = words.say(language, "voice-play.short", seat=seat, card=card_said(card, language, short=True))
    clips = () if card is None or happening.seat is None else (f"seat-{happening.seat + 1}", f"card-{card}")
    return Line(text, short, CARD, clips)


def _deal(happening: Happening, show: Show) -> Line:
    turn_up, language = happening.event.get("turn_up"), show.language
    card = None if turn_up is None else card_said(turn_up, language)
    dealer = None if happening.seat is None else _seat(happening.seat, show)
    return Line(words.say(language, "voice-deal", dealer=dealer, card=card), kind=SCORE)


def _named(message: str, *cards: str) -> Callable[[Happening, Show], Line]:
    """An event whose message has the seat, and these cards of it."""

    def line(happening: Happening, show: Show) -> Line:
        event, language = happening.event, show.language
        facts: dict[str, Any] = dict.fromkeys(cards)
        facts |= {name: card_said(event[name], language) for name in cards if event.get(name)}
        suit = event.get("trump")
        trump = words.suit_name(suit, language) if suit else None
        return Line(words.say(language, message, seat=_seat(happening.seat, show), trump=trump, **facts), kind=SCORE)

    return line


def _answer(happening: Happening, show: Show) -> Line:
    return Line(words.say(show.language, "voice-answer", accept=bool(happening.event.get("accept"))), kind=SCORE)


def _correct(happening: Happening, show: Show) -> Line:
    event, language = happening.event, show.language
    turned_up = event.get("turn_up") or event.get("next")
    said = card_said(event["card"], language) if event.get("card") else None
    seat = None if happening.seat is None else _seat(happening.seat, show)
    text = words.say(language, "voice-correct", card=said, seat=seat)
    if turned_up:
        text += " " + words.say(language, "voice-turn_up", card=card_said(turned_up, language))
    return Line(text, kind=SCORE)


def _plain(message: str) -> Callable[[Happening, Show], Line]:
    return lambda happening, show: Line(words.say(show.language, message), kind=SCORE)


_EVENTS: Mapping[str, Callable[[Happening, Show], Line]] = {
    "play": _play,
    "deal": _deal,
    "void_deal": _plain("voice-void_deal"),
    "taken_back": _named("voice-taken_back"),
    "take": _named("voice-take"),
    "offer": _named("voice-offer"),
    "answer": _answer,
    "pillage": _named("voice-pillage", "card", "paid", "next"),
    "turn_up_seen": _named("voice-turn_up", "card"),
    "correct": _correct,
    "look": lambda happening, show: Line(what_lies_there(show), kind=SCORE),
    "refused": lambda happening, show: Line(
        spoken(words.in_words(happening.event["error"], show.language), show.language), kind=SCORE
    ),
}


def what_lies_there(show: Show) -> str:
    """The table in words: what lies in the trick, trump, whose turn it is, the score. On a board, which hands feel:
    the last turn, and what each side has captured, or holds in its hand."""
    view, language = show.view, show.language
    if view.get("last_turn") or "captured" in view or "in_hand" in view:
        said = list(_board_said(show))
    else:
        laid = [
            f"{_seat(play['seat'], show)} {card_said(play['card'], language, short=True)}"
            for play in view.get("trick") or ()
        ]
        said = [words.say(language, "voice-lies", cards=", ".join(laid) or None)]
    if view.get("trump"):
        said.append(words.say(language, "voice-trump", suit=words.suit_name(view["trump"], language)))
    if view.get("wanted"):
        wanted = words.move_name(view["wanted"], language)
        said.append(spoken(words.say(language, "display-my_turn", turn=wanted), language) + ".")
    if turn := turn_said(show):
        said.append(turn)
    return " ".join((*said, *_score_said(show)))


def _board_said(show: Show) -> Iterator[str]:
    """What a board tells that fingers do not."""
    view, language = show.view, show.language
    if last := view.get("last_turn"):
        yield words.say(language, "voice-last_turn", turn=spoken(words.move_name(last["key"], language), language))
    for fact in ("captured", "in_hand"):
        for seat, player in enumerate(PLAYERS):
            if player in view.get(fact, {}):
                number = words.say(language, f"voice-{fact}", number=view[fact][player])
                yield words.say(language, "voice-score", players=_seat(seat, show), score=number)


def _score_said(show: Show) -> Iterator[str]:
    """The score, side by side, each called by its players."""
    view, language = show.view, show.language
    sides = view.get("sides") or ()
    named = [(fact, name) for fact, name in (("points", "table-points"), ("games", "table-score")) if fact in view]
    for side in sorted(set(sides)) if named else ():
        score = ", ".join(
            words.say(language, name, **{fact: words.by_side([view[fact][side]])}) for fact, name in named
        )
        yield words.say(language, "voice-score", players=_players(side, show), score=score)


WAITS = ("camera_moved", "board_lost", "board_unsure", "two_boards", "scattered", "looking_through")
"""Situations in which the device follows nothing until somebody does something."""


def waited_for(show: Show) -> str:
    """What is said after a pause: what the device needs first, else whose turn it is."""
    waits = words.say(show.language, f"situation-{show.situation}") if show.situation in WAITS else ""
    return waits or spoken(turn_said(show), show.language)


def turn_said(show: Show) -> str:
    """Whose turn it is; empty where nobody's."""
    turn = show.view.get("turn")
    return "" if turn is None else words.say(show.language, "voice-turn", seat=_seat(turn, show))


# -- what is asked -------------------------------------------------------------------------------------------------


def _answers(prompt: Prompt, show: Show) -> tuple[str, ...]:
    """The buttons' answers in the language of the show, made of their codes; as they are, where they have none."""
    codes = {label: code for label, code in zip(prompt.every, prompt.codes, strict=False) if code}
    leads_on = prompt.answers[-1:] if len(prompt.answers) < len(prompt.every) else ()
    codes |= {label: "others" for label in leads_on if label not in codes}
    return tuple(_answer_said(codes[label], show) if label in codes else label for label in prompt.answers)


def _answer_said(code: str | Mapping[str, Any], show: Show) -> str:
    """An answer by its code: to a question, or a game, or one of its rules."""
    language = show.language
    if isinstance(code, str):
        return words.choice_name(code, language, show.seats)
    if "option" in code:
        return words.value_name(code["option"], code["value"], language, code["game"])
    game = words.game_name(code["game"], language)
    players = code.get("players")
    return words.say(language, "table-game_of", game=game, players=players) if players else game


def asked(prompt: Prompt, show: Show) -> Line:
    """A question with what each button answers."""
    answers = zip("ABC", _answers(prompt, show), strict=False)
    buttons = " ".join(
        words.say(show.language, "voice-button", button=button, answer=spoken(answer.rstrip("…"), show.language))
        for button, answer in answers
    )
    return Line(f"{spoken(_question(prompt, show), show.language)} {buttons}", buttons, ASK)


def _question(prompt: Prompt, show: Show) -> str:
    """What is asked; without the answers that the buttons name."""
    asked = prompt.asked
    if asked is None:
        return prompt.text
    if asked["notice"] == "unreadable":
        seat = None if asked.get("seat") is None else _seat(asked["seat"], show)
        return words.say(show.language, "voice-which", seat=seat, trick=asked["trick"])
    names = {name: [_HERE] for name in ("choices", "candidates") if asked.get(name)}
    return _CHOICES.sub("?", _sentence({**asked, **names}, show))


def menu_closed(show: Show) -> Line:
    """The menu is gone: the buttons are the game's again."""
    return Line(words.say(show.language, "voice-menu_closed"), kind=MENU)


def welcome(language: str) -> list[Line]:
    """How to switch the voice on, for who cannot read it: in the table's language, and in those that others speak."""
    others = [language, *({"fr", "en"} - {language})]
    return [Line(words.say(other, "voice-welcome"), kind=ASK, language=other) for other in others]


def begun(show: Show, at_start: bool) -> Line:
    """Everything is said from now on: that the device is there or, where it was silent, what the buttons do; and what
    lies there."""
    said = words.say(show.language, "voice-ready" if at_start else "voice-begun")
    return Line(f"{said} {what_lies_there(show)}" if show.view.get("trick") else said, kind=SCORE)


def silenced(show: Show) -> Line:
    """Nothing is said from now on."""
    return Line(words.say(show.language, "voice-silenced"), kind=ASK)


def trouble_said(code: str, show: Show) -> Line:
    """Something is amiss."""
    return Line(words.say(show.language, f"trouble-{code}"), kind=SCORE)


def invited(invite: Invite, show: Show) -> Line:
    """How a phone gets at the page."""
    language, wifi = show.language, invite.wifi
    if wifi is not None:
        return Line(words.say(language, "voice-wifi", ssid=wifi.ssid, password=_spelled(wifi.password)), kind=SCORE)
    code = None if invite.code is None else _spelled(invite.code)
    return Line(words.say(language, "voice-invite", address=invite.address, code=code), kind=SCORE)


def _spelled(signs: str) -> str:
    """Sign by sign."""
    return ", ".join(signs)


def of_page(page: Page, before: Page | None, show: Show) -> Line:
    """The menu: the line that is chosen, and what was typed; its title and what the buttons do, where it is another
    page."""
    language = words.below(show.language)  # The menu has next to nothing of another.
    chosen = "" if page.chosen is None else page.lines[page.chosen]
    if before is not None and before.title == page.title and page.chosen is not None:
        other = [line for line, was in zip(page.lines, before.lines, strict=False) if line != was]
        not_twice = ". ".join(dict.fromkeys((*other, chosen)))
        return Line(spoken(not_twice, language), kind=MENU, language=language)
    told = [page.title, chosen] if page.chosen is not None else [page.title, *page.lines]
    buttons = [
        words.say(language, "voice-button", button=button, answer=does)
        for button, does in zip("ABC", page.buttons, strict=True)
        if does
    ]
    sentences = [line if line[-1] in ".?!:" else f"{line}." for line in told if line]
    return Line(spoken(" ".join((*sentences, *buttons)), language), kind=MENU, language=language)
