// copy_ on the CPU. Equal dtypes are copied as bytes: contiguous ones by memcpy, transposed ones by tiles
// that fit registers. Different dtypes are converted a block at a time by one function per pair.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/copy/stubs.h>
#include <ATen/native/cpu/LoopDriver.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/Strided.h>
#include <c10/util/TypeCast.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// ---- transposition: rows of src become columns of dst; strides in bytes

template <class T>
struct Tile {
  // In wider registers the halves would have to cross lanes, which costs more than it saves.
  static constexpr int size = 16 / sizeof(T);
  using Vector [[gnu::vector_size(size * sizeof(T))]] = T;

  // log2(size) rounds of interleaving the upper with the lower half of the rows.
  template <int... K>
  static C10_ALWAYS_INLINE void transpose(Vector* rows, std::integer_sequence<int, K...>) {
    constexpr int half = size / 2;
    for (int width = 1; width < size; width *= 2) {
      Vector mixed[size];
      for (int i = 0; i < half; i++) {
        const Vector &a = rows[i], &b = rows[i + half];
        mixed[2 * i] = __builtin_shufflevector(a, b, (K / 2 + K % 2 * size)...);
        mixed[2 * i + 1] = __builtin_shufflevector(a, b, (half + K / 2 + K % 2 * size)...);
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
      gather<Bits>(to, from, strides[1], size0);
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

using loops::Convert;

template <class To, class From>
[[gnu::noinline]] void convert_block(void* to, const void* from, int64_t n) {
  auto* out = static_cast<To*>(to);
  const auto* in = static_cast<const From*>(from);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    out[i] = c10::convert<To, From>(inner_loop::load_element(in + i));
  }
}

#ifdef __F16C__
template <>
void convert_block<float, c10::Half>(void* to, const void* from, int64_t n) {
  auto* out = static_cast<float*>(to);
  const auto* in = static_cast<const c10::Half*>(from);
  int64_t i = 0;
#ifdef __AVX512F__
  for (; i + 16 <= n; i += 16) {
    _mm512_storeu_ps(out + i, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i))));
  }
#endif
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  }
  for (; i < n; i++) {
    out[i] = in[i];
  }
}

template <>
void convert_block<c10::Half, float>(void* to, const void* from, int64_t n) {
  auto* out = static_cast<c10::Half*>(to);
  const auto* in = static_cast<const float*>(from);
  int64_t i = 0;
#ifdef __AVX512F__
  for (; i + 16 <= n; i += 16) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i),
                        _mm512_cvtps_ph(_mm512_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  }
#endif
  for (; i + 8 <= n; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  }
  for (; i < n; i++) {
    out[i] = in[i];
  }
}
#endif

// Limited types have few direct conversions; the others go through an intermediate type.
template <class T>
constexpr bool is_limited = c10::isLimitedType(c10::CppTypeToScalarType<T>::value);

template <class Limited, class T>
constexpr bool is_direct =
    std::is_same_v<Limited, c10::complex<c10::Half>>
        ? std::is_same_v<T, c10::complex<float>>
        : std::is_same_v<T, int64_t> || (std::is_same_v<Limited, uint64_t> && std::is_floating_point_v<T>);

template <class To, class From>
constexpr bool goes_by_way =
    (is_limited<To> || is_limited<From>) && !is_direct<From, To> && !is_direct<To, From>;

template <class To, class From>
constexpr auto way() {
  using Limited = std::conditional_t<is_limited<From>, From, To>;
  using Other = std::conditional_t<is_limited<From>, To, From>;
  if constexpr (std::is_same_v<To, c10::complex<c10::Half>> ||
                std::is_same_v<From, c10::complex<c10::Half>>) {
    return c10::complex<float>();
  } else if constexpr (std::is_same_v<Limited, uint64_t> && !std::is_integral_v<Other>) {
    return std::conditional_t<std::is_same_v<Other, c10::complex<double>>, double, float>();
  } else {
    return int64_t();
  }
}

template <class To, class From>
Convert conversion_of();

template <class To, class From>
void convert_by_way(void* to, const void* from, int64_t n) {
  using Between = decltype(way<To, From>());
  constexpr int64_t block = 256;
  alignas(64) Between between[block];
  for (int64_t i = 0; i < n; i += block) {
    const int64_t count = std::min(block, n - i);
    conversion_of<Between, From>()(between, static_cast<const From*>(from) + i, count);
    conversion_of<To, Between>()(static_cast<To*>(to) + i, between, count);
  }
}

template <class To, class From>
Convert conversion_of() {
  if constexpr (goes_by_way<To, From>) {
    return &convert_by_way<To, From>;
  } else {
    return &convert_block<To, From>;
  }
}

template <class From>
Convert conversion_from(ScalarType to) {
  return AT_DISPATCH_V2(to, "copy_cpu", AT_WRAP([]() -> Convert { return conversion_of<scalar_t, From>(); }),
                        AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool,
                        AT_EXPAND(AT_LIMITED_TYPES));
}

Convert conversion(ScalarType to, ScalarType from) {
  return AT_DISPATCH_V2(
      from, "copy_cpu", AT_WRAP([to]() -> Convert { return conversion_from<scalar_t>(to); }),
      AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), kHalf, kBFloat16, kBool, AT_EXPAND(AT_LIMITED_TYPES));
}

void copy_converted(TensorIterator& iter) {
  const Convert convert = conversion(iter.dtype(0), iter.dtype(1));
  const auto run = [](const void* f, char* const* data, int64_t n) {
    (*static_cast<const Convert*>(f))(data[0], data[1], n);
  };
  const auto operand = [&](int64_t k) {
    const int size = static_cast<int>(iter.element_size(k));
    return loops::Operand{size, size, nullptr};
  };
  const loops::Operand operands[] = {operand(0), operand(1)};
  loops::run(iter, {run, &convert, operands, 2}, cpu_kernel_grain_size);
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
REGISTER_DISPATCH(conversion_stub, &conversion)

}  // namespace at::native
