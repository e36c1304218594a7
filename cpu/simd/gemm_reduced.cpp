// Matrix products of Half: converted to float while packing, accumulated in float.
#include <ATen/native/cpu/gemm_dtypes.h>
#include <ATen/native/cpu/gemm_thin.h>

#include <c10/util/Half.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

void gemm_reduced_floating(c10::ScalarType type, const GemmProblem& problem) {
  if (type == c10::ScalarType::BFloat16) {
    return gemm_bfloat16(problem);
  }
  gemm_detail::real_gemm<c10::Half>(problem, problem.alpha.to<float>(), problem.beta.to<float>());
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
