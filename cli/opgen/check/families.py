"""The forms of one operation together: each kind once, none missing, and what autogen makes of them."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, Span, did_you_mean
from opgen.expand.autogen import can_generate
from opgen.model import Function, Kind, Program
from opgen.model.program import Family

_EXPLICIT = "  dispatch:\n    CompositeExplicitAutograd: f\n"

SAME_SIGNATURE = Rule(
    "OPG701",
    "same-signature",
    Severity.error,
    "Two overloads of a kind differ in what they take or return.",
    ex.func("f(Tensor self) -> Tensor", "f.other(Tensor self) -> Tensor"),
    ex.func("f(Tensor self) -> Tensor", "f.other(Tensor self, int n) -> Tensor"),
)
NO_FUNCTIONAL = Rule(
    "OPG702",
    "functional-form-missing",
    Severity.error,
    "An operation with an in-place and an out form has a functional one.",
    ex.F_ + ex.F_OUT,
    ex.F + ex.F_ + ex.F_OUT,
)
UNLIKE_FORM = Rule(
    "OPG703",
    "unlike-form",
    Severity.warning,
    "The in-place and out forms of an operation take the same arguments as the functional one.",
    ex.F + ex.func("f_(Tensor(a!) self, int n) -> Tensor(a!)"),
    ex.F + ex.F_,
)
OUT_ALONE = Rule(
    "OPG704",
    "out-form-alone",
    Severity.warning,
    "An out form with kernels of its own has a functional form, which Python calls without 'out'.",
    ex.F_OUT + "  dispatch:\n    CPU: f_out\n",
    ex.F_OUT + "  dispatch:\n    CPU: f_out\n" + ex.F,
)
FORM_RULES = (SAME_SIGNATURE, NO_FUNCTIONAL, UNLIKE_FORM, OUT_ALONE)

AUTOGEN_WRONG = Rule(
    "OPG710",
    "autogen-wrong",
    Severity.error,
    "autogen names exactly the forms that will be made.",
    ex.F + _EXPLICIT + "  autogen: g.out\n",
    ex.F + _EXPLICIT + "  autogen: f.out\n",
)
AUTOGEN_NOTHING = Rule(
    "OPG711",
    "autogen-without-effect",
    Severity.warning,
    "Nothing is made for views, for manual bindings, and for operations that are only implicit composites.",
    ex.F + "  autogen: f.out\n",
    ex.F + _EXPLICIT + "  autogen: f.out\n",
)
AUTOGEN_RULES = (AUTOGEN_WRONG, AUTOGEN_NOTHING)


# PyTorch's exceptions, whose functional forms have other names or arguments.
_ALONE_IN_PYTORCH = frozenset({"adaptive_avg_pool3d_backward.grad_input", "_slow_conv2d_backward.grad_input"})


def forms(program: Program) -> Iterator[Diagnostic]:
    by_root: dict[tuple[str, str], list[Function]] = {}
    for function in program.functions:
        by_root.setdefault((function.namespace, function.root_name), []).append(function)
    for family in program.families:
        functions = [f for f in family.functions if not f.is_generated]
        if len(functions) > 1:
            yield from _kinds(family)
        elif functions[0].kind in (Kind.inplace, Kind.out) and not functions[0].part_of_structured_group:
            function = functions[0]
            relatives = by_root[function.namespace, function.root_name]
            yield from list(_unlike(function, relatives)) or _alone(function, relatives)


def _kinds(family: Family) -> Iterator[Diagnostic]:
    forms = family.by_kind()
    names: set[str] = set()
    for function in family.functions:
        first = forms[function.kind]
        # Another rule reports two operators of the same name.
        if first is not function and str(function.name) not in names and first.name != function.name:
            related = (Related(first.span, "the other one"),)
            message = f"'{function.name}' takes and returns the same as '{first.name}'"
            yield SAME_SIGNATURE.at(function.span, message, related=related)
        names.add(str(function.name))
    if Kind.functional not in forms and len(forms) > 1 and Kind.out in forms:
        function = family.functions[0]
        if _is_elsewhere(function):
            return
        yield NO_FUNCTIONAL.at(function.span, f"'{function.name}' has no functional form")


def _alone(function: Function, relatives: list[Function]) -> Iterator[Diagnostic]:
    if not may_not_be_alone(function):
        return
    twin = next(_functional_forms(function, relatives), None)
    if twin is not None:
        message = (
            f"'{function.name}' does not take the arguments of '{twin.name}' by their names, in their order"
        )
        related = (Related(twin.span, "the functional form"),)
        yield OUT_ALONE.at(function.span, message, "write them as they are there", related)
    else:
        message = f"'{function.name}' is an out form of no operator, which torchgen refuses"
        help = f"declare '{function.root_name}' with the same arguments, without 'out'"
        yield OUT_ALONE.at(function.span, message, help)


def may_not_be_alone(function: Function) -> bool:
    """Whether torchgen refuses the out form where no other form has its arguments."""
    implicit = function.has_kernel("CompositeImplicitAutograd") and "core" not in function.tags
    excepted = implicit or function.manual_cpp_binding or str(function.name) in _ALONE_IN_PYTORCH
    return function.kind is Kind.out and not excepted and not _is_elsewhere(function)


def _is_elsewhere(function: Function) -> bool:
    """Whether the entry gives kernels to an operator whose other forms may stand in another file."""
    places = function.places
    return places is not None and (places.has("kernels") or not places.has("func"))


def _unlike(function: Function, relatives: list[Function]) -> Iterator[Diagnostic]:
    """Yields a fault where a functional form with the expected name has other arguments."""
    for other in _functional_forms(function, relatives):
        if argument_types(other) != argument_types(function):
            related = (Related(other.span, "the functional form"),)
            message = f"'{function.name}' does not take the same arguments as '{other.name}'"
            yield UNLIKE_FORM.at(function.span, message, related=related)


def _functional_forms(function: Function, relatives: list[Function]) -> Iterator[Function]:
    """Yields operators with the name that the functional form should have."""
    wanted = functional_overloads(function)
    for other in relatives:
        same_name = other.name.overload in wanted and other.name.name.dunder == function.name.name.dunder
        if other.kind is Kind.functional and same_name:
            yield other


def functional_overloads(function: Function) -> set[str]:
    """Returns the overload names that the functional form of an in-place or out form may have."""
    overload = function.name.overload
    if function.kind is not Kind.out:
        return {overload}
    return {overload.removesuffix("_out"), overload.removesuffix("out"), overload.removesuffix("_out_")}


def argument_types(function: Function) -> list[str]:
    """Returns the argument types, sorted, without the names."""
    arguments = function.schema.arguments
    options = arguments.options.all() if arguments.options is not None else ()
    return sorted(str(a.type) for a in arguments.non_out if a not in options)


def autogen(program: Program) -> Iterator[Diagnostic]:
    for family in program.families:
        listed = [f for f in family.functions if f.autogen]
        generated = {str(f.name) for f in family.functions if f.is_generated}
        if not listed and not generated:
            continue
        if not generated and not can_generate(family):
            for function in listed:
                yield from _without_effect(function)
            continue
        wanted = {str(name) for f in listed for name in f.autogen}
        for function in listed:
            for name in function.autogen:
                if str(name) not in generated:
                    help = f"what will be made is '{', '.join(sorted(generated))}'" if generated else None
                    message = f"'{name}' will not be made"
                    yield AUTOGEN_WRONG.at(_name_span(function, str(name)), message, help)
        # Another rule reports forms that exist already.
        missing = sorted(n for n in generated - wanted if program.function(n) in family.functions)
        if missing and wanted <= generated:
            function = (listed or family.functions)[0]
            message = f"'{', '.join(missing)}' will be made, but autogen does not name it"
            yield AUTOGEN_WRONG.at(places.field(function, "autogen"), message)


def _name_span(function: Function, name: str) -> Span:
    text = getattr(function.places, "fields", {})["autogen"].value
    start = text.find(name)
    return places.inside(function, (start, start + len(name)), "autogen")


def _without_effect(function: Function) -> Iterator[Diagnostic]:
    root = function.root_name
    for name in function.autogen:
        if name.name.base != root:
            help = did_you_mean(name.name.base, [root])
            message = f"'{name}' is no form of '{function.name}'"
            yield AUTOGEN_WRONG.at(_name_span(function, str(name)), message, help)
        else:
            yield AUTOGEN_NOTHING.at(_name_span(function, str(name)), f"'{name}' will not be made")
