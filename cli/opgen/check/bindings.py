"""Variants and the fields that shape the C++ and Python functions."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.check import examples as ex
from opgen.check import fixes, places
from opgen.check.partial_words import is_foreach
from opgen.diagnostics import Diagnostic, Rule, Severity, did_you_mean
from opgen.model import TENSOR, DeviceCheck, Function, Program, Variant

PYTHON_MODULES = ("nn", "linalg", "fft", "special", "sparse", "nested")
CATEGORIES = ("factory", "dummy")

OUT_METHOD = Rule(
    "OPG330",
    "out-method",
    Severity.error,
    "An out operator has only the function variant.",
    ex.F + ex.F_OUT + "  variants: function, method\n",
    ex.F + ex.F_OUT,
    fixable=True,
)
METHOD_SELF = Rule(
    "OPG331",
    "method-without-self",
    Severity.error,
    "A method needs an argument 'Tensor self'.",
    ex.func("f(Tensor x) -> Tensor") + "  variants: method\n",
    ex.F + "  variants: method\n",
)
METHOD_MODULE = Rule(
    "OPG332",
    "method-in-module",
    Severity.error,
    "A function in a Python module is no method.",
    ex.F + "  python_module: nn\n  variants: function, method\n",
    ex.F + "  python_module: nn\n",
)
VARIANT_RULES = (OUT_METHOD, METHOD_SELF, METHOD_MODULE)

MODULE_UNKNOWN = Rule(
    "OPG333",
    "unknown-python-module",
    Severity.warning,
    "No bindings are made for this Python module.",
    ex.F + "  python_module: nm\n",
    ex.F + "  python_module: nn\n",
)
CATEGORY_UNKNOWN = Rule(
    "OPG334",
    "unknown-category",
    Severity.warning,
    "The category has no meaning; 'factory' has.",
    ex.F + "  category_override: factry\n",
    ex.F + "  category_override: factory\n",
)
NO_DEFAULT_ARGS = Rule(
    "OPG335",
    "no-default-args",
    Severity.error,
    "cpp_no_default_args names arguments that have a default.",
    ex.F + "  cpp_no_default_args: ['dim']\n",
    ex.func("f(Tensor self, int dim=0) -> Tensor") + "  cpp_no_default_args: ['dim']\n",
)
FOREACH_CHECK = Rule(
    "OPG336",
    "foreach-device-check",
    Severity.error,
    "A _foreach operator takes tensors of several devices, so it needs 'device_check: NoCheck'.",
    ex.func("_foreach_f(Tensor[] self) -> Tensor[]"),
    ex.func("_foreach_f(Tensor[] self) -> Tensor[]") + "  device_check: NoCheck\n",
    fixable=True,
)
FIELD_RULES = (MODULE_UNKNOWN, CATEGORY_UNKNOWN, NO_DEFAULT_ARGS, FOREACH_CHECK)


def variants(function: Function, program: Program) -> Iterator[Diagnostic]:
    if Variant.method not in function.variants:
        return
    where = places.field(function, "variants")
    if function.schema.arguments.out:
        fix = fixes.field(function, "variants", "function")
        yield OUT_METHOD.at(where, "an out operator cannot be a method", "write variants: function", fix=fix)
        return
    if function.python_module is not None:
        # Two fields contradict each other: point at the one that comes last in the file.
        where_module = places.field(function, "python_module")
        message = f"a function in the module '{function.python_module}' cannot be a method"
        yield METHOD_MODULE.at(max(where, where_module), message)
    self_arg = function.schema.arguments.self_arg
    if self_arg is None:
        if all(a.name != "self" for a in function.schema.arguments.all):
            yield METHOD_SELF.at(where, "a method needs an argument 'Tensor self'")
    elif self_arg.type != TENSOR:
        yield METHOD_SELF.at(where, f"'self' is {self_arg.type}, but only a plain Tensor has methods")


def fields(function: Function, program: Program) -> Iterator[Diagnostic]:
    module = function.python_module
    if module is not None and module not in PYTHON_MODULES:
        help = did_you_mean(module, PYTHON_MODULES)
        yield MODULE_UNKNOWN.at(
            places.field(function, "python_module"), f"there is no Python module '{module}'", help
        )
    category = function.category_override
    if category is not None and category not in CATEGORIES:
        help = did_you_mean(category, CATEGORIES)
        yield CATEGORY_UNKNOWN.at(
            places.field(function, "category_override"), f"there is no category '{category}'", help
        )
    if function.cpp_no_default_args:
        defaulted = {a.name for a in function.schema.arguments.all if a.default is not None}
        for i, name in enumerate(function.cpp_no_default_args):
            if name not in defaulted:
                where = places.field(function, "cpp_no_default_args", i)
                message = f"no argument with a default is named '{name}'"
                yield NO_DEFAULT_ARGS.at(where, message, did_you_mean(name, defaulted))
    if function.device_check is not DeviceCheck.NoCheck and is_foreach(function):
        message = "a _foreach operator must not have its devices checked"
        where, fix = places.field(function, "device_check"), fixes.field(function, "device_check", "NoCheck")
        yield FOREACH_CHECK.at(where, message, "write device_check: NoCheck", fix=fix)
