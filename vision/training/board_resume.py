"""Takes the committed counter up again: the network to go on training, from what the reader opens.

An exported network has its norms folded into its convolutions. Here each convolution keeps its folded weights and gets
a norm again that changes nothing: its mean and spread are measured on the crops that training will show.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.board import counter, nets
from vision.training.board_export import shares_in_play, shift
from vision.training.board_nets import COUNTS, SCALE, Counter

Array = np.ndarray[Any, Any]


def committed_counter(crops: torch.Tensor, learned: Array) -> Counter:
    """The committed network, its norms measured on `crops` (normalised).

    `learned` says how often each label will be shown: the committed scores fit random play instead.
    """
    net = Counter()
    graph = onnx.load(str(nets.MODELS / counter.MODEL)).graph
    known = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    state = net.state_dict()
    state.update({name: known[f"net.{name}"] for name in state if f"net.{name}" in known})
    net.load_state_dict(state)
    blocks = [m for m in net.modules() if isinstance(m, nn.Sequential) and isinstance(m[0], nn.Conv2d) and len(m) == 3]
    # The convolutions without a norm kept their names.
    folded = [n for n in graph.node if n.op_type == "Conv" and not n.input[1].startswith("net.")]
    for block, node in zip(blocks, folded, strict=True):
        block[0].weight.data = known[node.input[1]]
        _plain_norm(block[1], known[node.input[2]])
    _last_layer(net, learned)
    _measure_norms(net, [b[1] for b in blocks], crops)
    return net


def _plain_norm(norm: nn.Module, bias: torch.Tensor) -> None:
    """A norm that only adds the folded bias."""
    assert isinstance(norm, nn.BatchNorm2d) and norm.running_mean is not None and norm.running_var is not None
    norm.running_mean.zero_()
    norm.running_var.fill_(1 - norm.eps)
    norm.weight.data.fill_(1)
    norm.bias.data = bias.clone()


def _measure_norms(net: Counter, norms: list[nn.Module], crops: torch.Tensor) -> None:
    """Gives each norm the mean and spread of what really reaches it, and weights that undo them."""
    met: dict[nn.Module, tuple[torch.Tensor, torch.Tensor]] = {}

    def note(norm: nn.Module, given: tuple[torch.Tensor, ...], _: torch.Tensor) -> None:
        met[norm] = given[0].mean((0, 2, 3)), given[0].var((0, 2, 3))

    hooks = [norm.register_forward_hook(note) for norm in norms]
    net.eval()
    with torch.no_grad():
        net(crops)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        assert isinstance(norm, nn.BatchNorm2d)
        mean, var = met[norm]
        norm.running_mean, norm.running_var = mean, var
        norm.weight.data = torch.sqrt(var + norm.eps)
        norm.bias.data = norm.bias.data + mean


def _last_layer(net: Counter, learned: Array) -> None:
    """Splits the committed last layer into what `Counter.last_layer` puts together again."""
    data = json.loads((nets.MODELS / counter.SETTINGS).read_text())
    weight, bias = torch.tensor(data["weight"]), torch.tensor(data["bias"])
    in_play = shift(shares_in_play(), learned) * data["temperature"]
    sharp = -2 * weight[:COUNTS, -1]
    k = torch.arange(COUNTS) / SCALE
    net.sharpness.data = torch.log(torch.expm1(sharp / SCALE / SCALE))
    net.scores.weight.data = weight[:, :-2]
    net.scores.bias.data = bias - torch.tensor(in_play, dtype=torch.float32)
    net.scores.bias.data[:COUNTS] += 0.5 * sharp * k * k
