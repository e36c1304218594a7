// Derivatives of indexing.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

/// `zeros` is overwritten by the gradient.
TORCH_API Tensor index_backward(Tensor zeros, const c10::List<std::optional<Tensor>>& indices,
                                const Tensor& grad);
TORCH_API Tensor gather_backward(const Tensor& grad, SymIntArrayRef sizes, int64_t dim, const Tensor& index,
                                 bool sparse_grad);
/// For `src`, of which scatter reads the part with the size of `index`.
TORCH_API Tensor scatter_src_backward(const Tensor& grad, int64_t dim, const Tensor& index,
                                      SymIntArrayRef src_sizes);
TORCH_API std::tuple<Tensor, Tensor> scatter_reduce_backward(const Tensor& grad, const Tensor& self,
                                                             int64_t dim, const Tensor& index,
                                                             const Tensor& src, std::string_view reduce,
                                                             bool include_self, const Tensor& result);
TORCH_API Tensor scatter_reduce_jvp(const Tensor& self_p, const Tensor& self_t, int64_t dim,
                                    const Tensor& index, const Tensor& src_p, const Tensor& src_t,
                                    std::string_view reduce, bool include_self, const Tensor& result);
TORCH_API std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self,
                                                           int64_t dim, const Tensor& index,
                                                           const Tensor& source, std::string_view reduce,
                                                           bool include_self, const Tensor& result);
TORCH_API Tensor index_add_source_backward(const Tensor& grad, int64_t dim, const Tensor& index,
                                           SymIntArrayRef source_sizes);
TORCH_API Tensor gather_with_keepdimed_indices(const Tensor& self, int64_t dim, const Tensor& indices,
                                               bool keepdim);
TORCH_API Tensor masked_fill_backward(const Tensor& grad, const Tensor& mask);
TORCH_API Tensor index_fill_value_backward(const Tensor& grad, int64_t dim, const Tensor& index);
TORCH_API Tensor take_backward(const Tensor& grad, const Tensor& self, const Tensor& index);
TORCH_API Tensor embedding_dense_double_backward(const Tensor& grad, const Tensor& indices,
                                                 const SymInt& padding_idx, bool scale_grad_by_freq);

}  // namespace torch::inline C10_ABI::autograd::generated::details
