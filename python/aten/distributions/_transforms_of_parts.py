"""Transforms of the parts of a tensor along a dimension."""

from __future__ import annotations

from .. import _C
from .._C import Tensor
from . import constraints
from ._transform import Transform
from .utils import _sum_rightmost

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return,misc"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


class _PartsTransform(Transform):
    """Transforms of the parts of a tensor along `dim`. A subclass splits a tensor, and joins the parts."""

    def __init__(self, tseq: Sequence[Transform], dim: int, cache_size: int) -> None:
        for transform in tseq:
            if not isinstance(transform, Transform):
                raise AssertionError(f"tseq: expected Transforms, got {type(transform).__name__}")
        super().__init__(cache_size)
        self.transforms = [t.with_cache(cache_size) for t in tseq] if cache_size else list(tseq)
        self.dim = dim

    def with_cache(self, cache_size: int = 1) -> Any:
        new = super().with_cache(cache_size)
        if new is not self:
            new.transforms = [t.with_cache(cache_size) for t in self.transforms]
        return new

    def _split(self, value: Tensor) -> Sequence[Tensor]:
        raise NotImplementedError(f"{type(self).__name__} has no _split()")

    def _join(self, parts: list[Tensor]) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} has no _join()")

    def _check_size(self, value: Tensor, size: int) -> None:
        if not -value.dim() <= self.dim < value.dim():
            raise AssertionError(f"dim {self.dim} out of range for tensor with {value.dim()} dimensions")
        if value.size(self.dim) != size:
            raise AssertionError(f"size({self.dim}) is {value.size(self.dim)}, expected {size}")

    def _call(self, x: Tensor) -> Tensor:
        return self._join([t(part) for t, part in zip(self.transforms, self._split(x), strict=True)])

    def _inverse(self, y: Tensor) -> Tensor:
        return self._join([t.inv(part) for t, part in zip(self.transforms, self._split(y), strict=True)])

    def _logs(self, x: Tensor, y: Tensor) -> list[Tensor]:
        parts = zip(self.transforms, self._split(x), self._split(y), strict=True)
        return [t.log_abs_det_jacobian(part_x, part_y) for t, part_x, part_y in parts]

    @property
    def bijective(self) -> Any:
        return all(t.bijective for t in self.transforms)


class CatTransform(_PartsTransform):
    """Transforms of parts of the given lengths (by default 1) along `dim`, joined as by cat()."""

    def __init__(
        self,
        tseq: Sequence[Transform],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )

    @property
    def event_dim(self) -> int:
        return max(t.event_dim for t in self.transforms)

    @property
    def length(self) -> int:
        """The size of the dimension."""
        return sum(self.lengths)

    def _split(self, value: Tensor) -> Sequence[Tensor]:
        self._check_size(value, self.length)
        return value.split(self.lengths, self.dim)

    def _join(self, parts: list[Tensor]) -> Tensor:
        return _functions.cat(parts, self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        event_dim = self.event_dim
        logs = [
            _sum_rightmost(log, event_dim - t.event_dim)
            for t, log in zip(self.transforms, self._logs(x, y), strict=True)
        ]
        dim = self.dim - x.dim() if self.dim >= 0 else self.dim
        # The dimension is one of the batch, or within the event.
        return _functions.cat(logs, dim + event_dim) if dim + event_dim < 0 else sum(logs[1:], logs[0])

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_PartsTransform):
    """Transforms of the slices along `dim`, joined as by stack()."""

    def __init__(self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def _split(self, value: Tensor) -> Sequence[Tensor]:
        self._check_size(value, len(self.transforms))
        return value.unbind(self.dim)

    def _join(self, parts: list[Tensor]) -> Tensor:
        return _functions.stack(parts, self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return self._join(self._logs(x, y))

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
