"""Looks at a card table to the game's events: a beam of histories takes each look in, and what they agree on is told.

Nothing here judges a rule: that is the judge's work once an event is in the log. What accuses somebody is told only
where hardly anything innocent is left.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.cards import Card, rank_of
from engine.events import (
    Choose,
    Confirm,
    Correct,
    Deal,
    Event,
    Pillage,
    Play,
    Taken,
    TakenBack,
    TurnUpSeen,
    Undo,
    VoidDeal,
)
from engine.match import Match
from engine.notices import ALERT
from engine.rules.tricks import TrickGame
from engine.sightings import CardLying, Hand, Point, TableLook, apart, direction_deg, turned_deg
from engine.table.acts import DEAL, GATHER, LAY, LIFT, PILLAGE, SWAP, VOID, ZONE, Priors
from engine.table.arms import Arms, Laying, seats_round
from engine.table.evidence import Rest, Seen, Weigher, merged, seen_of
from engine.table.history import PLAYING, TRICK, TURN_UP, WAITING, History, Laid, Step, Thing
from engine.table.piles import Piles
from engine.table.propose import Proposer

HANDS_KEPT_S = 20.0
"""Hands are remembered for so long: longer than anybody takes from laying a card to the next look at the table."""
RESTS_KEPT = 400
"""Of which it is known when they began: more than a deal has."""
HAND_LAG_S = 0.15
"""A hand seen to leave so shortly before the last look may still have brought what the next one shows."""
SAME_HAND_DEG = 15.0
"""By which a hand turns at most while it is over the table."""
REST_AT_EDGE = 0.5
"""Table units from the middle from which something that came to rest lies at somebody's place."""
LOOKS_TOLD, LOOKS_UNREAD, LOOKS_ACCUSE = 2, 4, 3
"""Looks of one rest before an act of it is told; before a card is told as one that cannot be read; and before anything
is told that accuses."""
MOST_FUTURES = 400
PLAYED_ON = 3
"""Cards laid since, from which what may be a fault, and is not sure enough, is told as none."""

WATCHING, BETWEEN_DEALS, WAITING_FOR_DEAL, SCATTERED, LOOKING_THROUGH = (
    "looking", "between_deals", "waiting_for_deal", "scattered", "looking_through",
)  # fmt: skip


@dataclass
class _Told:
    """A step that is in the log."""

    step: Step
    number: int | None
    """Of its event; None: it needs none."""


class CardTable:
    """Follows one table. `look` takes a look in, then `next` gives the events it tells, one at a time."""

    def __init__(
        self,
        game: TrickGame,
        clockwise: bool,
        seat_0_deg: float = 0.0,
        seats_deg: Sequence[float] = (),
        zone: float = ZONE,
        priors: Priors | None = None,
    ) -> None:
        """seats_deg: where everybody sits, if not evenly round from seat 0. zone: how far out a card is played."""
        self.game, self.p = game, priors or Priors()
        self._arms = Arms(seats_deg or seats_round(game.players, clockwise, seat_0_deg))
        self._weigher = Weigher(self.p, game.whole_pack, zone, self._arms)
        self._proposer = Proposer(game, self.p, self._weigher)
        self._piles = Piles(game.sides)
        self.situation = WATCHING
        self.beam: list[History] = []
        """The likeliest first; their weights sum to 1, less the reserve."""
        self._base: list[History] = []
        """The beam before this rest."""
        self._futures: list[History] = []
        """What may have happened since, before the looks of this rest are weighed."""
        self._rest: Rest | None = None
        self._rests = 0
        self._told: list[_Told] = []
        self._numbers: dict[int, int] = {}
        """Events of the cards that lay there when the match was taken up, by uid."""
        self._logged = -1
        """How long the log is if nobody else writes in it."""
        self._pending: Event | None = None
        self._hands: dict[int, Hand] = {}
        self._hand_count = 0
        self._looked_s = self._main_s = -math.inf
        """The last look, glances counted or not."""
        self._furniture: list[Point] = []
        self._stray: dict[tuple[float, float], int] = {}
        self._ignored: list[CardLying] = []
        """What a person took back and lies there still."""
        self._brought: list[CardLying] = []
        """Of these, what was laid, in the order of play."""
        self._at_rest: dict[int, Rest] = {}
        self._began_s: dict[int, float] = {}
        """When the last rests began."""
        self._mending = False
        """What was told is being taken back: nothing else is told before that is done."""
        self._dropped = 0.0
        """The share of what was dropped lately for saying otherwise than the log: it counts as innocent."""
        self._faces: tuple[CardLying, ...] = ()

    # -- taking looks in ---------------------------------------------------------------------------------------------

    def look(self, look: TableLook, match: Match) -> None:
        """A still table, and the match as it stands."""
        self._keep_up(match)
        self._mending = False
        self._keep_hands(look)
        look = self._played_over(look, match)
        for glance in look.glances:
            over = tuple(hand for hand in glance.hands)
            seen = Seen(
                glance.at_s,
                {c.card: c for c in glance.cards if c.card},
                (),
                look.card_length,
                True,
                frozenset(),
                over,
                True,
            )
            self._new_rest(look, glance.at_s)
            self._take_in(seen, match)
            self._looked_s = glance.at_s
        over = tuple(hand for hand in self._hands.values() if hand.came_s <= look.at_s <= hand.left_s)
        self._find_furniture(look)
        seen = seen_of(look, self._furniture, over)
        if look.fresh or self._rest is None:
            self._new_rest(look, look.at_s)
        self._take_in(seen, match)
        self._looked_s = self._main_s = look.at_s
        self._faces = (*look.cards, *self._ignored)
        self._trim()
        self._say_situation(match)

    def _new_rest(self, look: TableLook, at_s: float) -> None:
        """The table was touched."""
        self._rests += 1
        self._began_s[self._rests] = at_s
        self._began_s.pop(self._rests - RESTS_KEPT, None)
        known = set(self._rest.hands) if self._rest else set()
        hands = {
            number: hand
            for number, hand in self._hands.items()
            if hand.came_s <= at_s and hand.left_s >= self._main_s - HAND_LAG_S
        }
        told = {one for rest in self._at_rest.values() for one in rest.hands}
        rest = Rest(
            self._rests,
            self._looked_s,
            hands=hands,
            recent=self._hands,
            new=tuple(n for n in hands if n not in told | known),
        )
        rest.packets, rest.changed, rest.behind_a_hand = look.packets, look.changed, look.behind_a_hand
        if self._rest is not None:
            rest.faces_before = frozenset(self._rest.looks[-1].named) & self.game.whole_pack
            if self._rests == 2 and not rest.faces_before:  # Nothing was dealt before anybody looked.
                self.beam = [one._replace(hands_since=min(one.hands_since, 0)) for one in self.beam]
            self.beam = [self._settled(one) for one in self.beam]
        self._base, self._rest = self.beam, rest
        self._at_rest = {**{k: v for k, v in self._at_rest.items() if k > self._rests - 12}, self._rests: rest}

    def _settled(self, h: History) -> History:
        """Things lie where they were seen last."""
        assert self._rest is not None
        named, _ = merged(self._rest.looks, self._rest.length)
        things = []
        for thing in h.things:
            seen = named.get(thing.card) if thing.card else None
            if seen is None:
                things.append(thing)
                continue
            at = seen.at if seen.outlined or not thing.outlined or thing.at is None else thing.at
            things.append(
                thing._replace(
                    at=at,
                    outlined=seen.outlined or thing.outlined,
                    reads=thing.reads + sum(thing.card in look.named for look in self._rest.looks),
                )
            )
        return h._replace(things=tuple(things))

    def _take_in(self, seen: Seen, match: Match) -> None:
        """One more look at the table as it lies."""
        rest = self._rest
        assert rest is not None
        before = {card for one in rest.looks for card in one.named}
        doubts = {tuple(round(x, 1) for x in one.at) for look in rest.looks for one in look.doubts}
        rest.looks.append(seen)
        gone = rest.looks[-2].named.keys() - seen.named.keys() if len(rest.looks) > 1 else set()
        new = bool(seen.named.keys() - before) or bool(
            {tuple(round(x, 1) for x in one.at) for one in seen.doubts} - doubts
        )
        if new or gone or len(rest.looks) == 1 or not self._futures:
            leads = self._next_leads(match)
            self._proposer.begin()
            futures = [one for h in self._base for one in self._proposer.futures(h, rest, leads)]
            futures.sort(key=lambda one: one.logp, reverse=True)
            self._futures = futures[:MOST_FUTURES]
        futures = self._futures or self._base
        weighed = [one._replace(logp=one.logp + self._weigher.rest(one, rest)) for one in futures]
        self.beam = self._pruned(weighed)

    def _pruned(self, weighed: list[History]) -> list[History]:
        """The likeliest, each once, their weights made to sum to 1."""
        best: dict[tuple[object, ...], History] = {}
        top = max(one.logp for one in weighed)
        for one in weighed:
            if one.logp < top - self.p.margin:
                continue
            lies = frozenset((thing.card, thing.kind) for thing in one.things)
            key = (one.phase, one.turn_up, one.leads, lies, len(one.trick), tuple(step.key for step in one.steps))
            same = best.get(key)
            if same is None:
                best[key] = one
                continue
            likelier, other = (one, same) if one.logp > same.logp else (same, one)
            best[key] = likelier._replace(logp=likelier.logp + math.log1p(math.exp(other.logp - likelier.logp)))
        kept = sorted(best.values(), key=lambda one: -one.logp)[: self.p.kept]
        total = sum(math.exp(one.logp - top) for one in kept)
        less = top + math.log(total)
        return [one._replace(logp=one.logp - less) for one in kept]

    def _next_leads(self, match: Match) -> frozenset[int]:
        """Who may lead the first trick of the deal to come."""
        view = match.view
        everybody = frozenset(range(self.game.players))
        if view.dealer is None:
            return everybody
        if view.phase == "waiting_for_deal":
            dealers = frozenset({view.dealer})
        else:
            dealers = self.game.next_dealers(view.dealer, view.phase == "match_over")
        return frozenset((one + 1) % self.game.players for one in dealers) or everybody

    # -- hands, print, what a person took back -----------------------------------------------------------------------

    def _keep_hands(self, look: TableLook) -> None:
        for hand in sorted(look.hands, key=lambda one: one.came_s):
            known = next((n for n, one in self._hands.items() if _same_hand(one, hand)), None)
            if known is None:
                self._hand_count += 1
                known = self._hand_count
            self._hands[known] = hand
        self._hands = {n: one for n, one in self._hands.items() if one.left_s > look.at_s - HANDS_KEPT_S}

    def _find_furniture(self, look: TableLook) -> None:
        """What cannot be read and nobody put there is the table's own."""
        known = [one.at for one in (self.beam[0].things if self.beam else ()) if one.at]
        for one in look.cards:
            if one.card is not None or any(apart(one.at, at) < look.card_length for at in known):
                continue
            put = any(apart(one.at, (x, y)) < r + look.card_length / 2 for x, y, r in look.changed)
            if look.fresh and not put and not any(apart(one.at, at) < 0.3 * look.card_length for at in self._furniture):
                self._furniture.append(one.at)

    def _played_over(self, look: TableLook, match: Match) -> TableLook:
        """The look, less what a person took back and lies there still. Once somebody plays on over it, or it is swept
        up with its trick, it counts after all."""
        if not self._ignored:
            return look
        there = {one.card for one in look.cards}
        kept = [one for one in self._ignored if one.card in there]
        known = self.beam[0].named() | {one.card for one in self._ignored} | {self.beam[0].turn_up}
        came = any(
            one.card in self.game.whole_pack and one.card not in known and math.hypot(*one.at) < self._weigher.zone
            for one in look.cards
        )
        lay = [one for one in self.beam[0].things if one.kind == TRICK]
        swept = lay and not kept and not any(one.card in there for one in lay)
        if look.fresh and (came or swept):
            self._count_after_all(look, match, [one for one in self._ignored if came or one in self._brought])
            kept = []
        gone = [one for one in self._ignored if one not in kept]
        self._ignored = kept
        self._brought = [one for one in self._brought if one not in gone]
        names = {one.card for one in kept}
        return replace(look, cards=tuple(one for one in look.cards if one.card not in names))

    def _count_after_all(self, look: TableLook, match: Match, ignored: Sequence[CardLying]) -> None:
        """What a person took back was seen, one after the other, before this look."""
        seen = {one.card: one for one in self._faces if one.card}
        names = {one.card for one in self._ignored}
        faces = {card: one for card, one in seen.items() if card not in names}
        for one in ignored:
            if one.card is None:
                continue
            faces = {**faces, one.card: one}
            self._new_rest(replace(look, hands=(), packets=(), changed=()), self._looked_s)
            self._take_in(Seen(self._looked_s, faces, (), look.card_length, True, frozenset(), ()), match)

    def undone(self, match: Match) -> None:
        """A person took something back: what lies there is not told again before it moves."""
        self._piles.undone()
        view = match.view
        known = {view.turn_up, *(one["card"] for one in (*(view.trick or ()), *(view.beside or ())))} - {None}
        best = self.beam[0] if self.beam else History()
        laid = [best.turn_up, *(one.card for one in best.trick), *(step.card for step in best.steps)]
        laid += [one.card for one in self._brought]
        self._ignored = [one for one in self._faces if one.card and one.card not in known]
        self._brought = sorted((one for one in self._ignored if one.card in laid), key=lambda one: laid.index(one.card))
        self._ignored = [*self._brought, *(one for one in self._ignored if one not in self._brought)]
        self._start_again(match)

    def answered(self, about: str, answer: str) -> None:
        """A person answered a question."""
        if about == "taken":
            self._piles.answered(answer)

    def refused(self) -> None:
        """The match would not take what was told last: all begins again from what it holds."""
        self._logged = -1
        self._pending = None

    # -- the match ---------------------------------------------------------------------------------------------------

    def _keep_up(self, match: Match) -> None:
        """If anybody else wrote in the log, every history begins again from what the match holds."""
        if len(match.log) == self._logged:
            return
        since = match.log[self._logged :] if 0 <= self._logged < len(match.log) else [None]
        self._logged = len(match.log)
        lie = [one["card"] for one in match.view.trick or ()]
        answered = bool(self.beam) and all(isinstance(one, Confirm | Choose) for one in since)
        if answered and lie == [one.step.card for one in self._told if one.step.kind == LAY][-len(lie) or 99 :]:
            return
        self._start_again(match)

    def _start_again(self, match: Match) -> None:
        """Every history begins with what the match holds, and what is known of where it lies."""
        self._logged = len(match.log)
        self._told, self._futures, self._pending = [], [], None
        old = {thing.card: thing for thing in (self.beam[0].things if self.beam else ()) if thing.card}
        self.beam = self._from_match(match, old)
        self._base, self._rest = self.beam, None

    def _from_match(self, match: Match, old: dict[Card, Thing]) -> list[History]:
        view = match.view
        serial = max((one.serial for one in self.beam), default=0) + 1
        if view.phase in ("waiting_for_deal", "deal_over", "match_over"):
            turned = tuple(one for one in old.values() if one.kind == TURN_UP)
            since = 99 if view.phase == "waiting_for_deal" else 0
            return [History(phase=WAITING, serial=serial, things=turned, hands_since=since, uid=1000)]
        things, trick = [], []
        self._numbers = {}
        if view.turn_up:
            things.append(old.get(view.turn_up or "") or Thing(999, view.turn_up, None, False, TURN_UP))
            things[0] = things[0]._replace(kind=TURN_UP)
        start = view.turn if isinstance(view.turn, int) else None
        for place, one in enumerate(view.trick or ()):
            seat = one["seat"] if one["seat"] is not None else place
            self._numbers[place] = one["number"]
            trick.append(Laid(seat, one["card"], (), place))
            if one["card"] and one["card"] in old:
                things.append(old[one["card"]]._replace(uid=place, kind=TRICK))
            elif one["card"]:
                things.append(Thing(place, one["card"], None, False, TRICK))
        leads = (
            frozenset({trick[0].seat})
            if trick
            else frozenset({start} if start is not None else range(self.game.players))
        )
        played = self.game.whole_pack - match.possible
        h = History(
            0.0, (), PLAYING, leads, view.trump or "", view.turn_up, (view.trick_number or 1) - 1, serial,
            frozenset(played), tuple(trick), (), tuple(things), uid=1000,
        )  # fmt: skip
        return [h]

    # -- telling -----------------------------------------------------------------------------------------------------

    def next(self, match: Match) -> Event | None:
        """The next thing this look tells, given what the match holds now."""
        if self._pending is not None:
            self._logged += 1
            self._pending = None
        if len(match.log) != self._logged or self._rest is None or not self.beam:
            return None
        event = self._next(match)
        self._pending = event
        return event

    def _next(self, match: Match) -> Event | None:
        for _ in range(60):
            otherwise, agreed = self.beam[0], self._agreed(self.beam[0])
            if agreed < len(self._told):
                event = self._put_right(otherwise, agreed, match)
                if event is not None:
                    self._mending = True
                    return event
            elif self._mending:
                self._mending = False
            if self._mending:
                return None
            best = next((one for one in self.beam if self._agreed(one) == len(self._told)), None)
            if best is None or len(self._told) == len(best.steps):
                return None
            told, event = self._tell(best, len(self._told), match)
            if not told:
                return None
            if event is not None:
                return event
        return None

    def _agreed(self, one: History) -> int:
        """How many of the steps that were told a history begins with."""
        agreed = 0
        while agreed < min(len(self._told), len(one.steps)) and self._told[agreed].step.key == one.steps[agreed].key:
            agreed += 1
        return agreed

    def _share(self, steps: Sequence[Step]) -> float:
        """How much of all that may have happened begins with these."""
        keys = [one.key for one in steps]
        many = len(keys)
        return (1 - self.p.reserve) * sum(
            math.exp(one.logp) for one in self.beam if [step.key for step in one.steps[:many]] == keys
        )

    def _tell(self, best: History, place: int, match: Match) -> tuple[bool, Event | None]:
        """Whether a step is told now, and by which event."""
        step = best.steps[place]
        share = self._share(best.steps[: place + 1])
        now = min(1 - self.p.reserve, share / max(1e-9, self._share(best.steps[:place])))
        forced = self._must_be_told(best, place)
        if not forced and (now < self.p.settled or not self._looked_enough(step)):
            return False, None
        if (step.kind == DEAL and step.card is None) or (step.kind == GATHER and self._carried(best, place)):
            return False, None
        event = self._event(best, place, match, now)
        doubtful = share * (1 - self._dropped) < self.p.accuse or not self._looked_enough(step, LOOKS_ACCUSE)
        doubtful = doubtful or self._long_ago(step) or (step.kind == LAY and step.card is None)
        if event is not None and not doubtful and self._accuses(match, _surely(event)):
            event = _surely(event)
        elif event is not None and self._accuses(match, _surely(event)):
            played_on = sum(one.kind == LAY for one in best.steps[len(self._told) + 1 :])
            if not forced and played_on < PLAYED_ON:
                return False, None
            event = self._innocent(event, match)
            if isinstance(event, VoidDeal) and step.kind == DEAL:
                return True, event
        self._learn(step, now)
        self._told.append(_Told(step, None if event is None else len(match.log) + 1))
        return True, event

    def _long_ago(self, step: Step) -> bool:
        """Whether an act was told of only after much else went on: an account put together so late accuses nobody."""
        assert self._rest is not None
        return self._rest.looks[-1].at_s - self._began_s.get(step.rest, -math.inf) > self.p.accuse_within_s

    def _looked_enough(self, step: Step, looks: int = LOOKS_TOLD) -> bool:
        assert self._rest is not None
        if step.kind == LAY and step.card is None and step.at is not None:
            looks = LOOKS_UNREAD
        return step.rest < self._rest.number or len(self._rest.looks) >= looks

    def _carried(self, best: History, place: int) -> bool:
        """Whether a trick that went may not have come to rest yet, and nobody plays on."""
        rest, step = self._rest, best.steps[place]
        assert rest is not None
        if place + 1 < len(best.steps) or self._packets_since(step):
            return False
        return rest.behind_a_hand or (step.rest == rest.number and len(rest.looks) < LOOKS_ACCUSE)

    def _packets_since(self, step: Step) -> list[Point]:
        """What came to rest at somebody's place since a trick went."""
        rests = [rest for number, rest in self._at_rest.items() if number >= step.rest]
        found: list[Point] = []
        for rest in rests:
            found = [one for one in rest.packets if math.hypot(*one) > REST_AT_EDGE] or found
            if found:
                break
        return found

    def _must_be_told(self, best: History, place: int) -> bool:
        """Whether play has gone on so far that it is told with its doubt."""
        assert self._rest is not None
        step = best.steps[place]
        if any(one.kind in (DEAL, VOID) for one in best.steps[place + 1 :]):
            return True
        whole = best.serial + (len(best.trick) == self.game.players)
        if step.kind != DEAL and whole - step.trick >= 2:
            return True
        return best.phase == WAITING and step.rest < self._rest.number

    def _event(self, best: History, place: int, match: Match, share: float) -> Event | None:
        step = best.steps[place]
        if step.kind == DEAL:
            return Deal(step.card or "")
        if step.kind == VOID:
            return VoidDeal(0.5)
        if step.kind == SWAP:
            return TurnUpSeen(step.card or "")
        if step.kind == PILLAGE:
            return Pillage(self._pillager(step, match), step.card or "", *step.more)
        if step.kind == LIFT:
            number = self._number_of(step.uid, best, place)
            return None if number is None else TakenBack(number)
        if step.kind == GATHER:
            return self._taken(step, match)
        return self._play(step, match, share)

    def _play(self, step: Step, match: Match, share: float) -> Event:
        view = match.view
        seat = step.seat if step.hand is not None or step.seat != view.turn else None
        maybe = tuple(one for one in step.maybe if one in match.possible) or step.maybe
        sure = share >= self.p.sure and (step.card is not None or step.at is not None)
        return Play(step.card, seat, 1.0, step.early, () if step.card else maybe, order_sure=sure)

    def _number_of(self, uid: int, best: History, place: int) -> int | None:
        """The event that laid a card."""
        for one, told in zip(reversed(best.steps[:place]), reversed(self._told[:place]), strict=True):
            if one.kind == LAY and one.uid == uid:
                return told.number
        return self._numbers.get(uid)

    @staticmethod
    def _accuses(match: Match, event: Event) -> bool:
        if not isinstance(event, Play | Deal | Taken | TurnUpSeen | Pillage):
            return False
        return any(one.level == ALERT for one in match.preview(event))

    def _innocent(self, event: Event, match: Match) -> Event | None:
        """The same, said so that it accuses nobody."""
        if isinstance(event, Taken):
            return None
        if isinstance(event, Deal):
            return VoidDeal(0.5)
        if isinstance(event, Play):
            ways = [
                Play(event.card, event.seat, event.confidence, candidates=event.candidates, order_sure=False),
                Play(event.card, None, event.confidence, candidates=event.candidates, order_sure=False),
                Play(None, None, 1.0, candidates=(event.card,) if event.card else (), order_sure=False),
                Play(None, None, 1.0, order_sure=False),
            ]
            return next((way for way in ways if not self._accuses(match, way)), ways[-1])
        return event if not isinstance(event, TurnUpSeen) else None

    def _learn(self, step: Step, share: float) -> None:
        """A play whose seat is known shows where that player's arm comes from."""
        hand = self._hands.get(step.hand) if step.hand is not None else None
        if step.kind == LAY and step.seat is not None and hand and step.at and share >= self.p.settled:
            self._arms.learn(step.seat, Laying(step.at, 0.3, (hand,)))

    def _taken(self, step: Step, match: Match) -> Event | None:
        """Where the trick came to rest tells who took it; if that cannot be told, the winner did."""
        winner = match.view.last_winner
        edge = self._packets_since(step)
        if not match.view.trick or len(match.view.trick) < self.game.players:
            return None
        if len(edge) != 1:
            return None if winner is None else Taken(winner)
        return self._piles.taken(edge[0], self._arms.before(direction_deg(edge[0])), winner)

    def _pillager(self, step: Step, match: Match) -> int | None:
        """Who took the turned-up card, if that is clear. An ace is the dealer's; the dealer turns the next card up, so
        a lone hand may be his."""
        dealer, rest = match.view.dealer, self._at_rest.get(step.rest)
        if step.card and rank_of(step.card) == self.game.ranks[0] and dealer is not None:
            return dealer
        seats = [self._arms.before(rest.hands[one].angle_deg) for one in rest.new] if rest else []
        if not seats or None in seats:
            return None
        by_another = len(set(seats)) > 1 or (dealer is not None and seats[0] != dealer)
        return seats[0] if by_another else None

    # -- putting right -----------------------------------------------------------------------------------------------

    def _put_right(self, best: History, place: int, match: Match) -> Event | None:
        """What was told is not what happened after all."""
        told = self._told[place]
        now = best.steps[place] if place < len(best.steps) else None
        upto = place + 1 if now is not None else place
        if self._share(best.steps[:upto]) < self.p.repair or (now is not None and not self._looked_enough(now)):
            return None
        if now is not None and now.kind == told.step.kind == LAY and told.number is not None:
            changes: dict[str, object] = {}
            if now.card != told.step.card and now.card is not None:
                changes["card"] = now.card
            elif now.seat != told.step.seat and now.card == told.step.card:
                changes["seat"] = now.seat
            if changes and (now.trick == told.step.trick):
                self._told[place] = _Told(now, told.number)
                return Correct(told.number, changes)
        if now is not None and now.kind == told.step.kind == DEAL and told.number is not None and now.card:
            self._told[place] = _Told(now, told.number)
            return Correct(told.number, {"turn_up": now.card})
        lies = {one["number"] for one in (match.view.trick or ())}
        if all(one.number is None for one in self._told[place:]):
            self._told = self._told[:place]
            return None
        wrong = [one for one in self._told[place:] if one.number is not None]
        laid = all(one.step.kind == LAY and one.number in lies for one in wrong)
        if not laid and not (len(wrong) == 1 and wrong[0].number == len(match.log)):
            return None  # It cannot all be taken back: it stands.
        while self._told[-1].number is None:
            self._told.pop()
        last = self._told.pop()
        return TakenBack(last.number or 0) if laid else Undo()

    def _trim(self) -> None:
        """What lies two tricks back is as it was told: accounts that say otherwise are dropped."""
        limit = self.beam[0].serial - 1
        told = [one for one in self._told if one.step.trick < limit]
        if not told or any(one.trick < limit for one in self.beam[0].steps[len(told) :]):
            return
        for one in told:
            if one.number is not None:
                self._numbers[one.step.uid] = one.number
        self._told = self._told[len(told) :]
        keys = [one.step.key for one in told]
        if not any(_begins(one, keys, limit) for one in self.beam):
            keys = [one.key for one in self.beam[0].steps if one.trick < limit]
        kept = sum(math.exp(one.logp) for one in self.beam if _begins(one, keys, limit))
        self._dropped = max(self._dropped / 2, 1 - kept)
        self.beam = _cut(self.beam, keys, limit)
        self._base = _cut(self._base, keys, limit)
        self._futures = _cut(self._futures, keys, limit)
        if not self._base:
            self._base, self._futures = self.beam, []
            self._rest = None

    # -- what is going on --------------------------------------------------------------------------------------------

    def _say_situation(self, match: Match) -> None:
        best, rest = self.beam[0], self._rest
        assert rest is not None
        self.situation = WATCHING
        if best.phase == WAITING:
            self.situation = BETWEEN_DEALS if match.view.phase != "waiting_for_deal" else WAITING_FOR_DEAL
            return
        seen = rest.looks[-1]
        known = best.named() | {best.turn_up}
        inside = [
            card for card, one in seen.named.items() if card not in known and math.hypot(*one.at) < self._weigher.zone
        ]
        if sum(card in best.played for card in inside) > 1:
            self.situation = LOOKING_THROUGH
        elif len(inside) > self.game.players:
            self.situation = SCATTERED


def _surely(event: Event) -> Event:
    """The event, were nothing about it in doubt."""
    return replace(event, order_sure=True) if isinstance(event, Play) else event


def _same_hand(one: Hand, again: Hand) -> bool:
    """Whether two looks tell of one hand: it may have turned a little in between."""
    return abs(one.came_s - again.came_s) < 0.01 and abs(turned_deg(one.angle_deg, again.angle_deg)) < SAME_HAND_DEG


def _begins(one: History, keys: list[tuple[object, ...]], limit: int) -> bool:
    """Whether a history has just these steps before a trick."""
    return [step.key for step in one.steps if step.trick < limit] == keys


def _cut(histories: Iterable[History], keys: list[tuple[object, ...]], limit: int) -> list[History]:
    """The histories that begin so, without that beginning."""
    return [
        one._replace(steps=tuple(step for step in one.steps if step.trick >= limit))
        for one in histories
        if _begins(one, keys, limit)
    ]
