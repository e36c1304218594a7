// Checks of what CUDA's runtime returns: a failure becomes c10::AcceleratorError with CUDA's own words.
#pragma once

#include <c10/util/Exception.h>

#include <cuda_runtime_api.h>

namespace c10::inline C10_ABI::cuda {

/// Throws unless `error` is cudaSuccess. Clears CUDA's memory of an error that later calls would see again.
C10_API void check(cudaError_t error, const char* call, const char* file, int line);

}  // namespace c10::inline C10_ABI::cuda

#define C10_CUDA_CHECK(EXPR)                                                                \
  do {                                                                                      \
    const cudaError_t c10_cuda_error = (EXPR);                                              \
    if (C10_UNLIKELY(c10_cuda_error != cudaSuccess)) {                                      \
      ::c10::cuda::check(c10_cuda_error, #EXPR, C10_FILE_NAME, static_cast<int>(__LINE__)); \
    }                                                                                       \
  } while (0)

// For destructors: a failure there is seen by the next checked call.
#define C10_CUDA_IGNORE_ERROR(EXPR) static_cast<void>(EXPR)

// A launch reports what is wrong with its configuration at once; what happens inside comes with a later call.
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
