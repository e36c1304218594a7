// Factories by size and value: empty.out, zeros, ones, full, scalar_tensor. Device-free: they call
// empty, fill_ and zero_.

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/factories/options.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorOptions.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_native.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/full_native.h>
#include <ATen/ops/ones_native.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/scalar_tensor_native.h>
#include <ATen/ops/zero.h>
#include <ATen/ops/zeros_native.h>

namespace at::native {

namespace {

// The dtype of a fill value when the caller gives none.
ScalarType dtype_of_fill_value(const Scalar& value) {
  if (value.isBoolean()) return kBool;
  if (value.isIntegral(/*includeBool=*/false)) return kLong;
  if (value.isComplex()) return c10::get_default_complex_dtype().toScalarType();
  return c10::get_default_dtype_as_scalartype();
}

}  // namespace

Tensor& empty_out(IntArrayRef size, std::optional<MemoryFormat> memory_format, Tensor& result) {
  TORCH_CHECK(!memory_format, "'memory_format' argument is incompatible with 'out' tensor argument");
  result.resize_(size);
  return result;
}

Tensor zeros_symint(c10::SymIntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory) {
  const IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  const TensorOptions options = make_options(dtype, layout, device, pin_memory);
  if (options.device().is_cpu() && options.layout() == kStrided && !options.pinned_memory()) {
    // Fresh memory of the system is zero already.
    return at::detail::zeros_cpu(sizes, options.dtype().toScalarType());
  }
  return at::empty(sizes, options).zero_();
}

Tensor& zeros_out(IntArrayRef size, Tensor& result) {
  result.resize_(size);
  return result.zero_();
}

Tensor full(IntArrayRef size, const Scalar& fill_value, std::optional<ScalarType> dtype,
            std::optional<Layout> layout, std::optional<Device> device, std::optional<bool> pin_memory) {
  const ScalarType result_dtype = dtype ? *dtype : dtype_of_fill_value(fill_value);
  return at::empty(size, make_options(result_dtype, layout, device, pin_memory)).fill_(fill_value);
}

Tensor& full_out(IntArrayRef size, const Scalar& fill_value, Tensor& result) {
  result.resize_(size);
  return result.fill_(fill_value);
}

Tensor ones(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
            std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty(size, make_options(dtype, layout, device, pin_memory)).fill_(1);
}

Tensor& ones_out(IntArrayRef size, Tensor& result) {
  result.resize_(size);
  return result.fill_(1);
}

Tensor scalar_tensor(const Scalar& s, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty({}, make_options(dtype, layout, device, pin_memory)).fill_(s);
}

}  // namespace at::native
