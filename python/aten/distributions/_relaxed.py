"""Continuous relaxations of Bernoulli and OneHotCategorical (Maddison et al., 2016; Jang et al., 2016)."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor
from . import constraints
from ._categories import _OfCategories
from ._counts import _PROBS_OR_LOGITS
from .distribution import _ProbsOrLogits
from .transformed_distribution import TransformedDistribution, _of_base
from .transforms import ExpTransform, SigmoidTransform
from .utils import _uniform, broadcast_all, clamp_probs

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


class LogitRelaxedBernoulli(_ProbsOrLogits):
    """The log odds of a RelaxedBernoulli."""

    arg_constraints = _PROBS_OR_LOGITS
    support = constraints.real
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        self._set_parameters(validate_args, **self._choose(probs, logits))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        uniform = clamp_probs(_uniform(shape, probs))
        log_odds = uniform.log() - (-uniform).log1p() + probs.log() - (-probs).log1p()
        return log_odds / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        gap = logits - value * self.temperature
        return self.temperature.log() + gap - 2 * _C._nn.softplus(gap)


@_of_base("temperature", "probs", "logits")
class RelaxedBernoulli(TransformedDistribution):
    """Numbers in (0, 1) that become a Bernoulli's with the temperature: near 0 or 1 if it is near 0."""

    arg_constraints = _PROBS_OR_LOGITS
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | float | None = None,
        logits: Tensor | float | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits, validate_args)
        super().__init__(base, SigmoidTransform(), validate_args)


class ExpRelaxedCategorical(_OfCategories):
    """The logarithms of a RelaxedOneHotCategorical."""

    support = constraints.real_vector  # they are where the exponentials' sum is 1
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        self._set_categories(probs, logits, validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        uniform = clamp_probs(_uniform(self._extended_shape(sample_shape), self.logits))
        scores = (self.logits - (-uniform.log()).log()) / self.temperature
        return scores.log_softmax(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        count = self.event_shape[0]
        scale = math.lgamma(count) + (count - 1) * self.temperature.log()
        return (logits - value * self.temperature).log_softmax(-1).sum(-1) + scale


@_of_base("temperature", "probs", "logits")
class RelaxedOneHotCategorical(TransformedDistribution):
    """Points of the simplex that are near a OneHotCategorical's if the temperature is near 0."""

    arg_constraints = _OfCategories.arg_constraints
    support = constraints.simplex
    has_rsample = True

    def __init__(
        self,
        temperature: Tensor,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args)
        super().__init__(base, ExpTransform(), validate_args)
