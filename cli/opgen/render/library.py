"""A whole library as files: the pages rendered from the model, and the hand-written sources they stand on."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable
from pathlib import Path

from opgen.render.pages import File, Page, render
from opgen.render.sources import Source


@dataclasses.dataclass(frozen=True, slots=True)
class Library:
    """What is to be written: `pages` to render, `sources` to copy."""

    name: str
    pages: tuple[Page, ...]
    sources: tuple[Source, ...]

    def files(self, templates: Path) -> list[File]:
        """All files, sorted by path. Two files for one path are a bug and raise."""
        files = [*render(self.pages, templates), *(source.file() for source in self.sources)]
        files.sort(key=lambda f: f.path)
        for first, second in zip(files, files[1:], strict=False):
            if first.path == second.path:
                raise ValueError(f"two files for {first.path}: from {first.origin} and {second.origin}")
        return files


def inputs_digest(parts: Iterable[bytes]) -> str:
    """One digest of all that goes into a tree, for the check whether anything has changed."""
    total = hashlib.sha256()
    for part in parts:
        total.update(len(part).to_bytes(8, "little"))
        total.update(part)
    return total.hexdigest()
