"""What in-place and out operators write to and return."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from opgen.check import examples as ex
from opgen.check import fixes, places, written_to
from opgen.check.partial_words import has_word
from opgen.check.returned_aliases import mixed
from opgen.diagnostics import Diagnostic, Rule, Severity
from opgen.model import TENSOR, Function, Kind, Program
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
    elif (len(schema.returns) != 1 or schema.returns[0].alias != self_arg.alias) and not mixed(function):
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
