"""PyTorch's own samples: for entries of its operator database that we have, results equal PyTorch's."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
pytest.importorskip("expecttest", reason="PyTorch's samples need expecttest")

from exact import Exact, assert_same_or_exact  # noqa: E402
from known_differences import REASONS, reason_for  # noqa: E402
from opinfo import (  # noqa: E402
    ADAPTERS,
    DTYPES,
    ENTRIES,
    PRODUCTS,
    QUICK,
    RANDOM,
    UNINITIALISED,
    as_of,
    both,
    case_id,
    copied,
    counterpart,
    describe,
    empty_out,
    full_name,
    function,
    has_out,
    longer_out,
    marks_of,
    method,
    same_outcome,
    samples,
    strided_out,
    tolerance,
)
from oracle import CannotConvert, resizable, to_aten  # noqa: E402
from tensors import DEVICE  # noqa: E402
from ties import untied  # noqa: E402

pytestmark = pytest.mark.thins
REGULAR = (*QUICK, torch.bfloat16, torch.complex64)


def cases(
    applies: Callable[[Any], bool] = lambda op: True, quick: int = 1, regular: Iterable[Any] = QUICK
) -> Iterator[Any]:
    """Yields the entries that a test applies to, in each of their dtypes; `quick` dtypes are in the short
    run, those of `regular` in `make test-all`.
    """
    for op in filter(applies, ENTRIES):
        dtypes = [d for d in DTYPES if d in op.supported_dtypes("cpu")]
        short = [*(d for d in QUICK if d in dtypes), *dtypes][:quick]
        for dtype in dtypes:
            yield pytest.param(op, dtype, id=case_id(op, dtype), marks=marks_of(dtype, short, regular))


def has_method(op: Any) -> bool:
    """Whether the entry has a method that is not the already tested function."""
    ours = method(op.name)
    adapted = ours is counterpart(op.name) or full_name(op) in ADAPTERS
    return op.method_variant is not None and ours is not None and not adapted


def has_inplace(op: Any) -> bool:
    return op.inplace_variant is not None and method(f"{op.name}_") is not None


def takes_out(op: Any) -> bool:
    return bool(op.supports_out and has_out(op.name))


def check_all(found: list[Any], check: Any) -> None:
    """Runs every sample and reports the failures together."""
    failures, unusable = [], 0
    for i, sample in enumerate(found):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(i, sample)
        except CannotConvert:
            unusable += 1
        except Exception as error:
            failures.append(f"sample {i}: {describe(sample)}\n    {type(error).__name__}: {error}"[:1500])
    if failures:
        pytest.fail(f"{len(failures)} of {len(found)} samples:\n" + "\n".join(failures[:8]), pytrace=False)
    if unusable == len(found):
        pytest.skip(f"none of the {unusable} samples has a counterpart here")


def known(test: str, op: Any, dtype: Any, request: pytest.FixtureRequest) -> None:
    reason = reason_for(test, case_id(op, dtype))
    if reason:
        request.applymarker(pytest.mark.xfail(strict=DEVICE == "cpu", reason=reason))


@pytest.mark.parametrize(("op", "dtype"), list(cases(quick=2, regular=REGULAR)))
def test_functional(op: Any, dtype: Any, request: pytest.FixtureRequest) -> None:
    known("functional", op, dtype, request)
    ours = function(op)
    check_all(samples(op, dtype), lambda i, s: both(ours, op.op, s, op.name, op))


@pytest.mark.parametrize(("op", "dtype"), list(cases(has_method)))
def test_method(op: Any, dtype: Any, request: pytest.FixtureRequest) -> None:
    known("method", op, dtype, request)
    ours = method(op.name)
    check_all(samples(op, dtype), lambda i, s: both(ours, op.method_variant, s, op.name, op))


@pytest.mark.parametrize(("op", "dtype"), list(cases(has_inplace)))
def test_inplace(op: Any, dtype: Any, request: pytest.FixtureRequest) -> None:
    """In-place methods equal PyTorch's: broadcasting self or a result of another type must raise."""
    known("inplace", op, dtype, request)
    ours = method(f"{op.name}_")

    def check(i: int, sample: Any) -> None:
        if not isinstance(sample.input, torch.Tensor):
            return
        theirs = copied((sample.input, *sample.args))
        mine = to_aten(copied(((sample.input, *sample.args), sample.kwargs)))
        exact = Exact(op.inplace_variant, theirs, sample.kwargs)
        same_outcome(
            lambda: ours(*mine[0], **mine[1]),
            lambda: op.inplace_variant(*theirs, **sample.kwargs),
            lambda: exact.results,
            values=op.name not in RANDOM,
            tolerance=tolerance(op),
        )
        if op.name not in RANDOM:
            assert_same_or_exact(mine[0], theirs, "arguments after the call", lambda: exact.arguments)

    check_all(samples(op, dtype), check)


@pytest.mark.parametrize(("op", "dtype"), list(cases(takes_out)))
def test_out(op: Any, dtype: Any, request: pytest.FixtureRequest) -> None:
    """out= has the right shape (contiguous and not), size 0, or another type."""
    known("out", op, dtype, request)
    ours = function(op)

    def check(i: int, sample: Any) -> None:
        args = (sample.input, *sample.args)
        result = op.op(*args, **sample.kwargs)
        exact, narrow = Exact(op.op, args, sample.kwargs), getattr(result, "dtype", dtype)
        for make in (torch.empty_like, strided_out, empty_out, longer_out):
            if op.name in RANDOM and make in (longer_out, empty_out):
                continue  # PyTorch raises for some dtypes; which, depends on its algorithm
            out = make(result) if isinstance(result, torch.Tensor) else tuple(make(r) for r in result)
            mine = to_aten(copied((args, sample.kwargs)))
            our_out = resizable(out)
            same_outcome(
                lambda m=mine, o=our_out: ours(*m[0], **m[1], out=o),
                lambda o=out: op.op(*args, **sample.kwargs, out=o),
                lambda: exact.results,
                lambda got, expected, m=mine: untied(op.name, got, expected, *m),
                narrow,
                values=op.name not in RANDOM | UNINITIALISED,
                tolerance=as_of(narrow, tolerance(op)),
                strides=op.name not in PRODUCTS,
            )

    check_all(samples(op, dtype), check)


def test_reasons_are_used() -> None:
    """Every recorded difference names a test that exists."""
    ids = {case_id(op, d) for op in ENTRIES for d in DTYPES}
    for test, name in REASONS:
        assert any(re.fullmatch(name, i) for i in ids), f"{test}: {name} names no test"
