"""What a C++ function does, statement by statement: its calls, and the conditions of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from opgen.explain.cpp_text import Body, CppFile

OTHERWISE = "otherwise"
_WORD = re.compile(r"[A-Za-z_]\w*")
_LEAVES = re.compile(r"\{?\s*(?:return|throw|continue|break)\b")
_CALL = re.compile(
    r"(?P<scope>\.\s*|->\s*|(?:[A-Za-z_]\w*\s*::\s*)+)?(?<![\w#])(?P<name>[A-Za-z_]\w*)"
    r"(?:<(?:[^<>;(){}]|<[^<>;(){}]*>)*>)?\s*(?P<open>\()"
)
_LABEL_END = re.compile(r"(?<!:):(?!:)")
_MARK = re.compile(r"[?,;]|(?<!:):(?!:)|(?<![=!<>+\-*/|&^%])=(?!=)|\breturn\b")
_LOOPS = frozenset({"for", "while", "switch"})


@dataclass(frozen=True, slots=True)
class Statement:
    """`start` and `end` are offsets in the file; `kind` is "return", "test" (a condition) or "plain"."""

    start: int
    end: int
    kind: str
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`scope` is what precedes the name: `at::`, `.` or ""; `open` and `end` are the offsets of its
    parentheses.
    """

    scope: str
    name: str
    start: int
    open: int
    end: int
    conditions: tuple[str, ...]
    statement: Statement


def statements(body: Body) -> list[Statement]:
    reader = _Reader(body.file)
    reader.block(body.start + 1, body.end, ())
    return reader.found


class _Reader:
    def __init__(self, file: CppFile):
        self.found: list[Statement] = []
        self._file = file
        self._code = file.code
        self._closing = file.closing

    def block(self, i: int, end: int, outer: tuple[str, ...]) -> None:
        """Reads the statements between two offsets. What follows `if (c) return ...;` runs otherwise."""
        conditions = outer
        while (i := self._skip(i, end)) < end:
            word = self._word(i, end)
            if word in ("case", "default"):
                label = _LABEL_END.search(self._code, i, end)
                colon = label.start() if label is not None else end
                conditions = (*outer, self._file.said(i, colon))
                i = colon + 1
                continue
            i, leaves = self._statement(i, end, conditions)
            if leaves and conditions == outer:
                conditions = (*outer, OTHERWISE)

    def _statement(self, i: int, end: int, conditions: tuple[str, ...]) -> tuple[int, bool]:
        """Reads one statement; returns the offset behind it, and whether it is an `if` that may leave."""
        i = self._skip(i, end)
        if i < end and self._code[i] == "{" and i in self._closing:
            self.block(i + 1, self._closing[i], conditions)
            return self._closing[i] + 1, False
        word = self._word(i, end)
        if word == "if":
            return self._if(i, end, conditions)
        open = self._code.find("(", i, end) if word in _LOOPS else -1
        if open in self._closing:
            close = self._closing[open]
            self.found.append(Statement(open + 1, close, "test", conditions))
            return self._statement(close + 1, end, conditions)[0], False
        if word in ("else", "do", "try"):
            return self._statement(i + len(word), end, conditions)[0], False
        return self._simple(i, end, "return" if word == "return" else "plain", conditions), False

    def _if(self, i: int, end: int, conditions: tuple[str, ...]) -> tuple[int, bool]:
        open = self._code.find("(", i, end)
        close = self._closing.get(open, end)
        self.found.append(Statement(open + 1, close, "test", conditions))
        then = self._skip(close + 1, end)
        leaves = _LEAVES.match(self._code, then) is not None
        if not leaves and then < end and self._code[then] == "{":
            last = self._code[then : self._closing.get(then, end)].rstrip()
            leaves = re.search(r"(?:^|[;{}])\s*(?:return|throw|continue)\b[^;]*;$", last) is not None
        text = self._file.said(open + 1, close)
        i, _ = self._statement(then, end, (*conditions, f"if {text}"))
        after = self._skip(i, end)
        if self._word(after, end) == "else":
            i, _ = self._statement(after + len("else"), end, (*conditions, "else"))
        return i, leaves

    def _simple(self, i: int, end: int, kind: str, conditions: tuple[str, ...]) -> int:
        """Reads up to the semicolon; blocks inside, such as those of lambdas, are read as blocks, too."""
        start = i
        while i < end and self._code[i] != ";":
            i = self._closing[i] + 1 if i in self._closing else i + 1
        self.found.append(Statement(start, i, kind, conditions))
        return i + 1

    def _word(self, i: int, end: int) -> str:
        word = _WORD.match(self._code, i, end)
        return word[0] if word is not None else ""

    def _skip(self, i: int, end: int) -> int:
        while i < end and (self._code[i].isspace() or self._code[i] == ";"):
            i += 1
        return i


def calls(file: CppFile, statement: Statement) -> Iterator[Call]:
    for match in _CALL.finditer(file.code, statement.start, statement.end):
        open = match.start("open")
        if open in file.closing:
            scope = re.sub(r"\s", "", match["scope"] or "")
            reached = conditions(file, statement, match.start())
            yield Call(scope, match["name"], match.start(), open, file.closing[open], reached, statement)


def conditions(file: CppFile, statement: Statement, at: int) -> tuple[str, ...]:
    """Returns the conditions under which the function evaluates what is at an offset of the statement."""
    return (*statement.conditions, *_choices(file, statement, at))


def _choices(file: CppFile, statement: Statement, at: int) -> tuple[str, ...]:
    """Returns the conditions by which `c ? a : b`, and an `if` in a lambda, reach an offset."""
    found: list[str] = []
    start = statement.start
    while True:
        inner, level = _level(file, start, at)
        found += level
        if inner is None:
            return tuple(found)
        if file.code[inner] == "{" and ";" in file.code[inner : file.closing[inner]]:
            return (*found, *_in_lambda(file, inner, at))
        start = inner + 1


def _level(file: CppFile, start: int, at: int) -> tuple[int | None, list[str]]:
    """Returns the bracket around the offset, if any, and the conditions before it at this level."""
    stack: list[str] = []
    begin, i = start, start
    while i < at:
        close = file.closing.get(i)
        if close is not None and close > at:
            return i, stack
        if close is not None:
            i = close + 1
            continue
        mark = _MARK.match(file.code, i)
        if mark is not None:
            if mark[0] == "?":
                stack.append(f"if {file.said(begin, i)}")
            elif mark[0] == ":" and stack:
                stack[-1] = "else"
            elif mark[0] != ":":
                stack = []
            begin = mark.end()
            i = mark.end()
            continue
        i += 1
    return None, stack


def _in_lambda(file: CppFile, open: int, at: int) -> tuple[str, ...]:
    reader = _Reader(file)
    reader.block(open + 1, file.closing[open], ())
    inside = next((s for s in reader.found if s.start <= at < s.end), None)
    return () if inside is None else (*inside.conditions, *_choices(file, inside, at))
