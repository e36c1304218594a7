"""The base classes of distributions."""

from __future__ import annotations

import warnings

from .. import _C
from .._C import Size, Tensor
from ..autograd.grad_mode import no_grad
from . import constraints
from .utils import _options, broadcast_all, lazy_property, logits_to_probs, probs_to_logits

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["Distribution"]

_functions: Any = _C._VariableFunctions


def _not_there(self: Distribution, name: str) -> NotImplementedError:
    return NotImplementedError(f"{type(self).__name__} has no {name}")


class Distribution:
    """Base class of distributions: a batch of independent distributions of shape `batch_shape`, each of which
    gives events of shape `event_shape`. A subclass declares `arg_constraints` of its parameters and its
    `support`, and has `log_prob` and `sample` or `rsample`. Parameters and values are checked if
    `validate_args`."""

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args = __debug__
    _broadcast: tuple[str, ...] = ()  # parameters of the batch's shape

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Sets whether parameters and values are checked: by default, unless Python runs with -O."""
        if value not in (True, False):
            raise ValueError(f"set_default_validate_args(): expected a bool, got {value!r}")
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Sequence[int] = (),
        event_shape: Sequence[int] = (),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    def _set_parameters(self, validate_args: bool | None, **values: Any) -> None:
        """Sets the parameters, broadcast, as attributes; their shape is the batch shape."""
        for name, value in zip(values, broadcast_all(*values.values()), strict=True):
            setattr(self, name, value)
        self._broadcast = tuple(values)
        Distribution.__init__(self, value.shape, validate_args=validate_args)

    def _check_parameters(self) -> None:
        try:
            declared = self.arg_constraints
        except NotImplementedError:
            declared = {}
            warnings.warn(
                f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or "
                "initialize the distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
        for name, constraint in declared.items():
            is_given = name in vars(self) or not isinstance(getattr(type(self), name, None), lazy_property)
            if constraints.is_dependent(constraint) or not is_given:
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                    f"distribution {self!r} to satisfy the constraint {constraint!r}, "
                    f"but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        """The distribution with a larger batch shape; parameters are expanded, not copied."""
        new = self._get_checked_instance(_author(type(self)), _instance)
        shape, old_dims = Size(batch_shape), len(self._batch_shape)
        event_dims = {name: constraint.event_dim for name, constraint in self.arg_constraints.items()}
        event_dims.update(dict.fromkeys(self._broadcast, 0))
        for name, value in list(vars(self).items()):
            if isinstance(value, Distribution):
                value = value.expand(shape + value.batch_shape[old_dims:])
            elif name in event_dims and isinstance(value, Tensor):
                value = value.expand(shape + value.shape[value.dim() - event_dims[name] :])
            elif isinstance(getattr(type(self), name, None), lazy_property):
                continue
            vars(new).setdefault(name, value)
        new._batch_shape = shape
        return new

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """Returns a new instance of the type, without parameters. NotImplementedError if its __init__ is not
        that of `cls`, which knows how to expand it."""
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method "
                "must also define a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    @property
    def batch_shape(self) -> Size:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one sample of one distribution."""
        return self._event_shape

    @property
    def arg_constraints(self) -> dict[str, constraints.Constraint]:
        """The constraints of the parameters, by name."""
        raise _not_there(self, "arg_constraints")

    @property
    def support(self) -> Any:
        """The constraint of the samples."""
        raise _not_there(self, "support")

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise _not_there(self, "mean")

    @property
    def mode(self) -> Tensor:
        """The most probable value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise _not_there(self, "variance")

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Samples of shape sample_shape + batch_shape + event_shape, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Samples that are differentiable functions of the parameters."""
        raise _not_there(self, "rsample()")

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density or the probability of each event."""
        raise _not_there(self, "log_prob()")

    def cdf(self, value: Tensor) -> Tensor:
        """The probability that a sample is at most `value`."""
        raise _not_there(self, "cdf()")

    def icdf(self, value: Tensor) -> Tensor:
        """The inverse of `cdf`: quantiles."""
        raise _not_there(self, "icdf()")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution along dimension 0; with batch dimensions of size 1 unless
        `expand`."""
        raise _not_there(self, "enumerate_support()")

    def _enumerated(self, count: int, like: Tensor, expand: bool) -> Tensor:
        values = _functions.arange(count, **_options(like)).view(-1, *(1,) * len(self._batch_shape))
        return values.expand(-1, *self._batch_shape) if expand else values

    def entropy(self) -> Tensor:
        """The entropy of each distribution of the batch, in nats."""
        raise _not_there(self, "entropy()")

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return self.entropy().exp()

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> Size:
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _full(self, value: float, like: Tensor) -> Tensor:
        return _functions.full(self._extended_shape(), value, **_options(like))

    def _check(self, value: Tensor) -> None:
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value: Tensor) -> None:
        """ValueError unless the value's shape fits, and the values are in the support."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, wanted = value.size(), self._extended_shape()
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {shape} vs {self._event_shape}."
            )
        if any(1 != i != j != 1 for i, j in zip(reversed(shape), reversed(wanted), strict=False)):
            raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {wanted}.")
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{type(self)} does not define `support` to enable sample validation. Please initialize the "
                "distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
            return
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be "
                f"within the support ({support!r}) of the distribution {self!r}, "
                f"but found invalid values:\n{value}"
            )

    def __repr__(self) -> str:
        given = {name: vars(self)[name] for name in self.arg_constraints if name in vars(self)}
        shown = [f"{name}: {v if v.numel() == 1 else v.size()}" for name, v in given.items()]
        return f"{type(self).__name__}({', '.join(shown)})"


def _author(cls: type) -> type:
    """Returns the base class of this package from which a class inherits its expand()."""
    return next(base for base in cls.__mro__ if base.__module__.startswith(__package__ or ""))


class _ProbsOrLogits(Distribution):
    """A distribution with a parameter that is given as probabilities or as their logits."""

    _is_binary = True  # logits are log odds; else logarithms along the last dimension

    def _choose(self, probs: Any, logits: Any) -> dict[str, Any]:
        """Returns which one is given, by name. ValueError unless exactly one is."""
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return {"probs": probs} if logits is None else {"logits": logits}

    @lazy_property
    def logits(self) -> Tensor:
        """The logits."""
        return probs_to_logits(self.probs, self._is_binary)

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities."""
        return logits_to_probs(self.logits, self._is_binary)

    @property
    def _param(self) -> Tensor:
        return next(vars(self)[name] for name in ("probs", "logits") if name in vars(self))

    @property
    def param_shape(self) -> Size:
        """The shape of `probs` or `logits`."""
        return self._param.size()
