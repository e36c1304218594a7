// Matrix products on raw memory: C = beta * C + alpha * A B, any strides, optionally a batch of them.
// beta == 0 means that C is not read (its NaNs are ignored). Integers wrap around; 16-bit floats accumulate
// in float.
#pragma once

#include <ATen/native/DispatchStub.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>

namespace at::native {

// One operand: the address of element (0, 0) of matrix 0, and its strides in elements.
struct GemmMatrix {
  const void* data;
  int64_t batch_stride, row_stride, column_stride;
  bool conjugate = false;  // complex types only
};

struct GemmProblem {
  int64_t batch, m, n, k;  // A is m x k, B is k x n, C is m x n
  GemmMatrix a, b;
  void* c;
  int64_t c_batch_stride, c_row_stride, c_column_stride;
  c10::Scalar alpha, beta;
};

using gemm_fn = void (*)(c10::ScalarType, const GemmProblem&);
DECLARE_DISPATCH(gemm_fn, gemm_stub)

// Per-thread scratch memory of at least `bytes`, 64-byte aligned, valid until the next call with the same
// slot.
enum class GemmScratch { PackedA, PackedB, Accumulator, Vector, NumSlots };
TORCH_API void* gemm_scratch(GemmScratch slot, size_t bytes);

enum class TransposeType { NoTranspose, Transpose, ConjTranspose };

namespace cpublas {

// BLAS's conventions: column-major matrices with leading dimensions.
TORCH_API void gemm(c10::ScalarType type, TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                    int64_t k, const c10::Scalar& alpha, const void* a, int64_t lda, const void* b,
                    int64_t ldb, const c10::Scalar& beta, void* c, int64_t ldc);

TORCH_API void gemm_batched_with_stride(c10::ScalarType type, TransposeType transa, TransposeType transb,
                                        int64_t batch_size, int64_t m, int64_t n, int64_t k,
                                        const c10::Scalar& alpha, const void* a, int64_t lda,
                                        int64_t batch_stride_a, const void* b, int64_t ldb,
                                        int64_t batch_stride_b, const c10::Scalar& beta, void* c, int64_t ldc,
                                        int64_t batch_stride_c);

template <class T>
void gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k, T alpha, const T* a,
          int64_t lda, const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {
  gemm(c10::CppTypeToScalarType<T>::value, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

template <class T>
void gemm_batched_with_stride(TransposeType transa, TransposeType transb, int64_t batch_size, int64_t m,
                              int64_t n, int64_t k, T alpha, const T* a, int64_t lda, int64_t batch_stride_a,
                              const T* b, int64_t ldb, int64_t batch_stride_b, T beta, T* c, int64_t ldc,
                              int64_t batch_stride_c) {
  gemm_batched_with_stride(c10::CppTypeToScalarType<T>::value, transa, transb, batch_size, m, n, k, alpha, a,
                           lda, batch_stride_a, b, ldb, batch_stride_b, beta, c, ldc, batch_stride_c);
}

}  // namespace cpublas
}  // namespace at::native
