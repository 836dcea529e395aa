"""What a counter of seeds learns from: crops of pits as other cameras and lamps would show them; and how well it does
on those it never saw."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch

from vision.board.crops import CROP_PX, PX_PER_RADIUS
from vision.board.inputs import lifted, normalise
from vision.training import board_covers, board_data
from vision.training.board_measure import HIDES, SHOWS
from vision.training.board_nets import CELLS, COUNTS

Array = np.ndarray[Any, Any]

BATCH = 64
"""Crops a step."""
WILD = 0.25
"""Part of the crops that are shifted and zoomed further: pits that are neither round nor alike are placed worse."""
COVERS_TRIED = 4000
"""Crops that say how often something laid over them hides the pit."""
SOFT = 0.55
"""Part of the crops and windows that are blurred."""
SHADED, POORER = 0.15, 0.3
"""Part of the crops across which a shadow's edge runs, and of those that a poor camera took."""
FINDER_BATCH = 8
"""Windows a step."""

BLOB_PX2 = 20.0
"""Twice the squared width of a seed's blob in the map: it fades out at a seed's edge."""
NOISE = np.random.default_rng(0).standard_normal((16, 256, 256, 3), np.float32)
"""Grain to cut from: drawing it anew for each crop took longer than learning from it."""


def faint(x: Array, rng: np.random.Generator) -> Array:
    """Flat light on pale or dark wood: pits that hardly stand out from it."""
    kept = rng.uniform(0.35, 0.9)
    level = x.mean((0, 1), dtype=np.float32)
    return np.asarray((level + (x.astype(np.float32) - level) * kept).clip(0, 255).astype(np.uint8))


def colours(x: Array, rng: np.random.Generator) -> Array:
    """Other lamps, other cameras: gain, gamma, stronger, swapped or lost colours, blur, noise, sharpening."""
    ramp = (np.arange(256, dtype=np.float32) / 255) ** np.float32(rng.uniform(0.7, 1.4) if rng.random() < 0.5 else 1)
    table = (255 * ramp[:, None] * rng.uniform(0.85, 1.15, 3)).clip(0, 255).astype(np.uint8)
    y = cv2.LUT(x, table[None])
    if rng.random() < 0.3:
        grey = cv2.cvtColor(y, cv2.COLOR_BGR2GRAY)[..., None].astype(np.float32)
        y = (grey + (y - grey) * np.float32(rng.uniform(0.4, 1.8))).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        y = y[..., rng.permutation(3)]
    if rng.random() < 0.12:
        y = cv2.cvtColor(cv2.cvtColor(y, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    # No lens is as sharp as a drawn edge, and cameras sharpen what is soft.
    if rng.random() < SOFT:
        y = cv2.GaussianBlur(y, (0, 0), float(rng.uniform(0.4, 1.2)))
    if rng.random() < 0.2:
        y = cv2.addWeighted(y, 2.0, cv2.GaussianBlur(y, (0, 0), float(rng.uniform(0.7, 2.0))), -1.0, 0)
    out: Array = y.astype(np.float32)
    if rng.random() < 0.4:
        h, w = x.shape[:2]
        top, left = rng.integers(256 - h + 1), rng.integers(256 - w + 1)
        out += NOISE[rng.integers(len(NOISE)), top : top + h, left : left + w] * np.float32(rng.uniform(1, 9))
    return out


def shaded(x: Array, rng: np.random.Generator) -> Array:
    """The edge of something's shadow across the pit, or a light that falls off to one side."""
    h, w = x.shape[:2]
    turn, soft = rng.uniform(0, 2 * np.pi), np.exp(rng.uniform(np.log(0.03), np.log(1.0))) * w
    across = (
        np.cos(turn) * np.arange(w, dtype=np.float32)[None] + np.sin(turn) * np.arange(h, dtype=np.float32)[:, None]
    )
    lit = 1 / (1 + np.exp(-(across - across.mean() - rng.uniform(-0.4, 0.4) * w) / np.float32(soft)))
    dark = np.float32(rng.uniform(0.35, 0.85))
    return np.asarray(x * (dark + (1 - dark) * lit)[..., None], np.float32)


def poorer(x: Array, rng: np.random.Generator) -> Array:
    """As a small, dim or hurried picture shows it: of few pixels, packed hard, in little light, moved."""
    h, w = x.shape[:2]
    y: Array = x.clip(0, 255)
    if rng.random() < 0.5:
        small = max(16, round(w * rng.uniform(0.33, 0.8)))
        shrunk = cv2.resize(y, (small, small), interpolation=cv2.INTER_AREA)
        y = cv2.resize(shrunk, (w, h), interpolation=cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC)
    if rng.random() < 0.25:
        long, turn = rng.uniform(2, 6), rng.uniform(0, np.pi)
        smear = np.zeros((9, 9), np.float32)
        ends = [
            (round(4 + side * long / 2 * np.cos(turn)), round(4 + side * long / 2 * np.sin(turn))) for side in (-1, 1)
        ]
        cv2.line(smear, *ends, (1.0,))
        y = cv2.filter2D(y, -1, smear / smear.sum())
    if rng.random() < 0.4:
        dim = rng.uniform(0.12, 0.6)
        top, left = rng.integers(256 - h + 1), rng.integers(256 - w + 1)
        grain = NOISE[rng.integers(len(NOISE)), top : top + h, left : left + w]
        if rng.random() < 0.5:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.6
        y = y * np.float32(dim) + grain * np.float32(rng.uniform(1, 6))
    if rng.random() < 0.4:
        pack = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        y = cv2.imdecode(cv2.imencode(".jpg", y.clip(0, 255).astype(np.uint8), pack)[1], cv2.IMREAD_COLOR)
    return np.asarray(y, np.float32)


class CropFeed:
    """Pit crops, shifted, turned and recoloured anew each time, with the map of their seeds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: list[Path] = []
        self.crops: list[Array] = []
        self.places: list[Array] = []
        self.boards = 0
        self.label = self.shard = self.row = np.zeros(0, int)
        self.load_new()

    def load_new(self) -> None:
        """Takes in shards that have been drawn since."""
        for folder in board_data.shards(self.folder):
            if folder in self.known:
                continue
            crops, counts, covered, places, boards = (
                np.load(folder / f"{n}.npy") for n in ("crops", "counts", "covered", "places", "boards")
            )
            usable = np.flatnonzero((covered > HIDES) | (covered < SHOWS))
            label = np.where(covered > HIDES, COUNTS, np.minimum(counts, COUNTS - 1))[usable]
            self.label = np.append(self.label, label)
            self.shard = np.append(self.shard, np.full(len(usable), len(self.known)))
            self.row = np.append(self.row, usable)
            self.crops.append(crops)
            self.places.append(places)
            self.boards += int(boards)
            self.known.append(folder)

    def chances(self) -> Array:
        """Rare crops (full pits, hidden pits) are shown more often than they occur, common ones less."""
        often = np.bincount(self.label, minlength=COUNTS + 1).astype(float)
        weight = (1 / np.sqrt(often + 50))[self.label]
        return np.asarray(weight / weight.sum())

    def shown(self) -> Array:
        """How often each label is shown while learning, the covers laid over crops included."""
        rng = np.random.default_rng(0)
        drawn = rng.choice(len(self.label), COVERS_TRIED, p=self.chances())
        middle = np.full(2, (CROP_PX - 1) / 2)
        hidden = [
            self._laid_over(rng, np.zeros((CROP_PX, CROP_PX, 3), np.uint8), middle, PX_PER_RADIUS, self.label[i])[1]
            for i in drawn
        ]
        share = np.mean([label == COUNTS for label in hidden])
        often = np.bincount(self.label, weights=self.chances(), minlength=COUNTS + 1)
        often[:COUNTS] *= (1 - share) / often[:COUNTS].sum()
        often[COUNTS] = share
        return often

    def _laid_over(
        self, rng: np.random.Generator, crop: Array, middle: Array, radius: float, label: int
    ) -> tuple[Array, int]:
        """Now and then with something over the pit; where it is open whether that hides too much, without."""
        if rng.random() > board_covers.OFTEN:
            return crop, label
        covered, part = board_covers.lay_over(rng, crop, middle, radius)
        if part > HIDES:
            return covered, COUNTS
        return (covered, label) if part < SHOWS else (crop, label)

    def sample(self, picked: Array, rng: np.random.Generator, vary: bool = True) -> tuple[torch.Tensor, ...]:
        """A batch: pictures, labels, seed maps, and which of those maps to learn from."""
        x = np.zeros((len(picked), CROP_PX, CROP_PX, 3), np.float32)
        label = self.label[picked]
        maps = np.zeros((len(picked), CELLS, CELLS), np.float32)
        fine = np.zeros((len(picked), 2 * CELLS, 2 * CELLS), np.float32)
        grid, dense = (np.arange(CELLS) + 0.5) * 4 - 0.5, (np.arange(2 * CELLS) + 0.5) * 2 - 0.5
        for k, i in enumerate(picked):
            stored = self.crops[self.shard[i]][self.row[i]]
            side = stored.shape[0]
            if vary:
                angle = float(rng.integers(4) * np.pi / 2 + rng.normal(0, 0.05))
                # The finder's idea of a pit's radius is off by a few parts in a hundred.
                wild = rng.random() < WILD
                zoom, flip = np.exp(rng.normal(0, 0.1 if wild else 0.06)), rng.choice([-1.0, 1.0])
                move = rng.normal(0, 4.0 if wild else 2.0, 2)
            else:
                angle, zoom, flip, move = 0.0, 1.0, 1.0, np.zeros(2)
            c, s = np.cos(angle) * zoom, np.sin(angle) * zoom
            a = np.array([[c, -s * flip], [s, c * flip]])
            b = (CROP_PX - 1) / 2 + move - a @ np.full(2, (side - 1) / 2)
            m = np.column_stack([a, b])
            y = cv2.warpAffine(stored, m, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            if vary:
                middle = a @ np.full(2, (side - 1) / 2) + b
                y, label[k] = self._laid_over(rng, y, middle, PX_PER_RADIUS * zoom, label[k])
                y = colours(y, rng)
                if rng.random() < SHADED:
                    y = shaded(y, rng)
                if rng.random() < POORER:
                    y = poorer(y, rng)
            x[k] = y
            p = self.places[self.shard[i]][self.row[i]]
            p = p[~np.isnan(p[:, 0])] @ a.T + b
            if len(p):
                gx = np.exp(-((grid[None] - p[:, :1]) ** 2) / BLOB_PX2)
                gy = np.exp(-((grid[None] - p[:, 1:]) ** 2) / BLOB_PX2)
                maps[k] = (gy[:, :, None] * gx[:, None, :]).max(0)
                fx = np.exp(-((dense[None] - p[:, :1]) ** 2) / (0.5 * BLOB_PX2))
                fy = np.exp(-((dense[None] - p[:, 1:]) ** 2) / (0.5 * BLOB_PX2))
                # Each seed adds up to one, so that the map adds up to the seeds in sight.
                weight = 1 / np.maximum(fx.sum(1) * fy.sum(1), 1.0)
                fine[k] = np.einsum("ny,nx->yx", fy * weight[:, None], fx)
        return (
            torch.from_numpy(normalise(lifted(x.clip(0, 255).astype(np.uint8)))),
            torch.from_numpy(label.astype(np.int64)),
            torch.from_numpy(maps),
            torch.from_numpy(fine),
            torch.from_numpy((label < COUNTS).astype(np.float32)),
        )


def figures(scores: Array, label: Array) -> dict[str, float]:
    """Exact counts by size, within one for the big ones, and how sure and right about `cannot be counted`."""
    best = scores[:, :COUNTS].argmax(1)
    seen = label < COUNTS
    out = {}
    for name, part in (("<=6", (0, 6)), ("7-10", (7, 10)), (">10", (11, COUNTS - 1))):
        m = seen & (label >= part[0]) & (label <= part[1])
        out[f"exact {name}"] = float((best == label)[m].mean())
        out[f"within 1 {name}"] = float((abs(best - label) <= 1)[m].mean())
    p = np.exp(scores - scores.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    out["mean likelihood of the truth"] = float(p[np.arange(len(p)), label][seen].mean())
    out["log loss"] = float(-np.log(p[np.arange(len(p)), label] + 1e-9).mean())
    out["hidden found"] = float((scores.argmax(1) == COUNTS)[~seen].mean()) if (~seen).any() else float("nan")
    out["shown called hidden"] = float((scores.argmax(1) == COUNTS)[seen].mean())
    return {k: round(v, 4) for k, v in out.items()}


def score_counter(net: torch.nn.Module, feed: CropFeed) -> tuple[Array, Array]:
    """Scores and labels of every usable crop, as they are."""
    net.eval()
    rng = np.random.default_rng(0)
    out = []
    with torch.no_grad():
        for part in np.array_split(np.arange(len(feed.label)), max(1, len(feed.label) // 512)):
            out.append(net(feed.sample(part, rng, vary=False)[0])[0].numpy())
    return np.concatenate(out), feed.label


@dataclass(frozen=True)
class Lessons:
    """Where in a folder the pictures lie that one counter learns from and is checked on, and its weights."""

    work: Path
    network: str

    @property
    def pits(self) -> Path:
        """Crops to learn from."""
        return self.work / f"{self.network}_pits"

    @property
    def checks(self) -> Path:
        """Crops to be checked on."""
        return self.work / f"{self.network}_checks"

    @property
    def weights(self) -> Path:
        """What was learned."""
        return self.work / f"{self.network}.pt"

    @property
    def last(self) -> Path:
        """What is learned so far."""
        return self.work / f"{self.network}_last.pt"
