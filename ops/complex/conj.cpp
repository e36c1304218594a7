// Complex tensors: conjugation, which is computed immediately, and their parts as views.
#include <ATen/TensorIterator.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/complex/stubs.h>

#include <ATen/ops/_conj_native.h>
#include <ATen/ops/_conj_physical.h>
#include <ATen/ops/_conj_physical_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/conj_native.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/conj_physical_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/imag_native.h>
#include <ATen/ops/is_conj_native.h>
#include <ATen/ops/real_native.h>
#include <ATen/ops/resolve_conj_native.h>
#include <ATen/ops/resolve_neg_native.h>
#include <ATen/ops/select.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/view_as_real_native.h>

namespace at::native {

DEFINE_DISPATCH(conj_physical_stub);

// -------------------- conjugation

Tensor conj(const Tensor& self) { return self.is_complex() ? at::_conj_physical(self) : self; }

Tensor _conj(const Tensor& self) { return at::_conj_physical(self); }

Tensor conj_physical(const Tensor& self) { return self.is_complex() ? at::_conj_physical(self) : self; }

Tensor _conj_physical(const Tensor& self) {
  Tensor result = at::empty_like(self);
  return at::conj_physical_outf(self, result);
}

Tensor& conj_physical_out(const Tensor& self, Tensor& result) {
  auto iter = TensorIterator::unary_op(result, self);
  if (iter.device_type() == kMeta) return result;
  if (!self.is_complex()) return result.copy_(self);
  conj_physical_stub(iter.device_type(), iter);
  return result;
}

Tensor& conj_physical_(Tensor& self) { return self.is_complex() ? at::conj_physical_outf(self, self) : self; }

// Neither conjugation nor negation is lazy.
bool is_conj(const Tensor& self) { return self.is_conj(); }
Tensor resolve_conj(const Tensor& self) { return self; }
Tensor resolve_neg(const Tensor& self) { return self; }

// -------------------- parts

Tensor view_as_real(const Tensor& self) {
  TORCH_CHECK(self.is_complex(), "view_as_real is only supported for complex tensors");
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  DimVector strides(self.strides().begin(), self.strides().end());
  for (int64_t& stride : strides) stride *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  return at::detail::make_view(self, sizes, strides, self.storage_offset() * 2,
                               c10::toRealValueType(self.scalar_type()));
}

Tensor view_as_complex(const Tensor& self) {
  const ScalarType dtype = self.scalar_type();
  TORCH_CHECK(
      dtype == kHalf || dtype == kFloat || dtype == kDouble,
      "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar "
      "type: ",
      dtype);
  TORCH_CHECK(self.dim() > 0, "Input tensor must have one or more dimensions");
  TORCH_CHECK(self.sizes().back() == 2, "Tensor must have a last dimension of size 2");
  TORCH_CHECK(self.strides().back() == 1, "Tensor must have a last dimension with stride 1");
  TORCH_CHECK(self.storage_offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  DimVector sizes(self.sizes().begin(), self.sizes().end() - 1);
  DimVector strides(self.strides().begin(), self.strides().end() - 1);
  for (size_t i = 0; i < strides.size(); ++i) {
    TORCH_CHECK(strides[i] % 2 == 0 || sizes[i] == 1,
                "Tensor must have a stride divisible by 2 for all but last dimension");
    strides[i] /= 2;
  }
  return at::detail::make_view(self, sizes, strides, self.storage_offset() / 2, c10::toComplexType(dtype));
}

Tensor real(const Tensor& self) {
  return self.is_complex() ? at::select(at::view_as_real(self), self.dim(), 0) : self;
}

Tensor imag(const Tensor& self) {
  TORCH_CHECK(self.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
  return at::select(at::view_as_real(self), self.dim(), 1);
}

}  // namespace at::native
