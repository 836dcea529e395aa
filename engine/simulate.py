"""Simulated card players: whole honest deals as events, by seed, and the same with one fault planted.

Tests, the bench, the demo and the simulated table all draw their games from here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.cards import FULL_PACK, JOKER, Card
from engine.errors import GameError
from engine.events import Deal, Event, Pillage, Play, Take, Taken, TakenBack, TurnUpSeen
from engine.notices import CARD_RULES
from engine.playing import PAY, CardsPlayed
from engine.referee.proof import Claim
from engine.rules.tricks import DRAWN_LAST, LEFT_OUT, PASS, TrickGame

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
    table = CardsPlayed(game, rng, dealer, deals=1)
    events: list[Event] = [Deal(table.turn_up, dealer)]
    if game.pillage:
        events += _pillages(table, rng)
    if game.names_trump:
        events.append(_taken_up(table, rng))
    dealt = tuple(tuple(hand) for hand in table.hands)
    revokes: list[Claim] = []
    while not table.is_over():
        seat, trick, beside = table.turn, table.trick, bool(table.before)
        legal = sorted(table.legal_cards)
        refused = sorted(set(table.hands[seat]).difference(legal))
        if refused and rng.random() < revoke_chance:
            card = rng.choice(refused)
            revokes.append((seat, trick))
        else:
            card = rng.choice(legal)
        table.push(card)
        events.append(Play(card, seat, beside=beside))
        if not table.before:
            events.append(Taken(table.winners[-1]))
    return SimulatedDeal(tuple(events), dealt, tuple(table.winners), tuple(revokes), table.trump)


def _taken_up(table: CardsPlayed, rng: Random) -> Take:
    """Players pass, and somebody takes; the last who is asked, at the latest."""
    while table.taker is None:
        passes, last = rng.random() >= TAKES, len(table.asked) == 1
        takes = [move for move in table.legal_moves if move != PASS]
        table.push(PASS if passes and not last else rng.choice(takes))
    return Take(table.taker, table.trump)


def _pillages(table: CardsPlayed, rng: Random) -> Iterator[Event]:
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
    if game.turn_up_goes not in (DRAWN_LAST, LEFT_OUT) or game.pillage:
        faults.remove("turn_up_changed")  # It does not lie there while cards are played, or may have been pillaged.
    return faults


def plant(rule: str, game: TrickGame, rng: Random, dealer: int) -> list[Event]:
    """A deal, and the beginning of the next, with one fault in it. GameError: there is no such fault."""
    if rule not in _FAULTS:
        raise GameError("no_fault", name=rule)
    deal = honest_deal(game, rng, dealer)
    following = honest_deal(game, rng, game.next_dealer(dealer, match_won=False)).events[0]
    faulty = _Faulty(game, rng, deal)
    _FAULTS[rule](faulty)
    return [*faulty.events, following]


class _Faulty:
    """The events of an honest deal, for one fault to be made among them."""

    def __init__(self, game: TrickGame, rng: Random, deal: SimulatedDeal) -> None:
        self.game, self.rng, self.trump = game, rng, deal.trump
        self.events = list(deal.events)
        self.plays = [place for place, event in enumerate(self.events) if isinstance(event, Play)]
        """The places of the plays among the events."""
        self.tricks = [self.plays[start : start + game.players] for start in range(0, len(self.plays), game.players)]

    def play(self, place: int) -> Play:
        event = self.events[place]
        assert isinstance(event, Play)
        return event


def _not_in_pack(faulty: _Faulty) -> None:
    outside = [card for card in (*FULL_PACK, JOKER) if card not in faulty.game.whole_pack]
    place = faulty.rng.choice(faulty.plays)
    faulty.events.insert(place, Play(faulty.rng.choice(outside), faulty.play(place).seat))


def _seen_before(faulty: _Faulty) -> None:
    _duplicate(faulty, worth=False)


def _points_do_not_add_up(faulty: _Faulty) -> None:
    _duplicate(faulty, worth=True)


def _two_from_one_seat(faulty: _Faulty) -> None:
    """A seat plays a second card in the same trick, and takes it back."""
    trick = faulty.rng.choice(faulty.tricks[:-1])
    place = faulty.rng.choice(trick[:-1])
    seat = faulty.play(place).seat
    later = next(faulty.play(play) for play in faulty.plays if play > trick[-1] and faulty.play(play).seat == seat)
    faulty.events[place + 1 : place + 1] = [Play(later.card, seat), TakenBack(place + 2)]


def _out_of_turn(faulty: _Faulty) -> None:
    events, trick = faulty.events, faulty.rng.choice(faulty.tricks)
    early = faulty.rng.randrange(1, len(trick) - 1)
    events[trick[early]], events[trick[early + 1]] = events[trick[early + 1]], events[trick[early]]


def _wrong_leader(faulty: _Faulty) -> None:
    """Another seat leads with what it has, and takes it back."""
    trick = faulty.rng.choice(faulty.tricks[:-1])
    away = faulty.rng.randrange(1, faulty.game.players)
    wrong = ((faulty.play(trick[0]).seat or 0) + away) % faulty.game.players
    own = next(faulty.play(place).card for place in trick if faulty.play(place).seat == wrong)
    faulty.events[trick[0] : trick[0]] = [Play(own, wrong, beside=False), TakenBack(trick[0] + 1)]


def _before_taken(faulty: _Faulty) -> None:
    trick = faulty.rng.choice(faulty.tricks[1:])
    lead = faulty.play(trick[0])
    faulty.events[trick[0]] = replace(lead, before_taken=True)
    del faulty.events[trick[0] - 1]


def _taken_by_wrong_side(faulty: _Faulty) -> None:
    events, sides = faulty.events, faulty.game.sides
    place = faulty.rng.choice([place for place, event in enumerate(events) if isinstance(event, Taken)])
    taken = events[place]
    assert isinstance(taken, Taken)
    others = [seat for seat in range(faulty.game.players) if sides[seat] != sides[taken.seat]]
    events[place] = Taken(faulty.rng.choice(others))


def _turn_up_changed(faulty: _Faulty) -> None:
    """While it is sure to lie there: before the first trick is taken up."""
    begins = faulty.events[0]
    turn_up = begins.turn_up if isinstance(begins, Deal) else None
    place = faulty.rng.choice(faulty.tricks[0][1:])
    lie = {event.card for event in faulty.events[:place] if isinstance(event, Play)}
    known = (face_up(faulty.events), turn_up, *lie)
    faulty.events.insert(place, TurnUpSeen(faulty.rng.choice([card for card in faulty.game.pack if card not in known])))


def _cards_missing(faulty: _Faulty) -> None:
    """Of the last trick: one that is missing whole may have gone by unseen."""
    del faulty.events[-1 - faulty.rng.randrange(1, faulty.game.players) :]


def _duplicate(faulty: _Faulty, worth: bool) -> None:
    """Puts a card on the table a second time where it changes no winner. worth: it changes the points instead."""
    game, rng, trump = faulty.game, faulty.rng, faulty.trump
    while True:
        earlier = rng.randrange(len(faulty.tricks) - 1)
        trick = faulty.tricks[rng.randrange(earlier + 1, len(faulty.tricks))]
        twice = faulty.play(rng.choice(faulty.tricks[earlier])).card
        place = rng.choice(trick)
        true = faulty.play(place).card
        assert twice and true
        cards = [card for played in trick if (card := faulty.play(played).card)]
        now = [twice if card == true else card for card in cards]
        same_winner = game.winning(cards, trump) == game.winning(now, trump)
        differs = game.card_points(twice, trump) != game.card_points(true, trump)
        if same_winner and (differs or not worth):
            faulty.events[place] = replace(faulty.play(place), card=twice)
            return


_FAULTS: dict[str, Callable[[_Faulty], None]] = {
    "not_in_pack": _not_in_pack,
    "seen_before": _seen_before,
    "points_do_not_add_up": _points_do_not_add_up,
    "two_from_one_seat": _two_from_one_seat,
    "out_of_turn": _out_of_turn,
    "wrong_leader": _wrong_leader,
    "before_taken": _before_taken,
    "taken_by_wrong_side": _taken_by_wrong_side,
    "turn_up_changed": _turn_up_changed,
    "cards_missing": _cards_missing,
}
"""How each fault is made."""


def face_up(events: Sequence[Event]) -> Card | None:
    """The card face up after any pillage."""
    face: Card | None = None
    for event in events:
        if isinstance(event, Deal):
            face = event.turn_up
        elif isinstance(event, Pillage):
            face = event.next
    return face
