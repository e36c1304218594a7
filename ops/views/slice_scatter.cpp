// Copies of a tensor with a view of it overwritten: slice_scatter, select_scatter, diagonal_scatter,
// as_strided_scatter.
#include <ATen/EmptyTensor.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/as_strided.h>
#include <ATen/ops/as_strided_scatter_native.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/diagonal.h>
#include <ATen/ops/diagonal_scatter_native.h>
#include <ATen/ops/select.h>
#include <ATen/ops/select_scatter_native.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/slice_scatter_native.h>

namespace at::native {

namespace {

// A copy of self within a copy of the memory around it, so that every view of self is a view of the copy,
// too.
Tensor clone_with_geometry(const Tensor& self) {
  if (at::has_internal_overlap(self) == MemOverlap::Yes) return self.clone();
  const auto bytes = at::detail::computeStorageNbytes(self.sizes(), self.strides(), self.itemsize(),
                                                      static_cast<size_t>(self.storage_offset()));
  const auto elements = static_cast<int64_t>(bytes / self.itemsize());
  if (elements == self.numel() && self.is_contiguous()) return self.clone();
  const Tensor memory = self.as_strided({elements}, {1}, 0).clone();
  return memory.as_strided(self.sizes(), self.strides(), self.storage_offset());
}

Tensor with_view_written(const Tensor& whole, const Tensor& view, const Tensor& src) {
  TORCH_CHECK(view.sizes() == src.sizes(),
              "expected src to have a size equal to the slice of self. src size = ", src.sizes(),
              ", slice size = ", view.sizes());
  view.copy_(src);
  return whole;
}

}  // namespace

Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start,
                     std::optional<int64_t> end, int64_t step) {
  const Tensor whole = clone_with_geometry(self);
  return with_view_written(whole, whole.slice(dim, start, end, step), src);
}

Tensor select_scatter_symint(const Tensor& self, const Tensor& src, int64_t dim, c10::SymInt index) {
  const Tensor whole = clone_with_geometry(self);
  return with_view_written(whole, whole.select(dim, index.expect_int()), src);
}

Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2) {
  const Tensor whole = clone_with_geometry(self);
  return with_view_written(whole, whole.diagonal(offset, dim1, dim2), src);
}

Tensor as_strided_scatter_symint(const Tensor& self, const Tensor& src, c10::SymIntArrayRef size,
                                 c10::SymIntArrayRef stride, std::optional<c10::SymInt> storage_offset) {
  const Tensor whole = clone_with_geometry(self);
  std::optional<int64_t> offset;
  if (storage_offset) offset = storage_offset->expect_int();
  const Tensor view =
      whole.as_strided(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride), offset);
  return with_view_written(whole, view, src);
}

}  // namespace at::native
