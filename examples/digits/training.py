"""Shared by both programs: the loss, the training loop, the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Protocol

import aten
from digits import Digits

STEPS, EVERY = 300, 20


class Optimizer(Protocol):
    def step(self) -> None:
        """Updates the parameters and resets their gradients."""


def train(model: Callable[[aten.Tensor], aten.Tensor], optimizer: Optimizer, steps: int) -> list[float]:
    """Trains a model and returns the losses of all steps."""
    data, losses = Digits(), []
    for step, (images, labels) in enumerate(data.batches(steps), 1):
        loss = cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step == 1 or step % EVERY == 0:
            show(step, losses[-1])
    with aten.no_grad():
        images, labels = data.test
        print(f"right on {accuracy(model(images), labels):.1%} of the images that it has not seen")
    return losses


def cross_entropy(logits: aten.Tensor, labels: aten.Tensor) -> aten.Tensor:
    """Computes the cross entropy: the mean of -log(probability of the label)."""
    log_probabilities = aten.log_softmax(logits, 1)
    return -log_probabilities.gather(1, labels.unsqueeze(1)).mean()


def accuracy(logits: aten.Tensor, labels: aten.Tensor) -> float:
    return (logits.argmax(1) == labels).to(aten.float32).mean().item()


def show(step: int, loss: float) -> None:
    """Prints one line of the loss curve."""
    print(f"step {step:4}  loss {loss:7.4f}  {'#' * round(20 * loss)}")


def steps(description: str | None) -> int:
    """Parses the command line and returns the number of steps."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=STEPS)
    return parser.parse_args().steps
