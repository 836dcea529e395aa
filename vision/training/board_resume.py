"""Takes the committed counter up again: the network to go on training, from what the reader opens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vision.board import counter, nets
from vision.training.board_export import shares_in_play, shift
from vision.training.board_nets import COUNTS, SCALE, Counter
from vision.training.unfold import unfold_onnx

Array = np.ndarray[Any, Any]


def committed_counter(crops: torch.Tensor, learned: Array, models: Path = nets.MODELS) -> Counter:
    """The committed network, or the one in another folder, its norms measured on `crops` (normalised).

    `learned` says how often each label will be shown: the committed scores fit random play instead.
    """
    net = Counter()
    unfold_onnx(net, models / f"{counter.FOUR_ROWS}.onnx", crops)
    _last_layer(net, learned, models)
    return net


def _last_layer(net: Counter, learned: Array, models: Path) -> None:
    """Splits the committed last layer into what `Counter.last_layer` puts together again."""
    data = json.loads((models / f"{counter.FOUR_ROWS}.json").read_text())
    weight, bias = torch.tensor(data["weight"]), torch.tensor(data["bias"])
    in_play = shift(shares_in_play(), learned) * data["temperature"]
    sharp = -2 * weight[:COUNTS, -1]
    k = torch.arange(COUNTS) / SCALE
    net.sharpness.data = torch.log(torch.expm1(sharp / SCALE / SCALE))
    net.scores.weight.data = weight[:, :-2]
    net.scores.bias.data = bias - torch.tensor(in_play, dtype=torch.float32)
    net.scores.bias.data[:COUNTS] += 0.5 * sharp * k * k
