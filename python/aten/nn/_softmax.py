"""Functions made of softmax, with PyTorch's signatures."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._C import dtype as _dtype

# What the compiled module holds has its types in the stubs of the package only.
# mypy: disable-error-code="no-any-return"
_functions = _C._VariableFunctions


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """exp(x) over its sum along `dim`; not given, that is 0 for 0, 1 and 3 dimensions and 1 otherwise;
    computed in `dtype` if that is given."""
    dim = _implicit_dim(input, dim)
    return _functions.softmax(input, dim) if dtype is None else _functions.softmax(input, dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """The logarithm of softmax, computed in one go."""
    dim = _implicit_dim(input, dim)
    return (
        _functions.log_softmax(input, dim)
        if dtype is None
        else _functions.log_softmax(input, dim, dtype=dtype)
    )


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """softmax of -input. Without `dim` it is 0 for 0, 1 and 3 dimensions, 1 otherwise."""
    dim, negative = _implicit_dim(input, dim), -input
    return (
        _functions.softmax(negative, dim) if dtype is None else _functions.softmax(negative, dim, dtype=dtype)
    )


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A random choice of a class by softmax(logits / tau), softened so that it has a gradient;
    `hard` gives it as zeros and a one, with the same gradient. `eps` is not used."""
    noise = -_functions.empty_like(logits).uniform_().neg().log1p().neg().log()
    soft = _functions.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = soft.argmax(dim, keepdim=True)
    return _functions.scatter(_functions.zeros_like(logits), dim, index, 1.0) - soft.detach() + soft


def _implicit_dim(input: Tensor, dim: int | None) -> int:
    """`dim`, or where it isn't given what PyTorch takes by the number of dimensions."""
    if dim is not None:
        return dim
    return 0 if input.dim() in (0, 1, 3) else 1
