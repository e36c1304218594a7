// sort on CUDA: short lines in shared memory, many at a time; long ones by CUB's stable radix sort of all
// lines together, with a line's number above the bits of its elements' keys.
#include <ATen/native/cuda/Launch.h>
#include <ATen/native/sorting/stubs.h>
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/sorting/ordered_lines.cuh>
#include <ATen/native/cuda/sorting/sort_pairs.cuh>

#include <algorithm>
#include <bit>

namespace at::native {
namespace ordered_lines {

constexpr int threads = 256;
// The elements sorted at a time, unless one line has more.
constexpr int64_t piece_elements = int64_t{1} << 26;

// -------------------- short lines

// Each occupies `width` entries, a power of two; padding entries come after all elements.
__global__ void __launch_bounds__(threads)
    sort_short_kernel(const __grid_constant__ OrderedLines lines, uint32_t width) {
  __shared__ SharedEntries entries;
  const uint32_t together = shared_capacity / width;
  const int64_t groups = (lines.lines + together - 1) / together;
  for (int64_t group = blockIdx.x; group < groups; group += gridDim.x) {
    for (uint32_t slot = threadIdx.x; slot < shared_capacity; slot += threads) {
      const uint32_t position = slot & (width - 1);
      const int64_t line = group * together + slot / width;
      const bool there = position < lines.n && line < lines.lines;
      entries.keys[slot] = there ? lines.keys(line)[position] : ~uint64_t{0};
      entries.positions[slot] = position;
    }
    __syncthreads();
    entries.sort(shared_capacity, width);
    for (uint32_t slot = threadIdx.x; slot < shared_capacity; slot += threads) {
      const uint32_t rank = slot & (width - 1);
      const int64_t line = group * together + slot / width;
      if (rank < lines.kept && line < lines.lines) {
        lines.write(line, rank, entries.positions[slot], entries.keys[slot]);
      }
    }
    // A thread reads and writes the same slots: the next group needs no barrier before it.
  }
}

void write_short_sorted(const OrderedLines& lines) {
  const uint32_t width = power_of_two_from(lines.n);
  const unsigned blocks = blocks_for(lines.lines, shared_capacity / width);
  sort_short_kernel<<<blocks, threads, 0, c10::cuda::getCurrentCUDAStream()>>>(lines, width);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// -------------------- long lines

// `line_shift` is the position of the line's number, 64 if it is left out.
template <class K>
__global__ void __launch_bounds__(threads)
    make_keys_kernel(const __grid_constant__ OrderedLines lines, int64_t first_line, uint32_t count,
                     int line_shift, K* keys, uint32_t* positions) {
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    const uint32_t line = i / lines.n;
    uint64_t key = lines.keys(first_line + line)[i - line * lines.n];
    if (line_shift < 64) key |= uint64_t{line} << line_shift;
    keys[i] = static_cast<K>(key);
    positions[i] = i;
  }
}

__global__ void __launch_bounds__(threads)
    line_numbers_kernel(const uint32_t* positions, uint32_t count, uint32_t n, uint32_t* numbers) {
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    numbers[i] = positions[i] / n;
  }
}

// `keys` may be null.
template <class K>
__global__ void __launch_bounds__(threads)
    write_sorted_kernel(const __grid_constant__ OrderedLines lines, int64_t first_line, uint32_t count,
                        const uint32_t* positions, const K* keys) {
  for (uint32_t i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) {
    const uint32_t line = i / lines.kept, rank = i - line * lines.kept;
    const uint32_t before = line * lines.n, position = positions[before + rank] - before;
    if (keys == nullptr) {
      lines.write(first_line + line, rank, position);
    } else {
      lines.write(first_line + line, rank, position, keys[before + rank] & lines.order.mask);
    }
  }
}

// Sorts pieces of the lines in temporary memory.
class PieceSorter {
 public:
  PieceSorter(const OrderedLines& lines, uint32_t most_lines)
      : lines_(lines), key_bits_(8 * lines.order.bytes), capacity_(rounded(most_lines * lines.n)) {
    c10::Allocator* allocator = c10::GetAllocator(c10::DeviceType::CUDA);
    const size_t key_bytes = fits_word(most_lines) ? sizeof(uint32_t) : sizeof(uint64_t);
    keys_ = allocator->allocate(2 * capacity_ * key_bytes);
    positions_ = allocator->allocate(2 * capacity_ * sizeof(uint32_t));
  }

  SortedPiece sort(int64_t first_line, uint32_t lines) {
    auto positions = buffers<uint32_t>(positions_);
    if (fits_word(lines)) return sort_by_keys<uint32_t>(positions, first_line, lines, line_bits(lines));
    if (key_bits_ + line_bits(lines) <= 64) {
      return sort_by_keys<uint64_t>(positions, first_line, lines, line_bits(lines));
    }
    sort_by_keys<uint64_t>(positions, first_line, lines, 0);
    sort_by_lines(positions, lines);
    return {first_line, lines, positions.Current(), nullptr, 0};
  }

 private:
  static size_t rounded(size_t count) { return (count + 63) / 64 * 64; }
  static int line_bits(uint32_t lines) { return std::bit_width(lines - 1); }
  bool fits_word(uint32_t lines) const { return key_bits_ + line_bits(lines) <= 32; }

  template <class T>
  cub::DoubleBuffer<T> buffers(const c10::DataPtr& memory) const {
    T* first = static_cast<T*>(memory.get());
    return {first, first + capacity_};
  }

  template <class K>
  SortedPiece sort_by_keys(cub::DoubleBuffer<uint32_t>& positions, int64_t first_line, uint32_t lines,
                           int line_bits) {
    const uint32_t count = lines * lines_.n;
    const int line_shift = line_bits > 0 ? key_bits_ : 64;
    auto keys = buffers<K>(keys_);
    make_keys_kernel<K><<<blocks_for(count), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        lines_, first_line, count, line_shift, keys.Current(), positions.Current());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    sort_pairs(keys, positions, count, key_bits_ + line_bits);
    return {first_line, lines, positions.Current(), keys.Current(), sizeof(K)};
  }

  // Entries already sorted by key are sorted by line: the sort is stable.
  void sort_by_lines(cub::DoubleBuffer<uint32_t>& positions, uint32_t lines) {
    const uint32_t count = lines * lines_.n;
    auto numbers = buffers<uint32_t>(keys_);
    line_numbers_kernel<<<blocks_for(count), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        positions.Current(), count, lines_.n, numbers.Current());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    sort_pairs(numbers, positions, count, line_bits(lines));
  }

  const OrderedLines& lines_;
  const int key_bits_;
  const size_t capacity_;
  c10::DataPtr keys_, positions_;
};

void sort_pieces(const OrderedLines& lines, c10::function_ref<void(const SortedPiece&)> use) {
  const int64_t step = std::clamp<int64_t>(piece_elements / lines.n, 1, lines.lines);
  PieceSorter sorter(lines, static_cast<uint32_t>(step));
  for (int64_t first = 0; first < lines.lines; first += step) {
    const auto count = static_cast<uint32_t>(std::min(step, lines.lines - first));
    use(sorter.sort(first, count));
  }
}

template <class K>
void write_piece(const OrderedLines& lines, const SortedPiece& piece) {
  const uint32_t results = piece.lines * lines.kept;
  write_sorted_kernel<K><<<blocks_for(results), threads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      lines, piece.first_line, results, piece.positions, static_cast<const K*>(piece.keys));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void write_sorted(const OrderedLines& lines) {
  if (lines.n <= shared_capacity) {
    write_short_sorted(lines);
    return;
  }
  sort_pieces(lines, [&](const SortedPiece& piece) {
    if (piece.key_bytes == sizeof(uint32_t)) {
      write_piece<uint32_t>(lines, piece);
    } else {
      write_piece<uint64_t>(lines, piece);
    }
  });
}

void sort_kernel(const TensorBase& self, const TensorBase& values, const TensorBase& indices, int64_t dim,
                 bool descending, bool /*stable: always*/) {
  write_sorted({self, values, indices, dim, dim, key_order(self.scalar_type(), descending, "sort_cuda")});
}

}  // namespace ordered_lines

REGISTER_CUDA_DISPATCH(sort_stub, &ordered_lines::sort_kernel)

}  // namespace at::native
