// bincount: a kernel on the CPU, made of operators elsewhere.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/histogram.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/aminmax.h>
#include <ATen/ops/bincount_native.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/item.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace at::native {

DEFINE_DISPATCH(bincount_stub);

Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights, int64_t minlength) {
  TORCH_CHECK_NOT_IMPLEMENTED(isIntegralType(self.scalar_type(), /*includeBool=*/false),
                              "\"bincount\" not implemented for '", self.scalar_type(), "'");
  TORCH_CHECK(minlength >= 0, "minlength should be >= 0, got ", minlength);
  TORCH_CHECK(self.dim() == 1, "bincount only supports 1-d non-negative integral inputs.");
  const bool weighted = weights && weights->defined();
  TORCH_CHECK(!weighted || weights->sizes() == self.sizes(),
              "weights should be 1-d and have the same length as input, got ",
              weighted ? weights->sizes() : self.sizes());
  const ScalarType dtype = !weighted ? kLong : weights->scalar_type() == kFloat ? kFloat : kDouble;
  if (self.numel() == 0) return at::zeros({minlength}, self.options().dtype(kLong));
  const Tensor bins = self.to(kLong).contiguous();
  const auto [least, greatest] = at::aminmax(bins);
  TORCH_CHECK(least.item<int64_t>() >= 0, "bincount only supports 1-d non-negative integral inputs.");
  const int64_t most = greatest.item<int64_t>();
  TORCH_CHECK(most < std::numeric_limits<int64_t>::max(), "bincount(): too many bins for ", most);
  Tensor hist = at::zeros({std::max(most + 1, minlength)}, self.options().dtype(dtype));
  const Tensor weight = weighted ? weights->to(dtype).contiguous() : Tensor();
  if (!self.is_cpu()) return hist.index_add_(0, bins, weighted ? weight : at::ones_like(bins));
  bincount_stub(kCPU, hist, bins, weight);
  return hist;
}

}  // namespace at::native
