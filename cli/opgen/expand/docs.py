"""Assigns the entries of a docs file to functions: each to all forms and overloads of the operator that it
names.
"""

from __future__ import annotations

from collections.abc import Iterable

from opgen.model import Program
from opgen.model.docs import Doc, Docs


def match(program: Program, path: str, entries: Iterable[Doc]) -> Docs:
    """Returns the docs by function. Of several entries with one name the first is used."""
    entries = tuple(entries)
    by_name = {entry.name: entry for entry in reversed(entries) if entry.sentence}
    of = {
        function.qualified_name: by_name[function.qualified_root_name]
        for function in program.functions
        if function.qualified_root_name in by_name
    }
    return Docs(path, entries, of)
