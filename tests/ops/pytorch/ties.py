"""Operators that return indices of elements: among equal elements, any index is accepted."""

from __future__ import annotations

from typing import Any

import aten
from compare import assert_values
from oracle import assert_same
from tensors import to_array

# The position of the dimension among the arguments.
DIM_AT = {"sort": 1, "topk": 2, "kthvalue": 2, "median": 1, "nanmedian": 1, "mode": 1}


def untied(
    name: str, got: Any, expected: Any, args: Any, kwargs: Any, dim_at: int | None = None
) -> tuple[Any, Any]:
    """Returns our result and PyTorch's; where any index is accepted without the indices, but ours must select
    our values.
    """
    if name not in DIM_AT or not isinstance(got, (list, tuple)) or kwargs.get("stable"):
        return got, expected
    dim_at = DIM_AT[name] if dim_at is None else dim_at
    assert_same(got, expected, "result", values=False)
    values, indices = got
    if args[0].dim():
        dim = args[dim_at] if len(args) > dim_at else kwargs.get("dim", -1)
        kept = indices.dim() == args[0].dim()
        found = aten.gather(args[0], dim, indices if kept else indices.unsqueeze(dim))
        found = found if kept else found.squeeze(dim)
        assert_values(to_array(found), to_array(values), (0, 0), "indices don't lead to the values")
    return values, expected[0]
