"""What Python sees: parameters in Python's order, the argument parser's string of them, the signature in a
.pyi.

Out arguments are one keyword `out`; factories take dtype, layout, device, pin_memory and requires_grad.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from opgen.api.python_types import optional, parser_type, python_default, stub_return, stub_type
from opgen.model import (
    TENSOR,
    Argument,
    Base,
    BaseType,
    Function,
    ListType,
    OptionalType,
    Return,
    Schema,
    Type,
)

EMPTY = "{}"
_INT = BaseType(Base.int)
_SYM_INT = BaseType(Base.SymInt)
_NEW_OR_LIKE = ("new", "like")


@dataclass(frozen=True, slots=True)
class PythonParam:
    """`default` as `python_default` has it. Several out `arguments` of the schema are one `out`."""

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

    def stub_text(self, method: bool, deprecated: bool = False) -> str:
        type, name, default = stub_type(self.type), self.name, self.default
        if name == "self" and self.type == TENSOR and not method and not deprecated:
            name = "input"
        if name == "from":
            name = "from_"
        if self.name == "out" and not deprecated:
            type = optional(type)
        if deprecated and any(a.is_write for a in self.arguments) and default == "None":
            default = None
        return (
            f"{name}: {type}" if default is None else f"{name}: {type} = {_stub_default(default, self.type)}"
        )


_STUB_DEFAULTS = {
    "c10::MemoryFormat::Contiguous": "contiguous_format",
    "at::Reduction::Mean": "1",
    "at::kLong": "long",
    # No literal says these; a .pyi may leave a value open.
    "inf": "...",
    "-inf": "...",
    "nan": "...",
}


def _stub_default(default: str, type: Type) -> str:
    if default.startswith("{") and isinstance(type, ListType) and type.elem == _INT:
        elements = [e.strip() for e in default[1:-1].split(",")]
        return f"({', '.join(elements)})"
    if default == EMPTY:
        return "None"
    return _STUB_DEFAULTS.get(default, default)


@dataclass(frozen=True, slots=True)
class PythonSignature:
    """`options` are the keywords of factories. A method's object is none of the parameters."""

    name: str
    positional: tuple[PythonParam, ...]
    keyword: tuple[PythonParam, ...]
    out: PythonParam | None
    options: tuple[PythonParam, ...]
    returns: tuple[Return, ...]
    method: bool
    deprecated: bool = False

    def params(self, *, with_out: bool = True) -> tuple[PythonParam, ...]:
        out = (self.out,) if self.out is not None and with_out else ()
        return self.positional + self.keyword + out + self.options

    def text(self, *, with_out: bool = True) -> str:
        """For the argument parser: `add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)`."""
        params = [p.parser_text(self.method) for p in self.params(with_out=with_out)]
        end = "|deprecated" if self.deprecated else ""
        return f"{self.name}({', '.join(self._starred(params))}){end}"

    def _starred(self, params: list[str]) -> list[str]:
        at = len(self.positional)
        return [*params[:at], "*", *params[at:]] if len(params) > at else params

    def fields(self) -> tuple[str, ...]:
        """The names of the named tuple that is returned; empty when a plain value or tuple is."""
        names = tuple(r.name for r in self.returns if r.name is not None)
        return names if len(names) > 1 and len(names) == len(self.returns) else ()

    def stub(self, library: str) -> Stub:
        """For a .pyi; named tuples are `library`.return_types.<name>."""
        params = self._starred([p.stub_text(self.method, self.deprecated) for p in self.params()])
        if self.method and not self.deprecated:
            params.insert(0, "self")
        return Stub(self.name, tuple(params), self._stub_returns(library))

    def stub_varargs(self, library: str) -> Stub | None:
        """The form that takes its one list as separate arguments: `view(*size)`. Only some have it."""
        if len(self.positional) != 1 or self.deprecated:
            return None
        sizes = self.positional[0]
        if not (isinstance(sizes.type, ListType) and sizes.type.elem in (_INT, _SYM_INT)):
            return None
        params = [f"*{sizes.name}: {stub_type(sizes.type.elem)}"]
        params += [p.stub_text(self.method) for p in self.params()[1:]]
        return Stub(
            self.name, ("self", *params) if self.method else tuple(params), self._stub_returns(library)
        )

    def _stub_returns(self, library: str) -> str:
        if self.fields():
            return f"{library}.return_types.{self.name}"
        types = [stub_return(r.type) for r in self.returns]
        if len(types) == 1:
            return types[0]
        return f"tuple[{', '.join(types)}]" if types else "None"


@dataclass(frozen=True, slots=True)
class Stub:
    """One signature of a .pyi."""

    name: str
    params: tuple[str, ...]
    returns: str

    def line(self) -> str:
        return f"def {self.name}({', '.join(self.params)}) -> {self.returns}: ..."


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
        returns=schema.returns,
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
    """Factories give tensors and take none; `new_*` and `*_like` make one after the model of another."""
    if category == "dummy":
        return False
    name = str(schema.name.name) + ("_out" if schema.is_out() else "")
    if category in _NEW_OR_LIKE or name.startswith("new_") or name.endswith("_like"):
        return True
    gives_tensor = any(r.type.is_tensor_like() for r in schema.returns)
    return category == "factory" or (gives_tensor and not schema.arguments.has_tensor())


def merged(base: PythonSignature, out: PythonSignature) -> PythonSignature:
    """One signature for both forms: the out form's, whose `out` may be left out, with the base form's
    options."""
    return replace(out, options=base.options)
