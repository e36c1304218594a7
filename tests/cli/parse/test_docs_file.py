"""Docs files: the functions that a sentence is for, where it is shown, and the reported faults."""

from __future__ import annotations

import json
import re

import pytest
from docs_program import DOCS, FUNCTIONS, docstring, faults, said, stub_docstrings
from front import ROOT, checked
from opgen import pipeline
from opgen.commands import run
from opgen.diagnostics import Report
from opgen.model import Program
from opgen.select import selection
from opgen.template_views import python_docs
from opgen.template_views.python_model import bindings


def test_a_sentence_is_about_all_forms_of_an_operator():
    program, found = said(DOCS)
    assert found == []
    assert sorted(program.docs.of) == ["acme::turn", "scale", "scale.out", "scale_"]
    assert {program.docs.of[name].formula for name in ("scale", "scale.out", "scale_")} == {"factor * x"}


def test_docstrings_have_the_sentence_after_the_calls_and_then_the_formula():
    program, _ = said(DOCS)
    lines = docstring(program, "scale").splitlines()
    assert lines[:5] == [
        "scale(input, factor, *, out=None) -> Tensor",
        "",
        "Each element times factor.",
        "    factor * x",
        "",
    ]
    assert lines[5].startswith("Operators: ")


@pytest.mark.parametrize(("method", "tensor"), [(False, "input"), (True, "self")])
def test_docstrings_of_in_place_forms_say_what_is_written_to(method, tensor):
    program, _ = said(DOCS)
    assert f"In place: '{tensor}' is written to and returned." in docstring(program, "scale_", method)
    assert "In place" not in docstring(program, "scale", method)


def test_stubs_have_the_sentence_and_the_formula_in_the_first_overload():
    said = "Each element times factor.\n\nfactor * x"
    assert sorted(stub_docstrings(DOCS), key=str) == [
        ("scale", said),  # the function
        ("scale", said),  # the first overload of the method
        ("scale", None),
        ("scale_", f"{said}\n\nIn place: 'input' is written to and returned."),
        ("scale_", f"{said}\n\nIn place: 'self' is written to and returned."),
    ]


@pytest.mark.parametrize(
    "text", ['"""', 'ends with "', "ends with \\", r"\N{x} \d \" \x", "x² ≤ 1", "x\u202e\x85\0y"]
)
def test_no_text_ends_the_docstring_of_a_stub(text):
    found = dict(stub_docstrings(f"- scale: {json.dumps(text)}\n"))
    assert found["scale_"] is not None and found["scale_"].startswith(text)


def test_without_a_docs_file_nothing_is_said_and_nothing_asked_for():
    program, found = checked(FUNCTIONS)
    assert (program.docs, found) == (None, [])
    (scale,) = (b for b in bindings(program) if b.name == "scale" and not b.is_method)
    assert python_docs.docstring(scale, {}).splitlines()[1:3] == [
        "",
        "Operators: aten::scale and aten::scale.out.",
    ]


def test_operators_that_nobody_describes_are_named_at_their_declaration_once():
    _, found = said("- acme::turn: The tensor turned around.\n")
    (missing,) = found
    assert (missing.code, missing.severity.name, missing.span.line) == ("OPG862", "warning", 1)
    assert missing.message == "'scale' has no entry in DOCS"
    assert missing.help == "add '- scale: What it does.'"


@pytest.mark.parametrize(
    ("entry", "code", "column", "message"),
    [
        (
            "- scale\n",
            "OPG270",
            3,
            "expected an operator's name and a sentence, but this is the text 'scale'",
        ),
        ("- {}\n", "OPG270", 3, "expected an operator's name and a sentence, but this is an empty mapping"),
        ("- scale: [Twice.]\n", "OPG271", 10, "'scale' must be a text of one line, but it is a list"),
        ("- scale: ''\n", "OPG271", 3, "'scale' must be a text of one line, but it is empty"),
        (
            "- scale: |\n    Twice.\n    Thrice.\n",
            "OPG271",
            10,
            "'scale' must be a text of one line, but it is a text of several lines",
        ),
        ("- scal: Twice.\n", "OPG860", 3, "there is no operator 'scal'"),
        ("- formula: Twice.\n", "OPG860", 3, "there is no operator 'formula'"),
    ],
)
def test_slips_in_an_entry(entry, code, column, message):
    assert (code, "DOCS", 4, column, message) in faults(DOCS + entry)


@pytest.mark.parametrize(
    ("entry", "code"), [("scale", "OPG270"), ("scale:", "OPG271"), ("scale: []", "OPG271")]
)
def test_an_operator_whose_entry_cannot_be_read_is_not_missed(entry, code):
    _, found = said(f"- acme::turn: The tensor turned around.\n- {entry}\n")
    assert [f.code for f in found] == [code]


def test_slips_beside_the_sentence():
    _, found = said(DOCS.replace("formula: factor", "formla: factor"))
    assert [(f.code, f.message, f.help) for f in found] == [
        ("OPG270", "there is no field 'formla' beside the sentence about 'scale'", "did you mean 'formula'?")
    ]
    assert [f[0::4] for f in faults(DOCS.replace("formula: factor * x", "formula:"))] == [
        ("OPG271", "'formula' must be a text of one line, but it is empty")
    ]


@pytest.mark.parametrize(
    ("entry", "code", "help"),
    [
        ("func: scale\n  doc: Twice each.", "OPG270", "write '- scale: Twice each.'"),
        ("func: scale(Tensor self) -> Tensor\n  text: [Twice]", "OPG270", "write '- scale: What it does.'"),
        ("func: Twice each.\n  formla: 2 * x", "OPG270", "did you mean 'formula'?"),
        ("func: Twice each.", "OPG860", None),
    ],
)
def test_an_entry_like_those_of_the_functions_file(entry, code, help):
    _, found = said(f"- acme::turn: The tensor turned around.\n- {entry}\n")
    assert (code, help) in [(f.code, f.help) for f in found]
    assert ({f.code for f in found} == {"OPG270"}) == ("scale" in entry)


@pytest.mark.parametrize("form", ["scale_", "scale.out"])
def test_a_form_is_no_operators_name(form):
    _, (fault,) = said(f"{DOCS}- {form}: Each element times factor.\n")
    assert (fault.code, fault.help) == ("OPG860", "name it 'scale'")


def test_a_second_entry_names_the_first():
    program, (fault,) = said(f"{DOCS}- scale: Something else.\n")
    assert (fault.code, fault.span.line, fault.related[0].span.line) == ("OPG861", 4, 1)
    assert program.docs.of["scale"].sentence == "Each element times factor."


def test_an_operator_whose_declaration_cannot_be_read_is_not_missed():
    _, found = checked(f"- func: scale(Tensor self, float) -> Tensor\n# docs.yaml\n{DOCS}")
    assert "OPG860" not in {f.code for f in found if "'scale'" in f.message}


def test_a_named_file_is_read_in_the_place_of_the_one_beside(tmp_path, capsys):
    (tmp_path / "native_functions.yaml").write_text(FUNCTIONS)
    (tmp_path / "docs.yaml").write_text("- scal: Each element times factor.\n")
    (tmp_path / "mine.yaml").write_text(DOCS)
    assert run(["validate", str(tmp_path)]) == 1
    assert "there is no operator 'scal'" in capsys.readouterr().out
    assert run(["validate", str(tmp_path), "--docs", str(tmp_path / "mine.yaml")]) == 0


def test_explain_shows_the_sentence_and_the_formula(tmp_path, capsys):
    (tmp_path / "native_functions.yaml").write_text(FUNCTIONS)
    (tmp_path / "docs.yaml").write_text(DOCS)
    assert run(["explain", "scale.out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[1:3] == ["  Each element times factor.", "      factor * x"]


@pytest.fixture(scope="module")
def shipped() -> tuple[Program, Report]:
    return pipeline.load(ROOT / "schemas")


def test_shipped_sentences_are_about_operators_that_are_declared_as_they_are_shipped(tmp_path, shipped):
    file = tmp_path / "native_functions.yaml"
    file.write_text(
        "- func: relu(Tensor self) -> Tensor\n  dispatch:\n    CPU: k\n"
        "- func: selu(Tensor self, float more) -> Tensor\n  dispatch:\n    CPU: k\n"
    )
    merged = selection.merged(pipeline.load(file)[0], shipped[0])
    assert merged.docs.of["relu"] == shipped[0].docs.of["relu"]
    assert "selu" not in merged.docs.of


def test_the_shipped_file_has_a_sentence_for_every_public_function(shipped):
    program, report = shipped
    assert [d for d in report.sorted() if d.span.path.endswith("docs.yaml") or d.code == "OPG862"] == []
    public = [b for b in bindings(program) if not b.name.startswith("_")]
    assert len(public) > 400
    for binding in public:
        text = python_docs.docstring(binding, program.checks.of, program.said)
        assert f"\n\n{program.docs.of[binding.overloads[0].function.qualified_name].sentence}\n" in text


def test_the_shipped_sentences_are_short_and_end_with_a_period(shipped):
    for entry in shipped[0].docs.entries:
        assert re.fullmatch(r"[A-Z0-9-].*[^.]\.", entry.sentence), entry
        assert ". " not in entry.sentence, entry
        assert len(entry.sentence) <= 140, entry
        assert len(entry.formula or "") <= 130, entry


def test_the_shipped_details_are_complete_and_short(shipped):
    detailed = [entry for entry in shipped[0].docs.entries if entry.has_details]
    assert len(detailed) >= 60
    for entry in detailed:
        assert entry.arguments and entry.returns and entry.example, entry.name
        assert all(len(line) <= 110 for line in entry.example.lines), entry.name
        for text in (*(about.text for about in entry.arguments + entry.errors), *entry.returns.texts):
            assert re.fullmatch(r".*[^.\s]", text) and len(text) <= 200, (entry.name, text)


def test_the_shipped_file_is_in_the_order_of_the_declarations(shipped):
    program = shipped[0]
    order = {f.qualified_root_name: i for i, f in reversed([*enumerate(program.functions)])}
    places = [order[entry.name] for entry in program.docs.entries]
    assert places == sorted(places)


def test_names_in_formulas_are_arguments_of_the_operators(shipped):
    """Names with an underscore, which no mathematical function has, must be arguments."""
    program = shipped[0]
    for entry in program.docs.entries:
        forms = [f for f in program.functions if f.qualified_root_name == entry.name]
        arguments = {a.name for f in forms for a in f.schema.arguments.all}
        named = set(re.findall(r"(?<![\w'.])([a-z]{2,}_[a-z_]+)(?![\w(])", entry.formula or ""))
        assert named <= arguments, entry
