"""Functions made of softmax, with PyTorch's signatures."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from .._C import dtype as _dtype

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
_functions = _C._VariableFunctions


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """exp(x) divided by its sum along `dim`, computed in `dtype` if that is given. Without `dim`, it is 0 for
    0, 1 and 3 dimensions and 1 otherwise."""
    dim = _implicit_dim(input, dim)
    return _functions.softmax(input, dim) if dtype is None else _functions.softmax(input, dim, dtype=dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """log(softmax(x)), computed in a numerically stable way."""
    dim = _implicit_dim(input, dim)
    return (
        _functions.log_softmax(input, dim)
        if dtype is None
        else _functions.log_softmax(input, dim, dtype=dtype)
    )


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: _dtype | None = None
) -> Tensor:
    """softmax of -input. Without `dim`, it is 0 for 0, 1 and 3 dimensions and 1 otherwise."""
    dim, negative = _implicit_dim(input, dim), -input
    return (
        _functions.softmax(negative, dim) if dtype is None else _functions.softmax(negative, dim, dtype=dtype)
    )


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A differentiable sample of the Gumbel-softmax distribution with temperature `tau`. With `hard` the
    result is one-hot, with the gradient of the soft sample. `eps` is not used."""
    noise = -_functions.empty_like(logits).uniform_().neg().log1p().neg().log()
    soft = _functions.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = soft.argmax(dim, keepdim=True)
    return _functions.scatter(_functions.zeros_like(logits), dim, index, 1.0) - soft.detach() + soft


def _implicit_dim(input: Tensor, dim: int | None) -> int:
    """Returns `dim`, or PyTorch's default for the number of dimensions."""
    if dim is not None:
        return dim
    return 0 if input.dim() in (0, 1, 3) else 1
