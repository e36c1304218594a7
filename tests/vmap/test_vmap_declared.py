"""The file of declared rules."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("opgen")
from opgen.diagnostics import Report
from opgen.parse import batching, source, yaml_source
from opgen.pipeline import load
from opgen.template_views.batching_rules import Helpers, Rules

SCHEMAS = Path(__file__).parents[2] / "schemas"


def read(path: Path):
    report = Report()
    rules = batching.read(yaml_source.items(source.read(str(path), report), report), report)
    assert report.diagnostics == []
    return rules


def test_every_name_is_an_operator():
    program, _ = load(SCHEMAS, checked=False)
    known = {f.qualified_name for f in program.functions} | {str(f.name.name) for f in program.functions}
    rules = read(SCHEMAS / "batching.yaml")
    assert not set(rules) - known
    assert not {r.detail for r in rules.values() if r.kind == "as"} - known


def test_a_formula_calls_only_functions_that_are_generated():
    """PyTorch writes at::conj by hand: a library of its file has none that the formula of vdot could call."""
    program, _ = load(SCHEMAS, checked=False)
    by_hand = [
        dataclasses.replace(f, manual_cpp_binding=True) if f.qualified_name == "conj" else f
        for f in program.functions
    ]
    kinds = []
    for functions in (program.functions, by_hand):
        rules = Rules(dataclasses.replace(program, functions=tuple(functions)), Helpers([]), "")
        kinds.append(rules.of(program.by_name["vdot"]).kind)
    assert kinds == ["Composite", "Loop"]


FAULTS = (
    ("- f", 1, 3, "expected 'ops' and one of"),
    ("- loop:", 1, 3, "'ops' is missing"),
    ("- ops: [f]", 1, 3, "expected 'ops' and one of"),
    ("- ops: [f]\n  loop:\n  leading:", 3, 3, "'leading' beside 'loop'"),
    ("- ops: [f]\n  loop: 3", 2, 9, "'loop' has no text"),
    ("- ops: [f]\n  folded:", 2, 10, "'folded' has a text, the rank"),
    ("- ops: [f]\n  folded: many", 2, 11, "'folded' has a text, the rank"),
    ("- ops: f\n  loop:", 1, 8, "'ops' must be a list"),
    ("- ops: [f]\n  leading:\n  roles: d", 3, 10, "'roles' must have a letter"),
    ("- ops: [f]\n  loop:\n  role: d", 3, 3, "there is no field 'role'"),
    ("- ops: [f]\n  formula: [x]", 2, 12, "'formula' must be a text"),
)


def test_faults(tmp_path):
    """All of them in one run, each at its place."""
    file = tmp_path / "batching.yaml"
    file.write_text("\n".join(text for text, *_ in FAULTS) + "\n- ops: [g]\n  loop:\n", encoding="utf-8")
    report = Report()
    rules = batching.read(yaml_source.items(source.read(str(file), report), report), report)
    assert set(rules) == {"g"}
    expected, first = [], 1
    for text, line, column, message in FAULTS:
        expected.append((first + line - 1, column, message))
        first += text.count("\n") + 1
    for fault, (line, column, message) in zip(report.diagnostics, expected, strict=True):
        assert (fault.span.line, fault.span.column, fault.code) == (line, column, "OPG290"), fault
        assert message in fault.message
