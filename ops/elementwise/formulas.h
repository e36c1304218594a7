// Derivatives of elementwise functions.
#pragma once

#include <ATen/native/formulas.h>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>

namespace torch::inline C10_ABI::autograd::generated::details {

TORCH_API Tensor mul_tensor_backward(const Tensor& grad, const Tensor& other, ScalarType self_st);
TORCH_API Tensor mul_tensor_backward(const Tensor& grad, const Scalar& other, ScalarType self_st);
/// With a rounding mode the quotient is constant almost everywhere: zeros.
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other, ScalarType self_st);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other, ScalarType self_st);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other, ScalarType self_st,
                                          const std::optional<std::string_view>& rounding_mode);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other, ScalarType self_st,
                                          const std::optional<std::string_view>& rounding_mode);
TORCH_API Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other);
TORCH_API Tensor div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                                           const std::optional<std::string_view>& rounding_mode);
TORCH_API Tensor div_jvp(const Tensor& self_t, const Tensor& other_p, const Tensor& other_t,
                         const Tensor& result);
/// self - other * floor(self / other), for a scalar `self`.
TORCH_API Tensor remainder_other_backward(const Tensor& grad, const Scalar& self, const Tensor& other);

TORCH_API Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent);
TORCH_API Tensor pow_backward_self(const Tensor& grad, const Tensor& self, const Tensor& exponent);
TORCH_API Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self, const Tensor& exponent,
                                       const Tensor& result);
TORCH_API Tensor pow_backward_exponent(const Tensor& grad, const Scalar& base, const Tensor& exponent,
                                       const Tensor& result);

TORCH_API Tensor pow_jvp(const Tensor& self_p, const Tensor& self_t, const Scalar& exponent,
                         ScalarType result_st);
TORCH_API Tensor pow_jvp(const Scalar& base, const Tensor& exponent_p, const Tensor& exponent_t,
                         const Tensor& result);
TORCH_API Tensor pow_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& exponent_p,
                         const Tensor& exponent_t, const Tensor& result);

TORCH_API Tensor sgn_backward(const Tensor& self, const Tensor& grad, const Tensor& sgn);
/// For maximum and minimum: the gradient where this operand is selected, half of it where both tie.
TORCH_API Tensor winner_backward(const Tensor& grad, const Tensor& loses, const Tensor& ties);
TORCH_API Tensor winner_jvp(const Tensor& self_t, const Tensor& other_t, const Tensor& wins,
                            const Tensor& ties);

TORCH_API Tensor clamp_backward(const Tensor& grad, const Tensor& self, const std::optional<Scalar>& min,
                                const std::optional<Scalar>& max);
TORCH_API Tensor clamp_backward(const Tensor& grad, const Tensor& self, const Tensor& min, const Tensor& max);
TORCH_API std::tuple<Tensor, Tensor> clamp_backward_min_max(const Tensor& grad, const Tensor& self,
                                                            const Tensor& min, const Tensor& max,
                                                            std::array<bool, 2> wanted);
TORCH_API Tensor clamp_jvp(const Tensor& self_p, const Tensor& self_t, const Tensor& min_p,
                           const Tensor& min_t, const Tensor& max_p, const Tensor& max_t);

TORCH_API Tensor angle_backward(const Tensor& grad, const Tensor& self);
TORCH_API std::tuple<Tensor, Tensor> atan2_backward(const Tensor& grad, const Tensor& self,
                                                    const Tensor& other, std::array<bool, 2> wanted);
TORCH_API Tensor copysign_tensor_self_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor sinc_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor logit_double_backward(const Tensor& grad, const Tensor& self, std::optional<double> eps);

/// Derivatives of I1 and of exp(-|x|) I1(x), from their results.
TORCH_API Tensor i1_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor i1e_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor mvlgamma_backward(const Tensor& grad, const Tensor& self, int64_t p);

}  // namespace torch::inline C10_ABI::autograd::generated::details
