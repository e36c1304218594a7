"""The entries of a docs file, against the operators they name."""

from __future__ import annotations

import re
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
UNKNOWN_ARGUMENT = Rule(
    "OPG863",
    "docs-unknown-argument",
    Severity.error,
    "'args' is about arguments of the operator, of any of its overloads, by their names in Python: 'input' is"
    " 'self', 'out' are all outputs that are passed.",
    f"{_F}{DOCS_PART}{_SAID}  args:\n    input: (N), real\n    inputs: (N), real\n",
    f"{_F}{DOCS_PART}{_SAID}  args:\n    input: (N), real\n",
)
SHAPE = Rule(
    "OPG864",
    "docs-shape",
    Severity.warning,
    "Where an entry has 'args', it says the shape of each tensor: the text begins with it, as in '(N, C, L)',"
    " '()' or '(...)', the last for any shape.",
    f"{_F}{DOCS_PART}{_SAID}  args:\n    input: the numbers\n",
    f"{_F}{DOCS_PART}{_SAID}  args:\n    input: (...), the numbers\n",
)
RESULTS = Rule(
    "OPG865",
    "docs-results",
    Severity.error,
    "A list of texts in 'returns' has one for each result of the operator, or of one of its overloads.",
    f"{_F}{DOCS_PART}{_SAID}  returns: [the result, its sign]\n",
    f"{_F}{DOCS_PART}{_SAID}  returns: [the result]\n",
)
RULES = (UNKNOWN_OPERATOR, TWICE, MISSING, UNKNOWN_ARGUMENT, SHAPE, RESULTS)

_SHAPE = re.compile(r"(each )?\([^()]*(\([^()]*\)[^()]*)*\)")


def check(program: Program) -> Iterator[Diagnostic]:
    if program.docs is None:
        return
    entries = program.docs.entries
    yield from _names(entries, program)
    yield from _details(entries, program)
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


def _details(entries: Iterable[Doc], program: Program) -> Iterator[Diagnostic]:
    detailed = {entry.name: entry for entry in entries if entry.has_details}
    forms: dict[str, list[Function]] = {}
    for function in program.functions if detailed else ():
        if function.qualified_root_name in detailed:
            forms.setdefault(function.qualified_root_name, []).append(function)
    for entry in detailed.values():
        if entry.name in forms and entry.name.rpartition("::")[2] not in program.faulty:
            yield from _arguments(entry, forms[entry.name])
            yield from _results(entry, forms[entry.name])


def _arguments(entry: Doc, forms: Iterable[Function]) -> Iterator[Diagnostic]:
    known: dict[str, bool] = {}  # whether it is a tensor in one of the forms
    for argument in (a for form in forms for a in form.schema.arguments.non_out):
        name = "input" if argument.name == "self" else argument.name
        known[name] = known.get(name, False) or argument.type.is_tensor_like()
    outputs = {"out": False} if any(form.schema.arguments.out for form in forms) else {}
    told = {said.name for said in entry.arguments}
    for said in entry.arguments:
        if said.name not in known and said.name not in outputs:
            similar = did_you_mean(said.name, [*known, *outputs]) or f"it has {', '.join(known) or 'none'}"
            help = "name it 'input', as in Python" if said.name == "self" and "input" in known else similar
            yield UNKNOWN_ARGUMENT.at(said.span, f"'{entry.name}' has no argument '{said.name}'", help)
        elif known.get(said.name) and said.text and not _SHAPE.match(said.text):
            message = (
                f"the text about the tensor '{said.name}' of '{entry.name}' doesn't begin with its shape"
            )
            yield SHAPE.at(said.place, message, _SHAPE_HELP)
    missing = [name for name, is_tensor in known.items() if is_tensor and name not in told]
    if told <= {*known, *outputs} and told and missing:  # else one of them may be misspelled
        message = f"'args' of '{entry.name}' doesn't say the shape of {_listed(missing)}"
        yield SHAPE.at(entry.arguments[0].span, message, f"add '{missing[0]}: SHAPE, and what it is'")


_SHAPE_HELP = "begin with the sizes of its dimensions, as in '(N, C, L)', or with '(...)' for any shape"


def _listed(names: Iterable[str]) -> str:
    return " and ".join(f"'{name}'" for name in names)


def _results(entry: Doc, forms: Iterable[Function]) -> Iterator[Diagnostic]:
    if entry.returns is None or not entry.returns.each:
        return
    counts = sorted({len(form.schema.returns) for form in forms})
    if len(entry.returns.texts) not in counts:
        results = f"{' or '.join(map(str, counts))} result{'' if counts == [1] else 's'}"
        message = f"'returns' has {len(entry.returns.texts)} texts, but '{entry.name}' has {results}"
        yield RESULTS.at(entry.returns.span, message, "write one text for each, or one about all")


def _is_public(function: Function) -> bool:
    return not function.is_generated and not str(function.name).startswith("_") and is_bound(function)
