// dist: the norm of a difference.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/dist_native.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/sub.h>

namespace at::native {

Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p) {
  return at::norm(at::sub(self, other), p);
}

}  // namespace at::native
