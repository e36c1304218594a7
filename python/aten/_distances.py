"""Distances and norms with PyTorch's signatures, in which modes are strings; the operators take integers."""

from __future__ import annotations

from . import _C
from ._C import Tensor

# Types of the compiled module are only in the package's stubs.
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
    """The p-norm distance between each row of `x1` and each row of `x2`, for batches of matrices. For p = 2,
    `compute_mode` says whether a matrix product is used."""
    if _C._any_torch_function(x1, x2):
        return _C._handle_torch_function(cdist, (x1, x2), (x1, x2), {"p": p, "compute_mode": compute_mode})
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
    """The p-norm of the elements over `dim`, or of all elements; "fro" means p = 2. "nuc" is the sum of the
    singular values of matrices, whose dimensions are those of `dim`. It is computed in `dtype`, if given."""
    if _C._any_torch_function(input):
        keywords = {"p": p, "dim": dim, "keepdim": keepdim, "out": out, "dtype": dtype}
        return _C._handle_torch_function(norm, (input,), (input,), keywords)
    dims = [dim] if isinstance(dim, int) else dim
    if p is None or (isinstance(p, str) and p == "fro"):
        p = 2.0
    if isinstance(p, str):
        pair = list(range(input.dim())) if dims is None else dims
        return _C._linalg.linalg_matrix_norm(input, p, pair, keepdim, dtype=dtype, out=out)
    return _C._linalg.linalg_vector_norm(input, p, dims, keepdim, dtype=dtype, out=out)
