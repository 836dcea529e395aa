"""The project's own figures, measured here and now. Times on a shared machine are noisy: compare within one run."""

import platform
import shutil
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from device import words
from device.commands.console import working
from engine import mraha_bench
from engine.cards import suit_of
from engine.events import Deal, Event, Play, Undo
from engine.games import card_tables
from engine.journal import match_lines, read_journal
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.referee.proof import Outside, Shown, prove
from engine.rules.turufu import turufu
from engine.simulate import honest_deal, honest_match

LONG_MATCH, COMPARED_DEALS = 10_000, 40
"""Events of a match that counts as long, and the deals whose cost is compared with that in a fresh one."""


def measure(parts: Sequence[str] = (), quick: bool = False) -> dict[str, Any]:
    """These parts of the bench, or all of them."""
    figures: dict[str, Any] = {"machine": machine()}
    for name, part in PARTS.items():
        if name in parts or not parts:
            with working(f"bench, {name}"):
                figures[name] = part(quick)
    return figures


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    return {"python": platform.python_version(), "processor": platform.machine(), "system": platform.system()}


def engine(quick: bool) -> dict[str, Any]:
    """Deals, proofs, replay, what an event costs late in a long match, and the board."""
    deals, long_match = (20, 2_000) if quick else (200, LONG_MATCH)
    return {
        "deals_per_s": {
            f"{game} {players}": round(_deals_per_s(game, players, deals)) for game, players in card_tables()
        },
        "proof": proof(deals),
        "replay_events_per_s": round(_replay_speed(deals)),
        "growth": growth(long_match),
        "mraha": mraha_bench.bench(max(2, deals // 10), max(2, deals // 10)),
    }


def cards(quick: bool) -> dict[str, Any]:
    """Reading cards, beside a detector of the usual shape."""
    from vision.cards import cards_bench

    return dict(cards_bench.bench(5 if quick else 25))


def board(quick: bool) -> dict[str, Any]:
    """Finding a board and counting its seeds."""
    from vision.board import board_bench

    return dict(board_bench.bench(3 if quick else 15))


def display(quick: bool) -> dict[str, Any]:
    """From a show to its picture, on every display that can be wired."""
    from device.outputs.display import display_bench

    return dict(display_bench.bench(3 if quick else 20))


def loop(quick: bool) -> dict[str, Any]:
    """What the loop costs between camera, brain and outputs."""
    from device.following import loop_bench

    return loop_bench.bench(1.0 if quick else 20.0)


def live(quick: bool) -> dict[str, Any]:
    """Following a drawn table: how soon, at what cost, and what an hour leaves in memory."""
    from device.commands import live_bench

    return live_bench.bench(6, 120.0) if quick else live_bench.bench(60, 3600.0)


def voice(quick: bool) -> dict[str, Any]:
    """From a show to the first sample; every notice as a sound; how far behind a quick game the voice falls. Nothing
    where espeak-ng is missing."""
    from device.outputs.voice import voice_bench

    if not shutil.which("espeak-ng"):
        return {}
    return {
        **voice_bench.bench(5 if quick else 40),
        "notices": voice_bench.listed(voice_bench.sounds(1 if quick else 3)),
        "most_cards_behind": {language: voice_bench.most_behind(language) for language in words.LANGUAGES},
    }


def page(quick: bool) -> dict[str, Any]:
    """What the page for phones, and an alert's pictures, cost beside the loop: in real time, some four minutes."""
    from device.outputs.page import page_bench

    return page_bench.bench(6, 5.0) if quick else page_bench.bench(24, 30.0)


def memory(quick: bool) -> dict[str, Any]:
    """What the device holds in memory, by stage; nothing where the system does not tell."""
    from device.commands import memory_bench

    return memory_bench.bench(60, 10.0) if quick else memory_bench.bench(600, 300.0)


PARTS: dict[str, Callable[[bool], dict[str, Any]]] = {
    "engine": engine,
    "cards": cards,
    "board": board,
    "display": display,
    "loop": loop,
    "live": live,
    "page": page,
    "voice": voice,
    "memory": memory,
}


def _deals_per_s(name: str, players: int, deals: int) -> float:
    match = Match(name, players)
    assert isinstance(match.judge, CardJudge)
    events = honest_match(match.judge.game, Random(1), deals)
    seconds = _seconds(lambda: _add(match, events))
    return deals / seconds


def proof(deals: int) -> dict[str, float]:
    """The proof of the whole table after every trick of turufu deals, honest and with revokes, in milliseconds."""
    times: dict[str, list[float]] = {"honest": [], "revoked": []}
    for seed in range(deals):
        game = turufu((2, 4, 6)[seed % 3], {})
        for kind, chance in (("honest", 0.0), ("revoked", 0.2)):
            events = honest_deal(game, Random(seed), 0, chance).events
            turn_up = next(event.turn_up for event in events if isinstance(event, Deal))
            plays = [Shown(event.seat, event.card) for event in events if isinstance(event, Play)]
            tricks = [plays[start : start + game.players] for start in range(0, len(plays), game.players)]
            for count in range(1, len(tricks) + 1):
                times[kind].append(
                    1e3 * _seconds(lambda: prove(game, suit_of(turn_up or ""), tricks[:count], Outside(turn_up)))  # noqa: B023
                )
    return {
        f"{kind}_{name}_ms": round(figure, 3)
        for kind, measured in times.items()
        for name, figure in (
            ("median", statistics.median(measured)),
            ("p99", statistics.quantiles(measured, n=100)[98]),
            ("worst", max(measured)),
        )
    }


def _replay_speed(deals: int) -> float:
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    _add(match, honest_match(match.judge.game, Random(1), deals))
    text = "\n".join(match_lines(match)) + "\n"
    return len(match.log) / _seconds(lambda: read_journal(text).replay())


def growth(long_match: int) -> dict[str, float]:
    """What a long match costs: its memory, an undo in it, and the same deals added to it and to a fresh match in turns.

    Nothing else measures fairly: one deal costs half as much again as another. Memory is watched in a match of its own,
    since what was made under watch stays slower.
    """
    late = Match("turufu", 4)
    assert isinstance(late.judge, CardJudge)
    game, rng, dealer = late.judge.game, Random(1), 0
    while len(late.log) < long_match:
        _add(late, honest_deal(game, rng, dealer).events)
        dealer = game.next_dealer(dealer, match_won=False)
    played = tuple(late.log)
    fresh = Match("turufu", 4)
    spent_s = {id(fresh): 0.0, id(late): 0.0}
    added = 0
    for number in range(COMPARED_DEALS):
        deal = honest_deal(game, rng, dealer).events
        dealer = game.next_dealer(dealer, match_won=False)
        for match in (fresh, late) if number % 2 else (late, fresh):
            spent_s[id(match)] += _seconds(lambda: _add(match, deal))  # noqa: B023
        added += len(deal)
    tracemalloc.start()
    watched = Match("turufu", 4)
    _add(watched, played)
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    undo = statistics.median(_seconds(lambda: late.add(Undo())) for _ in range(50))
    return {
        "events": len(played),
        "event_early_us": round(spent_s[id(fresh)] / added * 1e6, 1),
        "event_late_us": round(spent_s[id(late)] / added * 1e6, 1),
        "late_to_early": round(spent_s[id(late)] / spent_s[id(fresh)], 2),
        "undo_us": round(undo * 1e6, 1),
        "memory_mb": round(memory / 1e6, 1),
    }


def _add(match: Match, events: Iterable[Event]) -> None:
    for event in events:
        match.add(event)


def _seconds(action: Callable[[], object]) -> float:
    """Processor time: what else runs on the machine does not count."""
    start = time.process_time()
    action()
    return time.process_time() - start
