"""Python imports go downward only, and rooms of one floor don't import each other."""

from __future__ import annotations

import ast
from pathlib import Path

from house import ROOT, files, name

# Lowest first. `locate` and the package's own `__init__` (its version) may be imported from everywhere.
FLOORS = (
    ("diagnostics", "locks"),
    ("config",),
    ("model",),
    ("parse",),
    ("expand",),
    ("api",),
    ("check", "breaking"),
    ("views",),
    ("build", "explain", "render"),
    ("request",),
    ("pipeline",),
    ("baseline",),
    ("commands",),
    ("__main__",),
)
GROUND = {"locate", "__init__"}
HEIGHT = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
PACKAGE = ROOT / "cli" / "opgen"


def room_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(tree: ast.AST) -> set[tuple[str, int]]:
    """(room, line) of every import of opgen, wherever in the file it stands."""
    found: set[tuple[str, int]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            below = node.module == "opgen"
            dotted = [f"opgen.{a.name}" for a in node.names] if below else [node.module or ""]
        else:
            continue
        found |= {(d.split(".")[1], node.lineno) for d in dotted if d.startswith("opgen.")}
    return found


def offences() -> list[str]:
    found = []
    for file in files("cli/opgen", ".py"):
        room = room_of(file)
        for other, line in sorted(imported_rooms(ast.parse(file.read_text(encoding="utf-8")))):
            if other in GROUND or other.startswith("__") or other == room or room in GROUND:
                continue
            if other not in HEIGHT:
                found.append(f"{name(file)}:{line}: no floor for opgen.{other}")
            elif HEIGHT[other] >= HEIGHT[room]:
                found.append(f"{name(file)}:{line}: {room} imports {other}, which is not below it")
    return found


def test_every_room_has_a_floor():
    rooms = {room_of(file) for file in files("cli/opgen", ".py")}
    assert rooms - GROUND <= set(HEIGHT)


def test_imports_go_downward():
    assert not offences()
