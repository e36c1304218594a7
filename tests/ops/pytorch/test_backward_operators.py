"""The gradient operators give PyTorch's results: the calls of their sample rows, made in both."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import aten
import pytest

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

from calls import Call, DType, walk  # noqa: E402
from exact import Exact, assert_same_or_exact  # noqa: E402
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
# The functional names of operators that otherwise only have an out= form.
NAMES = {"adaptive_avg_pool3d_backward": "_adaptive_avg_pool3d_backward"}

# PyTorch's errors where it has no kernel: for these strides in oneDNN, for this device, for this dtype.
NO_KERNEL = (
    "could not create a primitive",
    "Could not run",
    "not implemented for",
    "with tensor backend other than",
)

# Strides depend on PyTorch's algorithm, and gradients of empty tensors are undefined.
THEIR_OWN_WAY = ("_convolution_double_backward",)

IGNORES_SCALES = "PyTorch's ignores a given scale where the output is twice the input; its forward does not"
KNOWN_DIFFERENCES = {
    r"upsample_nearest[13]d_backward-.*": IGNORES_SCALES,
}


def cases() -> Iterator[Any]:
    for row in ROWS:
        if "backward" in row.name:
            for dtype in row.dtypes:
                name = f"{row}-{dtype}"
                marks = [] if is_quick(dtype, row.dtypes) else [pytest.mark.slow]
                known = (why for case, why in KNOWN_DIFFERENCES.items() if re.fullmatch(case, name))
                marks += [pytest.mark.xfail(strict=True, reason=why) for why in known]
                yield pytest.param(row, dtype, id=name, marks=marks)


def theirs(value: Any) -> Any:
    """Returns an argument as PyTorch takes it."""
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
    name = NAMES.get(row.name, row.name)
    ours, other = getattr(aten.ops.aten, name), getattr(torch.ops.aten, name)
    compared = 0
    for call in row.calls(dtype):
        elements = has_elements(call)
        if not elements and name in THEIR_OWN_WAY:
            continue
        args, kwargs = call.tensors()
        given = list(map(theirs, call.args)), {k: theirs(v) for k, v in call.kwargs.items()}
        exact = Exact(other, *given)
        try:
            expected = other(*given[0], **given[1])
        except RuntimeError as error:
            if any(text in str(error) for text in NO_KERNEL):
                continue
            raise
        how: dict[str, Any] = {"strides": elements and name not in THEIR_OWN_WAY, "tolerance": LOOSE}
        got = ours(*args, **kwargs)
        assert_same_or_exact(got, expected, f"{name}{call}", lambda e=exact: e.results, **how)
        compared += 1
    if not compared:
        pytest.skip("PyTorch has no kernel for any of these calls")


MASKS = list(itertools.product((True, False), repeat=3))


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("parameters", ["both", "weight", "none"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_layer_norm_gives_what_is_asked_for(mask: list[bool], parameters: str, dtype: Any) -> None:
    """Gradients that the mask omits, or whose parameter is missing, are undefined."""
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
