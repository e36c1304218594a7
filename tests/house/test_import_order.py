"""Python imports only go downward: packages of one layer don't import each other, and the modules of a
package have no import cycle.
"""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

from house import ROOT, files, name

# Lowest first. `locate` and the package's own `__init__` (its version) may be imported from everywhere.
LAYERS = (
    ("colours", "diagnostics", "locks"),
    ("config",),
    ("model",),
    ("parse",),
    ("expand",),
    ("api",),
    ("check", "breaking"),
    ("template_views",),
    ("select",),
    ("build", "explain", "render"),
    ("request",),
    ("companions",),
    ("pipeline",),
    ("baseline",),
    ("report",),
    ("edit",),
    ("commands",),
    ("__main__",),
)
ANYWHERE = {"locate", "__init__"}
LEVEL = {package: level for level, packages in enumerate(LAYERS) for package in packages}
PACKAGE = ROOT / "cli" / "opgen"


def package_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yields (dotted name, line) of everything imported from opgen, anywhere in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            dotted = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in dotted if name.startswith("opgen."))


def parsed(file: Path) -> ast.AST:
    return ast.parse(file.read_text(encoding="utf-8"))


def offences() -> list[str]:
    found = []
    for file in files("cli/opgen", ".py"):
        package = package_of(file)
        packages = {(dotted.split(".")[1], line) for dotted, line in imports(parsed(file))}
        for other, line in sorted(packages):
            if other in ANYWHERE or other.startswith("__") or other == package or package in ANYWHERE:
                continue
            if other not in LEVEL:
                found.append(f"{name(file)}:{line}: no layer for opgen.{other}")
            elif LEVEL[other] >= LEVEL[package]:
                found.append(f"{name(file)}:{line}: {package} imports {other}, which is not below it")
    return found


def module_of(file: Path) -> str:
    """Returns the dotted name of a module; a package has its folder's name."""
    dotted = ".".join(("opgen", *file.relative_to(PACKAGE).with_suffix("").parts))
    return dotted.removesuffix(".__init__")


def graph_of_room(trees: dict[str, ast.AST]) -> dict[str, set[str]]:
    """Returns the modules of a package that each of them imports. `from package import name` imports the
    module `name` if there is one, else the package.
    """
    found: dict[str, set[str]] = {}
    for module, tree in trees.items():
        dotted = {d if d in trees else d.rpartition(".")[0] for d, _ in imports(tree)}
        found[module] = dotted & trees.keys()
    return found


def cycle(trees: dict[str, ast.AST]) -> list[str] | None:
    """Returns the modules of a cycle, each imported by the one before it; None if there is none."""
    try:
        graphlib.TopologicalSorter(graph_of_room(trees)).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


def test_every_room_has_a_floor():
    packages = {package_of(file) for file in files("cli/opgen", ".py")}
    assert packages - ANYWHERE == set(LEVEL)


def test_imports_go_downward():
    assert not offences()


def test_no_ring_inside_a_room():
    packages: dict[str, dict[str, ast.AST]] = {}
    for file in files("cli/opgen", ".py"):
        if package_of(file) not in ANYWHERE:
            packages.setdefault(package_of(file), {})[module_of(file)] = parsed(file)
    cycles = [found for trees in packages.values() if (found := cycle(trees))]
    assert not cycles, "move what both sides need into a module below them"


def test_a_ring_is_found():
    """A cycle is found through an import inside a function, and through a package's own module."""
    texts = {
        "opgen.a": "from opgen.a import b",
        "opgen.a.b": "def f():\n    from opgen.a.c import g",
        "opgen.a.c": "from opgen.a import helper",
    }
    trees = {module: ast.parse(text) for module, text in texts.items()}
    assert set(cycle(trees) or ()) == set(texts)
    assert cycle({**trees, "opgen.a.c": ast.parse("import json")}) is None
