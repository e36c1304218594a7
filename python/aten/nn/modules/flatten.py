"""Changes of the number of dimensions."""

from __future__ import annotations

from ..._C import Tensor
from ._arguments import ArgumentsModule

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Flatten", "Unflatten"]


class Flatten(ArgumentsModule):
    """Makes the dimensions start_dim .. end_dim one."""

    _shown = "start_dim={start_dim}, end_dim={end_dim}"

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self._keep(locals())

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(ArgumentsModule):
    """Makes the dimension `dim` several, of the sizes `unflattened_size`."""

    _shown = "dim={dim}, unflattened_size={unflattened_size}"

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError(
                "unflattened_size must be a tuple of ints, but found type " + type(unflattened_size).__name__
            )
        for place, size in enumerate(unflattened_size):
            if not isinstance(size, int):
                raise TypeError(
                    "unflattened_size must be tuple of ints, but found element of type "
                    f"{type(size).__name__} at pos {place}"
                )
        self._keep({"self": self, "dim": dim, "unflattened_size": unflattened_size})

    def forward(self, input: Tensor) -> Tensor:
        return input.unflatten(self.dim, self.unflattened_size)
