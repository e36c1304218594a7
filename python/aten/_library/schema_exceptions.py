"""Operators that do what their schemas, which are PyTorch's, don't say: check_schemas expects it of them."""

from __future__ import annotations

SHARES, WRITES = "shares", "writes"

_NOTHING_TO_DO = "returns its argument, or a view of it, where there is nothing to do"
_VIEWS = "the name says that it is a view, which autograd is not told"
_PARTS = "the results are parts of one tensor"
_STATISTICS = "updates the running statistics in training"

# By operator: what it does, and why.
EXCEPTIONS: dict[str, tuple[str, str]] = {
    f"aten::{name}": (what, why)
    for names, what, why in (
        (
            "alpha_dropout atleast_1d atleast_2d atleast_3d broadcast_tensors cartesian_prod chain_matmul "
            "conj_physical cumprod_backward dropout einsum feature_alpha_dropout feature_dropout "
            "flatten_dense_tensors lift meshgrid set sum_to_size type_as _cast_Byte _cast_Char _cast_Double "
            "_cast_Float _cast_Half _cast_Int _cast_Long _cast_Short _reshape_from_tensor",
            SHARES,
            _NOTHING_TO_DO,
        ),
        (
            "unflatten_dense_tensors unsafe_chunk unsafe_split unsafe_split_with_sizes _unsafe_view",
            SHARES,
            _VIEWS,
        ),
        ("nonzero_numpy", SHARES, _PARTS),
        (
            "batch_norm batch_norm_update_stats instance_norm native_batch_norm _batch_norm_impl_index",
            WRITES,
            _STATISTICS,
        ),
    )
    for name in names.split()
}
