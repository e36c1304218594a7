"""The gradient operators give what PyTorch's give: the calls of their sample rows, made in both."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import aten
import pytest

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

from calls import Call, DType, walk  # noqa: E402
from oracle import assert_same, to_aten  # noqa: E402
from rows import Row  # noqa: E402
from samples import ROWS  # noqa: E402
from tensors import Operand, is_quick, same_strides  # noqa: E402

LOOSE = {
    "float32": (1e-5, 1e-4),
    "complex64": (1e-5, 1e-4),
    "bfloat16": (5e-2, 1e-1),
    "float16": (1e-2, 2e-2),
}


def cases() -> Iterator[Any]:
    for row in ROWS:
        if "backward" in row.name:
            for dtype in row.dtypes:
                marks = [] if is_quick(dtype, row.dtypes) else [pytest.mark.slow]
                yield pytest.param(row, dtype, id=f"{row}-{dtype}", marks=marks)


def theirs(value: Any) -> Any:
    """An argument as PyTorch takes it."""
    if isinstance(value, Operand):
        made = torch.from_numpy(same_strides(value.stored))
        return made.view(torch.bfloat16) if value.dtype == "bfloat16" else made
    if isinstance(value, DType):
        return getattr(torch, value.name)
    if isinstance(value, list):
        return [theirs(v) for v in value]
    return value


def has_elements(call: Call) -> bool:
    counts: list[int] = []
    walk(call.args, lambda o: counts.append(o.stored.size))
    return all(counts)


@pytest.mark.parametrize(("row", "dtype"), list(cases()))
def test_as_pytorch(row: Row, dtype: str) -> None:
    ours, other = getattr(aten.ops.aten, row.name), getattr(torch.ops.aten, row.name)
    for call in row.calls(dtype):
        args, kwargs = call.tensors()
        try:
            expected = other(*map(theirs, call.args), **call.kwargs)
        except RuntimeError as error:
            if "could not create a primitive" in str(error) or "Could not run" in str(error):
                continue  # oneDNN has no kernel for these strides; PyTorch has none for this device
            raise
        got = ours(*args, **kwargs)
        assert_same(got, expected, f"{row.name}{call}", strides=has_elements(call), tolerance=LOOSE)


MASKS = list(itertools.product((True, False), repeat=3))


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("parameters", ["both", "weight", "none"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_layer_norm_gives_what_is_asked_for(mask: list[bool], parameters: str, dtype: Any) -> None:
    """Gradients that the mask leaves out, or whose parameter is missing, are undefined."""
    x, grad = torch.randn(6, 9, dtype=dtype), torch.randn(6, 9, dtype=dtype)
    weight = torch.randn(9, dtype=dtype) if parameters != "none" else None
    bias = torch.randn(9, dtype=dtype) if parameters == "both" else None
    _, mean, rstd = torch.ops.aten.native_layer_norm(x, [9], weight, bias, 1e-5)
    arguments = (grad, x, [9], mean, rstd, weight, bias)
    mask = [mask[0], mask[1] and weight is not None, mask[2] and bias is not None]
    expected = torch.ops.aten.native_layer_norm_backward(*arguments, mask)
    got = aten.ops.aten.native_layer_norm_backward(*to_aten(arguments), mask)
    for ours, reference, asked in zip(got, expected, mask, strict=True):
        if asked:
            assert_same(ours, reference, "native_layer_norm_backward", tolerance=LOOSE)
        else:
            assert ours is None


def numbers_of(*values: int) -> Any:
    return aten.tensor(list(values))


WRONG = {
    "an index behind the end": (
        lambda: aten.ops.aten.embedding_dense_backward(aten.ones((1, 3)), numbers_of(5), 5, -1, False),
        IndexError,
        "out of range",
    ),
    "a class behind the last": (
        lambda: aten.ops.aten.nll_loss_forward(aten.ones((1, 3)), numbers_of(3), None, 1, -100),
        IndexError,
        "Target 3",
    ),
    "scatter behind the end": (
        lambda: aten.zeros((3,)).scatter(0, numbers_of(3), 1.0),
        RuntimeError,
        "index 3 is out of bounds",
    ),
    "too few elements for a mask": (
        lambda: aten.zeros((3,)).masked_scatter(aten.ones((3,), dtype=aten.bool), aten.ones((2,))),
        RuntimeError,
        "has only 2",
    ),
    "a gradient of another shape": (
        lambda: aten.ops.aten._softmax_backward_data(aten.ones((2,)), aten.ones((3,)), 0, aten.float32),
        RuntimeError,
        "grad_output",
    ),
    "a sparse gradient": (
        lambda: aten.ops.aten.embedding_backward(aten.ones((1, 3)), numbers_of(0), 5, -1, False, True),
        NotImplementedError,
        "sparse=False",
    ),
    "statistics of other rows": (
        lambda: aten.ops.aten.native_layer_norm_backward(
            *(aten.ones((2, 3)),) * 2, [3], aten.ones((3,)), aten.ones((2,)), None, None, [True] * 3
        ),
        RuntimeError,
        "mean and rstd",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_say_what_is_wrong(case: str) -> None:
    call, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        call()
