"""Convolutions beside PyTorch's: memory formats, errors, and larger sizes than the samples have."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import aten
import numpy as np
import pytest

torch = pytest.importorskip("torch")

FORMATS = {2: ("contiguous_format", "channels_last"), 3: ("contiguous_format", "channels_last_3d")}


@pytest.fixture(autouse=True)
def several_threads() -> Iterator[None]:
    """Uses several threads: with one, PyTorch uses other kernels for windows of one element, which give other
    strides.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(threads)


def ours(t: Any) -> Any:
    return None if t is None else aten.from_dlpack(t.detach())


def assert_equal(found: Any, expected: Any, what: str) -> None:
    assert tuple(found.shape) == tuple(expected.shape), what
    assert tuple(found.stride()) == tuple(expected.stride()), what
    np.testing.assert_allclose(
        found.contiguous().numpy(), expected.contiguous().numpy(), rtol=1e-4, atol=2e-4, err_msg=what
    )


# Input, weight, stride, padding, dilation, transposed, output padding, groups.
LARGER = (
    ((2, 64, 28, 30), (48, 64, 3, 3), (1, 1), (1, 1), (1, 1), False, (0, 0), 1),
    ((1, 96, 7, 7), (300, 96, 3, 3), (1, 1), (1, 1), (1, 1), False, (0, 0), 1),
    ((1, 40, 33, 31), (32, 20, 3, 3), (1, 1), (2, 0), (1, 1), False, (0, 0), 2),
    ((3, 70, 17, 19), (50, 70, 1, 1), (1, 1), (0, 0), (1, 1), False, (0, 0), 1),
    ((2, 70, 17, 19), (50, 70, 1, 1), (2, 2), (0, 0), (1, 1), False, (0, 0), 1),
    ((1, 3, 61, 67), (64, 3, 7, 7), (2, 2), (3, 3), (1, 1), False, (0, 0), 1),
    ((2, 48, 23, 25), (48, 1, 5, 5), (2, 2), (2, 2), (1, 1), False, (0, 0), 48),
    ((2, 32, 20, 20), (64, 4, 3, 3), (1, 1), (1, 1), (1, 1), False, (0, 0), 8),
    ((2, 40, 13, 11), (40, 24, 4, 4), (2, 2), (1, 1), (1, 1), True, (0, 0), 1),
    ((2, 40, 13, 11), (40, 24, 1, 1), (1, 1), (0, 0), (1, 1), True, (0, 0), 1),
    ((2, 8, 32, 24), (6, 8, 8, 8), (8, 8), (0, 0), (1, 1), False, (0, 0), 1),
    ((2, 8, 32, 24), (6, 4, 8, 8), (8, 8), (0, 0), (1, 1), False, (0, 0), 2),
    ((2, 20, 9, 11, 10), (18, 20, 3, 3, 3), (1, 2, 1), (1, 1, 1), (1, 1, 1), False, (0, 0, 0), 1),
    ((2, 20, 9, 11, 10), (18, 20, 1, 1, 1), (1, 1, 1), (0, 0, 0), (1, 1, 1), False, (0, 0, 0), 1),
)


@pytest.mark.parametrize("case", LARGER, ids=str)
def test_results_and_gradients(case: tuple[Any, ...]) -> None:
    """Compares each combination of the memory formats of input and weight."""
    torch.manual_seed(0)
    x_size, w_size, *parameters = case
    channels = w_size[1] * parameters[-1] if parameters[3] else w_size[0]
    for x_format in FORMATS[len(x_size) - 2]:
        for w_format in FORMATS[len(x_size) - 2]:
            x = torch.randn(x_size).to(memory_format=getattr(torch, x_format))
            w = (torch.randn(w_size) / 8).to(memory_format=getattr(torch, w_format))
            bias = torch.randn(channels)
            expected = torch.convolution(x, w, bias, *parameters)
            found = aten.convolution(ours(x), ours(w), ours(bias), *parameters)
            assert_equal(found, expected, f"{x_format}, {w_format}: result")
            grad = torch.randn_like(expected)
            wanted = torch.ops.aten.convolution_backward(grad, x, w, [channels], *parameters, [True] * 3)
            gradient = aten.ops.aten.convolution_backward.default
            got = gradient(ours(grad), ours(x), ours(w), [channels], *parameters, [True] * 3)
            for name, ours_, theirs in zip(("input", "weight", "bias"), got, wanted, strict=True):
                assert_equal(ours_, theirs, f"{x_format}, {w_format}: gradient of {name}")


def random_case(seed: int) -> tuple[Any, ...]:
    """Sizes that are no multiples of vectors, with every stride, padding, dilation and number of groups."""
    draw = random.Random(seed)
    dims, groups = draw.choice((1, 2, 2, 3)), draw.choice((1, 1, 2, 3))
    kernel, stride, padding, dilation = (
        tuple(draw.choice(among) for _ in range(dims))
        for among in ((1, 2, 3, 4, 7), (1, 1, 2, 3), (0, 1, 2), (1, 1, 2))
    )
    inside = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    sizes = [draw.randint(n, n + 24 // dims) for n in inside]
    x_size = (draw.randint(1, 3), draw.randint(1, 40) * groups, *sizes)
    w_size = (draw.randint(1, 40) * groups, x_size[1] // groups, *kernel)
    return x_size, w_size, stride, padding, dilation, False, (0,) * dims, groups


@pytest.mark.parametrize("case", [*LARGER, *map(random_case, range(40))], ids=str)
def test_bfloat16_is_rounded_once(case: tuple[Any, ...]) -> None:
    """The sums are float's: results and gradients are those of the same numbers in double, rounded."""
    torch.manual_seed(0)
    x_size, w_size, *parameters = case
    channels = w_size[1] * parameters[-1] if parameters[3] else w_size[0]
    mask = [True, True, False]
    for last in (False, True):
        x, w, bias = (torch.randn(size).bfloat16() for size in (x_size, w_size, channels))
        if last and len(x_size) > 3:
            x, w = (t.to(memory_format=getattr(torch, FORMATS[t.ndim - 2][1])) for t in (x, w))
        expected = torch.convolution(x.double(), w.double(), bias.double(), *parameters)
        found = aten.convolution(ours(x), ours(w), ours(bias), *parameters)
        grad = torch.randn(expected.shape).bfloat16()
        wanted = torch.ops.aten.convolution_backward(
            grad.double(), x.double(), w.double(), [channels], *parameters, mask
        )
        gradient = aten.ops.aten.convolution_backward.default
        got = gradient(ours(grad), ours(x), ours(w), [channels], *parameters, mask)
        results = zip((found, *got[:2]), (expected, *wanted[:2]), strict=True)
        for name, (a, b) in zip(("result", "input", "weight"), results, strict=True):
            scale = float(b.abs().max()) if b.numel() else 0
            np.testing.assert_allclose(
                a.double().contiguous().numpy(), b.contiguous().numpy(),
                rtol=1.01 * 2**-8, atol=2e-6 * scale, err_msg=f"{name}, channels last: {last}",
            )  # fmt: skip


def test_masked_gradients_are_none() -> None:
    x, w = aten.ones(1, 2, 4, 4), aten.ones(3, 2, 2, 2)
    grad = aten.ones(1, 3, 3, 3)
    for i in range(3):
        mask = [j == i for j in range(3)]
        found = aten.ops.aten.convolution_backward.default(
            grad, x, w, [3], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, mask
        )
        assert [t is not None for t in found] == mask


REFUSED: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = {
    "channels": ((2, 4, 6, 6), (8, 3, 3, 3), {}),
    "groups": ((2, 4, 6, 6), (8, 4, 3, 3), {"groups": 3}),
    "no groups": ((2, 4, 6, 6), (8, 4, 3, 3), {"groups": 0}),
    "stride": ((2, 4, 6, 6), (8, 4, 3, 3), {"stride": 0}),
    "strides": ((2, 4, 6, 6), (8, 4, 3, 3), {"stride": (1, 2, 3)}),
    "padding": ((2, 4, 6, 6), (8, 4, 3, 3), {"padding": -1}),
    "huge padding": ((2, 4, 6, 6), (8, 4, 3, 3), {"padding": 2**62}),
    "padding's name": ((2, 4, 6, 6), (8, 4, 3, 3), {"padding": "other"}),
    "same and stride": ((2, 4, 6, 6), (8, 4, 3, 3), {"padding": "same", "stride": 2}),
    "dilation": ((2, 4, 6, 6), (8, 4, 3, 3), {"dilation": 0}),
    "huge dilation": ((2, 4, 6, 6), (8, 4, 3, 3), {"dilation": 2**62}),
    "small input": ((2, 4, 2, 2), (8, 4, 3, 3), {}),
    "empty input": ((2, 4, 0, 6), (8, 4, 3, 3), {"padding": 2}),
    "empty kernel": ((2, 4, 6, 6), (8, 4, 0, 3), {}),
    "no results": ((2, 4, 6, 6), (0, 4, 3, 3), {}),
    "dimensions": ((6, 6), (8, 4, 3, 3), {}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    x, w, kwargs = REFUSED[name]
    with pytest.raises(RuntimeError):
        torch.nn.functional.conv2d(torch.ones(x), torch.ones(w), **kwargs)
    with pytest.raises(RuntimeError):
        aten.nn.functional.conv2d(aten.ones(x), aten.ones(w), **kwargs)


def test_other_types_are_refused() -> None:
    x, w = aten.ones(1, 2, 4, 4), aten.ones(3, 2, 2, 2)
    with pytest.raises(RuntimeError, match=r"Input type .* weight type"):
        aten.conv2d(x, w.to(aten.float64))
    with pytest.raises(RuntimeError, match="bias type"):
        aten.conv2d(x, w, aten.ones(3, dtype=aten.float64))
    with pytest.raises(RuntimeError, match="1-dimensional with 3 elements"):
        aten.conv2d(x, w, aten.ones(4))


def test_output_padding_is_below_stride_or_dilation() -> None:
    x, w = aten.ones(1, 2, 4, 4), aten.ones(2, 3, 2, 2)
    with pytest.raises(RuntimeError, match="output padding must be smaller"):
        aten.conv_transpose2d(x, w, output_padding=1)
    with pytest.raises(RuntimeError, match="too small"):
        aten.conv_transpose2d(x, w, padding=9)


def test_nothing_in_nothing_out() -> None:
    """Without images, or without channels, there are none in the result, as in PyTorch."""
    for x, w in (((0, 4, 6, 6), (8, 4, 3, 3)), ((2, 0, 6, 6), (8, 0, 3, 3))):
        expected = torch.nn.functional.conv2d(torch.ones(x), torch.ones(w))
        assert tuple(aten.conv2d(aten.ones(x), aten.ones(w)).shape) == tuple(expected.shape)
