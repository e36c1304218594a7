// A tensor's geometry and storage taken from another: resize_as_, set_ and what compares them.
#include <ATen/EmptyTensor.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/strides.h>

#include <ATen/ops/_debug_has_internal_overlap_native.h>
#include <ATen/ops/_has_same_storage_numel_native.h>
#include <ATen/ops/_resize_output_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/is_same_size_native.h>
#include <ATen/ops/is_set_to_native.h>
#include <ATen/ops/resize.h>
#include <ATen/ops/resize_as_native.h>
#include <ATen/ops/set.h>
#include <ATen/ops/set_native.h>

namespace at::native {

const Tensor& resize_as_(const Tensor& self, const Tensor& the_template,
                         std::optional<MemoryFormat> memory_format) {
  if (memory_format == MemoryFormat::Preserve) memory_format = the_template.suggest_memory_format();
  return self.resize_(the_template.sizes(), memory_format);
}

const Tensor& _resize_output_(const Tensor& self, IntArrayRef size, Device device) {
  TORCH_CHECK(self.device() == device, "out Tensor doesn't have the correct device set");
  resize_output(self, size);
  return self;
}

// -------------------- set_

Tensor& set_storage_(Tensor& self, Storage source, int64_t storage_offset, IntArrayRef size,
                     IntArrayRef stride) {
  TORCH_CHECK(self.device() == source.device(), "Attempted to set the storage of a tensor on device \"",
              self.device(), "\" to a storage on different device \"", source.device(),
              "\".  This is no longer allowed; the devices must match.");
  TORCH_CHECK(stride.empty() || stride.size() == size.size(), "unequal size length (", size.size(),
              ") and stride length (", stride.size(), ")");
  const DimVector plain = c10::contiguous_strides(size);
  const IntArrayRef strides = stride.empty() ? IntArrayRef(plain) : stride;
  at::detail::check_as_strided_args(size, strides, storage_offset);
  at::detail::checkInBoundsForStorage(size, strides, storage_offset, self.itemsize(), source.nbytes());
  c10::TensorImpl* const impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(source));
  impl->set_sizes_and_strides(size, strides, storage_offset);
  return self;
}

Tensor& set_(Tensor& self, Storage source) {
  const auto numel = static_cast<int64_t>(source.nbytes() / self.itemsize());
  return self.set_(std::move(source), 0, numel);
}

Tensor& set_tensor_(Tensor& self, const Tensor& source) {
  if (self.is_same(source)) return self;
  return self.set_(source, source.storage_offset(), source.sizes(), source.strides());
}

Tensor& set__symint(Tensor& self, const Tensor& source, c10::SymInt storage_offset, c10::SymIntArrayRef size,
                    c10::SymIntArrayRef stride) {
  TORCH_CHECK(self.scalar_type() == source.scalar_type(), "Could not set tensor of type ",
              source.scalar_type(), " to a tensor of type ", self.scalar_type());
  return self.set_(source.storage(), storage_offset.expect_int(), C10_AS_INTARRAYREF_SLOW(size),
                   C10_AS_INTARRAYREF_SLOW(stride));
}

// No elements, in a storage of its own.
Tensor& set_to_empty_(Tensor& self) { return self.set_(at::empty({0}, self.options())); }

// -------------------- Comparisons

bool is_set_to(const Tensor& self, const Tensor& tensor) {
  return self.storage().unsafeGetStorageImpl() == tensor.storage().unsafeGetStorageImpl() &&
         self.storage_offset() == tensor.storage_offset() && self.sizes() == tensor.sizes() &&
         self.strides() == tensor.strides();
}

bool is_same_size(const Tensor& self, const Tensor& other) { return self.sizes() == other.sizes(); }

bool _has_same_storage_numel(const Tensor& self, const Tensor& other) {
  return self.storage().nbytes() / self.itemsize() == other.storage().nbytes() / other.itemsize();
}

int64_t _debug_has_internal_overlap(const Tensor& self) {
  return static_cast<int64_t>(at::has_internal_overlap(self));
}

}  // namespace at::native
