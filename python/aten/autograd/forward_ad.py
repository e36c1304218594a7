"""Forward mode: dual tensors, whose tangents operators propagate.

with dual_level():
    y = f(make_dual(x, direction))
    derivative = unpack_dual(y).tangent
"""

from __future__ import annotations

from typing import NamedTuple

from .. import _C
from .._C import Tensor

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]

_level = -1  # the current one


class UnpackedDualTensor(NamedTuple):
    """A tensor without its tangent, and the tangent or None."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> int:
    """Enters a level, in which tensors can have tangents. RuntimeError in another level: they don't nest."""
    global _level
    _level = _C._enter_dual_level()
    return _level


def exit_dual_level(*, level: int | None = None) -> None:
    """Exits the current level and drops its tangents. RuntimeError if `level` isn't the current one."""
    global _level
    level = _level if level is None else level
    if level != _level or level < 0:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created: the open one is "
            f"{_level if _level >= 0 else 'none'}, got {level}."
        )
    _C._exit_dual_level(level)
    _level = -1


class dual_level:
    """A level as a context manager: see enter_dual_level."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *error: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """An alias of `tensor` with `tangent`, of the same shape, dtype and device. RuntimeError if these differ,
    if the tensor already has a tangent, or outside of a level; ValueError for non-differentiable dtypes.
    """
    for name, t in (("tensor", tensor), ("tangent", tangent)):
        if isinstance(t, Tensor) and not (t.is_floating_point() or t.is_complex()):
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")
    if (_level if level is None else level) < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
            "enter_dual_level() first."
        )
    return _C._make_dual(tensor, tangent)


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The primal and the tangent of a tensor. Both are differentiable."""
    if (_level if level is None else level) < 0:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*_C._unpack_dual(tensor))
