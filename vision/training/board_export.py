"""Turns trained board networks into what the reader opens: ONNX, the calibrated last layer, and a card for each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from engine import simulate_awale
from engine.rules import awale
from engine.rules.mraha import board_rows, flags_from, options_for
from engine.simulate_mraha import honest_turns
from vision.board.counter import VARIED
from vision.board.crops import CROP_PX, PX_PER_RADIUS
from vision.training import board_data
from vision.training.board_lessons import BATCH, FINDER_BATCH, CropFeed, Lessons, figures, score_counter
from vision.training.board_nets import COUNTS, CountingNet, FindingNet

Array = np.ndarray[Any, Any]

FINDER_CARD = """# board_finder.onnx

Where pits are: a picture in (blue, green, red; mean 0, spread 1; sides multiples of 8), for each 4x4 pixels out: pit
score, offset right and down in cells, log2 of the pit's radius in cells, score of a seed outside the pits.

- **Data**: {pictures} drawn boards (vision/synthetic; seeds settled by physics, piles seed {piles}, pictures from
  seed {seed}), nearly half with 4x8 pits, the others with other grids, two of three as people build them, stores
  and hinges included; hands, glare, clutter, printed cloths. Each is turned, zoomed (13 to 44 pixels a pitch), every
  third squeezed as if seen from the side, recoloured and in part made faint every time. No photograph, no other
  renderer's picture.
- **Training**: `python -m vision.training.board`, {weights:,} weights, {steps:,} steps of {batch} windows on one core;
  weights averaged at the end.
- **Licence**: as the project's.
"""
COUNTER_CARD = """# {name}.onnx

How many seeds lie in a pit{boards_it_is_for}: crops of {px}x{px} pixels in ({scale} pixels a pit radius, blue, green,
red; mean 0, spread 1), 98 features out. The last layer is in {name}.json: it turns them into scores for 0 to 31 seeds
and for `cannot be counted`, with the temperature that makes the scores honest; the reader refits it to a board it has
been shown.

- **Data**: {crops:,} pictures of pits, of {boards:,} small drawn boards in several lights each (vision/synthetic; seeds
  settled by physics, {kinds} kinds of pit and seed, piles seed {piles}, pictures from seed {seed}). A pit covered by
  more than 12 % counts as `cannot be counted`. No photograph, no other renderer's picture.
- **Training**: `python -m vision.training.board`, {weights:,} weights, {steps:,} steps of {batch} crops on one core;
  weights averaged at the end. Full pits are shown more often than they occur; the last layer is then shifted to how
  often counts occur in random play.
- **Checked** on {checked} pits of drawn boards with other piles, other seeds, other boards (the committed library of
  vision/synthetic; also used to set the temperature, {temperature}): {figures}.
- **Licence**: as the project's.
"""


PLAYED = 60
"""Random games of each preset that counts are counted in."""
AT_LEAST = 0.002
"""Share that every count has at least: positions are also set up by hand, and a full pit must not be argued away."""
HIDDEN_SHARE = 0.03
"""Share of pits that a hand hides in pictures that are read: most are taken when the table lies still."""


def _shares(boards: Iterable[Iterable[Iterable[int]]]) -> Array:
    """How often each count lies in a pit of these boards, the last for `cannot be counted`."""
    seen = np.zeros(COUNTS)
    for rows in boards:
        for row in rows:
            np.add.at(seen, list(row), 1)
    counts = seen / seen.sum() + AT_LEAST
    return np.append(counts / counts.sum() * (1 - HIDDEN_SHARE), HIDDEN_SHARE)


def shares_in_play() -> Array:
    """How often each count lies in a pit in random play on four rows."""
    presets = [flags_from(options_for(preset, {})) for preset in ("mraha", "kiswahili")]
    games = (honest_turns(Random(seed), flags) for flags in presets for seed in range(PLAYED))
    return _shares(board_rows(turn.after) for game in games for turn in islice(game, 120))


def shares_on_two_rows() -> Array:
    """The same on two rows."""
    games = (simulate_awale.honest_turns(Random(seed), awale.AwaleFlags()) for seed in range(2 * PLAYED))
    return _shares(awale.board_rows(turn.after.sides) for game in games for turn in islice(game, 120))


def shift(shares: Array, learned: Array) -> Array:
    """What to add to scores learned on one mix of counts so that they fit another."""
    return np.asarray(np.log(np.maximum(shares, 1e-4)) - np.log(np.maximum(learned, 1e-3)))


def temperature(scores: Array, label: Array) -> float:
    """What to divide scores by so that the likelihoods are honest: least log loss."""
    best = (np.inf, 1.0)
    for t in np.geomspace(0.5, 3, 60):
        z = scores / t
        z = z - z.max(1, keepdims=True)
        loss = float((np.log(np.exp(z).sum(1)) - z[np.arange(len(z)), label]).mean())
        best = min(best, (loss, float(t)))
    return round(best[1], 3)


def _onnx(net: torch.nn.Module, path: Path, x: torch.Tensor, outputs: list[str]) -> None:
    net.eval()
    torch.onnx.export(net, (x,), str(path), dynamo=False, opset_version=12, input_names=["image"], output_names=outputs)


class _Features(torch.nn.Module):
    """The counter without its last layer, which the reader does itself: it is refitted to each board."""

    def __init__(self, net: CountingNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        features: torch.Tensor = self.net(x)[1]
        return features


@dataclass(frozen=True)
class Made:
    """How weights were made: the seeds of piles and pictures, kinds of pits, steps."""

    piles: int
    seed: int
    kinds: int
    steps: int


def export_finder(weights: Path, work: Path, out: Path, made: Made) -> None:
    """Writes board_finder.onnx and its card into the folder `out`."""
    net = FindingNet()
    net.load_state_dict(torch.load(weights))
    _onnx(net, out / "board_finder.onnx", torch.zeros(1, 3, 240, 320), ["cells"])
    pictures = sum(len(np.load(s / "pits.npy", mmap_mode="r")) for s in board_data.shards(work / "boards"))
    size = sum(p.numel() for p in net.parameters())
    card = FINDER_CARD.format(
        pictures=pictures, piles=made.piles, seed=made.seed, weights=size, steps=made.steps, batch=FINDER_BATCH
    )
    (out / "board_finder.md").write_text(card)


def export_counter(lessons: Lessons, out: Path, made: Made) -> dict[str, float]:
    """Writes a counter's .onnx, .json and card into the folder `out`; returns the figures on the check set."""
    varied = lessons.network == VARIED
    net = CountingNet()
    net.load_state_dict(torch.load(lessons.weights))
    scores, label = score_counter(net, CropFeed(lessons.checks))
    train = CropFeed(lessons.pits)
    learned = train.shown()
    checked = np.bincount(label, minlength=COUNTS + 1) / len(label)
    scores = scores + shift(checked, learned)
    t = temperature(scores, label)
    found = figures(scores / t, label)
    in_play = shift(shares_on_two_rows() if varied else shares_in_play(), learned) * t
    features = _Features(net)
    _onnx(features, out / f"{lessons.network}.onnx", torch.zeros(32, 3, CROP_PX, CROP_PX), ["features"])
    weight, bias = net.last_layer()
    last = {
        "temperature": t,
        "weight": np.round(weight.detach().numpy().astype(float), 5).tolist(),
        "bias": np.round(bias.detach().numpy().astype(float) + in_play, 5).tolist(),
    }
    (out / f"{lessons.network}.json").write_text(json.dumps(last))
    card = COUNTER_CARD.format(
        name=lessons.network,
        boards_it_is_for=" on boards of two, three or five rows" if varied else "",
        px=CROP_PX,
        scale=PX_PER_RADIUS,
        crops=len(train.label),
        boards=train.boards,
        kinds=made.kinds,
        piles=made.piles,
        seed=made.seed,
        weights=sum(p.numel() for p in net.parameters()),
        steps=made.steps,
        batch=BATCH,
        checked=len(label),
        temperature=t,
        figures=", ".join(f"{k} {v}" for k, v in found.items()),
    )
    (out / f"{lessons.network}.md").write_text(card)
    return found
