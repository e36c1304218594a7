"""A plan as files: its pages rendered, its hand-written sources copied."""

from __future__ import annotations

from pathlib import Path

from opgen.render.pages import File, render
from opgen.views.page import Plan


def files(plan: Plan, templates: Path) -> list[File]:
    """All files, sorted by path. Two files for one path are a bug and raise."""
    found = [*render(plan.pages, templates), *(File(s.path, s.content, s.origin) for s in plan.sources)]
    found.sort(key=lambda f: f.path)
    for first, second in zip(found, found[1:], strict=False):
        if first.path == second.path:
            raise ValueError(f"two files for {first.path}: from {first.origin} and {second.origin}")
    return found
