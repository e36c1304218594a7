"""Arguments: their names, order and types."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.api import python
from opgen.api.python_bound import is_made
from opgen.check import examples as ex
from opgen.check import places, written_to
from opgen.diagnostics import Diagnostic, Rule, Severity
from opgen.model import DROPPED, Argument, Function, Kind, Program, Type

TWICE = Rule(
    "OPG320",
    "argument-twice",
    Severity.error,
    "Argument names differ.",
    ex.func("f(Tensor self, Tensor self) -> Tensor"),
    ex.func("f(Tensor self, Tensor other) -> Tensor"),
)
REQUIRED_LATE = Rule(
    "OPG321",
    "required-after-default",
    Severity.error,
    "After an argument with a default, all have one; C++ asks that of keyword-only arguments, too.",
    ex.func("f(Tensor self, int n=1, int m) -> Tensor"),
    ex.func("f(Tensor self, int m, int n=1) -> Tensor"),
)
SELF_KEYWORD = Rule(
    "OPG322",
    "self-keyword-only",
    Severity.error,
    "'self' is a positional argument.",
    ex.func("f(*, Tensor self) -> Tensor"),
    ex.func("f(Tensor self) -> Tensor"),
)
WRITTEN_BEFORE_SELF = Rule(
    "OPG323",
    "written-before-self",
    Severity.error,
    "Arguments before 'self' cannot be written to.",
    ex.func("f(Tensor(a!) x, Tensor self) -> ()"),
    ex.func("f(Tensor self, Tensor(a!) x) -> ()"),
)
DROPPED_TYPE = Rule(
    "OPG324",
    "dropped-type",
    Severity.error,
    "The type is of an older release; today's format has it no more.",
    ex.func("f(Tensor self, Dimname dim) -> Tensor"),
    ex.func("f(Tensor self, int dim) -> Tensor"),
)
OPTIONS_ORDER = Rule(
    "OPG325",
    "options-order",
    Severity.warning,
    "dtype, layout, device and pin_memory, in this order and together, are taken as one TensorOptions.",
    ex.func(
        "f(Tensor self, *, Layout? layout=None, ScalarType? dtype=None, Device? device=None, bool?"
        " pin_memory=None)"
        " -> Tensor"
    ),
    ex.func("f(Tensor self, *, ScalarType? dtype=None, Layout? layout=None) -> Tensor"),
)
OPTIONS_KIND = Rule(
    "OPG326",
    "options-on-factory-only",
    Severity.error,
    "Only functional operators take tensor options.",
    ex.func(
        "f_(Tensor(a!) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None,"
        " bool? pin_memory=None) -> Tensor(a!)"
    ),
    ex.func("f_(Tensor(a!) self, *, ScalarType? dtype=None) -> Tensor(a!)"),
)
OUT_READ_ONLY = Rule(
    "OPG327",
    "out-not-annotated",
    Severity.error,
    "A keyword-only tensor named out is what the result is written to, and its annotation says so.",
    ex.F + ex.func("f.out(Tensor self, *, Tensor out) -> Tensor"),
    ex.F + ex.F_OUT,
)
_OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
_KERNELS = "  dispatch:\n    CompositeExplicitAutograd: f\n"
OPTIONS_TWICE = Rule(
    "OPG328",
    "options-twice",
    Severity.error,
    "A function that makes tensors has no arguments dtype, layout, device and pin_memory but tensor options,"
    " and no requires_grad: in Python it has all of these already.",
    ex.func(f"f(int n, *, {_OPTIONS}, bool requires_grad=False) -> Tensor") + _KERNELS,
    ex.func(f"f(int n, *, {_OPTIONS}) -> Tensor") + _KERNELS,
    ignorable=False,
)
OPTIONS_UNSEEN = Rule(
    "OPG329",
    "options-unseen",
    Severity.warning,
    "Python passes tensor options to functions that take no tensor, that are named new_... or ..._like, or"
    " that have 'category_override: factory'; others have them in C++ only.",
    ex.func(f"f(Tensor self, *, {_OPTIONS}) -> Tensor"),
    ex.func(f"f(Tensor self, *, {_OPTIONS}) -> Tensor") + "  category_override: factory\n",
)
RULES = (
    *(TWICE, REQUIRED_LATE, SELF_KEYWORD, WRITTEN_BEFORE_SELF, DROPPED_TYPE),
    *(OPTIONS_ORDER, OPTIONS_KIND, OUT_READ_ONLY, OPTIONS_TWICE, OPTIONS_UNSEEN),
)

_OPTION_NAMES = frozenset({"dtype", "layout", "device", "pin_memory"})
_PYTHON_OPTIONS = _OPTION_NAMES | {"requires_grad"}


def names_and_order(function: Function, program: Program) -> list[Diagnostic]:
    arguments = function.schema.arguments
    found: list[Diagnostic] = []
    everything = arguments.all
    names = {a.name for a in everything}
    if len(names) != len(everything):
        found += _twice(function, everything)
    found += _required_late(function)
    found += [
        OUT_READ_ONLY.at(
            places.argument(function, a.name),
            "'out' is not written to",
            f"write {written_to.argument(function, a)}",
        )
        for a in arguments.kwarg_only
        if a.name == "out" and a.type.is_tensor_like() and a.alias is None
    ]
    if arguments.self_arg is None and "self" in names:
        found.append(SELF_KEYWORD.at(places.argument(function, "self"), "'self' cannot be keyword-only"))
    found += [
        WRITTEN_BEFORE_SELF.at(
            places.argument(function, a.name, "alias"), f"'{a.name}' is written to before 'self'"
        )
        for a in arguments.pre_self
        if a.is_write
    ]
    found += [_dropped(function, a.name, a.type) for a in everything if _is_dropped(a.type)]
    if arguments.options is not None and function.kind is not Kind.functional:
        where = places.argument(function, "dtype")
        found.append(
            OPTIONS_KIND.at(where, f"this operator is {function.kind.value}, so it takes no tensor options")
        )
    loose = arguments.options is None and names >= _OPTION_NAMES
    if loose and {a.name for a in arguments.kwarg_only} >= _OPTION_NAMES:
        message = "the four tensor options are all here, but not in their order: C++ takes them one by one"
        found.append(OPTIONS_ORDER.at(places.argument(function, "dtype"), message))
    return [*found, *_python_options(function, names)]


def _python_options(function: Function, names: set[str]) -> Iterator[Diagnostic]:
    arguments = function.schema.arguments
    if names.isdisjoint(_PYTHON_OPTIONS) or not is_made(function):
        return
    if python.takes_options(function.schema, function.category_override):
        for a in arguments.without_options().all:
            if a.name in _PYTHON_OPTIONS:
                message = f"'{function.name}' makes a tensor, so that it has '{a.name}' in Python already"
                yield OPTIONS_TWICE.at(places.argument(function, a.name), message)
    elif arguments.options is not None and function.kind is Kind.functional:
        message = f"'{function.name}' takes a tensor, so that it has no tensor options in Python"
        help = "to have them there, write category_override: factory"
        yield OPTIONS_UNSEEN.at(places.argument(function, "dtype"), message, help)


def _required_late(function: Function) -> Iterator[Diagnostic]:
    arguments = function.schema.arguments
    defaulted = ""
    for a in arguments.positional:
        if a.default is not None:
            defaulted = a.name
        elif defaulted:
            message = f"'{a.name}' has no default, but an argument before it has one"
            yield REQUIRED_LATE.at(places.argument(function, a.name), message)
            return
    # In C++ keyword-only arguments are positional, too; cpp_no_default_args removes their defaults.
    for a in arguments.kwarg_only:
        if a.default is not None:
            defaulted = a.name
        elif defaulted and defaulted not in function.cpp_no_default_args:
            message = f"'{a.name}' has no default, but '{defaulted}' before it has one, which C++ cannot have"
            help = f"list '{defaulted}' in cpp_no_default_args, or give '{a.name}' a default"
            yield REQUIRED_LATE.at(places.argument(function, a.name), message, help)
            return


def _twice(function: Function, everything: tuple[Argument, ...]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for a in everything:
        if a.name in seen:
            yield TWICE.at(places.argument(function, a.name, "name"), f"two arguments are named '{a.name}'")
        seen.add(a.name)


def _is_dropped(type: Type) -> bool:
    return any(type.is_like(base) for base in DROPPED)


def _dropped(function: Function, name: str, type: Type) -> Diagnostic:
    return DROPPED_TYPE.at(
        places.argument(function, name, "type"), f"the type {type} is no longer part of the format"
    )
