"""Writes, returns and aliasing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from opgen.check import examples as ex
from opgen.check import fixes, places, written_to
from opgen.check.partial_words import has_word
from opgen.diagnostics import Diagnostic, Rule, Severity
from opgen.model import TENSOR, Alias, Argument, Function, Kind, ListType, Program, Return
from opgen.model.names import FUNCTIONAL_SUFFIX
from opgen.model.schema import SCRATCH_PREFIX

IN_PLACE_SELF = Rule(
    "OPG401",
    "in-place-self",
    Severity.error,
    "An in-place operator (its name ends in '_') writes to 'self'.",
    ex.func("f_(Tensor self) -> Tensor(a!)"),
    ex.F_,
)
IN_PLACE_RETURN = Rule(
    "OPG402",
    "in-place-return",
    Severity.error,
    "An in-place operator returns 'self' and nothing else; nothing if that is a list.",
    ex.func("f_(Tensor(a!) self) -> Tensor"),
    ex.F_,
    fixable=True,
)
IN_PLACE_OUT = Rule(
    "OPG403",
    "in-place-and-out",
    Severity.error,
    "An in-place operator has no out arguments.",
    ex.func("f_(Tensor(a!) self, *, Tensor(b!) out) -> Tensor(a!)"),
    ex.F_,
)
FUNCTIONAL_OVERLOAD = Rule(
    "OPG404",
    "functional-overload",
    Severity.error,
    "Only functional operators have 'functional' in their overload name.",
    ex.func("f_.functional(Tensor(a!) self) -> Tensor(a!)"),
    ex.F_,
)
DUNDER_FUNCTIONAL = Rule(
    "OPG405",
    "functional-suffix",
    Severity.error,
    "Only functional operators have names that end in '_functional' (or '_functional_').",
    ex.func("f_functional(Tensor self, Tensor(a!) x) -> ()"),
    ex.func("f_functional(Tensor self) -> Tensor"),
)
IN_PLACE_RULES = (IN_PLACE_SELF, IN_PLACE_RETURN, IN_PLACE_OUT, FUNCTIONAL_OVERLOAD, DUNDER_FUNCTIONAL)

OUT_RETURN = Rule(
    "OPG410",
    "out-return",
    Severity.error,
    "An out operator returns its out tensors, each by its own annotation, in order.",
    ex.F + ex.func("f.out(Tensor self, *, Tensor(a!) out) -> Tensor"),
    ex.F + ex.F_OUT,
    fixable=True,
)
OUT_RETURN_COUNT = Rule(
    "OPG411",
    "out-return-count",
    Severity.error,
    "An out operator returns as many tensors as it has out tensors; none when one of these is a list.",
    ex.F + ex.func("f.out(Tensor self, *, Tensor(a!) out) -> ()"),
    ex.F + ex.F_OUT,
)
OUT_DEFAULT = Rule(
    "OPG412",
    "out-default",
    Severity.error,
    "An out argument has no default.",
    ex.F + ex.func("f.out(Tensor self, *, Tensor(a!) out=[]) -> Tensor(a!)"),
    ex.F + ex.F_OUT,
    fixable=True,
)
OUT_CONST_REF = Rule(
    "OPG413",
    "out-const-ref",
    Severity.error,
    "use_const_ref_for_mutable_tensors is not for out operators.",
    ex.F + ex.F_OUT + "  use_const_ref_for_mutable_tensors: True\n",
    ex.F_ + "  use_const_ref_for_mutable_tensors: True\n",
    fixable=True,
)
OUT_RULES = (OUT_RETURN, OUT_RETURN_COUNT, OUT_DEFAULT, OUT_CONST_REF)

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


def in_place(function: Function, program: Program) -> Iterator[Diagnostic]:
    schema, name = function.schema, function.name
    named = "functional" in name.overload and has_word(name.overload, ("functional",))
    if named and function.kind is not Kind.functional:
        message = f"the overload name says 'functional', but the operator is {function.kind.value}"
        yield FUNCTIONAL_OVERLOAD.at(places.overload(function), message)
    says_so = name.name.functional or (name.name.inplace and name.name.base.endswith(FUNCTIONAL_SUFFIX))
    if says_so and function.kind not in (Kind.functional, Kind.out):
        message = f"the name says 'functional', but the operator is {function.kind.value}"
        yield DUNDER_FUNCTIONAL.at(places.name(function), message)
    if not name.name.inplace:
        return
    self_arg = schema.arguments.self_arg
    if schema.arguments.out:
        where = places.argument(function, schema.arguments.out[0].name)
        yield IN_PLACE_OUT.at(where, "an in-place operator has no out arguments")
    if self_arg is None or not self_arg.is_write:
        where = places.name(function) if self_arg is None else places.argument(function, "self")
        first = self_arg or next((a for a in schema.arguments.all if a.type.is_tensor_like()), None)
        written = first and written_to.argument(function, first if self_arg else replace(first, name="self"))
        help = None if written is None else f"write {written}"
        yield IN_PLACE_SELF.at(where, "an in-place operator must write to 'self'", help)
    elif self_arg.type != TENSOR:
        if schema.returns:
            message = f"an in-place operator on {self_arg.type} returns nothing"
            yield IN_PLACE_RETURN.at(places.returns(function), message, "write ()")
    elif (len(schema.returns) != 1 or schema.returns[0].alias != self_arg.alias) and not _mixed(function):
        help, fix = written_to.returned(function, 0, self_arg)
        message = "an in-place operator must return 'self'"
        yield IN_PLACE_RETURN.at(places.returns(function), message, help, fix=fix)


def out(function: Function, program: Program) -> Iterator[Diagnostic]:
    outs = function.schema.arguments.out
    if not outs:
        return
    for a in outs:
        if a.default is not None:
            where = places.argument(function, a.name, "default")
            fix = fixes.without_default(function, a.name)
            yield OUT_DEFAULT.at(where, f"the out argument '{a.name}' cannot have a default", fix=fix)
    if function.use_const_ref_for_mutable_tensors:
        where = places.field(function, "use_const_ref_for_mutable_tensors")
        fix = fixes.without_field(function, "use_const_ref_for_mutable_tensors")
        yield OUT_CONST_REF.at(where, "this is not for out operators", "delete it", fix=fix)
    if function.name.name.inplace:
        return
    returns = function.schema.returns
    expected = [a for a in outs if not a.name.startswith(SCRATCH_PREFIX)]
    if any(a.type != TENSOR for a in outs):
        if returns and any(r.type.is_tensor_like() for r in returns):
            message = "an out operator whose out arguments are not all plain tensors returns none of them"
            yield OUT_RETURN_COUNT.at(places.returns(function), message, "write ()")
        return
    if len(returns) != len(expected):
        message = f"expected {len(expected)} returns, one for each out tensor, found {len(returns)}"
        yield OUT_RETURN_COUNT.at(places.returns(function), message)
        return
    for i, (a, r) in enumerate(zip(expected, returns, strict=True)):
        if r.alias != a.alias:
            message = f"return {i + 1} must be the out argument '{a.name}'"
            help, fix = written_to.returned(function, i, a)
            yield OUT_RETURN.at(places.returned(function, i), message, help, fix=fix)


def _mixed(function: Function) -> bool:
    written = [r.is_write for r in function.schema.returns]
    return any(written) and not all(written)


def returns(function: Function, program: Program) -> Iterator[Diagnostic]:
    arguments, returned = function.schema.arguments, function.schema.returns
    if _mixed(function):
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
    elif not (r.is_write or function.name.name.inplace or arguments.out or _mixed(function)):
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
