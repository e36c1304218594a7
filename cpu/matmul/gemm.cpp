// Matrix products: the parts that are compiled once (the stub, scratch memory, the BLAS-like interface).
#include <ATen/native/cpu/matmul/gemm.h>

#include <c10/util/Exception.h>

#include <cstdlib>

namespace at::native {

DEFINE_DISPATCH(gemm_stub);

namespace {

// Grows as needed; a large block is freed at the next smaller request, so that one huge product doesn't keep
// its memory for ever.
struct Scratch {
  static constexpr size_t keep_limit = size_t(16) << 20;
  void* data = nullptr;
  size_t bytes = 0;

  void* get(size_t wanted) {
    const bool oversized = bytes > keep_limit && wanted < bytes / 2;
    if (wanted > bytes || oversized) {
      std::free(data);
      bytes = (wanted + 4095) & ~size_t(4095);
      data = std::aligned_alloc(64, bytes);
      if (data == nullptr) {
        bytes = 0;
        TORCH_CHECK_WITH(OutOfMemoryError, false, "gemm: could not allocate ", wanted,
                         " bytes of scratch memory");
      }
    }
    return data;
  }
  ~Scratch() { std::free(data); }
};

}  // namespace

void* gemm_scratch(GemmScratch slot, size_t bytes) {
  static thread_local Scratch scratch[static_cast<int>(GemmScratch::NumSlots)];
  return scratch[static_cast<int>(slot)].get(bytes);
}

namespace cpublas {

void gemm_batched_with_stride(c10::ScalarType type, TransposeType transa, TransposeType transb,
                              int64_t batch_size, int64_t m, int64_t n, int64_t k, const c10::Scalar& alpha,
                              const void* a, int64_t lda, int64_t batch_stride_a, const void* b, int64_t ldb,
                              int64_t batch_stride_b, const c10::Scalar& beta, void* c, int64_t ldc,
                              int64_t batch_stride_c) {
  const bool ta = transa != TransposeType::NoTranspose, tb = transb != TransposeType::NoTranspose;
  const GemmMatrix left{a, batch_stride_a, ta ? lda : 1, ta ? 1 : lda,
                        transa == TransposeType::ConjTranspose};
  const GemmMatrix right{b, batch_stride_b, tb ? ldb : 1, tb ? 1 : ldb,
                         transb == TransposeType::ConjTranspose};
  gemm_stub(c10::DeviceType::CPU, type,
            GemmProblem{batch_size, m, n, k, left, right, c, batch_stride_c, 1, ldc, alpha, beta});
}

void gemm(c10::ScalarType type, TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
          const c10::Scalar& alpha, const void* a, int64_t lda, const void* b, int64_t ldb,
          const c10::Scalar& beta, void* c, int64_t ldc) {
  gemm_batched_with_stride(type, transa, transb, 1, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0);
}

}  // namespace cpublas
}  // namespace at::native
