"""Two faults in one file are both reported, or the report says what was not compared because of the other."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from random import Random

import pytest
from fault_edits import BASE, EDITS
from front import PARTS, checked, checked_report, pytorch_yaml, shared
from opgen.commands import run

# Pairs where the second fault is none any more.
GONE = {
    ("f no delegate", "f delegated kernel"): "a function that doesn't delegate has kernels",
    ("f no delegate", "f guard"): "and a device guard of its own",
    ("formula operator", "f no delegate"): "an implicit composite without formulas",
    ("formula operator", "f_ no delegate"): "an implicit composite without formulas",
    ("formula renamed", "f no delegate"): "an implicit composite without backward formulas",
    ("formula renamed", "f_ no delegate"): "an implicit composite without backward formulas",
    ("f delegated kernel", "f no delegate"): "not composite only",
    ("f_ no delegate", "f_ arguments"): "a form that doesn't delegate",
}
# In an entry of the derivatives: what the first fault leaves open.
OPEN = {
    ("formula operator", "formula name"): "whose names there are",
    ("formula operator", "formula argument"): "whose arguments there are",
    ("formula operator", "formula renamed"): "whose arguments there are",
    ("formula operator", "formula result"): "whose results there are",
    ("formula argument", "formula result"): "which tangents there are",
    ("formula renamed", "formula result"): "which tangents there are",
    ("formula flags", "formula index"): "which results have gradients",
}


def edited(*names: str) -> str | None:
    """Returns the base with these edits; None where one leaves nothing for the other."""
    text = BASE
    for before, after in (EDITS[name] for name in names):
        if before not in text:
            return None
        text = text.replace(before, after, 1)
    return text


@cache
def found(text: str) -> tuple[Counter[tuple[str, str]], set[str]]:
    """Returns the faults, as codes and operations, and the operations that were not compared with others."""
    report = checked_report(text)[1]
    main, _, second = text.partition(PARTS["DERIVATIVES"])
    lines = {"FILE": main.split("\n"), "DERIVATIVES": second.split("\n")}
    faults = [(d.code, operation(lines[d.span.path][: d.span.line])) for d in report.sorted()]
    return Counter(faults), set(report.unclear)


def operation(lines: list[str]) -> str:
    """Returns the name, without `_` and overload, in the entry that the last of these lines is in."""
    names = [
        m[1] for m in (re.match(r"- (?:func|name): (?:\w+::)?(\w+?)_?[.(]", line) for line in lines) if m
    ]
    return names[-1] if names else ""


def test_the_base_is_sound():
    assert checked(BASE)[1] == []


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_one_fault(name):
    faults = found(edited(name))[0]
    assert len({where for _, where in faults}) == 1 and 1 <= faults.total() <= 2


@pytest.mark.parametrize("first", EDITS)
def test_neither_of_two_faults_hides_the_other(first):
    for second in EDITS:
        text = edited(first, second)
        if first == second or text is None or text != edited(second, first):
            continue
        faults, unclear = found(text)
        hidden = (found(edited(first))[0] + found(edited(second))[0]) - faults
        explained = {*GONE, *OPEN}.intersection([(first, second), (second, first)])
        for code, where in () if explained else hidden:
            assert unclear & {where, where.removesuffix("_copy")}, (second, code)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f delegated kernel", "f_ no delegate"),
        ("f tag", "f no delegate"),
        ("f tag", "f wrong delegate"),
        ("f unknown field", "f_ arguments"),
        ("f.out default", "f_ no delegate"),
        ("f.out method", "f.out composite"),
        ("f_ return", "f no delegate"),
        ("f_ keyword", "f.out composite"),
        ("f_ arguments", "formula name"),
        ("f.out unread", "formula result"),
        ("v_ unknown tag", "v_copy arguments"),
        ("v_copy no tag", "v_copy arguments"),
        ("formula index", "formula ways"),
        ("formula argument", "formula name"),
        ("formula flags", "formula ways"),
    ],
)
def test_rules_that_need_nothing_of_each_other(first, second):
    expected = found(edited(first))[0] + found(edited(second))[0]
    assert not expected - found(edited(first, second))[0]


def test_every_exception_is_needed():
    for first, second in (*GONE, *OPEN):
        text = edited(first, second)
        assert text is not None
        assert (found(edited(first))[0] + found(edited(second))[0]) - found(text)[0], (first, second)


def test_the_summary_says_what_was_not_compared(tmp_path, capsys):
    text = edited("f.out unread", "f_ no delegate")
    (tmp_path / "native_functions.yaml").write_text(text.partition(PARTS["DERIVATIVES"])[0])
    run(["validate", str(tmp_path)])
    assert "because of errors not compared with other forms or formulas: 'f'" in capsys.readouterr().out
    run(["validate", str(tmp_path), "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["not_compared"] == ["f"]


PAIRS, PARTS_OF_PAIRS = 208, 16


@pytest.mark.parametrize("part", range(PARTS_OF_PAIRS))
def test_pairs_of_mutants(part):
    """Two mutants of PyTorch's file, among the forms of their operators: both are found."""
    manifest = json.loads(shared("data", "mutants", "manifest.json").read_text())
    lines = pytorch_yaml().read_text().split("\n")
    random = Random(part)
    mutants = [m for m in manifest["mutants"] if m["severity"] == "error"]
    for _ in range(PAIRS // PARTS_OF_PAIRS):
        one, two = sorted(random.sample(mutants, 2), key=lambda m: m["edit"]["start"])
        if one["edit"]["end"] > two["edit"]["start"]:
            continue
        roots = {root(one["entry"]), root(two["entry"])}
        singles, unclear = (
            found(family(lines, roots, [one]))[0] + found(family(lines, roots, [two]))[0],
            set(),
        )
        both, unclear = found(family(lines, roots, [one, two]))
        usual = found(family(lines, roots, []))[0]
        hidden = {where for _, where in singles - usual - usual - both}
        assert hidden <= unclear, (one["id"], two["id"])


def root(name: str) -> str:
    return name.partition(".")[0].rstrip("_")


def family(lines: list[str], roots: set[str], mutants: list[dict]) -> str:
    """Returns the entries of PyTorch's file with these names, mutants among them."""
    changed = list(lines)
    for mutant in sorted(mutants, key=lambda m: -m["edit"]["start"]):
        edit = mutant["edit"]
        changed[edit["start"] - 1 : edit["end"] - 1] = [f"{line}\0" for line in edit["lines"]] or ["\0"]
    entries = re.split(r"^(?=- )", "\n".join(changed), flags=re.MULTILINE)
    named = re.compile(rf"- func: (?:{'|'.join(map(re.escape, roots))})_?[.(]")
    return "".join(e.replace("\0", "") for e in entries if "\0" in e or named.match(e))
