"""Distributions on intervals: Uniform, Kumaraswamy, ContinuousBernoulli."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from ._dirichlet import _CONCENTRATIONS
from .distribution import Distribution, _ProbsOrLogits
from .exp_family import ExponentialFamily
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .utils import _uniform, broadcast_all, clamp_probs, euler_constant, lazy_property, logits_to_probs

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


class Uniform(Distribution):
    """The uniform distribution on [low, high)."""

    has_rsample = True
    low: Tensor
    high: Tensor

    def __init__(self, low: Tensor | float, high: Tensor | float, validate_args: bool | None = None) -> None:
        self._set_parameters(validate_args, low=low, high=high)

    @property
    def arg_constraints(self) -> dict[str, Any]:
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        return math.nan * self.high

    @property
    def stddev(self) -> Tensor:
        return (self.high - self.low) / math.sqrt(12)

    @property
    def variance(self) -> Tensor:
        return (self.high - self.low).square() / 12

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.low + _uniform(self._extended_shape(sample_shape), self.low) * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        inside = (self.low <= value) & (value < self.high)
        return inside.to(self.low.dtype).log() - (self.high - self.low).log()

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Tensor) -> Tensor:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        return (self.high - self.low).log()


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on [0, 1], with cdf 1 - (1 - x ** concentration1) ** concentration0."""

    arg_constraints = _CONCENTRATIONS
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        concentration1: Tensor | float,
        concentration0: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        zeros = _functions.zeros_like(self.concentration0)
        transforms = [
            PowerTransform(self.concentration0.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]
        super().__init__(Uniform(zeros, zeros + 1, validate_args), transforms, validate_args)

    def _moment(self, n: int) -> Tensor:
        power, b = 1 + n / self.concentration1, self.concentration0
        return b * (power.lgamma() + b.lgamma() - (power + b).lgamma()).exp()

    @property
    def mean(self) -> Tensor:
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        log_mode = (-b).log1p() / b - (-a * b).log1p()
        return log_mode.exp().masked_fill((a < 1) | (b < 1), math.nan)

    @property
    def variance(self) -> Tensor:
        return self._moment(2) - self.mean.square()

    def entropy(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        harmonic = (b + 1).digamma() + euler_constant
        return 1 - 1 / b + (1 - 1 / a) * harmonic - a.log() - b.log()


class ContinuousBernoulli(_ProbsOrLogits, ExponentialFamily):
    """The continuous Bernoulli distribution on [0, 1], with density proportional to
    probs ** x * (1 - probs) ** (1 - x). For `probs` within `lims`, around 1/2, Taylor series are used."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        self._lims = lims
        self._set_parameters(validate_args, **self._choose(probs, logits))
        if probs is not None:
            self.probs = clamp_probs(self.probs)

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities, clamped."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _far(self) -> Tensor:
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _safe_probs(self) -> Tensor:
        """The probabilities, and where they are within the limits a value that has finite gradients."""
        return _functions.where(self._far(), self.probs, self._lims[0])

    def _log_norm(self) -> Tensor:
        probs = self._safe_probs()
        log_odds = (-probs).log1p() - probs.log()
        far = log_odds.abs().log() - (1 - 2 * probs).abs().log()
        x = (self.probs - 0.5).square()
        return _functions.where(self._far(), far, math.log(2) + (4 / 3 + 104 / 45 * x) * x)

    @property
    def mean(self) -> Tensor:
        probs, x = self._safe_probs(), self.probs - 0.5
        far = probs / (2 * probs - 1) + 1 / ((-probs).log1p() - probs.log())
        return _functions.where(self._far(), far, 0.5 + (1 / 3 + 16 / 45 * x.square()) * x)

    @property
    def variance(self) -> Tensor:
        probs, x = self._safe_probs(), (self.probs - 0.5).square()
        log_odds = (-probs).log1p() - probs.log()
        far = probs * (probs - 1) / (1 - 2 * probs).square() + 1 / log_odds.square()
        return _functions.where(self._far(), far, 1 / 12 - (1 / 15 - 128 / 945 * x) * x)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.icdf(_uniform(self._extended_shape(sample_shape), self.probs))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        cross = binary_cross_entropy_with_logits(logits, value, reduction="none")
        return self._log_norm() - cross

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        probs = self._safe_probs()
        far = (probs.pow(value) * (1 - probs).pow(1 - value) + probs - 1) / (2 * probs - 1)
        return _functions.where(self._far() & (value > 0) & (value < 1), far, value.clamp(min=0, max=1))

    def icdf(self, value: Tensor) -> Tensor:
        probs = self._safe_probs()
        log_left = (-probs).log1p()
        far = ((-probs + value * (2 * probs - 1)).log1p() - log_left) / (probs.log() - log_left)
        return _functions.where(self._far(), far, value)

    def entropy(self) -> Tensor:
        log_left = (-self.probs).log1p()
        return self.mean * (log_left - self.probs.log()) - self._log_norm() - log_left

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.logits,)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x,) = natural_params
        far = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        safe = _functions.where(far, x, self._lims[0] - 0.5)
        series = 0.5 * x + x.square() / 24 - x.pow(4) / 2880
        return _functions.where(far, safe.expm1().abs().log() - safe.abs().log(), series)
