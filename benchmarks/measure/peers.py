"""The compared libraries (peers): ours, and PyTorch and NumPy if they are installed."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np


@dataclasses.dataclass(frozen=True, slots=True)
class Peer:
    """`torch_like`: has PyTorch's API, with the module as `T` and nn.functional as `F` in statements."""

    name: str
    module: ModuleType
    torch_like: bool

    def names(self, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        if not self.torch_like:
            return {"np": np, **arrays}
        functional = importlib.import_module(f"{self.module.__name__}.nn.functional")
        return {"T": self.module, "F": functional, **{k: self.tensor(x) for k, x in arrays.items()}}

    def tensor(self, x: np.ndarray) -> Any:
        """Returns a tensor with the same values in memory from the peer's allocator."""
        return self.module.from_numpy(x).clone()


def load() -> list[Peer]:
    """Returns all peers that can be imported, each set to one thread."""
    found = [Peer("ours", importlib.import_module("aten"), True)]
    if importlib.util.find_spec("torch") is not None:
        found.append(Peer("torch", importlib.import_module("torch"), True))
    for peer in found:
        peer.module.set_num_threads(1)
    return [*found, Peer("numpy", np, False)]


def package(name: str) -> Path | None:
    """Returns the folder of an installed package, without importing it."""
    spec = importlib.util.find_spec(name)
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None
