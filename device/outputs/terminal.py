"""Draws the view as text for a terminal of 80 by 24: what the device's display and lamps show, and the last words said.

Colour is for telling faster, never for telling apart: without it every sign still differs.
"""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import IO, Any, NamedTuple

from device.following.follow import FrameSeen
from device.following.show import Invite, Prompt, Show, Untold
from device.outputs.plain import PlainStream, shown
from device.outputs.qr import qr_lines, spaced
from device.outputs.table_view import MOST_ROWS, TableView
from device.words import SUIT_SIGNS, card_sign, counted, game_name, move_name, say, seat_name, side_name, suit_name
from engine.games import GAMES
from engine.referee.seed_game import PLAYERS
from vision.frame import Frame

WIDTH, HEIGHT = 80, 24
"""At most; a smaller terminal is told less."""
NARROWEST, LOWEST = 20, 4
"""Below this a terminal is taken to have it wrong: some say 0 by 0."""
SIDE_SIGNS = "●▲■◆★✚"
MESSAGES = 6
LEAST_VIEW = 3
"""Lines of the view of the table below which nothing is to be seen in it."""
HOME, CLEAR_LINE, CLEAR_REST = "\x1b[H", "\x1b[K", "\x1b[J"
RESET, BOLD, FAINT, INVERSE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"
RED, GREEN, YELLOW, BLUE = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m"
SEAT_WIDTH, NAME_WIDTH = 21, 10
"""Of a player with his card, and the gap to the next; and of his name."""
LAMPS_FROM = 52
"""Characters of a screen that has room for the four lamps beside the trump."""
SUIT_COLOURS = {"C": GREEN, "D": YELLOW, "H": RED, "S": BLUE}
_STYLE = re.compile(r"\x1b\[[\d;]*m")
SCORE, GAME, TITLE, EMPTY = range(4)
"""What a line is for. Where there are too many the last of these go first; the score, the alert and the question stay.
"""


class ScreenLine(NamedTuple):
    """A line and what it is for."""

    text: str
    rank: int = GAME


class Screen:
    """Draws views in one language, with colour or without."""

    def __init__(
        self,
        language: str,
        colour: bool,
        seats: Sequence[str] = (),
        size: tuple[int, int] = (WIDTH, HEIGHT),
        keys: bool = False,
        beside_title: str = "",
    ) -> None:
        """size: width and height of the terminal, in characters. keys: it has a keyboard that presses the buttons.
        beside_title: what stands in the title's line as long as there is one."""
        self.language = language
        self.colour = colour
        self.seats = tuple(map(shown, seats))
        self.width, self.height = (
            max(low, min(most, given))
            for low, most, given in zip((NARROWEST, LOWEST), (WIDTH, HEIGHT), size, strict=True)
        )
        self.keys = keys
        self.beside_title = shown(beside_title)

    def draw(self, show: Show, table: TableView | None = None) -> list[str]:
        """At most as many lines as there is room for, none wider."""
        show = _plain(show)
        view = show.view
        game = view.get("game", "")
        foot = self._foot(show)
        room = self.height - len(foot)
        if show.invite is not None and show.prompt is None:
            lines = self._invite(show.invite)
        elif show.page is not None:
            lines = self._page(show, room)
        elif game:
            lines = [
                *(self._board(view) if GAMES[game].grid else self._cards(view, room, show.untold)),
                self._state(show),
            ]
        else:
            lines = [self._state(show)]
        lines = _fewer([ScreenLine(self._title(game), TITLE), *lines], room)
        room -= len(lines)
        said = self._messages(show.sentences, room) if table is None else self._beside(table, show.sentences, room)
        if lines and lines[0].rank == TITLE and self.height < HEIGHT and not any(said) and show.sentences:
            lines = lines[1:]  # What was said last is worth more than a title.
            said = self._messages(show.sentences, 1)
        drawn = [*(line.text for line in lines), *said, *foot]
        return [self._cut(line) for line in drawn][: self.height]

    def _say(self, name: str) -> str:
        return say(self.language, f"screen-{name}")

    def _title(self, game: str) -> str:
        title = self._rule(f" HISABU · {game_name(game, self.language)} " if game else " HISABU ", "═")
        beside = f" {self.beside_title} ══" if self.beside_title else ""
        if len(beside) > self.width:
            beside = f" {self.beside_title.rpartition(' ')[2]}"  # The address, which stands at its end.
        return title[: max(0, len(title) - len(beside))] + beside

    def _state(self, show: Show) -> ScreenLine:
        """What the device waits for, and what is amiss."""
        said = [say(self.language, f"situation-{show.situation}")] if show.situation != "looking" else []
        said += [say(self.language, f"trouble-{code}") for code in show.troubles]
        text = self._cut(f" {' · '.join(said)} ", self.width - 4) if said else ""
        return ScreenLine(self._rule(text, "─"), GAME if said else TITLE)

    def _messages(self, sentences: Sequence[str], room: int) -> list[str]:
        said = [self._cut(f"  {sentence}") for sentence in sentences[-min(room, MESSAGES) :]] if room > 0 else []
        return said + [""] * (room - len(said))

    def _beside(self, table: TableView, sentences: Sequence[str], room: int) -> list[str]:
        """The table on the left, what was said on the right."""
        view = table.lines(min(room, MOST_ROWS), self.colour, self.language) if room >= LEAST_VIEW else []
        width = self.width - round(2 * len(view) * table.aspect) - 4
        if not view or width < NARROWEST:
            return self._messages(sentences, room)
        said = [line for sentence in sentences for line in textwrap.wrap(sentence, width, subsequent_indent="  ")][
            -len(view) :
        ]
        said += [""] * (len(view) - len(said))
        lines = [f" {picture}  {text}" for picture, text in zip(view, said, strict=True)]
        return lines + [""] * (room - len(lines))

    def _foot(self, show: Show) -> list[str]:
        """The alert or the question, with what each button answers: in one line if it fits."""
        prompt = show.prompt
        answers = zip("ABC", prompt.answers, strict=False) if prompt else ()
        keys = "  ".join(f"{key}: {answer}" for key, answer in answers)
        said = f" ⚠  {show.alert}" if show.alert else f" ?  {prompt.text}" if prompt else ""
        if not said:
            return [self._keys()] if self.keys and show.page is None else [""]
        if len(said) + len(keys) + 3 <= self.width:
            lines = [said.ljust(self.width - len(keys) - 1) + keys + " "]
        else:
            lines = textwrap.wrap(said, self.width - 1, initial_indent=" ", subsequent_indent="    ")
            most = max(1, min(3, self.height // 4))
            lines = [*lines[: most - 1], self._cut(" ".join(lines[most - 1 :]))] if len(lines) > most else lines
            lines = [line.ljust(self.width) for line in (*lines, *([self._cut(f"    {keys}")] if keys else []))]
        return [self._paint(line, INVERSE, *([BOLD, RED] if show.alert else [])) for line in lines]

    def _keys(self) -> str:
        """What the keys do while nothing is asked."""
        return f"  B: {say(self.language, 'answer-undo')}   C: {say(self.language, 'menu-top')}"

    def _page(self, show: Show, room: int) -> list[ScreenLine]:
        page = show.page
        assert page is not None
        rows = max(1, min(11, room - 3))
        first = max(0, min((page.chosen or 0) - rows // 2, len(page.lines) - rows))
        chosen = [
            ScreenLine(self._cut(f"  {'►' if number == page.chosen else ' '} {line}"), SCORE)
            for number, line in enumerate(page.lines[first : first + rows], first)
        ]
        names = ("A ↓", "B ←", "C →") if self.keys and page.chosen is not None else "ABC"
        keys = "   ".join(f"{key}: {what}" for key, what in zip(names, page.buttons, strict=True) if what)
        title = ScreenLine(f"  {self._paint(page.title, BOLD)}")
        return [
            ScreenLine("", EMPTY),
            title,
            ScreenLine("", EMPTY),
            *chosen,
            ScreenLine("", EMPTY),
            ScreenLine(f"  {keys}", SCORE),
        ]

    def _invite(self, invite: Invite) -> list[ScreenLine]:
        """The way to the page: its code for a camera, its address, and what pairs a phone."""
        said = [invite.address]
        if invite.wifi:
            said = [say(self.language, "display-join"), invite.wifi.ssid, self._paint(invite.wifi.password, BOLD)]
        elif invite.code:
            said += ["", say(self.language, "display-code"), self._paint(spaced(invite.code), BOLD)]
        square = qr_lines(invite.qr)
        rows = max(len(square), len(said))
        square += [""] * (rows - len(square))
        said += [""] * (rows - len(said))
        width = max(map(len, square))
        return [ScreenLine(f"  {left:{width}}   {right}", SCORE) for left, right in zip(square, said, strict=True)]

    def _cards(self, view: Mapping[str, Any], room: int, untold: Sequence[Untold]) -> list[ScreenLine]:
        trump = view.get("trump")
        lamps = "  ".join(self._lamp(suit, suit == trump) for suit in SUIT_SIGNS)
        name = suit_name(trump, self.language).upper() if trump else ""
        wide = self.width >= LAMPS_FROM
        lines = [
            ScreenLine("", EMPTY),
            ScreenLine(
                f"  {self._say('trump')}{self._say('colon')} {self._suit(trump)} {name:<12}"
                + (f" {self._say('lamps')}{self._say('colon')} {lamps}" if wide else "")
            ),
            ScreenLine(
                f"  {self._say('trick')} {view.get('trick_number', '–')}"
                + (f"   {self._say('stock')} {view['stock']}" if "stock" in view else "")
                + (f"   {self._say('turn_up')} {self._card(view['turn_up'])}" if "turn_up" in view else "")
            ),
            ScreenLine("", EMPTY),
            *self._seats(view, untold),
            *self._wanted(view),
            ScreenLine("", EMPTY),
        ]
        sides = range(max(view["sides"]) + 1)
        if len(sides) + 2 <= room:
            lines += [ScreenLine("  " + self._side(view, side), SCORE) for side in sides]
        else:
            games = [f"{SIDE_SIGNS[side]} {view['games'][side]}" for side in sides]
            of = f"{counted(view['game'], self.language)} / {view['target']}"
            lines += [ScreenLine(text, SCORE) for text in textwrap.wrap("   ".join([*games, of]), self.width - 2)]
        winner = view.get("winner")
        if winner is not None:
            won = f"{SIDE_SIGNS[winner]} {side_name(winner, view['sides'], self.language, self.seats)}"
            lines.append(ScreenLine(f"  {self._paint(self._say('won'), BOLD)}{self._say('colon')} {won}", SCORE))
        return lines

    def _seats(self, view: Mapping[str, Any], untold: Sequence[Untold]) -> list[ScreenLine]:
        """Who sits where, whose turn it is, and the card each has on the table; faintly, in round brackets, what most
        likely lies there and is not in the log yet."""
        game, sides, turn, last = view["game"], view["sides"], view.get("turn"), view.get("last_winner")
        pale = {card.seat: card.card for card in untold}
        seats = []
        for seat in range(view["players"]):
            card = next((laid["card"] for laid in view.get("trick", ()) if laid["seat"] == seat), None)
            there = any(laid["seat"] == seat for laid in view.get("trick", ()))
            face = f"[{card_sign(card, self.language):>3}]" if there else "[   ]"
            mark = "►" if seat == turn else ("✓" if seat == last and turn is None else " ")
            name = f"{mark}{SIDE_SIGNS[sides[seat]]} {self._seat(seat, game):<{NAME_WIDTH}}"
            if not there and seat in pale:
                seats.append(name + self._paint(f"({card_sign(pale[seat], self.language):>3})", FAINT))
            else:
                seats.append(self._tint(f"{name}{face}", card))
        fit = (self.width + 1) // SEAT_WIDTH
        columns = max(1, min(2 if view["players"] <= 4 else 3, fit))
        return [ScreenLine("  " + "   ".join(seats[at : at + columns])) for at in range(0, len(seats), columns)]

    def _side(self, view: Mapping[str, Any], side: int) -> str:
        """The score of a side: where it is narrow, at least the games it has won."""
        name = f"{SIDE_SIGNS[side]} {side_name(side, view['sides'], self.language, self.seats)}"
        won_by = counted(view["game"], self.language)
        games = f"{won_by} {self._paint(str(view['games'][side]), BOLD)}/{view['target']}"
        more = []
        if "points" in view:
            points = self._say("this_deal" if won_by == self._say("points") else "points")
            more.append(f"{points} {self._number(view['points'][side]):>5}")
        if "tricks" in view:
            more.append(f"{self._say('tricks')} {self._number(view['tricks'][side]):>3}")
        marks = []
        if "markers" in view:
            brought = " ".join("★" if card == "JOKER" else card for card in view["markers"][side])
            marks.append(f"{self._say('markers')} {brought or '–'}")
        room = self.width - 2
        if _width("  ".join([name, games, *marks])) > room:
            marks = []
        while more and _width("  ".join([name, *more, games, *marks])) > room:
            more.pop()
        if _width("  ".join([name, games])) > room:
            name = SIDE_SIGNS[side]
        return "  ".join([name, *more, games, *marks])

    def _wanted(self, view: Mapping[str, Any]) -> list[ScreenLine]:
        """What the device asks a person to play for it."""
        if not (wanted := view.get("wanted")):
            return []
        asked = f"{self._say('my_turn')}{self._say('colon')} {move_name(wanted, self.language)}"
        return [ScreenLine(f"  {self._paint(asked, BOLD)}", SCORE)]

    def _board(self, view: Mapping[str, Any]) -> list[ScreenLine]:
        last = view.get("last_turn") or {}
        kept = "captured" if "captured" in view else "in_hand"
        hand = view.get(kept) or {}
        players = [self._seat(seat, view["game"]) for seat in range(len(PLAYERS))]
        turn = view.get("turn")
        played = move_name(last.get("key"), self.language) if last else ""
        phase = self._say(f"phase_{view['phase']}")
        lines = [
            ScreenLine("", EMPTY),
            ScreenLine(f"  {self._say('phase')}{self._say('colon')} {phase}"),
            ScreenLine("", EMPTY),
        ]
        for seat in (1, 0):
            mark, seeds = "►" if seat == turn else " ", hand.get(PLAYERS[seat], 0)
            lines.append(ScreenLine(f"  {mark} {players[seat]:<{NAME_WIDTH}}  {self._say(kept)} {seeds:>2}", SCORE))
        mover = players[PLAYERS.index(last["player"])] if last else "–"
        lines += [
            ScreenLine("", EMPTY),
            ScreenLine(f"  {self._say('last_turn')}{self._say('colon')} {mover} {played}"),
        ]
        lines += self._wanted(view)
        winner = view.get("winner")
        if winner is not None:
            won = f"  {self._paint(self._say('won'), BOLD)}{self._say('colon')} {players[winner]}"
            lines.append(ScreenLine(won, SCORE))
        if "pits" in view:
            lines.append(ScreenLine("", EMPTY))
            lines += [ScreenLine("    " + " ".join(f"{count:>3}" for count in row)) for row in view["pits"]]
        return lines

    def _seat(self, seat: int, game: str) -> str:
        name = seat_name(seat, self.language, self.seats, game)
        return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…"

    def _number(self, value: Any) -> str:
        return f"{value[0]}…{value[1]}" if isinstance(value, list | tuple) else str(value)

    def _lamp(self, suit: str, lit: bool) -> str:
        sign = SUIT_SIGNS[suit]
        return self._paint(f"({sign})", BOLD, INVERSE, SUIT_COLOURS[suit]) if lit else f" {sign} "

    def _suit(self, suit: str | None) -> str:
        return self._paint(SUIT_SIGNS[suit], BOLD, SUIT_COLOURS[suit]) if suit else "–"

    def _card(self, card: str) -> str:
        return self._tint(card_sign(card, self.language), card)

    def _tint(self, text: str, card: str | None) -> str:
        return self._paint(text, SUIT_COLOURS[card[-1]]) if card and card[-1] in SUIT_COLOURS else text

    def _paint(self, text: str, *styles: str) -> str:
        return f"{''.join(styles)}{text}{RESET}" if self.colour else text

    def _rule(self, title: str, line: str) -> str:
        return f"{line * 2}{title}".ljust(self.width, line)

    def _cut(self, text: str, width: int | None = None) -> str:
        """No wider than this, or than the screen; what colours it takes no room."""
        width = width or self.width
        if _width(text) <= width:
            return text
        kept, room = "", width - 1
        for part in re.split(f"({_STYLE.pattern})", text):
            if _STYLE.fullmatch(part):
                kept += part
            else:
                kept, room = kept + part[: max(0, room)], room - len(part)
        return kept + "…" + (RESET if self.colour else "")


def _width(text: str) -> int:
    """Characters that are seen."""
    return len(_STYLE.sub("", text))


def _fewer(lines: Sequence[ScreenLine], room: int) -> list[ScreenLine]:
    """As many lines as there is room for: the least important go first, of those the lowest."""
    kept = list(lines)
    while len(kept) > room and (rank := max(line.rank for line in kept)) > SCORE:
        kept.pop(max(number for number, line in enumerate(kept) if line.rank == rank))
    return kept[:room]


class TerminalOutput:
    """The device in a terminal: the same show as every display, and a small view of the table."""

    name = "terminal"

    def __init__(self, stream: IO[str] | None = None, live: bool | None = None, keys: bool = False) -> None:
        """live: redraw in place; otherwise each new sentence is a line. keys: it has a keyboard that is listened to."""
        self._stream = stream or sys.stdout
        able = self._stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._live = able if live is None else live
        self._colour = not os.environ.get("NO_COLOR")
        self._said: tuple[str, ...] = ()
        self._invited: Invite | None = None
        self._table: TableView | None = None
        self._keys = keys
        self._shown: Show | None = None
        self._asked: Prompt | None = None
        self._in_title = ""

    @property
    def on_screen(self) -> Show | None:
        """What it shows."""
        return self._shown

    def say_in_the_title(self, sentence: str) -> None:
        """Has it stand in the first line from now on; on a terminal that is not drawn in place it is one line more."""
        self._in_title = sentence
        if not self._live:
            self._write(f"{sentence}\n")

    def watch(self, frame: Frame, seen: FrameSeen) -> None:
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
            size = shutil.get_terminal_size((WIDTH, HEIGHT))
            screen = Screen(show.language, self._colour, show.seats, size, self._keys, self._in_title)
            lines = screen.draw(show, self._table)
            text = HOME + "\n".join(line + CLEAR_LINE for line in lines) + CLEAR_REST
        else:
            new = list(_new_of(show.sentences, self._said))
            self._said = show.sentences
            if show.invite is not None and show.invite != self._invited:
                said = say(show.language, "display-code")
                new.append(f"{show.invite.address}  {said} {show.invite.code}" if show.invite.code else "")
            self._invited = show.invite
            text = "".join(f"{sentence}\n" for sentence in new)
            if show.prompt is not None and show.prompt != self._asked:
                answers = "  ".join(f"{key}: {answer}" for key, answer in zip("ABC", show.prompt.answers, strict=False))
                known = show.prompt.text in show.sentences
                text += f"{'' if known else show.prompt.text}   {answers}\n"
            self._asked = show.prompt
        self._write(text)  # Nothing new too: what could not be written waits in the stream, and is not there yet.

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
