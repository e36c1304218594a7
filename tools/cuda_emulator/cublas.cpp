// The functions of cuBLAS that the library loads, by plain loops; as cuBLAS, with checks of the leading
// dimensions.
#include <cuda_runtime.h>
#include <library_types.h>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>

namespace {

constexpr int success = 0, invalid_value = 7, not_supported = 15;
constexpr int compute_32f_fast_tf32 = 77;
thread_local cudaStream_t current_stream = nullptr;

struct Operand {
  const void* data;
  bool is_transposed;
  int ld;
  long long stride;
};
struct Product {
  int m, n, k, batch;
  Operand a, b;
  void* c;
  int ldc;
  long long stride_c;
};

// A matrix in column-major order.
template <class T>
struct Matrix {
  const T* data;
  bool is_transposed;
  int64_t ld;

  Matrix(const Operand& from, int batch, int rows, int columns)
      : data(static_cast<const T*>(from.data) + from.stride * batch),
        is_transposed(from.is_transposed),
        ld(from.ld) {
    const int stored_columns = is_transposed ? rows : columns, stored_rows = is_transposed ? columns : rows;
    for (int j = 0; j < stored_columns; ++j) {
      emulator::check_range(data + j * ld, sizeof(T) * stored_rows, false);
    }
  }
  T operator()(int i, int j) const { return is_transposed ? data[j + i * ld] : data[i + j * ld]; }
};

// Rounded to the 10 bits of mantissa that TF32 has.
float to_tf32(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return std::isfinite(x) ? std::bit_cast<float>((bits + 0xfff + (bits >> 13 & 1)) & ~uint32_t{0x1fff}) : x;
}
struct Tf32 {
  float operator()(float x) const { return to_tf32(x); }
  std::complex<float> operator()(std::complex<float> x) const {
    return {to_tf32(x.real()), to_tf32(x.imag())};
  }
};

template <class T, class A, class Round>
void multiply_one(const Product& p, int batch, A alpha, A beta) {
  const Matrix<T> a(p.a, batch, p.m, p.k), b(p.b, batch, p.k, p.n);
  for (int j = 0; j < p.n; ++j) {
    T* column = static_cast<T*>(p.c) + p.stride_c * batch + int64_t{j} * p.ldc;
    if (beta != A(0)) emulator::check_range(column, sizeof(T) * p.m, false);
    emulator::check_range(column, sizeof(T) * p.m, true);
    for (int i = 0; i < p.m; ++i) {
      A sum(0);
      for (int l = 0; l < p.k; ++l) {
        sum += Round()(static_cast<A>(a(i, l))) * Round()(static_cast<A>(b(l, j)));
      }
      column[i] = static_cast<T>(beta == A(0) ? alpha * sum : alpha * sum + beta * static_cast<A>(column[i]));
    }
  }
}

template <class T, class A = T, class Round = std::identity>
int multiply(const Product& product, const void* alpha, const void* beta) {
  const A by = *static_cast<const A*>(alpha), old = *static_cast<const A*>(beta);
  emulator::count_operation("library");
  emulator::enqueue(current_stream, [=] {
    for (int i = 0; i < product.batch; ++i) multiply_one<T, A, Round>(product, i, by, old);
  });
  return success;
}

bool is_valid(const Product& p) {
  return p.m >= 0 && p.n >= 0 && p.k >= 0 && p.a.ld >= std::max(1, p.a.is_transposed ? p.k : p.m) &&
         p.b.ld >= std::max(1, p.b.is_transposed ? p.n : p.k) && p.ldc >= std::max(1, p.m);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int cublasCreate_v2(void** handle) {
  static int any;
  *handle = &any;
  return success;
}
int cublasSetStream_v2(void*, cudaStream_t stream) {
  current_stream = stream;
  return success;
}
int cublasGemmStridedBatchedEx(void*, int transpose_a, int transpose_b, int m, int n, int k,
                               const void* alpha, const void* a, cudaDataType type, int lda,
                               long long stride_a, const void* b, cudaDataType, int ldb, long long stride_b,
                               const void* beta, void* c, cudaDataType, int ldc, long long stride_c,
                               int batch, int compute, int) {
  const Product product{
      m, n,   k,       batch, {a, transpose_a != 0, lda, stride_a}, {b, transpose_b != 0, ldb, stride_b},
      c, ldc, stride_c};
  if (!is_valid(product)) return invalid_value;
  if (compute == compute_32f_fast_tf32 && type == CUDA_R_32F) {
    return multiply<float, float, Tf32>(product, alpha, beta);
  }
  if (compute == compute_32f_fast_tf32 && type == CUDA_C_32F) {
    return multiply<std::complex<float>, std::complex<float>, Tf32>(product, alpha, beta);
  }
  switch (type) {
    case CUDA_R_32F:
      return multiply<float>(product, alpha, beta);
    case CUDA_R_64F:
      return multiply<double>(product, alpha, beta);
    case CUDA_R_16F:
      return multiply<c10::Half, float>(product, alpha, beta);
    case CUDA_R_16BF:
      return multiply<c10::BFloat16, float>(product, alpha, beta);
    case CUDA_C_32F:
      return multiply<std::complex<float>>(product, alpha, beta);
    case CUDA_C_64F:
      return multiply<std::complex<double>>(product, alpha, beta);
  }
  return not_supported;
}
}
#pragma GCC visibility pop
