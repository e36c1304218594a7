// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of PrivateUse1: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/KernelChecks.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/fold_native.h>

namespace at::inline C10_ABI::kernels {

::std::tuple<at::Tensor &,at::Tensor &> PrivateUse1_fold_dim_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, int64_t dim, bool keepdim, at::Tensor & values, at::Tensor & indices) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, values, "values", 4);
  at::impl::check_defined(_op, indices, "indices", 5);
  at::impl::SameDevice _devices(_op);
  _devices(values, "values");
  _devices(indices, "indices");
  _devices(self, "self");
  const c10::OptionalDeviceGuard _guard(at::impl::device_of(self));
  try {
    return at::native::fold_out_private(self, dim, keepdim, values, indices);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
