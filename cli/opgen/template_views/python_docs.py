"""Text about Python functions: the signatures in error messages, and docstrings."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType

from opgen.model.checks import Check
from opgen.model.docs import Doc, indented
from opgen.model.function import Function
from opgen.model.schema import Kind
from opgen.model.types import Base, BaseType, ListType
from opgen.template_views.conditions import one_device, raised
from opgen.template_views.python_model import Binding, Overload, Parameter
from opgen.template_views.python_types import message_name, unquoted


def python_default(parameter: Parameter) -> str:
    """Returns the default as Python would write it."""
    text = parameter.default or "None"
    if text.startswith("["):
        return "(" + text[1:-1] + ("," if text.count(",") == 0 and text != "[]" else "") + ")"
    if text[:1] in "'\"":
        return repr(unquoted(text))
    if text in ("contiguous_format", "Mean", "Sum"):
        return {"Mean": "1", "Sum": "2"}.get(text, text)
    return "None" if text in ("long", "int", "float", "double", "bool") else text


def signature(overload: Overload) -> str:
    """Returns the signature as in `(Tensor input, Tensor other, *, Number alpha = 1)`."""
    parts, starred = [], False
    for p in overload.parameters:
        if p.keyword_only and not starred:
            parts.append("*")
            starred = True
        default = "" if p.default is None else f" = {python_default(p)}"
        kind = f"tuple of {p.outputs} Tensors" if p.outputs > 1 else message_name(p.type)
        parts.append(f"{kind} {p.name}{default}")
    return f"({', '.join(parts)})"


def call_line(name: str, overload: Overload) -> str:
    """Returns the call as in `add(input, other, *, alpha=1, out=None) -> Tensor`."""
    return f"{name}({', '.join(_called(overload))}) -> {returns(overload.function)}"


def _called(overload: Overload) -> list[str]:
    parts, starred = [], False
    for p in overload.parameters:
        if p.keyword_only and not starred:
            parts.append("*")
            starred = True
        parts.append(p.name if p.default is None else f"{p.name}={python_default(p)}")
    return parts


def text_signature(binding: Binding) -> str:
    """Returns what makes `inspect.signature` work, for the beginning of a docstring in C; "" where there are
    no `parameters`.
    """
    found = parameters(binding, "$self")
    return "" if found is None else f"{binding.name}({found})\n--\n\n"


def parameters(binding: Binding, self: str) -> str | None:
    """Returns the parameters as Python writes them, those of a method after `self`; None for functions whose
    calls no signature of Python describes: several overloads, one list that may be given as several
    arguments, a name that is a keyword, a default that is no literal.
    """
    overload, *others = binding.overloads
    if others or _may_spread(overload):
        return None
    called = ", ".join(_called(overload))
    try:
        function = ast.parse(f"def f({called}): pass").body[0]
        assert isinstance(function, ast.FunctionDef)
        for default in (*function.args.defaults, *filter(None, function.args.kw_defaults)):
            ast.literal_eval(default)
    except (SyntaxError, ValueError):
        return None
    return ", ".join([self] * binding.is_method + [called] * bool(called))


_INTEGERS = (ListType(BaseType(Base.int)), ListType(BaseType(Base.SymInt)))


def _may_spread(overload: Overload) -> bool:
    """Whether `f(2, 3)` is `f((2, 3))`: a list of integers is its only positional parameter."""
    positional = [p.type for p in overload.parameters if not p.keyword_only]
    return len(positional) == 1 and positional[0] in _INTEGERS


def returns(function: Function) -> str:
    found = function.schema.returns
    if not found:
        return "None"
    if len(found) == 1:
        return str(found[0].type).replace("Tensor[]", "tuple of Tensors").replace("SymInt", "int")
    parts = [f"{r.type} {r.name}" if r.name else str(r.type) for r in found]
    return "(" + ", ".join(parts) + ")"


def docstring(
    binding: Binding, checks: Mapping[str, tuple[Check, ...]], docs: Mapping[str, Doc] = MappingProxyType({})
) -> str:
    """Returns the docstring: a line for each overload, what the operator does, the operators behind it, the
    arguments with their types, the results, the conditions, an example.

    `checks` and `docs` are by operator names.
    """
    lines = [call_line(binding.name, o) for o in binding.overloads]
    said = described(binding, docs)
    lines += ["", *meaning(binding, said)] if said else []
    operators = []
    for o in binding.overloads:
        text = " and ".join(f"{f.namespace}::{f.name}" for f in (o.base, o.out) if f is not None)
        operators.append(text)
    lines += ["", "Operators: " + "; ".join(operators) + "."]
    sections = {
        "Args:": _arguments(binding, said),
        "Returns:": said.returns.lines(results(binding, said)) if said and said.returns else [],
        "Raises:": _raises(binding, checks, said),
        "Example:": said.example.lines if said and said.example else (),
    }
    for heading, rows in sections.items():
        lines += ["", heading, *indented(rows)] if rows else []
    return "\n".join(lines)


def described(binding: Binding, docs: Mapping[str, Doc]) -> Doc | None:
    """Returns the entry about the function; None where the docs have none."""
    functions = (o.function for o in binding.overloads)
    return next((docs[f.qualified_name] for f in functions if f.qualified_name in docs), None)


def meaning(binding: Binding, said: Doc) -> list[str]:
    """Returns the sentence and the formula as lines."""
    lines = said.lines()
    if all(o.function.kind is Kind.inplace for o in binding.overloads):
        lines += ["", f"In place: '{'self' if binding.is_method else 'input'}' is written to and returned."]
    return lines


def results(binding: Binding, said: Doc) -> list[str | None]:
    """Returns the names of the results that `said` is about, of the first overload that has as many."""
    count = len(said.returns.texts) if said.returns else 0
    found = (o.function.schema.returns for o in binding.overloads)
    return next(([r.name for r in returned] for returned in found if len(returned) == count), [])


def _raises(binding: Binding, checks: Mapping[str, tuple[Check, ...]], said: Doc | None) -> list[str]:
    """Returns the conditions of all overloads, those of one error together, and then those of the docs."""
    rename = {} if binding.is_method else {"self": "input"}
    found: dict[str, list[str]] = {}
    for o in binding.overloads:
        asked = checks.get(o.function.qualified_name, ())
        devices = one_device(o.function, asked, rename)
        conditions = [*raised(asked, rename), *([("RuntimeError", devices)] if devices else [])]
        for error, condition in conditions:
            if condition not in found.setdefault(error, []):
                found[error].append(condition)
    rows = {"TypeError": "the arguments fit none of the signatures above"}
    rows |= {error: f"unless {'; '.join(held)}" for error, held in found.items()}
    for told in said.errors if said else ():
        if told.text:
            generated = f"{rows[told.name]}; " if told.name in rows else ""
            rows[told.name] = f"{generated}if {told.text}"
    return [f"{error}: {when}." for error, when in rows.items()]


def _arguments(binding: Binding, said: Doc | None) -> list[str]:
    told = {a.name: f"{a.text}." for a in said.arguments if a.text} if said else {}
    seen: dict[str, list[str]] = {}
    optional: dict[str, str] = {}
    for o in binding.overloads:
        for p in o.parameters:
            kind = f"tuple of {p.outputs} Tensors" if p.outputs > 1 else message_name(p.type)
            if p.number_as_tensor:
                kind += " or Number"
            kinds = seen.setdefault(p.name, [])
            if kind not in kinds:
                kinds.append(kind)
            if p.default is not None:
                optional.setdefault(p.name, python_default(p))
    rows = []
    for name, kinds in seen.items():
        default = f", optional, default {optional[name]}" if name in optional else ""
        general = _DIMENSION if name == "dim" and kinds == ["int"] else _MEANINGS.get(name, "")
        meaning = told.get(name, general)
        rows.append(f"{name} ({' or '.join(kinds)}{default}){': ' + meaning if meaning else ''}")
    return rows


_DIMENSION = "dimension in [-ndim, ndim)."
# The meaning of a parameter of this name wherever it occurs.
_MEANINGS = {
    "out": "written to instead of a new result; resized if its shape differs.",
    "dim": "dimension, or dimensions, in [-ndim, ndim).",
    "dim0": _DIMENSION,
    "dim1": _DIMENSION,
    "stable": "whether equal elements keep their order.",
    "keepdim": "whether reduced dimensions stay, with size 1.",
    "dtype": "element type of the result.",
    "layout": "layout of the result; only strided tensors can be made.",
    "device": "where the result lies.",
    "pin_memory": "whether host memory is page-locked.",
    "requires_grad": "whether autograd is to record operations on the result.",
    "memory_format": "order in which the result's dimensions lie in memory.",
    "generator": "source of random numbers; None is the device's default one.",
    "size": "shape of the result.",
    "alpha": "factor of the last operand.",
    "beta": "factor of the first operand.",
    "non_blocking": "whether a copy between host and device may still run when the call returns.",
}
