"""What programs give that are run on this package and on PyTorch, as plain values that can be compared."""

from __future__ import annotations

import collections
import types
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import aten
import aten.utils.data
import pytest

Program = Callable[[types.ModuleType], Any]


def plain(value: Any) -> Any:
    """Tensors as (dtype, values), in a structure whose types are named."""
    if hasattr(value, "untyped_storage"):
        return str(value.dtype).rpartition(".")[2], tuple(value.shape), value.tolist()
    if isinstance(value, Mapping):
        return type(value).__name__, {key: plain(value[key]) for key in value}
    if isinstance(value, (list, tuple, collections.deque)):
        return type(value).__name__, [plain(v) for v in value]
    return value


def outcome(program: Program, package: types.ModuleType) -> Any:
    """The program's value; the type and text of its error; and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = plain(program(package))
        except Exception as error:
            value = type(error).__name__, str(error)
    return value, [str(w.message) for w in caught]


def same(program: Program, texts: bool = True) -> None:
    """Both packages give the same; without `texts` only the types of errors and how many warnings."""
    torch = pytest.importorskip("torch")
    found, expected = outcome(program, aten), outcome(program, torch)
    if not texts:
        found, expected = ((v[0] if isinstance(v, tuple) else v, len(w)) for v, w in (found, expected))
    assert found == expected, f"{found}, PyTorch: {expected}"
