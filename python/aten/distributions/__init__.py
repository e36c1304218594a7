"""Probability distributions: samples, densities, moments, entropies and divergences.

    normal = Normal(loc, scale)
    x = normal.rsample((100,))     # differentiable with respect to loc and scale
    normal.log_prob(x)
    kl_divergence(normal, Normal(0.0, 1.0))

A distribution has parameters of shape batch_shape + what one parameter has; samples have the shape
sample_shape + batch_shape + event_shape.
"""

# Names are imported for users.
# ruff: noqa: F401
from __future__ import annotations

from . import (
    _kl_families,
    _kl_pairs,
    constraints,
    transforms,
)
from ._categories import (
    Categorical,
    Multinomial,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
)
from ._counts import Bernoulli, Binomial, Geometric, NegativeBinomial, Poisson
from ._dirichlet import Beta, Dirichlet
from ._gamma import (
    Chi2,
    Exponential,
    FisherSnedecor,
    Gamma,
    InverseGamma,
)
from ._intervals import ContinuousBernoulli, Kumaraswamy, Uniform
from ._location_scale import Cauchy, Gumbel, HalfCauchy, Laplace, VonMises
from ._matrices import LKJCholesky, Wishart
from ._multivariate_normal import LowRankMultivariateNormal, MultivariateNormal
from ._normal import HalfNormal, LogisticNormal, LogNormal, Normal, StudentT
from ._relaxed import (
    ExpRelaxedCategorical,
    LogitRelaxedBernoulli,
    RelaxedBernoulli,
    RelaxedOneHotCategorical,
)
from ._tails import GeneralizedPareto, Pareto, Weibull
from .constraint_registry import biject_to, transform_to
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .independent import Independent
from .kl import kl_divergence, register_kl
from .mixture_same_family import MixtureSameFamily
from .transformed_distribution import TransformedDistribution
from .transforms import *  # noqa: F403
