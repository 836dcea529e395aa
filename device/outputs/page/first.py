"""The first picture of the page: the table as it is now, drawn by the device into the page itself, so that it is there
before any of the page's modules is. They draw it anew, finer, once they are.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from device import words
from engine.games import GAMES

WIDE, WIDE_OF_MANY = 18.0, 14.0
"""Of a card, in parts of the felt in hundred."""
NEAR_MANY = 4
"""More players than this sit closer, and their cards are smaller."""
FARTHEST = 34.0
"""From the middle of the felt at which the middle of a card is drawn."""
PIT, GAP, EDGE = 100, 10, 34
"""Of a board, as board.js draws it."""
SUIT_PATHS = {
    "H": "M0 47C-9 33-47 10-47-18C-47-36-35-46-23-46C-12-46-3-39 0-28C3-39 12-46 23-46C35-46 47-36 47-18"
         "C47 10 9 33 0 47Z",
    "D": "M0-50C9-31 23-14 38 0C23 14 9 31 0 50C-9 31-23 14-38 0C-23-14-9-31 0-50Z",
    "S": "M0-49C13-30 46-9 46 14C46 29 35 36 24 36C15 36 8 32 4 24C6 36 11 43 20 49H-20C-11 43-6 36-4 24"
         "C-8 32-15 36-24 36C-35 36-46 29-46 14C-46-9-13-30 0-49Z",
    "C": "M0-49A22 22 0 0 1 15-11A23 23 0 1 1 6 23C8 35 12 43 21 49H-21C-12 43-8 35-6 23A23 23 0 1 1-15-11"
         "A22 22 0 0 1 0-49Z",
}  # fmt: skip
"""As cards.js draws them: looking for a font that has their signs takes a slow phone longer than all the rest."""


def first_picture(state: Mapping[str, Any], language: str) -> str:
    """What stands in the page's frame. state: as visitors are sent it; empty for whom may not look."""
    view = state.get("view") or {}
    if not view.get("game"):
        waiting = state.get("waiting") or words.say(language, "page-loading")
        return _frame(language, "", f'<p class="waits" role="status">{escape(waiting)}</p>')
    if state.get("alert"):
        about, seats = view.get("alert"), state.get("seats", ())
        text = (
            words.sentence(about, language, seats, view.get("sides") or (), view["game"]) if about else state["alert"]
        )
        alarm = f'<h2>{escape(words.say(language, "page-alarm-title"))}</h2><p class="rule">{escape(text)}</p>'
        return f'<dialog class="alarm" open><div class="inner">{alarm}</div></dialog>'
    seats = state.get("seats", ())
    board = GAMES[view["game"]].grid is not None
    kind, drawn = ("board", _board(view)) if board else ("cards", _felt(state, view, seats, language))
    whose = f'<p class="whose">{_whose(view, seats, language)}</p>'
    score = _score(view, seats, language) if view.get("sides") and not board else ""
    stage = f'<div class="follow {kind}">{whose}{score}<div class="stage">{drawn}</div></div>'
    return _frame(language, words.game_name(view["game"], language), stage)


def _frame(language: str, game: str, main: str) -> str:
    tabs = "".join(
        f'<a href="#/{tab}"><svg class="icon"></svg><span>{escape(words.say(language, f"page-tabs-{tab}"))}</span></a>'
        for tab in ("table", "log", "aim", "house", "matches")
    )
    title = f'<h1><svg width="1.6rem" height="1.6rem"></svg>{escape(words.say(language, "page-title"))}</h1>'
    top = f'{title}<span class="game">{escape(game)}</span>'
    return f'<header class="top">{top}</header><main>{main}</main><nav class="tabs">{tabs}</nav>'


def _whose(view: Mapping[str, Any], seats: Sequence[str], language: str) -> str:
    turn = view.get("turn")
    if "winner" in view:
        text = words.say(language, "page-table-over")
    elif turn is None:
        text = words.say(language, f"page-phases-{view['phase']}")
    else:
        name = words.seat_name(turn, language, seats, view["game"])
        text = words.say(language, "page-table-to_play", player=name)
    return f"<span>{escape(text[:1].upper() + text[1:])}</span>"


def _score(view: Mapping[str, Any], seats: Sequence[str], language: str) -> str:
    """The score by side, as tall as the page draws it: nothing moves when that does."""
    counted = [name for name in ("points", "tricks") if name in view]
    names = [words.say(language, f"page-table-{name}") for name in counted]
    heads = "".join(
        f'<th scope="col">{escape(name)}</th>' for name in ("", *names, words.counted(view["game"], language))
    )
    rows = []
    for side in range(max(view["sides"]) + 1):
        who = " · ".join(
            f'<span class="name">{escape(words.seat_name(seat, language, seats))}</span>'
            for seat, other in enumerate(view["sides"])
            if other == side
        )
        numbers = "".join(f"<td>{words.by_side([view[name][side]])}</td>" for name in counted)
        won = f'<td class="games"><b>{view["games"][side]}</b><span class="pips"><i></i></span></td>'
        sign = f'<span class="side side-{side}"></span>'
        rows.append(f'<tr><th scope="row">{sign}<span>{who}</span></th>{numbers}{won}</tr>')
    body = f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'<section class="panel score-at"><table class="score">{body}</table></section>'


# -- cards -------------------------------------------------------------------------------------------------------------


def _felt(state: Mapping[str, Any], view: Mapping[str, Any], seats: Sequence[str], language: str) -> str:
    players = view["players"]
    way = 1 if state.get("clockwise", True) else -1
    wide = WIDE if players <= NEAR_MANY else WIDE_OF_MANY
    drawn = []
    for laid in (*(view.get("trick") or ()), *state.get("untold", ())):
        x, y, turned = _place(laid, state.get("lying", ()), players, way, wide)
        drawn.append(_card(laid["card"], language, x, y, turned, wide))
    for seat in range(players):
        x, y = _side(seat, players, way)
        name = escape(words.seat_name(seat, language, seats))
        mine = ' class="turn"' if seat == view.get("turn") else ""
        anchor = "middle" if abs(x) < 0.6 else ("start", "end")[x > 0]
        at = f'x="{x * 46:.1f}" y="{(-22 if abs(x) > 0.9 else y * 41) + 1.5:.1f}"'
        drawn.append(f'<text {at} text-anchor="{anchor}"{mine}>{name}</text>')
    return f'<div class="felt n{players}"><svg class="first" viewBox="-50 -50 100 100">{"".join(drawn)}</svg></div>'


def _side(seat: int, players: int, way: int) -> tuple[float, float]:
    """Where a seat is, from the middle; the first is nearest."""
    turn = 2 * math.pi * way * seat / players
    return -math.sin(turn), math.cos(turn)


def _place(
    card: Mapping[str, Any], lying: Sequence[Mapping[str, Any]], players: int, way: int, wide: float
) -> tuple[float, float, float]:
    """Where a card is drawn, and how it is turned: as it lies, or before its player."""
    for thing in lying:
        if thing["card"] == card["card"] and thing["seat"] == card["seat"]:
            long = 1.4 * wide
            long = min(long, FARTHEST / max(0.01, math.hypot(thing["x"], thing["y"])))
            return thing["x"] * long, thing["y"] * long, thing["turned_deg"] or 0.0
    x, y = _side(card["seat"] or 0, players, way)
    return x * 21, y * (21 if players <= NEAR_MANY else 26), 0.0


def _card(card: str | None, language: str, x: float, y: float, turned: float, wide: float) -> str:
    rank, suit = (
        ("★", "")
        if card == "JOKER"
        else ("?", "")
        if card is None
        else (words.rank_sign(card[:-1], language), card[-1])
    )
    name = f'<text class="large" y="{-10 if suit else 60}">{rank}</text>'
    sign = f'<path d="{SUIT_PATHS[suit]}" transform="translate(0 80) scale(1.3)"/>' if suit else ""
    colour = "red" if suit and suit in "HD" else "black"
    at = f"translate({x:.1f} {y:.1f}) rotate({turned:.0f}) scale({wide / 250:.4f})"
    paper = '<rect class="paper" x="-123" y="-173" width="246" height="346" rx="20"/>'
    return f'<g class="card" transform="{at}">{paper}<g class="{colour}" text-anchor="middle">{name}{sign}</g></g>'


# -- a board -----------------------------------------------------------------------------------------------------------


def _board(view: Mapping[str, Any]) -> str:
    pits = view.get("pits")
    size = (2, 6) if view.get("captured") else (4, 8)
    rows, columns = (len(pits), len(pits[0])) if pits else size
    wide, high = 2 * EDGE + columns * (PIT + GAP) - GAP, 2 * EDGE + rows * (PIT + GAP) - GAP
    drawn = [f'<rect x="2" y="2" width="{wide - 4}" height="{high - 4}" rx="30" fill="#8a5629"/>']
    for row in range(rows):
        for column in range(columns):
            x, y = (EDGE + place * (PIT + GAP) + PIT // 2 for place in (column, row))
            drawn.append(f'<circle cx="{x}" cy="{y}" r="48" fill="#4a2b17"/>')
            count = pits[row][column] if pits else 0
            if count != 0:
                drawn.append(f'<text x="{x}" y="{y + 12}">{"?" if count is None else count}</text>')
    return f'<div class="bao"><svg viewBox="0 0 {wide} {high}">{"".join(drawn)}</svg></div>'
