"""Faults found only when a library is generated (`generate`, `build`); applied by `template_views`."""

from opgen.check import examples as ex
from opgen.diagnostics import Rule, Severity


def _rule(code: str, name: str, summary: str, bad: str, good: str) -> Rule:
    return Rule(code, name, Severity.error, summary, bad, good, ignorable=False)


NO_CPP_TYPE = _rule(
    "OPG901",
    "no-cpp-type",
    "To be generated, an operator needs a C++ type for each argument and return."
    " (Found by generate and build.)",
    ex.func("f(Tensor self, bool[] flags) -> Tensor"),
    ex.func("f(Tensor self, bool[2] flags) -> Tensor"),
)
NO_FUNCTOR = _rule(
    "OPG902",
    "missing-functor",
    "A functor that ufunc_inner_loop names is defined in a kernel folder or shipped with opgen."
    " (Found by generate and build.)",
    ex.STRUCTURED.replace(ex.KERNELS, "  ufunc_inner_loop:\n    Generic: not_written_yet (All)\n"),
    ex.STRUCTURED,
)
IN_LIBRARY = _rule(
    "OPG904",
    "operator-of-library",
    "An extension has operators that the library which it extends has not. (Found by generate and build.)",
    ex.func("relu(Tensor self) -> Tensor"),
    ex.func("mine::relu(Tensor self) -> Tensor"),
)
CALLED_OTHERWISE = _rule(
    "OPG905",
    "called-otherwise",
    "An operator in place of one of aten's that the library's own code calls takes these calls."
    " (Found by generate and build.)",
    ex.func("item(Tensor self, int n) -> Scalar") + "  variants: function, method\n",
    ex.func("item(Tensor self) -> Scalar") + "  variants: function, method\n",
)

RULES = (NO_CPP_TYPE, NO_FUNCTOR, IN_LIBRARY, CALLED_OTHERWISE)
