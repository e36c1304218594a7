"""Kernels that take a way of their own by size or layout give on the device what they give on the CPU."""

from __future__ import annotations

import pytest
from device_programs import check, needs_device

pytestmark = needs_device

PRELUDE = """
import numpy as np

ops = aten.ops.aten
rng = np.random.default_rng(1)


def values(dtype, *shape):
    return rng.integers(0, 2 if dtype == "bool" else 9, shape).astype(dtype)


def same(name, function, *arrays, tolerance=0):
    results = []
    for device in ("cpu", "cuda"):
        found = function(*(aten.from_numpy(a.copy()).to(device) for a in arrays))
        found = found if isinstance(found, (tuple, list)) else [found]
        results.append([x.detach().cpu().numpy() for x in found])
    for one, other in zip(*results, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype), name
        np.testing.assert_allclose(other, one, rtol=tolerance, atol=tolerance, err_msg=name)


def with_gradients(function, *inputs):
    leaves = [x.detach().requires_grad_(True) for x in inputs]
    result = function(*leaves)
    return [result, *aten.autograd.grad([result], leaves, [result.detach() * 2 + 1])]


"""
PROGRAMS = {
    "transposed copies": """
for dtype in ("uint8", "int16", "float32", "float64", "complex128"):
    for shape in ((8, 8), (33, 40), (100, 7), (65, 31)):
        same("matrix", lambda x: x.t().contiguous(), values(dtype, *shape))
    for order in ((0, 2, 3, 1), (3, 1, 2, 0), (0, 3, 2, 1)):
        same("images", lambda x: x.permute(order).contiguous(), values(dtype, 2, 9, 10, 11))
    same("part", lambda x, y: y[2:42, 1:34].t().copy_(x), values(dtype, 33, 40), values(dtype, 50, 60))
    same("steps", lambda x: x[:, ::2].t().contiguous(), values(dtype, 40, 50))
""",
    "operands contiguous in different dimensions": """
for dtype in ("bool", "float16", "float32", "float64", "complex128"):
    for shape in ((8, 8), (16, 16), (33, 40), (100, 7), (7, 100), (17, 300)):
        same("matrix", lambda x, y: ops.add(x, y.t()), values(dtype, *shape), values(dtype, *shape[::-1]))
        same("both", lambda x, y: ops.eq(x.t(), y), values(dtype, *shape), values(dtype, *shape[::-1]))
    shape = (2, 9, 10, 11)
    for order in ((0, 2, 3, 1), (3, 1, 2, 0), (1, 0, 3, 2)):
        arrays = [values(dtype, *(shape[d] for d in order)), values(dtype, *shape)]
        same("images", lambda x, y: ops.mul(x, y.permute(order)), *arrays)
        same("where", lambda x, y: ops.where(x != 1, x, y.permute(order)), *arrays)
    same("converted", lambda x, y: ops.sub(y.t(), x), values("float32", 40, 33), values("int16", 33, 40))
    same("to another dtype", lambda x: x.t().to(aten.int32), values(dtype, 40, 33))
    same("part", lambda x, y: y[2:42, 1:34].t().mul_(x), values(dtype, 33, 40), values(dtype, 50, 60))
    same("one column", lambda x, y: x.t() + y, values(dtype, 40, 33), values(dtype, 33, 1))
    same("steps", lambda x, y: x[:, ::2].t() + y, values(dtype, 40, 50), values(dtype, 25, 40))
""",
    "Fourier transforms": """
for dtype in ("float32", "float64"):
    close = lambda *a: same(*a, tolerance=1e-4 if dtype == "float32" else 1e-10)
    for shape in ((7, 64), (8, 64), (33, 40), (40, 9), (1, 32), (70, 1)):
        x, y = (rng.standard_normal(shape).astype(dtype) for _ in range(2))
        z = x + x.dtype.type(1) * (1j * y).astype("complex64" if dtype == "float32" else "complex128")
        for d in (0, 1):
            close(f"fft {shape} {d}", lambda z: ops.fft_fft(z, None, d), z)
            close(f"rfft {shape} {d}", lambda x: ops.fft_rfft(x, None, d), x)
            close(f"hfft {shape} {d}", lambda z: ops.fft_hfft(z, 2 * z.shape[d] - 1, d), z)
            close(f"irfft {shape} {d}", lambda z: ops.fft_irfft(z, 2 * z.shape[d], d), z)
        close(f"real {shape}", lambda x: ops.fft_fft(x), x)
        close(f"transposed {shape}", lambda z: ops.fft_fft(z.t(), None, 1), z)
    x = rng.standard_normal((9, 65)).astype(dtype)
    close("odd rows", lambda x: ops.fft_rfft(x[:, :64]), x)
    close("odd place", lambda x: ops.fft_rfft(x.view([-1])[1:577].view([9, 64])), x)
    close("of several dimensions", lambda x: ops.fft_fft2(x), rng.standard_normal((3, 9, 10)).astype(dtype))
""",
    "long sorts": """
for dtype in ("bool", "uint8", "int16", "float16", "int32", "float32", "int64", "float64"):
    for shape in ((1, 3000), (3, 2500)):
        x = rng.integers(0, 2 if dtype == "bool" else 100, shape).astype(dtype)
        if dtype.startswith("float"):
            x[:, ::7], x[:, ::11], x[:, ::13], x[:, 5] = -x[:, ::7], np.nan, -0.0, -np.inf
        for descending in (False, True):
            same(f"sort {dtype}", lambda x: ops.sort(x, 1, descending), x)
        same(f"columns {dtype}", lambda x: ops.sort(x.t(), 0), x)
        same(f"topk {dtype}", lambda x: ops.topk(x, 2400, 1)[0], x)
""",
    "max_pool2d": """
for dtype in ("int16", "float32", "float64"):
    for shape in ((2, 3, 8, 10), (1, 2, 7, 12), (1, 1, 9, 9), (3, 2, 2, 2)):
        x = values(dtype, *shape)
        for kernel, stride, padding in ((2, 2, 0), ([3, 2], [1, 2], [1, 0]), (2, 2, 1)):
            sizes = [[n] * 2 if isinstance(n, int) else n for n in (kernel, stride, padding)]
            for up in (False, True):
                pool = lambda x: ops.max_pool2d_with_indices(x, *sizes, [1, 1], up)
                same(f"{shape} {sizes} {up}", pool, x)
                same("last", lambda x: pool(x.contiguous(memory_format=aten.channels_last)), x)
    x = values(dtype, 145)
    same("odd place", lambda x: ops.max_pool2d_with_indices(x[1:].view([1, 1, 12, 12]), [2, 2], [2, 2]), x)
nan = np.where(rng.random((2, 3, 8, 8)) > 0.8, np.nan, rng.random((2, 3, 8, 8)))
same("NaN", lambda x: ops.max_pool2d_with_indices(x, [2, 2], [2, 2]), nan)
""",
    "cat": """
for dtype in ("uint8", "int16", "float32", "complex128"):
    for dim in range(3):
        for sizes in ((3, 4, 5), (8, 16, 8), (1, 2), (5,)):
            shapes = [[4, 6, 8] for _ in sizes]
            for shape, size in zip(shapes, sizes):
                shape[dim] = size
            same("dense", lambda *x: ops.cat(x, dim), *(values(dtype, *shape) for shape in shapes))
    same("shifted", lambda x, y: ops.cat([x[1:], y], 0), values(dtype, 7), values(dtype, 7))
    same("many", lambda *x: ops.cat(x, 1), *(values(dtype, 3, 1 + k % 3) for k in range(150)))
    same("empty", lambda *x: ops.cat(x, 0), *(values(dtype, n, 4) for n in (3, 0, 2)))
    images = [values(dtype, 2, 3, 4, 5), values(dtype, 2, 3, 4, 2)]
    same("channels last", lambda *x: ops.cat([y.permute(0, 3, 1, 2) for y in x], 1), *images)
""",
    "scans": """
lines = ((5, 1), (40, 7), (300, 16), (9, 31), (9, 32), (9, 33))
columns = ((700, 3), (700, 9), (64, 40), (33, 70), (10, 70), (130, 2))
cases = [(shape, 1) for shape in lines] + [(shape, 0) for shape in columns] + [((3, 100, 33), 1)]
for shape, dim in cases:
    for dtype in ("int16", "float32", "complex128"):
        same("cumsum", lambda x: ops.cumsum(x, dim), values(dtype, *shape), tolerance=1e-5)
    same("cummax", lambda x: ops.cummax(x, dim), values("float32", *shape))
    same("logcumsumexp", lambda x: ops.logcumsumexp(x, dim), values("float32", *shape), tolerance=1e-5)
""",
    "nonzero": """
for n in (1, 31, 33, 255, 257, 2047, 2049, 5000):
    for dtype in ("bool", "int16", "complex128"):
        same("nonzero", ops.nonzero, rng.integers(0, 2, n).astype(dtype))
same("nonzero", ops.nonzero, rng.integers(0, 2, (7, 9, 11)))
same("masked_select", lambda x: ops.masked_select(x, x == 1), values("float32", 3000))
""",
    "1 x 1 convolutions": """
for n, channels, outputs in ((2, 5, 7), (1, 3, 4), (4, 2, 3), (3, 4, 1)):
    x, w, b = (rng.standard_normal(s) for s in ((n, channels, 6, 5), (outputs, channels, 1, 1), outputs))
    same("conv2d", lambda *t: with_gradients(ops.conv2d, *t), x, w, b, tolerance=1e-9)
    arrays = [x, w.swapaxes(0, 1)]
    same("transposed", lambda *t: with_gradients(ops.conv_transpose2d, *t), *arrays, tolerance=1e-9)
    arrays = [x.reshape(1, -1, 6, 5), rng.standard_normal((n * outputs, channels, 1, 1))]
    same("groups", lambda x, w: ops.conv2d(x, w, None, [1, 1], [0, 0], [1, 1], n), *arrays, tolerance=1e-9)
""",
    "normalisation of channels": """
for shape in ((4, 32, 5, 6), (2, 7, 3, 4), (300, 20), (2, 40, 3, 3)):
    channels = shape[1]
    for last in (False, True):
        for train in (False, True):

            def normalise(x, w, b, mean, var):
                x = x.transpose(1, -1).contiguous().transpose(1, -1) if last else x
                call = lambda *t: ops.batch_norm(*t, mean, var, train, 0.1, 1e-5, False)
                return [*with_gradients(call, x, w, b), mean, var]

            arrays = [rng.random(shape), *(rng.random(channels) for _ in range(4))]
            same(f"batch_norm {shape} {last} {train}", normalise, *arrays, tolerance=1e-8)
for shape, groups in (((4, 32, 5, 6), 4), ((2, 6, 3, 4), 6), ((3, 8), 2), ((5, 17, 11), 1)):
    arrays = [rng.random(shape), rng.random(shape[1]), rng.random(shape[1])]
    call = lambda *t: with_gradients(lambda x, w, b: ops.group_norm(x, groups, w, b), *t)
    same(f"group_norm {shape} {groups}", call, *arrays, tolerance=1e-8)
""",
}


@pytest.mark.parametrize("order", (0, 2), ids=("forward", "random"))
@pytest.mark.parametrize("name", PROGRAMS)
def test_result_is_that_of_the_cpu(name: str, order: int) -> None:
    check(PRELUDE + PROGRAMS[name], order=order, initialised=True)
