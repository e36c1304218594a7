"""Arguments at the limits of the conditions in schemas/checks.yaml: values that violate them, and the nearest
ones that don't.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from opgen import pipeline
from opgen.model.checks import IN, MAY_BE, Check, Range, RangeKind, Subject
from tensors import Operand, operand

ROOT = Path(__file__).resolve().parents[3]
FAR = (2**62, -(2**63))
MOST_DIMS = 6
DTYPES = {"Int": "int32", "Long": "int64"}
OTHER_DTYPES = ("float32", "int16", "bool", "complex64")
Given = Mapping[str, Any]


@functools.cache
def checks() -> Mapping[str, tuple[Check, ...]]:
    """Returns the conditions by the overload's name."""
    program, report = pipeline.load(ROOT / "schemas")
    assert not report.failed
    assert program.checks is not None
    return program.checks.of


def violations(check: Check, given: Given, types: Mapping[str, str]) -> Iterator[Any]:
    """Yields values that violate the condition in this call; `types` are those of the schema."""
    yield from _values(check, given, types, good=False)


def just_held(check: Check, given: Given, types: Mapping[str, str]) -> Iterator[Any]:
    """Yields values at the limit that satisfy this condition."""
    yield from _values(check, given, types, good=True)


def _values(check: Check, given: Given, types: Mapping[str, str], good: bool) -> Iterator[Any]:
    value = given[check.argument]
    if check.relation == MAY_BE or (value is None and check.subject is not Subject.value):
        return
    if check.subject is Subject.value:
        if value is None and "[" in types[check.argument]:
            value = []
        yield from (v for n in _numbers(check, given, good) for v in _put(value, n))
    elif check.subject is Subject.length:
        items = value if isinstance(value, (list, tuple)) else [value]
        for n in _allowed(check, range(max(check.numbers) + 3), good):
            yield [*items, *[items[0] if items else 1] * n][:n]
    elif check.subject is Subject.rank:
        for n in _allowed(check, range(MOST_DIMS), good):
            yield operand(value.values.reshape(-1)[:1].reshape((1,) * n), value.dtype)
    elif check.subject is Subject.dtype:
        for dtype in [DTYPES[w] for w in check.words] if good else OTHER_DTYPES:
            yield operand(value.values, dtype)
    elif value.stored.size:
        yield from (_with_entry(value, n) for n in _numbers(check, given, good))


def _put(value: Any, number: int) -> Iterator[Any]:
    """Yields the number itself; for a list, lists with all entries or one entry replaced by it."""
    if not isinstance(value, (list, tuple)):
        yield number
        return
    yield from ([*value[:i], number, *value[i + 1 :]] for i in range(len(value)))
    if not value:
        yield [number]


def _with_entry(value: Operand, number: int) -> Operand:
    """Returns the operand with its last element replaced."""
    stored = np.array(value.stored)
    if not np.iinfo(stored.dtype).min <= number <= np.iinfo(stored.dtype).max:
        number = np.iinfo(stored.dtype).max if number > 0 else np.iinfo(stored.dtype).min
    stored.reshape(-1)[-1:] = number
    return Operand(stored, value.dtype)


def _numbers(check: Check, given: Given, good: bool) -> Iterator[int]:
    if check.range is not None:
        low, end = _ends(check.range, given)
        yield from (low, end - 1) if good else (low - 1, end, *FAR)
        return
    (bound,) = check.numbers
    near = (*range(bound - 2, bound + 3), *FAR)
    yield from _allowed(check, near, good)


def _allowed(check: Check, numbers: Any, good: bool) -> Iterator[int]:
    """Yields numbers that satisfy the condition, or that violate it; far ones only for violations."""
    for n in numbers:
        if _holds(check, n) is good and not (good and n in FAR):
            yield n


def _holds(check: Check, n: int) -> bool:
    first = check.numbers[0]
    return {
        IN: n in check.numbers,
        ">": n > first,
        ">=": n >= first,
        "<": n < first,
        "<=": n <= first,
        "==": n == first,
        "!=": n != first,
    }[check.relation]


def _ends(found: Range, given: Given) -> tuple[int, int]:
    """Returns the least number of a range, and the first one after it."""
    of = given[found.of]
    if found.kind is RangeKind.product:
        return 0, math.prod(of)
    shape = _shape(of)
    if found.kind is RangeKind.dims:
        count = max(len(shape) + found.more, 1)
        return -count, count
    dim = given[found.dim] if isinstance(found.dim, str) else found.dim
    size = shape[dim] if shape else 1
    return -size if found.wrapped else 0, size


def _shape(of: Any) -> tuple[int, ...]:
    """Returns the shape; for a list of tensors, that of the one with most dimensions, as cat ignores empty
    vectors.
    """
    return max((o.stored.shape for o in of), key=len) if isinstance(of, (list, tuple)) else of.stored.shape
