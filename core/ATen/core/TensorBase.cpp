// TensorBase's functions that are seldom called.
#include <ATen/core/TensorBase.h>

#include <c10/core/impl/DeviceInterface.h>

namespace at::inline C10_ABI {

MemoryFormat TensorBase::suggest_memory_format(bool channels_last_strides_exact_match) const {
  const bool exact = channels_last_strides_exact_match;
  if (impl_->is_strides_like_channels_last()) {
    if (!exact || IntArrayRef(c10::get_channels_last_strides_2d(sizes())) == strides()) {
      return MemoryFormat::ChannelsLast;
    }
  } else if (impl_->is_strides_like_channels_last_3d()) {
    if (!exact || IntArrayRef(c10::get_channels_last_strides_3d(sizes())) == strides()) {
      return MemoryFormat::ChannelsLast3d;
    }
  }
  return MemoryFormat::Contiguous;
}

TensorBase TensorBase::_base() const {
  TORCH_CHECK(is_view(), "Can't get base of non-view Variable");
  return TensorBase(Impl(impl_->view_base()));
}

bool TensorBase::is_pinned() const {
  if (!is_cpu() || !has_storage() || storage().data() == nullptr) return false;
  for (int i = 0; i < c10::COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    // What isn't loaded has locked no memory.
    const auto* interface = c10::find_device_interface(static_cast<DeviceType>(i));
    if (interface != nullptr && interface->is_pinned(storage().data())) return true;
  }
  return false;
}

void TensorBase::record_stream(const c10::Stream& stream) const {
  TORCH_CHECK(device().type() == stream.device_type() || is_pinned(), "record_stream: a tensor on ", device(),
              " isn't used by a stream of ", stream.device());
  if (has_storage()) {
    c10::device_interface(stream.device_type()).record_data_ptr_on_stream(storage().data_ptr(), stream);
  }
}

std::string TensorBase::toString() const {
  if (!defined()) return "UndefinedType";
  return c10::str(c10::DeviceTypeName(device().type()), scalar_type(), "Type");
}

void append_to(std::string& out, const TensorBase& tensor) {
  if (!tensor.defined()) {
    out += "Tensor(undefined)";
    return;
  }
  out += c10::str("Tensor(", tensor.scalar_type(), ", ", tensor.sizes(), ", ", tensor.device(), ")");
}

}  // namespace at::inline C10_ABI
