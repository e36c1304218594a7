"""Rules about the fields of an entry, applied while it is read."""

from opgen.diagnostics import Rule, Severity

_FUNC = "- func: f(Tensor self) -> Tensor\n"
_STRUCTURED = (
    "- func: f(Tensor self) -> Tensor\n  structured_delegate: f.out\n"
    "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch:\n "
    "   CPU: f_out\n"
)


def _rule(
    code: str,
    name: str,
    summary: str,
    bad: str,
    good: str,
    base: str = _FUNC,
    fixable: bool = False,
    ignorable: bool = False,
) -> Rule:
    """Makes a rule. `bad` and `good` are what follows the entry `base`. A faulty value is not read."""
    return Rule(code, name, Severity.error, summary, base + bad, base + good, fixable, ignorable)


NOT_A_MAPPING = _rule(
    "OPG201", "entry-not-mapping", "An entry is a mapping that begins with 'func:'.", "-\n", ""
)
NO_FUNC = _rule("OPG202", "func-missing", "Every entry has a 'func'.", "- variants: function\n", "")
UNKNOWN_FIELD = _rule(
    "OPG203",
    "unknown-field",
    "The format has no such field.",
    "  dispach:\n    CPU: f\n",
    "  dispatch:\n    CPU: f\n",
    ignorable=True,
)
WRONG_KIND = _rule(
    "OPG204",
    "field-kind",
    "A field has one kind of value: text, a list or a mapping.",
    "  dispatch: [CPU]\n",
    "  dispatch:\n    CPU: f\n",
)
NOT_BOOL = _rule(
    "OPG205",
    "not-a-bool",
    "The field is True or False, without quotes.",
    "  device_guard: 'no'\n",
    "  device_guard: False\n",
    fixable=True,
)
VARIANT = _rule(
    "OPG206",
    "unknown-variant",
    "A variant is 'function' or 'method'.",
    "  variants: metod\n",
    "  variants: method\n",
)
LIST_SPACING = _rule(
    "OPG207",
    "list-spacing",
    "Names in a list are separated by ', '.",
    "  variants: function,method\n",
    "  variants: function, method\n",
    fixable=True,
    ignorable=True,
)
DEVICE_CHECK = _rule(
    "OPG208",
    "unknown-device-check",
    "A device check is 'NoCheck' or 'ExactSame'.",
    "  device_check: Nope\n",
    "  device_check: NoCheck\n",
)
FIELD_NAME = _rule(
    "OPG209",
    "not-a-name",
    "The field takes names: identifiers, for operators perhaps with '.overload'.",
    "  python_module: ../x\n",
    "  python_module: nn\n",
)
NAMESPACED_DELEGATE = Rule(
    "OPG210",
    "delegate-namespace",
    Severity.error,
    "A delegate is in its function's own namespace and named without it.",
    _STRUCTURED.replace("delegate: f.out", "delegate: aten::f.out"),
    _STRUCTURED,
    fixable=True,
    ignorable=False,
)
DISPATCH_KEY = _rule(
    "OPG211",
    "unknown-dispatch-key",
    "There is no such dispatch key.",
    "  dispatch:\n    CPUU: f\n",
    "  dispatch:\n    CPU: f\n",
)
DISPATCH_KEY_NOT_HERE = _rule(
    "OPG212",
    "dispatch-key-not-here",
    "The key exists, but kernels for it are not declared in this file.",
    "  dispatch:\n    Python: f\n",
    "  dispatch:\n    CPU: f\n",
)
DISPATCH_KEY_TWICE = _rule(
    "OPG213",
    "dispatch-key-twice",
    "A dispatch key is named once, alone or in a list.",
    "  dispatch:\n    CPU, CUDA: f\n    CUDA: f\n",
    "  dispatch:\n    CPU: f\n    CUDA: g\n",
    fixable=True,
)
KERNEL_NAME = _rule(
    "OPG214",
    "kernel-name",
    "A kernel is a C++ name, perhaps in at most three namespaces.",
    "  dispatch:\n    CPU: bad-kernel\n",
    "  dispatch:\n    CPU: ours::f_cpu\n",
)
PRECOMPUTED = Rule(
    "OPG215",
    "precomputed-syntax",
    Severity.error,
    "A precomputed line reads 'argument -> type name, ...'; only the last may have no '->'.",
    _STRUCTURED + "  precomputed:\n  - self -> int\n",
    _STRUCTURED + "  precomputed:\n  - self -> int n\n",
    ignorable=False,
)
UFUNC_KEY = Rule(
    "OPG216",
    "unknown-ufunc-key",
    Severity.error,
    "There is no such key of ufunc_inner_loop.",
    _STRUCTURED.replace("  dispatch:\n    CPU: f_out\n", "  ufunc_inner_loop:\n    General: f (All)\n"),
    _STRUCTURED.replace("  dispatch:\n    CPU: f_out\n", "  ufunc_inner_loop:\n    Generic: f (All)\n"),
    ignorable=False,
)
UFUNC_LOOP = Rule(
    "OPG217",
    "ufunc-syntax",
    Severity.error,
    "A ufunc loop reads 'functor (dtype, dtypes, ...)'.",
    _STRUCTURED.replace("  dispatch:\n    CPU: f_out\n", "  ufunc_inner_loop:\n    Generic: f All\n"),
    _STRUCTURED.replace("  dispatch:\n    CPU: f_out\n", "  ufunc_inner_loop:\n    Generic: f (All)\n"),
    ignorable=False,
)
UFUNC_DTYPE = Rule(
    "OPG218",
    "unknown-dtype",
    Severity.error,
    "There is no such dtype or set of dtypes.",
    _STRUCTURED.replace("  dispatch:\n    CPU: f_out\n", "  ufunc_inner_loop:\n    Generic: f (Al)\n"),
    _STRUCTURED.replace("  dispatch:\n    CPU: f_out\n", "  ufunc_inner_loop:\n    Generic: f (All)\n"),
    ignorable=False,
)
REPEATED = Rule(
    "OPG219",
    "repeated-item",
    Severity.warning,
    "The list says the same twice.",
    _FUNC + "  tags: [core, core]\n",
    _FUNC + "  tags: [core]\n",
    fixable=True,
)
ELSEWHERE = Rule(
    "OPG220",
    "schema-elsewhere",
    Severity.error,
    "An 'op:' entry gives kernels for an operator whose schema stands in ATen's file, which --aten names.",
    "- op: add.out\n  kernels:\n  - arg_meta: null\n    kernel_name: torch::executor::add_out\n",
    _FUNC,
    ignorable=False,
)

RULES = (
    NOT_A_MAPPING,
    NO_FUNC,
    UNKNOWN_FIELD,
    WRONG_KIND,
    NOT_BOOL,
    VARIANT,
    LIST_SPACING,
    DEVICE_CHECK,
    FIELD_NAME,
    NAMESPACED_DELEGATE,
    DISPATCH_KEY,
    DISPATCH_KEY_NOT_HERE,
    DISPATCH_KEY_TWICE,
    KERNEL_NAME,
    PRECOMPUTED,
    UFUNC_KEY,
    UFUNC_LOOP,
    UFUNC_DTYPE,
    REPEATED,
    ELSEWHERE,
)
