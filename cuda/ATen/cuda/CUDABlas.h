// Matrix products by cuBLAS, which is loaded at first use: building and loading this library need no cuBLAS.
#pragma once

#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::inline C10_ABI::cuda::blas {

/// A matrix in column-major order; `ld` is the distance between columns.
struct Matrix {
  const void* data;
  bool transposed;
  int64_t ld;
  int64_t batch_stride;  // elements
};

/// c = alpha * a @ b + beta * c for m x k, k x n and m x n matrices (column-major), on the current stream.
/// dtype: one of Half, BFloat16, Float, Double, ComplexFloat, ComplexDouble; half precisions accumulate in
/// float.
void gemm(c10::ScalarType dtype, int64_t m, int64_t n, int64_t k, int64_t batch, const c10::Scalar& alpha,
          Matrix a, Matrix b, const c10::Scalar& beta, void* c, int64_t ldc, int64_t c_batch_stride);

/// What is applied to a product with a bias; gelu is the approximation by tanh.
enum class Activation { None, Relu, Gelu };

/// c = activation(alpha * a @ b, and the bias, a vector of m elements, to each column). False, and nothing is
/// done, for dtypes and layouts that cuBLASLt doesn't take, and without cuBLASLt.
bool gemm_and_bias(c10::ScalarType dtype, int64_t m, int64_t n, int64_t k, float alpha, Matrix a, Matrix b,
                   const void* bias, Activation activation, void* c, int64_t ldc);

}  // namespace at::inline C10_ABI::cuda::blas
