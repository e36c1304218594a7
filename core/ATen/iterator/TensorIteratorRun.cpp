// Running an iteration on the CPU, and splitting it.
#include <ATen/iterator/TensorIteratorInternal.h>

#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>

namespace at::inline C10_ABI {

// ---- counting

DimCounter::DimCounter(IntArrayRef shape, Range range)
    : shape(shape), range(range), values(shape.size(), 0), offset(range.begin) {
  int64_t rest = range.begin;
  for (size_t dim = 0; rest != 0 && dim < shape.size(); dim++) {
    if (shape[dim] > 0) {
      values[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
  }
}

std::array<int64_t, 2> DimCounter::max_2d_step() const {
  const int64_t step0 = std::min(shape[0] - values[0], range.end - offset);
  int64_t step1 = 1;
  if (step0 == shape[0] && shape.size() >= 2) {
    step1 = std::min(shape[1] - values[1], (range.end - offset) / shape[0]);
  }
  return {step0, step1};
}

void DimCounter::increment(const std::array<int64_t, 2>& step) {
  offset += step[0] * step[1];
  int64_t overflow = step[0];
  size_t dim = 0;
  if (step[1] != 1) {  // whole rows: only dimension 1 moves
    overflow = step[1];
    dim = 1;
  }
  for (; dim < values.size() && overflow > 0; dim++) {
    const int64_t value = values[dim] + overflow;
    overflow = value / shape[dim];
    values[dim] = value - overflow * shape[dim];
  }
}

namespace internal {

void serial_for_each(IntArrayRef shape, IntArrayRef strides, char** base_ptrs, size_t ntensors,
                     TensorIteratorBase::loop2d_t loop, Range range) {
  TensorIteratorBase::PtrVector ptrs(ntensors);
  if (shape.size() <= 1) {
    const int64_t begin[] = {range.begin};
    get_data_ptrs(ptrs.data(), {base_ptrs, ntensors}, strides, begin);
    loop(ptrs.data(), strides.data(), range.size(), 1);
    return;
  }
  DimCounter counter(shape, range);
  while (!counter.is_done()) {
    get_data_ptrs(ptrs.data(), {base_ptrs, ntensors}, strides, counter.values);
    const auto step = counter.max_2d_step();
    loop(ptrs.data(), strides.data(), step[0], step[1]);
    counter.increment(step);
  }
}

}  // namespace internal

// ---- running

void TensorIteratorBase::for_each(loop2d_t loop, int64_t grain_size) {
  settle();
  const int64_t n = numel();
  if (n == 0) {
    return;
  }
  if (n < grain_size || at::get_num_threads() == 1) {
    serial_for_each(loop, {0, n});
    return;
  }
  at::parallel_for(0, n, grain_size,
                   [&](int64_t begin, int64_t end) { serial_for_each(loop, {begin, end}); });
}

void TensorIteratorBase::serial_for_each(loop2d_t loop, Range range) const {
  settle();
  if (range.size() == 0) {
    return;
  }
  const StrideVector strides = get_strides();
  PtrVector ptrs = get_base_ptrs();
  internal::serial_for_each(general_->shape, strides, ptrs.data(), ptrs.size(), loop, range);
}

TensorIteratorBase::StrideVector TensorIteratorBase::get_dim_strides(int dim) const {
  settle();
  StrideVector strides;
  for (const auto& op : general_->operands) {
    strides.push_back(ndim() == 0 ? static_cast<int64_t>(c10::elementSize(op.current_dtype))
                                  : op.stride_bytes[dim]);
  }
  return strides;
}

TensorIteratorBase::StrideVector TensorIteratorBase::get_strides() const {
  settle();
  StrideVector strides;
  for (int dim = 0; dim < std::max(ndim(), 2); dim++) {
    for (const auto& op : general_->operands) {
      strides.push_back(dim < ndim() ? op.stride_bytes[dim] : 0);
    }
  }
  return strides;
}

TensorIteratorBase::PtrVector TensorIteratorBase::get_base_ptrs() const {
  settle();
  PtrVector ptrs;
  for (const auto& op : general_->operands) {
    ptrs.push_back(static_cast<char*>(op.data));
  }
  return ptrs;
}

// ---- properties

bool TensorIteratorBase::is_contiguous() const {
  return numel() == 1 || (ndim() == 1 && has_contiguous_first_dim());
}

bool TensorIteratorBase::has_contiguous_first_dim() const {
  if (ndim() == 0) {
    return true;
  }
  for (int arg = 0; arg < ntensors(); arg++) {
    if (strides(arg)[0] != element_size(arg)) {
      return false;
    }
  }
  return true;
}

// ---- splitting

void TensorIteratorBase::remove_operand(int64_t arg) {
  settle();
  general_->operands.erase(general_->operands.begin() + arg);
}

void TensorIteratorBase::narrow(int dim, int64_t start, int64_t size) {
  settle();
  TORCH_INTERNAL_ASSERT(dim < ndim() && size >= 1);
  general_->shape[dim] = size;
  general_->view_offsets[dim] += start;
  for (auto& op : general_->operands) {
    op.data = static_cast<char*>(op.data) + op.stride_bytes[dim] * start;
  }
  if (size == 1 && !is_reduction_) {
    coalesce_dimensions();
  }
}

void TensorIteratorBase::select_all_keeping_dim(int start_dim, IntArrayRef starts) {
  settle();
  TORCH_INTERNAL_ASSERT(start_dim <= ndim());
  for (int i = start_dim; i < ndim(); i++) {
    for (auto& op : general_->operands) {
      op.data = static_cast<char*>(op.data) + op.stride_bytes[i] * starts[i - start_dim];
    }
    general_->shape[i] = 1;
  }
}

TensorIterator TensorIteratorBase::split(int dim) {
  settle();
  TORCH_INTERNAL_ASSERT(dim >= 0 && dim < ndim() && general_->shape[dim] >= 2);
  TensorIterator first(*this);
  // Halves of a reduced dimension add to the same output; only the last one finishes it.
  const bool overlaps = is_dim_reduced(dim);
  const int64_t first_size = general_->shape[dim] / 2;
  const int64_t second_size = general_->shape[dim] - first_size;
  TensorIteratorBase& head = first;
  head.narrow(dim, 0, first_size);
  head.final_output_ &= !overlaps;
  narrow(dim, first_size, second_size);
  accumulate_ |= overlaps;
  return first;
}

int TensorIteratorBase::get_dim_to_split() const {
  settle();
  TORCH_INTERNAL_ASSERT(ndim() >= 1);
  int64_t max_extent = -1;
  int dim_to_split = -1;
  for (int dim = ndim() - 1; dim >= 0; dim--) {
    const int64_t size = general_->shape[dim];
    if (size == 0) {
      continue;
    }
    for (const auto& op : general_->operands) {
      const int64_t extent = (size - 1) * std::abs(op.stride_bytes[dim]);
      if (extent > max_extent) {
        max_extent = extent;
        dim_to_split = dim;
      }
    }
  }
  TORCH_INTERNAL_ASSERT(max_extent >= 0);
  return dim_to_split;
}

bool TensorIteratorBase::can_use_32bit_indexing() const {
  settle();
  constexpr int64_t max_value = std::numeric_limits<int32_t>::max();
  if (numel() > max_value) {
    return false;
  }
  for (const auto& op : general_->operands) {
    int64_t max_offset = 1;
    for (int dim = 0; dim < ndim(); dim++) {
      max_offset += (general_->shape[dim] - 1) * op.stride_bytes[dim];
    }
    if (max_offset > max_value) {
      return false;
    }
  }
  return true;
}

SplitUntil32Bit TensorIteratorBase::with_32bit_indexing() const { return SplitUntil32Bit(*this); }

SplitUntil32Bit::iterator::iterator(const TensorIteratorBase& iter) {
  pending.emplace_back(iter);
  split_last();
}

SplitUntil32Bit::iterator& SplitUntil32Bit::iterator::operator++() {
  pending.pop_back();
  if (!pending.empty()) {
    split_last();
  }
  return *this;
}

void SplitUntil32Bit::iterator::split_last() {
  while (!pending.back().can_use_32bit_indexing()) {
    TensorIterator first = pending.back().split(pending.back().get_dim_to_split());
    pending.push_back(first);
  }
}

}  // namespace at::inline C10_ABI
