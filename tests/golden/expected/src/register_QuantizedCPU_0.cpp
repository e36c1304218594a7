// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of QuantizedCPU: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/KernelChecks.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/join_native.h>

namespace at::inline C10_ABI::kernels {

::std::vector<at::Tensor> QuantizedCPU_join_masks(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const c10::List<::std::optional<at::Tensor>> & masks) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    return at::native::join_masks_quantized(self, masks);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
