// copy_ on the CPU. Equal dtypes move as bytes: contiguous ones by memcpy, transposed ones by tiles that fit
// registers. Different dtypes are converted a block at a time by one function per pair.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/Copy.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/util/TypeCast.h>

#include <algorithm>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// ---- transposition: rows of src become columns of dst; strides in bytes

template <class T>
struct Tile {
  // Of wider registers the halves would have to cross lanes, which costs more than it saves.
  static constexpr int size = 16 / sizeof(T);
  using Vector [[gnu::vector_size(size * sizeof(T))]] = T;

  // log2(size) rounds of interleaving the upper with the lower half of the rows.
  template <int... K>
  static C10_ALWAYS_INLINE void transpose(Vector* rows, std::integer_sequence<int, K...>) {
    constexpr int half = size / 2;
    const Vector low = {T(K % 2 == 0 ? K / 2 : size + K / 2)...};
    const Vector high = low + T(half);
    for (int width = 1; width < size; width *= 2) {
      Vector mixed[size];
      for (int i = 0; i < half; i++) {
        mixed[2 * i] = __builtin_shuffle(rows[i], rows[i + half], low);
        mixed[2 * i + 1] = __builtin_shuffle(rows[i], rows[i + half], high);
      }
      for (int i = 0; i < size; i++) {
        rows[i] = mixed[i];
      }
    }
  }

  static C10_ALWAYS_INLINE void copy(char* dst, int64_t dst_stride, const char* src, int64_t src_stride) {
    Vector rows[size];
    for (int i = 0; i < size; i++) {
      std::memcpy(&rows[i], src + i * src_stride, sizeof(Vector));
    }
    transpose(rows, std::make_integer_sequence<int, size>{});
    for (int i = 0; i < size; i++) {
      std::memcpy(dst + i * dst_stride, &rows[i], sizeof(Vector));
    }
  }
};

template <class T>
void transpose_edge(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t rows,
                    int64_t columns) {
  for (int64_t c = 0; c < columns; c++) {
    for (int64_t r = 0; r < rows; r++) {
      std::memcpy(dst + c * dst_stride + r * sizeof(T), src + r * src_stride + c * sizeof(T), sizeof(T));
    }
  }
}

template <class T>
void transpose_copy(char* dst, int64_t dst_stride, const char* src, int64_t src_stride, int64_t rows,
                    int64_t columns) {
  constexpr int64_t size = Tile<T>::size;
  constexpr int64_t block = 64;
  for (int64_t r0 = 0; r0 < rows; r0 += block) {
    const int64_t r1 = std::min(r0 + block, rows);
    for (int64_t c0 = 0; c0 < columns; c0 += size) {
      const int64_t width = std::min(size, columns - c0);
      int64_t r = r0;
      char* to = dst + c0 * dst_stride;
      const char* from = src + c0 * sizeof(T);
      for (; width == size && r + size <= r1; r += size) {
        Tile<T>::copy(to + r * sizeof(T), dst_stride, from + r * src_stride, src_stride);
      }
      transpose_edge<T>(to + r * sizeof(T), dst_stride, from + r * src_stride, src_stride, r1 - r, width);
    }
  }
}

// ---- equal dtypes

template <class Bits>
void copy_2d(char** data, const int64_t* strides, int64_t size0, int64_t size1) {
  constexpr int64_t size = sizeof(Bits);
  if constexpr (std::is_integral_v<Bits>) {
    if (strides[0] == size && strides[1] != size && strides[3] == size && size0 >= 8 && size1 >= 8) {
      transpose_copy<Bits>(data[0], strides[2], data[1], strides[1], size0, size1);
      return;
    }
  }
  for (int64_t j = 0; j < size1; j++) {
    char* to = data[0] + j * strides[2];
    const char* from = data[1] + j * strides[3];
    if (strides[0] == size && strides[1] == size) {
      std::memcpy(to, from, static_cast<size_t>(size0 * size));
    } else if (strides[0] == size) {
      loops::gather(reinterpret_cast<Bits*>(to), from, strides[1], size0);
    } else {
      for (int64_t i = 0; i < size0; i++) {
        std::memcpy(to + i * strides[0], from + i * strides[1], size);
      }
    }
  }
}

void copy_bits(TensorIterator& iter) {
  const int64_t size = iter.element_size(0);
  const auto run = [&]<class Bits>(Bits) {
    iter.for_each([](char** data, const int64_t* strides, int64_t size0,
                     int64_t size1) { copy_2d<Bits>(data, strides, size0, size1); },
                  2 * at::internal::GRAIN_SIZE);
  };
  switch (size) {
    case 1:
      return run(uint8_t());
    case 2:
      return run(uint16_t());
    case 4:
      return run(uint32_t());
    case 8:
      return run(uint64_t());
    default:
      return run(c10::complex<double>());
  }
}

// ---- conversions

using Convert = void (*)(void* to, const void* from, int64_t n);

template <class To, class From>
void convert_block(void* to, const void* from, int64_t n) {
  auto* out = static_cast<To*>(to);
  const auto* in = static_cast<const From*>(from);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    out[i] = c10::convert<To, From>(loops::load_element(in + i));
  }
}

template <class From>
Convert conversion_from(ScalarType to) {
  return AT_DISPATCH_V2(to, "copy_cpu", AT_WRAP([]() -> Convert { return &convert_block<scalar_t, From>; }),
                        AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool);
}

Convert conversion(ScalarType to, ScalarType from) {
  return AT_DISPATCH_V2(from, "copy_cpu",
                        AT_WRAP([to]() -> Convert { return conversion_from<scalar_t>(to); }),
                        AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool);
}

void gather_bits(void* to, const char* from, int64_t stride, int64_t n, int64_t element_size) {
  switch (element_size) {
    case 1:
      return loops::gather(static_cast<uint8_t*>(to), from, stride, n);
    case 2:
      return loops::gather(static_cast<uint16_t*>(to), from, stride, n);
    case 4:
      return loops::gather(static_cast<uint32_t*>(to), from, stride, n);
    case 8:
      return loops::gather(static_cast<uint64_t*>(to), from, stride, n);
    default:
      return loops::gather(static_cast<c10::complex<double>*>(to), from, stride, n);
  }
}

void scatter_bits(char* to, int64_t stride, const void* from, int64_t n, int64_t element_size) {
  const char* bytes = static_cast<const char*>(from);
  for (int64_t i = 0; i < n; i++) {
    std::memcpy(to + i * stride, bytes + i * element_size, static_cast<size_t>(element_size));
  }
}

void copy_converted(TensorIterator& iter) {
  const Convert convert = conversion(iter.dtype(0), iter.dtype(1));
  const int64_t to_size = iter.element_size(0);
  const int64_t from_size = iter.element_size(1);
  const auto row = [&](char** data, const int64_t* strides, int64_t n) {
    alignas(64) char in[loops::block_size * 16];
    alignas(64) char out[loops::block_size * 16];
    const bool out_direct = strides[0] == to_size;
    const bool in_direct = strides[1] == from_size;
    const int64_t step = out_direct && in_direct ? n : loops::block_size;
    for (int64_t i = 0; i < n; i += step) {
      const int64_t count = std::min(step, n - i);
      char* to = data[0] + i * strides[0];
      const char* from = data[1] + i * strides[1];
      if (!in_direct) {
        gather_bits(in, from, strides[1], count, from_size);
      }
      convert(out_direct ? to : out, in_direct ? from : in, count);
      if (!out_direct) {
        scatter_bits(to, strides[0], out, count, to_size);
      }
    }
  };
  iter.for_each(row, cpu_kernel_grain_size);
}

void copy_kernel(TensorIterator& iter, bool /*non_blocking*/) {
  if (iter.dtype(0) == iter.dtype(1)) {
    copy_bits(iter);
  } else {
    copy_converted(iter);
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(copy_stub, &copy_kernel)

}  // namespace at::native
