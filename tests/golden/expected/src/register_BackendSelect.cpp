// Generated from templates/src/register_backend_select.cpp.mako; not to be edited.
// Factories: the backend comes from the options, not from a tensor. Autograd has nothing to track in new tensors.
#include <ATen/native/KernelChecks.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ramp_ops.h>
#include <ATen/ops/special_knots_ops.h>

namespace at::inline C10_ABI::kernels {

at::Tensor BackendSelect_ramp(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, c10::SymInt n, const at::Scalar & step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  const c10::DispatchKeySet _backend = at::impl::backend_of_options(dtype, layout, device);
  return _op.redispatch<at::_ops::ramp::schema>(at::impl::below_backend_select(_keys, _backend), n, step, dtype, layout, device, pin_memory);
}

at::Tensor BackendSelect_special_knots(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  const at::AutoDispatchBelowADInplaceOrView _below;
  const c10::DispatchKeySet _backend = at::impl::backend_of_options(dtype, layout, device);
  return _op.redispatch<at::_ops::special_knots::schema>(at::impl::below_backend_select(_keys, _backend), n, dtype, layout, device, pin_memory);
}

}  // namespace at::inline C10_ABI::kernels
