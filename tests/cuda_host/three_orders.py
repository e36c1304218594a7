"""The same call in three orders of threads and blocks: are the bits of its results the same?

ATEN_THREE_ORDERS=1 asks for it; the settings of the emulator are changed within the process. As a plugin of
pytest (-p three_orders) this repeats each functional sample of tests/ops; other tests call same_bits().
order_dependent.txt lists the operators whose bits may differ, with reasons.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import host

REPEATS = os.environ.get("ATEN_THREE_ORDERS", "") == "1"


@cache
def emulator() -> ctypes.CDLL:
    return ctypes.CDLL(str(host.OUT / "libcuda_emulator.so"))


@dataclass(frozen=True)
class Dependent:
    """Operators whose bits may depend on the order, a line of order_dependent.txt."""

    operators: str  # as docs/cuda.md names them
    calls: re.Pattern[str]  # of tests
    reason: str


@cache
def order_dependent() -> list[Dependent]:
    lines = (host.HERE / "order_dependent.txt").read_text().splitlines()
    parts = (line.split(" | ") for line in lines if line.strip() and not line.startswith("#"))
    return [Dependent(operators, re.compile(calls), reason) for operators, calls, reason in parts]


def may_differ(what: str) -> bool:
    return any(entry.calls.search(what) for entry in order_dependent())


def results_in_each_order(call: Callable[[], Any]) -> Iterator[Any]:
    """What the call gives in each order, with the same random numbers; in the present one if that is all."""
    import aten

    for order in range(3) if REPEATS else [None]:
        if order is not None:
            emulator().emulator_set_order(order)
        aten.manual_seed(0)
        try:
            yield call()
        finally:
            if order is not None:
                emulator().emulator_set_order(0)


def same_bits(results: list[Any], what: str) -> None:
    __tracebackhide__ = True
    if may_differ(what):
        return
    found = [digest(result) for result in results]
    for order, other in zip(host.ORDERS, found, strict=False):
        assert other == found[0], (
            f"{what}: other bits in {order} order of threads; add up in one order, or list the operator in "
            "tests/cuda_host/order_dependent.txt with the reason"
        )


def digest(result: Any) -> str:
    """Of dtypes, shapes and elements."""
    import aten
    from tensors import to_array

    total = hashlib.sha256()
    for one in result if isinstance(result, (tuple, list)) else [result]:
        if isinstance(one, (tuple, list)):
            total.update(digest(one).encode())
        elif isinstance(one, aten.Tensor):
            total.update(f"{one.dtype} {tuple(one.shape)}".encode() + to_array(one.detach().cpu()).tobytes())
        else:
            total.update(repr(one).encode())
    return total.hexdigest()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """test_samples looks its functions up by name when a test runs."""
    for module in {item.module for item in items if item.module.__name__ == "test_samples"}:
        module.check_functional = repeated(module.check_functional)


def repeated(check: Callable[..., None]) -> Callable[..., None]:
    def check_in_each_order(row: Any, call: Any, form: Any, expected: Any) -> None:
        __tracebackhide__ = True
        check(row, call, form, expected)

        def again() -> Any:
            args, kwargs = call.tensors()
            return form.op(*args, **kwargs)

        same_bits(list(results_in_each_order(again)), f"{form.name}{call}")

    return check_in_each_order
