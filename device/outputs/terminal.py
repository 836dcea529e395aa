"""Draws the view as text for a terminal of 80 by 24: what the device's display and lamps show, and the last words said.

Colour is for telling faster, never for telling apart: without it every sign still differs.
"""

import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, Any

from device.following.follow import Seen
from device.following.show import Prompt, Show
from device.outputs.plain import PlainStream, shown
from device.outputs.table_view import MOST_ROWS, TableView
from device.words import SUIT_SIGNS, card_sign, move_name, suit_name, table
from engine.games import GAMES
from vision.frame import Frame

WIDTH, HEIGHT = 80, 24
SIDE_SIGNS = "●▲■◆★✚"
MESSAGES = 6
HOME, CLEAR_LINE, CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"
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

    def draw(self, show: Show, table: TableView | None = None) -> list[str]:
        """At most HEIGHT lines, none wider than WIDTH."""
        show = _plain(show)
        view = show.view
        game = view.get("game", "")
        lines = [self._rule(f" HISABU · {game} " if game else " HISABU ", "═")]
        if show.page is not None:
            lines += self._page(show)
        elif game:
            lines += self._board(view) if GAMES[game].grid else self._cards(view)
        lines.append(self._rule(self._state(show), "─"))
        foot = self._foot(show)
        room = HEIGHT - len(lines) - len(foot)
        lines += self._messages(show.sentences, room) if table is None else self._beside(table, show.sentences, room)
        return [*lines, *foot][:HEIGHT]

    def _state(self, show: Show) -> str:
        """What the device waits for, and what is amiss."""
        words = table(self.language)
        said = [words["situations"][show.situation]] if show.situation != "looking" else []
        said += [words["troubles"][code] for code in show.troubles]
        return self._cut(f" {' · '.join(said)} ", WIDTH - 4) if said else ""

    def _messages(self, sentences: Sequence[str], room: int) -> list[str]:
        said = [self._cut(f"  {one}") for one in sentences[-min(room, MESSAGES) :]]
        return said + [""] * (room - len(said))

    def _beside(self, table: TableView, sentences: Sequence[str], room: int) -> list[str]:
        """The table on the left, what was said on the right."""
        view = table.lines(min(max(0, room), MOST_ROWS), self.colour)
        if not view:
            return self._messages(sentences, room)
        width = WIDTH - round(2 * len(view) * table.aspect) - 4
        said = [line for one in sentences for line in textwrap.wrap(one, width, subsequent_indent="  ")][-len(view) :]
        said += [""] * (len(view) - len(said))
        return [f" {picture}  {text}" for picture, text in zip(view, said, strict=True)]

    def _foot(self, show: Show) -> list[str]:
        """The alert or the question, with what each button answers: in one line if it fits."""
        prompt = show.prompt
        answers = zip("ABC", prompt.answers, strict=False) if prompt else ()
        keys = "  ".join(f"{key}: {answer}" for key, answer in answers)
        said = f" ⚠  {show.alert}" if show.alert else f" ?  {prompt.text}" if prompt else ""
        if not said:
            return [""]
        if len(said) + len(keys) + 3 <= WIDTH:
            lines = [said.ljust(WIDTH - len(keys) - 1) + keys + " "]
        else:
            lines = [self._cut(said).ljust(WIDTH), self._cut(f"    {keys}").ljust(WIDTH)]
        return [self._paint(one, INVERSE, *([BOLD, RED] if show.alert else [])) for one in lines]

    def _page(self, show: Show) -> list[str]:
        page = show.page
        assert page is not None
        lines = ["", f"  {self._paint(page.title, BOLD)}", ""]
        first = max(0, min((page.chosen or 0) - 5, len(page.lines) - 11))
        for number, line in enumerate(page.lines[first : first + 11], first):
            lines.append(self._cut(f"  {'►' if number == page.chosen else ' '} {line}"))
        keys = "   ".join(f"{key}: {what}" for key, what in zip("ABC", page.buttons, strict=True) if what)
        return [*lines, "", f"  {keys}"]

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
        kept = "captured" if "captured" in view else "in_hand"
        hand = view.get(kept) or {}
        players = table(self.language)["players"]
        turn = view.get("turn")
        played = move_name(last.get("key"), self.language) if last else ""
        lines = ["", f"  {words['phase']}: {view['phase']}", ""]
        for player in ("north", "south"):
            mark = "►" if player == turn else " "
            lines.append(f"  {mark} {players[player]:<8}  {words[kept]} {hand.get(player, 0):>2}")
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
        return shown(self.seats[seat])[:10] if named else table(self.language)["player"].format(number=seat + 1)

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

    def _cut(self, text: str, width: int = WIDTH) -> str:
        return text if len(text) <= width else text[: width - 1] + "…"


class TerminalOutput:
    """The device in a terminal: the same show as every display, and a small view of the table."""

    name = "terminal"

    def __init__(self, stream: IO[str] | None = None, live: bool | None = None) -> None:
        """live: redraw in place; otherwise each new sentence is a line."""
        self._stream = stream or sys.stdout
        able = self._stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._live = able if live is None else live
        self._colour = not os.environ.get("NO_COLOR")
        self._said: tuple[str, ...] = ()
        self._table: TableView | None = None
        self._shown: Show | None = None

    def watch(self, frame: Frame, seen: Seen) -> None:
        """What the camera sees, for the view of the table."""
        if not self._live:
            return
        lying = seen.lying if seen.lying is not None else self._table.lying if self._table else ()
        self._table = TableView.of(frame.image, lying)
        if self._shown is not None:
            self.show(self._shown)

    def show(self, show: Show) -> None:
        """Draws it."""
        self._shown = show
        if self._live:
            lines = Screen(show.language, self._colour, show.seats).draw(show, self._table)
            text = HOME + "\n".join(line + CLEAR_LINE for line in lines) + CLEAR_REST
        else:
            new = _new_of(show.sentences, self._said)
            self._said = show.sentences
            text = "".join(f"{one}\n" for one in new)
        if text:
            self._write(text)

    def _write(self, text: str) -> None:
        if isinstance(self._stream, PlainStream) and self._live:
            self._stream.draw(text)
        else:
            print(text, end="", file=self._stream, flush=True)

    def lines(self, show: Show) -> list[str]:
        """All that is shown now, as text without colour."""
        return Screen(show.language, colour=False, seats=show.seats).draw(show)

    def close(self) -> None:
        """Leaves the cursor below what was drawn."""
        if self._live and self._shown is not None:
            self._shown = None
            print(file=self._stream, flush=True)


def _plain(show: Show) -> Show:
    """The same with nothing in it that a terminal obeys: names come from a journal that anybody may have written."""
    prompt, page = show.prompt, show.page
    return replace(
        show,
        sentences=tuple(map(shown, show.sentences)),
        alert=None if show.alert is None else shown(show.alert),
        prompt=None if prompt is None else Prompt(shown(prompt.text), tuple(map(shown, prompt.answers))),
        page=None if page is None else replace(page, title=shown(page.title), lines=tuple(map(shown, page.lines))),
    )


def _new_of(now: Sequence[str], before: Sequence[str]) -> Sequence[str]:
    """The sentences that were not there before, of two windows on one growing list."""
    for overlap in range(min(len(now), len(before)), 0, -1):
        if tuple(before[-overlap:]) == tuple(now[:overlap]):
            return now[overlap:]
    return now
