"""Composite operators, and the formulas of derivatives, only call operators: they read and write no memory,
change no shape themselves, and use neither resize_ nor out=. So they work for tensor subclasses and modes.
"""

from __future__ import annotations

from typing import Any

import aten
import declared
import numpy as np
import pytest
from compliance import READ_VALUES, OnlyCalls, Wrapper
from derive import Problem, listed, outcome
from exceptions import CHANGES_ITSELF, READS_VALUES, is_elsewhere
from gradient_samples import few, samples_of
from tensors import to_array

pytestmark = pytest.mark.slow
COMPOSITES = tuple(f.qualified_name for f in declared.composite_functions())


def calls(overload: str) -> list[Any]:
    return samples_of(overload, "float64", False) or samples_of(overload, "bool", False)


def problems(overload: str) -> list[Problem]:
    found = [Problem(aten, overload, call) for call in calls(overload)]
    found = few([p for p in found if p.is_allowed()], 5)
    if not found:
        pytest.skip("no sample; test_every_composite_has_samples says so")
    return found


def values(result: Any) -> list[Any]:
    return [to_array(r.detach()) if isinstance(r, aten.Tensor) else r for r in listed(result)]


def check_calls(mode: OnlyCalls, overload: str) -> None:
    mode.check(overload)
    if overload not in READS_VALUES:
        read = [str(f) for f in mode.called if str(f).split(".")[1] in READ_VALUES]
        assert not read, f"{overload} reads values: {', '.join(read)}"


@pytest.mark.parametrize("overload", [n for n in COMPOSITES if n not in CHANGES_ITSELF])
def test_composites_only_call(overload: str) -> None:
    for problem in problems(overload):
        expected = values(problem.results(problem.tensors()))
        with OnlyCalls() as mode:
            got = problem.results({k: mode.wrapped(t) for k, t in problem.tensors().items()})
        check_calls(mode, overload)
        for result, wanted in zip(listed(got), expected, strict=True):
            if isinstance(result, aten.Tensor):
                assert isinstance(result, Wrapper), (
                    f"{overload}{problem.call}: the result isn't of the operands' type"
                )
                assert mode.called, f"{overload} called nothing"
                result = to_array(result.inner.detach())
            np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("overload", [n for n in declared.with_formula() if not declared.changes_shape(n)])
def test_formulas_only_call(overload: str) -> None:
    """Backward of wrappers gives the same gradients as backward of plain tensors."""
    for problem in problems(overload):
        if isinstance(wanted := outcome(lambda p=problem: gradients(p, lambda t: t)), Exception):
            continue
        with OnlyCalls() as mode:
            got = gradients(problem, mode.wrapped)
        check_calls(mode, overload)
        for g, w in zip(got, wanted, strict=True):
            assert (g is None) == (w is None)
            if g is not None:
                assert isinstance(g, Wrapper), f"{overload}: a gradient is not a Wrapper"
                np.testing.assert_allclose(to_array(g.inner.detach()), to_array(w.detach()), 1e-12, 1e-12)


def gradients(problem: Problem, change: Any) -> list[Any]:
    plain = problem.tensors()
    keys = problem.requiring(plain)
    at = {k: change(t.detach()).requires_grad_(k in keys) for k, t in plain.items()}
    outputs = [o for o in problem.outputs(at) if o.requires_grad]
    if not outputs:
        return []
    given = [change(aten.full(tuple(o.shape), 0.5, dtype=o.dtype)) for o in outputs]
    return list(aten.autograd.grad(outputs, [at[k] for k in keys], given, allow_unused=True))


def test_every_composite_has_samples() -> None:
    missing = [n for n in COMPOSITES if not calls(n) and not is_elsewhere(n)]
    assert not missing, f"no sample row calls {' '.join(missing)}"


@pytest.mark.parametrize("way", ["read", "write", "shape", "out", "resize"])
def test_what_goes_past_the_dispatcher_is_found(way: str) -> None:
    """The check finds each violation."""
    with OnlyCalls() as mode:
        x = mode.wrapped(aten.ones(3, dtype=aten.float64))
        if way == "write":
            x.memory.fill(0)  # as a kernel would
        elif way == "shape":
            x.inner.unsqueeze_(0)
        elif way == "out":
            aten.add(x, x, out=mode.wrapped(aten.empty(3, dtype=aten.float64)))
        elif way == "resize":
            x.resize_(4)
        else:
            x.sum().item()
    with pytest.raises(AssertionError):
        check_calls(mode, way)
