// The arguments of fused steps.
#include <ATen/native/optimizer/steps.h>

#include <algorithm>

#include <ATen/ops/contiguous.h>
#include <ATen/ops/copy.h>

namespace at::native {

namespace {

// Whether elements of both lie in memory in the same order, without gaps.
bool same_order(const Tensor& t, const Tensor& first) {
  return t.is_non_overlapping_and_dense() &&
         (t.strides() == first.strides() || (t.is_contiguous() && first.is_contiguous()));
}

void check_item(std::initializer_list<TensorList> lists, size_t i) {
  const Tensor &very_first = (*lists.begin())[0], &first = (*lists.begin())[i];
  TORCH_CHECK_NOT_IMPLEMENTED(first.is_floating_point(), "not implemented for dtype ", first.scalar_type());
  for (const TensorList& list : lists) {
    const Tensor& t = list[i];
    TORCH_CHECK(t.device() == very_first.device(), "expected all tensors on ", very_first.device(),
                ", got one on ", t.device());
    TORCH_CHECK(t.scalar_type() == very_first.scalar_type(), "expected all tensors to be of dtype ",
                very_first.scalar_type(), ", got ", t.scalar_type(), " at ", i);
    TORCH_CHECK(t.sizes() == first.sizes(), "expected tensors of the same sizes at ", i, ", got ",
                first.sizes(), " and ", t.sizes());
  }
}

}  // namespace

StepLists::StepLists(std::initializer_list<TensorList> lists) {
  const TensorList& first = *lists.begin();
  for (const TensorList& list : lists) {
    TORCH_CHECK(list.size() == first.size(), "expected lists of the same length, got ", first.size(), " and ",
                list.size());
  }
  items.num_operands = static_cast<int>(lists.size());
  items.dtype = first.empty() ? kFloat : first[0].scalar_type();
  items.items.resize(first.size());
  for (size_t i = 0; i < first.size(); i++) {
    check_item(lists, i);
    if (first[i].is_meta()) {
      continue;
    }
    StepItems::Item& item = items.items[i];
    item.first = items.numel;
    item.numel = first[i].numel();
    items.numel += item.numel;
    const bool direct = std::all_of(lists.begin(), lists.end(),
                                    [&](const TensorList& l) { return same_order(l[i], first[i]); });
    for (int k = 0; k < items.num_operands; k++) {
      Tensor t = lists.begin()[k][i];
      if (!direct) {
        copies_.push_back({t, t.contiguous()});
        t = copies_.back().contiguous;
      }
      item.data[k] = t.mutable_data_ptr();
    }
  }
}

void StepLists::finish() {
  for (const Copy& copy : copies_) {
    if (!copy.original.is_same(copy.contiguous)) {
      copy.original.copy_(copy.contiguous);
    }
  }
}

}  // namespace at::native
