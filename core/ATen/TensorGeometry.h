// The sizes, strides and offset of a tensor, without its memory.
#pragma once

#include <ATen/core/DimVector.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/SymInt.h>

namespace at::inline C10_ABI {

class TensorGeometry {
 public:
  TensorGeometry() = default;
  explicit TensorGeometry(const TensorBase& t)
      : sizes_(t.sizes().begin(), t.sizes().end()),
        strides_(t.strides().begin(), t.strides().end()),
        storage_offset_(t.storage_offset()) {}

  int64_t dim() const { return static_cast<int64_t>(sizes_.size()); }
  IntArrayRef sizes() const { return sizes_; }
  IntArrayRef strides() const { return strides_; }
  int64_t storage_offset() const { return storage_offset_; }
  c10::SymIntArrayRef sym_sizes() const { return c10::fromIntArrayRefUnchecked(sizes()); }
  c10::SymIntArrayRef sym_strides() const { return c10::fromIntArrayRefUnchecked(strides()); }
  c10::SymInt sym_storage_offset() const { return storage_offset_; }

 private:
  DimVector sizes_, strides_;
  int64_t storage_offset_ = 0;
};

}  // namespace at::inline C10_ABI
