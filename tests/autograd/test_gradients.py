"""Every differentiable overload that is declared: its derivatives equal PyTorch's, and finite differences.

The short run takes a few samples of each in float64 and compares with PyTorch where it is installed; `slow`
takes all of them, complex128, and a few by finite differences, of which a campaign takes all.
With AUTOGRAD_LIBRARY=torch, PyTorch takes this library's place, which tests the tests.
"""

from __future__ import annotations

import importlib
import os
import re
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import aten
import declared
import numpy as np
import pytest
from compare import assert_values
from derive import DOUBLE, Problem, name_of, outcome, values
from exceptions import ELSEWHERE, NO_DERIVATIVE, is_elsewhere, kills_pytorch, reason_for
from gradient_samples import few, has_rows, samples_of
from tensors import CAMPAIGN, TOLERANCES

LIBRARY = importlib.import_module(os.environ.get("AUTOGRAD_LIBRARY", "aten"))
QUICK_SAMPLES = 3
ALL_SAMPLES = 24
PYTORCH_LACKS = re.compile(
    "not implemented|does not support|ZeroTensor|unallocated|isFloatingType|cannot reshape|INTERNAL ASSERT"
)
# Comparing with PyTorch is faster than with differences; without PyTorch, the short run has these.
QUICK_TESTS = ("pytorch", "forward") if find_spec("torch") else ("finite differences", "forward differences")
LARGEST_CHECKED = 40  # elements of all leaves for finite differences with each of them

OVERLOADS = (*declared.with_formula(), *(n for n in declared.composites() if n not in NO_DERIVATIVE))


def level_of(test: str, dtype: str, count: int) -> list[Any]:
    """Returns the marks that say which runs have the test: all of them a few samples in float64, compared
    with PyTorch; `make test-all` all samples, those in complex128 backward only, and few by finite
    differences.
    """
    is_few, is_quick = count == QUICK_SAMPLES, test in QUICK_TESTS
    if is_few:
        return [pytest.mark.few] if is_quick else [pytest.mark.slow]
    is_left_out = not is_quick or (dtype == "complex128" and test.startswith("forward"))
    return CAMPAIGN if is_left_out else [pytest.mark.slow]


def cases(test: str) -> Iterator[Any]:
    for overload in OVERLOADS:
        for dtype, count in (
            ("float64", QUICK_SAMPLES),
            ("float64", ALL_SAMPLES),
            ("complex128", ALL_SAMPLES),
        ):
            if test == "forward" and count == QUICK_SAMPLES:
                continue  # all of them are in the long run
            if not has_rows(overload, dtype) or (test == "forward differences" and lacks_tangent(overload)):
                continue
            name = f"{overload}-{dtype}-{'few' if count == QUICK_SAMPLES else 'all'}"
            reason = reason_for(test, overload, dtype, control=LIBRARY is not aten)
            strict = LIBRARY is aten and count == ALL_SAMPLES
            marks = [pytest.mark.xfail(strict=strict, reason=reason)] if reason else []
            marks += level_of(test, dtype, count)
            yield pytest.param(overload, dtype, count, id=name, marks=marks)


def lacks_tangent(overload: str) -> bool:
    """Whether it has a formula of gradients alone."""
    return overload not in declared.with_tangent() and overload in declared.with_formula()


def problems(overload: str, dtype: str, count: int, module: Any = LIBRARY) -> list[Problem]:
    found = [Problem(module, overload, call) for call in samples_of(overload, dtype)]
    found = few([p for p in found if p.is_allowed()], count)
    if not found:
        pytest.skip(f"no call in {dtype}")
    return found


def check_all(found: list[Problem], check: Any) -> None:
    """Runs every sample and reports the failures together."""
    failures = []
    for problem in found:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(problem)
        except Exception as error:
            if LIBRARY is not aten and PYTORCH_LACKS.search(str(error)):
                continue
            failures.append(
                f"{problem.overload}{problem.call}\n    {type(error).__name__}: {str(error)[:1200]}"
            )
    if failures:
        text = "\n".join(failures[:6])
        pytest.fail(f"{len(failures)} of {len(found)} samples:\n{text}", pytrace=False)


def assert_same_derivatives(got: list[Any], expected: list[Any], what: str, T: Any, torch: Any) -> None:
    """Compares derivatives; an undefined one equals zeros, or NaN."""
    __tracebackhide__ = True
    if not got or not expected:
        assert not any(says_something(T, g) for g in got), f"{what}: PyTorch has none"
        assert not any(says_something(torch, e) for e in expected), f"{what}: only PyTorch has them"
        return
    assert len(got) == len(expected), f"{what}: {len(got)} gradients, expected {len(expected)}"
    for k, (g, e) in enumerate(zip(got, expected, strict=True)):
        if g is None or e is None:
            assert not says_something(T, g), f"{what} {k}: PyTorch has none"
            assert not says_something(torch, e), f"{what} {k}: only PyTorch has one"
            continue
        name = name_of(torch, e)
        assert name_of(T, g) == name, f"{what} {k}: dtype {name_of(T, g)}, expected {name}"
        assert tuple(g.shape) == tuple(e.shape), f"{what} {k}: shape {g.shape}, expected {e.shape}"
        assert_values(values(T, g), values(torch, e), TOLERANCES.get(name, (0, 0)), f"{what} {k}")


def says_something(T: Any, gradient: Any) -> bool:
    """Whether a gradient has values other than zeros, rounding errors and NaN."""
    return gradient is not None and bool((np.abs(values(T, gradient)) > 1e-12).any())


@pytest.mark.parametrize(("overload", "dtype", "count"), list(cases("pytorch")))
def test_gradients_equal_pytorchs(overload: str, dtype: str, count: int) -> None:
    """First and second derivatives equal PyTorch's, as far as PyTorch has them."""
    torch = pytest.importorskip("torch")

    def check(ours: Problem) -> None:
        if kills_pytorch(ours.overload, str(ours.call)):
            return
        theirs = Problem(torch, ours.overload, ours.call)
        expected = outcome(theirs.derivatives)
        if isinstance(expected, Exception):
            return
        first, second = ours.derivatives()
        assert_same_derivatives(first, expected[0], "gradient", ours.T, torch)
        assert_same_derivatives(second, expected[1], "second derivative", ours.T, torch)

    check_all(problems(overload, dtype, count), check)


@pytest.mark.parametrize(("overload", "dtype", "count"), list(cases("finite differences")))
def test_gradients_equal_finite_differences(overload: str, dtype: str, count: int, gradients: Any) -> None:
    """First and second derivatives equal finite differences."""

    def check(problem: Problem) -> None:
        if not (found := problem.differentiable()):
            return
        function, leaves = found
        fast = sum(x.numel() for x in leaves) > LARGEST_CHECKED
        gradients.gradcheck(function, leaves, fast_mode=fast, check_grad_dtypes=True)
        gradients.gradgradcheck(function, leaves, fast_mode=True)

    check_all(problems(overload, dtype, count), check)


@pytest.mark.parametrize(("overload", "dtype", "count"), list(cases("forward")))
def test_tangents_equal_pytorchs(overload: str, dtype: str, count: int) -> None:
    torch = pytest.importorskip("torch")

    def check(ours: Problem) -> None:
        if kills_pytorch(ours.overload, str(ours.call)):
            return
        expected = outcome(Problem(torch, ours.overload, ours.call).tangents)
        if isinstance(expected, Exception):
            return
        assert_same_derivatives(ours.tangents(), expected, "tangent", ours.T, torch)

    check_all(problems(overload, dtype, count), check)


@pytest.mark.parametrize(("overload", "dtype", "count"), list(cases("forward differences")))
def test_tangents_equal_finite_differences(overload: str, dtype: str, count: int, gradients: Any) -> None:
    def check(problem: Problem) -> None:
        if found := problem.differentiable():
            gradients.gradcheck(*found, fast_mode=True, check_forward_ad=True, check_backward_ad=False)

    check_all(problems(overload, dtype, count), check)


def test_every_declared_overload_has_samples() -> None:
    missing = [n for n in OVERLOADS if not any(samples_of(n, d) for d in DOUBLE) and not is_elsewhere(n)]
    assert not missing, (
        f"differentiable, but without a call in a sample row: {len(missing)} overloads: {' '.join(missing)}; "
        "add rows to tests/ops/samples/ or to more_samples.py"
    )


def test_what_is_tested_elsewhere_is_declared() -> None:
    names = [f.qualified_name for f in declared.program().functions]
    stale = [p for p in ELSEWHERE if not any(re.fullmatch(p, n) for n in names)]
    assert not stale, f"no overload matches these patterns: {' '.join(stale)}"


def test_the_lists_of_exceptions_are_true() -> None:
    stale = [n for n in NO_DERIVATIVE if n not in declared.composites()]
    assert not stale, f"not declared any more: {' '.join(stale)}"


if LIBRARY is aten:

    @pytest.fixture
    def gradients() -> Any:
        return aten.autograd

else:

    @pytest.fixture
    def gradients(over_torch: Any) -> Any:
        return over_torch
