"""Names in every position of a schema: what C++, Python or the generated code reserve is reported, and the
stubs of what is accepted parse and say what the bindings take.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator

import pytest
from front import ROOT, checked
from opgen.check.reserved_names import CPP_KEYWORDS, GENERATED, IN_STUBS, MACROS
from opgen.diagnostics import Severity
from opgen.render.pages import render
from opgen.template_views.python_model import bindings
from opgen.template_views.python_stubs import stub_pages

SOFT_KEYWORDS = ("match", "case", "type", "_")
BUILTINS = ("print", "id", "int", "object", "str", "tuple", "list", "property", "super", "NotImplemented")
NAMES = sorted({*keyword.kwlist, *SOFT_KEYWORDS, *BUILTINS, *CPP_KEYWORDS, *MACROS, *IN_STUBS, *GENERATED})
POSITIONS = {
    "operator": "{0}(Tensor self) -> Tensor",
    "overload": "f{1}.{0}(Tensor self, int n) -> Tensor",
    "namespace": "{0}::f(Tensor self) -> Tensor",
    "argument": "f{1}(Tensor self, int {0}, int n=1) -> Tensor",
    "default": "f{1}(Tensor self, Tensor x, int {0}=2, int n=1) -> Tensor",
    "keyword-only": "f{1}(Tensor self, *, bool? {0}=None) -> Tensor",
    "list": "f{1}(int[] {0}) -> Tensor",
    "result": "f{1}(Tensor self) -> (Tensor {0}, Tensor other)",
}


def declared(position: str, name: str) -> str:
    schema = POSITIONS[position].format(name, NAMES.index(name) if name in NAMES else "")
    return f"- func: {schema}\n  variants: {'function, method' if 'self' in schema else 'function'}\n"


def stubs(text: str) -> Iterator[ast.Module]:
    """Yields the stubs of what a file declares, parsed."""
    program, _ = checked(text)
    for file in render(stub_pages(bindings(program), (), "x", {}), ROOT / "templates"):
        yield ast.parse(file.content)


@pytest.mark.parametrize("position", POSITIONS)
def test_stubs_of_what_has_no_error_parse(position):
    accepted = []
    for name in NAMES:
        text = declared(position, name)
        found = checked(text)[1]
        if not any(d.severity is Severity.error for d in found):
            accepted.append(text)
    assert accepted
    assert list(stubs("".join(accepted)))


HARD = sorted(set(keyword.kwlist) - CPP_KEYWORDS)


@pytest.mark.parametrize(
    ("position", "code"),
    [
        *(("operator", "OPG310"), ("overload", "OPG310"), ("namespace", "OPG310"), ("argument", "OPG302")),
        *(("default", "OPG302"), ("keyword-only", "OPG302"), ("list", "OPG302"), ("result", "OPG302")),
    ],
)
def test_python_keywords(position, code):
    """Each is marked where it stands; `from` is only reported where nobody could pass or write it."""
    for name in HARD:
        text = declared(position, name)
        found = [d for d in checked(text)[1] if d.code in ("OPG302", "OPG310")]
        if name == "from" and position in ("argument", "default", "list", "overload"):
            assert found == []
            continue
        expected = "OPG310" if (name, position) == ("from", "keyword-only") else code
        assert [d.code for d in found] == [expected], name
        start, end = found[0].span.column - 1, found[0].span.end_column - 1
        assert text.splitlines()[0][start:end] == name


@pytest.mark.parametrize("position", [p for p in POSITIONS if p != "overload"])
def test_cpp_keywords(position):
    for name in CPP_KEYWORDS:
        text = declared(position, name)
        found = [d for d in checked(text)[1] if d.code == "OPG301"]
        assert found, name
        start, end = found[0].span.column - 1, found[0].span.end_column - 1
        assert text.splitlines()[0][start:end] == name


@pytest.mark.parametrize("name", ["C10_API", "TORCH_API", "errno", "AT_DISPATCH_ALL_TYPES"])
@pytest.mark.parametrize("position", ["operator", "argument", "result"])
def test_macros(position, name):
    assert "OPG303" in {d.code for d in checked(declared(position, name))[1]}


def test_kernels_and_their_namespaces():
    text = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: {}\n"
    for kernel in ("class", "register::f", "a::new::f", "a::errno"):
        assert [d.span.line for d in checked(text.format(kernel))[1]] == [3], kernel


def signature(schema: str, name: str) -> ast.arguments:
    (module, *_) = stubs(f"- func: {schema}\n")
    return next(n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == name).args


def test_a_parameter_named_like_a_keyword_is_passed_by_position():
    """Nobody can pass it by name, so neither can what stands before it."""
    found = signature(
        "uni(Tensor self, float from=0, float to=1, *, Generator? generator=None) -> Tensor", "uni"
    )
    assert [a.arg for a in found.posonlyargs] == ["input", "from_"]
    assert [a.arg for a in found.args] == ["to"]


def test_a_keyword_only_parameter_named_like_a_keyword_is_unpacked():
    found = signature("uni(Tensor self, *, int? from=None, int to=1) -> Tensor", "uni")
    assert [a.arg for a in found.kwonlyargs] == ["to"]
    assert ast.unparse(found.kwarg.annotation) == "_int | None"


def test_results_that_no_named_tuple_may_have():
    (module, *_) = stubs("- func: f(Tensor self) -> (Tensor _x, Tensor y)\n")
    function = next(n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == "f")
    assert ast.unparse(function.returns) == "tuple[Tensor, Tensor]"


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("mine::f(Tensor self) -> Tensor", "mine_f(Tensor self) -> Tensor", "C++ symbol 'mine_f'"),
        ("mine::f.x(Tensor self) -> Tensor", "mine_f.y(Tensor self) -> Tensor", "header 'mine_f.h'"),
        ("f(Tensor self) -> Tensor", "f_ops(Tensor self) -> Tensor", "header 'f_ops.h'"),
        ("f_native(Tensor self) -> Tensor", "f(Tensor self) -> Tensor", "header 'f_native.h'"),
        ("f(Tensor self) -> Tensor\n  python_module: nn", "nn_f(Tensor self) -> Tensor", "'function_nn_f'"),
    ],
)
def test_names_that_mangle_to_one(first, second, what):
    _, found = checked(f"- func: {first}\n- func: {second}\n")
    assert [d.code for d in found] == ["OPG308"]
    assert what in found[0].message
    assert len(found[0].related) == 1


def test_the_librarys_own_header():
    _, found = checked("- func: from_blob(Tensor self) -> Tensor\n")
    assert [(d.code, d.span.column) for d in found] == [("OPG308", 9)]
