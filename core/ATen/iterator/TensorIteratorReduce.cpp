// Reductions: iterations whose output has stride 0 along the reduced dimensions.
#include <ATen/iterator/TensorIteratorInternal.h>

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace at::inline C10_ABI {

bool TensorIteratorBase::is_dim_reduced(int dim) const {
  settle();
  for (const auto& op : general_->operands) {
    if (op.is_output && op.stride_bytes[dim] == 0 && general_->shape[dim] > 1) {
      return true;
    }
  }
  return false;
}

int TensorIteratorBase::num_reduce_dims() const {
  settle();
  int count = 0;
  for (int dim = 0; dim < ndim(); dim++) {
    count += general_->operands[0].stride_bytes[dim] == 0;
  }
  return count;
}

int64_t TensorIteratorBase::num_output_elements() const {
  settle();
  int64_t elements = 1;
  for (int dim = 0; dim < ndim(); dim++) {
    if (general_->operands[0].stride_bytes[dim] != 0 || general_->shape[dim] == 0) {
      elements *= general_->shape[dim];
    }
  }
  return elements;
}

namespace {

using loop2d_t = TensorIteratorBase::loop2d_t;

bool is_folded(const TensorIteratorBase& iter, int dim) {
  return iter.shape()[dim] > 1 && iter.strides(0)[dim] == 0;
}

// The outermost dimension that is not reduced and large enough for all threads, else the largest such
// dimension.
int find_split_dim(const TensorIteratorBase& iter) {
  const int num_threads = at::get_num_threads();
  const auto shape = iter.shape();
  int best = iter.ndim() - 1;
  for (int dim = best; dim >= 0 && !is_folded(iter, dim); dim--) {
    if (shape[dim] >= num_threads) {
      return dim;
    }
    best = shape[dim] > shape[best] ? dim : best;
  }
  TORCH_INTERNAL_ASSERT(!is_folded(iter, best));
  return best;
}

// One element of any dtype, in a cache line of its own.
struct alignas(16) ThreadResult {
  char bytes[64];
};

// Every thread reduces its part of the input into a copy of the output's initial value; then the copies are
// combined.
void reduce_to_one_element(TensorIteratorBase& iter, loop2d_t loop) {
  const auto num_threads = static_cast<size_t>(at::get_num_threads());
  const auto size = static_cast<size_t>(iter.element_size(0));
  SmallVector<ThreadResult, 8> partial(num_threads);
  for (auto& result : partial) {
    std::memcpy(result.bytes, iter.data_ptr(0), size);
  }
  const auto strides = iter.get_strides();
  const auto base = iter.get_base_ptrs();
  at::parallel_for(0, iter.numel(), internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
    TensorIteratorBase::PtrVector ptrs(base.begin(), base.end());
    ptrs[0] = partial[at::get_thread_num()].bytes;
    internal::serial_for_each(iter.shape(), strides, ptrs.data(), ptrs.size(), loop, {begin, end});
  });
  char* ptrs[] = {static_cast<char*>(iter.data_ptr(0)), partial[0].bytes};
  const int64_t final_strides[] = {0, sizeof(ThreadResult), 0, 0};
  loop(ptrs, final_strides, static_cast<int64_t>(num_threads), 1);
}

void reduce_by_output(TensorIteratorBase& iter, loop2d_t loop) {
  const int dim = find_split_dim(iter);
  const int64_t size = iter.shape()[dim];
  // Neighbouring columns share cache lines: each thread gets whole 128-byte groups of them.
  const int64_t group =
      iter.strides(1)[dim] == iter.element_size(1) ? std::max<int64_t>(128 / iter.element_size(1), 1) : 1;
  const int64_t groups = (size + group - 1) / group;
  at::parallel_for(0, groups, 1, [&](int64_t begin, int64_t end) {
    TensorIterator part(iter);
    const int64_t first = begin * group;
    part.narrow(dim, first, std::min(end * group, size) - first);
    part.for_each(loop, std::numeric_limits<int64_t>::max());
  });
}

}  // namespace

void TensorIteratorBase::parallel_reduce(loop2d_t loop) {
  TORCH_INTERNAL_ASSERT(ntensors() == 2, "parallel_reduce takes one input and one output");
  const int64_t n = numel();
  if (n < internal::GRAIN_SIZE || at::get_num_threads() == 1 || at::in_parallel_region()) {
    serial_for_each(loop, {0, n});
  } else if (num_output_elements() == 1) {
    reduce_to_one_element(*this, loop);
  } else {
    reduce_by_output(*this, loop);
  }
}

void TensorIteratorBase::foreach_reduced_elt(loop_subiter_t loop, bool parallelize) {
  TORCH_INTERNAL_ASSERT(ninputs() == 1 && noutputs() >= 1);
  const int64_t outputs = num_output_elements();
  if (outputs == 0) {
    return;
  }
  if (outputs == 1) {
    loop(*this);
    return;
  }
  if (parallelize && numel() >= internal::GRAIN_SIZE && at::get_num_threads() > 1 &&
      !at::in_parallel_region()) {
    const int dim = find_split_dim(*this);
    at::parallel_for(0, general_->shape[dim], 1, [&](int64_t begin, int64_t end) {
      TensorIterator part(*this);
      part.narrow(dim, begin, end - begin);
      static_cast<TensorIteratorBase&>(part).foreach_reduced_elt(loop, /*parallelize=*/false);
    });
    return;
  }
  const int folded = num_reduce_dims();
  const DimVector kept(general_->shape.begin() + folded, general_->shape.end());
  for (DimCounter counter(kept, {0, outputs}); !counter.is_done(); counter.increment({1, 1})) {
    TensorIterator element(*this);
    element.select_all_keeping_dim(folded, counter.values);
    loop(element);
  }
}

}  // namespace at::inline C10_ABI
