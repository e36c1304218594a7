"""The names that people give operators, and the functions that they mean."""

from __future__ import annotations

from opgen.diagnostics import did_you_mean
from opgen.model import Function, Program

_PREFIXES = (
    "aten.",
    "torch.",
    "at::",
    "ops.",
    "Tensor.",
    "nn.functional.",
    "nn.",
    "linalg.",
    "fft.",
    "special.",
)


def find(name: str, program: Program) -> list[Function]:
    """The functions called `add.Tensor`, `aten.add`, `Tensor.add_`, `aten.ops.aten.add.Tensor` ..."""
    bare = name.removeprefix("aten::")
    while True:
        found = _exactly(bare, program)
        prefix = next((p for p in _PREFIXES if bare.startswith(p)), None)
        if found or prefix is None:
            return found
        bare = bare.removeprefix(prefix)


def _exactly(name: str, program: Program) -> list[Function]:
    function = program.function(name)
    if function is not None and "." in name:
        return [function]
    base = name.removesuffix(".default")
    if base != name:
        function = program.function(base)
        return [function] if function is not None else []
    namespace, _, plain = name.rpartition("::")
    return [
        f for f in program.functions if str(f.name.name) == plain and f.namespace == (namespace or "aten")
    ]


def unknown(name: str, program: Program) -> str:
    """The message for a name that nothing has."""
    known = dict.fromkeys(n for f in program.functions for n in (f.qualified_name, str(f.name.name)))
    help = did_you_mean(name, known)
    return f"there is no operator '{name}'" + (f"; {help}" if help else "")
