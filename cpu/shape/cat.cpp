// cat on the CPU. Dense inputs of one dtype are copied as rows of bytes; anything else goes through copy_.
#include <ATen/native/shape/cat.h>

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <ATen/ops/cat_native.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/narrow.h>

#include <algorithm>
#include <cstring>

namespace at::native {

namespace {

using Parts = SmallVector<CatPart, 8>;

template <class T>
void copy_rows_as(char* out, int64_t row_bytes, const char* src, int64_t part_bytes, int64_t rows) {
  const int64_t n = part_bytes / static_cast<int64_t>(sizeof(T));
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < n; ++i) {
      T value;
      std::memcpy(&value, src + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
      std::memcpy(out + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
    }
    out += row_bytes;
    src += part_bytes;
  }
}

// Short rows would spend their time in calls of memcpy.
constexpr int64_t short_row = 64;

void copy_rows(char* out, int64_t row_bytes, const CatPart& part, int64_t first, int64_t last) {
  out += first * row_bytes + part.offset;
  const char* src = part.data + first * part.bytes;
  const int64_t rows = last - first;
  if (part.bytes > short_row) {
    for (int64_t row = 0; row < rows; ++row, out += row_bytes, src += part.bytes) {
      std::memcpy(out, src, static_cast<size_t>(part.bytes));
    }
  } else if (part.bytes % 8 == 0) {
    copy_rows_as<uint64_t>(out, row_bytes, src, part.bytes, rows);
  } else if (part.bytes % 4 == 0) {
    copy_rows_as<uint32_t>(out, row_bytes, src, part.bytes, rows);
  } else {
    copy_rows_as<uint8_t>(out, row_bytes, src, part.bytes, rows);
  }
}

// A single row, split into equal pieces for the threads.
void copy_one_row(char* out, const Parts& parts, int64_t row_bytes, int64_t grain) {
  at::parallel_for(0, row_bytes, grain, [&](int64_t first, int64_t last) {
    for (const CatPart& part : parts) {
      const int64_t begin = std::max(first, part.offset);
      const int64_t end = std::min(last, part.offset + part.bytes);
      if (begin < end) {
        std::memcpy(out + begin, part.data + (begin - part.offset), static_cast<size_t>(end - begin));
      }
    }
  });
}

void cat_dense(const ITensorListRef& tensors, int64_t dim, MemoryFormat format, const Tensor& result) {
  const int64_t inner = cat_inner_bytes(result, dim, format);
  const int64_t row_bytes = inner * result.sizes()[dim];
  if (row_bytes == 0 || result.numel() == 0) return;
  Parts parts;
  for_each_cat_part(tensors, dim, inner, [&](const CatPart& part) { parts.push_back(part); });
  char* out = static_cast<char*>(result.mutable_data_ptr());
  const int64_t rows = result.numel() * static_cast<int64_t>(result.itemsize()) / row_bytes;
  constexpr int64_t grain_bytes = int64_t{1} << 19;
  if (rows == 1) return copy_one_row(out, parts, row_bytes, grain_bytes);
  at::parallel_for(0, rows, std::max<int64_t>(grain_bytes / row_bytes, 1), [&](int64_t first, int64_t last) {
    // Blocks of rows that stay in cache while every input's part is written to them.
    const int64_t block = std::max<int64_t>(32768 / row_bytes, 1);
    for (int64_t row = first; row < last; row += block) {
      const int64_t end = std::min(row + block, last);
      for (const CatPart& part : parts) copy_rows(out, row_bytes, part, row, end);
    }
  });
}

void cat_by_copy(const ITensorListRef& tensors, int64_t dim, const Tensor& result) {
  int64_t offset = 0;
  for (const Tensor& t : tensors) {
    if (t.dim() == 1 && t.sizes()[0] == 0) continue;
    const int64_t size = t.sizes()[dim];
    result.narrow(dim, offset, size).copy_(t);
    offset += size;
  }
}

}  // namespace

TORCH_IMPL_FUNC(cat_out_cpu)
(const ITensorListRef& tensors, int64_t dim, int64_t /*valid*/, bool all_contiguous, bool all_same_dtype,
 bool /*all_same_sizes_and_stride*/, MemoryFormat memory_format, const Tensor& result) {
  if (result.numel() == 0) return;
  if (all_contiguous && all_same_dtype) {
    cat_dense(tensors, dim, memory_format, result);
  } else {
    cat_by_copy(tensors, dim, result);
  }
}

}  // namespace at::native
