// TensorBase's rarer functions.
#include <ATen/core/TensorBase.h>

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
