"""Matrix products of 16-bit floats against float64: sizes, layouts, alpha and beta, infinities and NaNs."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np
import pytest

# Sizes around those of the tiles (14, 16 and 32 rows, 16 and 32 columns, pairs and 32 elements along k,
# blocks of 512, 1024 and 2048 elements).
SIZES = (
    (2, 2, 1500),
    (1, 200, 130),
    (200, 1, 130),
    (1, 33, 65),
    (3, 5, 7),
    (5, 70, 31),
    (16, 48, 33),
    (17, 15, 101),
    (29, 64, 32),
    (31, 33, 1),
    (45, 9, 77),
    (100, 3, 63),
    (129, 97, 127),
    (150, 65, 1031),
    (30, 2060, 35),
    (32, 64, 64),
    (33, 31, 2100),
    (70, 130, 545),
)
DTYPES = {aten.bfloat16: 2.0**-8, aten.float16: 2.0**-11}  # and half a unit
LAYOUTS = ("rows", "columns", "padded", "stepped")


def matrix(
    rows: int, columns: int, layout: str, random: np.random.Generator, dtype: Any = aten.bfloat16
) -> tuple[Any, Any]:
    """Returns a matrix with strides of that kind, and the same in float64."""
    shape = {
        "rows": (rows, columns),
        "columns": (columns, rows),
        "padded": (rows + 3, columns + 5),
        "stepped": (2 * rows, 3 * columns),
    }[layout]
    whole = aten.from_numpy(random.standard_normal(shape, dtype=np.float32)).to(dtype)
    if layout == "columns":
        view = whole.t()
    elif layout == "padded":
        view = whole[2 : 2 + rows, 3 : 3 + columns]
    else:
        view = whole[::2, ::3] if layout == "stepped" else whole
    return view, np.asarray(view.to(aten.float64).contiguous().numpy())


def assert_near(got: Any, exact: Any, size: Any, what: Any) -> None:
    """Checks that values are rounded once: the error is half a unit of the dtype, and that of float sums of
    `size`.
    """
    error = np.abs(np.asarray(got.to(aten.float64).contiguous().numpy()) - exact)
    assert (error <= np.abs(exact) * DTYPES[got.dtype] + size * 2.0**-20).all(), what


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("left", LAYOUTS)
@pytest.mark.parametrize("right", LAYOUTS)
def test_products_of_odd_sizes(left: str, right: str, dtype: Any) -> None:
    random = np.random.default_rng(0)
    for m, n, k in SIZES:
        a, exact_a = matrix(m, k, left, random, dtype)
        b, exact_b = matrix(k, n, right, random, dtype)
        product, size = exact_a @ exact_b, np.abs(exact_a) @ np.abs(exact_b)
        assert_near(aten.mm(a, b), product, size, (m, n, k))
        c, exact_c = matrix(m, n, left, random, dtype)
        assert_near(
            aten.addmm(c, a, b, alpha=-2, beta=0.5),
            -2 * product + 0.5 * exact_c,
            2 * size + np.abs(exact_c),
            (m, n, k, "alpha, beta"),
        )
        out = aten.full((n, m), float("nan"), dtype=dtype).t()
        aten.addmm(c, a, b, beta=0, out=out)
        assert_near(out, product, size, (m, n, k, "written as columns"))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("batch", "m", "n", "k"), [(5, 19, 37, 40), (40, 16, 16, 16), (7, 40, 20, 65), (3, 3, 5, 4)]
)
def test_batches(batch: int, m: int, n: int, k: int, dtype: Any) -> None:
    random = np.random.default_rng(1)
    a, b = (random.standard_normal(s, dtype=np.float32) for s in ((batch, m, k), (batch, k, n)))
    x, y = (aten.from_numpy(t).to(dtype) for t in (a, b))
    exact_x, exact_y = (np.asarray(t.to(aten.float64).numpy()) for t in (x, y))
    product, size = exact_x @ exact_y, np.abs(exact_x) @ np.abs(exact_y)
    assert_near(aten.bmm(x, y), product, size, "bmm")
    columns = y.transpose(1, 2).contiguous().transpose(1, 2)
    assert_near(aten.baddbmm(x[:, :, :1], x, columns, beta=0), product, size, "baddbmm, columns")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("m", "n", "k"), [(300, 310, 320), (2100, 70, 600), (40, 3000, 600), (4200, 33, 2050)]
)
def test_two_threads_do_what_one_does(m: int, n: int, k: int, dtype: Any) -> None:
    random = np.random.default_rng(2)
    a, exact_a = matrix(m, k, "rows", random, dtype)
    b, exact_b = matrix(k, n, "rows", random, dtype)
    product, size = exact_a @ exact_b, np.abs(exact_a) @ np.abs(exact_b)
    threads = aten.get_num_threads()
    try:
        for count in (1, 2):
            aten.set_num_threads(count)
            assert_near(aten.mm(a, b), product, size, f"{count} threads")
    finally:
        aten.set_num_threads(threads)


def test_subnormal_halves_count() -> None:
    x = aten.full((40, 64), 2.0**-24, dtype=aten.float16)
    assert (aten.mm(x, aten.full((64, 40), 1024.0, dtype=aten.float16)) == 64 * 2.0**-14).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("m", "n", "k"), [(15, 33, 7), (64, 80, 65), (40, 40, 1029)])
def test_infinities_and_nans_stay_in_their_rows(m: int, n: int, k: int, dtype: Any) -> None:
    """They don't meet the zeros of padding, and neighbours in a pair don't mix."""
    x, y = np.ones((m, k), np.float32), np.full((k, n), 2, np.float32)
    x[1, k - 1], x[2, 0], x[m - 1, k // 2] = np.inf, np.nan, -np.inf
    y[k - 1, 3], y[0, n - 1] = np.inf, 0
    with np.errstate(invalid="ignore"):
        exact = x.astype(np.float64) @ y.astype(np.float64)
    got = aten.mm(*(aten.from_numpy(t).to(dtype) for t in (x, y))).to(aten.float32).numpy()
    rounded = aten.from_numpy(exact.astype(np.float32)).to(dtype).to(aten.float32).numpy()
    np.testing.assert_array_equal(got, rounded)
