"""Transforms from all numbers to those that satisfy a constraint: biject_to and transform_to."""

from __future__ import annotations

from . import constraints, transforms

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Functions that make a transform for a constraint, by the constraint's class."""

    def __init__(self) -> None:
        self._registry: dict[type, Callable[[Any], Any]] = {}

    def register(self, constraint: Any, factory: Any = None) -> Any:
        """Registers `factory(constraint)` for constraints of this class, or of this one's class. Without a
        factory, returns a decorator."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        """The transform from all numbers to those that satisfy the constraint. NotImplementedError if none is
        registered."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _shifted_exp(bound: Any, sign: int) -> Any:
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(bound, sign)])


def _to_interval(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    parts = [transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)]
    return transforms.ComposeTransform(parts)


# Constraint -> function that makes the transform, for both registries.
_BOTH: dict[Any, Callable[[Any], Any]] = {
    constraints.real: lambda c: transforms.identity_transform,
    # `positive` and `nonnegative` are of these classes, with the bound 0.
    constraints.greater_than: lambda c: _shifted_exp(c.lower_bound, 1),
    constraints.greater_than_eq: lambda c: _shifted_exp(c.lower_bound, 1),
    constraints.less_than: lambda c: _shifted_exp(c.upper_bound, -1),
    constraints.interval: _to_interval,
    constraints.half_open_interval: _to_interval,
    constraints.corr_cholesky: lambda c: transforms.CorrCholeskyTransform(),
}
for _registry in (biject_to, transform_to):
    for _constraint, _factory in _BOTH.items():
        _registry.register(_constraint, _factory)
    _registry.register(
        constraints.independent,
        lambda c, to=_registry: transforms.IndependentTransform(
            to(c.base_constraint), c.reinterpreted_batch_ndims
        ),
    )
    _registry.register(
        constraints.cat,
        lambda c, to=_registry: transforms.CatTransform([to(part) for part in c.cseq], c.dim, c.lengths),
    )
    _registry.register(
        constraints.stack,
        lambda c, to=_registry: transforms.StackTransform([to(part) for part in c.cseq], c.dim),
    )
biject_to.register(constraints.simplex, lambda c: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda c: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda c: transforms.PositiveDefiniteTransform())
