"""Replacements for a non-tensor argument: neighbouring values, bounds of the call, extremes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import aten
from hostile_arguments import DTYPES
from tensors import Operand

EXTREMES = (2**31 - 1, 2**31, 2**40, 2**62, 2**63 - 1, -(2**31) - 1, -(2**63), 2**63)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, 1e308, -1e308, 3.5e38, 2.0**63, -(2.0**63))
NOT_FINITE = (float("nan"), float("inf"), float("-inf"))
OF_OTHER_TYPES = (None, "text", 1.5, 1j, True, [], [1], object())
OPTIONS: dict[str, tuple[Any, ...]] = {
    "bool": (True, False, 2, -1),
    "str": (*"none mean sum tanh floor trunc reflect ij left same nonsense".split(), "", "\0"),
    "ScalarType": tuple(getattr(aten, d) for d in DTYPES),
    "Layout": (aten.strided, 7),
    "Device": ("cpu", "meta", "cuda", "nonsense", "cpu:7", "meta:1", -1),
    "MemoryFormat": (
        aten.contiguous_format,
        aten.channels_last,
        aten.channels_last_3d,
        aten.preserve_format,
    ),
    "Generator": (aten.Generator().manual_seed(3), aten.default_generator),
}
Replaced = Iterator[tuple[str, Any]]  # the kind of damage, and the value


@dataclass(frozen=True)
class Bounds:
    """The numbers at which ranges of a call may end."""

    numbers: tuple[int, ...]

    @classmethod
    def of(cls, operands: list[Operand]) -> Bounds:
        sizes = {n for o in operands for n in (*o.stored.shape, o.stored.ndim, o.stored.size)}
        near = {m for n in sizes for m in (n - 1, n, n + 1, -n, -n - 1)}
        return cls(tuple(sorted(near | {0, 1, -1, -2})))

    def ints(self, value: Any) -> tuple[int, ...]:
        """Returns integers other than the value."""
        own = (value - 1, value + 1, 2 * value, -value) if isinstance(value, int) else ()
        return tuple(n for n in dict.fromkeys((*self.numbers, *own, *EXTREMES)) if n != value)


def values(kind: str, value: Any, bounds: Bounds) -> Replaced:
    """Yields values for a parameter of a type."""
    yield from (("type", other) for other in OF_OTHER_TYPES)
    if kind == "int":
        yield from (("int", n) for n in bounds.ints(value))
    elif kind == "float":
        yield from (("float", f) for f in (*FLOATS, *NOT_FINITE))
    elif kind in ("Scalar", "number"):
        yield from (("float", f) for f in (*FLOATS, *NOT_FINITE, 1j, complex("nan+infj"), True))
        yield from (("int", n) for n in bounds.ints(value))
    elif kind.startswith("Tensor"):
        yield from lists(value)
    elif "[" in kind:
        yield from lists(value)
        yield from entries(kind.partition("[")[0], value, bounds)
    else:
        yield from (("option", v) for v in OPTIONS.get(kind, ()))


def lists(value: Any) -> Replaced:
    """Yields shorter, longer and much longer lists, and the first entry alone."""
    given = list(value) if isinstance(value, (list, tuple)) else [1]
    for made in ([], given[:-1], given[1:], given + given[-1:], given * 2, given * 40):
        if made != given:
            yield "list", made
    if given:
        yield "list", given[0]


def entries(kind: str, value: Any, bounds: Bounds) -> Replaced:
    """Yields lists with one entry replaced, or all by the same."""
    given = list(value) if isinstance(value, (list, tuple)) else [1]
    for i, old in enumerate(given):
        for what, new in values(kind, old, bounds):
            yield what, [*given[:i], new, *given[i + 1 :]]
    for new in (*EXTREMES, 0, -1) if kind == "int" else ():
        yield "list", [new] * len(given)
