// Derivatives of views, and of operators that join tensors.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated::details {

/// For a copy of the input at a broadcast size.
TORCH_API Tensor expand_backward(const Tensor& grad, SymIntArrayRef sizes);
TORCH_API Tensor permute_backwards(const Tensor& grad, IntArrayRef dims);
TORCH_API Tensor slice_backward_wrapper(const Tensor& grad, SymIntArrayRef sizes, int64_t dim,
                                        const std::optional<SymInt>& start, const std::optional<SymInt>& end,
                                        const SymInt& step);
/// Exact where several elements of the input or of the result share memory, too: an element of the input gets
/// its share of the gradient of its memory.
TORCH_API Tensor as_strided_backward(const Tensor& grad, const TensorGeometry& self, SymIntArrayRef sizes,
                                     SymIntArrayRef strides, const std::optional<SymInt>& storage_offset);
TORCH_API Tensor split_backward(TensorList grads, const SymInt& split_size, int64_t dim, SymIntArrayRef sizes,
                                const c10::TensorOptions& options);
TORCH_API Tensor split_with_sizes_backward(TensorList grads, SymIntArrayRef split_sizes, int64_t dim,
                                           SymIntArrayRef sizes, const c10::TensorOptions& options);
TORCH_API Tensor unbind_backward(TensorList grads, int64_t dim);
TORCH_API std::vector<Tensor> cat_tensors_backward(const Tensor& grad,
                                                   const std::vector<std::vector<SymInt>>& sizes,
                                                   const std::vector<ScalarType>& dtypes, int64_t dim);
TORCH_API std::vector<Tensor> stack_tensors_backward(const Tensor& grad, int64_t dim,
                                                     const std::vector<ScalarType>& dtypes);
TORCH_API std::vector<Tensor> block_diag_backward(const Tensor& grad,
                                                  const std::vector<std::vector<int64_t>>& sizes,
                                                  const std::vector<ScalarType>& dtypes);

/// Undefined if none of the tensors has a tangent.
TORCH_API Tensor cat_jvp(const at::ITensorListRef& tensors, int64_t dim);
TORCH_API Tensor stack_jvp(TensorList tensors, int64_t dim);
TORCH_API Tensor block_diag_jvp(TensorList tensors);
TORCH_API Tensor as_strided_scatter_src_backward(const Tensor& grad, const TensorGeometry& self,
                                                 SymIntArrayRef sizes, SymIntArrayRef strides,
                                                 const std::optional<SymInt>& storage_offset);
TORCH_API Tensor as_strided_scatter_backward(const Tensor& grad, const TensorGeometry& self,
                                             const TensorGeometry& src, SymIntArrayRef sizes,
                                             SymIntArrayRef strides,
                                             const std::optional<SymInt>& storage_offset);

}  // namespace torch::inline C10_ABI::autograd::generated::details
