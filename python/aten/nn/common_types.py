"""Types of arguments that have one value for each dimension, for annotations."""

from __future__ import annotations

from .. import _C

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    from typing import Any

_tensors = tuple[_C.Tensor, ...]


def _values(kind: Any, count: int) -> tuple[Any, Any]:
    """One value of the kind or `count` of them; and the same with None."""
    given, optional = tuple[(kind,) * count], tuple[(kind | None,) * count]  # type: ignore[misc]
    return kind | given, kind | None | optional


_scalar_or_tuple_any_t = _size_any_t = int | tuple[int, ...]
_size_any_opt_t = int | None | tuple[int | None, ...]
_size_1_t, _size_1_opt_t = _values(int, 1)
_size_2_t, _size_2_opt_t = _values(int, 2)
_size_3_t, _size_3_opt_t = _values(int, 3)
_size_4_t = _values(int, 4)[0]
_size_5_t = _values(int, 5)[0]
_size_6_t = _values(int, 6)[0]
_ratio_2_t, _ratio_3_t = _values(float, 2)[0], _values(float, 3)[0]
_ratio_any_t = float | tuple[float, ...]
_tensor_list_t = _C.Tensor | list[_C.Tensor]
_maybe_indices_t = _C.Tensor | tuple[_C.Tensor, _C.Tensor]
