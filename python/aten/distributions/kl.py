"""The Kullback-Leibler divergence, and its registry by pairs of types."""

from __future__ import annotations

import warnings

from .._C import Tensor
from .distribution import Distribution

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Divergence = Callable[[Any, Any], Tensor]

__all__ = ["kl_divergence", "register_kl"]

_registry: dict[tuple[type, type], Divergence] = {}
_found: dict[tuple[type, type], Divergence] = {}  # what was looked up


def register_kl(type_p: type, type_q: type) -> Callable[[Divergence], Divergence]:
    """Decorator that registers a function of p and q for distributions of these types and their subclasses.
    Of several that match, that of the closest types is called."""
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(kind, type) or not issubclass(kind, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def register(function: Divergence) -> Divergence:
        _registry[type_p, type_q] = function
        _found.clear()
        return function

    return register


def _look_up(type_p: type, type_q: type) -> Divergence | None:
    """Returns the function of the closest types: first by p, then by q. A warning if the other order finds
    another."""
    distances = {
        pair: (type_p.__mro__.index(pair[0]), type_q.__mro__.index(pair[1]))
        for pair in _registry
        if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])
    }
    if not distances:
        return None
    by_p = min(distances, key=lambda pair: distances[pair])
    by_q = min(distances, key=lambda pair: distances[pair][::-1])
    if _registry[by_p] is not _registry[by_q]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). "
            f"Please register_kl({by_p[0].__name__}, {by_q[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _registry[by_p]


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence of p from q: the mean under p of log p(x) - log q(x), for each
    distribution of the batch. NotImplementedError if there is no function for their types."""
    pair = type(p), type(q)
    function = _found.get(pair) or _look_up(*pair)
    if function is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {pair[0].__name__} and q type {pair[1].__name__}"
        )
    _found[pair] = function
    return function(p, q)
