// Results of convolutions in the memory format that their operands imply.
#pragma once

#include <ATen/core/Tensor.h>

#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>

namespace at::native {

/// A contiguous result, copied into another memory format if one is asked for.
inline Tensor to_memory_format(const Tensor& result, MemoryFormat format) {
  if (format == MemoryFormat::Contiguous) return result;
  return at::empty(result.sizes(), result.options(), format).copy_(result);
}

}  // namespace at::native
