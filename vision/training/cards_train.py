"""Trains the networks on shards, for so many minutes, on a graphics card where there is one; the learning rate
follows the clock."""

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from vision.cards.crops import INDEX_IN_CROP_PX
from vision.cards.signs import MEANS, SIGNS
from vision.training.cards_data import CLOSE_UPS, as_many_false, mined_crops, reader_crops
from vision.training.cards_mine import MINED
from vision.training.cards_nets import FEATURES, POSE, RANK_CLASSES, SUIT_CLASSES, FinderNet, GlanceNet, ReaderNet
from vision.training.unfold import part_way, unfold_onnx

WHERE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
"""What computes."""
CELL_PX = 8
MEAN_INDEX_PX = 22.0
SMALLEST_PX, LARGEST_PX = 10.0, 48.0
"""Heights of index the finder answers for; half as much again beyond them is neither right nor wrong."""
WINDOW_PX = 128
MEAN_DECAY = 0.998
SAVE_EVERY_S = 150
VISIBLE, HIDDEN = 0.75, 0.4
"""An index that shows more than the first counts as one, less than the second as none; between, neither."""


class Shards:
    """The shards of a folder, new ones picked up while they are being drawn; a few are held at a time."""

    def __init__(self, folder: Path, held: int, seed: int, crops: bool = False) -> None:
        self.folder, self.held, self.crops = folder, held, crops
        self.rng = np.random.default_rng(seed)
        self.kept: list[dict[str, NDArray[Any]]] = []
        self.queue: list[Path] = []
        self.known: set[Path] = set()

    def _next(self) -> dict[str, NDArray[Any]]:
        found = self._drawn()
        self.queue = sorted(found - self.known) + self.queue
        self.known |= found
        if not self.queue:
            if not found:
                raise FileNotFoundError(f"no shards in {self.folder}")
            self.queue = sorted(found)
            self.rng.shuffle(self.queue)
        shard = self.queue.pop(0)
        with np.load(shard) as data:
            whole = {k: data[k] for k in data.files}
        if not self.crops:
            return whole
        pairs = zip(whole["image"], whole["truth"], strict=True)
        samples = [c for image, truth in pairs for c in reader_crops(self.rng, image, truth, 1)]
        mined = shard.with_name(shard.stem + MINED)
        if mined.exists():
            with np.load(mined) as data:
                kept = as_many_false(self.rng, data["found"])
                samples += mined_crops(self.rng, whole["image"], whole["truth"], kept)
        image, label = np.stack([c[0] for c in samples]), np.array([c[1] for c in samples], np.float32)
        near = shard.with_name(shard.stem + CLOSE_UPS)
        if near.exists():
            with np.load(near) as data:
                image, label = np.concatenate([image, data["image"]]), np.concatenate([label, data["label"]])
        return {"image": image, "label": label}

    def batches(self, size: int) -> Iterator[dict[str, NDArray[Any]]]:
        """Batches without end. After each shard's worth of them one more is taken in, or the oldest read anew."""
        while True:
            if len(self.kept) >= min(self.held, len(self.known)) > 0 and self._drawn() <= self.known:
                self.kept.pop(0)
            self.kept.append(self._next())
            del self.kept[: -self.held]
            total = sum(len(k["image"]) for k in self.kept)
            for _ in range(max(1, total // size // len(self.kept))):
                picks = self.rng.integers(len(self.kept), size=size)
                rows = [(self.kept[k], int(self.rng.integers(len(self.kept[k]["image"])))) for k in picks]
                yield {name: np.stack([k[name][i] for k, i in rows]) for name in self.kept[0]}

    def _drawn(self) -> set[Path]:
        return {p for p in self.folder.glob("*.npz") if p.name.count(".") == 1}


def _photometric(image: Tensor, strength: float = 1.0) -> Tensor:
    """Another light: gain, offset and cast by chance, a picture each."""
    n = image.shape[0]
    gain = torch.exp(torch.randn(n, 1, 1, 1) * 0.15 * strength)
    cast = 1 + torch.randn(n, 3, 1, 1) * 0.05 * strength
    return (image * gain * cast + torch.randn(n, 1, 1, 1) * 8 * strength).clamp(0, 255)


def _worn(image: Tensor, pose: Tensor) -> tuple[Tensor, Tensor]:
    """Crops shifted, stretched and slanted a little, some in another light, with bolder or thinner strokes, coarser or
    noisier: more print and more cameras out of each crop drawn; and how each would be framed better then."""
    n, _, h, w = image.shape
    theta = torch.zeros(n, 2, 3)
    angle, scale = torch.randn(n) * 0.04, torch.exp(torch.randn(n) * 0.05)
    wider, slant = torch.exp(torch.randn(n) * 0.08), torch.randn(n) * 0.06
    theta[:, 0, 0], theta[:, 1, 1] = scale * wider * torch.cos(angle), scale * torch.cos(angle)
    theta[:, 0, 1], theta[:, 1, 0] = scale * (slant - torch.sin(angle)) * h / w, scale * torch.sin(angle) * w / h
    theta[:, :, 2] = torch.randn(n, 2) * 0.04
    grid = F.affine_grid(theta, [n, 3, h, w], align_corners=False)
    image = F.grid_sample(image, grid, padding_mode="border", align_corners=False)
    pose = _as_framed_now(pose, theta, w, h)
    special = [n // 8, n // 8, n // 5, n // 5, n // 6]
    bold, thin, coarse, noisy, dim, plain = image.split([*special, n - sum(special)])
    factor = 1.2 * _COARSEST ** float(torch.rand(1))
    small = F.interpolate(coarse, scale_factor=1 / factor, mode="bilinear", antialias=True)
    parts = (
        -F.max_pool2d(-bold, 3, 1, 1),
        F.max_pool2d(thin, 3, 1, 1),
        F.interpolate(small, size=(h, w), mode="bilinear"),
        noisy + torch.randn(noisy.shape) * torch.rand(len(noisy), 1, 1, 1) * 14,
        _under_a_dim_lamp(dim),
        plain,
    )
    return torch.cat(parts).clamp(0, 255), pose


_COARSEST = 5.0
"""How much coarser than 1.2 times the coarsest crops are made: an index then is some 8 px high."""


def _as_framed_now(pose: Tensor, theta: Tensor, w: int, h: int) -> Tensor:
    """The better frames of crops (`cards_data.correction`) after each was warped by its theta."""
    bend = theta[:, :, :2].clone()
    bend[:, 0, 1] *= w / h
    bend[:, 1, 0] *= h / w
    undone = torch.linalg.inv(bend)
    moved = theta[:, :, 2] * torch.tensor([w / 2, h / 2]) / INDEX_IN_CROP_PX
    at = (undone @ (pose[:, :2] - moved)[:, :, None])[:, :, 0]
    up = (undone @ torch.stack([torch.sin(pose[:, 3]), -torch.cos(pose[:, 3])], dim=1)[:, :, None])[:, :, 0]
    size = pose[:, 2] + torch.log(up.norm(dim=1))
    return torch.cat([at, size[:, None], torch.atan2(up[:, 0], -up[:, 1])[:, None]], dim=1)


def _under_a_dim_lamp(image: Tensor) -> Tensor:
    """What is left of crops in little light once they are exposed: paler colours, less contrast, noise in blotches."""
    n, _, h, w = image.shape
    grey = image.mean(dim=1, keepdim=True)
    image = grey + (image - grey) * (0.3 + 0.7 * torch.rand(n, 1, 1, 1))
    low = 128 * torch.rand(n, 1, 1, 1) * 0.5
    image = low + image * (1 - low / 225)
    blotches = F.interpolate(torch.randn(n, 3, h // 3, w // 3), size=(h, w), mode="bilinear")
    return image + (blotches * 10 + torch.randn(image.shape) * 8) * torch.rand(n, 1, 1, 1)


def finder_targets(truth: Tensor, side: int) -> tuple[Tensor, Tensor, Tensor]:
    """From truths (n, k, 6) to score targets (1, 0, or -1 for no matter), values (n, 5, g, g) and where they count."""
    truth = truth[:, : max(1, int((truth[..., 0] > -500).sum(dim=1).max()))]
    n, grid = truth.shape[0], side // CELL_PX
    centres = (torch.arange(grid) + 0.5) * CELL_PX
    x, y, ux, uy, h, seen = (truth[..., i, None, None] for i in range(6))
    dx, dy = (x - centres[None, None, None, :]) / CELL_PX, (y - centres[None, None, :, None]) / CELL_PX
    dx, dy = dx.expand(-1, -1, grid, -1), dy.expand(-1, -1, -1, grid)
    apart = torch.hypot(dx, dy) * CELL_PX
    here = (x > -500).expand_as(apart)
    good = here & (seen >= VISIBLE) & (h >= SMALLEST_PX) & (h <= LARGEST_PX)
    radius = (0.22 * h).clamp(min=0.72 * CELL_PX)
    positive = good & (apart <= radius)
    maybe = here & (seen >= HIDDEN) & (h >= SMALLEST_PX / 1.5) & (h <= LARGEST_PX * 1.5)
    ignore = maybe & ~good & (apart <= 0.5 * h.clamp(min=8.0))
    ignore |= good & (apart <= 1.6 * radius) & ~positive
    nearest = torch.where(positive, apart, torch.full_like(apart, 1e6)).argmin(dim=1, keepdim=True)

    def pick(values: Tensor) -> Tensor:
        return values.expand_as(apart).gather(1, nearest).squeeze(1)

    hit = positive.any(dim=1)
    score = torch.where(hit, 1.0, torch.where(ignore.any(dim=1), -1.0, 0.0))
    values = torch.stack(
        [pick(dx), pick(dy), pick(torch.log(h.clamp(min=1) / MEAN_INDEX_PX)), pick(ux), pick(uy)], dim=1
    )
    assert score.shape == (n, grid, grid)
    return score, values, hit


def finder_loss(out: Tensor, truth: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Focal loss on the score and smooth L1 on the rest."""
    score, values, hit = finder_targets(truth, side)
    logit = out[:, 0]
    wanted = score.clamp(min=0)
    raw = F.binary_cross_entropy_with_logits(logit, wanted, reduction="none")
    p = torch.sigmoid(logit)
    focus = torch.where(wanted > 0.5, (1 - p) ** 2, p**2)
    count = hit.sum().clamp(min=1)
    found = (raw * focus * (score >= 0)).sum() / count
    off = F.smooth_l1_loss(out[:, 1:], values, reduction="none", beta=0.1)
    placed = (off * hit[:, None] * torch.tensor([1.0, 1.0, 2.0, 2.0, 2.0])[None, :, None, None]).sum() / count
    return found, placed


def _turned(image: Tensor, truth: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """The batch turned by quarter turns (never mirrored)."""
    turns = int(torch.randint(4, (1,)))
    truth = truth.clone()
    for _ in range(turns):
        image = torch.rot90(image, 1, (2, 3))
        x, y, ux, uy = (truth[..., i].clone() for i in range(4))
        real = x > -500
        truth[..., 0] = torch.where(real, y, x)
        truth[..., 1] = torch.where(real, side - x, y)
        truth[..., 2], truth[..., 3] = uy, -ux
    return image, truth


def _rate(done: float, peak: float) -> float:
    return peak * min(1.0, done / 0.03 + 0.02) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done))) + 1e-6


def _clock_loop(net: nn.Module, minutes: float, peak: float, keep: Path) -> Iterator[torch.optim.Optimizer]:
    """Yields the optimiser once a step until the time is up; keeps running-mean weights now and then and at the end."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=0.02)
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN_DECAY), use_buffers=True
    )
    started = saved = time.monotonic()
    while (now := time.monotonic()) - started < minutes * 60:
        for group in optimiser.param_groups:
            group["lr"] = _rate((now - started) / (minutes * 60), peak)
        yield optimiser
        mean.update_parameters(net)
        if now - saved > SAVE_EVERY_S:
            _keep(mean.module, keep)
            saved = now
    _keep(mean.module, keep)


def _keep(net: nn.Module, path: Path) -> None:
    torch.save({name: tensor.cpu() for name, tensor in net.state_dict().items()}, path)


def _windows(rng: np.random.Generator, image: NDArray[np.uint8], truth: NDArray[np.float32]) -> tuple[Tensor, Tensor]:
    """A window out of each patch, most around an index: so that less of the time goes into empty table."""
    images, truths = [], []
    reach = image.shape[1] - WINDOW_PX
    for picture, rows in zip(image, truth, strict=True):
        x, y = (int(v) for v in rng.integers(0, reach + 1, 2))
        good = rows[(rows[:, 5] > HIDDEN) & (rows[:, 4] > SMALLEST_PX)]
        if len(good) and rng.random() < 0.8:
            aim = good[int(rng.integers(len(good))), :2] + rng.uniform(-0.4, 0.4, 2) * WINDOW_PX - WINDOW_PX / 2
            x, y = (int(np.clip(v, 0, reach)) for v in aim)
        images.append(picture[y : y + WINDOW_PX, x : x + WINDOW_PX])
        moved = rows[:, :6].copy()
        moved[:, :2] -= (x, y)
        inside = (np.abs(moved[:, :2] - WINDOW_PX / 2) < WINDOW_PX / 2 + 24).all(axis=1)
        moved[~inside] = -1000
        truths.append(moved[np.argsort(~inside, kind="stable")])
    return torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).float(), torch.from_numpy(np.stack(truths))


def train_finder(
    shards: Path,
    minutes: float,
    keep: Path,
    seed: int,
    *,
    start: Path | None = None,
    peak: float = 3e-3,
    size: int = 64,
    held: int = 8,
) -> int:
    """Trains the finder; returns how many patches it saw. size: of a batch. held: so many shards are held at a time."""
    torch.manual_seed(seed)
    net = FinderNet()
    if start:
        net.load_state_dict(torch.load(start))
    net.to(WHERE, memory_format=torch.channels_last).train()
    batches, seen, shown = Shards(shards, held, seed).batches(size), 0, [0.0, 0.0]
    rng = np.random.default_rng(seed)
    with WHERE:
        for step, optimiser in enumerate(_clock_loop(net, minutes, peak, keep)):
            batch = next(batches)
            image, truth = (window.to(WHERE) for window in _windows(rng, batch["image"], batch["truth"]))
            side = WINDOW_PX
            image, truth = _turned(image, truth, side)
            image = _photometric(image).contiguous(memory_format=torch.channels_last)
            with torch.autocast(WHERE.type, torch.bfloat16):
                out = net(image)
            found, placed = finder_loss(out.float(), truth, side)
            optimiser.zero_grad(set_to_none=True)
            (found + placed).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            seen += len(image)
            shown = [0.98 * shown[0] + 0.02 * found.item(), 0.98 * shown[1] + 0.02 * placed.item()]
            if step % 100 == 99:
                print(f"finder step {step + 1}: {seen} patches, found {shown[0]:.4f} placed {shown[1]:.4f}", flush=True)
    return seen


GREY = (0.114, 0.587, 0.299)
"""Of blue, green and red, as OpenCV takes them."""
FOUND, NOT_FOUND = 0.25, 0.15
"""Where the finder is surer than the first of an index, a glance should show one; less than the second, none."""
MISSED_COSTS = 20.0
"""A place that a glance passes over is lost, one too many takes a moment."""


def grey(image: Tensor) -> Tensor:
    """(n, 3, h, w), blue first, as grey (n, 1, h, w)."""
    return (image * torch.tensor(GREY, device=image.device)[:, None, None]).sum(dim=1, keepdim=True)


def glance_loss(out: Tensor, score: Tensor) -> Tensor:
    """How far what is seen at a glance (logits on the coarse grid) is from what the finder found (score)."""
    here = (F.max_pool2d(score, 2, 2) > FOUND).float()
    empty = (F.max_pool2d(score, 4, 2, 1) < NOT_FOUND).float()
    raw = F.binary_cross_entropy_with_logits(out, here, reduction="none")
    focus = torch.where(here > 0.5, torch.ones_like(out), torch.sigmoid(out.detach()).sqrt())
    return (raw * focus * (here + empty / MISSED_COSTS)).sum() / (here.sum() + 1)


def train_glance(
    shards: Path, minutes: float, keep: Path, seed: int, *, finder: Path, size: int = 32, held: int = 40
) -> int:
    """Trains the glance on what the finder (.onnx) finds in the patches; returns how many patches it saw."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    batches, seen, shown = Shards(shards, held, seed).batches(size), 0, 0.0
    net, teacher = GlanceNet(), FinderNet()
    first = torch.from_numpy(next(batches)["image"]).permute(0, 3, 1, 2).float()
    teacher.unit = 1.0  # As it was exported.
    unfold_onnx(teacher, finder, first)
    teacher.eval().to(WHERE, memory_format=torch.channels_last)
    net.to(WHERE, memory_format=torch.channels_last).train()
    for step, optimiser in enumerate(_clock_loop(net, minutes, 3e-3, keep)):
        image = torch.from_numpy(next(batches)["image"]).to(WHERE).permute(0, 3, 1, 2).float()
        y, x = (CELL_PX * int(v) for v in rng.integers(0, 5, 2))
        side = (image.shape[-1] - max(x, y)) // (2 * CELL_PX) * 2 * CELL_PX
        image = torch.rot90(image[:, :, y : y + side, x : x + side], int(rng.integers(4)), (2, 3))
        with torch.no_grad():
            score = torch.sigmoid(teacher(image.contiguous(memory_format=torch.channels_last))[:, :1])
        with WHERE:
            image = _photometric(image, 1.5)
            if step % 3 == 0:
                image = image + torch.randn(image.shape) * torch.rand(len(image), 1, 1, 1) * 8
        loss = glance_loss(net(grey(image)), score)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        seen += len(image)
        shown = 0.98 * shown + 0.02 * loss.item()
        if step % 100 == 99:
            print(f"glance step {step + 1}: {seen} patches, loss {shown:.4f}", flush=True)
    return seen


def reader_loss(out: Tensor, label: Tensor, pose: Tensor) -> tuple[Tensor, ...]:
    """Cross entropy of rank, suit and being an index, and how far off the better frame is."""
    rank, suit = label[:, 0], label[:, 1]
    is_index = (rank >= 0).float()
    loss_rank = F.cross_entropy(out[:, :RANK_CLASSES], rank.clamp(min=0), reduction="none") * is_index
    suited = ((suit >= 0) & (rank >= 0)).float()
    loss_suit = (
        F.cross_entropy(out[:, RANK_CLASSES : RANK_CLASSES + SUIT_CLASSES], suit.clamp(min=0), reduction="none")
        * suited
    )
    loss_is = F.binary_cross_entropy_with_logits(out[:, RANK_CLASSES + SUIT_CLASSES], is_index, reduction="none")
    known = ~pose.isnan()
    said = out[:, -FEATURES - POSE : -FEATURES]
    off = F.smooth_l1_loss(said, torch.where(known, pose, said.detach()), reduction="none", beta=0.05)
    return loss_rank, loss_suit, loss_is, 2.0 * off.sum(dim=1)


def _learn_more_signs(net: ReaderNet) -> None:
    """Weights that knew ranks only answer for every sign: those that mean another rank begin as that one."""
    known = net.head.weight.shape[0] - SUIT_CLASSES - 1
    if known == RANK_CLASSES:
        return
    like = [SIGNS.index(MEANS.get(sign, "J")) for sign in SIGNS[known:]]
    rows = torch.tensor([*range(known), *like, *range(known, known + SUIT_CLASSES + 1)])
    net.head.weight.data, net.head.bias.data = net.head.weight.data[rows], net.head.bias.data[rows]
    for sign in range(RANK_CLASSES):
        net.head.bias.data[sign] -= math.log(1 + like.count(sign if sign < known else like[sign - known]))


def train_reader(
    shards: Path,
    minutes: float,
    keep: Path,
    seed: int,
    *,
    start: Path | None = None,
    peak: float = 2e-3,
    size: int = 128,
    held: int = 10,
) -> int:
    """Trains the reader; returns how many crops it saw. size: of a batch. held: so many shards are held at a time."""
    torch.manual_seed(seed)
    batches, seen, shown = Shards(shards, held, seed, crops=True).batches(size), 0, 0.0
    net = ReaderNet()
    if start and start.suffix == ".onnx":
        unfold_onnx(net, start, torch.from_numpy(next(batches)["image"]).permute(0, 3, 1, 2).float())
        _learn_more_signs(net)
    elif start:
        net.load_state_dict(torch.load(start))
    begun = {name: tensor.clone() for name, tensor in net.state_dict().items()}
    net.to(WHERE, memory_format=torch.channels_last).train()
    right = framed = 0.0
    with WHERE:
        for step, optimiser in enumerate(_clock_loop(net, minutes, peak, keep)):
            batch = next(batches)
            image = torch.from_numpy(batch["image"]).to(WHERE).permute(0, 3, 1, 2).float()
            told = torch.from_numpy(batch["label"]).to(WHERE)
            label, pose = told[:, :2].long(), told[:, 2:]
            image, pose = _worn(_photometric(image), pose)
            image = image.contiguous(memory_format=torch.channels_last)
            with torch.autocast(WHERE.type, torch.bfloat16):
                out = net(image)
            out = out.float()
            parts = reader_loss(out, label, pose)
            loss = sum(part.mean() for part in parts)
            assert isinstance(loss, Tensor)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            seen += len(image)
            shown, framed = 0.98 * shown + 0.02 * loss.item(), 0.98 * framed + 0.02 * parts[-1].mean().item()
            real = label[:, 0] >= 0
            ok = (out[:, :RANK_CLASSES].argmax(1) == label[:, 0]) & (
                (out[:, RANK_CLASSES : RANK_CLASSES + SUIT_CLASSES].argmax(1) == label[:, 1]) | (label[:, 1] < 0)
            )
            right = 0.98 * right + 0.02 * float(ok[real].float().mean())
            if step % 100 == 99:
                print(
                    f"reader step {step + 1}: {seen} crops, loss {shown:.4f}, right {right:.4f}, frame {framed:.4f}",
                    flush=True,
                )
    if start:
        torch.save(part_way(begun, torch.load(keep)), keep)
    return seen


def main() -> None:
    """Trains one network from the command line."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("which", choices=("finder", "reader"))
    ap.add_argument("shards", type=Path)
    ap.add_argument("keep", type=Path)
    ap.add_argument("--minutes", type=float, default=20)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--start", type=Path)
    ap.add_argument("--peak", type=float)
    ap.add_argument("--size", type=int, help="of a batch")
    ap.add_argument("--held", type=int, help="so many shards are held in memory")
    a = ap.parse_args()
    torch.set_num_threads(1)
    teach = train_finder if a.which == "finder" else train_reader
    told = {name: getattr(a, name) for name in ("peak", "size", "held") if getattr(a, name) is not None}
    print(f"{teach(a.shards, a.minutes, a.keep, a.seed, start=a.start, **told)} seen")


if __name__ == "__main__":
    main()
