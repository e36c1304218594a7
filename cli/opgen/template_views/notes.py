"""Notes for the author of a library that has no errors."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.api.python_bound import hiding_family
from opgen.model.program import Program

_SHOWN = 5


def unbound(program: Program) -> Iterator[str]:
    """Yields notes on operators that have no Python binding because of their names: the author of
    `my_forward` would look for it in vain. One line each; the last one counts the rest.
    """
    found = [(f, family) for f in program.functions if (family := hiding_family(f))]
    for f, family in found[:_SHOWN]:
        yield (
            f"note: {f.span}: '{f.name}' gets no Python function or method, as in PyTorch: names like "
            f"'{family}' are for C++. Call it as ops.{f.namespace}.{f.name.name}, or rename it"
        )
    if len(found) > _SHOWN:
        yield f"note: {len(found) - _SHOWN} more operators get none, for the same reason"
