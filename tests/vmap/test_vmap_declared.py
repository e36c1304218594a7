"""The file of declared rules."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

pytest.importorskip("opgen")
from opgen.diagnostics import InputError, Report
from opgen.parse import batching, source, yaml_source
from opgen.pipeline import load
from opgen.template_views.batching_rules import Helpers, Rules

SCHEMAS = Path(__file__).parents[2] / "schemas"


def read(path: Path):
    report = Report()
    return batching.read(yaml_source.items(source.read(str(path), report), report))


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- f", "expected an entry with 'ops'"),
        ("- loop:", "expected 'ops' with one of"),
        ("- ops: [f]", "expected 'ops' with one of"),
        ("- ops: [f]\n  loop:\n  leading:", "expected 'ops' with one of"),
        ("- ops: [f]\n  loop: 3", "'loop' has no text"),
        ("- ops: [f]\n  folded:", "'folded' has a text"),
        ("- ops: f\n  loop:", "'ops' is a list"),
        ("- ops: [f]\n  leading:\n  roles: d", "'roles' has a letter"),
        ("- ops: [f]\n  loop:\n  role: d", "expected 'ops' with one of"),
    ],
)
def test_faults(tmp_path, text, message):
    file = tmp_path / "batching.yaml"
    file.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read(file)
