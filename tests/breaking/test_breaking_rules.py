"""Each rule finds its changes and ignores similar ones; the snapshot has all findings of all rules over all
changes.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from changes import BY_NAME, FILES, FOLDER, all_changes, findings, version
from opgen.breaking import RULES, Audience, Bump, Finding
from opgen.diagnostics import Severity
from opgen.model import Function

SNAPSHOT = Path(__file__).parent / "findings.txt"
CHANGES = list(all_changes())


@pytest.mark.parametrize(("rule", "change"), CHANGES, ids=[change.label for _, change in CHANGES])
def test_a_rule_finds_exactly_its_changes(rule, change):
    found = findings(change.before, change.after)
    assert Counter(f.rule.name for f in found) == Counter(change.expected)
    if change.breaks is not None:
        assert [a.value for f in found for a in f.breaks] == list(change.breaks)


@pytest.mark.parametrize(("rule", "change"), CHANGES, ids=[change.label for _, change in CHANGES])
def test_what_is_found_can_be_read_and_told_apart(rule, change):
    found = findings(change.before, change.after)
    assert len({f.fingerprint for f in found}) == len(found)
    for f in found:
        assert f.span.path.startswith("BASE" if f.in_baseline else "NEW")
        assert set(f.breaks) <= set(f.rule.breaks)
        assert {*f.breaks, *f.keeps} == set(Audience)
        for shown in (f.before, f.after):
            assert all(0 <= start < end <= len(shown.text) for start, end in shown.marks)
        assert f.before.marks or f.after.marks
        if f.breaks:
            assert f.fails or f.rule.code.startswith("OPB0")


@pytest.mark.parametrize(("rule", "change"), CHANGES, ids=[change.label for _, change in CHANGES])
def test_fingerprints_outlive_moves_and_unrelated_changes(rule, change):
    if "# de" in change.before + change.after:
        pytest.skip("of one file")
    more = "- func: unrelated_one(Tensor[] self) -> int\n\n# a comment\n"
    moved = findings(more + change.before, more + change.after)
    assert {f.fingerprint for f in moved} == {f.fingerprint for f in findings(change.before, change.after)}


@pytest.mark.parametrize(("rule", "change"), CHANGES, ids=[change.label for _, change in CHANGES])
def test_nothing_changes_from_a_version_to_itself(rule, change):
    quiet = {"baseline-unparseable", "entry-unparseable"}
    for text in (change.before, change.after):
        assert {f.rule.name for f in findings(text, text)} <= quiet


def test_every_rule_has_a_file_and_every_file_a_rule():
    assert sorted(p.stem for p in FOLDER.rglob("*") if p.is_file()) == sorted(BY_NAME)
    folders = {(rule.code[:4], FILES[rule.name].parent.name) for rule in RULES}
    assert len(folders) == len({code for code, _ in folders}) == len({name for _, name in folders})


def test_codes_and_names_are_used_once():
    assert len({r.code for r in RULES}) == len({r.name for r in RULES}) == len(RULES)
    assert all(re.fullmatch(r"OPB\d{3}", r.code) for r in RULES)


def test_silent_rules_break_nobody_and_the_others_say_what_to_do():
    for rule in RULES:
        if rule.silent:
            assert not rule.breaks and rule.bump is Bump.none
        assert rule.bump is not Bump.major or rule.advice, rule.name


def test_private_operators_are_one_level_lower():
    schema = "- func: {}(Tensor self) -> Tensor\n"
    wider = "- func: {}(Tensor self, int k) -> Tensor\n"
    (public,), (private,) = (findings(schema.format(name), wider.format(name)) for name in ("f", "_f"))
    assert (public.severity(), public.bump) == (Severity.error, Bump.major)
    assert (private.severity(), private.bump) == (Severity.warning, Bump.minor)
    (dunder,) = findings(schema.format("__and__"), wider.format("__and__"))
    assert not dunder.private


def test_who_is_not_asked_for_does_not_fail():
    (found,) = findings("- func: f(Tensor self) -> Tensor\n", "- func: f(Tensor self, int k=0) -> Tensor\n")
    assert found.severity() is Severity.note
    assert found.severity([Audience.backend]) is Severity.error


def test_an_inserted_argument_is_found_at_its_column():
    before = "- func: f(Tensor self, int j=1) -> Tensor\n"
    (found,) = findings(before, "- func: f(Tensor self, int k=0, int j=1) -> Tensor\n")
    assert str(found.span) == "NEW:1:24" and found.span.end_column == 31
    start, end = found.after.marks[0]
    assert found.after.text[start:end] == "int k=0"


# Rules whose example calls break because of names or the number of arguments, whatever the types.
BY_NAMES = (
    *("arg-renamed", "self-renamed", "out-arg-renamed", "arg-removed-required", "arg-removed-defaulted"),
    *("arg-added-required", "kwarg-added-required", "out-arg-added", "arg-made-keyword-only"),
    "default-removed",
)


@pytest.mark.parametrize("name", BY_NAMES)
def test_the_call_that_worked_binds_to_the_old_schema_and_not_to_the_new_one(name):
    for change in (c for rule, c in CHANGES if rule.name == name and rule.name in c.expected):
        old, new = (version(text, "FILE").program for text in (change.before, change.after))
        for found in findings(change.before, change.after):
            if found.rule.name == name:
                call = ast.parse(found.worked, mode="eval").body
                assert binds(call, old.by_name[found.operator]), found.worked
                assert not binds(call, new.by_name[found.operator]), found.worked


def binds(call: ast.Call, function: Function) -> bool:
    arguments = function.schema.arguments
    positional = [a.name for a in arguments.positional]
    named = [*positional[: len(call.args)], *(k.arg for k in call.keywords)]
    required = {a.name for a in arguments.all if a.default is None}
    known = {a.name for a in arguments.all}
    fits = len(call.args) <= len(positional) and len(set(named)) == len(named)
    return fits and required <= set(named) <= known


def shown(found: Finding) -> str:
    lines = [
        f"{found.rule.code} {found.rule.name} {found.operator} at {found.span}: {found.message}",
        f"  breaks: {', '.join(a.value for a in found.breaks) or 'nobody'}; bump: {found.bump.name}",
        f"  before: {_marked(found.before)}",
        f"  after:  {_marked(found.after)}",
        f"  worked: {found.worked}",
        f"  fails:  {found.fails}",
        f"  fingerprint: {found.fingerprint}",
    ]
    return "\n".join(lines)


def _marked(shown) -> str:
    text = shown.text
    for start, end in reversed(shown.marks):
        text = f"{text[:start]}<{text[start:end]}>{text[end:]}"
    return text or "-"


def test_snapshot_of_all_rules_over_all_changes():
    """The findings equal the snapshot. UPDATE_SNAPSHOT=1 rewrites it: read the diff before committing."""
    parts = []
    for _, change in CHANGES:
        parts.append(f"== {change.label}\n")
        parts += [f"{shown(found)}\n" for found in findings(change.before, change.after)]
    text = "".join(parts)
    if os.environ.get("UPDATE_SNAPSHOT"):
        SNAPSHOT.write_text(text, encoding="utf-8")
    assert text == SNAPSHOT.read_text(encoding="utf-8")
