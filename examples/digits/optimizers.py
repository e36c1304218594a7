"""Two optimizers: SGD with momentum, and Adam."""

from __future__ import annotations

from collections.abc import Iterable

import aten


class SGD:
    """SGD with momentum."""

    def __init__(self, parameters: Iterable[aten.Tensor], rate: float = 0.1, momentum: float = 0.9) -> None:
        self.parameters = list(parameters)
        self.rate, self.momentum = rate, momentum
        self.velocities = [aten.zeros_like(p) for p in self.parameters]

    def step(self) -> None:
        with aten.no_grad():
            for p, velocity in zip(self.parameters, self.velocities, strict=True):
                velocity.mul_(self.momentum).add_(p.grad)
                p.sub_(velocity, alpha=self.rate)
                p.grad = None


class Adam:
    """Adam."""

    def __init__(self, parameters: Iterable[aten.Tensor], rate: float = 3e-3) -> None:
        self.parameters = list(parameters)
        self.rate, self.steps = rate, 0
        self.means = [aten.zeros_like(p) for p in self.parameters]
        self.squares = [aten.zeros_like(p) for p in self.parameters]

    def step(self, decay: float = 0.9, square_decay: float = 0.999, eps: float = 1e-8) -> None:
        self.steps += 1
        with aten.no_grad():
            for p, mean, square in zip(self.parameters, self.means, self.squares, strict=True):
                mean.mul_(decay).add_(p.grad, alpha=1 - decay)
                square.mul_(square_decay).add_(p.grad * p.grad, alpha=1 - square_decay)
                scale = (square / (1 - square_decay**self.steps)).sqrt() + eps
                p.sub_(mean / scale, alpha=self.rate / (1 - decay**self.steps))
                p.grad = None
