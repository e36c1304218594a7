"""PyTorch beside ours: tensors are exchanged by DLPack without copying, other arguments are converted."""

from __future__ import annotations

import dataclasses
from typing import Any

import aten
import numpy as np
import torch
from compare import assert_strides, assert_values
from tensors import DEVICE, TOLERANCES, dtype_name, on_device, to_array

DTYPES = {
    getattr(torch, n): getattr(aten, n)
    for n in (
        "bool",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "complex32",
        "complex64",
        "complex128",
    )
}
FORMATS = {
    torch.contiguous_format: aten.contiguous_format,
    torch.channels_last: aten.channels_last,
    torch.channels_last_3d: aten.channels_last_3d,
    torch.preserve_format: aten.preserve_format,
}

# The NumPy type for the values of a dtype that NumPy lacks.
WITHOUT_NUMPY = {torch.bfloat16: torch.float32, torch.complex32: torch.complex64}

Tolerances = dict[str, tuple[float, float]]


class CannotConvert(Exception):
    """An argument that has no counterpart in this library."""


def to_aten(value: Any, seen: dict[Any, Any] | None = None) -> Any:
    """Returns a PyTorch argument as ours; the same tensor given twice stays one tensor."""
    seen = {} if seen is None else seen
    if isinstance(value, torch.Tensor):
        if id(value) not in seen:
            seen[id(value)] = tensor_to_aten(value, seen.setdefault("storages", {}))
        return seen[id(value)]
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)(to_aten(v, seen) for v in value)
    if isinstance(value, dict):
        return {k: to_aten(v, seen) for k, v in value.items()}
    return plain_to_aten(value)


def plain_to_aten(value: Any) -> Any:
    if isinstance(value, torch.dtype):
        if value not in DTYPES:
            raise CannotConvert(str(value))
        return DTYPES[value]
    if isinstance(value, torch.memory_format):
        return FORMATS[value]
    if isinstance(value, torch.layout):
        if value is not torch.strided:
            raise CannotConvert(str(value))
        return aten.strided
    if isinstance(value, torch.device):
        return aten.device(DEVICE if value.type == "cpu" else str(value))
    if isinstance(value, torch.Generator):
        return aten.Generator(DEVICE)
    if isinstance(value, torch.nn.LinearCrossEntropyOptions):
        return aten.nn.LinearCrossEntropyOptions(**to_aten(dataclasses.asdict(value)))
    return value


def tensor_to_aten(t: torch.Tensor, storages: dict[int, aten.Tensor]) -> aten.Tensor:
    """Returns a tensor over the same memory, on the CPU; tensors that share a storage do so here, too."""
    if t.layout is not torch.strided or t.dtype not in DTYPES or t.dim() > 64:
        raise CannotConvert(f"{t.layout} {t.dtype} {t.dim()} dimensions")
    source = t.detach().resolve_conj().resolve_neg()
    if source.is_meta:
        return aten.empty_strided(tuple(source.shape), source.stride(), dtype=DTYPES[t.dtype], device="meta")
    whole = whole_storage(source)
    key = whole.data_ptr() or id(t)
    if key not in storages or storages[key].dtype != DTYPES[t.dtype]:
        storages[key] = on_device(aten.from_dlpack(whole))
    return storages[key].as_strided(tuple(source.shape), source.stride(), source.storage_offset())


def whole_storage(t: torch.Tensor) -> torch.Tensor:
    """Returns all elements of the storage, in one dimension."""
    return t.as_strided((t.untyped_storage().nbytes() // t.element_size(),), (1,), 0)


def resizable(value: Any) -> Any:
    """Returns tensors like PyTorch's in our own memory: shared memory cannot be resized."""
    if isinstance(value, tuple):
        return tuple(resizable(v) for v in value)
    return aten.empty_strided(tuple(value.shape), value.stride(), dtype=DTYPES[value.dtype], device=DEVICE)


def values_of(t: torch.Tensor) -> np.ndarray:
    plain = t.detach().resolve_conj().resolve_neg()
    held = WITHOUT_NUMPY.get(plain.dtype)
    return (plain if held is None else plain.to(held)).numpy()


def assert_same(
    got: Any,
    expected: Any,
    what: str,
    *,
    values: bool = True,
    strides: bool = True,
    tolerance: Tolerances | None = None,
) -> None:
    """Checks that our result is PyTorch's: values, dtype, shape and strides of tensors, else equality."""
    __tracebackhide__ = True
    if isinstance(expected, torch.Tensor):
        assert_same_tensor(got, expected, what, values, strides, {**TOLERANCES, **(tolerance or {})})
    elif isinstance(expected, (list, tuple)) and not isinstance(expected, torch.Size):
        assert isinstance(got, (list, tuple)), (
            f"{what}: expected {type(expected).__name__}, got {type(got).__name__}"
        )
        assert len(got) == len(expected), f"{what}: {len(got)} results, expected {len(expected)}"
        for i, (g, e) in enumerate(zip(got, expected, strict=True)):
            assert_same(g, e, f"{what}[{i}]", values=values, strides=strides, tolerance=tolerance)
    elif isinstance(expected, (float, complex)):
        assert type(got) is type(expected), (
            f"{what}: {type(got).__name__}, expected {type(expected).__name__}"
        )
        assert_values(np.asarray(got), np.asarray(expected), (1e-6, 1e-6), what)
    elif isinstance(expected, torch.dtype):
        assert got == DTYPES[expected], f"{what}: {got}, expected {expected}"
    else:
        assert got == expected, f"{what}: {got!r}, expected {expected!r}"


def assert_same_tensor(
    got: Any, expected: torch.Tensor, what: str, values: bool, strides: bool, tolerances: Tolerances
) -> None:
    __tracebackhide__ = True
    assert isinstance(got, aten.Tensor), f"{what}: expected a Tensor, got {type(got).__name__}"
    name = str(expected.dtype).rpartition(".")[2]
    assert dtype_name(got) == name, f"{what}: dtype {dtype_name(got)}, expected {name}"
    assert tuple(got.shape) == tuple(expected.shape), (
        f"{what}: shape {tuple(got.shape)}, expected {tuple(expected.shape)}"
    )
    if strides:
        assert_strides(got, expected.stride(), what)
    if values and not expected.is_meta:
        assert_values(to_array(got), values_of(expected), tolerances.get(name, (0, 0)), what)
