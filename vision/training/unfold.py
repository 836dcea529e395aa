"""Exported weights as a network that goes on learning."""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn


def unfold_onnx(net: nn.Module, path: Path, images: Tensor) -> None:
    """Loads what was exported back into a network, to go on training it; what was left out of the export stays.

    Its batch norms were folded away: each gets the statistics of these images, and undoes them, so that the network
    answers as it did."""
    graph = onnx.load(str(path)).graph
    stored = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    layers = [[stored[name] for name in node.input[1:]] for node in graph.node if node.op_type in {"Conv", "Gemm"}]
    conv: nn.Conv2d | None = None

    def norm_of(norm: nn.BatchNorm2d, inputs: tuple[Tensor, ...], shift: Tensor) -> None:
        mean, variance = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
        norm.running_mean, norm.running_var = mean, variance
        norm.weight.data, norm.bias.data = torch.sqrt(variance + norm.eps), shift + mean

    hooks = []
    for part in net.modules():
        if isinstance(part, nn.Conv2d | nn.Linear):
            if not layers:
                break
            weight, shift = layers.pop(0)
            part.weight.data = weight
            conv = None
            if part.bias is None and isinstance(part, nn.Conv2d):
                conv, owed = part, shift
            else:
                part.bias.data = shift
        elif isinstance(part, nn.BatchNorm2d) and conv is not None:
            hooks.append(part.register_forward_pre_hook(lambda norm, inputs, shift=owed: norm_of(norm, inputs, shift)))
    net.eval()
    with torch.no_grad():
        net(images)
    for hook in hooks:
        hook.remove()


def part_way(begun: dict[str, Tensor], come: dict[str, Tensor], part: float = 0.5) -> dict[str, Tensor]:
    """Weights between two: where training went on, they know what was learned and have forgotten less. Halfway (seeds,
    on 350 drawn boards: log loss 0.266 where it began, 0.263 where it came to, 0.257 between; on the 160 of games alone
    0.131, 0.139, 0.131. Cards, on crops of calibration decks in the middle of training: signs right of indices of 20 to
    30 px 0.977 where it had come to, 0.982 between). After many more steps than were gone before, what lies between is
    worse than both ends."""
    return {
        name: tensor + part * (come[name] - tensor) if tensor.is_floating_point() else tensor
        for name, tensor in begun.items()
    }
