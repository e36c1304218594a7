"""Conflict markers that git left: one error for each conflict, and our side is read."""

from __future__ import annotations

import pytest
from front import checked

OURS = "- func: f(Tensor self) -> Tensor\n"
THEIRS = "- func: f(Tensor self, int k) -> Tensor\n"
G = "- func: g(Tensor self) -> Tensor\n"
TWO = f"<<<<<<< HEAD\n{OURS}=======\n{THEIRS}>>>>>>> branch\n"
THREE = f"<<<<<<< ours\n{OURS}||||||| base\n- func: f() -> ()\n=======\n{THEIRS}>>>>>>> theirs\n"
FIELD = f"{OURS}<<<<<<< HEAD\n  variants: function\n=======\n  variants: method\n>>>>>>> branch\n"


@pytest.mark.parametrize("conflict", [TWO, THREE, FIELD], ids=["two sides", "three sides", "in an entry"])
@pytest.mark.parametrize(
    "around", ["{0}", f"{G}{{0}}", f"{{0}}{G}", f"# c\n{G}\n{{0}}\n{G.replace('g', 'h')}"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_conflict_is_one_error(conflict, around, end):
    text = around.format(conflict)
    program, found = checked(text.replace("\n", end))
    line = text.splitlines().index(next(t for t in text.splitlines() if t.startswith("<")))
    assert [(d.code, d.span.line, d.span.column) for d in found] == [("OPG012", line + 1, 1)]
    assert len(found[0].related) == (3 if conflict is THREE else 2)
    schema = next(str(f.schema) for f in program.functions if str(f.name) == "f")
    assert schema == "f(Tensor self) -> Tensor"


def test_each_conflict_is_told_and_other_faults_too():
    text = TWO + G.replace("Tensor self", "Tensr self") + TWO.replace("f(", "h(")
    assert [(d.code, d.span.line) for d in checked(text)[1]] == [
        *(("OPG012", 1), ("OPG108", 6), ("OPG012", 7)),
    ]


@pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "=======", ">>>>>>> branch", "||||||| base"])
def test_a_marker_that_was_left_over(marker):
    program, found = checked(f"{OURS}{marker}\n{G}")
    assert [(d.code, d.span.line) for d in found] == [("OPG012", 2)]
    assert [str(f.name) for f in program.functions] == ["f", "g"]


def test_what_looks_like_a_marker_is_none():
    text = f"# =======\n{OURS}  python_module: nn # <<<<<<< HEAD\n  # >>>>>>> x\n"
    assert not checked(text)[1]
    assert "OPG012" not in {d.code for d in checked(text + "======\n'")[1]}
