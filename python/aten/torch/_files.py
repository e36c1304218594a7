"""torch.save, torch.load and the names that files may hold: this library's classes also have PyTorch's."""

from __future__ import annotations

import warnings

from .. import serialization

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from typing import Any, BinaryIO

_PACKAGE = __name__.partition(".torch.")[0]


def save(
    obj: object,
    f: str | PathLike[str] | BinaryIO,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    """Writes an object and the tensors in it: see the library's own save().

    The format is always that of PyTorch since 1.6, with a warning if the older one is asked for. The module
    that pickles is Python's own; NotImplementedError for others.
    """
    if getattr(pickle_module, "__name__", "pickle") not in ("pickle", "_pickle"):
        raise NotImplementedError(
            f"torch.save(): pickle_module={pickle_module.__name__}: objects are pickled by Python's pickle"
        )
    if not _use_new_zipfile_serialization:
        warnings.warn(
            "torch.save(): the format before PyTorch 1.6 is not written here: this file has today's format",
            stacklevel=2,
        )
    serialization.save(obj, f, pickle_protocol)


def load(
    f: str | PathLike[str] | BinaryIO,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = True,
    mmap: bool | None = False,
    encoding: str = "utf-8",
) -> Any:
    """Reads an object that torch.save() wrote: see the library's own load().

    pickle_module and encoding are accepted; they are for pickles of other programs, which aren't read here.
    weights_only=False is accepted, but allows no more: nothing from a file is executed, and objects of
    classes that torch.serialization.add_safe_globals() doesn't name are an UnpicklingError.
    """
    return serialization.load(f, map_location, mmap=mmap)


def add_safe_globals(safe_globals: Iterable[Any]) -> None:
    """Allows files to make objects of these classes: by their own names, and by PyTorch's for this library's
    classes."""
    serialization.add_safe_globals(_with_names(safe_globals))


class safe_globals(serialization.safe_globals):
    """A scope in which files may use these classes and functions. See add_safe_globals()."""

    def __init__(self, safe_globals: Iterable[Any]) -> None:
        super().__init__(_with_names(safe_globals))


def _with_names(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        yield item
        package, _, rest = getattr(item, "__module__", "").partition(".")
        if package == _PACKAGE and rest:
            yield item, f"torch.{rest}.{item.__qualname__}"
