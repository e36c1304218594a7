// hash_tensor: the exclusive or of the elements' bits.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>

#include <ATen/ops/hash_tensor_meta.h>
#include <ATen/ops/hash_tensor_native.h>
#include <ATen/ops/to.h>
#include <ATen/ops/view.h>

namespace at::meta {

TORCH_META_FUNC(hash_tensor)(const Tensor& self, IntArrayRef dim, bool keepdim, int64_t mode) {
  TORCH_CHECK(mode == 0, "Unknown hash_tensor mode: ", mode);
  TORCH_CHECK_NOT_IMPLEMENTED(!self.is_complex(), "\"hash_tensor\" not implemented for '", self.scalar_type(),
                              "'");
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(!out.defined() || out.scalar_type() == kUInt64,
              "hash_tensor(): expected out of dtype UInt64, got ", out.scalar_type());
  if (self.numel() == 0) native::zero_numel_check_dims(self, dim, "hash_tensor");
  resize_reduction(*this, self, dim, keepdim, kUInt64);
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(xor_stub);

TORCH_IMPL_FUNC(hash_tensor_out)
(const Tensor& self, IntArrayRef dim, bool keepdim, int64_t /*mode*/, const Tensor& result) {
  const bool is_wide = self.scalar_type() == kUInt64;  // has the bits already
  const Tensor words = is_wide ? self : self.to(self.is_floating_point() ? kDouble : kLong);
  auto iter = meta::make_reduction(words.view(kLong), result.view(kLong), dim, keepdim);
  xor_stub(iter.device_type(), iter);
}

}  // namespace at::native
