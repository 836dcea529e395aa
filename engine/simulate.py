"""Simulated card players: whole honest deals as events, by seed, and the same with one fault planted.

Tests, the bench, the demo and the simulated table all draw their games from here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from engine.cards import FULL_PACK, JOKER, Card, suit_of
from engine.events import Deal, Event, Pillage, Play, Taken, TakenBack, TurnUpSeen
from engine.notices import CARD_RULES
from engine.referee.proof import Claim
from engine.rules.tricks import TrickGame
from engine.seats import order_from


@dataclass(frozen=True)
class SimulatedDeal:
    """One deal: its events, and what no camera sees."""

    events: tuple[Event, ...]
    hands: tuple[tuple[Card, ...], ...]
    """As dealt."""
    winners: tuple[int, ...]
    revokes: tuple[Claim, ...] = ()
    """Plays that broke a duty: seat and trick."""


def honest_deal(game: TrickGame, rng: Random, dealer: int, revoke_chance: float = 0.0) -> SimulatedDeal:
    """A deal played by the rules at random. revoke_chance: of each play that could break a duty, to do so."""
    pack = list(game.pack)
    rng.shuffle(pack)
    first = (dealer + 1) % game.players
    hands: list[list[Card]] = [[] for _ in range(game.players)]
    for seat in order_from(first, game.players):
        hands[seat] = [pack.pop() for _ in range(game.hand)]
    # The bottom card of the stock is the one turned up; where nothing is drawn it is the next card of the pack.
    turn_up = pack[0] if game.draws else pack.pop()
    events: list[Event] = [Deal(turn_up, dealer)]
    if game.pillage:
        events += _pillages(game, rng, hands, pack, turn_up, dealer)
    dealt = tuple(tuple(hand) for hand in hands)
    trump = suit_of(turn_up)
    winners: list[int] = []
    revokes: list[Claim] = []
    leader = first
    for trick in range(1, game.tricks + 1):
        before: list[Card] = []
        for seat in order_from(leader, game.players):
            legal = sorted(game.legal(hands[seat], before, trump, trick))
            refused = sorted(set(hands[seat]) - set(legal))
            if refused and rng.random() < revoke_chance:
                card = rng.choice(refused)
                revokes.append((seat, trick))
            else:
                card = rng.choice(legal)
            hands[seat].remove(card)
            before.append(card)
            events.append(Play(card, seat))
        leader = (leader + game.winning(before, trump)) % game.players
        winners.append(leader)
        events.append(Taken(leader))
        if trick <= game.draws:
            last = game.last_drawer(leader, dealer)
            assert last is not None
            for seat in order_from((last + 1) % game.players, game.players):
                hands[seat].append(pack.pop())
    return SimulatedDeal(tuple(events), dealt, tuple(winners), tuple(revokes))


def _pillages(
    game: TrickGame, rng: Random, hands: list[list[Card]], pack: list[Card], turn_up: Card, dealer: int
) -> Iterator[Event]:
    """The holder of the ace of trumps takes what is turned up, pays with any card, and may stop at any time."""
    trump = suit_of(turn_up)
    ace = game.ranks[0] + trump
    taker = dealer if turn_up == ace else next((seat for seat, hand in enumerate(hands) if ace in hand), None)
    face = turn_up
    while taker is not None and suit_of(face) == trump and pack and (face == ace or rng.random() < 0.8):
        hands[taker].append(face)
        paid = rng.choice(hands[taker])
        hands[taker].remove(paid)
        following = pack.pop()
        yield Pillage(taker, face, paid if rng.random() < 0.3 else None, following)
        face = following


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
    if game.draws == 0:
        faults.remove("points_do_not_add_up")
    return faults


def plant(rule: str, game: TrickGame, rng: Random, dealer: int) -> list[Event]:
    """A deal, and the beginning of the next, with one fault in it."""
    events = list(honest_deal(game, rng, dealer).events)
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
            _duplicate(game, rng, events, tricks, turn_up, worth=rule == "points_do_not_add_up")
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
    game: TrickGame, rng: Random, events: list[Event], tricks: list[list[int]], turn_up: Card, worth: bool
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
        same_winner = game.winning(cards, suit_of(turn_up)) == game.winning(now, suit_of(turn_up))
        differs = game.card_points(twice.card) != game.card_points(true.card)
        if same_winner and (differs or not worth):
            events[place] = Play(twice.card, true.seat)
            return
