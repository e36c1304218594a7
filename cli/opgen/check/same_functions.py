"""Functions and methods that are the same to C++ or to Python, though their schemas differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from opgen.api import cpp, python
from opgen.api.convert import CannotConvert
from opgen.api.cpp_types import NoCppType
from opgen.api.python_bound import is_made
from opgen.api.signature import Signature
from opgen.check import examples as ex
from opgen.check import places
from opgen.diagnostics import Diagnostic, Related, Rule, Severity
from opgen.model import DEFAULT_NAMESPACE, Function, Program, Variant

_OPTIONS = "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"


def _factories(*schemas: str) -> str:
    kernels = (f"  dispatch:\n    CompositeExplicitAutograd: f_{i}\n" for i in range(len(schemas)))
    return "".join(f"- func: {schema}\n{kernel}" for schema, kernel in zip(schemas, kernels, strict=True))


CPP_FUNCTION = Rule(
    "OPG341",
    "same-cpp-function",
    Severity.error,
    "Functions and methods of one C++ name differ in the types of their parameters.",
    ex.func("f(Tensor self, int n) -> Tensor", "f.sym(Tensor self, SymInt n) -> Tensor"),
    ex.func("f(Tensor self, int n) -> Tensor", "f.sym(Tensor self, SymInt[] n) -> Tensor"),
    ignorable=False,
)
SAME_PYTHON = Rule(
    "OPG903",
    "same-python-signature",
    Severity.error,
    "Overloads of one Python function differ in the arguments that they take there: functions that make"
    " tensors take dtype, layout, device, pin_memory and requires_grad.",
    _factories("f(int n) -> Tensor", f"f.with_options(int n, *, {_OPTIONS}) -> Tensor[]"),
    _factories("f(int n) -> Tensor", f"f.with_options(int m, *, {_OPTIONS}) -> Tensor[]"),
    ignorable=False,
)
RULES = (CPP_FUNCTION, SAME_PYTHON)

# Other forms of a function have its name with these.
_SUFFIXES = re.compile("(?:_symint|_outf?)+$")

# Methods of at::Tensor that are written by hand, with the types of their parameters.
_METHODS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("cpu", "cuda", "grad", "is_leaf", "mutable_grad", "retain_grad", "retains_grad"), ()),
    "contiguous": ("at::MemoryFormat",),
    "requires_grad_": ("bool",),
    "toType": ("at::ScalarType",),
}


class _Form(NamedTuple):
    """One declaration of an operator in the C++ API."""

    function: Function
    faithful: bool
    symint: bool
    method: bool

    def signature(self) -> Signature:
        return cpp.signature(self.function, faithful=self.faithful, symint=self.symint, method=self.method)

    def name(self) -> str:
        name = cpp.name(self.function.schema, faithful=self.faithful, symint=self.symint)
        return f"at::Tensor::{name}" if self.method else f"{scope(self.function)}::{name}"


Pairs = set[tuple[Function, Function]]


def conflicts(program: Program, pairs: Pairs) -> Iterator[Diagnostic]:
    """Yields functions that are the same; adds each pair of operators to `pairs`. Signatures are computed
    only where names and sizes are alike: few are.
    """
    family: dict[int, object] = {
        id(f): i for i, found in enumerate(program.families) for f in found.functions
    }
    for named in _alike(program.functions, _name):
        for found in _alike(named, _size):
            yield from _same_functions(found, family, pairs)
            yield from _same_python(found, family, pairs)
    yield from _own_methods(f for f in program.functions if str(f.name.name) in _METHODS)


def scope(function: Function) -> str:
    return "at" if function.namespace == DEFAULT_NAMESPACE else function.namespace


def _alike(functions: Iterable[Function], key: Callable[[Function], object]) -> Iterator[list[Function]]:
    """Yields those of several functions that have one key."""
    found: dict[object, list[Function]] = {}
    for function in functions:
        found.setdefault(key(function), []).append(function)
    return (alike for alike in found.values() if len(alike) > 1)


def _name(function: Function) -> str:
    return _SUFFIXES.sub("", str(function.name.name))


def _size(function: Function) -> object:
    """Returns what functions of the same parameters have in common. Forms with and without TensorOptions
    differ by four.
    """
    arguments = function.schema.arguments
    types = [a.type for a in arguments.non_out]
    return len(types) % 4, sum([t.is_tensor_like() for t in types]), bool(arguments.out)


def _same_functions(
    functions: Iterable[Function], family: dict[int, object], pairs: Pairs
) -> Iterator[Diagnostic]:
    forms: dict[str, list[_Form]] = {}
    for function in functions:
        for form in _forms(function):
            forms.setdefault(form.name(), []).append(form)
    for name, found in forms.items():
        yield from _same_function(name, found, family, pairs)


def _forms(function: Function) -> Iterator[_Form]:
    faithful = (False, True) if cpp.has_faithful(function.schema) else (False,)
    symint = (False, True) if function.schema.has_symint() else (False,)
    for variant in function.variants:
        for f in faithful:
            for s in symint:
                yield _Form(function, f, s, variant is Variant.method)


def _own_methods(functions: Iterable[Function]) -> Iterator[Diagnostic]:
    for function in functions:
        name = str(function.name.name)
        signature = known(lambda f=function: cpp.method(f))  # type: ignore[misc]
        if Variant.method not in function.variants or signature is None:
            continue
        if (signature.name, signature.param_types()) == (name, _METHODS[name]):
            message = f"at::Tensor has a method '{name}' of these parameters already"
            where = places.field(function, "variants")
            yield CPP_FUNCTION.at(where, message, "leave the variant 'method' out")


def _same_function(
    name: str, found: Sequence[_Form], family: dict[int, object], pairs: Pairs
) -> Iterator[Diagnostic]:
    first: dict[tuple[str, ...], Function] = {}
    for form in found if len(found) > 1 else ():
        signature = known(form.signature)
        if signature is None:
            continue
        function = form.function
        other = first.setdefault(signature.param_types(), function)
        if other is function or (other, function) in pairs:
            continue
        pairs.add((other, function))
        if not _is_one_form(other, function, family):
            types = ", ".join(signature.param_types())
            message = f"'{function.qualified_name}' and '{other.qualified_name}' are both {name}({types})"
            related = (Related(other.span, "the other one"),)
            yield CPP_FUNCTION.at(function.span, message, "give one of them another name", related)


def _is_one_form(one: Function, other: Function, family: dict[int, object]) -> bool:
    """Whether other rules report the two: one form of a family twice, or operators of one name."""
    same = family.get(id(one), one) == family.get(id(other), other) and one.kind is other.kind
    return same or one.qualified_name == other.qualified_name


def _same_python(
    functions: Iterable[Function], family: dict[int, object], pairs: Pairs
) -> Iterator[Diagnostic]:
    texts: dict[tuple[Variant, str], Function] = {}
    for function in functions:
        if function.namespace != DEFAULT_NAMESPACE or not is_made(function):
            continue
        for variant in function.variants:
            text = python.signature(function, method=variant is Variant.method).text(with_out=False)
            other = texts.setdefault((variant, text), function)
            if other is not function and (other, function) not in pairs:
                pairs.add((other, function))
                if not _is_one_form(other, function, family):
                    yield same_python(other, function, text)


def same_python(first: Function, second: Function, text: str) -> Diagnostic:
    message = f"'{second.qualified_name}' and '{first.qualified_name}' are the same to Python: {text}"
    help = "give one of them another name, argument or python_module"
    return SAME_PYTHON.at(second.span, message, help, (Related(first.span, "the other one"),))


def known(signature: Callable[[], Signature]) -> Signature | None:
    """Returns a signature; None where a type has no C++ type, which another rule reports."""
    try:
        return signature()
    except (NoCppType, CannotConvert):
        return None
