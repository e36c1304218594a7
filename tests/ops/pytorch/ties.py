"""Operators with more than one right result: indices of elements, where among equal ones any is accepted, and
vectors, which have no phase.
"""

from __future__ import annotations

from typing import Any

import aten
from compare import assert_values
from gauge import fixed, gauge_of
from oracle import assert_same, to_aten
from tensors import to_array

# The position of the dimension among the arguments.
DIM_AT = {"sort": 1, "topk": 2, "kthvalue": 2, "median": 1, "nanmedian": 1, "mode": 1}


def untied(
    name: str, got: Any, expected: Any, args: Any, kwargs: Any, dim_at: int | None = None
) -> tuple[Any, Any]:
    """Returns our result and PyTorch's; where any index is accepted without the indices, but ours must select
    our values; vectors without their phase.
    """
    if gauge_of(name) is not None:
        assert_same(got, expected, "result", values=False)
        return fixed(name, got), fixed(name, expected)
    if name == "argsort" and not kwargs.get("stable"):
        return sorted_by(got, expected, args, kwargs)
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


def sorted_by(got: Any, expected: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Compares what two orders make of the elements, and returns nothing that is left to compare."""
    assert_same(got, expected, "result", values=False)
    if args[0].dim():
        dim = args[1] if len(args) > 1 else kwargs.get("dim", -1)
        ours, theirs = (to_array(aten.gather(args[0], dim, order)) for order in (got, to_aten(expected)))
        assert_values(ours, theirs, (0, 0), "another order")
    return (), ()
