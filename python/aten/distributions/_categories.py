"""Distributions of one of several categories, and of counts of them."""

from __future__ import annotations

import math

from .. import _C
from .._C import Size, Tensor
from .._dtype_info import finfo
from .._joined import broadcast_shapes
from ..autograd.grad_mode import no_grad
from . import constraints
from ._counts import Binomial
from .distribution import Distribution, _ProbsOrLogits
from .utils import broadcast_all

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_one_hot: Any = _C._nn.one_hot
_PROBS_OR_LOGITS = {"probs": constraints.simplex, "logits": constraints.real_vector}


class Categorical(_ProbsOrLogits):
    """The numbers 0 to n - 1 with the probabilities along the last dimension of `probs`, or with the
    logarithms `logits`; both are normalized."""

    arg_constraints = _PROBS_OR_LOGITS
    has_enumerate_support = True
    _is_binary = False

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        ((name, value),) = self._choose(probs, logits).items()
        if value.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if name == "probs":
            self.probs = value / value.sum(-1, keepdim=True)
        else:
            self.logits = value - value.logsumexp(-1, keepdim=True)
        self._num_events = value.shape[-1]
        super().__init__(value.shape[:-1], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        return self._full(math.nan, self.probs)

    variance = mean

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        rows = self.probs.detach().reshape(-1, self._num_events)
        samples = _functions.multinomial(rows, Size(sample_shape).numel(), True).T
        return samples.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        index = value.long().unsqueeze(-1)
        shape = broadcast_shapes(index.shape, self.logits.shape)
        return self.logits.expand(shape).gather(-1, index.expand(*shape[:-1], 1)).squeeze(-1)

    def entropy(self) -> Tensor:
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        return self._enumerated(self._num_events, self._param, expand).long()


class _OfCategories(Distribution):
    """A distribution of vectors of the length of `probs`, made by a Categorical."""

    arg_constraints = _PROBS_OR_LOGITS
    _categorical: Categorical

    def _set_categories(
        self, probs: Tensor | None, logits: Tensor | None, validate_args: bool | None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        param = self._categorical._param
        Distribution.__init__(self, param.shape[:-1], param.shape[-1:], validate_args)

    @property
    def probs(self) -> Tensor:
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def _param(self) -> Tensor:
        return self._categorical._param

    @property
    def param_shape(self) -> Size:
        """The shape of `probs` or `logits`."""
        return self._param.shape


class OneHotCategorical(_OfCategories):
    """Vectors with a 1 at the place that a Categorical chooses, and zeros."""

    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        self._set_categories(probs, logits, validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs

    def _vectors(self, indices: Tensor) -> Tensor:
        return _one_hot(indices, self.event_shape[0]).to(self.probs.dtype)

    @property
    def mode(self) -> Tensor:
        return self._vectors(self.probs.argmax(-1))

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self._vectors(self._categorical.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        return self._vectors(self._categorical.enumerate_support(expand))


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """A OneHotCategorical whose samples have the gradient of `probs` (Bengio et al., 2013)."""

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Multinomial(_OfCategories):
    """How often each category is chosen in `total_count` draws, an int."""

    def __init__(
        self,
        total_count: int = 1,
        probs: Tensor | None = None,
        logits: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._set_categories(probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            chosen = self._categorical.sample((*sample_shape, self.total_count)).movedim(
                len(sample_shape), -1
            )
            counts = chosen.new_zeros(self._extended_shape(sample_shape))
            return counts.scatter_add(-1, chosen, _functions.ones_like(chosen)).to(self.probs.dtype)

    def entropy(self) -> Tensor:
        n = self.total_count
        binomial = Binomial(n, self.probs, validate_args=False)
        counts = binomial.enumerate_support(expand=False)[1:]
        factorials = (binomial.log_prob(counts).exp() * (counts + 1).lgamma()).sum((0, -1))
        return n * self._categorical.entropy() - math.lgamma(n + 1) + factorials

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -math.inf), 0)
        choices = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        return choices + (logits * value).sum(-1)
