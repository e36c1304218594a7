// histc: a kernel on the CPU, made of operators elsewhere.
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/reduction/bins.h>
#include <ATen/native/reduction/histogram.h>
#include <c10/core/Scalar.h>

#include <ATen/ops/aminmax.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/histc_native.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/item.h>
#include <ATen/ops/le.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/to.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <tuple>

namespace at::native {

void check_finite(const char* name, const BinRange& range) {
  TORCH_CHECK(std::isfinite(range.low) && std::isfinite(range.high), name, ": range of [", range.low, ", ",
              range.high, "] is not finite");
}

BinRange range_of_elements(const char* name, const Tensor& self) {
  const auto [least, greatest] = at::aminmax(self);
  const BinRange range{least.item().toDouble(), greatest.item().toDouble()};
  check_finite(name, range);
  return range;
}

namespace {

BinRange range_of_bins(const Tensor& self, const Scalar& min, const Scalar& max) {
  BinRange range{min.toDouble(), max.toDouble()};
  if (range.low == range.high && self.numel() > 0) range = range_of_elements("histc", self);
  if (range.low == range.high) {
    range.low -= 1;
    range.high += 1;
  }
  check_finite("histc", range);
  TORCH_CHECK(range.low < range.high, "histc: max must be larger than min");
  return range;
}

void count_by_operators(const Tensor& self, const BinRange& range, int64_t bins, const Tensor& hist) {
  const Tensor x = self.reshape({-1});
  const bool is_small = x.scalar_type() == kHalf || x.scalar_type() == kBFloat16;
  const Tensor wide = is_small || !x.is_floating_point() ? x.to(x.is_floating_point() ? kFloat : kDouble) : x;
  const Tensor inside = wide.ge(range.low).logical_and_(wide.le(range.high));
  const Tensor scaled = wide.sub(range.low).mul_(static_cast<double>(bins)).div_(range.high - range.low);
  const Tensor places = scaled.masked_fill_(inside.logical_not(), 0).to(kLong).clamp_(0, bins - 1);
  const Tensor counts = at::zeros({bins}, places.options()).index_add_(0, places, inside.to(kLong));
  const_cast<Tensor&>(hist).copy_(counts);
}

}  // namespace

Tensor& histc_out(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max, Tensor& result) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      self.is_floating_point() || (self.is_cuda() && isIntegralType(self.scalar_type(), false)),
      "\"histogram_cpu\" not implemented for '", self.scalar_type(), "'");
  TORCH_CHECK(bins > 0, "histc(): bins must be > 0, but got ", bins);
  TORCH_CHECK(result.scalar_type() == self.scalar_type(),
              "histc(): input tensor and hist tensor should have the same dtype, but got input ",
              self.scalar_type(), " and hist ", result.scalar_type());
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  resize_output(result, {bins});
  if (result.is_meta()) return result;
  const BinRange range = range_of_bins(self, min, max);
  if (!self.is_cpu()) {
    count_by_operators(self, range, bins, result);
    return result;
  }
  const Tensor edges = at::linspace(range.low, range.high, bins + 1, self.options());
  const Tensor hist = at::zeros({bins}, self.options());
  histogram_stub(kCPU, hist, self.contiguous(), Tensor(), TensorBase(edges), BinSearch::Scaled);
  return result.copy_(hist);
}

Tensor histc(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max) {
  Tensor result = at::empty({0}, self.options());
  return at::histc_outf(self, bins, min, max, result);
}

}  // namespace at::native
