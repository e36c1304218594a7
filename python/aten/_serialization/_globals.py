"""The names in pickles that are allowed, and what they stand for here; those of users' classes."""

from __future__ import annotations

import _compat_pickle
import functools
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from pickle import UnpicklingError
from typing import Any

from .. import _C, serialization
from .._C import Tensor
from . import _rebuild
from ._checks import shown
from ._unpickler import Global

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="attr-defined,no-any-return"

# PyTorch's names of typed storages, with the dtypes.
STORAGES = {
    "DoubleStorage": "float64", "FloatStorage": "float32", "HalfStorage": "float16", "LongStorage": "int64",
    "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
    "BoolStorage": "bool", "BFloat16Storage": "bfloat16", "ComplexDoubleStorage": "complex128",
    "ComplexFloatStorage": "complex64",
}  # fmt: skip
# Those without a typed storage are written as untyped storages with a dtype.
DTYPES = (*STORAGES.values(), "complex32", "uint16", "uint32", "uint64")
FORMATS = ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
# What PyTorch writes and this library has no tensors for.
_ABSENT = {
    "_rebuild_sparse_tensor": "sparse tensors; save x.to_dense()",
    "_rebuild_qtensor": "quantized tensors; save x.dequantize()",
    "_rebuild_nested_tensor": "nested tensors; save x.to_padded_tensor(0.0)",
}


def _elements(items: Any = ()) -> Sequence[Any]:
    if type(items) not in (list, tuple):
        raise UnpicklingError(f"expected a list of a set's elements, got {shown(items)}")
    return items


def _set(items: Any = ()) -> set[Any]:
    return set(items)


def _first_of_pairs(pairs: Any = ()) -> list[Any]:
    if type(pairs) not in (list, tuple) or any(type(p) not in (list, tuple) or len(p) != 2 for p in pairs):
        raise UnpicklingError(f"expected a list of an OrderedDict's pairs, got {shown(pairs)}")
    return [key for key, _ in pairs]


def _ordered(pairs: Any = ()) -> OrderedDict[Any, Any]:
    return OrderedDict(pairs)


def _counter(counts: Any = None) -> Counter[Any]:
    if counts is not None and type(counts) is not dict:
        raise UnpicklingError(f"expected a dict of a Counter's counts, got {shown(counts)}")
    return Counter(counts or {})


def _complex(real: Any, imaginary: Any) -> complex:
    if type(real) is not float or type(imaginary) is not float:
        raise UnpicklingError(f"expected two floats of a complex, got {shown(real)} and {shown(imaginary)}")
    return complex(real, imaginary)


def _encoded(text: Any, encoding: Any) -> bytes:
    """The bytes of protocol 2: one character for each."""
    if type(text) is not str or encoding not in ("latin1", "latin-1"):
        raise UnpicklingError(f"expected latin1 text of bytes, got {shown(text)} and {shown(encoding)}")
    return text.encode("latin1")


def _bytes() -> bytes:
    return b""


def _byte_array(content: Any = b"", encoding: Any = None) -> bytearray:
    if encoding is not None:
        return bytearray(_encoded(content, encoding))
    if type(content) is not bytes:  # a number would be a length
        raise UnpicklingError(f"expected the bytes of a bytearray, got {shown(content)}")
    return bytearray(content)


def _size(sizes: Any) -> _C.Size:
    if type(sizes) not in (list, tuple) or any(type(s) is not int for s in sizes):
        raise UnpicklingError(f"expected the integers of a torch.Size, got {shown(sizes)}")
    return _C.Size(sizes)


def _device(kind: Any, index: Any = None) -> _C.device:
    if type(kind) is not str or type(index) not in (int, type(None)):
        raise UnpicklingError(f"expected a device's type and index, got {shown(kind)} and {shown(index)}")
    return _C.device(kind if index is None else f"{kind}:{index}")


def _layout(name: Any) -> _C.layout:
    if name != "torch.strided":
        raise UnpicklingError(f"the only layout here is torch.strided, got {shown(name)}")
    return _C.strided


@functools.cache
def _allowed() -> dict[str, Global]:
    functions: dict[str, Callable[..., Any]] = {
        "builtins.complex": _complex,
        "builtins.bytes": _bytes,
        "builtins.bytearray": _byte_array,
        "_codecs.encode": _encoded,
        "torch.serialization._get_layout": _layout,
        "torch._tensor._rebuild_from_type_v2": _rebuild.from_type,
    }
    functions |= {f"torch._utils.{f}": function for f, function in _rebuild.FUNCTIONS.items()}
    found = {name: Global(function, function) for name, function in functions.items()}
    for name in (*DTYPES, *FORMATS):
        found[f"torch.{name}"] = Global(getattr(_C, name), None)
    for name, dtype in STORAGES.items():
        found[f"torch.{name}"] = Global(_rebuild.StorageType(getattr(_C, dtype)), None)
    untyped = Global(_rebuild.StorageType(None), None)
    return found | {
        "torch.storage.UntypedStorage": untyped,
        "torch.UntypedStorage": untyped,
        "builtins.set": Global(_set, _set, _elements),
        "collections.OrderedDict": Global(OrderedDict, _ordered, _first_of_pairs),
        "collections.Counter": Global(Counter, _counter),
        "torch.Size": Global(_C.Size, _size),
        "torch.device": Global(_C.device, _device),
        "torch.Tensor": Global(Tensor, None),
    }


def find(module: str, name: str) -> Global:
    """What a global of a pickle stands for. UnpicklingError if it is not allowed."""
    if (module, name) in _compat_pickle.NAME_MAPPING:  # protocol 2 has the names of Python 2
        module, name = _compat_pickle.NAME_MAPPING[module, name]
    module = _compat_pickle.IMPORT_MAPPING.get(module, module)
    path = f"{module}.{name}"
    if module in serialization._NEVER_MODULES:
        raise UnpicklingError(f"global {shown(path)}: its module is never allowed, since it can do anything")
    if path in _allowed():
        return _allowed()[path]
    if path == "torch.nn.parameter.Parameter":
        return Global(_rebuild.parameter_class() or Tensor, _rebuild.parameter)
    users = serialization._safe_by_path()
    if path in users:
        return Global(users[path], users[path])
    raise UnpicklingError(f"global {shown(path)} is not allowed: {_what_to_do(module, name)}")


def _what_to_do(module: str, name: str) -> str:
    path = shown(f"{module}.{name}")
    if name in _ABSENT:
        return f"this library has no {_ABSENT[name]} with PyTorch instead"
    if module.partition(".")[0] == "torch":
        return (
            "it is PyTorch's, and this library has nothing for it. Save state_dict()s rather than modules; "
            f"or let your class stand for it: aten.serialization.add_safe_globals([(YourClass, {path})])"
        )
    return (
        "if you trust it with any arguments, allow it by aten.serialization.add_safe_globals([...]) of the "
        "class or function, or in a scope of aten.serialization.safe_globals([...])"
    )
