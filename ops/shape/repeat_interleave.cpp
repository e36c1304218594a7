// repeat_interleave.
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/clone.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/repeat_interleave_native.h>
#include <ATen/ops/reshape.h>
#include <ATen/ops/to.h>
#include <ATen/ops/unsqueeze.h>

#include <algorithm>

namespace at::native {

Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  TORCH_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
              "repeat_interleave(): repeats has to be Long or Int tensor");
  const Tensor counts = repeats.to(kLong).contiguous();
  const auto* count = counts.const_data_ptr<int64_t>();
  const int64_t n = counts.numel();
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i) {
    TORCH_CHECK(count[i] >= 0, "repeat_interleave(): repeats can not be negative");
    TORCH_CHECK(!__builtin_add_overflow(total, count[i], &total), "repeat_interleave(): too many elements");
  }
  TORCH_CHECK(!output_size || *output_size == total,
              "repeat_interleave(): allocated size does not match required size: ", output_size.value_or(0),
              " and ", total);
  const Tensor result = at::empty({total}, counts.options());
  auto* out = total > 0 ? result.mutable_data_ptr<int64_t>() : nullptr;
  for (int64_t i = 0; i < n; ++i) out = std::fill_n(out, count[i], i);
  return result.to(repeats.scalar_type());
}

// The repeats aren't known on Meta: only `output_size` gives the result's size.
Tensor repeat_interleave_meta(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK_NOT_IMPLEMENTED(output_size,
                              "repeat_interleave(): repeats on the Meta device need output_size");
  return at::empty({*output_size}, repeats.options());
}

Tensor repeat_interleave_symint(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim,
                                std::optional<c10::SymInt> output_size) {
  const Tensor input = dim ? self : self.flatten();
  const int64_t along = maybe_wrap_dim(dim.value_or(0), input.dim());
  const int64_t size = input.dim() == 0 ? 1 : input.size(along);
  Tensor each = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.size(0) == 1)) {
    each = repeats.reshape({1}).expand({size});
  } else {
    TORCH_CHECK(repeats.dim() == 1, "repeat_interleave(): repeats must be 0-dim or 1-dim tensor");
    TORCH_CHECK(repeats.size(0) == size,
                "repeat_interleave(): repeats must have the same size as input along dim, ",
                "but got repeats.size(0) = ", repeats.size(0), " and input.size(", along, ") = ", size);
  }
  return input.index_select(along, at::repeat_interleave_symint(each, output_size));
}

Tensor repeat_interleave_symint(const Tensor& self, c10::SymInt repeats, std::optional<int64_t> dim_opt,
                                std::optional<c10::SymInt> /*output_size*/) {
  const Tensor input = dim_opt && self.dim() > 0 ? self : self.flatten();
  const int64_t dim = maybe_wrap_dim(dim_opt.value_or(0), self.dim());
  const int64_t count = repeats.expect_int();
  TORCH_CHECK(count >= 0, "repeat_interleave(): Repeats must be non-negative");
  const Tensor wide = input.unsqueeze(dim + 1);
  DimVector sizes(wide.sizes().begin(), wide.sizes().end());
  sizes[dim + 1] = count;
  return wide.expand(sizes).clone(MemoryFormat::Contiguous).flatten(dim, dim + 1);
}

}  // namespace at::native
