"""Finds the definition behind a public name of the Python package, read from its sources."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

Definition = tuple[Path, ast.FunctionDef | ast.ClassDef | ast.Assign]
_PACKAGES = ("aten.", "torch.")
_LONGEST = 8  # imports from one file to the next, which may go round in circles


def find(package: Path, name: str) -> Definition | None:
    """Returns the definition of `tensor`, `nn.functional.cross_entropy` or `optim.SGD`, also with `aten.` or
    `torch.` before it; None if the name is that of nothing written in Python.
    """
    for prefix in _PACKAGES:
        name = name.removeprefix(prefix)
    parts = name.split(".")
    return _member(package, parts) if all(part.isidentifier() for part in parts) else None


def functions(path: Path) -> dict[str, ast.FunctionDef]:
    """Returns the functions of a file by their names."""
    return {node.name: node for node in _tree(path).body if isinstance(node, ast.FunctionDef)}


def _member(module: Path, parts: list[str], depth: int = 0) -> Definition | None:
    file = _file(module)
    if file is None or depth > _LONGEST:
        return None
    head, rest = parts[0], parts[1:]
    if rest and _file(file.parent / head) is not None and file.name == "__init__.py":
        return _member(file.parent / head, rest, depth + 1)
    for node in _tree(file).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == head:
            return _inside(file, node, rest)
        if isinstance(node, ast.Assign) and not rest and head in map(ast.unparse, node.targets):
            return file, node
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if head == (alias.asname or alias.name):
                    return _imported(file, node, alias.name, rest, depth + 1)
    return None


def _inside(file: Path, node: ast.FunctionDef | ast.ClassDef, rest: list[str]) -> Definition | None:
    if not rest:
        return file, node
    methods = (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == rest[0])
    method = next(methods, None)
    return (file, method) if method is not None and len(rest) == 1 else None


def _imported(file: Path, node: ast.ImportFrom, name: str, rest: list[str], depth: int) -> Definition | None:
    if not node.level:
        return None
    folder = file.parents[node.level - 1]
    module = folder.joinpath(*(node.module or "").split("."))
    if rest and _file(module / name) is not None:
        return _member(module / name, rest, depth)
    return _member(module, [name, *rest], depth)


def _file(module: Path) -> Path | None:
    """Returns the file of a module or package without its ending."""
    candidates = (module / "__init__.py", module.with_name(f"{module.name}.py"))
    return next((path for path in candidates if path.is_file()), None)


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
