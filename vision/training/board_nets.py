"""The board's two networks, as PyTorch modules: small enough for one slow core. Training only."""

from __future__ import annotations

import torch
from torch import nn

from vision.board.crops import CROP_PX

SCALE = 8.0
"""Counts are divided by this inside the network, so that they weigh no more than other features."""
CELLS = CROP_PX // 4
"""Side of the counter's map of seeds."""
COUNTS = 32
"""Counts told apart, 0 to 31; one class more says `cannot be counted`."""


def block(inside: int, outside: int, kernel: int = 3, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Convolution, norm, rectifier."""
    pad = dilation * (kernel // 2)
    return nn.Sequential(
        nn.Conv2d(inside, outside, kernel, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class CountingNet(nn.Module):
    """A crop of a pit in; out come scores for each count and, while learning, maps of the seeds in sight.

    Scores are linear in the features, the last two of which are a plain estimate of the count and its square: counts
    are neighbours of each other, and what is learned of one holds for the next.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 16, 5, 2), block(16, 24), nn.MaxPool2d(2), block(24, 40), block(40, 40))
        self.more = block(40, 40)
        self.seeds = nn.Conv2d(40, 1, 1)
        self.density = nn.Conv2d(40, 4, 1)
        self.deep = nn.Sequential(nn.MaxPool2d(2), block(41, 64), block(64, 64))
        self.features = nn.Sequential(nn.Linear(129, 96), nn.ReLU(inplace=True))
        self.unseen = nn.Linear(96, 1)
        self.scores = nn.Linear(96, COUNTS + 1)
        self.sharpness = nn.Parameter(torch.full((COUNTS,), -1.0))
        nn.init.constant_(self.density.bias, -6.0)  # type: ignore[arg-type]
        nn.init.zeros_(self.unseen.weight)
        nn.init.zeros_(self.unseen.bias)

    def last_layer(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The map from features to scores: weight (counts, 98) and bias."""
        k = torch.arange(COUNTS, dtype=torch.float32) / SCALE
        sharp = torch.nn.functional.softplus(self.sharpness) * SCALE * SCALE
        nothing = torch.zeros(1)
        first = torch.cat([sharp * k, nothing])
        second = torch.cat([-0.5 * sharp, nothing])
        weight = torch.cat([self.scores.weight, first[:, None], second[:, None]], 1)
        return weight, self.scores.bias + torch.cat([-0.5 * sharp * k * k, nothing])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Scores, features, seed map (logits), density of seeds as four quarter-cells, estimate of those in sight."""
        y = self.more(self.stem(x))
        seeds = self.seeds(y)
        seen = torch.sigmoid(seeds)
        density = torch.sigmoid(self.density(y))
        z = self.deep(torch.cat([y, seen], 1))
        # Averages times a constant rather than sums: the shapes stay fixed and the scale near one.
        total = torch.nn.functional.avg_pool2d(seen, CELLS) * 8.0
        mean = torch.nn.functional.avg_pool2d(z, CELLS // 2)
        top = torch.nn.functional.max_pool2d(z, CELLS // 2)
        features = self.features(torch.cat([mean, top, total], 1).flatten(1))
        in_sight = torch.nn.functional.avg_pool2d(density, CELLS).flatten(1).sum(1, keepdim=True) * float(CELLS * CELLS)
        count = (in_sight + self.unseen(features)) / SCALE
        features = torch.cat([features, count, count * count], 1)
        weight, bias = self.last_layer()
        return torch.nn.functional.linear(features, weight, bias), features, seeds, density, in_sight[:, 0]


class FindingNet(nn.Module):
    """A picture in; for each 4x4 pixels: is a pit's middle here, where exactly, how big; does a stray lie here."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 16, 5, 2), block(16, width, 3, 2), block(width, width))
        self.far = nn.ModuleList([block(width, width, dilation=d) for d in (2, 4, 8, 2)])
        self.out = nn.Sequential(block(width, width), nn.Conv2d(width, 5, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(n, 5, h/4, w/4): pit score, offset right and down in cells, log2 of radius in cells, stray score."""
        y = self.stem(x)
        for step in self.far:
            y = y + step(y)
        out: torch.Tensor = self.out(y)
        return out
