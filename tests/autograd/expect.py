"""Assertions about tensors and errors, for tests of both libraries."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

import pytest


def same(got: Any, expected: Any, tolerance: float = 1e-6) -> None:
    """Checks a tensor's values, given as nested lists or a scalar."""
    __tracebackhide__ = True
    assert got is not None, f"got None, expected {expected}"
    flat, wanted = flatten(got.detach().tolist()), flatten(expected)
    assert flat == pytest.approx(wanted, rel=tolerance, abs=tolerance)


def flatten(values: Any) -> list[Any]:
    return [v for part in values for v in flatten(part)] if isinstance(values, (list, tuple)) else [values]


def raises(
    *words: str, error: type[Exception] | tuple[type[Exception], ...] = RuntimeError
) -> AbstractContextManager[Any]:
    """Expects an error whose message has all these words, in any order; a word is a regular expression."""
    return pytest.raises(error, match="(?is)" + "".join(f"(?=.*{w})" for w in words) + ".")


def leaf(T: Any, values: Any, **options: Any) -> Any:
    return T.tensor(values, requires_grad=True, **{"dtype": T.float64, **options})


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)
