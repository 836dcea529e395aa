"""What the eye hands over beside what truly happened, counted: where priors and miss rates come from.

python -m tools.count_looks FOLDER/*.jsonl            the counts of all these evenings together
python -m tools.count_looks --plays FOLDER/*.jsonl    a line for each card: seen when, where, with which hand

Takes files that tools/looks_file.py recorded. Of films it is known what happened and when; of our own evenings
also what lay where in each frame, and how many of its indices showed.
"""

import argparse
import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, inf
from pathlib import Path
from statistics import median, pstdev
from typing import Any

from engine.cards import Card
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.sightings import CardLying, Hand, Point, TableLook, turned_deg
from tools.looks_file import Recorded, read_looks

AWAY_S = 0.4
"""A hand that left so long before a card landed, or came so long after, did not lay it: rounding and tracking."""
OVER_S = 0.15
"""The same, of a hand of which nothing else is known: a frame and a half."""
SWEEP_S = 1.3
"""Of our own evenings, a trick is gone from its place so long before it rests with its taker."""
SAME_PLACE = 0.5
"""Card lengths within which two middles may be one card's."""
IN_PLAY = ("trick", "turn_up")


@dataclass(frozen=True)
class PlayHappened:
    """A card that truly was played: when it landed, and until when it lay there."""

    at_s: float
    until_s: float
    next_s: float
    seat: int
    card: Card


@dataclass(frozen=True)
class Act:
    """What a hand truly did."""

    at_s: float
    what: str
    seat: int | None


def _acts(recorded: Recorded) -> list[Act]:
    acts = []
    for happening in recorded.truth["happened"]:
        if isinstance(happening, dict):
            acts.append(
                Act(float(happening["at_s"]), happening["event"], happening.get("seat", happening.get("dealer")))
            )
        else:
            seat = next((int(part) for part in happening[2:] if str(part).isdecimal()), None)
            acts.append(Act(float(happening[0]), happening[1], seat))
    return acts


def plays_of(recorded: Recorded) -> list[PlayHappened]:
    """Every card played, in order."""
    told, ends = [], []
    for happening in recorded.truth["happened"]:
        if isinstance(happening, dict):
            if happening["event"] == "play":
                told.append((float(happening["at_s"]), int(happening["seat"]), str(happening["card"])))
            elif happening["event"] == "taken":
                ends.append(float(happening["at_s"]) - SWEEP_S)
        elif happening[1] == "play":
            told.append((float(happening[0]), int(happening[2]), str(happening[3])))
        elif happening[1] == "sweep":
            ends.append(float(happening[0]))
    plays = []
    for place, (at_s, seat, card) in enumerate(told):
        until_s = min((end for end in ends if end > at_s), default=at_s + 30.0)
        next_s = told[place + 1][0] if place + 1 < len(told) else inf
        plays.append(PlayHappened(at_s, until_s, next_s, seat, card))
    return plays


@dataclass(frozen=True)
class PlaySeen:
    """How one play was handed over."""

    play: PlayHappened
    first_s: float | None
    """So long after it landed it was first named."""
    in_glance: bool
    """That was in a glance."""
    looks: int
    named: int
    """Of so many looks while it lay there, those that named it."""
    jump: float
    """Card lengths between the two places farthest apart where it was told to lie."""
    hand_off_deg: float | None
    """How far the best hand of its time came from beside its seat; None: there was none."""
    hands: int


def seen_of(recorded: Recorded) -> list[PlaySeen]:
    """How each play was handed over."""
    seats = _seats_deg(recorded)
    hands = [hand for look in recorded.looks for hand in look.hands]
    return [_seen(recorded.looks, played, hands, seats[played.seat]) for played in plays_of(recorded)]


def _seats_deg(recorded: Recorded) -> list[float]:
    judge = Match(recorded.game, recorded.players).judge
    assert isinstance(judge, CardJudge)
    step = 360 / recorded.players * (1 if judge.game.clockwise else -1)
    return [seat * step % 360 for seat in range(recorded.players)]


def _seen(looks: Sequence[TableLook], play: PlayHappened, hands: Sequence[Hand], seat_deg: float) -> PlaySeen:
    during = [look for look in looks if play.at_s <= look.at_s <= play.until_s]
    sightings = [(look.at_s, lying, False) for look in looks for lying in look.cards]
    sightings += [(glance.at_s, lying, True) for look in looks for glance in look.glances for lying in glance.cards]
    mine = [
        (at_s, lying, glance)
        for at_s, lying, glance in sightings
        if lying.card == play.card and play.at_s - 0.1 <= at_s <= play.until_s + 0.2
    ]
    mine.sort(key=lambda told: told[0])
    length = during[0].card_length if during else 0.3
    places = [check.at for _, check, _ in mine]
    near = [hand for hand in hands if hand.came_s <= play.at_s + AWAY_S and hand.left_s >= play.at_s - AWAY_S]
    return PlaySeen(
        play,
        mine[0][0] - play.at_s if mine else None,
        bool(mine) and mine[0][2],
        len(during),
        sum(any(lying.card == play.card for lying in look.cards) for look in during),
        max((dist(a, b) for a in places for b in places), default=0.0) / length,
        min((abs(turned_deg(hand.angle_deg, seat_deg)) for hand in near), default=None),
        len(near),
    )


@dataclass
class Counts:
    """Sums over many evenings."""

    of: Counter[str] = field(default_factory=Counter)
    off: dict[str, list[float]] = field(default_factory=dict)

    def add(self, what: str, value: float) -> None:
        self.off.setdefault(what, []).append(value)

    def rate(self, what: str, among: str) -> str:
        count, owed = self.of[what], self.of[among]
        return f"{count / owed if owed else 0.0:.4f}  ({count} of {owed})"

    def spread(self, what: str) -> str:
        values = sorted(self.off.get(what, [0.0]))
        part = [values[min(len(values) - 1, int(q * len(values)))] for q in (0.5, 0.9, 0.99)]
        return "median {:.3f}, 90 % {:.3f}, 99 % {:.3f}".format(*part) + f", sd {pstdev(values):.3f}  ({len(values)})"


def count(recorded: Recorded, counts: Counts) -> None:
    """Adds an evening to the sums."""
    _count_plays(recorded, counts)
    _count_acts(recorded, counts)
    _count_hands(recorded, counts)
    if recorded.truth.get("lies"):
        _count_readings(recorded, counts)


def _count_plays(recorded: Recorded, counts: Counts) -> None:
    for seen in seen_of(recorded):
        counts.of["plays"] += 1
        counts.of["play never named"] += seen.first_s is None
        counts.of["play first named in a glance"] += seen.in_glance
        counts.of["place jumped by over a quarter card"] += seen.jump > 0.25
        counts.of["play without a hand"] += seen.hand_off_deg is None
        if seen.first_s is not None:
            counts.add("seconds from landing to first named", seen.first_s)
            counts.of["play first named after the next landed"] += seen.play.at_s + seen.first_s >= seen.play.next_s


def _count_acts(recorded: Recorded, counts: Counts) -> None:
    """How much happens between two looks of which each follows a touch."""
    acts = _acts(recorded)
    fresh = [look.at_s for look in recorded.looks if look.fresh]
    for begin, end in pairwise(fresh):
        within = [act for act in acts if begin < act.at_s <= end]
        counts.of["fresh looks"] += 1
        counts.of[f"plays before a fresh look: {min(4, sum(act.what == 'play' for act in within))}"] += 1
        counts.of["taken before a fresh look"] += any(act.what == "taken" for act in within)
        counts.of["nothing happened before a fresh look"] += not within
    for act in acts:
        counts.of[f"truly {act.what}"] += 1


def _count_hands(recorded: Recorded, counts: Counts) -> None:
    """Which hands belong to something that was done, and from where those come that laid a card."""
    acts, seats = _acts(recorded), _seats_deg(recorded)
    plays = plays_of(recorded)
    for look in recorded.looks:
        for hand in look.hands:
            counts.of["hands"] += 1
            busy = any(hand.came_s - AWAY_S <= act.at_s <= hand.left_s + 2 * AWAY_S for act in acts)
            counts.of["hands that did nothing"] += not busy
            laid = [played for played in plays if hand.came_s - OVER_S <= played.at_s <= hand.left_s + OVER_S]
            if len(laid) != 1 or _others_near(look.hands, hand, laid[0].at_s):
                continue
            off = turned_deg(hand.angle_deg, seats[laid[0].seat])
            counts.of["hands that laid one card"] += 1
            counts.add(f"degrees off its seat, {recorded.players} players", abs(off))
            nearest = min(range(len(seats)), key=lambda seat: abs(turned_deg(hand.angle_deg, seats[seat])))
            away = min((nearest - laid[0].seat) % len(seats), (laid[0].seat - nearest) % len(seats))
            counts.of[f"nearest seat is so many beside the right one: {away}"] += 1


def _others_near(hands: Sequence[Hand], mine: Hand, at_s: float) -> bool:
    return any(hand is not mine and hand.came_s - AWAY_S <= at_s <= hand.left_s + AWAY_S for hand in hands)


@dataclass(frozen=True)
class _Lies:
    card: Card
    at: Point
    kind: str
    shows: int


class _Truth:
    """What lay there, by time."""

    def __init__(self, told: Sequence[Any]) -> None:
        self._times = [float(glance["at_s"]) for glance in told]
        self._lies = [
            tuple(_Lies(card, (x, y), kind, shows) for card, x, y, kind, shows in glance["cards"]) for glance in told
        ]

    def at(self, at_s: float) -> tuple[_Lies, ...]:
        place = bisect_right(self._times, at_s + 1e-6) - 1
        return self._lies[place] if place >= 0 else ()


def _count_readings(recorded: Recorded, counts: Counts) -> None:
    truth = _Truth(recorded.truth["lies"])
    before: dict[Card, str] = {}
    for look in recorded.looks:
        lies = truth.at(look.at_s)
        now = dict(_read(look.cards, lies, look.card_length, look.hidden))
        for how in now.values():
            counts.of[how] += 1
            counts.of[how.split(":")[0]] += 1
        for card, how in now.items():
            if not look.fresh and card in before:
                counts.of[f"again: {before[card]}"] += 1
                counts.of[f"again: {before[card]} and so again"] += before[card] == how
        before = now
        _count_places(look.cards, lies, look.card_length, counts)
        for glance in look.glances:
            lay = truth.at(glance.at_s)
            names = {lying.card for lying in lay}
            counts.of["glances"] += 1
            counts.of["glances that name a card of those that lie there"] += any(
                lying.card in names for lying in glance.cards
            )
            for lying in glance.cards:
                if lying.card is not None:
                    counts.of["cards named in glances"] += 1
                    counts.of["cards named in glances that do not lie there"] += lying.card not in names


def _read(
    seen: Sequence[CardLying], lies: Sequence[_Lies], length: float, hidden: Sequence[Card]
) -> Iterator[tuple[Card, str]]:
    """Of each card in play that truly lies there: how it was read."""
    names = {lying.card for lying in seen}
    there = {lying.card for lying in lies}
    for lying in lies:
        if lying.kind not in IN_PLAY or lying.card in hidden:
            continue
        open_or = "covered" if not lying.shows else "one index" if lying.shows == 1 else "open"
        near = [other for other in seen if dist(other.at, lying.at) < SAME_PLACE * length]
        if lying.card in names:
            how = "named"
        elif any(other.card is None for other in near):
            right = any(lying.card in other.candidates for other in near if other.card is None)
            how = "unsure, the truth among the candidates" if right else "unsure, the truth not among the candidates"
        elif any(other.card is not None and other.card not in there for other in near):
            how = "named another"
        else:
            how = "missed"
        yield lying.card, f"{open_or}: {how}"


def _count_places(seen: Sequence[CardLying], lies: Sequence[_Lies], length: float, counts: Counts) -> None:
    at = {lying.card: lying.at for lying in lies}
    for lying in seen:
        if lying.card is None:
            counts.of["things that cannot be read"] += 1
            counts.of["things that cannot be read where no card lies"] += all(
                dist(lying.at, place) > length for place in at.values()
            )
        elif lying.card in at:
            kind = (
                "card lengths off its place, outline known" if lying.outlined else "card lengths off its place, guessed"
            )
            counts.add(kind, dist(lying.at, at[lying.card]) / length)
        else:
            counts.of["named and not there at all"] += 1
        counts.of["things seen"] += 1


# -- what is printed -------------------------------------------------------------------------------------------------


def lines(counts: Counts) -> Iterator[str]:
    """All that was counted."""
    yield "plays"
    for what in ("play never named", "play first named in a glance", "play first named after the next landed",
                 "place jumped by over a quarter card", "play without a hand"):  # fmt: skip
        yield f"  {what}: {counts.rate(what, 'plays')}"
    yield "rests"
    for number in range(5):
        what = f"plays before a fresh look: {number}"
        yield f"  {what}: {counts.rate(what, 'fresh looks')}"
    for what in ("taken before a fresh look", "nothing happened before a fresh look"):
        yield f"  {what}: {counts.rate(what, 'fresh looks')}"
    for what in sorted(counted for counted in counts.of if counted.startswith("truly ")):
        yield f"  {what}: {counts.of[what]}"
    yield "hands"
    yield f"  hands that did nothing: {counts.rate('hands that did nothing', 'hands')}"
    for what in sorted(counted for counted in counts.of if counted.startswith("nearest seat")):
        yield f"  {what}: {counts.rate(what, 'hands that laid one card')}"
    yield "readings, of each look and each card in play"
    for how in ("open", "one index", "covered"):
        for what in sorted(counted for counted in counts.of if counted.startswith(f"{how}: ")):
            yield f"  {what}: {counts.rate(what, how)}"
    yield "and at the next look of the same rest"
    for what in sorted(
        counted for counted in counts.of if counted.startswith("again: ") and not counted.endswith(" and so again")
    ):
        yield f"  {what.removeprefix('again: ')} again: {counts.rate(what + ' and so again', what)}"
    yield "others"
    for what, among in (
        ("named and not there at all", "things seen"),
        ("things that cannot be read where no card lies", "things that cannot be read"),
        ("cards named in glances that do not lie there", "cards named in glances"),
        ("glances that name a card of those that lie there", "glances"),
    ):
        yield f"  {what}: {counts.rate(what, among)}"
    yield "how far"
    for what in sorted(counts.off):
        yield f"  {what}: {counts.spread(what)}"


def play_line(seen: PlaySeen) -> str:
    """A line about seen card."""
    first = "never" if seen.first_s is None else f"{seen.first_s:5.2f} s{' in a glance' if seen.in_glance else ''}"
    hand = "no hand" if seen.hand_off_deg is None else f"hand {seen.hand_off_deg:3.0f} deg off, of {seen.hands}"
    marks = [
        mark
        for mark, holds in (
            ("AFTER THE NEXT", seen.first_s is not None and seen.play.at_s + seen.first_s >= seen.play.next_s),
            ("JUMPED", seen.jump > 0.25),
        )
        if holds
    ]
    lay_s = seen.play.until_s - seen.play.at_s
    return (
        f"{seen.play.at_s:8.1f} seat {seen.play.seat} {seen.play.card:3} lay {lay_s:5.1f} s, named after {first}, "
        f"in {seen.named} of {seen.looks} looks, jump {seen.jump:.2f}, {hand} {' '.join(marks)}"
    )


def summary(name: str, seen: Iterable[PlaySeen]) -> str:
    """One line about an evening."""
    seen = list(seen)
    late = sum(play.first_s is not None and play.play.at_s + play.first_s >= play.play.next_s for play in seen)
    jumped, handless = sum(play.jump > 0.25 for play in seen), sum(play.hand_off_deg is None for play in seen)
    firsts = [play.first_s for play in seen if play.first_s is not None]
    return (
        f"{name}: {len(seen)} plays, never named {sum(play.first_s is None for play in seen)}, after the next "
        f"{late}, jumped {jumped}, no hand {handless}, first named "
        f"after {median(firsts) if firsts else 0.0:.2f} s in the median"
    )


def main() -> None:
    """Counts."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--plays", action="store_true", help="a line for each card played")
    ask.add_argument("--json", action="store_true", help="all sums as JSON")
    ask.add_argument("files", nargs="+", type=Path)
    args = ask.parse_args()
    counts = Counts()
    for path in args.files:
        recorded = read_looks(path)
        count(recorded, counts)
        if args.plays:
            seen = seen_of(recorded)
            print("\n".join(map(play_line, seen)))
            print(summary(recorded.name, seen), flush=True)
    if args.json:
        print(json.dumps({"counts": counts.of, "spreads": {what: counts.spread(what) for what in counts.off}}))
    elif not args.plays:
        print("\n".join(lines(counts)))


if __name__ == "__main__":
    main()
