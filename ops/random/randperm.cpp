// randperm: what all devices share.
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <ATen/native/random/permutation.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/randperm_native.h>
#include <ATen/ops/resize.h>

#include <utility>

namespace at::native {

namespace {

// The largest integer up to which a dtype represents every integer.
int64_t largest_exact(ScalarType dtype) {
  switch (dtype) {
    case kBool:
      return 1;
    case kByte:
      return 255;
    case kChar:
      return 127;
    case kShort:
      return 32767;
    case kInt:
      return 2147483647;
    case kHalf:
      return int64_t{1} << 11;
    case kBFloat16:
      return int64_t{1} << 8;
    case kFloat:
      return int64_t{1} << 24;
    case kDouble:
      return int64_t{1} << 53;
    case kLong:
      return INT64_MAX;
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "randperm is not implemented for dtype ", dtype);
  }
}

}  // namespace

void prepare_permutation(int64_t n, Tensor& result) {
  TORCH_CHECK(n >= 0, "n must be non-negative, got ", n);
  TORCH_CHECK(n == 0 || n - 1 <= largest_exact(result.scalar_type()),
              "n is too large for result tensor type ", result.scalar_type(), ": got ", n);
  result.resize_({n});
}

Tensor randperm(int64_t n, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::randperm(n, std::nullopt, dtype, layout, device, pin_memory);
}

Tensor randperm(int64_t n, std::optional<Generator> generator, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  const auto options = make_options(dtype.value_or(kLong), layout, device, pin_memory);
  Tensor result = at::empty({0}, options);
  return at::randperm_out(result, n, std::move(generator));
}

Tensor& randperm_out(int64_t n, Tensor& result) { return at::randperm_out(result, n, std::nullopt); }

Tensor& randperm_out_meta(int64_t n, std::optional<Generator> /*generator*/, Tensor& result) {
  prepare_permutation(n, result);
  return result;
}

}  // namespace at::native
