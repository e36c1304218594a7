// logcumsumexp on CUDA, for contiguous tensors.
#include <ATen/Dispatch_v2.h>
#include <ATen/native/scan/stubs.h>
#include <c10/util/complex.h>
#include <c10/util/complex_math.h>
#include <ATen/native/cuda/scan/dense_scan.cuh>

#include <limits>

namespace at::native {
namespace logcumsumexp_cuda {

// log(exp(a) + exp(b))
struct LogSum {
  template <class A>
  __device__ A operator()(A a, A b) const {
    if (a != a || b != b) return std::numeric_limits<A>::quiet_NaN();
    const A high = a < b ? b : a, low = a < b ? a : b;
    if (high == low && ::isinf(high)) return high;
    return high + ::log1p(::exp(low - high));
  }
  template <class A>
  __device__ c10::complex<A> operator()(c10::complex<A> a, c10::complex<A> b) const {
    const bool swap = b.real() > a.real();
    const c10::complex<A> high = swap ? b : a, low = swap ? a : b;
    if (::isinf(low.real()) && low.real() < 0) return high;
    return high + c10::complex_math::log(c10::complex<A>(1) + c10::complex_math::exp(low - high));
  }
};

void logcumsumexp_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const Lines lines(self, dim);
  AT_DISPATCH_V2(self.scalar_type(), "logcumsumexp_cuda", AT_WRAP([&] {
                   using Op = scan_cuda::Running<scalar_t, LogSum>;
                   using Real = typename c10::scalar_value_type<typename Op::State>::type;
                   const typename Op::State nothing(-std::numeric_limits<Real>::infinity());
                   scan_cuda::scan_dense(lines, Op(lines, self, result, nothing));
                 }),
                 AT_EXPAND(AT_FLOATING_TYPES), AT_EXPAND(AT_COMPLEX_TYPES), kHalf, kBFloat16);
}

}  // namespace logcumsumexp_cuda

REGISTER_CUDA_DISPATCH(logcumsumexp_stub, &logcumsumexp_cuda::logcumsumexp_kernel)

}  // namespace at::native
