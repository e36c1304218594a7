"""Subclasses and function modes override functions of every module, with the function that was called."""

from __future__ import annotations

import aten
import pytest
from aten.overrides import TorchFunctionMode


class Logged(aten.Tensor):
    """Notes the functions that it is an argument of."""

    calls: list = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})


class Noting(TorchFunctionMode):
    """Notes the functions that are called."""

    def __init__(self):
        self.calls = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.calls.append(func)
        return func(*args, **(kwargs or {}))


PLAIN = aten.tensor([[2.0, 1.0], [1.0, 3.0]])
CALLS = {
    "cdist": (lambda x: aten.cdist(x, x), lambda: aten.cdist),
    "norm": (lambda x: aten.norm(x), lambda: aten.norm),
    "Tensor.norm": (lambda x: x.norm(), lambda: aten.norm),
    "tensordot": (lambda x: aten.tensordot(x, x), lambda: aten.tensordot),
    "chain_matmul": (lambda x: aten.chain_matmul(x, x), lambda: aten.chain_matmul),
    "einsum": (lambda x: aten.einsum("ij,jk", x, x), lambda: aten.einsum),
    "linalg": (lambda x: aten.linalg.vector_norm(x), lambda: aten.linalg.vector_norm),
    "fft": (lambda x: aten.fft.fft(x), lambda: aten.fft.fft),
    "special": (lambda x: aten.special.expm1(x), lambda: aten.special.expm1),
    "nn": (lambda x: aten.nn.functional.gelu(x), lambda: aten.nn.functional.gelu),
    "top": (lambda x: aten.add(x, x), lambda: aten.add),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_subclass_overrides(name: str) -> None:
    call, function = CALLS[name]
    Logged.calls.clear()
    made = call(PLAIN.as_subclass(Logged))
    assert type(made) is Logged and Logged.calls == [function()]
    expected = call(PLAIN)
    assert type(expected) is aten.Tensor and aten.equal(made.as_subclass(aten.Tensor), expected)


@pytest.mark.parametrize("name", CALLS)
def test_a_mode_overrides(name: str) -> None:
    call, function = CALLS[name]
    with Noting() as mode:
        made = call(PLAIN)
    assert mode.calls == [function()] and aten.equal(made, call(PLAIN))


@pytest.mark.skipif(not hasattr(aten.ops.aten, "broadcast_tensors"), reason="no such operator is built")
def test_functions_of_separate_tensors() -> None:
    x = PLAIN.as_subclass(Logged)
    Logged.calls.clear()
    first, second = aten.broadcast_tensors(PLAIN, x)
    assert type(first) is type(second) is Logged and Logged.calls == [aten.broadcast_tensors]


def test_one_that_returns_notimplemented() -> None:
    class Refusing:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    with pytest.raises(TypeError, match="no implementation found for 'cdist'"):
        aten.cdist(PLAIN, Refusing())
