"""Checkpoints: objects with tensors, saved to files of PyTorch's format and loaded from them."""

from __future__ import annotations

import builtins

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Any, BinaryIO

__all__ = ["add_safe_globals", "clear_safe_globals", "get_safe_globals", "load", "safe_globals", "save"]

# Functions that run what they are given, and modules whose functions do; no file may call them.
_NEVER_MODULES = frozenset("sys os posix nt subprocess".split())
_NEVER = frozenset(
    "eval exec compile getattr setattr delattr __import__ globals locals vars open input breakpoint "
    "type".split()
)
_safe: dict[str, Any] = {}  # what users added, by path; replaced, never changed


def save(obj: object, f: str | PathLike[str] | BinaryIO, pickle_protocol: int = 2) -> None:
    """Writes an object and the tensors in it to a file that load() and torch.load() read.

    f: a path, or an object with a write method. Tensors keep their strides, and those that share memory
    share it when they are loaded; a storage is written whole, once. Other objects are pickled: classes and
    functions by their names. Nothing is written if the object can't be pickled. torch.load() with
    weights_only reads only protocol 2.
    """
    if not hasattr(f, "write") and not isinstance(f, str) and not hasattr(f, "__fspath__"):
        raise AttributeError(
            f"save(): argument 'f': expected a path or an object with a write method, got {type(f).__name__}"
        )
    from ._serialization import _saving

    _saving.save(obj, f, pickle_protocol)


def load(
    f: str | PathLike[str] | BinaryIO,
    map_location: Any = None,
    *,
    weights_only: bool | None = True,
    mmap: bool | None = False,
) -> Any:
    """Reads an object that save() or torch.save() wrote.

    f: a path, or a seekable binary file. map_location: where tensors go: a device or its name, a dict of
    names, or a function of an UntypedStorage and the name of its device that returns an UntypedStorage or
    None; by default to the device they were saved on. On "meta" no tensor is read. mmap: tensors lie in the
    file, which is mapped into memory; writes to them don't change it.

    Nothing from the file is executed: only tensors, containers, numbers and texts are made, and objects of
    classes that add_safe_globals() names. RuntimeError for a damaged file or one of another format,
    pickle.UnpicklingError for a pickle that holds anything else.
    """
    if weights_only is not None and not weights_only:
        raise ValueError(
            "load(): weights_only=False is not supported: this library never runs code from a file. Allow "
            "the classes and functions that the file needs by aten.serialization.add_safe_globals([...])"
        )
    from ._serialization import _reader

    return _reader.load(f, map_location, bool(mmap))


def add_safe_globals(safe_globals: Iterable[Any]) -> None:
    """Allows files to make objects of these classes, and to call these functions with any arguments.

    An element is a class or function, or a tuple of one and the full name that it has in files. ValueError
    for functions such as eval and getattr, with which a file could do anything.
    """
    global _safe
    added = {}
    for item in safe_globals:
        if isinstance(item, tuple):
            if len(item) != 2 or not isinstance(item[1], str):
                raise TypeError(
                    f"add_safe_globals(): expected a tuple of a class or function and a str, got {item}"
                )
            value, path = item
        else:
            value, path = item, f"{item.__module__}.{item.__qualname__}"
        module = getattr(value, "__module__", None)
        if module in _NEVER_MODULES or any(value is getattr(builtins, name) for name in _NEVER):
            raise ValueError(f"add_safe_globals(): with {path} a file could do anything")
        added[path] = item
    _safe = {**_safe, **added}


def get_safe_globals() -> list[Any]:
    """What add_safe_globals() allowed."""
    return list(_safe.values())


def clear_safe_globals() -> None:
    """Allows no more than by default."""
    global _safe
    _safe = {}


class safe_globals:
    """A scope in which files may use these classes and functions. See add_safe_globals()."""

    def __init__(self, safe_globals: Iterable[Any]) -> None:
        self._added = list(safe_globals)

    def __enter__(self) -> None:
        self._before = _safe
        add_safe_globals(self._added)

    def __exit__(self, *error: object) -> None:
        global _safe
        _safe = self._before


def _safe_by_path() -> dict[str, Any]:
    return {path: item[0] if isinstance(item, tuple) else item for path, item in _safe.items()}
