"""What kernels implement: schema order, TensorOptions as four optionals, defaults only where nothing is written to `out`.

A kernel with `_symint` in its name takes c10::SymInt, all others plain integers.
"""

from __future__ import annotations

from functools import cache

from opgen.api import cpp, ctype, defaults
from opgen.api.ctype import CType
from opgen.api.signature import Param, Signature
from opgen.api.translate_types import Style, argument_type
from opgen.model import Argument, Base, BaseType, Function, Kernel, OptionalType, Schema, Type


_OPTIONAL_TENSOR = OptionalType(BaseType(Base.Tensor))
_OPTIONS = (
    ("dtype", ctype.Optional(ctype.SCALAR_TYPE)),
    ("layout", ctype.Optional(ctype.LAYOUT)),
    ("device", ctype.Optional(ctype.DEVICE)),
    ("pin_memory", ctype.Optional(ctype.BOOL)),
)


def name(schema: Schema) -> str:
    """The kernel's name where none was declared: `add_out_Tensor`."""
    overload = f"_{schema.name.overload}" if schema.name.overload else ""
    return f"{schema.name.name}{'_out' if schema.is_out() else ''}{overload}"


@cache
def native_type(type: Type, write: bool, style: Style) -> CType:
    """Kernels see that an optional tensor is one, even where it is written to."""
    if type == _OPTIONAL_TENSOR and write and not style.const_writes:
        return ctype.MutRef(ctype.Optional(ctype.TENSOR))
    return argument_type(type, write, style)


def param(function: Function, a: Argument, symint: bool) -> Param:
    default = None
    if a.default is not None and not function.schema.arguments.out:
        default = defaults.cpp_expr(a.default, a.type, symint)
    return Param(a.name, native_type(a.type, a.is_write, cpp.style(function, symint)), default, a)


def params(function: Function, *, symint: bool) -> tuple[Param, ...]:
    args = function.schema.arguments
    if args.options is None:
        return tuple([param(function, a, symint) for a in args.all])
    found = [param(function, a, symint) for a in args.positional + args.pre_options]
    default = None if args.out else "{}"
    found += [
        Param(option, type, default, a)
        for (option, type), a in zip(_OPTIONS, args.options.all(), strict=True)
    ]
    found += [param(function, a, symint) for a in args.post_options + args.out]
    return tuple(found)


def returns(function: Function) -> CType:
    return cpp.returns(function)


def signature(function: Function, kernel: Kernel | None = None) -> Signature:
    """The signature of one of the function's kernels."""
    called = kernel.name if kernel is not None else name(function.schema)
    symint = kernel is not None and kernel.takes_symint
    return Signature(called, returns(function), params(function, symint=symint))
