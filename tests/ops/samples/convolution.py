"""Sample rows of convolutions and of im2col."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from calls import Call
from convolutions import Geometry, backward_data, convolution, gradients, repeated
from rows import Calls, Row, first, loose
from tensors import FLOATS, NUMBERS, Operand, numbers, operand

REAL = (*FLOATS, "int64")
EXACT = ("float32", "float64", "int64")


@dataclass(frozen=True)
class Case:
    """The sizes of the input and of the weight."""

    x: tuple[int, ...]
    w: tuple[int, ...]
    stride: tuple[int, ...] = (1,)
    padding: tuple[int, ...] = (0,)
    dilation: tuple[int, ...] = (1,)
    transposed: bool = False
    output_padding: tuple[int, ...] = (0,)
    groups: int = 1

    @property
    def channels(self) -> int:
        return self.w[1] * self.groups if self.transposed else self.w[0]

    @property
    def parameters(self) -> tuple[Any, ...]:
        dims = len(self.x) - 2
        each = (repeated(v, dims) for v in (self.stride, self.padding, self.dilation))
        return (*each, self.transposed, repeated(self.output_padding, dims), self.groups)

    @property
    def output(self) -> tuple[int, ...]:
        geometry = Geometry(self.w[2:], self.stride, self.padding, self.dilation, self.groups)
        sizes = self.x[2:]
        spatial = geometry.large(sizes, self.output_padding) if self.transposed else geometry.small(sizes)
        return (self.x[0], self.channels, *spatial)


CASES = (
    Case((2, 3, 9), (4, 3, 3)),
    Case((2, 4, 11), (6, 2, 3), (2,), (1,), (2,), groups=2),
    Case((0, 3, 9), (4, 3, 3)),
    Case((1, 1, 3, 3), (2, 1, 2, 2)),
    Case((1, 1, 2, 3, 3), (1, 1, 2, 2, 1)),
    Case((2, 3, 7, 8), (5, 3, 3, 3), padding=(1,)),
    Case((2, 17, 5, 7), (35, 17, 1, 1)),
    Case((3, 8, 12, 9), (16, 8, 3, 2), (2, 1), (1, 0), (1, 2)),
    Case((2, 6, 9, 10), (6, 1, 3, 3), (2,), (1,), groups=6),
    Case((2, 6, 9, 10), (12, 1, 3, 3), (1,), (2,), (2,), groups=6),
    Case((2, 8, 9, 10), (12, 4, 3, 3), (1, 2), (1,), groups=2),
    Case((1, 300, 6, 6), (31, 300, 2, 2)),
    Case((2, 3, 5, 6, 4), (4, 3, 2, 3, 2), (2, 1, 1), (1, 1, 0)),
    Case((1, 2, 6), (2, 3, 3), (2,), (1,), (1,), True, (1,)),
    Case((2, 4, 5, 6), (4, 3, 3, 3), (2, 3), (1,), (2, 1), True, (1, 2)),
    Case((2, 6, 5, 6), (6, 2, 3, 2), (2,), (0,), (1,), True, (0,), 3),
    Case((1, 2, 3, 4, 3), (2, 3, 2, 2, 3), (2, 1, 3), (0,), (1,), True),
    Case((2, 3, 4, 4), (3, 2, 1, 1), (3,), (0,), (1,), True, (2,)),
)


def made(shape: tuple[int, ...], dtype: str, seed: int = 0, layout: str = "contiguous") -> Operand:
    return operand(numbers(shape, dtype, -2, 2, seed), dtype, layout)


def operands(case: Case, dtype: str, layout: str = "contiguous") -> tuple[Operand, Operand, Operand]:
    return made(case.x, dtype, 0, layout), made(case.w, dtype, 1), made((case.channels,), dtype, 2)


def convolution_calls(*flags: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for case in CASES:
            for layout in ("contiguous", "transposed"):
                x, w, bias = operands(case, dtype, layout)
                yield Call((x, w, bias, *case.parameters, *flags))
            yield Call((x, w, None, *case.parameters, *flags))

    return calls


def backward_calls(sizes: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        for case in CASES:
            x, w, _bias = operands(case, dtype)
            given = ([case.channels],) if sizes else ()
            yield Call((made(case.output, dtype, 3), x, w, *given, *case.parameters, [True, True, True]))

    return calls


def double_backward_calls(dtype: str) -> Iterator[Call]:
    for case in CASES:
        x, w, _bias = operands(case, dtype)
        changes = (made(case.x, dtype, 4), made(case.w, dtype, 5), made((case.channels,), dtype, 6))
        yield Call((*changes, made(case.output, dtype, 3), w, x, *case.parameters, [True, True, True]))


def double_backward(ggI: Any, ggW: Any, ggb: Any, gO: Any, w: Any, x: Any, *rest: Any) -> tuple[Any, ...]:
    *parameters, _mask = rest
    ggO = convolution(ggI, w, None, *parameters) + convolution(x, ggW, ggb, *parameters)
    return ggO, gradients(gO, x, ggW, *parameters)[0], gradients(gO, ggI, w, *parameters)[1]


def function_calls(dims: int, transposed: bool) -> Calls:
    """Returns calls of conv1d and the like, also with unbatched images and with defaults."""

    def calls(dtype: str) -> Iterator[Call]:
        for case in CASES:
            if len(case.x) != dims + 2 or case.transposed != transposed:
                continue
            x, w, bias = operands(case, dtype)
            stride, padding, dilation, _, output_padding, groups = case.parameters
            if transposed:
                yield Call((x, w, bias, stride, padding, output_padding, groups, dilation))
            else:
                yield Call((x, w, bias, stride, padding, dilation, groups))
            if case.groups == 1 and case.x[0]:
                yield Call((made(case.x[1:], dtype), w))

    return calls


def batched(reference: Any) -> Any:
    def call(x: np.ndarray, w: np.ndarray, *rest: Any) -> np.ndarray:
        return reference(x, w, *rest) if x.ndim == w.ndim else reference(x[None], w, *rest)[0]

    return call


@batched
def conv(
    x: Any, w: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    return convolution(x, w, bias, stride, padding, dilation, False, 0, groups)


@batched
def conv_transpose(x: Any, w: Any, bias: Any = None, *rest: Any) -> Any:
    stride, padding, output_padding, groups, dilation = rest or (1, 0, 0, 1, 1)
    return convolution(x, w, bias, stride, padding, dilation, True, output_padding, groups)


def mode_calls(dims: int, images: bool) -> Calls:
    def calls(dtype: str) -> Iterator[Call]:
        small = made((1, 1, 2, 2, 2)[: dims + 2], dtype)
        yield Call((small, small, None, [1] * dims, "same", [1] * dims, 1))
        for kernel in ((3, 3, 3), (2, 3, 2), (1, 4, 1)):
            w = made((4, 2, *kernel[:dims]), dtype, 1)
            for x in ((2, 2, 7, 6, 5), (2, 7, 6, 5)) if images else ((2, 2, 7, 6, 5),):
                x = x[: len(x) - 3 + dims]
                bias = made((4,), dtype, 2)
                yield Call((made(x, dtype), w, bias, [1] * dims, "same", [2] * dims, 1))
                yield Call((made(x, dtype), w, None, [2] * dims, "valid", [1] * dims, 1))

    return calls


@batched
def conv_mode(x: Any, w: Any, bias: Any, stride: Any, mode: str, dilation: Any, groups: int) -> Any:
    if mode == "same":
        total = [d * (k - 1) for d, k in zip(dilation, w.shape[2:], strict=True)]
        x = np.pad(x, [(0, 0), (0, 0), *((n // 2, n - n // 2) for n in total)])
    return conv(x, w, bias, stride, 0, dilation, groups)


def tbc_calls(dtype: str) -> Iterator[Call]:
    for pad in (0, 1):
        yield Call((made((5, 2, 3), dtype), made((3, 3, 4), dtype, 1), made((4,), dtype, 2), pad))


def conv_tbc(x: Any, w: Any, bias: Any, pad: int) -> Any:
    return conv(x.transpose(1, 2, 0), w.transpose(2, 1, 0), bias, 1, pad).transpose(2, 0, 1)


def tbc_backward_calls(dtype: str) -> Iterator[Call]:
    for call in tbc_calls(dtype):
        yield Call((made((3 + 2 * call.args[3], 2, 4), dtype, 3), *call.args))


def conv_tbc_backward(grad: Any, x: Any, w: Any, bias: Any, pad: int) -> tuple[Any, ...]:
    found = gradients(
        grad.transpose(1, 2, 0), x.transpose(1, 2, 0), w.transpose(2, 1, 0), 1, pad, 1, False, 0, 1
    )
    return found[0].transpose(2, 0, 1), found[1].transpose(2, 1, 0), found[2]


# Image, kernel, dilation, padding, stride.
COLUMNS = (
    ((2, 3, 6, 7), (2, 3), (1, 1), (0, 0), (1, 1)),
    ((2, 3, 6, 7), (3, 2), (2, 1), (1, 2), (2, 3)),
    ((3, 5, 4), (2, 2), (1, 1), (1, 0), (1, 2)),
    ((0, 2, 4, 4), (2, 2), (1, 1), (0, 0), (1, 1)),
)


def im2col(x: np.ndarray, kernel: Any, dilation: Any, padding: Any, stride: Any) -> np.ndarray:
    if x.ndim == 3:
        return im2col(x[None], kernel, dilation, padding, stride)[0]
    geometry = Geometry(kernel, stride, padding, dilation, 1)
    padded = geometry.padded(x)
    windows = geometry.small(x.shape[2:])
    lines = [padded[window] for _, window in geometry.taps(windows)]
    return np.stack(lines, 2).reshape(x.shape[0], x.shape[1] * len(lines), int(np.prod(windows)))


def col2im(c: np.ndarray, image: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> np.ndarray:
    if c.ndim == 2:
        return col2im(c[None], image, kernel, dilation, padding, stride)[0]
    geometry, taps = Geometry(kernel, stride, padding, dilation, 1), int(np.prod(kernel))
    channels = c.shape[1] // taps
    one_hot = np.eye(taps, dtype=c.dtype).reshape(taps, 1, *kernel)
    lines = c.reshape(c.shape[0] * channels, taps, *geometry.small(image))
    return backward_data(lines, one_hot, image, geometry).reshape(c.shape[0], channels, *image)


def im2col_calls(dtype: str) -> Iterator[Call]:
    for x, *rest in COLUMNS:
        for layout in ("contiguous", "transposed"):
            yield Call((made(x, dtype, 0, layout), *map(list, rest)))


def col2im_calls(dtype: str) -> Iterator[Call]:
    for x, *rest in COLUMNS:
        columns = im2col(np.zeros(x, np.float32), *rest)
        yield Call((made(columns.shape, dtype), list(x[-2:]), *map(list, rest)))


def tolerance(dtype: str) -> tuple[float, float] | None:
    return {"bfloat16": (2e-2, 2e-1), "float16": (4e-3, 4e-2)}.get(dtype) or loose(dtype)


def three(call: Call) -> list[str]:
    return [first(call)] * 3


def row(
    name: str, reference: Any, calls: Calls, dtypes: tuple[str, ...], dtype: Any = first, label: str = ""
) -> Row:
    return Row(name, reference, calls, dtype, dtypes, tolerance=tolerance, inplace=False, label=label)


ROWS = (
    *(row(f"conv{d}d", conv, function_calls(d, False), NUMBERS) for d in (1, 2, 3)),
    *(
        row(f"conv{d}d", conv_mode, mode_calls(d, True), (*EXACT, "complex64"), label="mode")
        for d in (1, 2, 3)
    ),
    *(row(f"conv_transpose{d}d", conv_transpose, function_calls(d, True), NUMBERS) for d in (1, 2, 3)),
    row("_convolution_mode", conv_mode, mode_calls(2, False), EXACT),
    row("convolution", convolution, convolution_calls(), REAL),
    row("convolution_overrideable", convolution, convolution_calls(), REAL),
    row("_convolution", convolution, convolution_calls(False, False, True, True), EXACT),
    row("_convolution", convolution, convolution_calls(False, False, True), EXACT, label="deprecated"),
    row(
        "convolution_backward",
        lambda g, x, w, b, *rest: gradients(g, x, w, *rest),
        backward_calls(True),
        REAL,
        three,
    ),
    row("convolution_backward_overrideable", gradients, backward_calls(False), REAL, three),
    row("_convolution_double_backward", double_backward, double_backward_calls, EXACT, three),
    row("conv_tbc", conv_tbc, tbc_calls, FLOATS),
    row("conv_tbc_backward", conv_tbc_backward, tbc_backward_calls, EXACT[:2], three),
    row("im2col", im2col, im2col_calls, ("bool", *FLOATS, "complex64", "complex128")),
    row("col2im", col2im, col2im_calls, (*FLOATS, "complex64", "complex128")),
)
