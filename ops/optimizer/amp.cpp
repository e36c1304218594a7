// Automatic mixed precision: scaled gradients are unscaled, and the scale grows until they overflow.
#include <ATen/core/Tensor.h>
#include <ATen/native/optimizer/arithmetic.h>
#include <ATen/native/optimizer/steps.h>
#include <ATen/native/optimizer/stubs.h>

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale_native.h>
#include <ATen/ops/_amp_update_scale_native.h>

namespace at::native {

DEFINE_DISPATCH(amp_unscale_stub);

namespace {

void check_one(const Tensor& t, ScalarType dtype, const char* name) {
  TORCH_CHECK(t.is_cpu(), name, " must be on the CPU, got ", t.device());
  TORCH_CHECK(t.numel() == 1, name, " must be a 1-element tensor.");
  TORCH_CHECK(t.scalar_type() == dtype, name, " must be a tensor of dtype ", dtype, ", got ",
              t.scalar_type());
}

}  // namespace

void _amp_foreach_non_finite_check_and_unscale_(TensorList self, Tensor& found_inf, const Tensor& inv_scale) {
  check_one(inv_scale, kFloat, "inv_scale");
  check_one(found_inf, kFloat, "found_inf");
  // Gradients may be of several dtypes: each run of one dtype is processed at once.
  for (size_t first = 0, last; first < self.size(); first = last) {
    last = first + 1;
    while (last < self.size() && self[last].scalar_type() == self[first].scalar_type()) last++;
    StepLists steps({self.slice(first, last - first)});
    if (!amp_unscale_stub(kCPU, steps.items, *inv_scale.const_data_ptr<float>())) {
      *found_inf.mutable_data_ptr<float>() = 1;
    }
    steps.finish();
  }
}

Tensor& _amp_update_scale_(Tensor& self, Tensor& growth_tracker, const Tensor& found_inf,
                           double scale_growth_factor, double scale_backoff_factor, int64_t growth_interval) {
  check_one(growth_tracker, kInt, "growth_tracker");
  check_one(self, kFloat, "current_scale");
  check_one(found_inf, kFloat, "found_inf");
  optimizer::ScaleUpdate{scale_growth_factor, scale_backoff_factor, growth_interval}(
      *self.mutable_data_ptr<float>(), *growth_tracker.mutable_data_ptr<int>(),
      *found_inf.const_data_ptr<float>());
  return self;
}

}  // namespace at::native
