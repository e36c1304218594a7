// Generated from templates/include/ATen/ops/from_blob.h.mako; not to be edited.
#pragma once
#include <ATen/FromBlob.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>

#include <functional>
#include <memory>
#include <utility>

namespace at::inline C10_ABI {
namespace detail {

struct BlobContext {
  void* data;
  std::function<void(void*)> deleter;

  static void release(void* context) {
    const std::unique_ptr<BlobContext> self(static_cast<BlobContext*>(context));
    self->deleter(self->data);
  }
  static c10::DataPtr make(void* data, std::function<void(void*)> deleter, Device device) {
    if (!deleter) return {data, device};
    return {data, new BlobContext{data, std::move(deleter)}, &release, device};
  }
};

}  // namespace detail

/// A tensor over `data`, which is not copied and must stay valid while tensors use it. Strides and offset count
/// elements of the options' dtype. `deleter` is called with `data` when the last of these tensors is destroyed. The
/// memory is on `target_device`, or the options' device. Throws for negative geometry, for sizes and strides of
/// different lengths, and for null where there are elements; the deleter is called then, too.
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset, const std::function<void(void*)>& deleter, const TensorOptions& options = {}, const std::optional<Device> target_device = std::nullopt) {
  auto memory = detail::BlobContext::make(data, deleter, target_device.value_or(options.device()));
  return Tensor(detail::tensor_over(std::move(memory), sizes, strides, storage_offset, c10::typeMetaToScalarType(options.dtype())));
}
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void*)>& deleter, const TensorOptions& options = {}, const std::optional<Device> target_device = std::nullopt) {
  return from_blob(data, sizes, strides, 0, deleter, options, target_device);
}
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {}) {
  return from_blob(data, sizes, strides, 0, nullptr, options);
}
/// Row-major.
inline Tensor from_blob(void* data, IntArrayRef sizes, std::function<void(void*)> deleter, const TensorOptions& options = {}, const std::optional<Device> target_device = std::nullopt) {
  auto memory = detail::BlobContext::make(data, std::move(deleter), target_device.value_or(options.device()));
  return Tensor(detail::tensor_over(std::move(memory), sizes, c10::typeMetaToScalarType(options.dtype())));
}
inline Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {}) {
  return from_blob(data, sizes, std::function<void(void*)>(), options);
}

}  // namespace at::inline C10_ABI
