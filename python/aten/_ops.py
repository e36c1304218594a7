"""`ops.<namespace>.<operator>.<overload>`: every operator of the registry, looked up on access."""

from __future__ import annotations

import types

from . import _C
from ._C import OpOverload, OpOverloadPacket


class _OpNamespace(types.ModuleType):
    """The operators of one namespace."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{_PACKAGE}.ops.{name}")
        self.__dict__["name"] = name

    def __getattr__(self, op: str) -> OpOverloadPacket:
        packet = _C._packet(f"{self.name}::{op}")
        if packet is None:
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{op}'")
        self.__dict__[op] = packet
        return packet

    def __dir__(self) -> list[str]:
        prefix = f"{self.name}::"
        names = (
            n.removeprefix(prefix).partition(".")[0] for n in _C._operator_names() if n.startswith(prefix)
        )
        return sorted({*names, *super().__dir__()})


class _Ops(types.ModuleType):
    """All namespaces."""

    def __getattr__(self, name: str) -> _OpNamespace:
        if name.startswith("__"):
            raise AttributeError(f"'_Ops' object has no attribute '{name}'")
        space = self.__dict__[name] = _OpNamespace(name)
        return space

    def __dir__(self) -> list[str]:
        return sorted({*(n.partition("::")[0] for n in _C._operator_names()), *super().__dir__()})

    def load_library(self, path: str) -> None:
        """Loads a shared library whose operators register themselves. OSError if loading fails."""
        import ctypes

        ctypes.CDLL(path)


_PACKAGE = __name__.rpartition(".")[0]
ops = _Ops(f"{_PACKAGE}.ops")


def _packet(name: str) -> OpOverloadPacket:
    """Returns the packet "aten::add"; for pickle."""
    packet = _C._packet(name)
    assert packet is not None, f"{name} was taken out of the registry"
    return packet


def _overload(name: str, overload: str) -> OpOverload:
    """Returns the overload "Tensor" of "aten::add"; for pickle."""
    found: OpOverload = getattr(_packet(name), overload or "default")
    return found


__all__ = ["OpOverload", "OpOverloadPacket", "ops"]
