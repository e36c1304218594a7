// Quantiles, interpolated between the sorted elements of a line.
#include <ATen/WrapDimUtils.h>
#include <ATen/batching/BatchedTensorImpl.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>

#include <ATen/ops/all.h>
#include <ATen/ops/any.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/item.h>
#include <ATen/ops/le.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nanquantile.h>
#include <ATen/ops/nanquantile_native.h>
#include <ATen/ops/quantile.h>
#include <ATen/ops/quantile_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/round.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/squeeze.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unsqueeze.h>

#include <tuple>

namespace at::native {

namespace {

void check(const char* name, const Tensor& self, const Tensor& q, std::string_view interpolation) {
  TORCH_CHECK(self.numel() > 0, name, "() input tensor must be non-empty");
  TORCH_CHECK(q.dim() <= 1, name, "() q must be a scalar or 1D tensor");
  TORCH_CHECK(self.scalar_type() == kFloat || self.scalar_type() == kDouble, name,
              "() input tensor must be either float or double dtype");
  TORCH_CHECK(self.scalar_type() == q.scalar_type(), name,
              "() q tensor must be same dtype as the input tensor");
  TORCH_CHECK(self.device() == q.device(), name,
              "() q tensor must be on the same device as the input tensor");
  for (const char* known : {"linear", "lower", "higher", "midpoint", "nearest"}) {
    if (interpolation == known) return;
  }
  TORCH_CHECK(false, name,
              "() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ",
              interpolation);
}

// The position of each quantile in a sorted line; for lines with NaN, which are sorted last, that of the NaN.
Tensor ranks_of(const Tensor& sorted, const Tensor& q, bool ignore_nan) {
  const Tensor nan = sorted.isnan();
  if (ignore_nan) return q.mul(nan.logical_not().sum(-1, /*keepdim=*/true).sub(1)).clamp(0);
  const int64_t last = sorted.size(-1) - 1;
  return q.mul(last).masked_fill(nan.any(-1, /*keepdim=*/true), last);
}

Tensor interpolated(const Tensor& sorted, const Tensor& exact, std::string_view interpolation) {
  Tensor ranks = exact;
  if (interpolation == "lower") ranks = ranks.floor();
  if (interpolation == "higher") ranks = ranks.ceil();
  if (interpolation == "nearest") ranks = ranks.round();
  const Tensor below = ranks.to(kLong);
  Tensor values = sorted.gather(-1, below);
  if (interpolation != "linear" && interpolation != "midpoint") return values;
  const Tensor weights = interpolation == "midpoint" ? at::full_like(ranks, 0.5) : ranks.sub(below);
  return values.lerp_(sorted.gather(-1, ranks.ceil().to(kLong)), weights);
}

Tensor compute(const char* name, const Tensor& self, const Tensor& q, std::optional<int64_t> dim,
               bool keepdim, std::string_view interpolation, bool ignore_nan) {
  check(name, self, q, interpolation);
  if (q.is_cpu() && has_one_value(q) && q.numel() > 0) {
    TORCH_CHECK(q.ge(0).logical_and(q.le(1)).all().item().toBool(), name,
                "() q values must be in the range [0, 1]");
  }
  const int64_t along = maybe_wrap_dim(dim.value_or(0), self.dim());
  const bool is_last = along + 1 >= self.dim();
  const Tensor lines = !dim ? self.flatten() : is_last ? self : self.unsqueeze(-1).transpose(along, -1);
  const Tensor sorted = std::get<0>(lines.sort());
  // The dimensions of a result, then the line.
  DimVector sizes(self.sizes().begin(), self.sizes().end());
  if (!dim) sizes.assign(keepdim ? self.dim() : 0, 1);
  if (dim && self.dim() > 0) sizes[along] = 1;
  if (dim && self.dim() > 0 && !keepdim) sizes.erase(sizes.begin() + along);
  sizes.push_back(self.dim() == 0 ? 1 : sorted.size(-1));
  const Tensor rows = sorted.reshape(sizes);
  const Tensor found = interpolated(rows, ranks_of(rows, q.reshape({-1}), ignore_nan), interpolation);
  const Tensor result = found.unsqueeze(0).transpose(0, -1).squeeze(-1);  // the quantiles come first
  return q.dim() == 0 ? result.squeeze(0) : result;
}

Tensor number_of(const Tensor& self, double q) {
  TORCH_CHECK(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", q);
  return at::scalar_tensor(q, self.options());
}

Tensor& copy_result(const char* name, const Tensor& result, Tensor& out) {
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), name,
              "() out tensor must be same dtype as the input tensor");
  resize_output(out, result.sizes());
  return out.copy_(result);
}

}  // namespace

Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  return compute("quantile", self, q, dim, keepdim, interpolation, /*ignore_nan=*/false);
}

Tensor& quantile_out(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                     std::string_view interpolation, Tensor& out) {
  return copy_result("quantile", at::quantile(self, q, dim, keepdim, interpolation), out);
}

Tensor quantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  return at::quantile(self, number_of(self, q), dim, keepdim, interpolation);
}

Tensor& quantile_out(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                     std::string_view interpolation, Tensor& out) {
  return at::quantile_outf(self, number_of(self, q), dim, keepdim, interpolation, out);
}

Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  return compute("nanquantile", self, q, dim, keepdim, interpolation, /*ignore_nan=*/true);
}

Tensor& nanquantile_out(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                        std::string_view interpolation, Tensor& out) {
  return copy_result("nanquantile", at::nanquantile(self, q, dim, keepdim, interpolation), out);
}

Tensor nanquantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  return at::nanquantile(self, number_of(self, q), dim, keepdim, interpolation);
}

Tensor& nanquantile_out(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                        std::string_view interpolation, Tensor& out) {
  return at::nanquantile_outf(self, number_of(self, q), dim, keepdim, interpolation, out);
}

}  // namespace at::native
