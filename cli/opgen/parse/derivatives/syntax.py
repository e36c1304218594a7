"""Checks the tokens of a formula: it must be one C++ expression, with nothing hidden in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from opgen.diagnostics import Rule
from opgen.model.derivatives import NOT_IMPLEMENTED, Formula
from opgen.parse.derivatives import rules as rules
from opgen.parse.derivatives.text import Token, TokenKind, lambdas, tokens, unbalanced
from opgen.parse.entry import Entry

MAX_LENGTH = 16384
MAX_FAULTS = 10  # in one formula
_COMMENTS = frozenset({"//", "/*", "*/"})
_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"})
# Strings with these prefixes end by rules of their own.
_RAW = frozenset({"R", "LR", "uR", "UR", "u8R"})
_STATEMENTS = frozenset(
    "return if else for while do switch case goto break continue try catch throw using namespace class struct"
    " enum union template typedef asm delete new co_await co_return co_yield static_assert extern".split()
)

_COMPARE = "did you mean '=='?"

Found = tuple[Rule, int, int, str, str | None]


def check(formula: Formula, entry: Entry, index: int | None = None) -> bool:
    """Reports the faults of a formula; returns True if there are none. `index` is its place in a list."""
    found = list(islice(_faults(formula.text), MAX_FAULTS))
    path: tuple[str | int, ...] = formula.path if index is None else (*formula.path, index)
    for rule, start, end, message, help in found:
        entry.fault(rule, entry.inside(start, end, *path), message, help)
    return not found


def _faults(text: str) -> Iterator[Found]:
    if len(text) > MAX_LENGTH:
        yield rules.CHARACTER, 0, 1, f"the formula has more than {MAX_LENGTH} characters", None
        return
    broken = False
    for fault in _characters(tokens(text)):
        broken = True
        yield fault
    bracket = unbalanced(text)
    if bracket is not None:
        token, wrong = bracket
        if wrong is not None:
            message = f"this '{token}' is closed by '{wrong}'"
        elif token.kind is TokenKind.open:
            message = f"this '{token}' is not closed"
        else:
            message = f"this '{token}' closes nothing"
        yield rules.BRACKETS, token.start, token.end, message, None
    elif not broken:
        yield from _statements(tokens(text))
        yield from _not_implemented(tokens(text))


def _characters(found: tuple[Token, ...]) -> Iterator[Found]:
    for i, token in enumerate(found):
        if token.kind is TokenKind.unknown and token.text in "\"'":
            yield rules.STRING, token.start, token.end, "this string does not end", None
            return  # the quotes may have been meant to enclose what follows
        if token.kind is TokenKind.unknown:
            yield rules.CHARACTER, token.start, token.end, f"'{token}' has no place in a formula", None
        elif token.text in _COMMENTS:
            message = f"'{token}' would hide what stands beside it"
            yield rules.CHARACTER, token.start, token.end, message, "a comment is /* closed */, or YAML's"
            return
        elif token.kind is TokenKind.string and i and _is_raw(found[i - 1], token):
            yield rules.STRING, found[i - 1].start, token.end, "raw strings are not read here", None


def _is_raw(prefix: Token, string: Token) -> bool:
    return prefix.text in _RAW and prefix.end == string.start


def _statements(found: tuple[Token, ...]) -> Iterator[Found]:
    inside = {j for first, last in lambdas(found) for j in range(first, last + 1)}
    for i, token in enumerate(found):
        if i in inside:
            continue
        if token.text == ";":
            message, help = "a formula is one expression: ';' would end it", "write a function and call it"
            yield rules.CHARACTER, token.start, token.end, message, help
        elif token.text in _ASSIGNMENTS:
            message = f"'{token}' would change a value; a formula only computes one"
            yield rules.CHARACTER, token.start, token.end, message, _COMPARE if token.text == "=" else None
        elif token.kind is TokenKind.name and token.text in _STATEMENTS:
            message = f"'{token}' begins a statement; a formula is an expression"
            yield rules.CHARACTER, token.start, token.end, message, None


def _not_implemented(found: tuple[Token, ...]) -> Iterator[Found]:
    for i, token in enumerate(found):
        if token.text not in NOT_IMPLEMENTED or token.kind is not TokenKind.name:
            continue
        call = [t.kind for t in found[i + 1 : i + 3]]
        if call != [TokenKind.open, TokenKind.string]:
            message = f"'{token}' needs the operator's name as text"
            end = found[i + 2].end if len(call) == 2 else token.end
            yield rules.NOT_IMPLEMENTED, token.start, end, message, f'such as {token}("add: other")'
