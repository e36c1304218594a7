"""Attributes and methods of Tensor that are compositions, conversions of older programs, or constant here."""

from __future__ import annotations

import sys

from . import _C
from ._C import Tensor
from ._storage import UntypedStorage

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_functions: Any = _C._VariableFunctions


def _conjugate_transpose(self: Tensor) -> Tensor:
    """View of a matrix transposed; of a complex one, the conjugate."""
    if self.dim() not in (0, 2):
        hint = "; mH is for batches of them" if self.dim() > 2 else ""
        raise RuntimeError(f"Tensor.H: only matrices have it, not a {self.dim()}-dim tensor{hint}")
    return self if self.dim() == 0 else _conjugate(self.transpose(0, 1))


def _batch_conjugate_transpose(self: Tensor) -> Tensor:
    """View with the last two dimensions exchanged; of a complex tensor, the conjugate."""
    return _conjugate(self.mT)


def _conjugate(t: Tensor) -> Tensor:
    return t.conj() if t.is_complex() else t


def _real(self: Tensor) -> Tensor:
    """View of the real parts; a real tensor itself."""
    return _functions.view_as_real(self).select(-1, 0) if self.is_complex() else self


def _imag(self: Tensor) -> Tensor:
    """View of the imaginary parts of a complex tensor."""
    if not self.is_complex():
        raise RuntimeError("Tensor.imag: only complex tensors have imaginary parts")
    return _functions.view_as_real(self).select(-1, 1)


def _set_real(self: Tensor, value: Any) -> None:
    with _no_grad():
        _real(self)[...] = value


def _set_imag(self: Tensor, value: Any) -> None:
    with _no_grad():
        _imag(self)[...] = value


def _no_grad() -> Any:
    from .autograd.grad_mode import no_grad

    return no_grad()


def _apply(self: Tensor, callable: Callable[[Any], Any], /) -> Tensor:
    """Replaces each element x by callable(x) and returns the tensor; for the CPU, one call after the
    other."""
    return _mapped("apply_", self, (), callable)


def _map(self: Tensor, other: Tensor, callable: Callable[[Any, Any], Any], /) -> Tensor:
    """Replaces each element by callable(element, element of `other`) and returns the tensor."""
    return _mapped("map_", self, (other,), callable)


def _map2(self: Tensor, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Any], /) -> Tensor:
    """Replaces each element by callable(element, element of x, element of y) and returns the tensor."""
    return _mapped("map2_", self, (x, y), callable)


def _mapped(name: str, self: Tensor, others: Sequence[Tensor], function: Callable[..., Any]) -> Tensor:
    if self.requires_grad:
        raise RuntimeError(
            f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() instead."
        )
    if wrong := [type(t).__name__ for t in others if not isinstance(t, Tensor)]:
        raise TypeError(f"{name}(): expected tensors and a function, got {', '.join(wrong)}")
    if self.device.type != "cpu" or any(t.device.type != "cpu" for t in others):
        raise TypeError(f"{name}(): is only for tensors on the CPU")
    columns = [t.expand(self.shape).reshape(-1).tolist() for t in (self, *others)]
    made = [function(*values) for values in zip(*columns, strict=True)]
    return self.copy_(_C._from_data(made, self.dtype).reshape(self.shape)) if made else self


def _check_self(name: str, self: object) -> None:
    """Checks what a method that is called as Tensor.name(...) is given first."""
    if not isinstance(self, Tensor):
        raise TypeError(f"{name}(): argument 'self' (position 0): expected Tensor, got {type(self).__name__}")


def _dim_order(self: Tensor) -> tuple[int, ...]:
    """The dimensions from the one with the largest stride to the one with the smallest."""
    strides = self.stride()
    return tuple(sorted(range(self.dim()), key=lambda d: -strides[d]))


def _new(self: Tensor, *args: Any, device: Any = None) -> Tensor:
    """A tensor with this one's dtype and device, of data or uninitialised of sizes; the old spelling of
    new_tensor() and new_empty()."""
    from ._tensor_types import from_legacy

    return from_legacy("Tensor.new", args, self.dtype, _C.device(self.device if device is None else device))


def _index(self: Tensor, indices: Sequence[Tensor | None]) -> Tensor:
    """The elements at the index tensors, as self[...] has them; None is a whole dimension."""
    from ._functions import _NAMESPACE
    from ._ops import ops

    if not isinstance(indices, (list, tuple)):
        got = type(indices).__name__
        raise TypeError(f"index(): argument 'indices' (position 1): expected a list of tensors, got {got}")
    return getattr(ops, _NAMESPACE).index.Tensor(self, list(indices))


def _lu(self: Tensor, pivot: bool = True, get_infos: bool = False) -> Any:
    """The LU factors and the pivots. See lu()."""
    from ._lowrank import lu

    return lu(self, pivot, get_infos)


def _to_dense(self: Tensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    """The tensor itself, which is dense, converted to `dtype` if that is given."""
    return self if dtype is None else self.to(dtype)


def _resize(self: Tensor, *sizes: Any) -> Tensor:
    """View with other sizes of as many elements; the old spelling of view()."""
    _check_self("resize", self)
    try:
        return self.view(*sizes)
    except (RuntimeError, TypeError) as error:
        raise type(error)(f"resize(): {error}") from None


def _resize_as(self: Tensor, tensor: Tensor) -> Tensor:
    """The elements in the shape of a tensor of as many; the old spelling of view_as()."""
    _check_self("resize_as", self)
    if not isinstance(tensor, Tensor):
        got = type(tensor).__name__
        raise TypeError(f"resize_as(): argument 'tensor' (position 1): expected Tensor, got {got}")
    if self.numel() != tensor.numel():
        raise RuntimeError(
            f"resize_as(): {tuple(self.shape)} has not as many elements as {tuple(tensor.shape)}"
        )
    return self.contiguous().view(tensor.shape)


def _untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory that the tensor shares with its views and its base."""
    if self.is_meta:
        raise NotImplementedError("Tensor.untyped_storage(): a tensor on the meta device has no memory")
    return UntypedStorage._of(self)


def _share_memory_(self: Tensor) -> Tensor:
    """Moves the elements to memory that other processes share once they get the tensor, and returns it.
    RuntimeError if other tensors or arrays lie in the tensor's present memory: they would stay there."""
    from .multiprocessing import _memory

    return _memory.share_memory_(self)


def _is_shared(self: Tensor) -> bool:
    """Whether processes share the memory: after share_memory_(), or if another process sent the tensor."""
    memory = sys.modules.get(f"{__package__}.multiprocessing._memory")
    return memory is not None and bool(memory.is_shared(self))


def _is_distributed(self: Tensor) -> bool:
    """False: there are no distributed tensors."""
    return False


def _array_wrap(self: Tensor, array: Any, context: Any = None, return_scalar: bool = False) -> Tensor:
    """The result of a NumPy function of the tensor, as a tensor."""
    if array.dtype == bool:
        array = array.astype("uint8")
    return _C.from_numpy(array)


def _array_namespace(self: Tensor, /, *, api_version: str | None = None) -> Any:
    """The namespace of the array API standard, aten.array_api. ValueError for a version that it isn't of."""
    from . import array_api

    if api_version is not None and api_version not in array_api.VERSIONS:
        raise ValueError(f"Tensor.__array_namespace__(): there is no version {api_version!r}")
    return array_api


def _to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """The tensor on a device, as the array API standard spells it."""
    if stream is not None:
        raise ValueError("Tensor.to_device(): takes no stream; enter it with aten.cuda.stream()")
    return self.to(device)


def _module_load(self: Tensor, other: Tensor, assign: bool = False) -> Tensor:
    """What Module.load_state_dict() swaps a parameter or buffer with for a loaded tensor, by
    aten.__future__.set_swap_module_params_on_conversion(): a new tensor. Subclasses may override it."""
    return other.detach() if assign else self.copy_(other).detach()


def _absent_kind(what: str) -> property:
    return property(lambda self: False, doc=f"False: there are no tensors of {what}.")


_KINDS = {
    "is_ipu": "IPUs", "is_maia": "Maia devices", "is_mkldnn": "oneDNN's layout", "is_mps": "Apple's GPUs",
    "is_mtia": "MTIA devices", "is_sparse_csr": "sparse rows", "is_vulkan": "Vulkan devices",
    "is_xla": "XLA devices", "is_xpu": "Intel's GPUs",
}  # fmt: skip

for _name, _member in {
    "H": property(_conjugate_transpose),
    "mH": property(_batch_conjugate_transpose),
    "real": property(_real, _set_real),
    "imag": property(_imag, _set_imag),
    "_grad": property(
        lambda self: self.grad, lambda self, value: setattr(self, "grad", value), doc="`grad`."
    ),
    "name": property(lambda self: None, doc="None: tensors have no names."),
    "grad_dtype": property(lambda self: self.dtype, doc="The dtype of the tensor's gradient: its own."),
    "apply_": _apply,
    "map_": _map,
    "map2_": _map2,
    "dim_order": _dim_order,
    "new": _new,
    "index": _index,
    "lu": _lu,
    "to_dense": _to_dense,
    "resize": _resize,
    "resize_as": _resize_as,
    "untyped_storage": _untyped_storage,
    "is_shared": _is_shared,
    "share_memory_": _share_memory_,
    "is_distributed": _is_distributed,
    "__array_wrap__": _array_wrap,
    "__array_namespace__": _array_namespace,
    "to_device": _to_device,
    "module_load": _module_load,
    **{n: _absent_kind(what) for n, what in _KINDS.items()},
}.items():
    setattr(Tensor, _name, _member)
