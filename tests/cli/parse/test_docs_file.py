"""Docs files: the functions that a sentence is for, where it is shown, and the reported faults."""

from __future__ import annotations

import ast
import json
import re

import pytest
from front import ROOT, checked
from opgen import pipeline
from opgen.commands import run
from opgen.diagnostics import Report
from opgen.model import Program
from opgen.render import library
from opgen.select import selection
from opgen.template_views import python_docs
from opgen.template_views.atoms import comment_line
from opgen.template_views.library import LibraryOptions, build_library
from opgen.template_views.python_model import bindings

FUNCTIONS = """\
- func: scale(Tensor self, float factor) -> Tensor
  variants: function, method
  dispatch:
    CPU: scale
- func: scale_(Tensor(a!) self, float factor) -> Tensor(a!)
  variants: function, method
  dispatch:
    CPU: scale_
- func: scale.out(Tensor self, float factor, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: scale_out
- func: acme::turn(Tensor self) -> Tensor
  dispatch:
    CPU: turn
- func: _helper(Tensor self) -> Tensor
  dispatch:
    CPU: helper
"""
DOCS = """\
- scale: Each element times factor.
  formula: factor * x
- acme::turn: The tensor turned around.
"""


def said(docs: str) -> tuple:
    return checked(f"{FUNCTIONS}# docs.yaml\n{docs}")


def faults(docs: str) -> list[tuple]:
    return [(f.code, f.span.path, f.span.line, f.span.column, f.message) for f in said(docs)[1]]


def docstring(program, name: str, method: bool = False) -> str:
    (found,) = (b for b in bindings(program) if b.name == name and b.is_method == method)
    return python_docs.docstring(found, {}, program.docs.of)


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


def stub_docstrings(docs: str) -> list[tuple[str, str | None]]:
    """Returns (name, docstring) of every `def` of scale and its overload in the stubs, in order."""
    overload = "- func: scale.Scalar(Tensor self, Scalar other) -> Tensor\n  variants: method\n"
    program, _ = checked(f"{FUNCTIONS}{overload}# docs.yaml\n{docs}")
    files = library.files(build_library(program, [], LibraryOptions("x")), ROOT / "templates")
    (stubs,) = (f.content.decode() for f in files if f.path == "python/x/__init__.pyi")
    found = [node for node in ast.walk(ast.parse(stubs)) if isinstance(node, ast.FunctionDef)]
    return [(f.name, ast.get_docstring(f)) for f in found if f.name.startswith("scale")]


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


# ---- texts about arguments, results and errors, and examples

DETAILS = """\
- scale: Each element times factor.
  formula: factor * x
  args:
    input: (...), real
    factor: a number
  returns: (...), the products
  raises:
    ValueError: factor is 0
    TypeError: factor is a text
  example: |
    >>> aten.scale(aten.ones(2), 3)
    tensor([3., 3.])

    >>> 1 + 1
    2
- acme::turn: The tensor turned around.
"""


def test_docstrings_have_what_is_said_in_their_sections():
    program, found = said(DETAILS)
    assert found == []
    sections = docstring(program, "scale").partition("\n\nArgs:\n")[2]
    assert sections == (
        "    input (Tensor): (...), real.\n"
        "    factor (float): a number.\n"
        "    out (Tensor, optional, default None):"
        " written to instead of a new result; resized if its shape differs.\n"
        "\nReturns:\n"
        "    (...), the products.\n"
        "\nRaises:\n"
        "    TypeError: the arguments fit none of the signatures above; if factor is a text.\n"
        "    ValueError: if factor is 0.\n"
        "\nExample:\n"
        "    >>> aten.scale(aten.ones(2), 3)\n    tensor([3., 3.])\n\n    >>> 1 + 1\n    2"
    )
    assert "input (" not in docstring(program, "scale", method=True)


def test_stubs_and_explain_have_the_sections(tmp_path, capsys):
    texts = dict(stub_docstrings(DETAILS))
    sections = (
        "\n\nArgs:\n    factor: a number.\n\nReturns:\n    (...), the products.\n\nRaises:\n"
        "    ValueError: if factor is 0.\n    TypeError: if factor is a text.\n\nExample:\n"
        "    >>> aten.scale(aten.ones(2), 3)\n    tensor([3., 3.])\n\n    >>> 1 + 1\n    2"
    )
    assert texts["scale_"].endswith(f"In place: 'self' is written to and returned.{sections}")
    (tmp_path / "native_functions.yaml").write_text(FUNCTIONS)
    (tmp_path / "docs.yaml").write_text(DETAILS)
    assert run(["explain", "scale", str(tmp_path)]) == 0
    told = sections.replace("Args:\n", "Args:\n    input: (...), real.\n")
    indented = "\n".join(f"  {line}".rstrip() for line in told.splitlines())
    assert f"{indented}\n\n  declared" in capsys.readouterr().out


def test_headers_have_the_texts_of_use_in_cpp():
    program, _ = said(DETAILS.replace("a number", "a number \\"))
    files = library.files(build_library(program, [], LibraryOptions("x")), ROOT / "templates")
    headers = {f.path: f.content.decode() for f in files if f.path.endswith(".h")}
    assert (
        "namespace at::inline C10_ABI {\n\n/// Each element times factor.\n///     factor * x\n///\n"
        "/// Args:\n///     self: (...), real.\n///     factor: a number \\.\n///\n/// Returns:\n"
        "///     (...), the products.\n// scale("
    ) in headers["include/x/ATen/ops/scale.h"]
    assert "///" not in headers["include/x/ATen/ops/acme_turn.h"]


@pytest.mark.parametrize(
    ("text", "line"), [("a \\", "a \\ ."), ("a ??/ ", "a ??/ ."), ("x²\r\n//", "x²\\r\\n//")]
)
def test_no_text_ends_or_continues_a_comment(text, line):
    assert comment_line(text) == line


def test_each_result_is_named_as_the_operator_names_it():
    function = "- func: parts(Tensor self) -> (Tensor low, Tensor high)\n  dispatch:\n    CPU: k\n"
    docs = "- parts: Both parts.\n  returns: ['(N), the lower', '(N), the upper']\n"
    program, found = checked(f"{function}# docs.yaml\n{docs}")
    assert found == []
    assert "Returns:\n    low: (N), the lower.\n    high: (N), the upper.\n" in docstring(program, "parts")


@pytest.mark.parametrize(
    ("old", "new", "fault", "help"),
    [
        (
            "    factor: a",
            "    facto: a",
            ("OPG863", 5, 5, "'scale' has no argument 'facto'"),
            "did you mean 'factor'?",
        ),
        (
            "    input: (",
            "    self: (",
            ("OPG863", 4, 5, "'scale' has no argument 'self'"),
            "name it 'input', as in Python",
        ),
        (
            "(...), real",
            "any, real",
            ("OPG864", 4, 12, "the text about the tensor 'input' of 'scale' doesn't begin with its shape"),
            "begin with the sizes of its dimensions, as in '(N, C, L)', or with '(...)' for any shape",
        ),
        (
            "    input: (...), real\n",
            "",
            ("OPG864", 4, 5, "'args' of 'scale' doesn't say the shape of 'input'"),
            "add 'input: SHAPE, and what it is'",
        ),
        (
            "returns: (...), the products",
            "returns: [products, factor]",
            ("OPG865", 6, 12, "'returns' has 2 texts, but 'scale' has 1 result"),
            "write one text for each, or one about all",
        ),
        (
            "ValueError",
            "ValuError",
            ("OPG272", 8, 5, "there is no error 'ValuError'"),
            "did you mean 'ValueError'?",
        ),
        (
            "returns: (",
            "retruns: (",
            ("OPG270", 6, 3, "there is no field 'retruns'"),
            "did you mean 'returns'?",
        ),
        (
            "returns: (...), the products",
            "returns: []",
            ("OPG271", 6, 12, "'returns' must be a text, or"),
            None,
        ),
        ("a number", "[3]", ("OPG271", 5, 13, "'factor' must be a text of one line, but it is a list"), None),
        (
            "2), 3)",
            "2), 3",
            ("OPG273", 11, 19, "this is not Python: '(' was never closed"),
            None,
        ),
        ("    >>> 1", "    >>>1", ("OPG273", 14, 5, "there is no blank after '>>>'"), "write '>>> 1 + 1'"),
        (
            "    >>> 1",
            "      >>> 1",
            ("OPG273", 14, 7, "'>>>' is indented further"),
            "indent all lines alike",
        ),
        (
            "    >>> 1 + 1",
            "    Two:",
            ("OPG273", 14, 5, "expected '>>> ' and a statement, but got 'Two:'"),
            ...,
        ),
        ("1 + 1", "", ("OPG273", 14, 5, "there is no statement after the prompt"), ...),
        ("1 + 1", "1 +\n    ... 1 1", ("OPG273", 14, 11, "this is not Python: invalid syntax"), None),
    ],
)
def test_slips_in_the_details(old, new, fault, help):
    assert DETAILS.count(old) == 1
    _, found = said(DETAILS.replace(old, new))
    code, line, column, message = fault
    first = next(f for f in found if f.code == code)
    assert (first.span.path, first.span.line, first.span.column) == ("DOCS", line, column)
    assert first.message.startswith(message)
    assert help is ... or first.help == help
    assert {f.span.line for f in found} <= {line, 14, 15}


@pytest.mark.parametrize("field", ["args", "raises", "example", "returns"])
@pytest.mark.parametrize("value", ["", "{}", "''"])
def test_empty_details(field, value):
    _, found = said(f"- scale: Twice.\n  {field}: {value}\n- acme::turn: Turned.\n")
    assert [(f.code, f.span.line) for f in found] == [("OPG271", 2)]


def test_all_faults_of_an_example_are_reported_in_one_run():
    example = "  example: |\n    >>> (\n    >>> )\n    ... 1\n    >>>x = 1\n    Prose.\n\n    More.\n"
    found = faults(f"- scale: Twice.\n{example}- acme::turn: Turned.\n")
    assert [f[2:4] for f in found] == [(3, 9), (4, 9), (6, 5), (9, 5)]


@pytest.mark.parametrize("statement", ["(" * 500, "-" * 100_000 + "1", "'\\d'", "1" * 5000, "\\"])
@pytest.mark.filterwarnings("error")
def test_no_statement_ends_the_run(statement):
    said(f"- scale: Twice.\n  example: |\n    >>> {statement}\n- acme::turn: Turned.\n")


def test_an_example_knows_its_line():
    program, _ = said(DETAILS)
    assert program.docs.of["scale"].example.line == 11
    assert program.docs.of["scale"].example.lines[2:] == ("", ">>> 1 + 1", "2")


# ---- the shipped file


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
