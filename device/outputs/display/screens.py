"""Every screen of the display, drawn from a Show alone. One layout for all sizes: boxes are parts of what is there.

What must be read from two metres (trump, turn, score) is drawn first and largest; what is left of the room goes to the
rest. Colour tells faster, never alone: shapes differ too, so a display of one colour says the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from unicodedata import normalize

from PIL import Image

from device import words
from device.following.show import Page, Prompt, Show
from device.outputs.display.paint import Box, Ink, Painter, side_ink, side_shape
from device.outputs.display.text import fit, height, length, size_for_cap, writes
from device.outputs.qr import modules, spaced
from engine.games import GAMES
from engine.referee.seed_game import PLAYERS

MARKERS = ("8", "9", "10", "2", "JOKER")
LEAST_MARKER = 5
"""Dots across that a marker needs to be told from the others."""
QUIET = "looking"
LETTER = 0.4
"""Of the letter before a player's number, beside the number itself."""
"""The situation nobody need be told of while a match is shown."""
BETWEEN = ("deal_over", "waiting_for_deal")
WHOSE_CARD_PX = 32
"""From a player's shape and number below a card to those of the next."""
CARD_SHARE = 0.72
"""A card's width to its height."""


def draw(show: Show, size: tuple[int, int], colour: bool) -> Image.Image:
    """The picture of a show: mode RGB with colour, 1 without."""
    return compose(show, size, colour).image


def compose(show: Show, size: tuple[int, int], colour: bool) -> Painter:
    """The picture, and what was put where on it."""
    p, show = Painter(size, colour), _writable(show)
    if show.alert:
        _alert(p, show.alert, show.prompt)
    elif show.invite and not show.prompt:
        _invite(p, show)
    elif show.page:
        _page(p, show.page)
    elif show.prompt:
        _prompt(p, p.all, show.prompt)
    elif not show.view:
        _waiting(p, show)
    else:
        body = _strip(p, show)
        if show.view.get("winner") is not None:
            _won(p, body, show)
        elif show.view["phase"] == "over":
            _drawn(p, body, show)
        elif GAMES[show.view["game"]].grid:
            _board(p, body, show)
        elif show.view["phase"] in BETWEEN:
            _between(p, body, show)
        else:
            _play(p, body, show)
    return p


def _writable(show: Show) -> Show:
    """A player whose name the font cannot write is called as one without a name. Accents stand on their letters,
    however a phone typed them."""
    names = tuple(normalize("NFC", name) for name in show.seats)
    game = str(show.view.get("game", ""))
    numbers = {
        name: words.seat_name(seat, show.language, game=game) for seat, name in enumerate(names) if not writes(name)
    }

    def said(text: str) -> str:
        text = normalize("NFC", text)
        for name in sorted(numbers, key=len, reverse=True):  # One may be the beginning of another.
            text = text.replace(name, numbers[name])
        return text

    prompt = show.prompt
    return replace(
        show,
        seats=tuple("" if name in numbers else name for name in names),
        sentences=tuple(map(said, show.sentences)),
        alert=said(show.alert) if show.alert else None,
        prompt=replace(prompt, text=said(prompt.text), answers=tuple(map(said, prompt.answers))) if prompt else None,
    )


# -- pages that take the whole glass -----------------------------------------------------------------------------------


def _alert(p: Painter, alert: str, prompt: Prompt | None) -> None:
    """Dark on light where all else is light on dark, or white on red: seen from the corner of an eye.

    A question beside it stands below; where the alert itself is asked about, only the answers do.
    """
    box = p.all
    if prompt and prompt.text == alert:
        box = _buttons(p, box.inside(p.gap if p.roomy else 0), prompt.answers)
        box = Box(0, 0, p.size[0], box.y + box.h)
    elif prompt:
        least, most = round(box.h * 0.42), round(box.h * 0.6)
        box, below = box.top(min(most, max(least, _needed(p, alert, box.w - 2, most))))
        _prompt(p, below, prompt)
    p.fill(box, "alert")
    ink: Ink = "ink" if p.colour else "paper"
    if p.roomy and box.h > p.size[1] * 0.7:
        sign, rest = box.inside(2 * p.gap).top(round(box.h * 0.24), p.gap)
        at = p.sign(sign, "warning", ink=ink, share=1.1)
        p.text(Box(at.x, at.y + at.h // 3, at.w, at.h * 3 // 5), "!", ink="alert", align="centre")
    else:
        rest = box.inside(p.gap if p.roomy else 1, p.gap // 3)
    alert = alert[:1].upper() + alert[1:]
    p.text(rest, alert, role="alert", ink=ink, align="centre", lines=None, largest=size_for_cap(p.legible))


def _prompt(p: Painter, box: Box, prompt: Prompt) -> None:
    """A question, and under it what each button answers."""
    question = _buttons(p, box.inside(p.gap if p.roomy else 0), prompt.answers)
    p.text(question, prompt.text, role="question", align="centre", lines=None, largest=size_for_cap(p.legible))


def _buttons(p: Painter, box: Box, labels: tuple[str, ...]) -> Box:
    """Draws what the buttons do at the lower edge, side by side where the words are short; the box above them."""
    there = [(letter, label) for letter, label in zip("ABC", labels, strict=False) if label]
    if not there:
        return box
    high, key, gap = (27, 21, 4) if p.roomy else (9, 8, 1)
    wide = [key + length(label, p.tight, p.mode) + (8 if p.roomy else 2) for _, label in there]
    spare = box.w - sum(wide) - gap * (len(wide) - 1)
    rest, bar = box.bottom(high if spare >= 0 else len(there) * (high + gap) - gap, gap)
    if spare >= 0:
        cells, right = [], bar
        for width in wide:
            cell, right = right.left(width + spare // len(wide), gap)
            cells.append(cell)
    else:
        cells = bar.rows(len(there), gap)
    for (letter, label), cell in zip(there, cells, strict=True):
        _button(p, cell, letter, label, key)
    return rest


def _button(p: Painter, cell: Box, letter: str, label: str, key: int) -> None:
    if p.roomy:
        p.frame(cell, "dim", radius=4)
    button, said = cell.left(key, 4 if p.roomy else 1)
    p.fill(button, "ink", radius=4 if p.roomy else 0)
    p.text(button.inside(1), letter, ink="paper", align="centre", largest=20 if p.roomy else 9)
    said = said.inside(1, 2) if p.roomy else said
    p.text(said, label, role="button", largest=19 if p.roomy else 9, smallest=p.tight)


def _invite(p: Painter, show: Show) -> None:
    """The way to the page: a code for a camera, beside it or below it the address and what pairs a phone."""
    assert show.invite is not None
    wifi = show.invite.wifi
    code, wide = modules(show.invite.qr), p.size[0] > p.size[1]
    room = min(p.all.h, round(p.all.w * 0.56)) if wide else round(p.all.h * 0.62)
    dot = max(1, room // len(code))
    side = dot * len(code)
    square, rest = p.all.left(side, p.gap) if wide else p.all.top(side, p.gap)
    p.dots(Box(square.x + (square.w - side) // 2, square.y + (square.h - side) // 2, side, side), code)
    rest = rest.inside(p.gap // 2)
    if wifi is not None:
        said, rest = rest.top(rest.h // 3)
        p.text(said, words.say(show.language, "display-join"), role="line", lines=None, largest=size_for_cap(12))
        name, rest = rest.top(rest.h // 2)
        p.text(name, wifi.ssid, role="line", align="centre", lines=None, largest=size_for_cap(14))
        p.text(rest, wifi.password, role="code", align="centre", lines=None, largest=size_for_cap(14))
        return
    if show.invite.code is not None:
        said, rest = rest.top(rest.h // 3)
        p.text(said, words.say(show.language, "display-code"), role="line", lines=None, largest=size_for_cap(12))
        number, rest = rest.top(rest.h // 2)
        p.text(number, spaced(show.invite.code), role="code", align="centre", largest=size_for_cap(24))
    address = show.invite.address.removeprefix("http://").rstrip("/")
    p.text(rest, address, role="line", align="centre", lines=None, largest=size_for_cap(12))


def _page(p: Painter, page: Page) -> None:
    """A page of the menu: its title, as many lines around the chosen one as fit, the buttons."""
    title, rest = p.all.top(p.caption + (14 if p.roomy else 2), p.gap)
    p.fill(title, "line" if p.colour else "ink")
    p.text(
        title.inside(p.gap, 2 if p.roomy else 1), page.title, role="title", ink="ink" if p.colour else "paper",
        largest=22 if p.roomy else 9,
    )  # fmt: skip
    body = _buttons(p, rest.inside(p.gap if p.roomy else 0, p.gap // 2), page.buttons)
    if page.chosen is None:
        p.text(body, " ".join(page.lines), role="line", lines=None, largest=26 if p.roomy else 13)
        return
    _list(p, body, page.lines, page.chosen)


def _list(p: Painter, body: Box, lines: tuple[str, ...], chosen: int) -> None:
    """As many lines around the chosen one as fit, and how far down the list they are."""
    seen = max(1, body.h // (32 if p.roomy else 11))
    first = min(max(0, chosen - seen // 2), max(0, len(lines) - seen))
    more = len(lines) > seen
    for number, row in enumerate(body.rows(seen)[: len(lines) - first], first):
        line = row.left(row.w - (2 * p.gap if more else 0))[0]
        if number == chosen:
            p.fill(line, "ink", radius=4 if p.roomy else 1)
        p.text(
            line.inside(p.gap, 0), lines[number], role="line", ink="paper" if number == chosen else "ink",
            largest=21 if p.roomy else 9, smallest=p.tight,
        )  # fmt: skip
    if more:
        track = Box(body.x + body.w - p.gap, body.y, p.gap - 1, body.h)
        p.frame(track, "line")
        share = body.h / len(lines)
        p.fill(Box(track.x, body.y + round(first * share), track.w, max(3, round(seen * share))), "ink")


def _waiting(p: Painter, show: Show) -> None:
    """No match yet: what the device waits for, or what is wrong."""
    table = partial(words.say, show.language)
    said = [table(f"trouble-{trouble}") for trouble in show.troubles] or [table(f"situation-{show.situation}")]
    box = p.all.inside(p.gap)
    sign, rest = box.top(round(box.h * (0.3 if p.roomy else 0.25)), p.gap)
    for suit, cell in zip("CDHS", sign.columns(4, p.gap), strict=True):
        p.suit(cell, suit)
    p.text(rest, " ".join(said), role="situation", align="centre", lines=None, largest=size_for_cap(p.legible))


def _won(p: Painter, box: Box, show: Show) -> None:
    """The match is over: whose it is, and the final score."""
    winner = show.view["winner"]
    rest = _over(p, box, words.say(show.language, "display-won"))
    if "games" in show.view:
        upper, lower = rest.top(round(rest.h * 0.5), p.gap)
    else:
        upper, lower = rest, Box(0, 0, 0, 0)
    upper = upper.inside(2 * p.gap, p.gap)
    sign, name = upper.left(min(upper.h, round(upper.w * 0.36)), 3 * p.gap)
    p.sign(sign, side_shape(winner), role="winner", ink=side_ink(winner))
    p.text(
        name,
        _side_name(show, winner),
        role="name",
        lines=None,
        largest=size_for_cap(p.legible * 1.3),
        smallest=p.tight,
    )
    _final_score(p, lower.inside(p.gap, 0), show.view.get("games", ()))


def _drawn(p: Painter, box: Box, show: Show) -> None:
    """The match is over and nobody has won: what each side has."""
    rest = _over(p, box, words.say(show.language, "display-drawn"))
    _final_score(p, rest.inside(2 * p.gap, p.gap), tuple(show.view.get("captured", {}).values()))


def _over(p: Painter, box: Box, how: str) -> Box:
    """How the match ended, at the upper edge; the box below."""
    title, rest = box.top(32 if p.roomy else 12, p.gap)
    p.fill(title, "ink")
    p.text(
        title.inside(p.gap, 1), how.upper(), role="won", ink="paper", align="centre", largest=30 if p.roomy else 14,
    )  # fmt: skip
    return rest


def _final_score(p: Painter, box: Box, scores: Sequence[int]) -> None:
    """What each side has in the end."""
    columns = len(scores) if len(scores) <= 3 else (len(scores) + 1) // 2
    rows = box.rows(-(-len(scores) // columns), p.gap) if scores else []
    cells = [cell for row in rows for cell in row.columns(columns, p.gap)]
    for side, score in enumerate(scores):
        _score(p, cells[side], side, str(score))


def _between(p: Painter, box: Box, show: Show) -> None:
    """Between two deals: the score, and what the last one brought; the score gives way to long sentences."""
    said = show.sentences[-1] if show.sentences else ""
    if not said:
        situation = show.situation if show.situation != QUIET else "between_deals"
        said = words.say(show.language, f"situation-{situation}")
    box = box.inside(p.gap // 2)
    least, most = round(box.h * 0.3), round(box.h * 0.56)
    needed = _needed(p, said, box.w, most) + (2 * p.gap if p.roomy else 0)
    score, told = box.bottom(min(most, max(least, needed)), p.gap)
    _scores(p, score, show)
    if p.roomy:
        p.fill(Box(told.x, told.y, told.w, 2), "line")
        told = told.inside(0, p.gap)
    p.text(told, said, role="said", lines=None, largest=24 if p.roomy else 13, align="centre")


# -- play --------------------------------------------------------------------------------------------------------------


def _play(p: Painter, box: Box, show: Show) -> None:
    """Trump on the left, large; whose turn, the score and the trick beside it."""
    trump, rest = box.left(round(box.w * (0.34 if p.roomy else 0.31)), 2 * p.gap)
    if p.roomy:
        p.fill(Box(rest.x - p.gap - 1, box.y + p.gap, 2, box.h - 2 * p.gap), "line")
        trump, rest = trump.inside(p.gap, p.gap), rest.left(rest.w - p.gap)[0].inside(0, p.gap)
    _trump(p, trump, show)
    trick = Box(0, 0, 0, 0)
    if p.roomy:
        rest, trick = rest.bottom(round(box.h * 0.29), p.gap)
    turn, score = rest.top(p.legible + 24 if p.roomy else min(p.legible + 2, round(rest.h * 0.38)), p.gap)
    if not _wanted(p, turn, show):
        _turn(p, turn, show)
    _scores(p, score, show)
    if p.roomy:
        _trick(p, trick, show)


def _trump(p: Painter, box: Box, show: Show) -> None:
    """The trump and its name; where there is room, who took the last trick and how many cards are left."""
    trump = show.view.get("trump")
    table = partial(words.say, show.language)
    if trump is None:
        p.text(box, table("situation-waiting_for_deal"), role="situation", lines=None, largest=22)
        return
    sign, rest = box.top(min(box.w, box.h - (30 if p.roomy else 14)), p.gap)
    p.suit(sign, trump, role="trump")
    name = words.suit_name(trump, show.language)
    if not p.roomy:
        p.text(rest, name, role="trump_name", align="centre", largest=13)
        return
    label, rest = rest.top(30)
    p.text(label, name, role="trump_name", align="centre", largest=26, smallest=p.tight)
    last = show.view.get("last_winner")
    if show.view.get("turn") is not None and last is not None:
        rest, took = rest.bottom(26, 2)
        rest, caption = rest.bottom(20, 0)
        p.text(caption, table("display-last_trick"), ink="dim", largest=p.caption, smallest=p.tight)
        _seat(p, took, show, last, 24)
    if "stock" in show.view and rest.h >= 20:
        text = f"{table('screen-stock')} {show.view['stock']}"
        p.text(rest.top(20)[0], text, ink="dim", align="centre", largest=p.caption, smallest=p.tight)


def _wanted(p: Painter, box: Box, show: Show) -> bool:
    """What the device asks a person to play for it; in a lesson the cards that the learner may play, if not all of
    them. Whether there is either."""
    wanted, learner = show.view.get("wanted"), show.extra.get("learner", {})
    may = [card for card, duty in learner.get("hand", ()) if learner["lit"] and duty is None]
    if wanted:
        said = words.say(show.language, "display-my_turn", turn=words.move_name(wanted, show.language))
    elif may and len(may) < len(learner["hand"]):
        signs = " ".join(words.card_sign(card, show.language) for card in may)
        said = words.say(show.language, "display-may_play", cards=signs)
    else:
        return False
    p.text(box, said, role="wanted", lines=None, largest=26 if p.roomy else 13)
    return True


def _turn(p: Painter, box: Box, show: Show) -> None:
    """Whose turn it is; nobody's: who took the trick."""
    view, table = show.view, partial(words.say, show.language)
    turn, took = view.get("turn"), view.get("last_winner")
    seat = turn if turn is not None else took
    sign, word = ("turn", "to_play") if turn is not None else ("took", "took")
    if seat is None:
        p.text(box, "–", role="turn", largest=size_for_cap(p.legible))
        return
    if p.roomy:
        caption, box = box.top(20, 2)
        p.text(caption, table(f"display-{word}"), ink="dim", largest=p.caption, smallest=p.tight)
    arrow, box = box.left(p.legible // 2, p.gap)
    p.sign(arrow, sign, share=0.7 if sign == "turn" else 1.0)
    named = any(words.name_at(show.seats, seat) for seat in (turn, took) if seat is not None)
    if p.roomy or turn is None or took is None or named:
        _seat(p, box, show, seat, size_for_cap(p.legible * 1.2), role="turn")
        return
    # No room for words here: a tick and who took the last trick stand at the right end.
    box, last = box.left(box.w - (31 if words.name_at(show.seats, took) else 24), 0)
    _seat(p, box, show, seat, size_for_cap(p.legible * 1.2), role="turn")
    check, who = last.left(9, 2)
    p.sign(check.centre(9, 9), "took")
    if words.name_at(show.seats, took):
        _seat(p, who.centre(who.w, 12), show, took, 13)
    else:  # Of shape and number only one has room; the number says more.
        p.text(who.centre(who.w, 12), _short_name(show, took), largest=13, smallest=p.tight)


def _short_name(show: Show, seat: int) -> str:
    """A player's name, or "P2": beside a side's shape a number alone would be the games it has won."""
    short = words.say(show.language, "table-player_short", number=seat + 1)
    return words.name_at(show.seats, seat) or short


def _seat(p: Painter, box: Box, show: Show, seat: int, largest: int, role: str = "") -> None:
    """A player: the shape of the side, and the name or the number."""
    side = show.view["sides"][seat]
    shape, rest = box.left(min(box.h, round(0.75 * largest)), p.gap)
    p.sign(shape, side_shape(side), ink=side_ink(side))
    if named := words.name_at(show.seats, seat):
        p.text(rest, named, role="name", largest=largest, smallest=p.tight, lines=2)
        return
    name = _short_name(show, seat)
    if not role:
        p.text(rest, name, largest=largest, smallest=p.tight)
        return
    # The letter small, so that the number is as large as a score: it is what is read from afar.
    small = max(p.tight, round(LETTER * largest))
    letter, number = rest.left(round(length(name[:1], small, p.mode)) + 1, 1)
    p.text(letter.bottom(min(letter.h, 2 * small))[1], name[:1], ink="dim", largest=small, smallest=p.tight)
    p.text(number, str(seat + 1), role=role, largest=largest, smallest=p.tight)


def _scores(p: Painter, box: Box, show: Show) -> None:
    """A row for each of two sides; more of them stand in columns too."""
    view = show.view
    sides = len(view["games"])
    columns = 1 if sides <= 2 else 2 if sides <= 4 else 3
    rows = -(-sides // columns)
    cells = [cell for row in box.rows(rows, p.gap if p.roomy else 1) for cell in row.columns(columns, p.gap)]
    for side, cell in enumerate(cells[:sides]):
        tally, unit = _tally(view, side, show.language)
        games = str(view["games"][side])
        if columns == 1:
            markers = view["markers"][side] if "markers" in view else None
            _side_row(p, cell, side, games, tally, unit, markers)
        else:
            _score(p, cell, side, games, tally if p.roomy else "")


def _tally(view: Mapping[str, Any], side: int, language: str) -> tuple[str, str]:
    """What counts within a deal: points where the table shows them, else tricks."""
    for name in ("points", "tricks"):
        if name in view:
            value = view[name][side]
            text = f"{value[0]}…{value[1]}" if isinstance(value, list | tuple) else str(value)
            return text, words.say(language, f"display-{name}")
    return "", ""


def _side_row(p: Painter, box: Box, side: int, games: str, tally: str, unit: str, markers: Any) -> None:
    """A side over the whole width: shape, games large, then points above its markers."""
    shape, rest = box.left(min(box.h, round(p.legible * 0.95)), p.gap)
    p.sign(shape, side_shape(side), ink=side_ink(side))
    size = size_for_cap(min(p.legible * 1.2, box.h))
    number, rest = rest.left(length("0" * len(games), size, p.mode) + 1, 2 * p.gap)
    p.text(number, games, role="score", largest=size)
    below = Box(0, 0, 0, 0)
    if markers is not None and box.h >= p.legible - 1:
        rest, below = rest.bottom(min(30, round(rest.h * 0.46)) if p.roomy else 9, p.gap // 3)
    if length(f"{tally} {unit}", p.tight, p.mode) <= rest.w:
        tally = f"{tally} {unit}"
    p.text(rest, tally, role="tally", largest=26 if p.roomy else 9 if below.h else 13, smallest=p.tight)
    cells = below.columns(len(MARKERS), 2 if p.roomy else 1)
    if cells[0].w >= LEAST_MARKER:  # A score of three signs leaves them no room on small glass.
        for face, cell in zip(MARKERS, cells, strict=True):
            _marker(p, cell, face, face in markers)


def _marker(p: Painter, box: Box, face: str, brought: bool) -> None:
    """A marker as a little card: face up once it was brought, an outline before."""
    if p.roomy:
        card, radius = box.centre(min(box.w, round(box.h * 1.5)), box.h), 3
    else:
        card, radius = box.centre(min(box.w, 9), min(box.h, 8)), 0
    if brought:
        p.fill(card, "card", radius)
    else:
        p.frame(card, "line", radius)
    ink: Ink = "paper" if brought else "dim"
    if card.w < 24:
        p.tiny(card, face, ink, 2 if p.roomy else 1)
    elif face == "JOKER":
        p.sign(card.inside(3), "star", ink=ink)
    else:
        p.text(card.inside(2), face, ink=ink, align="centre", largest=20)


def _score(p: Painter, box: Box, side: int, games: str, tally: str = "", role: str = "score") -> None:
    """One of many sides: shape and games, and the tricks of this deal small beside them."""
    shape, rest = box.left(min(box.h, round(box.w * 0.34), p.legible), p.gap)
    p.sign(shape, side_shape(side), ink=side_ink(side))
    if tally and rest.w >= 2 * p.legible:
        rest, small = rest.left(round(rest.w * 0.55), p.gap)
        p.text(small, tally, ink="dim", role="tally", largest=p.caption + 2)
    p.text(rest, games, role=role, largest=size_for_cap(p.legible))


def _trick(p: Painter, box: Box, show: Show) -> None:
    """The cards on the table in the order they came, and who played each."""
    view = show.view
    players, trick = view["players"], view.get("trick", ())
    height = min(box.h - 16, round(box.w / players / CARD_SHARE))
    for number, cell in enumerate(box.columns(players, p.gap // 2)):
        width = min(cell.w, round(height * CARD_SHARE))
        card = Box(cell.x + (cell.w - width) // 2, box.y, width, height)
        if number >= len(trick) + len(show.untold):
            p.frame(card, "line", radius=4)
            continue
        if number >= len(trick):
            untold = show.untold[number - len(trick)]
            _card(p, card, untold.card, show.language, pale=True)
            seat: int | None = untold.seat
        else:
            _card(p, card, trick[number]["card"], show.language)
            seat = trick[number]["seat"]
            if trick[number].get("sure") is False:
                # Read, but not beyond doubt: nothing is held against anybody for it yet.
                p.frame(card, "trouble", radius=4, width=3)
        if seat is not None:
            _whose_card(p, Box(cell.x, box.y + height + 3, cell.w, box.h - height - 3), show, seat)


def _whose_card(p: Painter, box: Box, show: Show, seat: int) -> None:
    """Who played a card: the shape of the side and the number; without room for both the number in its colour."""
    side, number = show.view["sides"][seat], words.say(show.language, "table-player_short", number=seat + 1)
    shape, name = box.centre(WHOSE_CARD_PX, box.h).left(12, 3)
    if box.w + p.gap // 2 < WHOSE_CARD_PX:
        p.text(box, number, ink=side_ink(side), align="centre", largest=14, smallest=9)
        return
    p.sign(shape, side_shape(side), ink=side_ink(side))
    p.text(name, number, ink="dim", largest=14, smallest=9)


def _card(p: Painter, box: Box, card: str | None, language: str, pale: bool = False) -> None:
    """A card's face. Pale, one that is not in the log yet: its edge and its name, no paper."""
    ink = "dim" if pale else "paper"
    if pale:
        p.frame(box, ink, radius=4)
    else:
        p.fill(box, "card", radius=4)
    inner = box.inside(3)
    if card is None:
        p.text(inner, "?", ink=ink, align="centre", largest=box.h)
    elif card == "JOKER":
        p.sign(inner, "star", ink=ink)
    else:
        rank, suit = inner.top(round(inner.h * 0.48), 1)
        red = card[-1] in "DH"
        ink = "card_red" if red and not pale else ink
        p.text(rank, words.rank_sign(card[:-1], language), ink=ink, align="centre", largest=rank.h * 2, smallest=9)
        if pale:
            p.sign(suit, card[-1], ink=ink, outlined=red and not p.colour)
        else:
            p.suit(suit, card[-1], on_card=True)


# -- boards ------------------------------------------------------------------------------------------------------------


def _board(p: Painter, box: Box, show: Show) -> None:
    """Whose turn, the phase and the seeds in hand, the last turn; the counts where the table asked for them."""
    view = show.view
    box = box.inside(p.gap if p.roomy else 1, p.gap if p.roomy else 0)
    if "pits" in view:
        box, pits = box.bottom(round(box.h * (0.5 if p.roomy else 0.52)), p.gap if p.roomy else 0)
        _pits(p, pits, view["pits"])
    crowded = "pits" in view and not p.roomy
    turn, rest = box.top(max(round(box.h * 0.36), p.legible + (0 if crowded else 2)), p.gap)
    _whose_turn(p, turn, show)
    kept = next((name for name in ("in_hand", "captured") if any((view.get(name) or {}).values())), None)
    if kept is not None:
        if crowded:
            _last_turn(p, rest.left(rest.w - 52, p.gap)[0], show, brief=True)
            _kept(p, rest.left(rest.w - 50)[1], show, kept, named=False)
            return
        told, rest = rest.top(round(rest.h * 0.5), p.gap)
        _kept(p, told, show, kept, named=True)
    _last_turn(p, rest, show)


def _whose_turn(p: Painter, box: Box, show: Show) -> None:
    """Whose turn it is on a board, and the phase."""
    phase = str(show.view["phase"])
    if phase in ("munia", "teza"):
        box, named = box.left(round(box.w * (0.68 if p.roomy else 0.73)), p.gap)
        p.text(named, phase, role="phase", ink="dim", align="right", largest=24 if p.roomy else 13)
    side = show.view.get("turn")
    if side is None:
        p.text(box, "–", role="turn", largest=size_for_cap(p.legible))
        return
    arrow, who = box.left(p.legible // 2, 2 * p.gap)
    p.sign(arrow, "turn", share=0.7)
    shape, name = who.left(min(who.h, p.legible), p.gap)
    p.sign(shape, side_shape(side), ink=side_ink(side))
    p.text(name, _side_name(show, side), role="turn", largest=size_for_cap(p.legible * 1.2), lines=2)


def _last_turn(p: Painter, box: Box, show: Show, brief: bool = False) -> None:
    """The turn that the device asks for; else the turn played last, and where there is room what it captured."""
    px = 22 if p.roomy else 9
    if _wanted(p, box, show):
        return
    last = show.view.get("last_turn")
    if not last:
        return
    said = words.move_name(last.get("key"), show.language)
    if last.get("captured") and not brief:
        said += ", " + words.say(show.language, "display-captured", number=last["captured"])
    sign, text = box.left(px, p.gap)
    side = PLAYERS.index(last["player"])
    p.sign(sign.centre(px, min(sign.h, px)), side_shape(side), ink=side_ink(side))
    p.text(text, said, role="last_turn", lines=None, largest=26 if p.roomy else 13)


def _kept(p: Painter, box: Box, show: Show, name: str, named: bool) -> None:
    """Seeds beside the board, for each side: not yet on it (in_hand), or taken (captured)."""
    if named:
        label, box = box.left(round(box.w * 0.34), p.gap)
        said = words.say(show.language, f"screen-{name}")
        p.text(label, said, ink="dim", largest=20 if p.roomy else 9, smallest=p.tight, lines=2)
    for side, cell in enumerate(box.columns(2, p.gap)):
        _score(p, cell, side, str(show.view[name].get(PLAYERS[side], 0)), role="hand")


def _pits(p: Painter, box: Box, pits: Any) -> None:
    """The counts as they lie on the board, North above."""
    for number, (row, cells) in enumerate(zip(pits, box.rows(len(pits), 1), strict=True)):
        for count, cell in zip(row, cells.columns(len(row), 1), strict=True):
            if p.roomy:
                p.frame(cell, "dim" if number in (len(pits) // 2 - 1, len(pits) // 2) else "line", radius=6)
            inner = cell.inside(1) if p.roomy else cell
            p.text(inner, str(count) if count else "·", role="count", align="centre", largest=22 if p.roomy else 9)


# -- what all of them have ---------------------------------------------------------------------------------------------


def _side_name(show: Show, side: int) -> str:
    """A side by name: a player's where one plays alone."""
    view = show.view
    seats = [seat for seat, of_seat in enumerate(view["sides"]) if of_seat == side]
    if len(seats) > 1 and any(words.name_at(show.seats, seat) for seat in seats):
        return " · ".join(_short_name(show, seat) for seat in seats)
    return words.side_name(side, view["sides"], show.language, show.seats, view["game"])


def _needed(p: Painter, text: str, width: int, most: int) -> int:
    """Height a text takes at the smallest size."""
    fitted = fit(text, width, most, p.smallest, p.smallest, p.mode)
    return height(list(fitted.lines), fitted.size_px, p.mode)


def _strip(p: Painter, show: Show) -> Box:
    """A line at the lower edge: what is amiss or waited for, else what was said last. Returns the box above."""
    amiss = bool(show.troubles)
    said = _amiss_or_waited_for(show)
    if said:
        return _in_strip(p, said, amiss)
    if not p.roomy or not show.sentences or show.view.get("phase") in BETWEEN:
        return p.all
    body, line = p.all.bottom(38)
    line, said = line.inside(p.gap, 0), show.sentences[-1]
    lines = 1 if length(said, p.smallest, p.mode) <= line.w else 2
    p.text(line, said, role="said", ink="dim", lines=lines, largest=18, smallest=p.tight)
    return body


def _amiss_or_waited_for(show: Show) -> str:
    """What is amiss, what is waited for, or what cannot be read on a board; "": nothing."""
    table = partial(words.say, show.language)
    if show.troubles:
        more = len(show.troubles) - 1
        return table(f"trouble-{show.troubles[0]}") + (f" (+{more})" if more else "")
    told = show.view.get("phase") in BETWEEN and show.sentences
    if show.situation != QUIET and not (show.situation in ("between_deals", "waiting_for_deal") and told):
        return table(f"situation-{show.situation}")
    match show.view.get("doubt"):
        case None | "":
            return ""
        case "sowing":
            return table("situation-sowing")
        case "setting_up":
            return table("display-setting_up")
    return table("display-unclear")


def _in_strip(p: Painter, said: str, amiss: bool) -> Box:
    one_line = length(said, p.smallest + 1, p.mode) <= p.all.inside(p.gap, 0).w
    body, line = p.all.bottom(38 if p.roomy else 11 if one_line else 20, 0 if p.roomy else 1)
    p.fill(line, ("trouble" if amiss else "line") if p.colour else "ink")
    ink: Ink = "paper" if amiss or not p.colour else "ink"
    line = line.inside(p.gap, 1 if p.roomy else 0)
    p.text(line, said, role="strip", ink=ink, lines=2, largest=19 if p.roomy else 9, smallest=p.tight, align="centre")
    return body
