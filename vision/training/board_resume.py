"""Takes the committed counter up again: the network to go on training, from what the reader opens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from vision.board import counter, nets
from vision.training.board_export import shares_in_play, shares_on_two_rows, shift
from vision.training.board_nets import COUNTS, SCALE, CountingNet
from vision.training.unfold import unfold_onnx

Array = np.ndarray[Any, Any]


def committed_counter(
    crops: torch.Tensor, learned: Array, models: Path = nets.MODELS, network: str = counter.FOUR_ROWS
) -> CountingNet:
    """A committed network, or the one of that name in another folder, its norms measured on `crops` (normalised).

    `learned` says how often each label will be shown: the committed scores fit random play instead.
    """
    net = CountingNet()
    unfold_onnx(net, models / f"{network}.onnx", crops)
    _last_layer(net, learned, models, network)
    return net


def _last_layer(net: CountingNet, learned: Array, models: Path, network: str) -> None:
    """Splits the committed last layer into what `Counter.last_layer` puts together again."""
    data = json.loads((models / f"{network}.json").read_text())
    weight, bias = torch.tensor(data["weight"]), torch.tensor(data["bias"])
    played = shares_in_play() if network == counter.FOUR_ROWS else shares_on_two_rows()
    in_play = shift(played, learned) * data["temperature"]
    sharp = -2 * weight[:COUNTS, -1]
    k = torch.arange(COUNTS) / SCALE
    net.sharpness.data = torch.log(torch.expm1(sharp / SCALE / SCALE))
    net.scores.weight.data = weight[:, :-2]
    net.scores.bias.data = bias - torch.tensor(in_play, dtype=torch.float32)
    net.scores.bias.data[:COUNTS] += 0.5 * sharp * k * k
