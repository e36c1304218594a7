// Which tensors share memory, as far as sizes and strides tell without a search.
#pragma once

#include <c10/macros/Macros.h>

namespace c10::inline C10_ABI {
struct TensorImpl;
}

namespace at::inline C10_ABI {
class TensorBase;

// Of one tensor: do two of its indices name the same element?
enum class MemOverlap { No, Yes, TooHard };
// Of two tensors: Full means the same elements in the same order.
enum class MemOverlapStatus { Full, Partial, No, TooHard };

TORCH_API MemOverlap has_internal_overlap(const TensorBase& t);
TORCH_API MemOverlap has_internal_overlap(c10::TensorImpl* t);

TORCH_API void assert_no_internal_overlap(const TensorBase& t);
TORCH_API void assert_no_internal_overlap(c10::TensorImpl* t);

TORCH_API MemOverlapStatus get_overlap_status(const TensorBase& a, const TensorBase& b);
TORCH_API MemOverlapStatus get_overlap_status(const c10::TensorImpl* a, const c10::TensorImpl* b);

TORCH_API void assert_no_partial_overlap(const TensorBase& a, const TensorBase& b);
TORCH_API void assert_no_partial_overlap(c10::TensorImpl* a, c10::TensorImpl* b);

TORCH_API void assert_no_overlap(const TensorBase& a, const TensorBase& b);
TORCH_API void assert_no_overlap(c10::TensorImpl* a, c10::TensorImpl* b);

}  // namespace at::inline C10_ABI
