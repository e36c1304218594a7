"""Overloads of PyTorch that this library doesn't declare on purpose: a pattern of their names, and why."""

from __future__ import annotations

import re

REASONS = {
    r"_?to_sparse(\..*)?": "sparse: the library's tensors are dense",
    r"_efficientzerotensor(\.out)?": "PyTorch's stand-in for a tangent of zeros; here it is undefined",
}


def reason_for(name: str) -> str | None:
    """Returns why an overload isn't declared; None if there is no reason, and it is missing."""
    return next((why for pattern, why in REASONS.items() if re.fullmatch(pattern, name)), None)
