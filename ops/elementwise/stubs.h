// Stubs of elementwise operators with a mode, optional bounds or operands of different dtypes, one
// implementation per device. Operators with a functor need none of these: their kernels are generated.
// Operands of the iterations: out, then as named.
#pragma once

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>

#include <cstdint>
#include <optional>

namespace at::native {

using structured_binary_fn = void (*)(TensorIteratorBase&);
using structured_scalar_fn = void (*)(TensorIteratorBase&, const Scalar&);

// Rounded towards zero, or down. self, other, of one dtype.
DECLARE_DISPATCH(structured_binary_fn, div_trunc_stub)
DECLARE_DISPATCH(structured_binary_fn, div_floor_stub)

DECLARE_DISPATCH(structured_binary_fn, pow_tensor_tensor_stub)
DECLARE_DISPATCH(structured_scalar_fn, pow_tensor_scalar_stub)

// self, min, max.
DECLARE_DISPATCH(structured_binary_fn, clamp_stub)
// Null: no bound on this side.
using clamp_scalar_fn = void (*)(TensorIteratorBase&, const Scalar* min, const Scalar* max);
DECLARE_DISPATCH(clamp_scalar_fn, clamp_scalar_stub)

// condition (bool), self, other.
using where_fn = void (*)(TensorIterator&);
DECLARE_DISPATCH(where_fn, where_kernel)

// self, end; the weight.
DECLARE_DISPATCH(structured_scalar_fn, lerp_scalar_stub)

// self; the number of decimals.
using round_decimals_fn = void (*)(TensorIteratorBase&, int64_t);
DECLARE_DISPATCH(round_decimals_fn, round_decimals_stub)

// self, other.
DECLARE_DISPATCH(structured_binary_fn, nextafter_stub)
// self; complex with a real out, or floating.
DECLARE_DISPATCH(structured_binary_fn, angle_stub)

// self; the order of the derivative of digamma, at least 1.
using polygamma_fn = void (*)(TensorIteratorBase&, int64_t);
DECLARE_DISPATCH(polygamma_fn, polygamma_stub)

// self; the replacements of NaN and the infinities.
struct Replacements {
  std::optional<double> nan, positive_infinity, negative_infinity;
};
using nan_to_num_fn = void (*)(TensorIteratorBase&, const Replacements&);
DECLARE_DISPATCH(nan_to_num_fn, nan_to_num_stub)

// self. The exponents are int32.
DECLARE_DISPATCH(structured_binary_fn, frexp_mantissa_stub)
DECLARE_DISPATCH(structured_binary_fn, frexp_exponent_stub)

// self; grad_output, self. Without `eps` nothing is clamped to [eps, 1 - eps].
using logit_fn = void (*)(TensorIteratorBase&, std::optional<double> eps);
DECLARE_DISPATCH(logit_fn, logit_stub)
DECLARE_DISPATCH(logit_fn, logit_backward_stub)

}  // namespace at::native
