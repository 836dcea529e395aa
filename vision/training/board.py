"""`python -m vision.training.board` makes vision/models/board_*.onnx again from nothing.

Needs the `train` extra. Pictures that are drawn already are kept; `--work` says where they and the checkpoints lie.
`--go-on` begins with the committed networks instead of nothing.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from vision.board import counter, finder, nets
from vision.board.inputs import normalise
from vision.synthetic import board_piles
from vision.training import board_data, board_export, board_hard
from vision.training.board_lessons import (
    BATCH,
    FINDER_BATCH,
    CropFeed,
    Lessons,
    colours,
    faint,
    figures,
    score_counter,
)
from vision.training.board_nets import CountingNet, FindingNet
from vision.training.board_resume import committed_counter
from vision.training.unfold import part_way, unfold_onnx

Array = np.ndarray[Any, Any]

PILES_SEED, BOARDS_SEED, PITS_SEED, CHECK_SEED = 11, 1000, 500000, 900000
VARIED_SEED, TRACED_SEED, HARD_SEED, SHORT_SEED = 200000, 300000, 10000, 1000
"""What is added to the seed of pits for the varied counter's own, for those of them through which light is followed,
and for hard ones; and to that of piles for the short ones, and again for those of hard pits."""
KINDS, RUNS = 39, 3
"""Kinds of pit and seed, and how often each is settled: more kinds teach more than more piles of a kind."""
SHORT_KINDS, SHORT_RUNS = 60, 6
"""The same for piles of a few seeds, which are settled in a tenth of the time."""
HARD_PILES = "piles_hard.npz"
"""Where the piles of hard pits lie (`board_hard`)."""
PEAK_RATE, GO_ON_RATE, VARIED_RATE = 1.2e-3, 4e-4, 8e-4
"""Largest step of the counter's optimiser: twice this learned no faster and wandered. Weights that have been learned
already are moved by a third as much, those of the varied counter by two thirds: it has other boards to learn."""
NORM_CROPS, NORM_WINDOWS = 512, 64
"""Crops, and windows, on which the norms of the committed network are measured before it is trained on."""
FAINT = 0.3
"""Part of the finder's windows whose contrast is taken back: shallow empty pits in even light were not found."""
FINDER_PEAK_RATE, FINDER_GO_ON_RATE = 3e-3, 5e-4
"""The same of the finder. Going on with steps four times as large, it learned trays and forgot a real board."""
WINDOW = (256, 192)
"""What the finder sees of a picture at a time while learning."""
SQUEEZED, SQUEEZE = 0.35, 0.6
"""Part of the windows that are squeezed along some line, and by how much at most: boards seen from the side, more of
them than are drawn."""


def _schedule(done: float, peak: float) -> float:
    """One cycle over the time there is: warm up for a twentieth, then fall to nothing along a cosine."""
    warm = 0.05
    if done < warm:
        return peak * (0.05 + done / warm)
    return peak * (0.005 + 0.5 * (1 + math.cos(math.pi * min(1.0, (done - warm) / (1 - warm)))))


def _half_precision() -> torch.autocast:
    """Nearly twice as fast on a processor that has it, and no worse; on one without it eleven times as slow, so there
    everything stays as it is."""
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled="AVX512" in torch.backends.cpu.get_cpu_capability())


class _Course:
    """One cycle of learning over the time there is; the weights are averaged along the way."""

    def __init__(self, net: torch.nn.Module, minutes: float, peak: float, decay: float, clip: float = math.inf) -> None:
        self.net, self.seconds, self.peak, self.clip = net, 60 * minutes, peak, clip
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=decay)
        mean = torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)  # type: ignore[no-untyped-call]
        self._average = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=mean, use_buffers=True)
        self._begun = time.time()

    @property
    def average(self) -> torch.nn.Module:
        """The averaged network."""
        module: torch.nn.Module = self._average.module
        return module

    @property
    def pace(self) -> str:
        """How far it is, for the log."""
        spent = time.time() - self._begun
        return f"{100 * spent / self.seconds:.0f} %, {spent:.0f} s"

    def steps(self) -> Iterator[int]:
        """The number of each step, from 1, while there is time."""
        step = 0
        while (done := (time.time() - self._begun) / self.seconds) < 1:
            for group in self.optimiser.param_groups:
                group["lr"] = _schedule(done, self.peak)
            step += 1
            yield step

    def learn(self, loss: torch.Tensor) -> None:
        """One step down."""
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.clip)
        self.optimiser.step()
        self._average.update_parameters(self.net)


def _first_counter(feed: CropFeed, rng: np.random.Generator, begin: tuple[Path, str] | None) -> CountingNet:
    """The network to train: new, or the counter of this name in a folder."""
    if begin is None:
        return CountingNet()
    crops = feed.sample(rng.choice(len(feed.label), NORM_CROPS, p=feed.chances()), rng)[0]
    return committed_counter(crops, feed.shown(), *begin)


def train_counter(
    lessons: Lessons,
    minutes: float,
    seed: int,
    begin: tuple[Path, str] | None,
    log: Callable[[str], None],
    part: float = 0.5,
) -> int:
    """Learns to count for this long, from nothing or from where the counter of this name in a folder stands; the last
    weights, averaged, are kept, of a counter that goes on this part of the way to them. Returns the number of steps."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    feed, check = CropFeed(lessons.pits), CropFeed(lessons.checks)
    first = _first_counter(feed, rng, begin)
    begun = {name: tensor.clone() for name, tensor in first.state_dict().items()}
    net = first.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    varied = lessons.network == counter.VARIED
    peak = PEAK_RATE if begin is None else VARIED_RATE if varied else GO_ON_RATE
    course = _Course(net, minutes, peak, 2e-3, 2.0)
    weight = feed.chances()
    step = 0
    for step in course.steps():
        if step % 300 == 1:
            feed.load_new()
            weight = feed.chances()
        x, label, maps, fine, use = feed.sample(rng.choice(len(feed.label), BATCH, p=weight), rng)
        net.train()
        with _half_precision():
            out = net(x.to(memory_format=torch.channels_last))
        scores, _, seeds, density, in_sight = (o.float() for o in out)
        seen = (F.binary_cross_entropy_with_logits(seeds[:, 0], maps, reduction="none").mean((1, 2)) * use).mean()
        off = ((F.pixel_shuffle(density, 2)[:, 0] - fine) ** 2).sum((1, 2))
        miss = F.smooth_l1_loss(in_sight, fine.sum((1, 2)), reduction="none")
        loss = F.cross_entropy(scores, label) + 2.0 * seen + ((2.0 * off + 0.1 * miss) * use).mean()
        course.learn(loss)
        if step % 100 == 0:
            parts = f"loss {loss.item():.3f} map {seen.item():.4f} {off.mean().item():.3f} {miss.mean().item():.3f}"
            log(f"counter {step} ({course.pace}) {parts}, {len(feed.label)} crops")
        if step % 1000 == 0:
            log(f"counter {step} {figures(*score_counter(course.average, check))}")
            torch.save(course.average.state_dict(), lessons.last)
    log(f"counter {step} {figures(*score_counter(course.average, check))}")
    weights = course.average.state_dict()
    # From the counter of four rows the varied one has other boards to learn, not more of the same: it goes all the way.
    back = begin is not None and begin[1] == lessons.network
    torch.save(part_way(begun, weights, part) if back else weights, lessons.weights)
    return step


def _squeeze(rng: np.random.Generator) -> Array:
    """Shorter along a line of any direction."""
    turn, by = rng.uniform(0, np.pi), rng.uniform(SQUEEZE, 1)
    along = np.array([np.cos(turn), np.sin(turn)])
    return np.asarray(np.eye(2) - (1 - by) * np.outer(along, along))


def _finder_batch(
    small: Array, pits: Array, strays: Array, size: int, rng: np.random.Generator
) -> tuple[torch.Tensor, ...]:
    """Windows of pictures, turned and zoomed anyhow, with what the finder should say in each cell."""
    w, h = WINDOW
    x = np.zeros((size, h, w, 3), np.float32)
    goal = np.zeros((size, 6, h // 4, w // 4), np.float32)
    yy, xx = np.mgrid[0 : h // 4, 0 : w // 4].astype(np.float32)
    for k in range(size):
        i = rng.integers(len(small))
        p = pits[i][~np.isnan(pits[i][:, 0])]
        pitch = np.median(np.sort(np.hypot(*(p[:, None, :2] - p[None, :, :2]).transpose(2, 0, 1)), 1)[:, 1])
        zoom = np.exp(rng.uniform(np.log(13), np.log(44))) / pitch
        zoom = float(np.clip(zoom, 0.45, 1.5))
        angle, flip = rng.uniform(0, 2 * np.pi), rng.choice([-1.0, 1.0])
        c, s = np.cos(angle) * zoom, np.sin(angle) * zoom
        a = np.array([[c, -s * flip], [s, c * flip]])
        if rng.random() < SQUEEZED:
            a = _squeeze(rng) @ a
            zoom = float(np.sqrt(abs(np.linalg.det(a))))
        middle = (
            p[rng.integers(len(p)), :2] if rng.random() < 0.7 else np.array([rng.uniform(0, 480), rng.uniform(0, 360)])
        )
        middle = p[:, :2].mean(0) * 0.5 + 0.5 * middle
        b = np.array([w / 2, h / 2]) - a @ middle
        source = small[i]
        if zoom < 0.75:
            source = cv2.GaussianBlur(source, (0, 0), 0.35 / zoom)
        shot = cv2.warpAffine(source, np.column_stack([a, b]), (w, h), borderMode=cv2.BORDER_REFLECT_101)
        if rng.random() < FAINT:
            shot = faint(shot, rng)
        x[k] = colours(shot, rng)
        # Mirrored borders show pits that the truth does not list: nothing is learned there.
        inside = cv2.warpAffine(np.ones(small[i].shape[:2], np.uint8), np.column_stack([a, b]), (w, h))
        goal[k, 5] = cv2.resize(inside, (w // 4, h // 4), interpolation=cv2.INTER_NEAREST)
        goal[k, 3] = -9
        for px, py, radius, covered in p:
            at = (a @ [px, py] + b - 1.5) / 4
            r = radius * zoom / 4
            d2 = (xx - at[0]) ** 2 + (yy - at[1]) ** 2
            if covered > 0.5:
                goal[k, 5][d2 < r * r] = 0
                continue
            g = np.exp(-d2 / (2 * max(0.7, 0.28 * r) ** 2))
            goal[k, 0] = np.maximum(goal[k, 0], g)
            near = d2 < max(1.5, (0.5 * r) ** 2)
            goal[k, 1][near], goal[k, 2][near], goal[k, 3][near] = (at[0] - xx)[near], (at[1] - yy)[near], np.log2(r)
        for sx, sy in strays[i][~np.isnan(strays[i][:, 0])]:
            at = (a @ [sx, sy] + b - 1.5) / 4
            goal[k, 4] = np.maximum(goal[k, 4], np.exp(-((xx - at[0]) ** 2 + (yy - at[1]) ** 2) / (2 * 0.7**2)))
    return torch.from_numpy(normalise(x)), torch.from_numpy(goal)


def train_finder(work: Path, minutes: float, seed: int, go_on: bool, log: Callable[[str], None]) -> int:
    """Learns where pits are, for this long; the last weights, averaged, are kept. Returns the number of steps."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    shards = len(board_data.shards(work / "boards"))
    small, pits, strays = board_data.load(work / "boards", ("small", "pits", "strays"))
    net = FindingNet()
    if go_on:
        windows = _finder_batch(small, pits, strays, NORM_WINDOWS, rng)[0]
        unfold_onnx(net, nets.MODELS / finder.MODEL, windows)
    net = net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    course = _Course(net, minutes, FINDER_GO_ON_RATE if go_on else FINDER_PEAK_RATE, 1e-3)
    log(f"finder: {len(small)} pictures")
    step = 0
    for step in course.steps():
        if step % 150 == 0 and len(board_data.shards(work / "boards")) > shards:  # drawn since
            shards = len(board_data.shards(work / "boards"))
            small, pits, strays = board_data.load(work / "boards", ("small", "pits", "strays"))
        x, goal = _finder_batch(small, pits, strays, FINDER_BATCH, rng)
        with _half_precision():
            out = net(x.to(memory_format=torch.channels_last))
        out = out.float()
        use = goal[:, 5]
        hit = goal[:, 3] > -9
        heat = F.binary_cross_entropy_with_logits(out[:, 0], goal[:, 0], reduction="none") * (1 + 4 * goal[:, 0]) * use
        stray = (
            F.binary_cross_entropy_with_logits(out[:, 4], goal[:, 4], reduction="none") * (1 + 19 * goal[:, 4]) * use
        )
        place = (F.smooth_l1_loss(out[:, 1:4], goal[:, 1:4], reduction="none").sum(1) * hit * use).sum() / (
            hit.sum() + 1
        )
        course.learn(heat.mean() * 10 + stray.mean() * 10 + place)
        if step % 50 == 0:
            parts = f"heat {heat.mean().item():.4f} stray {stray.mean().item():.5f} place {place.item():.3f}"
            log(f"finder {step} ({course.pace}) {parts}")
        if step % 200 == 0:
            torch.save(course.average.state_dict(), work / "finder_last.pt")
    torch.save(course.average.state_dict(), work / "finder.pt")
    return step


def _make_counter(a: argparse.Namespace, network: str, piles: tuple[Path, ...], log: Callable[[str], None]) -> None:
    """One of the two counters. The varied one goes on where that of four rows has come to, or where itself stood."""
    varied = network == counter.VARIED
    lessons = Lessons(a.work, network)
    share = board_data.VARIED if varied else board_data.FEW_VARIED
    board_data.draw_checks(board_piles.LIBRARY, lessons.checks, CHECK_SEED, a.check_boards, a.jobs, varied)
    seed = a.pits_seed + VARIED_SEED * varied
    board_data.draw_pits(piles, lessons.pits, seed, a.small_boards, a.jobs, share)
    here = a.out if (a.out / f"{counter.FOUR_ROWS}.onnx").exists() else nets.MODELS
    begin = (nets.MODELS, network) if a.go_on else (here, counter.FOUR_ROWS) if varied else None
    traced = 1.0 if varied else board_data.TRACED_VARIED
    board_data.draw_traced(piles, lessons.pits, seed + TRACED_SEED, a.traced_boards, a.jobs, traced)
    if varied:
        hard, at = a.work / HARD_PILES, seed + HARD_SEED
        board_data.draw_hard(hard, lessons.pits, at, a.hard_boards, a.jobs)
        board_data.draw_hard_traced(hard, lessons.pits, at + TRACED_SEED, a.hard_traced_boards, a.jobs)
    minutes = a.varied_minutes if varied else a.counter_minutes
    steps = train_counter(lessons, minutes, a.seed, begin, log, a.part)
    made = board_export.Made(a.piles_seed, seed, a.kinds, steps)
    log(str(board_export.export_counter(lessons, a.out, made)))


def main() -> None:
    """Makes everything again; see the top of this file."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--work", type=Path, default=Path("build/board"))
    ap.add_argument("--boards", type=int, default=1000, help="whole boards for the finder")
    ap.add_argument(
        "--small-boards", type=int, default=4000, help="small boards for the counter, in several lights each"
    )
    ap.add_argument(
        "--traced-boards", type=int, default=700, help="those through which light is followed, ten seconds each"
    )
    ap.add_argument("--hard-boards", type=int, default=1000, help="those of what is counted wrong most often")
    ap.add_argument("--hard-traced-boards", type=int, default=250, help="those of them through which light is followed")
    ap.add_argument("--check-boards", type=int, default=90, help="whole boards the counter is checked on")
    ap.add_argument("--kinds", type=int, default=KINDS, help="kinds of pit and seed")
    ap.add_argument("--runs", type=int, default=RUNS, help="how often each kind is settled; every third in square pits")
    ap.add_argument("--short-kinds", type=int, default=SHORT_KINDS, help="kinds settled a few seeds high")
    ap.add_argument("--hard-kinds", type=int, default=board_hard.KINDS, help="kinds settled for hard pits")
    ap.add_argument("--piles-seed", type=int, default=PILES_SEED)
    ap.add_argument("--boards-seed", type=int, default=BOARDS_SEED)
    ap.add_argument("--pits-seed", type=int, default=PITS_SEED)
    ap.add_argument("--out", type=Path, default=nets.MODELS, help="where the networks go")
    ap.add_argument("--go-on", action="store_true", help="train the committed networks further")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--finder-minutes", type=float, default=20)
    ap.add_argument("--counter-minutes", type=float, default=180)
    ap.add_argument("--varied-minutes", type=float, default=90, help="on the counter for boards of other rows")
    ap.add_argument("--part", type=float, default=0.5, help="of the way that a counter that goes on is moved")
    ap.add_argument("--only", choices=["finder", counter.FOUR_ROWS, counter.VARIED])
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    a.work.mkdir(parents=True, exist_ok=True)
    a.out.mkdir(parents=True, exist_ok=True)

    def log(line: str) -> None:
        with (a.work / "log.txt").open("a") as f:
            f.write(line + "\n")
        print(line, flush=True)

    piles = a.work / "piles.npz"
    if not piles.exists():
        board_piles.make(piles, a.piles_seed, a.kinds, a.runs, a.jobs, wide=True)
    short = a.work / "piles_short.npz"
    if a.only in (None, counter.VARIED) and not short.exists():
        seed, most = a.piles_seed + SHORT_SEED, board_data.MOST_SOWN
        board_piles.make(short, seed, a.short_kinds, SHORT_RUNS, a.jobs, most, wide=True)
    hard = a.work / HARD_PILES
    if a.only in (None, counter.VARIED) and not hard.exists():
        seed = a.piles_seed + 2 * SHORT_SEED
        board_piles.make(hard, seed, a.hard_kinds, board_hard.RUNS, a.jobs, board_hard.MOST, wide=True)
    if a.only in (None, "finder"):
        board_data.draw_boards(piles, a.work / "boards", a.boards_seed, a.boards, a.jobs)
        steps = train_finder(a.work, a.finder_minutes, a.seed, a.go_on, log)
        made = board_export.Made(a.piles_seed, a.boards_seed, a.kinds, steps)
        board_export.export_finder(a.work / "finder.pt", a.work, a.out, made)
    for network in (counter.FOUR_ROWS, counter.VARIED):
        if a.only in (None, network):
            _make_counter(a, network, (piles, short) if network == counter.VARIED else (piles,), log)


if __name__ == "__main__":
    main()
