"""The networks of tests/export, whose source is run with either library."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import aten

SOURCE = Path(__file__).parents[1] / "export" / "models.py"


def networks(library: Any, name: str) -> types.ModuleType:
    """The module of networks with `library` in the place of torch."""
    made = types.ModuleType(name)
    text = SOURCE.read_text(encoding="utf-8")
    for line in ("import torch", "from torch import nn", "from torch.nn import functional as F"):
        assert f"\n{line}\n" in text
        text = text.replace(f"\n{line}\n", "\n")
    made.__dict__.update(torch=library, nn=library.nn, F=library.nn.functional)
    sys.modules[name] = made
    exec(compile(text, str(SOURCE), "exec"), made.__dict__)
    return made


OURS = networks(aten, "aten_networks")
NAMES = sorted(OURS.MODELS)


def made(networks: types.ModuleType, name: str, batch: int = 2) -> tuple[Any, tuple[Any, ...]]:
    """The network, for inference, and its arguments."""
    networks.torch.manual_seed(0)
    model, inputs = networks.MODELS[name]
    return model().eval(), inputs(batch)
