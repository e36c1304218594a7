// nonzero and masked_select over contiguous memory (see cpu/indexing/mask_kernels.h).

#include <ATen/Dispatch_v2.h>
#include <ATen/core/DimVector.h>
#include <ATen/native/Opaque.h>
#include <ATen/native/cpu/indexing/mask_kernels.h>
#include <ATen/native/cpu/indexing/mask_positions.h>

#include <algorithm>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T>
void flag_elements(const T* data, int64_t n, uint8_t* flags) {
  for (int64_t i = 0; i < n; ++i) flags[i] = data[i] != T(0);
}

// Half precision tested by its bits: zero of either sign has no other bit set.
template <class Bits, Bits without_signs>
void flag_half_precision(const Bits* data, int64_t n, uint8_t* flags) {
  for (int64_t i = 0; i < n; ++i) flags[i] = (data[i] & without_signs) != 0;
}

// Flags of data[start, start + n), n <= mask_block: the bytes of a bool tensor in place, else computed into
// `buffer`.
const uint8_t* flags_of(const void* data, ScalarType dtype, int64_t start, int64_t n, uint8_t* buffer) {
  if (c10::elementSize(dtype) == 1) return static_cast<const uint8_t*>(data) + start;
  if (dtype == ScalarType::Half || dtype == ScalarType::BFloat16) {
    flag_half_precision<uint16_t, 0x7fff>(static_cast<const uint16_t*>(data) + start, n, buffer);
    return buffer;
  }
  if (dtype == ScalarType::ComplexHalf) {
    flag_half_precision<uint32_t, 0x7fff7fff>(static_cast<const uint32_t*>(data) + start, n, buffer);
    return buffer;
  }
  AT_DISPATCH_V2(dtype, "nonzero_cpu",
                 AT_WRAP([&] { flag_elements(static_cast<const scalar_t*>(data) + start, n, buffer); }),
                 AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  return buffer;
}

int64_t count_nonzero_kernel(const void* data, ScalarType dtype, int64_t begin, int64_t end) {
  if (c10::elementSize(dtype) == 1) return count_true(static_cast<const uint8_t*>(data) + begin, end - begin);
  uint8_t buffer[mask_block];
  int64_t count = 0;
  for (int64_t start = begin; start < end; start += mask_block) {
    const int64_t n = std::min(mask_block, end - start);
    count += count_true(flags_of(data, dtype, start, n, buffer), n);
  }
  return count;
}

struct IndexRows {
  int64_t* next;
  int64_t row_stride;
  int64_t column_stride;
};

// Rows that differ in the last index only: `prefix`, then base + position.
void write_row_run(IndexRows& out, IntArrayRef prefix, int64_t base, const Position* positions,
                   int64_t count) {
  const int64_t row_stride = out.row_stride;
  for (size_t dim = 0; dim < prefix.size(); ++dim) {
    int64_t* column = out.next + static_cast<int64_t>(dim) * out.column_stride;
    const int64_t value = prefix[dim];
    for (int64_t i = 0; i < count; ++i) column[i * row_stride] = value;
  }
  int64_t* last = out.next + static_cast<int64_t>(prefix.size()) * out.column_stride;
  if (row_stride == 1) {
    for (int64_t i = 0; i < count; ++i) last[i] = base + positions[i];
  } else {
    for (int64_t i = 0; i < count; ++i) last[i * row_stride] = base + positions[i];
  }
  out.next += count * row_stride;
}

// Rows of any indices, from positions in the flattened input. Divides in 32 bits where the input is small
// enough.
template <class Int>
void write_rows(IndexRows& out, IntArrayRef sizes, int64_t base, const Position* positions, int64_t count) {
  for (int64_t dim = static_cast<int64_t>(sizes.size()) - 1, inner = 1; dim >= 0; inner *= sizes[dim--]) {
    int64_t* column = out.next + dim * out.column_stride;
    const Int size = static_cast<Int>(sizes[dim]);
    const Int below = static_cast<Int>(inner);
    for (int64_t i = 0; i < count; ++i) {
      column[i * out.row_stride] = static_cast<int64_t>(static_cast<Int>(base + positions[i]) / below % size);
    }
  }
  out.next += count * out.row_stride;
}

void nonzero_by_rows(const void* data, ScalarType dtype, int64_t begin, int64_t end, IntArrayRef sizes,
                     IndexRows out) {
  const int64_t row_size = sizes.back();
  const IntArrayRef outer = sizes.slice(0, sizes.size() - 1);
  DimVector prefix(outer.size());
  uint8_t buffer[mask_block];
  Position positions[positions_capacity];
  for (int64_t start = begin; start < end;) {
    int64_t row = start / row_size;
    const int64_t column = start - row * row_size;
    for (size_t dim = outer.size(); dim-- > 0; row /= outer[dim]) prefix[dim] = row % outer[dim];
    const int64_t n = std::min({mask_block, end - start, row_size - column});
    const int64_t count = mask_positions(flags_of(data, dtype, start, n, buffer), n, positions);
    write_row_run(out, prefix, column, positions, count);
    start += n;
  }
}

void nonzero_flat(const void* data, ScalarType dtype, int64_t begin, int64_t end, IntArrayRef sizes,
                  IndexRows out) {
  uint8_t buffer[mask_block];
  Position positions[positions_capacity];
  const bool small = end <= std::numeric_limits<uint32_t>::max();
  for (int64_t start = begin; start < end; start += mask_block) {
    const int64_t n = std::min(mask_block, end - start);
    const int64_t count = mask_positions(flags_of(data, dtype, start, n, buffer), n, positions);
    (small ? write_rows<uint32_t> : write_rows<uint64_t>)(out, sizes, start, positions, count);
  }
}

void nonzero_kernel(const void* data, ScalarType dtype, int64_t begin, int64_t end, IntArrayRef sizes,
                    int64_t* out, int64_t row_stride, int64_t column_stride) {
  // Below this length, starting a row costs more than dividing for its elements.
  constexpr int64_t short_row = 32;
  if (sizes.empty()) return;
  const IndexRows rows{out, row_stride, column_stride};
  if (sizes.size() == 1 || sizes.back() >= short_row) {
    nonzero_by_rows(data, dtype, begin, end, sizes, rows);
  } else {
    nonzero_flat(data, dtype, begin, end, sizes, rows);
  }
}

// -------------------- masked_select

template <class T>
void masked_select_as(const T* data, const bool* mask, int64_t begin, int64_t end, T* out) {
  Position positions[positions_capacity];
  for (int64_t start = begin; start < end; start += mask_block) {
    const int64_t n = std::min(mask_block, end - start);
    const int64_t count = mask_positions(reinterpret_cast<const uint8_t*>(mask) + start, n, positions);
    const T* block = data + start;
    for (int64_t i = 0; i < count; ++i) out[i] = block[positions[i]];
    out += count;
  }
}

template <class T>
void masked_select_bytes(const void* data, const bool* mask, int64_t begin, int64_t end, void* out) {
  masked_select_as(static_cast<const T*>(data), mask, begin, end, static_cast<T*>(out));
}

void masked_select_kernel(const void* data, const bool* mask, int64_t itemsize, int64_t begin, int64_t end,
                          void* out) {
  with_opaque_type(itemsize,
                   [&](auto type) { masked_select_bytes<decltype(type)>(data, mask, begin, end, out); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(count_nonzero_stub, &count_nonzero_kernel)
REGISTER_DISPATCH(nonzero_stub, &nonzero_kernel)
REGISTER_DISPATCH(masked_select_stub, &masked_select_kernel)

}  // namespace at::native
