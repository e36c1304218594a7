// Tensors cut into lists of views, and joined from them: split, split_with_sizes, chunk, unbind, stack.

#include <ATen/MemoryOverlap.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/chunk_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/select.h>
#include <ATen/ops/split.h>
#include <ATen/ops/split_native.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/split_with_sizes_native.h>
#include <ATen/ops/stack_native.h>
#include <ATen/ops/unbind_native.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/view.h>

#include <algorithm>
#include <vector>

namespace at::native {

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split expects at least a 1-dimensional tensor");
  TORCH_CHECK(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  const int64_t dim_size = self.size(dim);
  TORCH_CHECK(split_size > 0 || dim_size == 0,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", dim_size);
  // Even of nothing there is one piece.
  const int64_t pieces =
      split_size == 0 ? 1 : std::max<int64_t>(dim_size / split_size + (dim_size % split_size != 0), 1);
  std::vector<Tensor> result;
  result.reserve(pieces);
  for (int64_t i = 0; i < pieces; ++i) {
    const int64_t start = i * split_size;
    result.push_back(self.narrow(dim, start, std::min(split_size, dim_size - start)));
  }
  return result;
}

std::vector<Tensor> split_symint(const Tensor& self, c10::SymIntArrayRef split_sizes, int64_t dim) {
  return at::split_with_sizes(self, C10_AS_INTARRAYREF_SLOW(split_sizes), dim);
}

std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split_with_sizes expects at least a 1-dimensional tensor");
  const int64_t dim_size = self.size(dim);
  int64_t total = 0;
  bool overflow = false;
  for (const int64_t size : split_sizes) {
    TORCH_CHECK(size >= 0,
                "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=",
                split_sizes);
    overflow |= __builtin_add_overflow(total, size, &total);
  }
  TORCH_CHECK(!overflow && total == dim_size, "split_with_sizes expects split_sizes to sum exactly to ",
              dim_size, " (input tensor's size at dimension ", dim, "), but got split_sizes=", split_sizes);
  std::vector<Tensor> result;
  result.reserve(split_sizes.size());
  int64_t start = 0;
  for (const int64_t size : split_sizes) {
    result.push_back(self.narrow(dim, start, size));
    start += size;
  }
  return result;
}

std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  TORCH_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t dim_size = self.size(dim);
  if (dim_size == 0) {
    // split() would make one piece of nothing; here as many were asked for.
    return at::split_with_sizes(self, DimVector(chunks, 0), dim);
  }
  return at::split(self, dim_size / chunks + (dim_size % chunks != 0), dim);
}

std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  dim = maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  const int64_t size = self.sizes()[dim];
  std::vector<Tensor> result;
  result.reserve(size);
  for (int64_t i = 0; i < size; ++i) result.push_back(self.select(dim, i));
  return result;
}

// -------------------- stack

namespace {

int64_t check_stack(TensorList tensors, int64_t dim) {
  TORCH_CHECK(!tensors.empty(), "stack expects a non-empty TensorList");
  dim = maybe_wrap_dim(dim, tensors[0].dim() + 1);
  for (size_t i = 1; i < tensors.size(); ++i) {
    TORCH_CHECK(tensors[i].sizes() == tensors[0].sizes(),
                "stack expects each tensor to be equal size, but got ", tensors[0].sizes(),
                " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
  }
  return dim;
}

std::vector<Tensor> unsqueeze_all(TensorList tensors, int64_t dim) {
  std::vector<Tensor> result;
  result.reserve(tensors.size());
  for (const Tensor& t : tensors) result.push_back(t.unsqueeze(dim));
  return result;
}

DimVector stacked_sizes(TensorList tensors, int64_t dim) {
  DimVector sizes(tensors[0].sizes().begin(), tensors[0].sizes().end());
  sizes.insert(sizes.begin() + dim, static_cast<int64_t>(tensors.size()));
  return sizes;
}

// What cat would refuse is refused before the result is resized.
void resize_to_stack(const Tensor& result, TensorList tensors, IntArrayRef sizes) {
  if (result.sizes() == sizes) return;
  TORCH_CHECK_TYPE(c10::canCast(promoted_type_of(tensors), result.scalar_type()),
                   "stack(): input types can't be cast to the desired output type ", result.scalar_type());
  for (const Tensor& t : tensors) at::assert_no_overlap(result, t);
  resize_output(result, sizes);
}

}  // namespace

// To concatenate along `dim` and cut that dimension in two needs no view of each input.
Tensor stack(TensorList tensors, int64_t dim) {
  dim = check_stack(tensors, dim);
  if (dim == tensors[0].dim()) return at::cat(unsqueeze_all(tensors, dim), dim);
  return at::cat(tensors, dim).view(stacked_sizes(tensors, dim));
}

Tensor& stack_out(TensorList tensors, int64_t dim, Tensor& result) {
  dim = check_stack(tensors, dim);
  if (dim < tensors[0].dim()) {
    resize_to_stack(result, tensors, stacked_sizes(tensors, dim));
    DimVector cat_sizes(tensors[0].sizes().begin(), tensors[0].sizes().end());
    cat_sizes[dim] *= static_cast<int64_t>(tensors.size());
    if (at::detail::computeStride(result.sizes(), result.strides(), cat_sizes)) {
      Tensor flat = result.view(cat_sizes);
      at::cat_out(flat, tensors, dim);
      return result;
    }
  }
  return at::cat_out(result, unsqueeze_all(tensors, dim), dim);
}

}  // namespace at::native
