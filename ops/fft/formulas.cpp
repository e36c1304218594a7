// Formulas of Fourier transforms.
#include <ATen/core/DimVector.h>
#include <ATen/native/fft/formulas.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/real.h>
#include <ATen/ops/slice_backward.h>

namespace torch::inline C10_ABI::autograd::generated::details {

// For the given half, the other is zero: the gradient is the real part of the backward transform.
Tensor fft_r2c_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization, bool onesided,
                        const SymInt& last_dim_size) {
  const int64_t last = c10::maybe_wrap_dim(dim.back(), grad.dim()), size = last_dim_size.expect_int();
  Tensor whole = grad;
  if (onesided && grad.size(last) < size) {
    at::DimVector sizes(grad.sizes().begin(), grad.sizes().end());
    sizes[last] = size;
    whole = at::slice_backward(grad, sizes, last, 0, grad.size(last), 1);
  }
  return at::real(at::_fft_c2c(whole, dim, normalization, /*forward=*/false));
}

// Points between the ends occur twice in the whole transform; what follows the half was not read.
Tensor fft_c2r_backward(const Tensor& grad, IntArrayRef dim, int64_t normalization,
                        const SymInt& last_dim_size) {
  const int64_t last = c10::maybe_wrap_dim(dim.back(), grad.dim()), size = last_dim_size.expect_int();
  Tensor half = at::_fft_r2c(grad, dim, normalization, /*onesided=*/true);
  const int64_t points = half.size(last), doubled = grad.size(last) - points;
  if (doubled > 0) {
    const Tensor first = half.narrow(last, 0, 1), middle = half.narrow(last, 1, doubled).mul(2);
    const int64_t rest = points - 1 - doubled;
    half = rest == 0 ? at::cat({first, middle}, last)
                     : at::cat({first, middle, half.narrow(last, points - rest, rest)}, last);
  }
  if (points == size) return half;
  at::DimVector sizes(half.sizes().begin(), half.sizes().end());
  sizes[last] = size;
  return at::slice_backward(half, sizes, last, 0, points, 1);
}

}  // namespace torch::inline C10_ABI::autograd::generated::details
