"""Trains a small convolutional network on scikit-learn's digits in PyTorch, and exports it to digits.pt2."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from digits import split
from torch import nn
from torch.nn import functional as F


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(2),
        )
        self.head = nn.Linear(128, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return F.softmax(self.head(self.features(images).flatten(1)), dim=-1)


def trained(steps: int) -> Network:
    torch.manual_seed(0)
    images, labels = (torch.from_numpy(a) for a in split("train"))
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    for _ in range(steps):
        chosen = torch.randint(0, len(images), (64,))
        loss = F.nll_loss(network(images[chosen]).log(), labels[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return network.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--file", type=Path, default=Path("digits.pt2"))
    given = parser.parse_args()
    network = trained(given.steps)
    batch = torch.export.Dim("batch", min=1, max=4096)
    exported = torch.export.export(network, (torch.zeros(2, 1, 8, 8),), dynamic_shapes=({0: batch},))
    torch.export.save(exported.run_decompositions(), given.file)
    print(f"trained for {given.steps} steps, exported to {given.file.name}")


if __name__ == "__main__":
    main()
