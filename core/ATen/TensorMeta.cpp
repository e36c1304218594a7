// Defaults of MetaBase for classes that implement only one of set_output_strided and set_output_raw_strided.
#include <ATen/TensorMeta.h>

#include <c10/util/strides.h>

namespace at::inline C10_ABI {
namespace impl {

void MetaBase::set_output_strided(int64_t, IntArrayRef, IntArrayRef, TensorOptions) {
  TORCH_INTERNAL_ASSERT(false, "set_output_strided is not implemented by this class");
}

void MetaBase::set_output_raw_strided(int64_t, IntArrayRef, IntArrayRef, TensorOptions) {
  TORCH_INTERNAL_ASSERT(false, "set_output_raw_strided is not implemented by this class");
}

void MetaBase::set_output_contiguous(int64_t output_idx, IntArrayRef sizes, TensorOptions options) {
  auto strides = c10::contiguous_strides(sizes);
  set_output_strided(output_idx, sizes, strides, options);
}

}  // namespace impl
}  // namespace at::inline C10_ABI
