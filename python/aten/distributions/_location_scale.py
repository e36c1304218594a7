"""Distributions with a location and a scale, and the von Mises distribution of angles."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor
from .._dtype_info import finfo
from ..autograd.grad_mode import no_grad
from . import constraints
from ._intervals import Uniform
from ._normal import _LOC_SCALE, _Folded
from .distribution import Distribution
from .transformed_distribution import TransformedDistribution, _of_base
from .transforms import AbsTransform, AffineTransform, ExpTransform
from .utils import broadcast_all, euler_constant, lazy_property

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_special: Any = _C._special


class Cauchy(Distribution):
    """The Cauchy distribution of median `loc` and half width at half maximum `scale`."""

    arg_constraints = _LOC_SCALE
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self._set_parameters(validate_args, loc=loc, scale=scale)

    @property
    def mean(self) -> Tensor:
        return self._full(math.nan, self.loc)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return self._full(math.inf, self.loc)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.loc + self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_() * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        squares = ((value - self.loc) / self.scale).square()
        return -math.log(math.pi) - self.scale.log() - squares.log1p()

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value: Tensor) -> Tensor:
        return (math.pi * (value - 0.5)).tan() * self.scale + self.loc

    def entropy(self) -> Tensor:
        return math.log(4 * math.pi) + self.scale.log()


@_of_base("scale", "variance")
class HalfCauchy(_Folded):
    """The absolute value of a Cauchy random variable of median 0."""

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, validate_args=False), AbsTransform(), validate_args)

    @property
    def mean(self) -> Tensor:
        return self._full(math.inf, self.scale)


class Laplace(Distribution):
    """The Laplace distribution, with density exp(-|x - loc| / scale) / (2 scale)."""

    arg_constraints = _LOC_SCALE
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self._set_parameters(validate_args, loc=loc, scale=scale)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.square()

    @property
    def stddev(self) -> Tensor:
        return math.sqrt(2) * self.scale

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        u = self.loc.new_empty(self._extended_shape(sample_shape))
        u.uniform_(finfo(u.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        self._check(value)
        gap = value - self.loc
        return 0.5 - 0.5 * gap.sign() * (-gap.abs() / self.scale).expm1()

    def icdf(self, value: Tensor) -> Tensor:
        gap = value - 0.5
        return self.loc - self.scale * gap.sign() * (-2 * gap.abs()).log1p()

    def entropy(self) -> Tensor:
        return 1 + (2 * self.scale).log()


class Gumbel(TransformedDistribution):
    """The Gumbel distribution of maxima, with cdf exp(-exp(-(x - loc) / scale))."""

    arg_constraints = _LOC_SCALE
    support = constraints.real

    def __init__(self, loc: Tensor | float, scale: Tensor | float, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        info = finfo(self.loc.dtype)
        base = Uniform(
            _functions.full_like(self.loc, info.tiny),
            _functions.full_like(self.loc, 1 - info.eps),
            validate_args,
        )
        log = ExpTransform().inv
        flip = AffineTransform(0, -_functions.ones_like(self.scale))
        super().__init__(base, [log, flip, log, AffineTransform(self.loc, -self.scale)], validate_args)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Tensor:
        return self.stddev.square()

    def entropy(self) -> Tensor:
        return self.scale.log() + (1 + euler_constant)


class VonMises(Distribution):
    """The von Mises distribution of angles in [-π, π), with density proportional to
    exp(concentration * cos(x - loc))."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real

    def __init__(
        self, loc: Tensor | float, concentration: Tensor | float, validate_args: bool | None = None
    ) -> None:
        self._set_parameters(validate_args, loc=loc, concentration=concentration)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @lazy_property
    def variance(self) -> Tensor:
        """1 - the mean of cos(x - loc)."""
        return 1 - _special.special_i1e(self.concentration) / _special.special_i0e(self.concentration)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        log_bessel = _special.special_i0e(self.concentration).log() + self.concentration
        return self.concentration * (value - self.loc).cos() - math.log(2 * math.pi) - log_bessel

    @lazy_property
    def _proposal(self) -> Tensor:
        """The parameter of the wrapped Cauchy distribution that proposes samples, in double precision."""
        kappa = self.concentration.double()
        tau = 1 + (1 + 4 * kappa.square()).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        # For small kappa, rho has no digits left.
        return _functions.where(kappa < 1e-5, 1 / kappa + kappa, (1 + rho.square()) / (2 * rho))

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Samples by rejection (Best and Fisher, 1979)."""
        with no_grad():
            loc, kappa, r = self.loc.double(), self.concentration.double(), self._proposal
            x = loc.new_zeros(self._extended_shape(sample_shape))
            done = _functions.zeros_like(x, dtype=_C.bool)
            while not done.all():
                u1, u2, u3 = _functions.rand((3, *x.shape), dtype=x.dtype, device=x.device).unbind()
                z = (math.pi * u1).cos()
                f = (1 + r * z) / (r + z)
                c = kappa * (r - f)
                accepted = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
                x = _functions.where(accepted & ~done, (u3 - 0.5).sign() * f.acos(), x)
                done = done | accepted
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)
