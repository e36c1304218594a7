"""Texts about arguments, results and errors in docs files, and examples: where they are shown, and faults."""

from __future__ import annotations

import pytest
from docs_program import FUNCTIONS, docstring, faults, said, stub_docstrings
from front import ROOT, checked
from opgen.commands import run
from opgen.render import library
from opgen.template_views.atoms import comment_line
from opgen.template_views.library import LibraryOptions, build_library

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
