"""Methods of Tensor implemented in Python; they are added to the class when the package is imported."""

from __future__ import annotations

from . import _C
from ._C import Tensor
from ._C import dtype as _dtype
from ._tensor_types import converted, from_legacy, type_name

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ._storage import UntypedStorage


def _construct(cls: type[Tensor], *args: Any, data: Any = None, device: Any = None) -> Tensor:
    """`Tensor(data)`: a tensor of the default dtype; `Tensor(2, 3)`: an uninitialised one of these sizes; of
    a tensor another object for it. The package's functions are the other constructors."""
    if not args and data is not None:
        args = (data,)
    place = _C.device("cpu" if device is None else device)
    if place.type != "cpu":
        raise RuntimeError(
            f"{cls.__name__}(): makes tensors on the CPU, not on {place}; use tensor() or empty()"
        )
    if len(args) == 1 and isinstance(args[0], Tensor):
        made = args[0][...]
    else:
        made = from_legacy(cls.__name__, args, _C.get_default_dtype(), None if device is None else place)
    return made if cls is Tensor else made.as_subclass(cls)


def _torch_function(cls: type, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """The default for subclasses: calls the function, and converts tensors among the results to the class."""
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    if not _C._set_torch_function_enabled(False):
        return NotImplemented  # overrides are disabled here, so this is a function of another library
    try:
        result = func(*args, **(kwargs or {}))
    finally:
        _C._set_torch_function_enabled(True)
    return result if cls is Tensor or func in _plain_results() else _as_class(result, cls)


def _plain_results() -> set[Any]:
    """Returns getters whose tensors keep their type."""
    if not _plain:
        _plain.update(vars(Tensor)[name].__get__ for name in ("grad", "_base"))
    return _plain


_plain: set[Any] = set()


def _as_class(value: Any, cls: type) -> Any:
    if isinstance(value, Tensor) and not isinstance(value, cls):
        return value.as_subclass(cls)
    if isinstance(value, (tuple, list)):
        converted = [_as_class(v, cls) for v in value]
        if type(value) in (tuple, list):
            return type(value)(converted)
        return type(value)(converted) if hasattr(value, "n_sequence_fields") else value
    return value


def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    """Converts a tensor for numpy.asarray(tensor)."""
    array = self.numpy()
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError("__array__(): another type needs a copy")
        return array.astype(dtype)
    return array.copy() if copy else array


def _complex(self: Tensor) -> complex:
    return complex(self.item())


def _format(self: Tensor, spec: str) -> str:
    if self.dim() == 0 and type(self) is Tensor and not self.is_meta:
        return format(self.item(), spec)
    return object.__format__(self, spec)


def _type(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of the tensor's type, or the tensor converted to another dtype or type."""
    return type_name(self) if dtype is None else converted(self, dtype, non_blocking)


def _new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A new tensor with `data`, by default with the dtype and device of this one."""
    from ._creation import tensor

    return tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)


def _set(
    self: Tensor,
    source: Tensor | UntypedStorage | None = None,
    storage_offset: int | None = None,
    size: Sequence[int] | None = None,
    stride: Sequence[int] = (),
) -> Tensor:
    """Makes this tensor one of the memory of source, with its geometry (of a storage, all elements) or the
    given one; without a source, one of no elements."""
    from ._functions import _NAMESPACE
    from ._ops import ops
    from ._storage import UntypedStorage

    set_ = getattr(ops, _NAMESPACE).set_
    if isinstance(source, UntypedStorage):
        whole = len(source) // self.itemsize * self.itemsize
        source = source._bytes[:whole].view(self.dtype)
    if source is None:
        changed = set_(self)
    elif storage_offset is None and size is None:
        changed = set_.source_Tensor(self, source)
    else:
        sizes = source.shape if size is None else size
        changed = set_.source_Tensor_storage_offset(self, source, storage_offset or 0, sizes, stride)
    assert isinstance(changed, Tensor)
    return changed


def _norm(
    self: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    dtype: _dtype | None = None,
) -> Tensor:
    """The p-norm of the elements over `dim`, or of all elements; "fro" means p = 2."""
    from ._distances import norm

    return norm(self, p, dim, keepdim, dtype=dtype)


def _unique(
    self: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, or slices along `dim`. See unique()."""
    from ._sets import unique

    return unique(self, sorted, return_inverse, return_counts, dim)


def _unique_consecutive(
    self: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements, or slices along `dim`, without those that equal the one before. See
    unique_consecutive()."""
    from ._sets import unique_consecutive

    return unique_consecutive(self, return_inverse, return_counts, dim)


def _rebuild(
    cls: type[Tensor],
    data: bytes,
    dtype: _dtype,
    shape: Any,
    requires_grad: bool,
    state: Any,
    order: tuple[int, ...] | None = None,
) -> Tensor:
    """Makes a tensor with these bytes, for pickle. `order` has the dimensions in the order in which they lie
    in memory."""
    lying = shape if order is None else [shape[d] for d in order]
    made: Tensor = _C._VariableFunctions.empty(lying, dtype=dtype, device="cpu")
    _C._set_bytes(made, data)
    if order is not None:
        made = made.permute(sorted(range(len(order)), key=order.__getitem__))
    if cls is not Tensor:
        made = made.as_subclass(cls)
    if requires_grad:
        made.requires_grad_()
    if state:
        made.__dict__.update(state)
    return made


def _reduce_ex(self: Tensor, protocol: int) -> Any:
    if self.is_meta:
        raise NotImplementedError("a tensor on the meta device has no data to pickle")
    state = dict(self.__dict__) if self.__dict__ else None
    held, order = self.detach().cpu(), None
    if not held.is_contiguous() and held.permute(held.dim_order()).is_contiguous():
        order = held.dim_order()
        held = held.permute(order)
    data = _C._get_bytes(held.contiguous())
    return _rebuild, (type(self), data, self.dtype, self.shape, self.requires_grad, state, order)


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    known: Tensor | None = memo.get(id(self))
    if known is not None:
        return known
    if not self.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
            "moment: detach() the tensor first."
        )
    made = self.detach().clone()
    if type(self) is not Tensor and type(made) is not type(self):
        made = made.as_subclass(type(self))
    memo[id(self)] = made
    if self.requires_grad:
        made.requires_grad_()
    import copy

    if self.__dict__:
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
    if self.grad is not None:
        made.grad = copy.deepcopy(self.grad, memo)
    return made


def _reversed(self: Tensor) -> Any:
    return self.flip(0) if self.dim() else self


_PACKAGE = __name__.rpartition(".")[0]

for _name, _method in {
    "__array__": _array,
    "__complex__": _complex,
    "__format__": _format,
    "__reduce_ex__": _reduce_ex,
    "__deepcopy__": _deepcopy,
    "__reversed__": _reversed,
    "type": _type,
    "new_tensor": _new_tensor,
    "norm": _norm,
    "set_": _set,
    "unique": _unique,
    "unique_consecutive": _unique_consecutive,
    "__torch_function__": classmethod(_torch_function),
    "__array_priority__": 1000,
    "__module__": _PACKAGE,
}.items():
    setattr(Tensor, _name, _method)
