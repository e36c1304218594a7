"""PyTorch's own samples: for entries of its operator database that we have, gradients equal PyTorch's."""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Iterator
from typing import Any

import aten
import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
pytest.importorskip("expecttest", reason="PyTorch's samples need expecttest")

from derive import is_floating, listed, outcome, random_like  # noqa: E402
from exceptions import OPINFO, opinfo_reason  # noqa: E402
from gauge import fixed  # noqa: E402
from opinfo import ENTRIES, case_id, copied, describe, function, method  # noqa: E402
from opinfo import samples as samples_of  # noqa: E402
from oracle import CannotConvert, to_aten  # noqa: E402
from test_gradients import assert_same_derivatives  # noqa: E402

pytestmark = pytest.mark.thins
LIBRARY = importlib.import_module(os.environ.get("AUTOGRAD_LIBRARY", "aten"))
LARGEST = 500


def cases(form: str) -> Iterator[Any]:
    for op in ENTRIES:
        if form == "in-place" and not has_in_place(op):
            continue
        for dtype in (torch.float64, torch.complex128):
            if not op.supports_autograd or dtype not in op.supported_backward_dtypes("cpu"):
                continue
            name = case_id(op, dtype)
            reason = opinfo_reason(form, name)
            known = [pytest.mark.xfail(strict=LIBRARY is aten, reason=reason)] if reason else []
            yield pytest.param(op, dtype, id=f"{name}-all", marks=[*known, pytest.mark.slow])


def has_in_place(op: Any) -> bool:
    """Whether both libraries have a method that works in place, and PyTorch derives it."""
    return (
        op.inplace_variant is not None and method(f"{op.name}_") is not None and op.supports_inplace_autograd
    )


def leaves_of(T: Any, value: Any, seen: dict[int, Any]) -> None:
    """Collects all floating tensors among the arguments, and makes them require gradients."""
    if isinstance(value, T.Tensor):
        if is_floating(value):
            seen[id(value)] = value.requires_grad_()
    elif isinstance(value, dict):
        leaves_of(T, list(value.values()), seen)
    elif isinstance(value, (list, tuple)):
        for v in value:
            leaves_of(T, v, seen)


def derivatives(T: Any, name: str, call: Any, args: Any, kwargs: Any) -> tuple[list[Any], list[Any]]:
    """Returns gradients of the arguments, and gradients of these."""
    found: dict[int, Any] = {}
    leaves_of(T, (args, kwargs), found)
    leaves = list(found.values())
    T.manual_seed(7)
    results = listed(fixed(name, call(*args, **kwargs)))
    outputs = [o for o in results if isinstance(o, T.Tensor) and o.requires_grad]
    if not outputs or not leaves:
        return [], []
    given = [random_like(T, o, 1).requires_grad_() for o in outputs]
    first = T.autograd.grad(outputs, leaves, given, create_graph=True, allow_unused=True)
    again = [g for g in first if g is not None and g.requires_grad]
    if not again:
        return list(first), []
    weights = [random_like(T, g, 2) for g in again]
    second = T.autograd.grad(again, [*leaves, *given], weights, allow_unused=True)
    return list(first), list(second)


def check_sample(op: Any, ours: Any, theirs: Any, sample: Any) -> None:
    args = (sample.input, *sample.args)
    expected = outcome(lambda: derivatives(torch, op.name, theirs, *copied((args, sample.kwargs))))
    mine = copied((args, sample.kwargs))
    args, kwargs = to_aten(mine) if LIBRARY is aten else mine
    if isinstance(expected, Exception):
        return
    first, second = derivatives(LIBRARY, op.name, ours, args, kwargs)
    assert_same_derivatives(first, expected[0], "gradient", LIBRARY, torch)
    if op.supports_gradgrad:
        assert_same_derivatives(second, expected[1], "second derivative", LIBRARY, torch)


def check_all(op: Any, dtype: Any, ours: Any, theirs: Any) -> None:
    failures, used = [], 0
    for sample in samples_of(op, dtype):
        if isinstance(sample.input, torch.Tensor) and sample.input.numel() > LARGEST:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check_sample(op, ours, theirs, sample)
            used += 1
        except CannotConvert:
            continue
        except Exception as error:
            used += 1
            failures.append(f"{describe(sample)}\n    {type(error).__name__}: {str(error)[:1000]}")
    if failures:
        pytest.fail(f"{len(failures)} of {used} samples:\n" + "\n".join(failures[:6]), pytrace=False)
    if not used:
        pytest.skip("no sample has a counterpart here")


@pytest.mark.parametrize(("op", "dtype"), list(cases("function")))
def test_gradients_of_functions(op: Any, dtype: Any) -> None:
    check_all(op, dtype, function(op) if LIBRARY is aten else op.op, op.op)


@pytest.mark.parametrize(("op", "dtype"), list(cases("in-place")))
def test_gradients_of_in_place_methods(op: Any, dtype: Any) -> None:
    """Runs the methods on a copy of self, where PyTorch accepts the call."""
    theirs, ours = op.inplace_variant, method(f"{op.name}_")

    def on_a_copy(call: Any) -> Any:
        return lambda x, *args, **kwargs: call(x * 1, *args, **kwargs)

    check_all(op, dtype, on_a_copy(ours if LIBRARY is aten else theirs), on_a_copy(theirs))


def test_the_reasons_are_used() -> None:
    import re

    names = [case_id(op, d) for op in ENTRIES for d in (torch.float64, torch.complex128)]
    stale = [p for _, p in OPINFO if not any(re.fullmatch(p, n) for n in names)]
    assert not stale, f"these patterns match no test: {' '.join(stale)}"
