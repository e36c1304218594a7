"""What dtypes, sizes and the like are called in texts while this library is installed as torch:
"torch.float32"."""

from __future__ import annotations

from .. import _C, _tensor_types

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_PACKAGE = __name__.partition(".")[0]
_TYPES: tuple[Any, ...] = (_C.dtype, _C.layout, _C.memory_format, _C.Size)
_own = [(cls, cls.__repr__) for cls in _TYPES]


def use_pytorchs() -> None:
    """Lets texts have PyTorch's name, as programs read them: str(dtype), Tensor.type(), printed tensors."""
    for cls, own in _own:
        cls.__repr__ = _renamed(own)
    _tensor_types.SHOWN_PACKAGE = "torch"


def use_own() -> None:
    """Undoes use_pytorchs()."""
    for cls, own in _own:
        cls.__repr__ = own
    _tensor_types.SHOWN_PACKAGE = _PACKAGE


def _renamed(own: Callable[[Any], str]) -> Callable[[Any], str]:
    def __repr__(self: Any) -> str:
        return own(self).replace(_PACKAGE, "torch", 1)

    return __repr__
