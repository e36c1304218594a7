"""Sliding windows with sizes near the 64-bit limits."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import aten
import pytest

F = aten.nn.functional
LARGE = (2**31, 2**40, 2**42 + 1, 2**62, 2**63 - 1)
ENOUGH = 64  # a stride that no window of these images uses twice


def image(dims: int, size: int = 9, channels: int = 2) -> aten.Tensor:
    count = 2 * channels * size**dims
    return aten.arange(float(count)).view(2, channels, *[size] * dims).sin()


def weights(dims: int, size: int) -> aten.Tensor:
    return aten.arange(float(4 * size**dims)).view(2, 2, *[size] * dims).cos()


def with_gradients(f: Callable[..., aten.Tensor], *tensors: aten.Tensor) -> list[Any]:
    leaves = [t.clone().requires_grad_() for t in tensors]
    y = f(*leaves)
    y.backward(aten.arange(float(y.numel())).view(y.shape))
    return [y.tolist(), *(t.grad.tolist() for t in leaves)]


def convolution(dims: int, transposed: bool = False, **parameters: Any) -> list[Any]:
    f = getattr(F, f"conv_transpose{dims}d" if transposed else f"conv{dims}d")
    kernel = 1 if parameters.get("dilation", 1) > 1 else 5 - dims
    x = image(dims, size=1 if transposed else 6)
    return with_gradients(lambda x, w: f(x, w, **parameters), x, weights(dims, kernel))


@pytest.mark.parametrize("step", LARGE)
@pytest.mark.parametrize("name", ["stride", "dilation"])
@pytest.mark.parametrize(("dims", "transposed"), [*itertools.product((1, 2, 3), (False, True))])
def test_convolution(dims: int, transposed: bool, name: str, step: int) -> None:
    for padding in (0,) if transposed else (0, 2, 4):
        others = {"padding": padding, "output_padding": 0 if name == "dilation" else 1}
        if not transposed:
            del others["output_padding"]
        got = convolution(dims, transposed, **{name: step}, **others)
        assert got == convolution(dims, transposed, **{name: ENOUGH}, **others)


@pytest.mark.parametrize("step", LARGE)
@pytest.mark.parametrize("place", [(0,), (1,), (0, 1)])
def test_unfold_and_fold(step: int, place: tuple[int, ...]) -> None:
    def both(large: int) -> list[Any]:
        stride = [large if d in place else 1 for d in range(2)]
        options = {"kernel_size": (2, 2), "padding": (2, 2), "stride": stride}
        columns = with_gradients(lambda x: F.unfold(x, **options), image(2, 4, 1))
        count = len(columns[0][0][0])
        x = aten.arange(4.0 * count).view(1, 4, count)
        return [columns, with_gradients(lambda c: F.fold(c, (4, 4), **options), x)]

    assert both(step) == both(ENOUGH)


@pytest.mark.parametrize("step", LARGE)
@pytest.mark.parametrize("ceil_mode", [False, True])
@pytest.mark.parametrize(("kind", "dims"), [*itertools.product(("max", "avg", "lp"), (1, 2, 3))])
def test_pooling(kind: str, dims: int, ceil_mode: bool, step: int) -> None:
    f = getattr(F, f"{kind}_pool{dims}d")

    def pooled(stride: int, **options: Any) -> list[Any]:
        before = (2.0,) if kind == "lp" else ()
        call = lambda x: f(x, *before, 3, stride=stride, ceil_mode=ceil_mode, **options)  # noqa: E731
        return with_gradients(call, image(dims, 6))

    for options in ({},) if kind == "lp" else ({}, {"padding": 1}):
        assert pooled(step, **options) == pooled(ENOUGH, **options)


@pytest.mark.parametrize("stride", [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, -1, 1), (0, 0, 0)])
def test_steps_of_unpooling_are_positive(stride: tuple[int, ...]) -> None:
    pooled, indices = aten.ones(1, 2, 2, 2), aten.zeros([1, 2, 2, 2], dtype=aten.int64)
    with pytest.raises(RuntimeError, match="expected stride > 0"):
        aten.ops.aten.max_unpool3d(pooled, indices, [4, 4, 4], stride, [0, 0, 0])


@pytest.mark.parametrize("padding", [2**39, 2**40, 2**62, 2**63 - 1])
def test_padding_that_no_memory_holds_is_an_error(padding: int) -> None:
    with pytest.raises(RuntimeError, match="conv2d"):
        F.conv2d(image(2), weights(2, 3), padding=padding)
    with pytest.raises(RuntimeError, match=r"im2col|unfold"):
        F.unfold(image(2), (2, 2), padding=(0, padding))
    with pytest.raises(RuntimeError, match="max_pool2d"):
        F.max_pool2d(image(2), 3, padding=padding)
    with pytest.raises(RuntimeError, match="conv_transpose2d"):
        F.conv_transpose2d(image(2), weights(2, 3), padding=padding)


@pytest.mark.parametrize("kernel", [2**20, 2**21, 2**40, 2**63 - 1])
def test_a_window_of_too_many_elements_is_an_error(kernel: int) -> None:
    with pytest.raises(RuntimeError, match="avg_pool3d"):
        F.avg_pool3d(image(3), kernel, padding=kernel // 2)
    with pytest.raises(RuntimeError, match="max_pool2d"):
        F.max_pool2d(image(2), kernel, padding=min(kernel, 2**40) // 2 - 9)
