"""Functions that distributions and transforms share."""

from __future__ import annotations

import math

from .. import _C
from .._C import Tensor
from .._creation import tensor
from .._dtype_info import finfo
from .._joined import broadcast_tensors
from ..autograd.grad_mode import enable_grad

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

__all__ = [
    "broadcast_all",
    "clamp_probs",
    "lazy_property",
    "logits_to_probs",
    "probs_to_logits",
    "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]

_functions: Any = _C._VariableFunctions
euler_constant = 0.57721566490153286060


def _is_tensor(value: object) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "__torch_function__")


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """The values as tensors of one shape. Numbers get the dtype and device of the first tensor; without one,
    the default dtype. ValueError if a value is neither."""
    for value in values:
        if not _is_tensor(value) and not isinstance(value, (int, float)):
            raise ValueError(f"broadcast_all(): expected numbers and tensors, got {type(value).__name__}")
    first = next((v for v in values if isinstance(v, Tensor)), None)
    options = {"dtype": _C.get_default_dtype()} if first is None else _options(first)
    return broadcast_tensors(*[v if _is_tensor(v) else tensor(v, **options) for v in values])


def _options(like: Tensor) -> dict[str, Any]:
    return {"dtype": like.dtype, "device": like.device}


def _standard_normal(shape: Sequence[int], like: Tensor) -> Tensor:
    return _functions.empty(shape, **_options(like)).normal_()


def _uniform(shape: Sequence[int], like: Tensor) -> Tensor:
    return _functions.rand(shape, **_options(like))


def _sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """The sums over the last `dim` dimensions."""
    return value.reshape(*value.shape[: value.dim() - dim], -1).sum(-1) if dim else value


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities from log odds, if `is_binary`, or from logarithms along the last dimension, which need no
    normalization."""
    return logits.sigmoid() if is_binary else logits.softmax(-1)


def clamp_probs(probs: Tensor) -> Tensor:
    """The probabilities in [eps, 1 - eps], where eps is the dtype's."""
    eps = finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Log odds of the clamped probabilities, if `is_binary`, or their logarithms."""
    clamped = clamp_probs(probs)
    return clamped.log() - (-clamped).log1p() if is_binary else clamped.log()


class lazy_property:
    """A property that is computed at its first use, with gradients, and then is an attribute."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        self.name = wrapped.__name__
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.name, value)
        return value


def _tril_mask(n: int, diag: int, like: Tensor) -> Tensor:
    return _functions.ones((n, n), dtype=_C.bool, device=like.device).tril(diag)


def tril_matrix_to_vec(mat: Tensor, diag: int = 0) -> Tensor:
    """The elements of the matrices on and below the diagonal `diag`, by rows, in the last dimension."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _tril_mask(n, diag, mat)]


def vec_to_tril_matrix(vec: Tensor, diag: int = 0) -> Tensor:
    """Square matrices with the elements of the last dimension on and below the diagonal `diag`, by rows, and
    zeros above."""
    # The positive root n of n² + (1 + 2 diag) n - |diag| (diag + 1) = 2 length.
    half = 1 + 2 * diag
    root = (math.sqrt(half**2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) - half) / 2
    n = round(root)
    if n - root > finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as "
            "the lower triangular part of a square D x D matrix."
        )
    mat = vec.new_zeros((*vec.shape[:-1], n, n))
    mat[..., _tril_mask(n, diag, vec)] = vec
    return mat
