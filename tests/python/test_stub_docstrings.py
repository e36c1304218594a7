"""Hand-written stubs have docstrings, like generated ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from house import ROOT

PACKAGE = ROOT / "templates" / "python" / "package"
TEXTS = {
    "header.pyi.part": (PACKAGE / "header.pyi.part").read_text(encoding="utf-8"),
    "tensor.pyi.part": "class Tensor:\n" + (PACKAGE / "tensor.pyi.part").read_text(encoding="utf-8"),
    "_C.pyi": (ROOT / "python" / "aten" / "_C.pyi").read_text(encoding="utf-8"),
}


def public(body: list[ast.stmt], inside: str = "") -> Iterator[tuple[str, bool]]:
    """Yields (name, whether one of its definitions has a docstring) of functions and methods."""
    said: dict[str, bool] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            said[node.name] = said.get(node.name, False) or ast.get_docstring(node) is not None
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body, f"{node.name}.")
    yield from ((inside + name, has) for name, has in said.items())


@pytest.mark.parametrize("name", TEXTS)
def test_public_functions_have_a_sentence(name: str) -> None:
    found = dict(public(ast.parse(TEXTS[name]).body))
    assert len(found) > 3
    assert [function for function, has in found.items() if not has] == []
