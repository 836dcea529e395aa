"""New detections: what came since the look before that a hypothesis knows nothing of."""

import math
from typing import NamedTuple

from engine.cards import Card
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Point
from engine.table.acts import ODD, SEVERAL
from engine.table.hypothesis import PLAYING, UNREAD, Hypothesis, Thing
from engine.table.observation import LIKE_AN_INDEX, ObservationModel, StillPeriod, may_be_one
from engine.table.places import EDGE, near
from engine.table.turn_order import may_be_drawn, pillage_may_be


class Detection(NamedTuple):
    """Something that came."""

    card: Card | None
    at: Point
    outlined: bool
    maybe: tuple[Card, ...] = ()
    unexplained: float = 0.0
    """What it costs a hypothesis that does not explain it."""
    unread: bool = False
    """Nobody read it, whatever it is taken for."""
    likely: tuple[float, ...] = ()
    """How likely each of those it may be is, where the eye told."""
    log_card_like: float = 0.0
    """How likely a card looks so little like one."""

    def thing(self, uid: int, kind: str) -> Thing:
        """What lies there by it."""
        read_as = UNREAD if self.unread else None  # How little it looks like one counts once, where it is laid.
        return Thing(uid, self.card, self.at, self.outlined, kind, self.maybe, read_as=read_as, likely=self.likely)


class NewDetections:
    """At one table."""

    def __init__(self, game: TrickGame, observation: ObservationModel) -> None:
        self.game, self.observation = game, observation
        self._inside = observation.reach.inside

    def detections(self, h: Hypothesis, period: StillPeriod) -> tuple[Detection, ...]:
        """All of it; nothing, if it is so much that somebody threw cards down. Markers lay there before."""
        faces, unread = self._faces(h, period), self.unread(h, period)
        markers = sum(face.card not in self.game.whole_pack and period.lay_there(face.card, face.at) for face in faces)
        most = self.game.players + 2 + markers
        if h.phase != PLAYING and len(faces) + len(unread) > most:
            unread = []
        return (*faces, *unread) if len(faces) + len(unread) <= most else ()

    def _faces(self, h: Hypothesis, period: StillPeriod) -> list[Detection]:
        """The faces of it."""
        have = h.named()
        faces = period.named.items()
        known_again = sum(card in h.played and self._inside(lying.at) for card, lying in faces)
        new = ((card, lying) for card, lying in faces if card not in have and not _is_on_its_way(h, card, period))
        return [
            Detection(card, lying.at, lying.outlined, (), self.observation.false_positive(h, card, lying, 0))
            for card, lying in new
            if self._is_new(h, card, lying, known_again)
        ]

    def unread(self, h: Hypothesis, period: StillPeriod) -> list[Detection]:
        """What of it cannot be read."""
        return [self._doubt(h, lying, period) for lying in period.unidentified if self._may_be_laid(h, lying, period)]

    def _is_new(self, h: Hypothesis, card: Card, lying: CardLying, known_again: int) -> bool:
        """Whether a face may be a card that came. known_again: cards of taken tricks that lie among the tricks."""
        if h.phase == PLAYING and card == h.turn_up and not (_was_exchanged(h) or may_be_drawn(self.game, h)):
            return False
        if card in h.played and h.hands_since <= self.game.players:  # No deal was given since.
            return known_again <= 1 and self._inside(lying.at, EDGE)
        return card in self.game.whole_pack or self._inside(lying.at)

    def _may_be_laid(self, h: Hypothesis, lying: CardLying, period: StillPeriod) -> bool:
        """Whether what cannot be read may be a card that came."""
        if any(self.part_of(lying, thing, period) for thing in h.things):
            return False
        if lying.candidates and self.game.whole_pack.isdisjoint(lying.candidates):
            return False
        if h.phase == PLAYING and not self._inside(lying.at) and not self.on_the_talon(h, lying.at, period):
            return False
        seen = period.looks[-1]
        if seen.stood_there(lying.at):
            return False
        if not lying.candidates or lying.confidence < LIKE_AN_INDEX:
            return period.put_unread(lying.at)
        # A change is missed now and then; where print shows more often than that, it is print.
        return seen.print_chance < ODD or period.put_there(lying.at)

    def _doubt(self, h: Hypothesis, lying: CardLying, period: StillPeriod) -> Detection:
        """What cannot be read; if it may be but one card still, that one."""
        drawn = {h.turn_up} if may_be_drawn(self.game, h) else set()
        known = (h.named() | {h.turn_up}) - drawn | h.played | period.named.keys()
        names = [card for card in lying.candidates if card in self.game.whole_pack]
        left = [card for card in names if card not in known]
        sole = left[0] if len(left) == 1 and len(names) <= SEVERAL else None
        print_here, like = self.observation.printed(lying, period.looks[-1]), self.observation.card_like(lying)
        return Detection(
            sole, lying.at, False, lying.candidates, math.log(print_here), True, lying.likely, math.log(like)
        )

    def on_the_talon(self, h: Hypothesis, at: Point, period: StillPeriod) -> bool:
        """Whether the next card may have been turned up there."""
        if h.talon is None or h.done or h.trick or not pillage_may_be(self.game, h):
            return False
        return near(at, h.talon, period.length)

    def part_of(self, doubt: CardLying, thing: Thing, period: StillPeriod) -> bool:
        """Whether what cannot be read may be a corner of this."""
        return near(doubt.at, thing.at, period.length) and may_be_one(doubt, thing.names)


def _was_exchanged(h: Hypothesis) -> bool:
    """Whether another card lies where the turned-up one lay: somebody has that in his hand."""
    there = h.turned_up
    return there is not None and there.card != h.turn_up


def _is_on_its_way(h: Hypothesis, card: Card, period: StillPeriod) -> bool:
    """Whether it is of the trick that was just taken up, and is seen once more while that arm is there still."""
    gathered = h.gathered
    if gathered is None or h.trick or all(laid.card != card for laid in h.last):
        return False
    return gathered.period >= period.last_rest or gathered.hand in period.hands
