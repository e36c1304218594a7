"""Derivatives: each entry against its operator, then its formulas (see the modules beside)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from opgen.check import places
from opgen.check.derivatives import forward, gradients, keys, names, outputs, rules, symints
from opgen.check.derivatives.subject import Subject
from opgen.diagnostics import Diagnostic, Related, Severity, Span, did_you_mean
from opgen.model import Argument, Function, Kind, Program
from opgen.model.derivatives import DEFAULT_KEY, DerivativeEntry, Origin
from opgen.parse import schema_text
from opgen.parse.cursor import Part
from opgen.parse.derivatives.text import words

# The checks of single formulas, and those of them that ask nothing about gradients of results.
FORMULA_CHECKS = (names.check, gradients.check, forward.check, symints.check)
WITHOUT_RESULTS = (names.check, forward.check, symints.check)
MAX_HELP = 20  # suggestions take time; a wrong file would need thousands


def check(program: Program) -> Iterator[Diagnostic]:
    """Yields all faults of the derivatives, entry by entry."""
    derivatives = program.derivatives
    assert derivatives is not None
    sound = {id(f) for f in program.functions}
    functions = {id(entry): function for entry, function in derivatives.declared}
    seen: dict[str, DerivativeEntry] = {}
    unknown = 0
    for entry in derivatives.entries:
        first = seen.setdefault(entry.qualified_name, entry)
        if first is not entry:
            related = (Related(first.span, "first given here"),)
            message = f"'{entry.qualified_name}' has two entries"
            yield rules.TWICE.at(entry.span, message, related=related)
        elif id(entry) not in functions:
            unknown += 1
            yield from _unknown(entry, program, unknown <= MAX_HELP)
        elif id(functions[id(entry)]) in sound and entry.qualified_name not in derivatives.faulty:
            yield from _checked(entry, functions[id(entry)], program)
    yield from _composites(program)
    yield from _foreach(program)


def _checked(entry: DerivativeEntry, function: Function, program: Program) -> Iterator[Diagnostic]:
    found = [*_entry(entry, function)]
    yield from found
    if _failed(found):
        return
    differentiable = [*outputs.check(entry, function)]
    yield from differentiable
    for key, formulas in entry.formulas.items():
        subject = Subject(program, entry, function, key, formulas)
        wrong_keys = {f: [*keys.check(replace(subject, formulas=(f,)))] for f in formulas}
        found = [d for faults in wrong_keys.values() for d in faults]
        yield from found
        if _failed(found):  # what the wrong ones are for is not clear, nor which tangents there are
            sound = tuple(f for f in formulas if not wrong_keys[f] and f.names[0] in subject.arguments)
            subject = replace(subject, formulas=sound)
        found += differentiable
        for apply in FORMULA_CHECKS if not _failed(differentiable) else WITHOUT_RESULTS:
            faults = [*apply(subject)]
            yield from faults
            found += faults
        yield from gradients.compared(subject)
        if not _failed(found):
            yield from forward.missing(subject)


def _failed(found: Iterable[Diagnostic]) -> bool:
    return any(d.severity is Severity.error for d in found)


def _unknown(entry: DerivativeEntry, program: Program, helped: bool) -> Iterator[Diagnostic]:
    if entry.schema.name.name.base in program.faulty:
        return
    help = _meant(entry, program) if helped else None
    yield rules.UNKNOWN_OPERATOR.at(_name(entry), f"no operator '{entry.qualified_name}' is declared", help)


def _meant(entry: DerivativeEntry, program: Program) -> str | None:
    overloads = [
        f.qualified_name
        for f in program.functions
        if f.name.name == entry.schema.name.name and not f.is_generated and not f.schema.is_out()
    ]
    if overloads:
        return f"its overloads are: {', '.join(overloads[:8])}"
    return did_you_mean(entry.qualified_name, program.by_name)


def _name(entry: DerivativeEntry) -> Span:
    return _inside(entry, 0, len(entry.qualified_name))


def _inside(entry: DerivativeEntry, start: int, end: int) -> Span:
    return entry.places.inside(start, end, "name") if entry.places is not None else entry.span


def _entry(entry: DerivativeEntry, function: Function) -> Iterator[Diagnostic]:
    if entry.schema != function.schema:
        yield _difference(entry, function)
    if function.kind is Kind.out:
        message = f"'{entry.qualified_name}' writes to an out argument: it has no derivative"
        yield rules.OUT_FORM.at(_name(entry), message, "give the formulas to its functional form")
    yield from _ambiguous(entry, function)
    if any(not formulas for formulas in entry.formulas.values()) and len(entry.formulas) > 1:
        key = next(key for key, formulas in entry.formulas.items() if not formulas)
        span = entry.places.key("dispatch", key) if entry.places is not None else entry.span
        yield rules.EMPTY.at(span, f"'{key}' holds no formula")
    if DEFAULT_KEY not in entry.formulas and not function.has_kernel("CompositeImplicitAutograd"):
        keys = ", ".join(entry.formulas)
        message = f"'{entry.qualified_name}' has formulas for {keys}, but none under {DEFAULT_KEY}"
        span = entry.places.key("dispatch") if entry.places is not None else entry.span
        yield rules.NO_DEFAULT.at(span, message)


def _ambiguous(entry: DerivativeEntry, function: Function) -> Iterator[Diagnostic]:
    keys = {name for formulas in entry.formulas.values() for f in formulas for name in f.names}
    named = keys.intersection(r.name for r in function.schema.returns)
    for a in function.schema.arguments.all:
        if a.name in {"result", "grad_input_mask", *named}:
            means = {"grad_input_mask": "the flags of the gradients"}.get(a.name, "a result")
            message = f"'{a.name}' is an argument here, but in formulas it means {means}"
            where = places.argument(function, a.name)
            yield rules.AMBIGUOUS.at(
                _name(entry), message, "give the argument another name", (Related(where, "declared here"),)
            )


def _difference(entry: DerivativeEntry, function: Function) -> Diagnostic:
    """Returns the fault of an entry whose schema differs, at the first difference."""
    declared, written = function.schema, entry.schema
    name = getattr(entry.places, "fields", {}).get("name")
    layout = schema_text.layout(str(written) if name is None else name.value)
    related = (Related(places.name(function), "declared here"),)

    def at(span: Span, message: str, help: str | None = None) -> Diagnostic:
        return rules.DIFFERENT_SCHEMA.at(span, message, help, related)

    theirs = {a.name: a for a in declared.arguments.all}
    for ours in written.arguments.all:
        part = layout.arguments[ours.name]
        if ours.name not in theirs:
            help = did_you_mean(ours.name, theirs) or f"its arguments are: {', '.join(theirs)}"
            return at(_inside(entry, *part.name), f"'{written.name}' has no argument '{ours.name}'", help)
        if ours != theirs[ours.name]:
            return at(_argument_part(entry, part, ours, theirs[ours.name]), _unlike(ours, theirs[ours.name]))
    missing = [name for name in theirs if name not in layout.arguments]
    if missing:
        return at(entry.span, f"the argument '{missing[0]}' is missing", f"the declaration is: {declared}")
    if written.arguments != declared.arguments:
        return at(entry.span, "the arguments stand in another order", f"the declaration is: {declared}")
    help = f"the declaration says: {str(declared).rpartition(' -> ')[2]}"
    return at(_inside(entry, *layout.all_returns), "the returns differ from the declaration", help)


def _argument_part(entry: DerivativeEntry, part: Part, ours: Argument, theirs: Argument) -> Span:
    if ours.type != theirs.type or ours.alias != theirs.alias:
        return _inside(entry, part.type[0], max(part.type[1], part.alias[1]))
    return _inside(entry, *(part.default if part.default[0] != part.default[1] else part.whole))


def _unlike(ours: Argument, theirs: Argument) -> str:
    return f"the argument is '{ours}' here, but it is declared as '{theirs}'"


def _composites(program: Program) -> Iterator[Diagnostic]:
    """Yields faults of functions that would get formulas but are composite-implicit only."""
    derivatives = program.derivatives
    assert derivatives is not None
    sound = {id(f) for f in program.functions}
    for name, derivation in derivatives.of.items():
        function, entry = derivation.function, derivation.entry
        if function.is_abstract or id(function) not in sound or entry.qualified_name in derivatives.faulty:
            continue
        given = [f for formulas in entry.formulas.values() for f in formulas]
        if not any(
            not f.is_non_differentiable and _is_backward(f.names[0], derivation.written) for f in given
        ):
            continue
        whose = (
            "it" if derivation.origin is Origin.own else f"'{entry.qualified_name}', whose formulas it takes,"
        )
        message = f"'{name}' is an implicit composite, but {whose} has a derivative"
        related = (Related(places.name(function), "declared here, without kernels of its own"),)
        help = "name its kernels in a dispatch section, or remove the formulas"
        yield rules.COMPOSITE.at(_name(entry), message, help, related)


def _foreach(program: Program) -> Iterator[Diagnostic]:
    """Yields formulas that name what there is not where they are computed for each tensor of a list."""
    derivatives = program.derivatives
    assert derivatives is not None
    seen: set[str] = set()
    for name, derivation in derivatives.of.items():
        entry, written = derivation.entry, derivation.written
        if derivation.origin is not Origin.foreach or entry.qualified_name in derivatives.faulty | seen:
            continue
        seen.add(entry.qualified_name)
        subject = Subject(program, entry, written, DEFAULT_KEY, entry.formulas[DEFAULT_KEY])
        unknown = {"grads", *subject.named_gradients, *subject.results} - {"result", *subject.arguments}
        for formula in subject.backward:
            used = sorted(unknown.intersection(words(formula.text)))
            if used:
                message = f"'{name}' takes this formula for each tensor, but has no '{used[0]}'"
                related = (Related(places.name(derivation.function), "declared here"),)
                help = f"give '{name}' formulas of its own, or write 'result' and 'grad'"
                yield rules.FOREACH_RESULT.at(subject.whole(formula), message, help, related)


def _is_backward(name: str, function: Function) -> bool:
    return any(a.name == name for a in function.schema.arguments.all)
