"""Sample rows of softmax, its logarithm and their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from calls import Call, DType
from references import log_softmax, softmax
from rows import Calls, Row, first, loose_products
from tensors import FLOATS, LAYOUTS, numbers, operand

from samples.reduction import along_last, inputs, widened


def softmax_calls(*rest: Any) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for x in inputs(dtype):
            for dim in sorted({0, -1, x.stored.ndim // 2}) if x.stored.ndim else (0, -1):
                yield Call((x, dim, *rest))

    return calls


def normalised(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, dim, *_: function(x, dim) if x.ndim else function(x.reshape(1), 0).reshape(())


def backward_calls(low: float, high: float) -> Any:
    """Returns calls whose result lies in [low, high]: [0, 1] for softmax, negative for its logarithm."""

    def calls(dtype: str) -> Iterator[Call]:
        for shape in ((), (1,), (7,), (3, 0), (3, 5), (33, 17), (2, 3, 4, 5), (5, 301), (3, 9, 270)):
            for layout in LAYOUTS:
                grad = operand(numbers(shape, dtype, -1, 1), dtype, layout)
                y = operand(numbers(shape, dtype, low, high, 1), dtype)
                for dim in {0, -1, len(shape) // 2} if shape else {0}:
                    yield Call((grad, y, dim, DType(dtype)))

    return calls


def softmax_backward(grad: np.ndarray, y: np.ndarray, dim: int, _: Any) -> np.ndarray:
    return (grad - np.sum(grad * y, dim, keepdims=grad.ndim > 0)) * y


def log_softmax_backward(grad: np.ndarray, y: np.ndarray, dim: int, _: Any) -> np.ndarray:
    return grad - np.exp(y) * np.sum(grad, dim, keepdims=grad.ndim > 0)


def masked_calls(dtype: str) -> Iterator[Call]:
    for shape, dim in (((7,), None), ((3, 5), 0), ((3, 5), -1), ((2, 3, 4, 5), 2)):
        for layout in LAYOUTS:
            x = operand(numbers(shape, dtype), dtype, layout)
            mask = numbers(shape, "bool").copy()
            np.moveaxis(mask, dim or 0, 0)[0] = False  # something is left everywhere
            yield Call((x, operand(mask, "bool"), dim))


def masked_backward_calls(dtype: str) -> Iterator[Call]:
    for call in masked_calls(dtype):
        x, mask, dim = call.args
        y = operand(numbers(x.stored.shape, dtype, 0, 0.3, 1), dtype)
        yield Call((x, y, mask, dim))


def masked_softmax(x: np.ndarray, mask: np.ndarray, dim: int | None) -> np.ndarray:
    return softmax(np.where(mask, -np.inf, x), -1 if dim is None else dim)


def masked_softmax_backward(grad: np.ndarray, y: np.ndarray, mask: np.ndarray, dim: int | None) -> np.ndarray:
    grad = np.where(mask, 0, grad)
    return np.where(mask, 0, softmax_backward(grad, y, -1 if dim is None else dim, None))


ROWS = (
    Row("_masked_softmax", masked_softmax, masked_calls, first, FLOATS),
    Row(
        "_masked_softmax_backward",
        masked_softmax_backward,
        masked_backward_calls,
        first,
        FLOATS,
        tolerance=loose_products,
    ),
    Row("softmax", normalised(softmax), softmax_calls(), first, FLOATS),
    Row("softmax", normalised(softmax), softmax_calls(DType("float64")), widened, FLOATS, label="dtype"),
    Row("_softmax", normalised(softmax), softmax_calls(False), first, FLOATS),
    Row("log_softmax", normalised(log_softmax), softmax_calls(), first, FLOATS),
    Row("_log_softmax", normalised(log_softmax), softmax_calls(False), first, FLOATS),
    Row("special_softmax", softmax, along_last, first, ("float32",)),
    Row("special_log_softmax", log_softmax, along_last, first, ("float32",)),
    Row(
        "_softmax_backward_data",
        softmax_backward,
        backward_calls(0, 0.3),
        first,
        FLOATS,
        tolerance=loose_products,
    ),
    Row(
        "_log_softmax_backward_data",
        log_softmax_backward,
        backward_calls(-6, -3),
        first,
        FLOATS,
        tolerance=loose_products,
    ),
)
