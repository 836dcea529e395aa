"""A detector of the shape people usually take for this (YOLO v8 nano, untrained), to measure our speed against."""

from dataclasses import dataclass, field

import cv2
import numpy as np

PEER_SIDE_PX = 640
_CLASSES = 53


@dataclass
class _Cfg:
    """A network in Darknet's notation, which OpenCV's dnn module reads without further files."""

    lines: list[str] = field(default_factory=list)
    channels: list[int] = field(default_factory=list)
    strides: list[int] = field(default_factory=list)
    weights: list[np.ndarray] = field(default_factory=list)
    flop: float = 0.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def _add(self, text: str, channels: int, stride: int) -> int:
        self.lines.append(text)
        self.channels.append(channels)
        self.strides.append(stride)
        return len(self.channels) - 1

    def conv(self, channels: int, size: int = 3, stride: int = 1, plain: bool = False) -> int:
        inside = self.channels[-1] if self.channels else 3
        now = (self.strides[-1] if self.strides else 1) * stride
        norm = np.array([], np.float32) if plain else np.repeat(np.array([1, 0, 1], np.float32), channels)
        kernel = self.rng.normal(0, (2 / (inside * size * size)) ** 0.5, channels * inside * size * size)
        self.weights += [np.zeros(channels, np.float32), norm, kernel.astype(np.float32)]
        self.flop += 2 * inside * size * size * channels * (PEER_SIDE_PX / now) ** 2
        return self._add(
            f"[convolutional]\n{'' if plain else 'batch_normalize=1'}\nfilters={channels}\nsize={size}\n"
            f"stride={stride}\npad=1\n"
            f"activation={'linear' if plain else 'swish'}\n",
            channels,
            now,
        )

    def route(self, *layers: int, half: bool = False) -> int:
        total = sum(self.channels[k] for k in layers) // (2 if half else 1)
        split = "groups=2\ngroup_id=1\n" if half else ""
        return self._add(f"[route]\nlayers={','.join(map(str, layers))}\n{split}", total, self.strides[layers[0]])

    def shortcut(self, back: int) -> int:
        return self._add(f"[shortcut]\nfrom={back}\nactivation=linear\n", self.channels[-1], self.strides[-1])

    def upsample(self) -> int:
        return self._add("[upsample]\nstride=2\n", self.channels[-1], self.strides[-1] // 2)

    def pool(self) -> int:
        return self._add("[maxpool]\nsize=5\nstride=1\n", self.channels[-1], self.strides[-1])

    def split_block(self, channels: int, repeats: int, add: bool = True) -> int:
        whole = self.conv(channels, 1)
        last = self.route(whole, half=True)
        parts = [whole]
        for _ in range(repeats):
            self.conv(channels // 2)
            last = self.conv(channels // 2)
            if add:
                last = self.shortcut(-3)
            parts.append(last)
        self.route(*parts)
        return self.conv(channels, 1)


def peer_network() -> tuple[cv2.dnn.Net, int, float]:
    """The network, its number of parameters and its floating-point operations on a 640 x 640 picture."""
    n = _Cfg()
    n.conv(16, 3, 2)
    n.conv(32, 3, 2)
    n.split_block(32, 1)
    n.conv(64, 3, 2)
    p3 = n.split_block(64, 2)
    n.conv(128, 3, 2)
    p4 = n.split_block(128, 2)
    n.conv(256, 3, 2)
    n.split_block(256, 1)
    a = n.conv(128, 1)
    b, c, d = n.pool(), n.pool(), n.pool()
    n.route(a, b, c, d)
    p5 = n.conv(256, 1)
    up = n.upsample()
    n.route(up, p4)
    m4 = n.split_block(128, 1, add=False)
    up = n.upsample()
    n.route(up, p3)
    m3 = n.split_block(64, 1, add=False)
    down = n.conv(64, 3, 2)
    n.route(down, m4)
    h4 = n.split_block(128, 1, add=False)
    down = n.conv(128, 3, 2)
    n.route(down, p5)
    h5 = n.split_block(256, 1, add=False)
    for level in (m3, h4, h5):
        n.route(level)
        n.conv(64)
        n.conv(64)
        n.conv(64, 1, plain=True)
        n.route(level)
        n.conv(64)
        n.conv(64)
        n.conv(_CLASSES, 1, plain=True)
    head = f"[net]\nwidth={PEER_SIDE_PX}\nheight={PEER_SIDE_PX}\nchannels=3\n\n"
    cfg = np.frombuffer((head + "\n".join(n.lines)).encode(), np.uint8)
    numbers = np.concatenate(n.weights)
    blob = np.frombuffer(np.array([0, 2, 5, 0, 0], np.int32).tobytes() + numbers.tobytes(), np.uint8)
    return cv2.dnn.readNetFromDarknet(cfg, blob), int(numbers.size), n.flop
