"""First and second derivatives of every differentiable overload on a CUDA device: those of the CPU.

ATEN_GRADIENTS_ON names the device; suite.py sets it, where the package with the emulated device is imported.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from typing import Any

import aten
import pytest
import three_orders
from calls import Seeded
from cpu_only import expected_on_device
from derive import Problem, outcome
from gradient_samples import few, samples_of
from test_gradients import OVERLOADS, assert_same_derivatives

DEVICE = os.environ.get("ATEN_GRADIENTS_ON", "")
COUNT = int(os.environ.get("ATEN_GRADIENT_SAMPLES", "2"))

pytestmark = pytest.mark.skipif(not DEVICE, reason="needs a device: make test-cuda-host runs it")


@dataclass(frozen=True)
class OnDevice(Problem):
    """The problem with its operands on the device."""

    def tensors(self) -> dict[int, Any]:
        on_host = {id(o) for o in self.call.operands if o.on_host}
        return {key: t if key in on_host else t.to(DEVICE) for key, t in super().tensors().items()}

    def argument(self, value: Any, at: dict[int, Any]) -> Any:
        if isinstance(value, Seeded):
            return aten.Generator(DEVICE).manual_seed(value.seed)
        return super().argument(value, at)


def on_cpu(found: list[Any]) -> list[Any]:
    return [None if t is None else t.detach().cpu() for t in found]


@pytest.mark.parametrize("overload", OVERLOADS)
def test_gradients_are_those_of_the_cpu(overload: str) -> None:
    calls = [call for call in samples_of(overload, "float64") if Problem(aten, overload, call).is_allowed()]
    compared = 0
    for call in few(calls, COUNT):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = outcome(Problem(aten, overload, call).derivatives)
            if isinstance(expected, Exception):
                continue
            problem = OnDevice(aten, overload, call)
            with expected_on_device():
                results = [
                    [on_cpu(each) for each in found]
                    for found in three_orders.results_in_each_order(problem.derivatives)
                ]
        for got, wanted, what in zip(results[0], expected, ("gradient", "second derivative"), strict=True):
            assert_same_derivatives(got, wanted, f"{overload}{call}: {what}", aten, aten)
        three_orders.same_bits(results, f"{overload}{call}: gradient")
        compared += 1
    if not compared:
        pytest.skip("no sample has a gradient")
