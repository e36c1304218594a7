"""Schemas that only torch.library takes: validate says what to write, breaking compares them."""

from __future__ import annotations

import pytest
from front import checked
from opgen.commands import run
from opgen.parse.schema_text import parse

# An annotation as torch.library takes it, and as the format has it.
SETS = [
    ("(a0!)", "(a!)"),
    ("(A!)", "(a!)"),
    ("(cache!)", "(c!)"),
    ("(k_new!)", "(k!)"),
    ("( a! )", "(a!)"),
    ("(a !)", "(a!)"),
    ("(a!->b)", "(a! -> b)"),
    ("(x1! -> *)", "(x! -> *)"),
    ("(x1 -> x1|y1)", "(x -> x|y)"),
    ("(_1!)", "(a!)"),
]


@pytest.mark.parametrize(("written", "meant"), SETS)
def test_an_alias_set_is_translated(written, meant):
    parsed = parse(f"f(Tensor{written} self, int k) -> ()")
    (fault,) = parsed.faults
    assert (fault.rule.code, fault.start, fault.end) == ("OPG115", 8, 8 + len(written))
    assert fault.help == f"write {meant}"
    assert parsed.schema == parse(f"f(Tensor{meant} self, int k) -> ()").schema


def test_each_set_has_a_letter_of_its_own():
    text = "f(Tensor(a0!) x, Tensor(a1!) y, Tensor(a!) z, Tensor(b1) u) -> (Tensor(b1), Tensor(a0!))"
    parsed = parse(text)
    assert str(parsed.schema) == (
        "f(Tensor(b!) x, Tensor(c!) y, Tensor(a!) z, Tensor(d) u) -> (Tensor(d), Tensor(b!))"
    )
    assert len(parsed.faults) == 5


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("f(Tensor[](a!) x) -> ()", "f(Tensor(a!)[] x) -> ()"),
        ("f(Tensor?(a!) x) -> ()", "f(Tensor(a!)? x) -> ()"),
        ("f(Tensor(a!)[](b) x) -> ()", "f(Tensor(a!)[] x) -> ()"),
        ("f(Tensor (a!) x) -> ()", "f(Tensor(a!) x) -> ()"),
        ("f(int(a!) n) -> ()", "f(int n) -> ()"),
        ("f( Tensor x ) -> (Tensor)", "f(Tensor x) -> Tensor"),
        ("f(Tensor x,int k = 1)->Tensor", "f(Tensor x, int k=1) -> Tensor"),
    ],
)
def test_other_forms_are_clear(written, meant):
    parsed = parse(written)
    assert parsed.faults and str(parsed.schema) == meant


@pytest.mark.parametrize("sets", ["(a|b!)", "(*)", "(a|*)"])
def test_sets_that_have_no_letter(sets):
    parsed = parse(f"f(Tensor{sets} x) -> ()")
    assert [f.rule.code for f in parsed.faults] == ["OPG115"] and parsed.faults[0].help
    assert parsed.schema is not None
    assert [d.code for d in checked(f"- func: f(Tensor{sets} x) -> ()\n")[1]] == ["OPG115"]


def test_a_long_schema_with_a_fault_in_each_argument_is_clear():
    arguments = ",".join(f"Tensor(set{i}!)? t{i} = None" for i in range(20))
    assert parse(f"f({arguments}) -> ()").schema is not None


@pytest.mark.parametrize(
    ("old", "new", "exit_code"),
    [
        ("f(Tensor(a0!) x) -> ()", "f(Tensor(a!) x) -> ()", 0),
        ("f(Tensor(a0!) x, Tensor(a1!) y) -> ()", "f(Tensor(b!) x, Tensor(a!) y) -> ()", 0),
        ("f(Tensor(a0!) x) -> ()", "f(Tensor x) -> ()", 1),
        ("f(Tensor(a0!) x) -> ()", "f(Tensor(a0!) x, int n) -> ()", 1),
        ("f(Tensor[](a!) x) -> ()", "f(Tensor(a!)[] x) -> ()", 0),
    ],
)
def test_breaking_compares_them(old, new, exit_code, tmp_path, capsys):
    first, second = tmp_path / "old.yaml", tmp_path / "new.yaml"
    first.write_text(f"- func: {old}\n")
    second.write_text(f"- func: {new}\n")
    assert run(["breaking", str(second), "--against", str(first), "--strict"]) == exit_code
    assert "OPB00" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "tags", ["core, pointwise", "core,pointwise", "core pointwise", "'[core, pointwise]'"]
)
def test_tags_without_a_list(tags):
    program, found = checked(f"- func: f(Tensor self) -> Tensor\n  tags: {tags}\n")
    assert [(d.code, d.help) for d in found] == [("OPG204", "write [core, pointwise]")]
    assert [edit.text for edit in found[0].fix] == ["[core, pointwise]"]
    assert program.functions[0].tags >= {"core", "pointwise"}


def test_a_tag_that_there_is_not_among_them():
    found = checked("- func: f(Tensor self) -> Tensor\n  tags: core, pointwize\n")[1]
    assert [(d.code, d.help) for d in found] == [
        ("OPG204", "write [core, pointwize]"),
        ("OPG801", "did you mean 'pointwise'?"),
    ]
