"""The checks of a checks file, against the operators they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opgen.diagnostics import Diagnostic, Rule, Severity, did_you_mean
from opgen.model import Argument, Function, Program
from opgen.model.checks import COMPARISONS, INTS, MAY_BE, NUMBERS, UNDEFINED, Check, RangeKind, Subject
from opgen.model.types import Base, Type
from opgen.parse.checks import CHECKS_PART

_F = "- func: f(Tensor self, int n) -> Tensor\n  dispatch:\n    CPU: f\n"


def _example(ops: str, condition: str) -> str:
    return f"{_F}{CHECKS_PART}- ops: [{ops}]\n  checks:\n  - {condition}\n"


UNKNOWN_OPERATOR = Rule(
    "OPG850",
    "check-unknown-operator",
    Severity.error,
    "Checks are of operators that are declared.",
    _example("g", "n > 0"),
    _example("f", "n > 0"),
)
UNKNOWN_ARGUMENT = Rule(
    "OPG851",
    "check-unknown-argument",
    Severity.error,
    "A condition is about arguments of the operators.",
    _example("f", "m > 0"),
    _example("f", "n > 0"),
    ignorable=False,
)
WRONG_TYPE = Rule(
    "OPG852",
    "check-wrong-type",
    Severity.error,
    "Numbers are compared with numbers; dim(), dtype() and values() are of a tensor, len() of a list.",
    _example("f", "self > 0"),
    _example("f", "dim(self) > 0"),
    ignorable=False,
)
TWICE = Rule(
    "OPG853",
    "check-twice",
    Severity.error,
    "A condition is asked of an operator once.",
    f"{_F}{CHECKS_PART}- ops: [f, f]\n  checks:\n  - n > 0\n",
    _example("f", "n > 0"),
)
RULES = (UNKNOWN_OPERATOR, UNKNOWN_ARGUMENT, WRONG_TYPE, TWICE)


def check(program: Program) -> Iterator[Diagnostic]:
    if program.checks is None:
        return
    seen: set[tuple[str, str]] = set()
    for entry in program.checks.entries:
        for name, span in (*entry.ops, *([entry.by] if entry.by else [])):
            if program.function(name) is None and name.partition(".")[0].rstrip("_") not in program.faulty:
                help = did_you_mean(name, program.by_name)
                yield UNKNOWN_OPERATOR.at(span, f"there is no operator '{name}'", help)
        for name, span in entry.ops:
            function = program.function(name)
            if function is None:
                continue
            for condition in entry.checks:
                if (name, str(condition)) in seen:
                    yield TWICE.at(span, f"'{condition}' is asked of '{name}' twice")
                    continue
                seen.add((name, str(condition)))
                yield from _of_function(condition, function)


def _of_function(condition: Check, function: Function) -> Iterator[Diagnostic]:
    arguments = {a.name: a for a in function.schema.arguments.all}
    unknown = [name for name in condition.names if name not in arguments]
    assert condition.span is not None
    for name in unknown:
        message = f"'{function.qualified_name}' has no argument '{name}'"
        yield UNKNOWN_ARGUMENT.at(condition.span, message, did_you_mean(name, arguments))
    if unknown:
        return
    wanted = _wanted(condition, arguments)
    if wanted is not None:
        message = f"'{condition}' of '{function.qualified_name}': {wanted}"
        yield WRONG_TYPE.at(condition.span, message)


def _wanted(condition: Check, arguments: dict[str, Argument]) -> str | None:
    """Returns what an argument must be but isn't; None if it is."""
    argument = arguments[condition.argument]
    if condition.subject is Subject.value and UNDEFINED not in condition.words:
        if not _is_of(argument.type, NUMBERS if condition.relation in COMPARISONS else INTS):
            return f"'{argument.name}' is no number, but {argument.type}"
    elif condition.subject is Subject.length:
        if argument.type.as_list() is None:
            return f"'{argument.name}' is no list, but {argument.type}"
    elif not argument.type.is_tensor_like() or (
        argument.type.as_list() is not None and condition.relation != MAY_BE
    ):
        return f"'{argument.name}' is no tensor, but {argument.type}"
    return None if condition.range is None else _of_range(condition, arguments)


def _of_range(condition: Check, arguments: dict[str, Argument]) -> str | None:
    found = condition.range
    assert found is not None
    of = arguments[found.of].type
    if found.kind is RangeKind.product:
        return None if of.as_list() and _is_of(of, INTS) else f"'{found.of}' is no list of ints, but {of}"
    if not of.is_tensor_like():
        return f"'{found.of}' is no tensor, but {of}"
    if found.kind is RangeKind.size and isinstance(found.dim, str):
        dim = arguments[found.dim]
        if not _is_of(dim.type, INTS) or dim.type.as_list() is not None:
            return f"'{found.dim}' is no int, but {dim.type}"
    return None


def _is_of(kind: Type, bases: Iterable[Base]) -> bool:
    return any(kind.is_like(base) for base in bases)
