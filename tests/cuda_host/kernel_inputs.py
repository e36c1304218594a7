"""Arguments of the calls of test_kernels.py."""

from __future__ import annotations

from typing import Any

import aten
import numpy as np


class Inputs:
    """The same arguments on each device, from one seed."""

    def __init__(self, device: str) -> None:
        self.device, self.rng = device, np.random.default_rng(5)

    def of(self, values: Any) -> aten.Tensor:
        return aten.from_numpy(np.ascontiguousarray(values)).to(self.device)

    def normal(self, *shape: int, dtype: str = "float32") -> aten.Tensor:
        return self.of(self.rng.standard_normal(shape).astype(dtype))

    def rows(self, count: int, size: int, dtype: str, first: int = 0) -> aten.Tensor:
        """A matrix whose memory begins `first` elements behind where an allocation does."""
        return self.normal(first + count * size, dtype=dtype)[first:].view([count, size])

    def integers(self, below: int, *shape: int, dtype: str = "int64") -> aten.Tensor:
        return self.of(self.rng.integers(0, below, shape).astype(dtype))

    def with_nans(self, *shape: int) -> aten.Tensor:
        values = self.rng.standard_normal(shape).astype(np.float32)
        return self.of(np.where(values > 1, np.float32(np.nan), values))

    def of_all_sizes(self, dtype: str) -> aten.Tensor:
        """Powers of two from below a double's subnormals to infinity, numbers between, zeros and NaN."""
        with np.errstate(over="ignore"):
            powers = np.ldexp(1.0, np.arange(-1080, 1030))
            values = np.concatenate([powers, -1.7 * powers, [0.0, -0.0, np.nan]])
            return self.of(values.astype(dtype))

    def shuffled(self, *shape: int) -> aten.Tensor:
        """Distinct values: the place of each is certain."""
        return self.of(self.rng.permutation(int(np.prod(shape))).reshape(shape).astype(np.float32))
