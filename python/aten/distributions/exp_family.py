"""Distributions of an exponential family."""

from __future__ import annotations

from .._C import Tensor
from ..autograd import grad
from .distribution import Distribution
from .utils import _sum_rightmost

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """Base class of distributions with density exp(t(x) · θ - F(θ) + k(x)). Their entropy and
    Kullback-Leibler divergence follow from the natural parameters θ and the gradient of the log normalizer
    F."""

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        raise NotImplementedError(f"{type(self).__name__} has no natural parameters")

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no log normalizer")

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no mean of its carrier measure")

    def _normalizer_and_means(self) -> tuple[tuple[Tensor, ...], Tensor, tuple[Tensor, ...]]:
        """Returns natural parameters, the log normalizer, and its gradient: the means of t(x)."""
        natural = tuple(p.detach().requires_grad_() for p in self._natural_params)
        normalizer = self._log_normalizer(*natural)
        return natural, normalizer, grad(normalizer.sum(), natural, create_graph=True)

    def entropy(self) -> Tensor:
        carrier = self._mean_carrier_measure
        natural, normalizer, means = self._normalizer_and_means()
        dims = len(self._batch_shape)
        terms = [_sum_rightmost(p * m, p.dim() - dims) for p, m in zip(natural, means, strict=True)]
        return normalizer - sum(terms) - carrier
