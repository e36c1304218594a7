"""Kernels and gradients of operators that are there already, custom or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._C import OpOverload
from .._ops import ops
from ..library import Library
from .autograd import Formula, autograd_kernel
from .custom_ops import DEFINED, CustomOpDef, key_of, parsed, refuse_keyword_tensors, refuse_mutation

if TYPE_CHECKING:
    from .custom_ops import DeviceTypes, Function

# Libraries of registrations that last as long as the process.
_kept: list[Library] = []


def register_kernel(
    op: str | OpOverload | CustomOpDef,
    device_types: DeviceTypes,
    func: Function | None = None,
    /,
    *,
    lib: Library | None = None,
) -> Any:
    """Registers the function as the operator's kernel for the devices, all if None; a decorator without
    `func`. It lasts as long as `lib`, or the process."""
    found = _resolved(op, "register_kernel")
    if isinstance(found, CustomOpDef):
        return found.register_kernel(device_types, func)
    types = [device_types] if device_types is None or isinstance(device_types, str) else list(device_types)

    def register(function: Function) -> Function:
        library, name = _library_of(found, lib)
        for device_type in types:
            library.impl(name, function, key_of(device_type))
        return function

    return register if func is None else register(func)


def register_fake(
    op: str | OpOverload | CustomOpDef,
    func: Function | None = None,
    /,
    *,
    lib: Library | None = None,
    allow_override: bool = False,
) -> Any:
    """Registers the function as the operator's kernel for tensors without data, on the device "meta"; a
    decorator without `func`."""
    found = _resolved(op, "register_fake")
    if isinstance(found, CustomOpDef):
        return found.register_fake if func is None else found.register_fake(func)

    def register(function: Function) -> Function:
        library, name = _library_of(found, lib)
        library.impl(name, function, "Meta", allow_override=allow_override)
        return function

    return register if func is None else register(func)


def register_autograd(
    op: str | OpOverload | CustomOpDef,
    backward: Function,
    /,
    *,
    setup_context: Function | None = None,
    lib: Library | None = None,
) -> None:
    """Registers the operator's gradient (see CustomOpDef.register_autograd)."""
    found = _resolved(op, "register_autograd")
    if isinstance(found, CustomOpDef):
        return found.register_autograd(backward, setup_context=setup_context)
    namespace, name = parsed(found)
    packet, _, overload = name.partition(".")
    operator: OpOverload = getattr(getattr(getattr(ops, namespace), packet), overload or "default")
    refuse_mutation(operator, operator)
    refuse_keyword_tensors("register_autograd", operator, str(operator._schema))
    formula = Formula()
    formula._backward_fn, formula._setup_context_fn = backward, setup_context
    library, name = _library_of(found, lib)
    library.impl(name, autograd_kernel(operator, formula), "Autograd", with_keyset=True)
    return None


def _resolved(op: Any, caller: str) -> str | CustomOpDef:
    if isinstance(op, CustomOpDef):
        return op
    if isinstance(op, OpOverload):
        op = op.name().removesuffix(".default")
    if not isinstance(op, str):
        raise ValueError(f"{caller}({op}): got unexpected type for op: {type(op)}")
    return DEFINED.get(op, op)


def _library_of(qualname: str, lib: Library | None) -> tuple[Library, str]:
    namespace, name = parsed(qualname)
    if lib is None:
        lib = Library(namespace, "FRAGMENT")
        _kept.append(lib)
    return lib, name
