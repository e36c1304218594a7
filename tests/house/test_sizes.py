"""Maximum sizes of files and functions, and a report of those above the recommended size.

The report is printed with `-s`; it is only a guide: long tables are fine.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from house import CPP, files, name

# The recommended and the maximum number of lines of a file.
GUIDE = {"python": 300, "function": 40, "cpp": 500, "template": 120, "command": 60}
LIMIT = {"python": 450, "function": 80, "cpp": 900, "template": 160, "command": 90}
CPP_FOLDERS = ("core", "ops", "cpu", "cuda", "python/bindings")


def lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def functions(file: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield (
                f"{name(file)}:{node.lineno} {node.name}",
                (node.end_lineno or node.lineno) - node.lineno + 1,
            )


def measured() -> Iterator[tuple[str, str, int]]:
    """Yields (kind, name, lines)."""
    for folder in ("cli", "python", "tests", "tools", "benchmarks"):
        for file in files(folder, ".py"):
            command = "opgen/commands/" in name(file) and "@click.command(" in file.read_text(
                encoding="utf-8"
            )
            yield "command" if command else "python", name(file), lines(file)
            yield from (("function", what, size) for what, size in functions(file))
    for folder in CPP_FOLDERS:
        yield from (("cpp", name(file), lines(file)) for file in files(folder, *CPP))
    yield from (("template", name(file), lines(file)) for file in files("templates", ".mako"))


def test_sizes():
    rows = list(measured())
    above = [(kind, what, size) for kind, what, size in rows if size > GUIDE[kind]]
    print(f"\n{len(above)} of {len(rows)} are above the guide:")
    for kind, what, size in sorted(above, key=lambda row: row[2] / GUIDE[row[0]], reverse=True):
        print(f"  {size:5} lines (guide {GUIDE[kind]:3}) {kind:8} {what}")
    assert not [row for row in above if row[2] > LIMIT[row[0]]]
