"""Kullback-Leibler divergences of all pairs, compared with PyTorch's, and with means of samples."""

from __future__ import annotations

import math
import warnings
from typing import Any

import aten
import aten.distributions as ours
import numpy as np
import pytest
from distribution_examples import EXAMPLES, tensors

# Parameters of p and q; where PyTorch's divergence is finite, q's support has room for p's values.
PARAMETERS: dict[str, dict[str, tuple[Any, Any]]] = {
    "Bernoulli": {"probs": ([0.1, 0.5, 0.0], [0.2, 0.5, 0.4])},
    "Beta": {"concentration1": ([0.5, 2.0, 3.0], [1.5, 1.0, 0.5]), "concentration0": ([1.5, 2.0, 0.7], 2.0)},
    "Binomial": {"total_count": (3, 3), "probs": ([0.1, 0.5, 0.9], [0.2, 0.3, 0.4])},
    "Categorical": {"probs": ([[0.2, 0.8], [1.0, 0.0], [0.5, 0.5]], [[0.3, 0.7], [0.6, 0.4], [1.0, 0.0]])},
    "Cauchy": {"loc": ([0.0, 1.0, 2.0], 0.5), "scale": (2.0, [1.0, 3.0, 0.4])},
    "ContinuousBernoulli": {"probs": ([0.1, 0.4995, 0.8], [0.3, 0.6, 0.5])},
    "Dirichlet": {"concentration": ([[0.5, 2.0, 1.5]], [[3.0, 2.0, 4.0]])},
    "Exponential": {"rate": ([0.7, 2.0, 1.0], [1.3, 0.5, 2.0])},
    "Gamma": {"concentration": ([0.7, 3.0, 1.0], [2.0, 0.5, 1.5]), "rate": (1.5, [1.0, 2.0, 0.5])},
    "Geometric": {"probs": ([0.2, 0.7, 0.5], [0.4, 0.3, 0.5])},
    "Gumbel": {"loc": ([0.0, 1.0, -1.0], 0.3), "scale": ([1.0, 2.0, 0.7], [1.5, 0.8, 1.0])},
    "HalfNormal": {"scale": ([1.0, 2.0, 3.0], [0.7, 2.5, 1.0])},
    "Laplace": {"loc": ([0.0, 1.0, -1.0], 0.3), "scale": ([1.0, 2.0, 0.7], [1.5, 0.8, 1.0])},
    "LowRankMultivariateNormal": {
        "loc": ([0.0, 1.0, 2.0], [0.5, 0.5, 0.5]),
        "cov_factor": ([[1.0], [0.5], [-1.0]], [[0.2], [1.5], [0.3]]),
        "cov_diag": ([0.5, 1.0, 2.0], [[1.0, 0.7, 0.4], [1.5, 0.9, 0.8]]),
    },
    "MultivariateNormal": {
        "loc": ([0.0, 1.0, 2.0], [[0.5, 0.5, 0.5], [1.0, 0.0, 1.0]]),
        "scale_tril": (
            [[[1.2, 0.0, 0.0], [0.3, 0.8, 0.0], [-0.5, 0.4, 1.5]]],
            [[0.7, 0.0, 0.0], [0.2, 1.1, 0.0], [0.1, 0.4, 0.9]],
        ),
    },
    "Normal": {"loc": ([0.0, 1.0, -1.0], 0.3), "scale": ([1.0, 2.0, 0.7], [1.5, 0.8, 1.0])},
    "OneHotCategorical": {"probs": ([[0.2, 0.8], [0.4, 0.6]], [[0.3, 0.7], [0.6, 0.4]])},
    "Pareto": {"scale": ([1.0, 2.0, 1.5], [0.8, 2.5, 1.0]), "alpha": ([3.0, 5.0, 1.5], [2.0, 4.0, 3.0])},
    "Poisson": {"rate": ([0.7, 3.0, 1.0], [1.0, 2.0, 4.0])},
    "Uniform": {"low": ([0.1, 0.2, 0.9], [-0.5, 0.15, -2.0]), "high": ([0.4, 0.8, 1.4], [2.0, 0.7, 3.0])},
    "Wishart": {
        "df": (5.0, 4.5),
        "covariance_matrix": (
            EXAMPLES["Wishart"][1]["covariance_matrix"],
            [[1.0, 0, 0], [0, 2.0, 0], [0, 0, 0.5]],
        ),
    },
}


def pair(package: Any, p: str, q: str) -> tuple[Any, Any]:
    return tuple(
        getattr(package.distributions, name)(
            **tensors(package, {n: v[i] for n, v in PARAMETERS[name].items()})
        )
        for i, name in enumerate((p, q))
    )


@pytest.mark.parametrize("q", PARAMETERS)
@pytest.mark.parametrize("p", PARAMETERS)
def test_as_in_pytorch(p: str, q: str) -> None:
    torch = pytest.importorskip("torch")
    try:
        expected = torch.distributions.kl_divergence(*pair(torch, p, q))
    except NotImplementedError:
        with pytest.raises(NotImplementedError, match="KL"):
            ours.kl_divergence(*pair(aten, p, q))
        return
    divergence = ours.kl_divergence(*pair(aten, p, q))
    assert tuple(divergence.shape) == tuple(expected.shape)
    np.testing.assert_allclose(divergence.tolist(), expected.tolist(), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["Bernoulli", "Beta", "Dirichlet", "Exponential", "Gamma", "Normal", "Poisson"]
)
def test_divergence_and_entropy_by_the_normalizers_gradient(name: str) -> None:
    """The formulas agree with what ExponentialFamily does for any family."""
    p, q = pair(aten, name, name)
    if name == "Bernoulli":
        p, q = (ours.Bernoulli(aten.tensor(v, dtype=aten.float64)) for v in ([0.1, 0.5], [0.7, 0.4]))
    general = ours.kl._registry[ours.ExponentialFamily, ours.ExponentialFamily]
    np.testing.assert_allclose(general(p, q).tolist(), ours.kl_divergence(p, q).tolist(), rtol=1e-9)
    if name in ("Bernoulli", "Exponential", "Gamma", "Normal"):
        np.testing.assert_allclose(
            ours.ExponentialFamily.entropy(p).tolist(), p.entropy().tolist(), rtol=1e-9
        )


def test_support_that_is_just_the_same_is_finite() -> None:
    """KL(p || Uniform(0, 1)) is -entropy(p), and of a uniform distribution from itself 0."""
    unit = ours.Uniform(0.0, 1.0)
    p = ours.ContinuousBernoulli(aten.tensor(0.3))
    assert math.isclose(ours.kl_divergence(p, unit), -p.entropy(), rel_tol=1e-6)
    flat = ours.ContinuousBernoulli(aten.tensor(0.5))
    assert abs(ours.kl_divergence(unit, flat)) < 1e-6


def test_transformed_and_independent() -> None:
    p, q = ours.LogNormal(aten.tensor([0.0, 1.0]), 1.0), ours.LogNormal(aten.tensor([0.5, 0.5]), 2.0)
    base = ours.kl_divergence(p.base_dist, q.base_dist)
    assert ours.kl_divergence(p, q).tolist() == base.tolist()
    both = ours.kl_divergence(ours.Independent(p, 1), ours.Independent(q, 1))
    assert math.isclose(both, base.sum(), rel_tol=1e-6)
    with pytest.raises(NotImplementedError):
        ours.kl_divergence(ours.Independent(p, 1), ours.Independent(q, 0))


def test_batches_of_wishart_distributions() -> None:
    matrices = (
        aten.eye(2, dtype=aten.float64) * aten.tensor([1.0, 2.0, 3.0], dtype=aten.float64)[:, None, None]
    )
    p, q = (
        ours.Wishart(aten.tensor(4.0).double(), matrices),
        ours.Wishart(aten.tensor(5.0).double(), matrices),
    )
    each = [ours.kl_divergence(ours.Wishart(4.0, m), ours.Wishart(5.0, m)).item() for m in matrices.unbind()]
    np.testing.assert_allclose(ours.kl_divergence(p, q).tolist(), each, rtol=1e-9)


def test_registered_functions() -> None:
    class Mine(ours.Normal):
        pass

    class Other(Mine):
        pass

    try:
        ours.register_kl(Mine, ours.Normal)(lambda p, q: "left")
        assert ours.kl_divergence(Mine(0.0, 1.0), ours.Normal(0.0, 1.0)) == "left"
        assert ours.kl_divergence(Other(0.0, 1.0), ours.Normal(0.0, 1.0)) == "left"
        assert ours.kl_divergence(ours.Normal(0.0, 1.0), Mine(0.0, 1.0)).item() == 0
        ours.register_kl(ours.Normal, Mine)(lambda p, q: "right")
        with pytest.warns(RuntimeWarning, match="Ambiguous kl_divergence"):
            assert ours.kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0)) == "left"
        ours.register_kl(Mine, Mine)(lambda p, q: "both")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert ours.kl_divergence(Other(0.0, 1.0), Mine(0.0, 1.0)) == "both"
    finally:
        for types in [t for t in ours.kl._registry if Mine in t]:
            del ours.kl._registry[types]
        ours.kl._found.clear()
    with pytest.raises(TypeError, match="Distribution subclass"):
        ours.register_kl(int, ours.Normal)
