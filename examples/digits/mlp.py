"""An MLP with two hidden layers, trained on digits: python examples/digits/mlp.py"""

from __future__ import annotations

import itertools

import aten
import numpy as np
import training
from optimizers import SGD

SIZES = (64, 128, 64, 10)


class MLP:
    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.layers = []
        for inputs, outputs in itertools.pairwise(SIZES):
            weight = rng.standard_normal((outputs, inputs)) * (2 / inputs) ** 0.5
            weight = aten.from_numpy(weight.astype(np.float32)).requires_grad_()
            self.layers.append((weight, aten.zeros(outputs, requires_grad=True)))

    def parameters(self) -> list[aten.Tensor]:
        return [p for layer in self.layers for p in layer]

    def __call__(self, images: aten.Tensor) -> aten.Tensor:
        x = images.flatten(1)
        for i, (weight, bias) in enumerate(self.layers):
            x = aten.nn.functional.linear(x, weight, bias)
            if i + 1 < len(self.layers):
                x = x.relu()
        return x


def train(steps: int) -> list[float]:
    model = MLP()
    return training.train(model, SGD(model.parameters()), steps)


if __name__ == "__main__":
    train(training.steps(__doc__))
