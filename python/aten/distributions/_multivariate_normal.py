"""Normal distributions of vectors."""

from __future__ import annotations

import math

from .. import _C
from .._C import Size, Tensor
from .._joined import broadcast_shapes, broadcast_tensors
from . import constraints
from .distribution import Distribution
from .utils import _options, _standard_normal, lazy_property

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,attr-defined,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions
_linalg: Any = _C._linalg
_SCALES = {
    "covariance_matrix": constraints.positive_definite,
    "precision_matrix": constraints.positive_definite,
    "scale_tril": constraints.lower_cholesky,
}


def _product(matrix: Tensor, vector: Tensor) -> Tensor:
    return (matrix @ vector.unsqueeze(-1)).squeeze(-1)


def _solved(tril: Tensor, right: Tensor) -> Tensor:
    return _linalg.linalg_solve_triangular(tril, right, upper=False)


def _square_sum(matrix: Tensor) -> Tensor:
    return matrix.square().sum((-2, -1))


def _half_log_det(tril: Tensor) -> Tensor:
    return tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _whitened(tril: Tensor, x: Tensor) -> Tensor:
    """Returns |tril⁻¹ x|² of vectors x. Dimensions of x before the matrices' batch become columns, so that
    each matrix is used once for all samples."""
    extra = max(x.dim() + 1 - tril.dim(), 0)
    columns = x.reshape(-1, *x.shape[extra:]).movedim(0, -1)
    squares = _solved(tril, columns).square().sum(-2).movedim(-1, 0)
    return squares.reshape((*x.shape[:extra], *squares.shape[1:]))


def _tril_of_precision(precision: Tensor) -> Tensor:
    """Returns the Cholesky factor of the inverse: from that of the matrix with rows and columns reversed."""
    reversed_factor = _linalg.linalg_cholesky(precision.flip((-2, -1)))
    inverse = reversed_factor.flip((-2, -1)).mT
    return _solved(inverse, _functions.eye(precision.shape[-1], **_options(precision)))


class _OfScaleMatrix(Distribution):
    """A distribution with a scale matrix, given as covariance, precision or Cholesky factor."""

    def _set_scale(self, shape: Sequence[int], **given: Tensor | None) -> None:
        """Sets the one that is given, expanded to a batch of this shape, and the factor that is not."""
        ((name, matrix),) = ((n, m) for n, m in given.items() if m is not None)
        setattr(self, name, matrix.expand(*shape, -1, -1))
        if name == "scale_tril":
            self._tril = matrix
        else:
            invert = name == "precision_matrix"
            self._tril = _tril_of_precision(matrix) if invert else _linalg.linalg_cholesky(matrix)

    def _matrices(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + matrix.shape[-2:])

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance matrix."""
        return self._matrices(self._tril)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance matrix."""
        return self._matrices(self._tril @ self._tril.mT)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance matrix."""
        return self._matrices(_functions.cholesky_inverse(self._tril))


def _the_matrix(error: type[Exception], **given: Tensor | None) -> Tensor:
    """Returns the one matrix that is given. `error` unless it is one."""
    matrices = {name: m for name, m in given.items() if m is not None}
    if len(matrices) != 1:
        raise error("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
    ((name, matrix),) = matrices.items()
    if matrix.dim() < 2:
        raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
    return matrix


class _NormalVectors(Distribution):
    """What normal distributions of vectors have in common. A subclass has the half logarithm of its
    covariance's determinant, and x · covariance⁻¹ x."""

    support = constraints.real_vector
    has_rsample = True

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    def _half_log_det(self) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no _half_log_det()")

    def _mahalanobis(self, x: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no _mahalanobis()")

    def log_prob(self, value: Tensor) -> Tensor:
        self._check(value)
        squares = self._mahalanobis(value - self.loc)
        norm = 0.5 * self._event_shape[0] * math.log(2 * math.pi)
        return -0.5 * squares - self._half_log_det() - norm

    def entropy(self) -> Tensor:
        norm = 0.5 * self._event_shape[0] * (1 + math.log(2 * math.pi))
        return (self._half_log_det() + norm).expand(self._batch_shape)


class MultivariateNormal(_NormalVectors, _OfScaleMatrix):
    """The normal distribution of vectors of mean `loc`, with a covariance matrix, its inverse, or its
    Cholesky factor."""

    arg_constraints = {"loc": constraints.real_vector, **_SCALES}

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        matrix = _the_matrix(ValueError, **given)
        shape = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self.loc = loc.expand(*shape, -1)
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value.expand(*shape, -1, -1))
        super().__init__(shape, loc.shape[-1:], validate_args)
        self._set_scale(shape, **given)  # a factorization, once the matrix is valid

    @property
    def variance(self) -> Tensor:
        return self._tril.square().sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        noise = _standard_normal(self._extended_shape(sample_shape), self.loc)
        return self.loc + _product(self._tril, noise)

    def _half_log_det(self) -> Tensor:
        return _half_log_det(self._tril)

    def _mahalanobis(self, x: Tensor) -> Tensor:
        return _whitened(self._tril, x)

    def _parts(self) -> tuple[Tensor, Tensor | None]:
        """Returns a factor W, and a diagonal D or None: the covariance is W Wᵀ + D."""
        return self._tril, None

    def _trace(self, factor: Tensor, diagonal: Tensor | None) -> Tensor:
        """Returns the trace of covariance⁻¹ (W Wᵀ + D)."""
        trace = _square_sum(_solved(self._tril, factor))
        if diagonal is not None:
            trace = trace + _square_sum(_solved(self._tril, diagonal.sqrt().diag_embed()))
        return trace


class LowRankMultivariateNormal(_NormalVectors):
    """The normal distribution of vectors of mean `loc` with the covariance W Wᵀ + D, for W the matrices
    `cov_factor` and D the diagonal matrices of `cov_diag`. Inverses and determinants are of W's smaller
    size."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }

    def __init__(
        self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            columns = (loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1))
            locs, self.cov_factor, diagonals = broadcast_tensors(*columns)
        except RuntimeError as error:
            shapes = f"loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            raise ValueError(f"Incompatible batch shapes: {shapes}") from error
        self.loc, self.cov_diag = locs[..., 0], diagonals[..., 0]
        self._factor, self._diagonal = cov_factor, cov_diag
        self._weighted = cov_factor.mT / cov_diag.unsqueeze(-2)  # Wᵀ D⁻¹
        small = self._weighted @ cov_factor
        identity = _functions.eye(small.shape[-1], **_options(small))
        self._tril = _linalg.linalg_cholesky(small + identity)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args)

    def _matrices(self, matrix: Tensor) -> Tensor:
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def variance(self) -> Tensor:
        variance = self._factor.square().sum(-1) + self._diagonal
        return variance.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance matrix."""
        return self._matrices(self._factor @ self._factor.mT + self._diagonal.diag_embed())

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance matrix."""
        return _linalg.linalg_cholesky(self.covariance_matrix)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance matrix."""
        part = _solved(self._tril, self._weighted)
        return self._matrices(self._diagonal.reciprocal().diag_embed() - part.mT @ part)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        noise = _standard_normal(Size((*shape[:-1], self.cov_factor.shape[-1])), self.loc)
        spread = self._diagonal.sqrt() * _standard_normal(shape, self.loc)
        return self.loc + _product(self._factor, noise) + spread

    def _half_log_det(self) -> Tensor:
        return _half_log_det(self._tril) + 0.5 * self._diagonal.log().sum(-1)

    def _mahalanobis(self, x: Tensor) -> Tensor:
        squares = (x.square() / self._diagonal).sum(-1)
        return squares - _whitened(self._tril, _product(self._weighted, x))

    def _parts(self) -> tuple[Tensor, Tensor | None]:
        return self._factor, self._diagonal

    def _trace(self, factor: Tensor, diagonal: Tensor | None) -> Tensor:
        part = _solved(self._tril, self._weighted)
        trace = _square_sum(factor * self._diagonal.rsqrt().unsqueeze(-1)) - _square_sum(part @ factor)
        if diagonal is not None:
            removed = _square_sum(part * diagonal.sqrt().unsqueeze(-2))
            trace = trace + (diagonal / self._diagonal).sum(-1) - removed
        return trace
