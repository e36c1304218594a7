"""Operators whose faults make others: what their declarations mean is not clear, so that comparing them with
others would report the same slip again.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from functools import cached_property

from opgen.check.registry import ABSENCE, LOCAL
from opgen.diagnostics import Diagnostic, Severity, Span
from opgen.model import Function, Program


class Unclear:
    """`names` are those of operations with such an operator, or with an entry that could not be read."""

    def __init__(self, program: Program):
        self.program = program
        self.names = set(program.faulty)
        self.functions: set[int] = set()
        for function in program.functions:
            if getattr(function.places, "misread", False):
                self.add(function)

    def add(self, function: Function) -> None:
        self.functions.add(id(function))
        self.names.add(function.root_name)

    def blame(self, function: Function, faults: Iterable[Diagnostic]) -> None:
        """Adds the function if one of its faults leaves open what was meant."""
        if any(d.severity is Severity.error and d.code not in LOCAL for d in faults):
            self.add(function)

    def known(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yields the diagnostics that no fault of another rule explains."""
        return (d for d in found if (not self.functions and not self.names) or not self._explained(d))

    def compared(self) -> list[str]:
        """Returns the names of operations that would be compared with others, or with formulas."""
        names = {f.root_name for f in self.program.functions if id(f) not in self.functions or f.autogen}
        if self.program.derivatives is not None:
            names |= {entry.schema.name.name.base for entry in self.program.derivatives.entries}
        return sorted(self.names & names)

    def _explained(self, diagnostic: Diagnostic) -> bool:
        spans = (diagnostic.span, *(r.span for r in diagnostic.related))
        involved = [f for f in map(self.at, spans) if f is not None]
        absent = diagnostic.code in ABSENCE and any(f.root_name in self.names for f in involved)
        return absent or any(id(f) in self.functions for f in involved)

    def at(self, span: Span) -> Function | None:
        """Returns the function whose entry contains the place."""
        lines, functions = self._by_line
        index = bisect.bisect_right(lines, span.line) - 1
        return functions[index] if index >= 0 and span.path == self.program.path else None

    @cached_property
    def _by_line(self) -> tuple[list[int], list[Function]]:
        functions = sorted((f for f in self.program.functions if not f.is_generated), key=lambda f: f.line)
        return [f.line for f in functions], functions
