"""Functions of the package's own Python files, which replace compiled ones, also in the stubs."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from opgen.template_views.atoms import Ident, Py
from opgen.template_views.source import Source

_FOLDER = "python/aten/"
# The Python file of each python_module that has one.
_FILES = {
    "": "__init__.py",
    "nn": "nn/functional.py",
    "linalg": "linalg.py",
    "fft": "fft.py",
    "special": "special.py",
}


@dataclasses.dataclass(frozen=True, slots=True)
class PassedOn:
    """An exported import, `from <origin> import <name> as <name>`."""

    origin: Py
    name: Ident


def is_written(module: str) -> bool:
    return module in _FILES


def passed_on(sources: Iterable[Source], module: str) -> list[PassedOn]:
    """Returns the public names that the file of `module` imports from files beside it. Names that the
    package's own file imports from the compiled module are declared in that module's stub.
    """
    own = "_C" if module == "" else None
    return [
        PassedOn(Py("." * node.level + node.module), Ident(alias.name))
        for node in _statements(sources, module)
        if isinstance(node, ast.ImportFrom) and node.level and node.module and node.module != own
        for alias in node.names
        if not alias.name.startswith("_")
    ]


def also_here(sources: Iterable[Source], module: str) -> Sequence[str]:
    """Returns functions of the top module that the file of `module` has, too."""
    for node in _statements(sources, module):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_ALSO_HERE":
            names: Sequence[str] = ast.literal_eval(node.value)
            return names
    return ()


def methods_here(sources: Iterable[Source]) -> set[str]:
    """Returns the methods of Tensor that Python files define in place of compiled ones; their stubs are
    hand-written.
    """
    return {
        str(key.value)
        for node in _parsed(sources, f"{_FOLDER}_tensor.py")
        if isinstance(node, ast.For)
        for table in ast.walk(node.iter)
        if isinstance(table, ast.Dict)
        for key in table.keys
        if isinstance(key, ast.Constant)
    }


def _statements(sources: Iterable[Source], module: str) -> Iterator[ast.stmt]:
    if is_written(module):
        yield from _parsed(sources, _FOLDER + _FILES[module])


def _parsed(sources: Iterable[Source], origin: str) -> Iterator[ast.stmt]:
    for source in sources:
        if source.origin == origin:
            yield from ast.parse(source.content).body
