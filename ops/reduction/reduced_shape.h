// Shapes, dtypes and iterations of reductions. Dimensions may be negative; no dimensions at all means all of
// them.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtilsMulti.h>
#include <c10/util/OptionalArrayRef.h>

#include <optional>

namespace at::native {

using DimMask = TensorIteratorBase::DimMask;

// The dimensions to reduce as a set. With allow_empty_dims an empty list reduces nothing.
TORCH_API DimMask make_dim_mask(OptionalIntArrayRef opt_dims, int64_t ndim, bool allow_empty_dims = false);
TORCH_API DimVector shape_from_dim_mask(const TensorBase& self, DimMask mask, bool keepdim);

// A view of `result` with all of the input's dimensions, stride 0 along the reduced ones.
TORCH_API TensorBase review_reduce_result(const TensorBase& result, int64_t ndim, DimMask mask, bool keepdim);

// `dtype` if given, that of `result` if it is defined, or self's, where integers become int64.
TORCH_API ScalarType get_dtype_from_self(const TensorBase& self, std::optional<ScalarType> dtype,
                                         bool promote_integers);
TORCH_API ScalarType infer_dtype_from_optional(const TensorBase& self, std::optional<ScalarType> opt_dtype,
                                               const TensorBase& result);

// Errors (IndexError) for reductions without an identity over dimensions of size 0.
TORCH_API void zero_numel_check_dims(const TensorBase& self, int64_t dim, const char* fn_name);
TORCH_API void zero_numel_check_dims(const TensorBase& self, IntArrayRef dims, const char* fn_name);

}  // namespace at::native

namespace at::meta {

TORCH_API DimVector get_reduction_shape(const TensorBase& self, IntArrayRef dims, bool keepdim,
                                        bool allow_empty_dims = false);

// Declares output 0 of a reduction.
TORCH_API void resize_reduction(impl::MetaBase& meta, const TensorBase& self, OptionalIntArrayRef opt_dims,
                                bool keepdim, ScalarType out_dtype, bool allow_empty_dims = false);

// The iteration that reduces `self` into `result`, which has the reduced shape already.
TORCH_API TensorIterator make_reduction(const TensorBase& self, const TensorBase& result,
                                        OptionalIntArrayRef opt_dims, bool keepdim);

}  // namespace at::meta
