"""Scripts for a simulated card table: evenings of several deals, honest or with one fault planted, as one log."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from engine.events import Event, TakenBack, TurnUpSeen
from engine.rules.tricks import TrickGame
from engine.simulate import face_up, honest_deal, plant


def one_log(parts: Iterable[Iterable[Event]]) -> Iterator[Event]:
    """Logs one after the other as one: events that name another by its number name it in the whole."""
    before = 0
    for part in parts:
        count = 0
        for event in part:
            count += 1
            yield replace(event, number=event.number + before) if isinstance(event, TakenBack) else event
        before += count


def _put_right(events: Sequence[Event]) -> Iterator[Event]:
    """A turned-up card that was exchanged comes back after the next play: no table has one card twice."""
    for place, event in enumerate(events):
        yield event
        if place and isinstance(events[place - 1], TurnUpSeen):
            owed = face_up(events[:place])
            assert owed is not None
            yield TurnUpSeen(owed)


def evening(
    game: TrickGame, rng: Random, deals: int, rule: str | None = None, revoke_chance: float = 0.0
) -> tuple[Event, ...]:
    """So many deals, dealers rotating; with a rule, one of the deals (not the last) has that fault in it."""
    faulty = rng.randrange(max(1, deals - 1)) if rule is not None else -1
    dealer = rng.randrange(game.players)
    parts: list[tuple[Event, ...]] = []
    for number in range(deals):
        if rule is not None and number == faulty:
            # The deal that plant begins after its own is not played on: the next one here takes its place.
            parts.append(tuple(_put_right(plant(rule, game, rng, dealer)[:-1])))
        else:
            parts.append(honest_deal(game, rng, dealer, revoke_chance).events)
        dealer = game.next_dealer(dealer, match_won=False)
    return tuple(one_log(parts))
