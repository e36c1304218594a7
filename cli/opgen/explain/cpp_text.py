"""C++ sources as text: which functions a file defines, with the extents of their bodies. No compiler is
needed, as kernels are written in one manner: definitions in namespaces, no macros around them but those of
kernels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_BLANKED = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![\w'])'(?:[^'\\\n]|\\.)+'"
    r"|^[ \t]*#(?:[^\n\\]|\\\n|\\.)*",
    re.DOTALL | re.MULTILINE,
)
_INCLUDED = re.compile(r"<ATen/native/(?:cpu/|cuda/)?(\w+)/")
_BRACKET = re.compile(r"[(){}\[\]]")
_CLOSES = {")": "(", "}": "{", "]": "["}
_NAMED = re.compile(r"(?:TORCH_\w*FUNC2?\s*\(\s*(?P<kernel>\w+)[^()]*\)\s*|\b(?P<name>[A-Za-z_]\w*)\s*)\(")
_BODY = re.compile(r"\s*(?:(?:const|noexcept|override|final)\b\s*)*(?:->[^;{}()]*)?(?=\{)")
_STRUCT = re.compile(r"\b(?:struct|class)\s+(\w+)[^;{}()]*\{")
_NO_FUNCTIONS = frozenset("if for while switch catch return sizeof constexpr decltype alignas".split())
_TEMPLATE = re.compile(r"\w<[^<>();]*>")
_WORD = re.compile(r"\w")


def _spaces(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A function's definition: `line` is that of its name; offsets are in the text of `file`;
    `parameters` are texts.
    """

    name: str
    file: CppFile = field(repr=False)
    line: int
    start: int
    end: int
    parameters: tuple[str, ...]

    @property
    def path(self) -> Path:
        return self.file.path

    def takes(self, arguments: int) -> bool:
        required = sum("=" not in p for p in self.parameters)
        most = 99 if any("..." in p for p in self.parameters) else len(self.parameters)
        return min(required, most) <= arguments <= most


class CppFile:
    """One source. `subject` is the folder below ops, cpu or cuda that it belongs to."""

    def __init__(self, path: Path, subject: str, text: str):
        self.path = path
        self.subject = subject
        self.text = text

    @cached_property
    def code(self) -> str:
        """The text with spaces for comments, literals and preprocessor lines."""
        return _BLANKED.sub(_spaces, self.text)

    @cached_property
    def included(self) -> tuple[str, ...]:
        """The other subjects whose headers the file includes."""
        found = dict.fromkeys(_INCLUDED.findall(self.text))
        return tuple(subject for subject in found if subject != self.subject)

    @cached_property
    def closing(self) -> dict[int, int]:
        """The offset of each opening bracket's closing one."""
        pairs: dict[int, int] = {}
        open: list[int] = []
        for match in _BRACKET.finditer(self.code):
            if match[0] not in _CLOSES:
                open.append(match.start())
            elif open and self.code[open[-1]] == _CLOSES[match[0]]:
                pairs[open.pop()] = match.start()
        return pairs

    @cached_property
    def bodies(self) -> dict[str, list[Body]]:
        """Definitions, by name; a kernel's macro counts as the definition of the kernel."""
        found: dict[str, list[Body]] = {}
        for match in _NAMED.finditer(self.code):
            name = match["kernel"] or match["name"]
            body = None if name in _NO_FUNCTIONS else self._body(name, match)
            if body is not None:
                found.setdefault(name, []).append(body)
        return found

    def bodies_of(self, name: str) -> list[Body]:
        """Returns the definitions of a name. All of a file are found at once, which takes long: only where it
        may have one.
        """
        known = "bodies" in self.__dict__
        return self.bodies.get(name, []) if known or self._has(name) else []

    def _has(self, name: str) -> bool:
        """Whether the name is before a parenthesis or, in one, before an argument. The pattern begins with a
        literal, which is found fast; so the character before it is looked at afterwards.
        """
        found = re.finditer(rf"{re.escape(name)}\s*[(,)]", self.text)
        return any(not _WORD.match(self.text, max(m.start() - 1, 0)) for m in found)

    def _body(self, name: str, match: re.Match[str]) -> Body | None:
        open = match.end() - 1
        close = self.closing.get(open)
        after = None if close is None else _BODY.match(self.code, close + 1)
        if close is None or after is None or after.end() not in self.closing:
            return None
        where = match.start("kernel" if match["kernel"] else "name")
        start = after.end()
        return Body(name, self, self.line(where), start, self.closing[start], tuple(self.arguments(open)))

    def qualified(self, body: Body) -> str:
        """Returns a function's name, `Arguments::call` for a method."""
        around = (m for m in _STRUCT.finditer(self.code, 0, body.start) if m.end() - 1 in self.closing)
        inside = [m[1] for m in around if self.closing[m.end() - 1] > body.start]
        return "::".join((*inside, body.name))

    def line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1

    def arguments(self, open: int) -> list[str]:
        """Returns the texts between the commas of a list in parentheses or braces."""
        found, start, i = [], open + 1, open + 1
        close = self.closing.get(open, open)
        while i < close:
            template = _TEMPLATE.match(self.code, i)
            if i in self.closing:
                i = self.closing[i]
            elif template is not None:
                i = template.end() - 1
            elif self.code[i] == ",":
                found.append(self.code[start:i])
                start = i + 1
            i += 1
        last = self.code[start:close]
        return [*found, last] if found or last.strip() else []

    def said(self, start: int, end: int) -> str:
        """Returns a part of the source in one line, without comments."""
        part = re.sub(r"//[^\n]*|/\*.*?\*/", " ", self.text[start:end], flags=re.DOTALL)
        return " ".join(part.split())
