"""Returns and their alias sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Rule, Severity
from opgen.model import TENSOR, Alias, Argument, Function, ListType, Program, Return

RETURN_MIXED = Rule(
    "OPG420",
    "mixed-returns",
    Severity.error,
    "Either all returns are written-to arguments, or none is.",
    ex.func("f_(Tensor(a!) self) -> (Tensor(a!), Tensor)"),
    ex.F_,
)
RETURN_WRITTEN = Rule(
    "OPG421",
    "written-return",
    Severity.error,
    "A return that is written to is 'self' or an out argument (which is keyword-only), with the same"
    " annotation.",
    ex.func("f(Tensor(a) self) -> Tensor(a!)"),
    ex.func("f(Tensor(a) self) -> Tensor(a)"),
)
RETURN_POSITIONAL = Rule(
    "OPG422",
    "mutable-returned",
    Severity.error,
    "A positional argument that is written to is not returned, but for a plain tensor 'self'.",
    ex.func("f(Tensor self, Tensor(a!) x) -> Tensor(a!)"),
    ex.func("f(Tensor self, Tensor(a!) x) -> Tensor"),
)
RETURN_UNKNOWN_SET = Rule(
    "OPG423",
    "unknown-alias-set",
    Severity.error,
    "A return aliases sets that arguments are in.",
    ex.func("f(Tensor(a) self) -> Tensor(b)"),
    ex.func("f(Tensor(a) self) -> Tensor(a)"),
)
UNUSED_SET = Rule(
    "OPG424",
    "unused-alias-set",
    Severity.warning,
    "An argument's read-only alias set says something only when a return is in it.",
    ex.func("f(Tensor(a) self) -> Tensor"),
    ex.func("f(Tensor(a) self) -> Tensor(a)"),
)
SHARED_WRITE = Rule(
    "OPG425",
    "shared-written-set",
    Severity.error,
    "Each argument that is written to has an alias set of its own.",
    ex.func("f(Tensor self, Tensor(a!) x, Tensor(a!) y) -> ()"),
    ex.func("f(Tensor self, Tensor(a!) x, Tensor(b!) y) -> ()"),
)
RETURN_OF_WRITTEN = Rule(
    "OPG426",
    "written-set-returned",
    Severity.warning,
    "A return in the alias set of an argument that is written to is that argument, and says so.",
    ex.func("f(Tensor(a!) self) -> Tensor(a)"),
    ex.func("f(Tensor(a!) self) -> Tensor(a!)"),
)
RETURN_RULES = (
    *(RETURN_MIXED, RETURN_WRITTEN, RETURN_POSITIONAL, RETURN_UNKNOWN_SET),
    *(UNUSED_SET, SHARED_WRITE, RETURN_OF_WRITTEN),
)


def mixed(function: Function) -> bool:
    """Whether some returns are written-to arguments, and others are not."""
    written = [r.is_write for r in function.schema.returns]
    return any(written) and not all(written)


def returns(function: Function, program: Program) -> Iterator[Diagnostic]:
    arguments, returned = function.schema.arguments, function.schema.returns
    if mixed(function):
        fresh = next(i for i, r in enumerate(returned) if not r.is_write)
        message = "some returns are written-to arguments, so this one must be one, too"
        yield RETURN_MIXED.at(places.returned(function, fresh), message)
    aliased = [(i, r, r.alias) for i, r in enumerate(returned) if r.alias is not None]
    annotated = [(a, a.alias) for a in arguments.all if a.alias is not None]
    if _self_unwritten(function):  # in_place() reports it; its annotation and the returns' follow from it
        aliased, annotated = [], [(a, alias) for a, alias in annotated if a is not arguments.self_arg]
    for i, r, alias in aliased:
        yield from _aliased(function, i, r, alias)
    shared = {letter for r in returned if r.alias for letter in r.alias.set}
    yield from _alias_sets(function, annotated, shared)


def _self_unwritten(function: Function) -> bool:
    self_arg = function.schema.arguments.self_arg
    return function.name.name.inplace and not (self_arg is not None and self_arg.is_write)


def _aliased(function: Function, i: int, r: Return, alias: Alias) -> Iterator[Diagnostic]:
    arguments = function.schema.arguments
    own = [*arguments.out, *([] if arguments.self_arg is None else [arguments.self_arg])]
    known = {letter for a in arguments.all if a.alias for letter in (*a.alias.set, *a.alias.after)}
    self_arg = arguments.self_arg
    if any(alias == a.alias for a in arguments.post_self if a.is_write):
        message = "a positional argument that is written to cannot be returned"
        help = "make it keyword-only, or return nothing"
        yield RETURN_POSITIONAL.at(places.returned(function, i), message, help)
    elif _is_written_list(self_arg) and alias == self_arg.alias and not function.name.name.inplace:
        message = "a list that is written to cannot be returned"
        help = "return nothing"
        yield RETURN_POSITIONAL.at(places.returned(function, i), message, help)
    elif r.is_write and not any(alias == a.alias for a in own):
        message = f"no 'self' or out argument has the annotation ({alias})"
        yield RETURN_WRITTEN.at(places.returned(function, i, "alias"), message)
    elif not known.issuperset(alias.set):
        message = f"no argument is in the alias set {'|'.join(alias.set)}"
        yield RETURN_UNKNOWN_SET.at(places.returned(function, i, "alias"), message)
    elif not (r.is_write or function.name.name.inplace or arguments.out or mixed(function)):
        yield from _of_written(function, i, r, alias)


def _is_written_list(a: Argument | None) -> TypeGuard[Argument]:
    return a is not None and a.is_write and isinstance(a.type, ListType)


def _of_written(function: Function, i: int, r: Return, alias: Alias) -> Iterator[Diagnostic]:
    """A return that is not written to, in the set of an argument that is."""
    for a in function.schema.arguments.all:
        if a.alias is not None and a.is_write and set(alias.set).intersection(a.alias.set):
            itself = a.name == "self" and a.type == r.type == TENSOR and len(function.schema.returns) == 1
            same = f"write Tensor({a.alias})" if itself else "leave it out"
            yield RETURN_OF_WRITTEN.at(
                places.returned(function, i),
                f"the return is in the alias set of '{a.name}', which is written to, but lacks the '!'",
                f"{same} if it is '{a.name}' itself, or write {r.type} if it is a fresh tensor",
            )
            return


def _alias_sets(
    function: Function, annotated: list[tuple[Argument, Alias]], returned: set[str]
) -> Iterator[Diagnostic]:
    written: dict[str, str] = {}
    for a, alias in annotated:
        if a.is_write:
            first = written.setdefault(alias.set[0], a.name)
            if first != a.name:
                message = f"'{first}' and '{a.name}' are written to, but share the alias set {alias.set[0]}"
                yield SHARED_WRITE.at(places.argument(function, a.name, "alias"), message)
        elif not alias.after and "*" not in alias.set and not returned.intersection(alias.set):
            message = f"no return is in the alias set {'|'.join(alias.set)}"
            yield UNUSED_SET.at(places.argument(function, a.name, "alias"), message)
