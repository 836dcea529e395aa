"""What becomes of the turned-up card: a deal begins, begins anew or is given up; it is bought, exchanged, or goes."""

import math
from collections.abc import Iterator, Sequence

from engine.rules.tricks import THE_TAKERS, TrickGame
from engine.sightings import CardLying, Point, apart
from engine.table.acts import CLAIM, DEAL, EVEN, ODD, PILLAGE, RARE, SEVERAL, SOME, SWAP, VOID
from engine.table.arms import over_the_middle
from engine.table.detections import Detection, NewDetections
from engine.table.hands import Hands
from engine.table.hypothesis import (
    HANDS_KNOWN,
    LEFT,
    PAYS,
    PLAYING,
    TURN_UP,
    WAITING,
    Hypothesis,
    Step,
    Thing,
)
from engine.table.observation import ObservationModel, StillPeriod
from engine.table.places import EDGE, near
from engine.table.turn_order import may_be_drawn, pillage_may_be, trump_by

log = math.log
Detections = tuple[Detection, ...]
DEAL_TAKES_S = 5.0
"""From the last look that showed the turned-up card to the first of the next, at least (counted: on films of three
other programs 9.7, on our own drawn ones 5.4)."""
Successor = tuple[Hypothesis, Detections]
"""A hypothesis that goes on, and what it leaves unexplained."""
Successors = Iterator[Successor]


class Dealing:
    """At one table."""

    def __init__(
        self, game: TrickGame, observation: ObservationModel, hands: Hands, new_detections: NewDetections
    ) -> None:
        self.game, self.observation, self.hands, self.new_detections = game, observation, hands, new_detections
        self._inside = observation.reach.inside

    # -- a deal ------------------------------------------------------------------------------------------------------

    def begins(self, h: Hypothesis, detections: Detections, period: StillPeriod, leads: frozenset[int]) -> Successors:
        """A deal began: one of the faces that came was turned up; or none of them. leads: who may lead then."""
        faces = [*self._faces(detections), *self._same_again(h, period)]
        for detection in (*faces, *self._unread(h, detections, period)):
            log_likelihood = self._turns_up(h, detection, len(faces), period) + (0.0 if detection.card else log(SOME))
            yield self._dealt(h, detection, log_likelihood, leads, period), _without(detections, detection)
        if faces and all(self._inside(detection.at) for detection in faces):
            yield self._dealt(h, None, log(RARE) + self._few_hands(h), leads, period), detections

    def _faces(self, detections: Detections) -> list[Detection]:
        """Those that are cards of the pack."""
        return [detection for detection in detections if detection.card in self.game.whole_pack]

    def _unread(self, h: Hypothesis, detections: Detections, period: StillPeriod) -> list[Detection]:
        """Those that cannot be read, lie where cards are turned up, and may be one."""
        return [
            detection
            for detection in detections
            if detection.card is None and detection.maybe and self._where_turned_up(h, detection, period)
        ]

    def _where_turned_up(self, h: Hypothesis, detection: Detection, period: StillPeriod) -> bool:
        """Whether it lies where cards are turned up: far out, or where one was before."""
        return not self._inside(detection.at, EDGE) or near(detection.at, h.talon, period.length)

    def _same_again(self, h: Hypothesis, period: StillPeriod) -> list[Detection]:
        """The card turned up last, put there anew."""
        old = h.turned_up
        now = period.looks[-1].named.get(old.card or "") if old else None
        if old is None or now is None or not period.put_there(now.at):
            return []
        away = sum(old.card not in seen.named and not seen.covered(now.at) for seen in period.lately)
        if len(period.new if away < SEVERAL else period.since) < self.game.players:
            return []
        return [Detection(old.card, now.at, now.outlined)]

    def _turns_up(self, h: Hypothesis, detection: Detection, faces: int, period: StillPeriod) -> float:
        """The prior of this card's being the one turned up."""
        log_likelihood = log(EVEN if self._where_turned_up(h, detection, period) else ODD)
        log_likelihood += self.hands.any_put(h, detection.at, period) + self._few_hands(h)
        log_likelihood += 0.0 if period.came(detection.card, detection.at) else log(ODD)
        log_likelihood += log(RARE) * self.observation.in_open_hand(detection.card)
        if len(period.new) >= self.game.players and detection.card not in period.faces_last_period:
            log_likelihood += self._dealt_by(h, period)
        if faces > 2 or (detection.card in period.faces_last_period and len(period.faces_last_period) > 2):
            log_likelihood += log(RARE)
        return log_likelihood

    def _few_hands(self, h: Hypothesis) -> float:
        """What it costs that fewer hands came than it takes to deal."""
        return max(0.0, 1 - h.hands_since / self.game.players) * log(RARE)

    def _dealt_by(self, h: Hypothesis, period: StillPeriod) -> float:
        """What speaks for a deal in the hands that came over the middle: some of them gave cards."""
        dealt = [number for number in period.new if over_the_middle(period.hands[number])][: self.game.players]
        return -EVEN * sum(self.hands.idle(h, period.hands[number], period) for number in dealt)

    def _dealt(
        self,
        h: Hypothesis,
        detection: Detection | None,
        log_likelihood: float,
        leads: frozenset[int],
        period: StillPeriod,
        *before: Step,
    ) -> Hypothesis:
        """A deal with this card turned up. before: what came before it."""
        thing, serial = self._turned_up(h, detection), h.serial + 1
        card, at, maybe = thing.card, thing.at, thing.maybe
        step = Step(DEAL, card=card, trick=serial, uid=h.uid, maybe=maybe, at=at, period=period.number)
        things = [thing for thing in h.things if thing.kind == LEFT and thing.card in period.looks[-1].named]
        among, trump = (() if card else maybe), trump_by(self.game, thing.names)
        return Hypothesis(
            h.logp + log_likelihood, (*h.steps, *before, step), PLAYING, leads, trump, card, among, 0, serial,
            things=(thing, *things) if detection else tuple(things), used=h.used, hands_since=0, uid=h.uid + 1,
            talon=at or h.talon,
        )  # fmt: skip

    def _turned_up(self, h: Hypothesis, detection: Detection | None) -> Thing:
        """The card that is turned up. None: nobody saw it."""
        if detection is None:
            return Thing(h.uid, None, None, False, TURN_UP)
        maybe = tuple(card for card in detection.maybe if card in self.game.whole_pack)
        return detection.thing(h.uid, TURN_UP)._replace(maybe=maybe, likely=())

    def _other_card_turned_up(
        self, h: Hypothesis, detection: Detection, log_likelihood: float, period: StillPeriod
    ) -> Hypothesis:
        """What was thought to be turned up was only shown: this is the card."""
        steps = tuple(step for step in h.steps if step.kind not in (DEAL, PILLAGE) or step.trick != h.serial)
        return self._dealt(h._replace(steps=steps, serial=h.serial - 1), detection, log_likelihood, h.leads, period)

    def _next_deal_unfinished(
        self, h: Hypothesis, detection: Detection, leads: frozenset[int], period: StillPeriod
    ) -> Hypothesis:
        """The next deal, this one never having been played out: that explains the hands over an empty table."""
        last = h.done == self.game.tricks - 1 and any(laid.card for laid in h.trick)  # Else a whole trick went unseen.
        log_likelihood = log(RARE if last else ODD)
        if period.came(detection.card, detection.at):
            log_likelihood += self._dealt_by(h, period) + EVEN * self.hands.any_put(h, detection.at, period)
        else:
            log_likelihood += log(ODD)  # Rather what lies there is misread.
        log_likelihood += log(RARE) * self.observation.in_open_hand(detection.card)
        log_likelihood += log(RARE) if self._at_once(h, period) else 0.0
        void = [] if last else [Step(VOID, trick=h.serial + 1, period=period.number)]
        return self._dealt(h, detection, log_likelihood, leads, period, *void)

    def claims(self, h: Hypothesis, detections: Detections, period: StillPeriod) -> Successors:
        """Somebody claims the rest, or hands are thrown in: before a lead a player lays all that he has left open; then
        the others do."""
        claimed, left = bool(h.steps) and h.steps[-1].kind == CLAIM, self.game.tricks - h.done
        before_a_lead = h.phase == PLAYING and h.done > 0 and not h.trick
        if claimed or (before_a_lead and left > 1):
            for seat, own in self._by_player(detections).items():
                if claimed or len(own) >= left:
                    yield (
                        self._lays_open(h, own, seat, period, claimed),
                        tuple(detection for detection in detections if detection not in own),
                    )

    def _by_player(self, detections: Detections) -> dict[int, list[Detection]]:
        """The faces of what came, by the player that each lies before."""
        found: dict[int, list[Detection]] = {}
        for face in self._faces(detections):
            found.setdefault(self.observation.arms.nearest(face.at), []).append(face)
        return found

    def _lays_open(
        self, h: Hypothesis, faces: Sequence[Detection], seat: int, period: StillPeriod, claimed: bool
    ) -> Hypothesis:
        """These cards lie open before their player. claimed: he is not the first."""
        hand, log_ratio = self.hands.showed(h, seat, [detection.at for detection in faces], period)
        lie = (detection.thing(h.uid + k, LEFT) for k, detection in enumerate(faces))
        now = h.having_used(hand)._replace(logp=h.logp + log_ratio, things=(*h.things, *lie), uid=h.uid + len(faces))
        if claimed:
            return now
        step = Step(CLAIM, trick=h.serial, uid=h.uid, at=faces[0].at, hand=hand, period=period.number)
        now = now._replace(logp=now.logp + log(RARE), steps=(*h.steps, step), phase=WAITING)
        return now._replace(serial=h.serial + 1, played=frozenset(), hands_since=0)

    def _at_once(self, h: Hypothesis, period: StillPeriod) -> bool:
        """Whether nobody can have dealt anew since the turned-up card was seen: so shortly before, and no two players'
        hands came since."""
        there = h.turned_up
        shown = [seen.at_s for seen in period.lately if there is not None and there.card in seen.named]
        if not shown or period.looks[0].at_s - shown[-1] >= DEAL_TAKES_S:
            return False
        since = (hand for hand in period.recent.values() if hand.came_s > shown[-1])
        return len({self.observation.arms.seat_clearly_at(hand.angle_deg) for hand in since}) < 2

    def given_up(self, h: Hypothesis, detections: Detections, period: StillPeriod, leads: frozenset[int]) -> Successors:
        """A trick half played went, and another card is turned up."""
        if h.hands_since < self.game.players:
            return
        h = h.without(h.lying)
        for detection in detections:
            if not self._inside(detection.at, EDGE) and detection.card in self.game.whole_pack:
                yield self._next_deal_unfinished(h, detection, leads, period), _without(detections, detection)

    # -- the card that is turned up, while no trick lies there -------------------------------------------------------

    def drawn(self, h: Hypothesis, period: StillPeriod) -> Hypothesis:
        """The turned-up card was drawn, once it may be and does not lie there any more."""
        there = h.turned_up
        if there is None:
            return h
        now = period.named.get(there.card or "")
        if h.phase != PLAYING:  # It was gathered with the others.
            gone = now is None and bool(period.since) and not self._covered(there, period)
        else:
            gone = may_be_drawn(self.game, h) and self._turn_up_is_gone(there, now, period)
        if not gone:
            return h
        hand, log_ratio = self.hands.took(h, None, period) if self.game.turn_up_goes == THE_TAKERS else (None, 0.0)
        return h.without([there]).having_used(hand)._replace(logp=h.logp + log_ratio)

    def _turn_up_is_gone(self, there: Thing, now: CardLying | None, period: StillPeriod) -> bool:
        """Whether the turned-up card does not lie there any more. now: where it is seen."""
        if now is None:  # Who takes it does so before the first lead.
            return self.game.turn_up_goes == THE_TAKERS or not self._covered(there, period)
        return there.at is not None and apart(now.at, there.at) >= period.length

    def _covered(self, there: Thing, period: StillPeriod) -> bool:
        """Whether something may hide a card, or lies there that cannot be read."""
        seen = period.looks[-1]
        if seen.glance or seen.hides(there):
            return True
        return self.observation.doubt_for(there, seen) is not None

    def turn_up_moves(
        self, h: Hypothesis, detections: Detections, period: StillPeriod, leads: frozenset[int]
    ) -> Successors:
        """What became of the turned-up card while no trick lies there. leads: who may lead the deal after this one."""
        there, talon = h.turned_up, h.talon
        if there is not None:
            if there.card in period.named:
                return
            if there.card not in period.looks[-1].hidden and h.done == 0 and pillage_may_be(self.game, h):
                yield self._bought(h, there, period), detections
            talon = there.at
        for detection in detections:
            left = _without(detections, detection)
            if detection.card in self.game.whole_pack:
                yield from ((now, left) for now in self._face_may_be(h, detection, talon, period, leads))
            elif detection.card is None and self.new_detections.on_the_talon(h, detection.at, period):
                yield self._pillaged(h, detection, period), left  # It may be the next card.

    def _face_may_be(
        self, h: Hypothesis, detection: Detection, talon: Point | None, period: StillPeriod, leads: frozenset[int]
    ) -> Iterator[Hypothesis]:
        """What a face may be that is shown now. talon: where the turned-up card lay."""
        if h.done == 0:
            yield from self._face_may_be_before_play(h, detection, talon, period)
        elif h.hands_since > self.game.players and (
            near(detection.at, talon, period.length) or not self._inside(detection.at, EDGE)
        ):
            yield self._next_deal_unfinished(h, detection, leads, period)

    def _face_may_be_before_play(
        self, h: Hypothesis, detection: Detection, talon: Point | None, period: StillPeriod
    ) -> Iterator[Hypothesis]:
        """The same before the first trick."""
        buys, there = pillage_may_be(self.game, h), near(detection.at, talon, period.length)
        if buys and there:
            yield self._pillaged(h, detection, period)
        elif buys and not self._inside(detection.at, EDGE) and period.put_there(detection.at):
            aside = self._pillaged(h, detection, period)
            yield aside._replace(logp=aside.logp + log(SOME))
        elif there and h.steps and h.steps[-1].kind == PILLAGE and h.turn_up is not None:
            yield self._paid_after_all(h, detection, period)
        if buys and not _pays(h):
            yield self._paid(h, detection, talon, period.length)
        log_likelihood = log(RARE) + self._turns_up(h, detection, 1, period)
        yield self._other_card_turned_up(h, detection, log_likelihood + (log(SOME) if there and buys else 0.0), period)

    # -- bought, or exchanged ----------------------------------------------------------------------------------------

    def _bought(self, h: Hypothesis, there: Thing, period: StillPeriod) -> Hypothesis:
        """It went, and nothing lies in its place yet."""
        hand, log_ratio = self.hands.took(h, None, period)
        return h.without([there]).having_used(hand)._replace(logp=h.logp + log(EVEN) + log_ratio)

    def _paid(self, h: Hypothesis, detection: Detection, talon: Point | None, length: float) -> Hypothesis:
        """A card is shown that pays for the turned-up one."""
        pays = ODD if near(detection.at, talon, length) else EVEN
        things = *h.things, detection.thing(h.uid, PAYS)
        return h._replace(logp=h.logp + log(pays), things=things, uid=h.uid + 1)

    def _pillaged(self, h: Hypothesis, detection: Detection, period: StillPeriod) -> Hypothesis:
        """The turned-up card was bought, and this is the next."""
        pays = _pays(h)
        paid = pays.card if pays is not None and pays.card != detection.card else None
        more = (paid, detection.card)
        step = Step(
            PILLAGE, card=h.turn_up, trick=h.serial, more=more, uid=h.uid, at=detection.at, period=period.number
        )
        return h.did(
            step,
            self._buys(h, detection, period),
            things=_on_top(h, detection),
            turn_up=detection.card,
            among=() if detection.card else detection.maybe,
            talon=detection.at,
            hands_since=0,
            used=(*h.used, *period.new)[-HANDS_KNOWN:],
            uid=h.uid + 1,
        )

    def _buys(self, h: Hypothesis, detection: Detection, period: StillPeriod) -> float:
        """What speaks for it that the turned-up card was bought, and this is the next."""
        there = h.turned_up is not None
        log_likelihood = log(EVEN) if there else 0.0
        log_likelihood += 0.0 if period.came(detection.card, detection.at) else log(ODD)
        if h.hands_since > self.game.players:
            log_likelihood += log(SOME)  # Rather the cards were dealt anew.
        if (
            h.steps
            and (h.steps[-1].kind, h.steps[-1].period) == (DEAL, period.number)
            and detection.card in period.faces_last_period
        ):
            log_likelihood += log(ODD)  # It lay there before the one that it follows.
        free = [number for number in period.new if number not in h.used]
        return log_likelihood + sum(-self.hands.idle(h, period.hands[number], period) for number in free[: 1 + there])

    def _paid_after_all(self, h: Hypothesis, detection: Detection, period: StillPeriod) -> Hypothesis:
        """What was taken for the next card, and may not be bought, paid for the one before: this is the next."""
        *steps, step = h.steps
        hand, log_ratio = self.hands.put(h, detection.at, period)
        return h.having_used(hand)._replace(
            logp=h.logp + log(EVEN) + log_ratio,
            steps=(*steps, step._replace(more=(h.turn_up, detection.card))),
            things=_on_top(h, detection),
            turn_up=detection.card,
            talon=detection.at,
            uid=h.uid + 1,
        )

    def swaps(self, h: Hypothesis, detections: Detections, period: StillPeriod) -> Successors:
        """Another card lies where the turned-up one lay."""
        there = h.turned_up
        if there is None or there.at is None or there.card in {None, *period.named}:
            return
        owed = period.named.get(h.turn_up or "") if h.turn_up != there.card else None  # What was turned up before.
        if owed is not None and near(owed.at, there.at, period.length):
            back = Detection(h.turn_up, owed.at, owed.outlined)
            yield self._swapped(h, there, back, period, EVEN), detections
        elif self._may_be_swapped(h, there.at, period):
            for detection in self._faces(detections):
                if not detection.unread and near(detection.at, there.at, period.length):
                    yield self._swapped(h, there, detection, period, RARE), _without(detections, detection)

    def _may_be_swapped(self, h: Hypothesis, at: Point, period: StillPeriod) -> bool:
        """Whether the card is surely another: the deal goes on, and no known card covers half of it, so that it is soon
        misread."""
        dealt_anew = h.hands_since > self.game.players and not self._at_once(h, period)
        if dealt_anew or not (h.trick or h.done):
            return False
        ours = h.named()
        return all(apart(lying.at, at) >= period.length for card, lying in period.named.items() if card in ours)

    def _swapped(
        self, h: Hypothesis, there: Thing, detection: Detection, period: StillPeriod, prior: float
    ) -> Hypothesis:
        """Another card lies where the turned-up one lay."""
        thing = there._replace(card=detection.card, at=detection.at)
        step = Step(SWAP, card=detection.card, trick=h.serial, uid=h.uid, at=detection.at, period=period.number)
        hand, log_ratio = self.hands.put(h, detection.at, period)
        log_ratio += 0.0 if period.put_there(detection.at) else log(ODD)
        things = tuple(thing if other is there else other for other in h.things)
        return h.having_used(hand).did(step, log(prior) + log_ratio, things=things, uid=h.uid + 1)


def _on_top(h: Hypothesis, detection: Detection) -> tuple[Thing, ...]:
    """What lies there once this is the card turned up."""
    return detection.thing(h.uid, TURN_UP), *(thing for thing in h.things if thing.kind not in (TURN_UP, PAYS))


def _pays(h: Hypothesis) -> Thing | None:
    """The card that is shown to pay."""
    return next((thing for thing in h.things if thing.kind == PAYS), None)


def _without(detections: Detections, detection: Detection) -> Detections:
    others = (other for other in detections if other is not detection)
    return tuple(other for other in others if other.card is None or other.card != detection.card)
