"""Kernels' signatures: schema order, TensorOptions as four optionals, defaults unless the function has `out`
arguments.

A kernel with `_symint` in its name takes c10::SymInt, all others plain integers.
"""

from __future__ import annotations

from functools import cache, lru_cache

from opgen.api import cpp, ctype, defaults
from opgen.api.cpp_types import Style, argument_type
from opgen.api.ctype import CType
from opgen.api.signature import Param, Signature
from opgen.model import Argument, Base, BaseType, Function, Kernel, OptionalType, Type

_OPTIONAL_TENSOR = OptionalType(BaseType(Base.Tensor))
_OPTIONS = (
    ("dtype", ctype.Optional(ctype.SCALAR_TYPE)),
    ("layout", ctype.Optional(ctype.LAYOUT)),
    ("device", ctype.Optional(ctype.DEVICE)),
    ("pin_memory", ctype.Optional(ctype.BOOL)),
)


def name(kernel: Kernel) -> str:
    return kernel.name


@cache
def native_type(type: Type, write: bool, style: Style) -> CType:
    """Returns the type of an argument of a kernel. Kernels get an optional tensor as std::optional even where
    it is written to.
    """
    if type == _OPTIONAL_TENSOR and write and not style.const_writes:
        return ctype.MutRef(ctype.Optional(ctype.TENSOR))
    return argument_type(type, write, style)


def param(a: Argument, of: Style, with_default: bool) -> Param:
    default = None
    if a.default is not None and with_default:
        default = defaults.cpp_expr(a.default, a.type, of.symint)
    return Param(a.name, native_type(a.type, a.is_write, of), default, a)


@lru_cache(maxsize=16384)  # a function has one list for all of its kernels, or two
def params(function: Function, *, symint: bool) -> tuple[Param, ...]:
    args, of = function.schema.arguments, cpp.style(function, symint)
    with_defaults = not args.out
    if args.options is None:
        return tuple([param(a, of, with_defaults) for a in args.all])
    found = [param(a, of, with_defaults) for a in args.positional + args.pre_options]
    default = "{}" if with_defaults else None
    found += [
        Param(option, type, default, a)
        for (option, type), a in zip(_OPTIONS, args.options.all(), strict=True)
    ]
    found += [param(a, of, with_defaults) for a in args.post_options + args.out]
    return tuple(found)


def returns(function: Function) -> CType:
    return cpp.returns(function)


def signature(function: Function, kernel: Kernel) -> Signature:
    """The signature of one of the function's kernels."""
    return Signature(name(kernel), returns(function), params(function, symint=kernel.takes_symint))
