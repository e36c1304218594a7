"""Errors for parameters and values that are not valid, with PyTorch's texts, and constraints."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import aten
import aten.distributions
import pytest

Program = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def _pytorch_checks() -> None:
    """torch._dynamo, which tests of exported programs import, turns PyTorch's checks off for the process."""
    if "torch" in sys.modules:
        sys.modules["torch"].distributions.Distribution.set_default_validate_args(True)


PROGRAMS: dict[str, Program] = {
    "scale": lambda p: p.distributions.Normal(p.zeros(2), p.tensor([1.0, -1.0])),
    "nan": lambda p: p.distributions.Normal(p.tensor([float("nan")]), 1.0),
    "probabilities": lambda p: p.distributions.Bernoulli(p.tensor([0.5, 1.5])),
    "both": lambda p: p.distributions.Bernoulli(p.tensor(0.5), p.tensor(0.5)),
    "none": lambda p: p.distributions.Categorical(),
    "no dimension": lambda p: p.distributions.Categorical(p.tensor(0.5)),
    "no dimension of logits": lambda p: p.distributions.Categorical(logits=p.tensor(0.5)),
    "negative counts": lambda p: p.distributions.Binomial(-1, p.tensor(0.5)),
    "geometric": lambda p: p.distributions.Geometric(p.tensor([0.5, 0.0])),
    "bounds": lambda p: p.distributions.Uniform(p.tensor([1.0, 0.0]), p.tensor([0.0, 1.0])),
    "beta": lambda p: p.distributions.Beta(p.tensor([0.0]), p.tensor([1.0])),
    "dirichlet": lambda p: p.distributions.Dirichlet(p.tensor(1.0)),
    "covariance": lambda p: p.distributions.MultivariateNormal(p.zeros(2), -p.eye(2)),
    "not symmetric": lambda p: p.distributions.MultivariateNormal(
        p.zeros(2), p.tensor([[1.0, 0.5], [0.0, 1.0]])
    ),
    "not triangular": lambda p: p.distributions.MultivariateNormal(p.zeros(2), scale_tril=p.ones(2, 2)),
    "two matrices": lambda p: p.distributions.MultivariateNormal(p.zeros(2), p.eye(2), p.eye(2)),
    "no matrix": lambda p: p.distributions.MultivariateNormal(p.zeros(2)),
    "a vector for a matrix": lambda p: p.distributions.MultivariateNormal(p.zeros(2), p.zeros(2)),
    "no mean": lambda p: p.distributions.MultivariateNormal(p.tensor(0.0), p.eye(1)),
    "factor": lambda p: p.distributions.LowRankMultivariateNormal(p.zeros(2), p.ones(3, 1), p.ones(2)),
    "diagonal": lambda p: p.distributions.LowRankMultivariateNormal(p.zeros(2), p.ones(2, 1), p.ones(3)),
    "batches": lambda p: p.distributions.LowRankMultivariateNormal(p.zeros(2, 2), p.ones(3, 2, 1), p.ones(2)),
    "degrees of freedom": lambda p: p.distributions.Wishart(p.tensor(0.5), p.eye(2)),
    "dimension": lambda p: p.distributions.LKJCholesky(1),
    "several counts": lambda p: p.distributions.Multinomial(p.tensor([1, 2]), p.ones(2)),
    "independent": lambda p: p.distributions.Independent(p.distributions.Normal(0.0, 1.0), 1),
    "no mixture": lambda p: p.distributions.MixtureSameFamily(p.distributions.Normal(p.zeros(2), 1.0), 1),
    "components": lambda p: p.distributions.MixtureSameFamily(
        p.distributions.Categorical(p.ones(3)), p.distributions.Normal(p.zeros(2), 1.0)
    ),
    "component batches": lambda p: p.distributions.MixtureSameFamily(
        p.distributions.Categorical(p.ones(4, 2)), p.distributions.Normal(p.zeros(3, 2), 1.0)
    ),
    "outside": lambda p: p.distributions.Exponential(p.ones(2)).log_prob(p.tensor([1.0, -1.0])),
    "outside of counts": lambda p: p.distributions.Poisson(1.0).log_prob(p.tensor(0.5)),
    "outside of the simplex": lambda p: p.distributions.Dirichlet(p.ones(2)).log_prob(p.tensor([0.5, 0.6])),
    "outside, cdf": lambda p: p.distributions.Uniform(0.0, 1.0).cdf(p.tensor(2.0)),
    "category": lambda p: p.distributions.Categorical(p.ones(3)).log_prob(p.tensor(3)),
    "no tensor": lambda p: p.distributions.Normal(0.0, 1.0).log_prob(1.0),
    "shape": lambda p: p.distributions.Normal(p.zeros(2), p.ones(2)).log_prob(p.zeros(3)),
    "event": lambda p: p.distributions.Dirichlet(p.ones(2)).log_prob(p.ones(3)),
    "unchecked": lambda p: p.distributions.Exponential(-p.ones(2), validate_args=False).log_prob(p.ones(2)),
    "unchecked value": lambda p: p.distributions.Exponential(p.ones(2), validate_args=False).log_prob(
        -p.ones(2)
    ),
    "no entropy": lambda p: p.distributions.Binomial(p.tensor([1, 2]), p.tensor(0.5)).entropy(),
    "no enumeration": lambda p: p.distributions.Independent(
        p.distributions.Bernoulli(p.ones(2)), 1
    ).enumerate_support(),
    "transforms": lambda p: p.distributions.TransformedDistribution(p.distributions.Normal(0.0, 1.0), [1]),
    "too small": lambda p: p.distributions.TransformedDistribution(
        p.distributions.Normal(0.0, 1.0), p.distributions.StickBreakingTransform()
    ),
    "expand": lambda p: p.distributions.Normal(p.zeros(2), 1.0).expand((3,)),
}
# Errors that say more than PyTorch's.
OTHER_TEXT = {"no mixture", "a vector for a matrix", "transforms", "expand"}


def outcome(program: Program, package: types.ModuleType) -> Any:
    try:
        value = program(package)
    except Exception as error:
        return type(error).__name__, str(error).replace("torch.", "aten.")
    return "value", value.tolist()


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_pytorch(name: str) -> None:
    torch = pytest.importorskip("torch")
    ours, theirs = outcome(PROGRAMS[name], aten), outcome(PROGRAMS[name], torch)
    assert ours[0] == theirs[0]
    if name not in OTHER_TEXT:
        assert ours[1] == (pytest.approx(theirs[1], nan_ok=True) if ours[0] == "value" else theirs[1])


def test_default_of_checks() -> None:
    aten.distributions.Distribution.set_default_validate_args(False)
    try:
        assert aten.distributions.Normal(0.0, -1.0).scale == -1
    finally:
        aten.distributions.Distribution.set_default_validate_args(True)
    with pytest.raises(ValueError, match="scale"):
        aten.distributions.Normal(0.0, -1.0)
    with pytest.raises(ValueError):
        aten.distributions.Distribution.set_default_validate_args(2)


def test_numbers_and_tensors_as_parameters() -> None:
    normal = aten.distributions.Normal(0, aten.ones(2, dtype=aten.float64))
    assert normal.loc.dtype == aten.float64
    assert normal.batch_shape == (2,)
    assert aten.distributions.Normal(0, 1).loc.dtype == aten.get_default_dtype()
    with pytest.raises(ValueError, match="numbers and tensors, got str"):
        aten.distributions.Normal("0", 1.0)


def test_own_distributions() -> None:
    class Shifted(aten.distributions.Normal):
        def __init__(self, loc: Any) -> None:
            super().__init__(loc, 1.0)

    with pytest.raises(NotImplementedError, match=r"must also define a custom \.expand\(\) method"):
        Shifted(0.0).expand((2,))

    class Same(aten.distributions.Normal):
        pass

    assert type(Same(0.0, 1.0).expand((2,))) is Same

    class Bare(aten.distributions.Distribution):
        def log_prob(self, value: Any) -> Any:
            self._validate_sample(value)
            return value

    with pytest.warns(UserWarning, match="does not define `arg_constraints`"):
        bare = Bare()
    with pytest.warns(UserWarning, match="does not define `support`"):
        bare.log_prob(aten.tensor(1.0))
    for name in ("mean", "variance", "support", "arg_constraints", "mode", "stddev"):
        with pytest.raises(NotImplementedError):
            getattr(bare, name)
    for method in ("sample", "rsample", "entropy", "enumerate_support", "perplexity"):
        with pytest.raises(NotImplementedError):
            getattr(bare, method)()


def test_expanded_parameters_share_memory() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        normal = aten.distributions.Normal(aten.zeros(2), aten.ones(2))
        assert normal.expand((3, 2)).loc.data_ptr() == normal.loc.data_ptr()
    logits = aten.distributions.Bernoulli(logits=aten.zeros(2))
    assert logits.probs.tolist() == [0.5, 0.5]
    assert logits.expand((3, 2)).probs.shape == (3, 2)


VALUES = [[0.5, 0.5], [1.0, 0.0], [-1.0, 2.0], [float("nan"), 3.0], [0.3, 0.2]]
MATRICES = [
    *([[1.0, 0.0], [0.5, 2.0]], [[1.0, 0.5], [0.5, 1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.6, 0.8]]),
    *([[0.0, 0.0], [0.0, 0.0]], [[-1.0, 0.0], [1.0, 1.0]]),
]
CONSTRAINTS: dict[str, Program] = {
    "boolean": lambda c: c.boolean,
    "one_hot": lambda c: c.one_hot,
    "nonnegative_integer": lambda c: c.nonnegative_integer,
    "positive_integer": lambda c: c.positive_integer,
    "integer_interval": lambda c: c.integer_interval(-1, 2),
    "real": lambda c: c.real,
    "real_vector": lambda c: c.real_vector,
    "positive": lambda c: c.positive,
    "nonnegative": lambda c: c.nonnegative,
    "greater_than": lambda c: c.greater_than(0.3),
    "greater_than_eq": lambda c: c.greater_than_eq(0.5),
    "less_than": lambda c: c.less_than(0.5),
    "multinomial": lambda c: c.multinomial(1),
    "unit_interval": lambda c: c.unit_interval,
    "interval": lambda c: c.interval(0.5, 2),
    "half_open_interval": lambda c: c.half_open_interval(0.5, 2),
    "simplex": lambda c: c.simplex,
    "independent": lambda c: c.independent(c.positive, 2),
    "cat": lambda c: c.cat([c.positive, c.boolean], 0, [2, 3]),
    "stack": lambda c: c.stack([c.positive, c.boolean], 1),
    "mixture": lambda c: c.MixtureSameFamilyConstraint(c.positive),
    "dependent": lambda c: c.dependent,
    "static": lambda c: c.dependent(is_discrete=True, event_dim=1),
    "too many dimensions": lambda c: c.independent(c.positive, 3),
    "lower_triangular": lambda c: c.lower_triangular,
    "lower_cholesky": lambda c: c.lower_cholesky,
    "corr_cholesky": lambda c: c.corr_cholesky,
    "square": lambda c: c.square,
    "symmetric": lambda c: c.symmetric,
    "positive_semidefinite": lambda c: c.positive_semidefinite,
    "positive_definite": lambda c: c.positive_definite,
}


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraints(name: str) -> None:
    torch = pytest.importorskip("torch")

    def program(p: Any) -> list[Any]:
        constraint = CONSTRAINTS[name](p.distributions.constraints)
        found = [repr(constraint), p.distributions.constraints.is_dependent(constraint)]
        for read in (
            lambda: constraint.event_dim,
            lambda: constraint.is_discrete,
            lambda: constraint.check(
                p.tensor(MATRICES if "_" in name or name == "square" else VALUES)
            ).tolist(),
            lambda: [constraint.check(p.tensor(m)).tolist() for m in MATRICES],
        ):
            try:
                found.append(read())
            except (NotImplementedError, ValueError, AssertionError) as error:
                found.append((type(error).__name__, str(error)))
            except RuntimeError:
                found.append("RuntimeError")
        return found

    assert program(aten) == program(torch)
