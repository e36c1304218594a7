"""Trains a public repository's module: python fit.py MODEL [argument ...], a function of fitted.py."""

from __future__ import annotations

import sys

import fitted
import torch


def main(name: str, *arguments: str) -> None:
    torch.manual_seed(0)
    model, loss_of = getattr(fitted, name)(*arguments)
    model.train()
    print(sum(p.numel() for p in model.parameters()), "parameters")
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(50):
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        print(loss.item())


if __name__ == "__main__":
    main(*sys.argv[1:])
