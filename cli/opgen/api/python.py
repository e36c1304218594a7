"""Python's signatures: parameters in Python's order, and the argument parser's string of them.

Out arguments are one keyword `out`; factories take dtype, layout, device, pin_memory and requires_grad.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opgen.api.python_types import parser_type, python_default
from opgen.model import (
    TENSOR,
    Argument,
    Base,
    BaseType,
    Function,
    ListType,
    OptionalType,
    Schema,
    Type,
)

EMPTY = "{}"
_NEW_OR_LIKE = ("new", "like")


@dataclass(frozen=True, slots=True)
class PythonParam:
    """One parameter; `default` is as `python_default` returns it. Several out `arguments` of the schema are
    one `out`.
    """

    name: str
    type: Type
    default: str | None
    arguments: tuple[Argument, ...] = ()

    def parser_text(self, method: bool) -> str:
        name = "input" if self.name == "self" and self.type == TENSOR and not method else self.name
        declared = f"{parser_type(self.type)} {name}"
        if self.default is None:
            return declared
        return f"{declared}={'None' if self.default == EMPTY else self.default}"


@dataclass(frozen=True, slots=True)
class PythonSignature:
    """`options` are the keywords of factories. A method's `self` is not among the parameters."""

    name: str
    positional: tuple[PythonParam, ...]
    keyword: tuple[PythonParam, ...]
    out: PythonParam | None
    options: tuple[PythonParam, ...]
    method: bool

    def params(self, *, with_out: bool = True) -> tuple[PythonParam, ...]:
        out = (self.out,) if self.out is not None and with_out else ()
        return self.positional + self.keyword + out + self.options

    def text(self, *, with_out: bool = True) -> str:
        """Returns the string for the argument parser: `add(Tensor input, Tensor other, *, Scalar alpha=1,
        Tensor out=None)`.
        """
        params = [p.parser_text(self.method) for p in self.params(with_out=with_out)]
        return f"{self.name}({', '.join(self._starred(params))})"

    def _starred(self, params: list[str]) -> list[str]:
        at = len(self.positional)
        return [*params[:at], "*", *params[at:]] if len(params) > at else params


_OPTIONS = (
    PythonParam("dtype", OptionalType(BaseType(Base.ScalarType)), "None"),
    PythonParam("layout", OptionalType(BaseType(Base.Layout)), "None"),
    PythonParam("device", OptionalType(BaseType(Base.Device)), "None"),
    PythonParam("pin_memory", OptionalType(BaseType(Base.bool)), "False"),
    PythonParam("requires_grad", OptionalType(BaseType(Base.bool)), "False"),
)


def signature(function: Function, *, method: bool = False) -> PythonSignature:
    return of_schema(function.schema, function.category_override, method=method)


def of_schema(schema: Schema, category: str | None, *, method: bool = False) -> PythonSignature:
    """The signature of a schema; `category` is the entry's category_override."""
    args = schema.arguments
    positional = args.pre_self + args.post_self if method else args.positional
    return PythonSignature(
        name=str(schema.name.name),
        positional=tuple([param(a) for a in positional]),
        keyword=tuple([param(a) for a in args.pre_options + args.post_options]),
        out=out_param(args.out),
        options=_OPTIONS if takes_options(schema, category) else (),
        method=method,
    )


def param(a: Argument) -> PythonParam:
    default = None if a.default is None else python_default(a.default, a.type)
    return PythonParam(a.name, a.type, default, (a,))


def out_param(out: tuple[Argument, ...]) -> PythonParam | None:
    if not out:
        return None
    if len(out) == 1:
        return PythonParam(out[0].name, out[0].type, "None", out)
    return PythonParam("out", ListType(TENSOR, len(out)), "None", out)


def takes_options(schema: Schema, category: str | None) -> bool:
    """Whether it is a factory: these return tensors and take none, or (`new_*`, `*_like`) take a tensor's
    properties.
    """
    if category == "dummy":
        return False
    name = str(schema.name.name) + ("_out" if schema.is_out() else "")
    if category in _NEW_OR_LIKE or name.startswith("new_") or name.endswith("_like"):
        return True
    gives_tensor = any(r.type.is_tensor_like() for r in schema.returns)
    return category == "factory" or (gives_tensor and not schema.arguments.has_tensor())


def merged(base: PythonSignature, out: PythonSignature) -> PythonSignature:
    """Returns one signature for both forms: the out form's, whose `out` is optional, with the base form's
    options.
    """
    return replace(out, options=base.options)
