// The check of out= arguments that sort and topk share.
#pragma once

#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>

namespace at::native {

// An out= argument that shares memory with the input would be overwritten while it is read.
inline void check_overlap(const Tensor& self, const Tensor& values, const Tensor& indices) {
  at::assert_no_internal_overlap(values);
  at::assert_no_internal_overlap(indices);
  at::assert_no_overlap(values, self);
  at::assert_no_overlap(indices, self);
  at::assert_no_overlap(values, indices);
}

}  // namespace at::native
