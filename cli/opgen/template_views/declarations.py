"""The list of where each operator is declared, in the Python package: check_schemas names the line."""

from __future__ import annotations

import dataclasses
from pathlib import PurePath

from opgen.diagnostics import shown
from opgen.model import Program
from opgen.template_views.atoms import Py
from opgen.template_views.page import Page


@dataclasses.dataclass(frozen=True, slots=True)
class DeclarationView:
    """`operator`: `aten::add.Tensor`; `place`: the file's name and the line."""

    operator: Py
    place: Py


@dataclasses.dataclass(frozen=True, slots=True)
class DeclarationsView:
    declarations: tuple[DeclarationView, ...]


def declarations_page(program: Program, name: str) -> Page:
    view = DeclarationsView(
        tuple(
            DeclarationView(
                Py(f"{f.namespace}::{f.name}"), Py(f"{shown(PurePath(f.span.path).name)}:{f.span.line}")
            )
            for f in program.functions
        )
    )
    return Page(f"python/{name}/declarations.txt", "python/package/declarations.txt.mako", view)
