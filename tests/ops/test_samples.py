"""Every sample row: functional, in-place and out= forms against NumPy, the Meta device against the CPU."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

import aten
import numpy as np
import promotion
import pytest
from calls import Call, Form, forms_of, map_operands
from compare import assert_strides, assert_tensor
from known_differences import reason_for
from rows import Row, cast
from samples import ROWS
from tensors import DEVICE, TOLERANCES, dtype_name, dtype_of, is_quick, rounded

Expected = list[tuple[np.ndarray, str]]
KINDS = ("functional", "inplace", "out", "meta")


def cases() -> Iterator[Any]:
    """Yields the cases; the kinds of one row and dtype follow each other, so that NumPy's results are
    computed once.
    """
    for row in ROWS:
        for dtype in row.dtypes:
            for kind in KINDS:
                if (kind == "inplace" and not row.inplace) or (kind == "meta" and row.data_dependent):
                    continue  # PyTorch has no such form
                # What Meta gives is compared on the CPU; another device gives its shapes by the same code.
                is_short = is_quick(dtype, row.dtypes) and (kind != "meta" or DEVICE == "cpu")
                marks = [] if is_short else [pytest.mark.slow]
                reason = reason_for(f"sample-{kind}", f"{row}-{dtype}")
                marks += [pytest.mark.xfail(strict=DEVICE == "cpu", reason=reason)] if reason else []
                yield pytest.param(row, dtype, kind, id=f"{row}-{dtype}-{kind}", marks=marks)


@functools.lru_cache(maxsize=1)
def calls_of(row: Row, dtype: str) -> list[tuple[Call, Expected]]:
    return [(call, expected_of(row, call)) for call in row.calls(dtype)]


@pytest.mark.parametrize(("row", "dtype", "kind"), list(cases()))
def test_sample(row: Row, dtype: str, kind: str) -> None:
    """Every overload that takes a call's arguments gives the result of the row's reference."""
    check = {"functional": check_functional, "inplace": check_inplace, "out": check_out, "meta": check_meta}[
        kind
    ]
    wanted = "functional" if kind == "meta" else kind
    count = 0
    for call, expected in calls_of(row, dtype):
        for form in forms_of(row.name, call):
            if form.kind == wanted:
                check(row, call, form, expected)
                count += 1
    if not count:
        pytest.skip(f"no {kind} form takes these calls")


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
    for got, (values, name) in zip(found, expected, strict=True):
        shape = np.shape(values)
        assert_tensor(
            got, values if row.compare else None, name, shape=shape, what=what, tolerance=row.tolerance(name)
        )


def check_functional(row: Row, call: Call, form: Form, expected: Expected) -> None:
    args, kwargs = call.tensors()
    check(row, form.op(*args, **kwargs), expected, f"{form.name}{call}")


def check_inplace(row: Row, call: Call, form: Form, expected: Expected) -> None:
    """Checks that the first argument is written and returned; if it cannot hold the result, an error is
    raised.
    """
    args, kwargs = call.tensors()
    what = f"{form.name}{call}"
    ((values, name),) = expected
    target = call.args[0]
    if overlaps(target):
        return
    castable = row.out_decides or promotion.can_cast(name, target.dtype)
    if (values.shape != target.stored.shape and not row.reshapes) or not castable:
        with pytest.raises(RuntimeError):
            form.op(*args, **kwargs)
        return
    result = form.op(*args, **kwargs)
    assert result is args[0], f"{what}: another tensor was returned"
    values = rounded(values, target.dtype)
    strides = None if row.reshapes else tuple(s // target.stored.itemsize for s in target.stored.strides)
    tolerance = row.tolerance(name) or TOLERANCES.get(name, (0, 0))
    assert_tensor(
        result,
        values if row.compare else None,
        target.dtype,
        shape=values.shape,
        what=what,
        strides=strides,
        tolerance=tolerance,
    )


def overlaps(target: Any) -> bool:
    """Whether several elements share an address; writes to such tensors have a test of their own."""
    steps = zip(target.stored.shape, target.stored.strides, strict=True)
    return target.stored.size > 0 and any(n > 1 and step == 0 for n, step in steps)


def check_out(row: Row, call: Call, form: Form, expected: Expected) -> None:
    """Checks out= of the right shape, resized from size 0, with gaps, of a wider dtype; a narrower one
    raises.
    """
    for make in (exact, resized, strided, wider):
        if make is not exact and any(v.size > 10_000 for v, _ in expected):
            continue
        args, kwargs = call.tensors()
        if not call.operands:
            kwargs.pop("device", None)  # out= has it
        outs = [make(v, n) for v, n in expected]
        what = f"{form.name}{call} {make.__name__}"
        try:
            result = listed(form.op(*args, **kwargs, **dict(zip(form.outs, outs, strict=True))))
        except RuntimeError as error:
            if make is wider and re.search("type|bool", str(error)):
                continue  # operators that require exactly the dtype
            raise
        assert all(r is o for r, o in zip(result, outs, strict=True)), f"{what}: another tensor was returned"
        check_outs(row, outs, expected, what)
    if not row.out_decides:
        narrow_raises(call, form, expected)


def check_outs(row: Row, outs: list[aten.Tensor], expected: Expected, what: str) -> None:
    """Compares the outputs; wider tensors hold values computed in the narrower dtype."""
    __tracebackhide__ = True
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


def exact(values: np.ndarray, name: str) -> aten.Tensor:
    return aten.empty(values.shape, dtype=dtype_of(name), device=DEVICE)


def resized(values: np.ndarray, name: str) -> aten.Tensor:
    return aten.empty((0,), dtype=dtype_of(name), device=DEVICE)


def strided(values: np.ndarray, name: str) -> aten.Tensor:
    if values.ndim == 0:
        return exact(values, name)
    strides = list(np.cumprod([1, *(max(n, 1) for n in values.shape[:-1])]) * 2)
    return aten.empty_strided(values.shape, [int(s) for s in strides], dtype=dtype_of(name), device=DEVICE)


def wider(values: np.ndarray, name: str) -> aten.Tensor:
    wide = "complex128" if promotion.CATEGORIES[name] == 3 else "float64"
    return aten.empty(values.shape, dtype=dtype_of(wide), device=DEVICE)


def narrow_raises(call: Call, form: Form, expected: Expected) -> None:
    """Checks that a float result isn't written to an integer tensor."""
    if promotion.CATEGORIES[expected[0][1]] < 2:
        return
    args, kwargs = call.tensors()
    outs = [aten.empty(v.shape, dtype=aten.int32, device=DEVICE) for v, _ in expected]
    with pytest.raises((RuntimeError, TypeError)):
        form.op(*args, **kwargs, **dict(zip(form.outs, outs, strict=True)))


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
