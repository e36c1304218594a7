"""torch.library.register_fake."""

from __future__ import annotations

from .. import _C, library

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined,no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


def register_fake(op: Any, func: Any = None, /, **options: Any) -> Any:
    """Registers a function of shapes for an operator, also as a decorator.

    Packages do this for operators of their compiled parts, which can't be loaded here: for an operator that
    isn't there, the function is returned as it is.
    """
    register = getattr(library, "register_fake", None)
    if register is not None and (not isinstance(op, str) or _C._packet(op.partition(".")[0]) is not None):
        return register(op, func, **options)
    return func if func is not None else lambda function: function
