"""Uses of an operator as users write them: what worked before a change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from opgen.api import cpp, native
from opgen.api.cpp_types import NoCppType
from opgen.model import (
    DEFAULT_NAMESPACE,
    Argument,
    Base,
    BaseType,
    DispatchKey,
    Function,
    Kernel,
    ListType,
    OptionalType,
    Type,
    Variant,
)

_PYTHON = {
    Base.int: "2",
    Base.SymInt: "2",
    Base.DeviceIndex: "0",
    Base.float: "0.5",
    Base.Scalar: "2",
    Base.bool: "True",
    Base.SymBool: "True",
    Base.str: "'text'",
    Base.ScalarType: "float32",
    Base.Layout: "strided",
    Base.Device: "'cpu'",
    Base.MemoryFormat: "contiguous_format",
}
_CPP = _PYTHON | {
    Base.bool: "true",
    Base.SymBool: "true",
    Base.str: '"text"',
    Base.ScalarType: "at::kFloat",
    Base.Layout: "at::kStrided",
    Base.Device: "at::kCPU",
    Base.MemoryFormat: "at::MemoryFormat::Contiguous",
}
_OUT_OF_TREE = DispatchKey["PrivateUse1"]
_MANY = 128  # arguments; a longer call isn't readable


def python(
    function: Function,
    give: Collection[str] = (),
    keyword: Collection[str] = (),
    values: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Returns a call as in `f(self, 2, k=2)`: the required arguments and those of `give` and `values`, by
    keyword where they are keyword-only or listed in `keyword`. A method call where there is no function.
    """
    args = function.schema.arguments
    if len(args.all) > _MANY:
        return f"{function.name.name}(...)"
    give = {*give, *keyword, *values}
    positional, named = _given(args.positional, give, keyword)
    named += [a for a in (*args.kwarg_only, *args.out) if a.default is None or a.name in give]
    texts = [_python_value(a, values) for a in positional]
    texts += [f"{a.name}={_python_value(a, values)}" for a in named]
    return _called(function, str(function.name.name), texts, positional)


def graph(function: Function, give: Collection[str] = ()) -> str:
    """Returns the call in a saved program, with the overload's name."""
    overload = function.name.overload or "default"
    call = python(function, give)
    inside = call[call.index("(") :]
    if Variant.function not in function.variants:
        inside = f"(self{', ' if inside != '()' else ''}{inside[1:]}"
    return f"{function.namespace}.{function.name.name}.{overload}{inside}"


def method(function: Function) -> str:
    """Returns a method call as in `self.f(2)`."""
    args = function.schema.arguments
    given = [a for a in (*args.pre_self, *args.post_self) if a.default is None]
    return f"self.{function.name.name}({', '.join(_python_value(a) for a in given)})"


def cpp_call(function: Function, give: Collection[str] = (), *, symint: bool = False) -> str:
    """Returns a call as in `at::f(self, 2)`; everything up to the last of `give` has to be passed, too."""
    args = function.schema.arguments
    if len(args.all) > _MANY:
        return f"{function.name.name}(...)"
    options = () if args.options is None else args.post_options
    given = [*args.out, *args.positional, *args.pre_options, *options]
    needed = {a.name for a in given if a.default is None or a.name in function.cpp_no_default_args}
    last = max((i for i, a in enumerate(given) if a.name in needed or a.name in give), default=-1)
    texts = [_value(a.type, a.name, _CPP, "{{{}}}") for a in given[: last + 1]]
    namespace = "at" if function.namespace == DEFAULT_NAMESPACE else function.namespace
    name = f"{namespace}::{cpp.name(function.schema, symint=symint)}"
    return _called(function, name, texts, given[: last + 1])


def registration(function: Function) -> str:
    """Returns the registration of an out-of-tree kernel with the current signature."""
    name = "kernel_symint" if function.schema.has_symint() else "kernel"
    if len(function.schema.arguments.all) > _MANY:
        return f'm.impl("{function.name}", {name})'
    try:
        signature = native.signature(function, Kernel(_OUT_OF_TREE, name)).defn()
    except NoCppType:  # there never was such a kernel: any text will do
        signature = str(function.schema)
    return f'm.impl("{function.name}", {name}) with {signature}'


def struct(function: Function) -> str:
    """Returns a reference to the symbol that compiled callers use."""
    return f"at::_ops::{function.name.unambiguous()}::call"


def _python_value(argument: Argument, values: Mapping[str, str] = MappingProxyType({})) -> str:
    return values.get(argument.name) or _value(argument.type, argument.name, _PYTHON, "[{}]")


def _value(type: Type, name: str, literals: dict[Base, str], brackets: str) -> str:
    """Returns a value of the type: a literal, or a variable with the argument's name."""
    if isinstance(type, OptionalType):
        return _value(type.elem, name, literals, brackets)
    if isinstance(type, ListType):
        if type.is_tensor_like():
            return name
        return brackets.format(", ".join([_value(type.elem, name, literals, brackets)] * (type.size or 2)))
    return literals.get(type.base, name) if isinstance(type, BaseType) else name


def _given(
    arguments: Sequence[Argument], give: Collection[str], keyword: Collection[str]
) -> tuple[list[Argument], list[Argument]]:
    """Returns the arguments given by position, and those given by keyword because they follow a gap or are
    listed in `keyword`.
    """
    positional: list[Argument] = []
    named: list[Argument] = []
    by_keyword = False
    for a in arguments:
        if a.default is not None and a.name not in give:
            by_keyword = True
            continue
        by_keyword = by_keyword or a.name in keyword
        (named if by_keyword else positional).append(a)
    return positional, named


def _called(function: Function, name: str, texts: list[str], given: Collection[Argument]) -> str:
    method = Variant.function not in function.variants and any(a.name == "self" for a in given)
    if not method:
        return f"{name}({', '.join(texts)})"
    rest = [t for t in texts if t != "self"]
    return f"self.{name.rpartition('::')[2]}({', '.join(rest)})"
