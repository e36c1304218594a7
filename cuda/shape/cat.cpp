// cat on CUDA: one launch for dense tensors of one dtype, else one copy per tensor.
#include <ATen/native/cuda/shape/cat.h>

#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <ATen/ops/cat_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/narrow.h>

namespace at::native {

namespace {

bool cat_dense(const ITensorListRef& tensors, int64_t dim, MemoryFormat format, const Tensor& result) {
  for (const Tensor& t : tensors) {
    if (t.device() != result.device()) return false;
  }
  const int64_t inner = cat_inner_bytes(result, dim, format), row_bytes = inner * result.sizes()[dim];
  SmallVector<CatPart, 8> parts;
  for_each_cat_part(tensors, dim, inner, [&](const CatPart& part) { parts.push_back(part); });
  const int64_t rows = result.numel() * static_cast<int64_t>(result.itemsize()) / row_bytes;
  return cat_on_device(parts, rows, row_bytes, result);
}

}  // namespace

TORCH_IMPL_FUNC(cat_out_cuda)
(const ITensorListRef& tensors, int64_t dim, int64_t /*valid*/, bool all_contiguous, bool all_same_dtype,
 bool /*all_same_sizes_and_stride*/, MemoryFormat memory_format, const Tensor& result) {
  if (result.numel() == 0) return;
  if (all_contiguous && all_same_dtype && cat_dense(tensors, dim, memory_format, result)) return;
  int64_t offset = 0;
  for (const Tensor& t : tensors) {
    if (t.dim() == 1 && t.sizes()[0] == 0) continue;
    const int64_t size = t.sizes()[dim];
    result.narrow(dim, offset, size).copy_(t);
    offset += size;
  }
}

}  // namespace at::native
