// Tensors cut at positions or into sections: tensor_split, hsplit, vsplit, dsplit; and the unsafe_ forms of
// split, whose pieces autograd doesn't track as views.
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/views/read_integers.h>
#include <c10/core/SymInt.h>
#include <c10/core/WrapDimMinimal.h>

#include <ATen/ops/dsplit_native.h>
#include <ATen/ops/hsplit_native.h>
#include <ATen/ops/item.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/split.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/tensor_split.h>
#include <ATen/ops/tensor_split_native.h>
#include <ATen/ops/unsafe_chunk_native.h>
#include <ATen/ops/unsafe_split.h>
#include <ATen/ops/unsafe_split_native.h>
#include <ATen/ops/unsafe_split_with_sizes.h>
#include <ATen/ops/unsafe_split_with_sizes_native.h>
#include <ATen/ops/vsplit_native.h>

#include <algorithm>
#include <vector>

namespace at::native {

// -------------------- tensor_split

namespace {

constexpr int64_t max_sections = int64_t{1} << 20;

}  // namespace

std::vector<Tensor> tensor_split_sections_symint(const Tensor& self, c10::SymInt sections_sym, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ",
              self.dim(), " dims");
  dim = maybe_wrap_dim(dim, self.dim());
  const int64_t sections = sections_sym.expect_int();
  TORCH_CHECK(sections > 0, "number of sections must be larger than 0, got ", sections);
  const int64_t size = self.size(dim), piece = size / sections, longer = size % sections;
  // Most of them would be empty, and fill the memory all the same.
  TORCH_CHECK(sections <= std::max(size, max_sections), "tensor_split: ", sections,
              " sections are too many for a dimension of size ", size);
  std::vector<Tensor> pieces;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t end = start + piece + (i < longer);
    pieces.push_back(self.slice(dim, start, end, 1));
    start = end;
  }
  return pieces;
}

std::vector<Tensor> tensor_split_indices_symint(const Tensor& self, c10::SymIntArrayRef indices,
                                                int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ",
              self.dim(), " dims");
  dim = maybe_wrap_dim(dim, self.dim());
  std::vector<Tensor> pieces;
  pieces.reserve(indices.size() + 1);
  int64_t start = 0;
  for (const int64_t end : C10_AS_INTARRAYREF_SLOW(indices)) {
    pieces.push_back(self.slice(dim, start, end, 1));
    start = end;
  }
  pieces.push_back(self.slice(dim, start, std::nullopt, 1));
  return pieces;
}

std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& given, int64_t dim) {
  TORCH_CHECK(given.is_cpu(), "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on ",
              given.device());
  TORCH_CHECK(given.scalar_type() == kLong,
              "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
              given.scalar_type());
  TORCH_CHECK(given.dim() <= 1,
              "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional "
              "tensor, but got a tensor with ",
              given.dim(), " dims");
  if (given.dim() == 0) return at::tensor_split(self, given.item().toLong(), dim);
  return at::tensor_split(self, read_integers(given), dim);
}

// -------------------- By a fixed dimension

namespace {

int64_t check_sections(const Tensor& self, int64_t dim, int64_t sections, const char* name) {
  TORCH_CHECK(sections != 0 && self.sizes()[dim] % sections == 0, "torch.", name,
              " attempted to split along dimension ", dim, ", but the size of the dimension ",
              self.sizes()[dim], " is not divisible by the split_size ", sections, "!");
  return sections;
}

void check_rank(const Tensor& self, int64_t rank, const char* name) {
  TORCH_CHECK(self.dim() >= rank, "torch.", name, " requires a tensor with at least ", rank,
              rank == 1 ? " dimension" : " dimensions", ", but got a tensor with ", self.dim(),
              " dimensions!");
}

int64_t horizontal(const Tensor& self) { return self.dim() == 1 ? 0 : 1; }

}  // namespace

std::vector<Tensor> hsplit(const Tensor& self, int64_t sections) {
  check_rank(self, 1, "hsplit");
  const int64_t dim = horizontal(self);
  return at::tensor_split(self, check_sections(self, dim, sections, "hsplit"), dim);
}

std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices) {
  check_rank(self, 1, "hsplit");
  return at::tensor_split(self, indices, horizontal(self));
}

std::vector<Tensor> vsplit(const Tensor& self, int64_t sections) {
  check_rank(self, 2, "vsplit");
  return at::tensor_split(self, check_sections(self, 0, sections, "vsplit"), 0);
}

std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices) {
  check_rank(self, 2, "vsplit");
  return at::tensor_split(self, indices, 0);
}

std::vector<Tensor> dsplit(const Tensor& self, int64_t sections) {
  check_rank(self, 3, "dsplit");
  return at::tensor_split(self, check_sections(self, 2, sections, "dsplit"), 2);
}

std::vector<Tensor> dsplit(const Tensor& self, IntArrayRef indices) {
  check_rank(self, 3, "dsplit");
  return at::tensor_split(self, indices, 2);
}

// -------------------- unsafe_

std::vector<Tensor> unsafe_split(const Tensor& self, int64_t split_size, int64_t dim) {
  return at::split(self, split_size, dim);
}

std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  return at::split_with_sizes(self, split_sizes, dim);
}

std::vector<Tensor> unsafe_chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  TORCH_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t size = self.size(dim);
  // split would give one piece for an empty dimension.
  if (size == 0) return at::unsafe_split_with_sizes(self, DimVector(chunks, 0), dim);
  return at::unsafe_split(self, size / chunks + (size % chunks != 0), dim);
}

}  // namespace at::native
