"""Samples: their moments and distribution, and the gradients of rsample, by mathematics, not PyTorch."""

from __future__ import annotations

import math
from typing import Any

import aten
import aten.distributions
import pytest
from distribution_examples import EXAMPLES, example

COUNT = 4000
# Those without moments, and those for which there are no formulas of them.
WITHOUT_MEAN = {
    *("Cauchy", "HalfCauchy", "Categorical", "Categorical of logits", "LKJCholesky", "LogisticNormal"),
    *("RelaxedBernoulli", "RelaxedOneHotCategorical"),
}


def drawn(name: str, count: int = COUNT, method: str = "sample") -> Any:
    aten.manual_seed(3)
    distribution, _ = example(aten, name)
    return distribution, getattr(distribution, method)((count,))


@pytest.mark.parametrize("name", EXAMPLES)
def test_shape_support_and_seed(name: str) -> None:
    distribution, samples = drawn(name, 20)
    assert samples.shape == (20, *distribution.batch_shape, *distribution.event_shape)
    assert not samples.requires_grad
    assert distribution.support.check(samples).all()
    assert samples.tolist() == drawn(name, 20)[1].tolist()
    assert distribution.sample().shape == distribution.batch_shape + distribution.event_shape


@pytest.mark.parametrize("name", [n for n in EXAMPLES if n not in WITHOUT_MEAN])
def test_mean_and_variance(name: str) -> None:
    """Within 5 standard errors, which are those of the samples themselves."""
    distribution, samples = drawn(name)
    mean, gaps = distribution.mean, samples - distribution.mean
    if name == "VonMises":  # whose mean and variance are those of directions
        gaps = gaps.sin()
        assert ((1 - (samples - mean).cos()).mean(0) - distribution.variance).abs().max() < 0.05
    error = gaps.std(0) / math.sqrt(COUNT)
    assert (gaps.mean(0).abs() <= 5 * error + 1e-12).all()
    if name != "VonMises":
        squares = gaps.square()
        error = squares.std(0) / math.sqrt(COUNT)
        variance = distribution.variance
        if name.startswith("Multivariate") or name.startswith("LowRank"):
            variance = distribution.covariance_matrix.diagonal(dim1=-2, dim2=-1)
        assert ((squares.mean(0) - variance).abs() <= 5 * error + 1e-12).all()


def has_cdf(name: str) -> bool:
    distribution, _ = example(aten, name)
    try:
        distribution.cdf(distribution.sample())
    except NotImplementedError:
        return False
    return True


OF_GAMMA = ("Gamma", "Chi2", "InverseGamma")
# With probs near 1/2, or concentration 0, samples are those of a simpler distribution, as in PyTorch.
APPROXIMATE = ("ContinuousBernoulli", "GeneralizedPareto")
WITH_CDF = [name for name in EXAMPLES if has_cdf(name)]


def test_which_have_a_cdf() -> None:
    assert len(WITH_CDF) >= 17


@pytest.mark.parametrize("name", WITH_CDF)
def test_samples_follow_the_cdf(name: str) -> None:
    """The cdf of samples is uniform (Kolmogorov and Smirnov: at a level of 1e-5), and has the density."""
    distribution, samples = drawn(name)
    levels = distribution.cdf(samples).sort(0).values
    steps = aten.arange(1, COUNT + 1, dtype=aten.float64).reshape(-1, *(1,) * (levels.dim() - 1)) / COUNT
    assert (levels - steps).abs().max() < 2.5 / math.sqrt(COUNT)
    x = samples[:50].requires_grad_()
    if name not in (*OF_GAMMA, *APPROXIMATE):  # the cdf of Gamma has no derivative
        (slopes,) = aten.autograd.grad(distribution.cdf(x).sum(), x)
        expected = distribution.log_prob(x.detach()).exp()
        aten.testing.assert_close(slopes, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("name", [n for n in WITH_CDF if n not in OF_GAMMA])
def test_icdf_is_the_inverse(name: str) -> None:
    distribution, samples = drawn(name, 20)
    levels = distribution.cdf(samples)
    aten.testing.assert_close(distribution.icdf(levels), samples, rtol=1e-5, atol=1e-6)


def with_samples() -> list[str]:
    return [n for n in EXAMPLES if example(aten, n)[0].has_rsample]


@pytest.mark.parametrize("name", [n for n in with_samples() if n in WITH_CDF and n not in APPROXIMATE])
def test_gradients_of_samples_by_the_cdf(name: str) -> None:
    """A sample at a fixed level of the cdf moves with a parameter by -(dF/dθ) / density."""
    aten.manual_seed(3)
    distribution, parameters = example(aten, name, requires_grad=True)
    samples = distribution.rsample((30,))
    grads = aten.autograd.grad(samples.sum(), parameters)
    fixed, step = samples.detach(), 1e-5
    density = distribution.log_prob(fixed).exp().detach()
    kind, values = EXAMPLES[name]
    for parameter, grad in zip(parameters, grads, strict=True):
        levels = []
        for sign in (1, -1):
            moved = [p.detach() + sign * step * (p is parameter) for p in parameters]
            named = dict(zip(values, moved, strict=True))
            levels.append(getattr(aten.distributions, kind)(**named, validate_args=False).cdf(fixed))
        expected = (-(levels[0] - levels[1]) / (2 * step) / density).sum(0)
        aten.testing.assert_close(grad, expected.sum_to_size(grad.shape), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("name", [n for n in with_samples() if n not in {*WITHOUT_MEAN, *APPROXIMATE}])
def test_gradients_of_means_of_samples(name: str) -> None:
    """The gradient of the samples' mean is that of the mean, within 5 standard errors of 20 groups."""
    aten.manual_seed(3)
    distribution, parameters = example(aten, name, requires_grad=True)
    weight = aten.rand(distribution.mean.shape, dtype=aten.float64)
    groups = [
        aten.autograd.grad(
            (weight * distribution.rsample((200,)).mean(0)).sum(),
            parameters,
            allow_unused=True,
            retain_graph=True,
        )
        for _ in range(20)
    ]
    means = aten.autograd.grad((weight * distribution.mean).sum(), parameters, allow_unused=True)
    for i, expected in enumerate(means):
        if groups[0][i] is None:
            assert expected is None
            continue
        grads = aten.stack([group[i] for group in groups])
        expected = aten.zeros_like(grads[0]) if expected is None else expected
        if name == "Wishart" and expected.dim() == 2:  # of a matrix that is taken to be symmetric
            grads, expected = grads + grads.mT, expected + expected.mT
        error = grads.std(0) / math.sqrt(20)
        assert ((grads.mean(0) - expected).abs() <= 5 * error + 1e-9).all()


def test_straight_through_gradient() -> None:
    distribution, (logits,) = example(aten, "OneHotCategoricalStraightThrough", requires_grad=True)
    weight = aten.tensor([1.0, 2.0, 4.0], dtype=aten.float64)
    sample = distribution.rsample()
    assert sorted(sample.tolist()) == pytest.approx([0, 0, 1])
    (ours,) = aten.autograd.grad((sample * weight).sum(), logits, retain_graph=True)
    (expected,) = aten.autograd.grad((logits.softmax(-1) * weight).sum(), logits)
    aten.testing.assert_close(ours, expected)


def test_mixture() -> None:
    aten.manual_seed(1)
    weights, places = aten.tensor([0.2, 0.3, 0.5]), aten.tensor([[0.0, 10.0, 20.0], [30.0, 40.0, 50.0]])
    mixture = aten.distributions.MixtureSameFamily(
        aten.distributions.Categorical(weights), aten.distributions.Normal(places, 0.1)
    )
    samples = mixture.sample((COUNT,))
    assert samples.shape == (COUNT, 2)
    shares = ((samples.unsqueeze(-1) - places).abs() < 1).double().mean(0)
    assert (shares - weights).abs().max() < 0.04


def test_lkj_marginals() -> None:
    """(r + 1) / 2 of a correlation r is of the beta distribution with concentration + (dim - 2) / 2 twice."""
    aten.manual_seed(2)
    factors = aten.distributions.LKJCholesky(3, aten.tensor(1.5).double()).sample((COUNT,))
    matrices = factors @ factors.mT
    marginal = aten.distributions.Beta(aten.tensor(2.0).double(), 2.0)
    for i, j in ((1, 0), (2, 0), (2, 1)):
        values = (matrices[:, i, j] + 1) / 2
        assert abs(values.mean() - 0.5) < 5 * marginal.stddev / math.sqrt(COUNT)
        assert abs(values.var() - marginal.variance) < 0.005
