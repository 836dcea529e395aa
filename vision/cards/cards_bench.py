"""Speed and memory of reading cards, beside a detector of the usual shape in the same module on the same picture."""

import cProfile
import statistics
from functools import partial

import cv2
import numpy as np

from vision.cards.crops import Image
from vision.cards.peer import PEER_SIDE_PX, peer_network
from vision.cards.reader import CardReader
from vision.measured import milliseconds, resident_mb
from vision.synthetic.cards_tables import DrawnCard, clean_look, draw_table
from vision.synthetic.decks import plain_deck

_CARD_SHARE = 0.11
"""Width of a card over that of the picture: a camera 60 cm above the table."""


WOOD, PRINTED, CHECKED = 44, 41, 48
"""Seeds of tables: boards, a cloth with figures and ornaments on it, one with checks."""


def bench_picture(cards: int, width: int = 1280, height: int = 960, table: int = WOOD) -> Image:
    """A drawn table with so many cards, thrown on each other in fours."""
    rng = np.random.default_rng(table)
    deck = plain_deck()
    codes = [c for c in deck.pictures if c != "back"]
    card_px = _CARD_SHARE * width
    laid = []
    for k in range(cards):
        heap = k // 4
        middle = np.array([(0.3 + 0.4 * (heap % 2)) * width, (0.3 + 0.4 * (heap // 2)) * height])
        at = middle + 0.62 * card_px * np.array([np.cos(k * np.pi / 2), np.sin(k * np.pi / 2)])
        laid.append(
            DrawnCard(codes[(7 * k + 3) % len(codes)], (float(at[0]), float(at[1])), card_px, k * np.pi / 2 + 0.2)
        )
    return draw_table(
        rng, deck, width, height, card_px=card_px, laid=laid, look=clean_look(), tilt_deg=6, clutter=False, hand=False
    ).image


_STAGES = {
    "networks": ("forward", "setInput", "blobFromImages"),
    "pictures": ("resize", "warpAffine", "convertScaleAbs", "split", "cvtColor", "partition"),
}
"""Calls into OpenCV and NumPy by what they are for."""


def stages(rounds: int = 10) -> dict[str, dict[str, float]]:
    """Where a look's time goes, as shares: in networks, in resizing and cutting pictures, in all the rest. Measured
    under a profiler, which makes the rest look up to twice as long as it is."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        reader = CardReader()
        return {str(cards): _shares(reader, bench_picture(cards), rounds) for cards in (1, 4, 8, 16)}
    finally:
        cv2.setNumThreads(threads)


def _shares(reader: CardReader, picture: Image, rounds: int) -> dict[str, float]:
    reader.read(picture)
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(rounds):
        reader.read(picture)
    profile.disable()
    spent = {**dict.fromkeys(_STAGES, 0.0), "rest": 0.0}
    for entry in profile.getstats():
        called = str(entry.code)  # Of Python's own functions this names a file and a line, which no stage does.
        named = [
            stage for stage, names in _STAGES.items() if any(f"'{n}'" in called or f"<{n}>" in called for n in names)
        ]
        spent[named[0] if named else "rest"] += entry.inlinetime
    whole = sum(spent.values())
    return {
        **{stage: round(seconds / whole, 3) for stage, seconds in spent.items()},
        "ms": round(1e3 * whole / rounds, 1),
    }


def bench(rounds: int = 25) -> dict[str, object]:
    """The figures of the card reader, one core."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        trick = bench_picture(4)
        before = resident_mb()
        reader = CardReader()
        ours = milliseconds(lambda: reader.read(trick), rounds)
        after = resident_mb()
        by_size = {}
        for width, height in ((640, 480), (1280, 960), (1920, 1440), (2304, 1536), (4000, 3000)):
            picture = bench_picture(4, width, height)
            by_size[f"{width}x{height}"] = round(statistics.median(milliseconds(partial(reader.read, picture), 9)), 2)
        by_cards = {}
        for cards in (0, 1, 2, 4, 8, 16):
            picture = bench_picture(cards)
            by_cards[str(cards)] = round(statistics.median(milliseconds(partial(reader.read, picture), 9)), 2)
        by_table = {}
        for name, table in (("wood", WOOD), ("printed", PRINTED), ("checked", CHECKED)):
            picture = bench_picture(4, table=table)
            by_table[name] = round(statistics.median(milliseconds(partial(reader.read, picture), 9)), 2)
        peer, parameters, flop = peer_network()
        names = peer.getUnconnectedOutLayersNames()

        def run_peer() -> object:
            side = (PEER_SIDE_PX, PEER_SIDE_PX)
            peer.setInput(cv2.dnn.blobFromImage(trick, 1 / 255, side))
            return peer.forward(names)

        theirs = milliseconds(run_peer, max(5, rounds // 3))
        again = milliseconds(lambda: reader.read(trick), rounds)
    finally:
        cv2.setNumThreads(threads)
    mine, other = statistics.median(ours + again), statistics.median(theirs)
    return {
        "picture": "1280x960, a trick of four, one core",
        "median_ms": round(mine, 2),
        "fastest_ms": round(min(ours + again), 2),
        "slowest_ms": round(max(ours + again), 2),
        "ms_by_picture": by_size,
        "ms_by_cards": by_cards,
        "ms_by_table": by_table,
        "memory_mb": round(after - before, 1),
        "peer": {
            "shape": "YOLO v8 nano, untrained, 640x640",
            "parameters": parameters,
            "gflop": round(flop / 1e9, 2),
            "median_ms": round(other, 2),
            "times_slower": round(other / mine, 2),
            "times_slower_fastest": round(min(theirs) / min(ours + again), 2),
        },
    }
