"""Every sample row: functional, in-place and out= forms against NumPy, the Meta device against the CPU."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from typing import Any

import aten
import numpy as np
import promotion
import pytest
from calls import Call, Form, forms_of, map_operands, overloads_of
from compare import assert_strides, assert_tensor, assert_values
from cpu_only import expected_on_device
from gauge import fixed, gauge_of
from known_differences import reason_for
from outputs import exact, resized, strided, wider
from rows import Row, cast
from samples import ROWS
from tensors import (
    CAMPAIGN,
    DEVICE,
    QUICK,
    REGULAR,
    TOLERANCES,
    Operand,
    dtype_name,
    is_quick,
    rounded,
    to_array,
)
from thinned import thinned

Expected = list[tuple[np.ndarray, str]]
KINDS = ("functional", "inplace", "out", "meta")
# On the emulated device, where a call takes far longer: so many calls of a row, and two kinds of out=.
FEW = "ATEN_FEW_CALLS" in os.environ
FEW_CALLS = 24
# What surrounds a kernel is the same for most calls of a row; `make left-out` compares it for all.
AROUND = {"out": 8, "meta": 8}


def cases() -> Iterator[Any]:
    """Yields the cases; the kinds of one row and dtype follow each other, so that NumPy's results are
    computed once.
    """
    for row in ROWS:
        kinds = kinds_of(row)
        for dtype in row.dtypes:
            for kind in kinds:
                marks = marks_of(row, dtype, kind)
                reason = reason_for(f"sample-{kind}", f"{row}-{dtype}")
                marks += [pytest.mark.xfail(strict=DEVICE == "cpu", reason=reason)] if reason else []
                marks += [pytest.mark.thins] if kind in AROUND else []
                yield pytest.param(row, dtype, kind, id=f"{row}-{dtype}-{kind}", marks=marks)


def kinds_of(row: Row) -> list[str]:
    """Returns the kinds that the operator has; Meta's are those of its functional forms."""
    forms = {form.kind for form in overloads_of(row.name)}
    forms |= {"meta"} if "functional" in forms and not row.data_dependent else set()
    forms -= set() if row.inplace else {"inplace"}  # PyTorch has no such form
    return [kind for kind in KINDS if kind in forms]


def marks_of(row: Row, dtype: str, kind: str) -> list[Any]:
    """`make test-all` leaves out dtypes that differ little from others: of what surrounds a kernel, all but
    two. On a device all are slow.
    """
    if is_short(row, dtype, kind):
        return []
    regular = REGULAR if kind == "functional" else QUICK
    return [pytest.mark.slow] if DEVICE != "cpu" or dtype in regular else list(CAMPAIGN)


def is_short(row: Row, dtype: str, kind: str) -> bool:
    """Whether the short run has the case. What out=, in-place forms and Meta do around the kernels of the
    functional forms is compared with one dtype; what Meta gives, on the CPU.
    """
    if kind == "functional" or not is_quick(dtype, row.dtypes):
        return is_quick(dtype, row.dtypes)
    first = next(d for d in ("float32", *row.dtypes) if d in row.dtypes and is_quick(d, row.dtypes))
    return dtype == first and (kind != "meta" or DEVICE == "cpu")


@functools.lru_cache(maxsize=1)
def calls_of(row: Row, dtype: str) -> list[tuple[Call, Expected]]:
    calls = list(row.calls(dtype))
    return [(call, expected_of(row, call)) for call in (thinned(calls, FEW_CALLS) if FEW else calls)]


@pytest.mark.parametrize(("row", "dtype", "kind"), list(cases()))
def test_sample(row: Row, dtype: str, kind: str) -> None:
    """Every overload that takes a call's arguments gives the result of the row's reference."""
    checks = {
        "functional": check_functional,
        "inplace": check_inplace,
        "out": check_out,
        "meta": check_meta,
    }
    found = calls_by_form(row, dtype, kind)
    for call, form, expected in found:
        with expected_on_device():
            checks[kind](row, call, form, expected)
    if not found:
        pytest.skip(f"no {kind} form takes these calls")


def calls_by_form(row: Row, dtype: str, kind: str) -> list[tuple[Call, Form, Expected]]:
    """Returns the calls with the overloads that take them: of what surrounds a kernel, some of each."""
    found: dict[str, list[tuple[Call, Form, Expected]]] = {}
    for call, expected in calls_of(row, dtype):
        for form in forms_of(row.name, call):
            if form.kind == ("functional" if kind == "meta" else kind):
                found.setdefault(form.name, []).append((call, form, expected))
    most = AROUND.get(kind)
    return [one for calls in found.values() for one in (thinned(calls, most) if most else calls)]


def expected_of(row: Row, call: Call) -> Expected:
    """Returns NumPy's results, rounded to the dtype that they should have."""
    names = row.dtype(call)
    names = [names] if isinstance(names, str) else list(names)
    if row.common:
        shared = promotion.result_type([*call.args])
        args = [
            cast(a, promotion.to_float(shared) if row.dtype.__name__ == "floating" else shared)
            for a in call.args
        ]
    else:
        args = map_operands(list(call.args), lambda o: cast(o, o.dtype))
    kwargs = {k: map_operands(v, lambda o: cast(o, o.dtype)) for k, v in call.kwargs.items()}
    with np.errstate(all="ignore"):
        found = row.reference(*args, **kwargs)
        found = found if isinstance(found, (tuple, list)) else [found]
        return [(rounded(v, n), n) for v, n in zip(found, names, strict=True)]


def listed(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def check(row: Row, result: Any, expected: Expected, what: str) -> None:
    __tracebackhide__ = True
    found = listed(result)
    assert len(found) == len(expected), f"{what}: {len(found)} results, expected {len(expected)}"
    if gauge_of(row.name) is not None:
        return check_fixed(row, found, expected, what)
    for got, (values, name) in zip(found, expected, strict=True):
        shape = np.shape(values)
        assert_tensor(
            got, values if row.compare else None, name, shape=shape, what=what, tolerance=row.tolerance(name)
        )


def check_fixed(row: Row, found: list[Any], expected: Expected, what: str, dtypes: Any = ()) -> None:
    """Compares results without the phases of vectors; tensors may hold the values in other `dtypes`."""
    __tracebackhide__ = True
    for got, (values, _), name in zip(found, expected, dtypes or [n for _, n in expected], strict=True):
        assert_tensor(got, None, name, shape=np.shape(values), what=what)
    pair = (fixed(row.name, [to_array(t) for t in found]), fixed(row.name, [v for v, _ in expected]))
    tolerance = row.tolerance(expected[0][1]) or TOLERANCES[expected[0][1]]
    for i, (got, values) in enumerate(zip(*pair, strict=True)):
        assert_values(got, values, tolerance, f"{what}: term {i}")


def check_functional(row: Row, call: Call, form: Form, expected: Expected) -> None:
    args, kwargs = call.tensors()
    check(row, form.op(*args, **kwargs), expected, f"{form.name}{call}")


def check_inplace(row: Row, call: Call, form: Form, expected: Expected) -> None:
    """Checks that the first argument, a tensor or a list, is written and returned; if it cannot hold the
    result, an error is raised.
    """
    args, kwargs = call.tensors()
    what = f"{form.name}{call}"
    targets = listed(call.args[0])
    if any(map(overlaps, targets)):
        return
    if not all(holds(row, t, *e) for t, e in zip(targets, expected, strict=True)):
        with pytest.raises(RuntimeError):
            form.op(*args, **kwargs)
        return
    result = form.op(*args, **kwargs)
    returns_it = isinstance(args[0], aten.Tensor)
    assert result is (args[0] if returns_it else None), f"{what}: another tensor was returned"
    for written, target, (values, name) in zip(listed(args[0]), targets, expected, strict=True):
        strides = None if row.reshapes else tuple(s // target.stored.itemsize for s in target.stored.strides)
        assert_tensor(
            written,
            rounded(values, target.dtype) if row.compare else None,
            target.dtype,
            shape=values.shape,
            what=what,
            strides=strides,
            tolerance=row.tolerance(name) or TOLERANCES.get(name, (0, 0)),
        )


def holds(row: Row, target: Operand, values: np.ndarray, name: str) -> bool:
    """Whether a tensor can hold a result of an in-place operator."""
    castable = row.out_decides or promotion.can_cast(name, target.dtype)
    return castable and (values.shape == target.stored.shape or row.reshapes)


def overlaps(target: Any) -> bool:
    """Whether several elements share an address; writes to such tensors have a test of their own."""
    steps = zip(target.stored.shape, target.stored.strides, strict=True)
    return target.stored.size > 0 and any(n > 1 and step == 0 for n, step in steps)


def check_out(row: Row, call: Call, form: Form, expected: Expected) -> None:
    """Checks out= of the right shape, with gaps, resized from size 0, of a wider dtype; a narrower one
    raises. Resizing and converting is done by what all devices share: ATEN_FEW_CALLS leaves it out.
    """
    for make in (exact, strided) if FEW else (exact, strided, resized, wider):
        if make is not exact and any(v.size > 10_000 for v, _ in expected):
            continue
        args, kwargs = call.tensors()
        if not call.operands:
            kwargs.pop("device", None)  # out= has it
        outs = [make(v, n) for v, n in expected]
        what = f"{form.name}{call} {make.__name__}"
        try:
            result = form.op(*args, **kwargs, **given_outs(form, outs))
        except RuntimeError as error:
            if make is wider and re.search("type|bool", str(error)):
                continue  # operators that require exactly the dtype
            raise
        returned = outs if result is None else listed(result)  # lists of out arguments aren't returned
        assert all(r is o for r, o in zip(returned, outs, strict=True)), (
            f"{what}: another tensor was returned"
        )
        check_outs(row, outs, expected, what)
    if not row.out_decides:
        narrow_raises(call, form, expected)


def given_outs(form: Form, outs: list[aten.Tensor]) -> dict[str, Any]:
    """Returns the out arguments: one for each output, or one list."""
    types = [a.type for a in form.op._schema.arguments if a.is_out]
    return {form.outs[0]: outs} if types == ["Tensor[]"] else dict(zip(form.outs, outs, strict=True))


def check_outs(row: Row, outs: list[aten.Tensor], expected: Expected, what: str) -> None:
    """Compares the outputs; wider tensors hold values computed in the narrower dtype."""
    __tracebackhide__ = True
    if gauge_of(row.name) is not None:
        return check_fixed(row, outs, expected, what, [dtype_name(out) for out in outs])
    for out, (values, name) in zip(outs, expected, strict=True):
        tolerance = row.tolerance(name) or TOLERANCES.get(name, (0, 0))
        values = rounded(values, dtype_name(out))
        assert_tensor(
            out,
            values if row.compare else None,
            dtype_name(out),
            shape=values.shape,
            what=what,
            tolerance=tolerance,
        )


def narrow_raises(call: Call, form: Form, expected: Expected) -> None:
    """Checks that a float result isn't written to an integer tensor."""
    if promotion.CATEGORIES[expected[0][1]] < 2:
        return
    args, kwargs = call.tensors()
    outs = [aten.empty(v.shape, dtype=aten.int32, device=DEVICE) for v, _ in expected]
    with pytest.raises((RuntimeError, TypeError)):
        form.op(*args, **kwargs, **given_outs(form, outs))


def check_meta(row: Row, call: Call, form: Form, expected: Expected) -> None:
    """Checks that the Meta device gives the shapes, strides and dtypes of the CPU."""
    args, kwargs = call.tensors()
    real = listed(form.op(*args, **kwargs))
    args, kwargs = call.tensors("meta")
    meta = listed(form.op(*args, **kwargs))
    assert len(meta) == len(real)
    for m, r in zip(meta, real, strict=True):
        what = f"{form.name}{call} on meta"
        assert m.is_meta, what
        assert_tensor(m, None, dtype_name(r), shape=tuple(r.shape), what=what)
        assert_strides(m, r.stride(), what)
