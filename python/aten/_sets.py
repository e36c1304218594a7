"""unique and unique_consecutive with PyTorch's signatures, which return what is asked for."""

from __future__ import annotations

from . import _C
from ._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_functions: Any = _C._VariableFunctions


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, or the different slices along `dim`, in ascending order. With `return_inverse`
    also the place of each element among them, with `return_counts` how often each occurs."""
    if _C._any_torch_function(input):
        keywords = {"return_inverse": return_inverse, "return_counts": return_counts, "dim": dim}
        return _C._handle_torch_function(unique, (input,), (input,), {"sorted": sorted, **keywords})
    if dim is None:
        found = _functions._unique2(input, sorted, return_inverse, return_counts)
    else:
        found = _functions.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _asked(found, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements, or the slices along `dim`, without those that equal the one before. With
    `return_inverse` also the place of each among what is left, with `return_counts` how long each run was."""
    if _C._any_torch_function(input):
        keywords = {"return_inverse": return_inverse, "return_counts": return_counts, "dim": dim}
        return _C._handle_torch_function(unique_consecutive, (input,), (input,), keywords)
    found = _functions.unique_consecutive(input, return_inverse, return_counts, dim)
    return _asked(found, return_inverse, return_counts)


def _asked(found: tuple[Tensor, Tensor, Tensor], return_inverse: bool, return_counts: bool) -> Any:
    output, inverse, counts = found
    if return_inverse and return_counts:
        return output, inverse, counts
    if return_inverse:
        return output, inverse
    return (output, counts) if return_counts else output
