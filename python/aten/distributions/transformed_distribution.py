"""Distributions of transformed random variables."""

from __future__ import annotations

from functools import reduce
from operator import mul

from .._C import Size, Tensor
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import Distribution
from .independent import Independent
from .transforms import ComposeTransform, Transform
from .utils import _sum_rightmost

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of f(x) for x of `base_distribution` and f the composition of `transforms`."""

    arg_constraints = {}

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | list[Transform],
        validate_args: bool | None = None,
    ) -> None:
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(self.transforms, list) or not all(
            isinstance(t, Transform) for t in self.transforms
        ):
            raise ValueError(f"transforms must be a Transform or a list of Transforms, but was {transforms}")
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        base_event_dim = len(base_distribution.event_shape)
        transform = ComposeTransform(self.transforms)
        domain_dim, codomain_dim = transform.domain.event_dim, transform.codomain.event_dim
        if len(base_shape) < domain_dim:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {domain_dim}, "
                f"but got {base_shape}."
            )
        shape = Size(transform.forward_shape(base_shape))
        needed = Size(transform.inverse_shape(shape))
        if needed != base_shape:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_event_dim])
        if domain_dim > base_event_dim:
            base_distribution = Independent(base_distribution, domain_dim - base_event_dim)
        self.base_dist: Any = base_distribution
        cut = len(shape) - max(codomain_dim, base_event_dim + codomain_dim - domain_dim)
        super().__init__(shape[:cut], shape[cut:], validate_args)

    @property
    def has_rsample(self) -> Any:
        return self.base_dist.has_rsample

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        extra = len(self.event_shape) - support.event_dim
        return constraints.independent(support, extra) if extra > 0 else support

    def _transformed(self, value: Tensor) -> Tensor:
        return reduce(lambda x, transform: transform(x), self.transforms, value)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        event_dim = len(self.event_shape)
        total: Any = 0.0
        for transform in reversed(self.transforms):
            x = transform.inv(value)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            log = transform.log_abs_det_jacobian(x, value)
            total = total - _sum_rightmost(log, event_dim - transform.domain.event_dim)
            value = x
        base = self.base_dist.log_prob(value)
        return total + _sum_rightmost(base, event_dim - len(self.base_dist.event_shape))

    def _reflected(self, probability: Tensor) -> Tensor:
        """Returns 1 - probability if the transforms are decreasing, as a whole."""
        sign = reduce(mul, (transform.sign for transform in self.transforms), 1)
        return probability if isinstance(sign, int) and sign == 1 else sign * (probability - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._reflected(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return self._transformed(self.base_dist.icdf(self._reflected(value)))


def _of_base(*names: str) -> Any:
    """Returns a decorator of classes: adds properties that are attributes of the base distribution."""

    def decorate(cls: type) -> type:
        for name in names:
            setattr(cls, name, property(lambda self, name=name: getattr(self.base_dist, name)))
        return cls

    return decorate
