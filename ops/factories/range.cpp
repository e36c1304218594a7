// range, which includes its end: the elements of an arange that ends half a step later.
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/range.h>
#include <ATen/ops/range_native.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

#include <cmath>

namespace at::native {

namespace {

// The number of steps that fit between start and end, and one more.
int64_t range_size(const Scalar& start, const Scalar& end, const Scalar& step, ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(!isComplexType(dtype) && dtype != kBool, "\"range_cpu\" not implemented for '",
                              dtype, "'");
  const bool in_integers = isIntegralType(dtype, /*includeBool=*/false);
  const double first = in_integers ? static_cast<double>(start.to<int64_t>()) : start.to<double>();
  const double last = in_integers ? static_cast<double>(end.to<int64_t>()) : end.to<double>();
  const double by = in_integers ? static_cast<double>(step.to<int64_t>()) : step.to<double>();
  TORCH_CHECK(by > 0 || by < 0, "step must be nonzero");
  TORCH_CHECK(std::isfinite(first) && std::isfinite(last), "unsupported range: ", first, " -> ", last);
  TORCH_CHECK((by > 0 && last >= first) || (by < 0 && last <= first),
              "upper bound and lower bound inconsistent with step sign");
  const double size = std::floor((last - first) / by) + 1;
  // 2^63 is the smallest double that int64 can't represent.
  TORCH_CHECK(size < 9223372036854775808.0, "invalid size, possible overflow?");
  return static_cast<int64_t>(size);
}

}  // namespace

Tensor& range_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& result) {
  const ScalarType dtype = result.scalar_type();
  const int64_t size = range_size(start, end, step, dtype);
  if (result.numel() != size) result.resize_({size});
  if (result.is_meta()) return result;
  // Counted first: start + size * step might round to one element more or less.
  const bool in_integers = isIntegralType(dtype, /*includeBool=*/false);
  const ScalarType computed = in_integers ? kLong : dtype == kDouble ? kDouble : kFloat;
  const Tensor values = at::arange(0, size, result.options().dtype(computed));
  if (in_integers) {
    values.mul_(step.to<int64_t>()).add_(start.to<int64_t>());
  } else {
    values.mul_(step.to<double>()).add_(start.to<double>());
  }
  return result.copy_(values.view(result.sizes()));
}

Tensor& range_out_no_step(const Scalar& start, const Scalar& end, Tensor& result) {
  return at::range_outf(start, end, /*step=*/1, result);
}

Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, std::optional<ScalarType> dtype,
             std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  Tensor result = at::empty({0}, make_options(dtype, layout, device, pin_memory));
  return at::range_outf(start, end, step, result);
}

Tensor range(const Scalar& start, const Scalar& end, std::optional<ScalarType> dtype,
             std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::range(start, end, /*step=*/1, dtype, layout, device, pin_memory);
}

}  // namespace at::native
