// Matrix products of Half: with AMX if the processor has it for them, else converted to float while packing.
// Both accumulate in float.
#include <ATen/native/cpu/matmul/gemm_amx.h>
#include <ATen/native/cpu/matmul/gemm_dtypes.h>
#include <ATen/native/cpu/matmul/gemm_thin.h>

#include <c10/util/Half.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

void gemm_reduced_floating(c10::ScalarType type, const GemmProblem& problem) {
  if (type == c10::ScalarType::BFloat16) {
    return gemm_bfloat16(problem);
  }
  using c10::Half;
  const float alpha = problem.alpha.to<float>(), beta = problem.beta.to<float>();
#ifdef HAS_TILE_PRODUCTS
  if (gemm_detail::has_half_tile_products() && gemm_detail::tiles_pay(problem)) {
    return gemm_detail::tile_gemm<Half>(problem, alpha, beta);
  }
#endif
  gemm_detail::real_gemm<Half>(problem, alpha, beta);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
