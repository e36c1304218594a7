"""How samples become a batch, and a sample becomes tensors."""

from __future__ import annotations

import copy
import sys
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

from ...._C import Tensor, _VariableFunctions, float64
from ...._creation import as_tensor, tensor
from . import worker

# Types of the compiled module are only in the package's stubs.
# mypy: disable-error-code="no-any-return, attr-defined"
TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Key = type | tuple[type, ...]


def _is_numeric(array: Any) -> bool:
    """Whether a NumPy array's elements can be those of a tensor: no strings and objects."""
    return array.dtype.kind not in "SUO"


def _array(values: Any) -> Any:
    """NumPy's numbers as an array, which has their type."""
    return sys.modules["numpy"].asarray(values)


def _like_mapping(old: Any, values: dict[Any, Any]) -> Any:
    """A mapping of the type of `old` with other values; a dict if the type can't be made of them."""
    try:
        if not isinstance(old, MutableMapping):
            return type(old)(values)
        made = copy.copy(old)  # it may have attributes
        made.update(values)
        return made
    except TypeError:
        return values


def _like_sequence(old: Any, values: list[Any]) -> Any:
    """A sequence of the type of `old` with other values; a list if the type can't be made of them."""
    try:
        if not isinstance(old, MutableSequence):
            return type(old)(values)
        made = copy.copy(old)  # it may have attributes
        for i, value in enumerate(values):
            made[i] = value
        return made
    except TypeError:
        return values


def _like_tuple(old: Any, values: Iterable[Any]) -> Any:
    """A named tuple of the type of `old`; for another tuple a list."""
    return type(old)(*values) if hasattr(old, "_fields") else list(values)


def default_convert(data: Any) -> Any:
    """Replaces NumPy's arrays and numbers by tensors, also within mappings and sequences. Tuples become
    lists, named tuples stay. This is DataLoader's `collate_fn` where it makes no batches."""
    if isinstance(data, (Tensor, str, bytes)):
        return data
    if type(data).__module__ == "numpy":
        return as_tensor(_array(data)) if _is_numeric(data) else data
    if isinstance(data, Mapping):
        return _like_mapping(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple):
        return _like_tuple(data, [default_convert(d) for d in data])
    if isinstance(data, Sequence):
        return _like_sequence(data, [default_convert(d) for d in data])
    return data


def _cannot_collate(found: object) -> TypeError:
    return TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {found}"
    )


def collate(batch: Any, *, collate_fn_map: dict[Key, Callable[..., Any]] | None = None) -> Any:
    """Makes a batch of samples, whose structure is that of the first. The map has a function for each type of
    elements: function(elements, collate_fn_map=map); of a type that it hasn't, that of a base class."""
    first = batch[0]
    functions = collate_fn_map or {}
    function = functions.get(type(first))
    if function is None:
        function = next((f for kind, f in functions.items() if isinstance(first, kind)), None)
    if function is not None:
        return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        columns = {key: [sample[key] for sample in batch] for key in first}
        return _like_mapping(
            first, {key: collate(c, collate_fn_map=collate_fn_map) for key, c in columns.items()}
        )
    if not isinstance(first, Sequence):
        raise _cannot_collate(type(first))
    if hasattr(first, "_fields"):
        return _like_tuple(first, [collate(c, collate_fn_map=collate_fn_map) for c in zip(*batch)])  # noqa: B905
    if any(len(sample) != len(first) for sample in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    values = [collate(c, collate_fn_map=collate_fn_map) for c in zip(*batch, strict=True)]
    return values if isinstance(first, tuple) else _like_sequence(first, values)


def _collate_tensors(batch: Sequence[Tensor], *, collate_fn_map: Any = None) -> Tensor:
    """Stacks tensors; in a worker those of one size in shared memory, if they are large."""
    first = batch[0]
    if worker.get_worker_info() is not None and type(first) is Tensor and first.device.type == "cpu":
        from ....multiprocessing import _memory, reductions

        alike = all(t.dtype == first.dtype and not t.requires_grad for t in batch)
        if alike and len(batch) * first.nbytes >= reductions.SMALL:
            out = _memory.empty((len(batch), *first.shape), first.dtype)
            return _VariableFunctions.stack(batch, 0, out=out)
    return _VariableFunctions.stack(batch, 0)


def _collate_arrays(batch: Sequence[Any], *, collate_fn_map: Any = None) -> Any:
    if not _is_numeric(batch[0]):
        raise _cannot_collate(batch[0].dtype)
    return collate([as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def _collate_floats(batch: Sequence[float], *, collate_fn_map: Any = None) -> Tensor:
    return tensor(batch, dtype=float64)


def _collate_ints(batch: Sequence[int], *, collate_fn_map: Any = None) -> Tensor:
    return tensor(batch)


def _collate_scalars(batch: Sequence[Any], *, collate_fn_map: Any = None) -> Tensor:
    return as_tensor(_array(batch))


def _keep(batch: Any, *, collate_fn_map: Any = None) -> Any:
    return batch


default_collate_fn_map: dict[Key, Callable[..., Any]] = {
    Tensor: _collate_tensors,
    float: _collate_floats,
    int: _collate_ints,
    str: _keep,
    bytes: _keep,
}


def _add_numpy() -> None:
    """Adds NumPy's types to the default map once the program has imported NumPy."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and numpy.ndarray not in default_collate_fn_map:
        default_collate_fn_map[numpy.ndarray] = _collate_arrays
        default_collate_fn_map[numpy.bool_, numpy.number, numpy.object_] = _collate_scalars


def default_collate(batch: Any) -> Any:
    """Makes a batch of samples: of tensors, NumPy's arrays and numbers a tensor with a new dimension 0, of
    strings their list; of mappings and sequences one with a batch for each place. Tuples become lists. This
    is DataLoader's default `collate_fn`. TypeError for other types, RuntimeError for sequences of different
    lengths."""
    _add_numpy()
    return collate(batch, collate_fn_map=default_collate_fn_map)
