"""Kullback-Leibler divergences between distributions of different families.

They are -entropy(p) - mean of log q(x) under p; the mean follows from a few means under p, which are declared
first. Where p has values outside of q's support, the divergence is infinite.
"""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor
from ._counts import Bernoulli, Binomial, Poisson
from ._dirichlet import Beta
from ._gamma import Exponential, Gamma
from ._intervals import ContinuousBernoulli, Uniform
from ._location_scale import Gumbel, Laplace
from ._normal import Normal
from ._tails import Pareto
from .kl import register_kl
from .utils import euler_constant

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_functions: Any = _C._VariableFunctions

# p -> all q for which the divergence is infinite, whatever the parameters.
_INFINITE: dict[type, tuple[type, ...]] = {
    Beta: (Pareto,),
    ContinuousBernoulli: (Pareto,),
    Exponential: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gamma: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gumbel: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Laplace: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Normal: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Pareto: (Beta, ContinuousBernoulli, Uniform),
    Poisson: (Bernoulli, Binomial),
}


def _infinite(p: Any, q: Any) -> Tensor:
    return _functions.full_like(p.mean, math.inf)


for _p, _all_q in _INFINITE.items():
    for _q in _all_q:
        register_kl(_p, _q)(_infinite)


def _x_log_x(x: Tensor) -> Tensor:
    return _functions.xlogy(x, x)


def _mean_log_uniform(low: Tensor, high: Tensor) -> Tensor:
    return (_x_log_x(high) - _x_log_x(low)) / (high - low) - 1


# The mean of log(x).
_MEAN_LOG: dict[type, Callable[[Any], Tensor]] = {
    Beta: lambda p: p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma(),
    Exponential: lambda p: -p.rate.log() - euler_constant,
    Pareto: lambda p: p.scale.log() + 1 / p.alpha,
    Uniform: lambda p: _mean_log_uniform(p.low, p.high),
}

# The mean of exp(shift - x * rate).
_MEAN_EXP: dict[type, Callable[[Any, Tensor, Tensor], Tensor]] = {
    Exponential: lambda p, rate, shift: shift.exp() * p.rate / (p.rate + rate),
    Gamma: lambda p, rate, shift: shift.exp() * (1 + rate / p.rate).pow(-p.concentration),
    Normal: lambda p, rate, shift: (shift - rate * p.loc + 0.5 * (rate * p.scale).square()).exp(),
    Uniform: lambda p, rate, shift: (
        ((shift - rate * p.low).exp() - (shift - rate * p.high).exp()) / (rate * (p.high - p.low))
    ),
}


def _of_type(table: dict[type, Any], p: Any) -> Any:
    return next(mean for kind, mean in table.items() if isinstance(p, kind))


def _positive_only(p: Any, divergence: Tensor) -> Tensor:
    return divergence.masked_fill(p.low < 0, math.inf) if isinstance(p, Uniform) else divergence


def _in_unit_interval_only(p: Any, divergence: Tensor) -> Tensor:
    if not isinstance(p, Uniform):
        return divergence
    return divergence.masked_fill((p.low < 0) | (p.high > 1), math.inf)


def _to_normal(p: Any, q: Any) -> Tensor:
    variance = q.scale.square()
    squares = p.variance + (p.mean - q.loc).square()
    return 0.5 * (2 * math.pi * variance).log() + squares / (2 * variance) - p.entropy()


def _to_exponential(p: Any, q: Any) -> Tensor:
    return _positive_only(p, q.rate * p.mean - q.rate.log() - p.entropy())


def _to_gamma(p: Any, q: Any) -> Tensor:
    a = q.concentration
    logs = a * q.rate.log() - a.lgamma() + (a - 1) * _of_type(_MEAN_LOG, p)(p)
    return _positive_only(p, q.rate * p.mean - logs - p.entropy())


def _to_gumbel(p: Any, q: Any) -> Tensor:
    shift = q.loc / q.scale
    tail = _of_type(_MEAN_EXP, p)(p, 1 / q.scale, shift)
    return q.scale.log() + p.mean / q.scale - shift + tail - p.entropy()


def _to_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    logs = p.mean * q.logits + (-q.probs).log1p() + q._log_norm()
    return _in_unit_interval_only(p, -logs - p.entropy())


def _to_uniform(p: Any, q: Any) -> Tensor:
    divergence = (q.high - q.low).log() - p.entropy()
    return divergence.masked_fill((q.low > 0) | (q.high < 1), math.inf)


# q -> the function, and the types of p.
_CROSS: dict[type, tuple[Callable[[Any, Any], Tensor], tuple[type, ...]]] = {
    Normal: (
        _to_normal,
        (Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, Pareto, Uniform),
    ),
    Exponential: (_to_exponential, (Beta, ContinuousBernoulli, Gamma, Pareto, Uniform)),
    Gamma: (_to_gamma, (Beta, Exponential, Pareto, Uniform)),
    Gumbel: (_to_gumbel, (Exponential, Gamma, Normal, Uniform)),
    ContinuousBernoulli: (_to_continuous_bernoulli, (Beta, Uniform)),
    Uniform: (_to_uniform, (Beta, ContinuousBernoulli)),
}
for _q, (_function, _all_p) in _CROSS.items():
    for _p in _all_p:
        register_kl(_p, _q)(_function)


@register_kl(Uniform, Beta)
def _uniform_beta(p: Any, q: Any) -> Tensor:
    a, b = q.concentration1, q.concentration0
    below, above = _mean_log_uniform(p.low, p.high), _mean_log_uniform(1 - p.high, 1 - p.low)
    logs = (a - 1) * below + (b - 1) * above - q._log_normalizer(a, b)
    return _in_unit_interval_only(p, -logs - p.entropy())


@register_kl(Uniform, Pareto)
def _uniform_pareto(p: Any, q: Any) -> Tensor:
    logs = q.alpha.log() + q.alpha * q.scale.log() - (q.alpha + 1) * _mean_log_uniform(p.low, p.high)
    return (-logs - p.entropy()).masked_fill(p.low < q.scale, math.inf)


@register_kl(Normal, Laplace)
def _normal_laplace(p: Any, q: Any) -> Tensor:
    gap = p.loc - q.loc
    ratio = gap / p.scale
    folded = math.sqrt(2 / math.pi) * p.scale * (-0.5 * ratio.square()).exp()
    mean_gap = folded + gap * (ratio / math.sqrt(2)).erf()  # of |x - q.loc|
    return (2 * q.scale).log() + mean_gap / q.scale - p.entropy()


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Any, q: Any) -> Tensor:
    return q.rate - p.probs * q.rate.log() - p.entropy()
