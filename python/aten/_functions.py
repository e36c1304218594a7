"""Small functions on tensors."""

from __future__ import annotations

from ._C import Tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_NAMESPACE = "aten"


def is_tensor(obj: object) -> bool:
    """Whether `obj` is a Tensor."""
    return isinstance(obj, Tensor)


def _tensor(input: object, function: str) -> Tensor:
    """Returns the argument 'input'; TypeError with the function's name if it is not a tensor."""
    if not isinstance(input, Tensor):
        got = type(input).__name__
        raise TypeError(f"{function}(): argument 'input' (position 1): expected Tensor, got {got}")
    return input


def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is floating-point."""
    return _tensor(input, "is_floating_point").is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the dtype is complex."""
    return _tensor(input, "is_complex").is_complex()


def is_nonzero(input: Tensor) -> bool:
    """Whether the single element is nonzero. Raises an error unless there is exactly one element."""
    return _tensor(input, "is_nonzero").is_nonzero()


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """Indices of the nonzero elements, one row each; with `as_tuple`, one tensor for each
    dimension."""
    if out is None:
        return _tensor(input, "nonzero").nonzero(as_tuple=as_tuple)
    if as_tuple:
        raise ValueError("nonzero(): out= cannot be given with as_tuple")
    from ._ops import ops

    return getattr(ops, _NAMESPACE).nonzero.out(input, out=out)


def numel(input: Tensor) -> int:
    """The number of elements."""
    return _tensor(input, "numel").numel()
