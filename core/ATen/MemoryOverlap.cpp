// Overlap of tensors, by their sizes, strides and addresses.
#include <ATen/MemoryOverlap.h>

#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

namespace at::inline C10_ABI {

MemOverlap has_internal_overlap(const TensorBase& t) { return has_internal_overlap(t.unsafeGetTensorImpl()); }

MemOverlap has_internal_overlap(c10::TensorImpl* t) {
  if (t->is_non_overlapping_and_dense()) {
    return MemOverlap::No;
  }
  const auto sizes = t->sizes();
  const auto strides = t->strides();
  for (size_t i = 0; i < strides.size(); i++) {
    if (strides[i] == 0 && sizes[i] > 1) {
      return MemOverlap::Yes;
    }
  }
  return MemOverlap::TooHard;
}

void assert_no_internal_overlap(const TensorBase& t) { assert_no_internal_overlap(t.unsafeGetTensorImpl()); }

void assert_no_internal_overlap(c10::TensorImpl* t) {
  TORCH_CHECK(has_internal_overlap(t) != MemOverlap::Yes,
              "unsupported operation: more than one element of the written-to tensor refers to a single "
              "memory location. "
              "Please clone() the tensor before performing the operation.");
}

MemOverlapStatus get_overlap_status(const TensorBase& a, const TensorBase& b) {
  return get_overlap_status(a.unsafeGetTensorImpl(), b.unsafeGetTensorImpl());
}

MemOverlapStatus get_overlap_status(const c10::TensorImpl* a, const c10::TensorImpl* b) {
  if (a == b) {
    return MemOverlapStatus::Full;
  }
  if (a->numel() == 0 || b->numel() == 0) {
    return MemOverlapStatus::No;
  }
  if (!a->is_non_overlapping_and_dense() || !b->is_non_overlapping_and_dense()) {
    return MemOverlapStatus::TooHard;
  }
  const auto& storage = a->unsafe_storage();
  if (!storage || !storage.is_alias_of(b->unsafe_storage())) {
    return MemOverlapStatus::No;
  }
  const auto* a_begin = static_cast<const char*>(a->data());
  const auto* b_begin = static_cast<const char*>(b->data());
  const auto* a_end = a_begin + a->numel() * a->itemsize();
  const auto* b_end = b_begin + b->numel() * b->itemsize();
  if (a_begin == b_begin && a_end == b_end) {
    return a->strides() == b->strides() ? MemOverlapStatus::Full : MemOverlapStatus::Partial;
  }
  return a_begin < b_end && b_begin < a_end ? MemOverlapStatus::Partial : MemOverlapStatus::No;
}

void assert_no_partial_overlap(const TensorBase& a, const TensorBase& b) {
  assert_no_partial_overlap(a.unsafeGetTensorImpl(), b.unsafeGetTensorImpl());
}

void assert_no_partial_overlap(c10::TensorImpl* a, c10::TensorImpl* b) {
  TORCH_CHECK(get_overlap_status(a, b) != MemOverlapStatus::Partial,
              "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
              "single memory "
              "location. Please clone() the tensor before performing the operation.");
}

void assert_no_overlap(const TensorBase& a, const TensorBase& b) {
  assert_no_overlap(a.unsafeGetTensorImpl(), b.unsafeGetTensorImpl());
}

void assert_no_overlap(c10::TensorImpl* a, c10::TensorImpl* b) {
  const auto status = get_overlap_status(a, b);
  TORCH_CHECK(status != MemOverlapStatus::Partial && status != MemOverlapStatus::Full,
              "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
              "single memory "
              "location. Please clone() the tensor before performing the operation.");
}

}  // namespace at::inline C10_ABI
