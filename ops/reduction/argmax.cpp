// amax, amin, argmax and argmin.
#include <ATen/core/Tensor.h>
#include <ATen/native/reduction/reduced_shape.h>
#include <ATen/native/reduction/stubs.h>

#include <ATen/ops/amax_native.h>
#include <ATen/ops/amin_native.h>
#include <ATen/ops/argmax_native.h>
#include <ATen/ops/argmin_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/zero.h>

namespace at::native {

DEFINE_DISPATCH(max_values_stub);
DEFINE_DISPATCH(min_values_stub);
DEFINE_DISPATCH(argmax_stub);
DEFINE_DISPATCH(argmin_stub);

TORCH_IMPL_FUNC(amax_out)(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& result) {
  if (self.numel() != 0) {
    auto iter = meta::make_reduction(self, result, dim, keepdim);
    max_values_stub(iter.device_type(), iter);
  }
}

TORCH_IMPL_FUNC(amin_out)(const Tensor& self, IntArrayRef dim, bool keepdim, const Tensor& result) {
  if (self.numel() != 0) {
    auto iter = meta::make_reduction(self, result, dim, keepdim);
    min_values_stub(iter.device_type(), iter);
  }
}

namespace {

template <class Stub>
void position_of_extremum(Stub& stub, const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                          const Tensor& result) {
  if (self.numel() == 0) {
    return;
  }
  if (dim.has_value() && self.dim() > 0 ? self.size(*dim) == 1 : self.numel() == 1) {
    result.zero_();
  } else if (dim.has_value()) {
    auto iter = meta::make_reduction(self, result, *dim, keepdim);
    stub(iter.device_type(), iter);
  } else {
    // Indices count the elements in row-major order.
    const int64_t only_dim[] = {0};
    auto iter = meta::make_reduction(self.reshape({-1}), result, IntArrayRef(only_dim), /*keepdim=*/false);
    stub(iter.device_type(), iter);
  }
}

}  // namespace

TORCH_IMPL_FUNC(argmax_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  position_of_extremum(argmax_stub, self, dim, keepdim, result);
}

TORCH_IMPL_FUNC(argmin_out)
(const Tensor& self, std::optional<int64_t> dim, bool keepdim, const Tensor& result) {
  position_of_extremum(argmin_stub, self, dim, keepdim, result);
}

}  // namespace at::native
