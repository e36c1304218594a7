"""The examples of docs.yaml print what they say. A failure names the line of the file."""

from __future__ import annotations

import doctest
from pathlib import Path

import aten
import pytest
from opgen.diagnostics import Report
from opgen.model.docs import Example
from opgen.parse import docs, source, yaml_source

FILE = Path(__file__).resolve().parents[2] / "schemas" / "docs.yaml"


@pytest.fixture(autouse=True)
def _same_numbers():
    """Examples may draw random numbers."""
    aten.manual_seed(0)


def examples() -> dict[str, Example]:
    """Returns the examples by operator; of the schemas only this file is read, which is fast."""
    report = Report()
    text = source.read(str(FILE), report)
    assert text is not None
    found = docs.read(yaml_source.items(text, report), report)
    assert not report.failed, report.sorted()
    return {entry.name: entry.example for entry in found if entry.example is not None}


def failures(name: str, example: Example, path: Path) -> list[str]:
    """Returns what doctest says about each statement that prints something else, with its place."""
    text = "\n".join(example.lines)
    test = doctest.DocTestParser().get_doctest(text, {"aten": aten}, name, str(path), example.line - 1)
    found: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=found.append)
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_prints_what_it_says(name):
    if not hasattr(aten.ops.aten, name):
        pytest.skip("the operator is not built")
    found = failures(name, EXAMPLES[name], FILE)
    assert not found, "\n".join(found)


def test_a_failure_names_its_line(tmp_path):
    found = failures("f", Example((">>> 1 + 1", "2", ">>> 1 + 1", "3"), 70), tmp_path / "docs.yaml")
    assert len(found) == 1
    assert f'File "{tmp_path / "docs.yaml"}", line 72, in f' in found[0]


def test_an_example_that_raises_fails(tmp_path):
    (found,) = failures("f", Example((">>> aten.ones(2) @ aten.ones(3)",), 1), tmp_path / "docs.yaml")
    assert "RuntimeError" in found
