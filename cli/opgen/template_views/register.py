"""Template views of the kernel wrappers (src/register_*.cpp): checks, guard, and the call of the native
or structured function.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from opgen.api import convert, dispatcher, native, structured
from opgen.api.signature import Signature
from opgen.model.checks import UNDEFINED
from opgen.model.dispatch import is_alias
from opgen.model.function import DeviceCheck, Group
from opgen.model.schema import Kind
from opgen.model.types import OptionalType
from opgen.template_views import conditions, names
from opgen.template_views.atoms import Cpp, Ident, c_literal
from opgen.template_views.atoms_of import atoms, comma, join
from opgen.template_views.conditions import GuardView
from opgen.template_views.kernels import (
    BACKEND_SELECT,
    META,
    NON_FUNCTIONAL,
    Registration,
    own_view_key,
    shown_by,
)
from opgen.template_views.page import Page
from opgen.template_views.shards import shard, shard_count

KERNELS_PER_FILE = 110


NOTHING = Cpp("")


@dataclasses.dataclass(frozen=True, slots=True)
class ArgumentView:
    name: Ident
    literal: Cpp
    position: int


@dataclasses.dataclass(frozen=True, slots=True)
class KernelView:
    """One kernel wrapper. `kind` selects the body: native, self, functional, inplace or out. `guard` names
    the argument for the device guard. `viewed`: the argument that the result is a view of, marked as
    autograd's layers need it.
    """

    symbol: Ident
    struct: Ident
    returns: Cpp
    comma_params: Cpp
    comma_args: Cpp
    defined: tuple[ArgumentView, ...]
    same_device: tuple[ArgumentView, ...]
    written_on_meta: tuple[ArgumentView, ...]
    conditions: tuple[GuardView, ...]
    guard: Ident | None
    kind: str
    native: Ident | None = None
    exprs: Cpp = NOTHING
    impl: Ident | None = None
    outputs: int = 0
    out_args: Cpp = NOTHING
    result: Cpp = NOTHING
    meta_exprs: Cpp = NOTHING
    impl_exprs: Cpp = NOTHING
    precomputed: bool = False
    then_call: Ident | None = None
    runs_impl: bool = False
    viewed: Ident | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class RegisterView:
    template: Cpp
    key: Ident
    includes: tuple[Ident, ...]
    uses_structured: bool
    uses_conditions: bool
    uses_views: bool
    kernels: tuple[KernelView, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class BackendSelectView:
    template: Cpp
    includes: tuple[Ident, ...]
    kernels: tuple[KernelView, ...]


def kernel_view(row: Registration) -> KernelView:
    function = row.function
    signature = dispatcher.signature(function)
    parts = atoms(signature)
    common: dict[str, Any] = {
        "symbol": names.kernel_symbol(str(row.key), function),
        "struct": names.struct(function),
        "returns": Cpp(str(signature.returns)),
        "comma_params": comma(parts.params),
        "comma_args": comma(parts.args),
        "defined": tuple(_must_be_defined(row)),
        "same_device": _checked_devices(row),
        "written_on_meta": _written_on_meta(row),
        "conditions": tuple(conditions.guards(row.checks)),
        "guard": _guard(row),
    }
    if row.group is not None:
        return KernelView(**common, **_structured(row, row.group, signature))
    if row.kernel is None:  # BackendSelect, or an in-place operator on Meta, which returns self
        self_arg = function.schema.arguments.self_arg if row.key is META else None
        return KernelView(**common, kind="self", result=Cpp(self_arg.name if self_arg else ""))
    target = native.signature(function, row.kernel)
    exprs = join(convert.exprs(signature.params, target.params))
    base = shown_by(function) if row.key is own_view_key(function) else None
    viewed = None if base is None else Ident(base.name)
    own = Ident(row.kernel.qualified)
    return KernelView(**common, kind="native", native=own, exprs=exprs, viewed=viewed)


def _structured(row: Registration, group: Group, signature: Signature) -> dict[str, Any]:
    function = row.function
    returns = group.out.schema.returns
    kind = {Kind.functional: "functional", Kind.inplace: "inplace"}.get(function.kind, "out")
    out_names = [a.name for a in function.schema.arguments.out] if kind == "out" else ["self"]
    outputs = [f"_kernel.output({i})" for i in range(len(returns))]
    meta_class = Ident(structured.meta_class(group))
    fields = {
        "kind": kind,
        "outputs": len(returns),
        "impl": meta_class,
        "meta_exprs": join(convert.exprs(signature.params, structured.meta_params(group))),
        "out_args": join(out_names) if kind != "functional" else Cpp(""),
        "result": Cpp(
            out_names[0] if len(out_names) == 1 else f"{signature.returns}({', '.join(out_names)})"
        ),
        "precomputed": group.out.precomputed is not None,
    }
    if row.key is NON_FUNCTIONAL:
        out_struct = names.struct(group.out)
        passed = [p.name for p in dispatcher.signature(group.out).params[: -len(returns)]]
        fields |= {
            "then_call": out_struct,
            "impl_exprs": join([*passed, *(f"const_cast<at::Tensor&>({o})" for o in outputs)]),
            "precomputed": False,
        }
    elif row.kernel is not None and row.key is not META:
        impl = structured.impl_params(group)[: -len(returns)]
        given = convert.exprs(signature.params, impl, precomputed=group.out.precomputed)
        fields |= {
            "impl": Ident(f"{row.kernel.namespace}::{structured.impl_name(row.kernel)}"),
            "impl_exprs": join([*given, *outputs]),
            "runs_impl": True,
        }
    else:
        fields["precomputed"] = False
    return fields


def _must_be_defined(row: Registration) -> Iterator[ArgumentView]:
    """Yields tensors and lists of tensors that are not optional, with their position in the schema."""
    permitted = {c.argument for c in row.checks if UNDEFINED in c.words}
    for position, a in enumerate(row.function.schema.arguments.all, 1):
        optional = isinstance(a.type, OptionalType) or a.type.is_nullable() or a.name in permitted
        if a.type.is_tensor_like() and not optional:
            yield ArgumentView(Ident(a.name), c_literal(a.name), position)


def _needs_guard(row: Registration) -> bool:
    """Whether the kernel needs a device guard: CPU and Meta have one device, composites call operators that
    guard.
    """
    key = str(row.key)
    return not is_alias(row.key) and not key.endswith(("CPU", "Meta")) and row.key is not BACKEND_SELECT


def _checked_devices(row: Registration) -> tuple[ArgumentView, ...]:
    """Returns the arguments whose devices are checked, for kernels that tensors of other devices can reach:
    CPU's key is the lowest, so its kernels get none. NoCheck leaves the check to the kernel; where none runs,
    all but lists of indices are checked here.
    """
    arguments = row.function.schema.arguments
    tensors = [a for a in (*arguments.out, *arguments.positional) if a.type.is_tensor_like()]
    if not _needs_guard(row) and row.key is not META:
        return ()
    if row.function.device_check is DeviceCheck.NoCheck:
        tensors = [a for a in tensors if _is_shape_alone(row) and a.type.as_list() is None]
    return tuple(ArgumentView(Ident(a.name), c_literal(a.name), 0) for a in tensors)


def _is_shape_alone(row: Registration) -> bool:
    """Whether it is the generated Meta kernel of an in-place operator, which changes nothing."""
    return row.key is META and row.group is None and row.kernel is None


def _written_on_meta(row: Registration) -> tuple[ArgumentView, ...]:
    """Returns what a Meta kernel writes to, if its operator takes tensors of several devices."""
    if row.key is not META or row.function.device_check is not DeviceCheck.NoCheck:
        return ()
    written = [a for a in row.function.schema.arguments.all if a.is_write]
    return tuple(ArgumentView(Ident(a.name), c_literal(a.name), 0) for a in written)


def _guard(row: Registration) -> Ident | None:
    if not _needs_guard(row) or not row.function.device_guard:
        return None
    arguments = row.function.schema.arguments
    if arguments.options is not None:
        return Ident("device")
    candidates = [
        *([arguments.self_arg] if arguments.self_arg else []),
        *arguments.out,
        *arguments.positional,
    ]
    return next((Ident(a.name) for a in candidates if a.type.is_tensor_like()), None)


def register_pages(rows: Iterable[Registration], prefix: str = "register") -> Iterator[Page]:
    """Yields src/register_<Key>_N.cpp for every key that has kernels."""
    by_key: dict[str, list[Registration]] = {}
    for row in rows:
        by_key.setdefault(str(row.key), []).append(row)
    for key, of_key in sorted(by_key.items()):
        if key == str(BACKEND_SELECT):
            selected = [row for row in of_key if row.kernel is None]
            yield _backend_select(selected)
            of_key = [row for row in of_key if row.kernel is not None]
        yield from _register(key, of_key, prefix)


def _register(key: str, rows: list[Registration], prefix: str) -> Iterator[Page]:
    template = "src/register.cpp.mako"
    parts = shard(rows, lambda row: names.base(row.function), shard_count(len(rows), KERNELS_PER_FILE))
    for index, part in enumerate(parts):
        if not part:
            continue
        headers = sorted({f"{names.base(row.function)}{suffix}" for row in part for suffix in _headers(row)})
        kernels = tuple(kernel_view(row) for row in part)
        view = RegisterView(
            Cpp(template),
            Ident(key),
            tuple(Ident(h) for h in headers),
            any(row.group is not None for row in part),
            any(k.conditions for k in kernels),
            any(k.viewed for k in kernels),
            kernels,
        )
        suffix = "cu.cpp" if prefix != "register" else "cpp"
        yield Page(f"src/{prefix}_{key}_{index}.{suffix}", template, view)


def _headers(row: Registration) -> tuple[str, ...]:
    if row.group is None:
        return ("_native",) if row.kernel is not None else ()
    if row.key is NON_FUNCTIONAL:
        return ("_meta", "_ops")
    return ("_meta",) if row.key is META else ("_native",)


def _backend_select(rows: list[Registration]) -> Page:
    template = "src/register_backend_select.cpp.mako"
    bases = tuple(Ident(b) for b in sorted({names.base(row.function) for row in rows}))
    view = BackendSelectView(Cpp(template), bases, tuple(kernel_view(row) for row in rows))
    return Page("src/register_BackendSelect.cpp", template, view)
