"""One start for two runs of a program: the first run saves it, the second one loads it."""

from __future__ import annotations

import os
import sys
from typing import Any

import torch


def folder() -> str:
    """The folder of the program's files, its first argument."""
    return sys.argv[1]


def same(name: str, made: Any) -> Any:
    """Returns what the first run made: tensors, or a dict of them."""
    path = os.path.join(folder(), f"{name}.pt")
    if os.path.exists(path):
        return torch.load(path)
    torch.save(made, path)
    return made


def same_weights(name: str, model: torch.nn.Module) -> torch.nn.Module:
    """Gives the model the weights that it had in the first run."""
    model.load_state_dict(same(name, model.state_dict()))
    return model
