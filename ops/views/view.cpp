// Views that keep the order of the elements: view, reshape, expand, alias, as_strided and their relatives.
// The view operators are kernels for every device; each makes one TensorImpl over the same storage.

#include <ATen/EmptyTensor.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/_unsafe_view_native.h>
#include <ATen/ops/alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/broadcast_to_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/detach_native.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/expand_as_native.h>
#include <ATen/ops/expand_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/reshape_as_native.h>
#include <ATen/ops/reshape_native.h>
#include <ATen/ops/view.h>
#include <ATen/ops/view_as_native.h>
#include <ATen/ops/view_native.h>

namespace at::native {

namespace {

using at::detail::make_view;

// Canonical row-major strides: those of dimensions of size 1 can be anything, and the last one would be kept.
bool has_plain_strides(const Tensor& self) {
  return self.is_contiguous() && self.numel() != 0 &&
         (self.dim() == 0 || self.strides()[self.dim() - 1] == 1);
}

Tensor view_as_shape(const Tensor& self, IntArrayRef shape) {
  at::detail::NewView view(self, static_cast<int64_t>(shape.size()));
  int64_t* const sizes = view.sizes();
  int64_t* const strides = view.strides();
  at::detail::infer_size_to(sizes, shape, self.numel());
  if (C10_LIKELY(has_plain_strides(self))) {
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0; stride *= sizes[i]) strides[i] = stride;
  } else {
    TORCH_CHECK(at::detail::compute_stride_to(strides, self.sizes(), self.strides(), {sizes, shape.size()}),
                "view size is not compatible with input tensor's size and stride (at least one dimension "
                "spans across "
                "two contiguous subspaces). Use .reshape(...) instead.");
  }
  return view.finish(self.storage_offset(), self.numel(), at::detail::NewView::kSameAsBase);
}

void check_in_bounds(const Tensor& self, IntArrayRef size, IntArrayRef stride, int64_t storage_offset) {
  at::detail::check_as_strided_args(size, stride, storage_offset);
  at::detail::checkInBoundsForStorage(size, stride, storage_offset, self.itemsize(), self.storage().nbytes());
}

}  // namespace

Tensor view(const Tensor& self, IntArrayRef size) { return view_as_shape(self, size); }

// A view that autograd need not track: the caller gives up self.
Tensor _unsafe_view(const Tensor& self, IntArrayRef size) { return view_as_shape(self, size); }

Tensor reshape_symint(const Tensor& self, c10::SymIntArrayRef shape_sym) {
  const IntArrayRef proposed = C10_AS_INTARRAYREF_SLOW(shape_sym);
  if (self.is_contiguous()) return self.view(proposed);
  const DimVector shape = infer_size_dv(proposed, self.numel());
  if (at::detail::computeStride(self.sizes(), self.strides(), shape)) return self.view(shape);
  return at::_unsafe_view(self.clone(MemoryFormat::Contiguous), shape);
}

Tensor reshape_as(const Tensor& self, const Tensor& other) { return self.reshape(other.sizes()); }

Tensor view_as(const Tensor& self, const Tensor& other) { return self.view(other.sizes()); }

Tensor expand(const Tensor& self, IntArrayRef size, bool /*implicit*/) {
  return at::detail::make_expanded(self, size);
}

Tensor expand_as(const Tensor& self, const Tensor& other) { return self.expand(other.sizes()); }

Tensor broadcast_to_symint(const Tensor& self, c10::SymIntArrayRef size) {
  return self.expand(C10_AS_INTARRAYREF_SLOW(size));
}

Tensor alias(const Tensor& self) { return at::detail::make_alias(self); }

Tensor detach(const Tensor& self) { return at::detail::make_alias(self); }

// Without a history there is nothing to detach; the autograd layer detaches where there is one.
Tensor& detach_(Tensor& self) { return self; }

// -------------------- as_strided

Tensor as_strided_tensorimpl(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                             std::optional<int64_t> storage_offset_opt) {
  const int64_t storage_offset = storage_offset_opt.value_or(self.storage_offset());
  check_in_bounds(self, size, stride, storage_offset);
  return make_view(self, size, stride, storage_offset);
}

// A meta tensor has no memory that could be exceeded.
Tensor as_strided_tensorimpl_meta_symint(const Tensor& self, c10::SymIntArrayRef size_sym,
                                         c10::SymIntArrayRef stride_sym,
                                         std::optional<c10::SymInt> storage_offset_opt) {
  const IntArrayRef size = C10_AS_INTARRAYREF_SLOW(size_sym);
  const IntArrayRef stride = C10_AS_INTARRAYREF_SLOW(stride_sym);
  const int64_t storage_offset =
      storage_offset_opt ? storage_offset_opt->expect_int() : self.storage_offset();
  at::detail::check_as_strided_args(size, stride, storage_offset);
  return make_view(self, size, stride, storage_offset);
}

const Tensor& as_strided__symint(const Tensor& self, c10::SymIntArrayRef size_sym,
                                 c10::SymIntArrayRef stride_sym,
                                 std::optional<c10::SymInt> storage_offset_opt) {
  const IntArrayRef size = C10_AS_INTARRAYREF_SLOW(size_sym);
  const IntArrayRef stride = C10_AS_INTARRAYREF_SLOW(stride_sym);
  const int64_t storage_offset =
      storage_offset_opt ? storage_offset_opt->expect_int() : self.storage_offset();
  check_in_bounds(self, size, stride, storage_offset);
  self.unsafeGetTensorImpl()->set_sizes_and_strides(size, stride, storage_offset);
  return self;
}

// -------------------- view(dtype)

namespace {

// Every dimension but the last keeps its size; their strides, in smaller elements, are multiplied by `ratio`.
Tensor view_as_smaller_dtype(const Tensor& self, ScalarType dtype, int64_t ratio) {
  const int64_t last = self.dim() - 1;
  TORCH_CHECK(self.strides()[last] == 1, "self.stride(-1) must be 1 to view ", self.scalar_type(), " as ",
              dtype, " (different element sizes), but got ", self.strides()[last]);
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  DimVector strides(self.strides().begin(), self.strides().end());
  sizes[last] *= ratio;
  for (int64_t dim = 0; dim < last; ++dim) strides[dim] *= ratio;
  return make_view(self, sizes, strides, self.storage_offset() * ratio, dtype);
}

void check_divisible(const char* what, int64_t value, int64_t ratio, ScalarType from, ScalarType to) {
  TORCH_CHECK(value % ratio == 0, "self.", what, " must be divisible by ", ratio, " to view ", from, " as ",
              to, " (different element sizes), but got ", value);
}

Tensor view_as_larger_dtype(const Tensor& self, ScalarType dtype, int64_t ratio) {
  const int64_t last = self.dim() - 1;
  const ScalarType from = self.scalar_type();
  check_divisible("size(-1)", self.sizes()[last], ratio, from, dtype);
  check_divisible("storage_offset()", self.storage_offset(), ratio, from, dtype);
  TORCH_CHECK(self.strides()[last] == 1, "self.stride(-1) must be 1 to view ", from, " as ", dtype,
              " (different element sizes), but got ", self.strides()[last]);
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  DimVector strides(self.strides().begin(), self.strides().end());
  sizes[last] /= ratio;
  for (int64_t dim = 0; dim < last; ++dim) {
    TORCH_CHECK(strides[dim] % ratio == 0, "self.stride(", dim, ") must be divisible by ", ratio, " to view ",
                from, " as ", dtype, " (different element sizes), but got ", strides[dim]);
    strides[dim] /= ratio;
  }
  return make_view(self, sizes, strides, self.storage_offset() / ratio, dtype);
}

}  // namespace

Tensor view_dtype(const Tensor& self, ScalarType dtype) {
  const auto from_size = static_cast<int64_t>(self.itemsize());
  const auto to_size = static_cast<int64_t>(c10::elementSize(dtype));
  if (from_size == to_size) {
    return make_view(self, self.sizes(), self.strides(), self.storage_offset(), dtype);
  }
  TORCH_CHECK(self.dim() != 0, "self.dim() cannot be 0 to view ", self.scalar_type(), " as ", dtype,
              " (different element sizes)");
  return from_size > to_size ? view_as_smaller_dtype(self, dtype, from_size / to_size)
                             : view_as_larger_dtype(self, dtype, to_size / from_size);
}

// The fast path of reshape to a view with known strides, which the caller guarantees.
Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  at::detail::check_as_strided_args(size, stride, self.storage_offset());
  if (!self.is_meta()) {
    at::detail::checkInBoundsForStorage(size, stride, self.storage_offset(), self.itemsize(),
                                        self.storage().nbytes());
  }
  return at::detail::make_view(self, size, stride, self.storage_offset());
}

}  // namespace at::native
