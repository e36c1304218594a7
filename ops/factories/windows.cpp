// Window functions, on every device. A periodic window is a symmetric one of one value more without its last.
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bartlett_window.h>
#include <ATen/ops/bartlett_window_native.h>
#include <ATen/ops/blackman_window.h>
#include <ATen/ops/blackman_window_native.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/hamming_window.h>
#include <ATen/ops/hamming_window_native.h>
#include <ATen/ops/hann_window.h>
#include <ATen/ops/hann_window_native.h>
#include <ATen/ops/kaiser_window.h>
#include <ATen/ops/kaiser_window_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>

#include <cmath>

namespace at::native {

namespace {

constexpr double pi = 3.14159265358979323846;

// f(positions) for the positions 0, 1 ... length - 1 and the length of the symmetric window, where that is
// more than 1. Half precision is computed in float.
template <class F>
Tensor make_window(const char* name, int64_t length, bool periodic, const TensorOptions& options,
                   const F& f) {
  const ScalarType dtype = options.dtype().toScalarType();
  TORCH_CHECK(options.layout() == kStrided, name,
              " is not implemented for sparse types, got: ", options.layout());
  TORCH_CHECK(isFloatingType(dtype), name, " expects floating point dtypes, got: ", dtype);
  TORCH_CHECK(length >= 0, name, " requires non-negative window_length, got window_length=", length);
  if (length == 0) return at::empty({0}, options);
  if (length == 1) return at::ones({1}, options);
  const Tensor positions = at::arange(length, options.dtype(dtype == kDouble ? kDouble : kFloat));
  return f(positions, static_cast<double>(periodic ? length : length - 1)).to(dtype);
}

// The modified Bessel function of order 0 times exp(-x), for x >= 0: its power series, or for large x the
// asymptotic one.
double scaled_i0(double x) {
  const bool small = x < 30;
  double sum = 1, term = 1;
  for (double k = 1; term > 1e-17 * sum; ++k) {
    term *= small ? x * x / (4 * k * k) : (2 * k - 1) * (2 * k - 1) / (8 * k * x);
    sum += term;
  }
  return small ? sum * std::exp(-x) : sum / std::sqrt(2 * pi * x);
}

// Written on the host, for any device: windows are short.
void write_kaiser(double* out, int64_t length, double n, double beta) {
  const double peak = scaled_i0(beta);
  for (int64_t i = 0; i < length; ++i) {
    const double x = 2 * static_cast<double>(i) / n - 1;
    const double argument = beta * std::sqrt(std::fmax(1 - x * x, 0.0));
    out[i] = scaled_i0(argument) / peak * std::exp(argument - beta);
  }
}

}  // namespace

// -------------------- bartlett

Tensor bartlett_window(int64_t window_length, bool periodic, std::optional<ScalarType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device,
                       std::optional<bool> pin_memory) {
  return make_window("bartlett_window", window_length, periodic,
                     make_options(dtype, layout, device, pin_memory),
                     [](const Tensor& i, double n) { return i.mul_(2 / n).sub_(1).abs_().neg_().add_(1); });
}

Tensor bartlett_window(int64_t window_length, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::bartlett_window(window_length, /*periodic=*/true, dtype, layout, device, pin_memory);
}

// -------------------- blackman

Tensor blackman_window(int64_t window_length, bool periodic, std::optional<ScalarType> dtype,
                       std::optional<Layout> layout, std::optional<Device> device,
                       std::optional<bool> pin_memory) {
  return make_window("blackman_window", window_length, periodic,
                     make_options(dtype, layout, device, pin_memory), [](const Tensor& i, double n) {
                       const Tensor twice = i.mul(4 * pi / n).cos_().mul_(0.08);
                       return i.mul_(2 * pi / n).cos_().mul_(-0.5).add_(0.42).add_(twice);
                     });
}

Tensor blackman_window(int64_t window_length, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                       std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::blackman_window(window_length, /*periodic=*/true, dtype, layout, device, pin_memory);
}

// -------------------- hamming and hann

Tensor hamming_window(int64_t window_length, bool periodic, double alpha, double beta,
                      std::optional<ScalarType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory) {
  return make_window(
      "hamming_window", window_length, periodic, make_options(dtype, layout, device, pin_memory),
      [&](const Tensor& i, double n) { return i.mul_(2 * pi / n).cos_().mul_(-beta).add_(alpha); });
}

Tensor hamming_window(int64_t window_length, bool periodic, double alpha, std::optional<ScalarType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device,
                      std::optional<bool> pin_memory) {
  return at::hamming_window(window_length, periodic, alpha, /*beta=*/0.46, dtype, layout, device, pin_memory);
}

Tensor hamming_window(int64_t window_length, bool periodic, std::optional<ScalarType> dtype,
                      std::optional<Layout> layout, std::optional<Device> device,
                      std::optional<bool> pin_memory) {
  return at::hamming_window(window_length, periodic, /*alpha=*/0.54, dtype, layout, device, pin_memory);
}

Tensor hamming_window(int64_t window_length, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::hamming_window(window_length, /*periodic=*/true, dtype, layout, device, pin_memory);
}

Tensor hann_window(int64_t window_length, bool periodic, std::optional<ScalarType> dtype,
                   std::optional<Layout> layout, std::optional<Device> device,
                   std::optional<bool> pin_memory) {
  return make_window(
      "hann_window", window_length, periodic, make_options(dtype, layout, device, pin_memory),
      [](const Tensor& i, double n) { return i.mul_(2 * pi / n).cos_().mul_(-0.5).add_(0.5); });
}

Tensor hann_window(int64_t window_length, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::hann_window(window_length, /*periodic=*/true, dtype, layout, device, pin_memory);
}

// -------------------- kaiser

Tensor kaiser_window(int64_t window_length, bool periodic, double beta, std::optional<ScalarType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device,
                     std::optional<bool> pin_memory) {
  return make_window("kaiser_window", window_length, periodic,
                     make_options(dtype, layout, device, pin_memory), [&](const Tensor& i, double n) {
                       if (i.is_meta()) return i;
                       const Tensor values = at::empty(i.sizes(), TensorOptions().dtype(kDouble));
                       write_kaiser(values.mutable_data_ptr<double>(), i.numel(), n, std::fabs(beta));
                       return values.to(i.options());
                     });
}

Tensor kaiser_window(int64_t window_length, bool periodic, std::optional<ScalarType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device,
                     std::optional<bool> pin_memory) {
  return at::kaiser_window(window_length, periodic, /*beta=*/12.0, dtype, layout, device, pin_memory);
}

Tensor kaiser_window(int64_t window_length, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::kaiser_window(window_length, /*periodic=*/true, dtype, layout, device, pin_memory);
}

}  // namespace at::native
