"""The fields of structured operators."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Rule, Severity, did_you_mean
from opgen.model import Function, Kind, Program

_UFUNC = "  ufunc_inner_loop:\n    Generic: f (All)\n"


def rule(
    code: str,
    name: str,
    summary: str,
    bad: str,
    good: str = ex.STRUCTURED,
    severity: Severity = Severity.error,
) -> Rule:
    return Rule(code, name, severity, summary, bad, good)


ON_OUT_ONLY = rule(
    "OPG601",
    "structured-on-out",
    "'structured: True' stands on the out form; the others have structured_delegate.",
    ex.F + "  structured: True\n",
)
DELEGATE_ON_OUT = rule(
    "OPG602",
    "delegate-on-out",
    "An out form is delegated to; it does not delegate.",
    ex.STRUCTURED.replace("  structured: True\n", "  structured_delegate: f.out\n"),
)
NEEDS_GUARD = rule(
    "OPG603",
    "structured-device-guard",
    "Structured operators always guard the device.",
    ex.STRUCTURED + "  device_guard: False\n",
)
INHERITS = rule(
    "OPG604",
    "inherits-unstructured",
    "structured_inherits is for the structured out form.",
    ex.F + "  structured_inherits: TensorIteratorBase\n",
    ex.STRUCTURED + "  structured_inherits: TensorIteratorBase\n",
)
PRECOMPUTED_UNSTRUCTURED = rule(
    "OPG605",
    "precomputed-unstructured",
    "precomputed is for the structured out form.",
    ex.F + "  precomputed:\n  - self -> int n\n",
    ex.STRUCTURED + "  precomputed:\n  - self -> int n\n",
)
PRECOMPUTED_ARGUMENT = rule(
    "OPG606",
    "precomputed-argument",
    "A precomputed line replaces an argument that the operator has.",
    ex.STRUCTURED + "  precomputed:\n  - dim -> int n\n",
    ex.STRUCTURED + "  precomputed:\n  - self -> int n\n",
)
PRECOMPUTED_UPPER = rule(
    "OPG607",
    "precomputed-uppercase",
    "Precomputed names are not all upper case: those are the template parameters.",
    ex.STRUCTURED + "  precomputed:\n  - self -> int N\n",
    ex.STRUCTURED + "  precomputed:\n  - self -> int n\n",
)
UFUNC_UNSTRUCTURED = rule(
    "OPG608",
    "ufunc-unstructured",
    "ufunc_inner_loop is for the structured out form.",
    ex.F + _UFUNC,
    ex.STRUCTURED.replace(ex.KERNELS, _UFUNC),
)
MANUAL = rule(
    "OPG609",
    "structured-manual-registration",
    "The kernels of structured operators are generated, and registered with the others; torchgen refuses"
    " others.",
    ex.STRUCTURED.replace("f.out\n", "f.out\n  manual_kernel_registration: True\n", 1),
    severity=Severity.warning,
)
FIELD_RULES = (
    ON_OUT_ONLY,
    DELEGATE_ON_OUT,
    NEEDS_GUARD,
    INHERITS,
    PRECOMPUTED_UNSTRUCTURED,
    PRECOMPUTED_ARGUMENT,
    PRECOMPUTED_UPPER,
    UFUNC_UNSTRUCTURED,
    MANUAL,
)


def fields(function: Function, program: Program) -> Iterator[Diagnostic]:
    kind = function.kind
    if function.structured and kind is not Kind.out:
        message = f"this operator is {kind.value}; only an out form can be structured"
        yield ON_OUT_ONLY.at(
            places.field(function, "structured"), message, "did you mean structured_delegate?"
        )
    if function.structured_delegate is not None and kind is Kind.out:
        where = places.field(function, "structured_delegate")
        yield DELEGATE_ON_OUT.at(where, "an out form cannot delegate", "did you mean structured: True?")
    if function.part_of_structured_group and not function.device_guard:
        message = "a structured operator cannot go without its device guard"
        yield NEEDS_GUARD.at(places.field(function, "device_guard"), message)
    if function.part_of_structured_group and function.manual_kernel_registration:
        where = places.field(function, "manual_kernel_registration")
        yield MANUAL.at(where, "the kernels of a structured operator are not registered by hand", "delete it")
    if not function.structured:
        for name, misplaced in _STRUCTURED_ONLY.items():
            if getattr(function, name):
                message = f"'{name}' is for entries with 'structured: True'"
                yield misplaced.at(places.key(function, name), message)
    if function.precomputed is not None:
        yield from _precomputed(function)


_STRUCTURED_ONLY = {
    "structured_inherits": INHERITS,
    "precomputed": PRECOMPUTED_UNSTRUCTURED,
    "ufunc_inner_loop": UFUNC_UNSTRUCTURED,
}


def _precomputed(function: Function) -> Iterator[Diagnostic]:
    if function.precomputed is None:
        return
    names = {a.name for a in function.schema.arguments.all}
    rows = [*function.precomputed.replace.items(), (None, function.precomputed.add)]
    for i, (replaced, arguments) in enumerate(rows):
        where = places.field(function, "precomputed", i)
        if replaced is not None and replaced not in names:
            help = did_you_mean(replaced, names)
            yield PRECOMPUTED_ARGUMENT.at(where, f"there is no argument '{replaced}'", help)
        for a in arguments:
            if a.name.upper() == a.name:
                yield PRECOMPUTED_UPPER.at(where, f"'{a.name}' is all upper case")
