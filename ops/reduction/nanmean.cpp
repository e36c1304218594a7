// nanmean: a sum of numbers over how many there are.
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/detach.h>
#include <ATen/ops/div.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/nanmean_native.h>
#include <ATen/ops/nansum.h>
#include <ATen/ops/sum.h>

namespace at::native {

namespace {

void check_mean(const Tensor& self) {
  TORCH_CHECK(self.is_floating_point() || self.is_complex(),
              "nanmean(): expected input to have floating point or complex dtype but got ",
              self.scalar_type());
}

Tensor count_of_numbers(const Tensor& self, OptionalIntArrayRef dim, bool keepdim) {
  return self.detach().isnan().logical_not().sum(dim, keepdim);
}

}  // namespace

Tensor nanmean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype) {
  check_mean(self);
  return at::nansum(self, dim, keepdim, dtype).div(count_of_numbers(self, dim, keepdim));
}

Tensor& nanmean_out(const Tensor& self, OptionalIntArrayRef dim, bool keepdim,
                    std::optional<ScalarType> dtype, Tensor& result) {
  check_mean(self);
  const Tensor count = count_of_numbers(self, dim, keepdim);
  return at::nansum_outf(self, dim, keepdim, dtype, result).div_(count);
}

}  // namespace at::native
