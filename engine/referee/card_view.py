"""What a card table may see now: the judge's state as a view."""

from collections.abc import Sequence
from typing import Any

from engine.cards import Card
from engine.notices import Notice
from engine.referee.deal import PROVISIONAL, CardState, DealState
from engine.referee.tricks import Laid, Trick
from engine.rules.tricks import DRAWN_LAST, LEFT_OUT, TrickGame
from engine.seats import single
from engine.view import CardShown, CardView, Range


def possible(game: TrickGame, state: CardState) -> frozenset[Card]:
    """The cards that may lie face up on the table now: those still out, the trick's, the one turned up."""
    deal = state.deal
    if deal is None or deal.result is not None:
        return frozenset(game.whole_pack)
    gone = {laid.known for trick in deal.done for laid in (*trick.plays, *trick.extras)}
    return frozenset(game.whole_pack) - gone - {*deal.paid}


def view_of(game: TrickGame, state: CardState, turn: int | None, on_table: Trick | None) -> CardView:
    """What the table may see now. Running points can be switched off by the house.

    turn: whose turn it is. on_table: the trick that lies there, if it is complete.
    """
    deal = state.deal
    score = deal.result.score if deal and deal.result else state.score
    won = score.winner(game.target)
    shared: dict[str, Any] = {
        "game": game.name,
        "players": game.players,
        "sides": game.sides,
        "games": score.games,
        "target": game.target,
        "match": state.match,
        "winner": won,
        "question": state.questions[-1] if state.questions else None,
        "alert": _alert(state),
        **game.score_facts(score),
    }
    if game.options.get("matches"):
        before = state.parties or (0,) * game.side_count
        shared["parties"] = tuple(had + (side == won) for side, had in enumerate(before))
    if deal is None:
        return CardView(phase="waiting_for_deal", dealer=state.dealer, **shared)
    tricks = [*deal.done, *([on_table] if on_table is not None else [])]
    last = tricks[-1].winners if tricks else frozenset()
    drawn = game.players * min(len(deal.done), game.draws)
    return CardView(
        phase=_phase(deal, won, whole_trick=on_table is not None),
        turn=turn,
        dealer=deal.dealt_by(game.players),
        trump=deal.trump,
        turn_up=_face_up(game, deal),
        taker=deal.taker,
        stock=game.stock - drawn if game.stock else None,
        pack=_pack_in_use(game, deal),
        trick_number=deal.trick_number,
        trick=tuple(_in_view(laid) for laid in deal.plays),
        beside=tuple(_in_view(laid) for laid in (*deal.extras, *deal.aside, *deal.markers)) or None,
        wanted=_wanted(game, deal, turn),
        last_winner=single(last),
        **_running(game, deal, tricks),
        **shared,
    )


def _phase(deal: DealState, won: int | None, whole_trick: bool) -> str:
    """Where a deal stands, in a word."""
    if deal.result is not None:
        return "deal_over" if won is None else "match_over"
    if deal.gathered:
        return "deal_over"  # Its score waits for an answer; the next deal does not.
    return "trick_complete" if whole_trick else "play"


def _running(game: TrickGame, deal: DealState, tricks: Sequence[Trick]) -> dict[str, Any]:
    """Points and tricks by side, where the house wants to see them while a deal is played, and when it is over."""
    if deal.result is None and not points_shown(game):
        return {}
    points = _total(game, [trick.points for trick in tricks]) if deal.result is None else deal.result.points
    taken = tricks_taken(game, tricks) if deal.result is None else deal.result.tricks
    return {
        "points": tuple(shown(score) for score in points) if game.all_points else None,
        "tricks": tuple(shown(pair) for pair in taken),
    }


def _face_up(game: TrickGame, deal: DealState) -> Card | None:
    """The card turned up, while it lies there."""
    if game.turn_up_goes in (DRAWN_LAST, LEFT_OUT):
        return None if game.turn_up_may_be_played(len(deal.done) + 1) else deal.turn_up
    return None if deal.done or deal.plays else deal.turn_up


def points_shown(game: TrickGame) -> bool:
    """Whether the view shows the points of the deal that is played."""
    return bool(game.options.get("show_points", True))


def _pack_in_use(game: TrickGame, deal: DealState) -> int | None:
    """With two packs, each side deals its own."""
    if game.options.get("packs") != 2 or deal.dealer is None:
        return None
    return game.sides[deal.dealer] % 2


def _wanted(game: TrickGame, deal: DealState, turn: int | None) -> Card | None:
    """The card that the device asks for, while it is its turn."""
    asked = deal.asked_now(game.players)
    return asked.card if asked is not None and asked.seat == turn else None


def _alert(state: CardState) -> Notice | None:
    if state.alert is None:
        return None
    alert = state.alert
    if alert.code == "revoke" and alert.facts["level_of_proof"] == PROVISIONAL:
        tricks = sorted({claim["trick"] for claim in alert.facts["claims"]})
        return Notice("revoke", "", {"level_of_proof": PROVISIONAL, "tricks": tricks})
    return alert


def _in_view(laid: Laid) -> CardShown:
    return CardShown(laid.seat, laid.card, laid.number, laid.sure or laid.card is None)


def shown(value: Range) -> int | Range:
    """A number, where there is only one it can be."""
    return value[0] if value[0] == value[1] else value


def _total(game: TrickGame, parts: list[tuple[Range, ...]]) -> tuple[Range, ...]:
    return tuple(
        (sum(part[side][0] for part in parts), sum(part[side][1] for part in parts)) for side in range(game.side_count)
    )


def tricks_taken(game: TrickGame, tricks: Sequence[Trick]) -> tuple[Range, ...]:
    """The tricks of each side, at least and at most."""
    return _total(game, [_tricks_of(game, trick.winners) for trick in tricks])


def spread(ways: Sequence[Sequence[int]]) -> tuple[Range, ...]:
    """The least and the most of each place in several ways to count."""
    return tuple((min(values), max(values)) for values in zip(*ways, strict=True))


def _tricks_of(game: TrickGame, winners: frozenset[int]) -> tuple[Range, ...]:
    sides = {game.sides[seat] for seat in winners}
    return tuple((int(sides == {side}), int(side in sides)) for side in range(game.side_count))
