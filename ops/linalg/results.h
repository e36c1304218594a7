// Results of operators that compute first and then fill out= arguments, and what they need to know.
#pragma once

#include <ATen/core/Tensor.h>

namespace at::native {

/// Resizes `out` to `result` and copies it there. Throws, naming the operator, unless both have one dtype.
TORCH_API Tensor& write_same_dtype(const char* name, Tensor& out, const Tensor& result);
/// Throws, naming the operator, unless both have one dtype.
TORCH_API void check_same_dtype(const char* name, const Tensor& out, const Tensor& result);
/// Writes matrices whose columns are contiguous; an empty `out` gets them so, too.
TORCH_API Tensor& write_columns(const char* name, Tensor& out, const Tensor& result);
/// Whether a derivative by `self` may be asked for, which needs the vectors beside the values.
TORCH_API bool may_need_derivative(const Tensor& self);

}  // namespace at::native
