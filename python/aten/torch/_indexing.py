"""Indexing with scalars that a batched function gets."""

from __future__ import annotations

from .. import _C, ops, overrides
from .._creation import as_tensor

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class TransformGetItemToIndex(overrides.TorchFunctionMode):
    """A scope in which `x[i]` takes elements by tensors, also if `i` is a scalar tensor, whose number is not
    read then."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is _C.Tensor.__getitem__:
            index = args[1] if isinstance(args[1], tuple) else (args[1],)
            if all(isinstance(part, (_C.Tensor, int)) for part in index):
                return ops.aten.index(args[0], [as_tensor(part) for part in index])
        return func(*args, **(kwargs or {}))
