"""PyTorch's type promotion, reimplemented as the reference for results' dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
from tensors import COMPLEX, FLOATS, INTEGERS, Operand

CATEGORIES = {
    "bool": 0,
    **dict.fromkeys((*INTEGERS, "uint16", "uint32", "uint64"), 1),
    **dict.fromkeys(FLOATS, 2),
    **dict.fromkeys(COMPLEX, 3),
}
DEFAULT = {0: "bool", 1: "int64", 2: "float32", 3: "complex64"}


def promote(a: str, b: str) -> str:
    """Returns the smallest dtype of the higher category that holds both."""
    if a == b:
        return a
    low, high = sorted((a, b), key=CATEGORIES.__getitem__)
    if CATEGORIES[high] == 3:
        double = "float64" in (a, b) or "complex128" in (a, b)
        return "complex128" if double else "complex64"
    if CATEGORIES[low] != CATEGORIES[high]:
        return high
    if CATEGORIES[low] == 2:
        return "float32" if {a, b} == {"float16", "bfloat16"} else max(a, b, key=FLOATS.index)
    return str(np.promote_types(a, b))


def result_type(values: list[Any]) -> str:
    """Returns the promoted dtype. Tensors with dimensions decide; 0-dim tensors, then scalars, only where
    they are of a higher category.
    """
    groups: list[list[str]] = [[], [], []]
    for v in values:
        if isinstance(v, Operand):
            groups[0 if v.stored.ndim else 1].append(v.dtype)
        elif isinstance(v, (bool, int, float, complex)):
            groups[2].append(DEFAULT[number_category(v)])
    found: str | None = None
    for group in groups:
        for dtype in group[1:]:
            group[0] = promote(group[0], dtype)
        if group and (found is None or CATEGORIES[group[0]] > CATEGORIES[found]):
            found = group[0] if found is None else higher(found, group[0])
    assert found is not None
    return found


def higher(found: str, other: str) -> str:
    """Returns the dtype where `other` is of a higher category but lower priority: a float keeps its width
    with a complex scalar.
    """
    if CATEGORIES[found] == 2:
        return "complex128" if found == "float64" else "complex64"
    return promote(found, other)


def number_category(v: Any) -> int:
    return 0 if isinstance(v, bool) else 1 if isinstance(v, int) else 2 if isinstance(v, float) else 3


def to_float(dtype: str) -> str:
    """Returns the dtype of functions with fractional results: integers give the default dtype."""
    return "float32" if CATEGORIES[dtype] < 2 else dtype


def to_real(dtype: str) -> str:
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def can_cast(source: str, target: str) -> bool:
    """Whether results of `source` may be written to a tensor of `target`."""
    if CATEGORIES[source] == 1 and target == "bool":
        return False
    return CATEGORIES[source] <= CATEGORIES[target]
