"""The Python side of a module or function of neural networks: classes, functions, and which operators they
call, read from the package's sources.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from opgen.explain import python_sources

FUNCTIONAL = "nn.functional."
# By these names the package's files reach functions of nn.functional, and compiled functions and methods.
_FUNCTIONAL, _COMPILED = ("F", "functional"), ("_functions", "_nn", "_C", "_VariableFunctions", "input")
_MODULES = ("aten.nn.modules.", "torch.nn.modules.", "aten.nn.", "torch.nn.", "nn.modules.", "nn.")
_FUNCTIONS = ("aten.nn.functional.", "torch.nn.functional.", "nn.functional.", "functional.", "F.")


@dataclass(frozen=True, slots=True)
class Use:
    """A function that Python code uses: of nn.functional, or a compiled one."""

    name: str
    is_functional: bool
    condition: str
    path: Path
    line: int


@dataclass(frozen=True, slots=True)
class Part:
    """A class or function with its place, and what it uses. `prefix` is that of its public name."""

    name: str
    path: Path
    line: int
    uses: tuple[Use, ...] = ()
    prefix: str = ""


class Package:
    """The sources in python/aten; there may be none."""

    def __init__(self, folder: Path):
        self._folder = folder

    @cached_property
    def _classes(self) -> dict[str, tuple[Path, ast.ClassDef]]:
        found = {}
        for path in sorted((self._folder / "nn" / "modules").glob("*.py")):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    found[node.name] = (path, node)
        return found

    @cached_property
    def modules(self) -> list[str]:
        """The names of all public modules."""
        path = self._folder / "nn" / "modules" / "__init__.py"
        body = ast.parse(path.read_text(encoding="utf-8")).body if path.is_file() else []
        imported = {alias.name for n in body if isinstance(n, ast.ImportFrom) for alias in n.names}
        return sorted(imported & self._classes.keys())

    @cached_property
    def functions(self) -> list[str]:
        """The names of the functions of nn.functional that are written in Python."""
        path, _ = self._functional
        body = ast.parse(path.read_text(encoding="utf-8")).body if path.is_file() else []
        return sorted(a.name for n in body if isinstance(n, ast.ImportFrom) and n.module for a in n.names)

    @cached_property
    def _functional(self) -> tuple[Path, list[str]]:
        """functional.py and its lines."""
        path = self._folder / "nn" / "functional.py"
        return path, path.read_text(encoding="utf-8").splitlines() if path.is_file() else []

    def module(self, name: str) -> list[Part]:
        """Returns the class called `nn.Conv2d` or `Conv2d`, and the methods behind its call; else nothing."""
        bare = _without(name, _MODULES) or name
        if bare not in self.modules:
            return []
        path, node = self._classes[bare]
        return [Part(f"nn.{bare}", path, node.lineno), *self._methods(bare)]

    def function(self, name: str) -> Part | None:
        """Returns what has this name: a function of nn.functional, called `F.relu`, `nn.functional.relu` or
        `cross_entropy`, or a function or class of another module, called `aten.tensor` or `optim.SGD`.
        """
        bare = _without(name, _FUNCTIONS)
        if bare is None:
            found = python_sources.find(self._folder, name)
            if found is not None:
                return _part(f"aten.{name.removeprefix('aten.').removeprefix('torch.')}", found, "")
            bare = name
        found = python_sources.find(self._folder, f"nn.functional.{bare}")
        if found is not None:
            return _part(bare, found, FUNCTIONAL)
        path, lines = self._functional  # the compiled function itself
        marks = (f'    "{bare}",', "_compiled")
        line = next((i for m in marks for i, row in enumerate(lines, 1) if row.startswith(m)), 0)
        return Part(bare, path, line, prefix=FUNCTIONAL) if lines and bare != name else None

    def is_python(self, part: Part) -> bool:
        """Whether a function of nn.functional is written in Python."""
        return part.path != self._functional[0]

    def _methods(self, name: str) -> Iterator[Part]:
        """Yields `forward` and the methods that it calls on itself, with what they use."""
        seen: set[str] = set()
        rest = ["forward"]
        while rest:
            method = rest.pop(0)
            found = None if method in seen else self._member(name, method)
            seen.add(method)
            if found is None:
                continue
            path, node = found
            uses = list(_uses(path, node))
            for attribute, condition in _own_attributes(node):
                member = self._member(name, attribute)
                if member is not None and isinstance(member[1], ast.Assign):
                    used = _uses(member[0], member[1])
                    uses += [Use(u.name, u.is_functional, condition, u.path, u.line) for u in used]
                elif member is not None:
                    rest.append(attribute)
            yield Part(method, path, node.lineno, tuple(uses))

    def _member(self, name: str, member: str) -> tuple[Path, ast.FunctionDef | ast.Assign] | None:
        """Finds a method or a class's value in a class or its bases."""
        if name not in self._classes or name == "Module":
            return None
        path, node = self._classes[name]
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and item.name == member:
                return path, item
            if isinstance(item, ast.Assign) and member in _names(item):
                return path, item
        names = (ast.unparse(b).rpartition(".")[2] for b in node.bases)
        bases = (self._member(base, member) for base in names)
        return next((found for found in bases if found is not None), None)


def _part(name: str, found: python_sources.Definition, prefix: str) -> Part:
    """A function, with what it and the functions of its file that it calls use; or a class."""
    where, node = found
    helpers = python_sources.functions(where)
    uses: list[Use] = []
    seen: set[str] = set()
    rest = [node] if isinstance(node, ast.FunctionDef) else []
    while rest:
        function = rest.pop(0)
        seen.add(function.name)
        uses += _uses(where, function)
        called = (n.id for n in ast.walk(function) if isinstance(n, ast.Name))
        rest += [helpers[n] for n in dict.fromkeys(called) if n in helpers and n not in seen]
    return Part(name, where, node.lineno, tuple(uses), prefix)


def _without(name: str, prefixes: tuple[str, ...]) -> str | None:
    prefix = next((p for p in prefixes if name.startswith(p)), None)
    return (
        None if prefix is None or not name.removeprefix(prefix).isidentifier() else name.removeprefix(prefix)
    )


def _names(assign: ast.Assign) -> set[str]:
    return {n.id for target in assign.targets for n in ast.walk(target) if isinstance(n, ast.Name)}


def _uses(path: Path, node: ast.AST) -> Iterator[Use]:
    for child, condition in _conditioned(node, ""):
        owner = (
            child.value.id if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) else ""
        )
        if isinstance(child, ast.Attribute) and owner in (*_FUNCTIONAL, *_COMPILED):
            yield Use(child.attr, owner in _FUNCTIONAL, condition, path, child.lineno)


def _own_attributes(node: ast.AST) -> Iterator[tuple[str, str]]:
    for child, condition in _conditioned(node, ""):
        if (
            isinstance(child, ast.Attribute)
            and isinstance(child.value, ast.Name)
            and child.value.id == "self"
        ):
            yield child.attr, condition


def _conditioned(node: ast.AST, condition: str) -> Iterator[tuple[ast.AST, str]]:
    """Yields all nodes below one, with the test of the innermost `if` around them."""
    for name, value in ast.iter_fields(node):
        inner = condition
        if isinstance(node, (ast.If, ast.IfExp)) and name in ("body", "orelse"):
            inner = f"if {ast.unparse(node.test)}" if name == "body" else f"if not ({ast.unparse(node.test)})"
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child, inner
                yield from _conditioned(child, inner)
