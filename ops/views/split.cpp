// Tensors cut into lists of views: split, split_with_sizes, chunk, unbind.
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/chunk_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/select.h>
#include <ATen/ops/split.h>
#include <ATen/ops/split_native.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/split_with_sizes_native.h>
#include <ATen/ops/unbind_native.h>

#include <algorithm>
#include <vector>

namespace at::native {

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split expects at least a 1-dimensional tensor");
  TORCH_CHECK(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  const int64_t dim_size = self.size(dim);
  TORCH_CHECK(split_size > 0 || dim_size == 0,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", dim_size);
  // Even an empty dimension gives one piece.
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
    // split() would give one piece for an empty dimension; chunk() gives as many as were asked for.
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

}  // namespace at::native
