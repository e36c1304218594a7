"""Tensors that detect whether an operator only calls operators: their own memory holds no values."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
from aten.utils._python_dispatch import TorchDispatchMode
from tensors import to_array

FORBIDDEN = frozenset({"resize", "resize_", "resize_as_", "set_", "data_ptr"})
READ_VALUES = frozenset({"item", "_local_scalar_dense", "is_nonzero", "equal"})
POISON = 0xA5


class Wrapper(aten.Tensor):
    """A tensor with the shape and strides of `inner`, which has the values; its own memory is filled with
    poison.
    """

    inner: aten.Tensor
    memory: np.ndarray
    __torch_function__ = aten._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise AssertionError(f"{func} was called outside of the mode")


def wrap(inner: aten.Tensor) -> Wrapper:
    shell = aten.empty_strided(tuple(inner.shape), inner.stride(), dtype=inner.dtype)
    memory = memory_of(shell)
    memory.fill(POISON)
    made = aten.Tensor._make_subclass(Wrapper, shell)
    made.inner, made.memory = inner, memory
    return made


def memory_of(t: aten.Tensor) -> np.ndarray:
    """Returns the bytes of a tensor that shares its memory with no other."""
    extent = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride(), strict=True)) if t.numel() else 0
    flat = t.as_strided((extent,), (1,))
    return to_array(flat.view(aten.int16) if t.dtype == aten.bfloat16 else flat).view(np.uint8)


def mapped(value: Any, change: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(mapped(v, change) for v in value) if type(value) in (list, tuple) else value
    return change(value)


class OnlyCalls(TorchDispatchMode):
    """Runs operators on the wrapped tensors, and records the operators and every wrapper."""

    def __init__(self) -> None:
        super().__init__()
        self.called: list[Any] = []
        self.wrappers: list[Wrapper] = []

    def wrapped(self, t: Any) -> Any:
        if not isinstance(t, aten.Tensor) or isinstance(t, Wrapper):
            return t
        self.wrappers.append(wrap(t))
        return self.wrappers[-1]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.called.append(func)
        inner = [mapped(a, unwrapped) for a in args]
        result = func(*inner, **{k: mapped(v, unwrapped) for k, v in (kwargs or {}).items()})
        written = [a for a, s in zip(args, func._schema.arguments, strict=False) if s.is_write]
        known = {id(unwrapped(w)): w for w in written}
        return self.results(result, known)

    def results(self, result: Any, known: dict[int, Any]) -> Any:
        if isinstance(result, (list, tuple)):
            return [self.results(r, known) for r in result]
        return known.get(id(result), self.wrapped(result))

    def check(self, what: str) -> None:
        """Checks that nothing bypassed the dispatcher, and that a composite may call what was called."""
        for func in self.called:
            name = str(func).split(".")[1]
            outs = [a.name for a in func._schema.arguments if a.is_out]
            assert name not in FORBIDDEN, f"{what} calls {func}"
            assert not outs, f"{what} calls {func} with {', '.join(outs)}="
        for w in self.wrappers:
            assert tuple(w.shape) == tuple(w.inner.shape), f"{what}: a shape was changed without a call"
            same = all(a == b or n < 2 for n, a, b in zip(w.shape, w.stride(), w.inner.stride(), strict=True))
            assert same or not w.numel(), f"{what}: strides were changed without a call"
            assert (w.memory == POISON).all(), f"{what}: memory was written without a call"


def unwrapped(value: Any) -> Any:
    return value.inner if isinstance(value, Wrapper) else value
