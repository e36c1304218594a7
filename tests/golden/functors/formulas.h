// Functions that the golden generation's formulas call; nobody computes anything with them.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <tuple>
#include <vector>

namespace torch::inline C10_ABI::autograd::generated::details {

using at::Tensor;

Tensor unfolded(const Tensor & grad, const Tensor & indices, c10::SymIntArrayRef sizes, int64_t dim,
    bool keepdim);
Tensor gathered(const Tensor & t, const Tensor & indices, int64_t dim, bool keepdim);
Tensor turned_back(const Tensor & grad, at::IntArrayRef shifts, at::IntArrayRef dims);
Tensor window_backward(const Tensor & grad, c10::SymIntArrayRef sizes, c10::SymIntArrayRef size,
    const std::optional<c10::SymInt> & offset);
std::vector<Tensor> parted(const Tensor & grad, const std::vector<std::vector<c10::SymInt>> & sizes,
    int64_t dim);
std::vector<std::vector<c10::SymInt>> to_args_sizes_symint(const at::ITensorListRef & tensors);
Tensor joined(const at::ITensorListRef & tensors, int64_t dim);
std::tuple<Tensor, Tensor> poured(const Tensor & grad, const c10::TensorOptions & options,
    std::array<bool, 2> wanted);

}  // namespace torch::inline C10_ABI::autograd::generated::details
