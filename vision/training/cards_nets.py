"""The networks, and how they become .onnx files."""

from pathlib import Path
from typing import Self, cast

import torch
from torch import Tensor, nn

from vision.cards.signs import SIGNS

RANK_CLASSES = len(SIGNS)
SUIT_CLASSES = 4
FEATURES = 128
POSE = 4


def _block(inside: int, outside: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    """A convolution; of an even size, of squares with nothing round the picture."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size % 2, bias=False), nn.BatchNorm2d(outside), nn.ReLU(inplace=True)
    )


class OfPixels(nn.Module):
    """A network that takes its picture as 0..255, and learns with it as 0..1."""

    body: nn.Sequential

    def __init__(self) -> None:
        super().__init__()
        self.unit = 1 / 255

    def forward(self, image: Tensor) -> Tensor:
        """From pictures in 0..255 to planes."""
        return cast(Tensor, self.body(image if self.unit == 1 else image * self.unit))

    def of_raw_pixels(self) -> Self:
        """The same with the scale of its input taken into the first weights, which saves a step for each pixel."""
        cast(nn.Conv2d, cast(nn.Sequential, self.body[0])[0]).weight.data *= self.unit
        self.unit = 1.0
        return self


class FinderNet(OfPixels):
    """Index corners on a grid of 8 px: score, shift x and y (cells), log height over 22 px, up x and up y."""

    def __init__(self, widths: tuple[int, int, int] = (8, 24, 48)) -> None:
        super().__init__()
        a, b, c = widths
        self.body = nn.Sequential(
            _block(3, a, 2),
            _block(a, b, 2),
            _block(b, c, 2),
            _block(c, c),
            _block(c, c),
            _block(c, c),
            _block(c, c),
        )
        self.head = nn.Conv2d(c, 6, 1)
        nn.init.constant_(cast(Tensor, self.head.bias), 0.0)
        with torch.no_grad():
            cast(Tensor, self.head.bias)[0] = -4.0

    def forward(self, image: Tensor) -> Tensor:
        """From pictures in 0..255 to 6 planes."""
        return cast(Tensor, self.head(super().forward(image)))


class GlanceNet(OfPixels):
    """How likely there is an index corner, on a grid of 16 px, from a grey picture: squares that do not overlap first,
    which cost little."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _block(1, 32, 8, size=8),
            _block(32, 48, 2),
            _block(48, 48),
            _block(48, 48),
            nn.Conv2d(48, 1, 1),
        )
        nn.init.constant_(cast(Tensor, self.body[-1].bias), -3.0)


class ReaderNet(nn.Module):
    """Reads a crop of one index corner: logits of the sign, 4 suit logits, one logit of being an index at all; and says
    how it would be framed better: right and down in heights as framed, logarithm of the size, turn in radians."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = nn.Sequential(
            _block(3, 24, 2),
            _block(24, 32),
            _block(32, 64, 2),
            _block(64, 64),
            _block(64, 96, 2),
            _block(96, 96),
            nn.Flatten(),
            nn.Dropout(0.2),
        )
        self.body = nn.Sequential(nn.Linear(96 * 8 * 6, FEATURES), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(FEATURES, RANK_CLASSES + SUIT_CLASSES + 1)
        self.frame = nn.Sequential(nn.Linear(96 * 8 * 6, 48), nn.ReLU(inplace=True), nn.Linear(48, POSE))

    def forward(self, image: Tensor) -> Tensor:
        """From crops in 0..255 to logits, the better frame, and the features (for enrolled decks)."""
        seen = self.eye(image * (1 / 255) - 0.5)
        features = self.body(seen)
        return torch.cat([self.head(self.drop(features)), self.frame(seen), features], dim=1)


def export_onnx(net: nn.Module, shape: tuple[int, int, int, int], path: Path, free: dict[int, str]) -> None:
    """Writes a network as ONNX with its batch norms folded in, for OpenCV's dnn module."""
    net = net.eval().to("cpu").to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        net,
        (torch.zeros(shape),),
        str(path),
        dynamo=False,
        opset_version=12,
        do_constant_folding=True,
        input_names=["image"],
        output_names=["out"],
        dynamic_axes={"image": free, "out": free},
    )
