"""Proving a revoke from the cards on the table alone.

Every card came to its player in the deal or in one draw (a slot). A play off the led suit (or too low, or not a
trump) is a claim: none of the cards that would have made it illegal was in the hand. The history is innocent exactly
when cards and slots still match perfectly under all claims. Nothing here looks at confidence or at the state of the
table: the caller decides what is sure enough to be told.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import NamedTuple

from engine.cards import Card
from engine.rules.tricks import DUTIES, NO_CARDS, TrickGame

Claim = tuple[int, int]
"""Seat and trick (from 1)."""

MANY_READINGS = 64
"""Readings of the unread cards up to which each is tried; beyond, any unseen card may be any of them, which only ever
saves too many. 64 keeps the worst deal near 10 ms on a laptop."""

MANY_EXPLANATIONS = 600
"""Sets of claims looked through before giving up: some 0.1 s on a laptop. The dearest of the vectors takes 10."""


class Shown(NamedTuple):
    """A card in a trick, in the order played. seat None: open; card None: could not be read, and may be any card that
    was seen nowhere. What an eye took it for is a guess, and no proof rests on one."""

    seat: int | None
    card: Card | None
    free: bool = False
    """Played in circumstances that bind to nothing, like a card that stayed while the lead under it was taken back."""


@dataclass(frozen=True)
class Outside:
    """Cards that went other ways than deal, stock and play.

    turn_up: the card face up under the stock. turn_up_went_to: who took turned-up cards (taken) and paid with cards, of
    which paid were seen and paid_unseen were not.
    """

    turn_up: Card | None = None
    last_drawer: int | None = None
    """Who took the turn-up as the last of the stock, once that is known."""
    turn_up_went_to: int | None = None
    taken: tuple[Card, ...] = ()
    paid: tuple[Card, ...] = ()
    paid_unseen: int = 0
    tricks_unseen: int = 0
    """Tricks that may have gone by unseen, anywhere among those seen: cards that nobody saw may have been played in
    them, and more was drawn by then."""


class Evidence(NamedTuple):
    """What stands against one claim: the card refused with, what gives it away, and the duty broken."""

    claim: Claim
    card: Card
    shown: tuple[Card, ...]
    """Cards each of which gives it away by itself: the same seat played them later."""
    duty: str
    among: tuple[Card, ...] = ()
    """Where no card does so by itself: of these, one at least was in the hand, for the others had not the room."""


@dataclass(frozen=True)
class Verdict:
    """What the cards prove. No explanations: nothing."""

    explanations: tuple[tuple[Claim, ...], ...] = ()
    """The smallest sets of claims one of which must be false."""
    certain: tuple[Claim, ...] = ()
    """Claims that are false whatever else is true: every explanation of any size holds them."""
    evidence: tuple[Evidence, ...] = ()
    """One for each claim in question: one of these at least is false. Where all explanations could be looked through,
    these are the claims of all of them that hold no claim too many."""
    guilty: frozenset[int] = frozenset()
    """Seats of which every explanation holds a claim."""
    guilty_sides: frozenset[int] = frozenset()
    """The same of sides."""


INNOCENT = Verdict()

Claims = Mapping[Claim, frozenset[Card]]
"""Each claim with the cards it says were not in the hand."""


def prove(game: TrickGame, trump: str, tricks: Sequence[Sequence[Shown]], outside: Outside) -> Verdict:
    """The verdict after these tricks. An unread card is somebody's card still: any reading may save everybody."""
    history = _History(game, trump, tricks, outside)
    if not history.unread:
        return _verdict(history, MANY_EXPLANATIONS) or INNOCENT
    readings = history.readings()
    if readings is None:
        return _verdict(history, MANY_EXPLANATIONS) or INNOCENT
    verdicts = []
    for reading in readings:
        verdict = _verdict(_History(game, trump, reading, outside), 0)
        if verdict is None:
            continue
        if not verdict.explanations:
            return INNOCENT
        verdicts.append(verdict)
    return _in_all(verdicts) if verdicts else INNOCENT


def _verdict(history: "_History", look_further: int) -> Verdict | None:
    """The verdict on one history; None if no deal at all leads to it (a card twice): not a matter of duties.

    look_further: sets of claims to look through for explanations that are not the smallest.
    """
    claims = history.claims
    if history.innocent(claims):
        return INNOCENT
    if not history.innocent({}):
        return None
    found, all_found = history.explanations(look_further)
    if not found:
        return INNOCENT
    fewest = len(found[0])
    smallest = tuple(sorted(hands for hands in found if len(hands) == fewest))
    certain = tuple(sorted(claim for claim in smallest[0] if not history.innocent({claim: claims[claim]})))
    rests = _what_else(history, found, all_found)
    evidence = tuple(history.evidence(claim, rests[claim]) for claim in sorted(rests))
    return Verdict(smallest, certain, evidence, *_guilty(history))


def _what_else(history: "_History", found: Sequence[tuple[Claim, ...]], all_found: bool) -> dict[Claim, Claims]:
    """For each claim that may be the false one, what else would have to be true for that."""
    rests = {claim: _without(history.claims, explanation) for explanation in reversed(found) for claim in explanation}
    if all_found:
        return rests
    conflict = history.conflict()
    return {claim: _without(conflict, (claim,)) for claim in conflict} | rests


def _guilty(history: "_History") -> tuple[frozenset[int], frozenset[int]]:
    """The seats, and the sides, whose own claims cannot all be true."""
    sides = history.game.sides
    seats = frozenset(seat for seat in range(len(sides)) if not history.innocent(_of(history.claims, [seat])))
    of_side = {side: [seat for seat, own in enumerate(sides) if own == side] for side in sides}
    return seats, frozenset(
        side for side, members in of_side.items() if not history.innocent(_of(history.claims, members))
    )


def _in_all(verdicts: Sequence[Verdict]) -> Verdict:
    """What holds whichever of several readings is the true one."""
    fewest = min(len(verdict.explanations[0]) for verdict in verdicts)
    smallest = {
        explanation for verdict in verdicts for explanation in verdict.explanations if len(explanation) == fewest
    }
    told: dict[Claim, list[Evidence]] = {}
    for verdict in verdicts:
        for evidence in verdict.evidence:
            told.setdefault(evidence.claim, []).append(evidence)
    return Verdict(
        tuple(sorted(smallest)),
        tuple(sorted(set(verdicts[0].certain).intersection(*(verdict.certain for verdict in verdicts)))),
        tuple(_shared_evidence(told[claim]) for claim in sorted(told)),
        verdicts[0].guilty.intersection(*(verdict.guilty for verdict in verdicts)),
        verdicts[0].guilty_sides.intersection(*(verdict.guilty_sides for verdict in verdicts)),
    )


def _shared_evidence(told: Sequence[Evidence]) -> Evidence:
    """What stands against one claim in every reading."""
    first = told[0]._replace(duty=max((evidence.duty for evidence in told), key=DUTIES.index))
    shown = tuple(card for card in first.shown if all(card in evidence.shown for evidence in told))
    if shown:
        return first._replace(shown=shown)
    among = {card for evidence in told for card in (*evidence.shown, *evidence.among)}
    return first._replace(shown=(), among=tuple(sorted(among)))


def _without(claims: Claims, dropped: Iterable[Claim]) -> Claims:
    return {claim: owed for claim, owed in claims.items() if claim not in dropped}


def _of(claims: Claims, seats: Sequence[int]) -> Claims:
    return {claim: owed for claim, owed in claims.items() if claim[0] in seats}


class _Play(NamedTuple):
    trick: int
    seat: int | None
    card: Card | None


class _History:
    """One deal so far, as cards, slots and claims. Slots are bits of an int."""

    def __init__(self, game: TrickGame, trump: str, tricks: Sequence[Sequence[Shown]], outside: Outside) -> None:
        self.game = game
        self.trump = trump
        self.outside = outside
        self.tricks = tricks
        self.plays = [_Play(number, play.seat, play.card) for number, trick in enumerate(tricks, 1) for play in trick]
        seen = {play.card for play in self.plays if play.card is not None}
        self.unread = [play for play in self.plays if play.card is None]
        out = set(outside.paid)
        if game.draws == 0 and outside.turn_up is not None:
            out.add(outside.turn_up)
        self.cards = [card for card in game.pack if card not in out]
        self.unseen = [card for card in self.cards if card not in seen]
        self.claims: dict[Claim, frozenset[Card]] = {}
        self._duties: dict[Claim, tuple[tuple[Card, ...], Card]] = {}
        self._innocent: dict[frozenset[tuple[Claim, frozenset[Card]]], bool] = {}
        """What was asked before: whether these claims can all be true."""
        self._read_claims()
        self._lay_slots()

    def _read_claims(self) -> None:
        for number, trick in enumerate(self.tricks, 1):
            for place, play in enumerate(trick):
                if play.card is None or play.seat is None or play.free or place == 0:
                    continue
                owed = self._owed(trick[:place], play.card, number)
                if owed:
                    self.claims[play.seat, number] = owed
                    before = tuple(earlier.card for earlier in trick[:place] if earlier.card is not None)
                    before = before if trick[0].card is not None else ()
                    self._duties[play.seat, number] = (before, play.card)

    def _owed(self, before: Sequence[Shown], card: Card, trick: int) -> frozenset[Card]:
        """The forbidden cards, whatever the unread cards before it may be."""
        if all(play.card is not None for play in before):
            return self.game.forbidden([play.card for play in before if play.card is not None], card, self.trump, trick)
        choices = [(play.card,) if play.card else tuple(self.unseen) for play in before]
        size = 1
        for choice in choices:
            size *= len(choice)
        if size > MANY_READINGS:
            return NO_CARDS
        owed: frozenset[Card] | None = None
        for cards in product(*choices):
            one_owed = self.game.forbidden(cards, card, self.trump, trick)
            owed = one_owed if owed is None else owed & one_owed
            if not owed:
                break
        return owed or NO_CARDS

    def _lay_slots(self) -> None:
        game, outside = self.game, self.outside
        bit = 0

        def take(count: int) -> int:
            nonlocal bit
            bits = ((1 << count) - 1) << bit
            bit += count
            return bits

        self.slots = [[take(game.hand)] + [take(1) for _ in range(game.draws)] for _ in range(game.players)]
        self.payment = take(outside.paid_unseen)
        self.nobody = take(len(self.cards) - bit) if len(self.cards) > bit else 0
        self._end = game.draws + 1
        self._anywhere = (1 << bit) - 1
        self.holder: dict[tuple[int, int, int], int] = {}
        """The slots of a seat from draw t on and before trick k, by (seat, t, k)."""
        for seat, own in enumerate(self.slots):
            for first in range(self._end + 1):
                bits = 0
                for before in range(first, self._end + 1):
                    self.holder[seat, first, before] = bits
                    if before < self._end:
                        bits |= own[before]

    def edges(self, active: Claims) -> dict[Card, int]:
        """The slots each card may have come through, under these claims."""
        players = range(self.game.players)
        owed_by_any = NO_CARDS.union(*active.values())
        unseen = [card for card in self.unseen if card in owed_by_any]
        """Of the others no claim says anything: they may be anywhere."""
        since: list[dict[Card, int]] = [{} for _ in players]
        unread_bits = dict.fromkeys(unseen, self.nobody | self.payment)
        edges = dict.fromkeys(self.unseen, self._anywhere)
        for trick, seat, card in self.plays:
            seats = players if seat is None else (seat,)
            before = min(trick + self.outside.tricks_unseen, self._end)
            if card is None:
                for maybe in unseen:
                    unread_bits[maybe] |= self._held(maybe, seats, since, before)
                continue
            edges[card] = edges.get(card, -1) & self._held(card, seats, since, before)
            if seat is not None:
                for owed in active.get((seat, trick), NO_CARDS):
                    since[seat][owed] = trick
        if self.outside.tricks_unseen:
            since = [{} for _ in players]
        for card in unseen:
            edges[card] = unread_bits[card] | self._held(card, players, since, self._end)
        self._seen_go(edges)
        return {card: edges[card] for card in self.cards}

    def _held(self, card: Card, seats: Iterable[int], since: Sequence[Mapping[Card, int]], before: int) -> int:
        """The slots of these seats that a card may have come through before a draw. since: in which trick each seat
        said last that it does not hold a card."""
        bits = 0
        for seat in seats:
            bits |= self.holder[seat, min(since[seat].get(card, 0), before), before]
        return bits

    def _seen_go(self, edges: dict[Card, int]) -> None:
        """Keeps the cards that everybody saw go somewhere to where they went: the turned-up one, and what a pillager
        took."""
        game, outside = self.game, self.outside
        if game.draws and outside.turn_up is not None:
            drawers = range(game.players) if outside.last_drawer is None else (outside.last_drawer,)
            bits = 0
            for drawer in drawers:
                bits |= self.slots[drawer][game.draws]
            edges[outside.turn_up] = edges.get(outside.turn_up, -1) & bits
        if outside.turn_up_went_to is not None:
            own = self.slots[outside.turn_up_went_to][0] | self.payment
            for card in outside.taken:
                if card in edges:
                    edges[card] &= own

    @cached_property
    def _unbound(self) -> dict[Card, int]:
        """The slots of each card if no play claimed anything."""
        return self.edges({})

    def innocent(self, claims: Claims) -> bool:
        key = frozenset(claims.items())
        if key not in self._innocent:
            self._innocent[key] = _violation(self.edges(claims)) is None
        return self._innocent[key]

    def readings(self) -> Iterable[Sequence[Sequence[Shown]]] | None:
        """These tricks with every possible reading of the unread cards; None: too many."""
        if math.perm(len(self.unseen), len(self.unread)) > MANY_READINGS:
            return None
        return map(self._read_as, permutations(self.unseen, len(self.unread)))

    def _read_as(self, cards: Iterable[Card]) -> Sequence[Sequence[Shown]]:
        left = iter(cards)
        return [
            [play if play.card is not None else Shown(play.seat, next(left), free=True) for play in trick]
            for trick in self.tricks
        ]

    def explanations(self, look_further: int) -> tuple[list[tuple[Claim, ...]], bool]:
        """Sets of claims without which the history is innocent, none of them holding a claim too many, found by
        branching on violations: all the smallest, then larger ones while so many sets are looked through. And whether
        that is all there are.

        Empty if there would be too many to look through: that is a table misread, not one that anybody could explain.
        """
        level: set[frozenset[Claim]] = {frozenset()}
        found: list[tuple[Claim, ...]] = []
        tried = 0
        while level and tried + len(level) <= (look_further if found else MANY_EXPLANATIONS):
            tried += len(level)
            following: set[frozenset[Claim]] = set()
            fresh: list[frozenset[Claim]] = []
            for dropped in level:
                kept = _without(self.claims, dropped)
                violation = _violation(self.edges(kept))
                if violation is None:
                    fresh.append(dropped)
                else:
                    following.update(dropped | {claim} for claim in self._behind(violation, kept))
            found += sorted(tuple(sorted(cell)) for cell in fresh)
            level = {cell for cell in following if not any(cell.issuperset(explanation) for explanation in found)}
        return found, not level

    def conflict(self) -> Claims:
        """Claims that cannot all be true, none of them needless."""
        kept = self.claims
        for claim in self.claims:
            fewer = {cell: owed for cell, owed in kept.items() if cell != claim}
            if not self.innocent(fewer):
                kept = fewer
        return kept

    def _behind(self, violation: tuple[list[Card], int], kept: Claims) -> list[Claim]:
        """The claims that keep the cards of a violation inside too few slots: one of them must fall."""
        cards, reach = violation
        free = self._unbound
        behind = []
        for claim, owed in kept.items():
            seat, trick = claim
            before = self.holder[seat, 0, min(trick + self.outside.tricks_unseen, self._end)]
            for card in cards:
                if card in owed and free[card] & before & ~reach:
                    behind.append(claim)
                    break
        return behind

    def evidence(self, claim: Claim, rest: Claims) -> Evidence:
        """What shows that this claim is false if the rest is true: cards seen later from the same seat, each by
        itself; or cards for which there is too little room elsewhere."""
        seat, trick = claim
        before, card = self._duties[claim]
        owed = self.claims[claim]

        def tells(cards: Iterable[Card]) -> bool:
            return not self.innocent({**rest, claim: frozenset(cards)})

        def duty(held: Card) -> str:
            return self.game.duty(before, card, held, self.trump)

        later = [
            play.card
            for play in self.plays
            if play.card is not None and play.card in owed and play.seat == seat and play.trick > trick
        ]

        shown = [card for card in later if tells((card,))]
        among: Sequence[Card] = [] if shown else [*later, *sorted(owed.difference(later))]
        strongest = min(map(duty, (*shown, *among)), key=DUTIES.index)
        shown = [card for card in shown if duty(card) == strongest]
        strictly = [card for card in among if duty(card) == strongest]
        among = _no_fewer(strictly if tells(strictly) else among, tells)
        told = min(map(duty, (*shown, *among)), key=DUTIES.index)
        return Evidence(claim, card, tuple(shown), told, tuple(among))


def _no_fewer(cards: Sequence[Card], tells: Callable[[Sequence[Card]], bool]) -> Sequence[Card]:
    """As few of these cards as tell still."""
    for card in reversed(cards):
        fewer = [other for other in cards if other != card]
        if tells(fewer):
            cards = fewer
    return cards


def _violation(edges: dict[Card, int]) -> tuple[list[Card], int] | None:
    """None if every card finds a slot of its own; else cards and the slots they reach, which are too few."""
    holder: dict[int, Card] = {}
    place: dict[Card, int] = {}
    free = 0
    for bits in edges.values():
        free |= bits
    for card in sorted(edges, key=lambda card: edges[card].bit_count()):
        open_slots = edges[card] & free
        if open_slots:
            slot = open_slots & -open_slots
            holder[slot], place[card] = card, slot
            free ^= slot
            continue
        # No slot left: look for a chain of cards that can each move one on.
        reached = 0
        came_from: dict[int, Card] = {}
        queue = [card]
        for current in queue:
            fresh = edges[current] & ~reached
            reached |= fresh
            end = fresh & free
            if end:
                slot = end & -end
                free ^= slot
                mover = current
                while True:
                    left = place.get(mover)
                    holder[slot], place[mover] = mover, slot
                    if left is None:
                        break
                    slot, mover = left, came_from[left]
                break
            while fresh:
                slot = fresh & -fresh
                fresh ^= slot
                came_from[slot] = current
                queue.append(holder[slot])
        else:
            return queue, reached
    return None
