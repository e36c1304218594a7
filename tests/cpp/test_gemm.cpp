// cpublas::gemm against the definition: all dtypes, transpositions, alpha and beta, and shapes that take
// every path (tiny, dot products, direct, packed, ragged edges), with one thread and with several. Nothing
// behind the operands may be touched: a page that nobody may read follows each.
#include "check.h"

#include <ATen/Parallel.h>
#include <ATen/native/cpu/matmul/gemm.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using at::native::TransposeType;

namespace {

uint32_t random_state = 12345;
int random_int() {
  random_state = random_state * 1664525u + 1013904223u;
  return static_cast<int>(random_state >> 16) % 17 - 8;
}

template <class T>
struct Exact {  // a type that holds sums of products of small integers exactly
  using type = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
};
template <class T>
struct Exact<c10::complex<T>> {
  using type = std::complex<double>;
};

template <class T>
T random_number() {
  if constexpr (std::is_same_v<T, c10::complex<float>> || std::is_same_v<T, c10::complex<double>>) {
    const int real = random_int();
    return T(real, random_int());
  } else {
    return static_cast<T>(random_int());
  }
}

template <class T>
typename Exact<T>::type exact(T x, bool conjugate) {
  using E = typename Exact<T>::type;
  if constexpr (std::is_same_v<E, std::complex<double>>) {
    return {static_cast<double>(x.real()), static_cast<double>(conjugate ? -x.imag() : x.imag())};
  } else {
    return static_cast<E>(x);
  }
}

template <class T>
bool close(T got, typename Exact<T>::type want) {
  if constexpr (std::is_integral_v<T>) {
    return got == static_cast<T>(want);
  } else {
    const double tolerance = std::is_same_v<T, c10::Half>       ? 2e-3
                             : std::is_same_v<T, c10::BFloat16> ? 1e-2
                                                                : 1e-6;
    return std::abs(exact(got, false) - want) <= tolerance * (1 + std::abs(want));
  }
}

// Numbers that end where memory does.
template <class T>
class AtTheEnd {
 public:
  explicit AtTheEnd(int64_t count) : count_(count) {
    const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t bytes = (static_cast<size_t>(count) * sizeof(T) + page - 1) / page * page;
    mapped_ = bytes + page;
    void* at = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TORCH_CHECK(at != MAP_FAILED && mprotect(static_cast<char*>(at) + bytes, page, PROT_NONE) == 0);
    start_ = static_cast<char*>(at);
    data_ = reinterpret_cast<T*>(start_ + bytes) - count;
  }
  AtTheEnd(const AtTheEnd&) = delete;
  AtTheEnd& operator=(const AtTheEnd&) = delete;
  ~AtTheEnd() { munmap(start_, mapped_); }
  T* data() { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + count_; }
  T& operator[](int64_t i) { return data_[i]; }

 private:
  int64_t count_;
  size_t mapped_;
  char* start_;
  T* data_;
};

// Of `lines` whole ones but the last, which has `last` numbers.
int64_t extent(int64_t line, int64_t lines, int64_t last) {
  return lines == 0 || last == 0 ? 0 : line * (lines - 1) + last;
}

template <class T>
void check_product(int64_t m, int64_t n, int64_t k, TransposeType ta, TransposeType tb, bool keep) {
  const bool a_transposed = ta != TransposeType::NoTranspose, b_transposed = tb != TransposeType::NoTranspose;
  const int64_t lda = (a_transposed ? k : m) + 3, ldb = (b_transposed ? n : k) + 1, ldc = m + 2;
  AtTheEnd<T> a(extent(lda, a_transposed ? m : k, a_transposed ? k : m)),
      b(extent(ldb, b_transposed ? k : n, b_transposed ? n : k)), c(extent(ldc, n, m));
  for (auto* v : {&a, &b, &c}) {
    for (T& x : *v) {
      x = random_number<T>();
    }
  }
  const std::vector<T> before(c.begin(), c.end());
  if constexpr (!std::is_integral_v<T>) {
    if (!keep) {  // beta 0 must not read c
      std::fill(c.begin(), c.end(), static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
    }
  }
  at::native::cpublas::gemm<T>(ta, tb, m, n, k, static_cast<T>(2), a.data(), lda, b.data(), ldb,
                               static_cast<T>(keep ? 3 : 0), c.data(), ldc);
  using E = typename Exact<T>::type;
  bool right = true;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      E sum = 0;
      for (int64_t p = 0; p < k; ++p) {
        sum += exact(a[a_transposed ? p + i * lda : i + p * lda], ta == TransposeType::ConjTranspose) *
               exact(b[b_transposed ? j + p * ldb : p + j * ldb], tb == TransposeType::ConjTranspose);
      }
      const E want = E(2) * sum + (keep ? E(3) * exact(before[i + j * ldc], false) : E(0));
      right = right && close(c[i + j * ldc], want);
    }
  }
  if (!right) {
    std::printf("%lld x %lld x %lld, transposed %d %d, beta %d, %d bytes\n", (long long)m, (long long)n,
                (long long)k, int(ta), int(tb), keep ? 3 : 0, int(sizeof(T)));
  }
  CHECK(right);
}

template <class T>
void check_dtype() {
  const int64_t shapes[][3] = {{2, 2, 2},    {1, 1, 100},   {1, 70, 40},  {70, 1, 40},
                               {3, 65, 33},  {65, 3, 33},   {4, 130, 20}, {9, 9, 9},
                               {17, 33, 65}, {29, 70, 31},  {70, 29, 31}, {40, 8, 300},
                               {8, 40, 300}, {60, 45, 270}, {5, 5, 0},    {100, 96, 90}};
  for (const auto& shape : shapes) {
    for (auto ta : {TransposeType::NoTranspose, TransposeType::Transpose, TransposeType::ConjTranspose}) {
      for (auto tb : {TransposeType::NoTranspose, TransposeType::Transpose, TransposeType::ConjTranspose}) {
        check_product<T>(shape[0], shape[1], shape[2], ta, tb, true);
        check_product<T>(shape[0], shape[1], shape[2], ta, tb, false);
      }
    }
  }
}

}  // namespace

int main() {
  for (int threads : {1, 2}) {
    at::set_num_threads(threads);
    check_dtype<float>();
    check_dtype<double>();
    check_dtype<c10::Half>();
    check_dtype<c10::BFloat16>();
    // Partial sums in several blocks of an odd k; enough work for several threads, by columns and by rows.
    for (bool keep : {true, false}) {
      check_product<c10::BFloat16>(33, 40, 1031, TransposeType::NoTranspose, TransposeType::Transpose, keep);
      check_product<c10::BFloat16>(210, 160, 153, TransposeType::Transpose, TransposeType::NoTranspose, keep);
      check_product<c10::BFloat16>(90, 500, 101, TransposeType::Transpose, TransposeType::Transpose, keep);
    }
    check_dtype<c10::complex<float>>();
    check_dtype<c10::complex<double>>();
    check_dtype<uint8_t>();
    check_dtype<int8_t>();
    check_dtype<int16_t>();
    check_dtype<int32_t>();
    check_dtype<int64_t>();
  }
  return check_result();
}
