"""Weibull and Pareto distributions."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor
from . import constraints
from ._gamma import Exponential
from .distribution import Distribution
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, ExpTransform, PowerTransform
from .utils import _uniform, broadcast_all, euler_constant

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


class Weibull(TransformedDistribution):
    """The Weibull distribution, with cdf 1 - exp(-(x / scale) ** concentration)."""

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(
        self, scale: Tensor | float, concentration: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        base = Exponential(_functions.ones_like(self.scale), validate_args)
        power = PowerTransform(self.concentration.reciprocal())
        super().__init__(base, [power, AffineTransform(0, self.scale)], validate_args)

    @property
    def mean(self) -> Tensor:
        return self.scale * (1 + 1 / self.concentration).lgamma().exp()

    @property
    def mode(self) -> Tensor:
        a = self.concentration
        return self.scale * ((a - 1) / a) ** a.reciprocal()

    @property
    def variance(self) -> Tensor:
        second = (1 + 2 / self.concentration).lgamma().exp()
        return self.scale.square() * (second - (2 * (1 + 1 / self.concentration).lgamma()).exp())

    def entropy(self) -> Tensor:
        a = self.concentration
        return euler_constant * (1 - 1 / a) + (self.scale / a).log() + 1


class Pareto(TransformedDistribution):
    """The Pareto distribution, with cdf 1 - (scale / x) ** alpha for x >= scale."""

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(
        self, scale: Tensor | float, alpha: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        transforms = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args), transforms, validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        a = self.alpha.clamp(min=1)  # gives infinity
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        a = self.alpha.clamp(min=2)
        return self.scale.square() * a / ((a - 1).square() * (a - 2))

    def entropy(self) -> Tensor:
        return (self.scale / self.alpha).log() + 1 + 1 / self.alpha


class GeneralizedPareto(Distribution):
    """The generalized Pareto distribution, with cdf 1 - (1 + concentration * z) ** (-1 / concentration) for
    z = (x - loc) / scale; for concentration 0 it is exponential."""

    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(
        self,
        loc: Tensor | float,
        scale: Tensor | float,
        concentration: Tensor | float,
        validate_args: bool | None = None,
    ) -> None:
        self._set_parameters(validate_args, loc=loc, scale=scale, concentration=concentration)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        end = (self.loc - self.scale / self.concentration).masked_fill(self.concentration >= 0, math.inf)
        return constraints.interval(self.loc, end)

    def _without_zero(self) -> tuple[Tensor, Tensor]:
        """Returns where the concentration is about 0, and it with 1 there, which has finite gradients."""
        is_zero = self.concentration.abs() <= 1e-8
        return is_zero, self.concentration.masked_fill(is_zero, 1)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.icdf(_uniform(self._extended_shape(sample_shape), self.loc))

    def log_survival_function(self, value: Tensor) -> Tensor:
        """log(1 - cdf(value))."""
        self._check(value)
        z = (value - self.loc) / self.scale
        is_zero, a = self._without_zero()
        return _functions.where(is_zero, -z, -(a * z).log1p() / a)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        z = (value - self.loc) / self.scale
        is_zero, a = self._without_zero()
        power = 1 / a + 1
        # With the concentration -1 it is uniform, and its end has the density, too.
        logs = _functions.where(power == 0, 0.0, power * (a * z).log1p())
        return -self.scale.log() - _functions.where(is_zero, z, logs)

    def log_cdf(self, value: Tensor) -> Tensor:
        """log(cdf(value))."""
        return self.cdf(value).log()

    def cdf(self, value: Tensor) -> Tensor:
        return -self.log_survival_function(value).expm1()

    def icdf(self, value: Tensor) -> Tensor:
        is_zero, a = self._without_zero()
        log_left = (-value).log1p()
        z = _functions.where(is_zero, -log_left, (-a * log_left).expm1() / a)
        return self.loc + self.scale * z

    @property
    def mean(self) -> Tensor:
        mean = self.loc + self.scale / (1 - self.concentration)
        return mean.masked_fill(self.concentration >= 1, math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        left = 1 - self.concentration
        variance = self.scale.square() / (left.square() * (1 - 2 * self.concentration))
        return variance.masked_fill(self.concentration >= 0.5, math.nan)

    def entropy(self) -> Tensor:
        return self.scale.log() + self.concentration + 1
