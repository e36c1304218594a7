"""Ready parametrizations: orthogonal matrices, weight normalisation and spectral normalisation."""

from __future__ import annotations

from ... import _C
from ..._C import Tensor
from ...autograd.grad_mode import no_grad
from .._normalization import normalize
from ..modules.module import Module
from ._orthogonal import MAPS, _Orthogonal
from .parametrize import register_parametrization
from .spectral_norm import as_matrix, check_iterations, output_dim, random_unit

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,no-untyped-call,attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

_functions = _C._VariableFunctions


def _tensor_of(module: Any, name: str) -> Tensor:
    tensor = getattr(module, name, None)
    if not isinstance(tensor, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return tensor


def orthogonal(
    module: Any, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Any:
    """Parametrizes a matrix or a batch [..., m, n] so that its columns, or for m < n its rows, are
    orthonormal. Returns the module.

    `orthogonal_map` says how it is computed from the original: "matrix_exp" or "cayley" of a skew-symmetric
    matrix, or "householder", a product of reflections, for real tensors only. By default it is matrix_exp for
    square or complex tensors, else householder. With `use_trivialization` the result is multiplied by a
    constant matrix, the buffer `base`, so that it starts as the tensor, made orthogonal if it isn't; without,
    only householder does so, and assignments with the other maps raise NotImplementedError.
    """
    weight = _tensor_of(module, name)
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in MAPS:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return _functions._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        return _functions.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Parametrizes a tensor by its norms along all dimensions but `dim`, or along all for None, in
    `original0`, and its direction, in `original1`. Returns the module. State dicts of the older
    nn.utils.weight_norm can be loaded."""
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def convert(state_dict: dict[str, Any], prefix: str, *others: Any) -> None:
        older = [f"{prefix}{name}_{part}" for part in "gv"]
        if all(key in state_dict for key in older):
            for i, key in enumerate(older):
                state_dict[f"{prefix}parametrizations.{name}.original{i}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(convert)
    return module


class _SpectralNorm(Module):
    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        rank = weight.ndim
        if not -rank <= dim < rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}] but got {dim})"
            )
        check_iterations(n_power_iterations)
        self.dim = dim % rank
        self.eps = eps
        if rank > 1:  # of a vector the norm is computed instead
            self.n_power_iterations = n_power_iterations
            matrix = as_matrix(weight, self.dim)
            for name, size in zip(("_u", "_v"), matrix.shape, strict=True):
                self.register_buffer(name, random_unit(matrix, size, eps))
            self._iterate(matrix, 15)

    @no_grad()
    def _iterate(self, matrix: Tensor, times: int) -> None:
        """Improves the singular vectors by power iterations."""
        for _ in range(times):
            normalize(_functions.mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
            normalize(_functions.mv(matrix.mH, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        # Copies, as backward may come after another call has changed the buffers.
        u, v = self._u.clone(), self._v.clone()
        return weight / _functions.vdot(u, _functions.mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        return value  # which has the norm already


def spectral_norm(
    module: Any,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Any:
    """Parametrizes a tensor as the original divided by its largest singular value, as a matrix whose rows are
    the dimension `dim`, by default the outputs; a vector is divided by its norm. Returns the module.

    The singular vectors are the buffers `_u` and `_v`, approximated by 15 power iterations at first, and then
    by `n_power_iterations` each time that the tensor is used in training.
    """
    weight = _tensor_of(module, name)
    rows = output_dim(module) if dim is None else dim
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, rows, eps))
