// arange, and its size, on every device.
#include <ATen/native/factories/arange.h>

#include <ATen/native/factories/options.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/arange_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/resize.h>

#include <cmath>
#include <limits>

namespace at::native {

namespace {

void check_dtype(ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(dtype) && dtype != ScalarType::Bool,
                              "\"arange_cpu\" not implemented for '", dtype, "'");
}

template <class T>
void check_direction(T start, T end, T step) {
  TORCH_CHECK(step > 0 || step < 0, "step must be nonzero");
  TORCH_CHECK((step > 0 && end >= start) || (step < 0 && end <= start),
              "upper bound and lower bound inconsistent with step sign");
}

int64_t integer_size(int64_t start, int64_t end, int64_t step) {
  check_direction(start, end, step);
  // The distance of two int64 fits uint64, in either direction.
  const uint64_t distance = step > 0 ? static_cast<uint64_t>(end) - static_cast<uint64_t>(start)
                                     : static_cast<uint64_t>(start) - static_cast<uint64_t>(end);
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  const uint64_t size = distance / stride + (distance % stride != 0);
  TORCH_CHECK(size <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()),
              "invalid size, possible overflow?");
  return static_cast<int64_t>(size);
}

int64_t float_size(double start, double end, double step) {
  TORCH_CHECK(std::isfinite(start) && std::isfinite(end), "unsupported range: ", start, " -> ", end);
  check_direction(start, end, step);
  const double size = std::ceil((end - start) / step);
  // 2^63 is the smallest double that int64 can't represent.
  TORCH_CHECK(size >= 0 && size < 9223372036854775808.0, "invalid size, possible overflow?");
  return static_cast<int64_t>(size);
}

// Throws unless step leads from start towards end and the size can be counted.
int64_t arange_size(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  check_dtype(dtype);
  const bool all_integral = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  if (dtype == ScalarType::Long || all_integral) {
    TORCH_CHECK_VALUE(step.to<int64_t>() != 0 || step.to<double>() == 0, "step must be nonzero, but ",
                      step.to<double>(), " is 0 as an int64");
    return integer_size(start.to<int64_t>(), end.to<int64_t>(), step.to<int64_t>());
  }
  return float_size(start.to<double>(), end.to<double>(), step.to<double>());
}

}  // namespace

int64_t resize_to_arange(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& result) {
  const int64_t size = arange_size(start, end, step, result.scalar_type());
  if (result.numel() == size) return size;
  if (result.numel() > 0) {
    TORCH_WARN(
        "The number of elements in the out tensor of shape ", result.sizes(), " is ", result.numel(),
        " which does not match the computed number of elements ", size,
        ". Note that this may occur as a result of rounding error. The out tensor will be resized to a "
        "tensor of shape (",
        size, ",).");
  }
  result.resize_({size});
  return size;
}

Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<ScalarType> dtype,
              std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  const bool all_integral = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  if (!dtype && all_integral) dtype = kLong;
  Tensor result = at::empty({0}, make_options(dtype, layout, device, pin_memory));
  return at::arange_out(result, start, end, step);
}

Tensor arange(const Scalar& start, const Scalar& end, std::optional<ScalarType> dtype,
              std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::arange(start, end, /*step=*/1, dtype, layout, device, pin_memory);
}

Tensor arange(const Scalar& end, std::optional<ScalarType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::arange(/*start=*/0, end, /*step=*/1, dtype, layout, device, pin_memory);
}

Tensor& arange_out(const Scalar& end, Tensor& result) {
  return at::arange_out(result, /*start=*/0, end, /*step=*/1);
}

}  // namespace at::native
