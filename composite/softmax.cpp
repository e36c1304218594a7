// softmax and log_softmax: the dtype argument, around _softmax and _log_softmax.

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/log_softmax_native.h>
#include <ATen/ops/softmax_native.h>
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

// Writes a result into an out= argument of any floating dtype.
Tensor& write(const Tensor& result, Tensor& output) {
  TORCH_CHECK(canCast(result.scalar_type(), output.scalar_type()), "result type ", result.scalar_type(),
              " can't be cast to the desired output type ", output.scalar_type());
  resize_output(output, result.sizes());
  return output.copy_(result);
}

}  // namespace

Tensor softmax(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype) {
  if (converts_inside(input, dtype)) {
    return at::_softmax(input, dim, /*half_to_float=*/true);
  }
  return at::_softmax(converted(input, dtype), dim, /*half_to_float=*/false);
}

Tensor& softmax_out(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype, Tensor& output) {
  const Tensor source = converted(input, dtype);
  if (output.scalar_type() == source.scalar_type()) {
    return at::_softmax_out(output, source, dim, /*half_to_float=*/false);
  }
  return write(at::_softmax(source, dim, /*half_to_float=*/false), output);
}

Tensor log_softmax(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype) {
  if (converts_inside(input, dtype)) {
    return at::_log_softmax(input, dim, /*half_to_float=*/true);
  }
  return at::_log_softmax(converted(input, dtype), dim, /*half_to_float=*/false);
}

Tensor& log_softmax_out(const Tensor& input, int64_t dim, std::optional<ScalarType> dtype, Tensor& output) {
  const Tensor source = converted(input, dtype);
  if (output.scalar_type() == source.scalar_type()) {
    return at::_log_softmax_out(output, source, dim, /*half_to_float=*/false);
  }
  return write(at::_log_softmax(source, dim, /*half_to_float=*/false), output);
}

}  // namespace at::native
