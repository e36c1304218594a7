"""How nodes save the values of the forward call that formulas need: members that own their values."""

from __future__ import annotations

import dataclasses

from opgen.api import ctype
from opgen.api.autograd.saved import Saved
from opgen.api.ctype import CType
from opgen.template_views.atoms import Cpp, Ident

_TENSORS = (ctype.TENSOR, ctype.Optional(ctype.TENSOR))
_LISTS = (ctype.TENSOR_LIST, ctype.TENSOR_LIST_REF, ctype.Vector(ctype.TENSOR))
_OPTIONALS = ctype.List(ctype.Optional(ctype.TENSOR))


def _optional_array(elem: CType) -> str:
    return f"OptionalArray<{elem}>"


# Non-owning types: the type that is saved instead, and how its value is made from `{}`.
_OWNED: dict[CType, tuple[str, str]] = {
    ctype.INT_ARRAY: ("std::vector<int64_t>", "{}.vec()"),
    ctype.SYM_INT_ARRAY: ("std::vector<c10::SymInt>", "{}.vec()"),
    ctype.ArrayRef(ctype.SCALAR): ("std::vector<at::Scalar>", "{}.vec()"),
    ctype.ArrayRef(ctype.DOUBLE): ("std::vector<double>", "{}.vec()"),
    ctype.OPTIONAL_INT_ARRAY: (_optional_array(ctype.INT64), "{}"),
    ctype.OPTIONAL_SYM_INT_ARRAY: (_optional_array(ctype.SYM_INT), "{}"),
    ctype.Optional(ctype.INT_ARRAY): (_optional_array(ctype.INT64), "{}"),
    ctype.Optional(ctype.SYM_INT_ARRAY): (_optional_array(ctype.SYM_INT), "{}"),
    ctype.Optional(ctype.ArrayRef(ctype.DOUBLE)): (_optional_array(ctype.DOUBLE), "{}"),
    ctype.STRING_VIEW: ("std::string", "std::string({})"),
    ctype.Optional(ctype.STRING_VIEW): ("std::optional<std::string>", "owned({})"),
    ctype.Named("torch::autograd::generated::TypeAndSize"): ("TypeAndSize", "TypeAndSize({})"),
}


@dataclasses.dataclass(frozen=True, slots=True)
class SavedView:
    """A saved value. `kind` is tensor, list, optionals (a list of optional tensors) or value; `name` is its
    name in the formula, `member` the node's. `expr` makes it, `guard` is the condition under which it is
    saved.
    """

    kind: str
    name: Ident
    member: Ident
    type: Cpp
    expr: Cpp
    guard: Cpp | None = None


def saved_view(saved: Saved, is_output: bool, in_place: bool, guard: Cpp | None = None) -> SavedView:
    """Returns the view. An operator that works `in_place` overwrites its `self`, which is copied before."""
    output = "true" if is_output else "false"
    if saved.type in _TENSORS:
        value = f"{saved.expr}.clone()" if in_place and saved.of == "self" else saved.expr
        more = f", {saved.expr}.is_view()" if in_place and is_output else ""
        return _kept("tensor", saved, "SavedVariable", f"SavedVariable({value}, {output}{more})", guard)
    if saved.type in _LISTS or saved.type == _OPTIONALS:
        kind = "list" if saved.type in _LISTS else "optionals"
        return _kept(kind, saved, "SavedList", f"save_list({saved.expr}, {output})", guard)
    type, make = _OWNED.get(saved.type, (str(saved.type), "{}"))
    name = Ident(saved.name)
    return SavedView("value", name, name, Cpp(type), Cpp(make.format(saved.expr)))


def _kept(kind: str, saved: Saved, type: str, expr: str, guard: Cpp | None) -> SavedView:
    return SavedView(kind, Ident(saved.name), Ident(f"{saved.name}_"), Cpp(type), Cpp(expr), guard)
