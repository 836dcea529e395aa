"""The project's own figures, measured here and now. Times on a shared machine are noisy: compare within one run."""

import platform
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from device.commands.console import working
from engine import bench_mraha
from engine.cards import suit_of
from engine.events import Deal, Play, Undo
from engine.journal import match_lines, read_journal
from engine.match import Match
from engine.referee.card_game import CardJudge
from engine.referee.proof import Outside, Shown, prove
from engine.rules.turufu import turufu
from engine.simulate import honest_deal, honest_match

TABLES = (("turufu", 2), ("turufu", 4), ("turufu", 6), ("triomphe", 4), ("pille", 4))
SHORT_MATCH, LONG_MATCH = 100, 10_000
"""Events of a match before the cost of one more is measured."""


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
        "deals_per_s": {f"{game} {players}": round(_deals_per_s(game, players, deals)) for game, players in TABLES},
        "proof": proof(deals),
        "replay_events_per_s": round(_replay_speed(deals)),
        "growth": growth(long_match),
        "mraha": bench_mraha.bench(max(2, deals // 10), max(2, deals // 10)),
    }


def cards(quick: bool) -> dict[str, Any]:
    """Reading cards, beside a detector of the usual shape."""
    from vision.cards import bench

    return dict(bench.bench(5 if quick else 25))


def board(quick: bool) -> dict[str, Any]:
    """Finding a board and counting its seeds."""
    from vision.board import bench

    return dict(bench.bench(3 if quick else 15))


def display(quick: bool) -> dict[str, Any]:
    """From a show to its picture, on every display that can be wired."""
    from device.outputs.display import bench

    return dict(bench.bench(3 if quick else 20))


def loop(quick: bool) -> dict[str, Any]:
    """What the loop costs between camera, brain and outputs."""
    from device.following import loop_bench

    return loop_bench.bench(1.0 if quick else 20.0)


def live(quick: bool) -> dict[str, Any]:
    """Following a drawn table: how soon, at what cost, and what an hour leaves in memory."""
    from device.following import live_bench

    return live_bench.bench(6, 120.0) if quick else live_bench.bench(60, 3600.0)


def page(quick: bool) -> dict[str, Any]:
    """What the page for phones costs beside the loop."""
    from device.outputs.page import bench

    return bench.bench(6, 5.0) if quick else bench.bench(1_000, 60.0)


PARTS: dict[str, Callable[[bool], dict[str, Any]]] = {
    "engine": engine,
    "cards": cards,
    "board": board,
    "display": display,
    "loop": loop,
    "live": live,
    "page": page,
}


def _deals_per_s(name: str, players: int, deals: int) -> float:
    match = Match(name, players)
    assert isinstance(match.judge, CardJudge)
    events = honest_match(match.judge.game, Random(1), deals)
    seconds = _seconds(lambda: [match.add(event) for event in events])
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
    for event in honest_match(match.judge.game, Random(1), deals):
        match.add(event)
    text = "\n".join(match_lines(match)) + "\n"
    return len(match.log) / _seconds(lambda: read_journal(text).replay())


def growth(long_match: int) -> dict[str, float]:
    """The median cost of an event, of an undo and of a view early and late in one long match, and its memory."""
    match = Match("turufu", 4)
    assert isinstance(match.judge, CardJudge)
    game = match.judge.game
    tracemalloc.start()
    early = late = 0.0
    rng = Random(1)
    dealer = 0
    while len(match.log) < long_match:
        events = honest_deal(game, rng, dealer).events
        dealer = game.next_dealer(dealer, match_won=False)
        measured = [_seconds(lambda: match.add(event)) for event in events]  # noqa: B023
        if not early and len(match.log) >= SHORT_MATCH:
            early = statistics.median(measured)
        late = statistics.median(measured)
    memory = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    undo = statistics.median(_seconds(lambda: match.add(Undo())) for _ in range(50))
    return {
        "events": len(match.log),
        "event_early_us": round(early * 1e6, 1),
        "event_late_us": round(late * 1e6, 1),
        "late_to_early": round(late / early, 2),
        "undo_us": round(undo * 1e6, 1),
        "memory_mb": round(memory / 1e6, 1),
    }


def _seconds(action: Callable[[], object]) -> float:
    """Processor time: what else runs on the machine does not count."""
    start = time.process_time()
    action()
    return time.process_time() - start
