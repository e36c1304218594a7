"""Rules about the contents of files: no C++ in Python, no Python in templates, no paths of a machine."""

from __future__ import annotations

import ast
import re

from house import ROOT, files, kept, name

# A statement, a block or a preprocessor line. Views consist of expressions and parts of declarations, which
# are allowed.
STATEMENT = re.compile(
    r"(^|\n)\s*#\s*(include|define|if|pragma)\b|[\w)\]}]\s*;\s*(\n|$)|\b(return|if|for)\b[^\n]*;|\)\s*\{"
)
CPP_WRITERS = ("api", "template_views", "render", "build", "expand")
MACHINE = re.compile(r"/(work|home|root|Users|tmp/own)/\w|\bfile:///\w")


def strings(tree: ast.AST):
    """Yields (line, text) of every string that is not a docstring."""
    docs = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            docs.add(id(body[0].value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_no_statement_of_cpp_in_python():
    bad = []
    for package in CPP_WRITERS:
        for file in files(f"cli/opgen/{package}", ".py"):
            for line, text in strings(ast.parse(file.read_text(encoding="utf-8"))):
                if STATEMENT.search(text):
                    bad.append(f"{name(file)}:{line}: {text!r}")
    assert not bad


def test_no_code_in_templates():
    bad = [
        name(f) for f in files("templates", ".mako") if re.search(r"<%\s|<%!", f.read_text(encoding="utf-8"))
    ]
    assert not bad


def test_a_template_for_every_generated_file_lies_where_it_writes():
    """templates/X/Y.mako writes X/Y, apart from shard numbers and operator names."""
    assert not [name(f) for f in files("templates") if f.suffix not in (".mako", ".part")]


def test_no_path_of_a_machine():
    folders = (
        "cli",
        "templates",
        "schemas",
        "core",
        "ops",
        "cpu",
        "cuda",
        "python",
        "docs",
        "examples",
    )
    bad = []
    for folder in (*folders, "benchmarks", "tests", "tools"):
        for file in files(folder):
            text = file.read_bytes().decode("utf-8", "replace")
            bad += [
                f"{name(file)}: {m.group()}" for m in MACHINE.finditer(text) if file.name != "test_texts.py"
            ]
    # Files that git ignores, such as compile_commands.json, may contain paths.
    root_files = [ROOT / n for n in kept(":(glob)*")]
    bad += [f"{f.name}: {m.group()}" for f in root_files for m in MACHINE.finditer(f.read_text())]
    assert not bad
