"""Each assertion of torchgen about declarations is in a list, with the rule that covers it.

The list, torchgen_assertions.txt, was made with torchgen 2.13.0; release 2.14.1 has the same assertions.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from front import pytorch_yaml
from opgen.check.rules import RULES
from opgen.diagnostics import Rule
from rule_examples import codes

LIST = Path(__file__).with_name("torchgen_assertions.txt")
BY_CODE = {rule.code: rule for rule in RULES}
OTHER_COVERS = {"internal", "accepted"}


class Place(NamedTuple):
    """Where an assertion is, and what it says, as a hash of its words: texts of torchgen are not copied."""

    file: str
    function: str
    hash: str


class Listed(NamedTuple):
    place: Place
    covers: tuple[str, ...]
    note: str


@cache
def lines() -> tuple[str, ...]:
    every = LIST.read_text(encoding="utf-8").splitlines()
    return tuple(line for line in every if line and not line.startswith("#"))


@cache
def listed() -> tuple[Listed, ...]:
    """Returns the assertions of the list; a line that begins without a space names their file."""
    found, file = [], ""
    for line in lines():
        if not line.startswith(" "):
            file = line
            continue
        function, hash, covers, note = re.split(r"  +", line.strip())
        found.append(Listed(Place(file, function, hash), tuple(covers.split()), note))
    return tuple(found)


def words(node: ast.AST | None) -> Iterator[str]:
    """Yields the names and words of a piece of code, which are the same in all versions of Python."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name):
            yield part.id
        elif isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Constant):
            yield from re.findall(r"\w+", str(part.value))


def hashed(*nodes: ast.AST | None) -> str:
    text = " ".join(word for node in nodes for word in words(node))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def asserted(node: ast.AST, file: str, within: tuple[str, ...], test: ast.AST | None) -> Iterator[Place]:
    """Yields the assertions in a node; `test` is the condition of the innermost `if` around it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield from asserted(child, file, (*within, child.name), None)
            continue
        name = ".".join(within) or "module"
        condition = node.test if isinstance(node, ast.If) else test
        if isinstance(child, ast.Raise):
            yield Place(file, name, hashed(condition, child.exc))
        elif isinstance(child, ast.Assert):
            yield Place(file, name, hashed(child.test, child.msg))
        yield from asserted(child, file, within, condition)


def of_file(file: str) -> list[Place]:
    source = (pytorch_yaml().parents[3] / file).read_text(encoding="utf-8")
    return list(asserted(ast.parse(source), file, (), None))


def test_the_list_is_whole():
    files = dict.fromkeys(place.file for place, _, _ in listed())
    theirs = Counter(place for file in files for place in of_file(file))
    ours = Counter(place for place, _, _ in listed())
    assert not theirs - ours, "assertions that are not in the list"
    assert not ours - theirs, "listed assertions that torchgen has no more"


def test_every_file_is_listed_or_left_out():
    root = pytorch_yaml().parents[3]
    header = LIST.read_text(encoding="utf-8")
    for path in [*root.glob("*.py"), *root.rglob("api/**/*.py"), *root.glob("dest/*.py")]:
        file = path.relative_to(root).as_posix()
        assert file in header or not of_file(file), file
    for path in root.glob("packaged/autograd/*.py"):
        file = path.relative_to(root).as_posix()
        assert file in header or not of_file(file), file


def test_covers_are_rules():
    for place, covers, note in listed():
        assert covers, place
        assert note, place
        assert set(covers) <= BY_CODE.keys() | OTHER_COVERS, place
    assert len({cover for _, covers, _ in listed() for cover in covers} - OTHER_COVERS) > 100


@pytest.mark.parametrize(
    "rule",
    [BY_CODE[c] for c in sorted({c for _, covers, _ in listed() for c in covers} & BY_CODE.keys())],
    ids=lambda rule: rule.code,
)
def test_a_rule_that_covers_an_assertion_finds_its_fault(rule: Rule):
    assert rule.code in codes(rule, rule.bad)
