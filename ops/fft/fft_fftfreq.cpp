// fftfreq, rfftfreq, fftshift and ifftshift.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fft_fftfreq.h>
#include <ATen/ops/fft_fftfreq_native.h>
#include <ATen/ops/fft_fftshift_native.h>
#include <ATen/ops/fft_ifftshift_native.h>
#include <ATen/ops/fft_rfftfreq.h>
#include <ATen/ops/fft_rfftfreq_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/slice.h>

namespace at::native {

// -------------------- frequencies

namespace {

void check_frequencies(const char* name, int64_t n, const Tensor& out) {
  TORCH_CHECK(n >= 0, name, ": expected a number of points that is not negative, got ", n);
  TORCH_CHECK(out.is_floating_point() || out.is_complex(), name,
              " requires a floating point or complex dtype, got ", out.scalar_type());
}

double step_of(int64_t n, double d) { return 1.0 / (static_cast<double>(n) * d); }

}  // namespace

Tensor fft_fftfreq(int64_t n, double d, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                   std::optional<Device> device, std::optional<bool> pin_memory) {
  Tensor result = at::empty({n}, make_options(dtype, layout, device, pin_memory));
  return at::fft_fftfreq_out(result, n, d);
}

Tensor& fft_fftfreq_out(int64_t n, double d, Tensor& out) {
  check_frequencies("fftfreq", n, out);
  at::arange_out(out, n);
  Tensor negative = out.slice(0, (n + 1) / 2);
  at::arange_out(negative, -(n / 2), 0, 1);
  return out.mul_(step_of(n, d));
}

Tensor fft_rfftfreq(int64_t n, double d, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory) {
  TORCH_CHECK(n >= 0, "rfftfreq: expected a number of points that is not negative, got ", n);
  Tensor result = at::empty({n / 2 + 1}, make_options(dtype, layout, device, pin_memory));
  return at::fft_rfftfreq_out(result, n, d);
}

Tensor& fft_rfftfreq_out(int64_t n, double d, Tensor& out) {
  check_frequencies("rfftfreq", n, out);
  at::arange_out(out, n / 2 + 1);
  return out.mul_(step_of(n, d));
}

// -------------------- shifts

namespace {

// Moves the first elements of each dimension, a fraction `first` of its size, behind the others.
template <class First>
Tensor rotate(const Tensor& self, OptionalIntArrayRef dim, const First& first) {
  DimVector dims;
  for (int64_t d = 0; !dim.has_value() && d < self.dim(); ++d) dims.push_back(d);
  if (dim.has_value()) dims.assign(dim->begin(), dim->end());
  Tensor result = self;
  for (const int64_t d : dims) {
    const int64_t wrapped = maybe_wrap_dim(d, self.dim());
    if (self.dim() == 0) continue;
    const int64_t count = first(self.size(wrapped));
    result = at::cat({result.slice(wrapped, count), result.slice(wrapped, 0, count)}, wrapped);
  }
  return result;
}

}  // namespace

Tensor fft_fftshift(const Tensor& self, OptionalIntArrayRef dim) {
  return rotate(self, dim, [](int64_t size) { return (size + 1) / 2; });
}

Tensor fft_ifftshift(const Tensor& self, OptionalIntArrayRef dim) {
  return rotate(self, dim, [](int64_t size) { return size / 2; });
}

}  // namespace at::native
