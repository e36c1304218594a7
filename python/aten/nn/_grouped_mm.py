"""Matrix products of groups, with PyTorch's signature."""

from __future__ import annotations

from .. import _C
from .._C import Tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from .._C import dtype

_functions = _C._VariableFunctions


def grouped_mm(
    mat_a: Tensor,
    mat_b: Tensor,
    *,
    offs: Tensor | None = None,
    bias: Tensor | None = None,
    out_dtype: dtype | None = None,
) -> Tensor:
    """The products of groups of `mat_a` and `mat_b`. The first dimension of a 3D tensor has the groups; of 2D
    ones, the int32 tensor `offs` has the end of each group along the rows of `mat_a` or the columns of
    `mat_b`, or, where both are 2D, along the dimension that is summed."""
    return _functions._grouped_mm(mat_a, mat_b, offs=offs, bias=bias, out_dtype=out_dtype)
