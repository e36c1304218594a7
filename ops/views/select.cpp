// select, slice and its inverse, narrow.
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/as_strided.h>
#include <ATen/ops/item.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/narrow_native.h>
#include <ATen/ops/select_native.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/slice_inverse_native.h>
#include <ATen/ops/slice_native.h>

#include <algorithm>
#include <limits>

namespace at::native {

Tensor select_symint(const Tensor& self, int64_t dim, c10::SymInt index_sym) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "select() cannot be applied to a 0-dim tensor.");
  dim = maybe_wrap_dim(dim, ndim);
  const int64_t* const sizes = self.sizes().data();
  const int64_t* const strides = self.strides().data();
  const int64_t size = sizes[dim];
  int64_t index = index_sym.expect_int();
  TORCH_CHECK_INDEX(index >= -size && index < size, "select(): index ", index,
                    " out of range for tensor of size ", self.sizes(), " at dimension ", dim);
  if (index < 0) index += size;
  at::detail::NewView view(self, ndim - 1);
  int64_t* const new_sizes = view.sizes();
  int64_t* const new_strides = view.strides();
  int64_t numel = 1;
  for (int64_t i = 0; i < ndim - 1; ++i) {
    const int64_t from = i + (i >= dim);
    new_sizes[i] = sizes[from];
    new_strides[i] = strides[from];
    numel *= sizes[from];
  }
  return view.finish(self.storage_offset() + index * strides[dim], numel, at::detail::NewView::kAny);
}

Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start_opt,
             std::optional<int64_t> end_opt, int64_t step) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = maybe_wrap_dim(dim, ndim);
  TORCH_CHECK(step > 0, "slice step must be positive");
  const int64_t size = self.sizes()[dim];
  const auto bound = [size](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const int64_t start = bound(start_opt.value_or(0));
  const int64_t end = std::max(start, bound(end_opt.value_or(std::numeric_limits<int64_t>::max())));
  const int64_t length = step == 1 ? end - start : (end - start) / step + ((end - start) % step != 0);
  const int64_t* const sizes = self.sizes().data();
  const int64_t* const strides = self.strides().data();
  at::detail::NewView view(self, ndim);
  int64_t* const new_sizes = view.sizes();
  int64_t* const new_strides = view.strides();
  int64_t numel = 1;
  for (int64_t i = 0; i < ndim; ++i) {
    new_sizes[i] = i == dim ? length : sizes[i];
    new_strides[i] = strides[i];
    numel *= new_sizes[i];
  }
  // A step so large that the stride overflows leaves at most one element, to which no stride applies.
  if (__builtin_mul_overflow(strides[dim], step, &new_strides[dim])) new_strides[dim] = strides[dim];
  return view.finish(self.storage_offset() + start * strides[dim], numel, at::detail::NewView::kAny);
}

// src is the tensor that self is a slice of, whose place in memory alone matters.
Tensor slice_inverse(const Tensor& self, const Tensor& src, int64_t /*dim*/, std::optional<int64_t> /*start*/,
                     std::optional<int64_t> /*end*/, int64_t /*step*/) {
  return at::as_strided(self, src.sizes(), src.strides(), src.storage_offset());
}

Tensor narrow_symint(const Tensor& self, int64_t dim, c10::SymInt start_sym, c10::SymInt length_sym) {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  int64_t start = start_sym.expect_int();
  const int64_t length = length_sym.expect_int();
  TORCH_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= start && start <= size, "start out of range (expected to be in range of [",
                    -size, ", ", size, "], but got ", start, ")");
  if (start < 0) start += size;
  TORCH_CHECK(start <= size - length, "start (", start, ") + length (", length, ") exceeds dimension size (",
              size, ").");
  return at::slice(self, dim, start, start + length, 1);
}

Tensor narrow_tensor_symint(const Tensor& self, int64_t dim, const Tensor& start, c10::SymInt length) {
  TORCH_CHECK(start.dim() == 0 && isIntegralType(start.scalar_type(), /*includeBool=*/false),
              "start must be an 0-dim integral Tensor.");
  return at::narrow(self, dim, start.item().toLong(), length.expect_int());
}

}  // namespace at::native
