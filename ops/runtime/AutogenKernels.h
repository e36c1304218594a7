// What the generated kernels of autogen variants call: copies into out= arguments, clones of arguments to be
// mutated.
#pragma once
#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

namespace at::inline C10_ABI::impl {

// Resizes `out` to the shape of `result` and copies it there, as all out= variants do.
TORCH_API void copy_to_out(const Tensor& result, const Tensor& out);
TORCH_API void copy_to_out(const std::vector<Tensor>& results, TensorList outs);

TORCH_API Tensor clone_argument(const Tensor& self);
TORCH_API std::optional<Tensor> clone_argument(const std::optional<Tensor>& self);
TORCH_API std::vector<Tensor> clone_argument(TensorList self);

// The results of a `_copy` operator: contiguous tensors with memory of their own.
TORCH_API Tensor clone_view(const Tensor& view);
TORCH_API std::vector<Tensor> clone_view(const std::vector<Tensor>& views);

}  // namespace at::inline C10_ABI::impl
