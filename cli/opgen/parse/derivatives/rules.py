"""Rules about the fields of a derivatives file, applied while it is read.

Their examples are two files: the functions file up to the line `# derivatives.yaml`, and the derivatives
file after it.
"""

from opgen.diagnostics import Rule, Severity

SECOND_FILE = "# derivatives.yaml\n"
FUNCTION = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n"
ENTRY = "- name: f(Tensor self) -> Tensor\n"
_GOOD = "  self: grad\n"


def two_files(functions: str, derivatives: str) -> str:
    return f"{functions}{SECOND_FILE}{derivatives}"


def _rule(
    code: str,
    name: str,
    summary: str,
    bad: str,
    good: str = _GOOD,
    base: str = ENTRY,
) -> Rule:
    """Makes a rule. `bad` and `good` are what follows the entry's name. Faults here lose formulas, so none of
    them can be ignored.
    """
    examples = two_files(FUNCTION, base + bad), two_files(FUNCTION, ENTRY + good)
    return Rule(code, name, Severity.error, summary, *examples, ignorable=False)


NOT_A_MAPPING = _rule(
    "OPG910",
    "derivative-not-mapping",
    "An entry of a derivatives file is a mapping that begins with 'name:'.",
    "- f\n",
    base="",
)
NO_NAME = _rule(
    "OPG911",
    "derivative-unnamed",
    "An entry of a derivatives file names its operator by the whole schema.",
    "- self: grad\n",
    base="",
)
KEY = _rule(
    "OPG912",
    "derivative-key",
    "A formula stands under the name of an argument or a result, or several, separated by commas.",
    "  self,: grad\n",
)
NOT_TEXT = _rule(
    "OPG913",
    "formula-not-text",
    "A formula is text.",
    "  self: [grad]\n",
)
EMPTY = _rule(
    "OPG914",
    "formula-empty",
    "A formula says something; an input without gradient is 'non_differentiable'.",
    "  self:\n",
    "  self: non_differentiable\n",
)
TWICE = _rule(
    "OPG915",
    "formula-twice",
    "An input or result has one formula (for each dispatch key).",
    "  self: grad\n  self, self: grad\n",
)
DISPATCH_KIND = _rule(
    "OPG916",
    "derivative-dispatch-kind",
    "'dispatch' holds formulas under dispatch keys.",
    "  dispatch:\n    Default: grad\n",
    "  dispatch:\n    Default:\n      self: grad\n",
)
DISPATCH_KEY = _rule(
    "OPG917",
    "derivative-dispatch-key",
    "Formulas are for the key Default, or for the Autograd key of a backend.",
    "  dispatch:\n    Default:\n      self: grad\n    CUDA:\n      self: grad\n",
    "  dispatch:\n    Default:\n      self: grad\n    AutogradCUDA:\n      self: grad\n",
)
BESIDE_DISPATCH = _rule(
    "OPG918",
    "formula-beside-dispatch",
    "With 'dispatch', all formulas stand under a key: one beside it would be lost.",
    "  self: grad\n  dispatch:\n    AutogradCUDA:\n      self: grad\n",
    "  dispatch:\n    Default:\n      self: grad\n    AutogradCUDA:\n      self: grad\n",
)
DIFFERENTIABILITY = _rule(
    "OPG919",
    "output-differentiability",
    "'output_differentiability' is a list of True and False, or of one condition (a C++ expression).",
    "  output_differentiability: True\n",
    "  output_differentiability: [True]\n  self: grad\n",
)
BRACKETS = _rule(
    "OPG920",
    "formula-brackets",
    "Every bracket of a formula has its partner.",
    "  self: (grad * self\n",
    "  self: (grad * self)\n",
)
STRING = _rule(
    "OPG921",
    "formula-string",
    "A string in a formula ends where it began: on the same line, with the same quotes.",
    '  self: not_implemented("f)\n',
    '  self: not_implemented("f")\n',
)
CHARACTER = _rule(
    "OPG922",
    "formula-character",
    "A formula is one C++ expression: no statement, comment, preprocessor line or assignment, and no"
    " character that C++ has no use for.",
    "  self: grad; exit(1)\n",
)
NOT_IMPLEMENTED = _rule(
    "OPG923",
    "not-implemented-form",
    'A missing formula is written not_implemented("name of the operator"), perhaps with a reason as a second'
    " text; for a list of tensors it is not_implemented_list.",
    "  self: not_implemented(f)\n",
    '  self: not_implemented("f")\n',
)
RULES = (
    NOT_A_MAPPING,
    NO_NAME,
    KEY,
    NOT_TEXT,
    EMPTY,
    TWICE,
    DISPATCH_KIND,
    DISPATCH_KEY,
    BESIDE_DISPATCH,
    DIFFERENTIABILITY,
    BRACKETS,
    STRING,
    CHARACTER,
    NOT_IMPLEMENTED,
)
