"""The stubs of functions: a `def` for each way to call one, a class for each named tuple."""

from __future__ import annotations

import dataclasses
import keyword
from collections.abc import Iterable, Mapping, Sequence

from opgen.model import Return
from opgen.model.docs import Doc
from opgen.model.types import Base
from opgen.template_views.atoms import Ident, Py, docstring_line
from opgen.template_views.python_docs import described, meaning, python_default, results
from opgen.template_views.python_model import Binding, Overload, Parameter
from opgen.template_views.python_types import shape, stub_return, stub_type


@dataclasses.dataclass(frozen=True, slots=True)
class StubView:
    """One `def`; `overloaded` where a name has several. `summary` and `details`, lines that may be
    empty, are the docstring of the first overload of a function.
    """

    name: Ident
    params: Py
    returns: Py
    overloaded: bool
    summary: Py
    details: tuple[Py, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class FieldView:
    name: Ident
    type: Py


@dataclasses.dataclass(frozen=True, slots=True)
class TupleView:
    """A named tuple that an operator returns."""

    name: Ident
    fields: tuple[FieldView, ...]


def function_stubs(found: Iterable[Binding], docs: Mapping[str, Doc]) -> tuple[StubView, ...]:
    """Returns the stubs of functions; `docs` is by operator names."""
    named = [b for b in found if not keyword.iskeyword(b.name)]
    return tuple(stub for b in named for stub in _stubs(b, _docstring(b, described(b, docs))))


def _docstring(binding: Binding, said: Doc | None) -> list[str]:
    """Returns the lines of a stub's docstring, with a blank line after each of the first ones."""
    if said is None:
        return []
    first = [line.strip() for line in meaning(binding, said) if line]
    spaced = [part for line in first for part in ("", line)][1:]
    return spaced + said.sections(results(binding, said), "input" if binding.is_method else "")


def public_name(binding: Binding) -> str:
    """Returns the public name: `linalg_det` is `det` in the submodule linalg."""
    return binding.name.removeprefix(f"{binding.module}_") if binding.module else binding.name


@dataclasses.dataclass(frozen=True, slots=True)
class _Part:
    """One parameter of a stub; `*` and `/` have no type."""

    name: str
    type: str = ""
    default: str | None = None

    def __str__(self) -> str:
        kind = f": {self.type}" if self.type else ""
        return self.name + kind + (f" = {self.default}" if self.default is not None else "")

    def takes(self, other: _Part) -> bool:
        types = set(self.type.split(" | "))
        optional = self.default is not None or other.default is None
        return self.name == other.name and optional and types >= set(other.type.split(" | "))


_STAR, _SLASH = _Part("*"), _Part("/")


def _stubs(binding: Binding, lines: Iterable[str]) -> list[StubView]:
    """Returns one stub for each overload that accepts calls which none before it accepts."""
    rows: list[tuple[list[_Part], str]] = []
    for o in binding.overloads:
        returns = _returns(binding.name, o)
        forms = _forms(o, binding.is_method)
        rows += [(f, returns) for f in forms if not any(_covers(r, f) for r, _ in rows)]
    name = Ident(public_name(binding))
    summary, *details = [docstring_line(line) for line in lines] or [Py("")]
    stubs = [
        StubView(name, Py(", ".join(map(str, parts))), Py(r), len(rows) > 1, Py(""), ()) for parts, r in rows
    ]
    stubs[0] = dataclasses.replace(stubs[0], summary=summary, details=tuple(details))
    return stubs


def _covers(earlier: Sequence[_Part], later: Sequence[_Part]) -> bool:
    """Whether every call of `later` is one of `earlier`."""
    if len(earlier) < len(later) or any(p.default is None and p.type for p in earlier[len(later) :]):
        return False
    return all(a.takes(b) for a, b in zip(earlier, later, strict=False))


def _forms(overload: Overload, method: bool) -> list[list[_Part]]:
    """Returns the parameter list, and with one list parameter of any length also its `*size` form."""
    parameters = overload.parameters
    first = [_Part("self")] if method else []
    found = [first + _parameter_list(parameters)]
    positional = [p for p in parameters if not p.keyword_only]
    if len(positional) == 1 and _is_list_of_ints(positional[0]):
        rest = _parameter_list([p for p in parameters if p.keyword_only])
        found.append([*first, _Part(f"*{_name(positional[0])}", "_int"), *[r for r in rest if r.name != "*"]])
    return found


def _is_list_of_ints(p: Parameter) -> bool:
    s = shape(p.type)
    return s.list and not s.size and s.base in (Base.int, Base.SymInt)


def _name(p: Parameter) -> str:
    return p.name + "_" if keyword.iskeyword(p.name) else p.name


def _parameter_list(parameters: Sequence[Parameter]) -> list[_Part]:
    """Returns the parameters. One that is named like a keyword can only be passed by position, or by `**`
    where it is keyword-only.
    """
    parts: list[_Part] = []
    unpacked = [_Part("**_", _kind(p)) for p in parameters if p.keyword_only and keyword.iskeyword(p.name)]
    for p in parameters:
        if p.keyword_only and keyword.iskeyword(p.name):
            continue
        if p.keyword_only and _STAR not in parts:
            parts.append(_STAR)
        parts.append(_Part(_name(p), _kind(p), None if p.default is None else python_default(p)))
        if keyword.iskeyword(p.name):
            parts = [*(part for part in parts if part != _SLASH), _SLASH]
    return parts + unpacked[:1]


def _kind(p: Parameter) -> str:
    if p.outputs:
        kind = "Sequence[Tensor]" if p.outputs > 1 else "Tensor"
        return kind if p.default is None else f"{kind} | None"
    kind = stub_type(p.type)
    if p.takes_none and not kind.endswith(" | None"):
        kind += " | None"
    if p.number_as_tensor:
        kind = kind.replace("Tensor", "Tensor | _Number", 1)
    if p.default in ("None", "long") and "None" not in kind:
        kind += " | None"
    return kind


def _returns(name: str, overload: Overload) -> str:
    returns = overload.function.schema.returns
    if not returns:
        return "None"
    if len(returns) == 1:
        return stub_return(returns[0].type)
    if has_class(returns):
        return f"_{name}_result"
    return f"tuple[{', '.join(stub_return(r.type) for r in returns)}]"


def has_class(returns: Sequence[Return]) -> bool:
    """Whether results are a named tuple; NamedTuple takes no field that begins with '_'."""
    return len(returns) > 1 and all(r.name and not r.name.startswith("_") for r in returns)


def tuple_stubs(found: Iterable[Binding]) -> tuple[TupleView, ...]:
    tuples: dict[str, TupleView] = {}
    for binding in found:
        for o in binding.overloads:
            returns = o.function.schema.returns
            if has_class(returns):
                fields = tuple(FieldView(Ident(r.name or ""), Py(stub_return(r.type))) for r in returns)
                tuples[binding.name] = TupleView(Ident(f"_{binding.name}_result"), fields)
    return tuple(tuples.values())
