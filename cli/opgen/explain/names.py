"""Finds operators by the names that people use for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from opgen.api import python_names
from opgen.api.python_names import Extension
from opgen.diagnostics import did_you_mean
from opgen.model import DEFAULT_NAMESPACE, Function, Program

_PREFIXES = (
    "aten.",
    "torch.",
    "at::",
    "ops.",
    "Tensor.",
    "nn.functional.",
    "nn.",
    "F.",
    "linalg.",
    "fft.",
    "special.",
)
# `library.ops.`, as in `my_ops.ops.my_ops.rms`.
_PACKETS = re.compile(r"(\w+\.)?ops\.(?=\w+\.)")


def find(name: str, program: Program, extension: Extension | None = None) -> list[Function]:
    """Returns the functions called `add.Tensor`, `aten.add`, `aten.fft.ifft`, `Tensor.add_`,
    `aten.ops.aten.add.Tensor` ...; of a namespace also `my_ops::rms`, `my_ops.rms`,
    `my_ops.ops.my_ops.rms.default`, and `rms`, if no namespace before it in the file has that name; of an
    extension also the names in its package and in the library that it extends.
    """
    prefixes = (*_PREFIXES, f"{extension.package}.", f"{extension.extends}.") if extension else _PREFIXES
    bare = _PACKETS.sub("", name).removeprefix("aten::")
    spaces = dict.fromkeys(f.namespace for f in program.functions if f.namespace != DEFAULT_NAMESPACE)
    space, dot, rest = bare.partition(".")
    if dot and space in spaces and (found := _exactly(f"{space}::{rest}", program)):
        return found
    while True:
        found = _in_module(bare, program) or _exactly(bare, program)
        prefix = next((p for p in prefixes if bare.startswith(p)), None)
        if found or prefix is None:
            break
        bare = bare.removeprefix(prefix)
    elsewhere = (_exactly(f"{space}::{bare}", program) for space in spaces if "::" not in bare)
    return found or next(filter(None, elsewhere), [])


def exact(name: str, program: Program, extension: Extension | None = None) -> list[Function]:
    """Returns the function with exactly this name and overload, `add.Tensor` or `relu`, if there is one; else
    all that `find` finds.
    """
    function = program.function(name)
    return find(name, program, extension) if function is None else [function]


def several(name: str, found: Sequence[Function]) -> str:
    """Returns the message for an ambiguous name."""
    overloads = ", ".join(f.qualified_name for f in found)
    return f"'{name}' has {len(found)} overloads; name one of {overloads}"


def _in_module(name: str, program: Program) -> list[Function]:
    """Finds functions of a module: `special.log_softmax` is `special_log_softmax`, not `log_softmax`."""
    if "." not in name:
        return []
    return [f for f in program.functions if python_names.module_name(f) == name]


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


def unknown(name: str, program: Program, others: Iterable[str] = ()) -> str:
    """Returns the message for an unknown name; `others` are names of what is no operator."""
    known = dict.fromkeys(
        n
        for f in program.functions
        for n in (f.qualified_name, str(f.name.name), python_names.module_name(f))
        if n is not None
    )
    known |= dict.fromkeys(others)
    bare = name.removeprefix("aten::").removeprefix("aten.").removeprefix("torch.")
    help = did_you_mean(bare, known)
    return f"there is no operator '{name}'" + (f"; {help}" if help else "")
