// Binds all items of a run to the loop that its leader comes to: the loop's operands are recognised by their
// memory as those of the leader, and take the others' place by place.
#pragma once

#include <ATen/EmptyTensor.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/foreach/lists.h>

#include <algorithm>

namespace at::native::foreach {

// Where written memory is also another's.
class Overlaps {
 public:
  void add(const Tensor& t, bool written) {
    const auto* at = static_cast<const char*>(t.const_data_ptr());
    if (t.numel() > 0) spans_.push_back({at, at + t.nbytes(), written});
  }
  bool any() {
    std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    const char *end = nullptr, *written_end = nullptr;
    for (const Span& span : spans_) {
      if (span.begin < (span.written ? end : written_end)) return true;
      end = std::max(end, span.end);
      if (span.written) written_end = std::max(written_end, span.end);
    }
    return false;
  }

 private:
  struct Span {
    const char *begin, *end;
    bool written;
  };
  std::vector<Span> spans_;
};

class Binding {
 public:
  static constexpr int most_operands = 8;
  struct Item {
    char* data[most_operands];
    int64_t first, numel;  // `first`: elements of the items before
  };
  // What the loop runs over. Strides are the same for all items, and those of a contiguous tensor or 0.
  std::vector<Item> items;
  int64_t strides[most_operands];
  int64_t numel = 0;

  explicit Binding(const Run& run) : run_(run), first_(*run.operands.begin()) {}
  virtual ~Binding() = default;
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  // Whether the loop that was bound did all that the operator does.
  bool is_done(const Tensor& result) const;

 protected:
  // Whether the operands, of these sizes in memory, are those of the leader. The output's stride is that of
  // its elements, or 0 for a single one. Only the first loop of an operator can be bound.
  bool bind_leader(const TensorIteratorBase& iter, const int* sizes, int64_t output_stride);
  // Fills `items`, with new results where the operator is not in place.
  void list_items(const TensorIteratorBase& iter);
  // Whether an item's loop has the operands that the leader's had, those of the item in their place.
  bool is_of_item(const TensorIteratorBase& iter, size_t i) const;
  // Whether memory that one item writes in place is another's, too.
  bool overlap() const;

  const Run& run_;
  const TensorList& first_;
  int loops_ = 0;  // that the operator came to
  void* output_ = nullptr;

 private:
  static constexpr int none = -1, constant = -2, output = -3;

  static void* data(const TensorList& list, size_t i) { return const_cast<void*>(list[i].const_data_ptr()); }
  static int64_t stride_of(const TensorIteratorBase& iter, int k, int size);
  int find_list(const TensorIteratorBase& iter, int k) const;
  bool are_same(const TensorList& a, const TensorList& b) const;
  void make_results(ScalarType dtype);

  int num_tensors_ = 0;
  int lists_[most_operands];  // of the tensors: the number of the list, or one of the above
  bool bound_ = false;
};

inline int64_t Binding::stride_of(const TensorIteratorBase& iter, int k, int size) {
  if (!iter.is_fast_path()) {
    return iter.strides(k)[0];
  }
  return iter.fast_path().last_is_scalar && k == iter.ntensors() - 1 ? 0 : size;
}

inline bool Binding::is_done(const Tensor& result) const {
  const bool done = bound_ && loops_ == 1 && result.data_ptr() == output_;
  TORCH_INTERNAL_ASSERT(done || !bound_ || run_.results != nullptr);
  return done;
}

inline bool Binding::bind_leader(const TensorIteratorBase& iter, const int* sizes, int64_t output_stride) {
  loops_++;
  if (loops_ > 1 || !iter.is_trivial_1d() || iter.numel() != first_[run_.leader].numel()) {
    return false;
  }
  num_tensors_ = iter.ntensors();
  output_ = iter.data_ptr(0);
  strides[0] = stride_of(iter, 0, sizes[0]);
  lists_[0] = run_.results == nullptr ? find_list(iter, 0) : output;
  if (strides[0] != output_stride || (lists_[0] != 0 && lists_[0] != output)) {
    return false;
  }
  for (int k = 1; k < num_tensors_; k++) {
    strides[k] = stride_of(iter, k, sizes[k]);
    lists_[k] = strides[k] == 0 ? constant : find_list(iter, k);
    if (lists_[k] == none || (strides[k] != 0 && strides[k] != sizes[k])) {
      return false;
    }
  }
  bound_ = true;
  return true;
}

// The list with the operand as its leader; none where several lists have it, but differ elsewhere.
inline int Binding::find_list(const TensorIteratorBase& iter, int k) const {
  int found = none;
  for (int l = 0; l < static_cast<int>(run_.operands.size()); l++) {
    const TensorList& list = run_.operands.begin()[l];
    if (data(list, run_.leader) != iter.data_ptr(k) || list[run_.leader].scalar_type() != iter.dtype(k)) {
      continue;
    }
    if (found != none && !are_same(list, run_.operands.begin()[found])) {
      return none;
    }
    found = found == none ? l : found;
  }
  return found;
}

inline bool Binding::are_same(const TensorList& a, const TensorList& b) const {
  for (size_t i = run_.first; i < run_.last; i++) {
    if (data(a, i) != data(b, i)) return false;
  }
  return true;
}

inline void Binding::make_results(ScalarType dtype) {
  for (size_t i = run_.first; i < run_.last; i++) {
    if (i == run_.leader) continue;
    const Tensor& like = first_[i];
    (*run_.results)[i] =
        Tensor(strides[0] == 0 ? at::detail::empty_device({}, dtype, like.device())
               : like.is_contiguous()
                   ? at::detail::empty_contiguous_like(*like.unsafeGetTensorImpl(), dtype)
                   : at::detail::empty_strided_device(like.sizes(), like.strides(), dtype, like.device()));
  }
}

inline void Binding::list_items(const TensorIteratorBase& iter) {
  if (run_.results != nullptr) {
    make_results(iter.dtype(0));
  }
  items.resize(run_.last - run_.first);
  for (size_t i = run_.first; i < run_.last; i++) {
    Item& item = items[i - run_.first];
    item.first = numel;
    item.numel = first_[i].numel();
    numel += item.numel;
    for (int k = 0; k < num_tensors_; k++) {
      item.data[k] = static_cast<char*>(i == run_.leader || lists_[k] == constant ? iter.data_ptr(k)
                                        : lists_[k] == output ? (*run_.results)[i].data_ptr()
                                                              : data(run_.operands.begin()[lists_[k]], i));
    }
  }
}

inline bool Binding::is_of_item(const TensorIteratorBase& iter, size_t i) const {
  if (iter.ntensors() != num_tensors_ || iter.numel() != first_[i].numel()) {
    return false;
  }
  for (int k = 0; k < num_tensors_; k++) {
    if (lists_[k] >= 0 && iter.data_ptr(k) != data(run_.operands.begin()[lists_[k]], i)) return false;
  }
  return true;
}

inline bool Binding::overlap() const {
  Overlaps spans;
  for (size_t i = run_.first; i < run_.last; i++) {
    spans.add(first_[i], true);
    for (const TensorList& list : run_.operands) {
      if (data(list, i) != data(first_, i)) spans.add(list[i], false);
    }
  }
  return spans.any();
}

}  // namespace at::native::foreach
