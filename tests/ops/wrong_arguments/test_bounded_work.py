"""Calls whose arguments name more elements than memory has: their work is bounded."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from typing import Any

import aten
import pytest

pytestmark = pytest.mark.slow
SECONDS = 10
ERRORS = (RuntimeError, TypeError, ValueError, IndexError, MemoryError)


def ends(body: Callable[[], Any]) -> str:
    """Returns how `body` ends in a child process with a short time limit."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        status = 2
        try:
            body()
            status = 0
        except ERRORS:
            status = 1
        finally:
            os._exit(status)  # or else the child goes on with the tests
    status = os.waitpid(child, 0)[1]
    outcomes = ("a result", "an error", "an unexpected exception")
    return "a hang" if os.WIFSIGNALED(status) else outcomes[os.waitstatus_to_exitcode(status)]


def huge(dtype: Any = None) -> aten.Tensor:
    return aten.zeros(1, dtype=dtype or aten.float32).expand(2**48)


@pytest.mark.parametrize("value", [3, 3.0, True])
def test_an_expanded_tensor_is_filled_once(value: Any) -> None:
    base = aten.zeros(2, 1)
    assert ends(lambda: base.expand(2, 2**48).fill_(value)) == "a result"
    base.expand(2, 2**20)[1].fill_(value)
    assert base.tolist() == [[0.0], [float(value)]]
    assert ends(lambda: huge().zero_()) == "a result"
    strided = aten.zeros(8)
    strided.as_strided((2, 5, 3), (4, 0, 1)).fill_(value)
    assert strided.tolist() == [float(value)] * 3 + [0.0] + [float(value)] * 3 + [0.0]


CALLS_PYTHON = {"apply_", "map_", "map2_"}  # a function for each element, however many there are
IN_PLACE = sorted(
    n
    for n in dir(aten.Tensor)
    if n.endswith("_")
    and not n.startswith("_")
    and callable(getattr(aten.Tensor, n, None))
    and n not in CALLS_PYTHON
)


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_method_that_writes_to_an_expanded_tensor_ends(name: str) -> None:
    for dtype in (aten.float32, aten.int64, aten.bool):
        assert ends(lambda d=dtype: write_to(name, d)) == "a result", (name, dtype)


def write_to(name: str, dtype: Any) -> None:
    """Calls the method with several kinds of arguments; an error is as good as a result."""
    for args in ((), (1,), (huge(),), (aten.ones(()),), (0, aten.zeros(1, dtype=aten.int64), 1)):
        with contextlib.suppress(*ERRORS):
            getattr(huge(dtype), name)(*args)


def packed(total_length: int) -> Any:
    data, sizes = aten.arange(6.0).view(3, 2), aten.tensor([2, 1])
    return aten.ops.aten._pad_packed_sequence(data, sizes, False, -1.0, total_length)


def test_padding_is_made_at_once() -> None:
    result, lengths = packed(4)
    assert result.tolist() == [[[0, 1], [2, 3]], [[4, 5], [-1, -1]], *[[[-1, -1], [-1, -1]]] * 2]
    assert lengths.tolist() == [2, 1]
    assert ends(lambda: packed(2**20)) == "a result"
    for length in (2**40, 2**62, 2**63 - 1):
        assert ends(lambda n=length: packed(n)) == "an error"
