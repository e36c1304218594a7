// Copies of views whose kernels aren't generated from the view: with lists of out= arguments, of narrow and
// of reshape.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/AutogenKernels.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/_reshape_copy_native.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/narrow_copy_native.h>
#include <ATen/ops/split.h>
#include <ATen/ops/split_copy_native.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/split_with_sizes_copy_native.h>
#include <ATen/ops/unbind.h>
#include <ATen/ops/unbind_copy_native.h>

#include <vector>

namespace at::native {

void split_copy_Tensor_out(const Tensor& self, int64_t split_size, int64_t dim, TensorList out) {
  at::impl::copy_to_out(at::split(self, split_size, dim), out);
}

void split_with_sizes_copy_out(const Tensor& self, IntArrayRef split_sizes, int64_t dim, TensorList out) {
  at::impl::copy_to_out(at::split_with_sizes(self, split_sizes, dim), out);
}

void unbind_copy_int_out(const Tensor& self, int64_t dim, TensorList out) {
  at::impl::copy_to_out(at::unbind(self, dim), out);
}

Tensor narrow_copy_dense(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return self.narrow(dim, start, length).clone(MemoryFormat::Contiguous);
}

Tensor& narrow_copy_dense_out(const Tensor& self, int64_t dim, int64_t start, int64_t length, Tensor& out) {
  TORCH_CHECK(self.scalar_type() == out.scalar_type(), "narrow_copy: expected out of dtype ",
              self.scalar_type(), ", got ", out.scalar_type());
  const Tensor view = self.narrow(dim, start, length);
  resize_output(out, view.sizes());
  return out.copy_(view);
}

Tensor _reshape_copy(const Tensor& self, IntArrayRef proposed) {
  return at::_unsafe_view(self.clone(MemoryFormat::Contiguous), infer_size_dv(proposed, self.numel()));
}

}  // namespace at::native
