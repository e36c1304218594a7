"""Calls in addition to the sample rows of tests/ops: overloads that no row binds to or that have no floating
operand there, and arguments that only matter for gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from calls import Call, DType
from tensors import Operand, numbers, operand


def of(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Operand:
    return operand(numbers(shape, dtype, 0.2, 3, seed), dtype)


def at(values: list[int] | int) -> Operand:
    import numpy as np

    return operand(np.asarray(values), "int64")


def to_device(dtype: str) -> Iterator[Call]:
    yield Call((of((3, 5), dtype), "cpu", DType(dtype)))
    yield Call((of((3, 5), dtype), "cpu", DType("complex128"), False, True))


def to_options(dtype: str) -> Iterator[Call]:
    yield Call((of((3, 5), dtype),), {"dtype": DType("complex128")})
    yield Call((of((), dtype),), {"dtype": DType(dtype), "copy": True})


def to_other(dtype: str) -> Iterator[Call]:
    yield Call((of((3, 5), dtype), of((2,), "complex128")))
    yield Call((of((3, 5), "float32"), of((2,), dtype)))


def narrow(dtype: str) -> Iterator[Call]:
    yield Call((of((3, 5), dtype), 1, at(2), 2))


def embedding_backward(dtype: str) -> Iterator[Call]:
    yield Call((of((4, 3), dtype), at([0, 2, 2, 1]), 5, -1, False, False))
    yield Call((of((2, 2, 3), dtype), at([[0, 2], [2, 1]]), 5, 2, True, False))


def scatter(dtype: str) -> Iterator[Call]:
    yield Call((of((3, 5), dtype), 1, at([[0, 2], [4, 1]]), 2.5))
    yield Call((of((), dtype), 0, at(0), -1))


def scatter_reduce(dtype: str) -> Iterator[Call]:
    """Yields calls with indices that select a part of src, and with a single index in a list."""
    for mode in ("sum", "mean", "amax") if dtype == "float64" else ("sum",):
        yield Call((of((3, 5), dtype), 1, at([[0, 2], [4, 0]]), of((4, 3), dtype, 1), mode))
        yield Call((of((), dtype), 0, at([0]), of((3,), dtype, 1), mode), {"include_self": False})


def one_element(dtype: str) -> Iterator[Call]:
    yield Call((of((), dtype),))
    yield Call((of((1, 1), dtype),))


def one_tensor(dtype: str) -> Iterator[Call]:
    for shape in ((), (0,), (3, 5)):
        yield Call((of(shape, dtype),))


MORE_CALLS: dict[str, Callable[[str], Iterator[Call]]] = {
    "to.device": to_device,
    "to.dtype_layout": to_options,
    "to.other": to_other,
    "narrow.Tensor": narrow,
    "embedding_backward": embedding_backward,
    "scatter.value": scatter,
    "scatter_.value": scatter,
    "scatter_reduce.two": scatter_reduce,
    "scatter_reduce_.two": scatter_reduce,
    "where": one_tensor,
    "item": one_element,
    "is_nonzero": one_element,
    **dict.fromkeys(("real", "imag", "conj", "_conj", "conj_physical", "resolve_conj"), one_tensor),
}
