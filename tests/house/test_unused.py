"""`cli/opgen` has no unused definitions: a function or class that only tests use should be deleted."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from house import files, name

# click finds these by their names.
CALLED_ELSEWHERE = {"get_command", "format_commands", "list_commands", "invoke"}


def definitions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("__"):
            yield node.name, node.lineno


def words(tree: ast.AST) -> Iterator[str]:
    """Yields all names that code mentions, also in short strings (Mako's filters), not in docstrings."""
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in docs:
            continue
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
            yield from re.findall(r"\w+", node.value)


def unused(modules: dict[str, ast.AST], templates: Iterable[str] = ()) -> list[str]:
    mentioned = Counter(word for tree in modules.values() for word in words(tree))
    mentioned.update(word for text in templates for word in re.findall(r"\w+", text))
    return [
        f"{module}:{line} {defined}"
        for module, tree in modules.items()
        for defined, line in definitions(tree)
        if not mentioned[defined] and defined not in CALLED_ELSEWHERE
    ]


def test_everything_is_used():
    modules = {name(f): ast.parse(f.read_text(encoding="utf-8")) for f in files("cli/opgen", ".py")}
    assert not unused(modules, [f.read_text(encoding="utf-8") for f in files("templates")])


def test_what_is_unused_is_found():
    text = "def f():\n    return g()\ndef g():\n    '''Like h.'''\nclass C:\n    def h(self): f()"
    assert unused({"m": ast.parse(text)}) == ["m:5 C", "m:6 h"]
    assert unused({"m": ast.parse(text)}, ["${C().h()}"]) == []
