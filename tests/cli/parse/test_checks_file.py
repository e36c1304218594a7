"""Checks files: the resulting conditions, their operators, and the reported faults."""

from __future__ import annotations

import pytest
from front import ROOT, checked
from opgen import pipeline
from opgen.api import dispatcher
from opgen.commands import run
from opgen.select import selection
from opgen.template_views import python_docs, register
from opgen.template_views.kernels import registrations
from opgen.template_views.python_model import bindings

FUNCTIONS = """\
- func: pool(Tensor self, int[2] kernel_size, int[2] stride=[], int? n=None) -> Tensor
  dispatch:
    CPU: pool
- func: pool.out(Tensor self, int[2] kernel_size, int[2] stride=[], int? n=None, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: pool_out
- func: pick(Tensor self, int dim, Tensor index) -> Tensor
  dispatch:
    CPU: pick
"""  # noqa: E501


NUMBER = "a whole number of at most 18 digits"


def asked(conditions: str, ops: str = "pool") -> tuple:
    return checked(f"{FUNCTIONS}# checks.yaml\n- ops: [{ops}]\n  checks:\n{conditions}")


def of(program, name: str) -> list[str]:
    return [str(c) for c in program.checks.of.get(name, ())]


@pytest.mark.parametrize(
    "condition",
    [
        "kernel_size > 0",
        "n != -1",
        "len(stride) in 0, 1, 2",
        "len(kernel_size) >= 1",
        "dim(self) in 3, 4",
        "dtype(self) in Float, Double",
        "device(self) may be cpu",
        "self may be undefined",
        "n may be any",
        "n in size(self, 0)",
        "n in wrapped size(self, -1)",
    ],
)
def test_a_condition_is_printed_as_it_was_written(condition):
    program, found = asked(f"  - {condition}\n")
    assert found == []
    assert of(program, "pool") == of(program, "pool.out") == [condition]


def test_spaces_mean_nothing():
    program, found = asked("  - dim( self )   in 3,4\n")
    assert (of(program, "pool"), found) == (["dim(self) in 3, 4"], [])


def test_dims_follow_from_the_schema_unless_something_is_said_of_them():
    program, _ = asked("  - values(index) in size(self, dim)\n", "pick")
    assert of(program, "pick") == ["values(index) in size(self, dim)", "dim in dims(self)"]
    program, _ = asked("  - dim in dims(self) + 1\n", "pick")
    assert of(program, "pick") == ["dim in dims(self) + 1"]
    program, _ = asked("  - dim may be any\n", "pick")
    assert of(program, "pick") == ["dim may be any"]


@pytest.mark.parametrize(
    ("condition", "column", "message"),
    [
        ("kernel_size >", 18, f"expected {NUMBER}, but got the end"),
        ("kernel_size > 1.5", 20, "expected the end, but got '.'"),
        ("n > 9999999999999999999", 9, f"expected {NUMBER}, but got '{'9' * 19}'"),
        ("len(stride in 0", 16, "expected ')', but got 'in'"),
        ("dim(self) in 3,", 20, f"expected {NUMBER}, but got the end"),
        ("dtype(self) in int64", 20, "expected a dtype, such as Long, but got 'int64'"),
        ("dtype(self) > 3", 17, "expected 'in' with dtypes, but got '>'"),
        ("device(self) is cpu", 18, "expected 'may be' with cpu or any, but got 'is'"),
        ("device(self) may be cuda", 25, "expected cpu or any, but got 'cuda'"),
        ("self may be cpu", 17, "expected undefined or any, but got 'cpu'"),
        ("n in dims(self, 0)", 19, "expected ')', but got ','"),
        ("values(self) in dims(self)", 21, "expected product or size, but got 'dims'"),
        ("n in product(stride)", 10, "expected dims or size, but got 'product'"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(condition, column, message):
    _, (fault,) = asked(f"  - {condition}\n")
    assert (fault.code, fault.span.line, fault.message) == ("OPG261", 3, message)
    assert fault.span.column == column
    assert fault.span.end_column > column


def test_a_fault_of_one_character_is_marked_alone():
    _, (fault,) = asked("  - n in dims(self, 0)\n")
    assert (fault.span.column, fault.span.end_column) == (19, 20)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("kernel > 0", "'pool' has no argument 'kernel'"),
        ("self > 0", "'self > 0' of 'pool': 'self' is no number, but Tensor"),
        ("self may be any", "'self may be any' of 'pool': 'self' is no number, but Tensor"),
        ("n may be undefined", "'n may be undefined' of 'pool': 'n' is no tensor, but int?"),
        ("len(n) == 1", "'len(n) == 1' of 'pool': 'n' is no list, but int?"),
        ("dim(n) == 1", "'dim(n) == 1' of 'pool': 'n' is no tensor, but int?"),
        ("n in dims(stride)", "'n in dims(stride)' of 'pool': 'stride' is no tensor, but int[2]"),
        ("n in size(self, stride)", "'n in size(self, stride)' of 'pool': 'stride' is no int, but int[2]"),
        (
            "values(self) in product(n)",
            "'values(self) in product(n)' of 'pool': 'n' is no list of ints, but int?",
        ),
    ],
)
def test_conditions_that_fit_no_argument(condition, message):
    _, (fault,) = asked(f"  - {condition}\n")
    assert fault.message == message


def test_a_kernel_takes_an_undefined_tensor_where_the_file_permits_it():
    program, found = asked("  - index may be undefined\n", "pick")
    (row,) = registrations(program, program.by_name["pick"])
    assert ([str(a.name) for a in register.kernel_view(row).defined], found) == (["self"], [])


def test_an_operator_that_calls_another_has_the_conditions_that_fit_and_no_guards():
    calls = "- func: pools(Tensor self, int[2] kernel_size, str n) -> Tensor\n"
    text = "- ops: [pool]\n  checks: [kernel_size > 0, stride > 0, n > 0]\n- ops: [pools]\n  by: pool\n"
    program, found = checked(f"{FUNCTIONS}{calls}# checks.yaml\n{text}")
    assert (of(program, "pools"), found) == (["kernel_size > 0"], [])
    (row,) = registrations(program, program.by_name["pools"])
    assert register.kernel_view(row).conditions == ()


def test_operators_that_name_each_other_have_what_both_say():
    text = "- ops: [pool]\n  by: pick\n  checks: [n > 0]\n- ops: [pick]\n  by: pool\n"
    program, found = checked(f"{FUNCTIONS}# checks.yaml\n{text}")
    assert (of(program, "pool"), found) == (["n > 0"], [])


def test_all_slips_of_a_file_are_told_at_once():
    text = "- ops: [pol]\n  checks: [n > 0]\n- ops: []\n  checks: [n > 0, n]\n- check\n"
    text += "- ops: [pool]\n  chcks: [n > 0]\n"
    _, found = checked(f"{FUNCTIONS}# checks.yaml\n{text}")
    assert [f.code for f in found] == ["OPG850", "OPG260", "OPG261", "OPG260", "OPG260", "OPG260"]
    assert found[0].help == "did you mean 'pool'?"


def test_guards_stand_before_every_kernel_and_docstrings_say_so():
    program, _ = asked("  - kernel_size > 0\n  - dim(self) in 3, 4\n")
    for name in ("pool", "pool.out"):
        rows = registrations(program, program.by_name[name])
        views = [register.kernel_view(row) for row in rows]
        assert views
        assert all(
            [c.text for c in v.conditions] == ['"kernel_size > 0"', '"dim(self) in 3, 4"'] for v in views
        )
    texts = [python_docs.docstring(b, program.checks.of) for b in bindings(program) if b.name == "pool"]
    assert any("RuntimeError: unless kernel_size > 0; dim(input) in 3, 4." in text for text in texts)


def test_shipped_checks_hold_for_operators_that_are_declared_as_they_are_shipped(tmp_path):
    """Operators with a shipped schema have the shipped checks, as their kernels are the shipped ones."""
    shipped, _ = pipeline.load(ROOT / "schemas")
    same, other = shipped.by_name["im2col"], shipped.by_name["col2im"]
    changed = str(other.schema).replace("int[2] stride", "int[2] stride, int more=0")
    file = tmp_path / "native_functions.yaml"
    file.write_text("".join(f"- func: {s}\n  dispatch:\n    CPU: k\n" for s in (same.schema, changed)))
    merged = selection.merged(pipeline.load(file)[0], shipped)
    assert of(merged, "im2col") == of(shipped, "im2col") != []
    assert of(merged, "col2im") == []


def test_a_named_file_is_read_in_the_place_of_the_one_beside(tmp_path, capsys):
    (tmp_path / "native_functions.yaml").write_text(FUNCTIONS)
    (tmp_path / "checks.yaml").write_text("- ops: [pool]\n  checks: [m > 0]\n")
    (tmp_path / "mine.yaml").write_text("- ops: [pool]\n  checks: [n > 0]\n")
    assert run(["validate", str(tmp_path)]) == 1
    assert "'pool' has no argument 'm'" in capsys.readouterr().out
    assert run(["validate", str(tmp_path), "--checks", str(tmp_path / "mine.yaml")]) == 0


def test_the_shipped_files_checks_say_something_of_every_window():
    """Every operator with window arguments has a check of its stride."""
    program, _ = pipeline.load(ROOT / "schemas")
    for function in program.functions:
        names = {p.name for p in dispatcher.signature(function).params}
        if "stride" in names and names & {"kernel_size", "dilation"} and "str padding" not in str(function):
            assert {"stride > 0"} <= set(of(program, function.qualified_name)), function.qualified_name
