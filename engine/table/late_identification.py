"""What could not be read, was misread or went unseen, and is read now: a hypothesis goes on as it is, and with that."""

import math
from collections.abc import Iterator

from engine.cards import Card
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Point
from engine.table.acts import DEAL, LAY, LIFT, MOSTLY, ODD, PILLAGE, RARE, SEVERAL, SOME
from engine.table.hypothesis import PLAYING, TRICK, TURN_UP, Hypothesis, Thing, TrickCard
from engine.table.observation import ObservationModel, StillPeriod
from engine.table.places import EDGE, near
from engine.table.turn_order import trump_by

log = math.log


class LateIdentification:
    """At one table."""

    def __init__(self, game: TrickGame, observation: ObservationModel) -> None:
        self.game, self.observation = game, observation
        self._inside = observation.reach.inside

    def read(self, h: Hypothesis, period: StillPeriod) -> list[Hypothesis]:
        """The hypothesis as it is, and with what could not be read, or was misread, read now."""
        h = self._turned_up_by_the_others(h)
        out = [h]
        known = h.named() | h.played | {h.turn_up}
        fresh = [card for card in period.named if card not in known and card in self.game.whole_pack]
        for card in fresh[: self.game.players + 1]:
            out += [now for before in out[:3] for now in self._read_now(before, card, period)]
        return out[:8]

    def _turned_up_by_the_others(self, h: Hypothesis) -> Hypothesis:
        """The turned-up card, where nobody could read it, and all that it may be but one were seen elsewhere since."""
        if h.phase != PLAYING or h.turn_up is not None or not 1 < len(h.among) <= SEVERAL:
            return h
        left = [card for card in h.among if card not in h.played | h.named()]
        return turned_up(self.game, h, left[0], h.among)._replace(logp=h.logp + log(MOSTLY)) if len(left) == 1 else h

    def _read_now(self, h: Hypothesis, card: Card, period: StillPeriod) -> Iterator[Hypothesis]:
        """The hypotheses by which a face is something that was there before."""
        lying = period.named[card]
        for place, thing in enumerate(h.things):
            if thing.card not in period.named and self._lies_at(thing, lying, period.length):
                now = thing._replace(at=lying.at, outlined=lying.outlined) if _may_have_slid(thing) else thing
                yield _renamed(self.game, h, place, now, card, log(self._likely_name(thing, card)))
        unseen, laid = _unseen(h), _was_laid(h, card)
        if unseen is not None and not laid and self._inside(lying.at):
            thing = Thing(unseen.uid, card, lying.at, lying.outlined, TRICK)
            yield self._found(h, unseen, thing, self._seen_after_all(h, unseen, lying.at, period))
        nobody_saw_it = h.phase == PLAYING and h.turned_up is None and h.turn_up is None
        if nobody_saw_it and not (self._inside(lying.at, EDGE) or laid):
            thing = Thing(h.uid, card, lying.at, lying.outlined, TURN_UP)
            yield turned_up(self.game, h._replace(things=(thing, *h.things), uid=h.uid + 1), card)

    def _found(self, h: Hypothesis, unseen: TrickCard, thing: Thing, log_likelihood: float) -> Hypothesis:
        """The hypothesis by which a card that went unseen lies there, as this thing."""
        # Nobody knew where it lay: it may hide what was seen before.
        below = (other._replace(clear_up_to_uid=min(other.clear_up_to_uid, unseen.uid - 1)) for other in h.things)
        there = h._replace(things=(*below, thing))
        return _renamed(self.game, there, len(h.things), thing, thing.card, log_likelihood)

    def _lies_at(self, thing: Thing, lying: CardLying, length: float) -> bool:
        """Whether a face lies where this thing does."""
        return near(thing.at, lying.at, length, sure=thing.outlined and lying.outlined and not _may_have_slid(thing))

    def _likely_name(self, thing: Thing, card: Card) -> float:
        """How likely something that was not read, or read otherwise, is this card."""
        if thing.card is None:
            return self._listed(thing, card)
        if thing.reads < 2:
            return ODD
        return float(RARE ** (1 + SOME * (thing.reads - 1)))

    def _listed(self, thing: Thing, card: Card) -> float:
        """How likely something that could not be read is this card, by the names that it may have."""
        if card not in thing.maybe:
            return ODD if thing.maybe else MOSTLY
        likely = thing.likely[thing.maybe.index(card)] if thing.likely else 1.0
        return max(ODD, MOSTLY * likely)

    def _seen_after_all(self, h: Hypothesis, laid: TrickCard, at: Point, period: StillPeriod) -> float:
        """What it costs that a card that went unseen is this one."""
        step = next((step for step in h.steps if step.uid == laid.uid and step.kind == LAY), None)
        if step is None or step.hand is None or step.hand not in period.hands:
            return log(SOME)
        angle = self.observation.arms.log_angle(period.hands[step.hand].angle_deg, laid.seat)
        log_likelihood = 0.0 if step.period > period.last_rest else log(SOME)
        return log_likelihood + self.observation.log_ratio(laid.seat, step.hand, at, period) - angle


def _may_have_slid(thing: Thing) -> bool:
    """Whether a card was seen so seldom that it may have slid on since."""
    return thing.card is not None and thing.reads < 2


def _was_laid(h: Hypothesis, card: Card) -> bool:
    """Whether a card was laid, and not taken back since: that may be laid again."""
    back = {step.uid for step in h.steps if step.kind == LIFT}
    return any(step.kind == LAY and step.card == card and step.uid not in back for step in h.steps)


def _unseen(h: Hypothesis) -> TrickCard | None:
    """The first card of the trick that nobody saw."""
    there = {thing.uid for thing in h.things}
    return next((laid for laid in h.trick if laid.card is None and laid.uid not in there), None)


def _renamed(
    game: TrickGame, h: Hypothesis, place: int, thing: Thing, card: Card | None, log_likelihood: float
) -> Hypothesis:
    """This thing is that card, and always was."""
    things = (*h.things[:place], thing._replace(card=card, reads=0), *h.things[place + 1 :])
    h = h._replace(logp=h.logp + log_likelihood, things=things)
    if thing.kind == TURN_UP and card is not None:
        return turned_up(game, h, card)
    return h.reads(thing.uid, card)


def turned_up(game: TrickGame, h: Hypothesis, card: Card, maybe: tuple[Card, ...] = ()) -> Hypothesis:
    """The turned-up card of this deal is known now. maybe: what it could have been, where it is known
    only because the others were seen elsewhere."""
    there, h = h.turned_up, h._replace(among=())
    if there is not None and there.card is None:
        h = h._replace(things=tuple(thing._replace(card=card) if thing is there else thing for thing in h.things))
    last = max((k for k, step in enumerate(h.steps) if step.kind in (DEAL, PILLAGE)), default=None)
    trump = trump_by(game, (card,))
    h = h._replace(turn_up=card)
    if last is None:
        return h._replace(trump=h.trump or trump)
    step, later = h.steps[last], h.steps[last + 1 :]
    if step.kind == PILLAGE:  # The first that was turned up gave trump.
        return h._replace(steps=(*h.steps[:last], step._replace(more=(*step.more[:1], card)), *later))
    now = step._replace(card=card, maybe=maybe)
    return h._replace(steps=(*h.steps[:last], now, *later), trump=trump or h.trump)
