"""Methods of Tensor implemented in Python; they are added to the class when the package is imported."""

from __future__ import annotations

from . import _C
from ._C import Tensor
from ._C import dtype as _dtype

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def _construct(cls: type[Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """`Tensor(data)`: a copy with the default dtype. The package's functions are the other constructors."""
    if kwargs or len(args) > 1:
        raise TypeError(
            f"{cls.__name__}(): takes the data and nothing else; use tensor() to give a dtype or device"
        )
    data = args[0] if args else ()
    if isinstance(data, Tensor):
        made = data.detach().clone()
    elif isinstance(data, int) and not isinstance(data, bool):
        made = _C._VariableFunctions.empty(data)
    else:
        made = _C._from_data(data, _C.get_default_dtype())
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


def _type(self: Tensor, dtype: _dtype | None = None) -> Any:
    """The name of the tensor's type, or the tensor converted to another dtype."""
    if dtype is not None:
        return self.to(dtype)
    place = "" if self.device.type == "cpu" else f"{self.device.type}."
    return f"{_PACKAGE}.{place}{_TYPE_NAMES[str(self.dtype).rpartition('.')[2]]}Tensor"


def _new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A new tensor with `data`, by default with the dtype and device of this one."""
    from ._creation import tensor

    return tensor(data, dtype=dtype or self.dtype, device=device or self.device, requires_grad=requires_grad)


def _type_as(self: Tensor, other: Tensor) -> Tensor:
    """This tensor with the dtype and device of `other`."""
    return self.to(other)


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


def _rebuild(
    cls: type[Tensor], data: bytes, dtype: _dtype, shape: Any, requires_grad: bool, state: Any
) -> Tensor:
    """Makes a tensor with these bytes, for pickle."""
    made: Tensor = _C._VariableFunctions.empty(shape, dtype=dtype)
    _C._set_bytes(made, data)
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
    data = _C._get_bytes(self.detach().cpu().contiguous())
    return _rebuild, (type(self), data, self.dtype, self.shape, self.requires_grad, state)


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
    return reversed(list(self)) if self.dim() else self


_PACKAGE = __name__.rpartition(".")[0]
_TYPE_NAMES = {
    "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long", "float16": "Half",
    "float32": "Float", "float64": "Double", "bool": "Bool", "bfloat16": "BFloat16",
    "complex32": "ComplexHalf", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
    "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
}  # fmt: skip

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
    "type_as": _type_as,
    "__torch_function__": classmethod(_torch_function),
    "__array_priority__": 1000,
    "__module__": _PACKAGE,
}.items():
    setattr(Tensor, _name, _method)
