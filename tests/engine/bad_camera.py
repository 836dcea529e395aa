"""Honest play as a camera may tell it that misses much: whole tricks, who took them, who dealt, what was pillaged.

Nobody breaks a rule here, so no stream may accuse anybody. What a camera is held to: a card that it reads for sure lay
there; a seat that it names laid it; and of one trick it tells every card, if not which.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from engine.cards import FULL_PACK, JOKER, Card
from engine.events import Deal, Event, Pillage, Play, Taken, TakenBack, TurnUpSeen, VoidDeal
from engine.rules.tricks import TrickGame
from engine.simulate import honest_deal, plant

Trick = list[Event]
"""The plays of one trick and its taking, as far as they are told."""


@dataclass
class Told:
    """One deal in the making: what is told before its first trick, and its tricks."""

    begins: list[Event]
    tricks: list[Trick]
    dealer: int
    spared: frozenset[int] = frozenset()
    """Tricks (from 0) that are seen without a flaw: a planted fault rests on them."""

    def events(self) -> list[Event]:
        return [*self.begins, *(event for trick in self.tricks for event in trick)]


def of_deal(events: Sequence[Event]) -> Told:
    """A deal's events by trick: a taking ends one."""
    first = events[0]
    assert isinstance(first, Deal) and first.dealer is not None
    told = Told([], [[]], first.dealer)
    for event in events:
        if isinstance(event, Deal | Pillage) or (not told.tricks[-1] and not isinstance(event, Play | Taken)):
            (told.begins if len(told.tricks) == 1 and not told.tricks[0] else told.tricks[-1]).append(event)
            continue
        told.tricks[-1].append(event)
        if isinstance(event, Taken):
            told.tricks.append([])
    if not told.tricks[-1]:
        told.tricks.pop()
    return told


@dataclass
class BadCamera:
    """Tells deals with what it misses. kinds: what it may miss; how_much: of the places where it could, how often."""

    game: TrickGame
    rng: Random
    kinds: Iterable[str]
    how_much: float = 0.15
    outside: Sequence[Card] = field(init=False)
    """Cards of no use in this game."""

    def __post_init__(self) -> None:
        self.outside = [card for card in (*FULL_PACK, JOKER) if card not in self.game.whole_pack]
        self.kinds = [kind for kind in KINDS if kind in set(self.kinds)]

    def chance(self) -> bool:
        return self.rng.random() < self.how_much

    def tells(self, told: Told) -> list[Event]:
        for kind in self.kinds:
            KINDS[kind](self, told)
        told.tricks = [_as_they_lie(trick) for trick in told.tricks]
        return told.events()

    def open_tricks(self, told: Told) -> list[int]:
        return [number for number in range(len(told.tricks)) if number not in told.spared]

    def each_play(self, told: Told) -> Iterable[tuple[Trick, int, Play]]:
        for number in self.open_tricks(told):
            for place, event in enumerate(told.tricks[number]):
                if isinstance(event, Play):
                    yield told.tricks[number], place, event


def _as_they_lie(trick: Trick) -> Trick:
    """The first card of a trick that is told lies beside none that was told."""
    for place, event in enumerate(trick):
        if isinstance(event, Play):
            return [*trick[:place], replace(event, beside=False), *trick[place + 1 :]] if event.beside else trick
    return trick


def _trick_missing(camera: BadCamera, told: Told) -> None:
    for number in camera.open_tricks(told):
        if camera.chance():
            told.tricks[number] = []


def _trick_unread(camera: BadCamera, told: Told) -> None:
    """Its cards lay there; what they were, and who took it, was not seen."""
    for number in camera.open_tricks(told):
        if camera.chance():
            told.tricks[number] = [_not_read(camera, event) for event in told.tricks[number] if isinstance(event, Play)]


def _not_read(camera: BadCamera, event: Play) -> Play:
    listed = camera.rng.sample(camera.game.pack, 2) if camera.rng.random() < 0.5 else []
    return replace(event, card=None, candidates=tuple(listed))


def _trick_as_markers(camera: BadCamera, told: Told) -> None:
    for number in camera.open_tricks(told):
        if camera.chance():
            plays = [_as_marker(camera, event) for event in told.tricks[number] if isinstance(event, Play)]
            taken = [event for event in told.tricks[number] if isinstance(event, Taken)]
            told.tricks[number] = [*plays, *(taken if camera.rng.random() < 0.2 else ())]


def _as_marker(camera: BadCamera, event: Play) -> Play:
    if camera.rng.random() < 0.5:
        return replace(event, card=camera.rng.choice(camera.outside), confidence=0.5, candidates=())
    return replace(event, card=None, candidates=tuple(camera.rng.sample(camera.outside, 2)))


def _play_missing(camera: BadCamera, told: Told) -> None:
    """One play of a trick was not seen at all; that the trick was gathered was."""
    for number in camera.open_tricks(told):
        plays = [place for place, event in enumerate(told.tricks[number]) if isinstance(event, Play)]
        if len(plays) > 1 and len(plays) < len(told.tricks[number]) and camera.chance():
            del told.tricks[number][camera.rng.choice(plays)]


def _end_of_trick_unseen(camera: BadCamera, told: Told) -> None:
    """Some plays of a trick, mostly one, were not seen, nor that it was gathered."""
    for number in camera.open_tricks(told):
        if camera.chance():
            plays = [event for event in told.tricks[number] if isinstance(event, Play)]
            count = 1 if camera.rng.random() < 0.6 else camera.rng.randrange(1, camera.game.players)
            unseen = camera.rng.sample(plays, min(count, len(plays)))
            told.tricks[number] = [event for event in plays if event not in unseen]


def _card_unread(camera: BadCamera, told: Told) -> None:
    for trick, place, event in camera.each_play(told):
        if camera.chance():
            trick[place] = _not_read(camera, event)


def _card_unsure(camera: BadCamera, told: Told) -> None:
    """A wrong name, or the right one, not sure enough to count."""
    for trick, place, event in camera.each_play(told):
        if camera.chance():
            name = event.card if camera.rng.random() < 0.4 else camera.rng.choice(camera.game.pack)
            trick[place] = replace(event, card=name, confidence=0.6)


def _card_as_marker(camera: BadCamera, told: Told) -> None:
    for trick, place, event in camera.each_play(told):
        if camera.chance():
            trick[place] = _as_marker(camera, event)


def _markers_lie_there(camera: BadCamera, told: Told) -> None:
    for number in camera.open_tricks(told):
        trick = told.tricks[number]
        if trick and camera.chance():
            seat = camera.rng.choice([None, *range(camera.game.players)])
            marker = _as_marker(camera, Play(None, seat))
            trick.insert(camera.rng.randrange(len(trick) + 1), marker)


def _seat_missing(camera: BadCamera, told: Told) -> None:
    for trick, place, event in camera.each_play(told):
        if camera.chance():
            trick[place] = replace(event, seat=None)


def _order_unsure(camera: BadCamera, told: Told) -> None:
    """Two neighbours of a trick the other way round, or not; of the first to be told the order is not sure."""
    for number in camera.open_tricks(told):
        trick = told.tricks[number]
        plays = [place for place, card in enumerate(trick) if isinstance(card, Play)]
        if len(plays) > 1 and camera.chance():
            at = camera.rng.randrange(len(plays) - 1)
            first, second = plays[at], plays[at + 1]
            if camera.rng.random() < 0.7:
                trick[first], trick[second] = trick[second], trick[first]
            for place in (first, second) if camera.rng.random() < 0.5 else (first,):
                event = trick[place]
                assert isinstance(event, Play)
                trick[place] = replace(event, order_sure=False)


def _taken_missing(camera: BadCamera, told: Told) -> None:
    for number in camera.open_tricks(told):
        if camera.chance():
            told.tricks[number] = [event for event in told.tricks[number] if not isinstance(event, Taken)]


def _taken_unsure(camera: BadCamera, told: Told) -> None:
    """Told with a doubt, of the right seat or of another."""
    for number in camera.open_tricks(told):
        for place, event in enumerate(told.tricks[number]):
            if isinstance(event, Taken) and camera.chance():
                seat = event.seat if camera.rng.random() < 0.5 else camera.rng.randrange(camera.game.players)
                told.tricks[number][place] = Taken(seat, 0.5)


def _end_unseen(camera: BadCamera, told: Told) -> None:
    """Of the last tricks hardly anything is seen."""
    if camera.chance():
        for number in camera.open_tricks(told)[-camera.rng.randrange(1, 4) :]:
            told.tricks[number] = (
                [_not_read(camera, event) for event in told.tricks[number] if isinstance(event, Play)]
                if camera.rng.random() < 0.5
                else []
            )


def _beside_unsure(camera: BadCamera, told: Told) -> None:
    """Nobody could see whether the cards before it lay there still."""
    for trick, place, event in camera.each_play(told):
        if camera.chance():
            trick[place] = replace(event, beside=False)


def _dealer_missing(camera: BadCamera, told: Told) -> None:
    if camera.chance():
        told.begins = [replace(event, dealer=None) if isinstance(event, Deal) else event for event in told.begins]


def _turn_up_unread(camera: BadCamera, told: Told) -> None:
    if camera.chance() and not any(isinstance(event, Pillage) for event in told.begins):
        told.begins = [replace(event, turn_up=None) if isinstance(event, Deal) else event for event in told.begins]


def _redeal(camera: BadCamera, told: Told) -> None:
    """The same dealer dealt before, and it was thrown in after some cards; nobody said so."""
    if not camera.chance():
        return
    if not told.begins:
        return
    deal = told.begins[0]
    assert isinstance(deal, Deal)
    before = of_deal(honest_deal(camera.game, camera.rng, told.dealer).events)
    count = camera.rng.randrange(1, 2 * camera.game.players)
    if camera.rng.random() < 0.3:
        before.tricks = [[card for card in trick if not isinstance(card, Taken)] for trick in before.tricks]
    events = [card for trick in before.tricks for card in trick][:count]
    said = [VoidDeal(0.5)] if camera.rng.random() < 0.2 else []
    again = replace(deal, dealer=None) if camera.rng.random() < 0.5 else deal
    told.begins = [*before.begins, *events, *said, again, *told.begins[1:]]


def _pillage(camera: BadCamera, told: Told) -> None:
    """Pillages seen late, or not, or only what was turned up next."""
    kept: list[Event] = []
    late: list[Event] = []
    for event in told.begins:
        if not isinstance(event, Pillage):
            kept.append(event)
            continue
        way = camera.rng.randrange(6)
        if way == 0:
            late.append(event)
        elif way == 1 and event.next:
            (late if late or camera.rng.random() < 0.5 else kept).append(TurnUpSeen(event.next))
        elif way == 2:
            (late or kept).append(replace(event, seat=None))
        elif way == 3:
            (late or kept).append(replace(event, next=None))
        elif way == 4:
            (late or kept).append(event)
    told.begins = kept
    if late and told.tricks:
        trick = camera.rng.choice(told.tricks)
        at = camera.rng.randrange(len(trick) + 1)
        trick[at:at] = late


def _deal_missing(camera: BadCamera, told: Told) -> None:
    """The whole deal goes by unseen, or all but how it began, or ended."""
    if camera.chance():
        way = camera.rng.randrange(3)
        told.tricks = [] if way < 2 else told.tricks[len(told.tricks) // 2 :]
        told.begins = [] if way == 0 else told.begins


KINDS: dict[str, Callable[[BadCamera, Told], None]] = {
    "trick missing": _trick_missing,
    "trick unread": _trick_unread,
    "trick as markers": _trick_as_markers,
    "card unread": _card_unread,
    "card unsure": _card_unsure,
    "card as marker": _card_as_marker,
    "seat missing": _seat_missing,
    "order unsure": _order_unsure,
    "play missing": _play_missing,
    "end of trick unseen": _end_of_trick_unseen,
    "taken missing": _taken_missing,
    "taken unsure": _taken_unsure,
    "end unseen": _end_unseen,
    "dealer missing": _dealer_missing,
    "turn-up unread": _turn_up_unread,
    "pillage": _pillage,
    "redeal": _redeal,
    "deal missing": _deal_missing,
    "markers lie there": _markers_lie_there,
    "beside unsure": _beside_unsure,
}
"""What a camera may miss, and how that looks; applied in this order."""


def stream(game: TrickGame, rng: Random, kinds: Iterable[str], how_much: float, deals: int) -> list[Event]:
    """Honest deals in a row, as such a camera tells them."""
    camera = BadCamera(game, rng, kinds, how_much)
    events: list[Event] = []
    dealer = rng.randrange(game.players)
    for _ in range(deals):
        events += camera.tells(of_deal(honest_deal(game, rng, dealer).events))
        dealer = game.next_dealer(dealer, match_won=False)
    return events


def planted(rule: str, game: TrickGame, rng: Random, kinds: Iterable[str], how_much: float) -> list[Event]:
    """A deal with a fault in it, and the beginning of the next, as such a camera tells it. It sees the fault: of the
    trick in which it happens, of those beside it, and of how the deal began and ended, it misses nothing."""
    dealer = rng.randrange(game.players)
    faulty = plant(rule, game, rng, dealer)
    told = of_deal(faulty[:-1])
    whole = [len([card for card in trick if isinstance(card, Play)]) for trick in told.tricks]
    odd = [
        number
        for number, trick in enumerate(told.tricks)
        if whole[number] != game.players
        or len(trick) != game.players + 1
        or not all(isinstance(card, Play | Taken) for card in trick)
        or any(isinstance(card, Play) and (card.before_taken or card.card not in game.whole_pack) for card in trick)
    ] or range(len(told.tricks))
    near = {number + step for number in odd for step in (-1, 0, 1)}
    told.spared = frozenset(near)
    unfit = {"redeal", "deal missing", "end unseen", "dealer missing", "turn-up unread", "pillage"}
    camera = BadCamera(game, rng, set(kinds) - unfit, how_much)
    return _renumbered(faulty, [*camera.tells(told), faulty[-1]])


def _renumbered(faulty: Sequence[Event], told: Sequence[Event]) -> list[Event]:
    """The events as told, a card that is taken back named by the number it has now."""
    numbers = {id(event): number for number, event in enumerate(told, 1)}
    return [
        TakenBack(numbers[id(faulty[event.number - 1])]) if isinstance(event, TakenBack) else event for event in told
    ]
