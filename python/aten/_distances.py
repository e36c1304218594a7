"""Distances and norms with PyTorch's signatures, whose operators take numbers for names."""

from __future__ import annotations

from . import _C
from ._C import Tensor

# What the compiled module holds has its types in the stubs of the package only.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_MODES = {
    "use_mm_for_euclid_dist_if_necessary": None,
    "use_mm_for_euclid_dist": 1,
    "donot_use_mm_for_euclid_dist": 2,
}


def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """The p-norms of the differences of all rows of `x1` and `x2`, matrix by matrix. For p = 2 they may be
    made by a matrix product, which `compute_mode` decides."""
    if not isinstance(compute_mode, str) or compute_mode not in _MODES:
        known = ", ".join(_MODES)
        raise ValueError(f"cdist(): {compute_mode} is not a valid value for compute_mode: {known}")
    return _functions.cdist(x1, x2, p, _MODES[compute_mode])


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The p-norm of the elements over `dim`, or of all; "fro" is that for p = 2. It is computed in
    `dtype`, if that is given."""
    if isinstance(p, str):
        if p != "fro":
            raise ValueError(f"norm(): p is a number or 'fro', got {p!r}: there are no singular values here")
        p = None
    dims = [dim] if isinstance(dim, int) else dim
    return _C._linalg.linalg_vector_norm(input, 2.0 if p is None else p, dims, keepdim, dtype=dtype, out=out)
