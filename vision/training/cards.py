"""Makes the card reader's weights again from nothing: draws, trains, calibrates, measures.

python -m vision.training.cards [--minutes 60] [--work FOLDER]

What is in the work folder already (patches, tables) is not drawn again. With --finder and --start it goes on from
weights instead of from nothing.
"""

import argparse
import functools
import itertools
import json
import math
import multiprocessing
import time
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from vision.cards.finder import TALL_PX, CornerFinder
from vision.cards.glance import COARSE_PX
from vision.cards.reader import MODELS, CardReader
from vision.cards.signs import SIGNS
from vision.synthetic.cards_tables import DrawnTable
from vision.synthetic.deck_rasters import HELD_OUT
from vision.training.cards_data import as_many_false, make_shards, mined_crops
from vision.training.cards_decks import CALIBRATION, packaged
from vision.training.cards_measure import choose_bar, drawn_tables, measure, reliability
from vision.training.cards_mine import MINED, mine, mine_folder
from vision.training.cards_nets import RANK_CLASSES, SUIT_CLASSES, FinderNet, GlanceNet, ReaderNet, export_onnx
from vision.training.cards_train import grey, train_finder, train_glance, train_reader

Tables = Iterable[DrawnTable]
FIRST_BAR = 0.98
"""The bar while the real one is being chosen: it only decides which corners get a second look."""
FIRST_SHARDS = 5
"""Training begins when so many shards are drawn; those that follow are taken in as they come."""
_CLOSE_UPS_A_PATCH = 7.5
"""So about as many crops come from the patches of a shard as there are close-ups."""
GLANCE, GLANCE_TAKES = "cards_glance.onnx", 0.25
"""The network that glances, and so much of the time of the others it learns."""
_TEMPERATURES = np.exp(np.linspace(np.log(0.85), np.log(4), 60))


def draw(
    shards: Path, seed: int, count: int, patches: int, cache: Path, finder: Path | None, share: tuple[int, int] = (0, 1)
) -> None:
    """Draws the shards to learn from; with a finder, what it finds in them too. share: which of how many drawers."""
    beside = functools.partial(mine, CornerFinder(finder)) if finder else None
    close = round(_CLOSE_UPS_A_PATCH * patches)
    make_shards(shards, seed, count, patches, cache=cache, decks_of="training", close=close, beside=beside, share=share)


def export_finder(weights: Path, out: Path) -> None:
    """The finder as ONNX, for pictures of any size."""
    net = FinderNet()
    net.load_state_dict(torch.load(weights))
    export_onnx(net.eval().of_raw_pixels(), (1, 3, 256, 256), out, {0: "n", 2: "h", 3: "w"})


def export_glance(weights: Path, out: Path) -> None:
    """The glance as ONNX, for pictures of any size."""
    net = GlanceNet()
    net.load_state_dict(torch.load(weights))
    export_onnx(net.eval().of_raw_pixels(), (1, 1, 256, 256), out, {2: "h", 3: "w"})


MAY_MISS = 0.002
"""Of so many of the indices that the finder finds, a glance may think less than that they are worth searching."""
OF_AN_INDEX = 0.22
"""So much of its height round the middle of an index is what the finder finds it by."""


def glance_bar(glance: Path, shards: Path, finder: Path) -> dict[str, float]:
    """From where on a cell is worth searching: so that of the indices which the finder finds in shards of calibration
    decks, at their size and at half of it, hardly one is missed; and how many cells that leaves there, where cards are
    everywhere."""
    net = GlanceNet()
    net.load_state_dict(torch.load(glance))
    net.eval()
    small = _shrunken(shards)
    mine_folder(CornerFinder(finder), small, again=True)
    there, everywhere = [], []
    for shard in (path for folder in (shards, small) for path in sorted(folder.glob("[0-9][0-9][0-9][0-9].npz"))):
        with np.load(shard) as data, np.load(shard.with_name(shard.stem + MINED)) as mined:
            images, found = torch.from_numpy(data["image"]).permute(0, 3, 1, 2), mined["found"]
        with torch.no_grad():
            likely = torch.cat([net(grey(part.float())) for part in images.split(64)])[:, 0].sigmoid().numpy()
        everywhere.append(likely.ravel())
        last = likely.shape[1] - 1
        for number, x, y, _ux, _uy, height, *_name in found[(found[:, 6] >= 0) & (found[:, 5] < TALL_PX)].tolist():
            reach = OF_AN_INDEX * height
            left, right, top, bottom = (
                int(np.clip(edge // COARSE_PX, 0, last)) for edge in (x - reach, x + reach, y - reach, y + reach)
            )
            there.append(likely[int(number), top : bottom + 1, left : right + 1].max())
    worth = float(np.quantile(there, MAY_MISS)) if there else 0.0
    searched = float((np.concatenate(everywhere) > worth).mean())
    return {"worth": round(worth, 4), "indices_found": len(there), "searched": round(searched, 4)}


def export_reader(reader: Path, out: Path) -> None:
    """The reader as ONNX, for any number of crops."""
    net = ReaderNet()
    net.load_state_dict(torch.load(reader))
    export_onnx(net, (1, 3, 64, 48), out, {0: "n"})


def _shrunken(shards: Path) -> Path:
    """The same patches half as large, as a far camera shows them, mined like them."""
    out = shards / "shrunken"
    out.mkdir(exist_ok=True)
    for shard in sorted(shards.glob("[0-9][0-9][0-9][0-9].npz")):
        if (out / shard.name).exists():
            continue
        with np.load(shard) as data:
            truth = data["truth"].copy()
            truth[..., [0, 1, 4]] = np.where(truth[..., :1] > -500, truth[..., [0, 1, 4]] / 2, truth[..., [0, 1, 4]])
            half = [cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for image in data["image"]]
        np.savez(out / shard.name, image=np.stack(half), truth=truth)
    return out


def _calibration_crops(
    net: ReaderNet, shards: Path, rng: np.random.Generator
) -> Iterable[tuple[Tensor, Tensor, Tensor]]:
    """What a network says of the crops of each shard, their signs and suits, and how high their indices are."""
    for shard in sorted(shards.glob("[0-9][0-9][0-9][0-9].npz")):
        with np.load(shard) as data, np.load(shard.with_name(shard.stem + MINED)) as mined:
            found = as_many_false(rng, mined["found"])
            samples = mined_crops(rng, data["image"], data["truth"], found)
        if not samples:
            continue
        images = torch.from_numpy(np.stack([s[0] for s in samples])).permute(0, 3, 1, 2).float()
        with torch.no_grad():
            out = torch.cat([net(part)[:, : RANK_CLASSES + SUIT_CLASSES + 1] for part in images.split(256)])
        yield out, torch.tensor([[int(s[1][0]), int(s[1][1])] for s in samples]), torch.from_numpy(found[:, 5])


def temperatures(reader: Path, shards: Path, finder: Path) -> dict[str, list[float]]:
    """The temperatures that make sign, suit and index likelihoods honest, by the height of the index, on what the
    finder found in shards of calibration decks, at their size and at half of it."""
    net = ReaderNet()
    net.load_state_dict(torch.load(reader))
    net.eval()
    rng = np.random.default_rng(3)
    small = _shrunken(shards)
    mine_folder(CornerFinder(finder), small, again=True)
    parts = [crops for folder in (shards, small) for crops in _calibration_crops(net, folder, rng)]
    if not parts:
        return _not_calibrated()
    out, label, height = (torch.cat(some) for some in zip(*parts, strict=True))
    real = label[:, 0] >= 0
    found: dict[str, list[float]] = {name: [] for name in _CALIBRATED}

    def cross(logits: Tensor, wanted: Tensor, at: float) -> float:
        return float(torch.nn.functional.cross_entropy(logits / at, wanted))

    def told(logits: Tensor, wanted: Tensor, at: float) -> float:
        return float(torch.nn.functional.binary_cross_entropy_with_logits(logits / at, wanted))

    suited = real & (label[:, 1] >= 0)
    parts_of = {
        "rank_temperature": (cross, out[:, :RANK_CLASSES], label[:, 0], real),
        "suit_temperature": (cross, out[:, RANK_CLASSES : RANK_CLASSES + SUIT_CLASSES], label[:, 1], suited),
        "index_temperature": (told, out[:, -1], real.float(), torch.ones_like(real)),
    }

    def coldest(name: str, here: Tensor) -> float:
        loss, logits, wanted, counts = parts_of[name]
        mine = here & counts
        return float(min(_TEMPERATURES, key=lambda at: loss(logits[mine], wanted[mine], float(at))))

    everywhere = {name: coldest(name, torch.ones_like(real)) for name in parts_of}
    for low, high in itertools.pairwise(HEIGHTS_PX):
        here = (height >= low) & (height < high)
        if int((here & real).sum()) < LEAST_CROPS:
            continue
        found["heights_px"].append(round(math.sqrt(low * high), 1))
        for name, common in everywhere.items():
            crops = int((here & parts_of[name][3]).sum())
            own = coldest(name, here)
            found[name].append(round((crops * own + COMMON_WORTH * common) / (crops + COMMON_WORTH), 4))
        right = [
            float((part[mine].argmax(1) == wanted[mine]).float().mean())
            for _, part, wanted, counts in list(parts_of.values())[:2]
            for mine in (here & counts,)
        ]
        shown = int((here & real).sum())
        print(f"index {low:g} to {high:g} px: {shown} crops, sign right {right[0]:.4f}, suit {right[1]:.4f}")
    if not found["heights_px"]:
        return _not_calibrated()
    return found


_CALIBRATED = ("heights_px", "rank_temperature", "suit_temperature", "index_temperature")


def _not_calibrated() -> dict[str, list[float]]:
    print("hardly an index was found on the calibration decks: the finder needs longer training")
    return {name: [30.0 if name == "heights_px" else 1.0] for name in _CALIBRATED}


HEIGHTS_PX = (4.0, 9.0, 11.0, 14.0, 20.0, 30.0, 60.0)
"""Bounds of the heights of index, in pixels of the picture, for which temperatures are set apart."""
COMMON_WORTH = 1000.0
"""So many crops the temperature of all heights together is worth beside those of one height: some have few crops, and
hardly an error to learn it from."""
LEAST_CROPS = 60
"""Of fewer crops no temperature is learned: that of the nearest height counts."""


def calibrate(
    reader: Path, shards: Path, out: Path, *, finder: Path, about: dict[str, object], sets: dict[str, Tables]
) -> None:
    """Sets temperatures and the bar on calibration decks, measures on held-out ones, and writes the reader's card."""
    found = temperatures(reader, shards, finder)
    path = out / "cards_reader.json"
    cv2.setNumThreads(1)

    def write(bar: float, figures: dict[str, object]) -> None:
        card = {
            "model": "cards_reader.onnx",
            "signs": list(SIGNS),
            "calibration": {**found, "bar": round(bar, 5)},
            **about,
            "figures": figures,
        }
        path.write_text(json.dumps(card, indent=1) + "\n")

    write(FIRST_BAR, {})
    known = measure(CardReader(out), sets["calibration"])
    bar = choose_bar(known)
    write(bar, {})
    held = measure(CardReader(out), sets["held_out"])
    above = held.confidence >= bar
    passed = known.confidence >= bar
    figures: dict[str, object] = {
        "calibration": {
            "tables": known.tables,
            "above_bar": int(passed.sum()),
            "wrong_above_bar": int((passed & ~known.right).sum()),
        },
        "measured_on": sorted(HELD_OUT),
        "tables": held.tables,
        "owed": held.owed,
        "recall": round(held.named / held.owed, 4),
        "wrong_names": held.wrong,
        "above_bar": int(above.sum()),
        "wrong_above_bar": int((above & ~held.right).sum()),
    }
    print(json.dumps(figures), f"bar {bar:.4f}")
    write(bar, {**figures, "reliability": reliability(held)})


def main() -> None:
    """One command, from nothing to weights."""
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--work", type=Path, default=Path("/tmp/hisabu-cards"))
    ap.add_argument("--out", type=Path, default=MODELS)
    ap.add_argument("--shards", type=int, default=60)
    ap.add_argument("--patches", type=int, default=800, help="in each shard")
    ap.add_argument("--minutes", type=float, default=60, help="of training for each network")
    ap.add_argument("--calibration-tables", type=int, default=1600, help="drawn tables to set the bar on")
    ap.add_argument("--tables", type=int, default=800, help="drawn tables to measure on")
    ap.add_argument("--drawers", type=int, default=1, help="so many processes draw, eight shards at a time each")
    ap.add_argument("--seed", type=int, default=21)
    ap.add_argument("--finder", type=Path, help="keep this finder (.onnx) and train the reader only")
    ap.add_argument("--start", type=Path, help="the reader goes on from these weights (.onnx or .pt)")
    ap.add_argument("--peak", type=float, default=2e-3, help="learning rate of the reader; less to go on from weights")
    ap.add_argument("--only-calibrate", action="store_true", help="from the weights in the work folder")
    ap.add_argument("--about", default="", help="said of the training in the models' cards")
    make(ap.parse_args())


def _drawing(a: argparse.Namespace, patches: Path, cache: Path) -> list[multiprocessing.Process]:
    """Processes that draw; the first patches are there."""
    drawers = [
        multiprocessing.Process(
            target=draw, args=(patches, a.seed, a.shards, a.patches, cache, a.finder, (k, a.drawers)), daemon=True
        )
        for k in range(a.drawers)
    ]
    for drawer in drawers:
        drawer.start()
    enough = min(FIRST_SHARDS, a.shards)
    while len(list(patches.glob("[0-9][0-9][0-9][0-9].npz"))) < enough and any(d.is_alive() for d in drawers):
        time.sleep(1)
    return drawers


def make(a: argparse.Namespace) -> None:
    """Draws, trains, exports and measures as asked."""
    torch.set_num_threads(1)
    cache, patches = a.work / "decks", a.work / "patches"
    finder, glance, reader = (a.work / f"{name}.pt" for name in ("finder", "glance", "reader"))
    about: dict[str, object] = {
        "data": "drawn tables: vision/synthetic, decks of Debian's gnome-cards-data and kdegames-card-data-kf5, our "
        "own plain deck and invented ones (vision/training/cards_decks.py); no photograph",
        "never_trained_on": sorted(HELD_OUT),
        "calibrated_on": sorted(CALIBRATION),
        "seed": a.seed,
        "training": a.about or f"{a.minutes:g} minutes each on one core",
    }
    finding = a.finder or a.out / "cards_finder.onnx"
    glanced = 0
    if not a.only_calibrate:
        drawers = _drawing(a, patches, cache)
        if a.finder is None:
            seen = train_finder(patches, a.minutes, finder, a.seed)
            export_finder(finder, finding)
            card = {"model": "cards_finder.onnx", **about, "patches_seen": seen}
            card["figures"] = "measured together with cards_reader.onnx: see its card"
            (a.out / "cards_finder.json").write_text(json.dumps(card, indent=1) + "\n")
            for drawer in drawers:
                drawer.join()
        if a.finder is None or not (a.out / GLANCE).exists():
            glanced = train_glance(patches, a.minutes * GLANCE_TAKES, glance, a.seed + 2, finder=finding)
        mine_folder(CornerFinder(finding), patches, again=a.finder is None)
        about["crops_seen"] = train_reader(patches, a.minutes, reader, a.seed + 1, start=a.start, peak=a.peak)
        for drawer in drawers:
            drawer.join()
    export_reader(reader, a.out / "cards_reader.onnx")
    shards = a.work / "calibration"
    make_shards(shards, 77, 4, a.patches, cache=cache, decks_of="calibration")
    mine_folder(CornerFinder(finding), shards, again=True)
    if glanced:
        export_glance(glance, a.out / GLANCE)
        card = {"model": GLANCE, **glance_bar(glance, shards, finding), **about, "patches_seen": glanced}
        (a.out / GLANCE).with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n")
    sets = {
        which: drawn_tables(packaged(cache, which), count, seed, keep=a.work / "tables")
        for which, count, seed in (("calibration", a.calibration_tables, 4000), ("held_out", a.tables, 5000))
    }
    calibrate(reader, shards, a.out, finder=finding, about=about, sets=sets)


if __name__ == "__main__":
    main()
