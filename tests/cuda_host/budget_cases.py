"""The calls that test_budgets.py counts, one or a few for each family of kernels: CASES.

Each makes its inputs on the device and gives the call, which is counted at its second run: what the first
one keeps for later (weights of a resampling, a plan) is not of every call. As a program, in a process with
the emulated package and EMULATOR_TRAFFIC, it runs them: python budget_cases.py LIBRARY [NAME...]
"""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import aten
import numpy as np

ops = aten.ops.aten
rng = np.random.default_rng(5)
Call = Callable[[], Any]
Case = Callable[[], Call]


def of(values: Any) -> aten.Tensor:
    return aten.from_numpy(np.ascontiguousarray(values)).to("cuda")


def normal(*shape: int, dtype: str = "float32") -> aten.Tensor:
    return of(rng.standard_normal(shape).astype(dtype))


def integers(below: int, *shape: int) -> aten.Tensor:
    return of(rng.integers(0, below, shape))


def channels_last(*shape: int) -> aten.Tensor:
    n, c, h, w = shape
    return normal(n, h, w, c).permute(0, 3, 1, 2)


def of_inputs(function: Callable[..., Any], *make: Case) -> Case:
    def prepare() -> Call:
        inputs = [one() for one in make]
        return lambda: function(*inputs)

    return prepare


def backward(function: Callable[..., Any], *make: Case) -> Case:
    """The gradients of all floating-point inputs, without the call itself."""

    def prepare() -> Call:
        inputs = [one() for one in make]
        leaves = [x.requires_grad_(True) for x in inputs if x.dtype.is_floating_point]
        result = function(*inputs)
        # Of the result's strides, as those of the operators behind it are.
        gradient = aten.empty_like(result.detach())
        gradient.copy_(normal(*result.shape, dtype=str(result.dtype).removeprefix("aten.")))
        return lambda: aten.autograd.grad([result], leaves, [gradient], retain_graph=True)

    return prepare


def some(*shape: int, dtype: str = "float32") -> Case:
    return lambda: normal(*shape, dtype=dtype)


def below(limit: int, *shape: int) -> Case:
    return lambda: integers(limit, *shape)


def truth(*shape: int) -> Case:
    return lambda: normal(*shape) > 0


Cases = Iterator[tuple[str, Case]]


def elementwise() -> Cases:
    big = (64, 256)
    for dtype in ("float32", "float16", "float64"):
        x = some(*big, dtype=dtype)
        yield f"elementwise: add, {dtype}", of_inputs(ops.add, x, x)
    yield "elementwise: exp, int64 to float32", of_inputs(ops.exp, below(3, *big))
    yield "elementwise: add, one row to all", of_inputs(ops.add, some(*big), some(256))
    yield "elementwise: add, one column to all", of_inputs(ops.add, some(*big), some(64, 1))
    yield "elementwise: add, transposed", of_inputs(lambda x, y: x + y.t(), some(128, 128), some(128, 128))
    yield "elementwise: where", of_inputs(ops.where, truth(*big), some(*big), some(*big))
    yield "copy: contiguous", of_inputs(lambda x: x.clone(), some(*big))
    yield "copy: transposed", of_inputs(lambda x: x.t().contiguous(), some(128, 128))
    yield "copy: float32 to float16", of_inputs(lambda x: x.half(), some(*big))
    yield "masked_fill", of_inputs(lambda x, m: ops.masked_fill(x, m, 1.0), some(*big), truth(*big))
    yield "dropout: training", of_inputs(lambda x: ops.dropout(x, 0.5, True), some(*big))
    yield "dropout: backward", backward(lambda x: ops.dropout(x, 0.5, True), some(*big))
    yield "cat of 8: rows", of_inputs(lambda *x: ops.cat(x, 0), *[some(16, 64)] * 8)
    yield "cat of 8: columns", of_inputs(lambda *x: ops.cat(x, 1), *[some(64, 16)] * 8)


def reductions() -> Cases:
    yield "reduction: sum of all", of_inputs(ops.sum, some(128, 256))
    yield "reduction: sum, inner", of_inputs(lambda x: ops.sum(x, [1]), some(32, 1024))
    yield (
        "reduction: sum, inner, float16",
        of_inputs(lambda x: ops.sum(x, [1]), some(32, 1024, dtype="float16")),
    )
    yield "reduction: sum, outer", of_inputs(lambda x: ops.sum(x, [0]), some(512, 64))
    yield "reduction: sum, middle", of_inputs(lambda x: ops.sum(x, [1]), some(8, 64, 64))
    yield "reduction: sum, lines of 8", of_inputs(lambda x: ops.sum(x, [1]), some(2048, 8))
    yield "reduction: var, inner", of_inputs(lambda x: ops.var(x, [1]), some(32, 1024))
    yield "reduction: argmax, inner", of_inputs(lambda x: ops.argmax(x, 1), some(32, 1024))
    yield "scan: cumsum, 1-D", of_inputs(lambda x: ops.cumsum(x, 0), some(16384))
    yield "scan: cumsum, lines of 1024", of_inputs(lambda x: ops.cumsum(x, 1), some(16, 1024))
    yield "scan: cumsum, lines of 8", of_inputs(lambda x: ops.cumsum(x, 1), some(2048, 8))
    yield "scan: cumsum, side by side", of_inputs(lambda x: ops.cumsum(x, 0), some(256, 64))


def rows() -> Cases:
    def layer_norm(x: Any, w: Any, b: Any) -> Any:
        return ops.layer_norm(x, [512], w, b)

    def rms_norm(x: Any, w: Any) -> Any:
        return ops.rms_norm(x, [512], w, 1e-5)

    for dtype in ("float32", "float16"):
        yield (
            f"softmax: rows of 1024, {dtype}",
            of_inputs(lambda x: ops.softmax(x, 1), some(16, 1024, dtype=dtype)),
        )
    yield "softmax: rows of 16", of_inputs(lambda x: ops.softmax(x, 1), some(512, 16))
    yield "softmax: side by side", of_inputs(lambda x: ops.softmax(x, 0), some(256, 64))
    yield "softmax: backward", backward(lambda x: ops.softmax(x, 1), some(16, 1024))
    weights = (some(32, 512), some(512), some(512))
    yield "layer_norm", of_inputs(layer_norm, *weights)
    yield "layer_norm: backward", backward(layer_norm, *weights)
    yield "rms_norm", of_inputs(rms_norm, *weights[:2])
    yield "rms_norm: backward", backward(rms_norm, *weights[:2])


def channels() -> Cases:
    def train(x: Any, w: Any, b: Any, mean: Any, var: Any) -> Any:
        return ops.batch_norm(x, w, b, mean, var, True, 0.1, 1e-5, False)

    def run(x: Any, w: Any, b: Any, mean: Any, var: Any) -> Any:
        return ops.batch_norm(x, w, b, mean, var, False, 0.1, 1e-5, False)

    def group_norm(x: Any, w: Any, b: Any) -> Any:
        return ops.group_norm(x, 4, w, b)

    def train_alone(x: Any, w: Any, b: Any) -> Any:
        return ops.batch_norm(x, w, b, None, None, True, 0.1, 1e-5, False)

    parameters = (some(32), some(32))
    for name, x in (
        ("NCHW", some(4, 32, 12, 12)),
        ("channels last", lambda: channels_last(4, 32, 12, 12)),
    ):
        yield f"batch_norm: {name}, training", of_inputs(train, x, *parameters, *parameters)
        yield (
            f"batch_norm: {name}, evaluation",
            of_inputs(run, x, *parameters, some(32), lambda: normal(32).abs()),
        )
        yield f"batch_norm: {name}, backward", backward(train_alone, x, *parameters)
    yield "group_norm", of_inputs(group_norm, some(4, 32, 12, 12), *parameters)
    yield "group_norm: backward", backward(group_norm, some(4, 32, 12, 12), *parameters)


def images() -> Cases:
    x = some(2, 8, 24, 24)
    yield "upsample: nearest", of_inputs(lambda x: ops.upsample_nearest2d(x, [48, 48]), x)
    yield "upsample: bilinear", of_inputs(lambda x: ops.upsample_bilinear2d(x, [48, 48], False), x)
    yield "upsample: bilinear, backward", backward(lambda x: ops.upsample_bilinear2d(x, [48, 48], False), x)
    yield "pooling: max_pool2d", of_inputs(lambda x: ops.max_pool2d(x, [2, 2], [2, 2]), x)
    yield "pooling: max_pool2d, backward", backward(lambda x: ops.max_pool2d(x, [2, 2], [2, 2]), x)
    yield "pooling: avg_pool2d, 3 x 3", of_inputs(lambda x: ops.avg_pool2d(x, [3, 3], [1, 1]), x)
    yield "pooling: adaptive_avg_pool2d, 1 x 1", of_inputs(lambda x: ops.adaptive_avg_pool2d(x, [1, 1]), x)
    x = some(2, 8, 16, 16)
    for size in (1, 3):
        call = lambda x, w, p=size // 2: ops.conv2d(x, w, None, [1, 1], [p, p])  # noqa: E731
        inputs = (x, some(16, 8, size, size))
        yield f"convolution: {size} x {size}", of_inputs(call, *inputs)
        yield f"convolution: {size} x {size}, backward", backward(call, *inputs)
    biased = (x, some(16, 8, 3, 3), some(16))
    yield "convolution: 3 x 3, bias", of_inputs(lambda *t: ops.conv2d(*t, [1, 1], [1, 1]), *biased)
    yield (
        "convolution: depthwise 3 x 3",
        of_inputs(lambda x, w: ops.conv2d(x, w, None, [1, 1], [1, 1], [1, 1], 8), x, some(8, 1, 3, 3)),
    )


def indices() -> Cases:
    table, at = some(64, 64), below(64, 128)

    def permutation() -> Any:
        return of(np.argsort(rng.random((64, 64)), axis=1))

    yield "index: rows", of_inputs(lambda x, i: ops.index(x, [i]), table, at)
    yield "index: rows, backward", backward(lambda x, i: ops.index(x, [i]), table, at)
    yield "index_select: columns", of_inputs(lambda x, i: ops.index_select(x, 1, i), table, below(64, 32))
    yield "gather: within rows", of_inputs(lambda x, i: ops.gather(x, 1, i), table, permutation)
    yield (
        "scatter: within rows",
        of_inputs(lambda x, i, y: ops.scatter(x, 1, i, y), table, permutation, table),
    )
    yield (
        "scatter_add: within rows",
        of_inputs(lambda x, i, y: ops.scatter_add(x, 1, i, y), table, below(64, 64, 64), table),
    )
    yield "embedding", of_inputs(ops.embedding, table, at)
    yield "embedding: backward", backward(ops.embedding, table, at)

    def bags(w: Any, i: Any, start: Any) -> Any:
        return ops.embedding_bag(w, i, start, False, 0)[0]

    def starts() -> Any:
        return of(np.arange(0, 128, 8))

    yield "embedding_bag: sums of 8", of_inputs(bags, table, at, starts)
    yield "embedding_bag: sums of 8, backward", backward(bags, table, at, starts)
    yield "nonzero", of_inputs(ops.nonzero, truth(8192))
    yield "masked_select", of_inputs(ops.masked_select, some(8192), truth(8192))


def sorting() -> Cases:
    yield "sort: rows of 256", of_inputs(lambda x: ops.sort(x, 1), some(8, 256))
    yield "sort: rows of 8192", of_inputs(lambda x: ops.sort(x, 1), some(2, 8192))
    yield "topk: 8 of 1024", of_inputs(lambda x: ops.topk(x, 8, 1), some(16, 1024))
    yield "median: rows of 512", of_inputs(lambda x: ops.median(x, 1), some(8, 512))


def products() -> Cases:
    yield "addmm: bias", of_inputs(ops.addmm, some(40), some(24, 32), some(32, 40))
    of_gelu = functools.partial(ops._addmm_activation, use_gelu=True)
    yield "addmm: bias and gelu", of_inputs(of_gelu, some(40), some(24, 32), some(32, 40))
    halves = (some(2, 12, 32, dtype="float16"), some(40, 32, dtype="float16"), some(40, dtype="float16"))
    yield "linear: bias, float16", of_inputs(ops.linear, *halves)


def lists() -> Cases:
    """100 tensors of 2 to 11 elements each; a launch takes as many as fit into its parameters."""

    def of_lists(function: Callable[..., Any], count: int) -> Case:
        def prepare() -> Call:
            made = [[normal(2 + k % 10) for k in range(100)] for _ in range(count)]
            return lambda: function(*made)

        return prepare

    scalars = [1 + k / 8 for k in range(100)]
    yield "lists: _foreach_sqrt", of_lists(ops._foreach_sqrt, 1)
    yield "lists: _foreach_zero_", of_lists(ops._foreach_zero_, 1)
    yield "lists: _foreach_copy_", of_lists(ops._foreach_copy_, 2)
    yield "lists: _foreach_mul_, a number", of_lists(lambda a: ops._foreach_mul_(a, 1.5), 1)
    yield "lists: _foreach_mul_, 100 numbers", of_lists(lambda a: ops._foreach_mul_(a, scalars), 1)
    yield "lists: _foreach_add_", of_lists(lambda a, b: ops._foreach_add_(a, b, alpha=2), 2)
    yield (
        "lists: _foreach_addcdiv_, 100 numbers",
        of_lists(lambda a, b, c: ops._foreach_addcdiv_(a, b, c, scalars), 3),
    )
    yield "lists: _foreach_lerp_", of_lists(lambda a, b: ops._foreach_lerp_(a, b, 0.25), 2)
    yield "lists: _foreach_norm", of_lists(lambda a: ops._foreach_norm(a, 2), 1)
    large = (some(20000), some(5000), some(12288))
    yield "lists: _foreach_mul, larger", of_inputs(lambda *a: ops._foreach_mul(list(a), 3.0), *large)
    yield "lists: _foreach_norm, larger", of_inputs(lambda *a: ops._foreach_norm(list(a), 2), *large)


def others() -> Cases:
    heads = (some(1, 2, 64, 32),) * 3
    yield "attention", of_inputs(ops.scaled_dot_product_attention, *heads)
    yield "attention: backward", backward(ops.scaled_dot_product_attention, *heads)
    halves = (some(1, 2, 64, 32, dtype="float16"),) * 3
    yield "attention: float16", of_inputs(ops.scaled_dot_product_attention, *halves)
    yield "attention: float16, backward", backward(ops.scaled_dot_product_attention, *halves)
    yield "fft: rows of 256", of_inputs(ops.fft_fft, some(16, 256, dtype="complex64"))
    yield "fft: real rows of 256", of_inputs(ops.fft_rfft, some(16, 256))
    yield "fft: rows of 1009", of_inputs(ops.fft_fft, some(4, 1009, dtype="complex64"))


GROUPS = (elementwise, reductions, rows, channels, images, indices, sorting, products, lists, others)
CASES = dict(case for group in GROUPS for case in group())


def main() -> None:
    write, state = ctypes.CDLL(sys.argv[1]).emulator_write_traffic, rng.bit_generator.state
    for name in sys.argv[2:] or CASES:
        # A case has the same values whichever run before it.
        rng.bit_generator.state = state
        aten.manual_seed(5)
        call = CASES[name]()
        call()
        write(b"before")
        call()
        aten.cuda.synchronize()
        write(name.encode())


if __name__ == "__main__":
    main()
