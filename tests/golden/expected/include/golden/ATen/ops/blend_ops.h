// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API blend {
  using schema = at::Tensor(const at::Tensor &, const ::std::optional<at::Tensor> &, double, c10::string_view);
  static constexpr const char* name = "aten::blend";
  static constexpr const char* overload_name = "";
  static constexpr const char* schema_str = "blend(Tensor self, Tensor\? weight=None, *, float eps=1.0000000000000001e-05, str mode=\"mean\") -> Tensor";
  static c10::OperatorEntry entry;
  static at::Tensor call(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, double eps, c10::string_view mode);
  static at::Tensor redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const ::std::optional<at::Tensor> & weight, double eps, c10::string_view mode);
};

}  // namespace at::inline C10_ABI::_ops
