"""The rules against independent reference data: a table of kinds of change, with whom each breaks, and probes
of one change each, with the verdicts of PyTorch's own checker.
"""

from __future__ import annotations

import json

import pytest
from changes import BY_NAME, findings
from front import shared
from opgen.breaking import Audience, Finding

MARKS = ".wSX"
COLUMNS = {
    Audience.cpp: ("cpp_source",),
    Audience.abi: ("cpp_abi",),
    Audience.python: ("py_positional", "py_keyword"),
    Audience.graph_bc: ("graph_bc",),
    Audience.graph_fc: ("graph_fc",),
    Audience.backend: ("backend",),
}

# The rules that correspond to the rows of each probe.
PROBES = {
    "arg-added-default-end": ["arg-added-defaulted-end"],
    "arg-added-default-emptylist": ["arg-added-defaulted-list"],
    "arg-added-optional-none": ["arg-added-defaulted-end"],
    "arg-added-kwonly-default": ["kwarg-added-defaulted-end"],
    "arg-added-positional-before-kwonly": ["kwarg-added-defaulted-before"],
    "arg-added-before-out": ["out-variant-arg-inserted"],
    "kwarg-added-before-out": ["out-variant-arg-inserted"],
    "out-arg-renamed": ["out-arg-renamed"],
    "args-reordered-same-type": ["args-swapped-same-type"],
    "kwargs-reordered": ["kwargs-reordered"],
    "kwonly->positional": ["arg-made-positional"],
    "default-added": ["default-added"],
    "default-removed": ["default-removed"],
    "default-changed": ["default-changed"],
    "type-from-optional": ["type-made-required"],
    "type-SymInt-to-int": ["type-symint-to-int"],
    "type-int-to-Scalar": ["type-widened"],
    "type-Scalar-to-float": ["type-narrowed"],
    "type-bool-to-int": ["type-changed"],
    "type-int[]-to-int[]?": ["type-made-optional"],
    "type-int[]-to-int[2]": ["list-size-added"],
    "type-int-to-int[1]": ["type-changed"],
    "type-Tensor?[]-to-Tensor[]": ["type-narrowed"],
    "type-Tensor-to-Tensor[]": ["type-changed"],
    "return-to-optional": ["return-made-optional"],
    "return-int-to-SymInt": ["return-type-changed"],
    "return-count-less": ["return-count-changed"],
    "return-to-void": ["return-count-changed"],
    "return-renamed": ["return-renamed"],
    "return-name-removed": ["return-names-removed"],
    "returns-swapped": ["returns-swapped"],
    "alias-view-added": ["alias-view-added"],
    "alias-view-removed": ["alias-view-removed"],
    "alias-only-return-removed": ["alias-view-removed"],
    "alias-letter-renamed": [],
    "alias-read->write": ["alias-mutation-added"],
    "alias-to-wildcard": ["alias-view-added"],
    "overload-named": ["overload-renamed"],
    "self-renamed": ["self-renamed"],
    "two-defaults-added": ["arg-added-defaulted-end", "arg-added-defaulted-end"],
    # No row covers it: the format has no arguments after the out arguments.
    "kwarg-added-after-out": ["entry-unparseable"],
}

# Where PyTorch's checker gives another verdict for saved programs; the page of the rules says why it is
# wrong.
PYTORCH_MISSES = {
    Audience.graph_bc: {"type-SymInt-to-int", "return-int-to-SymInt", "kwarg-added-after-out"},
    Audience.graph_fc: {
        *("arg-added-default-end", "arg-added-optional-none", "arg-added-kwonly-default"),
        *("arg-added-before-out", "kwarg-added-before-out", "two-defaults-added", "kwonly->positional"),
        *("return-int-to-SymInt", "returns-swapped", "alias-only-return-removed"),
    },
}
PYTORCH_FALSE_ALARMS = {
    Audience.graph_bc: {"alias-letter-renamed", "return-renamed", "return-name-removed"},
    Audience.graph_fc: {
        *("alias-letter-renamed", "default-removed", "type-Tensor?[]-to-Tensor[]", "type-int[]-to-int[2]"),
    },
}


@pytest.fixture(scope="module")
def table() -> dict[str, dict]:
    rows = json.loads(shared("data", "breaking", "rules.json").read_text(encoding="utf-8"))
    return {row["id"]: row for row in rows}


@pytest.fixture(scope="module")
def probes() -> list[dict]:
    return json.loads(shared("data", "breaking", "probes.json").read_text(encoding="utf-8"))


def found_by(probe: dict) -> tuple[Finding, ...]:
    return findings(f"- func: {probe['old']}\n", f"- func: {probe['new']}\n")


def test_every_kind_of_change_has_a_rule_with_its_effects_and_step(table):
    assert table.keys() - BY_NAME.keys() == set()
    for name, row in table.items():
        rule = BY_NAME[name]
        for audience, columns in COLUMNS.items():
            worst = max((row["severity"][c] for c in columns), key=MARKS.index)
            assert rule.effects[audience].value.replace("·", ".") == worst, (name, audience)
        assert rule.bump.name == row["bump"].replace("-", "none"), name


def test_probes_are_found_by_the_rules_that_speak_of_them_for_whom_they_name(probes):
    assert {p["id"] for p in probes} == PROBES.keys()
    for probe in probes:
        found = found_by(probe)
        assert [f.rule.name for f in found] == PROBES[probe["id"]], probe["id"]
        assert all(f.breaks == f.rule.breaks for f in found)


def test_pytorchs_verdicts_differ_only_where_they_are_known_to_be_wrong(probes):
    verdicts = {Audience.graph_bc: "backward_compatible", Audience.graph_fc: "forward_compatible"}
    for audience, key in verdicts.items():
        broken = {p["id"] for p in probes if any(audience in f.breaks for f in found_by(p))}
        flagged = {p["id"] for p in probes if not p[key]}
        assert broken - flagged == PYTORCH_MISSES[audience]
        assert flagged - broken == PYTORCH_FALSE_ALARMS[audience]
