"""The functions that pickles of PyTorch call to make tensors, with checked arguments."""

from __future__ import annotations

import math
from collections.abc import Callable
from pickle import UnpicklingError
from typing import Any

from .. import _C, nn, serialization
from .._C import Tensor
from .._storage import UntypedStorage
from ._checks import shown

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined,no-any-return"

_functions = _C._VariableFunctions
_DIMENSIONS = 64


class StorageType:
    """A class of storages in a pickle: PyTorch's typed ones have a dtype."""

    def __init__(self, dtype: _C.dtype | None) -> None:
        self.dtype = dtype


class TypedStorage(UntypedStorage):
    """A storage with the dtype that a pickle gives it."""

    def __init__(self, content: Tensor, dtype: _C.dtype) -> None:
        self._bytes, self.dtype = content, dtype


def parameter_class() -> Any:
    """The class of parameters; None in a build without it."""
    return getattr(nn, "Parameter", None)


def _integers(values: Any, name: str) -> tuple[int, ...]:
    if not isinstance(values, tuple) or any(type(v) is not int or not 0 <= v < 1 << 63 for v in values):
        numbers = (
            "(" + ", ".join(shown(v) for v in values[:8]) + ")" if type(values) is tuple else shown(values)
        )
        raise UnpicklingError(f"a tensor's {name}: expected a tuple of integers of at least 0, got {numbers}")
    return values


def _flag(value: Any, name: str) -> bool:
    if type(value) is not bool:
        raise UnpicklingError(f"a tensor's {name}: expected a bool, got {shown(value)}")
    return value


def _check_fits(numel: int, offset: Any, size: tuple[int, ...], stride: tuple[int, ...]) -> None:
    """UnpicklingError if elements lie outside of a storage of `numel`."""
    if len(size) != len(stride) or len(size) > _DIMENSIONS:
        raise UnpicklingError(f"a tensor has {len(size)} sizes and {len(stride)} strides")
    if type(offset) is not int or offset < 0:
        raise UnpicklingError(f"a tensor's storage offset: expected an integer from 0, got {shown(offset)}")
    if math.prod(size) >= 1 << 63:
        raise UnpicklingError(f"a tensor has too many elements: size {size}")
    last = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if 0 not in size and last >= numel:
        raise UnpicklingError(
            f"a tensor of size {size}, stride {stride} and storage offset {shown(offset)} needs {last + 1} "
            f"elements, but its storage has {numel}"
        )


def _placed(untyped: Any, dtype: Any, offset: Any, size: Any, stride: Any) -> Tensor:
    if type(dtype) is not _C.dtype:
        raise UnpicklingError(f"a tensor's dtype: expected a dtype, got {shown(dtype)}")
    if not isinstance(untyped, UntypedStorage):
        raise UnpicklingError(f"a tensor's storage: expected a storage, got {shown(untyped)}")
    size, stride = _integers(size, "size"), _integers(stride, "stride")
    _check_fits(len(untyped) // dtype.itemsize, offset, size, stride)
    if untyped.device.type == "meta":
        base = _functions.empty((len(untyped) // dtype.itemsize,), dtype=dtype, device="meta")
        return base.as_strided(size, stride, offset)
    empty: Tensor = _functions.empty((0,), dtype=dtype, device=untyped.device)
    return empty.set_(untyped, offset, size, stride)


def _finished(made: Tensor, requires_grad: Any, metadata: Any) -> Tensor:
    """Here conjugated and negated tensors are no views: they get memory of their own, but never more than the
    storage has."""
    flags = {} if metadata is None else metadata
    if type(flags) is not dict or any(
        k not in ("conj", "neg") or type(v) is not bool for k, v in flags.items()
    ):
        raise UnpicklingError(f"a tensor's metadata: expected a dict of conj and neg, got {shown(metadata)}")
    if (flags.get("conj") or flags.get("neg")) and made.numel():
        size, stride = made.shape, made.stride()
        length = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
        dense = made.as_strided((length,), (1,))
        dense = dense.conj() if flags.get("conj") else dense
        made = (-dense if flags.get("neg") else dense).as_strided(size, stride, 0)
    return made.requires_grad_() if _flag(requires_grad, "requires_grad") else made


def tensor(
    storage: Any,
    offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any = False,
    backward_hooks: Any = None,
    metadata: Any = None,
) -> Tensor:
    """A tensor with the dtype of a typed storage. Hooks are ignored: PyTorch writes none."""
    dtype = storage.dtype if isinstance(storage, TypedStorage) else _C.uint8
    return _finished(_placed(storage, dtype, offset, size, stride), requires_grad, metadata)


def _tensor_of_dtype(
    storage: Any,
    offset: Any,
    size: Any,
    stride: Any,
    requires_grad: Any,
    backward_hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    return _finished(_placed(storage, dtype, offset, size, stride), requires_grad, metadata)


def _meta_tensor(dtype: Any, size: Any, stride: Any, requires_grad: Any) -> Tensor:
    size, stride = _integers(size, "size"), _integers(stride, "stride")
    if type(dtype) is not _C.dtype or len(size) != len(stride):
        raise UnpicklingError(
            f"a meta tensor of dtype {shown(dtype)}, {len(size)} sizes, {len(stride)} strides"
        )
    made = _functions.empty_strided(size, stride, dtype=dtype, device="meta")
    return _finished(made, requires_grad, None)


def parameter(data: Any, requires_grad: Any = True, backward_hooks: Any = None, state: Any = None) -> Tensor:
    """A Parameter; in a build without the class, a leaf."""
    if not isinstance(data, Tensor):
        raise UnpicklingError(f"a parameter's data: expected a tensor, got {shown(data)}")
    cls, flag = parameter_class(), _flag(requires_grad, "requires_grad")
    return _with_state(data.detach().requires_grad_(flag) if cls is None else cls(data, flag), state)


def _with_state(made: Tensor, state: Any) -> Tensor:
    """Sets the attributes that users gave a tensor, but none that Tensor has."""
    if state is not None and type(state) is not dict:
        raise UnpicklingError(f"a tensor's state: expected a dict, got {shown(state)}")
    for name, value in (state or {}).items():
        if type(name) is not str or hasattr(Tensor, name):
            raise UnpicklingError(
                f"a tensor's state sets {shown(name)}, which is no name for an attribute of it"
            )
        vars(made)[name] = value
    return made


def from_type(function: Any, cls: Any, args: Any, state: Any) -> Tensor:
    """A tensor of a subclass, or with attributes."""
    make = next((f for f in FUNCTIONS.values() if f is function), None)
    if make is None or type(args) is not tuple:
        raise UnpicklingError(f"expected a function that makes tensors, got {shown(function)}")
    users = serialization._safe_by_path().values()
    if not any(cls is a for a in (Tensor, parameter_class(), *users)) or not issubclass(cls, Tensor):
        raise UnpicklingError(f"expected an allowed subclass of Tensor, got {shown(cls)}")
    made: Tensor = make(*args)
    if type(made) is not cls:
        made = made.as_subclass(cls)
    set_state = getattr(cls, "__setstate__", None)
    if set_state is None:
        return _with_state(made, state)
    set_state(made, state)
    return made


FUNCTIONS: dict[str, Callable[..., Tensor]] = {
    "_rebuild_tensor": tensor,
    "_rebuild_tensor_v2": tensor,
    "_rebuild_tensor_v3": _tensor_of_dtype,
    "_rebuild_meta_tensor_no_storage": _meta_tensor,
    "_rebuild_parameter": parameter,
    "_rebuild_parameter_with_state": parameter,
}
