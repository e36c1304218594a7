// cosine_similarity, pairwise_distance and one_hot.
#include <ATen/ExpandUtils.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/add.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/cosine_similarity_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/item.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/one_hot_native.h>
#include <ATen/ops/pairwise_distance_native.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros.h>

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

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  TORCH_CHECK(self.scalar_type() == kLong, "one_hot is only applicable to index tensor of type LongTensor.");
  const bool empty = self.numel() == 0;
  TORCH_CHECK(!empty || num_classes > 0, "Can not infer total number of classes from empty tensor.");
  if (!empty && self.device().type() != kMeta) {
    const int64_t largest = at::amax(self).item().toLong();
    TORCH_CHECK(at::amin(self).item().toLong() >= 0, "Class values must be non-negative.");
    if (num_classes == -1) num_classes = largest + 1;
    TORCH_CHECK(num_classes > largest, "Class values must be smaller than num_classes.");
  }
  TORCH_CHECK(num_classes > 0, "one_hot: the number of classes must be given where the values aren't known");
  DimVector sizes(self.sizes());
  sizes.push_back(num_classes);
  const Tensor zeros = at::zeros(sizes, self.options());
  return empty ? zeros : at::scatter(zeros, -1, at::unsqueeze(self, -1), 1);
}

}  // namespace at::native
