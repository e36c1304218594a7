"""Functions whose tensors are separate arguments or one sequence, with PyTorch's signatures."""

from __future__ import annotations

from . import _C
from ._C import Size, Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


def _listed(tensors: Sequence[Any]) -> list[Any]:
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return list(tensors[0])
    return list(tensors)


def _each_or_one(name: str, function: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    """The function's result for a tensor, a tuple of them for several."""
    given = _listed(tensors)
    if _C._any_torch_function(*given):
        return _C._handle_torch_function(function, tuple(given), tuple(tensors), {})
    compiled = getattr(_functions, name)
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return compiled(tensors[0])
    return tuple(compiled(given))


def atleast_1d(*tensors: Any) -> Any:
    """A view with at least one dimension of each tensor."""
    return _each_or_one("atleast_1d", atleast_1d, tensors)


def atleast_2d(*tensors: Any) -> Any:
    """A view with at least two dimensions of each tensor."""
    return _each_or_one("atleast_2d", atleast_2d, tensors)


def atleast_3d(*tensors: Any) -> Any:
    """A view with at least three dimensions of each tensor."""
    return _each_or_one("atleast_3d", atleast_3d, tensors)


def _of_list(name: str, function: Callable[..., Any], tensors: Sequence[Any]) -> Any:
    given = _listed(tensors)
    if _C._any_torch_function(*given):
        return _C._handle_torch_function(function, tuple(given), tuple(tensors), {})
    return getattr(_functions, name)(given)


def block_diag(*tensors: Any) -> Tensor:
    """The matrices along the diagonal of one matrix of zeros; vectors count as rows."""
    return _of_list("block_diag", block_diag, tensors)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of the tensors with the shape to which all of them broadcast."""
    return tuple(_of_list("broadcast_tensors", broadcast_tensors, tensors))


def cartesian_prod(*tensors: Any) -> Tensor:
    """A row for each combination of an element of each vector, the last changing first."""
    return _of_list("cartesian_prod", cartesian_prod, tensors)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """For each vector the tensor of its values at the points of the grid that the vectors span. The first
    vector runs along the first dimension ("ij", the default) or the second ("xy")."""
    given = _listed(tensors)
    if _C._any_torch_function(*given):
        return _C._handle_torch_function(meshgrid, tuple(given), tuple(tensors), {"indexing": indexing})
    return tuple(_functions.meshgrid(given, indexing="ij" if indexing is None else indexing))


def broadcast_shapes(*shapes: Sequence[int] | int) -> Size:
    """The shape to which tensors of these shapes broadcast; an int is a shape of one dimension."""
    given = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    made = [1] * max(map(len, given), default=0)
    for shape in given:
        for back, size in enumerate(reversed(shape), 1):
            if size < 0:
                raise RuntimeError(
                    f"broadcast_shapes(): trying to create a tensor with negative dimension ({size})"
                )
            if size == 1 or size == made[-back]:
                continue
            if made[-back] != 1:
                raise RuntimeError(
                    f"broadcast_shapes(): {', '.join(map(str, given))} can't be broadcast to one shape"
                )
            made[-back] = size
    return Size(made)
