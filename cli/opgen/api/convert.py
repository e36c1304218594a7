"""From the parameters of one calling convention to the arguments of another: `exprs(given, wanted)`.

Parameters are matched by name; a table has the conversions between types. TensorOptions are split and
assembled by name.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from opgen.api import ctype
from opgen.api.ctype import CType
from opgen.api.signature import Param
from opgen.model import Precomputed

SELF = "self"
PRECOMPUTED = "_precomputed"


class CannotConvert(Exception):
    """No rule gives the wanted argument: it is missing, or the signatures are of different functions."""

    def __init__(self, wanted: Param, given: Sequence[Param]):
        have = ", ".join(p.defn() for p in given)
        super().__init__(f"no rule makes '{wanted.defn()}' of ({have})")


def exprs(
    given: Sequence[Param],
    wanted: Sequence[Param],
    *,
    method: bool = False,
    precomputed: Precomputed | None = None,
) -> list[str]:
    """A C++ expression for each of `wanted`, in terms of the names in `given`.

    In a const `method`, `self` is the object. With `precomputed`, the local variable `_precomputed` holds
    the values that replace or complete arguments.
    """
    by_name = {p.name: p for p in given}
    computed = _names(precomputed)
    found = []
    for p in wanted:
        have = by_name.get(p.name)
        if p.name in computed:
            found.append(f"{PRECOMPUTED}.{p.name}")
        elif have is not None and not (method and p.name == SELF):
            found.append(_argument(have, p, by_name, given, wanted))
        elif method and p.name == SELF:
            found.append(_object(p, given))
        else:
            found.append(_from_options(p, by_name, given))
    return found


def _names(precomputed: Precomputed | None) -> Container[str]:
    if precomputed is None:
        return ()
    replacing = {a.name for arguments in precomputed.replace.values() for a in arguments}
    return replacing | {a.name for a in precomputed.add}


def _object(wanted: Param, given: Sequence[Param]) -> str:
    if wanted.ctype.value != ctype.TENSOR:
        raise CannotConvert(wanted, given)
    return "const_cast<Tensor&>(*this)" if isinstance(wanted.ctype, ctype.MutRef) else "*this"


def _argument(
    have: Param, want: Param, by_name: dict[str, Param], given: Sequence[Param], wanted: Sequence[Param]
) -> str:
    if want.name == "memory_format" and "options" in by_name and all(p.name != "options" for p in wanted):
        # TensorOptions may contain a memory format, too; only one of the two may be set.
        return f"c10::impl::check_tensor_options_and_extract_memory_format(options, {have.name})"
    converted = convert(have.name, have.ctype, want.ctype)
    if converted is None:
        raise CannotConvert(want, given)
    return converted


def convert(expr: str, have: CType, want: CType) -> str | None:
    """Returns `expr` of type `have` converted to `want`; None when there is no rule."""
    if have == want or have.value == want or (isinstance(want, ctype.ConstRef) and have.value == want.elem):
        return expr
    rule = _RULES.get((have.value, want.value))
    return None if rule is None else rule(expr)


def _optional(make: str) -> Callable[[str], str]:
    """Returns the rule for an optional whose value is converted by `make`, in which {} is the value."""

    def rule(expr: str) -> str:
        return f"{expr}.has_value() ? ::std::make_optional({make.format(f'*{expr}')}) : ::std::nullopt"

    return rule


def _template(text: str) -> Callable[[str], str]:
    return text.format


_INT64_ARRAY = ctype.ArrayRef(ctype.INT64)
_OPTIONAL_TENSOR = ctype.Optional(ctype.TENSOR)
_TO_INT = "{}.guard_int(__FILE__, __LINE__)"
_TO_INTS = "C10_AS_INTARRAYREF_SLOW({})"
_TO_SYM_INTS = "c10::fromIntArrayRefSlow({})"

_Rule = Callable[[str], str]
_RULES: dict[tuple[CType, CType], _Rule] = {
    # SymInts and integers
    (ctype.SYM_INT, ctype.INT64): _template(_TO_INT),
    (ctype.INT64, ctype.SYM_INT): _template("{}"),
    (ctype.Optional(ctype.SYM_INT), ctype.Optional(ctype.INT64)): _optional(
        "({}).guard_int(__FILE__, __LINE__)"
    ),
    (ctype.Optional(ctype.INT64), ctype.Optional(ctype.SYM_INT)): _optional("c10::SymInt({})"),
    (ctype.SYM_INT_ARRAY, ctype.INT_ARRAY): _template(_TO_INTS),
    (ctype.SYM_INT_ARRAY, _INT64_ARRAY): _template(_TO_INTS),
    (ctype.INT_ARRAY, ctype.SYM_INT_ARRAY): _template(_TO_SYM_INTS),
    (ctype.INT_ARRAY, _INT64_ARRAY): _template("{}"),
    (ctype.OPTIONAL_SYM_INT_ARRAY, ctype.OPTIONAL_INT_ARRAY): _optional(_TO_INTS),
    (ctype.OPTIONAL_SYM_INT_ARRAY, ctype.Optional(_INT64_ARRAY)): _optional(_TO_INTS),
    (ctype.OPTIONAL_INT_ARRAY, ctype.OPTIONAL_SYM_INT_ARRAY): _optional(_TO_SYM_INTS),
    (ctype.OPTIONAL_INT_ARRAY, ctype.Optional(_INT64_ARRAY)): _optional("{}"),
    # owning values and non-owning references
    (_OPTIONAL_TENSOR, ctype.OPTIONAL_TENSOR_REF): _template(
        "(({0}.has_value() && (*{0}).defined()) ? at::OptionalTensorRef(*{0}) : at::OptionalTensorRef())"
    ),
    (ctype.Optional(ctype.SCALAR), ctype.OPTIONAL_SCALAR_REF): _template(
        "({0}.has_value() ? at::OptionalScalarRef(&({0}.value())) : at::OptionalScalarRef())"
    ),
    (ctype.TENSOR_LIST, ctype.TENSOR_LIST_REF): _template("{}"),
    (ctype.List(_OPTIONAL_TENSOR), ctype.OPTIONAL_TENSOR_LIST_REF): _template("at::IOptTensorListRef({})"),
    # an undefined tensor means none
    (_OPTIONAL_TENSOR, ctype.TENSOR): _template("({0}.has_value() ? *{0} : at::Tensor())"),
}

# Each of the four arguments, taken from `options`.
_FROM_OPTIONS = {
    "dtype": "c10::optTypeMetaToScalarType(options.dtype_opt())",
    "layout": "options.layout_opt()",
    "device": "options.device_opt()",
    "pin_memory": "options.pinned_memory_opt()",
}


def _from_options(wanted: Param, by_name: dict[str, Param], given: Sequence[Param]) -> str:
    """Returns one of the four arguments from `options`, or `options` from the four."""
    if "options" in by_name and wanted.name in _FROM_OPTIONS:
        # An argument without `?` has no default: `value()` throws if it is missing.
        plain = not isinstance(wanted.ctype, ctype.Optional)
        return _FROM_OPTIONS[wanted.name] + (".value()" if plain else "")
    if wanted.name == "options" and all(name in by_name for name in _FROM_OPTIONS):
        return "at::TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)"
    raise CannotConvert(wanted, given)
