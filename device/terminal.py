"""Draws the view as text for a terminal of 80 by 24: what the device's display and lamps show, and the last words said.

Colour is for telling faster, never for telling apart: without it every sign still differs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from device.words import SUIT_SIGNS, card_sign, move_name, suit_name, table

WIDTH, HEIGHT = 80, 24
SIDE_SIGNS = "●▲■◆★✚"
MESSAGES = 6
RESET, BOLD, INVERSE = "\x1b[0m", "\x1b[1m", "\x1b[7m"
RED, GREEN, YELLOW, BLUE = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m"
SUIT_COLOURS = {"C": GREEN, "D": YELLOW, "H": RED, "S": BLUE}


class Screen:
    """Draws views in one language, with colour or without."""

    def __init__(self, language: str, colour: bool, seats: Sequence[str] = ()) -> None:
        self.words = table(language)["screen"]
        self.language = language
        self.colour = colour
        self.seats = seats

    def draw(self, view: Mapping[str, Any], messages: Sequence[str], alert: str | None = None) -> list[str]:
        """At most HEIGHT lines, none wider than WIDTH."""
        body = self._board(view) if view["game"] == "mraha" else self._cards(view)
        lines = [self._rule(f" HISABU · {view['game']} ", "═"), *body, self._rule("", "─")]
        lines += [self._cut(f"  {message}") for message in messages[-MESSAGES:]]
        lines += [""] * (MESSAGES - len(messages[-MESSAGES:]))
        if alert:
            lines.append(self._paint(self._cut(f" ⚠  {alert}").ljust(WIDTH), INVERSE, BOLD, RED))
        elif question := view.get("question"):
            lines.append(self._paint(self._cut(f" ?  {question['choices']}").ljust(WIDTH), INVERSE))
        else:
            lines.append("")
        return lines[:HEIGHT]

    def _cards(self, view: Mapping[str, Any]) -> list[str]:
        words = self.words
        trump = view.get("trump")
        lamps = "  ".join(self._lamp(suit, suit == trump) for suit in SUIT_SIGNS)
        name = suit_name(trump, self.language).upper() if trump else "–"
        turn = view.get("turn")
        last = view.get("last_winner")
        lines = [
            "",
            f"  {words['trump']}: {self._suit(trump)} {name:<12} {words['lamps']}: {lamps}",
            f"  {words['trick']} {view.get('trick_number', '–')}"
            + (f"   {words['stock']} {view['stock']}" if "stock" in view else "")
            + (f"   {words['turn_up']} {self._card(view['turn_up'])}" if "turn_up" in view else ""),
            "",
        ]
        sides = view["sides"]
        seats = []
        for seat in range(view["players"]):
            card = next((one["card"] for one in view.get("trick", ()) if one["seat"] == seat), None)
            there = any(one["seat"] == seat for one in view.get("trick", ()))
            face = f"[{card_sign(card):>3}]" if there else "[   ]"
            mark = "►" if seat == turn else ("✓" if seat == last and turn is None else " ")
            seats.append((seat, f"{mark}{SIDE_SIGNS[sides[seat]]} {self._seat(seat):<10}{face}", card))
        columns = 2 if view["players"] <= 4 else 3
        for start in range(0, len(seats), columns):
            lines.append("  " + "   ".join(self._tint(text, card) for _, text, card in seats[start : start + columns]))
        lines.append("")
        for side in range(max(sides) + 1):
            lines.append("  " + self._side(view, side))
        winner = view.get("winner")
        if winner is not None:
            lines.append(
                f"  {self._paint(words['won'], BOLD)}: {SIDE_SIGNS[winner]} {words['side']} {'ABCDEF'[winner]}"
            )
        return lines

    def _side(self, view: Mapping[str, Any], side: int) -> str:
        words = self.words
        parts = [f"{SIDE_SIGNS[side]} {words['side']} {'ABCDEF'[side]}"]
        if "points" in view:
            parts.append(f"{words['points']} {self._number(view['points'][side]):>5}")
        if "tricks" in view:
            parts.append(f"{words['tricks']} {self._number(view['tricks'][side]):>3}")
        parts.append(f"{words['games']} {self._paint(str(view['games'][side]), BOLD)}/{view['target']}")
        if "markers" in view:
            brought = " ".join("★" if card == "JOKER" else card for card in view["markers"][side])
            parts.append(f"{words['markers']} {brought or '–'}")
        return "  ".join(parts)

    def _board(self, view: Mapping[str, Any]) -> list[str]:
        words = self.words
        last = view.get("last_turn") or {}
        hand = view.get("in_hand") or {}
        players = table(self.language)["players"]
        turn = view.get("turn")
        played = move_name(last["key"], self.language) if last else ""
        lines = ["", f"  {words['phase']}: {view['phase']}", ""]
        for player in ("north", "south"):
            mark = "►" if player == turn else " "
            lines.append(f"  {mark} {players[player]:<8}  {words['in_hand']} {hand.get(player, 0):>2}")
        lines += ["", f"  {words['last_turn']}: {players.get(last.get('player'), '–')} {played}"]
        winner = view.get("winner")
        if winner is not None:
            lines.append(f"  {self._paint(words['won'], BOLD)}: {players[('south', 'north')[winner]]}")
        if "pits" in view:
            lines.append("")
            lines += ["    " + " ".join(f"{count:>3}" for count in row) for row in view["pits"]]
        return lines

    def _seat(self, seat: int) -> str:
        named = seat < len(self.seats)
        return self.seats[seat][:10] if named else table(self.language)["player"].format(number=seat + 1)

    def _number(self, value: Any) -> str:
        return f"{value[0]}…{value[1]}" if isinstance(value, list | tuple) else str(value)

    def _lamp(self, suit: str, lit: bool) -> str:
        sign = SUIT_SIGNS[suit]
        return self._paint(f"({sign})", BOLD, INVERSE, SUIT_COLOURS[suit]) if lit else f" {sign} "

    def _suit(self, suit: str | None) -> str:
        return self._paint(SUIT_SIGNS[suit], BOLD, SUIT_COLOURS[suit]) if suit else "–"

    def _card(self, card: str) -> str:
        return self._tint(card_sign(card), card)

    def _tint(self, text: str, card: str | None) -> str:
        return self._paint(text, SUIT_COLOURS[card[-1]]) if card and card[-1] in SUIT_COLOURS else text

    def _paint(self, text: str, *styles: str) -> str:
        return f"{''.join(styles)}{text}{RESET}" if self.colour else text

    def _rule(self, title: str, line: str) -> str:
        return f"{line * 2}{title}".ljust(WIDTH, line)

    def _cut(self, text: str) -> str:
        return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
