"""Classes that type annotations and base classes can subscript, as in Dataset[Tensor]."""

from __future__ import annotations

from types import GenericAlias

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any


class Generic:
    """A base of classes with one type parameter, without typing's import time."""

    __class_getitem__: classmethod[Any, ..., GenericAlias] = classmethod(GenericAlias)
