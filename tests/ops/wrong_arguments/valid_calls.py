"""Calls that each overload accepts: those of its sample rows, or calls listed by hand."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import hostile
import promotion
from calls import Call, Form, form_of, forms_of
from rows import Row
from samples import ROWS
from tensors import Operand
from valid_listed import listed

PER_OVERLOAD = 6
PER_ROW = 40
IN_VAIN = 80  # gives up after so many calls of a row that are like earlier ones
LARGEST = 2000  # largest operand, in elements
# Operators that the CPU has no kernel for.
META_ALONE = tuple(
    f"_scaled_dot_product_{kind}_attention{way}"
    for kind in ("flash", "efficient")
    for way in ("", "_backward")
)


@dataclass(frozen=True)
class Valid:
    """A call of an overload by parameter; those with a default may be missing."""

    name: str
    given: dict[str, Any]
    dtypes: tuple[str, ...] = ()  # dtypes of the tensors to write to, where these are not given


@functools.cache
def valid_calls() -> dict[str, list[Valid]]:
    """Returns some calls of every overload, no two with the same dtypes and kinds of arguments."""
    found: dict[str, list[Valid]] = {}
    for name, calls in listed().items():
        form = listed_form(name)
        found[name] = [bound(form, call, ()) for call in calls]
    for row in ROWS:
        for dtype in dict.fromkeys(("float32" if "float32" in row.dtypes else row.dtypes[0], row.dtypes[-1])):
            for call in different_calls(row, dtype):
                for form in forms_of(row.name, call):
                    kept = found.setdefault(form.name, [])
                    if len(kept) < PER_OVERLOAD:
                        names = row.dtype(call) if form.kind == "out" else ()
                        kept.append(bound(form, call, (names,) if isinstance(names, str) else tuple(names)))
    return found


def listed_form(name: str) -> Form:
    packet, _, overload = name.partition(".")
    return form_of(hostile.find(name), packet, overload or "default")


def different_calls(row: Row, dtype: str) -> Iterator[Call]:
    """Yields small calls with different kinds of arguments; stops early, as some rows have many calls."""
    seen: set[str] = set()
    last = 0
    for i, call in enumerate(row.calls(dtype)):
        if len(seen) == PER_ROW or i - last > IN_VAIN:
            return
        sizes = [o.stored.size for o in call.operands] or [1]
        sign = f"{signature(call.args)} {signature(tuple(call.kwargs.items()))}"
        if max(sizes) <= LARGEST and sizes[0] > 0 and sign not in seen:
            seen.add(sign)
            last = i
            yield call


def signature(value: Any) -> str:
    """Returns the kind of an argument: for tensors the kind of dtype, for scalars and sizes only the type."""
    if isinstance(value, Operand):
        empty = "" if value.stored.size else "empty"
        return f"{promotion.CATEGORIES[value.dtype]}{min(value.stored.ndim, 1)}{empty}"
    if isinstance(value, (list, tuple)):
        return f"[{' '.join(signature(v) for v in value)}]"
    return value if isinstance(value, str) else type(value).__name__


def bound(form: Form, call: Call, dtypes: tuple[str, ...]) -> Valid:
    names = [a.name for a in form.op._schema.arguments if not a.kwarg_only]
    return Valid(form.name, dict(zip(names, call.args, strict=False)) | call.kwargs, dtypes)
