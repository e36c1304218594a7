"""Assigns the entries of an autocast file to functions, by device."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model import DispatchKey, Function, Kind, Program
from opgen.model.autocast import Autocast, AutocastEntry, key_of

DTYPE = "dtype"


def match(program: Program, path: str, entries: Iterable[AutocastEntry]) -> Autocast:
    """Returns the entries by function and key. Of several entries for one key the first is used."""
    entries = tuple(entries)
    of: dict[str, dict[DispatchKey, AutocastEntry]] = {}
    for entry in entries:
        for name, _ in entry.ops:
            if program.function(name) is not None:
                keys = of.setdefault(name, {})
                for device in entry.devices:
                    keys.setdefault(key_of(device), entry)
    return Autocast(path, entries, of)


def overload_with_dtype(function: Function, program: Program) -> Function | None:
    """Returns the functional overload that has the same arguments and a last one, `dtype`."""
    wanted = [*(a.name for a in function.schema.arguments.all), DTYPE]
    for other in program.functions:
        same = other.qualified_root_name == function.qualified_root_name and other.kind is Kind.functional
        if same and [a.name for a in other.schema.arguments.all] == wanted:
            return other
    return None
