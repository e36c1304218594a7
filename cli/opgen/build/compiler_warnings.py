"""The compiler's warnings about the user's files; Ninja prints them with the step they belong to."""

from __future__ import annotations

import re
from pathlib import Path

from opgen.build.failures import PLACE, Origins, Places, read_record

_WARNING = re.compile(rf"^{PLACE.pattern}: warning: ", re.MULTILINE)


class Warnings:
    """The warnings of one build of `tree`. A file compiled several times repeats its warnings: each is shown
    once.
    """

    def __init__(self, tree: Path, origins: Origins):
        self._places = Places(tree, read_record(tree), origins)
        self._shown: set[str] = set()

    def of(self, output: str) -> str:
        """Returns a step's output with the paths of hand-written files; empty unless it has a new warning
        about one of the user's files.
        """
        found = {match[0] for match in _WARNING.finditer(output) if self._places.is_own(match["path"])}
        texts = {line for line in output.splitlines() if line.startswith(tuple(found))} if found else set()
        if texts <= self._shown:
            return ""
        self._shown |= texts
        return self._places.of(output).rstrip("\n")
