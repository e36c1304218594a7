"""The entries of a docs file, against the operators they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.api.python_bound import is_bound
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, did_you_mean
from opgen.model import Function, Program
from opgen.model.docs import Doc
from opgen.parse.docs import DOCS_PART

_F = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"
_G = "- func: g(Tensor self) -> Tensor\n  dispatch:\n    CPU: g\n"
_SAID = "- f: Twice each element.\n"

UNKNOWN_OPERATOR = Rule(
    "OPG860",
    "docs-unknown-operator",
    Severity.error,
    "Sentences are about operators that are declared, by the name that all forms and overloads share.",
    f"{_F}{DOCS_PART}{_SAID}- f_: Twice each element, in place.\n",
    f"{_F}{DOCS_PART}{_SAID}",
)
TWICE = Rule(
    "OPG861",
    "docs-twice",
    Severity.error,
    "An operator has one entry in a docs file.",
    f"{_F}{DOCS_PART}{_SAID}{_SAID}",
    f"{_F}{DOCS_PART}{_SAID}",
)
MISSING = Rule(
    "OPG862",
    "docs-missing",
    Severity.warning,
    "Where there is a docs file, it has an entry for each operator that Python users call"
    " (whose name begins with no '_').",
    f"{_F}{_G}{DOCS_PART}{_SAID}",
    f"{_F}{DOCS_PART}{_SAID}",
)
RULES = (UNKNOWN_OPERATOR, TWICE, MISSING)


def check(program: Program) -> Iterator[Diagnostic]:
    if program.docs is None:
        return
    entries = program.docs.entries
    yield from _names(entries, program)
    said = {entry.name for entry in entries}
    for function in program.functions:
        if function.qualified_root_name not in said and _is_public(function):
            said.add(function.qualified_root_name)
            message = f"'{function.qualified_root_name}' has no entry in {program.docs.path}"
            help = f"add '- {function.qualified_root_name}: What it does.'"
            yield MISSING.at(function.span, message, help)


def _names(entries: Iterable[Doc], program: Program) -> Iterator[Diagnostic]:
    known = {function.qualified_root_name for function in program.by_name.values()}
    first: dict[str, Doc] = {}
    for entry in entries:
        if entry.name in first:
            related = (Related(first[entry.name].span, "the first one"),)
            yield TWICE.at(entry.span, f"'{entry.name}' has a second entry", related=related)
            continue
        first[entry.name] = entry
        form = program.by_name.get(entry.name) or program.by_name.get(f"{entry.name}.out")
        if entry.name in known or entry.name.rpartition("::")[2] in program.faulty:
            continue
        help = f"name it '{form.qualified_root_name}'" if form else did_you_mean(entry.name, known)
        yield UNKNOWN_OPERATOR.at(entry.span, f"there is no operator '{entry.name}'", help)


def _is_public(function: Function) -> bool:
    return not function.is_generated and not str(function.name).startswith("_") and is_bound(function)
