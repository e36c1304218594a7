"""Registration of custom operators and kernels at run time.

    lib = Library("mine", "DEF")
    lib.define("scale(Tensor self, float by) -> Tensor")
    lib.impl("scale", lambda self, by: self * by)          # for every backend
    lib.impl("scale", scale_on_my_device, "PrivateUse1")
    ops.mine.scale(x, 2.0)

`custom_op` makes an operator of one annotated function; its gradient and kernels are registered with the
result.

A registration lives as long as its Library, or until `lib._destroy()`.
"""

from __future__ import annotations

from . import _C
from ._C import OpOverload, Tensor

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._library.custom_ops import CustomOpDef as CustomOpDef
    from ._library.custom_ops import custom_op as custom_op
    from ._library.infer_schema import infer_schema as infer_schema
    from ._library.registration import register_autograd as register_autograd
    from ._library.registration import register_fake as register_fake
    from ._library.registration import register_kernel as register_kernel

_KINDS = ("DEF", "IMPL", "FRAGMENT")


class _Fallthrough:
    """Registered as a kernel, makes the dispatcher skip the key."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("fallthrough_kernel is only registered, never called")


fallthrough_kernel = _Fallthrough()


class DispatchKeySet:
    """A set of dispatch keys, which selects the kernel of a call."""

    def __init__(self, keys: str | int | Sequence[str] = 0) -> None:
        if isinstance(keys, int):
            self._bits = keys
        else:
            self._bits = 0
            for key in [keys] if isinstance(keys, str) else keys:
                self._bits |= _C._key_bits(key)

    @classmethod
    def of(cls, tensor: Tensor) -> DispatchKeySet:
        """The keys of a tensor."""
        return cls(_C._tensor_keys(tensor))

    @classmethod
    def after(cls, key: str) -> DispatchKeySet:
        """All keys below `key`: `keys & DispatchKeySet.after("AutogradCPU")`."""
        return cls(_C._keys_after(key))

    def has(self, key: str) -> bool:
        bits = _C._key_bits(key)
        return self._bits & bits == bits

    def raw_repr(self) -> int:
        return self._bits

    __index__ = raw_repr

    def __or__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet(self._bits | other._bits)

    def __and__(self, other: DispatchKeySet) -> DispatchKeySet:
        return DispatchKeySet(self._bits & other._bits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DispatchKeySet) and other._bits == self._bits

    def __hash__(self) -> int:
        return hash(self._bits)

    def __repr__(self) -> str:
        return f"DispatchKeySet({', '.join(_C._key_names(self._bits))})"


class Library:
    """`Library(ns, kind, dispatch_key="")`. kind "DEF" creates a namespace, "FRAGMENT" adds operators to
    one, and "IMPL" adds kernels, by default for `dispatch_key`; ns "_" with "IMPL" is for fallbacks."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in _KINDS:
            raise ValueError(f"Library(): argument 'kind': expected one of {', '.join(_KINDS)}, got {kind!r}")
        if ns == "_" and kind != "IMPL":
            raise ValueError("Library(): the namespace '_' is for kind 'IMPL' only")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._handle: Any = _C._Library(ns, kind == "DEF")

    def define(self, schema: str, alias_analysis: str = "", *, tags: Sequence[int] = ()) -> str:
        """Defines an operator by its schema, `name.overload(Tensor x) -> Tensor`; returns its name."""
        if self.kind == "IMPL":
            raise RuntimeError("Library.define(): a library of kind 'IMPL' defines no operators")
        bits = 0
        for tag in tags:
            bits |= 1 << int(tag)
        name: str = self._handle.define(f"{self.ns}::{schema.strip()}", bits)
        return name.removeprefix(f"{self.ns}::")

    def impl(
        self,
        op_name: str | OpOverload,
        fn: Callable[..., Any],
        dispatch_key: str = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = False,
    ) -> None:
        """Registers `fn` as the operator's kernel for a key, which may be an alias key; without a key, for
        all backends. With `with_keyset`, the call's DispatchKeySet is passed as first argument."""
        if not callable(fn):
            raise TypeError(f"Library.impl(): argument 'fn': expected a callable, got {type(fn).__name__}")
        name = op_name.name() if isinstance(op_name, OpOverload) else op_name
        if "::" not in name:
            name = f"{self.ns}::{name}"
        elif name.partition("::")[0] != self.ns and self.ns != "_":
            raise ValueError(f"Library.impl(): '{name}' is not in the library's namespace '{self.ns}'")
        self._handle.impl(
            name.removesuffix(".default"),
            _kernel(fn, with_keyset),
            dispatch_key or self.dispatch_key,
            with_keyset,
            allow_override,
        )

    def fallback(self, fn: Callable[..., Any], dispatch_key: str = "", *, with_keyset: bool = False) -> None:
        """Registers `fn(op, *args, **kwargs)` for the key, for all operators that have no kernel for it."""
        key = dispatch_key or self.dispatch_key
        if not key or self.ns != "_":
            raise RuntimeError("Library.fallback(): needs a dispatch key, and the namespace '_'")
        self._handle.fallback(_kernel(fn, with_keyset), key, with_keyset)

    def _destroy(self) -> None:
        """Removes everything that was registered through this library."""
        self._handle.destroy()

    def __repr__(self) -> str:
        key = f", dispatch_key={self.dispatch_key}" if self.dispatch_key else ""
        return f"Library(kind={self.kind}, ns={self.ns}{key})"


def _kernel(fn: Callable[..., Any], with_keyset: bool) -> Callable[..., Any] | None:
    if fn is fallthrough_kernel:
        return None
    if not with_keyset:
        return fn
    return lambda bits, *args, **kwargs: fn(DispatchKeySet(bits), *args, **kwargs)


_LATER = {
    "CustomOpDef": "custom_ops",
    "custom_op": "custom_ops",
    "infer_schema": "infer_schema",
    "register_autograd": "registration",
    "register_fake": "registration",
    "register_kernel": "registration",
}


def __getattr__(name: str) -> Any:
    """Imports what makes operators of Python functions when a program asks for it."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f".._library.{_LATER[name]}", __name__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
