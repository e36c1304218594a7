"""Arguments at which derivatives are compared: the operators' sample rows, where they are smooth."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
from calls import Call, forms_of
from derive import replace
from more_samples import MORE_CALLS
from rows import Row
from samples import ROWS
from tensors import COMPLEX, Operand, same_strides

DTYPES = ("float64", "complex128")
LARGEST = 130  # largest operand, in elements
FLOATING = ("float32", "float64", "complex64", "complex128", "float16", "bfloat16")


def calls_of(overload: str, dtype: str) -> Iterator[tuple[str, Call]]:
    """Yields every call that the rows have for an overload, with the row's label."""
    for row in rows_of(overload, dtype):
        for call in row.calls(dtype):
            if any(form.name == overload for form in forms_of(row.name, call)):
                yield row.label, call
    if overload in MORE_CALLS:
        yield from (("", call) for call in MORE_CALLS[overload](dtype))


def rows_of(overload: str, dtype: str) -> list[Row]:
    """Returns the rows whose calls may be of an overload."""
    packet = overload.partition(".")[0]
    found = [row for name in {packet: 0, packet.removesuffix("_"): 0} for row in rows_by_name().get(name, ())]
    return [row for row in found if dtype in row.dtypes]


@functools.cache
def rows_by_name() -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in ROWS:
        found.setdefault(row.name, []).append(row)
    return found


def has_rows(overload: str, dtype: str) -> bool:
    """Whether there may be a call in a dtype; making them all takes long."""
    return overload in MORE_CALLS or bool(rows_of(overload, dtype))


@functools.lru_cache(maxsize=8)
def samples_of(overload: str, dtype: str, floating: bool = True) -> list[Call]:
    """Returns one call of each kind, with a floating operand if `floating`."""
    found: dict[Any, Call] = {}
    for label, call in calls_of(overload, dtype):
        if any(o.stored.size > LARGEST for o in call.operands) or (floating and not has_floating(call)):
            continue
        found.setdefault((label, *kind_of(call)), smooth(call))
    return list(found.values())


def has_floating(call: Call) -> bool:
    return any(o.dtype in FLOATING for o in call.operands)


def kind_of(call: Call) -> tuple[Any, ...]:
    """Returns what distinguishes samples: dimensions, emptiness, types, strides, and the other arguments."""
    operands = tuple(
        (o.stored.ndim, 0 in o.stored.shape, 1 in o.stored.shape, o.dtype, o.stored.flags.c_contiguous)
        for o in call.operands
    )
    return operands, repr(replace((call.args, tuple(call.kwargs.items())), lambda o: None))


def few(samples: list[Any], count: int) -> list[Any]:
    """Returns `count` samples, evenly spread over all."""
    if len(samples) <= count:
        return samples
    return [samples[round(i * (len(samples) - 1) / (count - 1))] for i in range(count)]


def smooth(call: Call) -> Call:
    """Returns the call without NaN, infinities and zeros, where finite differences prove nothing."""
    made: dict[int, Operand] = {}

    def change(o: Operand) -> Operand:
        if o.dtype not in ("float32", "float64", *COMPLEX):
            return o
        if id(o) not in made:
            made[id(o)] = Operand(without_specials(o.stored), o.dtype, o.on_host)
        return made[id(o)]

    return Call(replace(call.args, change), {k: replace(v, change) for k, v in call.kwargs.items()})


def without_specials(stored: np.ndarray) -> np.ndarray:
    """Returns values in which special ones are replaced by the mean of the others, each moved a little."""
    special = ~np.isfinite(stored) | (stored == 0)
    if not special.any():
        return stored
    ordinary = stored[~special]
    mean = ordinary.mean() if ordinary.size else 0.75
    if stored.ndim and any(s == 0 and n > 1 for s, n in zip(stored.strides, stored.shape, strict=True)):
        first = without_specials(np.array(stored[0]))
        return np.lib.stride_tricks.as_strided(first, stored.shape, stored.strides)
    changed = same_strides(stored)
    changed[special] = mean + 0.01 * np.arange(1, special.sum() + 1)
    return changed
