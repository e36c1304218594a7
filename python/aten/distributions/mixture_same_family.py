"""Mixtures of distributions of one family."""

from __future__ import annotations

from .._C import Tensor
from ..autograd.grad_mode import no_grad
from . import constraints
from ._categories import Categorical
from .distribution import Distribution

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture: the last batch dimension of `component_distribution` has the components, of which
    `mixture_distribution`, a Categorical, chooses."""

    arg_constraints = {}

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError("The Mixture distribution needs to be an instance of Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of Distribution")
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        chosen, batch = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        if any(1 != i != j != 1 for i, j in zip(reversed(chosen), reversed(batch), strict=False)):
            raise ValueError(
                f"`mixture_distribution.batch_shape` ({chosen}) is not compatible with "
                f"`component_distribution.batch_shape`({batch})"
            )
        choices, components = mixture_distribution.param_shape[-1], component_distribution.batch_shape[-1]
        if choices != components:
            raise ValueError(
                f"`mixture_distribution component` ({choices}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({components})"
            )
        super().__init__(batch, component_distribution.event_shape, validate_args)

    @constraints.dependent_property
    def support(self) -> Any:
        return constraints.MixtureSameFamilyConstraint(self.component_distribution.support)

    @property
    def _component_dim(self) -> int:
        return -1 - len(self.event_shape)

    def _mixed(self, values: Tensor) -> Tensor:
        """Returns the mean over the components of values of the batch's and the event's shape."""
        probs = self.mixture_distribution.probs
        probs = probs.reshape(*probs.shape, *(1,) * len(self.event_shape))
        return (probs * values).sum(self._component_dim)

    @property
    def mean(self) -> Tensor:
        return self._mixed(self.component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        gaps = self.component_distribution.mean - self.mean.unsqueeze(self._component_dim)
        return self._mixed(self.component_distribution.variance) + self._mixed(gaps.square())

    def cdf(self, value: Tensor) -> Tensor:
        probs = self.component_distribution.cdf(value.unsqueeze(self._component_dim))
        return (probs * self.mixture_distribution.probs).sum(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logs = self.component_distribution.log_prob(value.unsqueeze(self._component_dim))
        return (logs + self.mixture_distribution.logits.log_softmax(-1)).logsumexp(-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            chosen = self.mixture_distribution.expand(self._batch_shape).sample(sample_shape)
            samples = self.component_distribution.sample(sample_shape)
            dim = samples.dim() + self._component_dim
            index = chosen.reshape(*samples.shape[:dim], *(1,) * (1 + len(self.event_shape)))
            return samples.take_along_dim(index, dim).squeeze(dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"
