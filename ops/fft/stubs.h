// Stubs of Fourier transforms along one dimension, one implementation per device. Unscaled they sum x[j] *
// exp(-2 pi i j k / n), with a positive exponent unless `forward`.
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at::native {

/// The values of the schemas' `normalization`.
// NOLINTNEXTLINE(readability-identifier-naming): ATen's names
enum class fft_norm_mode { none, by_root_n, by_n };

/// Complex to complex, of one shape; `out` may be `in`.
using fft_c2c_fn = void (*)(const TensorBase& out, const TensorBase& in, int64_t dim, bool forward,
                            double scale);
DECLARE_DISPATCH(fft_c2c_fn, fft_c2c_stub)

/// Real to complex, forward. `out` has n / 2 + 1 elements along dim, or all n.
using fft_r2c_fn = void (*)(const TensorBase& out, const TensorBase& in, int64_t dim, double scale);
DECLARE_DISPATCH(fft_r2c_fn, fft_r2c_stub)

/// Complex to real, backward. `in` has at least n / 2 + 1 elements along dim, of which only these are read;
/// `out` has n.
using fft_c2r_fn = void (*)(const TensorBase& out, const TensorBase& in, int64_t dim, double scale);
DECLARE_DISPATCH(fft_c2r_fn, fft_c2r_stub)

}  // namespace at::native
