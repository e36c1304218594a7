// one_hot: num_classes is the largest value plus one, unless it is given.
#include <ATen/batching/BatchedTensorImpl.h>
#include <ATen/core/Tensor.h>

#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/item.h>
#include <ATen/ops/one_hot_native.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/unsqueeze.h>
#include <ATen/ops/zeros.h>

namespace at::native {

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  TORCH_CHECK(self.scalar_type() == kLong, "one_hot is only applicable to index tensor of type LongTensor.");
  const bool empty = self.numel() == 0;
  TORCH_CHECK(!empty || num_classes > 0, "Can not infer total number of classes from empty tensor.");
  if (!empty && has_one_value(self)) {
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
