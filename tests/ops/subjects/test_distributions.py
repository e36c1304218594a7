"""Distributions: moments, distribution functions (Kolmogorov and Smirnov's test, chi-square), and limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import aten
import numpy as np
import pytest

N = 20_000
G = aten.Generator
OPS = aten.ops.aten


def drawn(draw: Callable[[G], aten.Tensor], seed: int = 11) -> np.ndarray:
    return draw(aten.Generator().manual_seed(seed)).to(aten.float64).numpy()


def regularized(function: Callable[..., aten.Tensor], *args: object) -> np.ndarray:
    return function(*(aten.tensor(np.asarray(a, float).tolist(), dtype=aten.float64) for a in args)).numpy()


normal_cdf = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)), otypes=[float])


def gamma_cdf(shape: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: regularized(OPS.igamma.default, np.full_like(x, shape), x)


def filled(dtype: str, method: str, *args: float) -> Callable[[G], aten.Tensor]:
    return lambda g: getattr(aten.empty(N, dtype=getattr(aten, dtype)), method)(*args, generator=g)


def gamma(shape: float, dtype: str = "float64") -> Callable[[G], aten.Tensor]:
    return lambda g: OPS._standard_gamma.default(aten.full((N,), shape, dtype=getattr(aten, dtype)), g)


# N values drawn from a generator, and the distribution function.
CONTINUOUS: dict[str, tuple[Callable[[G], aten.Tensor], Callable[[np.ndarray], np.ndarray]]] = {
    "exponential": (filled("float32", "exponential_", 1.5), lambda x: -np.expm1(-1.5 * x)),
    "exponential_double": (filled("float64", "exponential_"), lambda x: -np.expm1(-x)),
    "cauchy": (filled("float32", "cauchy_", 2.0, 3.0), lambda x: 0.5 + np.arctan((x - 2) / 3) / np.pi),
    "log_normal": (filled("float64", "log_normal_", 0.5, 2.0), lambda x: normal_cdf((np.log(x) - 0.5) / 2)),
    "gamma_small": (gamma(0.3), gamma_cdf(0.3)),
    "gamma_one": (gamma(1.0, "float32"), gamma_cdf(1.0)),
    "gamma_large": (gamma(40.0), gamma_cdf(40.0)),
    # The first of three concentrations is beta-distributed: here uniform to the power of 1 / 2.
    "dirichlet": (
        lambda g: OPS._sample_dirichlet.default(aten.tensor([[2.0, 0.5, 0.5]] * N), g)[:, 0],
        lambda x: x**2,
    ),
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_distribution_function(name: str) -> None:
    """The distance of the empirical distribution function is one that 1 seed of 10 000 exceeds."""
    draw, cdf = CONTINUOUS[name]
    expected, steps = cdf(np.sort(drawn(draw))), np.arange(N) / N
    distance = max(np.abs(expected - steps).max(), np.abs(expected - steps - 1 / N).max())
    assert distance < 2.23 / math.sqrt(N)


def poisson_chances(rate: float) -> list[float]:
    count = int(rate + 10 * math.sqrt(rate) + 10)
    return [math.exp(k * math.log(rate) - rate - math.lgamma(k + 1)) for k in range(count)]


def binomial_chances(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def geometric_chances(p: float) -> list[float]:
    return [0.0, *(p * (1 - p) ** (k - 1) for k in range(1, 80))]


def poisson(rate: float) -> Callable[[G], aten.Tensor]:
    return lambda g: OPS.poisson.default(aten.full((N,), rate), g)


def binomial(n: float, p: float) -> Callable[[G], aten.Tensor]:
    return lambda g: OPS.binomial.default(aten.full((N,), n), aten.full((N,), p), g)


WEIGHTS = [0.0, 3.0, 1.0, 0.0, 4.0, 0.5, 0.0]


def multinomial(count: int, *, replacement: bool, rows: int) -> Callable[[G], aten.Tensor]:
    weights = aten.tensor([WEIGHTS] * rows)
    return lambda g: aten.multinomial(weights, count, replacement, generator=g)[:, :count].reshape(-1)


# N values drawn from a generator, and the chances of 0, 1, ...
DISCRETE: dict[str, tuple[Callable[[G], aten.Tensor], list[float]]] = {
    "poisson_small": (poisson(3.5), poisson_chances(3.5)),
    "poisson_large": (poisson(60.0), poisson_chances(60.0)),
    "binomial_few": (binomial(12.0, 0.25), binomial_chances(12, 0.25)),
    "binomial_many": (binomial(100.0, 0.4), binomial_chances(100, 0.4)),
    "binomial_mirrored": (binomial(90.0, 0.8), binomial_chances(90, 0.8)),
    "geometric": (filled("int64", "geometric_", 0.3), geometric_chances(0.3)),
    "geometric_half": (filled("float16", "geometric_", 0.6), geometric_chances(0.6)),
    "random_to": (filled("uint8", "random_", 7), [1 / 7] * 7),
    "multinomial": (multinomial(1, replacement=False, rows=N), [w / 8.5 for w in WEIGHTS]),
    "multinomial_replaced": (multinomial(N // 4, replacement=True, rows=4), [w / 8.5 for w in WEIGHTS]),
}


@pytest.mark.parametrize("name", DISCRETE)
def test_frequencies(name: str) -> None:
    """Chi-square test with five standard deviations; rare outcomes are put together."""
    draw, chances = DISCRETE[name]
    values = drawn(draw)
    assert values.min() >= 0 and (values == np.trunc(values)).all()
    counts = np.bincount(np.minimum(values, len(chances)).astype(int), minlength=len(chances) + 1)
    expected = np.array([*chances, max(0.0, 1 - sum(chances))]) * N
    common = expected >= 10
    assert not counts[expected == 0].any() or name.startswith(("poisson", "geometric"))
    seen = np.append(counts[common], counts[~common].sum())
    wanted = np.append(expected[common], expected[~common].sum())
    chi = ((seen - wanted)[wanted > 0] ** 2 / wanted[wanted > 0]).sum()
    freedom = (wanted > 0).sum() - 1
    assert chi < freedom + 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("name", [*CONTINUOUS, *DISCRETE])
def test_seed(name: str) -> None:
    """The same seed gives the same values, another one others, and a generator continues its sequence."""
    draw = (CONTINUOUS.get(name) or DISCRETE[name])[0]
    g = aten.Generator().manual_seed(5)
    first, second = draw(g), draw(g)
    assert aten.equal(first, draw(aten.Generator().manual_seed(5)))
    assert not aten.equal(first, second) and not aten.equal(first, draw(aten.Generator().manual_seed(6)))


def test_draws_without_replacement() -> None:
    """Indices of a row differ, those without weight come last, and the first is drawn by its weight."""
    weights = aten.tensor([WEIGHTS] * 5000)
    g = aten.Generator().manual_seed(3)
    rows = aten.multinomial(weights, 7, generator=g).numpy()
    assert (np.sort(rows, 1) == np.arange(7)).all()
    assert (np.sort(rows[:, 4:], 1) == [0, 3, 6]).all()
    assert abs((rows[:, 0] == 4).mean() - 4 / 8.5) < 0.03
    # Of the pairs (4, 1): 4 first, then 1 of what is left.
    pairs = ((rows[:, 0] == 4) & (rows[:, 1] == 1)).mean()
    assert abs(pairs - 4 / 8.5 * 3 / 4.5) < 0.03


def test_least_and_greatest() -> None:
    """No exponential or gamma sample is 0, whose logarithm is infinite; small concentrations give points of
    the simplex.
    """
    for dtype in (aten.float16, aten.bfloat16, aten.float32, aten.float64):
        x = aten.empty(200_000, dtype=dtype).exponential_(generator=aten.Generator().manual_seed(1))
        assert (x > 0).all().item()
        g = aten.Generator().manual_seed(2)
        assert (OPS._standard_gamma.default(aten.full((500,), 1e-3, dtype=dtype), g) > 0).all().item()
        points = OPS._sample_dirichlet.default(aten.full((50, 3), 1e-3, dtype=dtype), g)
        assert ((points > 0) & (points < 1)).all().item()
        assert np.abs(points.to(aten.float64).sum(-1).numpy() - 1).max() < 0.01
    assert OPS.poisson.default(aten.tensor([0.0, math.inf, 1e18])).tolist()[:2] == [0.0, math.inf]
    n = aten.tensor([0.0, 5.0, 5.0, -2.0, math.nan])
    p = aten.tensor([0.5, 0.0, 1.0, 0.5, 0.5])
    assert OPS.binomial.default(n, p).tolist()[:4] == [0.0, 0.0, 5.0, 0.0]
    assert set(aten.empty(1000, dtype=aten.int8).geometric_(1e-9).tolist()) == {127}


@pytest.mark.parametrize("shape", [0.05, 0.7, 1.0, 6.5, 80.0, 3000.0, 2e5])
def test_gamma_gradient(shape: float) -> None:
    """Along the curve of equal probability: igamma doesn't change where shape and sample do."""
    spread = math.sqrt(shape)
    x = np.array([shape * math.exp(-1 / spread), shape, shape + 2 * spread])
    slope = regularized(OPS._standard_gamma_grad.default, np.full(3, shape), x)
    h = 1e-4 * min(shape, spread)
    # The function that is not near 1 has all digits.
    low = regularized(OPS.igamma.default, np.full(3, shape - h), x - h * slope)
    high = regularized(OPS.igamma.default, np.full(3, shape + h), x + h * slope)
    moved = regularized(OPS.igamma.default, np.full(3, shape + h), x)
    np.testing.assert_allclose(low, high, atol=2e-4 * np.abs(moved - low).max(), rtol=1e-9)


@pytest.mark.parametrize(("alpha", "beta"), [(0.3, 0.4), (1.0, 1.0), (2.5, 0.7), (30.0, 50.0), (400.0, 90.0)])
def test_dirichlet_gradient(alpha: float, beta: float) -> None:
    """Compares with the slope of quantiles, whose probabilities are integrals by the midpoint rule."""
    mean, total = alpha / (alpha + beta), alpha + beta
    deviation = math.sqrt(mean * (1 - mean) / (total + 1))
    for x in (mean - deviation / 2, mean, mean + deviation / 2):
        h = 1e-4 * alpha
        difference = beta_cdf(x, alpha + h, beta) - beta_cdf(x, alpha - h, beta)
        log_density = (
            math.lgamma(alpha + beta)
            - math.lgamma(alpha)
            - math.lgamma(beta)
            + (alpha - 1) * math.log(x)
            + (beta - 1) * math.log1p(-x)
        )
        expected = -difference / (2 * h) / math.exp(log_density) / (1 - x)
        found = regularized(OPS._dirichlet_grad.default, [x], [alpha], [alpha + beta])[0]
        assert abs(found - expected) < 1e-4 * max(1, abs(expected))


def beta_cdf(x: float, a: float, b: float) -> float:
    """Integrates the density; below a = 1 with t = x u^(1/a), which takes the pole at zero away."""
    u = (np.arange(20_000) + 0.5) / 20_000
    power = a if a < 1 else 1.0
    t = x * u ** (1 / power)
    logs = (a - power) * np.log(t) + (b - 1) * np.log1p(-t) + power * math.log(x) - math.log(power)
    return float(np.exp(logs + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)).mean())


@pytest.mark.parametrize(
    "call",
    [
        lambda: aten.empty(3).exponential_(0.0),
        lambda: aten.empty(3, dtype=aten.int64).exponential_(),
        lambda: aten.empty(3).cauchy_(0.0, -1.0),
        lambda: aten.empty(3).log_normal_(1.0, 0.0),
        lambda: aten.empty(3).geometric_(1.0),
        lambda: aten.empty(3, dtype=aten.bool).geometric_(0.5),
        lambda: OPS.poisson.default(aten.tensor([-1.0])),
        lambda: OPS.poisson.default(aten.tensor([1])),
        lambda: aten.multinomial(aten.tensor([1.0, 2.0]), 3),
        lambda: aten.multinomial(aten.tensor([1.0, 2.0]), 0),
        lambda: aten.multinomial(aten.tensor([1.0, -2.0]), 1),
        lambda: aten.multinomial(aten.tensor([1.0, math.nan]), 1),
        lambda: aten.multinomial(aten.tensor([0.0, 0.0]), 1),
        lambda: aten.multinomial(aten.tensor([1, 2]), 1),
    ],
)
def test_bad_parameters(call: Callable[[], object]) -> None:
    with pytest.raises(RuntimeError):
        call()
