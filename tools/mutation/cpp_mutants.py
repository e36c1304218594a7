"""Single changes of a C++ file, at its tokens: comparisons, `&&` and `||`, `!`, `+ 1` and `- 1`.

Comments, strings and preprocessor lines are not changed. clang-format sets spaces around an operator and none
around the brackets of a template, which distinguishes `a < b` from `vector<int>`.
"""

from __future__ import annotations

import re

from .mutant import Mutant

SKIPPED = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    r"|^[ \t]*#(?:\\\n|[^\n])*",
    re.DOTALL | re.MULTILINE,
)
FLIPPED = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "&&": ("||",),
    "||": ("&&",),
}
OPERATOR = re.compile(r"(?<=\s)(<=|>=|==|!=|&&|\|\||<|>)(?=\s)")
NOT = re.compile(r"(?<![\w)\]])!(?=[\w(])")
STEP = re.compile(r"(?<=[\w)\]] )([+-]) 1(?![\w.'])")


def mutants(file: str, source: bytes) -> list[Mutant]:
    text = source.decode("latin-1")  # a character is a byte
    code = SKIPPED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    found = [(m.start(), m.end(), other) for m in OPERATOR.finditer(code) for other in FLIPPED[m.group()]]
    found += [(m.start(), m.end(), "") for m in NOT.finditer(code)]
    found += [(m.start(), m.end(), {"+": "- 1", "-": "+ 1"}[m.group(1)]) for m in STEP.finditer(code)]
    return [_mutant(file, text, *place) for place in sorted(found)]


def _mutant(file: str, text: str, start: int, end: int, after: str) -> Mutant:
    line = text.count("\n", 0, start) + 1
    return Mutant(file, start, end, line, text[start:end], after, line, line)
