// The size of arange (see the header).
#include <ATen/native/factories/arange_size.h>

#include <c10/util/Exception.h>

#include <cmath>
#include <limits>

namespace at::native {

namespace {

void check_dtype(c10::ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(!c10::isComplexType(dtype) && dtype != c10::ScalarType::Bool,
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

}  // namespace

int64_t arange_size(const c10::Scalar& start, const c10::Scalar& end, const c10::Scalar& step,
                    c10::ScalarType dtype) {
  check_dtype(dtype);
  const bool all_integral = start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true);
  if (dtype == c10::ScalarType::Long || all_integral) {
    TORCH_CHECK_VALUE(step.to<int64_t>() != 0 || step.to<double>() == 0, "step must be nonzero, but ",
                      step.to<double>(), " is 0 as an int64");
    return integer_size(start.to<int64_t>(), end.to<int64_t>(), step.to<int64_t>());
  }
  return float_size(start.to<double>(), end.to<double>(), step.to<double>());
}

}  // namespace at::native
