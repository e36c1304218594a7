"""FloatTensor, LongTensor and the like: constructors of a dtype, and what isinstance() asks about one."""

from __future__ import annotations

from _operator import index

from . import _C
from ._C import Tensor
from ._C import device as _device
from ._C import dtype as _dtype
from ._creation import _copied, _is_numpy_scalar
from ._storage import UntypedStorage

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_PACKAGE = __name__.rpartition(".")[0]
SHOWN_PACKAGE = _PACKAGE  # in the names of types
TYPE_NAMES = {
    "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long", "float16": "Half",
    "float32": "Float", "float64": "Double", "bool": "Bool", "bfloat16": "BFloat16",
    "complex32": "ComplexHalf", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
    "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
}  # fmt: skip


def type_name(t: Tensor) -> str:
    """Returns "aten.FloatTensor", "aten.cuda.LongTensor"."""
    place = "" if t.device.type == "cpu" else f"{t.device.type}."
    return f"{SHOWN_PACKAGE}.{place}{TYPE_NAMES[str(t.dtype).rpartition('.')[2]]}Tensor"


def from_legacy(where: str, args: tuple[Any, ...], dtype: _dtype, place: _device | None) -> Tensor:
    """A tensor of data, or an uninitialised one of sizes: Tensor([1, 2]), Tensor(2, 3), Tensor(Size([2,
    3]))."""
    functions: Any = _C._VariableFunctions
    one_tensor = len(args) == 1 and isinstance(args[0], Tensor)
    if not one_tensor and all(map(_is_size, args)):
        return functions.empty(tuple(map(index, args)) or (0,), dtype=dtype, device=place or "cpu")
    if len(args) > 1:
        raise TypeError(
            f"{where}(): takes sizes, or one sequence, array or tensor; got {len(args)} arguments"
        )
    data = args[0]
    if isinstance(data, _C.Size):
        return functions.empty(data, dtype=dtype, device=place or "cpu")
    if isinstance(data, UntypedStorage):
        count = data.nbytes() // dtype.itemsize
        return functions.empty((0,), dtype=dtype, device=data.device).set_(data, 0, (count,), (1,))
    if isinstance(data, Tensor):
        if data.dtype != dtype:
            raise TypeError(f"{where}(): expected a tensor of {dtype}, got {data.dtype}; use to({dtype})")
        return data[...]
    if isinstance(data, (str, bytes)) or not hasattr(type(data), "__getitem__") or _is_numpy_scalar(data):
        raise TypeError(
            f"{where}(): expected sizes, a sequence, an array or a tensor, got {type(data).__name__}"
        )
    return _copied(data, dtype, place)


def _is_size(value: Any) -> bool:
    if type(value) is int:
        return True
    if isinstance(value, (bool, float, str)):
        return False
    try:
        index(value)
    except TypeError:
        return False
    return True


class TensorType(type):
    """The type of FloatTensor and the like: none has instances, tensors of the dtype count as such."""

    dtype: _dtype
    is_cuda: bool

    def __instancecheck__(cls, instance: object) -> bool:
        if not isinstance(instance, Tensor):
            return False
        kind = "cuda" if cls.is_cuda else "cpu"
        return instance.dtype == cls.dtype and instance.device.type == kind

    def __call__(cls, *args: Any, device: Any = None) -> Tensor:
        kind = "cuda" if cls.is_cuda else "cpu"
        place = _device(kind if device is None else device)
        if place.type != kind:
            raise RuntimeError(f"{cls.__name__}(): expected a device of type {kind}, got {place}")
        return from_legacy(cls.__name__, args, cls.dtype, place)

    def __repr__(cls) -> str:
        return f"<class '{cls.__module__}.{cls.__name__}'>"


def _made(dtype_name: str, module: str) -> TensorType:
    name = f"{TYPE_NAMES[dtype_name]}Tensor"
    members = {
        "__doc__": f"Makes tensors of {dtype_name}, of data or uninitialised ones of sizes. isinstance() "
        "is true for tensors of this dtype there. The old spelling of tensor(data, dtype=...).",
        "__module__": module,
        "__slots__": (),
        "dtype": getattr(_C, dtype_name),
        "layout": getattr(_C, "strided"),  # noqa: B009  (not in the stubs)
        "is_cuda": module.endswith(".cuda"),
        "is_sparse": False,
    }
    return TensorType(name, (), members)


# The dtypes for which PyTorch has such types.
_LEGACY = ("float16", "float32", "float64", "bfloat16", "uint8", "int8", "int16", "int32", "int64", "bool")
_types = {n: _made(n, _PACKAGE) for n in _LEGACY}
HalfTensor, FloatTensor, DoubleTensor, BFloat16Tensor, ByteTensor = (_types[n] for n in _LEGACY[:5])
CharTensor, ShortTensor, IntTensor, LongTensor, BoolTensor = (_types[n] for n in _LEGACY[5:])
CUDA_TYPES = {t.__name__: t for t in (_made(n, f"{_PACKAGE}.cuda") for n in _LEGACY)}


def converted(t: Tensor, wanted: Any, non_blocking: bool) -> Tensor:
    """`t` as a dtype, a type such as FloatTensor, or the name of one."""
    if isinstance(wanted, str):
        wanted = _named(wanted)
    if wanted is Tensor:
        return t.to(_C.get_default_dtype(), non_blocking=non_blocking)
    if isinstance(wanted, TensorType):
        place = "cuda" if wanted.is_cuda else "cpu"
        place_of = t.device if t.device.type == place else _device(place)
        return t.to(device=place_of, dtype=wanted.dtype, non_blocking=non_blocking)
    if not isinstance(wanted, _dtype):
        kind = ValueError if isinstance(wanted, type) else TypeError
        raise kind(f"Tensor.type(): expected a dtype, a type such as FloatTensor or its name, got {wanted!r}")
    return t.to(wanted, non_blocking=non_blocking)


def _named(name: str) -> Any:
    package, _, rest = name.partition(".")
    found = {t.__name__: t for t in _types.values()} | {f"cuda.{n}": t for n, t in CUDA_TYPES.items()}
    found["Tensor"] = Tensor  # type: ignore[assignment]
    if package not in (_PACKAGE, "torch") or rest not in found:
        raise ValueError(f"Tensor.type(): invalid type: {name!r}")
    return found[rest]


def set_default_tensor_type(t: Any, /) -> None:
    """Sets the dtype of tensors made of floats, and their device, by a type such as FloatTensor or its name;
    the old spelling of set_default_dtype() and set_default_device()."""
    from ._devices import set_default_device

    wanted = _named(t) if isinstance(t, str) else t
    if not isinstance(wanted, TensorType):
        raise TypeError(f"set_default_tensor_type(): invalid type object: {t!r}")
    if not wanted.dtype.is_floating_point:
        raise TypeError(f"set_default_tensor_type(): only floating-point types can be the default, got {t!r}")
    _C.set_default_dtype(wanted.dtype)
    set_default_device("cuda" if wanted.is_cuda else None)
