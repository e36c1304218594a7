// Matrix products of integers, modulo 2^bits: computed in unsigned types, the 8 and 16 bit ones in 32 bits.
#include <ATen/native/cpu/matmul/gemm_dtypes.h>
#include <ATen/native/cpu/matmul/gemm_thin.h>

#include <c10/util/Exception.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <class T, class Acc>
void modular_gemm(const GemmProblem& problem) {
  gemm_detail::real_gemm<T>(problem, static_cast<Acc>(problem.alpha.to<int64_t>()),
                            static_cast<Acc>(problem.beta.to<int64_t>()));
}

}  // namespace

void gemm_integral(c10::ScalarType type, const GemmProblem& problem) {
  switch (type) {
    case c10::ScalarType::Byte:
    case c10::ScalarType::Char:
      return modular_gemm<uint8_t, uint32_t>(problem);
    case c10::ScalarType::Short:
    case c10::ScalarType::UInt16:
      return modular_gemm<uint16_t, uint32_t>(problem);
    case c10::ScalarType::Int:
    case c10::ScalarType::UInt32:
      return modular_gemm<uint32_t, uint32_t>(problem);
    case c10::ScalarType::Long:
    case c10::ScalarType::UInt64:
      return modular_gemm<uint64_t, uint64_t>(problem);
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "\"addmm_impl_cpu_\" not implemented for '", c10::toString(type),
                                  "'");
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
