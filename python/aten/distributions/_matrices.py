"""Distributions of matrices: Wishart and LKJCholesky."""

from __future__ import annotations

import math
import warnings

from .. import _C
from .._C import Tensor
from .._dtype_info import finfo
from .._joined import broadcast_shapes
from ..autograd.grad_mode import no_grad
from . import constraints
from ._dirichlet import Beta
from ._gamma import Chi2
from ._multivariate_normal import _SCALES, _half_log_det, _OfScaleMatrix, _the_matrix
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .utils import _options, broadcast_all

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_linalg: Any = _C._linalg


class Wishart(_OfScaleMatrix, ExponentialFamily):
    """The Wishart distribution of symmetric matrices: of the sum of `df` products x xᵀ of normal random
    vectors with the covariance matrix, which is given as itself, its inverse, or its Cholesky factor."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        df: Tensor | float,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        matrix = _the_matrix(AssertionError, **given)
        (freedom,) = (df,) if isinstance(df, Tensor) else broadcast_all(matrix.new_full((), df))
        shape, p = broadcast_shapes(matrix.shape[:-2], freedom.shape), matrix.shape[-1]
        self.df = freedom.expand(shape)
        if (self.df <= p - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {p - 1}.")
        if (self.df < p).any():
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for "
                "ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value.expand(*shape, -1, -1))
        super().__init__(shape, matrix.shape[-2:], validate_args)
        self._set_scale(shape, **given)
        self._chi2 = Chi2(self.df.unsqueeze(-1) - _functions.arange(p, **_options(self.df)))

    @property
    def arg_constraints(self) -> dict[str, Any]:
        return {**_SCALES, "df": constraints.greater_than(self.event_shape[-1] - 1)}

    @property
    def mean(self) -> Tensor:
        return self.df[..., None, None] * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self.event_shape[-1] - 1
        return factor.masked_fill(factor <= 0, math.nan)[..., None, None] * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        matrix = self.covariance_matrix
        diagonal = matrix.diagonal(dim1=-2, dim2=-1)
        outer = diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self.df[..., None, None] * (matrix.square() + outer)

    def _bartlett(self, sample_shape: Sequence[int]) -> Tensor:
        """Returns samples by their Cholesky factors: chi on the diagonal, and normal numbers below."""
        lengths = self._chi2.rsample(sample_shape).sqrt()
        lengths = lengths.clamp(min=finfo(lengths.dtype).eps)
        below = _functions.randn(self._extended_shape(sample_shape), **_options(lengths)).tril(-1)
        factor = self._tril @ (lengths.diag_embed() + below)
        return factor @ factor.mT

    def rsample(self, sample_shape: Sequence[int] = (), max_try_correction: int = 10) -> Tensor:
        """Samples; those that rounding makes singular are drawn again, up to `max_try_correction` times."""
        sample = self._bartlett(sample_shape)
        singular = ~self.support.check(sample)
        if singular.any():
            warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(max_try_correction):
            if not singular.any():
                break
            again = self._bartlett(sample_shape)
            sample = _functions.where(singular[..., None, None], again, sample)
            singular = ~self.support.check(sample)
        return sample

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        nu, p = self.df, self.event_shape[-1]
        solved = _functions.cholesky_solve(value, self._tril.expand(value.shape))
        trace = solved.diagonal(dim1=-2, dim2=-1).sum(-1)
        log_det = _linalg.linalg_slogdet(value)[1]
        return (nu - p - 1) / 2 * log_det - trace / 2 - self._log_norm(nu, _half_log_det(self._tril))

    def _log_norm(self, nu: Tensor, half_log_det: Tensor) -> Tensor:
        p = self.event_shape[-1]
        return nu * (p * math.log(2) / 2 + half_log_det) + (nu / 2).mvlgamma(p)

    def entropy(self) -> Tensor:
        nu, p = self.df, self.event_shape[-1]
        half_log_det = _half_log_det(self._tril)
        steps = _functions.arange(p, **_options(nu)) / 2
        digammas = ((nu / 2).unsqueeze(-1) - steps).digamma().sum(-1)
        mean_log_det = digammas + p * math.log(2) + 2 * half_log_det
        return self._log_norm(nu, half_log_det) - (nu - p - 1) / 2 * mean_log_det + nu * p / 2

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return -self.precision_matrix / 2, (self.df - self.event_shape[-1] - 1) / 2

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        x, y = natural_params
        nu = 2 * y + self.event_shape[-1] + 1
        return self._log_norm(nu, -0.5 * _linalg.linalg_slogdet(-2 * x)[1])


class LKJCholesky(Distribution):
    """The distribution of Cholesky factors of `dim` x `dim` correlation matrices whose density is
    proportional to the matrix's determinant ** (concentration - 1) (Lewandowski, Kurowicka and Joe, 2009)."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(
        self, dim: int, concentration: Tensor | float = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)
        # The squared length of each row but its diagonal; that of the first row is replaced.
        row = _functions.arange(-1, dim - 1, **_options(self.concentration)).clamp(min=0)
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(0.5 * row + 0.5, marginal.unsqueeze(-1) - 0.5 * row, validate_args=False)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Samples by the onion method: each row has a random length, and a random direction."""
        with no_grad():
            lengths = self._beta.sample(sample_shape).sqrt().unsqueeze(-1)
            rows = _functions.randn(self._extended_shape(sample_shape), **_options(lengths)).tril(-1)
            norms = rows.square().sum(-1, keepdim=True).sqrt()
            rows = (lengths * rows / norms).masked_fill(norms == 0, 0)
            left = (1 - rows.square().sum(-1)).clamp(min=finfo(rows.dtype).tiny)
            return rows + left.sqrt().diag_embed()

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        last = self.dim - 1
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        powers = self.dim - _functions.arange(2, self.dim + 1, device=value.device)
        powers = powers + 2 * (self.concentration - 1).unsqueeze(-1)
        alpha = self.concentration + 0.5 * last
        norm = 0.5 * last * math.log(math.pi) + (alpha - 0.5).mvlgamma(last) - alpha.lgamma() * last
        return (powers * diagonal.log()).sum(-1) - norm
