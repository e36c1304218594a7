// Allocation, resizing and checks of the outputs of structured operators.
#include <ATen/native/StructuredKernels.h>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/copy.h>

namespace at::inline C10_ABI::impl {

Tensor allocate_output(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  const auto dtype = c10::typeMetaToScalarType(options.dtype());
  if (strides.empty()) {
    return at::detail::empty_device(sizes, dtype, options.device(), options.memory_format_opt());
  }
  return at::detail::empty_strided_device(sizes, strides, dtype, options.device());
}

static void check_dtype_and_device(const Tensor& out, const TensorOptions& options) {
  const auto dtype = c10::typeMetaToScalarType(options.dtype());
  TORCH_CHECK(out.scalar_type() == dtype, "argument 'out': expected dtype ", c10::toString(dtype), ", got ",
              c10::toString(out.scalar_type()));
  TORCH_CHECK(out.device() == options.device(), "argument 'out': expected device ", options.device().str(),
              ", got ", out.device().str());
}

void resize_output(const Tensor& out, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  check_dtype_and_device(out, options);
  if (!at::native::resize_output(out, sizes)) {
    return;
  }
  if (!strides.empty()) {
    at::native::restride(out, sizes, strides);
  } else if (const auto format = options.memory_format_opt()) {
    out.unsafeGetTensorImpl()->empty_tensor_restride(*format);
  }
}

void check_inplace(const Tensor& self, IntArrayRef sizes, const TensorOptions& options) {
  TORCH_CHECK(self.scalar_type() == c10::typeMetaToScalarType(options.dtype()),
              "argument 'self': the result has dtype ",
              c10::toString(c10::typeMetaToScalarType(options.dtype())),
              " and cannot be written in place to dtype ", c10::toString(self.scalar_type()));
  TORCH_CHECK(self.device() == options.device(), "argument 'self': the result is on ", options.device().str(),
              " and cannot be written in place to ", self.device().str());
  TORCH_CHECK(self.sizes() == sizes, "argument 'self': the result has shape ", sizes,
              " and cannot be written in place to shape ", self.sizes());
}

std::optional<Tensor> make_proxy(const Tensor& out, IntArrayRef sizes, IntArrayRef strides,
                                 const TensorOptions& options) {
  if (strides.empty() || out.strides() == strides) {
    return std::nullopt;
  }
  return allocate_output(sizes, strides, options);
}

void copy_proxy(const Tensor& out, const Tensor& proxy) {
  const AutoDispatchBelowADInplaceOrView part_of_a_write;
  out.copy_(proxy);
}

}  // namespace at::inline C10_ABI::impl
