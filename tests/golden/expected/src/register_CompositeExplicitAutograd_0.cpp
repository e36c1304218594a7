// Generated from templates/src/register.cpp.mako; not to be edited.
// Kernels of CompositeExplicitAutograd: native functions, wrapped in the dispatcher's calling convention and the checks that their
// declarations ask for.
#include <ATen/native/ArgumentChecks.h>
#include <ATen/native/KernelChecks.h>
#include <ATen/ViewUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/pour_native.h>
#include <ATen/ops/ramp_native.h>
#include <ATen/ops/special_knots_native.h>
#include <ATen/ops/turn_native.h>
#include <ATen/ops/update_native.h>
#include <ATen/ops/window_copy_native.h>
#include <ATen/ops/window_native.h>

namespace at::inline C10_ABI::kernels {

at::Tensor CompositeExplicitAutograd_turn(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims) {
  at::impl::check_defined(_op, self, "self", 1);
  try {
    return at::native::turn(self, shifts, dims);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CompositeExplicitAutograd_window(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset) {
  const at::detail::ViewedEnd _viewed;
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_one_of(_op, at::impl::length_of(size), "len(size) in 1, 2", int64_t{1}, int64_t{2});
  at::impl::check_each(_op, size, "size > 0", [](auto v) { return v > 0; });
  at::impl::check_each(_op, offset, "offset != -1", [](auto v) { return v != -1; });
  try {
    at::Tensor _view = at::native::window_symint(self, size, offset);
    _viewed.finish(_view, self);
    return _view;
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CompositeExplicitAutograd_special_knots(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, int64_t n, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory) {
  try {
    return at::native::special_knots(n, dtype, layout, device, pin_memory);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CompositeExplicitAutograd_turn_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::IntArrayRef shifts, at::IntArrayRef dims, at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, out, "out", 4);
  try {
    return at::native::turn_out(self, shifts, dims, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CompositeExplicitAutograd_window_copy_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, c10::SymIntArrayRef size, ::std::optional<c10::SymInt> offset, at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, out, "out", 4);
  try {
    return at::native::window_copy_out_symint(self, size, offset, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CompositeExplicitAutograd_ramp_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, c10::SymInt n, const at::Scalar & step, at::Tensor & out) {
  at::impl::check_defined(_op, out, "out", 3);
  try {
    return at::native::ramp_out_symint(n, step, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor & CompositeExplicitAutograd_update_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, at::Tensor & running, double momentum, at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, running, "running", 2);
  at::impl::check_defined(_op, out, "out", 4);
  try {
    return at::native::update_out(self, running, momentum, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

::std::tuple<at::Tensor,at::Tensor> CompositeExplicitAutograd_update_functional(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & running, double momentum) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, running, "running", 2);
  try {
    return at::native::update_functional(self, running, momentum);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

const at::Tensor & CompositeExplicitAutograd_pour_out(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking, const at::Tensor & out) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, source, "source", 2);
  at::impl::check_defined(_op, out, "out", 4);
  try {
    return at::native::pour_out(self, source, non_blocking, out);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

at::Tensor CompositeExplicitAutograd_pour(const c10::OperatorEntry& _op, c10::DispatchKeySet _keys, const at::Tensor & self, const at::Tensor & source, bool non_blocking) {
  at::impl::check_defined(_op, self, "self", 1);
  at::impl::check_defined(_op, source, "source", 2);
  try {
    return at::native::pour(self, source, non_blocking);
  } catch (c10::Error& _error) {
    at::impl::name_operator(_error, _op);
    throw;
  }
}

}  // namespace at::inline C10_ABI::kernels
