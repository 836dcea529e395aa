"""The end of a deal: it is taken up, checked and scored, or what its score hangs on is asked."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.cards import SUITS, Card
from engine.notices import INFO, NO, NOBODY, YES, Notice, illegal, question
from engine.referee.aces import ace_nowhere
from engine.referee.card_view import shown, spread
from engine.referee.deal import CardState, DealState, Result, all_laid
from engine.referee.deal_queries import (
    cards_left,
    cards_read_twice,
    is_whole,
    matches_won,
    not_scored,
    seats_of,
    table_trick,
    trick_notice,
    tricks_made,
    tricks_unseen,
    unseen_cards,
    without_question,
)
from engine.referee.out_of_turn import came_early
from engine.referee.revokes import prove_deal, tell_if_proven
from engine.referee.tricks import (
    DealReading,
    Laid,
    Trick,
    by_candidates,
    contested,
    deal_readings,
    unlisted,
)
from engine.rules.tricks import Outcome, Score, TrickGame
from engine.values import changed
from engine.view import Range

FEW_CARDS = 3
"""Cards up to which it is asked which one it was: as many as there are buttons."""
BONUS = "bonus"
"""What is asked once hands were laid open: who held cards that count together."""
ANNOUNCED = "announced"
"""What is asked where such cards count only if that was said."""
ASKED_FOR_SCORE = ("card", "winner", "suit", ANNOUNCED, BONUS)
"""What is asked anew each time that a deal is counted."""
WAYS_JUDGED = 24
"""Ways to read a deal up to which it is looked at which of them are honest: some 10 ms each."""


def ask_which_counts(deal: DealState, number: int) -> list[Notice]:
    """A trick goes that holds two cards of one seat: which of them was played?"""
    asked = []
    for second in contested(deal.extras):
        first = next((laid for laid in deal.plays if laid.seat == second.seat), None)
        if first is not None and first.card and second.card and first.card != second.card:
            facts = {"card_number": second.number, "seat": second.seat, "trick": deal.trick_number}
            asked.append(question(number, "counts", [first.card, second.card], **facts))
    return asked


def finish(game: TrickGame, state: CardState, number: int, again: bool = False) -> tuple[CardState, list[Notice]]:
    """The last trick is complete: the deal is taken up, checked and scored. again: all its cards lay there the last
    time, and what is amiss with them was told."""
    deal = state.deal
    assert deal is not None
    notices: list[Notice] = []
    if is_whole(deal):
        deal, notices = tell_if_proven(game, deal)
    deal, told = tell_withheld(game, deal)
    notices += [*told, *came_early(game, deal, number, surely=True), *ask_which_counts(deal, number)]
    state = changed(state, deal=changed(deal, early=()))
    for about in ASKED_FOR_SCORE:
        state = without_question(state, about)
    if deal.counted is not None:
        return count_nothing(game, state, deal.counted), notices
    if deal.trump is None:  # Its score waits for who says which suit it was.
        suit = question(number, "suit", list(SUITS), deal_number=deal.number)
        return state, [*notices, not_scored(number, "trump") if game.names_trump else suit]
    after, scored = _counted(game, without_question(state, "offer"), changed(deal, early=()), deal.trump, number, again)
    return after, [*notices, *scored]


def _counted(
    game: TrickGame, state: CardState, deal: DealState, trump: str, number: int, again: bool
) -> tuple[CardState, list[Notice]]:
    """The deal scored, where every way to read it brings the same; else what is asked for that. again: as in finish."""
    twice = cards_read_twice(deal)
    tricks = [by_no_guess(trick, twice) for trick in _tricks_to_count(game, deal)]
    readings = _readings(game, deal, trump, tricks, twice)
    notices: list[Notice] = []
    if deal.claimed is None:
        notices += [] if again else _amiss(game, deal, tricks, readings, number)
        notices += read_after_all(game, deal, tricks, readings or ())
    ways = _as_said(deal, [way for reading in readings or () for way in _ways(game, state, deal, reading)])
    if readings and len({way.to_match for way in ways}) == 1:
        if asked := _ask_if_announced(game, deal, ways, number):
            return state, [*notices, *asked]
        made = spread([way.outcome.points or way.reading.points for way in ways])
        tricks_taken = spread([tricks_of(game, way.reading.winners) for way in ways])
        after, scored = score_deal(game, state, ways[0].outcome, made, tricks_taken)
        return after, [*notices, *scored]
    return state, [*notices, _ask_what_it_hangs_on(game, deal, tricks, readings, ways, number)]


class _Way(NamedTuple):
    """One way in which a deal can have been played, and what it brings."""

    reading: DealReading
    holder: int | None
    """Who held the cards that count together."""
    outcome: Outcome

    @property
    def to_match(self) -> Outcome:
        """What of the outcome the score of the match hangs on."""
        return changed(self.outcome, points=None)


def _ways(game: TrickGame, state: CardState, deal: DealState, reading: DealReading) -> Iterator[_Way]:
    """Every way to hold the cards that count together, in one way to read the deal."""
    played_by = _played_by(deal, reading)
    for holder in _holders(game, deal, played_by):
        held_by = played_by if holder is None else _all_held_by(game, holder, played_by)
        yield _Way(reading, holder, outcome_of(game, state, deal, reading, held_by))


def _holders(game: TrickGame, deal: DealState, played_by: Mapping[Card, int | None]) -> list[int | None]:
    """Who may have held the cards that count together; None: nobody. After a claim, cards that were not played may have
    been anybody's until somebody says."""
    trump = deal.trump or ""
    shown = game.holds_bonus(trump, played_by)
    if shown is not None or deal.claimed is None:
        return [shown]
    may_hold = [
        seat for seat in range(game.players) if game.holds_bonus(trump, _all_held_by(game, seat, played_by)) == seat
    ]
    return [None, *may_hold]


def _as_said(deal: DealState, ways: list[_Way]) -> list[_Way]:
    """Those in which the cards that count together were where somebody said; all, if nobody did, or the cards gainsay
    it."""
    if deal.bonus is None and deal.announced is not False:
        return ways
    return [way for way in ways if way.holder == deal.bonus] or ways


def _all_held_by(game: TrickGame, seat: int, played_by: Mapping[Card, int | None]) -> dict[Card, int | None]:
    """Who held each card, if this seat held all that were not played."""
    return {**dict.fromkeys(game.pack, seat), **played_by}


def _brought(ways: Sequence[_Way], known: Callable[[_Way], Hashable]) -> dict[Any, set[Outcome]]:
    """What the deal may bring, by something that somebody may say of it."""
    found: dict[Any, set[Outcome]] = {}
    for way in ways:
        found.setdefault(known(way), set()).add(way.to_match)
    return found


def _tricks_to_count(game: TrickGame, deal: DealState) -> tuple[Trick, ...]:
    """Every trick of a deal that is over: the last lies on the table still, unless somebody takes the rest."""
    return deal.done if deal.claimed is not None else (*deal.done, table_trick(game, deal))


def _readings(
    game: TrickGame, deal: DealState, trump: str, tricks: Sequence[Trick], twice: frozenset[Card]
) -> list[DealReading] | None:
    """Every way to read a deal that is over; None: too many. twice: cards read in two places."""
    deduced = {laid.card for laid in all_laid(deal) if laid.deduced}
    unseen = cards_left(game, deal, deal.seen.keys() - deduced - twice)
    readings: list[DealReading] | None = [DealReading((), (0,) * game.side_count, ())]
    if tricks:
        readings = deal_readings(game, trump, tricks, unseen, deal.wrong_leads)
    if deal.claimed is None or readings is None:
        return readings
    return [_with_rest(game, reading, deal.claimed) for reading in readings]


def _with_rest(game: TrickGame, reading: DealReading, seat: int) -> DealReading:
    """The same, where this seat won every trick that is left."""
    points = list(reading.points)
    points[game.sides[seat]] += game.all_points - sum(points)
    winners = (*reading.winners, *[seat] * (game.tricks - len(reading.winners)))
    return DealReading(winners, tuple(points), reading.cards)


def _ask_what_it_hangs_on(
    game: TrickGame,
    deal: DealState,
    tricks: Sequence[Trick],
    readings: list[DealReading] | None,
    ways: Sequence[_Way],
    number: int,
) -> Notice:
    """Who held cards that count together, where that alone is open; else what nobody saw of the tricks."""
    by_holder = _brought(ways, lambda way: way.holder)
    if len(by_holder) > 1 and all(len(brought) == 1 for brought in by_holder.values()):
        return _ask_who_held(deal, by_holder, number)
    known = _brought(ways, lambda way: (way.reading.winners, way.holder))
    tells = any(len(brought) == 1 for brought in known.values())
    return ask_for_score(game, deal, tricks, readings, tells, number)


def _ask_who_held(deal: DealState, holders: Iterable[int | None], number: int) -> Notice:
    """The question who held the cards that count together."""
    choices = [*map(str, sorted(holder for holder in holders if holder is not None)), NOBODY]
    return question(number, BONUS, choices, deal_number=deal.number)


def _amiss(
    game: TrickGame, deal: DealState, tricks: Sequence[Trick], readings: list[DealReading] | None, number: int
) -> list[Notice]:
    """What is amiss with the cards of a deal that was played out."""
    return [*count_pack(game, deal, readings, _unread(tricks), number), *ace_nowhere(game, deal, number)]


def tell_withheld(game: TrickGame, deal: DealState) -> tuple[DealState, list[Notice]]:
    """Every trick of the deal was seen: what a further one would have explained is told."""
    if deal.tricks_uncertain or deal.doubted or tricks_unseen(game, deal):
        return deal, []
    return changed(deal, withheld=()), list(deal.withheld)


def by_no_guess(trick: Trick, twice: frozenset[Card]) -> Trick:
    """A trick as its score may count on it: without candidates and cards that were read in two places, and won by whom
    nothing but what is sure leaves."""
    plays = tuple([_unguessed(laid, twice) for laid in trick.plays])
    extras = tuple([_unguessed(laid, twice) for laid in trick.extras])
    leader = trick.leader if not twice or all(laid.order_sure for laid in trick.plays) else None
    doubted = leader != trick.leader or any(laid.known in twice for laid in (*trick.plays, *trick.extras))
    winners = frozenset(range(len(trick.plays))) if doubted else trick.open_winners or trick.winners
    return changed(trick, plays=plays, extras=extras, leader=leader, winners=winners)


def _unguessed(laid: Laid, twice: frozenset[Card]) -> Laid:
    if laid.known in twice:
        return changed(laid, card=None)
    return unlisted([laid])[0] if laid.deduced else laid


def read_after_all(
    game: TrickGame, deal: DealState, tricks: Sequence[Trick], readings: Sequence[DealReading]
) -> list[Notice]:
    """The tricks once more in which a card could not be read, where the whole pack is played and leaves one way to read
    them; of several ways, one by which everybody played honestly. The first trick begins the deal, so all follow it."""
    unread = {number for number, trick in enumerate(tricks, 1) if not all(laid.known for laid in trick.plays)}
    if not unread or not game.plays_whole_pack:
        return []
    ways = [_as_read(tricks, cards) for cards in _listed(tricks, readings)]
    if 1 < len(ways) <= WAYS_JUDGED:
        ways = [way for way in ways if _is_honest(game, deal, way)]
    told = [(number, one) for number, one in enumerate(ways[0], 1) if {number, 1} & unread] if len(ways) == 1 else []
    return [trick_notice(game, deal, number, one.plays, one.extras, one.winners) for number, one in told]


def _unread(tricks: Sequence[Trick]) -> list[Laid]:
    """The cards that could not be read, in the order of the tricks."""
    return [laid for trick in tricks for laid in (*trick.plays, *trick.extras) if not laid.known]


def _listed(tricks: Sequence[Trick], readings: Sequence[DealReading]) -> set[tuple[Card, ...]]:
    """What the unread cards were in each reading: if there are any, in those that their candidates allow."""
    laid = _unread(tricks)
    return {reading.cards for reading in readings if by_candidates(laid, reading.cards)} or {
        reading.cards for reading in readings
    }


def _as_read(tricks: Sequence[Trick], cards: Sequence[Card]) -> list[Trick]:
    """The tricks with the cards that could not be read as these."""
    left = iter(cards)

    def known(plays: Sequence[Laid]) -> tuple[Laid, ...]:
        return tuple(laid if laid.known else changed(laid, card=next(left), sure=True, candidates=()) for laid in plays)

    return [changed(trick, plays=known(trick.plays), extras=known(trick.extras)) for trick in tricks]


def _is_honest(game: TrickGame, deal: DealState, tricks: Sequence[Trick]) -> bool:
    """Whether everybody played honestly if these were the tricks."""
    *done, last = tricks
    deal = changed(deal, done=tuple(done), plays=last.plays, extras=last.extras)
    return not prove_deal(game, deal, doubting=False).explanations


def _ask_which_cards(
    game: TrickGame, deal: DealState, tricks: Sequence[Trick], readings: Sequence[DealReading] | None, number: int
) -> Iterator[Notice]:
    """For each unread card that may be more than one, the question which it was."""
    known = [laid.known for trick in tricks for laid in (*trick.plays, *trick.extras)]
    for place, asked in enumerate(_unread(tricks)):
        maybe = {reading.cards[place] for reading in readings or () if reading.cards} or set(
            cards_left(game, deal, known)
        )
        if asked.played and len(maybe) > 1:
            choices = _likeliest_first(asked, [card for card in game.pack if card in maybe])
            yield question(number, "card", choices, card_number=asked.number, seat=asked.seat)


def _likeliest_first(laid: Laid, cards: Sequence[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: card not in (laid.card, *laid.candidates))


def _ask_who_won(tricks: Sequence[Trick], readings: Sequence[DealReading] | None, number: int) -> Iterator[Notice]:
    """For each trick that more than one can have won, the question who did."""
    for place, trick in enumerate(tricks):
        maybe = {reading.winners[place] for reading in readings} if readings else trick.winners
        card = next((laid.number for laid in trick.plays if laid.played), None)
        if len(maybe) > 1 and card is not None:
            cards = [laid.known for laid in trick.plays if laid.known]
            choices = [str(seat) for seat in sorted(maybe)]
            yield question(number, "winner", choices, card_number=card, trick=place + 1, cards=cards)


def _played_by(deal: DealState, reading: DealReading) -> dict[Card, int | None]:
    """The seat that played each card, in one way to read the deal."""
    twice = cards_read_twice(deal)
    played_by = {card: where[0] for card, where in deal.seen.items() if card not in twice}
    unread = [laid for laid in all_laid(deal) if not laid.known or laid.deduced or laid.known in twice]
    played_by.update((card, one.seat) for card, one in zip(reading.cards, unread, strict=False))
    return played_by


def _ask_if_announced(game: TrickGame, deal: DealState, ways: Sequence[_Way], number: int) -> list[Notice]:
    """Where cards held together count only if that was said, and somebody held them: whether he said so."""
    holders = {way.holder for way in ways}
    unsaid = [seat for seat in holders if seat is not None and was_announced(game, deal, seat) is None]
    if unsaid and len(holders) > 1:
        return [_ask_who_held(deal, holders, number)]
    return [ask_if_announced(deal, seat, number) for seat in unsaid]


def ask_if_announced(deal: DealState, holder: int, number: int) -> Notice:
    return question(number, ANNOUNCED, [YES, NO], seat=holder, deal_number=deal.number)


def was_announced(game: TrickGame, deal: DealState, holder: int | None) -> bool | None:
    """Whether the cards that this seat held together count; None: nobody has said. What was said of another, before
    trump or a card was corrected, tells nothing of it."""
    if not game.bonus_announced:
        return True
    return deal.announced if deal.bonus in (None, holder) else None


def outcome_of(
    game: TrickGame, state: CardState, deal: DealState, reading: DealReading, held_by: Mapping[Card, int | None]
) -> Outcome:
    trump = deal.trump or ""
    silent = was_announced(game, deal, game.holds_bonus(trump, held_by)) is False
    bonus = () if silent else game.bonus(trump, held_by)
    outcome = game.outcome(reading.points, reading.winners, state.score.tie_bonus, deal.taker, bonus)
    return outcome if deal.refused_by is None else game.refused_outcome(outcome, deal.refused_by)


def bonus_seen(game: TrickGame, deal: DealState) -> tuple[int, ...]:
    """What cards held together are worth, by side, as far as both were seen and it counts for sure."""
    counts = deal.trump is not None and was_announced(game, deal, holder_seen(game, deal))
    return game.bonus(deal.trump or "", _held_as_seen(game, deal)) if counts else ()


def holder_seen(game: TrickGame, deal: DealState) -> int | None:
    """Who held cards together that count, as far as both were seen, or somebody said so."""
    return game.holds_bonus(deal.trump or "", _held_as_seen(game, deal))


def _held_as_seen(game: TrickGame, deal: DealState) -> dict[Card, int | None]:
    said = dict.fromkeys(game.pack, deal.bonus) if deal.bonus is not None else {}
    return said | {card: seat for card, (seat, _, _) in deal.seen.items()}


def tricks_of(game: TrickGame, winners: Sequence[int]) -> tuple[int, ...]:
    """The tricks of each side, from the seat that won each."""
    return tuple(sum(game.sides[seat] == side for seat in winners) for side in range(game.side_count))


def score_deal(
    game: TrickGame,
    state: CardState,
    outcome: Outcome,
    points: tuple[Range, ...],
    tricks: tuple[Range, ...],
    revoked: int | None = None,
) -> tuple[CardState, list[Notice]]:
    """What a deal brings: points and tricks by side, and what the game makes of them. revoked: the side that lost it by
    a revoke."""
    deal = state.deal
    assert deal is not None
    score = game.scored(state.score, outcome)
    facts: dict[str, Any] = {
        "points": [shown(made) for made in points] if game.all_points else list(outcome.games),
        "tricks": [shown(taken) for taken in tricks],
        "games": list(outcome.games),
        "match": list(score.games),
    }
    facts |= game.deal_facts(outcome, score, deal.taker)
    if revoked is not None:
        facts["revoked"] = revoked
    notices = [Notice("deal_scored", INFO, facts), *match_won(game, state, score)]
    return with_result(game, state, deal, Result(outcome, score, points, tricks)), notices


def count_nothing(game: TrickGame, state: CardState, score: Score) -> CardState:
    """A deal that is over and brings nothing: somebody set the score after it."""
    deal = state.deal
    assert deal is not None
    nothing = Outcome((0,) * game.side_count)
    result = Result(nothing, score, ((0, 0),) * game.side_count, tricks_made(game, deal))
    return with_result(game, state, deal, result)


def with_result(game: TrickGame, state: CardState, deal: DealState, result: Result) -> CardState:
    """The state with what a deal came to, and who may deal next."""
    won = result.score.winner(game.target) is not None
    dealt_by = deal.dealt_by(game.players)
    dealer = game.next_dealer(dealt_by, won) if dealt_by is not None else None
    dealers = game.next_dealers(dealt_by, won) if dealt_by is not None else frozenset()
    return changed(state, deal=changed(deal, result=result), dealer=dealer, dealers=dealers)


def match_won(game: TrickGame, state: CardState, score: Score) -> list[Notice]:
    """Who has won the match, and the evening, where the house plays a number of matches."""
    won = score.winner(game.target)
    if won is None:
        return []
    notices = [Notice("match_won", INFO, {"side": won, "seats": seats_of(game, won), "match": list(score.games)})]
    evening = game.options.get("matches", 0)
    if evening:
        parties = matches_won(game, state, score)
        ahead = [side for side, one in enumerate(parties) if one == max(parties)]
        facts = {"parties": list(parties), "of": evening, "over": sum(parties) == evening}
        notices.append(Notice("parties", INFO, facts | {"side": ahead[0] if len(ahead) == 1 else None}))
    return notices


def count_pack(
    game: TrickGame, deal: DealState, readings: list[DealReading] | None, unread: list[Laid], number: int
) -> list[Notice]:
    """Where every card is played, the whole pack must have been seen, and its points must add up."""
    if not game.plays_whole_pack:
        return []
    missing = unseen_cards(game, deal)
    facts: dict[str, Any] = {"number": number, "trick": deal.trick_number}
    notices = []
    unread = [laid for laid in unread if not laid.deduced]
    if len(missing) > len(unread) and not deal.tricks_uncertain:
        count = len(missing) - len(unread)
        notices.append(illegal("cards_missing", **facts, cards=missing, missing=count))
        totals = {sum(reading.points) for reading in readings or ()}
        if totals and game.all_points not in totals:
            points = list(readings[0].points) if readings and len(readings) == 1 else []
            notices.append(
                illegal(
                    "points_do_not_add_up",
                    **facts,
                    cards=missing,
                    points=points,
                    total=min(totals),
                    all=game.all_points,
                )
            )
    return notices


def ask_for_score(
    game: TrickGame,
    deal: DealState,
    tricks: Sequence[Trick],
    readings: list[DealReading] | None,
    winners_tell: bool,
    number: int,
) -> Notice:
    """The score hangs on something nobody saw: which card it was, who won a trick, or who led. A card is asked for
    where few are left that it may be; else it is easier to say who won. winners_tell: knowing that may be enough. Where
    nothing that players remember would be, they count their cards, and set the score by hand."""
    asks = _ask_which_cards(game, deal, tricks, readings, number)
    few = next((ask for ask in asks if len(ask.facts["choices"]) <= FEW_CARDS), None)
    if few is not None:
        return few
    first = next((laid for laid in all_laid(deal) if laid.played), None)
    if first is not None and first.seat is None:
        choices = [str(seat) for seat in sorted(deal.first_leads)]
        return question(number, "leader", choices, card_number=first.number)
    won = _ask_who_won(tricks, readings, number) if winners_tell or not game.all_points else iter(())
    return next(won, not_scored(number, "unseen"))
