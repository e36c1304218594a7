// multinomial: indices drawn with the elements of a row as weights, by operators of all devices.
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/ScalarType.h>

#include <ATen/ops/all.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exponential.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/item.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/multinomial.h>
#include <ATen/ops/multinomial_native.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/to.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/uniform.h>

#include <limits>

namespace at::native {

namespace {

constexpr int64_t most_categories = int64_t{1} << 24;

void check_multinomial(const Tensor& self, int64_t num_samples, bool replacement) {
  TORCH_CHECK(isFloatingType(self.scalar_type()), "multinomial expects weights of a floating dtype, got ",
              self.scalar_type());
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "multinomial: prob_dist must be 1 or 2 dim, got ",
              self.dim());
  TORCH_CHECK(num_samples > 0, "cannot sample n_sample <= 0 samples, got ", num_samples);
  TORCH_CHECK(replacement || num_samples <= self.size(-1),
              "cannot sample n_sample > prob_dist.size(-1) samples without replacement, got ", num_samples,
              " of ", self.size(-1));
  TORCH_CHECK(self.size(-1) <= most_categories, "number of categories cannot exceed 2^24, got ",
              self.size(-1));
}

void check_weights(const Tensor& weights) {
  const Tensor valid = weights.ge(0).logical_and(weights.lt(std::numeric_limits<double>::infinity()));
  TORCH_CHECK(valid.all().item().toBool(), "probability tensor contains either `inf`, `nan` or element < 0");
  TORCH_CHECK(weights.sum(-1).gt(0).all().item().toBool(),
              "invalid multinomial distribution (sum of probabilities <= 0)");
}

// The weights' cumulative sum divides an interval; a uniform number of it is in the part of its category.
Tensor with_replacement(const Tensor& weights, int64_t num_samples, const std::optional<Generator>& gen) {
  const Tensor sums = weights.to(kDouble).cumsum(-1), total = sums.narrow(-1, sums.size(-1) - 1, 1);
  DimVector shape(weights.sizes());
  shape.back() = num_samples;
  Tensor points = at::empty(shape, sums.options());
  points.uniform_(0, 1, gen).mul_(total);
  const Tensor drawn = at::searchsorted(sums, points, /*out_int32=*/false, /*right=*/true);
  // A product rounded up to the total is beyond the last category with a weight.
  return at::minimum(drawn, at::searchsorted(sums, total));
}

// The k greatest of weight / exponential number are k draws without replacement, in their order.
Tensor without_replacement(const Tensor& weights, int64_t num_samples, const std::optional<Generator>& gen) {
  const Tensor wide = weights.scalar_type() == kDouble ? weights : weights.to(kFloat);
  Tensor waits = at::empty_like(wide, MemoryFormat::Contiguous);
  waits.exponential_(1, gen);
  const Tensor scores = wide.div(waits);
  return num_samples == 1 ? scores.argmax(-1, /*keepdim=*/true) : std::get<1>(scores.topk(num_samples, -1));
}

}  // namespace

Tensor& multinomial_out(const Tensor& self, int64_t num_samples, bool replacement,
                        std::optional<Generator> gen, Tensor& result) {
  check_multinomial(self, num_samples, replacement);
  TORCH_CHECK(result.device() == self.device(), "multinomial arguments must have the same device");
  TORCH_CHECK(result.scalar_type() == kLong, "multinomial expects an out= of dtype Long, got ",
              result.scalar_type());
  DimVector shape(self.sizes());
  shape.back() = num_samples;
  resize_output(result, shape);
  if (result.numel() == 0 || result.is_meta()) return result;
  TORCH_CHECK(self.numel() != 0, "invalid multinomial distribution (no categories)");
  check_weights(self);
  const bool repeats = replacement && num_samples > 1;
  return result.copy_(repeats ? with_replacement(self, num_samples, gen)
                              : without_replacement(self, num_samples, gen));
}

Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, std::optional<Generator> gen) {
  Tensor result = at::empty({0}, self.options().dtype(kLong));
  return at::multinomial_outf(self, num_samples, replacement, std::move(gen), result);
}

}  // namespace at::native
