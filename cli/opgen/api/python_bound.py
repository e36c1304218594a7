"""Which operators get a generated Python binding. The others are bound by hand, or are for C++ only.

The names are PyTorch's, so they count in its namespace only: `dump` says of its operators what PyTorch says.
"""

from __future__ import annotations

import re
from functools import cache

from opgen.api import cpp
from opgen.model import DEFAULT_NAMESPACE, Function

# Bound by hand (attributes, indexing, conversions), or parts of other operators; in the C++ API's spelling.
_NAMES = frozenset(
    """alias contiguous copy copy_ copy_sparse_to_sparse_ data dim get_device index index_out is_contiguous
    is_cuda is_leaf is_sparse is_sparse_csr item itemsize mH mT matrix_H nbytes nonzero nonzero_numpy
    nonzero_out normal_functional numel numpy_T output_nr replace_ requires_grad_ retains_grad set_
    set_data size slice storage_offset stride sym_is_contiguous sym_numel sym_size sym_storage_offset
    sym_stride tensor to unique_dim_consecutive _batch_norm_no_update _batch_norm_with_update
    _batch_norm_with_update_out _foreach_copy _fw_primal _has_same_storage_numel _local_scalar_dense
    _new_zeros_with_same_feature_meta _reshape_alias _reshape_copy _reshape_copy_out _sparse_add_out
    _sparse_dense_add_out _to_copy _to_copy_out _unsafe_view _version
    fake_quantize_per_channel_affine_cachemask fake_quantize_per_tensor_affine_cachemask
    """.split()
)
# Families of names that only C++ code calls.
_FAMILIES = (
    *(".*_backward", ".*_backward_(out|input|weight|bias)", ".*_forward", ".*_forward_out", ".*_jvp"),
    *("_cholesky.*", "_cumprod.*", "_cumsum.*", "_inverse.*", "_prod.*", "_qr.*", "_range.*", "_solve.*"),
    *("_sparse_div.*", "_sparse_mul.*", "_sparse_sub.*", "_sum.*", "_svd.*", "_th_.*", "_thnn_.*"),
    *("_triangular_solve.*", "lift.*", "range.*", ".*_overrideable"),
    "_?sparse_(coo|compressed|csr|csc|bsr|bsc)_tensor.*",
)
# Those among the others that are bound by hand here: queries, which needn't be dispatched, and methods with
# arguments of their own.
_QUERIES = frozenset(
    """_is_zerotensor can_cast is_complex is_conj is_floating_point is_inference is_neg is_pinned
    is_signed pin_memory promote_types result_type
    """.split()
)
_ANY_FAMILY = re.compile("|".join(_FAMILIES))
# A scalar is accepted in place of a tensor: these forms would never be reached.
_ARITHMETIC = ("add", "sub", "mul", "div")
_WITH_ALPHA = ("add", "sub")


@cache
def _shadowed() -> frozenset[str]:
    schemas = set()
    for name in _ARITHMETIC:
        alpha = ", Scalar alpha=1" if name in _WITH_ALPHA else ""
        schemas.add(f"{name}.Scalar(Tensor self, Scalar other{alpha}) -> Tensor")
        schemas.add(f"{name}_.Scalar(Tensor(a!) self, Scalar other{alpha}) -> Tensor(a!)")
    return frozenset(schemas)


def is_bound(function: Function) -> bool:
    """Whether a function gets a binding. Generated operators don't, except copies of views."""
    if function.is_generated and "view_copy" not in function.tags:
        return False
    if function.namespace != DEFAULT_NAMESPACE:
        return True
    name = cpp.name(function.schema)
    if name in _NAMES or _ANY_FAMILY.fullmatch(name):
        return False
    return function.name.overload != "Scalar" or str(function.schema) not in _shadowed()


def is_made(function: Function) -> bool:
    """Whether the binding is generated."""
    return is_bound(function) and (
        function.namespace != DEFAULT_NAMESPACE or cpp.name(function.schema) not in _QUERIES
    )


def hiding_family(function: Function) -> str | None:
    """Returns the family of names because of which a declared operator has no binding: Python reaches it only
    through `ops`, which the author of such an operator may not expect.
    """
    if function.is_generated or function.namespace != DEFAULT_NAMESPACE:
        return None
    name = cpp.name(function.schema)
    if not _ANY_FAMILY.fullmatch(name):
        return None
    return next(f for f in _FAMILIES if re.fullmatch(f, name))
