// Matrix products of the less common dtypes, each defined in its own file in cpu/matmul/simd.
#pragma once

#include <ATen/native/cpu/matmul/gemm.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

void gemm_reduced_floating(c10::ScalarType type, const GemmProblem& problem);  // Half, BFloat16
void gemm_bfloat16(const GemmProblem& problem);
void gemm_integral(c10::ScalarType type, const GemmProblem& problem);  // throws for anything else
void gemm_complex(c10::ScalarType type, const GemmProblem& problem);

}  // namespace CPU_CAPABILITY
}  // namespace at::native
