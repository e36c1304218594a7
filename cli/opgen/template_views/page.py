"""A page is a file of the generated tree, with the template that writes it and the view that the template
reads.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from opgen.template_views.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class Page:
    """One file of the generated tree: `path` in it, the `template` that writes it, the `view` the template
    reads.
    """

    path: str
    template: str
    view: Any


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """All files of a tree before any is written: `pages` to render, `sources` to copy."""

    pages: tuple[Page, ...]
    sources: tuple[Source, ...]
