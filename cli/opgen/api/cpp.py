"""The C++ API: what users call as at::f(...) or as a method.

The four arguments of TensorOptions are one parameter, `out` arguments come first, and there are defaults.
Beside it is the faithful form, in schema order without defaults (`f_outf`, or four optionals in place of
TensorOptions), and for functions with SymInt arguments each form once more with c10::SymInt (`f_symint`).
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.api import ctype, defaults
from opgen.api.cpp_types import Style, argument_type, returns_type
from opgen.api.signature import Param, Signature
from opgen.model import Argument, Function, Schema, TensorOptions


def name(schema: Schema, *, faithful: bool = False, symint: bool = False) -> str:
    """Returns `add`, `add_out`, or `add_outf` for the faithful form."""
    suffix = ("_outf" if faithful else "_out") if schema.is_out() else ""
    return f"{schema.name.name}{'_symint' if symint else ''}{suffix}"


def style(function: Function, symint: bool) -> Style:
    return Style(symint, function.use_const_ref_for_mutable_tensors, function.part_of_structured_group)


def param(function: Function, a: Argument, of: Style) -> Param:
    default = None
    if a.default is not None and a.name not in function.cpp_no_default_args:
        default = defaults.cpp_expr(a.default, a.type, of.symint)
    return Param(a.name, argument_type(a.type, a.is_write, of), default, a)


def options_param(options: TensorOptions) -> Param:
    """Returns the parameter `at::TensorOptions options`; it has a default when all four have one."""
    default = None
    if all(a.default == "None" for a in options.all()):
        default = "{}"
    elif options.dtype.default == "long":
        default = "at::kLong"
    return Param("options", ctype.TENSOR_OPTIONS, default, options)


def params(function: Function, *, symint: bool = False, method: bool = False) -> tuple[Param, ...]:
    """Returns the parameters: out arguments first, TensorOptions as one, with defaults; a method has no
    `self`.
    """
    args, of = function.schema.arguments, style(function, symint)
    positional = args.pre_self + args.post_self if method else args.positional
    found = [param(function, a, of) for a in (*args.out, *positional, *args.pre_options)]
    if args.options is not None:
        found.append(options_param(args.options))
        found += [param(function, a, of) for a in args.post_options]
    return tuple(found)


def faithful_params(function: Function, *, symint: bool = False, method: bool = False) -> tuple[Param, ...]:
    """Returns the parameters in schema order, without defaults."""
    args, of = function.schema.arguments, style(function, symint)
    return tuple(
        Param(a.name, argument_type(a.type, a.is_write, of), None, a)
        for a in args.all
        if not (method and a is args.self_arg)
    )


def returns(function: Function) -> ctype.CType:
    return returns_type(function.schema.returns, function.use_const_ref_for_mutable_tensors)


def signature(
    function: Function, *, faithful: bool = False, symint: bool = False, method: bool = False
) -> Signature:
    called = name(function.schema, faithful=faithful, symint=symint)
    if function.manual_cpp_binding:
        called = f"__dispatch_{called}"
    make = faithful_params if faithful else params
    return Signature(called, returns(function), make(function, symint=symint, method=method), const=method)


def has_faithful(schema: Schema) -> bool:
    """Whether there is a faithful form, because the plain one reorders arguments."""
    return schema.is_out() or schema.arguments.options is not None


def function(function: Function, *, symint: bool = False) -> Signature:
    return signature(function, symint=symint)


def faithful(function: Function, *, symint: bool = False) -> Signature | None:
    return signature(function, faithful=True, symint=symint) if has_faithful(function.schema) else None


def method(function: Function, *, symint: bool = False) -> Signature:
    return signature(function, symint=symint, method=True)


def functions(function: Function) -> Iterator[Signature]:
    """All forms of at::f: plain, faithful, and with SymInts."""
    yield from _forms(function, is_method=False)


def methods(function: Function) -> Iterator[Signature]:
    """All forms of Tensor::f."""
    yield from _forms(function, is_method=True)


def _forms(function: Function, is_method: bool) -> Iterator[Signature]:
    for symint in (False, True) if function.schema.has_symint() else (False,):
        yield signature(function, symint=symint, method=is_method)
        if has_faithful(function.schema):
            yield signature(function, faithful=True, symint=symint, method=is_method)
