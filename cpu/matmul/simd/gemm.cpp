// Matrix products of float and double, and the choice by dtype.
#include <ATen/native/cpu/matmul/gemm.h>
#include <ATen/native/cpu/matmul/gemm_dtypes.h>
#include <ATen/native/cpu/matmul/gemm_thin.h>

#include <c10/util/Exception.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace gemm_detail {
template struct Tiles<float>;
template struct Tiles<double>;
}  // namespace gemm_detail

namespace {

void gemm_kernel(c10::ScalarType type, const GemmProblem& problem) {
  switch (type) {
    case c10::ScalarType::Float:
      return gemm_detail::real_gemm<float>(problem, problem.alpha.to<float>(), problem.beta.to<float>());
    case c10::ScalarType::Double:
      return gemm_detail::real_gemm<double>(problem, problem.alpha.to<double>(), problem.beta.to<double>());
    case c10::ScalarType::Half:
    case c10::ScalarType::BFloat16:
      return gemm_reduced_floating(type, problem);
    case c10::ScalarType::ComplexFloat:
    case c10::ScalarType::ComplexDouble:
      return gemm_complex(type, problem);
    default:
      return gemm_integral(type, problem);
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(gemm_stub, &gemm_kernel)

}  // namespace at::native
