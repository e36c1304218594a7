"""Operator schemas in Python: `op._schema`."""

from __future__ import annotations

import dataclasses
from typing import Any

from . import _C


@dataclasses.dataclass(frozen=True)
class AliasInfo:
    """The alias sets of an argument, and whether it is written to."""

    before_set: frozenset[str]
    after_set: frozenset[str]
    is_write: bool


@dataclasses.dataclass(frozen=True)
class Argument:
    """An argument or result; `N` is the length of a list of fixed size."""

    name: str
    type: str
    default_value: Any
    kwarg_only: bool
    alias_info: AliasInfo | None
    N: int | None
    _has_default: bool = False

    def has_default_value(self) -> bool:
        return self._has_default

    @property
    def is_write(self) -> bool:
        return self.alias_info is not None and self.alias_info.is_write

    @property
    def is_out(self) -> bool:
        return self.kwarg_only and self.is_write


@dataclasses.dataclass(frozen=True)
class FunctionSchema:
    """`str()` gives PyTorch's run-time spelling."""

    name: str
    overload_name: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    _text: str

    @property
    def is_mutable(self) -> bool:
        return any(a.is_write for a in self.arguments)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__


def _make(op: Any) -> FunctionSchema:
    text, name, overload, arguments, returns = _C._schema_data(op)
    return FunctionSchema(name, overload, _rows(arguments), _rows(returns), text)


def _rows(rows: list[tuple[Any, ...]]) -> tuple[Argument, ...]:
    found = []
    for name, type, has_default, default, kwarg_only, alias, size in rows:
        info = None if alias is None else AliasInfo(frozenset(alias[0]), frozenset(alias[1]), alias[2])
        found.append(Argument(name, type, default, kwarg_only, info, size, has_default))
    return tuple(found)
