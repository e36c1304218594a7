"""Pages to text: the Mako lookup, strict about names and about what may be printed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.template_views.page import Page

if TYPE_CHECKING:
    from mako.lookup import TemplateLookup


@dataclasses.dataclass(frozen=True, slots=True)
class File:
    """A file with its final bytes; `origin` is the template or the hand-written file it comes from."""

    path: str
    content: bytes
    origin: str


def lookup(templates: Path) -> TemplateLookup:
    """Returns a strict Mako lookup: an undefined name fails, and only the types of template_views.atoms
    print.
    """
    from mako.lookup import TemplateLookup

    return TemplateLookup(
        directories=[str(templates)],
        strict_undefined=True,
        default_filters=["only_atoms"],
        imports=["from opgen.template_views.atoms import only_atoms"],
        input_encoding="utf-8",
    )


def render(pages: Iterable[Page], templates: Path) -> Iterator[File]:
    """Yields the pages as files. An error is a bug of opgen; Mako's message names the template and line."""
    found = lookup(templates)
    for page in pages:
        template = found.get_template(page.template)
        try:
            text = template.render(view=page.view)
        except Exception as error:
            raise RenderError(page, error) from error
        yield File(page.path, text.encode("utf-8"), f"templates/{page.template}")


class RenderError(Exception):
    """A template failed on its view: says which, with the template's own line."""

    def __init__(self, page: Page, error: Exception):
        from mako.exceptions import RichTraceback

        traceback = RichTraceback(error, error.__traceback__)
        place = next(
            (
                f"{name}:{line}"
                for name, line, _, _ in reversed(traceback.traceback)
                if name.endswith(".mako")
            ),
            page.template,
        )
        super().__init__(f"{place}, writing {page.path}: {type(error).__name__}: {error}")
