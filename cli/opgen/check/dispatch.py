"""Kernels: which keys make sense together, and where a default kernel is enough."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import fixes, places
from opgen.diagnostics import Diagnostic, Rule, Severity, Span
from opgen.expand.defaults import default_kernel_name
from opgen.model import (
    COMPOSITE_KEYS,
    NATIVE_NAMESPACE,
    STRUCTURED_KEYS,
    UFUNC_KEYS,
    DispatchKey,
    Function,
    Program,
)

_FACTORY = (
    "f(int n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None)"
    " -> Tensor"
)

REDUNDANT = Rule(
    "OPG501",
    "redundant-dispatch",
    Severity.error,
    "A dispatch section that says only what its absence says is left out.",
    ex.F + "  dispatch:\n    CompositeImplicitAutograd: f\n",
    ex.F,
    fixable=True,
)
IMPLICIT_NAME = Rule(
    "OPG502",
    "implicit-kernel-name",
    Severity.error,
    "An operator that is only an implicit composite has a kernel named like itself, and no dispatch section.",
    ex.F + "  dispatch:\n    CompositeImplicitAutograd: f_impl\n",
    ex.F,
)
FACTORY = Rule(
    "OPG503",
    "factory-without-dispatch",
    Severity.error,
    "Operators that make tensors name their kernels: as implicit composites, they could not be"
    " replaced as a whole.",
    ex.func(_FACTORY),
    ex.func(_FACTORY) + "  dispatch:\n    CompositeExplicitAutograd: f\n",
)
TWO_COMPOSITES = Rule(
    "OPG504",
    "two-composites",
    Severity.error,
    "One composite kernel is enough: CompositeExplicitAutograd hides CompositeImplicitAutograd everywhere.",
    ex.F + "  dispatch:\n    CompositeImplicitAutograd: f\n    CompositeExplicitAutograd: g\n",
    ex.F + "  dispatch:\n    CPU: f_cpu\n    CompositeExplicitAutograd: g\n",
)
MANUAL = Rule(
    "OPG505",
    "manual-registration-with-dispatch",
    Severity.error,
    "With manual_kernel_registration nothing is registered, so a dispatch section has no effect.",
    ex.F + "  manual_kernel_registration: True\n  dispatch:\n    CPU: f\n",
    ex.F + "  manual_kernel_registration: True\n",
)
DELEGATED = Rule(
    "OPG506",
    "delegated-kernel",
    Severity.error,
    "A function that delegates gets these kernels from its delegate.",
    ex.STRUCTURED.replace("f.out\n", "f.out\n  dispatch:\n    CPU: f\n", 1),
    ex.STRUCTURED,
)
UFUNC_KERNEL = Rule(
    "OPG507",
    "ufunc-kernel",
    Severity.error,
    "ufunc_inner_loop makes the CPU and CUDA kernels; they are not named as well.",
    ex.STRUCTURED + "  ufunc_inner_loop:\n    Generic: f (All)\n",
    ex.STRUCTURED.replace(ex.KERNELS, "  ufunc_inner_loop:\n    Generic: f (All)\n"),
)
SYMINT_NAME = Rule(
    "OPG508",
    "symint-kernel-name",
    Severity.warning,
    "A kernel with '_symint' in its name is of an operator that takes SymInts; torchgen refuses others.",
    ex.func("f(Tensor self, int n) -> Tensor") + "  dispatch:\n    CPU: f_symint\n",
    ex.func("f(Tensor self, SymInt n) -> Tensor") + "  dispatch:\n    CPU: f_symint\n",
)
RULES = (
    *(REDUNDANT, IMPLICIT_NAME, FACTORY, TWO_COMPOSITES, MANUAL, DELEGATED, UFUNC_KERNEL),
    SYMINT_NAME,
)

_IMPLICIT = DispatchKey["CompositeImplicitAutograd"]
_NON_FUNCTIONAL = DispatchKey["CompositeExplicitAutogradNonFunctional"]
_NESTED = DispatchKey["CompositeImplicitAutogradNestedTensor"]
_COMPOSITES = frozenset(COMPOSITE_KEYS)


def kernels(function: Function, program: Program) -> Iterator[Diagnostic]:
    written = function.places is not None and function.places.has("dispatch")
    if not written:
        yield from _without_section(function)
        return
    # Kernels from the ufunc loop or the default have the schema's span.
    named = {k: kernel for k, kernel in (function.dispatch or {}).items() if kernel.span is not function.span}
    if function.manual_kernel_registration:
        where = places.field(function, "manual_kernel_registration")
        yield MANUAL.at(where, "the dispatch section has no effect with manual_kernel_registration")
    if len(named) == 1 and _IMPLICIT in named:
        yield from _lone_implicit(function)
    if any(kernel.takes_symint for kernel in named.values()) and not function.schema.has_symint():
        key = next(k for k, kernel in named.items() if kernel.takes_symint)
        message = f"no argument of '{function.name}' is a SymInt, as '_symint' in the kernel's name says"
        yield SYMINT_NAME.at(_key_span(function, key), message, "rename it, or take SymInt in place of int")
    composites = [k for k in named if k in _COMPOSITES]
    if len(composites) > 1 and not (
        len(composites) == 2 and _NESTED in composites and _NON_FUNCTIONAL not in composites
    ):
        # The implicit kernel is the hidden one.
        hidden = _IMPLICIT if _IMPLICIT in composites else composites[-1]
        message = f"{' and '.join(k.value for k in composites)} cannot stand together"
        yield TWO_COMPOSITES.at(_key_span(function, hidden), message)
    if function.structured_delegate is not None and not function.schema.is_out():
        for k in STRUCTURED_KEYS:
            if k in named:
                message = f"the kernel for {k} comes from '{function.structured_delegate}'"
                yield DELEGATED.at(_key_span(function, k), message)
    for k in UFUNC_KEYS if function.ufunc_inner_loop else ():
        if k in named:
            yield UFUNC_KERNEL.at(_key_span(function, k), f"ufunc_inner_loop makes the kernel for {k}")


def _key_span(function: Function, key: DispatchKey) -> Span:
    span = (function.dispatch or {})[key].span
    return span if span is not None else places.field(function, "dispatch")


def _lone_implicit(function: Function) -> Iterator[Diagnostic]:
    kernel = (function.dispatch or {})[_IMPLICIT]
    expected = default_kernel_name(function.schema)
    if kernel.name == expected and kernel.namespace == NATIVE_NAMESPACE:
        message = "this is what an entry without a dispatch section means"
        fix = fixes.without_field(function, "dispatch")
        yield REDUNDANT.at(_key_span(function, _IMPLICIT), message, "delete the section", fix=fix)
    elif (
        not kernel.takes_symint
        and function.structured_delegate is None
        and kernel.namespace == NATIVE_NAMESPACE
    ):
        message = f"the only kernel of this operator must be named '{expected}'"
        help = "rename it, and delete the dispatch section"
        yield IMPLICIT_NAME.at(places.field(function, "dispatch", "CompositeImplicitAutograd"), message, help)


def _without_section(function: Function) -> Iterator[Diagnostic]:
    if function.part_of_structured_group or function.manual_kernel_registration:
        return
    if not (function.dispatch or {}).keys() & {_IMPLICIT}:
        return
    name = str(function.name.name)
    arguments = function.schema.arguments
    makes = arguments.options is not None and not arguments.has_tensor()
    if name.startswith("new_") or name.endswith("_like") or makes:
        message = f"'{name}' makes a tensor, so its kernels must be named"
        help = (
            f"add a dispatch section, for example CompositeExplicitAutograd:"
            f" {default_kernel_name(function.schema)}"
        )
        yield FACTORY.at(function.span, message, help)
