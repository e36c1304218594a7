"""Convolutions in one thread, compared with PyTorch: layers of ResNets, MobileNets and U-Nets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .peers import Peer
from .table import Row
from .timing import Statement, compare

_random = np.random.default_rng(0)


@dataclass(frozen=True, slots=True)
class Layer:
    name: str
    batch: int
    channels: int
    size: int  # height and width of the image
    results: int
    kernel: int
    stride: int = 1
    groups: int = 1

    @property
    def padding(self) -> int:
        return 0 if self.kernel == self.stride else self.kernel // 2

    @property
    def output(self) -> int:
        return (self.size + 2 * self.padding - self.kernel) // self.stride + 1

    def arrays(self) -> dict[str, np.ndarray]:
        shapes = {
            "x": (self.batch, self.channels, self.size, self.size),
            "w": (self.results, self.channels // self.groups, self.kernel, self.kernel),
            "b": (self.results,),
            "g": (self.batch, self.results, self.output, self.output),
        }
        return {name: _random.uniform(-1, 1, shape).astype(np.float32) for name, shape in shapes.items()}


LAYERS = (
    Layer("first, 7 x 7 at 2", 1, 3, 224, 64, 7, 2),
    Layer("3 x 3, 64", 1, 64, 56, 64, 3),
    Layer("3 x 3, 128 at 2", 1, 128, 56, 128, 3, 2),
    Layer("3 x 3, 256", 1, 256, 14, 256, 3),
    Layer("3 x 3, 512", 1, 512, 7, 512, 3),
    Layer("1 x 1, 64 to 256", 1, 64, 56, 256, 1),
    Layer("1 x 1, 512 to 2048", 1, 512, 7, 2048, 1),
    Layer("3 x 3, 64, batch of 8", 8, 64, 56, 64, 3),
    Layer("1 x 1, 1024 to 256, batch of 8", 8, 1024, 14, 256, 1),
    Layer("depthwise, 32", 1, 32, 112, 32, 3, 1, 32),
    Layer("depthwise, 96 at 2", 1, 96, 112, 96, 3, 2, 96),
    Layer("depthwise, 384", 1, 384, 14, 384, 3, 1, 384),
    Layer("depthwise 5 x 5, 240", 1, 240, 28, 240, 5, 1, 240),
    Layer("1 x 1, 24 to 144", 1, 24, 56, 144, 1),
    Layer("32 groups, 128", 1, 128, 56, 128, 3, 1, 32),
    Layer("3 x 3, 64, image of 256", 1, 64, 256, 64, 3),
    Layer("1 x 1, 64 to 2, image of 256", 1, 64, 256, 2, 1),
    Layer("patches of 16", 1, 3, 224, 768, 16, 16),
)


def rows(peers: list[Peer], rounds: int) -> list[Row]:
    """Measures the microseconds of each layer, and of its input and weight gradients."""
    table = []
    for layer in LAYERS:
        numbers = f"[{layer.stride}] * 2, [{layer.padding}] * 2, [1, 1]"
        gradients = (
            f"T.ops.aten.convolution_backward(g, x, w, None, {numbers}, False, [0, 0], {layer.groups}, "
        )
        codes = {
            "": f"T.conv2d(x, w, b, {numbers}, {layer.groups})",
            ", input's gradient": gradients + "[True, False, False])",
            ", weight's gradient": gradients + "[False, True, False])",
        }
        arrays = layer.arrays()
        for what, code in codes.items():
            statements = {p.name: Statement(code, p.names(arrays)) for p in peers if p.torch_like}
            ns = compare(statements, rounds=rounds, seconds=4e-3).ns
            times = (ns[name] / 1e3 if name in ns else None for name in ("ours", "torch"))
            table.append(Row(layer.name + what, "us", None, *times))
    return table
