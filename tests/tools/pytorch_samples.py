"""PyTorch's own samples without what most of their time goes to.

Each sample sets the seeds of CUDA, XPU and MTIA; where there is no such device, PyTorch notes the stack for
when there is one. Each operator looks for its `unittest.TestCase` in all frames of the stack; there is none.
Samples are the same without either.
"""

from __future__ import annotations

import sys
from typing import Any

DEVICES = ("cuda", "xpu", "mtia")
USERS = ("torch.testing._internal.common_utils", "torch.testing._internal.opinfo.core")


def make_fast() -> None:
    """Takes both out of what has been imported."""
    if (torch := sys.modules.get("torch")) is None:
        return
    for module in (getattr(torch, name, None) for name in DEVICES):
        if module is not None and not module.is_available():
            module.manual_seed_all = seeds_nothing
    for name in USERS:
        if name in sys.modules:
            sys.modules[name].extract_test_fn = no_test  # type: ignore[attr-defined]


def seeds_nothing(seed: Any) -> None:
    pass


def no_test() -> None:
    return None
