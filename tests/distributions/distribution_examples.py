"""Distributions with example parameters, for any package of tensors."""

from __future__ import annotations

import types
from typing import Any

P2 = [[0.2, 0.3, 0.5], [0.7, 0.2, 0.1]]
TRIL = [[1.2, 0.0, 0.0], [0.3, 0.8, 0.0], [-0.5, 0.4, 1.5]]
COVARIANCE = [[2.0, 0.5, 0.2], [0.5, 1.5, -0.3], [0.2, -0.3, 1.0]]

# Name -> (class, parameters): numbers and lists become tensors of float64; ints stay.
EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "Bernoulli": ("Bernoulli", {"probs": [0.1, 0.5, 0.9]}),
    "Bernoulli of logits": ("Bernoulli", {"logits": [-1.0, 0.0, 2.0]}),
    "Beta": ("Beta", {"concentration1": [0.5, 2.0, 3.0], "concentration0": [1.5, 2.0, 0.7]}),
    "Binomial": ("Binomial", {"total_count": 10, "probs": [0.1, 0.5, 0.9]}),
    "Binomial of logits": ("Binomial", {"total_count": 4, "logits": [-1.0, 0.0, 2.0]}),
    "Categorical": ("Categorical", {"probs": P2}),
    "Categorical of logits": ("Categorical", {"logits": [[0.1, 2.0, -1.0]]}),
    "Cauchy": ("Cauchy", {"loc": [0.0, 1.0], "scale": [1.0, 2.5]}),
    "Chi2": ("Chi2", {"df": [1.5, 4.0]}),
    "ContinuousBernoulli": ("ContinuousBernoulli", {"probs": [0.1, 0.4995, 0.8]}),
    "ContinuousBernoulli of logits": ("ContinuousBernoulli", {"logits": [-1.0, 0.5]}),
    "Dirichlet": ("Dirichlet", {"concentration": [[0.5, 2.0, 1.5], [3.0, 2.0, 4.0]]}),
    "Exponential": ("Exponential", {"rate": [0.7, 2.0]}),
    "FisherSnedecor": ("FisherSnedecor", {"df1": [3.0, 5.0], "df2": [12.0, 20.0]}),
    "Gamma": ("Gamma", {"concentration": [0.7, 3.0], "rate": [1.0, 2.0]}),
    "GeneralizedPareto": (
        "GeneralizedPareto",
        {"loc": [0.0, 1.0, -1.0], "scale": [1.0, 2.0, 0.5], "concentration": [0.1, -0.5, 0.0]},
    ),
    "GeneralizedPareto, not exponential": (
        "GeneralizedPareto",
        {"loc": [0.0, 1.0], "scale": [1.0, 2.0], "concentration": [0.1, -0.5]},
    ),
    "Geometric": ("Geometric", {"probs": [0.2, 0.7]}),
    "Geometric of logits": ("Geometric", {"logits": [-1.0, 0.5]}),
    "Gumbel": ("Gumbel", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    "HalfCauchy": ("HalfCauchy", {"scale": [1.0, 2.0]}),
    "HalfNormal": ("HalfNormal", {"scale": [1.0, 2.0]}),
    "InverseGamma": ("InverseGamma", {"concentration": [6.0, 9.0], "rate": [1.0, 2.0]}),
    "Kumaraswamy": ("Kumaraswamy", {"concentration1": [1.5, 3.0], "concentration0": [2.0, 1.5]}),
    "LKJCholesky": ("LKJCholesky", {"dim": 3, "concentration": [0.7, 2.0]}),
    "Laplace": ("Laplace", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    "LogNormal": ("LogNormal", {"loc": [0.0, 0.5], "scale": [0.5, 0.3]}),
    "LogisticNormal": ("LogisticNormal", {"loc": [0.0, 0.5], "scale": [1.0, 0.3]}),
    "LowRankMultivariateNormal": (
        "LowRankMultivariateNormal",
        {"loc": [0.0, 1.0, 2.0], "cov_factor": [[1.0], [0.5], [-1.0]], "cov_diag": [[0.5, 1.0, 2.0]]},
    ),
    "Multinomial": ("Multinomial", {"total_count": 5, "probs": P2}),
    "Multinomial of logits": ("Multinomial", {"total_count": 5, "logits": [0.1, 2.0, -1.0]}),
    "MultivariateNormal": ("MultivariateNormal", {"loc": [[0.0, 1.0, 2.0]], "covariance_matrix": COVARIANCE}),
    "MultivariateNormal of a factor": (
        "MultivariateNormal",
        {"loc": [0.0, 1.0, 2.0], "scale_tril": [TRIL, TRIL]},
    ),
    "MultivariateNormal of a precision": (
        "MultivariateNormal",
        {"loc": [0.0, 1.0, 2.0], "precision_matrix": COVARIANCE},
    ),
    "NegativeBinomial": ("NegativeBinomial", {"total_count": [3.0, 7.0], "probs": [0.2, 0.6]}),
    "NegativeBinomial of logits": ("NegativeBinomial", {"total_count": 3, "logits": [-1.0, 0.5]}),
    "Normal": ("Normal", {"loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    "OneHotCategorical": ("OneHotCategorical", {"probs": P2}),
    "OneHotCategoricalStraightThrough": ("OneHotCategoricalStraightThrough", {"logits": [0.1, 2.0, -1.0]}),
    "Pareto": ("Pareto", {"scale": [1.0, 2.0], "alpha": [5.0, 7.0]}),
    "Poisson": ("Poisson", {"rate": [0.7, 3.0]}),
    "RelaxedBernoulli": ("RelaxedBernoulli", {"temperature": 0.7, "probs": [0.2, 0.6]}),
    "RelaxedOneHotCategorical": ("RelaxedOneHotCategorical", {"temperature": 0.7, "probs": P2}),
    "StudentT": ("StudentT", {"df": [5.0, 7.0], "loc": [0.0, 1.0], "scale": [1.0, 2.0]}),
    "Uniform": ("Uniform", {"low": [-1.0, 0.0], "high": [1.0, 3.0]}),
    "VonMises": ("VonMises", {"loc": [0.0, 1.0], "concentration": [1.0, 6.0]}),
    "Weibull": ("Weibull", {"scale": [1.0, 2.0], "concentration": [1.5, 3.0]}),
    "Wishart": ("Wishart", {"df": 5.0, "covariance_matrix": COVARIANCE}),
    "Wishart of a factor": ("Wishart", {"df": [4.0, 6.0], "scale_tril": [TRIL, TRIL]}),
}


def tensors(
    package: types.ModuleType, parameters: dict[str, Any], requires_grad: bool = False
) -> dict[str, Any]:
    return {
        name: value
        if isinstance(value, int)
        else package.tensor(value, dtype=package.float64, requires_grad=requires_grad)
        for name, value in parameters.items()
    }


def example(package: types.ModuleType, name: str, requires_grad: bool = False) -> tuple[Any, list[Any]]:
    """Returns the distribution, and its parameters that require grad."""
    kind, parameters = EXAMPLES[name]
    made = tensors(package, parameters, requires_grad)
    distribution = getattr(package.distributions, kind)(**made)
    return distribution, [v for v in made.values() if not isinstance(v, int)]
