"""Calls that PyTorch makes below its autograd while it runs its samples and their backward passes, made here.

This covers overloads with the arguments of real calls, including overloads without samples. The tests'
results for each overload go to core_aten.txt.
"""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

torch = pytest.importorskip(
    "torch", reason="PyTorch, the oracle, is not installed (pip install -e '.[oracle]')"
)
pytest.importorskip("expecttest", reason="PyTorch's samples need expecttest")

from direct_calls import CALLS, direct_calls  # noqa: E402
from opinfo import DTYPES, ENTRIES, case_id, copied, describe, function  # noqa: E402
from oracle import CannotConvert, to_aten  # noqa: E402
from recorded import Recorded, calls_of, ours, overload_name, overloads_of  # noqa: E402
from recorded_differences import known  # noqa: E402
from recorded_whole import whole_calls_of  # noqa: E402
from replay import (  # noqa: E402
    check_gradients,
    check_meta,
    check_values,
    check_variant,
    compared,
    has_meta,
    outcome,
    variants,
)
from tensors import CAMPAIGN  # noqa: E402
from torch.testing._internal.common_methods_invocations import op_db  # noqa: E402

pytestmark = pytest.mark.thins
QUICK = torch.float32  # the other columns of the table are filled by a campaign
ON_ANOTHER_DEVICE = "jiterator"
SHOWN = 8


class Outcomes:
    """Calls, failures and known differences of each overload and aspect; overloads that we lack."""

    def __init__(self, dtype: str) -> None:
        self._dtype = dtype
        self.absent: set[str] = set()
        self.counts: dict[str, list[int]] = {}
        self.failures: list[str] = []

    def run(self, aspect: str, overload: str, what: Any, check: Callable[[], Any]) -> None:
        count = self.counts.setdefault(f"{overload} {aspect}", [0, 0, 0])
        try:
            made = check() is not False
        except CannotConvert:
            return
        except Exception as error:
            made = True
            if known(aspect, overload, self._dtype, error):
                count[2] += 1
            else:
                count[1] += 1
                self.failures.append(f"{aspect} of {what}\n    {type(error).__name__}: {error}"[:1200])
        count[0] += made

    def has(self, name: str) -> bool:
        """Whether we have an overload; if not, it is noted as absent."""
        found = ours(name) is not None
        if not found:
            self.absent.add(name)
        return found

    def check(self, calls: Iterable[Recorded]) -> None:
        for call in calls:
            self._check_call(call)

    def _check_call(self, call: Recorded) -> None:
        self.run("values", call.name, call, lambda: check_values(call))
        if has_meta(call.func):
            self.run("meta", call.name, call, lambda: check_meta(call))
        if call.func._schema.is_mutable:
            return
        if self._dtype == "float64" and compared(call.func):
            self.run("gradients", call.name, call, lambda: check_gradients(call))
        for form in variants(call.func):
            name = overload_name(form)
            if ours(name) is None:
                continue
            for aspect, overload in (("forms", call.name), ("values", name)):
                self.run(aspect, overload, f"{name} as {call}", lambda f=form: check_variant(call, f))

    def report(self, request: pytest.FixtureRequest) -> None:
        """Adds the counts to the table, and fails if anything failed."""
        found = {
            "dtype": self._dtype,
            "counts": self.counts,
            "tests": TESTS,
            "absent": sorted(self.absent),
        }
        request.node.user_properties.append(("core-aten", json.dumps(found)))
        if self.failures:
            shown = "\n".join(self.failures[:SHOWN])
            pytest.fail(f"{len(self.failures)} differ:\n{shown}", pytrace=False)


def name_of(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def recorded_cases() -> Iterator[Any]:
    for op in op_db:
        if op.name.startswith(ON_ANOTHER_DEVICE):
            continue
        for dtype in DTYPES:
            if dtype in op.supported_dtypes("cpu"):
                marks = [] if dtype is QUICK else CAMPAIGN
                yield pytest.param(op, dtype, id=case_id(op, dtype), marks=marks)


def direct_cases() -> Iterator[Any]:
    for name, (_, dtypes) in CALLS.items():
        for dtype in dtypes:
            yield pytest.param(name, dtype, id=f"{name}-{name_of(dtype)}")


RECORDED, DIRECT = list(recorded_cases()), list(direct_cases())
ERRORS = [op for op in ENTRIES if op.error_inputs_func is not None]
# How many tests each dtype has; error samples have none.
TESTS = Counter(name_of(case.values[1]) for case in (*RECORDED, *DIRECT)) + Counter({"": len(ERRORS)})


@pytest.mark.parametrize(("op", "dtype"), RECORDED)
def test_recorded_calls(op: Any, dtype: Any, request: pytest.FixtureRequest) -> None:
    outcomes = Outcomes(name_of(dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes.check(calls_of(op, dtype, outcomes.has))
        outcomes.check(whole_calls_of(op, dtype))
    for name in overloads_of(op.aten_name):
        outcomes.has(name)
    outcomes.report(request)


@pytest.mark.parametrize(("name", "dtype"), DIRECT)
def test_direct_calls(name: str, dtype: Any, request: pytest.FixtureRequest) -> None:
    assert ours(name) is not None, f"this library has no operator {name}"
    outcomes = Outcomes(name_of(dtype))
    outcomes.check(direct_calls(name, dtype))
    outcomes.report(request)


@pytest.mark.parametrize("op", [pytest.param(o, id=case_id(o, "")) for o in ERRORS])
def test_error_samples(op: Any, request: pytest.FixtureRequest) -> None:
    """PyTorch's errors are errors here, of the same kind."""
    outcomes = Outcomes("")
    for given in op.error_inputs("cpu"):
        sample = given.sample_input
        what = f"{describe(sample)}: {given.error_type.__name__}: {given.error_regex}"
        outcomes.run("errors", op.aten_name, what, lambda g=given: check_error(op, g))
    outcomes.report(request)


def check_error(op: Any, given: Any) -> None:
    sample = given.sample_input
    theirs = outcome(lambda: op.op(sample.input, *sample.args, **sample.kwargs))
    if not isinstance(theirs, Exception):
        return  # an error only in PyTorch's reference implementation
    kind = next(k for k in type(theirs).__mro__ if k.__module__ == "builtins")
    args, kwargs = to_aten(copied(((sample.input, *sample.args), sample.kwargs)))
    got = outcome(lambda: function(op)(*args, **kwargs))
    assert isinstance(got, kind), f"PyTorch raises {kind.__name__}: {theirs}; ours {got!r}"[:800]
