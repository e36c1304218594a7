// eye, on every device.
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>

#include <ATen/ops/diagonal.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/eye_native.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/zero.h>

namespace at::native {

Tensor& eye_out(int64_t n, int64_t m, Tensor& result) {
  TORCH_CHECK(n >= 0, "n must be greater or equal to 0, got ", n);
  TORCH_CHECK(m >= 0, "m must be greater or equal to 0, got ", m);
  result.resize_({n, m}).zero_();
  result.diagonal().fill_(1);
  return result;
}

Tensor& eye_out(int64_t n, Tensor& result) { return at::eye_outf(n, n, result); }

Tensor eye(int64_t n, int64_t m, std::optional<ScalarType> dtype, std::optional<Layout> layout,
           std::optional<Device> device, std::optional<bool> pin_memory) {
  Tensor result = at::empty({0}, make_options(dtype, layout, device, pin_memory));
  return at::eye_outf(n, m, result);
}

Tensor eye(int64_t n, std::optional<ScalarType> dtype, std::optional<Layout> layout,
           std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::eye(n, n, dtype, layout, device, pin_memory);
}

}  // namespace at::native
