// softmax and log_softmax: the dtype argument, around _softmax and _log_softmax.

#include <ATen/core/Tensor.h>

#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/log_softmax_native.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softmax_native.h>
#include <ATen/ops/special_log_softmax_native.h>
#include <ATen/ops/special_softmax_native.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

// The GPU reads Half and writes Float in one pass.
bool converts_inside(const Tensor& input, std::optional<ScalarType> dtype) {
  return input.is_cuda() && input.scalar_type() == kHalf && dtype == kFloat;
}

Tensor converted(const Tensor& input, std::optional<ScalarType> dtype) {
  return dtype && *dtype != input.scalar_type() ? input.to(*dtype) : input;
}

}  // namespace

Tensor softmax(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype) {
  if (converts_inside(input, dtype)) {
    return at::_softmax(input, dim, /*half_to_float=*/true);
  }
  return at::_softmax(converted(input, dtype), dim, /*half_to_float=*/false);
}

Tensor& softmax_out(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype, Tensor& output) {
  return at::_softmax_out(output, converted(input, dtype), dim, /*half_to_float=*/false);
}

Tensor log_softmax(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype) {
  if (converts_inside(input, dtype)) {
    return at::_log_softmax(input, dim, /*half_to_float=*/true);
  }
  return at::_log_softmax(converted(input, dtype), dim, /*half_to_float=*/false);
}

Tensor& log_softmax_out(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype, Tensor& output) {
  return at::_log_softmax_out(output, converted(input, dtype), dim, /*half_to_float=*/false);
}

Tensor special_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return self.softmax(dim, dtype);
}
Tensor special_log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return self.log_softmax(dim, dtype);
}

}  // namespace at::native
