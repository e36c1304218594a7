"""torch._C.DispatchKey."""

from __future__ import annotations


class _Names(type):
    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name)
        return name


class DispatchKey(metaclass=_Names):
    """`DispatchKey.CPU` is "CPU": this library takes keys by their names."""
