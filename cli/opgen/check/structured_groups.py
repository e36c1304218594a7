"""Structured operators as a group: one out form with the kernel, and the forms that delegate to it."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.check.structured import rule
from opgen.diagnostics import Diagnostic, Related, Rule, Severity, did_you_mean
from opgen.expand import signature
from opgen.model import TENSOR, Function, Kind, Program

_LIST_OUT = (
    ex.func("f(Tensor self) -> Tensor[]")
    + "  structured_delegate: f.out\n"
    + ex.func("f.out(Tensor self, *, Tensor(a!)[] out) -> ()")
    + "  structured: True\n"
    + ex.KERNELS
)

DELEGATE_MISSING = rule(
    "OPG610",
    "delegate-missing",
    "The function that is delegated to exists.",
    ex.F + "  structured_delegate: f.outt\n",
)
DELEGATE_UNSTRUCTURED = rule(
    "OPG611",
    "delegate-unstructured",
    "The function that is delegated to has 'structured: True'.",
    ex.STRUCTURED.replace("  structured: True\n", ""),
)
DELEGATE_SIGNATURE = rule(
    "OPG612",
    "delegate-signature",
    "A function and its delegate take the same arguments, out ones apart.",
    ex.STRUCTURED.replace("self, *", "self, int n, *"),
)
DELEGATE_RULES = (DELEGATE_MISSING, DELEGATE_UNSTRUCTURED, DELEGATE_SIGNATURE)

NOT_DELEGATING = rule(
    "OPG620",
    "form-not-delegating",
    "All forms of a structured operator delegate to its out form.",
    ex.STRUCTURED.replace("  structured_delegate: f.out\n", ""),
)
NO_FUNCTIONAL = rule(
    "OPG621",
    "structured-without-functional",
    "A structured out form has a functional form that delegates to it.",
    ex.F_OUT + "  structured: True\n" + ex.KERNELS,
)
COMPOSITE = rule(
    "OPG622",
    "structured-composite",
    "A structured operator has no implicit composite kernel.",
    ex.STRUCTURED + "    CompositeImplicitAutograd: g\n",
)
GENERATED_KERNEL = rule(
    "OPG623",
    "structured-generated-kernel",
    "The kernels of a structured operator for Meta and CompositeExplicitAutogradNonFunctional are generated:"
    " others are never called, and torchgen refuses them.",
    ex.STRUCTURED + "    Meta: f_meta\n",
    severity=Severity.warning,
)
OUT_LIST = Rule(
    "OPG624",
    "structured-out-list",
    Severity.error,
    "The out arguments of a structured operator are plain tensors.",
    _LIST_OUT,
    ex.STRUCTURED,
    ignorable=False,
)
GROUP_RULES = (NOT_DELEGATING, NO_FUNCTIONAL, COMPOSITE, GENERATED_KERNEL, OUT_LIST)


def delegates(program: Program) -> Iterator[Diagnostic]:
    followers: dict[str, list[Function]] = {}
    for function in program.functions:
        if function.structured_delegate is not None:
            followers.setdefault(_delegate_name(function), []).append(function)
    for name, delegating in followers.items():
        delegate = program.function(name)
        if delegate is None:
            for function in delegating:
                where = places.field(function, "structured_delegate")
                known = [f.qualified_name for f in program.functions if f.structured]
                yield DELEGATE_MISSING.at(where, f"there is no operator '{name}'", did_you_mean(name, known))
        elif not delegate.structured:
            yield from _unstructured(delegate, delegating)
        else:
            yield from _signatures(delegate, delegating)


def _delegate_name(function: Function) -> str:
    name = str(function.structured_delegate)
    return name if function.namespace == "aten" else f"{function.namespace}::{name}"


def _unstructured(delegate: Function, delegating: list[Function]) -> Iterator[Diagnostic]:
    """Yields the fault at the delegate when it is the out form of those that delegate to it, else at them."""
    key = signature.key(delegate.schema)
    own = [f for f in delegating if signature.key(f.schema) == key and delegate.kind is Kind.out]
    if own:
        related = tuple(
            Related(places.field(f, "structured_delegate"), f"'{f.name}' delegates to it") for f in own
        )
        message = f"'{delegate.name}' is delegated to, but has no 'structured: True'"
        yield DELEGATE_UNSTRUCTURED.at(delegate.span, message, "add structured: True", related)
    for function in delegating:
        if function not in own:
            where = places.field(function, "structured_delegate")
            related = (Related(delegate.span, "declared here"),)
            yield DELEGATE_UNSTRUCTURED.at(where, f"'{delegate.name}' is not structured", related=related)


def _signatures(delegate: Function, delegating: list[Function]) -> Iterator[Diagnostic]:
    key = signature.key(delegate.schema)
    same = [f for f in delegating if signature.key(f.schema) == key]
    others = [f for f in delegating if f not in same and f.root_name == delegate.root_name]
    strangers = [f for f in delegating if f not in same and f.root_name != delegate.root_name]
    for function in strangers:
        where = places.field(function, "structured_delegate")
        related = (Related(delegate.span, "declared here"),)
        message = f"'{delegate.name}' is no form of '{function.name}'"
        yield DELEGATE_SIGNATURE.at(where, message, related=related)
    # Where no form agrees with the delegate, the delegate is the outlier.
    blamed = others if same else [delegate] if others else []
    for function in blamed:
        other = delegate if function is not delegate else others[0]
        related = (Related(other.span, "the other form"),)
        message = f"'{function.name}' does not take the same arguments as '{other.name}'"
        yield DELEGATE_SIGNATURE.at(function.span, message, related=related)


def _structured_out(out: Function) -> Iterator[Diagnostic]:
    for key in ("Meta", "CompositeExplicitAutogradNonFunctional"):
        kernel = out.kernel(key)
        if kernel is not None and out.places is not None and out.places.has("dispatch"):
            message = f"the kernel for {key} is generated from the structured one"
            yield GENERATED_KERNEL.at(kernel.span or out.span, message, "delete it")
    for a in out.schema.arguments.out:
        if a.type != TENSOR:
            message = f"'{a.name}' is {a.type}, which no structured kernel can write to"
            yield OUT_LIST.at(places.argument(out, a.name), message)


def groups(program: Program) -> Iterator[Diagnostic]:
    grouped: set[int] = set()
    for group in program.groups:
        if not group.structured:
            continue
        grouped.update(map(id, group.functions()))
        for f in group.functions():
            if f.is_generated and program.function(f.qualified_name) is not f:
                continue  # the functional form is declared, with other arguments
            if f is not group.out and f.structured_delegate is None:
                related = (Related(group.out.span, "the structured form"),)
                message = f"'{f.name}' must delegate to '{group.out.name}'"
                yield NOT_DELEGATING.at(
                    f.span, message, f"add structured_delegate: {group.out.name}", related
                )
        for key in ("CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"):
            kernel = group.out.kernel(key)
            if kernel is not None:
                yield COMPOSITE.at(kernel.span or group.out.span, f"a structured operator cannot have {key}")
        yield from _structured_out(group.out)
    delegated = {_delegate_name(f) for f in program.functions if f.structured_delegate is not None}
    for function in program.functions:
        if function.structured and id(function) not in grouped and function.qualified_name not in delegated:
            message = f"no functional form delegates to '{function.name}'"
            yield NO_FUNCTIONAL.at(function.span, message)
