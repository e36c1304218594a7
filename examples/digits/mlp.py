"""A perceptron with two hidden layers that learns to read digits: python examples/digits/mlp.py"""

from __future__ import annotations

import argparse
import itertools

import aten
import numpy as np
from digits import Digits, accuracy, cross_entropy, show
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


def train(steps: int = 300, every: int = 20) -> list[float]:
    """The loss of each step."""
    data, model = Digits(), MLP()
    optimizer = SGD(model.parameters())
    losses = []
    for step, (images, labels) in enumerate(data.batches(steps), 1):
        loss = cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step == 1 or step % every == 0:
            show(step, losses[-1])
    with aten.no_grad():
        images, labels = data.test
        print(f"right on {accuracy(model(images), labels):.1%} of the images that it has not seen")
    return losses


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    train(parser.parse_args().steps)
