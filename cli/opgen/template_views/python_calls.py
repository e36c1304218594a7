"""How an overload of a Python function calls its operators: one accessor expression for each of the
operator's arguments, and the conversion of the result.
"""

from __future__ import annotations

import dataclasses

from opgen.expand.derivatives import FOREACH
from opgen.model.function import Function
from opgen.model.schema import Argument, Kind
from opgen.model.types import Base
from opgen.template_views import names
from opgen.template_views.atoms import Cpp, Ident
from opgen.template_views.atoms_of import join
from opgen.template_views.python_model import Overload
from opgen.template_views.python_types import accessor, shape


@dataclasses.dataclass(frozen=True, slots=True)
class CallView:
    """`keep` names the result where there is one; `result` is the expression for its Python object."""

    struct: Ident
    exprs: Cpp
    keep: Cpp
    result: Cpp


def call(overload: Overload, function: Function, fields: Ident | None) -> CallView:
    arguments = function.schema.arguments
    exprs = [_expression(overload, function, a) for a in arguments.all]
    returns = function.schema.returns
    if not returns:
        result = _nothing(overload, function)
    elif len(returns) == 1:
        result = Cpp("result(static_cast<decltype(_result)&&>(_result))")
    else:
        result = Cpp(f"result_tuple(_result, &{fields})" if fields else "result_tuple(_result)")
    return CallView(names.struct(function), join(exprs), Cpp("auto&& _result = " if returns else ""), result)


def _nothing(overload: Overload, function: Function) -> Cpp:
    """Returns the object that stands for no result: of an in-place `_foreach_` operator the list that it
    writes to.
    """
    if function.root_name.startswith(FOREACH) and function.kind is Kind.inplace:
        index = overload.index_of(function.schema.arguments.non_out[0], function)
        return Cpp(f"Py_NewRef(_storage[{index}])")
    return Cpp("none()")


def _expression(overload: Overload, function: Function, argument: Argument) -> Cpp:
    arguments = function.schema.arguments
    if overload.method and argument is arguments.self_arg:
        return Cpp("_a.self(_self)")
    if argument in arguments.out:
        position, index = arguments.out.index(argument), overload.output_index
        assert index is not None, f"{function.name} has outputs, its binding has not"
        return Cpp(f"_out[{position}]") if len(arguments.out) > 1 else accessor(argument.type, None, index)
    options = arguments.options
    if options is not None and argument in options.all():
        return _option(overload, argument)
    index = overload.index_of(argument, function)
    return accessor(argument.type, argument.default, index)


def _option(overload: Overload, argument: Argument) -> Cpp:
    """Returns one of dtype, layout, device, pin_memory: optional for the operator, whatever the parser's
    default.
    """
    index = next((i for i, p in enumerate(overload.parameters) if p.name == argument.name), None)
    if index is None:
        return Cpp("::std::nullopt")
    default = argument.default
    if default is not None and default != "None":
        return accessor(argument.type, default, index)
    s = shape(argument.type)
    if s.base is Base.bool:
        return Cpp(f"_a.boolean({index}, false)")
    return accessor(argument.type, None, index)
