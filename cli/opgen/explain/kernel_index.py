"""Where C++ functions are defined: a text search through the kernel folders, no compiler needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from opgen.explain.cpp_text import Body, CppFile

SUFFIXES = (".cpp", ".cu", ".cuh", ".h", ".cc")


@dataclass(frozen=True, slots=True)
class Definition:
    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class KernelIndex:
    """The sources of some folders, read once."""

    def __init__(self, folders: Iterable[Path]):
        self.files: list[CppFile] = []
        for folder in folders:
            for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
                if path.suffix in SUFFIXES and path.is_file():
                    below = path.relative_to(folder).parts
                    text = path.read_text(encoding="utf-8", errors="replace")
                    self.files.append(CppFile(path, below[0] if len(below) > 1 else "", text))
        self._bodies: dict[tuple[str, str | None], list[Body]] = {}

    def function(self, name: str) -> list[Definition]:
        """Returns definitions of a free function, template or not: `name(...) {` at namespace level."""
        return list(self._search(re.compile(rf"\b{re.escape(name)}\s*\("), _is_definition, name))

    def bodies(self, name: str, subject: str | None = None) -> list[Body]:
        """Returns definitions of a function or kernel with their bodies, of one subject or of all."""
        key = (name, subject)
        if key not in self._bodies:
            files = (f for f in self.files if subject in (None, f.subject))
            self._bodies[key] = [body for f in files for body in f.bodies_of(name)]
        return self._bodies[key]

    def macro(self, macro: str, *arguments: str) -> list[Definition]:
        """Returns invocations of a macro with these first arguments: `TORCH_IMPL_FUNC(add_out)`."""
        inside = r"\s*,\s*".join(map(re.escape, arguments))
        return list(
            self._search(
                re.compile(rf"^[ \t]*{macro}\s*\(\s*{inside}\s*\)", re.MULTILINE),
                lambda *_: True,
                arguments[0],
            )
        )

    def _search(
        self, pattern: re.Pattern[str], wanted: Callable[[str, re.Match[str]], bool], name: str
    ) -> Iterator[Definition]:
        for file in self.files:
            for match in pattern.finditer(file.text) if name in file.text else ():
                if wanted(file.text, match):
                    yield Definition(file.path, file.line(match.end() - 1))


def _is_definition(text: str, match: re.Match[str]) -> bool:
    """Whether it is a definition: a type before it on the same line or the one before, and a body after the
    parameters.
    """
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    if re.search(r"[=;.!(]|->|\breturn\b|//|#|::\s*$", before):
        return False
    depth, i = 0, match.end() - 1
    while i < len(text):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if depth == 0:
                break
        i += 1
    return re.match(r"\)\s*(?:const\b|noexcept\b|\s)*\{", text[i : i + 200]) is not None
