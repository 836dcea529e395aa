"""The accounts that a match is taken up with: what it holds, and what is known of where it lies."""

from engine.match import Match
from engine.rules.tricks import TrickGame
from engine.table.history import PLAYING, TRICK, TURN_UP, WAITING, History, Laid, Thing


def taken_up(match: Match, game: TrickGame, beam: list[History]) -> tuple[list[History], dict[int, int]]:
    """The accounts, and the events of the cards that lie there, by uid. beam: the accounts until now."""
    view = match.view
    serial = max((one.serial for one in beam), default=0) + 1
    old = {thing.card: thing for thing in (beam[0].things if beam else ()) if thing.card}
    numbers: dict[int, int] = {}
    if view.phase in ("waiting_for_deal", "deal_over", "match_over"):
        turned = tuple(one for one in old.values() if one.kind == TURN_UP)
        since = 99 if view.phase == "waiting_for_deal" else 0
        return [History(phase=WAITING, serial=serial, things=turned, hands_since=since, uid=1000)], numbers
    things, trick = [], []
    if view.turn_up:
        things.append(old.get(view.turn_up or "") or Thing(999, view.turn_up, None, False, TURN_UP))
        things[0] = things[0]._replace(kind=TURN_UP)
    start = view.turn
    for place, one in enumerate(view.trick or ()):
        seat = one["seat"] if one["seat"] is not None else place
        numbers[place] = one["number"]
        trick.append(Laid(seat, one["card"], (), place))
        if one["card"] and one["card"] in old:
            things.append(old[one["card"]]._replace(uid=place, kind=TRICK))
        elif one["card"]:
            things.append(Thing(place, one["card"], None, False, TRICK))
    leads = frozenset({trick[0].seat}) if trick else frozenset({start} if start is not None else range(game.players))
    played = game.whole_pack - match.possible
    h = History(
        0.0, (), PLAYING, leads, view.trump or "", view.turn_up, (view.trick_number or 1) - 1, serial,
        frozenset(played), tuple(trick), (), tuple(things), uid=1000,
    )  # fmt: skip
    return [h], numbers


def next_leads(match: Match, game: TrickGame) -> frozenset[int]:
    """Who may lead the first trick of the deal to come."""
    view = match.view
    everybody = frozenset(range(game.players))
    if view.dealer is None:
        return everybody
    if view.phase == "waiting_for_deal":
        dealers = frozenset({view.dealer})
    else:
        dealers = game.next_dealers(view.dealer, view.phase == "match_over")
    return frozenset((one + 1) % game.players for one in dealers) or everybody
