"""A small transformer trained on digits: python examples/digits/transformer.py"""

from __future__ import annotations

import aten
import numpy as np
import training
from optimizers import Adam

F = aten.nn.functional
WIDTH, HEADS, LAYERS, TOKENS = 32, 4, 2, 8


class Transformer:
    """Each row of an image is a token; the mean of the output tokens is classified."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self.embed = self._linear(8, WIDTH)
        self.position = self._normal((TOKENS, WIDTH), 0.1)
        self.blocks = [
            {
                "norm1": self._norm(),
                "qkv": self._linear(WIDTH, 3 * WIDTH),
                "out": self._linear(WIDTH, WIDTH),
                "norm2": self._norm(),
                "up": self._linear(WIDTH, 4 * WIDTH),
                "down": self._linear(4 * WIDTH, WIDTH),
            }
            for _ in range(LAYERS)
        ]
        self.norm, self.head = self._norm(), self._linear(WIDTH, 10)

    def _normal(self, shape: tuple[int, ...], scale: float) -> aten.Tensor:
        values = (self._rng.standard_normal(shape) * scale).astype(np.float32)
        return aten.from_numpy(values).requires_grad_()

    def _linear(self, inputs: int, outputs: int) -> tuple[aten.Tensor, aten.Tensor]:
        return self._normal((outputs, inputs), inputs**-0.5), aten.zeros(outputs, requires_grad=True)

    def _norm(self) -> tuple[aten.Tensor, aten.Tensor]:
        return aten.ones(WIDTH, requires_grad=True), aten.zeros(WIDTH, requires_grad=True)

    def parameters(self) -> list[aten.Tensor]:
        pairs = [self.embed, self.norm, self.head, *(pair for b in self.blocks for pair in b.values())]
        return [self.position, *(p for pair in pairs for p in pair)]

    def __call__(self, images: aten.Tensor) -> aten.Tensor:
        x = F.linear(images, *self.embed) + self.position
        for block in self.blocks:
            x = x + attention(F.layer_norm(x, (WIDTH,), *block["norm1"]), block)
            h = F.layer_norm(x, (WIDTH,), *block["norm2"])
            x = x + F.linear(F.gelu(F.linear(h, *block["up"])), *block["down"])
        return F.linear(F.layer_norm(x, (WIDTH,), *self.norm).mean(1), *self.head)


def attention(x: aten.Tensor, block: dict[str, tuple[aten.Tensor, aten.Tensor]]) -> aten.Tensor:
    """Multi-head self-attention."""
    batch, size = x.shape[0], WIDTH // HEADS
    qkv = F.linear(x, *block["qkv"]).view(batch, TOKENS, 3, HEADS, size)
    q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
    weights = (q @ k.transpose(2, 3) * size**-0.5).softmax(-1)
    return F.linear((weights @ v).transpose(1, 2).reshape(batch, TOKENS, WIDTH), *block["out"])


def train(steps: int) -> list[float]:
    model = Transformer()
    return training.train(model, Adam(model.parameters()), steps)


if __name__ == "__main__":
    train(training.steps(__doc__))
