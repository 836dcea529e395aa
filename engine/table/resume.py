"""The hypotheses that a match is resumed with: what it holds, and what is known of where it lies."""

import math
from collections.abc import Container, Mapping

from engine.cards import Card
from engine.match import Match
from engine.rules.tricks import TrickGame
from engine.table.accusation import DEALT_OUT
from engine.table.hypothesis import PLAYING, TRICK, TURN_UP, WAITING, Hypothesis, Thing, TrickCard
from engine.view import CardShown

FREE_UID = 1000
"""Things that come later have numbers from here on: more than a match that is resumed has on the table."""


def resumed(
    match: Match, game: TrickGame, beam: list[Hypothesis], taken_back: Container[Card | None]
) -> tuple[list[Hypothesis], dict[int, int]]:
    """The hypotheses, and the events of the cards that lie there, by uid. beam: the hypotheses until now; taken_back:
    what a person took back."""
    serial = max((hypothesis.serial for hypothesis in beam), default=0) + 1
    known = {thing.card: thing for thing in (beam[0].things if beam else ()) if thing.card not in taken_back}
    if match.view.phase in DEALT_OUT:
        return [_between_deals(match, known, serial)], {}
    numbers = {place: shown["number"] for place, shown in enumerate(match.view.trick or ())}
    return _in_a_deal(match, game, known, serial), numbers


def _between_deals(match: Match, known: Mapping[Card | None, Thing], serial: int) -> Hypothesis:
    turned = tuple(thing for thing in known.values() if thing.kind == TURN_UP)
    since = 99 if match.view.phase == "waiting_for_deal" else 0
    return Hypothesis(phase=WAITING, serial=serial, things=turned, hands_since=since, uid=FREE_UID)


def _in_a_deal(match: Match, game: TrickGame, known: Mapping[Card | None, Thing], serial: int) -> list[Hypothesis]:
    """One; or where nobody knows who laid the first card that lies there, one for each who may have."""
    shown = match.view.trick or ()
    firsts = range(game.players) if shown and shown[0].seat is None else (0,)
    tricks = [
        tuple(_laid(card, place, (first + place) % game.players) for place, card in enumerate(shown))
        for first in firsts
    ]
    return [_with_trick(match, game, known, serial, trick)._replace(logp=-math.log(len(tricks))) for trick in tricks]


def _laid(told: CardShown, place: int, seat: int) -> TrickCard:
    """A card that lies there. seat: whose it is, where the match does not say."""
    return TrickCard(seat if told.seat is None else told.seat, told.card, place)


def _with_trick(
    match: Match, game: TrickGame, known: Mapping[Card | None, Thing], serial: int, trick: tuple[TrickCard, ...]
) -> Hypothesis:
    view = match.view
    things = [_lies(known, laid.uid, laid.card, TRICK) for laid in trick if laid.card]
    if view.turn_up:
        things.insert(0, _lies(known, FREE_UID - 1, view.turn_up, TURN_UP))
    start = range(game.players) if view.turn is None else (view.turn,)
    return Hypothesis(
        phase=PLAYING,
        leads=frozenset({trick[0].seat} if trick else start),
        trump=view.trump or "",
        turn_up=view.turn_up,
        done=(view.trick_number or 1) - 1,
        serial=serial,
        played=frozenset(game.whole_pack - match.possible),
        trick=trick,
        things=tuple(things),
        uid=FREE_UID,
    )


def _lies(known: Mapping[Card | None, Thing], uid: int, card: Card, kind: str) -> Thing:
    """A card, where it is known to lie."""
    there = known.get(card)
    return Thing(uid, card, None, False, kind) if there is None else there._replace(uid=uid, kind=kind)


def next_leads(match: Match, game: TrickGame, told: bool) -> frozenset[int]:
    """Who may lead the first trick of the deal to come. told: that is the one that the match is in."""
    view = match.view
    everybody = frozenset(range(game.players))
    if view.dealer is None:
        return everybody
    if told or view.phase == "waiting_for_deal":
        dealers = frozenset({view.dealer})
    else:
        dealers = game.next_dealers(view.dealer, view.phase == "match_over")
    return frozenset((dealer + 1) % game.players for dealer in dealers) or everybody
