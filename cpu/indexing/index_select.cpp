// index_select on the CPU: blocks of contiguous bytes, copied for each index.
#include <ATen/native/indexing/index_select.h>

#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <ATen/core/DimVector.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/index_select_native.h>

#include <algorithm>
#include <cstring>

namespace at::native {

namespace {

// The source as [outer, size, block]: `block` contiguous bytes for each index of dim; outer dimensions have
// arbitrary strides.
struct Source {
  const char* data;
  DimVector outer_sizes;
  DimVector outer_strides;  // bytes
  int64_t size;
  int64_t stride;  // bytes, of dim
  int64_t block;

  const char* outer_block(int64_t outer) const {
    const char* at = data;
    for (size_t i = outer_sizes.size(); i-- > 1;) {
      at += outer % outer_sizes[i] * outer_strides[i];
      outer /= outer_sizes[i];
    }
    return outer_sizes.empty() ? at : at + outer * outer_strides[0];
  }
};

// Whether the dimensions after dim are dense.
bool inner_is_dense(const TensorBase& self, int64_t dim) {
  int64_t expected = 1;
  for (int64_t i = self.dim() - 1; i > dim; --i) {
    if (self.sizes()[i] != 1 && self.strides()[i] != expected) return false;
    expected *= self.sizes()[i];
  }
  return true;
}

Source make_source(const TensorBase& self, int64_t dim) {
  const auto itemsize = static_cast<int64_t>(self.itemsize());
  Source source{static_cast<const char*>(self.const_data_ptr()), {}, {}, 1, 0, itemsize};
  if (self.dim() == 0) return source;
  for (int64_t i = 0; i < dim; ++i) {
    const int64_t size = self.sizes()[i], stride = self.strides()[i] * itemsize;
    if (!source.outer_sizes.empty() && source.outer_strides.back() == size * stride) {
      source.outer_sizes.back() *= size;
      source.outer_strides.back() = stride;
      continue;
    }
    source.outer_sizes.push_back(size);
    source.outer_strides.push_back(stride);
  }
  source.size = self.sizes()[dim];
  source.stride = self.strides()[dim] * itemsize;
  for (int64_t i = dim + 1; i < self.dim(); ++i) source.block *= self.sizes()[i];
  return source;
}

// Short blocks. The byte offsets of `n` indices serve `outers` outer positions, four at a time.
template <class T>
void copy_elements(char* out, const Source& source, int64_t outer, int64_t outers, int64_t out_stride,
                   const int64_t* places, int64_t n) {
  const auto copy = [](char* to, const char* from) { std::memcpy(to, from, sizeof(T)); };
  constexpr auto width = static_cast<int64_t>(sizeof(T));
  for (; outers >= 4; outers -= 4, outer += 4, out += 4 * out_stride) {
    const char *a = source.outer_block(outer), *b = source.outer_block(outer + 1),
               *c = source.outer_block(outer + 2), *d = source.outer_block(outer + 3);
    char *to_a = out, *to_b = out + out_stride, *to_c = to_b + out_stride, *to_d = to_c + out_stride;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t place = places[i], at = i * width;
      copy(to_a + at, a + place);
      copy(to_b + at, b + place);
      copy(to_c + at, c + place);
      copy(to_d + at, d + place);
    }
  }
  for (; outers > 0; --outers, ++outer, out += out_stride) {
    const char* from = source.outer_block(outer);
    for (int64_t i = 0; i < n; ++i) copy(out + i * width, from + places[i]);
  }
}

void copy_bytes(char* out, const Source& source, int64_t outer, int64_t outers, int64_t out_stride,
                const int64_t* places, int64_t n) {
  for (; outers > 0; --outers, ++outer, out += out_stride) {
    const char* from = source.outer_block(outer);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t k = 0; k < source.block; ++k) out[i * source.block + k] = from[places[i] + k];
    }
  }
}

void copy_blocks(char* out, const Source& source, int64_t outer, int64_t outers, int64_t out_stride,
                 const int64_t* places, int64_t n) {
  for (; outers > 0; --outers, ++outer, out += out_stride) {
    const char* from = source.outer_block(outer);
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(out + i * source.block, from + places[i], static_cast<size_t>(source.block));
    }
  }
}

auto copier_of(int64_t block) {
  if (block == 1) return &copy_elements<uint8_t>;
  if (block == 2) return &copy_elements<uint16_t>;
  if (block == 4) return &copy_elements<uint32_t>;
  if (block == 8) return &copy_elements<uint64_t>;
  if (block == 16) return &copy_elements<c10::complex<double>>;
  return block < 16 ? &copy_bytes : &copy_blocks;
}

// The blocks of n indices at each of `outers` outer positions. The indices are checked once.
template <class Index>
void select_blocks(char* out, const Source& source, int64_t outer, int64_t outers, int64_t out_stride,
                   const Index* index, int64_t index_stride, int64_t n) {
  constexpr int64_t most = 512;
  int64_t places[most];
  const auto size = static_cast<uint64_t>(source.size);
  const auto copy = copier_of(source.block);
  for (int64_t start = 0; start < n; start += most) {
    const int64_t count = std::min(most, n - start);
    for (int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<int64_t>(index[(start + i) * index_stride]);
      TORCH_CHECK_INDEX(static_cast<uint64_t>(at) < size, "index out of range in self");
      places[i] = at * source.stride;
    }
    copy(out + start * source.block, source, outer, outers, out_stride, places, count);
  }
}

template <class Index>
void select_all(const Source& source, const TensorBase& index, const TensorBase& result) {
  const auto* indices = index.const_data_ptr<Index>();
  const int64_t index_stride = index.dim() == 0 ? 0 : index.strides()[0];
  const int64_t n = index.numel();
  const int64_t nbytes = result.numel() * static_cast<int64_t>(result.itemsize());
  const int64_t blocks = nbytes / source.block;
  char* out = static_cast<char*>(result.mutable_data_ptr());
  constexpr int64_t grain_bytes = int64_t{1} << 17;
  at::parallel_for(0, blocks, std::max<int64_t>(grain_bytes / source.block, 1),
                   [&](int64_t first, int64_t last) {
                     while (first < last) {
                       // Whole outer positions together, parts of others alone.
                       const int64_t outer = first / n, start = first % n;
                       const int64_t count = std::min(n - start, last - first);
                       const int64_t outers = count == n ? (last - first) / n : 1;
                       select_blocks(out + first * source.block, source, outer, outers, n * source.block,
                                     indices + start * index_stride, index_stride, count);
                       first += outers * count;
                     }
                   });
}

void index_select_kernel(const TensorBase& result, const TensorBase& self, int64_t dim,
                         const TensorBase& index) {
  if (!inner_is_dense(self, dim)) {
    check_indices(index, self.sizes()[dim]);  // the kernel of index takes negative ones as well
    index_select_by_index(result, self, dim, index);
    return;
  }
  const TensorBase dense =
      result.is_contiguous() ? result : at::detail::empty_cpu(result.sizes(), result.scalar_type());
  const Source source = make_source(self, dim);
  AT_DISPATCH_INDEX_TYPES(index.scalar_type(), "index_select",
                          [&] { select_all<index_t>(source, index, dense); });
  if (!dense.is_same(result)) Tensor(result).copy_(Tensor(dense));
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(index_select_stub, &index_select_kernel)

Tensor& index_select_out_cpu_(const Tensor& self, int64_t dim, const Tensor& index, Tensor& result) {
  return index_select_by_stub(self, dim, index, result);
}

Tensor index_select_cpu_(const Tensor& self, int64_t dim, const Tensor& index) {
  return index_select_by_stub(self, dim, index);
}

}  // namespace at::native
