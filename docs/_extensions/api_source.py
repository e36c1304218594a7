"""Entries of hand-written modules, from their source: nothing is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from api_entries import Entry


class Definition(NamedTuple):
    node: ast.FunctionDef | ast.ClassDef
    file: str  # the module it is imported from, as the importing one names it; "" for its own


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def module_file(folder: Path, dotted: str) -> Path:
    path = folder.joinpath(*dotted.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def exported(file: Path) -> set[str] | None:
    """The names in `__all__`, if the module has one."""
    for node in parsed(file).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return None


def definitions(file: Path) -> dict[str, Definition]:
    """The public functions and classes of a module, by name, with those that it imports from files beside it;
    later ones replace earlier ones.
    """
    found: dict[str, Definition] = {}
    for node in statements(parsed(file)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = Definition(node, "")
        elif isinstance(node, ast.ImportFrom) and node.level and node.module and node.module != "_C":
            origin = module_file(file.parents[node.level - 1], node.module)
            found |= _imported(origin, node)
    listed = exported(file)
    return {
        name: found[name]
        for name in sorted(found)
        if not name.startswith("_") and (listed is None or name in listed)
    }


def _imported(origin: Path, node: ast.ImportFrom) -> dict[str, Definition]:
    names = {alias.name for alias in node.names}
    whole = names == {"*"}
    theirs = definitions(origin) if whole else {}
    found = {name: Definition(d.node, node.module or "") for name, d in theirs.items()}
    for statement in statements(parsed(origin)):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name in names:
            found[statement.name] = Definition(statement, node.module or "")
    return found


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements, including those under `if TYPE_CHECKING:`, which imports lazily loaded modules."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.If) else (node,)


def written(file: Path, module: str) -> Iterator[Entry]:
    """The entries of a module: each class is followed by its public methods that have a docstring."""
    for node, origin in definitions(file).values():
        if isinstance(node, ast.FunctionDef):
            yield function(node, module, origin)
            continue
        signatures = [node.name + constructor(node)]
        yield Entry("class", module, node.name, signatures, ast.get_docstring(node) or "", file=origin)
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and _is_documented(part):
                yield function(part, module, origin, node.name)


def _is_documented(part: ast.FunctionDef) -> bool:
    return not part.name.startswith("_") and bool(ast.get_docstring(part))


def function(node: ast.FunctionDef, module: str, file: str = "", inside: str = "") -> Entry:
    """The entry of a function, or of a method of the class `inside`."""
    arguments = node.args
    if inside and not any(ast.unparse(d) == "staticmethod" for d in node.decorator_list):
        arguments = without_self(arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    name = f"{inside}.{node.name}" if inside else node.name
    signature = f"{name}({ast.unparse(arguments)}){returns}"
    kind = "method" if inside else "function"
    return Entry(kind, module, name, [signature], ast.get_docstring(node) or "", file=file)


def without_self(arguments: ast.arguments) -> ast.arguments:
    first = "posonlyargs" if arguments.posonlyargs else "args"
    rest = dict(ast.iter_fields(arguments))
    return ast.arguments(**{**rest, first: rest[first][1:]})


def constructor(node: ast.ClassDef) -> str:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return f"({ast.unparse(without_self(part.args))})"
    return ""
