// Matrix products of bfloat16: with AMX or AVX512_BF16 if the processor has them, else converted to float
// while packing, as Half is. All accumulate in float.
#include <ATen/native/cpu/matmul/gemm_amx.h>
#include <ATen/native/cpu/matmul/gemm_bf16.h>
#include <ATen/native/cpu/matmul/gemm_dtypes.h>
#include <ATen/native/cpu/matmul/gemm_thin.h>

#include <c10/util/BFloat16.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

void gemm_bfloat16(const GemmProblem& problem) {
  using c10::BFloat16;
  const float alpha = problem.alpha.to<float>(), beta = problem.beta.to<float>();
#ifdef HAS_TILE_PRODUCTS
  if (gemm_detail::has_tile_products() && gemm_detail::tiles_pay(problem)) {
    return gemm_detail::tile_gemm<BFloat16>(problem, alpha, beta);
  }
#endif
#ifdef HAS_PAIR_PRODUCTS
  static const bool has_pairs = __builtin_cpu_supports("avx512bf16");
  if (has_pairs) {
    return gemm_detail::for_each_matrix(problem, [&](int64_t i) {
      const gemm_detail::Output<BFloat16, float> out{
          static_cast<BFloat16*>(problem.c) + i * problem.c_batch_stride, problem.c_row_stride,
          problem.c_column_stride, alpha, beta};
      gemm_detail::pair_product(problem.m, problem.n, problem.k,
                                gemm_detail::matrix_of<BFloat16>(problem.a, i),
                                gemm_detail::matrix_of<BFloat16>(problem.b, i), out);
    });
  }
#endif
  gemm_detail::real_gemm<BFloat16>(problem, alpha, beta);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
