// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of CompositeImplicitAutograd: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/ArgumentChecks.h>
#include <ATen/native/KernelChecks.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/blend_native.h>

namespace at::inline C10_ABI::kernels {

at::Tensor CompositeImplicitAutograd_blend(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const ::std::optional<at::Tensor> & weight, double eps, c10::string_view mode) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_each(_op, eps, "eps >= 0", [](auto v) { return v >= 0; });
  at::impl::check_one_of(_op, at::impl::dtype_of(weight), "dtype(weight) in Float, Double", at::ScalarType::Float, at::ScalarType::Double);
  try {
    return at::native::blend(self, weight, eps, mode);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
