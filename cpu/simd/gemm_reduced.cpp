// Matrix products of 16-bit floats: converted to float while packing, accumulated in float.
#include <ATen/native/cpu/gemm_dtypes.h>
#include <ATen/native/cpu/gemm_thin.h>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

void gemm_reduced_floating(c10::ScalarType type, const GemmProblem& problem) {
  const float alpha = problem.alpha.to<float>(), beta = problem.beta.to<float>();
  if (type == c10::ScalarType::Half) {
    gemm_detail::real_gemm<c10::Half>(problem, alpha, beta);
  } else {
    gemm_detail::real_gemm<c10::BFloat16>(problem, alpha, beta);
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
