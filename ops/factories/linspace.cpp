// linspace and logspace, on every device.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <ATen/native/factories/stubs.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/util/complex_math.h>

#include <cmath>

#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/item.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/linspace_native.h>
#include <ATen/ops/logspace.h>
#include <ATen/ops/logspace_native.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>
#include <ATen/ops/where.h>

namespace at::native {

DEFINE_DISPATCH(linspace_stub);

namespace {

void check_ends(const char* name, const Scalar& start, const Scalar& end, ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(dtype != kBool && !isBarebonesUnsignedType(dtype), "\"", name,
                              "\" not implemented for '", dtype, "'");
  if (!isIntegralType(dtype, /*includeBool=*/false)) return;
  // Throws where an end doesn't fit.
  AT_DISPATCH_INTEGRAL_TYPES(dtype, name, [&] {
    start.to<scalar_t>();
    end.to<scalar_t>();
  });
}

// An end as the result's dtype has it.
Scalar truncated(const Scalar& end, ScalarType dtype) {
  return isIntegralType(dtype, /*includeBool=*/false) ? Scalar(end.to<int64_t>()) : end;
}

void resize_to_steps(const char* name, int64_t steps, Tensor& result) {
  TORCH_CHECK(steps >= 0, name, "(): number of steps must be non-negative, got ", steps);
  if (result.numel() != steps) result.resize_({steps});
}

TensorOptions options_of_ends(const char* name, const Scalar& start, const Scalar& end,
                              std::optional<ScalarType> dtype, std::optional<Layout> layout,
                              std::optional<Device> device, std::optional<bool> pin_memory) {
  if (start.isComplex() || end.isComplex()) {
    const ScalarType inferred = c10::get_default_complex_dtype().toScalarType();
    TORCH_CHECK(!dtype || isComplexType(*dtype), name, "(): inferred dtype ", inferred,
                " can't be safely cast to passed dtype ", dtype.value_or(inferred));
    dtype = dtype.value_or(inferred);
  }
  return make_options(dtype, layout, device, pin_memory);
}

// The number in a tensor. On Meta there is none, and any stands for it: the result has no elements either.
Scalar number_of(const char* name, const char* argument, const Tensor& t, std::optional<Device> device) {
  TORCH_CHECK(t.dim() == 0, name, "(): only supports 0-dimensional start and end tensors, but got ", argument,
              " with ", t.dim(), " dimension(s).");
  if (!t.is_meta()) return t.item();
  TORCH_CHECK_NOT_IMPLEMENTED(device.value_or(kCPU).is_meta(), name, "(): ", argument,
                              " is on the Meta device and has no value, but the result is on ",
                              device.value_or(kCPU));
  return t.is_complex() ? Scalar(c10::complex<double>(0)) : Scalar(0);
}

Scalar power(double base, const Scalar& exponent, bool is_complex) {
  if (!is_complex) return std::pow(base, exponent.toDouble());
  return pow(c10::complex<double>(base), exponent.toComplexDouble());
}

// The same values as the CPU's kernel, from operators.
void compose_linspace(const Scalar& start, const Scalar& end, int64_t steps, Tensor& result) {
  const bool is_complex = result.is_complex();
  const TensorOptions options = result.options().dtype(kDouble);
  const Scalar first = truncated(start, result.scalar_type()), last = truncated(end, result.scalar_type());
  const Tensor i = at::arange(0, steps, options);
  const Tensor up = is_complex ? i.to(kComplexDouble) : i;
  const Tensor down = up.neg().add(steps - 1);
  const auto value = [&](auto a, auto b) {
    const auto step = (b - a) / static_cast<double>(steps - 1);
    return at::where(i.lt(steps / 2), up.mul(Scalar(step)).add(Scalar(a)),
                     down.mul(Scalar(-step)).add(Scalar(b)));
  };
  result.copy_((is_complex ? value(first.toComplexDouble(), last.toComplexDouble())
                           : value(first.toDouble(), last.toDouble()))
                   .view(result.sizes()));
}

void compute_linspace(const Scalar& start, const Scalar& end, int64_t steps, Tensor& result) {
  if (!result.is_cpu()) return compose_linspace(start, end, steps, result);
  const Tensor dense = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  char* out = static_cast<char*>(dense.mutable_data_ptr());
  const auto itemsize = static_cast<int64_t>(dense.itemsize());
  at::parallel_for(0, steps, at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t stop) {
    linspace_stub(kCPU, out + begin * itemsize, dense.scalar_type(), begin, stop - begin, steps, start, end);
  });
  if (!dense.is_same(result)) result.copy_(dense);
}

}  // namespace

// -------------------- linspace

Tensor& linspace_out(const Scalar& start, const Scalar& end, int64_t steps, Tensor& result) {
  resize_to_steps("linspace", steps, result);
  if (steps == 0) return result;
  if (steps == 1) return result.fill_(start);
  check_ends("linspace_cpu", start, end, result.scalar_type());
  if (result.is_meta()) return result;
  compute_linspace(start, end, steps, result);
  return result;
}

Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  Tensor result =
      at::empty({0}, options_of_ends("torch.linspace", start, end, dtype, layout, device, pin_memory));
  return at::linspace_outf(start, end, steps, result);
}

// -------------------- logspace

Tensor& logspace_out(const Scalar& start, const Scalar& end, int64_t steps, double base, Tensor& result) {
  resize_to_steps("logspace", steps, result);
  if (steps == 0) return result;
  if (steps == 1) return result.fill_(power(base, start, result.is_complex()));
  const ScalarType dtype = result.scalar_type();
  check_ends("logspace_cpu", start, end, dtype);
  if (result.is_meta()) return result;
  const bool in_double = dtype == kDouble || isIntegralType(dtype, /*includeBool=*/false);
  const ScalarType computed = result.is_complex() ? dtype : in_double ? kDouble : kFloat;
  const Tensor exponents =
      at::linspace(truncated(start, dtype), truncated(end, dtype), steps, result.options().dtype(computed));
  return result.copy_(at::pow(Scalar(base), exponents).view(result.sizes()));
}

Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  Tensor result =
      at::empty({0}, options_of_ends("torch.logspace", start, end, dtype, layout, device, pin_memory));
  return at::logspace_outf(start, end, steps, base, result);
}

// -------------------- with ends in tensors

Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::linspace(number_of("linspace", "start", start, device),
                      number_of("linspace", "end", end, device), steps, dtype, layout, device, pin_memory);
}

Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::linspace(number_of("linspace", "start", start, device), end, steps, dtype, layout, device,
                      pin_memory);
}

Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::linspace(start, number_of("linspace", "end", end, device), steps, dtype, layout, device,
                      pin_memory);
}

Tensor& linspace_out(const Tensor& start, const Tensor& end, int64_t steps, Tensor& result) {
  return at::linspace_outf(number_of("linspace", "start", start, result.device()),
                           number_of("linspace", "end", end, result.device()), steps, result);
}

Tensor& linspace_out(const Tensor& start, const Scalar& end, int64_t steps, Tensor& result) {
  return at::linspace_outf(number_of("linspace", "start", start, result.device()), end, steps, result);
}

Tensor& linspace_out(const Scalar& start, const Tensor& end, int64_t steps, Tensor& result) {
  return at::linspace_outf(start, number_of("linspace", "end", end, result.device()), steps, result);
}

Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  return at::logspace(number_of("logspace", "start", start, device),
                      number_of("logspace", "end", end, device), steps, base, dtype, layout, device,
                      pin_memory);
}

Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  return at::logspace(number_of("logspace", "start", start, device), end, steps, base, dtype, layout, device,
                      pin_memory);
}

Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  return at::logspace(start, number_of("logspace", "end", end, device), steps, base, dtype, layout, device,
                      pin_memory);
}

Tensor& logspace_out(const Tensor& start, const Tensor& end, int64_t steps, double base, Tensor& result) {
  return at::logspace_outf(number_of("logspace", "start", start, result.device()),
                           number_of("logspace", "end", end, result.device()), steps, base, result);
}

Tensor& logspace_out(const Tensor& start, const Scalar& end, int64_t steps, double base, Tensor& result) {
  return at::logspace_outf(number_of("logspace", "start", start, result.device()), end, steps, base, result);
}

Tensor& logspace_out(const Scalar& start, const Tensor& end, int64_t steps, double base, Tensor& result) {
  return at::logspace_outf(start, number_of("logspace", "end", end, result.device()), steps, base, result);
}

}  // namespace at::native
