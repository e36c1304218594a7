"""Densities, moments, entropies, quantiles and their gradients, compared with PyTorch's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import aten
import aten.distributions
import numpy as np
import pytest
from distribution_examples import EXAMPLES, example

torch = pytest.importorskip("torch")

# The Bessel functions of PyTorch's von Mises distribution are polynomials with about 7 digits.
TOLERANCE = {"VonMises": 1e-6}


@pytest.fixture(autouse=True)
def double_by_default() -> Iterator[None]:
    """PyTorch's GeneralizedPareto takes no other dtype than the default one."""
    for package in (aten, torch):
        package.set_default_dtype(package.float64)
    yield
    for package in (aten, torch):
        package.set_default_dtype(package.float32)


def close(ours: Any, theirs: Any, rtol: float = 1e-9) -> None:
    assert tuple(ours.shape) == tuple(theirs.shape)
    assert str(ours.dtype).split(".")[1] == str(theirs.dtype).split(".")[1]
    np.testing.assert_allclose(ours.tolist(), theirs.tolist(), rtol=rtol, atol=1e-9)


def samples(name: str) -> Any:
    """Values of the support, of PyTorch."""
    torch.manual_seed(7)
    return example(torch, name)[0].sample((4,))


def ours_of(value: Any) -> Any:
    return aten.tensor(value.tolist(), dtype=getattr(aten, str(value.dtype).split(".")[1]))


@pytest.mark.parametrize("name", EXAMPLES)
def test_log_prob_and_gradients(name: str) -> None:
    rtol = TOLERANCE.get(name, 1e-7)
    value = samples(name)
    ours, our_parameters = example(aten, name, requires_grad=True)
    theirs, their_parameters = example(torch, name, requires_grad=True)
    our_log, their_log = ours.log_prob(ours_of(value)), theirs.log_prob(value)
    close(our_log, their_log, rtol)
    our_grads = aten.autograd.grad(our_log.sum(), our_parameters)
    for ours_, theirs_ in zip(our_grads, torch.autograd.grad(their_log.sum(), their_parameters), strict=True):
        close(ours_, theirs_, max(rtol, 1e-5 if name == "VonMises" else 1e-7))


@pytest.mark.parametrize("what", ["mean", "mode", "variance", "stddev", "entropy", "perplexity"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_moments(name: str, what: str) -> None:
    ours, theirs = example(aten, name)[0], example(torch, name)[0]
    try:
        expected = getattr(theirs, what)
        expected = expected() if callable(expected) else expected
    except NotImplementedError:
        if what == "mode" or name.startswith("GeneralizedPareto"):
            return
        with pytest.raises(NotImplementedError):
            value = getattr(ours, what)
            value = value() if callable(value) else value
        return
    value = getattr(ours, what)
    # A Weibull distribution and others have PyTorch's moments with a few digits less.
    close(value() if callable(value) else value, expected, TOLERANCE.get(name, 1e-7))


@pytest.mark.parametrize("name", EXAMPLES)
def test_cdf_and_icdf(name: str) -> None:
    ours, theirs = example(aten, name)[0], example(torch, name)[0]
    value = samples(name)
    probability = torch.linspace(0.05, 0.95, 4, dtype=torch.float64).reshape(
        -1, *(1,) * len(theirs.batch_shape)
    )
    for method, argument in (("cdf", value), ("icdf", probability)):
        try:
            expected = getattr(theirs, method)(argument)
        except NotImplementedError:
            with pytest.raises(NotImplementedError):
                getattr(ours, method)(ours_of(argument))
            continue
        close(getattr(ours, method)(ours_of(argument)), expected, 1e-7)


@pytest.mark.parametrize("name", EXAMPLES)
def test_declarations(name: str) -> None:
    ours, theirs = example(aten, name)[0], example(torch, name)[0]
    assert repr(ours) == repr(theirs).replace("torch.", "aten.")
    assert repr(ours.support) == repr(theirs.support).replace("torch.", "aten.")
    assert sorted(ours.arg_constraints) == sorted(theirs.arg_constraints)
    for each in ours.arg_constraints:
        assert repr(ours.arg_constraints[each]) == repr(theirs.arg_constraints[each]).replace(
            "torch.", "aten."
        )
        close(getattr(ours, each), getattr(theirs, each))
    for what in ("batch_shape", "event_shape"):
        assert tuple(getattr(ours, what)) == tuple(getattr(theirs, what))
    for what in ("has_rsample", "has_enumerate_support"):
        assert getattr(ours, what) == getattr(theirs, what)
    assert ours.support.is_discrete == theirs.support.is_discrete
    assert ours.support.event_dim == theirs.support.event_dim


@pytest.mark.parametrize("name", EXAMPLES)
def test_expand(name: str) -> None:
    ours, theirs = example(aten, name)[0], example(torch, name)[0]
    value = samples(name)
    shape = (4, *theirs.batch_shape)
    ours, theirs = ours.expand(shape), theirs.expand(shape)
    assert tuple(ours.batch_shape) == tuple(theirs.batch_shape) == shape
    assert tuple(ours.event_shape) == tuple(theirs.event_shape)
    close(ours.log_prob(ours_of(value)), theirs.log_prob(value), TOLERANCE.get(name, 1e-7))
    assert tuple(ours.sample((2,)).shape) == tuple(theirs.sample((2,)).shape)
    for each in ours.arg_constraints:
        close(getattr(ours, each), getattr(theirs, each))
    try:
        variance = theirs.variance
    except NotImplementedError:
        return
    close(ours.variance, variance, TOLERANCE.get(name, 1e-7))


@pytest.mark.parametrize("expand", [False, True])
@pytest.mark.parametrize("name", [n for n in EXAMPLES if "ategorical" in n or n[:3] in ("Ber", "Bin")])
def test_enumerate_support(name: str, expand: bool) -> None:
    ours, theirs = example(aten, name)[0], example(torch, name)[0]
    if theirs.has_enumerate_support:
        close(ours.enumerate_support(expand), theirs.enumerate_support(expand))


def test_composed_distributions() -> None:
    def programs(p: Any) -> list[Any]:
        d = p.distributions
        double = {"dtype": p.float64}
        loc = p.tensor([[0.0, 1.0, 2.0], [3.0, -1.0, 0.5]], **double)
        weights = p.tensor([0.2, 0.3, 0.5], **double)
        x = p.tensor([0.3, 0.7], **double)
        independent = d.Independent(d.Normal(loc, p.ones(2, 3, **double)), 1)
        mixture = d.MixtureSameFamily(d.Categorical(weights), d.Normal(loc, p.ones(2, 3, **double)))
        vectors = d.MixtureSameFamily(d.Categorical(weights[:2]), independent)
        logit = d.TransformedDistribution(
            d.Uniform(p.zeros(2, **double), p.ones(2, **double)),
            [d.SigmoidTransform().inv, d.AffineTransform(p.tensor([1.0, 2.0], **double), 3.0)],
        )
        reverse = d.TransformedDistribution(d.Normal(x, x), [d.AffineTransform(0.0, -2.0)])
        return [
            *(independent.log_prob(loc), independent.entropy(), independent.mean, independent.variance),
            *(mixture.log_prob(x), mixture.cdf(x), mixture.mean, mixture.variance),
            *(vectors.log_prob(loc), vectors.mean, vectors.variance),
            mixture.expand((4, 2)).log_prob(x),
            *(logit.log_prob(x), logit.cdf(x), logit.icdf(x), logit.expand((3, 2)).log_prob(x)),
            *(reverse.cdf(x), reverse.icdf(x), reverse.log_prob(x)),
        ]

    for ours, theirs in zip(programs(aten), programs(torch), strict=True):
        close(ours, theirs)


def test_a_vector_without_a_batch_has_one_density() -> None:
    def density(p: Any) -> Any:
        covariance = p.tensor([[2.0, 0.5], [0.5, 1.0]])
        return p.distributions.MultivariateNormal(p.zeros(2), covariance).log_prob(p.tensor([0.3, -1.0]))

    close(density(aten), density(torch))
