"""One entry of a functions file, and the groups that related entries form."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Protocol

from opgen.diagnostics import Span
from opgen.model.dispatch import DispatchKey
from opgen.model.names import BaseName, OperatorName
from opgen.model.schema import Argument, Kind, Schema

NATIVE_NAMESPACE = "at::native"
DEFAULT_NAMESPACE = "aten"


class Variant(enum.Enum):
    function = "function"
    method = "method"


class DeviceCheck(enum.Enum):
    NoCheck = "NoCheck"
    ExactSame = "ExactSame"


class UfuncKey(enum.Enum):
    """The kernels that a functor is for; `Generic` and `ScalarOnly` each stand for several."""

    CUDAFunctor = "CUDAFunctor"
    CUDAFunctorOnOther = "CUDAFunctorOnOther"
    CUDAFunctorOnSelf = "CUDAFunctorOnSelf"
    CPUScalar = "CPUScalar"
    CPUVector = "CPUVector"
    ScalarOnly = "ScalarOnly"
    Generic = "Generic"


@dataclass(frozen=True, slots=True)
class Kernel:
    """The kernel of a dispatch key. `structured` kernels have a meta and an impl function."""

    key: DispatchKey
    name: str
    namespace: str = NATIVE_NAMESPACE
    structured: bool = False
    span: Span | None = field(default=None, compare=False)

    @property
    def takes_symint(self) -> bool:
        return "_symint" in self.name

    @property
    def qualified(self) -> str:
        return f"{self.namespace}::{self.name}"


@dataclass(frozen=True, slots=True)
class UfuncLoop:
    """`name (dtypes)`: the functor, and the ScalarType names it is instantiated for, in the order written."""

    key: UfuncKey
    name: str
    dtypes: tuple[str, ...]
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Precomputed:
    """Values that the meta function passes to the impl function: replacements of arguments, and additions."""

    replace: Mapping[str, tuple[Argument, ...]]
    add: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Declared:
    """The function is written in the file."""


@dataclass(frozen=True, slots=True)
class Generated:
    """autogen generates the function from `parent`."""

    parent: OperatorName


class Places(Protocol):
    """The places of an entry's parts in its file; `path` consists of fields, keys and list indices."""

    def value(self, *path: str | int) -> Span: ...

    def key(self, *path: str | int) -> Span: ...

    def inside(self, start: int, end: int, *path: str | int) -> Span:
        """Returns the place of the characters [start, end) of the scalar at `path`."""
        ...

    def has(self, *path: str | int) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """An operator with all its attributes. Before `expand`, `dispatch` is None where the entry has none."""

    schema: Schema
    span: Span
    line: int
    namespace: str = DEFAULT_NAMESPACE
    variants: frozenset[Variant] = frozenset({Variant.function})
    python_module: str | None = None
    dispatch: Mapping[DispatchKey, Kernel] | None = None
    structured: bool = False
    structured_delegate: OperatorName | None = None
    structured_inherits: str | None = None
    precomputed: Precomputed | None = None
    autogen: tuple[OperatorName, ...] = ()
    ufunc_inner_loop: Mapping[UfuncKey, UfuncLoop] = field(default_factory=dict)
    device_guard: bool = True
    device_check: DeviceCheck = DeviceCheck.ExactSame
    category_override: str | None = None
    manual_cpp_binding: bool = False
    manual_kernel_registration: bool = False
    use_const_ref_for_mutable_tensors: bool = False
    cpp_no_default_args: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()
    origin: Declared | Generated = Declared()
    places: Places | None = None

    def filled(self, tags: frozenset[str], dispatch: Mapping[DispatchKey, Kernel]) -> Function:
        """Returns a copy with these changes. (`dataclasses.replace` is too slow for every entry.)"""
        values = [getattr(self, name) for name in _FUNCTION_FIELDS]
        function = Function(*values)
        object.__setattr__(function, "tags", tags)
        object.__setattr__(function, "dispatch", dispatch)
        return function

    @property
    def name(self) -> OperatorName:
        return self.schema.name

    @property
    def qualified_name(self) -> str:
        """Returns `add.Tensor`, with the namespace in front unless it is the default one."""
        return str(self.name) if self.namespace == DEFAULT_NAMESPACE else f"{self.namespace}::{self.name}"

    @property
    def root_name(self) -> str:
        """Returns the name shared by the functional, in-place and out forms: `add`."""
        return self.schema.name.name.base

    @property
    def qualified_root_name(self) -> str:
        """Returns `add` or `mylib::op`, the name of the operator in all its forms and overloads."""
        return (
            self.root_name if self.namespace == DEFAULT_NAMESPACE else f"{self.namespace}::{self.root_name}"
        )

    def is_form_of(self, names: Collection[str]) -> bool:
        """Whether one of the qualified names is that of this operator, in any form and overload."""
        roots = (name.rpartition("::")[2].partition(".")[0] for name in names)
        return any(BaseName.parse(root).base == self.root_name for root in roots if root)

    @property
    def kind(self) -> Kind:
        return self.schema.kind()

    @property
    def is_generated(self) -> bool:
        return isinstance(self.origin, Generated)

    @property
    def part_of_structured_group(self) -> bool:
        return self.structured or self.structured_delegate is not None

    def kernel(self, key: DispatchKey | str) -> Kernel | None:
        """Returns the kernel of exactly this key, if the (expanded) entry names one."""
        key = DispatchKey[key] if isinstance(key, str) else key
        return (self.dispatch or {}).get(key)

    def has_kernel(self, key: str) -> bool:
        return self.kernel(key) is not None

    @property
    def has_composite_kernel(self) -> bool:
        return any(
            self.has_kernel(key)
            for key in (
                "CompositeImplicitAutograd",
                "CompositeExplicitAutograd",
                "CompositeExplicitAutogradNonFunctional",
            )
        )

    @property
    def is_abstract(self) -> bool:
        """False for an operator that is composite-implicit only."""
        if self.structured_delegate is not None:
            return True
        implicit = {
            DispatchKey["CompositeImplicitAutograd"],
            DispatchKey["CompositeImplicitAutogradNestedTensor"],
        }
        keys = set(self.dispatch or ())
        return not keys or not keys <= implicit

    @property
    def is_view(self) -> bool:
        """Whether a result aliases an argument without being that argument."""
        if any(r.alias is not None and not r.alias.write for r in self.schema.returns):
            return True
        if "inplace_view" in self.tags and str(self.name) not in ("resize_", "resize_as_"):
            return True
        return any(a.alias is not None and "*" in a.alias.after for a in self.schema.arguments.all)


_FUNCTION_FIELDS = tuple(f.name for f in fields(Function))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The forms of one operation: arguments are the same except those that are written to."""

    functional: Function
    out: Function
    inplace: Function | None = None
    mutable: Function | None = None

    @property
    def structured(self) -> bool:
        return self.out.structured

    @property
    def root_name(self) -> str:
        return self.functional.root_name

    def functions(self) -> Iterator[Function]:
        yield self.functional
        yield self.out
        if self.inplace is not None:
            yield self.inplace
        if self.mutable is not None:
            yield self.mutable


@dataclass(frozen=True, slots=True, eq=False)
class ViewGroup:
    """A view operator, its `_copy` twin that returns new memory, and its in-place form."""

    view: Function
    copy: Function | None = None
    inplace: Function | None = None

    @property
    def composite(self) -> bool:
        return self.view.has_kernel("CompositeImplicitAutograd")

    def functions(self) -> Iterator[Function]:
        yield self.view
        if self.inplace is not None:
            yield self.inplace
        if self.copy is not None:
            yield self.copy
