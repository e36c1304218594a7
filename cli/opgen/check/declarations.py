"""What the generated C++ and Python would declare, compared by name and parameters: only a compiler would see
these conflicts.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import same_functions, same_kernels
from opgen.diagnostics import Diagnostic
from opgen.model import Program

RULES = (*same_kernels.RULES, *same_functions.RULES)


def conflicts(program: Program) -> Iterator[Diagnostic]:
    pairs: same_functions.Pairs = set()
    yield from same_functions.conflicts(program, pairs)
    yield from same_kernels.conflicts(program, pairs)
