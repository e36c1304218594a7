"""Operators on lists on CUDA have the bits of the single operators, in one launch or in several."""

from __future__ import annotations

import host
import pytest

pytestmark = pytest.mark.skipif(not host.is_built(), reason="build/cuda_host is not built")

PRELUDE = """
import aten
import numpy as np

rng = np.random.default_rng(3)
# More items than one launch has, some of several chunks with a rest, one without elements, single ones.
SIZES = (9001, 0, 4096, 3, 1, *(1 + k % 5 for k in range(62)), 20001)


def tensors(dtype, low=-2.0, high=2.0):
    made = [aten.from_numpy(rng.uniform(low, high, n)).to(getattr(aten, dtype)).to("cuda") for n in SIZES]
    # One begins behind where vectors do, one is a matrix with another order in memory.
    return [made[0][1:], *made[1:-1], made[-1][1:].view([2500, 8]).t()]


def bits(t):
    as_bytes = t.contiguous().reshape([-1]).view(aten.uint8)
    return t.dtype, tuple(t.shape), t.stride(), as_bytes.cpu().numpy().tobytes()


def item(args, i):
    return [a[i] if isinstance(a, list) else a for a in args]


def compare(name, single, *args, inplace=True, **options):
    function = getattr(aten.ops.aten, f"_foreach_{name}")
    expected = [single(*item(args, i), **options) for i in range(len(args[0]))]
    forms = [function(*args, **options)]
    if inplace:
        first = [t.clone() for t in args[0]]
        getattr(aten.ops.aten, f"_foreach_{name}_")(first, *args[1:], **options)
        forms.append(first)
    for found in forms:
        for i, (f, e) in enumerate(zip(found, expected, strict=True)):
            assert bits(f) == bits(e), (name, options, i)


"""
UNARY = """
for dtype in DTYPES:
    x = tensors(dtype, 0.25, 0.75)
    for name in NAMES.split():
        compare(name, getattr(aten, name), x, inplace=(name, dtype) != ("abs", "complex64"))
    zeroed = [t.clone() for t in x]
    aten._foreach_zero_(zeroed)
    assert [bits(t) for t in zeroed] == [bits(aten.zeros_like(t)) for t in x]
"""
UNARY_NAMES = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg "
    "reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
)
REAL_NAMES = "ceil erf erfc floor frac lgamma round sign trunc"
OTHERS = """
for dtype in DTYPES:
    a, b, c = (tensors(dtype, 1, 3) for _ in range(3))
    floating, real = "int" not in dtype, "complex" not in dtype
    scalars = [k % 7 + (1.5 if floating else 1) for k in range(len(a))]
    for name in ("add", "sub", "mul", *(("div",) if floating else ()), "pow"):
        one = getattr(aten, name)
        compare(name, one, a, b)
        compare(name, one, a, 3)
        compare(name, one, a, scalars)
    compare("pow", aten.pow, a, [float(k % 6 - 2) if floating else k % 4 for k in range(len(a))])
    compare("add", aten.add, a, b, alpha=2)
    compare("sub", aten.sub, a, b, alpha=2)
    if real:
        limits = [float("nan") if floating and k % 9 == 8 else s for k, s in enumerate(scalars)]
        for name in ("maximum", "clamp_min", "minimum", "clamp_max"):
            compare(name, getattr(aten, name), a, b)
        for name in ("clamp_min", "clamp_max"):
            compare(name, getattr(aten, name), a, 2)
            compare(name, getattr(aten, name), a, limits)
    number = aten.full((), 3, dtype=a[0].dtype, device="cuda")
    compare("mul", aten.mul, a, number)
    compare("add", aten.add, a, number, alpha=2)
    compare("mul", aten.mul, a, number.cpu())
    for name in ("addcmul", *(("addcdiv",) if floating else ())):
        one = getattr(aten, name)
        compare(name, lambda x, y, z, v=1: one(x, y, z, value=v), a, b, c)
        compare(name, lambda x, y, z, v: one(x, y, z, value=v), a, b, c, 2)
        compare(name, lambda x, y, z, v: one(x, y, z, value=v), a, b, c, scalars)
    if floating:
        compare("lerp", aten.lerp, a, b, c)
        compare("lerp", aten.lerp, a, b, 0.25)
        compare("lerp", aten.lerp, a, b, scalars)
    compare("copy", lambda x, y: y.clone(), a, b)
    compare("copy", lambda x, y: y.to(x.dtype), a, tensors("float32", 1, 3))
    compare("clone", lambda x: x.clone(), a, inplace=False)
    if floating and real:
        for order in (0, 1, 2, 3, float("inf")):
            full = [x for x in a if x.numel() > 0]
            compare("norm", aten.linalg.vector_norm, full, order, inplace=False)
    if real:
        compare("max", aten.max, [x for x in a if x.numel() > 0], inplace=False)
"""
MIXED = """
def mixed():
    shapes = ((3, 5), (1,), (7,), (0,), (2, 3, 4), (4, 6), (), (), (9,))
    made = [rng.standard_normal(shape) for shape in shapes]
    x = [aten.from_numpy(np.asarray(m)).to(aten.float32).to("cuda") for m in made]
    return [*x, x[5][:, ::2], x[5].t(), x[1].expand(3), x[0].to(aten.float64), x[8].to(aten.bfloat16),
            aten.arange(5).to("cuda"), aten.arange(6).to("cuda"), x[8].cpu(), x[2].cpu()]


def same(found, expected):
    assert [f.device for f in found] == [e.device for e in expected]
    assert list(map(bits, found)) == list(map(bits, expected))


a, b = mixed(), mixed()
same(aten._foreach_exp(a), [aten.exp(x) for x in a])
same(aten._foreach_mul(a, 3), [aten.mul(x, 3) for x in a])
same(aten._foreach_mul(a, 2.5), [aten.mul(x, 2.5) for x in a])
same(aten._foreach_add(a, b, alpha=2), [aten.add(x, y, alpha=2) for x, y in zip(a, b)])
half = [x.to(aten.float16) if x.is_floating_point() else x for x in b]
same(aten._foreach_mul(a, half), [aten.mul(x, y) for x, y in zip(a, half)])

# Tensors that share memory are processed in order.
a, b, c = (aten.full((9000,), float(k), device="cuda") for k in (1, 2, 3))
aten._foreach_add_([a, b, a], [b, a, a])
assert (a[0].item(), b[-1].item()) == (6, 5)
aten._foreach_mul_([a, b, a], [2.0, 3.0, 4.0])
assert (a[0].item(), b[-1].item()) == (48, 15)
same(aten._foreach_mul([a, b], [a, c]), [aten.mul(a, a), aten.mul(b, c)])
square = aten.arange(16.0, device="cuda").view([4, 4])
same(aten._foreach_add([square, square], [square.t(), square.t()]), [square + square.t()] * 2)
"""


def passes(program: str, **settings: object) -> None:
    outcome = host.run(PRELUDE + program, **settings)
    assert outcome.returncode == 0, outcome.stderr
    assert host.unreviewed(outcome.reports) == []


@pytest.mark.parametrize("dtypes", (("float32", "complex64"), ("float16", "float64")), ids="-".join)
def test_functions_of_one_list(dtypes: tuple[str, ...]) -> None:
    names = [n for n in UNARY_NAMES.split() if "complex64" not in dtypes or n not in REAL_NAMES.split()]
    passes(f"DTYPES, NAMES = {dtypes}, {' '.join(names)!r}\n{UNARY}")


def test_functions_of_real_lists() -> None:
    passes(f"DTYPES, NAMES = ('float32', 'bfloat16'), {REAL_NAMES!r}\n{UNARY}")


@pytest.mark.parametrize("dtype", ("float16", "int64", "float64", "complex64"))
def test_functions_of_several_lists(dtype: str) -> None:
    passes(f"DTYPES = ({dtype!r},)\n{OTHERS}")


@pytest.mark.parametrize("order", range(3), ids=host.ORDERS)
def test_functions_of_several_lists_in_each_order(order: int) -> None:
    passes(f"DTYPES = ('float32',)\n{OTHERS}", order=order)


def test_lists_that_one_launch_cannot_do() -> None:
    passes(MIXED)


def test_lists_on_another_device() -> None:
    program = """
with aten.cuda.device(0):
    a = [aten.full((n,), 2.0, device="cuda:1") for n in (3, 5000, 7)]
    aten._foreach_mul_(a, [2.0, 3.0, 4.0])
    assert [t[-1].item() for t in a] == [4, 6, 8]
    b = aten._foreach_add(a, 1)
    assert all(str(t.device) == "cuda:1" for t in b) and [t[-1].item() for t in b] == [5, 7, 9]
"""
    passes(program, devices=2, lazy=True)
