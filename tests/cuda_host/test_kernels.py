"""Kernels at sizes that the operators' samples lack: several rounds of a block, several blocks of a result.

Each case is a call of an operator, run on the CPU and on the device that ATEN_KERNELS_ON names; suite.py sets
it, where the package with the emulated device is imported. mutants.py runs the cases of what it has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import aten
import numpy as np
import pytest
import three_orders
from compare import assert_values
from kernel_inputs import Inputs
from list_cases import segments, steps

DEVICE = os.environ.get("ATEN_KERNELS_ON", "")
pytestmark = pytest.mark.skipif(not DEVICE, reason="needs a device: make test-cuda-host runs it")

ops = aten.ops.aten
TOLERANCE = {"float16": (4e-3, 4e-3), "float32": (1e-4, 1e-4), "float64": (1e-7, 1e-7)}


Case = Callable[[Inputs], Any]


def with_gradients(call: Callable[..., Any], *leaves: aten.Tensor) -> list[aten.Tensor]:
    """The results, and the gradients of the leaves, each element of a result with a weight of its own."""
    inputs = [leaf.detach().requires_grad_() for leaf in leaves]
    result = call(*inputs)
    outputs = [o for o in (result if isinstance(result, (tuple, list)) else [result]) if o.requires_grad]
    weights = [
        aten.from_numpy(np.sin(np.arange(o.numel())).reshape(tuple(o.shape)).astype(np.float32))
        .to(o.dtype)
        .to(o.device)
        for o in outputs
    ]
    found = aten.autograd.grad(outputs, inputs, weights, allow_unused=True)
    return [*outputs, *(g for g in found if g is not None)]


def reductions() -> Iterator[tuple[str, Case]]:
    for shape, dims in (((70003,), [0]), ((3, 9001), [1]), ((9001, 3), [0]), ((5, 40, 6), [0, 2])):
        at = f"{'x'.join(map(str, shape))}"
        yield f"reduction/reduce.cu sum {at}", lambda i, s=shape, d=dims: ops.sum(i.normal(*s), d)
        yield f"reduction/reduce.cu amax {at}", lambda i, s=shape, d=dims: ops.amax(i.normal(*s), d)
        yield f"reduction/reduce.cu hash {at}", lambda i, s=shape, d=dims: ops.hash_tensor(i.normal(*s), d)
        yield f"reduction/reduce_var.cu var {at}", lambda i, s=shape, d=dims: ops.var(i.normal(*s), d)
        if len(dims) == 1:
            yield f"reduction/reduce_arg.cu {at}", lambda i, s=shape, d=dims: ops.argmax(i.shuffled(*s), d[0])


def elementwise() -> Iterator[tuple[str, Case]]:
    for dtype in TOLERANCE:
        yield f"elementwise/frexp.cu {dtype}", lambda i, t=dtype: ops.frexp(i.of_all_sizes(t)[1:])


def copies() -> Iterator[tuple[str, Case]]:
    for dtype in ("float32", "float16", "complex128"):
        yield (
            f"copy/by_tiles.cu {dtype}",
            lambda i, t=dtype: ops.contiguous(ops.transpose(i.normal(3, 70, 45).to(getattr(aten, t)), 1, 2)),
        )


def transforms() -> Iterator[tuple[str, Case]]:
    """Tiles of lines whose points are neighbours, in several rounds of a block."""

    def of_complex(x: Any) -> Any:
        return ops.view_as_real(ops.fft_fft(ops.view_as_complex(x), None, 1))

    for dtype in ("float32", "float64"):
        yield (
            f"fft/fft.cu real {dtype}",
            lambda i, t=dtype: ops.view_as_real(ops.fft_rfft(i.normal(40, 140, dtype=t), None, 1)),
        )
        yield f"fft/fft.cu complex {dtype}", lambda i, t=dtype: of_complex(i.normal(40, 70, 2, dtype=t))


def scans() -> Iterator[tuple[str, Case]]:
    # From 8192 elements on a line is scanned in parts of 4096 and more.
    parts = (((8191,), 0), ((8192,), 0), ((8193,), 0), ((12290,), 0), ((2, 8203), 1), ((8203, 2), 0))
    yield "scan/cumsum.cu more parts than threads", lambda i: ops.cumsum(i.integers(3, 257 * 4096 + 5), 0)
    for shape, dim in (
        ((3, 700), 1),
        ((700, 3), 0),
        ((400, 5), 0),
        ((2, 40), 1),
        ((40, 20), 1),
        ((300, 40), 0),
        *parts,
    ):
        at = f"{'x'.join(map(str, shape))}"
        yield f"scan/cumsum.cu {at}", lambda i, s=shape, d=dim: ops.cumsum(i.normal(*s), d)
        yield f"scan/cumprod.cu {at}", lambda i, s=shape, d=dim: ops.cumprod(i.normal(*s) * 0.02 + 1, d)
        yield f"scan/cummax.cu {at}", lambda i, s=shape, d=dim: ops.cummax(i.shuffled(*s), d)
        yield (
            f"scan/logcumsumexp.cu {at}",
            lambda i, s=shape, d=dim: ops.logcumsumexp(i.normal(*s), d),
        )


def sorting() -> Iterator[tuple[str, Case]]:
    for shape in ((5, 300), (40, 100), (3, 3000)):
        at = f"{'x'.join(map(str, shape))}"
        yield f"sorting/sort.cu {at}", lambda i, s=shape: ops.sort(i.shuffled(*s), 1)
        yield f"sorting/sort.cu descending {at}", lambda i, s=shape: ops.sort(i.shuffled(*s), 1, True)
        yield f"sorting/line_choices.cu kthvalue {at}", lambda i, s=shape: ops.kthvalue(i.shuffled(*s), 17, 1)
        yield f"sorting/line_choices.cu median {at}", lambda i, s=shape: ops.median(i.shuffled(*s), 1)
        yield f"sorting/line_choices.cu mode {at}", lambda i, s=shape: ops.mode(i.integers(9, *s), 1)[0]
        yield f"sorting/topk.cu {at}", lambda i, s=shape: ops.topk(i.shuffled(*s), 20, 1)
    yield "sorting/topk.cu many", lambda i: ops.topk(i.shuffled(17, 2500), 300, 1)
    yield "sorting/topk.cu equal", lambda i: ops.topk(i.integers(50, 17, 2500), 300, 1)[0]
    yield "sorting/line_choices.cu nanmedian", lambda i: ops.nanmedian(i.with_nans(3, 600), 1)[0]


def rows() -> Iterator[tuple[str, Case]]:
    for dtype in ("float32", "float16"):
        for shape, dim in (((5, 700), 1), ((700, 5), 0), ((3, 40, 5), 1)):
            at = f"{'x'.join(map(str, shape))} {dtype}"

            def softmax(i: Inputs, name: str, s: Any = shape, d: int = dim, t: str = dtype) -> Any:
                return with_gradients(lambda x: getattr(ops, name)(x, d), i.normal(*s, dtype=t))

            yield f"activation/softmax.cu {at}", lambda i, f=softmax: f(i, "softmax")
            yield f"activation/softmax.cu logarithm {at}", lambda i, f=softmax: f(i, "log_softmax")
    for size in (5, 300, 700):
        yield (
            f"normalization/layer_norm.cu {size}",
            lambda i, n=size: with_gradients(
                lambda x, w, b: ops.layer_norm(x, [n], w, b), i.normal(6, n), i.normal(n), i.normal(n)
            ),
        )
        yield (
            f"normalization/rms_norm.cu {size}",
            lambda i, n=size: with_gradients(
                lambda x, w: ops.rms_norm(x, [n], w, 1e-5), i.normal(6, n), i.normal(n)
            ),
        )
    yield (
        "normalization/layer_norm_backward.cu many rows",
        lambda i: with_gradients(
            lambda x, w, b: ops.layer_norm(x, [7], w, b), i.normal(600, 7), i.normal(7), i.normal(7)
        ),
    )


def channels() -> Iterator[tuple[str, Case]]:
    """Channels whose elements are vectors, or not, from an aligned place or not."""

    def train(x: Any, w: Any, b: Any) -> Any:
        return ops.batch_norm(x, w, b, None, None, True, 0.1, 1e-5, False)

    def evaluate(x: Any, w: Any, b: Any) -> Any:
        mean, var = (aten.ones_like(w.detach()) * v for v in (0.3, 2.0))
        return ops.batch_norm(x, w, b, mean, var, False, 0.1, 1e-5, False)

    def normalise(x: Any, w: Any, b: Any) -> Any:
        return ops.group_norm(x, 2, w, b)

    shapes = ((4, 6, 9), (2, 6, 300), (300, 6), (3, 70, 8))
    kinds = [(s, t, first) for s in shapes for t in ("float32", "float16") for first in (0, 1)]
    for shape, dtype, first in kinds:
        at = f"{'x'.join(map(str, shape))} {dtype} from {first}"
        for source, call in (("channel_norm", train), ("channel_norm", evaluate), ("group_norm", normalise)):

            def channel_norm(i: Inputs, f: Any = call, s: Any = shape, k: Any = (dtype, first)) -> Any:
                x = i.rows(1, int(np.prod(s)), *k).view(list(s))
                return with_gradients(f, x, i.normal(s[1]), i.normal(s[1]))

            yield f"normalization/{source}.cu {call.__name__} {at}", channel_norm


def held_rows() -> Iterator[tuple[str, Case]]:
    """On both sides of where a row takes a few lanes, a warp, a block, or doesn't fit into registers."""
    sizes = [2, 16, 17, 128, 130, 512, 520, 1024, 1026, 1032, 4096, 4104, 8192, 8200]
    for dtype, size in [("float32", n) for n in sizes] + [(t, n) for t in TOLERANCE for n in (32, 130, 1032)]:
        for first in (0, 1):
            count = 35 if size < 600 else 3
            at = f"{size} {dtype} from {first}"

            def held(i: Inputs, call: Any, parameters: int, many: Any = (count, size, dtype, first)) -> Any:
                weights = [i.normal(many[1], dtype=many[2]) for _ in range(parameters)]
                return with_gradients(lambda *x: call(*x, n=many[1]), i.rows(*many), *weights)

            def layer_norm(x: Any, w: Any, b: Any, n: int) -> Any:
                return ops.layer_norm(x, [n], w, b)

            def rms_norm(x: Any, w: Any, n: int) -> Any:
                return ops.rms_norm(x, [n], w, 1e-5)

            yield f"activation/softmax.cu {at}", lambda i, f=held: f(i, lambda x, n: ops.softmax(x, 1), 0)
            yield (
                f"activation/softmax.cu logarithm {at}",
                lambda i, f=held: f(i, lambda x, n: ops.log_softmax(x, 1), 0),
            )
            yield f"normalization/rms_norm.cu {at}", lambda i, f=held: f(i, rms_norm, 1)
            if size > 2:  # of two elements almost nothing is left of the gradient
                yield f"normalization/layer_norm.cu {at}", lambda i, f=held: f(i, layer_norm, 2)
    for dtype, n in (("float32", 36), ("float16", 35)):

        def shares(i: Inputs, k: Any = (700, n, dtype)) -> Any:
            parameters = [i.normal(k[1], dtype=k[2]) for _ in range(2)]
            return with_gradients(lambda x, w, b: ops.layer_norm(x, [k[1]], w, b), i.rows(*k), *parameters)

        yield f"normalization/parameter_sums.cu shares {dtype}", shares


def attention() -> Iterator[tuple[str, Case]]:
    for file, dtype, size in (("attention", "float32", 16), ("tensor_cores", "float16", 40)):
        for mask, causal in ((False, False), (False, True), (True, False)):

            def attend(
                i: Inputs, mask: bool = mask, causal: bool = causal, t: str = dtype, n: int = size
            ) -> Any:
                given = i.normal(40, 70, dtype=t) if mask else None
                return with_gradients(
                    lambda q, k, v: ops.scaled_dot_product_attention(q, k, v, given, 0.0, causal),
                    i.normal(1, 2, 40, n, dtype=t),
                    i.normal(1, 2, 70, n, dtype=t),
                    i.normal(1, 2, 70, n, dtype=t),
                )

            yield f"attention/{file}.cu mask {mask} causal {causal}", attend


def integer_products() -> Iterator[tuple[str, Case]]:
    """On both sides of a tile's 64 rows and columns and of 16 products at a time; sums overflow."""
    for dtype in ("int8", "uint8", "int16", "int32", "int64"):

        def of(i: Inputs, *shape: int, t: str = dtype) -> aten.Tensor:
            return i.integers(2**63 - 1 if t == "int64" else 100, *shape, dtype=t)

        at = f"matmul/integer_product.cu {dtype}"
        yield f"{at} one tile", lambda i, f=of: ops.mm(f(i, 64, 16), f(i, 16, 64))
        yield f"{at} batches", lambda i, f=of: ops.bmm(f(i, 3, 65, 17), f(i, 3, 17, 129))
        yield (
            f"{at} columns",
            lambda i, f=of: ops.addmm(f(i, 70, 9), f(i, 33, 70).t(), f(i, 9, 33).t(), beta=-2, alpha=3),
        )
        yield f"{at} vector", lambda i, f=of: ops.mv(f(i, 70, 100), f(i, 100))
    for dtype in ("int8", "uint8"):
        yield (
            f"matmul/integer_product.cu _int_mm {dtype}",
            lambda i, t=dtype: ops._int_mm(
                i.integers(100, 70, 40, dtype=t), i.integers(99, 40, 5, dtype="int8")
            ),
        )


def others() -> Iterator[tuple[str, Case]]:
    for mode in (0, 1, 2):
        yield (
            f"embedding/embedding_bag.cu mode {mode}",
            lambda i, m=mode: with_gradients(
                lambda w: ops.embedding_bag(
                    w, i.integers(11, 40), i.of(np.array([0, 3, 3, 20, 21])), False, m
                )[0],
                i.normal(11, 300),
            ),
        )
    yield (
        "embedding/embedding_bag.cu weights",
        lambda i: with_gradients(
            lambda w, p: ops.embedding_bag(
                w, i.integers(11, 40), i.of(np.array([0, 3, 20])), False, 0, False, p
            )[0],
            i.normal(11, 300),
            i.normal(40),
        ),
    )
    for norm in (2.0, float("inf")):
        yield (
            f"embedding/embedding_renorm.cu {norm}",
            lambda i, p=norm: ops.embedding_renorm_(i.normal(9, 600), i.integers(4, 12), 0.7, p),
        )
    for reduction in (0, 1, 2):
        yield (
            f"loss/nll_loss.cu {reduction}",
            lambda i, r=reduction: with_gradients(
                lambda x: ops.nll_loss(x, i.integers(7, 600), i.normal(7).abs(), r, 3), i.normal(600, 7)
            ),
        )
    for size in (1, 2048, 9000):
        yield f"indexing/nonzero.cu {size}", lambda i, n=size: ops.nonzero(i.integers(3, n, dtype="int32"))
        yield (
            f"indexing/nonzero.cu masked_select {size}",
            lambda i, n=size: ops.masked_select(i.normal(n), i.normal(n) > 0),
        )
    for dtype in ("int32", "int64"):
        yield (
            f"shape/repeat_interleave.cu {dtype}",
            lambda i, t=dtype: ops.repeat_interleave(i.integers(4, 700, dtype=t)),
        )
    for groups in (1, 2):
        for name, size in (("images", 17), ("few positions", 5)):

            def biased(i: Inputs, g: int = groups, n: int = size) -> Any:
                return with_gradients(
                    lambda x, w, b: ops.conv2d(x, w, b, [2, 1], [1, 1], [1, 1], g),
                    i.normal(3, 4, n, n),
                    i.normal(6, 4 // g, 3, 3),
                    i.normal(6),
                )

            def transposed(i: Inputs, g: int = groups, n: int = size) -> Any:
                return with_gradients(
                    lambda x, w, b: ops.conv_transpose2d(x, w, b, [2, 1], [1, 1], [0, 0], g),
                    i.normal(3, 4, n, n),
                    i.normal(4, 6 // g, 3, 3),
                    i.normal(6),
                )

            yield f"convolution/convolution.cu bias {name} groups {groups}", biased
            yield f"convolution/convolution.cu bias transposed {name} groups {groups}", transposed
    yield (
        "convolution/convolution.cu bias float16",
        lambda i: ops.conv2d(
            *(i.normal(*s, dtype="float16") for s in ((2, 3, 9, 9), (5, 3, 3, 3), (5,))), [1, 1], [0, 0]
        ),
    )
    for groups in (1, 3):
        yield (
            f"convolution/convolution.cu groups {groups}",
            lambda i, g=groups: with_gradients(
                lambda x, w: ops.conv2d(x, w, None, [1, 1], [1, 1], [1, 1], g),
                i.normal(2, 3, 17, 19),
                i.normal(6, 3 // g, 3, 3),
            ),
        )


MAKERS = (
    *(reductions, elementwise, copies, transforms, scans, sorting, rows, channels, held_rows, attention),
    *(integer_products, others),
    *(steps, segments),
)
CASES = dict(case for make in MAKERS for case in make())


@pytest.mark.parametrize("name", CASES)
def test_result_is_that_of_the_cpu(name: str) -> None:
    expected = listed(CASES[name](Inputs("cpu")))
    results = [listed(r) for r in three_orders.results_in_each_order(lambda: CASES[name](Inputs(DEVICE)))]
    for found in results:
        for got, wanted in zip(found, expected, strict=True):
            assert str(got.device).startswith("cuda")
            dtype = str(wanted.dtype).removeprefix("aten.")
            tolerance = TOLERANCE.get(dtype, (0, 0))
            values = [t.detach().cpu().numpy() for t in (got, wanted)]
            assert_values(values[0], values[1], tolerance, name)
    three_orders.same_bits(results, name)


def listed(result: Any) -> list[aten.Tensor]:
    return [result] if isinstance(result, aten.Tensor) else list(result)
