// repeat_interleave on CUDA: the cumulative sum of the repeats, then the indices.
#include <ATen/native/cuda/shape/repeat_interleave.h>

#include <ATen/core/Tensor.h>

#include <ATen/ops/any.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/item.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/repeat_interleave_native.h>
#include <ATen/ops/select.h>
#include <ATen/ops/to.h>

namespace at::native {

namespace {

// Synchronizes the device. If the cumulative sum of non-negative repeats overflows, it is negative somewhere.
int64_t checked_total(const Tensor& counts, const Tensor& ends) {
  TORCH_CHECK(!counts.lt(0).any().item<bool>(), "repeat_interleave(): repeats can not be negative");
  TORCH_CHECK(!ends.lt(0).any().item<bool>(), "repeat_interleave(): too many elements");
  return ends.select(0, ends.numel() - 1).item<int64_t>();
}

}  // namespace

// With output_size there is no synchronization: the kernel checks it.
Tensor repeat_interleave_cuda(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  TORCH_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
              "repeat_interleave(): repeats has to be Long or Int tensor");
  if (repeats.numel() == 0) {
    TORCH_CHECK(output_size.value_or(0) == 0,
                "repeat_interleave(): allocated size does not match required size: ", output_size.value_or(0),
                " and 0");
    return at::empty({0}, repeats.options());
  }
  const Tensor counts = repeats.to(kLong), ends = at::cumsum(counts, 0).contiguous();
  const int64_t total = output_size ? *output_size : checked_total(counts, ends);
  const Tensor result = at::empty({total}, repeats.options());
  write_repeated(ends, result);
  return result;
}

}  // namespace at::native
