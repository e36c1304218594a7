"""docs/adding-an-operator.md is up to date: its excerpts equal the files, and its numbers of files and lines
for an operator are those of its excerpts.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from house import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import excerpts

GUIDE = excerpts.GUIDE.read_text(encoding="utf-8")
EXAMPLES = excerpts.examples(GUIDE)
SOURCE = """\
#include <ATen/ops/one.h>
#include <ATen/ops/two.h>

template <class T>
T one(T x) {
  if (x) {
  }
  return x;
}

template <class T>
struct Two {
  T x;
};
"""
SECTION = """\
# Operators

## Elementwise: `one`

Text.

<!-- from: ops/a.h
#include <ATen/ops/one.h>
T one( ... }
-->

```cpp
{}```

<!-- counted: ops/a.h
#include <ATen/ops/two.h>
-->

## Rules

Text.
"""
ONE = """\
#include <ATen/ops/one.h>

T one(T x) {
  if (x) {
  }
  return x;
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "a.h").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_every_excerpt_stands_in_its_file() -> None:
    assert "\n".join(excerpts.faults(GUIDE, ROOT)) == ""


def test_each_class_has_an_example() -> None:
    kinds = {example.kind: example.operator for example in EXAMPLES}
    assert len(kinds) >= 6 and all(example.blocks for example in EXAMPLES)
    for word in ("Elementwise", "Reduction", "Structured", "Composite", "View", "derivative"):
        assert any(word in kind for kind in kinds), f"no section has an example of the class {word}"


def test_each_example_has_its_declaration_its_sentence_and_its_row() -> None:
    for example in EXAMPLES:
        files = {f for other in EXAMPLES if other.operator == example.operator for f in other.parts(ROOT)}
        assert {"schemas/native_functions.yaml", "schemas/docs.yaml"} <= files, example.operator
        assert any(file.startswith("tests/ops/samples/") for file in files), example.operator


def test_the_table_of_costs_has_the_counted_files_and_lines() -> None:
    """Checks the counted figures; the others need generated trees and stay as they were printed."""
    rows = re.findall(r"^\| (.+?) \| `(\w+)` \| (\d+) \| (\d+) \|", GUIDE, re.MULTILINE)
    counted = [(e.kind, e.operator, e.parts(ROOT)) for e in EXAMPLES]
    expected = [
        (kind, operator, str(len(parts)), str(sum(map(len, parts.values()))))
        for kind, operator, parts in counted
    ]
    assert rows == expected, "write what python benchmarks/operator_cost.py prints"


def test_excerpts_are_taken_from_files(root: Path) -> None:
    taken = excerpts.rewritten(SECTION.replace("{}", "stale\n"), root)
    assert taken == SECTION.replace("{}", ONE)
    assert excerpts.faults(taken, root) == []


def test_a_stale_excerpt_is_shown_anew(root: Path) -> None:
    (fault,) = excerpts.faults(SECTION.replace("{}", ONE.replace("return x", "return 1")), root)
    assert fault.startswith("line 7: ops/a.h has now") and fault.endswith(ONE)


def test_lines_are_counted_once_and_without_blank_ones(root: Path) -> None:
    (example,) = excerpts.examples(SECTION.replace("{}", ONE))
    assert (example.kind, example.operator) == ("Elementwise", "one")
    assert example.parts(root) == {"ops/a.h": [0, 1, 4, 5, 6, 7, 8]}
    whole = SECTION.replace("{}", ONE).replace("ops/a.h\n#include <ATen/ops/two.h>\n-->", "ops/a.h -->")
    (example,) = excerpts.examples(whole)
    assert len(example.parts(root)["ops/a.h"]) == 12 and example.whole_files() == {"ops/a.h"}


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("ops/b.h\nT one(", "there is no file ops/b.h"),
        ("ops/a.h\nT three(", "expected one line of ops/a.h that begins with 'T three(', but none does"),
        ("ops/a.h\n#include", "but lines 1, 2 do: name more of one"),
        ("ops/a.h\nT one( ... };;", "no line after 5 begins with '};;', where the excerpt ends"),
    ],
)
def test_what_names_no_lines_is_a_fault(named: str, message: str, root: Path) -> None:
    section = SECTION.replace("ops/a.h\n#include <ATen/ops/one.h>\nT one( ... }", named)
    (fault,) = excerpts.faults(section.replace("{}", ONE), root)
    assert message in fault


def test_a_line_that_is_not_the_only_one_is_found_by_the_next(root: Path) -> None:
    named = "ops/a.h\ntemplate <class T> / struct Two { ... };"
    section = SECTION.replace("ops/a.h\n#include <ATen/ops/one.h>\nT one( ... }", named)
    taken = excerpts.rewritten(section.replace("{}", ""), root)
    assert "```cpp\ntemplate <class T>\nstruct Two {\n  T x;\n};\n```" in taken


def test_a_comment_without_a_block_is_a_fault(root: Path) -> None:
    section = SECTION.replace("```cpp\n{}```\n\n", "")
    (fault,) = excerpts.faults(section, root)
    assert fault == "line 7: the comment is followed by no block of code"
