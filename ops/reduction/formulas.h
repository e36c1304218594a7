// Derivatives of reductions.
#pragma once

#include <ATen/native/formulas.h>

#include <cstdint>
#include <optional>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor sum_backward(const Tensor& grad, SymIntArrayRef sizes, OptionalIntArrayRef dims,
                              bool keepdim);
TORCH_API Tensor mean_backward(const Tensor& grad, SymIntArrayRef sizes);
TORCH_API Tensor mean_backward(const Tensor& grad, SymIntArrayRef sizes, OptionalIntArrayRef dims,
                               bool keepdim);
TORCH_API Tensor var_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                              const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor var_jvp(const Tensor& self_p, const Tensor& self_t, OptionalIntArrayRef dims,
                         const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor std_backward(const Tensor& result, const Tensor& grad, const Tensor& self,
                              OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                              bool keepdim);
TORCH_API Tensor std_jvp(const Tensor& result, const Tensor& self_p, const Tensor& self_t,
                         OptionalIntArrayRef dims, const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor var_mean_backward(const Tensor& grad_var, const Tensor& grad_mean, const Tensor& self,
                                   OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                                   bool keepdim);
TORCH_API Tensor std_mean_backward(const Tensor& grad_std, const Tensor& grad_mean, const Tensor& self,
                                   const Tensor& deviation, OptionalIntArrayRef dims,
                                   const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor nansum_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                                 bool keepdim);
/// For vector norms; `p` is 2 where it isn't given. Where a norm is 0, so is its gradient.
TORCH_API Tensor norm_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& p,
                               const Tensor& norm, OptionalIntArrayRef dims = std::nullopt,
                               bool keepdim = false);
TORCH_API Tensor norm_jvp(const Tensor& self_p, const Tensor& self_t, const std::optional<Scalar>& p,
                          const Tensor& norm, OptionalIntArrayRef dims = std::nullopt, bool keepdim = false);
TORCH_API Tensor prod_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor prod_backward(const Tensor& grad, const Tensor& self, int64_t dim, bool keepdim);
TORCH_API Tensor prod_jvp(const Tensor& self_p, const Tensor& self_t, ScalarType result_st);
TORCH_API Tensor prod_jvp(const Tensor& self_p, const Tensor& self_t, ScalarType result_st, int64_t dim,
                          bool keepdim);
/// For amax and amin: elements that tie share the gradient.
TORCH_API Tensor amaxamin_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                   IntArrayRef dims, bool keepdim);
TORCH_API Tensor amaxamin_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& result,
                              IntArrayRef dims, bool keepdim);
/// For max and min of all elements: those that tie share the gradient, NaNs too.
TORCH_API Tensor evenly_distribute_backward(const Tensor& grad, const Tensor& self, const Tensor& value);
TORCH_API Tensor evenly_read_jvp(const Tensor& self_t, const Tensor& self_p, const Tensor& value);
TORCH_API Tensor aminmax_backward(const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                                  const Tensor& grad_min, const Tensor& grad_max, const Tensor& min,
                                  const Tensor& max);
TORCH_API Tensor aminmax_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& value,
                             std::optional<int64_t> dim, bool keepdim);
TORCH_API Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                    IntArrayRef dims, bool keepdim);
TORCH_API Tensor logsumexp_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& result,
                               IntArrayRef dims, bool keepdim);

}  // namespace torch::inline C10_ABI::autograd::generated::details
