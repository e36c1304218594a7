"""Small functions that ask about tensors."""

from __future__ import annotations

from typing import Any

from ._C import Tensor

_NAMESPACE = "aten"


def is_tensor(obj: object) -> bool:
    """Whether `obj` is a Tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input: Tensor) -> bool:
    """Whether the elements have fractions."""
    return input.is_floating_point()


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex."""
    return input.is_complex()


def is_nonzero(input: Tensor) -> bool:
    """Whether the only element is not zero; an error for more elements or none."""
    return bool(input)


def nonzero(input: Tensor, *, out: Tensor | None = None, as_tuple: bool = False) -> Any:
    """Indices of the elements that are not zero, one row each; with `as_tuple`, one tensor for each
    dimension."""
    if out is None:
        return input.nonzero(as_tuple=as_tuple)
    if as_tuple:
        raise ValueError("nonzero(): out= cannot be given with as_tuple")
    from ._ops import ops

    return getattr(ops, _NAMESPACE).nonzero.out(input, out=out)


def numel(input: Tensor) -> int:
    """Number of elements."""
    return input.numel()
