// What calls of cuBLAS and of cuBLASLt share: constants with the values of their headers, and the libraries.
#pragma once

#include <c10/core/ScalarType.h>

#include <library_types.h>

#include <cstddef>
#include <cstdint>

namespace at::inline C10_ABI::cuda::blas {

using Status = int;
constexpr Status success = 0;
enum Operation : int32_t { NoTranspose = 0, Transpose = 1 };
enum ComputeType { Compute32F = 68, Compute64F = 70, Compute32FFastTF32 = 77 };

struct Types {
  cudaDataType data;
  ComputeType compute;
};
Types types_of(c10::ScalarType dtype);

void check(Status status, const char* call);
/// libcublasLt beside the cuBLAS that was found; null if there is none.
void* lt_library();

namespace lt {

enum MatmulAttribute { TransA = 3, TransB = 4, Epilogue = 7, BiasPointer = 8 };
enum PreferenceAttribute {
  MaxWorkspaceBytes = 1,
  MinAlignmentA = 5,
  MinAlignmentB,
  MinAlignmentC,
  MinAlignmentD
};
constexpr uint32_t epilogue_bias = 4, epilogue_relu_bias = 6, epilogue_gelu_bias = 36;

struct Algorithm {
  uint64_t data[8];
};
struct Choice {
  Algorithm algorithm;
  size_t workspace;
  Status state;
  float waves;
  int reserved[4];
};

}  // namespace lt

}  // namespace at::inline C10_ABI::cuda::blas
