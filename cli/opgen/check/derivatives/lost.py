"""Gradients that are lost without an error: a kernel hides a composite one, a form misses its formula."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.check.derivatives.complete import is_lacking, is_settled
from opgen.check.families import argument_types, functional_overloads, may_not_be_alone
from opgen.diagnostics import Diagnostic, Related, Rule, Severity
from opgen.expand.derivatives import FOREACH
from opgen.model import COMPOSITE_KEYS, DispatchKey, Function, Kernel, Kind, Program
from opgen.parse.derivatives.rules import two_files

_G = "g(Tensor self, Tensor x) -> Tensor"
_KERNELS = "  dispatch:\n    CompositeImplicitAutograd: f\n    CPU: f_cpu\n"
_POLY = ex.func("p(int n, Tensor self) -> Tensor") + "  dispatch:\n    CPU: p\n"
_POLY_ = "  dispatch:\n    CPU: p_\n"
_FORMULA = "- name: p(int n, Tensor self) -> Tensor\n  self: grad * n\n"

HIDDEN_COMPOSITE = Rule(
    "OPG980",
    "gradient-lost-on-backend",
    Severity.warning,
    "An implicit composite gets its gradient from the operators that it calls; where a backend has a kernel"
    " of its own it needs a formula.",
    two_files(ex.F + _KERNELS + _POLY, _FORMULA),
    two_files(ex.F + _KERNELS + _POLY, _FORMULA + "- name: f(Tensor self) -> Tensor\n  self: grad\n"),
)
UNMATCHED_FORM = Rule(
    "OPG981",
    "form-without-formula",
    Severity.warning,
    "An in-place or out form has its functional form's formula only if its arguments have the same names,"
    " types and order.",
    two_files(_POLY + ex.func("p_(Tensor(a!) self, int n) -> Tensor(a!)") + _POLY_, _FORMULA),
    two_files(
        _POLY.replace("int n, Tensor self", "Tensor self, int n")
        + ex.func("p_(Tensor(a!) self, int n) -> Tensor(a!)")
        + _POLY_,
        _FORMULA.replace("int n, Tensor self", "Tensor self, int n"),
    ),
)
RULES = (HIDDEN_COMPOSITE, UNMATCHED_FORM)

_IMPLICIT = DispatchKey["CompositeImplicitAutograd"]
# For these nobody asks a gradient, or (nested tensors) their kernels call operators that have one.
_WITHOUT_GRADIENT = ("Meta", "Quantized", "ZeroTensor", "NestedTensor")
# PyTorch's exception: its callers need no gradient.
_NO_CALLER_NEEDS_ONE = frozenset({"native_channel_shuffle"})


def check(program: Program) -> Iterator[Diagnostic]:
    functional = {
        (f.namespace, f.root_name, f.name.name.dunder, f.name.overload): f
        for f in program.functions
        if f.kind is Kind.functional and not f.name.name.functional and is_settled(f, program)
    }
    for function in program.functions:
        if function.is_generated:
            break
        if function.root_name in program.faulty:
            continue  # what it was meant to be is not clear
        if function.kind in (Kind.inplace, Kind.out):
            base = (function.namespace, function.root_name, function.name.name.dunder)
            forms = (functional.get((*base, overload)) for overload in functional_overloads(function))
            form = next(filter(None, forms), None)
            if form is not None and _misses(function, form, program):
                yield _unmatched(function, form)
        elif _IMPLICIT in (function.dispatch or {}) and is_lacking(function, program):
            hiding = [k for k in (function.dispatch or {}).values() if _hides(k)]
            name = str(function.name)
            if hiding and "backward" not in name and name not in _NO_CALLER_NEEDS_ONE:
                yield _hidden(function, hiding)


def _hides(kernel: Kernel) -> bool:
    key = str(kernel.key)
    return kernel.key not in COMPOSITE_KEYS and not key.startswith(_WITHOUT_GRADIENT) and "Meta" not in key


def _hidden(function: Function, kernels: list[Kernel]) -> Diagnostic:
    keys = ", ".join(str(k.key) for k in kernels)
    message = f"'{function.qualified_name}' has no gradient for {keys}, as it has no formula"
    help = (
        "add an entry to the derivatives file, or call these kernels from the composite one"
        " (as operators of their own)"
    )
    return HIDDEN_COMPOSITE.at(kernels[0].span or function.span, message, help)


def _misses(function: Function, form: Function, program: Program) -> bool:
    """Whether a form does not have the formula of `form`, though it takes the same: other rules are about
    those that do not, and about out forms that are alone. Operators on lists have the formulas of their
    items' operators.
    """
    derivatives = program.derivatives
    if derivatives is None or function.qualified_name in derivatives.of or may_not_be_alone(function):
        return False
    return not function.root_name.startswith(FOREACH) and argument_types(function) == argument_types(form)


def _unmatched(function: Function, form: Function) -> Diagnostic:
    message = f"'{function.qualified_name}' does not have the formula of '{form.qualified_name}'"
    help = "give its arguments the same names, types and order, or give it an entry of its own"
    related = (Related(form.span, "the functional form"),)
    return UNMATCHED_FORM.at(places.name(function), message, help, related)
