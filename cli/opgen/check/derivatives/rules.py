"""The rules of derivatives about entries: the operator, the keys, the results.

The code that applies them is in other modules, loaded only with a derivatives file.
"""

from __future__ import annotations

from opgen.check import examples as ex
from opgen.diagnostics import Rule, Severity
from opgen.parse.derivatives.rules import two_files

ONE = "f(Tensor self, Tensor other, int n) -> Tensor"
TWO = "f(Tensor self, Tensor other) -> (Tensor a, Tensor b)"
IN_PLACE = "f_(Tensor(a!) self) -> Tensor(a!)"
_OUT = "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
_WITH_INT = "f(Tensor self) -> (Tensor, int)"
_KERNELS = "  dispatch:\n    CPU: f\n"
_GRAD = "  self: grad\n"
_FIELD = "  output_differentiability: "


def rule(
    code: str,
    name: str,
    summary: str,
    bad: str,
    good: str = _GRAD,
    schema: str = ONE,
    severity: Severity = Severity.error,
    ignorable: bool = False,
) -> Rule:
    """Makes a rule. `bad` and `good` are what follows the name in an entry for the operator `schema`."""
    functions, entry = ex.func(schema) + _KERNELS, f"- name: {schema}\n"
    return Rule(
        code,
        name,
        severity,
        summary,
        two_files(functions, entry + bad),
        two_files(functions, entry + good),
        ignorable=ignorable,
    )


def _entry_rule(code: str, name: str, summary: str, bad: str, functions: str | None = None) -> Rule:
    """Makes a rule about a whole entry. `bad` is a whole derivatives file."""
    declared = ex.func(ONE) + _KERNELS
    good = two_files(declared, f"- name: {ONE}\n{_GRAD}")
    return Rule(
        code, name, Severity.error, summary, two_files(functions or declared, bad), good, ignorable=False
    )


UNKNOWN_OPERATOR = _entry_rule(
    "OPG930",
    "derivative-unknown-operator",
    "An entry of a derivatives file names an operator of the functions file.",
    f"- name: f{ONE}\n{_GRAD}",
)
DIFFERENT_SCHEMA = _entry_rule(
    "OPG931",
    "derivative-schema",
    "An entry repeats the operator's schema word for word, so that a change of one is seen in the other.",
    f"- name: {ONE.replace('int n', 'int n=1')}\n{_GRAD}",
)
TWICE = _entry_rule(
    "OPG932",
    "derivative-twice",
    "An operator has one entry; formulas for several keys stand under its 'dispatch'.",
    2 * f"- name: {ONE}\n{_GRAD}",
)
OUT_FORM = _entry_rule(
    "OPG933",
    "derivative-of-out",
    "Operators that write to an out argument are never differentiable; the functional form has the formulas.",
    f"- name: {_OUT}\n{_GRAD}",
    ex.func(_OUT) + _KERNELS,
)
COMPOSITE = _entry_rule(
    "OPG934",
    "derivative-of-composite",
    "An implicit composite is differentiated through what it calls: with a formula, its kernels are named in"
    " a dispatch section (CompositeExplicitAutograd, if it stays one for all backends).",
    f"- name: {ONE}\n{_GRAD}",
    ex.func(ONE),
)
EMPTY = rule(
    "OPG935",
    "derivative-empty-key",
    "A dispatch key of an entry has at least one formula.",
    "  dispatch:\n    Default:\n      self: grad\n    AutogradCPU: {}\n",
)
NO_DEFAULT = rule(
    "OPG936",
    "derivative-without-default",
    "Without formulas under Default, the operator has none on all other backends (unless a composite kernel"
    " is differentiated there).",
    "  dispatch:\n    AutogradCPU:\n      self: grad\n",
    severity=Severity.warning,
    ignorable=True,
)
_MASKED = "f(Tensor self, bool[2] grad_input_mask) -> Tensor"
AMBIGUOUS = Rule(
    "OPG947",
    "derivative-ambiguous-name",
    Severity.warning,
    "An operator with formulas has no argument 'result' or 'grad_input_mask', and none that is named like a"
    " result and has a formula: torchgen refuses it, as the formula would not say which is meant.",
    two_files(ex.func(_MASKED) + _KERNELS, f"- name: {_MASKED}\n{_GRAD}"),
    two_files(ex.func(ONE) + _KERNELS, f"- name: {ONE}\n{_GRAD}"),
)
_FOREACH = ex.func("_foreach_f(Tensor[] self) -> Tensor[]") + "  device_check: NoCheck\n" + _KERNELS
_G = "  dispatch:\n    CPU: g\n"
FOREACH_RESULT = Rule(
    "OPG948",
    "foreach-formula",
    Severity.error,
    "A _foreach_ operator has the formulas of the operator that it applies to each tensor: these call its"
    " result 'result', and the gradient of that 'grad'.",
    two_files(
        _FOREACH + ex.func("f(Tensor self) -> Tensor half") + _G,
        "- name: f(Tensor self) -> Tensor half\n  self: grad * half\n",
    ),
    two_files(
        _FOREACH + ex.func("f(Tensor self) -> Tensor") + _G,
        "- name: f(Tensor self) -> Tensor\n  self: grad * result\n",
    ),
    ignorable=False,
)
ENTRY_RULES = (
    *(UNKNOWN_OPERATOR, DIFFERENT_SCHEMA, TWICE, OUT_FORM, COMPOSITE, EMPTY, NO_DEFAULT),
    *(AMBIGUOUS, FOREACH_RESULT),
)

UNKNOWN_KEY = rule(
    "OPG937",
    "derivative-unknown-key",
    "A formula is for an argument (backward) or a result (forward) of the operator.",
    "  sefl: grad\n",
)
MIXED_KEY = rule(
    "OPG938",
    "derivative-mixed-key",
    "A formula is for arguments or for results, not for both.",
    "  self, result: grad\n",
)
NOT_TENSOR = rule(
    "OPG939",
    "derivative-not-tensor",
    "Only tensors have gradients.",
    "  n: grad\n",
)
RESULT_NAME = rule(
    "OPG940",
    "derivative-result-name",
    "A forward formula names its result; 'result' (or result0, result1 ...) are those without a name.",
    "  self: grad_a + grad_b\n  result0: self_t\n  b: self_t\n",
    "  self: grad_a + grad_b\n  a: self_t\n  b: self_t\n",
    TWO,
)
SILENT_RESULT = rule(
    "OPG941",
    "non-differentiable-result",
    "'non_differentiable' is said of arguments; of results it is 'output_differentiability' that says it.",
    "  self: grad\n  result: non_differentiable\n",
)
KEY_RULES = (UNKNOWN_KEY, MIXED_KEY, NOT_TENSOR, RESULT_NAME, SILENT_RESULT)

LENGTH = rule(
    "OPG942",
    "differentiability-length",
    "'output_differentiability' says True or False of each result.",
    _FIELD + "[True]\n",
    _FIELD + "[True, False]\n",
    _WITH_INT,
)
NOT_IN_PLACE = rule(
    "OPG943",
    "differentiability-in-place",
    "What an in-place operator writes to stays differentiable, whatever was written. (Views in place write"
    " nothing.)",
    _FIELD + "[False]\n",
    "  self: grad\n",
    IN_PLACE,
)
CONDITION = rule(
    "OPG944",
    "differentiability-condition",
    "A condition decides for a single result.",
    _FIELD + '["!self.is_complex()"]\n',
    _FIELD + "[True, False]\n",
    _WITH_INT,
)
RESULT_TYPE = rule(
    "OPG945",
    "differentiability-type",
    "Only results that are tensors can be differentiable.",
    _FIELD + "[True, True]\n",
    _FIELD + "[True, False]\n",
    _WITH_INT,
)
IGNORED = rule(
    "OPG946",
    "derivative-ignored",
    "Gradients come from differentiable results: without one, backward formulas are never used.",
    _FIELD + "[False, False]\n  self: grad\n",
    _FIELD + "[True, False]\n  self: grad\n",
    _WITH_INT,
)
OUTPUT_RULES = (LENGTH, NOT_IN_PLACE, CONDITION, RESULT_TYPE, IGNORED)
