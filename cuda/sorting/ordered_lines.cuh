// Shared by sort, topk and kthvalue: the lines of a tensor along a dimension, their elements' keys, a sort in
// shared memory (bitonic: Batcher, 1968) and radix select, which finds the digits of an element of a rank by
// histograms, the highest digit first.
//
//     keys[2048], positions[2048]   entries of one line, or of several, each filled up to a power of two
//     distance >= 32                threads swap pairs in shared memory, with a barrier after each step
//     distance < 32                 a warp has 32 entries in registers, one for each lane: in shared memory,
//                                   neighbours at such distances would be in the same banks
#pragma once

#include <ATen/core/TensorBase.h>
#include <ATen/native/cuda/sorting/key_order.h>
#include <c10/util/FunctionRef.h>

#include <cstdint>
#include <limits>

namespace at::native::ordered_lines {

constexpr int max_dims = 25;
constexpr int no_dim = -1;

/// Byte offsets of the lines along `dim`; for no_dim every element is a line.
struct LineStarts {
  int dims = 0;
  int64_t step = 0;
  int64_t sizes[max_dims] = {};
  int64_t strides[max_dims] = {};  // the innermost dimension first

  LineStarts(const TensorBase& t, int64_t dim) {
    const auto itemsize = static_cast<int64_t>(t.element_size());
    if (dim != no_dim) step = t.stride(dim) * itemsize;
    for (int64_t d = t.dim() - 1; d >= 0; --d) {
      const int64_t size = t.size(d), stride = t.stride(d) * itemsize;
      if (d == dim || size == 1) continue;
      if (dims > 0 && stride == sizes[dims - 1] * strides[dims - 1]) {
        sizes[dims - 1] *= size;
        continue;
      }
      TORCH_CHECK_NOT_IMPLEMENTED(dims < max_dims, "tensors of more than ", max_dims,
                                  " dimensions that can't be merged are not supported on CUDA");
      sizes[dims] = size;
      strides[dims++] = stride;
    }
  }

  C10_HOST_DEVICE int64_t start(int64_t line) const {
    int64_t offset = 0;
    for (int d = 0; d < dims; ++d) {
      int64_t position = line;
      if (d + 1 < dims) {  // in the last dimension there is nothing left to divide
        const int64_t quotient = line / sizes[d];
        position = line - quotient * sizes[d];
        line = quotient;
      }
      offset += position * strides[d];
    }
    return offset;
  }
};

/// The bits of an element of 1, 2, 4 or 8 bytes.
__device__ inline uint64_t load_bits(const char* data, int bytes) {
  switch (bytes) {
    case 1:
      return *reinterpret_cast<const uint8_t*>(data);
    case 2:
      return *reinterpret_cast<const uint16_t*>(data);
    case 4:
      return *reinterpret_cast<const uint32_t*>(data);
    default:
      return *reinterpret_cast<const uint64_t*>(data);
  }
}
__device__ inline void store_bits(char* data, uint64_t bits, int bytes) {
  switch (bytes) {
    case 1:
      *reinterpret_cast<uint8_t*>(data) = static_cast<uint8_t>(bits);
      return;
    case 2:
      *reinterpret_cast<uint16_t*>(data) = static_cast<uint16_t>(bits);
      return;
    case 4:
      *reinterpret_cast<uint32_t*>(data) = static_cast<uint32_t>(bits);
      return;
    default:
      *reinterpret_cast<uint64_t*>(data) = bits;
  }
}

struct LineKeys {
  const char* first;
  int64_t step;
  const KeyOrder& order;
  __device__ uint64_t operator[](uint32_t i) const {
    return order.key(load_bits(first + i * step, order.bytes));
  }
};

/// Lines of n elements, of which `kept` go to the results, with their indices. Passed to kernels by value.
struct OrderedLines {
  const char* in;
  char* values;
  char* indices;
  LineStarts from, to, to_index;
  KeyOrder order;
  int64_t lines;
  uint32_t n, kept;

  /// `result_dim` is no_dim where one element of every line is selected.
  OrderedLines(const TensorBase& self, const TensorBase& values_, const TensorBase& indices_, int64_t dim,
               int64_t result_dim, const KeyOrder& order_)
      : in(static_cast<const char*>(self.const_data_ptr())),
        values(static_cast<char*>(values_.mutable_data_ptr())),
        indices(static_cast<char*>(indices_.mutable_data_ptr())),
        from(self, dim),
        to(values_, result_dim),
        to_index(indices_, result_dim),
        order(order_),
        lines(self.numel() / self.size(dim)),
        n(static_cast<uint32_t>(self.size(dim))),
        kept(result_dim == no_dim ? 1 : static_cast<uint32_t>(values_.size(result_dim))) {
    TORCH_CHECK_NOT_IMPLEMENTED(
        self.size(dim) <= std::numeric_limits<int32_t>::max(),
        "The dimension being ordered can not have more than 2^31 - 1 elements on CUDA, "
        "but dimension ",
        dim, " has ", self.size(dim));
  }

  __device__ LineKeys keys(int64_t line) const { return {in + from.start(line), from.step, order}; }

  /// Stores the element at `position` as the line's result number `rank`.
  __device__ void write(int64_t line, uint32_t rank, uint32_t position) const {
    write_bits(line, rank, position, load_bits(in + from.start(line) + position * from.step, order.bytes));
  }
  /// The same; the element is read again only where its key doesn't tell it.
  __device__ void write(int64_t line, uint32_t rank, uint32_t position, uint64_t key) const {
    if (!order.is_of_one(key)) return write(line, rank, position);
    write_bits(line, rank, position, order.bits(key));
  }

 private:
  __device__ void write_bits(int64_t line, uint32_t rank, uint32_t position, uint64_t bits) const {
    store_bits(values + to.start(line) + rank * to.step, bits, order.bytes);
    *reinterpret_cast<int64_t*>(indices + to_index.start(line) + rank * to_index.step) = position;
  }
};

/// In sort.cu: the first `kept` elements of every sorted line; stable.
void write_sorted(const OrderedLines& lines);

/// Lines that lie behind each other, sorted. Element `rank` of line `i` of them is at positions[i * n + rank]
/// - i * n of its line.
struct SortedPiece {
  int64_t first_line;
  uint32_t lines;
  const uint32_t* positions;
  // In the same order, if not null: keys of `key_bytes`, with the line's number above the bits of the key.
  const void* keys;
  int key_bytes;
};
/// In sort.cu: sorts a piece of the lines at a time.
void sort_pieces(const OrderedLines& lines, c10::function_ref<void(const SortedPiece&)> use);

// -------------------- in a block

constexpr uint32_t shared_capacity = 2048;

/// Keys with indices, of at most `shared_capacity` elements in shared memory.
struct SharedEntries {
  uint64_t keys[shared_capacity];
  uint32_t positions[shared_capacity];

  __device__ bool less(uint32_t a, uint32_t b) const {
    return keys[a] != keys[b] ? keys[a] < keys[b] : positions[a] < positions[b];
  }
  __device__ void swap(uint32_t a, uint32_t b) {
    const uint64_t key = keys[a];
    const uint32_t position = positions[a];
    keys[a] = keys[b];
    positions[a] = positions[b];
    keys[b] = key;
    positions[b] = position;
  }

  /// A bitonic sort of each `width` of the first `count` entries, both powers of two. All threads call it,
  /// after the entries were written and synchronized.
  __device__ void sort(uint32_t count, uint32_t width) {
    sort_in_warps(count, width, 2, width < warp_entries ? width : warp_entries);
    for (uint32_t size = 2 * warp_entries; size <= width; size *= 2) {
      for (uint32_t distance = size / 2; distance >= warp_entries; distance /= 2) {
        for (uint32_t pair = threadIdx.x; pair < count / 2; pair += blockDim.x) {
          const uint32_t a = 2 * pair - (pair & (distance - 1)), b = a + distance;
          const bool ascending = size == width || (a & size) == 0;
          if (ascending ? less(b, a) : less(a, b)) swap(a, b);
        }
        __syncthreads();
      }
      sort_in_warps(count, width, size, size);
    }
  }

 private:
  static constexpr uint32_t warp_entries = 32;

  // The steps of these sizes over distances within a warp's entries, in registers.
  __device__ void sort_in_warps(uint32_t count, uint32_t width, uint32_t first_size, uint32_t last_size) {
    const uint32_t lane = threadIdx.x % warp_entries, warps = blockDim.x / warp_entries;
    for (uint32_t part = threadIdx.x / warp_entries; part * warp_entries < count; part += warps) {
      const uint32_t i = part * warp_entries + lane;
      uint64_t key = i < count ? keys[i] : 0;
      uint32_t position = i < count ? positions[i] : 0;
      for (uint32_t size = first_size; size <= last_size; size *= 2) {
        uint32_t distance = size / 2 < warp_entries ? size / 2 : warp_entries / 2;
        for (; distance > 0; distance /= 2) {
          const uint64_t other_key = __shfl_xor_sync(0xffffffffu, key, distance);
          const uint32_t other = __shfl_xor_sync(0xffffffffu, position, distance);
          const bool ascending = size == width || (i & size) == 0, is_first = (i & distance) == 0;
          const bool is_less = other_key != key ? other_key < key : other < position;
          const bool is_greater = other_key != key ? other_key > key : other > position;
          if (ascending == is_first ? is_less : is_greater) {
            key = other_key;
            position = other;
          }
        }
      }
      if (i < count) {
        keys[i] = key;
        positions[i] = position;
      }
    }
    __syncthreads();
  }
};

inline uint32_t power_of_two_from(uint32_t n) {
  uint32_t result = 1;
  while (result < n) result *= 2;
  return result;
}

constexpr int digits = 256;
/// A histogram of the keys' digits; then the selected digit, and how many keys are below it.
struct DigitCounts {
  uint32_t counts[digits];
  uint32_t digit, below;

  /// By the first warp: the digit that contains the rank.
  __device__ void find(uint32_t rank) {
    constexpr int per_lane = digits / 32;
    const uint32_t* own = counts + threadIdx.x * per_lane;
    uint32_t sum = 0;
    // Each lane begins at another of its digits, so that lanes read different banks.
    for (int i = 0; i < per_lane; ++i) sum += own[(i + threadIdx.x * per_lane / 32) % per_lane];
    uint32_t end = sum;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const uint32_t earlier = __shfl_up_sync(0xffffffffu, end, distance);
      if (threadIdx.x >= distance) end += earlier;
    }
    uint32_t begin = end - sum;
    if (rank < begin || rank >= end) return;
    int i = 0;
    for (; rank >= begin + own[i]; ++i) begin += own[i];
    digit = threadIdx.x * per_lane + i;
    below = begin;
  }
};

struct RankedKey {
  uint64_t key;
  uint32_t rank;  // among those with the key
};

/// Radix select: the key of a rank below n, digit by digit from the highest. All threads call it. They may
/// still read `digit` and `below` when it returns; the next call has barriers before it writes these.
__device__ inline RankedKey key_of_rank(const LineKeys& keys, uint32_t n, uint32_t rank,
                                        DigitCounts& shared) {
  uint64_t prefix = 0;
  for (int shift = 8 * keys.order.bytes - 8; shift >= 0; shift -= 8) {
    for (unsigned d = threadIdx.x; d < digits; d += blockDim.x) shared.counts[d] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < n; i += blockDim.x) {
      const uint64_t shifted = keys[i] >> shift;
      if (shifted >> 8 == prefix) atomicAdd(&shared.counts[shifted % digits], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 32) shared.find(rank);
    __syncthreads();
    prefix = prefix << 8 | shared.digit;
    rank -= shared.below;
  }
  return {prefix, rank};
}

}  // namespace at::native::ordered_lines
