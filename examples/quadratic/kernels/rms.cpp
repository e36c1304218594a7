// quadratic::rms, the root of the mean square over one dimension: its meta function, its CPU kernel, and its
// derivative.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/quadratic_rms_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>

#include <cmath>

#include "formulas.h"

namespace at::meta {

TORCH_META_FUNC(rms)(const Tensor& self, int64_t dim, bool keepdim) {
  TORCH_CHECK(c10::isFloatingType(self.scalar_type()), "rms(): expected a floating point tensor, got ",
              c10::toString(self.scalar_type()));
  const int64_t d = at::maybe_wrap_dim(dim, self.dim());
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (!sizes.empty() && keepdim) {
    sizes[d] = 1;
  } else if (!sizes.empty()) {
    sizes.erase(sizes.begin() + d);
  }
  set_output_raw_strided(0, sizes, {}, self.options());
}

}  // namespace at::meta

namespace at::native {

TORCH_IMPL_FUNC(rms_out)(const Tensor& self, int64_t dim, bool keepdim, const Tensor& out) {
  const bool scalar = self.dim() == 0;
  const int64_t d = at::maybe_wrap_dim(dim, self.dim());
  // Contiguous rows along the reduced dimension.
  const Tensor rows = (scalar ? self.reshape({1, 1}) : self.transpose(d, -1)).contiguous();
  const int64_t length = rows.size(-1);
  const int64_t count = length == 0 ? out.numel() : rows.numel() / length;
  const Tensor result = at::empty({count}, self.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "rms", [&] {
    const scalar_t* in = rows.const_data_ptr<scalar_t>();
    scalar_t* to = result.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, count, 1 + 32768 / (length + 1), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        double sum = 0;
        for (int64_t i = 0; i < length; ++i) {
          const double x = static_cast<double>(in[row * length + i]);
          sum += x * x;
        }
        to[row] = static_cast<scalar_t>(std::sqrt(sum / static_cast<double>(length)));
      }
    });
  });
  // In `rows`, and in the result with size 1, the reduced dimension is the last one.
  if (scalar) {
    out.copy_(result.reshape(out.sizes()));
    return;
  }
  DimVector sizes(rows.sizes().begin(), rows.sizes().end());
  sizes.back() = 1;
  const Tensor kept = result.reshape(sizes).transpose(d, -1);
  out.copy_(keepdim ? kept : kept.squeeze(d));
}

}  // namespace at::native

namespace torch::autograd::generated::details {

// x / (length * rms(x)) for each x. It only calls operators, so that it is differentiable itself.
at::Tensor rms_backward(const at::Tensor& grad, const at::Tensor& self, const at::Tensor& result, int64_t dim,
                        bool keepdim) {
  const bool scalar = self.dim() == 0;
  const at::Tensor ratio = at::div(grad, at::mul(result, scalar ? 1 : self.size(dim)));
  return at::mul(self, keepdim || scalar ? ratio : at::unsqueeze(ratio, dim));
}

}  // namespace torch::autograd::generated::details
