// The message of a failed CUDA call.
#include <c10/cuda/CUDAException.h>

namespace c10::inline C10_ABI::cuda {

void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();
  const char* hint = "";
  switch (error) {
    case cudaErrorNoDevice:
      hint = " This machine has no CUDA device.";
      break;
    case cudaErrorInsufficientDriver:
      hint = " There is no NVIDIA driver, or it is older than this library's CUDA runtime.";
      break;
    case cudaErrorNoKernelImageForDevice:
      hint = " Build with --cuda-architectures for this device.";
      break;
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
      hint =
          " An earlier kernel failed, such as one with an index out of bounds; CUDA_LAUNCH_BLOCKING=1 shows "
          "which. "
          "The process can't use the device any more.";
      break;
    default:
      break;
  }
  throw AcceleratorError(str("CUDA error: ", cudaGetErrorString(error), " (", cudaGetErrorName(error),
                             ") from ", call, " at ", file, ":", line, ".", hint));
}

}  // namespace c10::inline C10_ABI::cuda
