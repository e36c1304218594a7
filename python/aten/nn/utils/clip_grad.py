"""Limits of gradients."""

from __future__ import annotations

import warnings

from ... import _C
from ..._C import Tensor
from ...autograd.grad_mode import no_grad

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

__all__ = ["clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]

_functions = _C._VariableFunctions
_linalg: Any = getattr(_C, "_linalg", None)


def _grouped(tensors: Iterable[Tensor]) -> list[list[Tensor]]:
    """The tensors by device and dtype, as the foreach functions take them."""
    groups: dict[Any, list[Tensor]] = {}
    for tensor in tensors:
        groups.setdefault((str(tensor.device), tensor.dtype), []).append(tensor)
    return list(groups.values())


def _gradients(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    given = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p.grad for p in given if p.grad is not None]


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements together. RuntimeError if it isn't finite, with `error_if_nonfinite`."""
    given = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not given:
        return _functions.zeros(())
    norm_type = float(norm_type)
    norms = [n for group in _grouped(given) for n in _functions._foreach_norm(group, norm_type)]
    total = _linalg.linalg_vector_norm(
        _functions.stack([norm.to(given[0].device) for norm in norms]), norm_type
    )
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it "
            "cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, "
            "set `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scales the gradients by max_norm / total_norm if that is below 1."""
    factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
    with no_grad():
        for group in _grouped(_gradients(parameters)):
            _functions._foreach_mul_(group, factor.to(group[0].device))


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scales the gradients of the parameters so that their norm together is at most `max_norm`; returns the
    norm before. `foreach` has no effect: gradients are always processed in groups."""
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    with no_grad():
        total = get_total_norm(_gradients(given), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(given, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The former name of clip_grad_norm_(), with a FutureWarning."""
    warnings.warn("clip_grad_norm() is deprecated: use clip_grad_norm_()", FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Limits the elements of the gradients to -clip_value .. clip_value."""
    value = float(clip_value)
    with no_grad():
        for group in _grouped(_gradients(parameters)):
            _functions._foreach_clamp_min_(group, -value)
            _functions._foreach_clamp_max_(group, value)
