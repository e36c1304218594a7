// Batches of sequences of different lengths: padded [steps, batch, ...] and packed (steps concatenated, each
// with the sequences that are long enough).
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>

#include <ATen/ops/_pack_padded_sequence_backward_native.h>
#include <ATen/ops/_pack_padded_sequence_native.h>
#include <ATen/ops/_pad_packed_sequence_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/select.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace at::native {

namespace {

std::vector<int64_t> numbers_of(const char* name, const Tensor& t) {
  TORCH_CHECK(t.dim() == 1 && t.scalar_type() == kLong && t.device().is_cpu() && t.numel() > 0, "'", name,
              "' argument should be a 1D CPU int64 tensor with at least one element");
  const Tensor dense = t.contiguous();
  const int64_t* first = dense.const_data_ptr<int64_t>();
  return {first, first + dense.numel()};
}

// How many of the sequences have each step.
std::vector<int64_t> sizes_by_step(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> sizes;
  for (size_t left = lengths.size(); left > 0; --left) {
    while (static_cast<int64_t>(sizes.size()) < lengths[left - 1]) {
      sizes.push_back(static_cast<int64_t>(left));
    }
  }
  return sizes;
}

std::vector<int64_t> checked_sizes(const Tensor& batch_sizes, int64_t rows) {
  const std::vector<int64_t> sizes = numbers_of("batch_sizes", batch_sizes);
  int64_t total = 0;
  for (size_t t = 0; t < sizes.size(); ++t) {
    TORCH_CHECK(sizes[t] > 0 && (t == 0 || sizes[t] <= sizes[t - 1]) && sizes[t] <= rows - total,
                "batch_sizes must be positive, not increase and add up to the ", rows, " rows of data, got ",
                sizes[t], " at step ", t);
    total += sizes[t];
  }
  TORCH_CHECK(total == rows, "batch_sizes add up to ", total, ", but data has ", rows, " rows");
  return sizes;
}

}  // namespace

std::tuple<Tensor, Tensor> _pack_padded_sequence(const Tensor& input, const Tensor& lengths_,
                                                 bool batch_first) {
  const std::vector<int64_t> lengths = numbers_of("lengths", lengths_);
  TORCH_CHECK(input.numel() > 0 && input.dim() >= 2, "Cannot pack empty tensors.");
  const Tensor steps = batch_first ? input.transpose(0, 1) : input;
  TORCH_CHECK(static_cast<int64_t>(lengths.size()) == steps.size(1),
              "Expected `len(lengths)` to be equal to ", "batch_size, but got ", lengths.size(),
              " (batch_size=", steps.size(1), ")");
  for (size_t i = 0; i < lengths.size(); ++i) {
    TORCH_CHECK(lengths[i] > 0, "Length of all samples has to be greater than 0, but found an element in ",
                "'lengths' that is <= 0");
    TORCH_CHECK(i == 0 || lengths[i] <= lengths[i - 1],
                "`lengths` array must be sorted in decreasing order when ", "`enforce_sorted` is True");
  }
  TORCH_CHECK(lengths[0] <= steps.size(0), "lengths has ", lengths[0], " steps, but input only ",
              steps.size(0));
  const std::vector<int64_t> sizes = sizes_by_step(lengths);
  std::vector<Tensor> rows;
  for (size_t t = 0; t < sizes.size(); ++t) rows.push_back(steps.select(0, t).narrow(0, 0, sizes[t]));
  Tensor batch_sizes = at::empty({static_cast<int64_t>(sizes.size())}, TensorOptions().dtype(kLong));
  std::copy(sizes.begin(), sizes.end(), batch_sizes.mutable_data_ptr<int64_t>());
  return {at::cat(rows, 0), std::move(batch_sizes)};
}

Tensor _pack_padded_sequence_backward_symint(const Tensor& grad, c10::SymIntArrayRef input_size,
                                             const Tensor& batch_sizes, bool batch_first) {
  TORCH_CHECK(input_size.size() >= 2,
              "_pack_padded_sequence_backward: expected input_size of at least 2 numbers, ", "got ",
              input_size.size());
  DimVector sizes;
  for (const auto& size : input_size) sizes.push_back(size.expect_int());
  if (batch_first) std::swap(sizes[0], sizes[1]);
  TORCH_CHECK(grad.dim() > 0, "_pack_padded_sequence_backward: expected a gradient with dimensions");
  const std::vector<int64_t> counts = checked_sizes(batch_sizes, grad.size(0));
  TORCH_CHECK(static_cast<int64_t>(counts.size()) <= sizes[0] && counts[0] <= sizes[1],
              "_pack_padded_sequence_backward: batch_sizes has more steps or sequences than input_size");
  Tensor result = at::zeros(sizes, grad.options());
  int64_t first = 0;
  for (size_t t = 0; t < counts.size(); ++t) {
    result.select(0, t).narrow(0, 0, counts[t]).copy_(grad.narrow(0, first, counts[t]));
    first += counts[t];
  }
  return batch_first ? result.transpose(0, 1) : result;
}

std::tuple<Tensor, Tensor> _pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes,
                                                bool batch_first, const Scalar& padding_value,
                                                int64_t total_length) {
  TORCH_CHECK(data.dim() > 0, "_pad_packed_sequence: expected data with dimensions");
  const std::vector<int64_t> counts = checked_sizes(batch_sizes, data.size(0));
  const int64_t steps = static_cast<int64_t>(counts.size()), batch = counts[0];
  TORCH_CHECK(total_length <= 0 || total_length >= steps,
              "Expected total_length to be at least the length of the ",
              "longest sequence in input, but got total_length=", total_length,
              " and max sequence length being ", steps);
  std::vector<Tensor> padded;
  int64_t first = 0;
  for (const int64_t count : counts) {
    DimVector sizes(data.sizes());
    sizes[0] = batch - count;
    const Tensor filler = at::full(sizes, padding_value, data.options());
    padded.push_back(at::cat({data.narrow(0, first, count), filler}, 0));
    first += count;
  }
  Tensor lengths = at::empty({batch}, TensorOptions().dtype(kLong));
  for (int64_t i = 0; i < batch; ++i) {
    lengths.mutable_data_ptr<int64_t>()[i] =
        std::count_if(counts.begin(), counts.end(), [i](int64_t count) { return count > i; });
  }
  const int64_t time = batch_first ? 1 : 0;
  Tensor result = at::stack(padded, time);
  if (total_length > steps) {
    DimVector sizes(result.sizes());
    sizes[time] = total_length - steps;
    result = at::cat({result, at::full(sizes, padding_value, data.options())}, time);
  }
  return {std::move(result), std::move(lengths)};
}

}  // namespace at::native
