"""Random operators: ranges, moments, and the same values from the same seed."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import aten
import numpy as np
import pytest

N = 20_000
G = aten.Generator
# N values drawn from a generator: (call, lowest, highest, mean, variance).
DRAWS: dict[str, tuple[Callable[[G], aten.Tensor], float, float, float, float]] = {
    "rand": (lambda g: aten.ops.aten.rand.generator([N], generator=g), 0, 1, 0.5, 1 / 12),
    "randn": (lambda g: aten.ops.aten.randn.generator([N], generator=g), -7, 7, 0, 1),
    "randint": (lambda g: aten.ops.aten.randint.low_generator(-5, 5, [N], generator=g), -5, 4, -0.5, 99 / 12),
    "random_from": (
        lambda g: aten.empty(N, dtype=aten.int16).random_(-5, 5, generator=g),
        -5,
        4,
        -0.5,
        99 / 12,
    ),
    "uniform": (lambda g: aten.empty(N).uniform_(2, 6, generator=g), 2, 6, 4, 16 / 12),
    "normal": (lambda g: aten.empty(N, dtype=aten.float64).normal_(3, 2, generator=g), -15, 20, 3, 4),
    "normal_float_float": (
        lambda g: aten.ops.aten.normal.float_float(3.0, 2.0, [N], generator=g),
        -15,
        20,
        3,
        4,
    ),
    "bernoulli": (lambda g: aten.empty(N).bernoulli_(0.3, generator=g), 0, 1, 0.3, 0.21),
    "bernoulli_p": (
        lambda g: aten.ops.aten.bernoulli.default(aten.full((N,), 0.3), generator=g),
        0,
        1,
        0.3,
        0.21,
    ),
    "half": (lambda g: aten.empty(N, dtype=aten.float16).uniform_(generator=g), 0, 1, 0.5, 1 / 12),
}


@pytest.mark.parametrize("name", DRAWS)
def test_moments(name: str) -> None:
    draw, low, high, mean, variance = DRAWS[name]
    values = draw(aten.Generator().manual_seed(1)).to(aten.float64).numpy()
    assert values.min() >= low and values.max() <= high
    assert abs(values.mean() - mean) < 5 * np.sqrt(variance / N)
    assert abs(values.var() / variance - 1) < 0.1


@pytest.mark.parametrize("name", DRAWS)
def test_seed(name: str) -> None:
    """The same seed gives the same values, another one others, and a generator continues its sequence."""
    draw = DRAWS[name][0]
    g = aten.Generator().manual_seed(5)
    first, second = draw(g), draw(g)
    again = draw(aten.Generator().manual_seed(5))
    assert aten.equal(first, again)
    assert not aten.equal(first, second)
    assert not aten.equal(first, draw(aten.Generator().manual_seed(6)))


LEAST, MOST = -(2**63), 2**63 - 1


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0, 2**62),
        (0, 3 * 2**61),
        (LEAST, MOST),
        (-(2**62), 2**61 + 7),
        (MOST - 5, MOST),
        (0, 2**32 + 1),
        (0, 3 * 2**30),
        (-1, 3 * 2**50),
        (5, 6),
    ],
)
def test_integers_are_even_over_wide_ranges(low: int, high: int) -> None:
    """All values are in [low, high), each sixteenth of the range equally likely, and so are low bits."""
    g = aten.Generator().manual_seed(3)
    values = aten.randint(low, high, (N,), generator=g).tolist()
    assert all(low <= v < high for v in values)
    width = high - low
    parts = min(width, 16)
    assert even([(v - low) * parts // width for v in values], sixteenths(width, parts))
    if width > 2**20:
        assert even([v & 7 for v in values], [1 / 8] * 8)


def sixteenths(width: int, parts: int) -> list[float]:
    """Returns each part's share of the range."""
    bounds = [-(-i * width // parts) for i in range(parts + 1)]
    return [(b - a) / width for a, b in itertools.pairwise(bounds)]


def even(found: list[int], chances: list[float]) -> bool:
    """Whether frequencies pass a chi-square test, with five standard deviations."""
    counts = [found.count(i) for i in range(len(chances))]
    chi = sum((c - N * p) ** 2 / (N * p) for c, p in zip(counts, chances, strict=True))
    freedom = len(chances) - 1
    return chi <= freedom + 5 * (2 * freedom) ** 0.5


def test_random_without_an_end() -> None:
    """The upper limit is the greatest integer of the dtype; for a floating dtype, the end of the exact
    integers.
    """
    for name, least, most in (
        ("uint8", 0, 255),
        ("int8", 0, 127),
        ("bool", 0, 1),
        ("float16", 0, 2**11),
        ("bfloat16", 0, 2**8),
        ("float32", 0, 2**24),
    ):
        t = aten.empty(N, dtype=getattr(aten, name)).random_(0, None).to(aten.float64).numpy()
        assert t.min() >= least and most * 0.99 <= t.max() <= most
    whole = aten.empty(N, dtype=aten.int64).random_(LEAST, None).numpy()
    assert abs((whole < 0).mean() - 0.5) < 0.02 and abs((whole & 1).mean() - 0.5) < 0.02
    assert (np.abs(whole.astype(float)) > 2**62).mean() > 0.45


@pytest.mark.parametrize(
    ("dtype", "bounds"),
    [("int8", (0, 129)), ("uint8", (-1, 5)), ("uint8", (-1, None)), ("int64", (5, 5)), ("bool", (0, 3))],
)
def test_random_says_what_does_not_fit(dtype: str, bounds: tuple[int, int | None]) -> None:
    with pytest.raises(RuntimeError, match=r"out of bounds|less than"):
        aten.empty(3, dtype=getattr(aten, dtype)).random_(*bounds)
    with pytest.raises(RuntimeError, match="ComplexFloat"):
        aten.empty(3, dtype=aten.complex64).random_(0, 5)


# The forms that write to out=.
OUTS: dict[str, Callable[[G, aten.Tensor], aten.Tensor]] = {
    "rand": lambda g, o: aten.ops.aten.rand.generator_out([9], generator=g, out=o),
    "randn": lambda g, o: aten.ops.aten.randn.generator_out([9], generator=g, out=o),
    "randint": lambda g, o: aten.ops.aten.randint.generator_out(7, [9], generator=g, out=o),
    "randint_low": lambda g, o: aten.ops.aten.randint.low_generator_out(-5, 5, [9], generator=g, out=o),
    "normal": lambda g, o: aten.ops.aten.normal.float_float_out(3.0, 2.0, [9], generator=g, out=o),
}


@pytest.mark.parametrize("name", OUTS)
def test_out(name: str) -> None:
    """out= is resized and returned, and values depend on the seed."""
    write = OUTS[name]
    a, b = aten.empty(0), aten.empty(9)
    assert write(aten.Generator().manual_seed(2), a) is a
    write(aten.Generator().manual_seed(2), b)
    assert aten.equal(a, b) and tuple(a.shape) == (9,)


def test_out_from_the_default_generator() -> None:
    out = aten.empty(0)
    for call in (
        lambda: aten.ops.aten.rand.out([9], out=out),
        lambda: aten.ops.aten.randn.out([9], out=out),
        lambda: aten.ops.aten.randint.out(7, [9], out=out),
        lambda: aten.ops.aten.randint.low_out(-5, 5, [9], out=out),
    ):
        aten.manual_seed(4)
        first = call().clone()
        aten.manual_seed(4)
        assert aten.equal(call(), first) and len(set(first.tolist())) > 1


def test_default_generator() -> None:
    aten.manual_seed(3)
    a = aten.rand(100)
    aten.manual_seed(3)
    assert aten.equal(a, aten.rand(100))


def test_complex_normal() -> None:
    """Real and imaginary part each have half of the variance."""
    x = aten.randn(N, dtype=aten.complex128).numpy()
    assert abs(x.real.var() - 0.5) < 0.05 and abs(x.imag.var() - 0.5) < 0.05


def test_dropout() -> None:
    x = aten.ones(N)
    y, mask = aten.ops.aten.native_dropout.default(x, 0.25, True)
    kept = mask.numpy()
    assert abs(kept.mean() - 0.75) < 0.02
    np.testing.assert_allclose(y.numpy(), kept / 0.75, rtol=1e-6)
    assert aten.equal(aten.ops.aten.dropout.default(x, 0.5, False), x)
    z = aten.ones(N)
    assert aten.ops.aten.dropout_.default(z, 0.5, True) is z
    assert set(z.numpy().tolist()) == {0.0, 2.0}


@pytest.mark.parametrize(
    "call",
    [
        lambda: aten.empty(3).bernoulli_(1.5),
        lambda: aten.empty(3).uniform_(2, 1),
        lambda: aten.empty(3).normal_(0, -1),
        lambda: aten.randint(0, [3]),
        lambda: aten.dropout(aten.ones(3), 1.5, True),
        lambda: aten.bernoulli(aten.full((3,), 2.0)),
        lambda: aten.randint(5, 5, [3]),
    ],
)
def test_bad_parameters(call: Callable[[], object]) -> None:
    with pytest.raises((RuntimeError, ValueError)):
        call()


def test_complex_numbers_are_no_random_integers() -> None:
    x = aten.zeros(3, dtype=aten.complex64)
    with pytest.raises(NotImplementedError, match="random_"):
        x.random_()
    for bounds in ((3,), (0, 3), (2, None)):
        with pytest.raises(RuntimeError, match="random_") as caught:
            x.random_(*bounds)
        assert (caught.type is NotImplementedError) == (None in bounds)


def test_permutations_are_equally_likely() -> None:
    """There are 6 permutations of three elements, 1000 draws of each expected; five standard deviations are
    144.
    """
    g = aten.Generator().manual_seed(3)
    drawn = [tuple(aten.ops.aten.randperm.generator(3, generator=g).tolist()) for _ in range(6000)]
    counts = [drawn.count(p) for p in itertools.permutations(range(3))]
    assert sum(counts) == 6000
    assert all(abs(n - 1000) < 144 for n in counts), counts


def test_permutations_move_everything_everywhere() -> None:
    """In a long permutation each place is equally likely for each element."""
    g = aten.Generator().manual_seed(4)
    sums = sum(aten.ops.aten.randperm.generator(50, generator=g).numpy() for _ in range(4000))
    assert np.abs(sums / 4000 - 24.5).max() < 5 * np.sqrt((50**2 - 1) / 12 / 4000)


def test_permutations_of_a_seed() -> None:
    a, b = (aten.ops.aten.randperm.generator(1000, generator=G().manual_seed(s)) for s in (1, 1))
    assert a.tolist() == b.tolist()
    assert sorted(a.tolist()) == list(range(1000))
    halves = aten.ops.aten.randperm.generator_out(
        1000, generator=G().manual_seed(1), out=aten.empty(0, dtype=aten.float32)
    )
    assert halves.tolist() == a.tolist()


def test_permutations_that_a_dtype_cannot_hold() -> None:
    with pytest.raises(RuntimeError, match="too large for result tensor type"):
        aten.ops.aten.randperm.default(300, dtype=aten.uint8)
    with pytest.raises(RuntimeError, match="non-negative"):
        aten.ops.aten.randperm.default(-1)


def test_permutations_are_written_to_out() -> None:
    out = aten.empty(3, dtype=aten.int16)
    assert aten.ops.aten.randperm.out(20, out=out) is out
    assert sorted(out.tolist()) == list(range(20))
