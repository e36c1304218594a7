"""Turns a plan into files: rendered pages and copies of hand-written sources."""

from __future__ import annotations

import itertools
from pathlib import Path

from opgen.render.pages import File, render
from opgen.template_views.page import Plan


class SamePath(Exception):
    """Two files have the same path in the tree."""


def files(plan: Plan, templates: Path) -> list[File]:
    """Returns all files, sorted by path. Raises SamePath."""
    found = [*render(plan.pages, templates), *(File(s.path, s.content, s.origin) for s in plan.sources)]
    found.sort(key=lambda f: f.path)
    for first, second in itertools.pairwise(found):
        if first.path == second.path:
            raise SamePath(f"{first.origin} and {second.origin} would both be {first.path} in the tree")
    return found
