"""Shared by the tests of docs files: declarations, a docs file about them, and where its texts are shown."""

from __future__ import annotations

import ast

from front import ROOT, checked
from opgen.render import library
from opgen.template_views import python_docs
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


def stub_docstrings(docs: str) -> list[tuple[str, str | None]]:
    """Returns (name, docstring) of every `def` of scale and its overload in the stubs, in order."""
    overload = "- func: scale.Scalar(Tensor self, Scalar other) -> Tensor\n  variants: method\n"
    program, _ = checked(f"{FUNCTIONS}{overload}# docs.yaml\n{docs}")
    files = library.files(build_library(program, [], LibraryOptions("x")), ROOT / "templates")
    (stubs,) = (f.content.decode() for f in files if f.path == "python/x/__init__.pyi")
    found = [node for node in ast.walk(ast.parse(stubs)) if isinstance(node, ast.FunctionDef)]
    return [(f.name, ast.get_docstring(f)) for f in found if f.name.startswith("scale")]
