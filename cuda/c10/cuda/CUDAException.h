// Checks of the CUDA runtime's results: a failure becomes c10::AcceleratorError with CUDA's message.
#pragma once

#include <c10/util/Exception.h>

#include <cuda_runtime_api.h>

#include <string>

namespace c10::inline C10_ABI::cuda {

/// CUDA's message and name of an error, with what can be done about it.
std::string describe(cudaError_t error);

/// Throws unless `error` is cudaSuccess. Clears CUDA's last error, which later calls would see again.
C10_API void check(cudaError_t error, const char* call, const char* file, int line);

}  // namespace c10::inline C10_ABI::cuda

#define C10_CUDA_CHECK(EXPR)                                                                \
  do {                                                                                      \
    const cudaError_t c10_cuda_error = (EXPR);                                              \
    if (C10_UNLIKELY(c10_cuda_error != cudaSuccess)) {                                      \
      ::c10::cuda::check(c10_cuda_error, #EXPR, C10_FILE_NAME, static_cast<int>(__LINE__)); \
    }                                                                                       \
  } while (0)

// For destructors. The check of the next launch would take the failure for its own; one that lasts comes
// again.
#define C10_CUDA_IGNORE_ERROR(EXPR)                                   \
  do {                                                                \
    if ((EXPR) != cudaSuccess) static_cast<void>(cudaGetLastError()); \
  } while (0)

// A launch reports an invalid configuration at once; errors inside the kernel come with a later call.
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
