"""Simulated card players: whole honest deals as events, by seed, and the same with one fault planted.

Tests, the bench, the demo and the simulated table all draw their games from here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from engine.cards import FULL_PACK, JOKER, Card
from engine.events import Deal, Event, Pillage, Play, Take, Taken, TakenBack, TurnUpSeen
from engine.notices import CARD_RULES
from engine.playing import PASS, PAY, CardTable
from engine.referee.proof import Claim
from engine.rules.tricks import DRAWN_LAST, LEFT_OUT, TrickGame

TAKES = 0.3
"""How often a player who is asked takes: about what players do with hands as they come."""
PILLAGES_ON = 0.8
PAYS_IN_SIGHT = 0.3
"""How often a pillager goes on, and how often what he pays with is seen."""


@dataclass(frozen=True)
class SimulatedDeal:
    """One deal: its events, and what no camera sees."""

    events: tuple[Event, ...]
    hands: tuple[tuple[Card, ...], ...]
    """As dealt."""
    winners: tuple[int, ...]
    revokes: tuple[Claim, ...] = ()
    """Plays that broke a duty: seat and trick."""
    trump: str = ""


def honest_deal(game: TrickGame, rng: Random, dealer: int, revoke_chance: float = 0.0) -> SimulatedDeal:
    """A deal played by the rules at random. revoke_chance: of each play that could break a duty, to do so."""
    table = CardTable(game, rng, dealer, deals=1)
    events: list[Event] = [Deal(table.turn_up, dealer)]
    if game.pillage:
        events += _pillages(table, rng)
    if game.names_trump:
        events.append(_taken_up(table, rng))
    dealt = tuple(tuple(hand) for hand in table.hands)
    revokes: list[Claim] = []
    while not table.is_over():
        seat, trick = table.turn, table.trick
        legal = sorted(table.legal_moves)
        refused = sorted(set(table.hands[seat]).difference(legal))
        if refused and rng.random() < revoke_chance:
            card = rng.choice(refused)
            revokes.append((seat, trick))
        else:
            card = rng.choice(legal)
        table.push(card)
        events.append(Play(card, seat))
        if not table.before:
            events.append(Taken(table.winners[-1]))
    return SimulatedDeal(tuple(events), dealt, tuple(table.winners), tuple(revokes), table.trump)


def _taken_up(table: CardTable, rng: Random) -> Take:
    """Players pass, and somebody takes; the last who is asked, at the latest."""
    while table.taker is None:
        passes, last = rng.random() >= TAKES, len(table.asked) == 1
        takes = [move for move in table.legal_moves if move != PASS]
        table.push(PASS if passes and not last else rng.choice(takes))
    return Take(table.taker, table.trump)


def _pillages(table: CardTable, rng: Random) -> Iterator[Event]:
    """The holder of the ace of trumps takes what is turned up, pays with any card, and may stop at any time."""
    ace = table.game.ranks[0] + table.trump
    while table.asked:
        face, taker = table.turn_up, table.turn
        assert face is not None
        if face != ace and rng.random() >= PILLAGES_ON:
            table.push(PASS)
            return
        paid = rng.choice([*table.hands[taker], face])
        table.push(f"{PAY}:{paid}")
        yield Pillage(taker, face, paid if rng.random() < PAYS_IN_SIGHT else None, table.turn_up)


def honest_match(game: TrickGame, rng: Random, deals: int) -> list[Event]:
    """The events of several honest deals in a row, dealers rotating."""
    events: list[Event] = []
    dealer = rng.randrange(game.players)
    for _ in range(deals):
        events += honest_deal(game, rng, dealer).events
        dealer = game.next_dealer(dealer, match_won=False)
    return events


def plantable(game: TrickGame) -> list[str]:
    """The faults that can happen at this table."""
    faults = list(CARD_RULES)
    if game.players == 2:
        faults.remove("out_of_turn")  # With two, a card out of turn is a lead or a second card.
    if not (game.plays_whole_pack and game.all_points):
        faults.remove("points_do_not_add_up")
    if game.turn_up_goes not in (DRAWN_LAST, LEFT_OUT):
        faults.remove("turn_up_changed")  # It does not lie there while cards are played.
    return faults


def plant(rule: str, game: TrickGame, rng: Random, dealer: int) -> list[Event]:
    """A deal, and the beginning of the next, with one fault in it."""
    deal = honest_deal(game, rng, dealer)
    events = list(deal.events)
    following = honest_deal(game, rng, game.next_dealer(dealer, match_won=False)).events[0]
    plays = [place for place, event in enumerate(events) if isinstance(event, Play)]
    tricks = [plays[start : start + game.players] for start in range(0, len(plays), game.players)]
    turn_up = events[0].turn_up if isinstance(events[0], Deal) else ""

    def play(place: int) -> Play:
        event = events[place]
        assert isinstance(event, Play)
        return event

    match rule:
        case "not_in_pack":
            outside = [card for card in (*FULL_PACK, JOKER) if card not in game.whole_pack]
            place = rng.choice(plays)
            events.insert(place, Play(rng.choice(outside), play(place).seat))
        case "seen_before" | "points_do_not_add_up":
            _duplicate(game, rng, events, tricks, deal.trump, worth=rule == "points_do_not_add_up")
        case "two_from_one_seat":
            trick = rng.choice(tricks[:-1])
            place = rng.choice(trick[:-1])
            seat = play(place).seat
            later = next(play(one) for one in plays if one > trick[-1] and play(one).seat == seat)
            events[place + 1 : place + 1] = [Play(later.card, seat), TakenBack(place + 2)]
        case "out_of_turn":
            trick = rng.choice(tricks)
            early = rng.randrange(1, len(trick) - 1)
            events[trick[early]], events[trick[early + 1]] = events[trick[early + 1]], events[trick[early]]
        case "wrong_leader":
            trick = rng.choice(tricks[:-1])
            lead = play(trick[0])
            wrong = (lead.seat or 0) + rng.randrange(1, game.players)
            events[trick[0]] = Play(lead.card, wrong % game.players)
            events[trick[0] + 1 : trick[0] + 1] = [TakenBack(trick[0] + 1), lead]
        case "before_taken":
            trick = rng.choice(tricks[1:])
            lead = play(trick[0])
            events[trick[0]] = Play(lead.card, lead.seat, before_taken=True)
            del events[trick[0] - 1]
        case "taken_by_wrong_side":
            place = rng.choice([place for place, event in enumerate(events) if isinstance(event, Taken)])
            taken = events[place]
            assert isinstance(taken, Taken)
            others = [seat for seat in range(game.players) if game.sides[seat] != game.sides[taken.seat]]
            events[place] = Taken(rng.choice(others))
        case "turn_up_changed":
            # While it is sure to lie there: before the first trick is taken up.
            place = rng.choice(tricks[0][1:])
            lie = {event.card for event in events[:place] if isinstance(event, Play)}
            swapped = rng.choice([card for card in game.pack if card not in (face_up(events), turn_up, *lie)])
            events.insert(place, TurnUpSeen(swapped))
        case "cards_missing":
            del events[-1 - rng.randrange(1, game.players + 1) :]
        case _:
            raise ValueError(f"no such fault: {rule}")
    return [*events, following]


def face_up(events: Sequence[Event]) -> Card | None:
    """The card face up after any pillage."""
    face: Card | None = None
    for event in events:
        if isinstance(event, Deal):
            face = event.turn_up
        elif isinstance(event, Pillage):
            face = event.next
    return face


def _duplicate(
    game: TrickGame, rng: Random, events: list[Event], tricks: list[list[int]], trump: str, worth: bool
) -> None:
    """Puts a card on the table a second time where it changes no winner. worth: it changes the points instead."""
    while True:
        earlier = rng.randrange(len(tricks) - 1)
        trick = tricks[rng.randrange(earlier + 1, len(tricks))]
        twice = events[rng.choice(tricks[earlier])]
        place = rng.choice(trick)
        true = events[place]
        assert isinstance(twice, Play) and isinstance(true, Play) and twice.card and true.card
        cards = [event.card for one in trick if isinstance(event := events[one], Play) and event.card]
        now = [twice.card if card == true.card else card for card in cards]
        same_winner = game.winning(cards, trump) == game.winning(now, trump)
        differs = game.card_points(twice.card, trump) != game.card_points(true.card, trump)
        if same_winner and (differs or not worth):
            events[place] = Play(twice.card, true.seat)
            return
