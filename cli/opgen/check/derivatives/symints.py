"""Derivatives: sizes and strides in formulas. They are saved as SymInts, which C++ functions take that are
named `_symint`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from opgen.check.derivatives import formula_rules as rules
from opgen.check.derivatives.subject import Subject, text_at
from opgen.diagnostics import Diagnostic
from opgen.model import Program
from opgen.model.derivatives import Formula
from opgen.parse.derivatives.text import Token, TokenKind, tokens

_SAVED = {"sizes": "sym_sizes", "size": "sym_size", "strides": "sym_strides"}
_LISTS = ("sym_sizes", "sym_strides")
_SUFFIX = "_symint"
_PARTS = (".", "->", "::")  # operators inside of one value


def check(subject: Subject) -> Iterator[Diagnostic]:
    for formula in subject.backward:
        yield from _plain_sizes(subject, formula)
    for formula in (*subject.backward, *subject.forward):
        if any(name in formula.text for name in _LISTS):
            yield from _plain_functions(subject, formula)


def _plain_sizes(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    found = tokens(formula.text)
    for i, token in enumerate(found):
        if token.text in _SAVED and text_at(found, i - 1) in (".", "->") and _is_fixed(found, i):
            message = f"'.{token}()' gives plain integers, which formulas do not save"
            function = _enclosing(found, i)
            help = f"write .{_SAVED[token.text]}"
            if function is not None and _takes_plain(subject.program, found, function):
                help += f", and {found[function]}{_SUFFIX} for the function that takes it"
            yield rules.PLAIN_SIZES.at(subject.at(formula, token), message, help)


def _is_fixed(found: tuple[Token, ...], i: int) -> bool:
    """Whether it is `.sizes()`, `.strides()`, or `.size(2)` with a literal."""
    if text_at(found, i + 1) != "(":
        return False
    if found[i].text != "size":
        return text_at(found, i + 2) == ")"
    sign = text_at(found, i + 2) == "-"
    return text_at(found, i + 2 + sign).isdecimal() and text_at(found, i + 3 + sign) == ")"


def _plain_functions(subject: Subject, formula: Formula) -> Iterator[Diagnostic]:
    """SymInts as an argument of a method or operator that takes plain integers."""
    found = tokens(formula.text)
    for i, token in enumerate(found):
        ends = text_at(found, i + 2) == ")" and text_at(found, i + 3) in (",", ")")
        if token.text not in _LISTS or not ends:
            continue
        function = _enclosing(found, i)
        if function is not None and _takes_plain(subject.program, found, function):
            name = found[function]
            message = f"'{name}' takes plain integers, but '.{token}()' gives SymInts"
            yield rules.SYMINT_CALL.at(subject.at(formula, name), message, f"write {name}{_SUFFIX}")


def _enclosing(found: tuple[Token, ...], i: int) -> int | None:
    """Returns the index of the function one of whose arguments ends with the call of the method at `i`; None
    if the argument is more than names, members and calls.
    """
    depth, own = 0, True
    for j in range(i - 1, 0, -1):
        depth += (found[j].kind is TokenKind.close) - (found[j].kind is TokenKind.open)
        if depth < 0:
            return j - 1 if found[j].text == "(" and found[j - 1].kind is TokenKind.name else None
        if depth == 0 and found[j].kind is TokenKind.operator:
            own = own and found[j].text != ","
            if own and found[j].text not in _PARTS:
                return None
    return None


def _takes_plain(program: Program, found: tuple[Token, ...], i: int) -> bool:
    """Whether the function at `i` is a method, of which each that takes SymInts is named so, or an operator
    of the program with SymInts in all overloads. Others may be hand-written.
    """
    name, before = found[i].text, text_at(found, i - 1)
    if name.endswith(_SUFFIX):
        return False
    return before in (".", "->") or (
        before == "::" and text_at(found, i - 2) == "at" and name in _with_symints(program)
    )


@lru_cache(maxsize=1)
def _with_symints(program: Program) -> frozenset[str]:
    by_name: dict[str, bool] = {}
    for function in program.by_name.values():
        name = str(function.name.name)
        by_name[name] = by_name.get(name, True) and function.schema.has_symint()
    return frozenset(name for name, all_of_them in by_name.items() if all_of_them)
