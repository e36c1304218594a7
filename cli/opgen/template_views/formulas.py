"""Finds the calls in formulas: operators, by their names in C++, and hand-written functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from opgen.model.function import DEFAULT_NAMESPACE
from opgen.model.program import Program
from opgen.template_views import names
from opgen.template_views.atoms import Ident, Path
from opgen.template_views.source import Source

# Headers of functions that formulas call, also in the user's kernel folders.
HEADERS = "formulas.h"
# Those of one subject: `ATen/native/reduction/formulas.h`, and the declarations of functions in them.
_OF_SUBJECT = re.compile(r"ATen/native/\w+/formulas\.h")
_DECLARED = re.compile(rb"\b(?:TORCH_API|inline)\b[^;{}()]*?\b(\w+)\(")
# A called name with what precedes it: an object whose method is called, or a namespace.
_CALL = re.compile(r"(?P<object>\.|->)?(?<![\w:])(?:at::)?(?P<name>(?:[A-Za-z_]\w*::)?[A-Za-z_]\w*)\s*\(")


def called(formula: str) -> Iterator[tuple[str, bool]]:
    """Yields the names of called functions and methods; the flag is set for a method."""
    for match in _CALL.finditer(formula):
        yield match["name"], match["object"] is not None


def operator_names(program: Program) -> Mapping[str, Ident]:
    """Returns operators' names in C++, with the base names of their headers."""
    found: dict[str, Ident] = {}
    for function in program.functions:
        base, name = names.base(function), str(function.name.name)
        if function.namespace != DEFAULT_NAMESPACE:
            name = f"{function.namespace}::{name}"
        for suffix in ("", "_symint", "_out", "_outf"):
            found.setdefault(name + suffix, base)
    return found


def headers(formulas: Iterable[str], known: Mapping[str, Ident]) -> set[Ident]:
    """Returns the headers of operators that formulas call as functions; Tensor has its methods anyway."""
    calls = {name for formula in formulas for name, is_method in called(formula) if not is_method}
    return {known[name] for name in calls if name in known}


class Headers:
    """The headers of hand-written formulas, as they are included. A subject's header is needed where one of
    its functions is called. All others, including the user's, are always included, as they may have more than
    functions.
    """

    def __init__(self, sources: Iterable[Source]):
        self._always: list[Path] = []
        self._of: dict[str, Path] = {}
        for source in sources:
            if not source.path.startswith("include/") or not source.path.endswith(HEADERS):
                continue
            header = Path(source.path.split("/", 2)[2])
            if _OF_SUBJECT.fullmatch(header):
                self._of.update((m.decode(), header) for m in _DECLARED.findall(source.content))
            else:
                self._always.append(header)

    def needed(self, formulas: Iterable[str]) -> tuple[Path, ...]:
        return tuple(sorted({*self._always, *self._called(formulas)}))

    def subject(self, formulas: Iterable[str]) -> str:
        """Returns the subject whose functions the formulas call: the first one of several, "" for none."""
        found = self._called(formulas)
        return PurePosixPath(min(found)).parent.name if found else ""

    def _called(self, formulas: Iterable[str]) -> set[Path]:
        calls = {name for formula in formulas for name, is_method in called(formula) if not is_method}
        return {self._of[name] for name in calls if name in self._of}


class Calls:
    """The functions that a program's formulas call, by the base names of the operators that they are for."""

    def __init__(self, program: Program, sources: Iterable[Source]):
        self._known = operator_names(program)
        self._names: dict[str, set[str]] = {}
        self._symbols = _symbols(sources)
        self._inline = _inline_functions(sources)
        for function in program.functions:
            of = program.derivatives.of if program.derivatives is not None else {}
            derivation = of.get(function.qualified_name)
            if derivation is not None:
                mine = self._names.setdefault(names.base(function), set())
                for formulas in derivation.entry.formulas.values():
                    mine.update(name for one in formulas for name in self._called(one.text))

    def names(self, bases: Iterable[str]) -> frozenset[str]:
        return frozenset(name for base in bases for name in self._names.get(base, ()))

    def operators(self, bases: Iterable[str]) -> frozenset[str]:
        """Returns the base names of the operators that formulas of `bases` call."""
        return frozenset(self._known[name] for name in self.names(bases) if name in self._known)

    def behind_symbols(self, code: str) -> frozenset[str]:
        """Returns the base names of the operators behind C++'s in `code`, whatever their operands are."""
        return frozenset(self._known[name] for name in self._of_symbols(code) if name in self._known)

    def _called(self, formula: str) -> Iterator[str]:
        for name, _ in called(formula):
            yield name
            yield from self._inline.get(name, ())
        yield from self._of_symbols(formula)

    def _of_symbols(self, code: str) -> Iterator[str]:
        for symbol in dict.fromkeys(_OPERATOR.findall(code)):
            yield from self._symbols.get(symbol, ())


# An operator between two operands or before one, in a formula.
_OPERATOR = re.compile(r"(?<= )[-+*/<>=!&|^]=?(?= )|[-~](?=[\w(])")
_DEFINED = re.compile(
    r"ATEN_\w+_OPERATOR\((?P<symbol>\S+), (?P<names>.*)\)"
    r"|operator(?P<unary>[-~])\(const T& x\)\s[{]\s*(?P<body>.*)"
)
_INLINE = re.compile(r"\binline [^;{}]*?\b(?P<name>\w+)\([^;{}]*\)\s[{](?P<body>[^{}]*)}")


def _inline_functions(sources: Iterable[Source]) -> dict[str, set[str]]:
    """Returns the calls in inline functions that headers of formulas define."""
    found: dict[str, set[str]] = {}
    for source in sources:
        if source.path.endswith(HEADERS):
            for match in _INLINE.finditer(source.content.decode(errors="replace")):
                calls = {name for name, _ in called(match["body"])}
                found.setdefault(match["name"], set()).update(calls)
    return found


def _symbols(sources: Iterable[Source]) -> dict[str, set[str]]:
    """Returns the operators behind C++'s operator symbols, as in the runtime's header."""
    found: dict[str, set[str]] = {}
    for source in sources:
        if source.path.endswith("/ATen/TensorOperators.h"):
            for match in _DEFINED.finditer(source.content.decode()):
                calls = re.findall(r"\w+", match["names"] or match["body"])
                found.setdefault(match["symbol"] or match["unary"], set()).update(calls)
    return found
