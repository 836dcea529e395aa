"""Cards that most likely lie there and are not in the log yet: shown paler, and nothing else follows from them."""

from dataclasses import replace
from io import StringIO
from random import Random

import numpy as np

from device.following.follow import Add, FrameSeen, MatchNow
from device.following.press import Press
from device.following.show import Untold
from device.keeping.settings import Settings
from device.outputs.broker.output import told
from device.outputs.display.screens import draw
from device.outputs.page.state import state_of
from device.outputs.terminal import TerminalOutput
from engine.events import Play, Undo, event_to_dict
from engine.match import Match
from engine.simulate import honest_deal
from engine.table.hypothesis import TrickCard
from tests.device.following.test_live import Table as LiveTable
from tests.device.following.test_live import Told
from tests.engine.table import deal, play
from tests.engine.test_cards_table import dealt, judge_of
from vision.frame import Frame

QUEEN = Untold(2, "QH")


class Unsure(Told):
    """A follower that sees more than it tells."""

    def see(self, frame: Frame, match: MatchNow, add: Add) -> FrameSeen:
        super().see(frame, match, add)
        return FrameSeen(looked=True, untold=(QUEEN, Untold(1, "7D")))


class Table(LiveTable):
    """A live table over it."""

    def _follower(self, match: Match, settings: Settings) -> Told:
        self.followers.append(Unsure(match, settings))
        return self.followers[-1]


def test_a_card_is_known_at_the_first_look_and_told_at_the_second() -> None:
    table = dealt()
    table.put("KS", (0.0, 0.2), 0, looks=1)
    assert [(untold.seat, untold.card) for untold in table.table.untold] == [(0, "KS")]
    assert table.trick == []
    table.rest(looks=1, fresh=False)
    assert table.trick == [(0, "KS")] and table.table.untold == ()


def test_what_comes_after_the_trick_is_not_shown_with_it() -> None:
    table = dealt()
    for card, at, angle in (("KS", (0, 0.2), 0), ("3S", (-0.3, 0), 90), ("4S", (0, -0.2), 180), ("5S", (0.3, 0), 270)):
        table.put(card, at, angle)
    table.cards = {"7H": table.cards["7H"], "6S": (0.0, 0.2)}
    table.rest(table.hand(0), packets=((0.0, 0.9),), looks=1)
    assert all(isinstance(untold, TrickCard) and untold.card != "6S" for untold in table.table.untold)


def test_only_what_goes_on_with_the_trick_is_shown() -> None:
    """Not a card of a seat that has one there: it was told since."""
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1))
    assert show.untold == (QUEEN,)
    show = table.see(play("KH", 2), play("AS", 3), play("KS", 0))
    assert show.untold == ()


def test_nothing_but_the_card_follows_from_it() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1))
    without = replace(show, untold=())
    assert (show.cue, show.alert, show.prompt) == (None, None, None)
    assert show.view == without.view and len(table.log) == 2
    assert told(show) == told(without) and "untold" not in state_of(show)


def test_b_takes_back_what_is_shown_last_and_it_can_be_brought_back() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("7D", 1))
    table.live.press(Press("B"))
    assert table.log[2:] == [Play("QH", 2, order_sure=False), Undo()]
    assert table.live.show.untold == ()
    assert [laid["card"] for laid in table.live.show.view["trick"]] == ["7D"]
    assert table.followers[-1].undone_after == [4]
    table.live.redo("page")
    assert [laid["card"] for laid in table.live.show.view["trick"]] == ["7D", "QH"]


def test_what_was_taken_back_unsettled_is_not_told_again_before_it_moves() -> None:
    table = dealt()
    table.put("KS", (0.0, 0.2), 0, looks=1)
    for event in (Play("KS", 0, order_sure=False), Undo()):
        table.match.add(event)
    table.table.undone(table.match)
    for fresh in (False, True):
        table.rest(fresh=fresh)
    assert table.trick == [] and table.table.untold == ()
    table.lift("KS", 0)
    table.put("KS", (0.0, 0.25), 0)
    assert table.trick == [(0, "KS")]


def test_what_would_accuse_is_taken_back_without_a_word() -> None:
    """The last card of a deal, after which one is missing."""
    table = Table()
    *before, last, _ = map(event_to_dict, honest_deal(judge_of(table.live.match).game, Random(407), 0).events)
    assert (last["seat"], last["card"]) == (QUEEN.seat, QUEEN.card)
    first, second, *_ = (event for event in before if event["event"] == "play")
    first["card"] = second["card"]
    table.see(*before)
    assert table.live.show.untold == (QUEEN,), "the card that lies there already, of all"
    table.live.press(Press("B"))
    assert len(table.log) == len(before) and table.followers[-1].undone_after == [len(before)]
    assert table.live.show.untold == ()


def test_back_to_an_event_goes_on_behind_what_would_accuse() -> None:
    table = Table()
    table.see(deal(0, "7H"), play("QH", 1))
    table.live.undo(2, "page")
    assert table.live.show.view["trick"] == [] and table.live.show.untold == ()


def test_a_terminal_shows_it_in_round_brackets() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1))
    screen = StringIO()
    terminal = TerminalOutput(screen, live=True)
    terminal.show(show)
    assert "( Q♥)" in screen.getvalue() and "[ 7♦]" in screen.getvalue()


def test_a_display_shows_it_paler() -> None:
    table = Table()
    show = table.see(deal(0, "7H"), play("7D", 1))
    with_it, without = (
        np.asarray(draw(shown, (320, 240), True).convert("L")) for shown in (show, replace(show, untold=()))
    )
    more = with_it[with_it != without]
    assert len(more) and more.max() < 200, "no card's paper"
