// Generated from templates/include/ATen/ops/ops.h.mako; not to be edited.
#pragma once
#include <ATen/core/OperatorTypes.h>

namespace at::inline C10_ABI::_ops {

struct TORCH_API gauss_out {
  using schema = at::Tensor &(const at::Tensor &, double, ::std::optional<at::Generator>, at::Tensor &);
  static constexpr const char* name = "aten::gauss";
  static constexpr const char* overload_name = "out";
  static constexpr const char* schema_str = "gauss.out(Tensor mean, float std=1., *, Generator\? generator=None, Tensor(a!) out) -> Tensor(a!)";
  static c10::OperatorEntry entry;
  static at::Tensor & call(const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out);
  static at::Tensor & redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & mean, double std, ::std::optional<at::Generator> generator, at::Tensor & out);
};

}  // namespace at::inline C10_ABI::_ops
