// quadratic::rms_normalize, a composite operator: it only calls operators, so it runs where these have
// kernels (rms on the CPU and on Meta), and is differentiated through them.
#include <ATen/ops/add.h>
#include <ATen/ops/div.h>
#include <ATen/ops/quadratic_rms.h>
#include <ATen/ops/quadratic_rms_normalize_native.h>

namespace at::native {

Tensor rms_normalize(const Tensor& self, int64_t dim, double eps) {
  return at::div(self, at::add(quadratic::rms(self, dim, /*keepdim=*/true), eps));
}

}  // namespace at::native
