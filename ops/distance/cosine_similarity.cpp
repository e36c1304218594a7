// cosine_similarity and pairwise_distance.
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/cosine_similarity_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/pairwise_distance_native.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>

#include <algorithm>

namespace at::native {

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  const ScalarType dtype = promoteTypes(x1.scalar_type(), x2.scalar_type());
  TORCH_CHECK(isFloatingType(dtype), "expected common dtype to be floating point, yet common dtype is ",
              dtype);
  const DimVector sizes = infer_size_dimvector(x1.sizes(), x2.sizes());
  const Tensor a = x1.to(dtype).expand(sizes), b = x2.to(dtype).expand(sizes);
  const auto unit = [&](const Tensor& t) {
    return at::div(t, at::clamp(at::linalg_vector_norm(t, 2, dim, /*keepdim=*/true), eps));
  };
  return at::sum(at::mul(unit(a), unit(b)), dim);
}

Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  const int64_t last = std::max(x1.dim(), x2.dim()) - 1;
  return at::norm(at::add(at::sub(x1, x2), eps), p, last, keepdim);
}

}  // namespace at::native
